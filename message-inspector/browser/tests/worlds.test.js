// Several worlds, a large one among them, and what is shown of each.

import assert from "node:assert/strict";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

async function choose(page, world) {
  await page.selectOption("#world", { label: world });
  await page.waitForSelector("#view[data-ready]");
}

on_a_page("each world that is attached can be chosen", async (page) => {
  const names = await page.locator("#world option").allTextContents();
  assert.deepEqual(names, ["showcase", "crowd"]);
  await view(page, "now");
  await page.locator("tr", { hasText: "Whisper" }).waitFor();
  await choose(page, "crowd");
  await page.locator("tr", { hasText: "Sack" }).waitFor();
  assert.equal(await page.locator("tr", { hasText: "Whisper" }).count(), 0);
  await choose(page, "showcase");
  await page.locator("tr", { hasText: "Whisper" }).waitFor();
});

on_a_page("a flow of two hundred nodes can be read, and seen as a whole", async (page) => {
  await choose(page, "crowd");
  await view(page, "flow");
  await page.getByLabel("What stands at the ends of an arrow").selectOption("messagee");
  await page.waitForFunction(() => Number(/^(\d+) nodes/.exec(document.querySelector("#view [role=status]").textContent)?.[1]) >= 200);
  await page.keyboard.press("h");
  const sizes = () => page.evaluate(() => {
    const all = [...document.querySelectorAll(".graph .node")];
    const rects = all.map((node) => node.querySelector("rect").getBoundingClientRect());
    const texts = all.map((node) => node.querySelector("text").getBoundingClientRect());
    const graph = document.querySelector(".graph").getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return {
      overlaps: rects.filter((a, at) => rects.slice(at + 1).some((b) => meet(a, b))).length,
      spills: texts.filter((text, at) => text.right > rects[at].right + 1).length,
      smallest: Math.min(...texts.map((text) => text.height)),
      outside: rects.filter((it) => it.left < graph.left - 1 || it.right > graph.right + 1 || it.top < graph.top - 1 || it.bottom > graph.bottom + 1).length,
    };
  });
  const read = await sizes();
  assert.equal(read.overlaps, 0);
  assert.equal(read.spills, 0);
  assert.ok(read.smallest >= 10, `text of ${read.smallest} px`);
  await page.getByRole("button", { name: "Fit" }).click();
  assert.equal((await sizes()).outside, 0);
  await page.getByLabel("Find a node").fill("porter 3-7");
  await page.locator(".graph .node.on").waitFor();
  assert.ok(await page.locator(".graph .node:not(.dim)").count() <= 6);
});

on_a_page("the manager's own messages are shown when they are asked for", async (page) => {
  await view(page, "timeline");
  const own = page.locator('.cells a[aria-label*="from the manager"]:not(.bad)');
  await page.locator("#view [role=status]", { hasText: "of the manager's own are not shown" }).waitFor();
  await page.keyboard.press("h");
  assert.equal(await own.count(), 0);
  await page.locator("#own").check();
  await own.first().waitFor();
});

on_a_page("what is pending for a messagee stands on its page", async (page) => {
  await view(page, "messagees");
  await page.fill("[data-search]", "castle");
  await page.locator(".tree a", { hasText: "castle" }).first().click();
  await page.locator("section tr", { hasText: "Damage" }).first().waitFor();
  await page.locator("section pre", { hasText: "Health(hp:" }).waitFor();
  await page.locator("section .tag", { hasText: "@showcase.Castle" }).waitFor();
});

on_a_page("a pending message has its countdown, repetition, key and sender", async (page) => {
  await view(page, "later");
  const ring = page.locator("tr", { has: page.getByRole("cell", { name: "Ring", exact: true }) });
  for (const text of ["bell", "outside", "∞", "Update"]) await ring.locator("td", { hasText: text }).first().waitFor();
  assert.match(await ring.locator("td").first().textContent(), /\d s$/);
  const left = () => ring.locator("td").first().textContent();
  const before = await left();
  await page.waitForFunction((text) => ![...document.querySelectorAll("td")].some((it) => it.textContent === text), before);
});

on_a_page("the clock is scaled", async (page) => {
  const scale = page.getByLabel("Time scale");
  const shown = () => page.locator("#clock div", { hasText: "scale" });
  await scale.fill("0.5");
  await scale.press("Enter");
  await shown().filter({ hasText: "0.5 ×" }).waitFor();
  await scale.fill("1");
  await scale.press("Enter");
  await shown().filter({ hasText: "1 ×" }).waitFor();
});

on_a_page("a view that is held stands still", async (page) => {
  await view(page, "now");
  await page.keyboard.press("h");
  await page.locator("#state", { hasText: "held" }).waitFor();
  const total = () => page.locator("tr", { hasText: "Whisper" }).locator("td").nth(1).textContent();
  await page.waitForTimeout(300);
  const held = await total();
  await page.waitForTimeout(1500);
  assert.equal(await total(), held);
  await page.keyboard.press("h");
  await page.waitForFunction((text) => ![...document.querySelectorAll("td")].some((it) => it.textContent === text), held);
});

// The next ten seconds.

import assert from "node:assert/strict";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

on_a_page("the next ten seconds have a row for each message, with each of its repetitions", async (page) => {
  await view(page, "later");
  const ring = page.locator(".axis .due", { hasText: "Ring → bell" });
  await ring.waitFor();
  assert.ok([9, 10, 11].includes(await ring.locator("circle").count()));
  assert.ok(await page.locator(".axis .due", { hasText: "Advance → group Raiders" }).locator("circle").count() >= 38);
  // It is due in an hour.
  assert.equal(await page.locator(".axis .due", { hasText: "Supper" }).filter({ hasText: "min" }).count(), 0);
  const [first, second] = await ring.locator("circle").evaluateAll((all) => all.slice(0, 2).map((it) => Number(it.getAttribute("cx"))));
  const [at, next] = await page.locator(".axis .rule").evaluateAll((all) => all.slice(0, 2).map((it) => Number(it.getAttribute("x1"))));
  assert.ok(Math.abs((second - first) - (next - at)) < 1, "a second apart");
});

on_a_page("its countdown runs, and a view that is held stands still", async (page) => {
  await view(page, "later");
  const left = page.locator(".axis .due", { hasText: "Ring → bell" }).locator(".left");
  const before = await left.textContent();
  await page.waitForFunction((text) => ![...document.querySelectorAll(".axis .left")].some((it) => it.textContent === text), before);
  await page.keyboard.press("h");
  await page.waitForTimeout(2000);
  const held = await left.textContent();
  await page.waitForTimeout(800);
  assert.equal(await left.textContent(), held);
});

on_a_page("no word of a table or a tree is broken", async (page) => {
  for (const name of ["later", "now", "messagees"]) {
    await view(page, name);
    await page.locator("tbody tr.row, .tree .line").first().waitFor();
    const broken = await page.evaluate(() => [...document.querySelectorAll("td button, td strong, td a, th, .tree a")].filter((it) => /^\S+$/.test(it.textContent.trim()) && it.getClientRects().length > 1).map((it) => it.textContent));
    assert.deepEqual(broken.filter((it) => !it.includes("/")), [], name);
  }
}, { width: 900, height: 700 });

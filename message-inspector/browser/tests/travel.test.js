// Going back: the recording, any frame of it, who changed a value, another future, and breaks.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "inspector-travel-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const stands = (page, at) => page.waitForFunction((wanted) => document.querySelector("#travelled").textContent.startsWith(`Frame ${wanted} of`) && document.querySelector("#clock dd").textContent === String(wanted), at);

/** Opens what is recorded, once the bell was rung a few times. */
async function go_back(page) {
  await page.waitForFunction(() => Number(document.querySelector("#clock dd").textContent) >= 70);
  await view(page, "time");
  await page.getByRole("button", { name: "Go back in time" }).click();
  await page.locator("#travelled", { hasText: /^Frame/ }).waitFor();
}

async function close(page) {
  await page.getByRole("button", { name: "Close log" }).click();
  await page.locator("#travel").waitFor({ state: "hidden" });
}

async function open_bell(page) {
  await view(page, "messagees");
  await page.fill("[data-search]", "bell");
  await page.locator(".tree a", { hasText: "bell" }).first().click();
  return page.locator("section pre", { hasText: "Bell(rung:" });
}

on_a_page("what was recorded before the first look opens at any frame, step by step", async (page) => {
  await view(page, "time");
  await page.locator("#recorded", { hasText: "Everything from frame 0 on is recorded" }).waitFor();
  await go_back(page);
  const bell = await open_bell(page);
  const rung = async (count) => bell.filter({ hasText: `rung: ${count})` }).waitFor();
  for (const [to, count] of [[41, 2], [19, 0], [60, 3]]) {
    await page.fill("#frame", String(to));
    await page.keyboard.press("Enter");
    await stands(page, to);
    await rung(count);
  }
  await page.getByRole("button", { name: "Step back" }).click();
  await stands(page, 59);
  await rung(2);
  await page.locator("#travel").getByRole("button", { name: "Step forward" }).click();
  await stands(page, 60);
  await page.locator("#view").focus();
  await page.keyboard.press(",");
  await stands(page, 59);
  await page.locator("#frames").fill("20");
  await stands(page, 20);
  await rung(1);
  await view(page, "timeline");
  await page.locator('.cells a[aria-label^="Ring → bell"]').first().waitFor();
  assert.equal(await page.locator(".frame .when").first().textContent(), "20 · 1.00 s");
  await close(page);
});

on_a_page("what is due stands still in a frame of a log, as its table does", async (page) => {
  await go_back(page);
  await page.fill("#frame", "41");
  await page.keyboard.press("Enter");
  await stands(page, 41);
  await view(page, "later");
  const ring = page.locator(".axis .due", { hasText: "Ring → bell" });
  await ring.waitFor();
  const due = page.locator("tr", { has: page.locator('button[aria-label^="Cancel Ring to"]') }).locator("td").first();
  const text = await due.textContent();
  for (let times = 0; times < 4; times += 1) {
    assert.equal(await ring.locator(".left").textContent(), text);
    await page.waitForTimeout(250);
  }
  await close(page);
});

on_a_page("who changed a value is found from the running world, and the change before it too", async (page) => {
  await page.waitForFunction(() => Number(document.querySelector("#clock dd").textContent) >= 70);
  const bell = await open_bell(page);
  await bell.waitFor();
  await page.getByLabel("Field of Bell").selectOption("rung");
  await page.getByRole("button", { name: "Who changed this?" }).click();
  const change = page.locator(".changed");
  await change.filter({ hasText: "Bell.rung of bell was changed by Ring" }).waitFor();
  const source = readFileSync(new URL("../../examples/showcase.rs", import.meta.url), "utf8").split("\n");
  const [, line] = /showcase\.rs:(\d+)/.exec(await page.locator("#changed-at").textContent());
  assert.match(source.slice(line - 2, Number(line) + 2).join("\n"), /fn ring/);
  const [before, now] = await change.locator("dd").allTextContents();
  assert.equal(Number(now), Number(before) + 1);
  await page.getByRole("button", { name: "The last change before this frame" }).click();
  await change.locator("dd").nth(1).filter({ hasText: before }).waitFor();
  await bell.filter({ hasText: `rung: ${before})` }).waitFor();
  await change.getByRole("link", { name: "Why did this happen?" }).click();
  await page.locator("#chain .here", { hasText: "Ring" }).waitFor();
  await close(page);
});

on_a_page("the component of a delivery is shown before and after it", async (page) => {
  await go_back(page);
  await page.fill("#frame", "61");
  await page.keyboard.press("Enter");
  await stands(page, 61);
  await view(page, "timeline");
  await page.locator('.cells a[aria-label^="Ring → bell"]').first().click();
  await page.getByRole("button", { name: "What did it change?" }).click();
  const change = page.locator(".changed");
  await change.filter({ hasText: "In frame 60, Bell of bell was changed by Ring" }).waitFor();
  assert.deepEqual(await change.locator("dd").allTextContents(), ["Bell(rung: 2)", "Bell(rung: 3)"]);
  await page.locator("#chain .here", { hasText: "Ring" }).waitFor();
  await close(page);
});

for (const [width, dark] of [[1280, false], [375, true]]) {
  on_a_page(`the bar of a replay is accessible and fits into ${width} px`, async (page) => {
    await go_back(page);
    const bell = await open_bell(page);
    await bell.waitFor();
    await page.getByRole("button", { name: "Who changed this?" }).click();
    await page.locator(".changed").waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter((it) => ["serious", "critical"].includes(it.impact)).map((it) => `${it.id}: ${it.nodes[0].html}`), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await close(page);
  }, { width, dark });
}

on_a_page("another future runs on from a frame, and the log keeps its own", async (page) => {
  await go_back(page);
  await page.fill("#frame", "30");
  await page.keyboard.press("Enter");
  await stands(page, 30);
  assert.equal(await page.locator("#controls").isVisible(), false);
  await page.getByRole("button", { name: "Run on from here" }).click();
  await page.locator("#travelled", { hasText: "Left the log in frame 30" }).waitFor();
  await page.waitForFunction(() => Number(document.querySelector("#clock dd").textContent) > 33);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator("[data-pause]", { hasText: "Go on" }).waitFor();
  await view(page, "console");
  await page.fill("#line", "send bell Ring");
  await page.keyboard.press("Enter");
  await page.locator(".log li", { hasText: "received by" }).waitFor();
  await page.getByRole("button", { name: "Last frame" }).click();
  await page.locator("#travelled", { hasText: /^Frame/ }).waitFor();
  await close(page);
});

on_a_page("a download opens when it is dropped onto the page", async (page) => {
  await view(page, "time");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  assert.match(download.suggestedFilename(), /^showcase-0\.log$/);
  const path = join(folder, "showcase.log");
  await download.saveAs(path);
  const bytes = readFileSync(path).toString("base64");
  const drop = (text, name) => page.evaluate(([data, called]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(data), (it) => it.charCodeAt(0))], called));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, [text, name]);
  await drop(bytes, "yesterday.log");
  await page.locator("#travelled", { hasText: /^Frame \d+ of 0 to/ }).waitFor();
  assert.equal(await page.locator("#world option:checked").textContent(), "yesterday.log");
  const bell = await open_bell(page);
  await page.getByRole("button", { name: "First frame" }).click();
  await stands(page, 0);
  await bell.filter({ hasText: "rung: 0)" }).waitFor();
  await close(page);
});

on_a_page("a message that arrives pauses the world, which is stepped and let go", async (page) => {
  await view(page, "time");
  await page.getByLabel("Message type").fill("Ring");
  await page.getByLabel("Messagee, or empty for anyone").fill("bell");
  await page.getByRole("button", { name: "Break", exact: true }).click();
  await page.locator("#breaks li", { hasText: "Ring to bell" }).waitFor();
  const broke = page.locator("#broke", { hasText: "Ring arrived at bell" });
  await broke.waitFor();
  const text = await broke.textContent();
  await page.locator("[data-pause]", { hasText: "Go on" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await broke.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction((old) => { const now = document.querySelector("#broke").textContent; return now && now !== old; }, text);
  await page.getByRole("button", { name: "Remove the break for Ring" }).click();
  await page.locator("#view", { hasText: "No break is set." }).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await broke.waitFor({ state: "hidden" });
});

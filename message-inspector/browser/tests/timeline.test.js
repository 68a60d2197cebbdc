// The timeline: what is left out, folded and paged, and its lanes.

import assert from "node:assert/strict";
import { pages, search, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);
const held = async (page) => { await page.keyboard.press("h"); await page.locator("#state", { hasText: "held" }).waitFor(); };
const filter = async (page, text) => { await search(page, text); await page.locator("[data-search]").blur(); };

on_a_page("what stands behind a minus is left out", async (page) => {
  await view(page, "timeline");
  await page.locator('.cells a[aria-label^="Whisper → "]').first().waitFor();
  await page.locator('.cells a[aria-label^="Supper → "]').first().waitFor();
  await held(page);
  await filter(page, "-Whisper -well");
  assert.equal(await page.locator('.cells [aria-label^="Whisper → "]').count(), 0);
  assert.equal(await page.locator('.cells [aria-label^="Draw → well"]').count(), 0);
  assert.ok(await page.locator('.cells [aria-label^="Supper → "]').count() > 0);
});

on_a_page("equal deliveries are one box with their count and receivers, and unfold", async (page) => {
  await view(page, "timeline");
  await filter(page, "Alarm -Ghosts");
  const run = page.locator(".cells button", { hasText: /^Alarm ×3 → group Guards: guard Ann, guard Bob, <img/ }).first();
  await run.waitFor();
  await held(page);
  const before = await page.locator(".cells a").count();
  await run.click();
  assert.equal(await page.locator(".cells a").count(), before + 3);
});

on_a_page("pages lead back through all that is kept, and stand still", async (page) => {
  await view(page, "timeline");
  await page.locator("button:enabled", { hasText: "Older" }).waitFor();
  const range = async () => /Frames (\d+) to (\d+); (\d+) to/.exec(await page.locator("#view [role=status]").textContent()).slice(1).map(Number);
  const [, newest] = await range();
  const older = page.getByRole("button", { name: "Older" });
  for (let turns = 0; await older.isEnabled(); turns += 1) {
    assert.ok(turns < 50);
    const [first] = await range();
    await older.click();
    await page.waitForFunction((first) => Number(/Frames (\d+)/.exec(document.querySelector("#view [role=status]").textContent)[1]) < first, first);
  }
  const [first, , kept] = await range();
  assert.equal(first, kept);
  await page.waitForTimeout(1500);
  assert.equal((await range())[0], first);
  await page.getByRole("button", { name: "Newest" }).click();
  await page.waitForFunction((newest) => Number(/to (\d+);/.exec(document.querySelector("#view [role=status]").textContent)[1]) >= newest, newest);
});

on_a_page("a recording has lanes, pages and folded deliveries too", async (page) => {
  const call = (frame, at) => ({ event: "called", message: "a::Advance", send: frame * 10, delivery: frame * 10 + at, frame, time: frame * 1e7, wall: 0, sender: "outside", recipient: "everyone", receiver: `\`a::Orc\` of messagee ${at}v0`, handler: "advance" });
  const events = Array.from({ length: 150 }, (_, frame) => [1, 2, 3, 4].map((at) => call(frame, at))).flat();
  await page.setInputFiles("#file", { name: "orcs.jsonl", mimeType: "text/plain", buffer: Buffer.from(events.map((it) => JSON.stringify(it)).join("\n")) });
  await page.locator("#state", { hasText: "recording orcs.jsonl" }).waitFor();
  await view(page, "timeline");
  await page.locator(".cells button", { hasText: "Advance ×4 → everyone: 1v0, 2v0, 3v0, … (4)" }).first().waitFor();
  await page.getByRole("button", { name: "Older" }).click();
  await page.locator("#view [role=status]", { hasText: "Frames 30 to 89; 0 to 149 are kept" }).waitFor();
  await page.getByRole("button", { name: "Newer" }).click();
  await page.locator("#view [role=status]", { hasText: "Frames 90 to 149; 0 to 149 are kept" }).waitFor();
  await page.getByLabel("Show as").selectOption("type");
  await page.locator('.drawing a[aria-label^="Advance ×4"]').first().waitFor();
});

on_a_page("a search looks through all that is kept, and says when there is nothing", async (page) => {
  const call = (frame, message) => ({ event: "called", message, send: frame * 10, delivery: frame * 10 + 1, frame, time: frame * 1e7, wall: 0, sender: "outside", recipient: "everyone", receiver: "`a::Orc` of messagee 1v0", handler: "hear" });
  const events = Array.from({ length: 150 }, (_, frame) => call(frame, frame === 7 ? "a::Died" : "a::Update"));
  await page.setInputFiles("#file", { name: "orcs.jsonl", mimeType: "text/plain", buffer: Buffer.from(events.map((it) => JSON.stringify(it)).join("\n")) });
  await page.locator("#state", { hasText: "recording orcs.jsonl" }).waitFor();
  await view(page, "timeline");
  await filter(page, "died");
  await page.locator(".frame .when", { hasText: "7 · 0.07 s" }).waitFor();
  await page.locator("#view [role=status]", { hasText: "1 frames with something to see" }).waitFor();
  await filter(page, "knight");
  await page.locator("#view [role=status]", { hasText: "Nothing that is kept fits the search. Frames 0 to 149 are kept." }).waitFor();
});

on_a_page("a search of a running world finds what is older than a page", async (page) => {
  await page.waitForFunction(() => Number(document.querySelector("#clock dd").textContent) >= 140);
  await view(page, "timeline");
  await search(page, "Alarm");
  const frames = await page.locator(".frame .when").evaluateAll((all) => all.map((it) => parseInt(it.textContent, 10)));
  assert.ok(frames[0] - frames.at(-1) > 60, String(frames));
});

on_a_page("in lanes, a delivery is as wide as all that it led to, and the wheel zooms", async (page) => {
  await view(page, "timeline");
  await page.locator('.cells a[aria-label^="Whisper → "]').first().waitFor();
  await held(page);
  const as = page.getByLabel("Show as");
  await as.selectOption("type");
  for (const lane of ["Bell", "Guard", "Health"]) await page.locator(".lanes .names text", { hasText: lane }).first().waitFor();
  const [ring, whisper] = await page.evaluate(() => ["Ring → bell", "Whisper → "].map((begin) => {
    const box = document.querySelector(`.drawing a[aria-label^="${begin}"] rect`).getBoundingClientRect();
    return { x: box.x, right: box.right, width: box.width, y: box.y };
  }));
  assert.ok(ring.x < whisper.x && whisper.right <= ring.right && whisper.y > ring.y, JSON.stringify([ring, whisper]));
  const box = await page.locator(".strip").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 60);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => document.querySelector('.drawing a[aria-label^="Ring → bell"] rect').getBoundingClientRect().width > before, ring.width);
  await as.selectOption("messagee");
  for (const lane of ["bell", "castle", "guard Ann"]) await page.locator(".lanes .names text", { hasText: lane }).first().waitFor();
  await filter(page, "Open");
  await page.locator('.drawing a.unheard[aria-label^="Open → door"]').first().waitFor();
});

// The answers to "why did this happen?" and "why did nothing happen?".

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pages, search, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);
const source = readFileSync(new URL("../../examples/showcase.rs", import.meta.url), "utf8").split("\n");

/** Opens the cause of a delivery or send of the last frames. */
export async function open(page, words, begin) {
  await view(page, "timeline");
  await search(page, words);
  await page.locator(`.cells a[aria-label^="${begin}"]`).first().click();
  await page.waitForSelector("#chain li");
}

on_a_page("a cause begins with the answer, in names and lines of source", async (page) => {
  await open(page, "Shoot", "Shoot → archer");
  const answer = page.locator(".answer");
  assert.match(await answer.textContent(), /^archer received Shoot in Bow::shoot at .*showcase\.rs:\d+, posted by the program at .*showcase\.rs:/);
  assert.equal(await page.evaluate(() => document.querySelector("h2").nextElementSibling.firstElementChild.className), "answer");
  const outcome = await page.locator("ul.steps li").allTextContents();
  assert.equal(outcome[0], "archer returned");
  const [handler] = await answer.locator("a.place").all();
  const [, file, line] = /^vscode:\/\/file\/(.*):(\d+):1$/.exec(await handler.getAttribute("href"));
  assert.match(readFileSync(`/${file}`, "utf8").split("\n")[line - 1], /fn shoot/);
});

on_a_page("a subscriber is called what it is", async (page) => {
  await view(page, "timeline");
  await page.locator("#own").check();
  await open(page, "Despawning", "Despawning → ");
  assert.match(await page.locator(".answer").textContent(), /^a subscriber to Despawning received/);
});

on_a_page("a subscriber has the name of its owner in the cause, the timeline and the flow", async (page) => {
  await view(page, "timeline");
  await search(page, "Ring");
  // The wire of the bell listens, too: what both receive is one box.
  await page.locator('.cells button[aria-label^="Ring ×2 → archer"]').first().click();
  await page.locator('.cells a[aria-label^="Ring → archer"]').first().click();
  await page.waitForSelector("#chain li");
  const answer = page.locator(".answer");
  assert.match(await answer.textContent(), /^archer received Ring/);
  await answer.getByRole("link", { name: "archer", exact: true }).click();
  await page.locator("h2", { hasText: "archer" }).waitFor();
  await page.locator(".steps li", { hasText: "Ring received by archer" }).first().waitFor();
  await view(page, "timeline");
  await page.getByLabel("Show as").selectOption("messagee");
  await page.locator('.lanes a[aria-label*="Ring"][aria-label*="→ archer"]').first().waitFor();
  await view(page, "flow");
  await page.getByLabel("What stands at the ends of an arrow").selectOption("messagee");
  const arrow = page.locator("tr", { has: page.getByRole("cell", { name: "Ring", exact: true }) }).filter({ hasText: "archer" });
  await arrow.first().waitFor();
  for (const words of ["subscription", /\d+v\d+ of/]) assert.equal(await page.locator("#view", { hasText: words }).count(), 0);
});

on_a_page("a send that nobody received is listed, marked, and explained", async (page) => {
  await view(page, "now");
  const row = page.locator("tr", { hasText: "Open" });
  await row.filter({ hasText: "door" }).filter({ hasText: "has `Frame` and `Lock`; neither handles `Open`; `Hinge` would" }).waitFor();
  await page.locator("tr", { hasText: "no member of `showcase.Ghosts` handles `Alarm`; `Guard` would" }).waitFor();
  await view(page, "timeline");
  await search(page, "Open");
  await page.locator('.cells a.unheard[aria-label^="Open → door"]').first().click();
  await page.locator("#nobody", { hasText: "Nobody received it: door has `Frame` and `Lock`; neither handles `Open`; `Hinge` would." }).waitFor();
  const [, line] = /showcase\.rs:(\d+)/.exec(await page.locator(".answer").textContent());
  assert.match(source[line - 1], /send\(self\.door, Open\)/);
});

on_a_page("the console is not green when nobody has received a message", async (page) => {
  await view(page, "console");
  await page.fill("#line", "send door Open");
  await page.keyboard.press("Enter");
  await page.locator(".log .bad", { hasText: "nobody received it: door has `Frame` and `Lock`" }).waitFor();
  assert.equal(await page.locator(".log .good").count(), 0);
});

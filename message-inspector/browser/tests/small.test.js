// Errors, columns, lines of numbers, and the tabs of a phone.

import assert from "node:assert/strict";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

on_a_page("an error stays until it is dismissed", async (page) => {
  await page.setInputFiles("#file", { name: "notes.jsonl", mimeType: "text/plain", buffer: Buffer.from("notes\n") });
  const error = page.locator("#errors li", { hasText: "line 1 of notes.jsonl" });
  await error.waitFor();
  await view(page, "letters");
  await page.waitForTimeout(1500);
  assert.equal(await error.count(), 1);
  await error.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await error.count(), 0);
});

on_a_page("a column sorts, and stays sorted while the page updates", async (page) => {
  await view(page, "now");
  await page.locator("tr", { hasText: "Supper" }).waitFor();
  const region = page.getByRole("region", { name: "Deliveries by message type" });
  const totals = async () => (await region.locator('td[data-name="Total"]').allTextContents()).map((it) => Number(it.replaceAll(",", "")));
  await region.getByRole("button", { name: "Total" }).click();
  for (const wait of [0, 1500]) {
    await page.waitForTimeout(wait);
    const all = await totals();
    assert.deepEqual(all, [...all].sort((a, b) => b - a));
  }
  await region.getByRole("button", { name: "Total" }).click();
  const all = await totals();
  assert.deepEqual(all, [...all].sort((a, b) => a - b));
  assert.equal(await region.locator("th[aria-sort=ascending]").textContent(), "Total");
});

on_a_page("a line of numbers begins at 0 and ends at a round number", async (page) => {
  await view(page, "now");
  await page.locator("tr", { hasText: "Supper" }).waitFor();
  const tops = await page.evaluate(async () => {
    const { ceiling } = await import("./sparkline.js");
    return [0, 1, 5, 6, 20, 21, 199, 3000].map(ceiling);
  });
  assert.deepEqual(tops, [5, 5, 5, 10, 20, 50, 200, 5000]);
  await page.locator(".sparkline .top", { hasText: /^(5|10|20|50)$/ }).first().waitFor();
});

on_a_page("on a phone, the tab of the view is in sight", async (page) => {
  for (const name of ["startup", "now", "console"]) {
    await view(page, name);
    const box = await page.locator("nav [aria-current=page]").boundingBox();
    assert.ok(box.x >= -1 && box.x + box.width <= 391, `${name}: ${JSON.stringify(box)}`);
  }
}, { width: 390, height: 844 });

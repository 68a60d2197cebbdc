// Messagees that are gone.

import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

on_a_page("a raider that was shot is found, with its last values, its deeds and its end", async (page) => {
  await view(page, "messagees");
  const name = await page.locator(".gone a", { hasText: /^raider / }).first().textContent();
  await page.fill("[data-search]", name);
  await page.locator(".gone a", { hasText: name }).click();
  await page.locator("section h2", { hasText: name }).waitFor();
  await page.locator("section pre", { hasText: "Health(hp:" }).waitFor();
  await page.locator("section li", { hasText: `received by ${name}` }).first().waitFor();
  await page.locator("#ended", { hasText: /Gone since frame \d+, despawned at .*showcase\.rs:\d+/ }).waitFor();
  await page.locator("#ended a", { hasText: "Why" }).click();
  await page.locator(".answer", { hasText: `${name} received Damage in Health::hurt at` }).filter({ hasText: "sent by archer" }).waitFor();
});

// Changing the value of a component on the page.

import assert from "node:assert/strict";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

/** Opens a messagee, and what changes its components. */
async function change(page, name, component) {
  await view(page, "messagees");
  await page.fill("[data-search]", name);
  await page.locator(".tree a", { hasText: name }).first().click();
  const part = page.locator("section > div", { has: page.locator("strong", { hasText: component }) });
  await part.getByRole("button", { name: "Change", exact: true }).click();
  return part;
}

on_a_page("a field is changed, and stays changed", async (page) => {
  const bow = await change(page, "archer", "Bow");
  const arrows = bow.getByLabel("arrows", { exact: true });
  await arrows.fill("1000");
  // The text in the field stays while the value changes and the page is updated.
  await page.waitForTimeout(1500);
  assert.equal(await arrows.inputValue(), "1000");
  await arrows.press("Enter");
  await bow.locator("pre", { hasText: /arrows: 10\d\d\)/ }).waitFor();
  // It follows the component again.
  await page.waitForFunction(() => Number(document.querySelector("form.field input").value) > 1000);
});

on_a_page("an error is shown at its field, with its place, until the field is right", async (page) => {
  const guard = await change(page, "guard Ann", "Guard");
  const next = guard.getByLabel("next", { exact: true });
  await next.fill("Some(nobody)");
  await next.press("Enter");
  const error = guard.locator(".field .bad", { hasText: "1:6: no messagee is called `nobody`" });
  await error.waitFor();
  assert.equal(await next.getAttribute("aria-invalid"), "true");
  assert.equal(await next.getAttribute("aria-describedby"), await error.getAttribute("id"));
  assert.deepEqual(await next.evaluate((it) => [document.activeElement === it, it.selectionStart]), [true, 5]);
  await page.waitForTimeout(1500);
  assert.equal(await next.inputValue(), "Some(nobody)");
  assert.equal(await guard.locator(".field .bad").count(), 1);
  await next.fill('Some("guard Bob")');
  await guard.getByRole("button", { name: "Set next" }).click();
  await error.waitFor({ state: "detached" });
  await guard.locator("pre", { hasText: 'next: Some("guard Bob")' }).waitFor();
});

on_a_page("a replay that has left its log is changed like any world", async (page) => {
  await view(page, "time");
  await page.getByRole("button", { name: "Go back in time" }).click();
  await page.locator("#travelled", { hasText: /^Frame/ }).waitFor();
  await page.getByRole("button", { name: "Run on from here" }).click();
  await page.locator("#travelled", { hasText: /^Left the log/ }).waitFor();
  const bow = await change(page, "archer", "Bow");
  await bow.getByLabel("arrows", { exact: true }).fill("5000");
  await bow.getByRole("button", { name: "Set arrows" }).click();
  await bow.locator("pre", { hasText: /arrows: 50\d\d\)/ }).waitFor();
  await page.getByRole("button", { name: "Close log" }).click();
});

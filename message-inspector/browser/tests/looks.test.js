// How every view looks, wide and narrow, light and dark: nothing overflows, text has contrast, and fingers find what they touch.

import assert from "node:assert/strict";
import { pages, view, VIEWS } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);
// The height that a finger needs, in pixels; but for links within text, and within drawings, which zoom.
const TOUCHED = 32;

/** Finds the texts whose contrast with what is behind them is less than 4.5. What is disabled needs none. */
function faint() {
  const numbers = (color) => { const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number); return { rgb: [r, g, b], a }; };
  const over = (front, back) => front.rgb.map((it, at) => it * front.a + back[at] * (1 - front.a));
  const light = (rgb) => rgb.map((it) => it / 255).map((it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4).reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => { const [low, high] = [light(one), light(other)].sort((a, b) => a - b); return (high + 0.05) / (low + 0.05); };
  const behind = (element) => {
    const box = element instanceof SVGElement && element.parentElement.querySelector(":scope > rect");
    if (box && element !== box && getComputedStyle(box).fill !== "none" && !box.matches(".bar")) return over(numbers(getComputedStyle(box).fill), behind(element.ownerSVGElement));
    const at = element.nodeType === Node.ELEMENT_NODE && numbers(getComputedStyle(element).backgroundColor);
    if (!element.parentElement) return over(at, [255, 255, 255]);
    return at.a === 1 ? at.rgb : over(at, behind(element.parentElement));
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const [text, element] = [texts.currentNode.data.trim(), texts.currentNode.parentElement];
    if (!text || !element.checkVisibility() || element.matches("title, option, script") || element.closest("title, :disabled, .hidden")) continue;
    let opacity = 1;
    for (let up = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    const style = getComputedStyle(element);
    const back = behind(element);
    const color = numbers(element instanceof SVGElement ? style.fill : style.color);
    const ratio = contrast(over({ rgb: color.rgb, a: color.a * opacity }, back), back);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return [...new Set(found)].slice(0, 10);
}

/** Finds what can be touched and is too low; a number of *Now* is touched as a whole. */
function low(least) {
  const touched = [...document.querySelectorAll("a, button, input, select, textarea")].filter((it) => it.checkVisibility() && !it.closest("svg, .skip, .hidden, .stack thead, .numbers"));
  const inText = (it) => it.matches("a") && it.closest("p, li, td, dd") && !it.closest("nav, .line, .cells, .bar");
  const height = (it) => Math.max(it.getBoundingClientRect().height, it.matches("[type=checkbox]") ? it.closest("label").getBoundingClientRect().height : 0);
  return [...new Set(touched.filter((it) => !inText(it) && height(it) < least - 0.5).map((it) => `${height(it).toFixed(0)} px: ${it.outerHTML.slice(0, 120)}`))].slice(0, 10);
}

/** The parts of the page that reach out of it without being in what scrolls. */
const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** Opens everything there is to see, one after the other. */
async function each(page, check) {
  for (const name of VIEWS) {
    await view(page, name);
    await check(name);
  }
  await view(page, "flow");
  await page.getByLabel("What stands at the ends of an arrow").selectOption("messagee");
  await page.locator('.graph .node[aria-label^="archer"]').waitFor();
  await check("flow of messagees");
  await view(page, "timeline");
  for (const as of ["type", "messagee"]) {
    await page.getByLabel("Show as").selectOption(as);
    await page.locator(".lanes a").first().waitFor();
    await check(`lanes by ${as}`);
  }
  await page.getByLabel("Show as").selectOption("");
  await page.fill("[data-search]", "Whisper");
  await page.locator(".cells a").first().click();
  await page.waitForSelector("#chain li");
  await check("a cause");
  await view(page, "messagees");
  await page.fill("[data-search]", "guard Ann");
  await page.locator(".tree a", { hasText: "guard Ann" }).first().click();
  await page.getByRole("button", { name: "Change", exact: true }).first().click();
  await page.getByLabel("next", { exact: true }).fill("Some(nobody)");
  await page.getByLabel("next", { exact: true }).press("Enter");
  await page.locator(".field .bad").waitFor();
  await check("a messagee that is changed");
  await page.getByRole("button", { name: "Change", exact: true }).first().click();
  await view(page, "console");
  await page.fill("#line", "send door Open");
  await page.keyboard.press("Enter");
  await page.locator(".log .bad").first().waitFor();
  await page.fill("#line", "send kit");
  await page.locator(".words button").first().waitFor();
  await check("a console that was used");
  await page.locator("#view").focus();
  await page.keyboard.press("?");
  await check("the keys");
  await page.keyboard.press("Escape");
  await page.setInputFiles("#file", { name: "notes.jsonl", mimeType: "text/plain", buffer: Buffer.from("notes\n") });
  await page.locator("#errors li").waitFor();
  await check("an error");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await view(page, "time");
  await page.getByRole("button", { name: "Go back in time" }).click();
  await page.locator("#travelled", { hasText: /^Frame/ }).waitFor();
  await check("a replay");
  await view(page, "console");
  await page.getByRole("button", { name: "Close log" }).click();
}

for (const [width, height] of [[1280, 800], [390, 844]]) {
  for (const dark of [false, true]) {
    on_a_page(`every view fits, can be read and can be touched, ${width} px, ${dark ? "dark" : "light"}`, async (page) => {
      await each(page, async (name) => {
        assert.ok(await page.evaluate(wide) <= 0, `${name}: ${await page.evaluate(wide)} px too wide`);
        assert.deepEqual(await page.evaluate(faint), [], `${name}: faint`);
        if (width < 500) assert.deepEqual(await page.evaluate(low, TOUCHED), [], `${name}: low`);
      });
    }, { width, height, dark });
  }
}

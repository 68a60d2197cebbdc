// Takes the pictures of the READMEs, 1280 × 800 and light: a battle after ten turns.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, look, start, view } from "./page.js";

const folder = fileURLToPath(new URL("../pictures/", import.meta.url));
mkdirSync(folder, { recursive: true });
const world = await start(process.env.SKIRMISH, ["--inspect"]);
const browser = await launch();
const { page, faults } = await look(browser, world.url);

async function shoot(name) {
  const picture = await page.screenshot({ path: `${folder}${name}.png`, animations: "disabled" });
  console.log(`${name}.png: ${Math.round(picture.length / 1024)} KB`);
}

await page.waitForFunction(() => Number(document.querySelector("#clock dd").textContent) >= 9);
await page.keyboard.press("p");
await page.locator("[data-pause]", { hasText: "Go on" }).waitFor();
await view(page, "flow");
await page.locator(".graph .node").first().waitFor();
await page.locator('.graph .node[aria-label^="Health"]').click();
await shoot("flow");
await view(page, "timeline");
await page.fill("[data-search]", "knight");
await page.locator('.cells a[aria-label^="Damage → knight"]').first().waitFor();
await shoot("timeline");
await page.locator('.cells a[aria-label^="Damage → knight"]').first().click();
await page.waitForSelector("#chain li");
await shoot("cause");
for (const fault of faults) console.error(fault);
await browser.close();
await world.end();

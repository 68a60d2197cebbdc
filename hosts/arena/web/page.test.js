// The game in a web page: keys go in, and what is to be seen is read from the canvas.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./serve.js";

const { PAGE, CHROMIUM, PICTURE } = process.env;
/** Drawing without a graphics card is slow. */
const PATIENCE = 60_000;
let [site, browser, page] = [];
const faults = [];

before(async () => {
  site = await serve(PAGE);
  // WebGL without a graphics card.
  const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  browser = await chromium.launch({ executablePath: CHROMIUM, args });
  page = await browser.newPage({ viewport: { width: 1200, height: 720 }, hasTouch: true });
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => faults.push(String(error)));
  // Warnings too: WebGL warns of a texture that was deleted.
  page.on("console", (message) => {
    if (/error|warning/.test(message.type())) faults.push(message.text());
  });
  await page.goto(site.url);
});
after(async () => {
  await browser?.close();
  site?.end();
});

/** The pixels of the page, read in another page that knows how to unpack a picture. */
async function screen() {
  const png = (await page.screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data: rgba } = context.getImageData(0, 0, picture.width, picture.height);
    const find = ([left, right], [top, bottom], fits) => {
      let [count, sum_x, sum_y] = [0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const at = (y * picture.width + x) * 4;
          if (fits(rgba[at], rgba[at + 1], rgba[at + 2])) { count++; sum_x += x; sum_y += y; }
        }
      }
      return { count, x: sum_x / count, y: sum_y / count };
    };
    const cyan = (r, g, b) => r < 190 && g > 200 && b > 215;
    const yellow = (r, g, b) => r > 220 && g > 210 && b < 235;
    const bright = (r, g, b) => Math.min(r, g, b) > 215;
    return {
      ship: find([4, 1196], [50, 540], cyan),
      shots: find([4, 1196], [60, 330], yellow).count,
      panel: find([570, 800], [60, 90], cyan).count,
      paused: find([480, 720], [300, 370], bright).count,
    };
  }, png);
}

/** Looks again and again until it is to be seen. */
async function until(what, is) {
  const end = Date.now() + PATIENCE;
  let seen;
  do {
    seen = await screen();
    if (is(seen)) return seen;
    await new Promise((later) => setTimeout(later, 100));
  } while (Date.now() < end);
  assert.fail(`${what} is not to be seen: ${JSON.stringify(seen)}; ${faults.join("; ")}`);
}

test("`play` says what is missing before it builds", () => {
  const tools = mkdtempSync(join(tmpdir(), "arena-"));
  for (const tool of ["bash", "dirname"]) {
    symlinkSync(execFileSync("which", [tool], { encoding: "utf8" }).trim(), join(tools, tool));
  }
  const play = () => {
    const { status, stderr } = spawnSync("./play", { env: { PATH: tools }, encoding: "utf8" });
    assert.equal(status, 77);
    return stderr;
  };
  assert.match(play(), /there is no Node\.js/);
  const node = join(tools, "node");
  writeFileSync(node, "#!/usr/bin/env bash\necho v18.0.0\n");
  chmodSync(node, 0o755);
  assert.match(play(), /Node\.js is v18\.0\.0: expected version 20/);
  writeFileSync(node, "#!/usr/bin/env bash\necho v20.0.0\n");
  assert.match(play(), /there is no cargo/);
  rmSync(tools, { recursive: true });
});

test("keys go in and the game is to be seen", async () => {
  const { ship } = await until("the ship", ({ ship }) => ship.count > 25);
  assert.ok(Math.abs(ship.x - 600) < 30 && Math.abs(ship.y - 364) < 30, JSON.stringify(ship));

  await page.keyboard.down("KeyD");
  await until("the ship farther right", ({ ship }) => ship.count > 25 && ship.x > 700);
  await page.keyboard.up("KeyD");

  await page.keyboard.down("ArrowUp");
  await until("a shot above the ship", ({ shots }) => shots > 15);
  await page.keyboard.up("ArrowUp");

  await page.keyboard.press("F1", { delay: 200 });
  await until("the panel", ({ panel }) => panel > 180);
  await page.keyboard.press("F1", { delay: 200 });
  await until("no panel", ({ panel }) => panel < 110);

  await page.keyboard.press("KeyP", { delay: 200 });
  await until("the pause", ({ paused }) => paused > 800);
  // Saved while it is paused, loaded while it is not: it is paused again.
  await page.keyboard.press("F5", { delay: 200 });
  await page.keyboard.press("KeyP", { delay: 200 });
  await until("the end of the pause", ({ paused }) => paused < 400);
  await page.keyboard.press("F9", { delay: 200 });
  await until("the pause that was saved", ({ paused }) => paused > 800);
  assert.deepEqual(faults, []);
});

test("fingers steer, fire and press pads", async () => {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [stick, pause] = [{ x: 100, y: 400, id: 1 }, { x: 1145, y: 99, id: 2 }];
  await touch("touchStart", pause);
  await until("the end of the pause", ({ paused }) => paused < 400);
  await touch("touchEnd");
  const before = (await until("the ship", ({ ship }) => ship.count > 25)).ship;
  await touch("touchStart", stick);
  await touch("touchMove", { ...stick, x: 40 });
  await until("the ship farther left", ({ ship }) => ship.count > 25 && ship.x < before.x - 60);
  await touch("touchEnd");
  await touch("touchStart", { x: 600, y: 100, id: 3 });
  await until("a shot", ({ shots }) => shots > 15);
  await touch("touchEnd");
  await touch("touchStart", pause);
  await until("the pause", ({ paused }) => paused > 800);
  await touch("touchEnd");
  assert.deepEqual(faults, []);
});

test("it plays by itself, and the game is repeated from its log", async () => {
  await page.keyboard.press("KeyP", { delay: 200 });
  await page.keyboard.press("F2", { delay: 200 });
  await new Promise((later) => setTimeout(later, PICTURE ? 30_000 : 4_000));
  if (PICTURE) {
    await page.keyboard.press("F1", { delay: 200 });
    await until("the panel", ({ panel }) => panel > 180);
    writeFileSync(PICTURE, await page.screenshot());
  }
  await page.keyboard.press("F7", { delay: 200 });
  await until("the ship in the replay", ({ ship }) => ship.count > 25);
  assert.deepEqual(faults, []);
});

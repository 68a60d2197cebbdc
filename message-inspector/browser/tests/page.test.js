// Everything that a reader of the page can rely on.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { VIEWS, look, pages, search, start, view } from "../page.js";

const SHOWCASE = process.env.SHOWCASE;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "inspector-"));
const they = pages(SHOWCASE);
const { on_a_page } = they;

after(() => rmSync(folder, { recursive: true, force: true }));

const clock = (page) => page.evaluate(() => Number(document.querySelector("#clock dd").textContent));

/** Waits until the last frames have a delivery of that type, and opens its cause. */
async function open_cause(page, message) {
  await view(page, "timeline");
  await search(page, message);
  await page.locator(`.cells a[aria-label^="${message} → "]`).first().click();
  await page.waitForSelector("#chain li");
}

on_a_page("every view is opened on a running world", async (page) => {
  const seen = { now: "Deliveries / s", messagees: "castle", flow: "arrows", timeline: "frames with something to see", later: "supper",
    letters: "the bucket does not reach 40 m", console: "completes", startup: "Sunrise", time: "is recorded" };
  for (const name of VIEWS) {
    await view(page, name);
    await page.locator("#view", { hasText: seen[name] }).waitFor();
    assert.equal(await page.locator("nav [aria-current=page]").count(), 1, name);
    assert.equal(await page.locator("#state.bad").count(), 0, name);
  }
  await view(page, "startup");
  for (const text of ["showcase.Dragon", "showcase.Ghosts", "Supper"]) await page.locator("#view", { hasText: text }).waitFor();
});

on_a_page("a number leads to the view that lists what it counts", async (page) => {
  for (const [name, title] of [["Messagees", "Messagees"], ["Backlog", "Later"], ["Failures", "Dead letters and failures"]]) {
    await view(page, "now");
    const tile = page.locator(".numbers div", { has: page.getByRole("link", { name, exact: true }) });
    await tile.click({ position: { x: 4, y: 4 } });
    await page.locator("#view h2", { hasText: title }).first().waitFor();
  }
});

on_a_page("the address does not keep the token, and the page is loaded again without it", async (page) => {
  assert.match(they.world.url, /\?token=[0-9a-f]{32}$/);
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.evaluate(() => document.cookie), "");
  await page.reload();
  await page.locator("#state", { hasText: "following" }).waitFor();
});

test("a page without the token says what to open", async () => {
  const page = await they.browser.newPage();
  try {
    await page.goto(new URL("/", they.world.url).href);
    await page.locator("#state.bad", { hasText: "open the address that the program prints" }).waitFor();
  } finally { await page.close(); }
});

on_a_page("a message is sent from the console and seen in the timeline", async (page) => {
  await view(page, "console");
  await page.fill("#line", "send kit");
  await page.locator(".words button", { hasText: "kitchen" }).first().waitFor();
  await page.fill("#line", "send kitchen Supper(courses: 77)");
  await page.keyboard.press("Enter");
  await page.locator(".log li", { hasText: "received by 1" }).waitFor();
  const to = await page.locator(".log a").first().getAttribute("href");
  await view(page, "timeline");
  await page.fill("[data-search]", "outside");
  await page.locator('.cells a[aria-label^="Supper → kitchen, from outside"]').first().waitFor();
  await page.evaluate((hash) => { location.hash = hash; }, to);
  await page.locator("#chain", { hasText: "courses: 77" }).waitFor();
});

on_a_page("a line that cannot be read says what was wrong, and sends nothing", async (page) => {
  await view(page, "console");
  await page.fill("#line", "send kitchen Soup(courses: 77)");
  await page.keyboard.press("Enter");
  await page.locator(".log .bad", { hasText: "Soup" }).waitFor();
});

on_a_page("a cause chain is followed back to the line of source that began it", async (page) => {
  const source = readFileSync(new URL("../../examples/showcase.rs", import.meta.url), "utf8").split("\n");
  await view(page, "timeline");
  await search(page, "guard");
  await page.locator('.cells a[aria-label^="Damage → castle"]').first().click();
  await page.locator("#chain li").nth(20).waitFor();
  const [, line] = /showcase\.rs:(\d+)/.exec(await page.locator("#origin").textContent());
  assert.match(source[line - 1], /manager\.post\(bells, Ring\)/);
  assert.match(await page.locator("#chain li").last().textContent(), /Ring/);
  await page.locator("#chain li").last().locator("a").first().click();
  await page.locator("#view", { hasText: "What it led to" }).locator("li", { hasText: "Whisper" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#chain li").nth(20).waitFor();
});

on_a_page("the clock is paused, stepped and let go", async (page) => {
  await page.keyboard.press("p");
  await page.locator("[data-pause]", { hasText: "Go on" }).waitFor();
  // Lets events arrive that were under way when it was paused.
  await page.waitForTimeout(500);
  const held = await clock(page);
  await page.waitForTimeout(500);
  const time = () => page.evaluate(() => document.querySelectorAll("#clock dd")[1].textContent);
  const stood = await time();
  await page.getByRole("button", { name: "Step" }).click();
  await page.waitForFunction((before) => document.querySelectorAll("#clock dd")[1].textContent !== before, stood);
  assert.ok(await clock(page) > held);
  assert.equal((Number.parseFloat(await time()) - Number.parseFloat(stood)).toFixed(2), "0.05");
  await page.locator("[data-pause]", { hasText: "Go on" }).waitFor();
  await page.keyboard.press("p");
  await page.locator("[data-pause]", { hasText: "Pause" }).waitFor();
  const then = await time();
  await page.waitForFunction((before) => document.querySelectorAll("#clock dd")[1].textContent !== before, then);
});

on_a_page("what is pending is delivered now, and cancelled", async (page) => {
  await view(page, "later");
  await page.locator("tr", { hasText: "Ring" }).getByRole("cell", { name: "1s", exact: true }).waitFor();
  // Finds the rows by their keys: for a moment of each second, what the bell sends to the kitchen is pending too.
  const keyed = (key) => page.locator("tr", { has: page.getByRole("cell", { name: key, exact: true }) });
  await keyed("breakfast").getByRole("button", { name: "Cancel" }).click();
  await keyed("breakfast").waitFor({ state: "detached" });
  await keyed("supper").getByRole("button", { name: "Deliver now" }).click();
  await keyed("supper").waitFor({ state: "detached" });
});

on_a_page("a name that looks like markup is shown as text", async (page) => {
  for (const name of ["messagees", "flow", "timeline", "later", "letters", "startup"]) {
    await view(page, name);
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#view img").count(), 0, name);
  }
  await view(page, "messagees");
  await page.fill("[data-search]", "onerror");
  await page.locator(".tree a", { hasText: "<img src=x onerror=" }).click();
  await page.locator("section h2", { hasText: "<img src=x onerror=" }).waitFor();
  assert.equal(await page.locator("#view img").count(), 0);
  assert.doesNotMatch(await page.title(), /broken/);
});

on_a_page("the tree, the search and a messagee's page show what it is", async (page) => {
  await view(page, "messagees");
  const fold = page.locator('button[aria-label="Children of castle"]');
  if (await fold.getAttribute("aria-expanded") === "false") await fold.click();
  await page.locator(".tree a", { hasText: "bell" }).click();
  await page.locator("section pre", { hasText: "Bell(rung:" }).waitFor();
  await page.locator("section", { hasText: "In castle" }).waitFor();
  await page.locator("section", { hasText: "received by" }).waitFor();
  await page.fill("[data-search]", "far*");
  await page.locator(".tree a", { hasText: "far tower" }).click();
  await page.locator(".tag", { hasText: "of another node" }).waitFor();
});

on_a_page("the keys open views, search and help", async (page) => {
  for (const [at, name] of VIEWS.entries()) {
    await page.keyboard.press(String(at + 1));
    await page.waitForSelector(`#view[data-view=${name}]`);
  }
  await page.keyboard.press("4");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement.matches("[data-search]"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog[open]", { state: "detached" });
});

on_a_page("nothing jumps, and the focus stays, while the page updates", async (page) => {
  await view(page, "later");
  const button = page.getByRole("button", { name: /Cancel Ring/ });
  await button.focus();
  const box = await page.locator("#view thead").boundingBox();
  const pause = await page.locator("[data-pause]").boundingBox();
  await page.waitForTimeout(2500);
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /Cancel Ring/);
  assert.equal((await page.locator("#view thead").boundingBox()).y, box.y);
  assert.equal((await page.locator("[data-pause]").boundingBox()).y, pause.y);
});

for (const dark of [false, true]) {
  on_a_page(`axe finds no serious fault in any view, ${dark ? "dark" : "light"}`, async (page) => {
    const check = async (name) => {
      // A script of the test; the page's own policy lets none in.
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.filter((it) => ["serious", "critical"].includes(it.impact));
      assert.deepEqual(found.map((it) => `${name}: ${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html).join(" ")}`), []);
    };
    for (const name of VIEWS) {
      await view(page, name);
      await check(name);
    }
    await view(page, "timeline");
    await page.getByLabel("Show as").selectOption("type");
    await check("lanes");
    await page.getByLabel("Show as").selectOption("");
    await open_cause(page, "Whisper");
    await check("cause");
    await page.keyboard.press("?");
    await check("keys");
  }, { dark });
}

test("a recording is opened from a file, also when the program has ended", async () => {
  const file = join(folder, "recording.jsonl");
  execFileSync(SHOWCASE, ["--recording", file], { stdio: "ignore" });
  const other = await start(SHOWCASE);
  const { page, faults, close } = await look(they.browser, other.url);
  try {
    await other.end();
    await page.locator("#state.bad", { hasText: "does not answer" }).waitFor();
    faults.length = 0;
    await page.setInputFiles("#file", file);
    await page.locator("#state", { hasText: "recording recording.jsonl" }).waitFor();
    await view(page, "now");
    await page.locator("tr", { hasText: "Whisper" }).waitFor();
    await open_cause(page, "Whisper");
    assert.match(await page.locator("#origin").textContent(), /showcase\.rs:\d+/);
    await view(page, "messagees");
    await page.locator(".tree a", { hasText: "guard Ann" }).click();
    await page.locator("section li", { hasText: "Whisper" }).first().waitFor();
    await view(page, "flow");
    await page.locator("#view", { hasText: /[1-9]\d* arrows/ }).waitFor();
    await view(page, "letters");
    await page.locator("#view", { hasText: "the bucket does not reach 40 m" }).waitFor();
    for (const name of ["later", "startup"]) {
      await view(page, name);
      await page.locator("#view", { hasText: "only a running program knows it" }).waitFor();
    }
    assert.equal(await page.locator("#view img").count(), 0);
    assert.deepEqual(faults.filter((it) => !it.includes("ERR_CONNECTION_REFUSED")), []);
  } finally { await close(); await other.end(); }
});

on_a_page("a recording is dropped onto the page, and a cause that leads back to itself ends", async (page) => {
  const event = { message: "a::Ping", send: 5, frame: 1, time: 0, wall: 0, sender: "outside", recipient: "messagee 0v0" };
  const lines = [
    { ...event, event: "sent", cause: 6, place: "ping.rs:7" },
    { ...event, event: "called", delivery: 6, receiver: "`a::Ears` of messagee 0v0", handler: "hear" },
  ];
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "dropped.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, lines.map((line) => JSON.stringify(line)).join("\n"));
  await page.locator("#state", { hasText: "recording dropped.jsonl" }).waitFor();
  await open_cause(page, "Ping");
  await page.locator("#origin", { hasText: "ping.rs:7" }).waitFor();
});

on_a_page("a file that is no recording is refused with the number of the line", async (page) => {
  await page.setInputFiles("#file", { name: "notes.jsonl", mimeType: "text/plain", buffer: Buffer.from('{"event":"sent","message":"a"}\nnotes\n') });
  await page.locator("#state.bad", { hasText: "line 2 of notes.jsonl" }).waitFor();
});

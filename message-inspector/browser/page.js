// A running world, and a page in a browser that looks at it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

export const VIEWS = ["now", "messagees", "flow", "timeline", "later", "letters", "console", "startup", "time"];

/** Starts a program that prints the address of its page. */
export async function start(program, given = []) {
  const child = spawn(program, given, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((found, failed) => {
    lines.on("line", (line) => { const it = /look at (http\S+)/.exec(line); if (it) found(it[1]); });
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`the program has ended with ${code}`)));
  });
  const end = () => new Promise((ended) => {
    if (child.exitCode !== null || child.signalCode !== null) return ended();
    child.removeAllListeners("exit");
    child.on("exit", ended);
    child.kill();
  });
  return { url, end };
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

/** Opens the page, and keeps what a good page never has: errors, and requests to other hosts. */
export async function look(browser, url, { width = 1280, height = 800, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults = [];
  const { host } = new URL(url);
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()} ${message.location().url}`); });
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (!["blob:", "data:"].includes(asked.protocol) && asked.host !== host) faults.push(`request: ${asked}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#clock dd"));
  return { page, faults, close: () => context.close() };
}

/** Opens a view and waits until it has something to see. */
export async function view(page, name) {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, name);
  await page.waitForSelector(`#view[data-at="#/${name}"][data-ready]`);
}

/** Searches the timeline, and waits for what is found. */
export async function search(page, words) {
  await page.fill("[data-search]", words);
  await page.waitForSelector(".frames:not([aria-busy])", { state: "attached" });
}

/** Starts a program for the tests of a file. What it returns runs a test on a page of its own, which must have no faults. */
export function pages(program) {
  const they = {};
  before(async () => { [they.world, they.browser] = await Promise.all([start(program), launch()]); });
  after(async () => { await they.browser?.close(); await they.world?.end(); });
  they.on_a_page = (name, run, how) => test(name, async () => {
    const { page, faults, close } = await look(they.browser, they.world.url, how);
    try {
      await run(page);
      assert.deepEqual(faults, []);
    } finally { await close(); }
  });
  return they;
}

// The flow: arrows with labels, around boxes, at places that stay.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pages, view } from "../page.js";

const { on_a_page } = pages(process.env.SHOWCASE);

async function drawn(page) {
  await view(page, "flow");
  await page.locator('.graph .node[aria-label^="Health"]').waitFor();
}

on_a_page("the arrows have labels of at least 12 px that do not cover each other", async (page) => {
  await drawn(page);
  await page.locator(".graph .said", { hasText: "Whisper" }).waitFor();
  const labels = await page.locator(".graph .said").evaluateAll((all) => all.map((it) => ({ size: Number.parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().a, box: it.getBoundingClientRect().toJSON(), text: it.textContent })));
  for (const label of labels) assert.ok(label.size >= 11.99, JSON.stringify(label));
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
  labels.forEach((one, at) => labels.slice(at + 1).forEach((other) => assert.ok(!meet(one.box, other.box), `${one.text} and ${other.text}`)));
});

on_a_page("the arrows lead around the boxes", async (page) => {
  await drawn(page);
  const hits = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".graph .node rect")].map((it) => it.getBoundingClientRect());
    return [...document.querySelectorAll(".graph .edge")].flatMap((edge) => {
      const [length, to] = [edge.getTotalLength(), edge.getScreenCTM()];
      const points = Array.from({ length: 100 }, (_, at) => edge.getPointAtLength(length * at / 99).matrixTransform(to));
      return boxes.filter((box) => points.some(({ x, y }) => x > box.left + 3 && x < box.right - 3 && y > box.top + 3 && y < box.bottom - 3)).map(() => edge.querySelector("title").textContent);
    });
  });
  assert.deepEqual(hits, []);
});

on_a_page("the boxes keep their places", async (page) => {
  await drawn(page);
  await page.waitForTimeout(3000);
  const places = () => page.locator(".graph .node").evaluateAll((all) => Object.fromEntries(all.map((it) => [it.getAttribute("aria-label"), it.getAttribute("transform")])));
  const before = await places();
  await page.waitForTimeout(4000);
  assert.deepEqual(await places(), before);
});

on_a_page("the types that send to each other are saved as text and as Mermaid", async (page) => {
  await drawn(page);
  for (const [name, file, line] of [["text", "showcase-0.flow.txt", /^showcase::Bell -> showcase::Alarm -> showcase::Guard$/m], ["Mermaid", "showcase-0.flow.mmd", /^flowchart LR\n(.|\n)* -->\|"Alarm"\| /]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
    assert.equal(download.suggestedFilename(), file);
    assert.match(readFileSync(await download.path(), "utf8"), line);
  }
});

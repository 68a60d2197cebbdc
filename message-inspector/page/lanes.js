// The timeline as lanes: a row for each receiver, a box for each delivery, as wide as all that it led to.

import { about, label, receiver, runs, state } from "./cells.js";
import { h, link, replace, s } from "./dom.js";

const [ROW, HEAD, MOST, LEAST, GREATEST] = [22, 34, 60, 6, 240];
const LABELS = 150;

const short = (name) => name.replace(/<.*/, "").split(/::|\./).pop();
const cut = (text, most) => text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
const laneOf = (it, by) => by === "messagee" ? receiver(it.to) : it.component ? short(it.component) : it.to.startsWith("subscription") ? "subscribers" : "nobody";

/** Boxes of one frame from column `at` on: each delivery takes the columns of those that it led to. */
function boxesOf(frame, deliveries, at, by) {
  const boxes = runs(deliveries.map((it) => ({ ...it, lane: laneOf(it, by) }))).flatMap((run) => by === "messagee" ? run.map((it) => [it]) : [run]).map((run) => ({ it: run[0], count: run.length, lane: run[0].lane, inside: 0 }));
  const byId = new Map();
  boxes.forEach((box, nth) => {
    box.from = at + nth;
    box.end = box.from + 1;
    box.up = byId.get(box.it.cause) ?? null;
    byId.set(box.it.id, box);
    for (let up = box.up; up; up = up.up) { up.end = box.end; if (up.lane === box.lane) box.inside += 1; }
  });
  return boxes;
}

/** Places for all boxes: the lanes with their heights, and the frames with their columns. */
function arrange(frames, by) {
  const [lanes, starts, boxes] = [new Map(), [], []];
  let at = 0;
  for (const { frame, all } of frames) {
    starts.push({ frame, at });
    const some = boxesOf(frame, all, at, by);
    for (const box of some) lanes.set(box.lane, Math.max(lanes.get(box.lane) ?? 1, box.inside + 1));
    boxes.push(...some);
    at += Math.max(1, some.length);
  }
  // In the order of their names, so that a lane stays where it is.
  const names = [...lanes.keys()].sort((a, b) => a < b ? -1 : 1);
  let y = HEAD;
  const tops = new Map(names.slice(0, MOST).map((name) => { const top = y; y += lanes.get(name) * ROW + 6; return [name, top]; }));
  return { boxes: boxes.filter((box) => tops.has(box.lane)), starts, tops, columns: at, height: y, left: names.length - tops.size };
}

/** Makes the drawing. Returns its element, and what draws other frames. */
export function lanes() {
  const [names, drawing] = [s("svg", { class: "names", "aria-hidden": "true" }), s("svg", { class: "drawing", role: "group", "aria-label": "Lanes of deliveries" })];
  const strip = h("div", { class: "strip", tabindex: "0", role: "region", "aria-label": "Lanes" }, drawing);
  const whole = h("div", { class: "lanes" }, names, strip);
  let [placed, unit] = [null, 64];

  const draw = () => {
    const { boxes, starts, tops, columns, height } = placed;
    names.setAttribute("width", LABELS); names.setAttribute("height", height);
    drawing.setAttribute("width", Math.max(1, columns * unit)); drawing.setAttribute("height", height);
    replace(names, [...tops].map(([name, y]) => s("text", { x: 4, y: y + 15, "data-key": name }, s("title", {}, name), cut(name, 20))));
    replace(drawing, [...tops].map(([name, y]) => s("line", { class: "rule", x1: 0, x2: columns * unit, y1: y - 3, y2: y - 3, "data-key": `rule ${name}` })),
      starts.map(({ frame, at }, nth) => s("g", { "data-key": `start ${frame.frame}` }, s("line", { class: "rule", x1: at * unit, x2: at * unit, y1: 0, y2: height }),
        ((starts[nth + 1]?.at ?? columns) - at) * unit > 70 ? s("text", { class: "when", x: at * unit + 4, y: 14 }, `${frame.frame} · ${frame.time.toFixed(2)} s`) : null)),
      boxes.map(({ it, count, lane, inside, from, end }) => {
        const [x, y, width] = [from * unit + 1, tops.get(lane) + inside * ROW, (end - from) * unit - 2];
        const text = count > 1 ? `${it.short} ×${count}` : it.short;
        return s("a", { href: `#/cause/${it.id}`, class: state(it), "data-key": `box ${it.id}`, "aria-label": count > 1 ? `${text}, the first: ${label(it)}` : label(it) }, s("title", {}, about(it)),
          s("rect", { x, y, width: Math.max(2, width), height: ROW - 3, rx: 3 }), width > 24 ? s("text", { x: x + 5, y: y + 14 }, text.slice(0, Math.max(1, Math.floor((width - 8) / 7)))) : null);
      }));
  };

  const zoom = (factor, x) => {
    const before = (strip.scrollLeft + x) / unit;
    unit = Math.min(GREATEST, Math.max(LEAST, unit * factor));
    draw();
    strip.scrollLeft = before * unit - x;
  };
  whole.addEventListener("wheel", (event) => {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - strip.getBoundingClientRect().left);
  }, { passive: false });
  strip.addEventListener("keydown", (event) => {
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (!factor) return;
    zoom(factor, strip.clientWidth / 2);
    event.preventDefault();
  });

  /** Draws frames, the oldest first; the newest is seen. */
  const show = (frames, by) => {
    placed = arrange(frames, by);
    draw();
    strip.scrollLeft = strip.scrollWidth;
    return placed.left;
  };
  return { whole, show };
}

// A line of the numbers of the last minute: from 0 to a round number, which the page shows next to it.

import { h, s } from "./dom.js";

const SECONDS = 60;

/** The next round number: 1, 2 or 5 and zeros. Small numbers get room, so that a single one is no peak. */
export function ceiling(most) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(5, most)));
  return [1, 2, 5, 10].map((it) => it * ten).find((it) => it >= most && it >= 5);
}

export function sparkline(values, label) {
  const top = ceiling(Math.max(0, ...values));
  // The newest second is always at the right.
  const begin = SECONDS - values.length;
  const points = values.map((value, at) => `${((begin + at) / (SECONDS - 1) * 100).toFixed(1)} ${(19 - value / top * 18).toFixed(1)}`);
  return h("span", { class: "sparkline" }, s("svg", { class: "spark", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": `${label}, of ${top}` },
    s("path", { class: "base", d: "M0 19L100 19", "vector-effect": "non-scaling-stroke" }),
    points.length ? s("path", { d: `M${points.join("L")}`, "vector-effect": "non-scaling-stroke" }) : null), h("span", { class: "quiet top" }, `${top}`));
}

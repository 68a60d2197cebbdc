// A line of the last numbers, without axes: the page shows the numbers next to it.

import { s } from "./dom.js";

export function sparkline(values, label) {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? 100 / (values.length - 1) : 100;
  const points = values.map((value, at) => `${(at * step).toFixed(1)} ${(19 - (value / most) * 18).toFixed(1)}`);
  return s("svg", { class: "spark", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": label },
    points.length ? s("path", { d: `M${points.join("L")}`, "vector-effect": "non-scaling-stroke" }) : null);
}

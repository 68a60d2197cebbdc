// A graph of who sends what to whom: an arrow for each message type, its width the rate.

import { h, number, rate, replace, s, table } from "./dom.js";
import { layout } from "./layout.js";

// The most units of the drawing in a pixel for its text to be readable.
const SMALLEST = 1.35;

const cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

export default {
  name: "flow", title: "Flow",
  open(root, { source, query }) {
    const select = h("select", { "aria-label": "Message type" });
    const by = h("select", { "aria-label": "What stands at the ends of an arrow" }, h("option", { value: "type" }, "component types"), h("option", { value: "messagee" }, "messagees"));
    const least = h("input", { type: "range", min: "0", max: "10", value: "0", "aria-label": "Hide rare arrows" });
    const search = h("input", { type: "search", placeholder: "Show the way of a node", "aria-label": "Find a node", "data-search": true });
    const svg = s("svg", { class: "graph", role: "group", "aria-label": "Graph of messages", tabindex: "0" });
    let fits = false;
    const fit = () => { [view, fits] = [null, true]; draw(); fits = false; };
    const [note, list] = [h("p", { class: "quiet", role: "status" }), h("div", {})];
    const zoom = (name, sign, factor) => h("button", { type: "button", "aria-label": name, onclick: () => scale(factor) }, sign);
    root.append(h("h2", {}, "Flow"), h("div", { class: "bar" }, select, by, h("label", {}, "Hide rare ", least), search,
      h("span", {}, zoom("Zoom in", "+", 0.8), " ", zoom("Zoom out", "−", 1.25), " ", h("button", { type: "button", onclick: fit }, "Fit"))), svg, note, list);
    let [data, view, on, wanted] = [null, null, null, new URLSearchParams(query).get("message") ?? ""];

    const frame = () => view && svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    const scale = (factor) => { if (!view) return; view = { x: view.x + view.w * (1 - factor) / 2, y: view.y + view.h * (1 - factor) / 2, w: view.w * factor, h: view.h * factor }; frame(); };
    svg.addEventListener("wheel", (event) => { event.preventDefault(); scale(event.deltaY < 0 ? 0.9 : 1.1); }, { passive: false });
    let held = null;
    svg.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY }; });
    svg.addEventListener("pointermove", (event) => {
      if (!held || !view || !event.buttons) return;
      const size = svg.getBoundingClientRect();
      const unit = Math.max(view.w / size.width, view.h / size.height);
      view.x -= (event.clientX - held.x) * unit; view.y -= (event.clientY - held.y) * unit;
      held = { x: event.clientX, y: event.clientY }; frame();
    });
    svg.addEventListener("pointerup", () => { held = null; });
    svg.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.key === "+" || event.key === "=") scale(0.8);
      else if (event.key === "-") scale(1.25);
      else if (event.key === "0") fit();
      else if (move && view) { view.x += move[0] * view.w * 0.1; view.y += move[1] * view.h * 0.1; frame(); }
      else return;
      event.preventDefault(); event.stopPropagation();
    });

    const draw = () => {
      if (!data) return;
      const weight = (edge) => edge.rate ?? edge.count;
      const most = Math.max(1e-9, ...data.edges.map(weight));
      const floor = Number(least.value) === 0 ? 0 : most * 10 ** (Number(least.value) / 2.5 - 4);
      const edges = data.edges.filter((edge) => weight(edge) >= floor);
      const used = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
      const nodes = data.nodes.filter((node) => used.has(node.id)).slice(0, 400);
      const isLarge = nodes.length > 40;
      const longest = Math.min(20, Math.max(8, ...nodes.map((node) => node.label.length)));
      const { places, width, height } = layout(nodes, edges, isLarge ? { width: longest * 7 + 20, height: 24, gapX: 60, gapY: 8 } : { gapX: 120, gapY: 40 });
      svg.classList.toggle("large", isLarge);
      if (!view) {
        view = { x: -20, y: -20, w: width + 40, h: height + 40 };
        const size = svg.getBoundingClientRect();
        // A drawing that would be too small to read begins at its upper left corner; `Fit` shows all of it.
        const unit = Math.max(view.w / size.width, view.h / size.height);
        if (!fits && isLarge && unit > SMALLEST) [view.w, view.h] = [size.width * SMALLEST, size.height * SMALLEST];
      }
      const text = search.value.trim().toLowerCase();
      const chosen = on ?? (text ? nodes.find((node) => node.label.toLowerCase().includes(text))?.id : null);
      const touches = (edge) => !chosen || edge.from === chosen || edge.to === chosen;
      const near = new Set(edges.filter(touches).flatMap((edge) => [edge.from, edge.to]));
      const between = new Map();
      const labels = [];
      const arrows = edges.filter((edge) => places.has(edge.from) && places.has(edge.to)).map((edge) => {
        const [a, b] = [places.get(edge.from), places.get(edge.to)];
        const key = `${edge.from}\n${edge.to}`;
        const nth = between.get(key) ?? 0;
        between.set(key, nth + 1);
        const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2];
        if (touches(edge) && (chosen || edges.length <= 16)) labels.push(s("text", { class: "said", x: edge.from === edge.to ? x1 + 24 : (x1 + x2) / 2, y: edge.from === edge.to ? y1 - 24 - nth * 12 : x2 > x1 ? (y1 + y2) / 2 + nth * 12 - 4 : (y1 + y2) / 2 + 48 + nth * 12 }, cut(edge.short, 20)));
        const d = edge.from === edge.to ? `M${a.x + a.width} ${y1 - 6}c40 -34 40 46 0 12`
          : x2 > x1 ? `M${x1} ${y1 + nth * 4}C${x1 + 50} ${y1 + nth * 4} ${x2 - 50} ${y2 + nth * 4} ${x2 - 6} ${y2 + nth * 4}`
            : `M${x1} ${y1}C${x1 + 70} ${y1 + 60 + nth * 8} ${x2 - 70} ${y2 + 60 + nth * 8} ${x2 - 6} ${y2 + nth * 4}`;
        return s("path", { class: `edge${edge.failed ? " bad" : ""}${touches(edge) ? "" : " dim"}`, d, "stroke-width": (1 + (isLarge ? 2 : 5) * Math.sqrt(weight(edge) / most)).toFixed(1), "marker-end": "url(#tip)" },
          s("title", {}, `${edge.short}: ${edge.rate === null ? `${edge.count} times` : `${rate(edge.rate)} a second`}`));
      });
      const boxes = nodes.map((node) => {
        const at = places.get(node.id);
        const choose = () => { on = on === node.id ? null : node.id; draw(); };
        return s("g", { class: `node${chosen === node.id ? " on" : ""}${chosen && !near.has(node.id) ? " dim" : ""}`, tabindex: "0", role: "button", "aria-pressed": String(on === node.id), "aria-label": `${node.label}, ${node.kind}`, "data-key": `node ${node.id}`, transform: `translate(${at.x} ${at.y})`,
          onclick: choose, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } },
          s("rect", { width: at.width, height: at.height, rx: node.kind === "component" ? 4 : 14 }), s("title", {}, node.label), s("text", { x: 10, y: at.height / 2 + 4 }, cut(node.label, isLarge ? 20 : 24)));
      });
      const tip = s("defs", {}, s("marker", { id: "tip", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" }, s("path", { d: "M0 0 6 3 0 6z" })));
      replace(svg, tip, arrows, boxes, labels);
      frame();
      note.textContent = `${nodes.length} nodes, ${arrows.length} arrows${data.seconds ? `, over ${data.seconds.toFixed(0)} s` : ""}${data.complete ? "" : ", from a sample"}${data.left_out ? `; ${data.left_out} rare arrows are left out` : ""}.`;
      const label = new Map(data.nodes.map((node) => [node.id, node.label]));
      replace(list, table("The same as a table", [
        { name: "From", cell: (edge) => label.get(edge.from) ?? edge.from }, { name: "Message", cell: (edge) => edge.short }, { name: "To", cell: (edge) => label.get(edge.to) ?? edge.to },
        { name: "Count", num: true, cell: (edge) => number(edge.count) }, { name: "A second", num: true, cell: (edge) => rate(edge.rate) }, { name: "Failed", num: true, cell: (edge) => number(edge.failed) },
      ], edges.filter(touches).slice(0, 100), { none: "Nothing was sent lately." }));
    };
    for (const input of [least, search]) input.addEventListener("input", () => { on = null; draw(); });
    const load = async () => {
      if (!select.options.length || select.dataset.frame !== "set") {
        const { messages } = await source.get("now");
        replace(select, h("option", { value: "" }, "all message types"), [...messages].sort((a, b) => a.message < b.message ? -1 : 1).map((it) => h("option", { value: it.message, selected: it.message === wanted }, it.short)));
        select.dataset.frame = messages.length ? "set" : "";
      }
      data = await source.get("flow", { by: by.value, message: wanted, limit: 500 });
      draw();
    };
    select.addEventListener("change", () => { wanted = select.value; view = null; on = null; load().catch(() => {}); });
    by.addEventListener("change", () => { view = null; on = null; load().catch(() => {}); });
    return { poll: () => held || on ? undefined : load() };
  },
};

// A graph of who sends what to whom: an arrow for each message type, its width the rate.

import { h, number, rate, replace, s, table } from "./dom.js";
import { layout } from "./layout.js";

// The most units of the drawing in a pixel for its text to be readable.
const SMALLEST = 1;
// How many arrows have their labels while no node is chosen.
const LABELLED = 40;

/** The way of an arrow, and the place of its label: through the gaps between the columns, or below all boxes. */
function arrow(a, b, { nth, way, below }) {
  const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2 + nth * 5, b.x - 6, b.y + b.height / 2 + nth * 5];
  if (a === b) return { d: `M${x1} ${y1 - 6}c40 -34 40 46 0 12`, x: x1 + 24, y: y1 - 24 - nth * 14 };
  if (b.x <= a.x) return { d: `M${x1} ${y1}C${x1 + 44} ${y1} ${x1 + 44} ${below} ${x1} ${below}L${b.x} ${below}C${b.x - 44} ${below} ${b.x - 44} ${y2} ${x2} ${y2}`, x: (x1 + x2) / 2, y: below - 4 };
  const curve = (x, y, toX, toY) => `C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`;
  let [d, x, y] = [`M${x1} ${y1}`, x1, y1];
  for (const place of way) {
    const middle = place.y + place.height / 2 + nth * 5;
    d += `${curve(x, y, place.x, middle)}L${place.x + place.width} ${middle}`;
    [x, y] = [place.x + place.width, middle];
  }
  const straight = way[0];
  return { d: d + curve(x, y, x2, y2), x: straight ? straight.x + straight.width / 2 : (x1 + x2) / 2, y: straight ? straight.y + straight.height / 2 + nth * 5 - 4 : (y1 + y2) / 2 - 3 };
}

/** Moves labels that would cover each other apart. */
function spread(labels) {
  labels.sort((a, b) => a.y - b.y || a.x - b.x);
  labels.forEach((label, at) => {
    for (const other of labels.slice(0, at)) if (Math.abs(other.x - label.x) < (other.text.length + label.text.length) * 3.6 && Math.abs(label.y - other.y) < 14) label.y = other.y + 14;
  });
  return labels.map(({ text, x, y }) => s("text", { class: "said", x, y }, text));
}

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
    const save = (name, form) => h("a", { href: `api/v1/worlds/${source.world}/flow/${form}`, download: "", title: "The types that send to each other, sorted and without counts: for the repository" }, name);
    root.append(h("h2", {}, "Flow"), h("div", { class: "bar" }, select, by, h("label", {}, "Hide rare ", least), search,
      h("span", {}, zoom("Zoom in", "+", 0.8), " ", zoom("Zoom out", "−", 1.25), " ", h("button", { type: "button", onclick: fit }, "Fit")),
      source.isLive ? h("span", {}, "Save as ", save("text", "text"), " or ", save("Mermaid", "mermaid")) : null), svg, note, list);
    let [data, view, on, wanted] = [null, null, null, new URLSearchParams(query).get("message") ?? ""];

    // All that was seen since the view was opened has a place, so that nothing moves when something is quiet for a while.
    const seen = { nodes: new Map(), pairs: new Map(), placed: null };
    const forget = () => { seen.nodes.clear(); seen.pairs.clear(); seen.placed = null; view = null; on = null; };
    const remember = () => {
      const before = seen.nodes.size + seen.pairs.size;
      for (const node of data.nodes.slice(0, 400)) seen.nodes.set(node.id, node);
      for (const { from, to } of data.edges) seen.pairs.set(`${from}\n${to}`, { from, to });
      if (seen.nodes.size + seen.pairs.size !== before) seen.placed = null;
    };
    const place = (isLarge) => {
      const sorted = (map) => [...map].sort(([a], [b]) => a < b ? -1 : 1).map(([, it]) => it);
      const longest = Math.min(20, Math.max(8, ...[...seen.nodes.values()].map((node) => node.label.length)));
      seen.placed ??= layout(sorted(seen.nodes), sorted(seen.pairs), isLarge ? { width: longest * 7 + 20, height: 24, gapX: 60, gapY: 8 } : { width: 156, gapX: 116, gapY: 34 });
      return seen.placed;
    };
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
      const isLarge = seen.nodes.size > 40;
      const nodes = [...seen.nodes.values()].filter((node) => used.has(node.id));
      const { places, ways, width, height } = place(isLarge);
      svg.classList.toggle("large", isLarge);
      if (!view) {
        view = { x: -30, y: -40, w: width + 80, h: height + 80 };
        const size = svg.getBoundingClientRect();
        // A drawing that would be too small to read begins at its first box; `Fit` shows all of it.
        const unit = Math.max(view.w / size.width, view.h / size.height);
        const [first] = [...places.values()].sort((a, b) => a.x - b.x || a.y - b.y);
        if (!fits && unit > SMALLEST) view = { x: view.x, y: Math.max(-40, Math.min(first.y - 40, height + 40 - size.height)), w: size.width * SMALLEST, h: size.height * SMALLEST };
      }
      const text = search.value.trim().toLowerCase();
      const chosen = on ?? (text ? nodes.find((node) => node.label.toLowerCase().includes(text))?.id : null);
      const touches = (edge) => !chosen || edge.from === chosen || edge.to === chosen;
      const near = new Set(edges.filter(touches).flatMap((edge) => [edge.from, edge.to]));
      const between = new Map();
      const labels = [];
      const shown = edges.filter((edge) => places.has(edge.from) && places.has(edge.to)).sort((a, b) => a.message < b.message ? -1 : 1);
      let back = 0;
      const arrows = shown.map((edge) => {
        const [a, b] = [places.get(edge.from), places.get(edge.to)];
        const key = `${edge.from}\n${edge.to}`;
        const nth = between.get(key) ?? 0;
        between.set(key, nth + 1);
        if (b.x <= a.x && a !== b) back += 1;
        const { d, x, y } = arrow(a, b, { nth, way: ways.get(key) ?? [], below: height + 6 + back * 16 });
        if (touches(edge) && (chosen || edges.length <= LABELLED)) labels.push({ text: cut(edge.short, 20), x, y });
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
      replace(svg, tip, arrows, boxes, spread(labels));
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
      remember();
      draw();
    };
    select.addEventListener("change", () => { wanted = select.value; forget(); load().catch(() => {}); });
    by.addEventListener("change", () => { forget(); load().catch(() => {}); });
    return { poll: () => held || on ? undefined : load() };
  },
};

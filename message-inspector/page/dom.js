// Elements, made without ever reading text as markup: what a world says may be hostile.

const SVG = "http://www.w3.org/2000/svg";

const LISTENERS = ["onclick", "onkeydown", "onsubmit"];

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (LISTENERS.includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** Children as nodes; what is absent is left out, and text stays text. */
const nodes = (children) => children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false)
  .map((child) => child instanceof Node ? child : document.createTextNode(String(child)));

/** An element with attributes, listeners (`onclick`) and children; text stays text. */
export const h = (name, properties, ...children) => fill(document.createElement(name), properties, children);

/** The same, of a drawing. */
export const s = (name, properties, ...children) => fill(document.createElementNS(SVG, name), properties, children);

const keyOf = (node) => node.dataset?.key;

/** Makes an element what another one is. Both have the same name and key. */
function become(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of LISTENERS) old[name] = fresh[name];
  arrange(old, [...fresh.childNodes]);
}

/** Gives an element other children, and keeps those that can stay: with them stay scrolling, selected text, and
 * what the pointer is about to click. */
function arrange(parent, wanted) {
  const keyed = new Map([...parent.childNodes].filter(keyOf).map((child) => [keyOf(child), child]));
  let at = parent.firstChild;
  for (const fresh of wanted) {
    const key = keyOf(fresh);
    const old = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (!old || old.nodeName !== fresh.nodeName) { parent.insertBefore(fresh, at); continue; }
    if (old === at) at = at.nextSibling;
    else parent.insertBefore(old, at);
    become(old, fresh);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Gives an element other children; the focus stays on what has the same `data-key`. */
export function replace(parent, ...children) {
  const held = document.activeElement;
  const key = held && parent.contains(held) ? keyOf(held) : undefined;
  arrange(parent, nodes(children));
  if (key && document.activeElement !== held) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

// How each table is sorted, by its caption: it stays from poll to poll and from view to view.
const orders = new Map();

const textOf = (column, row) => nodes([column.cell(row)]).map((node) => node.textContent).join("");

/** The value by which a row is sorted: that of the column, or its text as a number or as words. */
function orderOf(column, row) {
  if (column.order) return column.order(row);
  const text = textOf(column, row);
  return column.num ? Number.parseFloat(text.replaceAll(",", "")) || 0 : text;
}

function sorted(caption, columns, rows) {
  const [column, sign] = [columns.find((it) => it.name === orders.get(caption)?.name), orders.get(caption)?.sign];
  if (!column) return rows;
  const keyed = rows.map((row) => [orderOf(column, row), row]);
  return keyed.sort(([a], [b]) => sign * (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}

/** A table: columns are `{ name, num, cell(row), order(row) }`. A click on the head of one sorts by it. */
export function table(caption, columns, rows, options = {}) {
  const element = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption, "data-key": `table ${caption}` });
  const parts = () => {
    const order = orders.get(caption);
    // Numbers begin with the greatest.
    const sort = (column) => { orders.set(caption, { name: column.name, sign: order?.name === column.name ? -order.sign : column.num ? -1 : 1 }); };
    const head = h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.num ? "num" : null, "aria-sort": order?.name === column.name ? order.sign > 0 ? "ascending" : "descending" : null },
      h("button", { type: "button", "data-key": `sort ${caption} ${column.name}`, onclick: (event) => { sort(column); replace(event.target.closest(".scroll"), parts()); } }, column.name))));
    const body = sorted(caption, columns, rows).map((row) => h("tr", { class: "row", ...(options.row?.(row) ?? {}) },
      columns.map((column) => h("td", { class: column.num ? "num" : null, "data-name": column.name }, column.cell(row)))));
    const none = h("tr", {}, h("td", { colspan: columns.length, class: "quiet" }, options.none ?? "Nothing."));
    return h("table", { class: "stack" }, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, body.length ? body : none));
  };
  element.append(parts());
  return element;
}

export const link = (to, text, more) => h("a", { href: `#/${to}`, ...more }, text);

export const number = (value) => value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en");

export const rate = (value) => value === undefined || value === null ? "–"
  : value >= 1000 ? `${(value / 1000).toFixed(1)}k` : value >= 10 ? value.toFixed(0) : value.toFixed(1);

/** A time that is left, in the two greatest units. */
export const span = (value) => value === undefined || value === null ? "–" : value < 60 ? `${value.toFixed(2)} s`
  : value < 3600 ? `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s` : `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;

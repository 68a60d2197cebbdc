// Changing a component: each of its fields, or its whole text if it has none.

import { h } from "./dom.js";

// The components that are open, and the errors of the last attempts; they stay from poll to poll.
const [opened, errors] = [new Set(), new Map()];

/** Moves the caret to a place that an error names. Columns count characters. */
function point(input, { line, column }) {
  const before = input.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const at = before + [...input.value.slice(before)].slice(0, column - 1).join("").length;
  input.focus();
  input.setSelectionRange(at, at);
}

/** What changes a component; `again` shows the messagee again. */
export function editor(source, row, it, again) {
  if (it.form !== "data") return null;
  const key = `${row.id} ${it.hook}`;
  const isOpen = opened.has(key) && source.writable;
  const toggle = h("button", { type: "button", "aria-expanded": String(isOpen), disabled: !source.writable, "data-key": `edit ${key}`, title: source.writable ? null : "The inspector must be writable",
    onclick: () => { if (!opened.delete(key)) opened.add(key); again(); } }, "Change");

  const part = ({ field, value }, nth) => {
    const [name, id] = [`${key} ${field}`, `wrong-${it.hook}-${nth}`];
    const error = errors.get(name);
    const more = { name: "value", spellcheck: "false", autocomplete: "off", "data-key": `value ${name}`, "aria-invalid": error ? "true" : null, "aria-describedby": error ? id : null };
    const isLong = !field || value?.includes("\n");
    const input = value === null ? h("span", { class: "quiet" }, "too long to be changed here")
      : isLong ? h("textarea", { rows: Math.min(12, value.split("\n").length), ...more }, value) : h("input", { type: "text", value, ...more });
    const send = async (event) => {
      event.preventDefault();
      const form = event.currentTarget;
      const box = form.elements.value;
      let answer;
      try { answer = await source.post(`messagees/${encodeURIComponent(row.id)}/change`, { hook: it.hook, field, value: box.value }); } catch (refused) { answer = { ok: false, text: refused.message }; }
      if (answer.ok) errors.delete(name); else errors.set(name, answer);
      await again();
      // Only now does it have the value that the component has.
      if (answer.ok) form.reset(); else if (answer.line) point(box, answer);
    };
    return h("form", { class: "field", "data-key": `form ${name}`, onsubmit: send }, h("label", {}, h("span", {}, field || "value"), input),
      value === null ? null : h("button", { "aria-label": `Set ${field || it.short}` }, "Set"),
      error ? h("p", { class: "bad", id }, error.line ? `${error.line}:${error.column}: ` : null, error.text) : null);
  };
  const parts = it.values.length ? it.values : [{ field: "", value: it.value.endsWith("…") ? null : it.value }];
  return h("div", { class: "edit" }, h("p", {}, toggle), isOpen ? parts.map(part) : null);
}

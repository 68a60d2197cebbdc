// Lines of source, as links that an editor opens.

import { h } from "./dom.js";

let editor = { link: "", sources: "" };

/** Sets how links are made: what the server tells as `editor`. */
export const setEditor = (told) => { editor = told ?? editor; };

const isWhole = (file) => /^([/\\]|[A-Za-z]:)/.test(file);
const escaped = (path) => encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23");

/** A place such as `src/orc.rs:3:9`. */
export function place(text, more) {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (!file || !editor.link) return h("span", { class: "place", ...more }, text);
  const path = (isWhole(file) ? file : `${editor.sources}/${file}`).replaceAll("\\", "/").replace(/^\//, "");
  const href = editor.link.replaceAll("{file}", escaped(path)).replaceAll("{line}", line).replaceAll("{column}", column ?? 1);
  return h("a", { class: "place", href, title: "Open in your editor", ...more }, text);
}

// The frame of the page: which world, which view, the clock, the keys; and a recording in a world's place.

import { h, link, replace } from "./dom.js";
import { Live, hello, sendLog } from "./server.js";
import { Recording } from "./recording.js";
import now from "./now.js";
import messagees from "./messagees.js";
import flow from "./flow.js";
import timeline from "./timeline.js";
import later from "./later.js";
import letters from "./letters.js";
import console_ from "./console.js";
import startup from "./startup.js";
import cause from "./cause.js";
import { setEditor } from "./place.js";
import time, { broke } from "./time.js";
import { isLog, travelBar } from "./travel.js";

const VIEWS = [now, messagees, flow, timeline, later, letters, console_, startup, time];
const element = (id) => document.getElementById(id);
const [root, state, clock, controls, worlds] = ["view", "state", "clock", "controls", "world"].map(element);
let [source, view, ends, isHeld, last] = [null, null, () => {}, false, null];

function trouble(error) {
  const text = error ? { asleep: "the world does not go on", gone: "the program does not answer" }[error.code] ?? error.message : isHeld ? "held" : source?.isLive ? "following" : `recording ${source?.name ?? ""}`;
  if (state.textContent !== text) state.textContent = text;
  state.className = error ? "bad" : "";
}

/** Shows an error that stays until it is dismissed. */
function keep(error) {
  trouble(error);
  const list = element("errors");
  if ([...list.children].some((it) => it.firstChild.textContent === error.message)) return;
  const item = h("li", {}, h("span", {}, error.message), h("button", { type: "button", onclick: () => item.remove() }, "Dismiss"));
  list.append(item);
}

function showClock(data) {
  // A clock that is stepped stands again at once.
  last = { ...data, paused: data.paused || data.stepping > 0 };
  const cell = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  replace(clock, cell("frame", data.frame), cell("time", `${data.time.toFixed(2)} s`), cell("scale", `${data.scale} ×`));
  replace(element("broke"), broke(data.broke));
  const button = controls.querySelector("[data-pause]");
  if (button) { button.textContent = last.paused ? "Go on" : "Pause"; button.classList.toggle("main", last.paused); }
  const scale = controls.querySelector("#scale");
  if (scale && document.activeElement !== scale) scale.value = data.scale;
}

const travel = travelBar(element("travel"), {
  arrived: (told) => { controls.hidden = told.forked_at === null; if (told.forked_at === null) view?.forget?.(); source.get("now").then(showClock, trouble); poll(); },
  leave: () => { source = null; begin(); }, trouble: keep,
});

const setClock = (body) => source.post("clock", body).then((data) => { showClock({ ...last, ...data }); trouble(); }, keep);

function showControls() {
  const off = !source.writable;
  const scale = h("input", { type: "number", min: "0", max: "100", step: "0.1", value: last?.scale ?? 1, id: "scale", "aria-label": "Time scale", disabled: off });
  scale.addEventListener("change", () => setClock({ scale: Number(scale.value) }));
  replace(controls, h("button", { type: "button", "data-pause": true, disabled: off, onclick: () => setClock({ paused: !last?.paused }) }, last?.paused ? "Go on" : "Pause"), " ",
    h("button", { type: "button", disabled: off, onclick: () => setClock({ step: 1 }) }, "Step"), " ", scale);
  controls.hidden = !source.isLive || source.isReplay;
}

let isAsking = null;
const poll = async () => {
  const asked = view;
  if (!asked || isAsking === asked) return;
  isAsking = asked;
  try {
    await asked.poll();
    if (asked === view) trouble();
  } catch (error) {
    if (asked !== view) return;
    if (error.code === "recording") { replace(root, h("h2", {}, root.getAttribute("aria-label")), h("p", { class: "quiet" }, `${error.message}.`)); trouble(); }
    else trouble(error);
  } finally {
    if (isAsking === asked) isAsking = null;
    if (asked === view) root.dataset.ready = "";
  }
};

function route() {
  const [whole, query] = (location.hash.replace(/^#\//, "") || "now").split("?");
  const [name, ...path] = whole.split("/");
  const wanted = [...VIEWS, cause].find((it) => it.name === name) ?? now;
  document.title = `${wanted.title} – Inspector`;
  replace(element("views"), VIEWS.map((it, at) => h("li", {}, link(it.name, [h("kbd", { "aria-hidden": "true" }, at + 1), it.title], { "aria-current": it === wanted || (wanted === cause && it === timeline) ? "page" : null }))));
  replace(root);
  root.setAttribute("aria-label", wanted.title);
  root.dataset.view = wanted.name;
  root.dataset.at = location.hash;
  delete root.dataset.ready;
  element("views").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  view = wanted.open(root, { source, path, query: query ?? "", trouble: keep, openWorld });
  poll();
}

function use(other) {
  ends();
  source = other;
  source.get("now").then(showClock, trouble);
  ends = source.listen((kind, data) => {
    if (kind === "now") { showClock(data); if (!isHeld) view?.heard?.(kind, data); }
    if (kind === "trouble") trouble({ code: "gone" });
    if (kind === "end") trouble({ code: "", message: "the world was detached" });
  });
  showControls();
  travel.use(other);
  route();
}

const opensFile = () => source && !source.isLive;

function list(told) {
  replace(worlds, told.worlds.map((it) => h("option", { value: it.id, "data-key": `world ${it.id}` }, it.attached ? it.name : `${it.name} (ended)`)));
  worlds.onchange = () => use(new Live(worlds.value, told.writable, told.worlds.find((it) => String(it.id) === worlds.value)?.replay));
}

/** Shows a world that was just made, and returns it. */
async function openWorld(id) {
  const told = await hello();
  list(told);
  worlds.value = id;
  use(new Live(id, told.writable, told.worlds.find((it) => it.id === id)?.replay));
  follow(3000);
  return source;
}

let following = null;
const follow = (after) => { clearTimeout(following); following = setTimeout(begin, after); };

/** Lists the worlds, and shows the first one that is attached, unless one is shown. */
async function begin() {
  try {
    const told = await hello();
    setEditor(told.editor);
    if (opensFile()) return;
    list(told);
    const first = told.worlds.find((it) => it.attached) ?? told.worlds[0];
    if (source) worlds.value = source.world;
    else if (first) { worlds.value = first.id; use(new Live(first.id, told.writable, first.replay)); }
    else trouble({ code: "", message: "no world is attached yet" });
  } catch (error) { if (!opensFile()) trouble(error); }
  // Worlds come and go.
  if (!opensFile()) follow(source ? 3000 : 1000);
}

async function openFile(file) {
  try {
    if (await isLog(file)) return void await openWorld(await sendLog(file));
    const recording = Recording.read(await file.text(), file.name);
    replace(worlds, h("option", {}, file.name));
    use(recording);
  } catch (error) { keep({ code: "", message: error.message }); }
}

document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); root.focus(); });
element("open").addEventListener("click", () => element("file").click());
element("file").addEventListener("change", (event) => event.target.files[0] && openFile(event.target.files[0]));
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => { event.preventDefault(); document.body.classList.remove("dropping"); if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]); });

const theme = (name) => { if (name) document.documentElement.dataset.theme = name; else delete document.documentElement.dataset.theme; };
try { theme(localStorage.getItem("inspector.theme")); } catch { /* Nothing is kept then. */ }
element("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = dark ? "light" : "dark";
  theme(name);
  try { localStorage.setItem("inspector.theme", name); } catch { /* It lasts for this page. */ }
});
element("help").addEventListener("click", () => element("keys").showModal());

/** Shows the view that the address names, and begins at its top. */
function arrive() {
  if (!source) return;
  route();
  root.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Goes to another view at once, so that the next key already meets it: a change of the hash is told later. */
function go(hash) {
  if (location.hash === hash) return;
  history.pushState(null, "", hash);
  arrive();
}

addEventListener("keydown", (event) => {
  const writes = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && writes) return event.target.blur();
  if (event.key === "Escape" && location.hash.startsWith("#/cause/") && !element("keys").open) return history.back();
  if (writes || event.ctrlKey || event.metaKey || event.altKey || element("keys").open) return;
  const number = Number(event.key);
  if (number >= 1 && number <= VIEWS.length && !event.target.closest?.(".graph")) go(`#/${VIEWS[number - 1].name}`);
  else if (event.key === "/") { root.querySelector("[data-search]")?.focus(); }
  else if (event.key === "?") element("keys").showModal();
  else if (event.key === "h") { isHeld = !isHeld; trouble(); }
  else if (event.key === "p" && source?.writable) setClock({ paused: !last?.paused });
  else if (event.key === "s" && source?.writable) setClock({ step: 1 });
  else if (source?.isReplay && [",", "."].includes(event.key)) travel.step(event.key === "," ? -1 : 1);
  else return;
  event.preventDefault();
});
addEventListener("hashchange", arrive);
setInterval(() => { if (source?.isLive && !isHeld && !document.hidden) { poll(); travel.poll(); } }, 1000);
begin();

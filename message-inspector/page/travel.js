// Going through a log: the bar with the frames, and who changed a value.

import { h, link, replace } from "./dom.js";

const short = (name) => name.split(/::|\./).pop();

/** Whether a file is a log of inputs, which only its program can replay. */
export const isLog = async (file) => await file.slice(0, 8).text() === "MSGCLOG\n";

/** Waits until a replay has arrived. */
async function arrival(source) {
  for (;;) {
    const told = await source.get("travel");
    if (!told.working) return told;
    await new Promise((go) => setTimeout(go, 100));
  }
}

/** The bar of an open log. `arrived` is called when another frame is shown, `leave` when the log is closed. */
export function travelBar(root, { arrived, leave, trouble }) {
  let [source, told, wanted, isSending, isAsking] = [null, null, null, false, false];
  const slider = h("input", { type: "range", id: "frames", "aria-label": "Frame of the log", step: "1" });
  const at = h("input", { type: "number", "aria-label": "Go to a frame", id: "frame" });
  const [say, change] = [h("p", { id: "travelled", role: "status" }), h("div", { id: "change" })];
  const button = (text, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  const on = h("button", { type: "button", title: "Leave the log, and let the world run on from this frame", onclick: () => order("on") }, "Run on from here");

  const show = (now) => {
    const before = told;
    told = now;
    for (const input of [slider, at]) { input.min = now.first; input.max = now.last; }
    const shown = wanted ?? now.goal ?? now.frame;
    if (document.activeElement !== slider || !now.working) slider.value = shown;
    if (document.activeElement !== at) at.value = shown;
    on.disabled = now.working || now.forked_at !== null;
    const text = now.forked_at !== null ? `Left the log in frame ${now.forked_at}, now in ${now.frame}.`
      : now.working ? `Replaying: frame ${now.frame}${now.goal === null ? "" : ` on the way to ${now.goal}`} …` : `Frame ${now.frame} of ${now.first} to ${now.last}.`;
    if (say.textContent !== text) say.textContent = text;
    replace(change, now.trouble ? h("p", { class: "bad" }, `The log cannot be replayed further: ${now.trouble}`) : null, now.change ? changed(now.change) : null);
    root.classList.toggle("left", now.forked_at !== null);
    if (!now.working && (!before || before.working || before.frame !== now.frame || before.forked_at !== now.forked_at)) arrived(now);
  };

  const changed = (it) => {
    const what = `${short(it.component)}${it.field ? `.${it.field}` : ""} of ${it.name ?? `messagee ${it.messagee}`}`;
    if (it.error) return h("p", { class: "bad" }, it.component ? `${what}: ${it.error}` : it.error);
    if (!it.found) return h("p", {}, `${what} has not changed in this log before this frame.`);
    const by = it.delivery;
    return h("div", { class: "changed" },
      h("p", {}, `In frame ${it.frame}, ${what} was ${it.before === it.after ? "called, but not changed, " : "changed "}`, by ? ["by ", h("strong", { title: by.message }, short(by.message)), ` from ${by.sender_name ?? by.sender}`, by.handler ? [" in ", h("code", {}, by.handler)] : null] : "between deliveries",
        it.place ? [", at ", h("code", { id: "changed-at" }, it.place)] : null, it.sent_at ? [", sent at ", h("code", {}, it.sent_at)] : null, "."),
      h("dl", { class: "two" }, h("dt", {}, "before"), h("dd", {}, h("pre", {}, it.before ?? "nothing")), h("dt", {}, "after"), h("dd", {}, h("pre", {}, it.after))),
      h("p", {}, it.cause ? [link(`cause/${it.cause}`, "Why did this happen?"), " "] : null,
        it.place ? h("button", { type: "button", onclick: () => before(it) }, "The last change before this frame") : null));
  };

  const ask = async () => {
    if (!source || isAsking) return;
    isAsking = true;
    const asked = source;
    try {
      const now = await asked.get("travel");
      if (asked === source) show(now);
    } catch (error) { if (asked === source) trouble(error); } finally { isAsking = false; }
    if (asked === source && told?.working) setTimeout(ask, 120);
  };

  /** Sends an order; one at a time. */
  async function order(what, body) {
    try { show(await source.post(`travel/${what}`, body)); ask(); } catch (error) { trouble(error); }
  }

  /** Goes to a frame. While one is being sent, only the last that was wanted goes next. */
  const go = async (frame) => {
    if (!told || !Number.isFinite(frame)) return;
    wanted = Math.min(told.last, Math.max(told.first, Math.round(frame)));
    if (isSending) return;
    isSending = true;
    try {
      while (wanted !== null) {
        const next = wanted;
        show(await source.post("travel/go", { frame: next }));
        if (wanted === next) wanted = null;
      }
    } catch (error) { wanted = null; trouble(error); } finally { isSending = false; }
    ask();
  };

  const step = (by) => go((wanted ?? told?.goal ?? told?.frame) + by);
  async function before(it) {
    await go(it.frame - 1);
    await arrival(source);
    await order("who", { messagee: it.messagee, component: it.component, field: it.field });
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  at.addEventListener("change", () => go(Number(at.value)));
  const close = async () => {
    const closed = source;
    try { await closed.post("travel/close"); leave(); } catch (error) { trouble(error); }
  };
  root.append(button("|◀", "First frame", () => go(told?.first)), button("◀", "Step back", () => step(-1)), slider, button("▶", "Step forward", () => step(1)), button("▶|", "Last frame", () => go(told?.last)),
    h("label", {}, "Frame ", at), on, h("button", { type: "button", title: "Close this log", onclick: close }, "Close log"), say, change);

  return {
    step,
    poll: ask,
    /** Shows the bar if the source is an open log. */
    use(other) {
      [source, told, wanted] = [other.isReplay ? other : null, null, null];
      root.hidden = !source;
      replace(change);
      say.textContent = "";
      ask();
    },
  };
}

/** Opens what is recorded of a world. Returns the number of the new one. */
export const openRecording = async (source) => (await source.post("recording/open")).world;

/** What finds the last change of a component: of a replay at once, of a running world in what is recorded of it. */
export function whoChanged(source, open, row, it, trouble) {
  if (!it.data || it.value === null || it.value === undefined || !source.isLive) return null;
  const key = `${row.id} ${it.hook}`;
  const fields = h("select", { "aria-label": `Field of ${it.short}`, "data-key": `field ${key}` }, h("option", { value: "" }, "any field"), it.fields.map((name) => h("option", { value: name }, name)));
  const find = async (event) => {
    const field = event.currentTarget.parentElement.querySelector("select").value;
    const wanted = { messagee: row.id, component: it.data, field };
    const world = source.isReplay ? source : await open(await openRecording(source));
    await arrival(world);
    await world.post("travel/who", wanted);
  };
  return h("p", { class: "who" }, fields, " ", h("button", { type: "button", disabled: !source.writable, "data-key": `who ${key}`,
    title: source.writable ? "Replays what is recorded, and finds the last change" : "The inspector must be writable: it replays what is recorded",
    onclick: (event) => find(event).catch(trouble) }, "Who changed this?"));
}

/** What reads the component of a delivery before and after it: in a replay, whose frame is repeated for that. */
export function whatChanged(source, id, trouble) {
  if (!source.isReplay) return [];
  const read = async () => {
    await source.post("travel/delivery", { id });
    const { change } = await arrival(source);
    // It has another number in the repeated frame.
    if (change?.cause && change.cause !== id) location.hash = `#/cause/${change.cause}`;
  };
  return h("p", {}, h("button", { type: "button", onclick: () => read().catch(trouble) }, "What did it change?"));
}

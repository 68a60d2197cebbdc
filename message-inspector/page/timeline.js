// Frames with their deliveries, as a list or as lanes; one that is chosen shows why it happened.

import { about, label, receiver, receivers, runs, state } from "./cells.js";
import { h, link, replace } from "./dom.js";
import { lanes } from "./lanes.js";

const FRAMES = 60;
const CELLS = 120;

const option = (value, text) => h("option", { value }, text);

export default {
  name: "timeline", title: "Timeline",
  open(root, { source, trouble }) {
    const filter = h("input", { type: "search", placeholder: "Message, name or handler; -Tick leaves out", "aria-label": "Show only", "data-search": true });
    const own = h("input", { type: "checkbox", id: "own" });
    const as = h("select", { "aria-label": "Show as" }, option("", "frames"), option("type", "lanes by type"), option("messagee", "lanes by messagee"));
    const page = (name, go) => h("button", { type: "button", onclick: () => go() }, name);
    const [older, newer, newest] = [page("← Older", () => { newerPages.push(before); turn(data.frames[0]?.frame ?? 0); }), page("Newer →", () => turn(newerPages.pop() ?? null)), page("Newest", () => begin())];
    const [frames, note, strip] = [h("div", { class: "frames" }), h("p", { class: "quiet", role: "status" }), lanes()];
    root.append(h("h2", {}, "Timeline"), h("p", { class: "quiet" }, "Each box is one delivery, or several of one kind. Choose one to see its cause, back to the line of source."),
      h("div", { class: "bar" }, filter, as, h("label", {}, own, " the manager's own messages"), h("span", { class: "pages" }, older, " ", newer, " ", newest)), note, frames, strip.whole);
    let [data, before, asked] = [null, null, 0];
    // How the pages that are newer than this one were asked for.
    const newerPages = [];
    // Runs that are unfolded.
    const open = new Set();

    const single = (it, isNested) => link(`cause/${it.id}`, [isNested ? h("span", { class: "to" }, "↳ ") : null, it.short, h("span", { class: "to" }, ` → ${receiver(it.to)}`)],
      { class: state(it), "data-key": `cell ${it.id}`, title: about(it), "aria-label": label(it) });
    const folded = (run) => h("button", { type: "button", class: state(run[0]), "data-key": `run ${run[0].id}`, title: `${about(run[0])}\nUnfold`, "aria-label": `${run[0].short} ×${run.length} → ${receivers(run)}, unfold`,
      onclick: () => { open.add(run[0].id); show(); } }, `${run[0].short} ×${run.length}`, h("span", { class: "to" }, ` → ${receivers(run)}`));
    const cells = (all) => {
      const here = new Set(all.map((it) => it.id));
      const each = (run) => run.length > 1 && !open.has(run[0].id) ? folded(run) : run.map((it) => single(it, here.has(it.cause)));
      const some = runs(all);
      return [some.slice(0, CELLS).map(each), some.length > CELLS ? h("span", { class: "quiet" }, `and ${some.length - CELLS} more`) : null];
    };
    const show = () => {
      if (!data) return;
      // They tell of what comes and goes, and there can be many of them. What went wrong is always shown.
      const hides = (it) => !own.checked && it.from === "the manager" && !it.bad;
      let hidden = 0;
      const rows = data.frames.map((frame) => {
        const all = frame.deliveries.filter((it) => !hides(it));
        hidden += frame.deliveries.length - all.length;
        return { frame, all };
      }).filter(({ all }) => all.length);
      [frames.hidden, strip.whole.hidden] = [as.value !== "", as.value === ""];
      const left = as.value ? strip.show(rows, as.value) : 0;
      replace(frames, as.value ? null : [...rows].reverse().map(({ frame, all }) => h("div", { class: "frame", "data-key": `frame ${frame.frame}` },
        h("div", { class: "when" }, `${frame.frame} · ${frame.time.toFixed(2)} s`),
        h("div", { class: "cells" }, cells(all), frame.cut ? h("span", { class: "quiet" }, "… there were more than are kept") : null))));
      const [first, last] = [data.frames[0]?.frame ?? 0, data.frames.at(-1)?.frame ?? 0];
      [older.disabled, newer.disabled, newest.disabled] = [!data.kept || first <= data.kept.first, before === null, before === null];
      const none = filter.value.trim() ? "Nothing that is kept fits the search." : "Nothing was delivered in the frames that are kept.";
      note.textContent = [rows.length ? `${rows.length} frames with something to see.` : none, data.frames.length ? `Frames ${first} to ${last}; ${data.kept.first} to ${data.kept.last} are kept.` : data.kept ? `Frames ${data.kept.first} to ${data.kept.last} are kept.` : "",
        hidden ? `${hidden} of the manager's own are not shown.` : "", left ? `${left} more lanes.` : ""].filter(Boolean).join(" ");
    };
    const load = async () => {
      const mine = asked += 1;
      const answer = await source.get("timeline", { frames: FRAMES, limit: 3000, before, search: filter.value.trim() });
      // An answer that is late belongs to another search or page.
      if (mine === asked) { data = answer; frames.removeAttribute("aria-busy"); show(); }
    };
    const turn = (to) => { before = to; frames.setAttribute("aria-busy", "true"); load().catch(trouble); };
    const begin = () => { newerPages.length = 0; turn(null); };
    for (const input of [own, as]) input.addEventListener("change", show);
    filter.addEventListener("input", begin);
    frames.addEventListener("keydown", (event) => {
      const all = [...frames.querySelectorAll("a, button")];
      const at = all.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (at < 0 || !step) return;
      all[at + step]?.focus();
      event.preventDefault();
    });
    const isPointedAt = (it) => it.contains(document.activeElement) || it.matches(":hover");
    return { forget: () => { data = before = null; newerPages.length = 0; }, poll: async () => {
      if (data && before !== null) return;
      // The frames do not move while the reader points at them.
      if (data?.frames.length && (isPointedAt(frames) || isPointedAt(strip.whole))) {
        note.textContent = "Held still while you point at a frame.";
        return;
      }
      await load();
    } };
  },
};

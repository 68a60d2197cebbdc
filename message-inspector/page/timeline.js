// The last frames, each with its deliveries; one that is chosen shows why it happened.

import { h, link, replace } from "./dom.js";

// The name where there is one, else the id.
const receiver = (words) => /"(.*)"/.exec(words)?.[1] ?? /\bmessagee (\d+v\d+)/.exec(words)?.[1] ?? words;

export default {
  name: "timeline", title: "Timeline",
  open(root, { source }) {
    const filter = h("input", { type: "search", placeholder: "Message, sender, receiver or handler", "aria-label": "Show only", "data-search": true });
    const own = h("input", { type: "checkbox", id: "own" });
    const [frames, note] = [h("div", { class: "frames" }), h("p", { class: "quiet", role: "status" })];
    root.append(h("h2", {}, "Timeline"), h("p", { class: "quiet" }, "Each box is one delivery, the newest frame first. Choose one to see its cause, back to the line of source."), h("div", { class: "bar" }, filter, h("label", {}, own, " the manager's own messages")), note, frames);
    let data = null;
    const show = () => {
      if (!data) return;
      const wanted = filter.value.trim().toLowerCase();
      const fits = (it) => !wanted || [it.message, it.from, it.to, it.component ?? "", it.handler ?? "", it.outcome].some((text) => text.toLowerCase().includes(wanted));
      // They tell of what comes and goes, and there can be many of them. What went wrong is always shown.
      const hides = (it) => !own.checked && it.from === "the manager" && !it.bad;
      let hidden = 0;
      const rows = [...data.frames].reverse().map((frame) => {
        const found = frame.deliveries.filter(fits);
        const all = found.filter((it) => !hides(it));
        hidden += found.length - all.length;
        return { frame, all };
      }).filter(({ all }) => all.length);
      replace(frames, rows.map(({ frame, all }) => h("div", { class: "frame", "data-key": `frame ${frame.frame}` },
        h("div", { class: "when" }, `${frame.frame} · ${frame.time.toFixed(2)} s`),
        h("div", { class: "cells" }, all.slice(0, 120).map((it) => link(`cause/${it.id}`, [it.short, h("span", { class: "to" }, ` → ${receiver(it.to)}`)], { class: it.unheard ? "bad unheard" : it.bad ? "bad" : null, "data-key": `cell ${it.id}`, title: `${it.message}\n${it.from} → ${it.to}${it.handler ? ` in ${it.handler}` : ""}\n${it.outcome}`, "aria-label": `${it.short} → ${receiver(it.to)}, from ${it.from} to ${it.to}, ${it.outcome}` })),
          all.length > 120 ? h("span", { class: "quiet" }, `and ${all.length - 120} more`) : null, frame.cut ? h("span", { class: "quiet" }, "… there were more than are kept") : null))));
      note.textContent = `${rows.length ? `${rows.length} frames with something to see.` : "Nothing was delivered in the frames that are kept."}${hidden ? ` ${hidden} of the manager's own are not shown.` : ""}`;
    };
    own.addEventListener("change", show);
    filter.addEventListener("input", show);
    frames.addEventListener("keydown", (event) => {
      const cells = [...frames.querySelectorAll("a")];
      const at = cells.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (at < 0 || !step) return;
      cells[at + step]?.focus();
      event.preventDefault();
    });
    return { poll: async () => {
      // What the reader points at stays.
      if (data?.frames.length && (frames.contains(document.activeElement) || frames.matches(":hover"))) {
        note.textContent = "Held still while you point at a frame.";
        return;
      }
      data = await source.get("timeline", { frames: 60, limit: 3000 });
      show();
    } };
  },
};

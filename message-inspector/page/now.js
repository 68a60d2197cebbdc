// The view of the current activity: numbers, and the deliveries of each message type.

import { h, link, number, rate, replace, table } from "./dom.js";
import { place } from "./place.js";
import { sparkline } from "./sparkline.js";

export default {
  name: "now", title: "Now",
  open(root, { source }) {
    const [numbers, unheard, messages] = [h("dl", { class: "numbers" }), h("div", {}), h("div", {})];
    root.append(h("h2", {}, "Now"), numbers, unheard, messages);
    const showUnheard = ({ sends }) => replace(unheard, sends.length ? table("Sends that nobody received", [
      { name: "Message", cell: (row) => h("strong", { title: row.message }, row.short) },
      { name: "To", cell: (row) => row.to.slice(0, 5).join(", ") + (row.to.length > 5 ? ", …" : "") },
      { name: "Why", cell: (row) => row.why }, { name: "Times", num: true, cell: (row) => number(row.count), order: (row) => row.count },
      { name: "Sent at", cell: (row) => row.sent_at ? place(row.sent_at) : "" },
      { name: "Last", num: true, cell: (row) => row.last ? link(`cause/${row.last}`, `#${row.last}`, { "data-key": `unheard ${row.message} ${row.why}` }) : "" },
    ], sends) : null);
    const show = (now) => {
      const cell = (name, value, bad, to) => h("div", {}, h("dt", {}, to ? link(to, name) : name), h("dd", { class: bad ? "bad" : null }, value));
      const dropped = Object.values(now.dropped ?? {}).reduce((sum, count) => sum + count, 0);
      replace(numbers, cell("Deliveries / s", rate(now.rate)), cell("Messagees", number(now.messagees), false, "messagees"),
        cell("Backlog", number(now.pending), false, "later"), cell("Failures", number(now.failures), now.failures > 0, "letters"), cell("Dead letters", number(now.dead_letters), now.dead_letters > 0, "letters"),
        cell("Dropped here", number(dropped)), cell("Frames / s", rate(now.fps)));
      // In the order of their names, so that nothing jumps.
      const rows = [...now.messages].slice(0, 200).sort((a, b) => a.message < b.message ? -1 : 1);
      replace(messages, table("Deliveries by message type", [
        { name: "Message", cell: (row) => link(`flow?message=${encodeURIComponent(row.message)}`, row.short, { title: row.message, "data-key": row.message }) },
        { name: "Total", num: true, cell: (row) => number(row.total) },
        { name: "A second", num: true, cell: (row) => rate(row.rate) },
        { name: "Last minute", cell: (row) => sparkline(row.spark, `${row.short}: ${rate(row.rate)} a second now`) },
      ], rows, { none: "No message was delivered since somebody looks." }),
        now.sampling?.complete === false ? h("p", { class: "quiet" }, `There is much to see: deliveries are counted, and the first ${number(now.sampling.budget)} events are followed, in one frame of ${number(now.sampling.count_every)} or so.`) : null);
    };
    return { poll: async () => { show(await source.get("now")); showUnheard(await source.get("unhandled")); }, heard: (kind, data) => kind === "now" && show(data) };
  },
};

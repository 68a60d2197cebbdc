// Dead letters, failures and refusals, by type and reason.

import { h, link, number, replace, table } from "./dom.js";
import { place } from "./place.js";

const columns = [
  { name: "Count", num: true, cell: (group) => number(group.count) },
  { name: "Message", cell: (group) => h("span", { title: group.message }, group.short) },
  { name: "Why", cell: (group) => group.why },
  { name: "Handler", cell: (group) => group.handler ? h("span", {}, `${group.component ?? ""} `, h("code", {}, group.handler)) : group.component ?? "" },
  { name: "Sent at", cell: (group) => group.sent_at ? place(group.sent_at) : "" },
  { name: "Handled at", cell: (group) => group.handled_at ? place(group.handled_at) : "" },
  { name: "Frames", num: true, cell: (group) => group.first_frame === group.last_frame ? group.last_frame : `${group.first_frame}–${group.last_frame}` },
  { name: "Last", cell: (group) => group.last === null || group.last === undefined ? "" : link(`cause/${group.last}`, `#${group.last}`, { "data-key": `last ${group.message} ${group.why}` }) },
];

export default {
  name: "letters", title: "Dead letters",
  open(root, { source }) {
    const body = h("div", {});
    root.append(h("h2", {}, "Dead letters and failures"), body);
    return { poll: async () => {
      const data = await source.get("letters");
      replace(body, h("p", { class: "quiet" }, `Since the world began: ${number(data.total.dead_letters)} dead letters, ${number(data.total.failures)} failures.${data.complete ? "" : " Not all of them were followed."}`),
        table("Dead letters", columns, data.dead, { none: "None." }),
        table("Failed handlers", columns, data.failed, { none: "None." }),
        table("Refused sends", columns, data.refused, { none: "None." }));
    } };
  },
};

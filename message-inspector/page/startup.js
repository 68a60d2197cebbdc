// The items that were linked in and are not used, and the wires.

import { h, replace, table } from "./dom.js";
import { place } from "./place.js";

export default {
  name: "startup", title: "Wiring",
  open(root, { source }) {
    const body = h("div", {});
    root.append(h("h2", {}, "Wiring and start-up report"), body);
    return { poll: async () => {
      const data = await source.get("startup");
      replace(body,
        table("Messages that nobody handles or subscribes to", [{ name: "Message", cell: (it) => h("span", { title: it.message }, it.short) }, { name: "Declared at", cell: (it) => place(it.place) }], data.unhandled, { none: "None: each message type has somebody who receives it." }),
        table("Mnemonics that nobody is bound to", [{ name: "Mnemonic", cell: (it) => it.mnemonic }], data.unbound, { none: "None." }),
        table("Groups without members", [{ name: "Group", cell: (it) => it.group }], data.empty_groups ?? [], { none: "None." }),
        table("Wires", [{ name: "Wire", cell: (it) => it.text }, { name: "Enabled", cell: (it) => it.enabled ? "yes" : "no" }], data.wires, { none: "None." }));
    } };
  },
};

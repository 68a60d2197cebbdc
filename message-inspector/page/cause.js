// Why something happened: from what began it, with its line of source, to all that it led to.

import { h, link, replace } from "./dom.js";
import { eventLine } from "./events.js";
import { whatChanged } from "./travel.js";

export default {
  name: "cause", title: "Cause", inNav: false,
  open(root, { source, path, trouble }) {
    const id = Number(path[0]);
    const body = h("div", {});
    root.append(h("h2", {}, `Why #${id} happened`), h("p", {}, link("timeline", "← Timeline")), whatChanged(source, id, trouble), body);
    const show = (data) => {
      const first = data.chain.find((event) => ["sent", "arrived"].includes(event.event) && event.place);
      replace(body,
        first ? h("p", {}, "It began at ", h("code", { id: "origin" }, first.place), first.from ? ` on node ${first.from}.` : ".") : null,
        data.unknown ? h("p", { class: "quiet" }, `What led to the first step (#${data.unknown}) is no longer kept.`) : null,
        h("h3", {}, "From its beginning"),
        h("ol", { class: "steps", id: "chain" }, data.chain.map((event, at) => h("li", { class: at === data.chain.length - 1 ? "here" : at === 0 ? "root" : null }, eventLine(event)))),
        h("h3", {}, "What became of it"),
        h("ul", { class: "steps" }, data.outcome.filter((event) => event.event !== "called").map((event) => h("li", {}, eventLine(event)))),
        h("h3", {}, "What it led to"),
        data.led_to.length ? h("ol", { class: "steps" }, data.led_to.map((step) => h("li", { class: `deep${Math.min(step.depth, 12)}` }, eventLine(step.event)))) : h("p", { class: "quiet" }, "Nothing."),
        data.left_out ? h("p", { class: "quiet" }, `and ${data.left_out} more`) : null);
    };
    let found = false;
    return { poll: async () => {
      if (found) return;
      try { show(await source.get(`cause/${id}`)); found = true; } catch (error) {
        if (error.status !== 404) throw error;
        replace(body, h("p", { class: "quiet", role: "status" }, "Nothing is kept of it: it was not followed, or is too long ago."));
      }
    } };
  },
};

// The pending messages: the next ten seconds as an axis, then all of it in due order.

import { axis } from "./axis.js";
import { h, link, replace, s, span, table } from "./dom.js";

// How often the countdowns are drawn, in milliseconds.
const DRAWN = 200;

export default {
  name: "later", title: "Later",
  open(root, { source, trouble }) {
    const search = h("input", { type: "search", placeholder: "Message, sender, recipient or key", "aria-label": "Search pending messages", "data-search": true });
    const [list, note] = [h("div", {}), h("p", { class: "quiet", role: "status" })];
    const svg = s("svg", { class: "axis", role: "img", "aria-label": "The next ten seconds" });
    root.append(h("h2", {}, "Later"), h("p", { class: "quiet" }, "What was posted and is not due yet. A message that is sent at once cannot be foreseen."), h("div", { class: "bar" }, search), h("div", { class: "scroll ahead" }, svg), note, list);
    let [told, at] = [null, 0];
    // A view that is held is not read again, and stands still, like a frame of a log.
    const draw = () => told && axis(svg, told, source.isReplay ? 0 : Math.min(1.2, (performance.now() - at) / 1000));
    const drawing = setInterval(() => svg.isConnected ? draw() : clearInterval(drawing), DRAWN);
    const act = (post, what) => source.post(`later/${post.post}/${what}`).then(poll, trouble);
    const due = (post) => ({ now: "now", frame: `frame ${post.due.at}`, time: span(post.left), unscaled: `${span(post.left)} unscaled` })[post.due.kind];
    const messagee = (words, id) => id ? link(`messagees/${encodeURIComponent(id)}`, words) : words;
    const poll = async () => {
      const data = await source.get("later", { search: search.value.trim() });
      [told, at] = [data, performance.now()];
      draw();
      note.textContent = `${data.total.toLocaleString("en")} pending${data.left_out ? `, ${data.left_out.toLocaleString("en")} not shown` : ""}${data.cut ? "; those that are due first were searched" : ""}.`;
      replace(list, table("Pending messages in due order", [
        { name: "Due in", num: true, cell: due, order: (post) => post.left ?? -1 }, { name: "Message", cell: (post) => h("span", { title: post.message }, post.short) },
        { name: "From", cell: (post) => messagee(post.from, post.from_id) }, { name: "To", cell: (post) => messagee(post.to, post.to_id) }, { name: "Stage", cell: (post) => post.stage },
        { name: "Times", num: true, cell: (post) => post.deliveries ?? "∞", order: (post) => post.deliveries ?? Infinity }, { name: "Every", cell: (post) => post.period ?? "" }, { name: "Key", cell: (post) => post.key ?? "" },
        { name: "Change", cell: (post) => [h("button", { type: "button", disabled: !source.writable, "data-key": `cancel ${post.post}`, "aria-label": `Cancel ${post.short} to ${post.to}`, onclick: () => act(post, "cancel") }, "Cancel"), " ",
          h("button", { type: "button", disabled: !source.writable, "data-key": `deliver ${post.post}`, "aria-label": `Deliver now: ${post.short} to ${post.to}`, onclick: () => act(post, "deliver") }, "Deliver now")] },
      ], data.posts, { none: "Nothing is pending.", row: (post) => ({ "data-key": `post ${post.post}` }) }));
    };
    search.addEventListener("input", () => { poll().catch(trouble); });
    return { poll };
  },
};

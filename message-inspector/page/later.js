// The pending messages, in due order.

import { h, link, replace, span, table } from "./dom.js";

export default {
  name: "later", title: "Later",
  open(root, { source, trouble }) {
    const search = h("input", { type: "search", placeholder: "Message, sender, recipient or key", "aria-label": "Search pending messages", "data-search": true });
    const [list, note] = [h("div", {}), h("p", { class: "quiet", role: "status" })];
    root.append(h("h2", {}, "Later"), h("div", { class: "bar" }, search), note, list);
    const act = (post, what) => source.post(`later/${post.post}/${what}`).then(poll, trouble);
    const due = (post) => ({ now: "now", frame: `frame ${post.due.at}`, time: span(post.left), unscaled: `${span(post.left)} unscaled` })[post.due.kind];
    const messagee = (words, id) => id ? link(`messagees/${encodeURIComponent(id)}`, words) : words;
    const poll = async () => {
      const data = await source.get("later", { search: search.value.trim() });
      note.textContent = `${data.total.toLocaleString("en")} pending${data.left_out ? `, ${data.left_out.toLocaleString("en")} not shown` : ""}${data.cut ? "; those that are due first were searched" : ""}.`;
      replace(list, table("Pending messages in due order", [
        { name: "Due in", num: true, cell: due }, { name: "Message", cell: (post) => h("span", { title: post.message }, post.short) },
        { name: "From", cell: (post) => messagee(post.from, post.from_id) }, { name: "To", cell: (post) => messagee(post.to, post.to_id) }, { name: "Stage", cell: (post) => post.stage },
        { name: "Times", num: true, cell: (post) => post.deliveries ?? "∞" }, { name: "Every", cell: (post) => post.period ?? "" }, { name: "Key", cell: (post) => post.key ?? "" },
        { name: "Change", cell: (post) => [h("button", { type: "button", disabled: !source.writable, "data-key": `cancel ${post.post}`, "aria-label": `Cancel ${post.short} to ${post.to}`, onclick: () => act(post, "cancel") }, "Cancel"), " ",
          h("button", { type: "button", disabled: !source.writable, "data-key": `deliver ${post.post}`, "aria-label": `Deliver now: ${post.short} to ${post.to}`, onclick: () => act(post, "deliver") }, "Deliver now")] },
      ], data.posts, { none: "Nothing is pending.", row: (post) => ({ "data-key": `post ${post.post}` }) }));
    };
    search.addEventListener("input", () => { poll().catch(trouble); });
    return { poll };
  },
};

// The messagees: a tree by parent, a search, and the page of one.

import { h, link, number, replace, span, table } from "./dom.js";
import { editor } from "./edit.js";
import { eventList } from "./events.js";
import { place } from "./place.js";
import { whoChanged } from "./travel.js";

const label = (row) => row.name ?? `messagee ${row.id}`;

// Open entries stay open from view to view.
const opened = new Set();

export default {
  name: "messagees", title: "Messagees",
  open(root, { source, path, openWorld, trouble }) {
    const id = path[0] ? decodeURIComponent(path[0]) : null;
    const search = h("input", { type: "search", placeholder: "Name, type, group or id", "aria-label": "Search messagees", "data-search": true });
    const [tree, one] = [h("div", {}), h("section", { "aria-label": "Messagee" })];
    root.append(h("h2", {}, "Messagees"), h("div", { class: "bar" }, search), h("div", { class: id ? "columns chosen" : "columns" }, tree, one));
    const open = opened;
    let dead = [];

    const line = (row) => h("div", { class: "line" },
      row.children ? h("button", { class: "fold", type: "button", "aria-expanded": String(open.has(row.id)), "aria-label": `Children of ${label(row)}`, "data-key": `fold ${row.id}`,
        onclick: () => { open.has(row.id) ? open.delete(row.id) : open.add(row.id); list(); } }, open.has(row.id) ? "▾" : "▸") : h("span", { "aria-hidden": "true" }, "·"),
      link(`messagees/${encodeURIComponent(row.id)}`, label(row), { "aria-current": row.id === id ? "true" : null, "data-key": row.id }),
      h("span", { class: "quiet" }, `${row.id} ${row.components.map((it) => it.short).join(" ")}`));

    // Those that are gone: found by the same search, and listed below those that are there.
    const gone = (rows) => rows?.length ? h("section", { "aria-label": "Gone", class: "gone" }, h("h3", {}, "Gone"), h("ul", { class: "tree" }, rows.map((row) => h("li", { "data-key": `gone ${row.id}` }, line(row))))) : null;

    const branch = async (parent) => {
      const answer = await source.get("messagees", { parent, limit: 200 });
      const rows = await Promise.all(answer.rows.map(async (row) => h("li", { "data-key": `row ${row.id}` }, line(row), open.has(row.id) ? await branch(row.id) : null)));
      if (parent === "none") dead = answer.gone;
      return h("ul", {}, rows, answer.next ? h("li", { class: "quiet" }, "… and more: search for them") : null);
    };

    const list = async () => {
      if (search.value.trim()) {
        const answer = await source.get("messagees", { search: search.value.trim(), limit: 200 });
        replace(tree, h("p", { class: "quiet", role: "status" }, `${answer.rows.length}${answer.next ? " or more" : ""} found`), h("ul", { class: "tree" }, answer.rows.map((row) => h("li", {}, line(row)))), gone(answer.gone));
      } else {
        const all = await branch("none");
        all.classList.add("tree");
        replace(tree, all, gone(dead));
      }
    };
    search.addEventListener("input", () => { list().catch(() => {}); });

    const ending = ({ gone }) => h("p", { class: "bad", id: "ended" }, `Gone ${gone.place ? "since" : "by"} frame ${gone.frame}`, gone.place ? [", despawned at ", place(gone.place)] : null, ". ", gone.cause ? link(`cause/${gone.cause}`, `Why (#${gone.cause})`) : null);
    const show = (row) => {
      const tags = [...row.mnemonics.map((name) => `@${name}`), ...row.groups.map((name) => `%${name}`), ...(row.proxy ? ["of another node"] : [])];
      replace(one, h("h2", {}, label(row), " ", h("span", { class: "quiet" }, row.id)),
        row.gone ? ending(row) : null,
        row.path.length ? h("p", {}, "In ", row.path.map((up) => [link(`messagees/${encodeURIComponent(up.id)}`, up.name ?? up.id), " / "])) : null,
        h("p", {}, tags.map((tag) => h("span", { class: "tag" }, tag)), row.children ? `${number(row.children)} children` : null),
        h("h3", {}, !row.gone ? "Components" : row.components.length ? `Last values, after frame ${row.gone.read}` : "Last values"),
        row.components.length ? row.components.map((it) => h("div", {}, h("p", { class: it.enabled ? null : "off" }, h("strong", { title: it.component }, it.short), " ", h("span", { class: "quiet" }, it.enabled ? it.hook : `${it.hook}, disabled`)),
          it.value === null || it.value === undefined ? h("p", { class: "quiet" }, `no value is shown: ${it.why}`) : h("pre", {}, it.value), editor(source, row, it, again), whoChanged(source, openWorld, row, it, trouble))) : h("p", { class: "quiet" }, row.gone ? "None were read." : "None."),
        h("h3", {}, "Received lately"), eventList(row.received, "Nothing that was followed."),
        h("h3", {}, "Sent lately"), eventList(row.sent, "Nothing that was followed."),
        row.gone ? null : h("h3", {}, "Pending for it"), row.gone ? null : table("Pending", [{ name: "Message", cell: (post) => post.short }, { name: "From", cell: (post) => post.from }, { name: "Left", num: true, cell: (post) => span(post.left) }], row.pending, { none: "Nothing." }));
    };
    const about = async () => {
      if (!id) return replace(one, h("p", { class: "quiet" }, "Choose a messagee."));
      try { show(await source.get(`messagees/${encodeURIComponent(id)}`)); } catch (error) {
        if (error.status !== 404) throw error;
        replace(one, h("p", { class: "quiet", role: "status" }, `Messagee ${id} is gone.`));
      }
    };
    const again = () => about().catch(trouble);
    return { poll: async () => { await Promise.all([list(), about()]); } };
  },
};

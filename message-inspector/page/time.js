// The recording of a world: what it has, how it is taken, and how to go back in it.

import { h, link, number, replace } from "./dom.js";
import { openRecording } from "./travel.js";

const size = (bytes) => bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;

/** The breaks of a world: a message that is delivered pauses it before the next frame. */
function breaks(source, trouble) {
  const off = !source.writable;
  const message = h("input", { type: "text", list: "message-types", required: true, disabled: off, "aria-label": "Message type", placeholder: "Message type", "data-search": true });
  const messagee = h("input", { type: "text", disabled: off, "aria-label": "Messagee, or empty for anyone", placeholder: "anyone" });
  const [types, all] = [h("datalist", { id: "message-types" }), h("div", {})];
  const show = (told) => replace(all, told.breaks.length
    ? h("ul", { class: "steps", id: "breaks" }, told.breaks.map((it) => h("li", { class: told.met?.break === it.break ? "here" : null, "data-key": `break ${it.break}` }, h("strong", { title: it.message }, it.short), ` to ${it.messagee ?? "anyone"} `,
      h("button", { type: "button", disabled: off, "aria-label": `Remove the break for ${it.short}`, "data-key": `remove ${it.break}`, onclick: () => source.post(`breaks/${it.break}/remove`).then(show, trouble) }, "Remove"))))
    : h("p", { class: "quiet" }, "No break is set."));
  const form = h("form", { class: "bar" }, h("label", {}, "When ", message), h("label", {}, " arrives at ", messagee), h("button", { disabled: off }, "Break"), types);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    source.post("break", { message: message.value.trim(), messagee: messagee.value.trim() }).then((told) => { show(told); form.reset(); }, trouble);
  });
  const section = h("section", { "aria-label": "Breaks" }, h("h3", {}, "Breaks"), h("p", { class: "quiet" }, "The world is paused before the next frame when such a message is delivered, as long as somebody looks. Then it can be stepped."), form, all);
  section.poll = async () => {
    if (!types.children.length) {
      const told = await source.get("types");
      types.append(...told.messages.map((it) => h("option", { value: it.short })));
    }
    show(await source.get("breaks"));
  };
  return section;
}

/** What has paused a world, for the head of the page. */
export const broke = (met) => met ? [h("strong", { title: met.event.message }, met.event.message.split(/::|\./).pop()), ` arrived at ${met.event.receiver_name ?? met.event.receiver} in frame ${met.event.frame}, and the world is paused. `,
  link(`cause/${met.event.delivery}`, "Why?")] : [];

export default {
  name: "time", title: "Time",
  open(root, { source, openWorld, trouble }) {
    const body = h("div", {});
    root.append(h("h2", {}, "Time"), body, breaks(source, trouble));
    const act = (run) => () => run().catch(trouble);
    const show = (told) => {
      if (source.isReplay) return replace(body, h("p", {}, "This world is a replay. The bar above goes to any of its frames, and every view shows what was so in that frame."));
      const off = !source.writable;
      const readOnly = off ? h("p", { class: "quiet" }, "To go back, the inspector must be writable: a replay runs the program's handlers again.") : null;
      if (told.from === null) {
        return replace(body, h("p", { id: "recorded" }, `Nothing is recorded: ${told.why}.`),
          h("button", { type: "button", "data-key": "start", disabled: off || told.frames === 0, onclick: act(async () => show(await source.post("recording/start"))) }, "Record from now on"), readOnly);
      }
      replace(body, h("dl", { class: "numbers" },
        ...[["First frame", number(told.from)], ["Last frame", number(told.to)], ["Size", size(told.bytes)], ["Kept, at least", `${number(told.frames)} frames`]].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        h("p", { id: "recorded" }, told.recording ? `Everything from frame ${told.from} on is recorded, whether somebody looks or not.` : `Frames ${told.from} to ${told.to} are recorded: ${told.why}.`,
          told.file ? [" A panic writes it to ", h("code", {}, told.file), "."] : " A panic writes it nowhere: see Builder::write_on_panic."),
        h("p", { class: "bar" }, h("button", { type: "button", class: "main", "data-key": "back", disabled: off, onclick: act(async () => openWorld(await openRecording(source))) }, "Go back in time"),
          told.exportable ? h("a", { href: `api/v1/worlds/${source.world}/recording/log`, download: "", "data-key": "download" }, "Download") : h("span", { class: "quiet" }, "It cannot be downloaded, because this inspector hides values.")),
        readOnly, h("p", { class: "quiet" }, "A log that this program has written, such as a download, opens when it is dropped onto this page."));
    };
    return { poll: async () => { show(await source.get("recording")); await root.lastChild.poll(); } };
  },
};

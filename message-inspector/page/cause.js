// Why something happened: the answer, then the steps back to the line of source that began it, then all that it led to.

import { h, link, replace } from "./dom.js";
import { at, done, eventLine, handler, message, receiver, recipient, sender } from "./events.js";
import { place } from "./place.js";
import { whatChanged } from "./travel.js";

const last = (list) => list.at(-1);

/** How a delivery ended, if it did not simply return. */
const failure = (data) => data.outcome.find((event) => event.event === "erred" && event.delivery === data.id) ?? data.outcome.find((event) => event.why === "panicked" && event.delivery === data.id);

function received(data) {
  const event = last(data.chain);
  const send = data.chain.at(-2);
  const bad = failure(data);
  return [h("p", { class: "answer" }, receiver(event), " received ", message(event), handler(event), send ? [", ", send.event === "sent" ? [done(send), " by ", sender(send), at(send)] : eventLine(send)] : null, "."),
    bad ? h("p", { class: "bad" }, `It failed: ${bad.why}`) : null];
}

/** Why a send reached nobody, in words; nothing if it did reach somebody. */
function nobody(data) {
  const why = data.outcome.find((event) => ["unhandled", "refused", "died"].includes(event.event));
  if (why?.event === "unhandled") return ["Nobody received it: ", receiver(why), ` ${why.why}.`];
  if (why) return `It was not delivered: ${why.why}.`;
  const end = data.outcome.find((event) => event.event === "settled");
  return end?.why ? `Nobody received it: ${end.why}.` : null;
}

function sent(data) {
  const event = last(data.chain);
  const none = nobody(data);
  const calls = data.led_to.filter((step) => step.depth === 1 && step.event.event === "called").map((step) => step.event);
  const some = calls.slice(0, 8).flatMap((call, nth) => [nth ? ", " : "", receiver(call)]);
  return [h("p", { class: "answer" }, sender(event), ` ${done(event)} `, message(event), " to ", recipient(event), at(event), "."),
    none ? h("p", { class: "bad", id: "nobody" }, none) : calls.length ? h("p", {}, "Received by ", some, calls.length > 8 ? ` and ${calls.length - 8} more` : null, ".") : null];
}

function answer(data) {
  const event = last(data.chain);
  const first = data.chain.find((it) => ["sent", "arrived"].includes(it.event) && it.place);
  const whole = event.event === "called" ? received(data) : event.event === "sent" ? sent(data) : h("p", { class: "answer" }, eventLine(event), ".");
  return [whole, first && first !== event ? h("p", {}, "It goes back to ", message(first), ", ", first.from ? `sent on node ${first.from}` : `${done(first)} by `, first.from ? null : sender(first), " at ", place(first.place, { id: "origin" }), ".",
    data.chain.length > 2 ? ` That is ${data.chain.length - 1} steps before.` : null) : null];
}

export default {
  name: "cause", title: "Cause", inNav: false,
  open(root, { source, path, trouble }) {
    const id = Number(path[0]);
    const body = h("div", {});
    root.append(h("h2", {}, `Why #${id} happened`), whatChanged(source, id, trouble), body, h("p", {}, link("timeline", "← Timeline")));
    const show = (data) => replace(body, answer(data),
      h("h3", {}, "Step by step, back to its beginning"),
      h("ol", { class: "steps", id: "chain" }, [...data.chain].reverse().map((event, nth, all) => h("li", { class: nth === 0 ? "here" : nth === all.length - 1 ? "root" : null }, eventLine(event)))),
      data.unknown ? h("p", { class: "quiet" }, `What led to the last of these steps (#${data.unknown}) is no longer kept.`) : null,
      h("h3", {}, "What became of it"),
      h("ul", { class: "steps" }, data.outcome.filter((event) => event.event !== "called").map((event) => h("li", {}, eventLine(event)))),
      h("h3", {}, "What it led to"),
      data.led_to.length ? h("ol", { class: "steps" }, data.led_to.map((step) => h("li", { class: `deep${Math.min(step.depth, 12)}` }, eventLine(step.event)))) : h("p", { class: "quiet" }, "Nothing."),
      data.left_out ? h("p", { class: "quiet" }, `and ${data.left_out} more`) : null);
    let found = false;
    return { forget: () => { found = false; }, poll: async () => {
      if (found) return;
      try { show(await source.get(`cause/${id}`)); found = true; } catch (error) {
        if (error.status !== 404) throw error;
        replace(body, h("p", { class: "quiet", role: "status" }, "Nothing is kept of it: it was not followed, or is too long ago."));
      }
    } };
  },
};

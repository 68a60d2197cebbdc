// How one event reads, and where it leads.

import { h, link } from "./dom.js";

const short = (name) => name.split(/::|\./).pop();
const DONE = { send: "sent", send_mut: "sent", manager: "told", post: "posted", publish: "published", request: "requested" };
const named = (words, name) => name ? `${words} "${name}"` : words;

const messagee = (words, id) => id ? link(`messagees/${encodeURIComponent(id)}`, words, { class: "plain" }) : words;

/** What an event says, in one line. */
export function eventLine(event) {
  const id = event.delivery ?? event.send;
  const number = id === undefined || id === null ? null : link(`cause/${id}`, `#${id}`);
  if (event.event === "sent") {
    return [number, " ", h("strong", { title: event.message }, short(event.message)), ` ${DONE[event.by] ?? event.by ?? "sent"} by `, messagee(named(event.sender, event.sender_name), event.sender_id), " to ", messagee(named(event.recipient, event.recipient_name), event.recipient_id),
      event.place ? [" ", h("span", { class: "place" }, `at ${event.place}`)] : null,
      event.contents ? h("pre", { class: "quiet" }, event.contents) : null];
  }
  if (event.event === "arrived") {
    return [number, " ", h("strong", { title: event.message }, short(event.message)), ` has arrived from ${event.from}, where it was sent as #${event.from_send} `, h("span", { class: "place" }, `at ${event.place}`)];
  }
  if (event.event === "called") {
    return [number, " ", h("strong", { title: event.message }, short(event.message)), " received by ", messagee(named(event.receiver, event.receiver_name), event.receiver_id),
      event.handler ? [" in ", h("code", {}, event.handler)] : null, event.place ? [" ", h("span", { class: "place" }, `at ${event.place}`)] : null];
  }
  const bad = ["erred", "refused", "died"].includes(event.event);
  return h("span", { class: bad ? "bad" : null }, `${event.event}${event.receiver ? ` ${named(event.receiver, event.receiver_name)}` : ""}${event.why ? `: ${event.why}` : ""}${event.received !== undefined && event.received !== null ? `: received by ${event.received}` : ""}`);
}

/** A list of events. */
export const eventList = (events, none) => events.length
  ? h("ol", { class: "steps" }, events.map((event) => h("li", {}, eventLine(event), h("span", { class: "quiet" }, ` · frame ${event.frame}`))))
  : h("p", { class: "quiet" }, none);

// How one event reads, and where it leads.

import { h, link } from "./dom.js";
import { place } from "./place.js";

const DONE = { send: "sent", send_mut: "sent", manager: "told", post: "posted", publish: "published", request: "requested" };
const BAD = ["erred", "refused", "died", "unhandled"];

export const short = (name) => name.replace(/<.*/, "").split(/::|\./).pop();

const idIn = (words) => /\bmessagee (\d+v\d+)/.exec(words ?? "")?.[1];
const componentIn = (words) => /`([^`]+)`/.exec(words ?? "")?.[1];

/** Somebody as a person names them: by the name where there is one. */
function named(words, name, id) {
  const known = id ?? idIn(words);
  return known ? link(`messagees/${encodeURIComponent(known)}`, name ?? `messagee ${known}`, { class: "plain", title: words }) : name ?? words;
}

export const sender = (event) => event.sender === "outside" ? "the program" : named(event.sender, event.sender_name, event.sender_id);

export function recipient(event) {
  const beyond = / and its \w+$/.exec(event.recipient)?.[0] ?? "";
  return [named(event.recipient, event.recipient_name, event.recipient_id), beyond];
}

export function receiver(event) {
  const isNobodys = event.receiver.startsWith("subscription") && !idIn(event.receiver);
  return isNobodys ? h("span", { title: event.receiver }, `a subscriber to ${short(event.message)}`) : named(event.receiver, event.receiver_name, event.receiver_id);
}

/** The type of a message. */
export const message = (event) => h("strong", { title: event.message }, short(event.message));

/** The method that was called, with its line. */
export function handler(event) {
  if (!event.handler) return null;
  const component = event.component ?? componentIn(event.receiver);
  return [" in ", h("code", {}, component ? `${short(component)}::${event.handler}` : event.handler), at(event)];
}

/** The line of source of an event. */
export const at = (event) => event.place ? [" at ", place(event.place)] : null;

export const done = (event) => DONE[event.by] ?? event.by ?? "sent";

/** What an event says, in one line. */
export function eventLine(event) {
  const id = event.delivery ?? event.send;
  const number = id === undefined || id === null ? null : link(`cause/${id}`, `#${id}`);
  if (event.event === "sent") {
    return [number, " ", message(event), ` ${done(event)} by `, sender(event), " to ", recipient(event), at(event),
      event.contents ? h("pre", { class: "quiet" }, event.contents) : null];
  }
  if (event.event === "arrived") return [number, " ", message(event), ` has arrived from ${event.from}, where it was sent as #${event.from_send}`, at(event)];
  if (event.event === "came back") return [number, " ", message(event), ` has come back from ${event.from_number ? `#${event.from_number} of ` : ""}${event.from}, from its frame ${event.from_frame}`, at(event), event.why ? `: ${event.why}` : null];
  if (event.event === "called") return [number, " ", message(event), " received by ", receiver(event), handler(event)];
  if (event.event === "returned" && event.receiver) return [receiver(event), ` ${event.why}`];
  return h("span", { class: BAD.includes(event.event) || event.received === 0 && !event.pending ? "bad" : null }, event.event, event.receiver ? [" ", receiver(event)] : null,
    event.received !== undefined && event.received !== null ? `: received by ${event.received || "nobody"}` : null, event.why ? `: ${event.why}` : null);
}

/** A list of events. */
export const eventList = (events, none) => events.length
  ? h("ol", { class: "steps" }, events.map((event) => h("li", {}, eventLine(event), h("span", { class: "quiet" }, ` · frame ${event.frame}`))))
  : h("p", { class: "quiet" }, none);

// A recording, as `Recorder::write_json_lines` writes it, answers the questions that a running program does.

import { wanted } from "./cells.js";
import { Refused } from "./server.js";

const short = (name) => name.split(/::|\./).pop();
const place = (event) => event.receiver_name ? `${event.receiver} "${event.receiver_name}"` : event.receiver ?? "nobody";
const who = (words, name) => name ? `${words} "${name}"` : words;
const idIn = (words) => /\bmessagee (\d+v\d+)/.exec(words ?? "")?.[1] ?? null;
const componentIn = (words) => /`([^`]+)`/.exec(words ?? "")?.[1] ?? null;

export class Recording {
  /** Reads the lines of a file. Throws with the number of the line that is wrong. */
  static read(text, name) {
    const events = [];
    for (const [at, line] of text.split("\n").entries()) {
      if (!line.trim()) continue;
      let event;
      try { event = JSON.parse(line); } catch { throw new Error(`line ${at + 1} of ${name} is no JSON: expected a recording as JSON lines`); }
      if (typeof event?.event !== "string" || typeof event.message !== "string") {
        throw new Error(`line ${at + 1} of ${name} is no event of a recording: expected fields "event" and "message"`);
      }
      events.push(event);
    }
    return new Recording(events, name);
  }

  constructor(events, name) {
    this.events = events;
    this.name = name;
    this.writable = false;
    this.isLive = false;
    this.sends = new Map();
    this.arrivals = new Map();
    this.calls = new Map();
    for (const event of events) {
      if (event.event === "sent" && event.send !== undefined) this.sends.set(event.send, event);
      if (["arrived", "came back"].includes(event.event)) this.arrivals.set(event.send, event);
      if (event.event === "called") this.calls.set(event.delivery, event);
    }
  }

  listen() { return () => {}; }

  async get(path, given = {}) {
    const [what, id] = path.split("/");
    const answer = { now: () => this.now(), messagees: () => id ? this.messagee(decodeURIComponent(id)) : this.messagees(given), flow: () => this.flow(given),
      timeline: () => this.timeline(given), cause: () => this.cause(Number(id)), letters: () => this.letters(), unhandled: () => this.unhandled() }[what];
    if (!answer) throw new Refused(404, "recording", "a recording has nothing of that: only a running program knows it");
    return answer();
  }

  async post() { throw new Refused(403, "recording", "a recording cannot be changed"); }

  now() {
    const last = this.events.at(-1);
    const counts = new Map();
    for (const call of this.calls.values()) counts.set(call.message, (counts.get(call.message) ?? 0) + 1);
    const messages = [...counts].sort((a, b) => b[1] - a[1]).map(([message, total]) => ({ message, short: short(message), total, rate: null, spark: [] }));
    const count = (kind) => this.events.filter((event) => event.event === kind).length;
    return { frame: last?.frame ?? 0, time: (last?.time ?? 0) / 1e9, scale: 1, paused: true, fps: null, messagees: this.list().length, pending: null,
      delivered: this.calls.size, rate: null, failures: count("erred"), dead_letters: count("died"), messages, sampling: { complete: true }, dropped: {} };
  }

  list() {
    const found = new Map();
    const add = (words, name, component) => {
      const id = idIn(words);
      if (!id) return;
      const row = found.get(id) ?? { id, name: null, parent: null, children: 0, mnemonics: [], groups: [], components: [] };
      row.name ??= name ?? null;
      if (component && !row.components.some((it) => it.component === component)) {
        row.components.push({ hook: component, component, short: short(component), enabled: true });
      }
      found.set(id, row);
    };
    for (const event of this.events) {
      add(event.sender, event.sender_name);
      add(event.receiver, event.receiver_name, event.event === "called" ? componentIn(event.receiver) : null);
    }
    return [...found.values()];
  }

  messagees({ search, parent }) {
    const wanted = (search ?? "").toLowerCase().replaceAll("*", "");
    const all = parent && parent !== "none" ? [] : this.list();
    const rows = all.filter((row) => !wanted || [row.id, row.name ?? "", ...row.components.map((it) => it.component)].some((text) => text.toLowerCase().includes(wanted)));
    return { total: rows.length, rows: rows.slice(0, 500), next: null };
  }

  messagee(id) {
    const row = this.list().find((it) => it.id === id);
    if (!row) throw new Refused(404, "unknown", `the recording has no messagee ${id}`);
    const received = [...this.calls.values()].filter((event) => idIn(event.receiver) === id).slice(-50).reverse();
    const sent = [...this.sends.values()].filter((event) => idIn(event.sender) === id).slice(-50).reverse();
    return { ...row, path: [], received, sent, pending: [], components: row.components.map((it) => ({ ...it, value: null, form: null, why: "not in a recording", handles: [] })) };
  }

  flow({ message, by }) {
    const [nodes, edges] = [new Map(), new Map()];
    const node = (id, kind, label) => { nodes.set(id, { id, kind, label }); return id; };
    const end = (words, name, component) => {
      const messagee = idIn(words);
      if (by === "messagee" && messagee) return node(messagee, "messagee", name ?? messagee);
      if (component) return node(component, "component", short(component));
      return messagee ? node(messagee, "messagee", name ?? messagee) : node(words ?? "unknown", words === "outside" ? "outside" : "unknown", words ?? "unknown");
    };
    for (const call of this.calls.values()) {
      if (message && call.message !== message) continue;
      const sent = this.sends.get(call.send);
      const cause = this.calls.get(sent?.cause);
      const from = end(call.sender, call.sender_name, cause ? componentIn(cause.receiver) : null);
      const to = end(call.receiver, call.receiver_name, componentIn(call.receiver));
      const key = `${from}\n${to}\n${call.message}`;
      const edge = edges.get(key) ?? { from, to, message: call.message, short: short(call.message), count: 0, rate: null, failed: 0 };
      edge.count += 1;
      edges.set(key, edge);
    }
    return { seconds: null, complete: true, nodes: [...nodes.values()], edges: [...edges.values()].sort((a, b) => b.count - a.count).slice(0, 500), left_out: Math.max(0, edges.size - 500) };
  }

  delivery(event) {
    const bad = this.events.find((other) => other.delivery === event.delivery && other.event === "erred");
    return { id: event.delivery ?? event.send, send: event.send ?? null, cause: this.sends.get(event.send)?.cause ?? null, message: event.message, short: short(event.message),
      from: who(event.sender, event.sender_name), to: event.delivery === undefined ? who(event.recipient, event.recipient_name) : place(event),
      recipient: who(event.recipient, event.recipient_name), component: componentIn(event.receiver), handler: event.handler ?? null, outcome: bad ? "failed" : event.event === "called" ? "received" : event.why ?? event.event, bad: !!bad || event.event !== "called",
      unheard: event.event === "unhandled" };
  }

  timeline({ message, frames: most = 60, before, search }) {
    const [frames, fits] = [new Map(), wanted(search ?? "")];
    for (const event of this.events) {
      if (!["called", "died", "refused", "unhandled"].includes(event.event) || (message && event.message !== message)) continue;
      if (event.frame >= (before ?? Infinity)) continue;
      const delivery = this.delivery(event);
      if (!fits(delivery)) continue;
      const frame = frames.get(event.frame) ?? { frame: event.frame, time: event.time / 1e9, cut: false, deliveries: [] };
      frame.deliveries.push(delivery);
      frames.set(event.frame, frame);
    }
    return { frames: [...frames.values()].sort((a, b) => a.frame - b.frame).slice(-most), lanes: [], left_out: 0, kept: { first: this.events[0]?.frame ?? 0, last: this.events.at(-1)?.frame ?? 0 } };
  }

  cause(id) {
    const begun = (at) => this.calls.get(at) ?? this.sends.get(at) ?? this.arrivals.get(at);
    const asked = begun(id);
    if (!asked) throw new Refused(404, "unknown", `the recording has nothing of #${id}`);
    const chain = [];
    let unknown = null;
    for (let at = id; at !== undefined && at !== null;) {
      const event = begun(at);
      if (!event) { unknown = at; break; }
      chain.unshift(event);
      const next = event.event === "called" ? event.send : event.cause;
      // A cause that was named by hand may be any number.
      at = next < at ? next : null;
    }
    const outcome = this.events.filter((event) => event.send === asked.send && !["sent", "arrived", "came back", "called"].includes(event.event));
    const led = [];
    const walk = (cause, depth) => {
      for (const sent of this.sends.values()) {
        if (sent.cause !== cause || led.length >= 500) continue;
        led.push({ depth, event: sent });
        for (const call of this.calls.values()) if (call.send === sent.send) { led.push({ depth: depth + 1, event: call }); walk(call.delivery, depth + 2); }
      }
    };
    if (asked.event === "sent") for (const call of this.calls.values()) { if (call.send === id) { led.push({ depth: 0, event: call }); walk(call.delivery, 1); } }
    else walk(id, 0);
    return { id, chain, unknown, outcome, led_to: led.slice(0, 500), left_out: 0 };
  }

  /** The sends that nobody received, by message and reason. */
  unhandled() {
    const groups = new Map();
    for (const event of this.events) {
      if (event.event !== "unhandled") continue;
      const key = `${event.message}\n${event.why}`;
      const group = groups.get(key) ?? { message: event.message, short: short(event.message), why: event.why, to: [], sent_at: this.sends.get(event.send)?.place ?? null, count: 0 };
      const name = event.receiver_name ?? event.receiver;
      if (!group.to.includes(name)) group.to.push(name);
      group.count += 1;
      group.last = event.send;
      groups.set(key, group);
    }
    return { sends: [...groups.values()].sort((a, b) => b.count - a.count) };
  }

  letters() {
    const group = (kinds) => {
      const groups = new Map();
      for (const event of this.events) {
        if (!kinds.includes(event.event)) continue;
        const key = `${event.message}\n${event.why}`;
        const found = groups.get(key) ?? { message: event.message, short: short(event.message), why: event.why ?? "", component: componentIn(event.receiver), handler: null,
          sent_at: this.sends.get(event.send)?.place ?? null, handled_at: null, count: 0, first_frame: event.frame, last_frame: event.frame, last: null };
        found.count += 1;
        found.last_frame = event.frame;
        found.last = event.delivery ?? event.send ?? null;
        groups.set(key, found);
      }
      return [...groups.values()].sort((a, b) => b.count - a.count);
    };
    const [dead, failed, refused] = [group(["died"]), group(["erred"]), group(["refused"])];
    const sum = (list) => list.reduce((all, it) => all + it.count, 0);
    return { dead, failed, refused, complete: true, total: { dead_letters: sum(dead), failures: sum(failed) } };
  }
}

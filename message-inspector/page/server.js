// The connection with a running program: one request for each question, and a stream of changes.

export class Refused extends Error {
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`api/v1/${path}`, { ...options, cache: "no-store" });
  } catch {
    throw new Refused(0, "gone", "the program does not answer");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, body.code ?? "", body.error ?? `status ${answer.status}`);
  return body;
}

const parameters = (given) => {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
};

/** Sends a log, which opens as a world. Returns its number. */
export async function sendLog(file) {
  const headers = { "Content-Type": "application/octet-stream", "X-Message-Inspector": "1" };
  return (await ask(`logs${parameters({ name: file.name })}`, { method: "POST", headers, body: file })).world;
}

export const hello = () => ask("hello");

/** A world of the program. */
export class Live {
  constructor(world, writable, isReplay = false) {
    this.world = world;
    this.isReplay = isReplay;
    this.writable = writable;
    this.isLive = true;
    this.listeners = new Set();
  }

  get(path, given) { return ask(`worlds/${this.world}/${path}${parameters(given)}`); }

  post(path, body) {
    const headers = { "Content-Type": "application/json", "X-Message-Inspector": "1" };
    return ask(`worlds/${this.world}/${path}`, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
  }

  /** Calls back with each event of the stream; returns what ends that. */
  listen(heard) {
    this.listeners.add(heard);
    if (!this.stream) this.open();
    return () => {
      this.listeners.delete(heard);
      if (!this.listeners.size) this.close();
    };
  }

  open() {
    this.stream = new EventSource(`api/v1/worlds/${this.world}/events`);
    for (const kind of ["now", "console", "lost", "end"]) {
      this.stream.addEventListener(kind, (event) => this.tell(kind, JSON.parse(event.data)));
    }
    this.stream.addEventListener("error", () => this.tell("trouble", {}));
  }

  tell(kind, data) { for (const heard of this.listeners) heard(kind, data); }

  close() {
    this.stream?.close();
    this.stream = undefined;
  }
}

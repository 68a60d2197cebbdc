// The deliveries of the timeline: which are wanted, how they are named, and which can be folded into one.

const quoted = (words) => /"(.*)"/.exec(words)?.[1];

/** Who received it, as a person would say: the name where there is one, else the id. */
export const receiver = (words) => quoted(words) ?? /\bmessagee (\d+v\d+)/.exec(words)?.[1] ?? (words.startsWith("subscription") ? "a subscriber" : words);

const texts = (it) => [it.message, it.from, it.to, it.recipient ?? "", it.component ?? "", it.handler ?? "", it.outcome];

/** Whether a delivery is wanted: it has each word, and none of those behind `-`. */
export function wanted(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word && word !== "-");
  const has = (it, word) => texts(it).some((part) => part.toLowerCase().includes(word));
  return (it) => words.every((word) => word.startsWith("-") ? !has(it, word.slice(1)) : has(it, word));
}

const kindOf = (it) => [it.message, it.component, it.handler, it.recipient, it.from, it.bad, it.unheard].join("\n");

/** Deliveries as runs: those that follow each other and differ in nothing but the receiver are one. */
export function runs(deliveries) {
  const all = [];
  for (const it of deliveries) {
    const last = all.at(-1);
    if (last && kindOf(last[0]) === kindOf(it)) last.push(it);
    else all.push([it]);
  }
  return all;
}

/** The receivers of a run: whom it was sent to, and who they are. */
export function receivers(run) {
  const names = [...new Set(run.map((it) => receiver(it.to)))];
  const some = names.slice(0, 3).join(", ") + (names.length > 3 ? `, … (${names.length})` : "");
  const to = run[0].recipient ?? "";
  return /^(group|everyone)/.test(to) ? `${to.replace(/`(?:.*[.:])?([^`]*)`/, "$1")}: ${some}` : some;
}

export const label = (it) => `${it.short} → ${receiver(it.to)}, from ${it.from} to ${it.to}, ${it.outcome}`;

export const about = (it) => `${it.message}\n${it.from} → ${it.to}${it.recipient && !it.to.includes(it.recipient) ? `, sent to ${it.recipient}` : ""}${it.handler ? ` in ${it.handler}` : ""}\n${it.outcome}`;

export const state = (it) => it.unheard ? "bad unheard" : it.bad ? "bad" : null;

// The next ten seconds as an axis: a row for each message that is due, a mark for each time it is.

import { replace, s, span } from "./dom.js";

const SECONDS = 10;
const [ROW, HEAD, MOST, MARKS] = [24, 22, 40, 200];
const LABEL = 0.48;

const cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;
const named = (words) => /"(.*)"/.exec(words)?.[1] ?? words.replace(/`(?:.*[.:])?([^`]*)`/, "$1");

/** The seconds until a post is due, less than 0 for one that was due since. For one that waits for a frame, they are estimated. */
function left(post, data, passed) {
  const scaled = data.paused ? 0 : passed * (data.scale || 0);
  if (post.due.kind === "now") return 0;
  if (post.due.kind === "frame") return data.frame ? (post.due.at - data.frame) * (data.time / data.frame) - scaled : null;
  return post.left === null ? null : post.left - (post.due.kind === "unscaled" ? passed : scaled);
}

/** All times at which a post is due within the axis. */
function times(post, due) {
  if (due === null || due > SECONDS) return [];
  const most = Math.min(MARKS, post.deliveries ?? MARKS);
  if (!(post.period_seconds > 0)) return [Math.max(0, due)];
  const first = due < 0 ? due + Math.ceil(-due / post.period_seconds) * post.period_seconds : due;
  const count = Math.min(most, Math.floor((SECONDS - first) / post.period_seconds) + 1);
  return Array.from({ length: count }, (_, nth) => first + nth * post.period_seconds);
}

/** Draws posts as they are `passed` seconds after they were read. */
export function axis(svg, data, passed) {
  const width = Math.max(320, svg.parentNode?.clientWidth ?? 800);
  const begin = Math.min(230, width * LABEL);
  const x = (time) => begin + time / SECONDS * (width - begin - 12);
  const all = data.posts.map((post) => ({ post, due: times(post, left(post, data, passed)) })).filter(({ due }) => due.length);
  const rows = all.slice(0, MOST);
  const height = HEAD + Math.max(1, rows.length) * ROW + 6;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  const step = width < 600 ? 5 : 1;
  replace(svg,
    Array.from({ length: SECONDS / step + 1 }, (_, at) => at * step).map((at) => s("g", { "data-key": `at ${at}` }, s("line", { class: "rule", x1: x(at), x2: x(at), y1: HEAD - 4, y2: height }), s("text", { class: "when", x: x(at), y: 13, "text-anchor": at === SECONDS ? "end" : "middle" }, at === 0 ? "now" : `${at} s`))),
    rows.map(({ post, due }, nth) => {
      const y = HEAD + nth * ROW;
      const name = `${post.short} → ${named(post.to)}`;
      return s("g", { "data-key": `due ${post.post}`, class: "due" }, s("title", {}, `${post.message} to ${post.to}${post.period ? `, every ${post.period}` : ""}`),
        s("text", { x: 4, y: y + 15 }, cut(name, Math.floor((begin - 62) / 6.8))), s("text", { class: "left", x: begin - 6, y: y + 15, "text-anchor": "end" }, span(due[0])),
        s("rect", { class: "bar", x: x(0), y: y + 8, width: Math.max(1, x(due[0]) - x(0)), height: 6 }),
        due.map((time, at) => s("circle", { class: at ? "again" : "first", cx: x(time), cy: y + 11, r: at ? 4 : 5 })));
    }),
    rows.length ? null : s("text", { class: "when", x: begin, y: HEAD + 16 }, `Nothing is due in the next ${SECONDS} seconds.`));
  return all.length - rows.length;
}

// Places for the nodes of a graph: in columns, so that most arrows go to the right, and ways around the boxes between.

// The height of a way through a column.
const WAY = 14;

/** Finds places. Nodes are `{ id }`, edges `{ from, to }`; the same ones always get the same places. Returns places by
 * id, the ways of arrows that pass through columns by `from\nto`, and the size. */
export function layout(nodes, edges, { width = 170, height = 30, gapX = 110, gapY = 14 } = {}) {
  const out = new Map(nodes.map((node) => [node.id, []]));
  const into = new Map(nodes.map((node) => [node.id, []]));
  for (const edge of edges) {
    if (edge.from === edge.to || !out.has(edge.from) || !out.has(edge.to)) continue;
    out.get(edge.from).push(edge.to);
    into.get(edge.to).push(edge.from);
  }
  // Depth first; what leads back to one that is being visited makes no column.
  const [state, order, back] = [new Map(), [], new Set()];
  const roots = [...nodes].sort((a, b) => into.get(a.id).length - into.get(b.id).length || (a.id < b.id ? -1 : 1));
  for (const root of roots) {
    const stack = [[root.id, 0]];
    while (stack.length) {
      const top = stack.at(-1);
      const [id, at] = top;
      if (at === 0 && !state.has(id)) state.set(id, 1);
      else if (at === 0) { stack.pop(); continue; }
      const next = out.get(id)[at];
      top[1] += 1;
      if (next === undefined) { state.set(id, 2); order.unshift(id); stack.pop(); }
      else if (state.get(next) === 1) back.add(`${id}\n${next}`);
      else if (!state.has(next)) stack.push([next, 0]);
    }
  }
  const column = new Map();
  for (const id of order) {
    const before = into.get(id).filter((from) => !back.has(`${from}\n${id}`) && column.has(from)).map((from) => column.get(from) + 1);
    column.set(id, Math.max(0, ...before));
  }
  const columns = [];
  for (const id of order) (columns[column.get(id)] ??= []).push(id);
  // An arrow that passes through columns has a place in each of them.
  const [before, after, ways] = [new Map(), new Map(), new Map()];
  const join = (a, b) => { after.set(a, [...after.get(a) ?? [], b]); before.set(b, [...before.get(b) ?? [], a]); };
  for (const [id, targets] of out) {
    for (const to of new Set(targets)) {
      const [begin, end] = [column.get(id), column.get(to)];
      if (end <= begin) continue;
      const way = Array.from({ length: end - begin - 1 }, (_, nth) => `way ${id}\n${to}\n${nth}`);
      way.forEach((place, nth) => columns[begin + 1 + nth].push(place));
      [id, ...way, to].reduce((a, b) => { join(a, b); return b; });
      if (way.length) ways.set(`${id}\n${to}`, way);
    }
  }
  // A few sweeps: each where the middle of its neighbours is.
  const row = new Map();
  const number = () => columns.forEach((ids) => ids.forEach((id, at) => row.set(id, at - ids.length / 2)));
  number();
  for (let sweep = 0; sweep < 8; sweep += 1) {
    const near = sweep % 2 ? after : before;
    const middle = (id) => { const rows = (near.get(id) ?? []).map((other) => row.get(other)); return rows.length ? rows.reduce((a, b) => a + b, 0) / rows.length : row.get(id); };
    for (const ids of columns) { const at = new Map(ids.map((id) => [id, middle(id)])); ids.sort((a, b) => at.get(a) - at.get(b) || (a < b ? -1 : 1)); }
    number();
  }
  const isWay = (id) => id.startsWith("way ");
  const heightOf = (id) => isWay(id) ? WAY : height;
  const tall = (ids) => ids.reduce((sum, id) => sum + heightOf(id) + gapY, -gapY);
  const tallest = Math.max(height, ...columns.map(tall));
  const places = new Map();
  columns.forEach((ids, x) => {
    let y = (tallest - tall(ids)) / 2;
    for (const id of ids) { places.set(id, { x: x * (width + gapX), y, width, height: heightOf(id) }); y += heightOf(id) + gapY; }
  });
  for (const [key, way] of ways) ways.set(key, way.map((id) => places.get(id)));
  return { places, ways, width: Math.max(1, columns.length) * (width + gapX) - gapX, height: tallest };
}

// What a page served by `kg serve` may ask its server for: the nodes that it was made without.
// A page that is a file asks nobody.

const asksServer = about.served && about.left_out.papers + about.left_out.concepts > 0;

// What the server answers, or null if it does not.
async function ask(path, name, value) {
  try {
    const answer = await fetch(`api/${path}?${new URLSearchParams({ [name]: value })}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function fetchNames(text) {
  const found = text.trim() ? await ask("search", "q", text) : null;
  return (found ?? []).filter(({ key }) => !nodeOf.has(key))
    .map(({ key, label, group }) => ({ absent: { key, label, group }, name: label }));
}

// Take a node with all its neighbours into the page; true if it was not whole before.
async function fetchWhole(key) {
  if (!asksServer || nodeOf.get(key)?.isWhole) return false;
  const sent = await ask("node", "key", key);
  if (!sent) return false;
  merge(sent);
  nodeOf.get(key).isWhole = true;
  return true;
}

function merge({ nodes: sent, edges: sentEdges, evidence: said }) {
  const isNew = sent.map(({ key }) => !nodeOf.has(key));
  const merged = sent.map((node) => nodeOf.get(node.key) ?? takeIn(node));
  const number = (place) => merged[place].id;
  for (const { from, to, ...edge } of sentEdges) {
    const ends = { from: number(from), to: number(to) };
    const isHere = nodes[ends.from].edges.some((one) =>
      one.from === ends.from && one.to === ends.to && one.kind === edge.kind);
    if (isHere) continue;
    edges.push({ ...ends, ...edge });
    attach(edges.at(-1));
  }
  for (const place of Object.keys(said.papers)) mergeEvidence(said, place, number);
  merged.forEach((node, place) => {
    if (isNew[place]) placeBeside(node);
  });
}

// What a paper says, of which the page may have known a part.
function mergeEvidence(said, place, number) {
  const { papers, links } = evidence();
  const [known, told] = [papers[number(place)] ?? {}, said.papers[place]];
  const numbered = (row, ...columns) =>
    row.map((value, column) => (columns.includes(column) ? number(value) : value));
  const join = (some = [], others = [], columns = []) =>
    [...new Map([...some, ...others.map((row) => numbered(row, ...columns))]
      .map((row) => [JSON.stringify(row), row])).values()];
  papers[number(place)] = {
    ...told,
    proposes: [...new Set([...known.proposes ?? [], ...(told.proposes ?? []).map(number)])],
    mentions: join(known.mentions, told.mentions, [5])
      .sort((one, another) => another[4] - one[4] || one[0] - another[0]),
    relations: join(known.relations, told.relations, [3, 5]),
  };
  const ends = new Map((links[number(place)] ?? []).map((link) => [link[0], link]));
  for (const [end, shared] of said.links[place]) {
    const before = ends.get(number(end))?.[1] ?? [];
    const after = shared.map(([concept, weight]) => [number(concept), weight]);
    const both = new Map([...before, ...after]);
    ends.set(number(end),
      [number(end), [...both].sort(([, one], [, another]) => another - one)]);
  }
  links[number(place)] = [...ends.values()];
}

function takeIn(node) {
  Object.assign(node, { id: nodes.length, edges: [] });
  nodes.push(node);
  nodeOf.set(node.key, node);
  names().push(...namesOf(node));
  return node;
}

// Beside its neighbours that have a place, each new one at an angle of its own.
function placeBeside(node) {
  for (const [x, y] of [["x", "y"], ["px", "py"]]) {
    const placed = node.edges.map((edge) => other(edge, node)).filter((near) => x in near);
    const middle = (axis) => placed.reduce((sum, near) => sum + near[axis], 0) /
      Math.max(1, placed.length);
    const away = 40 + node.size;
    Object.assign(node, {
      [x]: middle(x) + away * Math.cos(node.id * 2.4),
      [y]: middle(y) + away * Math.sin(node.id * 2.4),
    });
  }
}

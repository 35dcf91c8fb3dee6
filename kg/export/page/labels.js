// The labels of the picture: as many as there is room for, and none on another.

const LINE = 15; // the height of a label
const LABEL_LENGTH = 34; // in characters
const PIXELS_A_LABEL = 10_000; // of the stage's area
const LABELS_TRIED = 500;
const NODES_IN_THE_WAY = 600; // labels give way to no more nodes than these
const FOREMOST = 60;
const CROWD = 600; // more nodes than one can read: the names of their communities tell more

function shorten(text) {
  const characters = Array.from(text);
  if (characters.length <= LABEL_LENGTH) return text;
  return `${characters.slice(0, LABEL_LENGTH - 1).join("").trimEnd()}…`;
}

// While the picture is dragged its labels move with it; finding places for them anew takes longest.
let placed = { labels: [] };

function paintMovedLabels(context, camera) {
  for (const { text, x, y, font, color } of placed.labels) {
    context.font = font;
    const moved = { x: x + camera.left - placed.left, y: y + camera.top - placed.top };
    paintText(context, text, moved, color);
  }
}

// Labels are set one after the other, the weightiest first, each where it covers least. None covers
// another label, and none one of the foremost nodes, unless in a crowd, where their own must show.
function paintLabels(context, camera, scene, candidates) {
  placed = { left: camera.left, top: camera.top, labels: [] };
  const crowded = candidates.length > CROWD;
  const dear = crowded ? 10 : Infinity;
  const foremost = new Set(candidates.slice(0, FOREMOST).filter(isMajor));
  const taken = candidates.slice(0, NODES_IN_THE_WAY).map((node) => ({
    ...boxOf(camera, node), node, cost: foremost.has(node) ? dear : 1,
  })).concat(scene.covered ?? []);
  const most = (node) => (crowded && foremost.has(node) ? NODES_IN_THE_WAY : Number(isMajor(node)));
  const room = Math.max(12, (camera.width * camera.height) / PIXELS_A_LABEL);
  const chosen = [scene.selected, scene.goal, scene.hovered]
    .filter((node) => node && scene.shown.has(node));
  const near = (node) => scene.focus?.get(node) ?? 0;
  const rest = candidates.filter((node) => !chosen.includes(node)).slice(0, LABELS_TRIED)
    .sort((one, another) => near(one) - near(another) || isMajor(another) - isMajor(one));
  let set = 0;
  const written = crowded && !scene.focus
    ? paintCommunityNames(context, camera, candidates, taken) : new Set();
  for (const node of chosen) {
    set += setLabel(context, camera, taken, {
      node, font: FONTS.selected, color: theme.ink, most: Infinity,
    });
  }
  paintEdgeLabels(context, camera, scene, taken);
  for (const node of rest) {
    if (set >= room) break;
    // Among communities the concepts are places on the map, the papers too many to name.
    if (written.has(node.label) || (written.size && !isJoint(node))) continue;
    const font = FONTS[isPaper(node) ? "paper" : "concept"];
    const color = isMajor(node) && !written.size ? theme.ink : theme.muted;
    set += setLabel(context, camera, taken, { node, font, color, most: most(node) });
  }
}

// Each community has its name where its nodes are, the largest first. Return the names written.
function paintCommunityNames(context, camera, crowd, taken) {
  const written = new Set();
  const members = new Map();
  for (const node of crowd) {
    if (node.community === undefined) continue;
    if (!members.has(node.community)) members.set(node.community, []);
    members.get(node.community).push(node);
  }
  const ranked = [...members].sort(([, some], [, others]) => others.length - some.length);
  const inTheWay = taken.filter((box) => box.cost === Infinity);
  context.font = FONTS.community;
  for (const [community, some] of ranked.filter(([, { length }]) => length >= CROWD / 60)) {
    const [name] = about.communities[community];
    const text = shorten(name);
    const half = context.measureText(text).width / 2 + 8;
    const middle = (axis) => median(some.map((node) => camera[axis](node)));
    const [x, y] = [middle("x"), middle("y")];
    const size = { left: x - half, right: x + half, top: y - 14, bottom: y + 14 };
    const box = cheapest([{ x, y, cost: Infinity, ...size }], inTheWay, camera,
      { node: null, most: 0 });
    if (!box) continue;
    inTheWay.push(box);
    taken.push(box);
    written.add(name);
    write(context, text, box, theme.ink);
  }
  return written;
}

function median(values) {
  values.sort((one, another) => one - another);
  return values[values.length >> 1];
}

// What the graph is about: papers, and the concepts that join them.
const isMajor = (node) => isPaper(node) || isJoint(node);

function boxOf(camera, node) {
  const [x, y, radius] = [camera.x(node), camera.y(node), camera.radius(node)];
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

// Set a label where it covers least around its node; 0 if it would cover more than `most`.
function setLabel(context, camera, taken, { node, font, color, most }) {
  context.font = font;
  const text = (node.short ??= shorten(node.label));
  const half = ((node.widths ??= {})[font] ??= context.measureText(text).width) / 2;
  const [x, y, away] = [camera.x(node), camera.y(node), camera.radius(node) + 4];
  const places = [
    [x, y + away + LINE / 2], [x, y - away - LINE / 2], [x + away + half, y], [x - away - half, y],
    ...[[1, 1], [-1, 1], [1, -1], [-1, -1]].map(([right, down]) =>
      [x + right * (half + away / 2), y + down * (away / 2 + LINE / 2)]),
  ];
  const boxes = places.map(([middle, level]) => ({
    x: middle, y: level, cost: Infinity,
    left: middle - half - 3, right: middle + half + 3,
    top: level - LINE / 2, bottom: level + LINE / 2,
  }));
  const box = cheapest(boxes, taken, camera, { node, most });
  if (!box) return 0;
  taken.push(box);
  write(context, text, box, color);
  return 1;
}

// The box that covers least, if it does not cost more than `most`.
function cheapest(boxes, taken, camera, { node, most }) {
  const costs = boxes.map((box) => costOf(box, taken, camera, node));
  const least = Math.min(...costs);
  return least <= most ? boxes[costs.indexOf(least)] : null;
}

// What a label in this box would cover: nodes at their cost, a label or the frame beyond price.
function costOf(box, taken, camera, node) {
  const outside = box.left < 0 || box.right > camera.width ||
    box.top < 0 || box.bottom > camera.height;
  if (outside) return Infinity;
  let cost = 0;
  for (const there of taken) {
    const covers = there.node !== node && box.left < there.right && box.right > there.left &&
      box.top < there.bottom && box.bottom > there.top;
    if (covers) cost += there.cost;
    if (cost === Infinity) break;
  }
  return cost;
}

function write(context, text, { x, y }, color) {
  placed.labels.push({ text, x, y, font: context.font, color });
  paintText(context, text, { x, y }, color);
}

function paintText(context, text, { x, y }, color) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = theme.ground;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

// What joins the two ends of an edge, written along it: the relations of two concepts, the
// weightiest concept that two papers share.
function paintEdgeLabels(context, camera, scene, taken) {
  context.font = FONTS.edge;
  for (const { edge, words } of edgeLabels(scene)) {
    const text = shorten([...words].join(", "));
    const half = context.measureText(text).width / 2 + 2;
    const boxes = [0.5, 0.4, 0.6, 0.3, 0.7].map((share) => {
      const [x, y] = ["x", "y"].map((axis) =>
        (1 - share) * camera[axis](edge.source) + share * camera[axis](edge.target));
      const size = { left: x - half, right: x + half, top: y - 7, bottom: y + 7 };
      return { x, y, cost: Infinity, ...size };
    });
    const box = cheapest(boxes, taken, camera, { node: null, most: 1 });
    if (!box) continue;
    taken.push(box);
    write(context, text, box, theme.accent);
  }
}

// One label for all edges between two nodes.
function edgeLabels(scene) {
  const between = new Map();
  for (const edge of scene.selected ? scene.bright : []) {
    const words = edgeWords(edge);
    const pair = edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`;
    if (!words) continue;
    if (!between.has(pair)) between.set(pair, { edge, words: new Set() });
    between.get(pair).words.add(words);
  }
  return between.values();
}

function edgeWords(edge) {
  if (isMention(edge)) return null;
  if (edge.kind !== "related") return RELATION_NAMES[edge.kind] ?? edge.kind;
  const [strongest] = sharedBy(edge);
  return strongest?.concept.label;
}

const RELATION_NAMES = {
  used_for: "used for", evaluated_on: "evaluated on", trained_on: "trained on",
  benchmark_for: "benchmark for", part_of: "part of", subclass_of: "kind of",
  compared_with: "compared with", measured_by: "measured by", broader: "kind of",
};

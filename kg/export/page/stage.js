// The stage: vis-network holds camera and gestures, we paint, point, and walk by keys.

const REACH = 14; // how far, in pixels, a pointer may miss a node
const SLACK = 6; // how far, in pixels, a pointer may move within a click
const CLOSEST = 2.5; // no fit comes nearer than this scale
const FARTHEST = 0.005;
const [MARGIN_X, MARGIN_Y] = [70, 45]; // in pixels, around what is fitted
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const container = byId("network");
let network = null;
let scene = null;
let isDragged = false;
let pressedAt = null;
let isNear = false; // a choice has brought the camera near
let keepCamera = false; // while the reader points at the graph itself, it does not move away

function openStage() {
  network = new vis.Network(container, {}, JSON.parse(readJson("options")));
  container.querySelector(".vis-network").tabIndex = -1;
  network.on("afterDrawing", (context) => {
    const { canvas } = context;
    context.save();
    const ratio = canvas.width / canvas.clientWidth;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, camera(), { ...scene, covered: covered(), isDragged });
    context.restore();
  });
  network.on("dragStart", () => {
    isDragged = true;
  });
  network.on("dragEnd", () => {
    isDragged = false;
    network.redraw();
  });
  // Not vis-network's own click, which is told of a press that turns into a drag, too.
  container.addEventListener("click", (event) => {
    const { x, y } = place(event);
    if (Math.hypot(x - pressedAt.x, y - pressedAt.y) > SLACK) return;
    keepCamera = true;
    selectNode(nodeAt({ x, y }));
    keepCamera = false;
  });
  container.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !event.buttons) hover(nodeAt(place(event)), place(event));
  });
  container.addEventListener("pointerleave", () => hover(null));
  container.addEventListener("pointerdown", (event) => {
    pressedAt = place(event);
    hover(null);
  });
  container.addEventListener("keydown", walk);
}

function camera() {
  const { x, y } = network.getViewPosition();
  const size = { width: container.clientWidth, height: container.clientHeight };
  return makeCamera({ scale: network.getScale(), x, y, ...size }, scene);
}

function place(event) {
  const { left, top } = container.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

// The node under a point of the stage, or the nearest within reach.
function nodeAt({ x, y }) {
  const eye = camera();
  let nearest = null;
  let best = REACH;
  for (const node of scene.nodes) {
    const gap = Math.hypot(eye.x(node) - x, eye.y(node) - y) - eye.radius(node);
    const handicap = scene.focus && !scene.focus.has(node) ? REACH / 2 : 0;
    if (gap + handicap < best) [nearest, best] = [node, gap + handicap];
  }
  return nearest;
}

function hover(node, at) {
  const tip = byId("tip");
  tip.hidden = !node;
  container.style.cursor = node ? "pointer" : "";
  if (node) {
    tip.replaceChildren(
      element("strong", { dir: "auto" }, node.label),
      element("span", {}, sign(node.group), essentials(node)));
    const room = container.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(at.x + 14, room))}px`;
    tip.style.top = `${Math.min(at.y + 16, container.clientHeight - tip.offsetHeight - 8)}px`;
  }
  if (node === scene.hovered) return;
  scene.hovered = node;
  scene.bright = brightEdges();
  network.redraw();
}

// --- what is drawn -------------------------------------------------------------------------------

function setScene(state) {
  const view = viewOf(state);
  const passing = passingNodes(state, view);
  const allowed = (node) => passing.has(node);
  const path = state.node && state.to ? shortestPath(state.node, state.to, view, allowed) : null;
  const focus = state.node && state.to ? pathFocus(state, path) : focusOf(state, view, allowed);
  const shown = firstNodes(passing, state, focus);
  const candidates = edgesAmong(shown, view);
  scene = {
    view, shown, focus, path, candidates,
    nodes: mostLinkedFirst(shown, candidates),
    rest: state.edges === "all" ? candidates : backbone(candidates),
    bright: [],
    selected: state.node,
    goal: state.to,
    steps: state.steps,
    hovered: null,
  };
  scene.bright = brightEdges();
}

function mostLinkedFirst(shown, edges) {
  const count = new Map([...shown].map((node) => [node, 0]));
  for (const { source, target } of edges) {
    count.set(source, count.get(source) + 1);
    count.set(target, count.get(target) + 1);
  }
  return [...shown].sort((one, another) => count.get(another) - count.get(one));
}

const pathFocus = ({ node, to }, path) =>
  new Map([node, to, ...(path ?? []).flatMap((edge) => [edge.source, edge.target])]
    .map((onPath) => [onPath, 0]));

// The nodes in focus with their distance; of a concept among papers, the papers that mention it.
function focusOf(state, view, allowed) {
  if (!state.node) return null;
  if (view.shows(state.node)) return neighbourhood(state.node, state.steps, view, allowed);
  const papers = state.node.edges.filter(isMention);
  return new Map(papers.map((edge) => [edge.source, 1]));
}

// All edges of what is in focus: on the path, within the neighbourhood, or under the pointer.
function brightEdges() {
  const { path, focus, hovered, selected, goal, steps, shown, candidates } = scene;
  const touches = (edge, node) => node && (edge.source === node || edge.target === node);
  const ofPointer = (edge) => touches(edge, hovered);
  if (goal) return [...(path ?? []), ...candidates.filter(ofPointer)];
  const inFocus = (edge) => focus?.has(edge.source) && focus.has(edge.target) &&
    (steps > 1 || touches(edge, selected) || !shown.has(selected) || isRelation(edge));
  return candidates.filter((edge) => ofPointer(edge) || inFocus(edge));
}

// Move the camera until all these nodes are in the frame, their labels too.
function fit(wanted, animated = true) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const node of wanted) {
    if (!scene.shown.has(node)) continue;
    const [x, y] = [scene.view.x(node), scene.view.y(node)];
    Object.assign(box, {
      left: Math.min(box.left, x), right: Math.max(box.right, x),
      top: Math.min(box.top, y), bottom: Math.max(box.bottom, y),
    });
  }
  if (box.left > box.right) return;
  const scale = Math.min(CLOSEST,
    (container.clientWidth - 2 * MARGIN_X) / Math.max(1, box.right - box.left),
    (container.clientHeight - 2 * MARGIN_Y) / Math.max(1, box.bottom - box.top));
  network.moveTo({
    position: { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 },
    scale: Math.max(FARTHEST, scale),
    animation: animated && !calm ? { duration: 350, easingFunction: "easeInOutQuad" } : false,
  });
}

// Show what is in focus, or all.
function frame(animated = true) {
  fit(scene.focus?.keys() ?? scene.shown, animated);
  isNear = Boolean(scene.focus);
}

// The frames that lie over the graph, which no label should go under.
function covered() {
  const { left, top } = container.getBoundingClientRect();
  return ["legend", "zoom", "notice"].map((id) => byId(id).getBoundingClientRect())
    .map((box) => ({
      left: box.left - left, right: box.right - left,
      top: box.top - top, bottom: box.bottom - top, cost: Infinity,
    }));
}

function zoom(factor) {
  network.moveTo({ scale: network.getScale() * factor });
}

// --- by keys -------------------------------------------------------------------------------------

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// An arrow key goes to the nearest node that lies that way, first among the neighbours.
function walk(event) {
  const way = WAYS[event.key];
  if (!way) return;
  event.preventDefault();
  const from = scene.shown.has(state.node) ? state.node : null;
  const next = from ? nodeThatWay(from, way) : scene.nodes[0];
  if (next) selectNode(next);
}

function nodeThatWay(from, [right, down]) {
  const { x, y } = scene.view;
  const cost = (node) => {
    const [ahead, aside] = [
      (x(node) - x(from)) * right + (y(node) - y(from)) * down,
      Math.abs((x(node) - x(from)) * down) + Math.abs((y(node) - y(from)) * right),
    ];
    return ahead > 0 && ahead >= aside / 2 ? ahead + 2 * aside : Infinity;
  };
  const nearest = (some) => some.reduce(
    ([best, least], node) => (cost(node) < least ? [node, cost(node)] : [best, least]),
    [null, Infinity])[0];
  const isShown = (node) => scene.shown.has(node);
  const neighbours = [...neighbourhood(from, 1, scene.view, isShown).keys()];
  return nearest(neighbours) ?? nearest(scene.nodes);
}

// The picture: edges and nodes on a canvas, in screen coordinates (labels are in labels.js).
// Whatever takes the same calls as a canvas can be painted on (see save.js).

// Corners on a circle of radius one, blown up until the shapes look equally large.
const CORNERS = {
  square: [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]],
  diamond: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]],
  hexagon: [[1.06, 0], [0.53, 0.92], [-0.53, 0.92], [-1.06, 0], [-0.53, -0.92], [0.53, -0.92]],
  triangle: [[0, -1.2], [1.14, 0.78], [-1.14, 0.78]],
};
const FONT_FAMILY = 'Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const FONTS = {
  selected: `600 14px ${FONT_FAMILY}`,
  paper: `600 12px ${FONT_FAMILY}`,
  concept: `400 12px ${FONT_FAMILY}`,
  community: `600 16px ${FONT_FAMILY}`,
  edge: `500 10.5px ${FONT_FAMILY}`,
};

const SPECK = 2.4; // a radius in pixels

let theme = {};

// The colours of the style sheet, as a canvas takes them.
function readTheme() {
  const probe = element("i");
  document.body.append(probe);
  const names = ["ground", "ink", "muted", "edge", "bright", "accent", ...GROUPS];
  theme = Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
}

// A camera looks at a place of the graph with a scale; nodes grow more slowly than the scale, so
// that they are neither dust from afar nor boulders at hand.
function makeCamera({ scale, x, y, width, height }, { view }) {
  const growth = scale ** 0.6;
  return {
    width, height,
    left: width / 2 - x * scale,
    top: height / 2 - y * scale,
    x: (node) => (view.x(node) - x) * scale + width / 2,
    y: (node) => (view.y(node) - y) * scale + height / 2,
    radius: (node) => Math.max(isJoint(node) ? 1.6 : 1, node.size * growth),
  };
}

function paint(context, camera, scene) {
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, camera.width, camera.height);
  const alpha = scene.focus ? 0.35 : 1;
  paintRestingEdges(context, camera, scene, alpha);
  paintFocusedEdges(context, camera, scene);
  const inFrame = scene.nodes.filter((node) => isInFrame(camera, node));
  const lit = (node) => !scene.focus || scene.focus.has(node) || node === scene.hovered;
  paintNodes(context, camera, inFrame.filter((node) => !lit(node)), 0.16);
  const bold = inFrame.filter(lit);
  // In a crowd all step back behind what joins them.
  const joins = scene.focus || bold.length <= CROWD ? () => true : isJoint;
  paintNodes(context, camera, bold.filter((node) => !joins(node)), 0.4);
  paintNodes(context, camera, bold.filter(joins), 1);
  for (const node of [scene.hovered, scene.selected, scene.goal]) {
    if (node && scene.shown.has(node)) paintRing(context, camera, node);
  }
  if (scene.isDragged) paintMovedLabels(context, camera);
  else paintLabels(context, camera, scene, bold);
}

function isInFrame(camera, node) {
  const [x, y] = [camera.x(node), camera.y(node)];
  return x > -30 && y > -30 && x < camera.width + 30 && y < camera.height + 30;
}

function paintEdges(context, camera, drawn, { color, alpha, width }) {
  context.globalAlpha = alpha;
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  for (const { source, target } of drawn) {
    const [x, y] = [camera.x(source), camera.y(source)];
    const [toX, toY] = [camera.x(target), camera.y(target)];
    const misses = Math.max(x, toX) < 0 || Math.min(x, toX) > camera.width ||
      Math.max(y, toY) < 0 || Math.min(y, toY) > camera.height;
    if (misses) continue;
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  }
  context.stroke();
  context.globalAlpha = 1;
}

// In a crowd those that lead from one community to another are faint, or they would hide it.
function paintRestingEdges(context, camera, { rest, nodes }, alpha) {
  const style = { color: theme.edge, alpha, width: 1 };
  if (nodes.length <= CROWD) {
    paintEdges(context, camera, rest, style);
    return;
  }
  const [within, across] = [[], []];
  for (const edge of rest) {
    (edge.source.community === edge.target.community ? within : across).push(edge);
  }
  paintEdges(context, camera, across, { ...style, alpha: alpha / 4 });
  paintEdges(context, camera, within, style);
}

function paintFocusedEdges(context, camera, { bright }) {
  const batches = new Map();
  for (const edge of bright) {
    const color = isMention(edge) ? theme[edge.target.group] : theme.bright;
    const width = edge.kind === "related" ? 1 + Math.round(6 * edge.value) / 2 : 1.4;
    const style = `${color} ${width}`;
    if (!batches.has(style)) batches.set(style, { color, width, drawn: [] });
    batches.get(style).drawn.push(edge);
  }
  for (const { color, width, drawn } of batches.values()) {
    paintEdges(context, camera, drawn, { color, width, alpha: 0.55 });
  }
  context.fillStyle = theme.bright;
  bright.filter(isRelation).forEach((edge) => paintArrow(context, camera, edge));
}

// The head of an arrow where the edge meets its target.
function paintArrow(context, camera, { source, target }) {
  const [x, y] = [camera.x(target), camera.y(target)];
  const [acrossX, acrossY] = [x - camera.x(source), y - camera.y(source)];
  const angle = Math.atan2(acrossY, acrossX);
  const away = camera.radius(target) + 3;
  const size = Math.min(7, (Math.hypot(acrossX, acrossY) - away) / 3);
  if (size < 2) return;
  const tip = [x - away * Math.cos(angle), y - away * Math.sin(angle)];
  context.beginPath();
  context.moveTo(...tip);
  for (const side of [-0.45, 0.45]) {
    context.lineTo(tip[0] - size * Math.cos(angle + side), tip[1] - size * Math.sin(angle + side));
  }
  context.closePath();
  context.fill();
}

function paintNodes(context, camera, drawn, alpha) {
  context.globalAlpha = alpha;
  context.strokeStyle = theme.ground;
  context.lineWidth = 1.2;
  // The largest, which come first, lie under the small ones.
  for (const group of GROUPS) {
    context.fillStyle = theme[group];
    for (const node of drawn) {
      if (node.group !== group) continue;
      const [x, y, radius] = [camera.x(node), camera.y(node), camera.radius(node)];
      if (radius < SPECK) { // too small to have a shape, and very many
        context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
        continue;
      }
      context.beginPath();
      trace(context, node.shape, x, y, radius);
      context.fill();
      if (radius > 4) context.stroke();
    }
  }
  context.globalAlpha = 1;
}

function trace(context, shape, x, y, radius) {
  const corners = CORNERS[shape];
  if (!corners) {
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([right, down], index) => {
    context[index ? "lineTo" : "moveTo"](x + right * radius, y + down * radius);
  });
  context.closePath();
}

function paintRing(context, camera, node) {
  context.strokeStyle = theme.accent;
  context.lineWidth = 2.5;
  context.beginPath();
  trace(context, node.shape, camera.x(node), camera.y(node), camera.radius(node) + 4);
  context.stroke();
}

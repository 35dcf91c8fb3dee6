// The picture as a file: PNG from a canvas, SVG from a stand-in that writes down what is painted.

const round = (value) => Math.round(value * 10) / 10;
const escapeXml = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

class SvgContext {
  constructor({ width, height }) {
    Object.assign(this, { width, height, parts: [], path: "" });
    Object.assign(this, { globalAlpha: 1, lineWidth: 1, font: "", fillStyle: "", strokeStyle: "" });
    this.measurer = element("canvas").getContext("2d");
  }

  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${round(x)} ${round(y)}`; }
  lineTo(x, y) { this.path += `L${round(x)} ${round(y)}`; }
  closePath() { this.path += "Z"; }

  // Only whole circles are painted.
  arc(x, y, radius) {
    const [left, right, level, r] = [x - radius, x + radius, y, radius].map(round);
    const half = (end) => `A${r} ${r} 0 1 1 ${end} ${level}`;
    this.path += `M${left} ${level}${half(right)}${half(left)}Z`;
  }

  fill() { this.add(`<path d="${this.path}" fill="${this.fillStyle}"`, "/>"); }

  stroke() {
    if (!this.path) return;
    this.add(`<path d="${this.path}" fill="none" ${this.pen()}`, "/>");
  }

  fillRect(x, y, width, height) {
    const [left, top, across, down] = [x, y, width, height].map(round);
    const size = `x="${left}" y="${top}" width="${across}" height="${down}"`;
    this.add(`<rect ${size} fill="${this.fillStyle}"`, "/>");
  }

  strokeText(text, x, y) { this.text(text, x, y, `fill="none" ${this.pen()}`); }
  fillText(text, x, y) { this.text(text, x, y, `fill="${this.fillStyle}"`); }

  measureText(text) {
    this.measurer.font = this.font;
    return this.measurer.measureText(text);
  }

  pen() {
    return `stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round"`;
  }

  text(text, x, y, paint) {
    const [weight, size] = this.font.split(" ");
    this.add(
      `<text x="${round(x)}" y="${round(y)}" ${paint} font-weight="${weight}" ` +
      `font-size="${size}" text-anchor="middle" dominant-baseline="central"`,
      `>${escapeXml(text)}</text>`);
  }

  add(head, tail) {
    const faint = this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`;
    this.parts.push(head + faint + tail);
  }

  toString() {
    const { width, height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="${escapeXml(FONT_FAMILY)}">\n` +
      `${this.parts.join("\n")}\n</svg>\n`;
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function saveSvg(camera, scene) {
  const context = new SvgContext(camera);
  paint(context, camera, scene);
  download(new Blob([context.toString()], { type: "image/svg+xml" }), "graph.svg");
}

// Twice as fine as the screen's own pixels, for print.
function savePng(camera, scene) {
  const ratio = 2 * window.devicePixelRatio;
  const canvas = element("canvas", { width: camera.width * ratio, height: camera.height * ratio });
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  paint(context, camera, scene);
  canvas.toBlob((blob) => download(blob, "graph.png"), "image/png");
}

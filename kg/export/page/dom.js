// The document: elements are made here alone, and text enters them as text, never as markup.

const byId = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// The sign of a type: the shape and the colour that its nodes have in the graph.
function sign(group) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", signPath(group));
  path.setAttribute("class", `fill-${group}`);
  picture.setAttribute("viewBox", "-10 -10 20 20");
  picture.setAttribute("class", "sign");
  picture.setAttribute("aria-hidden", "true");
  picture.append(path);
  return picture;
}

function signPath(group) {
  const corners = CORNERS[SHAPES[group]];
  if (!corners) return "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0Z";
  return `M${corners.map(([x, y]) => `${x * 8} ${y * 8}`).join("L")}Z`;
}

// A link to elsewhere only if it is one that a browser opens as a page.
function webAddress(text) {
  try {
    const address = new URL(text);
    return ["http:", "https:"].includes(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

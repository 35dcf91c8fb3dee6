// Search with completion: a combobox over the labels, aliases and titles of the graph
// (the pattern of the ARIA authoring practices).

const FOUND_AT_MOST = 12;

// Names are compared without case, accents and the difference of hyphen and space.
const fold = (text) =>
  text.normalize("NFKD").toLowerCase()
    .replace(/\p{Mn}/gu, "").replace(/[\p{Pd}\s_]+/gu, " ").trim();

let namesRead = null;

// Every name of every node, folded; the label comes first.
function names() {
  namesRead ??= nodes.flatMap((node) =>
    [node.label, node.title, ...(node.aliases ?? [])]
      .filter((name, index, all) => name && all.indexOf(name) === index)
      .map((name) => ({ node, name, folded: fold(name) })));
  return namesRead;
}

// How well a name answers: the whole, its beginning, that of a word, any part, or not at all.
function grade(folded, wanted) {
  if (folded === wanted) return 0;
  if (folded.startsWith(wanted)) return 1;
  if (folded.includes(` ${wanted}`)) return 2;
  return folded.includes(wanted) ? 3 : Infinity;
}

function find(text) {
  const wanted = fold(text);
  if (!wanted) return [];
  const best = new Map();
  for (const { node, name, folded } of names()) {
    const found = { node, name, grade: grade(folded, wanted) };
    if (found.grade < (best.get(node)?.grade ?? Infinity)) best.set(node, found);
  }
  return [...best.values()]
    .sort((one, another) =>
      one.grade - another.grade ||
      another.node.papers - one.node.papers ||
      one.node.index - another.node.index)
    .slice(0, FOUND_AT_MOST);
}

// An input with its list of findings, of which one is active; the chosen node goes to `pick`.
class Combobox {
  constructor(input, list, pick) {
    Object.assign(this, { input, list, pick, found: [], active: -1 });
    input.addEventListener("input", () => this.search());
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => this.close());
  }

  search() {
    this.found = find(this.input.value);
    this.list.replaceChildren(...this.found.map((one, place) => this.option(one, place)));
    if (!this.found.length && this.input.value.trim()) {
      this.list.append(element("li", { className: "none" }, "Nothing has that name."));
    }
    this.list.hidden = !this.list.children.length;
    this.input.ariaExpanded = String(this.found.length > 0);
    this.activate(this.found.length ? 0 : -1);
  }

  option({ node, name }, place) {
    const made = element("li", { role: "option", id: `${this.list.id}-${place}` },
      sign(node.group),
      element("span", { className: "found", dir: "auto" }, node.label),
      element("span", { className: "note", dir: "auto" },
        name === node.label ? essentials(node) : name));
    // The input keeps the focus, or its list would close under the pointer.
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    made.addEventListener("click", () => this.take(place));
    return made;
  }

  activate(place) {
    this.active = place;
    this.found.forEach((_, index) => {
      this.list.children[index].ariaSelected = String(index === place);
    });
    this.input.removeAttribute("aria-activedescendant");
    if (place < 0) return;
    this.input.setAttribute("aria-activedescendant", this.list.children[place].id);
    this.list.children[place].scrollIntoView({ block: "nearest" });
  }

  take(place) {
    const { node } = this.found[place];
    this.input.value = "";
    this.close();
    this.pick(node);
  }

  close() {
    this.found = [];
    this.activate(-1);
    this.list.replaceChildren();
    this.list.hidden = true;
    this.input.ariaExpanded = "false";
  }

  onKey(event) {
    const { found, active } = this;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && found.length) this.activate((active + move + found.length) % found.length);
    else if (event.key === "Enter" && active >= 0) this.take(active);
    else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.list.hidden) this.input.blur();
      this.input.value = "";
      this.close();
    } else return;
    event.preventDefault();
  }
}

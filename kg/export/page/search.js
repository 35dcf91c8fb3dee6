// Search with completion: a combobox over the labels, aliases and titles of the graph
// (the pattern of the ARIA authoring practices).

const FOUND_AT_MOST = 12;

// Names are compared without case, accents and the difference of hyphen and space.
const fold = (text) =>
  text.normalize("NFKD").toLowerCase()
    .replace(/\p{Mn}/gu, "").replace(/[\p{Pd}\s_]+/gu, " ").trim();

let namesRead = null;
let absentRead = null;

// Every name of every node, folded; the label comes first.
function names() {
  namesRead ??= nodes.flatMap(namesOf);
  return namesRead;
}

const namesOf = (node) =>
  [node.label, node.title, ...(node.aliases ?? [])]
    .filter((name, index, all) => name && all.indexOf(name) === index)
    .map((name) => ({ node, name, folded: fold(name) }));

// The names of nodes that are not on the page, as far as it had room for them.
function absentNames() {
  absentRead ??= readJson("names").map(([label, group]) =>
    ({ absent: { label, group }, name: label, folded: fold(label) }));
  return absentRead;
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
      one.node.id - another.node.id)
    .slice(0, FOUND_AT_MOST);
}

// The best of what is not on the page; they come most linked first.
function findAbsent(text) {
  const wanted = fold(text);
  if (!wanted) return [];
  return absentNames().map((one) => ({ ...one, grade: grade(one.folded, wanted) }))
    .filter((found) => found.grade < Infinity)
    .sort((one, another) => one.grade - another.grade)
    .slice(0, FOUND_AT_MOST);
}

// An input with its list of findings, of which one is active; the chosen one goes to `pick`.
class Combobox {
  constructor(input, list, pick, { absentToo = false } = {}) {
    Object.assign(this, { input, list, pick, absentToo, found: [], active: -1 });
    input.addEventListener("input", () => this.search());
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => this.close());
  }

  search() {
    const text = this.input.value;
    const here = find(text);
    const room = FOUND_AT_MOST - here.length;
    this.show(room && this.absentToo && !about.served
      ? [...here, ...findAbsent(text).slice(0, room)] : here);
    if (room && this.absentToo && asksServer) this.searchServer(text, here);
  }

  async searchServer(text, here) {
    const there = await fetchNames(text);
    const isAsked = this.input.value === text && document.activeElement === this.input;
    if (isAsked && there.length) this.show([...here, ...there].slice(0, FOUND_AT_MOST));
  }

  show(found) {
    this.found = found;
    this.list.replaceChildren(...found.map((one, place) => this.option(one, place)));
    if (!found.length && this.input.value.trim()) {
      this.list.append(element("li", { className: "none" }, "Nothing has that name."));
    }
    this.list.hidden = !this.list.children.length;
    this.input.ariaExpanded = String(found.length > 0);
    this.activate(found.length ? 0 : -1);
  }

  option({ node, absent, name }, place) {
    const { label, group } = node ?? absent;
    const note = !node ? "not on this page" : name === label ? essentials(node) : name;
    const made = element("li", { role: "option", id: `${this.list.id}-${place}` },
      sign(group),
      element("span", { className: "found", dir: "auto" }, label),
      element("span", { className: "note", dir: "auto" }, note));
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
    const found = this.found[place];
    this.input.value = "";
    this.close();
    this.pick(found);
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

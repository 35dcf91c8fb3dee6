// The panel beside the graph: an overview, a concept, a paper, or the path between two.

const SHOWN_OF_A_LIST = 12;
const SINGULAR = {
  paper: "Paper", Method: "Method", Task: "Task", Dataset: "Dataset", Metric: "Metric",
};

// A node in a few words.
function essentials(node) {
  const words = [SINGULAR[node.group]];
  if (isPaper(node)) {
    words.push(node.venue, node.year, node.papers ? plural(node.papers, "linked paper") : null);
  } else words.push(plural(node.papers, "paper"));
  return words.filter(Boolean).join(" · ");
}

const heading = (text) => element("h3", {}, text);
const line = (text) => element("p", { className: "quiet" }, text);

function nodeButton(node, className = "chip") {
  const label = element("span", { dir: "auto" }, node.label);
  const button = element("button", { type: "button", className }, sign(node.group), label);
  button.addEventListener("click", () => selectNode(node));
  return button;
}

// The first of a long list, and a button for the next.
function longList(items, makeItem, className = "list") {
  const list = element("ul", { className });
  const more = element("button", { type: "button", className: "more" });
  const extend = () => {
    const from = list.children.length;
    const to = from + (from ? 10 : 1) * SHOWN_OF_A_LIST;
    list.append(...items.slice(from, to).map((item) => element("li", {}, makeItem(item))));
    more.textContent = `${(items.length - list.children.length).toLocaleString("en")} more`;
    more.hidden = list.children.length === items.length;
  };
  more.addEventListener("click", () => {
    const place = list.children.length;
    extend();
    list.children[place]?.querySelector("button")?.focus();
  });
  extend();
  return [list, more];
}

// A stretch of text with its marks, each a link to its concept.
function passage({ text, first, last, marks }) {
  const parts = [];
  let at = first;
  for (const { start, end, concept } of marks) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    const link = element("a", {
      href: writeState({ ...state, node: concept, to: null }),
      className: `mark mark-${concept.group}`, title: concept.label,
    }, text.slice(start, end));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      selectNode(concept);
    });
    parts.push(link);
    at = end;
  }
  return [...parts, text.slice(at, last)];
}

const quote = (sentence) =>
  sentence.text ? element("blockquote", { dir: "auto" }, ...passage(sentence)) : null;

// --- overview ------------------------------------------------------------------------------------

function overview(shown) {
  const parts = [
    element("h2", {}, "What these papers share"),
    line("Search, or choose a node, to read where the papers say it."),
  ];
  const joining = [...shown].filter((node) => node.papers > (isPaper(node) ? 0 : 1));
  const ranked = joining.length ? joining : [...shown];
  for (const group of GROUPS) {
    const top = ranked.filter((node) => node.group === group)
      .sort((one, another) => another.papers - one.papers || one.index - another.index)
      .slice(0, 5);
    if (!top.length) continue;
    const title = group === "paper" ? "Most linked papers" : GROUP_NAMES[group];
    parts.push(heading(title), element("ul", { className: "ranking" }, top.map((node) => {
      const row = nodeButton(node, "row");
      row.append(element("span", { className: "count" }, String(node.papers)));
      row.style.setProperty("--share", node.papers / Math.max(1, top[0].papers));
      row.title = essentials(node);
      return element("li", {}, row);
    })));
  }
  return parts;
}

// --- a concept -----------------------------------------------------------------------------------

function conceptDetails(concept) {
  const papers = concept.edges
    .filter((edge) => edge.kind === "mentions")
    .sort((one, another) => another.value - one.value)
    .map((edge) => edge.source);
  return [
    ...title(concept),
    ...aliases(concept.aliases ?? []),
    ...tools(concept),
    heading(plural(papers.length, "paper")),
    ...longList(papers, (paper) => [
      nodeButton(paper, "row"),
      ...someSentences(sentencesOf(paper, concept)),
    ], "list cards"),
    ...hierarchy(concept),
    ...relationSection([...statements({ concept })]),
  ];
}

function aliases(all) {
  const [some, others] = [all.slice(0, SHOWN_OF_A_LIST), all.slice(SHOWN_OF_A_LIST)];
  const words = (names) => element("span", { dir: "auto" }, names.join(", "));
  if (!some.length) return [];
  const first = element("p", { className: "aliases" },
    element("span", { className: "quiet" }, "also "), words(some));
  if (!others.length) return [first];
  const more = element("summary", {}, `${others.length.toLocaleString("en")} more names`);
  return [first, element("details", {}, more, words(others))];
}

// The first sentence, the others behind a button.
function someSentences(sentences) {
  const [first, ...others] = sentences;
  if (!first) return [];
  if (!others.length) return [quote(first)];
  return [quote(first), element("details", {},
    element("summary", {}, plural(others.length, "more sentence")), others.map(quote))];
}

function hierarchy(concept) {
  const broader = concept.edges.filter((edge) => edge.kind === "broader");
  const sides = [
    ["Broader", broader.filter((edge) => edge.source === concept)],
    ["Narrower", broader.filter((edge) => edge.target === concept)],
  ];
  return sides.filter(([, found]) => found.length).flatMap(([name, found]) => [
    heading(name),
    ...longList(found, (edge) => nodeButton(other(edge, concept)), "chips"),
  ]);
}

function relationSection(found) {
  if (!found.length) return [];
  const together = new Map();
  for (const statement of found) {
    const { head, type, tail } = statement;
    const key = `${head.index} ${type} ${tail.index}`;
    if (!together.has(key)) together.set(key, []);
    together.get(key).push(statement);
  }
  const ranked = [...together.values()].sort((one, another) => another.length - one.length);
  return [heading("Relations"), ...longList(ranked, (all) => {
    const [{ head, type, tail, sentence, paper }] = all;
    return [
      triple(head, type, tail),
      quote(sentence),
      nodeButton(paper, "row source"),
      all.length > 1 ? line(`and ${plural(all.length - 1, "statement")} more`) : null,
    ];
  }, "list cards")];
}

const triple = (head, type, tail) => element("p", { className: "triple" }, nodeButton(head),
  element("span", { className: "relation" }, RELATION_NAMES[type] ?? type), nodeButton(tail));

// --- a paper -------------------------------------------------------------------------------------

function paperDetails(paper) {
  const told = evidence().papers[paper.index];
  const marks = mentionsOf(paper);
  const inField = (inTitle) => marks.filter((mention) => mention.inTitle === inTitle);
  const whole = (text, inTitle) =>
    passage({ text, first: 0, last: text.length, marks: inField(inTitle) });
  const proposed = (told.proposes ?? []).map((index) => nodes[index]);
  const links = linksOf(paper);
  const named = told.title === paper.label;
  return [
    ...title(paper, named ? whole(told.title, true) : paper.label),
    told.title && !named
      ? element("p", { className: "full-title", dir: "auto" }, whole(told.title, true)) : null,
    told.authors
      ? element("p", { className: "quiet", dir: "auto" }, told.authors.join(", ")) : null,
    source(told),
    ...tools(paper),
    ...(proposed.length
      ? [heading("Proposes"), ...longList(proposed, (node) => nodeButton(node), "chips")] : []),
    heading("Abstract"),
    told.abstract
      ? element("p", { className: "abstract", dir: "auto" }, whole(told.abstract, false))
      : line(marks.some(({ inTitle }) => !inTitle)
        ? "This page was built without the text." : "Only the title of this paper was given."),
    ...(links.length ? [heading(plural(links.length, "linked paper"))] : []),
    ...(links.length ? longList(links, (link) => linkCard(paper, link), "list cards") : []),
    ...relationSection([...statements({ paper })]),
  ];
}

function source(told) {
  const address = webAddress(told.url ?? (told.doi ? `https://doi.org/${told.doi}` : null));
  if (address) {
    const link = { href: address, rel: "noopener noreferrer", target: "_blank" };
    return element("p", {}, element("a", link, address));
  }
  return told.url ? line(told.url) : null;
}

// A linked paper with what is shared, and the sentence on either side.
function linkCard(paper, { edge, paper: linked, shared }) {
  const row = nodeButton(linked, "row");
  row.append(element("span", { className: "count", title: "cosine of shared concepts" },
    edge.value.toFixed(2)));
  return [row, ...shared.map(({ concept }, index) => element("details", { open: index === 0 },
    element("summary", {}, sign(concept.group), element("span", { dir: "auto" }, concept.label)),
    side("here", bestSentence(paper, concept)), side("there", bestSentence(linked, concept))))];
}

function side(name, sentence) {
  if (!sentence) return null;
  return element("div", { className: "side" }, line(name), quote(sentence));
}

// --- what both share -----------------------------------------------------------------------------

function titleBar(words, close) {
  const properties = { type: "button", className: "close", ariaLabel: "Close" };
  const button = element("button", properties, "×");
  button.addEventListener("click", close);
  return element("div", { className: "title" }, element("h2", { dir: "auto" }, words), button);
}

const title = (node, words = node.label) => [
  titleBar(words, () => selectNode(null)),
  element("p", { className: "kind" }, sign(node.group), essentials(node)),
];

// Steps of neighbourhood, and the way to another node.
function tools(node) {
  const steps = element("div", { className: "segments", role: "group", ariaLabel: "Steps shown" },
    [1, 2, 3].map((count) => {
      const button = element("button", { type: "button", "data-steps": count },
        count === 1 ? "1 step" : String(count));
      button.addEventListener("click", () => choose({ steps: count, to: null }));
      return button;
    }));
  return [element("div", { className: "node-tools" }, steps, pathBox(node))];
}

function pathBox(node) {
  const list = element("ul", {
    id: "path-list", role: "listbox", ariaLabel: "Found", hidden: true,
  });
  const input = element("input", {
    id: "path", type: "search", placeholder: "Path to…", autocomplete: "off", role: "combobox",
    ariaLabel: `Path from ${node.label} to`, "aria-controls": "path-list",
    ariaExpanded: "false", ariaAutoComplete: "list",
  });
  new Combobox(input, list, (goal) => choose({ to: goal }));
  return element("div", { className: "combobox" }, input, list);
}

function pathDetails(from, to, path) {
  const parts = [titleBar("Path", () => choose({ to: null }))];
  if (!path) {
    return [...parts, nodeButton(from), line("is not connected with"), nodeButton(to),
      line("in what is shown. Another view or fewer filters may find a way.")];
  }
  parts.push(line(plural(path.length, "step")), nodeButton(from, "row"));
  let at = from;
  for (const edge of path) {
    const next = other(edge, at);
    parts.push(...stepEvidence(edge), nodeButton(next, "row"));
    at = next;
  }
  return parts;
}

function stepEvidence(edge) {
  if (edge.kind === "mentions") {
    const sentence = bestSentence(edge.source, edge.target);
    return sentence ? [quote(sentence)] : [];
  }
  if (edge.kind === "related") {
    return [element("p", { className: "triple" }, element("span", { className: "quiet" }, "share"),
      sharedBy(edge).map(({ concept }) => nodeButton(concept)))];
  }
  const statement = [...statements({ concept: edge.source })]
    .find(({ type, tail }) => type === edge.kind && tail === edge.target);
  const stated = triple(edge.source, edge.kind, edge.target);
  return statement ? [stated, quote(statement.sentence)] : [stated];
}

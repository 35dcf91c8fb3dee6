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
function longList(items, makeItem, className = "list", first = SHOWN_OF_A_LIST) {
  const list = element("ul", { className });
  const more = element("button", { type: "button", className: "more" });
  const extend = () => {
    const from = list.children.length;
    const to = from ? from + 10 * SHOWN_OF_A_LIST : first;
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
  const parts = state.community === null
    ? [
      element("h2", {}, "What these papers share"),
      line("Search, or choose a node, to read where the papers say it."),
      ...communityRanking(),
    ]
    : [
      titleBar(communityName(state.community), () => choose({ community: null })),
      line("A community: papers that hang together, and what they speak of."),
    ];
  const joining = [...shown].filter((node) => node.papers > (isPaper(node) ? 0 : 1));
  const ranked = joining.length ? joining : [...shown];
  for (const group of GROUPS) {
    const top = ranked.filter((node) => node.group === group)
      .sort((one, another) => another.papers - one.papers || one.id - another.id)
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

function communityRanking() {
  const all = communitySizes();
  if (all.length < 2) return [];
  return [heading("Communities"), ...longList(all, ([community, papers]) => {
    const [first, ...rest] = about.communities[community];
    const row = element("button", { type: "button", className: "row" },
      element("span", { dir: "auto" }, first,
        rest.length ? element("span", { className: "quiet" }, ` ${rest.join(", ")}`) : null),
      element("span", { className: "count" }, papers.toLocaleString("en")));
    row.style.setProperty("--share", papers / all[0][1]);
    row.addEventListener("click", () => choose({ community }));
    return row;
  }, "ranking", 6)];
}

// --- a concept -----------------------------------------------------------------------------------

function conceptDetails(concept) {
  const papers = concept.edges
    .filter(isMention)
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

// --- a paper -------------------------------------------------------------------------------------

function paperDetails(paper) {
  const told = evidence().papers[paper.id];
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

// --- what is not on the page ----------------------------------------------------------------------

function absentDetails({ label, group }) {
  const command = `kg show ${JSON.stringify(label)}`;
  return [
    titleBar(label, () => showPanel(state)),
    element("p", { className: "kind" }, sign(group), SINGULAR[group]),
    line("It has too few links to be on this page, which was kept small. All that is known of it:"),
    element("p", {}, element("code", {}, command)),
  ];
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
  communityLine(node),
];

function communityLine({ community }) {
  if (community === undefined) return null;
  const button = element("button", { type: "button", className: "plain" },
    element("span", { dir: "auto" }, communityName(community)));
  button.addEventListener("click", () => choose({ community, node: null, to: null }));
  return element("p", { className: "community" },
    element("span", { className: "quiet" }, "in "), button);
}

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

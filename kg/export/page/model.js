// The graph as the page was given it, and the questions that one can ask of it.

const GROUPS = ["paper", "Method", "Task", "Dataset", "Metric"];
const GROUP_NAMES = {
  paper: "Papers", Method: "Methods", Task: "Tasks", Dataset: "Datasets", Metric: "Metrics",
};

const readJson = (id) => JSON.parse(byId(id).textContent);

const about = readJson("about");
const nodes = readJson("nodes"); // the most linked first
const edges = readJson("edges"); // the strongest first
const nodeOf = new Map(nodes.map((node) => [node.key, node]));
const SHAPES = {
  paper: "square", Method: "dot", Task: "diamond", Dataset: "hexagon", Metric: "triangle",
};

for (const node of nodes) node.edges = [];
edges.forEach(attach);

function attach(edge) {
  edge.source = nodes[edge.from];
  edge.target = nodes[edge.to];
  edge.source.edges.push(edge);
  if (edge.target !== edge.source) edge.target.edges.push(edge);
}

// Texts and offsets are read when they are first asked for.
let evidenceRead = null;
const evidence = () => (evidenceRead ??= readJson("evidence"));

const isPaper = (node) => node.group === "paper";
const other = (edge, node) => (edge.source === node ? edge.target : edge.source);
const isRelation = (edge) => edge.kind !== "mentions" && edge.kind !== "related";
const isJoint = (node) => !isPaper(node) && node.papers > 1; // what joins papers
const isMention = (edge) => edge.kind === "mentions";

// Each view draws some nodes, joined by some kinds of edges, in places of its own.
const VIEWS = {
  all: {
    shows: () => true,
    joins: (edge) => edge.kind !== "related",
    x: (node) => node.x,
    y: (node) => node.y,
  },
  papers: {
    shows: isPaper,
    joins: (edge) => edge.kind === "related",
    x: (node) => node.px,
    y: (node) => node.py,
  },
};

// The view that is chosen, without the relations that are not.
function viewOf(state) {
  const view = VIEWS[state.view];
  const wanted = inEffect(state);
  return { ...view, joins: (edge) => view.joins(edge) && isWanted(edge, wanted) };
}

// Among papers alone the filters of concepts and of what is said of them rest.
const inEffect = (state) =>
  state.view === "papers" ? { ...state, relation: null, sure: 0, least: 1 } : state;

// Of relations, and of what papers state, those of the wanted type and score.
const isWanted = ({ kind, score }, { relation, sure }) =>
  score === undefined || (score >= sure && (!relation || kind === relation));

// The nodes that the view shows and the filters let through.
function passingNodes(state, view) {
  const wanted = inEffect(state);
  const { relation, least } = wanted;
  const related = (concept) => concept.papers >= least &&
    (!relation || concept.edges.some((edge) => isRelation(edge) && isWanted(edge, wanted)));
  const passes = (paper) =>
    (!state.from || paper.year >= state.from) &&
    (!state.until || paper.year <= state.until) &&
    (!state.venue || paper.venue === state.venue) &&
    (state.community === null || paper.community === state.community) &&
    (!relation || paper.edges.some((edge) => isMention(edge) && related(edge.target)));
  const filtered = state.from || state.until || state.venue || state.community !== null;
  const told = (concept) => related(concept) &&
    (!filtered || concept.edges.some((edge) => isMention(edge) && passes(edge.source)));
  return new Set(nodes.filter((node) =>
    view.shows(node) &&
    !state.hide.has(node.group) &&
    (isPaper(node) ? passes(node) : told(node))));
}

// Of very many the first, which are the most linked, and what is in focus.
function firstNodes(passing, state, focus) {
  if (state.everything || passing.size <= about.shown_at_first) return passing;
  const first = [...passing].slice(0, about.shown_at_first);
  return new Set([...first, ...(focus?.keys() ?? [])].filter((node) => passing.has(node)));
}

// The edges among these nodes that a view draws, the strongest first.
function edgesAmong(shown, view) {
  return edges.filter(
    (edge) => view.joins(edge) && shown.has(edge.source) && shown.has(edge.target));
}

// A spanning forest of the strongest edges (Kruskal 1956): about one edge a node.
function backbone(candidates) {
  const parent = new Map();
  const root = (node) => {
    while (parent.has(node)) {
      const above = parent.get(node);
      if (parent.has(above)) parent.set(node, parent.get(above));
      node = above;
    }
    return node;
  };
  return candidates.filter((edge) => {
    const [one, another] = [root(edge.source), root(edge.target)];
    if (one !== another) parent.set(one, another);
    return one !== another;
  });
}

// What is at most so many steps from a node, with its distance.
function neighbourhood(start, steps, view, allowed = () => true) {
  const distance = new Map([[start, 0]]);
  for (const node of distance.keys()) {
    if (distance.get(node) === steps) break;
    for (const edge of node.edges) {
      const next = other(edge, node);
      if (view.joins(edge) && allowed(next) && !distance.has(next)) {
        distance.set(next, distance.get(node) + 1);
      }
    }
  }
  return distance;
}

// A shortest path between two nodes as its edges, or null; stronger edges are tried first.
function shortestPath(start, end, view, allowed) {
  const reachedBy = new Map([[start, null]]);
  for (const node of reachedBy.keys()) {
    if (node === end) break;
    for (const edge of node.edges) {
      const next = other(edge, node);
      if (view.joins(edge) && allowed(next) && !reachedBy.has(next)) reachedBy.set(next, edge);
    }
  }
  if (!reachedBy.has(end)) return null;
  const path = [];
  for (let node = end; node !== start; node = other(path[0], node)) {
    path.unshift(reachedBy.get(node));
  }
  return path;
}

// --- evidence ------------------------------------------------------------------------------------

// A paper's mentions as records; offsets are those of its title or abstract.
function mentionsOf(paper) {
  const told = evidence().papers[paper.id];
  return (told.mentions ?? []).map(([start, end, first, last, inTitle, concept, score]) => ({
    start, end, first, last, inTitle, concept: nodes[concept], score,
    text: inTitle ? told.title : told.abstract,
  }));
}

// The sentences in which a paper mentions a concept, each with all its marks; none of a text that
// the build was told not to keep.
function sentencesOf(paper, concept) {
  const sentences = new Map();
  for (const mention of mentionsOf(paper)) {
    if (mention.concept !== concept || !mention.text) continue;
    const { text, first, last } = mention;
    const place = `${mention.inTitle} ${first}`;
    if (!sentences.has(place)) sentences.set(place, { text, first, last, marks: [], score: 0 });
    const sentence = sentences.get(place);
    sentence.marks.push(mention);
    sentence.score = Math.max(sentence.score, mention.score);
  }
  return [...sentences.values()];
}

// The sentence that speaks for the concept: the surest, then the first.
function bestSentence(paper, concept) {
  return sentencesOf(paper, concept).reduce(
    (best, sentence) => (best && best.score >= sentence.score ? best : sentence), null);
}

// The papers linked to this one, best first, with the concepts shared.
function linksOf(paper) {
  return paper.edges.filter((edge) => edge.kind === "related")
    .map((edge) => ({ edge, paper: other(edge, paper), shared: sharedBy(edge) }));
}

// The concepts that two linked papers share, the weightiest first.
function sharedBy({ source, target }) {
  const [, shared] = evidence().links[source.id].find(([index]) => index === target.id);
  return shared.map(([concept, weight]) => ({ concept: nodes[concept], weight }));
}

// What papers state about two concepts, with the sentence; all of it, or of one paper or concept.
function* statements({ paper = null, concept = null }) {
  const papers = paper
    ? [paper]
    : concept.edges.filter(isMention).map((edge) => edge.source);
  for (const source of papers) {
    const told = evidence().papers[source.id];
    for (const [first, last, inTitle, head, kind, tail, score] of told.relations ?? []) {
      const ends = [nodes[head], nodes[tail]];
      if (concept && !ends.includes(concept)) continue;
      const text = (inTitle ? told.title : told.abstract) ?? "";
      const marks = mentionsOf(source).filter((mention) =>
        ends.includes(mention.concept) && mention.inTitle === inTitle &&
        mention.start >= first && mention.end <= last);
      const sentence = { text, first, last, marks };
      yield { head: ends[0], kind, tail: ends[1], score, paper: source, sentence };
    }
  }
}

"use strict";
// The SPARQL page. All that comes from the data enters the page as text.

const byId = (id) => document.getElementById(id);
const told = JSON.parse(byId("told").textContent);
const ROWS = 1000; // shown of an answer; the whole is offered as a file
const NODES = 60; // drawn of a graph

const RESULTS = "application/sparql-results+json";
const TRIPLES = "application/n-triples";

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// --- named queries -------------------------------------------------------------------------------

function setUp() {
  for (const { name } of told.named) byId("named").append(element("option", { value: name }, name));
  for (const [prefix, iri] of Object.entries(told.prefixes)) {
    byId("prefixes").append(element("dt", {}, `${prefix}:`), element("dd", {}, iri));
  }
  byId("named").addEventListener("change", chooseNamed);
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  byId("query").addEventListener("input", () => {
    byId("named").value = ""; // edited by hand it is the reader's own
    chooseNamed();
  });
  byId("query").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  if (byId("ask").dataset.runs === "yes") run();
}

function chooseNamed() {
  const named = told.named.find(({ name }) => name === byId("named").value);
  byId("help").textContent = named?.help ?? "";
  const rows = Object.entries(named?.parameters ?? {}).map(([name, meaning]) => {
    const example = named.examples[name];
    const field = element("input", { id: `value-${name}`, type: "text",
      placeholder: example === undefined ? "" : `for example: ${example}` });
    field.dataset.variable = name;
    field.dataset.needed = `${name}: ${meaning}`;
    field.addEventListener("input", () => fill(named));
    return element("div", {}, element("label", { htmlFor: field.id }, `${name}: ${meaning}`), field);
  });
  byId("parameters").replaceChildren(...rows);
  if (named) fill(named);
}

const fields = () => [...byId("parameters").querySelectorAll("input")];

// Whether a parameter has no value, without which the named query finds nothing; then say which.
function isUnfilled() {
  byId("parameters").querySelector(".fault")?.remove();
  const field = fields().find(({ value }) => !value.trim());
  if (!field) return false;
  byId("state").textContent = "";
  byId("answer").replaceChildren();
  field.after(fault(`A value is needed for ${field.dataset.needed}.`));
  field.focus();
  return true;
}

// Values stand at the start of the WHERE clause, as terms.
function fill(named) {
  const values = fields().filter((field) => field.value.trim())
    .map((field) => ` VALUES ?${field.dataset.variable} { ${literal(field.value.trim())} }`);
  const where = named.sparql.search(/\{/) + 1;
  byId("query").value = named.sparql.slice(0, where) + values.join("") + named.sparql.slice(where);
}

const ESCAPES = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r" };
const literal = (text) => `"${text.replace(/[\\"\n\r]/g, (sign) => ESCAPES[sign])}"`;

// --- asking --------------------------------------------------------------------------------------

let asked = null;

async function run() {
  asked?.abort();
  if (isUnfilled()) return;
  const mine = (asked = new AbortController());
  byId("state").textContent = "asking …";
  const started = performance.now();
  try {
    const answer = await fetch("/sparql", {
      method: "POST",
      headers: {
        "Content-Type": "application/sparql-query",
        Accept: `${RESULTS}, ${TRIPLES}`,
      },
      body: byId("query").value,
      signal: mine.signal,
    });
    const text = await answer.text();
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    byId("state").textContent = `${seconds} s`;
    byId("answer").replaceChildren(...parts(answer, text).filter(Boolean));
    const address = new URL(location);
    address.searchParams.set("query", byId("query").value);
    if (address.href.length < 8000) history.replaceState(null, "", address);
  } catch (error) {
    if (mine.signal.aborted) return;
    byId("state").textContent = "";
    byId("answer").replaceChildren(fault(`The server does not answer (${error.message}).`));
  }
}

const fault = (text) => element("p", { className: "fault", role: "alert" }, text);

function parts(answer, text) {
  if (!answer.ok) return [fault(text)];
  const file = download(text, answer.headers.get("content-type"));
  if (answer.headers.get("content-type").startsWith(TRIPLES)) {
    const triples = text.split("\n").filter(Boolean).map(triple);
    return [drawing(triples), cut(triples.length, "triples"), file, table(
      ["subject", "predicate", "object"], triples.slice(0, ROWS))];
  }
  const found = JSON.parse(text);
  if ("boolean" in found) return [element("p", {}, found.boolean ? "Yes." : "No.")];
  const { vars } = found.head;
  const rows = found.results.bindings;
  return [cut(rows.length, "rows"), file,
    table(vars, rows.slice(0, ROWS).map((row) => vars.map((name) => row[name])))];
}

function cut(count, noun) {
  const shown = count > ROWS ? `, the first ${ROWS.toLocaleString("en")} shown` : "";
  return element("p", { className: "quiet" }, `${count.toLocaleString("en")} ${noun}${shown}`);
}

function download(text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const name = type.startsWith(TRIPLES) ? "answer.nt" : "answer.json";
  return element("p", {}, element("a", { href, download: name }, "Save the whole answer"));
}

// A line of N-Triples as its three terms.
function triple(line) {
  const [, subject, predicate, object] = line.match(/^(\S+) (\S+) (.*) \.$/s);
  return [subject, predicate, object].map(term);
}

function term(written) {
  if (written.startsWith("<")) return { type: "uri", value: written.slice(1, -1) };
  const quoted = written.match(/^"((?:[^"\\]|\\.)*)"/);
  return quoted ? { type: "literal", value: JSON.parse(quoted[0]) } : { value: written };
}

// --- showing -------------------------------------------------------------------------------------

function table(columns, rows) {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const lines = rows.map((row) => element("tr", {}, ...row.map((one) =>
    element("td", { dir: "auto" }, one ? shown(one) : null))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines));
}

// An IRI of this build leads to its page here, another is only told.
function shown({ type, value }) {
  if (type !== "uri") return value;
  const path = value.startsWith(told.base) ? told.root + value.slice(told.base.length) : null;
  return path?.startsWith("/") && !path.startsWith("//")
    ? element("a", { href: path }, short(value))
    : short(value);
}

function short(iri) {
  const cutAt = Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#")) + 1;
  const prefix = Object.keys(told.prefixes).find((name) => told.prefixes[name] === iri.slice(0, cutAt));
  return prefix === undefined ? iri : `${prefix}:${iri.slice(cutAt)}`;
}

// The nodes on a circle, the most linked first, and what joins them; a node is called by its label
// where the answer has one.
function drawing(triples) {
  const joins = triples.filter(([, , object]) => object.type === "uri");
  if (!joins.length) return null;
  const labels = new Map(triples.filter(([, { value }, object]) =>
    object.type === "literal" && /label$/i.test(value)).map(([{ value }, , object]) => [value, object.value]));
  const degree = new Map();
  for (const [subject, , object] of joins) {
    for (const end of [subject, object]) degree.set(end.value, (degree.get(end.value) ?? 0) + 1);
  }
  const nodes = [...degree].sort((one, other) => other[1] - one[1]).slice(0, NODES);
  const turns = new Map(nodes.map(([iri], index) => [iri, (2 * Math.PI * index) / nodes.length]));
  const at = (turn, away) => [400 + away * Math.cos(turn), 380 + away * Math.sin(turn)];
  const picture = draw("svg", { class: "graph", viewBox: "0 0 800 760", role: "img",
    "aria-label": `${nodes.length} of ${degree.size} nodes and what joins them` });
  for (const [subject, predicate, object] of joins) {
    if (!turns.has(subject.value) || !turns.has(object.value)) continue;
    const [[x1, y1], [x2, y2]] = [subject, object].map(({ value }) => at(turns.get(value), 200));
    const line = draw("line", { x1, y1, x2, y2 });
    line.append(draw("title", {}, short(predicate.value)));
    picture.append(line);
  }
  for (const [iri, turn] of turns) {
    const [[cx, cy], [x, y]] = [at(turn, 200), at(turn, 210)];
    const left = Math.cos(turn) < 0;
    const degrees = (turn * 180) / Math.PI + (left ? 180 : 0);
    const label = labels.get(iri) ?? short(iri);
    picture.append(draw("circle", { cx, cy, r: 4 }), draw("text", { x, y, dy: "0.35em",
      transform: `rotate(${degrees} ${x} ${y})`, "text-anchor": left ? "end" : "start" },
    label.length > 26 ? `${label.slice(0, 25)}…` : label));
  }
  return picture;
}

function draw(tag, attributes, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

setUp();

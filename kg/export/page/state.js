// What the reader has chosen, kept in the address after the `#`, so that a link restores it and
// the browser's own back and forward walk through it.

const START = Object.freeze({
  view: "all", node: null, steps: 1, to: null, hide: new Set(), from: null, until: null,
  venue: null, community: null, relation: null, sure: 0, least: 1, edges: "backbone",
  everything: false, theme: null,
});

function readState(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name) => Number.parseInt(given.get(name), 10) || null;
  const known = (name) => nodeOf.get(given.get(name)) ?? null;
  const place = Number.parseInt(given.get("community"), 10);
  const within = (value, low, high) => Math.min(high, Math.max(low, value));
  return {
    view: Object.hasOwn(VIEWS, given.get("view")) ? given.get("view") : START.view,
    node: known("node"),
    steps: within(number("steps") ?? 1, 1, 3),
    to: known("to"),
    hide: new Set((given.get("hide") ?? "").split(",").filter((name) => GROUPS.includes(name))),
    from: number("from"),
    until: number("until"),
    venue: given.get("venue"),
    community: place in about.communities ? place : null,
    relation: Object.hasOwn(RELATION_NAMES, given.get("relation")) ? given.get("relation") : null,
    sure: within(Number.parseFloat(given.get("sure")) || 0, 0, 1),
    least: Math.max(1, number("least") ?? 1),
    edges: given.get("edges") === "all" ? "all" : START.edges,
    everything: given.get("everything") === "true",
    theme: ["light", "dark"].includes(given.get("theme")) ? given.get("theme") : null,
  };
}

function writeState(state) {
  const written = new URLSearchParams();
  for (const [name, start] of Object.entries(START)) {
    const value = state[name];
    if (name === "hide") {
      if (value.size) written.set(name, [...value].sort().join(","));
    } else if (value !== start) {
      written.set(name, value?.key ?? value);
    }
  }
  return `#${written}`;
}

let state = START;

function become(next) {
  const before = state;
  state = next;
  follow(state, before);
}

// Choosing a node, a path or a view is a step that "back" undoes; a filter is not.
function choose(change) {
  const steps = ["node", "to", "view"];
  const next = { ...state, ...change };
  const isStep = steps.some((name) => name in change && change[name] !== state[name]);
  const written = writeState(next);
  // In the frame of a notebook's cell the address is not ours; the history is.
  const address = location.protocol === "about:" ? undefined : written;
  history[isStep ? "pushState" : "replaceState"](written, "", address);
  become(next);
}

const selectNode = (node) => choose({ node, to: null });

window.addEventListener("popstate", (event) => become(readState(event.state ?? location.hash)));

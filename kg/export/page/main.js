// The page comes alive: controls change the state, and the state changes what is seen.

function follow(now, before) {
  const relations = ["relation", "sure"];
  const filters = [
    "view", "hide", "from", "until", "venue", "community", "least", "everything", ...relations,
  ];
  const changed = (...some) => some.some((name) => now[name] !== before[name]);
  if (changed("theme")) showTheme(now);
  setScene(now);
  // An overview and a path are about what is shown, a paper or a concept but for its relations not.
  const ofShown = !now.node || now.to;
  if (changed("node", "to", ...(ofShown ? filters : relations))) showPanel(now);
  showControls(now);
  // What a choice has brought near goes back when there is none any more.
  const chosen = now.node ? changed("node", "to", "steps") : changed("node") && isNear;
  if (changed("view", "community") || (chosen && !keepCamera)) frame();
  network.redraw();
  if (changed("node") && now.node) complete(now.node);
}

// A page that was made without a part of a node's neighbours asks its server for them.
async function complete(node) {
  if (!await fetchWhole(node.key) || state.node !== node) return;
  follow(state, { ...state, node: null });
}

function showPanel({ node, to }) {
  const panel = byId("panel");
  let parts = null;
  if (node && to) parts = pathDetails(node, to, scene.path);
  else if (node) parts = isPaper(node) ? paperDetails(node) : conceptDetails(node);
  else parts = overview(scene.shown);
  const refocus = panel.contains(document.activeElement);
  panel.replaceChildren(...parts.filter(Boolean));
  panel.scrollTop = 0;
  if (refocus) panel.focus({ preventScroll: true });
  document.body.classList.toggle("chosen", Boolean(node));
  byId("said").textContent = node ? `${node.label}, ${essentials(node)}` : "";
}

// What is known here of a node that was left out: its name.
function showAbsent(absent) {
  selectNode(null);
  byId("panel").replaceChildren(...absentDetails(absent));
}

function showTheme({ theme: chosen }) {
  document.documentElement.style.colorScheme = chosen ?? "";
  readTheme();
}

// --- controls ------------------------------------------------------------------------------------

function showControls(now) {
  for (const button of document.querySelectorAll("[data-view]")) {
    button.ariaPressed = String(button.dataset.view === now.view);
  }
  for (const button of byId("legend").children) {
    button.ariaPressed = String(!now.hide.has(button.dataset.group));
    button.hidden = now.view === "papers" && button.dataset.group !== "paper";
  }
  for (const button of document.querySelectorAll("[data-steps]")) {
    button.ariaPressed = String(Number(button.dataset.steps) === now.steps);
  }
  byId("from").value = now.from ?? "";
  byId("until").value = now.until ?? "";
  byId("venue").value = now.venue ?? "";
  byId("community").value = now.community ?? "";
  byId("relation").value = now.relation ?? "";
  byId("sure").value = now.sure;
  byId("sure-value").textContent = now.sure.toFixed(2);
  byId("least").value = now.least;
  byId("least-value").textContent = plural(now.least, "paper");
  byId("every-edge").checked = now.edges === "all";
  byId("relations").hidden = now.view === "papers" || !edges.some(isRelation);
  byId("common").hidden = now.view === "papers";
  const wanted = inEffect(now);
  const filters = ["from", "until", "venue", "community", "relation", "sure", "least"];
  byId("filters-button").classList.toggle("on",
    filters.some((name) => wanted[name] !== START[name]));
  showNotice(now);
}

// Say what is not shown: left out of the page, beyond the first most linked, or all filtered away.
function showNotice(now) {
  const { papers, concepts } = about.left_out;
  const parts = [];
  if (papers || concepts) {
    parts.push("Left out of this page to keep it small, least linked first: " +
      `${plural(papers, "paper")} and ${plural(concepts, "concept")}. `);
  }
  if (nodes.length > about.shown_at_first && !now.everything) {
    const all = element("button", { type: "button" }, "Show all");
    all.addEventListener("click", () => choose({ everything: true }));
    parts.push(`The ${about.shown_at_first.toLocaleString("en")} most linked of ` +
      `${nodes.length.toLocaleString("en")} nodes are shown; search finds the others. `, all);
  }
  if (!scene.shown.size) {
    const clear = element("button", { type: "button" }, "Clear filters");
    clear.addEventListener("click", clearFilters);
    parts.push(nodes.length ? "Nothing passes these filters. " : "There is nothing in this graph.");
    if (nodes.length) parts.push(clear);
  }
  byId("notice").replaceChildren(...parts);
  byId("notice").hidden = !parts.length;
}

const clearFilters = () =>
  choose({
    hide: new Set(), from: null, until: null, venue: null, community: null,
    relation: null, sure: 0, least: 1, edges: "backbone",
  });

const communityName = (community) => about.communities[community].join(", ");

// The communities with their papers on this page, the largest first.
function communitySizes() {
  const sizes = about.communities.map((_, community) => [community, 0]);
  for (const node of nodes) {
    if (isPaper(node) && node.community !== undefined) sizes[node.community][1] += 1;
  }
  return sizes.filter(([, papers]) => papers).sort(([, one], [, another]) => another - one);
}

function makeSummary() {
  const papers = nodes.filter(isPaper).length;
  byId("summary").textContent =
    `${plural(papers, "paper")} · ${plural(nodes.length - papers, "concept")}`;
  // A server answers queries, too; a file has nobody to ask.
  const ask = element("a", { href: "sparql" }, "Ask in SPARQL");
  if (about.served) byId("summary").append(" · ", ask);
}

function makeLegend() {
  const count = (group) => nodes.filter((node) => node.group === group).length;
  byId("legend").replaceChildren(...GROUPS.filter(count).map((group) => {
    const number = element("span", { className: "count" }, count(group).toLocaleString("en"));
    const button = element("button", { type: "button", "data-group": group },
      sign(group), GROUP_NAMES[group], number);
    button.addEventListener("click", () => {
      const hide = new Set(state.hide);
      if (!hide.delete(group)) hide.add(group);
      choose({ hide });
    });
    return button;
  }));
}

function makeFilters() {
  const papers = nodes.filter(isPaper);
  const values = (name) => [...new Set(papers.map((paper) => paper[name]).filter(Boolean))];
  const options = (all, some) => [
    element("option", { value: "" }, all),
    ...some.map((value) => element("option", { value }, String(value))),
  ];
  const years = values("year").sort((one, another) => one - another);
  byId("from").append(...options("any", years));
  byId("until").append(...options("any", years));
  byId("years").hidden = years.length < 2;
  const communities = communitySizes();
  byId("community").append(
    element("option", { value: "" }, "any"),
    ...communities.map(([community, papers]) => element("option", { value: community },
      `${communityName(community)} (${papers.toLocaleString("en")})`)));
  byId("communities").hidden = communities.length < 2;
  const stated = new Set(edges.filter(isRelation).map((edge) => edge.kind));
  byId("relation").append(
    element("option", { value: "" }, "any"),
    ...Object.entries(RELATION_NAMES).filter(([kind]) => stated.has(kind))
      .map(([kind, name]) => element("option", { value: kind },
        kind === "broader" ? `${name} (by the names)` : name)));
  const venues = values("venue").sort();
  byId("venue").append(...options("any", venues));
  byId("venues").hidden = venues.length < 2;
  const most = nodes.reduce((top, node) => (isPaper(node) ? top : Math.max(top, node.papers)), 1);
  byId("least").max = Math.min(most, 20);
}

function followFilters() {
  const onChange = (id, change) =>
    byId(id).addEventListener("input", ({ target }) => choose(change(target)));
  onChange("from", ({ value }) => ({ from: Number(value) || null }));
  onChange("until", ({ value }) => ({ until: Number(value) || null }));
  onChange("venue", ({ value }) => ({ venue: value || null }));
  onChange("community", ({ value }) => ({ community: value === "" ? null : Number(value) }));
  onChange("relation", ({ value }) => ({ relation: value || null }));
  onChange("sure", ({ value }) => ({ sure: Number(value) }));
  onChange("least", ({ value }) => ({ least: Number(value) }));
  onChange("every-edge", ({ checked }) => ({ edges: checked ? "all" : "backbone" }));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    clearFilters();
  });
}

// --- popovers, buttons, keys ---------------------------------------------------------------------

const POPOVERS = ["filters", "save", "help"];

function toggle(wanted) {
  for (const name of POPOVERS) {
    const open = name === wanted && byId(name).hidden;
    byId(name).hidden = !open;
    byId(`${name}-button`).ariaExpanded = String(open);
  }
}

function makeButtons() {
  const onClick = (id, act) => byId(id).addEventListener("click", act);
  POPOVERS.forEach((name) => onClick(`${name}-button`, () => toggle(name)));
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest(".tools")) toggle(null);
  });
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => choose({ view: button.dataset.view }));
  }
  onClick("zoom-in", () => zoom(1.4));
  onClick("zoom-out", () => zoom(1 / 1.4));
  onClick("fit", () => fit(scene.shown));
  onClick("theme", switchTheme);
  for (const [id, save] of [["save-png", savePng], ["save-svg", saveSvg]]) {
    onClick(id, () => {
      save(camera(), { ...scene, hovered: null });
      toggle(null);
    });
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");

function switchTheme() {
  const isDark = state.theme ? state.theme === "dark" : dark.matches;
  choose({ theme: isDark ? "light" : "dark" });
}

const KEYS = {
  "/": () => byId("search").focus(),
  "?": () => toggle("help"),
  "+": () => zoom(1.4),
  "=": () => zoom(1.4),
  "-": () => zoom(1 / 1.4),
  0: () => fit(scene.shown),
  1: () => choose({ steps: 1 }),
  2: () => choose({ steps: 2 }),
  3: () => choose({ steps: 3 }),
  v: () => choose({ view: state.view === "all" ? "papers" : "all" }),
  Escape: () => {
    if (POPOVERS.some((name) => !byId(name).hidden)) toggle(null);
    else if (state.to) choose({ to: null });
    else selectNode(null);
  },
};

function onKey(event) {
  const isOurs = Object.hasOwn(KEYS, event.key) &&
    !event.ctrlKey && !event.metaKey && !event.altKey &&
    (event.key === "Escape" || !event.target.matches("input, select"));
  if (!isOurs) return;
  event.preventDefault();
  KEYS[event.key]();
}

function openPage() {
  makeSummary();
  makeLegend();
  makeFilters();
  followFilters();
  makeButtons();
  new Combobox(byId("search"), byId("search-list"), async ({ node, absent }) => {
    if (absent?.key) await fetchWhole(absent.key);
    const found = node ?? nodeOf.get(absent.key);
    if (found) selectNode(found);
    else showAbsent(absent);
    byId("panel").focus({ preventScroll: true });
  }, { absentToo: true });
  document.addEventListener("keydown", onKey);
  dark.addEventListener("change", () => {
    readTheme();
    network.redraw();
  });
  state = readState(location.hash);
  showTheme(state);
  setScene(state);
  openStage();
  showPanel(state);
  showControls(state);
  frame(false);
}

openPage();

// Relations in the panel: what is stated of two concepts, by whom, and how sure that is.

// Statements of the wanted type and score, those of two concepts together, the most stated first.
function relationSection(found) {
  const together = new Map();
  const wanted = inEffect(state);
  for (const statement of found.filter((one) => isWanted(one, wanted))) {
    const { head, kind, tail } = statement;
    const key = `${head.id} ${kind} ${tail.id}`;
    if (!together.has(key)) together.set(key, []);
    together.get(key).push(statement);
  }
  const hidden = found.length && !together.size;
  if (hidden) return [heading("Relations"), line("None passes the filter of relations.")];
  if (!together.size) return [];
  for (const all of together.values()) all.sort((one, another) => another.score - one.score);
  const ranked = [...together.values()].sort((some, others) =>
    others.length - some.length || others[0].score - some[0].score);
  return [heading("Relations"), ...longList(ranked, relationCard, "list cards")];
}

function relationCard([first, ...others]) {
  return [
    triple(first),
    ...statement(first),
    others.length ? element("details", {},
      element("summary", {}, plural(others.length, "more statement")),
      others.map((one) => element("div", { className: "side" }, statement(one)))) : null,
  ];
}

const triple = ({ head, kind, tail }) => element("p", { className: "triple" }, nodeButton(head),
  element("span", { className: "relation" }, RELATION_NAMES[kind] ?? kind), nodeButton(tail));

// What a paper states: its sentence, who says it, and how sure that is.
function statement({ sentence, paper, score }) {
  const row = nodeButton(paper, "row source");
  row.append(element("span", { className: "count", title: "how probably this is right" },
    score.toFixed(2)));
  return [quote(sentence), row].filter(Boolean);
}

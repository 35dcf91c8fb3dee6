// The path between two nodes in the panel: the box that asks for it, and its steps.

function pathBox(node) {
  const list = element("ul", {
    id: "path-list", role: "listbox", ariaLabel: "Found", hidden: true,
  });
  const input = element("input", {
    id: "path", type: "search", placeholder: "Path to…", autocomplete: "off", role: "combobox",
    ariaLabel: `Path from ${node.label} to`, "aria-controls": "path-list",
    ariaExpanded: "false", ariaAutoComplete: "list",
  });
  new Combobox(input, list, ({ node: goal }) => choose({ to: goal }));
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
  if (isMention(edge)) {
    const sentence = bestSentence(edge.source, edge.target);
    return sentence ? [quote(sentence)] : [];
  }
  if (edge.kind === "related") {
    return [element("p", { className: "triple" }, element("span", { className: "quiet" }, "share"),
      sharedBy(edge).map(({ concept }) => nodeButton(concept)))];
  }
  const said = [...statements({ concept: edge.source })]
    .find(({ kind, tail }) => kind === edge.kind && tail === edge.target);
  const stated = triple({ head: edge.source, kind: edge.kind, tail: edge.target });
  return said ? [stated, quote(said.sentence)] : [stated];
}

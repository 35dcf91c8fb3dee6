"""The graph as Cypher statements that fill a Neo4j database (5 or later).

Constraints come first, then nodes and relationships in batches: ``UNWIND`` of a list of maps and
``MERGE``, so that running the file twice changes nothing. Papers are ``:Paper``, concepts
``:Concept:Method`` and so on, both known by ``id``; the types of relationships are the keys of the
networkx graph in capitals (``MENTIONS``, ``RELATED``, ``USED_FOR`` …), and those that papers state
carry the papers and the sentences. ``cypher-shell --file graph.cypher`` runs it.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..graph.schema import BROADER, MENTIONS, RELATED
from ..records import CONCEPT_TYPES, RELATION_TYPES
from .ordered import edges_in_order, nodes_in_order
from .papers import annotated_papers

if TYPE_CHECKING:
    import networkx

BATCH = 500
_LABELS = {"paper": "Paper", "concept": "Concept"}
_PAPER = ("title", "abstract", "year", "venue", "authors", "doi", "url", "keywords", "merged")
# Ends of the relationships of each key.
_ENDS = {
    MENTIONS: ("Paper", "Concept"),
    RELATED: ("Paper", "Paper"),
    **dict.fromkeys((BROADER, *RELATION_TYPES), ("Concept", "Concept")),
}
# Old readers of Cypher replace \uXXXX before they read strings, whatever stands before it: after a
# backslash a u is written so that both ways to read it come to the same.
_ESCAPE = re.compile(r"(\\\\)u|\\.")

Row = Mapping[str, Any]


def write_cypher(graph: "networkx.MultiDiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Write the graph as Cypher statements, nodes and relationships sorted.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`).
    path
        The file to write.
    """
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        for label in _LABELS.values():
            file.write(
                f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS "
                f"FOR (n:{label}) REQUIRE n.id IS UNIQUE;\n"
            )
        file.writelines(_nodes("Paper", list(_papers(graph))))
        for kind in CONCEPT_TYPES:
            file.writelines(_nodes(f"Concept:{kind}", list(_concepts(graph, kind))))
        edges = _edges(graph)
        for key in _ENDS:
            file.writelines(_relationships(key, edges[key]))


def literal(value: Any) -> str:
    """Return a value as a literal of Cypher.

    Examples
    --------
    >>> print(literal({"name": 'the "best"', "years": [2024], "proposed": True}))
    {name: "the \\"best\\"", years: [2024], proposed: true}
    """
    if isinstance(value, str):
        # The escapes of JSON are among those of Cypher.
        written = json.dumps(value, ensure_ascii=False)
        return _ESCAPE.sub(lambda found: f"{found[1]}\\u0075" if found[1] else found[0], written)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {literal(part)}' for name, part in value.items())}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(literal, value))}]"
    return json.dumps(value)


def _nodes(labels: str, rows: Sequence[Row]) -> Iterator[str]:
    first, *others = labels.split(":")
    more = "".join(f", n:{label}" for label in others)
    for batch in _batches(rows):
        yield f"{batch}MERGE (n:{first} {{id: row.id}}) SET n += row{more};\n"


def _relationships(key: str, rows: Sequence[Row]) -> Iterator[str]:
    source, target = _ENDS[key]
    for batch in _batches(rows):
        yield (
            f"{batch}MATCH (a:{source} {{id: row.source}}), (b:{target} {{id: row.target}}) "
            f"MERGE (a)-[r:{key.upper()}]->(b) SET r += row.told;\n"
        )


def _batches(rows: Sequence[Row]) -> Iterator[str]:
    for start in range(0, len(rows), BATCH):
        lines = ",\n".join(literal(row) for row in rows[start : start + BATCH])
        yield f"UNWIND [\n{lines}\n] AS row\n"


def _known(attributes: Row) -> Row:
    """Leave out what is not known: a property of Neo4j is there or is not."""
    return {name: value for name, value in attributes.items() if value not in (None, ())}


def _papers(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    for annotated in annotated_papers(graph):
        paper = annotated.paper
        told = {name: getattr(paper, name) for name in _PAPER}
        yield _known({"id": paper.id, "label": annotated.label, **told})


def _concepts(graph: "networkx.MultiDiGraph[str]", kind: str) -> Iterator[Row]:
    for _, data in nodes_in_order(graph):
        if data.get("type") == kind:
            told = {name: data[name] for name in ("label", "type", "papers", "aliases")}
            yield _known({"id": data["record"].id, **told})


def _edges(graph: "networkx.MultiDiGraph[str]") -> Mapping[str, list[Row]]:
    """Return the rows of the relationships of each key."""
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for source, target, key, data in edges_in_order(graph):
        ends = {
            "source": graph.nodes[source]["record"].id,
            "target": graph.nodes[target]["record"].id,
        }
        rows[key].append({**ends, "told": _known(_told(graph, data))})
    return rows


def _told(graph: "networkx.MultiDiGraph[str]", data: Row) -> Row:
    """Return the properties of a relationship; what is a record becomes lists of plain values."""
    told = {name: value for name, value in data.items() if name not in ("shared", "evidence")}
    if "shared" in data:
        told["shared"] = tuple(part.concept for part in data["shared"])
        told["weights"] = tuple(part.weight for part in data["shared"])
    if "evidence" in data:
        papers = [
            graph.nodes[f"paper:{paper_id}"]["record"].paper for paper_id, _ in data["evidence"]
        ]
        told["papers"] = tuple(paper.id for paper in papers)
        told["sentences"] = tuple(
            paper.text(said.field)[said.start : said.end]
            for paper, (_, said) in zip(papers, data["evidence"], strict=True)
        )
    return told

"""The graph -> the plain data of the page: nodes, edges, and the evidence for them.

Nodes and edges are dictionaries in the form of vis-network, as pyvis keeps them. The evidence
(texts and where they mention what) stands apart, because the page reads it only when it is asked
for: it numbers nodes by their place in the list of nodes, and its offsets count UTF-16 units, as
JavaScript does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...graph.schema import MENTIONS, RELATED
from ...records import AnnotatedPaper, Field
from ..layout import place_nodes

if TYPE_CHECKING:
    import networkx

SHAPES = {
    "paper": "square",
    "Method": "dot",
    "Task": "diamond",
    "Dataset": "hexagon",
    "Metric": "triangle",
}
LARGEST = 24.0

Json = dict[str, Any]
Edge = tuple[str, str, str, Json]


@dataclass(slots=True)
class PageData:
    """What a page shows; `left_out` counts the papers and concepts that it does not."""

    heading: str
    nodes: list[Json] = field(default_factory=list)
    edges: list[Json] = field(default_factory=list)
    evidence: Json = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


def page_data(graph: "networkx.MultiDiGraph[str]", keys: Sequence[str]) -> PageData:
    """Return what a page about these nodes of the graph holds.

    Parameters
    ----------
    graph
        A graph as `kg.graph.schema` describes it.
    keys
        The keys of the nodes to show, in the order in which the page lists them.

    Examples
    --------
    >>> from kg.graph.build import assemble
    >>> from kg.records import Paper
    >>> graph = assemble([AnnotatedPaper(Paper("p1", title="Alone", venue="ICML"), "Alone")], [])
    >>> data = page_data(graph, ["paper:p1"])
    >>> data.heading, data.nodes[0]["label"], data.nodes[0]["shape"]
    ('ICML', 'Alone', 'square')
    """
    number = {key: index for index, key in enumerate(keys)}
    all_edges = graph.edges(keys=True, data=True)
    edges = [edge for edge in all_edges if edge[0] in number and edge[1] in number]
    edges.sort(key=_edge_order)
    links = Counter(end for *ends, kind, _ in edges if kind == RELATED for end in ends)
    nodes = [_node(key, graph.nodes[key], links[key]) for key in keys]
    _place(nodes, [(number[source], number[target], kind) for source, target, kind, _ in edges])
    return PageData(
        heading=_heading(graph),
        nodes=nodes,
        edges=[_edge(*edge) for edge in edges],
        evidence=_evidence(graph, number, edges),
        left_out=_left_out(graph, number),
    )


def by_links(graph: "networkx.MultiDiGraph[str]") -> list[str]:
    """Return the keys of all nodes, the most linked first, ties broken by key.

    Examples
    --------
    >>> import networkx
    >>> by_links(networkx.MultiDiGraph([("a", "c"), ("b", "c")]))
    ['c', 'a', 'b']
    """
    return sorted(graph, key=lambda key: (-graph.degree(key), key))


def _heading(graph: "networkx.MultiDiGraph[str]") -> str:
    venues = {data["venue"] for _, data in graph.nodes(data=True) if data["kind"] == "paper"}
    only = venues.pop() if len(venues) == 1 else None
    return only or "Papers and what they share"


def _left_out(graph: "networkx.MultiDiGraph[str]", number: dict[str, int]) -> dict[str, int]:
    counts = {"papers": 0, "concepts": 0}
    for key, kind in graph.nodes(data="kind"):
        counts["papers" if kind == "paper" else "concepts"] += key not in number
    return counts


# --- nodes ---------------------------------------------------------------------------------------


def _node(key: str, data: Json, links: int) -> Json:
    """Return a node; `papers` counts those that mention a concept or are linked to a paper."""
    node: Json = {"id": key, "label": data["label"]}
    if data["kind"] == "concept":
        papers = data["papers"]
        node |= {"group": data["type"], "aliases": list(data["aliases"])}
        size = 3.2 + 2.6 * sqrt(papers)
    else:
        papers = links
        node |= {"group": "paper"} | {name: data[name] for name in ("title", "year", "venue")}
        size = 7 + 1.2 * sqrt(papers)
    node |= {"papers": papers, "size": round(min(size, LARGEST), 1)}
    node["shape"] = SHAPES[node["group"]]
    return {name: value for name, value in node.items() if value not in (None, [])}


def _place(nodes: list[Json], edges: list[tuple[int, int, str]]) -> None:
    """Write `x`, `y` into every node, and `px`, `py`, its place among papers alone, into papers."""
    together = [(source, target) for source, target, kind in edges if kind != RELATED]
    for node, (x, y) in zip(nodes, _places(nodes, together, gap=14), strict=True):
        node |= {"x": x, "y": y}
    number = [index for index, node in enumerate(nodes) if node["group"] == "paper"]
    papers = [nodes[index] for index in number]
    rank = {index: place for place, index in enumerate(number)}
    links = [(rank[source], rank[target]) for source, target, kind in edges if kind == RELATED]
    for paper, (x, y) in zip(papers, _places(papers, links, gap=40), strict=True):
        paper |= {"px": x, "py": y}


def _places(
    nodes: list[Json], edges: list[tuple[int, int]], *, gap: float
) -> list[tuple[float, float]]:
    radii = np.array([node["size"] for node in nodes], dtype=np.float64)
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    places: list[tuple[float, float]] = place_nodes(pairs, radii, gap=gap).tolist()
    return places


# --- edges ---------------------------------------------------------------------------------------


def _edge_order(edge: Edge) -> tuple[float, str, str, str]:
    """The strongest first, so that the page's spanning forest can take them as they come."""
    source, target, kind, data = edge
    return -_strength(kind, data), source, target, kind


def _strength(kind: str, data: Json) -> float:
    if kind == RELATED:
        return float(data["weight"])
    if kind == MENTIONS:
        return float(data["count"] * data["score"] + 10 * data["proposed"])
    return float(data["score"])


def _edge(source: str, target: str, kind: str, data: Json) -> Json:
    measure = {RELATED: "weight", MENTIONS: "count"}.get(kind, "support")
    return {"from": source, "to": target, "kind": kind, "value": round(data[measure], 3)}


# --- evidence ------------------------------------------------------------------------------------


def _evidence(
    graph: "networkx.MultiDiGraph[str]", number: dict[str, int], edges: list[Edge]
) -> Json:
    """Return what each paper says, and the links from it with the concepts that are shared.

    A link is ``[number of the other paper, [[number of the concept, weight], ...]]``.
    """
    data = {key: graph.nodes[key] for key in number}
    concepts = [key for key in number if data[key]["kind"] == "concept"]
    concept = {data[key]["label"]: number[key] for key in concepts}
    papers = [key for key in number if data[key]["kind"] == "paper"]
    links: dict[int, list[Any]] = {number[key]: [] for key in papers}
    for source, target, kind, link in edges:
        if kind == RELATED:
            shared = [part for part in link["shared"] if part.concept in concept]
            weights = [[concept[part.concept], round(part.weight, 3)] for part in shared]
            links[number[source]].append([number[target], weights])
    told = {number[key]: _told(data[key]["record"], concept) for key in papers}
    return {"papers": told, "links": links}


def _told(annotated: AnnotatedPaper, concept: dict[str, int]) -> Json:
    """Return a paper's texts, mentions and relations; `model.js` names the parts of both."""
    paper = annotated.paper
    told: Json = {
        "title": paper.title,
        "abstract": paper.abstract,
        "url": paper.url,
        "doi": paper.doi,
        "authors": list(paper.authors),
        "proposes": [concept[label] for label in annotated.proposes if label in concept],
        "mentions": list(_mentions(annotated, concept)),
        "relations": list(_relations(annotated, concept)),
    }
    return {name: value for name, value in told.items() if value}


def _mentions(annotated: AnnotatedPaper, concept: dict[str, int]) -> Iterable[list[Any]]:
    units = _units(annotated)
    for mention in annotated.mentions:
        if mention.concept in concept:
            place = mention.start, mention.end, *mention.sentence
            in_title = mention.field == "title"
            yield [
                *map(units[mention.field], place),
                in_title,
                concept[mention.concept],
                mention.score,
            ]


def _relations(annotated: AnnotatedPaper, concept: dict[str, int]) -> Iterable[list[Any]]:
    units = _units(annotated)
    for relation in annotated.relations:
        if relation.head in concept and relation.tail in concept:
            place = map(units[relation.field], (relation.start, relation.end))
            triple = concept[relation.head], relation.type, concept[relation.tail]
            yield [*place, relation.field == "title", *triple]


def _units(annotated: AnnotatedPaper) -> dict[Field, Callable[[int], int]]:
    fields: tuple[Field, ...] = ("title", "abstract")
    return {name: utf16_offset(annotated.paper.text(name)) for name in fields}


def utf16_offset(text: str) -> Callable[[int], int]:
    """Return what turns an offset in code points into one in UTF-16 units of the same text.

    Examples
    --------
    >>> offset = utf16_offset("🎉 LoRA")
    >>> offset(0), offset(1), offset(6)
    (0, 2, 7)
    """
    if text.isascii() or max(text) <= "\uffff":
        return lambda offset: offset
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if character > "\uffff" else 1))
    return units.__getitem__

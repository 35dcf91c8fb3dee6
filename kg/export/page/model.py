"""The graph -> the plain data of the page: nodes, edges, communities, and the evidence for them.

Nodes and edges are dictionaries in the form of vis-network, as pyvis keeps them; a node's `id` is
its place in the list, its `key` that of the graph.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...graph.communities import find_communities
from ...graph.schema import MENTIONS, RELATED
from ..layout import place_nodes
from .evidence import Edge, Json, evidence

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
# How strongly an edge pulls in the layout: less across communities, so that each is an island, and
# less between papers where they are drawn together with the concepts that link them.
ACROSS = 0.25
LINK_BESIDE_CONCEPTS = 0.5


@dataclass(slots=True)
class PageData:
    """What a page shows.

    `communities` holds of each the labels that name it; `left_out` counts the papers and concepts
    that the page does not show; `names` holds of some of these the label and the group, the most
    linked first.
    """

    heading: str
    nodes: list[Json] = field(default_factory=list)
    edges: list[Json] = field(default_factory=list)
    evidence: Json = field(default_factory=dict)
    communities: list[tuple[str, ...]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    names: list[tuple[str, str]] = field(default_factory=list)


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
    >>> from kg.records import AnnotatedPaper, Paper
    >>> graph = assemble([AnnotatedPaper(Paper("p1", title="Alone", venue="ICML"), "Alone")], [])
    >>> data = page_data(graph, ["paper:p1"])
    >>> data.heading, data.nodes[0]["label"], data.nodes[0]["shape"]
    ('ICML', 'Alone', 'square')
    """
    number = {key: index for index, key in enumerate(keys)}
    edges = edges_among(graph, number)
    links = Counter(end for *ends, kind, _ in edges if kind == RELATED for end in ends)
    nodes = [{"id": number[key]} | node_data(key, graph.nodes[key], links[key]) for key in keys]
    page_edges = [edge_data(number, edge) for edge in edges]
    communities = _add_communities(graph, number, nodes)
    _place(nodes, page_edges)
    return PageData(
        heading=_heading(graph),
        nodes=nodes,
        edges=page_edges,
        evidence=evidence(graph, number, edges),
        communities=communities,
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
    degree = dict(graph.degree())
    return sorted(degree, key=lambda key: (-degree[key], key))


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


def node_data(key: str, data: Json, links: int) -> Json:
    """Return a node; `papers` counts those that mention a concept or are linked to a paper."""
    node: Json = {"key": key, "label": data["label"]}
    if data["kind"] == "concept":
        papers = data["papers"]
        node |= {"group": data["type"], "aliases": list(data["aliases"])}
        size = 3.2 + 2.6 * sqrt(papers)
    else:
        papers = links
        node |= {"group": "paper"} | {name: data[name] for name in ("title", "year", "venue")}
        size = 7 + 1.2 * sqrt(papers)
    if node.get("title") == node["label"]:
        del node["title"]
    node |= {"papers": papers, "size": round(min(size, LARGEST), 1)}
    node["shape"] = SHAPES[node["group"]]
    return {name: value for name, value in node.items() if value not in (None, [])}


def _add_communities(
    graph: "networkx.MultiDiGraph[str]", number: dict[str, int], nodes: list[Json]
) -> list[tuple[str, ...]]:
    """Write into papers and concepts to which community they belong; return what names each.

    A concept belongs where most of the papers are that mention it.
    """
    papers = [node["key"] for node in nodes if node["group"] == "paper"]
    communities = find_communities(graph, papers=papers)
    of = {key: place for place, one in enumerate(communities) for key in one.papers}
    for node in nodes:
        mentioned_by = [node["key"]] if node["key"] in of else graph.predecessors(node["key"])
        votes = Counter(of[key] for key in mentioned_by if key in of)
        if votes:
            node["community"] = min(votes, key=lambda place: (-votes[place], place))
    return [community.concepts for community in communities]


# --- places --------------------------------------------------------------------------------------


def _place(nodes: list[Json], edges: list[Json]) -> None:
    """Write `x`, `y` into every node, and `px`, `py`, its place among papers alone, into papers."""
    for node, (x, y) in zip(nodes, _places(nodes, edges, gap=14), strict=True):
        node |= {"x": x, "y": y}
    papers = [node for node in nodes if node["group"] == "paper"]
    links = [edge for edge in edges if edge["kind"] == RELATED]
    for paper, (x, y) in zip(papers, _places(papers, links, gap=40), strict=True):
        paper |= {"px": x, "py": y}


def _places(nodes: list[Json], edges: list[Json], *, gap: float) -> list[tuple[float, float]]:
    """Return a place for each of these nodes, pulled by these edges among them."""
    rank = {node["id"]: place for place, node in enumerate(nodes)}
    beside_concepts = any(node["group"] != "paper" for node in nodes)
    pairs, weights = [], []
    for edge in edges:
        source, target = rank[edge["from"]], rank[edge["to"]]
        pairs.append((source, target))
        weight = 1.0
        if edge["kind"] == RELATED and beside_concepts:
            weight = LINK_BESIDE_CONCEPTS * edge["value"]
        ends = nodes[source].get("community"), nodes[target].get("community")
        weights.append(weight if ends[0] == ends[1] else ACROSS * weight)
    places: list[tuple[float, float]] = place_nodes(
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.array([node["size"] for node in nodes], dtype=np.float64),
        weights=np.array(weights, dtype=np.float64),
        gap=gap,
    ).tolist()
    return places


# --- edges ---------------------------------------------------------------------------------------


def edges_among(graph: "networkx.MultiDiGraph[str]", keys: dict[str, int]) -> list[Edge]:
    """Return the edges between these nodes, the strongest first.

    The page's spanning forest takes them as they come.
    """
    edges = [
        (source, target, kind, data)
        for source in keys
        for target, parallel in graph.adj[source].items()
        if target in keys
        for kind, data in parallel.items()
    ]
    return sorted(edges, key=lambda edge: (-_strength(edge[2], edge[3]), *edge[:3]))


def _strength(kind: str, data: Json) -> float:
    if kind == RELATED:
        return float(data["weight"])
    if kind == MENTIONS:
        return float(data["count"] * data["score"] + 10 * data["proposed"])
    return float(data["score"])


def edge_data(number: dict[str, int], edge: Edge) -> Json:
    """Return an edge; `value` is a link's weight, else in how many places or papers it is said."""
    source, target, kind, data = edge
    measure = {RELATED: "weight", MENTIONS: "count"}.get(kind, "support")
    ends = {"from": number[source], "to": number[target]}
    said = {} if kind in (RELATED, MENTIONS) else {"score": data["score"]}
    return ends | {"kind": kind, "value": round(data[measure], 3)} | said

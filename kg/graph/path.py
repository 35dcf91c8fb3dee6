"""How two papers or concepts hang together: the shortest way through what papers say."""

from itertools import pairwise
from typing import Any

import networkx

from ..errors import NameNotFound
from ..records import PathStep
from .evidence import best_mentions, sentence_of
from .find import find_node
from .schema import BROADER, MENTIONS, RELATED


def find_path(graph: "networkx.MultiDiGraph[str]", source: str, target: str) -> list[PathStep]:
    """Return the shortest way between two nodes, each step with the sentence that says it.

    A step is a mention, a relation or a step of the hierarchy, taken in either direction. Of ways
    of equal length the one over the rarer concepts is taken: a mention costs one and the share of
    all papers that name its concept.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    source, target
        Names as `kg.graph.find.find_node` takes them.

    Returns
    -------
    list of PathStep
        Empty if both names mean one node.

    Raises
    ------
    NameNotFound
        If a name is unknown or ambiguous, or nothing joins the two.
    """
    ends = find_node(graph, source), find_node(graph, target)
    ways = _ways(graph)
    try:
        nodes = networkx.bidirectional_dijkstra(ways, *ends, weight="cost")[1]
    except networkx.NetworkXNoPath:
        raise NameNotFound(f"{source} and {target}: nothing that papers say joins them") from None
    return [_step(graph, one, other, ways.edges[one, other]) for one, other in pairwise(nodes)]


def _ways(graph: "networkx.MultiDiGraph[str]") -> "networkx.Graph[str]":
    """Return the undirected graph of single steps, the cheapest edge between two nodes."""
    whole = 1 + sum(kind == "paper" for _, kind in graph.nodes(data="kind"))
    ways: networkx.Graph[str] = networkx.Graph()
    ways.add_nodes_from(graph)
    for source, target, key, data in graph.edges(keys=True, data=True):
        if key == RELATED:  # derived from the mentions
            continue
        cost = 1 + (graph.nodes[target]["papers"] / whole if key == MENTIONS else 0.0)
        if key == BROADER:  # it may only say again what a relation says with its evidence
            cost = 1.001
        if not ways.has_edge(source, target) or cost < ways.edges[source, target]["cost"]:
            ways.add_edge(source, target, cost=cost, how=key, tail=source, data=data)
    return ways


def _step(
    graph: "networkx.MultiDiGraph[str]", one: str, other: str, way: dict[str, Any]
) -> PathStep:
    """Describe a step in the direction of its edge, whichever way it was taken."""
    source, target = (one, other) if way["tail"] == one else (other, one)
    labels = graph.nodes[source]["label"], graph.nodes[target]["label"]
    if way["how"] == MENTIONS:
        annotated = graph.nodes[source]["record"]
        mention = best_mentions(annotated)[labels[1]]
        sentence = sentence_of(annotated, mention)
        return PathStep(labels[0], MENTIONS, labels[1], annotated.id, sentence)
    for paper_id, relation in way["data"].get("evidence", ()):
        text = graph.nodes[f"paper:{paper_id}"]["record"].paper.text(relation.field)
        sentence = text[relation.start : relation.end]
        return PathStep(labels[0], way["how"], labels[1], paper_id, sentence)
    return PathStep(labels[0], way["how"], labels[1], None, "")

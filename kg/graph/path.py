"""How two papers or concepts hang together: the shortest way through what papers say."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import networkx

from ..errors import NameNotFound
from ..records import PathStep
from .evidence import best_mentions, sentence_of
from .find import find_node
from .lookup import lookup_of
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
    ways = _Ways(graph)
    try:
        nodes = networkx.bidirectional_dijkstra(ways, *ends, weight="cost")[1]
    except networkx.NetworkXNoPath:
        raise NameNotFound(f"{source} and {target}: nothing that papers say joins them") from None
    return [_step(graph, one, other, ways.edges[one, other]) for one, other in pairwise(nodes)]


class _Ways(networkx.Graph):  # type: ignore[misc]
    """The undirected graph of single steps, the cheapest edge between two nodes."""

    def __init__(self, graph: "networkx.MultiDiGraph[str]") -> None:
        super().__init__()
        self._node = graph.nodes
        self._adj = _Steps(graph)


class _Steps(Mapping[str, dict[str, dict[str, Any]]]):
    """The steps from each node of a graph, made when the node is reached."""

    def __init__(self, graph: "networkx.MultiDiGraph[str]") -> None:
        self._graph = graph
        self._papers = 1 + lookup_of(graph).papers
        self._made: dict[str, dict[str, dict[str, Any]]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._graph)

    def __len__(self) -> int:
        return len(self._graph)

    def __getitem__(self, node: str) -> dict[str, dict[str, Any]]:
        if node not in self._made:
            self._made[node] = self._steps(node)
        return self._made[node]

    def _steps(self, node: str) -> dict[str, dict[str, Any]]:
        steps: dict[str, dict[str, Any]] = {}
        for source, target, key, data in (
            *self._graph.out_edges(node, keys=True, data=True),
            *self._graph.in_edges(node, keys=True, data=True),
        ):
            if key == RELATED:  # derived from the mentions
                continue
            other, cost = target if source == node else source, self._cost(target, key)
            if other not in steps or cost < steps[other]["cost"]:
                steps[other] = {"cost": cost, "how": key, "tail": source, "data": data}
        return dict(sorted(steps.items()))

    def _cost(self, target: str, key: str) -> float:
        if key == MENTIONS:
            return 1 + float(self._graph.nodes[target]["papers"]) / self._papers
        # A step of the hierarchy may only say again what a relation says with its evidence.
        return 1.001 if key == BROADER else 1.0


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
    for paper_id, relation in () if way["how"] == BROADER else way["data"]["evidence"]:
        text = graph.nodes[f"paper:{paper_id}"]["record"].paper.text(relation.field)
        sentence = text[relation.start : relation.end]
        return PathStep(labels[0], way["how"], labels[1], paper_id, sentence)
    return PathStep(labels[0], way["how"], labels[1], None, "")

"""One node with its neighbours, as a server sends it to a page that leaves it out."""

from typing import TYPE_CHECKING

from ...graph.schema import RELATED
from .evidence import Json, evidence
from .model import edge_data, edges_among, node_data

if TYPE_CHECKING:
    import networkx

NEIGHBOURS = 200


def fragment(graph: "networkx.MultiDiGraph[str]", key: str) -> Json:
    """Return a node, its neighbours, the edges among them, and what the papers among them say.

    Parameters
    ----------
    graph
        A graph as `kg.graph.schema` describes it; it need hold no more than these nodes.
    key
        The key of the node.

    Returns
    -------
    dict
        ``nodes``, ``edges`` and ``evidence`` as the page has them, but without places, and
        numbered from nought: the node itself is the first. Of very many neighbours the most
        linked 200.

    Raises
    ------
    KeyError
        If the graph does not hold the node.

    Examples
    --------
    >>> from kg.graph.build import assemble
    >>> from kg.records import AnnotatedPaper, Paper
    >>> graph = assemble([AnnotatedPaper(Paper("p1", title="Alone"), "Alone")], [])
    >>> [node["label"] for node in fragment(graph, "paper:p1")["nodes"]]
    ['Alone']
    """
    around = {*graph.pred[key], *graph.adj[key]} - {key}
    nearest = sorted(around, key=lambda other: (-graph.degree(other), other))[:NEIGHBOURS]
    number = {node: place for place, node in enumerate([key, *nearest])}
    edges = edges_among(graph, number)
    nodes = []
    for node, place in number.items():
        links = sum(kind == RELATED for *_, kind in graph.out_edges(node, keys=True))
        links += sum(kind == RELATED for *_, kind in graph.in_edges(node, keys=True))
        nodes.append({"id": place} | node_data(node, graph.nodes[node], links))
    return {
        "nodes": nodes,
        "edges": [edge_data(number, edge) for edge in edges],
        "evidence": evidence(graph, number, edges),
    }

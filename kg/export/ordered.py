"""A graph's nodes and edges in the order in which every form of it is written."""

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx

Attributes = dict[str, Any]
_KEY = itemgetter(0)


def nodes_in_order(graph: "networkx.MultiDiGraph[str]") -> list[tuple[str, Attributes]]:
    """Return the nodes by their keys, each with its attributes.

    Examples
    --------
    >>> import networkx
    >>> nodes_in_order(networkx.MultiDiGraph([("b", "a")]))
    [('a', {}), ('b', {})]
    """
    return sorted(graph.nodes(data=True), key=_KEY)


def edges_in_order(
    graph: "networkx.MultiDiGraph[str]",
) -> Iterator[tuple[str, str, str, Attributes]]:
    """Yield the edges by their source, target and key, each with its attributes.

    Examples
    --------
    >>> import networkx
    >>> edges = [("b", "a", "y", {}), ("b", "a", "x", {}), ("a", "b", "z", {})]
    >>> [edge[:3] for edge in edges_in_order(networkx.MultiDiGraph(edges))]
    [('a', 'b', 'z'), ('b', 'a', 'x'), ('b', 'a', 'y')]
    """
    for source, targets in sorted(graph.adjacency(), key=_KEY):
        for target, edges in sorted(targets.items(), key=_KEY):
            for key, attributes in sorted(edges.items(), key=_KEY):
                yield source, target, key, attributes

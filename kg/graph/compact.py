"""A networkx graph whose attributes take half the memory."""

from functools import cache
from typing import Any

import networkx


class PaperGraph(networkx.MultiDiGraph):  # type: ignore[misc]
    """A `networkx.MultiDiGraph` that is filled with dictionaries that share their keys.

    It is read and changed like any other; a copy of it has dictionaries of the usual kind.

    Examples
    --------
    >>> graph = PaperGraph()
    >>> graph.put_node("a", kind="paper")
    >>> graph.put_edge("a", "b", "related", weight=0.5)
    >>> graph.add_edge("b", "c", "related", weight=0.25)
    'related'
    >>> sorted(graph.edges(data="weight"))
    [('a', 'b', 0.5), ('b', 'c', 0.25)]
    """

    def put_node(self, key: str, **attributes: Any) -> None:
        """Add a node that is not there, or whose attributes are not known."""
        if key not in self._node:
            self.add_node(key)
        self._node[key] = shared_keys(attributes)

    def put_edge(self, source: str, target: str, key: str, **attributes: Any) -> None:
        """Add an edge that is not there."""
        for end in (source, target):
            if end not in self._node:
                self.add_node(end)
        known = self._succ[source].get(target)
        if known is None:
            known = self._succ[source][target] = self._pred[target][source] = shared_keys({})
        known[key] = shared_keys(attributes)


def shared_keys(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes as a dictionary that keeps its keys in common with others like it.

    Such are the dictionaries of the instances of one class, see PEP 412.
    """
    holder = _holder(tuple(attributes))()
    for name, value in attributes.items():
        setattr(holder, name, value)
    shared: dict[str, Any] = vars(holder)
    return shared


@cache
def _holder(names: tuple[str, ...]) -> type:
    """Return a class for the dictionaries with these keys alone."""
    return type("Holder", (), {})

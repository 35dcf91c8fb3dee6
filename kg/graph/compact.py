"""A networkx graph whose edges and attributes take a fraction of the memory.

A large build has millions of edges between papers and concepts. A dictionary of attributes, in a
dictionary of parallel edges, takes hundreds of bytes each; most edges have no parallel and are
never changed, so they are one object that makes its dictionaries when somebody writes to them.
"""

from collections.abc import Iterator, MutableMapping
from functools import cache
from typing import Any

import networkx

Attributes = MutableMapping[str, Any]


class PaperGraph(networkx.MultiDiGraph):  # type: ignore[misc]
    """A `networkx.MultiDiGraph` that is filled with compact nodes and edges.

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
        known = self._succ[source].get(target) if source in self._succ else None
        if known is None:
            self.put_only(source, target, shared_keys({key: shared_keys(attributes)}))
        else:
            known[key] = shared_keys(attributes)

    def put_only(self, source: str, target: str, edges: MutableMapping[str, Attributes]) -> None:
        """Add all edges from one node to another, between which there are none."""
        for end in (source, target):
            if end not in self._node:
                self.add_node(end)
        self._succ[source][target] = self._pred[target][source] = edges


class OneEdge(MutableMapping[str, Attributes]):
    """The edges from one node to another, as networkx keeps them by key, while there is but one.

    A subclass says in `told` what the edge is, from whatever it holds; once somebody changes it,
    it holds dictionaries of the usual kind.
    """

    __slots__ = ("_changed",)
    key: str

    def __init__(self) -> None:
        self._changed: dict[str, Attributes] | None = None

    def told(self) -> dict[str, Any]:
        """Return the attributes of the edge, in a new dictionary."""
        raise NotImplementedError

    def changeable(self) -> dict[str, Attributes]:
        """Return the edges as they are from now on."""
        if self._changed is None:
            self._changed = {self.key: self.told()}
        return self._changed

    def now(self) -> dict[str, Attributes]:
        """Return the edges as they are."""
        return {self.key: _Told(self)} if self._changed is None else self._changed

    def __contains__(self, key: object) -> bool:
        return key == self.key if self._changed is None else key in self._changed

    def __getitem__(self, key: str) -> Attributes:
        return self.now()[key]

    def __setitem__(self, key: str, attributes: Attributes) -> None:
        if isinstance(attributes, _Told):  # networkx puts back what it took and changed
            attributes = attributes.copy()
        self.changeable()[key] = attributes

    def __delitem__(self, key: str) -> None:
        del self.changeable()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.now())

    def __len__(self) -> int:
        return len(self.now())

    def items(self) -> Any:
        return self.now().items()

    def values(self) -> Any:
        return self.now().values()

    def popitem(self) -> tuple[str, Attributes]:
        return self.changeable().popitem()

    def copy(self) -> dict[str, Attributes]:
        """Return a copy as a dictionary, as networkx asks of what it takes for one."""
        return dict(self.now())

    def __repr__(self) -> str:
        return repr(self.now())


class _Told(MutableMapping[str, Any]):
    """The attributes of a `OneEdge`, which go into a dictionary once somebody changes them."""

    __slots__ = ("_edge",)

    def __init__(self, edge: OneEdge) -> None:
        self._edge = edge

    def _now(self) -> Attributes:
        edge = self._edge
        return edge.told() if edge._changed is None else edge._changed[edge.key]

    def __getitem__(self, name: str) -> Any:
        return self._now()[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._edge.changeable()[self._edge.key][name] = value

    def __delitem__(self, name: str) -> None:
        del self._edge.changeable()[self._edge.key][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def items(self) -> Any:
        return self._now().items()

    def copy(self) -> dict[str, Any]:
        """Return a copy as a dictionary, as networkx asks of what it takes for one."""
        return dict(self._now())

    def __repr__(self) -> str:
        return repr(self._now())


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

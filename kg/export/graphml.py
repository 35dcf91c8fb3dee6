"""The networkx graph as GraphML, written as a stream, for Gephi, Cytoscape, igraph and networkx.

The attributes are those of `kg.graph.schema`, of one plain type each: lists are joined by ``; ``,
what a node or edge lacks is left out. An edge's key in the networkx graph is its attribute
``key``; `networkx.read_graphml` takes it for the key again, because edges have no ``id`` here
(Gephi would drop all but one of those that share an id).
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from .ordered import edges_in_order, nodes_in_order

if TYPE_CHECKING:
    import networkx

# Attributes in the order they are written, with their type in GraphML.
NODE_ATTRIBUTES = {
    "kind": "string",
    "label": "string",
    "title": "string",
    "year": "int",
    "venue": "string",
    "url": "string",
    "type": "string",
    "aliases": "string",
    "papers": "int",
    "broader": "string",
}
EDGE_ATTRIBUTES = {
    "key": "string",
    "count": "int",
    "score": "double",
    "proposed": "boolean",
    "weight": "double",
    "shared": "string",
    "support": "int",
}

_HEAD = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns'
    ' http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)
_TAIL = "  </graph>\n</graphml>\n"
_NOTHING: tuple[Any, ...] = (None, (), "")
_RETURN = {"\r": "&#13;"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_graphml(graph: "networkx.MultiDiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Write the graph as GraphML, nodes and edges sorted.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`).
    path
        The file to write.
    """
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        file.writelines(_declarations("node", NODE_ATTRIBUTES))
        file.writelines(_declarations("edge", EDGE_ATTRIBUTES))
        file.write('  <graph edgedefault="directed">\n')
        file.writelines(_nodes(graph))
        file.writelines(_edges(graph))
        file.write(_TAIL)


def _declarations(element: str, attributes: Mapping[str, str]) -> Iterator[str]:
    for name, kind in attributes.items():
        yield (
            f'  <key id="{element}_{name}" for="{element}"'
            f' attr.name="{name}" attr.type="{kind}" />\n'
        )


def _nodes(graph: "networkx.MultiDiGraph[str]") -> Iterator[str]:
    for key, attributes in nodes_in_order(graph):
        data = _data("node", NODE_ATTRIBUTES, attributes)
        yield f"    <node id={quoted(key)}>\n{data}    </node>\n"


def _edges(graph: "networkx.MultiDiGraph[str]") -> Iterator[str]:
    for source, target, key, attributes in edges_in_order(graph):
        ends = f"source={quoted(source)} target={quoted(target)}"
        data = _data("edge", EDGE_ATTRIBUTES, {"key": key, **attributes})
        yield f"    <edge {ends}>\n{data}    </edge>\n"


def _data(element: str, names: Mapping[str, str], attributes: Mapping[str, Any]) -> str:
    return "".join(
        f'      <data key="{element}_{name}">{escape(plain(attributes[name]), _RETURN)}</data>\n'
        for name in names
        if has_value(attributes.get(name))
    )


def has_value(value: Any) -> bool:
    """Tell whether an attribute is worth writing."""
    return value not in _NOTHING


def plain(value: Any) -> str:
    """Return an attribute's value as a text that XML can hold, a list joined.

    Examples
    --------
    >>> plain(True), plain(("GNN", "graph net"))
    ('true', 'GNN; graph net')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = "; ".join(str(getattr(part, "concept", part)) for part in value)
    return _NOT_XML.sub("\ufffd", str(value))


def quoted(text: str) -> str:
    """Return a text as the value of an XML attribute, in quotes."""
    return quoteattr(plain(text))

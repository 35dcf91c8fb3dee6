"""The networkx graph as GraphML, written as a stream, for Gephi, Cytoscape, igraph and networkx.

The attributes are those of `kg.graph.schema`, of one plain type each: lists are joined by ``; ``,
what a node or edge lacks is left out. An edge's key in the networkx graph is its attribute
``key``; `networkx.read_graphml` takes it for the key again, because edges have no ``id`` here
(Gephi would drop all but one of those that share an id).
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from ..graph.shared import Shared
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
_RETURN = {"\r": "&#13;"}
_MARKUP = re.compile("[&<>\r]")
_MANY = 1 << 16
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
    end = lru_cache(_MANY)(quoted)
    for source, target, key, attributes in edges_in_order(graph):
        told = attributes.copy()
        told["key"] = key
        data = _data("edge", EDGE_ATTRIBUTES, told)
        yield f"    <edge source={end(source)} target={end(target)}>\n{data}    </edge>\n"


def _data(element: str, names: Iterable[str], attributes: Mapping[str, Any]) -> str:
    values = ((name, attributes.get(name)) for name in names)
    return "".join(
        [
            f'      <data key="{element}_{name}">{_escaped(value)}</data>\n'
            for name, value in values
            if has_value(value)
        ]
    )


def _escaped(value: Any) -> str:
    text = plain(value)
    return escape(text, _RETURN) if _MARKUP.search(text) else text


def has_value(value: Any) -> bool:
    """Tell whether an attribute is worth writing: it is there, and no empty text or list."""
    return isinstance(value, int | float) or bool(value)


def plain(value: Any) -> str:
    """Return an attribute's value as a text that XML can hold, a list joined.

    Examples
    --------
    >>> plain(True), plain(("GNN", "graph net"))
    ('true', 'GNN; graph net')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Shared):
        value = [label for label, _ in value.weights()]  # whose sentences nobody asks for
    if not isinstance(value, str):
        value = "; ".join(str(getattr(part, "concept", part)) for part in value)
    return _NOT_XML.sub("\ufffd", value)


def quoted(text: str) -> str:
    """Return a text as the value of an XML attribute, in quotes."""
    return quoteattr(plain(text))

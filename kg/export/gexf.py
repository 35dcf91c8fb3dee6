"""The networkx graph as GEXF 1.3, written as a stream, for Gephi.

The attributes are those of the GraphML (`kg.export.graphml`). An edge's key in the networkx graph
is its ``kind``, by which GEXF tells parallel edges apart, its ``label``, and its attribute
``networkx_key``, which `networkx.read_gexf` takes for the key again.
"""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .graphml import EDGE_ATTRIBUTES, NODE_ATTRIBUTES, has_value, plain, quoted
from .ordered import edges_in_order, nodes_in_order

if TYPE_CHECKING:
    import networkx

_HEAD = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<gexf xmlns="http://gexf.net/1.3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://gexf.net/1.3 http://gexf.net/1.3/gexf.xsd" version="1.3">\n'
    '  <graph mode="static" defaultedgetype="directed">\n'
)
_TAIL = "    </edges>\n  </graph>\n</gexf>\n"
_TYPES = {"int": "integer"}
# A node's label and an edge's weight are attributes of the elements themselves.
_OF_NODES = {name: kind for name, kind in NODE_ATTRIBUTES.items() if name != "label"}
_OF_EDGES = {
    "networkx_key": "string",
    **{name: kind for name, kind in EDGE_ATTRIBUTES.items() if name not in ("key", "weight")},
}


def write_gexf(graph: "networkx.MultiDiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Write the graph as GEXF, nodes and edges sorted.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`).
    path
        The file to write.
    """
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        file.writelines(_declarations("node", _OF_NODES))
        file.writelines(_declarations("edge", _OF_EDGES))
        file.write("    <nodes>\n")
        file.writelines(_nodes(graph))
        file.write("    </nodes>\n    <edges>\n")
        file.writelines(_edges(graph))
        file.write(_TAIL)


def _declarations(element: str, attributes: Mapping[str, str]) -> Iterator[str]:
    yield f'    <attributes class="{element}" mode="static">\n'
    for name, kind in attributes.items():
        yield f'      <attribute id="{name}" title="{name}" type="{_TYPES.get(kind, kind)}" />\n'
    yield "    </attributes>\n"


def _nodes(graph: "networkx.MultiDiGraph[str]") -> Iterator[str]:
    for key, attributes in nodes_in_order(graph):
        opening = f"<node id={quoted(key)} label={quoted(attributes['label'])}>"
        yield f"      {opening}\n{_values(_OF_NODES, attributes)}      </node>\n"


def _edges(graph: "networkx.MultiDiGraph[str]") -> Iterator[str]:
    for number, (source, target, key, attributes) in enumerate(edges_in_order(graph)):
        opening = (
            f'<edge id="{number}" source={quoted(source)} target={quoted(target)}'
            f" kind={quoted(key)} label={quoted(key)}"
        )
        if "weight" in attributes:
            opening += f' weight="{attributes["weight"]}"'
        values = _values(_OF_EDGES, {"networkx_key": key, **attributes})
        yield f"      {opening}>\n{values}      </edge>\n"


def _values(names: Mapping[str, str], attributes: Mapping[str, Any]) -> str:
    values = "".join(
        f'          <attvalue for="{name}" value={quoted(plain(attributes[name]))} />\n'
        for name in names
        if has_value(attributes.get(name))
    )
    return f"        <attvalues>\n{values}        </attvalues>\n"

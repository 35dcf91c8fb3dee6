"""The graph as CSV tables (RFC 4180), for spreadsheets, data frames and databases.

=============  =================================================================================
papers         a row a paper: what its source tells, its label, and what it proposes
concepts       a row a concept: its label, type, other names, and the ids of broader ones
mentions       a row a place where a paper names a concept; offsets count code points
links          a row a pair of linked papers: the weight, and the concepts that they share
relations      a row a place where a paper says something of two concepts
=============  =================================================================================

A cell of several values is a JSON array; what is not known is empty. As one file the tables stand
one after the other, a first column ``table`` telling them apart.
"""

import csv
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..graph.schema import RELATED
from ..resolve.names import concept_id
from .ordered import edges_in_order, nodes_in_order
from .papers import annotated_papers

if TYPE_CHECKING:
    import networkx

Row = dict[str, Any]
_PAPER = ("title", "abstract", "year", "venue", "authors", "doi", "url", "keywords", "merged")
_CONCEPT = ("id", "label", "type", "papers", "aliases", "broader")
_MENTION = ("field", "start", "end", "text", "type", "concept")
_RELATION = ("head", "type", "tail", "score", "field", "start", "end")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, its columns, and its rows, made as they are read."""

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row]


def tables(graph: "networkx.MultiDiGraph[str]") -> tuple[Table, ...]:
    """Return the tables of a graph (`kg.graph.schema`), their rows sorted.

    Examples
    --------
    >>> import networkx
    >>> [table.name for table in tables(networkx.MultiDiGraph())]
    ['papers', 'concepts', 'mentions', 'links', 'relations']
    """
    ends = ("sentence_start", "sentence_end")
    return (
        Table("papers", ("id", "label", *_PAPER, "proposes"), _papers(graph)),
        Table("concepts", _CONCEPT, _concepts(graph)),
        Table("mentions", ("paper", *_MENTION, "concept_id", "score", *ends), _mentions(graph)),
        Table("links", ("source", "target", "weight", "shared"), _links(graph)),
        Table("relations", ("paper", *_RELATION), _relations(graph)),
    )


def write_tables(graph: "networkx.MultiDiGraph[str]", folder: str | os.PathLike[str]) -> None:
    """Write each table of the graph as a file of an existing folder: ``papers.csv`` and so on."""
    for table in tables(graph):
        _write(Path(folder) / f"{table.name}.csv", table.columns, table.rows)


def write_csv(graph: "networkx.MultiDiGraph[str]", path: str | os.PathLike[str]) -> None:
    """Write all tables of the graph as one file, each on its own if it is a ``.zip``."""
    if Path(path).suffix == ".zip":
        with tempfile.TemporaryDirectory() as folder:
            write_tables(graph, folder)
            _pack(sorted(Path(folder).iterdir()), path)
        return
    every = tables(graph)
    columns = dict.fromkeys(name for table in every for name in table.columns)
    rows = ({"table": table.name, **row} for table in every for row in table.rows)
    _write(path, ("table", *columns), rows)


def _pack(files: Iterable[Path], path: str | os.PathLike[str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            # Without a time of its own a member has the first that the format knows.
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)


def _write(path: str | os.PathLike[str], columns: tuple[str, ...], rows: Iterable[Row]) -> None:
    # Lines end as RFC 4180 has it: only so does the csv module quote a lone carriage return.
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False) if value else None
    return value


def _papers(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    for annotated in annotated_papers(graph):
        yield {
            "id": annotated.id,
            "label": annotated.label,
            **{name: getattr(annotated.paper, name) for name in _PAPER},
            "proposes": annotated.proposes,
        }


def _concepts(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    for _, data in nodes_in_order(graph):
        if data["kind"] == "concept":
            yield {name: getattr(data["record"], name) for name in _CONCEPT}


def _mentions(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    id_of = cache(concept_id)
    for annotated in annotated_papers(graph):
        for mention in annotated.mentions:
            yield {
                "paper": annotated.id,
                **{name: getattr(mention, name) for name in _MENTION},
                "concept_id": id_of(mention.concept),
                "score": mention.score,
                "sentence_start": mention.sentence[0],
                "sentence_end": mention.sentence[1],
            }


def _links(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    for source, target, key, data in edges_in_order(graph):
        if key == RELATED:
            yield {
                "source": graph.nodes[source]["record"].id,
                "target": graph.nodes[target]["record"].id,
                "weight": data["weight"],
                "shared": tuple(part.concept for part in data["shared"]),
            }


def _relations(graph: "networkx.MultiDiGraph[str]") -> Iterator[Row]:
    for annotated in annotated_papers(graph):
        for relation in annotated.relations:
            yield {"paper": annotated.id} | {name: getattr(relation, name) for name in _RELATION}

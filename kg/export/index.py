"""A build's graph in a file beside it, for questions that touch a small part of a large graph.

``DIR/.index.sqlite`` holds the nodes, edges and names of the graph; the papers themselves stay in
``papers.jsonl``, whose lines it points at. It is derived from the build and vouches for no other:
it holds the hash of the manifest, and is passed over once that or ``papers.jsonl`` has changed.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..collector import no_collection
from ..errors import OutputError
from ..graph.lookup import Scan, folded_title, names_of
from ..graph.shared import Shared
from ..records import Concept, Relation
from ..resolve.names import normal_form

if TYPE_CHECKING:
    import networkx

INDEX = ".index.sqlite"
FORMAT = 1
# Below this many papers a graph is assembled as quickly as the index is opened.
WORTH_AN_INDEX = 500

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE node (number INTEGER PRIMARY KEY, key TEXT, label TEXT, type TEXT, papers INTEGER,
    told TEXT);
CREATE TABLE title (number INTEGER PRIMARY KEY, folded TEXT);
CREATE TABLE name (form TEXT, number INTEGER, written TEXT, PRIMARY KEY (form, number))
    WITHOUT ROWID;
CREATE TABLE edge (source INTEGER, target INTEGER, key TEXT, told TEXT,
    PRIMARY KEY (source, target, key)) WITHOUT ROWID;
"""
_INDEXES = """
CREATE UNIQUE INDEX node_key ON node (key);
CREATE INDEX node_papers ON node (papers DESC, label) WHERE type IS NOT NULL;
CREATE INDEX edge_target ON edge (target);
"""


@no_collection()
def write_index(graph: "networkx.MultiDiGraph[str]", build: Path, path: Path) -> None:
    """Write the index of a build's graph.

    Parameters
    ----------
    graph
        The graph that `kg.build` made or `load_graph` gave.
    build
        The folder with its ``papers.jsonl`` and ``manifest.json``.
    path
        The file to write, which is not there yet.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    numbers = {key: number for number, key in enumerate(graph)}
    places = _places(build / "papers.jsonl")
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            # Nobody reads it before it is whole.
            database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
            database.execute("BEGIN")
            _fill(database, "about", _about(graph, build).items())
            _fill(database, "node", _nodes(graph, numbers, places))
            _fill(database, "title", _titles(graph, numbers))
            _fill(database, "name", _names(graph, numbers))
            _fill(database, "edge", _edges(graph, numbers))
            database.execute("COMMIT")
            database.executescript(_INDEXES)
    except sqlite3.Error as error:
        raise OutputError(f"{path}: cannot be written ({error}); free space there") from error


def stage_index(graph: "networkx.MultiDiGraph[str]", staging: Path, output: Path) -> None:
    """Write the index of a build worth one beside its other files, before they move into place.

    Parameters
    ----------
    graph
        The graph of the build.
    staging
        The folder that the files of the build wait in (`kg.export.staging`).
    output
        The folder that they go to, which may hold the index of a larger build.
    """
    if Scan(graph).papers >= WORTH_AN_INDEX:
        write_index(graph, staging, staging / INDEX)
    elif (output / INDEX).exists():
        (staging / INDEX).mkdir()  # staged: the file of that name goes


def signature(build: Path) -> dict[str, Any]:
    """Return what an index must hold to be that of the build in a folder."""
    papers = (build / "papers.jsonl").stat()
    return {
        "format": FORMAT,
        "manifest": hashlib.sha256((build / "manifest.json").read_bytes()).hexdigest(),
        "papers.jsonl": f"{papers.st_size} bytes, {papers.st_mtime_ns}",
    }


def _about(graph: "networkx.MultiDiGraph[str]", build: Path) -> dict[str, Any]:
    return {**signature(build), "nodes": len(graph), "papers": Scan(graph).papers}


def _fill(database: sqlite3.Connection, table: str, rows: Any) -> None:
    columns = len(database.execute(f"SELECT * FROM {table}").description)
    marks = ", ".join("?" * columns)
    database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _places(papers: Path) -> dict[str, int]:
    """Return where in the file the line of each paper begins, by id."""
    decode = json.JSONDecoder().raw_decode
    first, place, places = '{"id": ', 0, {}
    with papers.open("rb") as lines:
        for line in lines:
            text = line.decode()
            # What `kg` writes begins with the id; a person may have put it elsewhere.
            known = text.startswith(first)
            paper_id = decode(text, len(first))[0] if known else json.loads(text)["id"]
            places[paper_id] = place
            place += len(line)
    return places


def _nodes(
    graph: "networkx.MultiDiGraph[str]", numbers: Mapping[str, int], places: Mapping[str, int]
) -> Iterator[tuple[Any, ...]]:
    for key, data in graph.nodes(data=True):
        told = {name: value for name, value in data.items() if name != "record"}
        if data["kind"] == "paper":
            told["record"] = places[data["record"].id]
        else:
            record: Concept = data["record"]
            told["record"] = [record.reasons, record.broader_support]
        columns = (data.get("type"), data.get("papers"), _json(told))
        yield numbers[key], key, data["label"], *columns


def _titles(
    graph: "networkx.MultiDiGraph[str]", numbers: Mapping[str, int]
) -> Iterator[tuple[Any, ...]]:
    for key, data in graph.nodes(data=True):
        if data["kind"] == "paper":
            yield numbers[key], folded_title(data)


def _names(
    graph: "networkx.MultiDiGraph[str]", numbers: Mapping[str, int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the names of each node in lower case, and the normal forms that differ from these."""
    for key, data in graph.nodes(data=True):
        written = {name.casefold(): name for name in sorted(names_of(data))}
        for folded, name in written.items():
            yield folded, numbers[key], name
        for form in sorted(set(map(normal_form, names_of(data))) - written.keys() - {""}):
            yield form, numbers[key], None


def _edges(
    graph: "networkx.MultiDiGraph[str]", numbers: Mapping[str, int]
) -> Iterator[tuple[Any, ...]]:
    concepts = {data["label"]: key for key, data in graph.nodes(data=True) if "type" in data}
    for source, target, key, data in graph.edges(keys=True, data=True):
        told = data.copy()
        if isinstance(shared := told.get("shared"), Shared):
            told["shared"] = [(numbers[concepts[label]], *rest) for label, *rest in shared.parts()]
        if "evidence" in told:
            told["evidence"] = [_said(*one) for one in told["evidence"]]
        yield numbers[source], numbers[target], key, _json(told)


def _said(paper_id: str, said: Relation) -> list[Any]:
    return [paper_id, said.score, said.start, said.end, said.field]  # `kg.export.stored` reads it

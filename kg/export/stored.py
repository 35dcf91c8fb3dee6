"""The graph of a build read from its index, node by node, as questions reach them."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, cast
from weakref import finalize

import networkx

from ..errors import OutputError
from ..graph.lookup import Kind
from ..graph.shared import shared_concept
from ..records import AnnotatedPaper, Concept, ConceptType, Relation, SharedConcept
from ..resolve.names import normal_form
from .index import INDEX, signature
from .papers import annotated_paper

Attributes = dict[str, Any]
_KEPT = 1 << 14  # nodes that are read once
_OUT = "SELECT n.key, e.key, e.told FROM edge e JOIN node n ON n.number = target WHERE source = ?"
_IN = "SELECT n.key, e.key, e.told FROM edge e JOIN node n ON n.number = source WHERE target = ?"


class StoredGraph(networkx.MultiDiGraph):  # type: ignore[misc]
    """A `networkx.MultiDiGraph` to be read only, whose nodes and edges come from an `Index`."""

    def __init__(self, index: "Index | None" = None) -> None:
        super().__init__()
        if index is not None:  # copies are graphs in memory
            self._node = _Nodes(index)
            self._adj = _Neighbours(index, forward=True)
            self._pred = _Neighbours(index, forward=False)
            self.graph["lookup"] = index


def stored_graph(build: Path) -> StoredGraph | None:
    """Return the graph that a build's index holds, or nothing if it has no index of its own."""
    with suppress(OSError, sqlite3.Error, OutputError):
        index = Index(build)
        if signature(build).items() <= index.about.items():
            return StoredGraph(index)
    return None


class Index:
    """An open index of a build, which answers what `kg.graph.lookup.Lookup` asks.

    It sees the build that it was opened on, even if another takes its place.
    """

    def __init__(self, build: Path) -> None:
        self._path = (build / INDEX).absolute()
        self._database = sqlite3.connect(
            f"{self._path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._papers = (build / "papers.jsonl").open("rb")
        self._reading = Lock()
        finalize(self, _close, self._database, self._papers)
        self.about = dict(self.rows("SELECT name, value FROM about"))
        self.number = lru_cache(_KEPT)(self._number)
        self.key = lru_cache(_KEPT)(self._key)
        self.node = lru_cache(_KEPT)(self._node)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows that answer a question in SQL."""
        try:
            return self._database.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            return []  # half a character, as a shell may give it, is in no name
        except sqlite3.Error as error:
            raise OutputError(f"{self._path}: damaged ({error}); remove it") from error

    def _number(self, key: str) -> int:
        for (number,) in self.rows("SELECT number FROM node WHERE key = ?", key):
            return cast(int, number)
        raise KeyError(key)

    def _key(self, number: int) -> str:
        [(key,)] = self.rows("SELECT key FROM node WHERE number = ?", number)
        return cast(str, key)

    def _node(self, key: str) -> Attributes:
        for (told,) in self.rows("SELECT told FROM node WHERE key = ?", key):
            data: Attributes = json.loads(told)
            return _paper(self, data) if data["kind"] == "paper" else _concept(key, data)
        raise KeyError(key)

    def paper(self, place: int) -> AnnotatedPaper:
        """Return the paper whose line begins at a place of ``papers.jsonl``."""
        with self._reading:
            self._papers.seek(place)
            line = self._papers.readline()
        return annotated_paper(json.loads(line))

    @property
    def papers(self) -> int:
        return cast(int, self.about["papers"])

    def named(self, name: str) -> Iterable[str]:
        sql = "SELECT DISTINCT number FROM name WHERE form IN (?, ?) ORDER BY number"
        forms = name.casefold(), normal_form(name)
        return [self.key(number) for (number,) in self.rows(sql, *forms)]

    def titled(self, part: str) -> Iterable[str]:
        sql = "SELECT number FROM title WHERE instr(folded, ?) ORDER BY number"
        return [self.key(number) for (number,) in self.rows(sql, part)]

    def names(self, initial: str) -> Iterable[tuple[str, str, Kind]]:
        sql = (
            "SELECT form, written, iif(type IS NULL, 'paper', 'concept') FROM name JOIN node "
            "USING (number) WHERE form >= ? AND form < ? AND written IS NOT NULL"
        )
        last = initial + "\U0010ffff" if initial else ""
        return cast(Iterable[tuple[str, str, Kind]], self.rows(sql, initial, last))

    def concepts(self, type: ConceptType | None, top: int | None) -> list[Concept]:
        sql = (
            "SELECT key FROM node WHERE type IS NOT NULL AND type = coalesce(?, type) "
            "ORDER BY papers DESC, label LIMIT ?"
        )
        keys = [key for (key,) in self.rows(sql, type, -1 if top is None else top)]
        return [self.node(key)["record"] for key in keys]


def _close(*files: Any) -> None:
    for file in files:
        file.close()


class Lazy(dict[str, Any]):
    """Attributes of a node or edge, one of which is made when it is asked for.

    Examples
    --------
    >>> data = Lazy({"weight": 0.5}, "shared", lambda: ("LoRA",))
    >>> "shared" in data, data["shared"], len(data)
    (True, ('LoRA',), 2)
    """

    def __init__(self, known: Attributes, name: str, make: Callable[[], Any]) -> None:
        super().__init__(known)
        self._name = name
        self._make = make

    def __contains__(self, name: object) -> bool:
        return name == self._name or super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __missing__(self, name: str) -> Any:
        if name != self._name:
            raise KeyError(name)
        value = self[name] = self._make()
        return value


class _Nodes(Mapping[str, Attributes]):
    """The attributes of each node."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __getitem__(self, key: str) -> Attributes:
        return self._index.node(key)

    def __iter__(self) -> Iterator[str]:
        return (key for (key,) in self._index.rows("SELECT key FROM node ORDER BY number"))

    def __len__(self) -> int:
        return cast(int, self._index.about["nodes"])


class _Neighbours(_Nodes):
    """The neighbours of each node one way, as networkx keeps them: by key, then by edge."""

    def __init__(self, index: Index, *, forward: bool) -> None:
        super().__init__(index)
        self._forward = forward

    def __getitem__(self, key: str) -> dict[str, dict[str, Attributes]]:
        neighbours: dict[str, dict[str, Attributes]] = {}
        index, number = self._index, self._index.number(key)
        for other, kind, told in index.rows(_OUT if self._forward else _IN, number):
            ends = (key, other) if self._forward else (other, key)
            neighbours.setdefault(other, {})[kind] = _edge(index, ends, kind, json.loads(told))
        return neighbours


def _paper(index: Index, data: Attributes) -> Attributes:
    place = data.pop("record")
    return Lazy(data, "record", lambda: index.paper(place))


def _concept(key: str, data: Attributes) -> Attributes:
    data["aliases"], data["broader"] = tuple(data["aliases"]), tuple(data["broader"])
    reasons, support = data["record"]
    data["record"] = Concept(
        id=_id(key),
        label=data["label"],
        type=data["type"],
        aliases=data["aliases"],
        reasons=tuple(reasons),
        papers=data["papers"],
        broader=tuple(map(_id, data["broader"])),
        broader_support=tuple(support),
    )
    return data


def _edge(index: Index, ends: tuple[str, str], kind: str, data: Attributes) -> Attributes:
    if "shared" in data:
        parts = data.pop("shared")
        return Lazy(data, "shared", lambda: tuple(_shared(index, ends, parts)))
    if "evidence" in data:
        evidence = data.pop("evidence")
        return Lazy(data, "evidence", lambda: tuple(_evidence(index, ends, kind, evidence)))
    return data


def _shared(
    index: Index, ends: tuple[str, str], parts: list[tuple[int, float, int, int]]
) -> Iterator[SharedConcept]:
    one, other = (index.node(end)["record"] for end in ends)
    for number, weight, here, there in parts:
        concept = index.node(index.key(number))["record"]
        yield shared_concept((concept.label, concept.type, weight), one, here, other, there)


def _evidence(
    index: Index, ends: tuple[str, str], kind: str, evidence: list[list[Any]]
) -> Iterator[tuple[str, Relation]]:
    head, tail = (index.node(end)["label"] for end in ends)
    for paper_id, score, start, end, field in evidence:
        yield paper_id, Relation(head, kind, tail, score, start, end, field)  # type: ignore[arg-type]


def _id(key: str) -> str:
    """Return the id that a node key holds."""
    return key.partition(":")[2]

"""A build's folder -> all that is wrong with it: ``kg validate``."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import OutputError
from ..export.formats import FORMATS
from ..export.iris import check_base
from ..export.load import MANIFEST, PAPERS, load_graph, read_manifest
from ..export.manifest import graph_counts
from ..export.text import Text
from .faults import Fault, Validation
from .papers import check_papers
from .rdf import TURTLE, check_references, check_statements, read_turtle
from .shapes import check_shapes

if TYPE_CHECKING:
    import networkx

PAGE = "graph.html"
GRAPHML = "graph.graphml"
FILES = (TURTLE, PAGE, GRAPHML, PAPERS, MANIFEST)
_DATA = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>', re.DOTALL)


def validate_build(build: str | os.PathLike[str]) -> Validation:
    """Check a build: the papers, the RDF, the page, the counts, the files.

    Of one place the first fault is told, and of a file as a whole only what nothing else tells.

    Parameters
    ----------
    build
        The folder that ``kg build`` wrote.

    Returns
    -------
    Validation
        The faults, and whether pySHACL was there to check the RDF against the shapes.

    Raises
    ------
    OutputError
        If the folder holds no build at all.
    """
    folder = Path(build)
    if not any((folder / name).is_file() for name in FILES):
        raise OutputError(f"{build}: no build here; run `kg build INPUT -o {build}` first")
    with_shapes = find_spec("pyshacl") is not None
    kept: dict[tuple[str, str], Fault] = {}
    for fault in _faults(folder, with_shapes):
        if fault.place or not any(file == fault.file for file, _ in kept):
            kept.setdefault((fault.file, fault.place), fault)
    return Validation(tuple(kept.values()), with_shapes)


@dataclass(frozen=True, slots=True)
class _Made:
    """How a build was made, as its manifest tells."""

    base_iri: str
    layers: tuple[str, ...]
    text: Text
    counts: Mapping[str, Any]
    files: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Self:
        manifest = read_manifest(path)
        told = manifest["settings"]
        layers = tuple(told["layers"])
        base_iri = check_base(told["base_iri"])
        return cls(base_iri, layers, told["text"], manifest["counts"], manifest["files"])


def _faults(folder: Path, with_shapes: bool) -> Iterator[Fault]:
    """Yield the faults, the most telling first; what follows from others is looked at last."""
    missing = [name for name in FILES if not (folder / name).is_file()]
    yield from (Fault(name, "", "is missing") for name in missing)
    try:
        made = _Made.read(folder / MANIFEST)
    except (OutputError, LookupError, TypeError) as error:
        yield Fault(MANIFEST, "", f"no manifest of a build ({error})")
        return
    graph = None
    if PAPERS not in missing:
        papers = list(check_papers(folder / PAPERS, text=made.text))
        yield from papers
        graph = None if papers else load_graph(folder)
    if TURTLE not in missing:
        yield from _rdf(folder / TURTLE, graph, made, with_shapes)
    if graph is not None:
        if PAGE not in missing:
            yield from _page(folder / PAGE, graph, made.text)
        yield from _counts(graph, made.counts)
    if made.text == "none" and GRAPHML not in missing:
        yield from _graphml(folder / GRAPHML)
    yield from _files(folder, made.files)


def _rdf(
    path: Path, graph: "networkx.MultiDiGraph[str] | None", made: _Made, with_shapes: bool
) -> Iterator[Fault]:
    triples, broken = read_turtle(path)
    if broken:
        yield broken
        return
    yield from check_references(triples, made.base_iri)
    if graph is not None:
        yield from check_statements(triples, graph, base_iri=made.base_iri, layers=made.layers)
    if with_shapes:
        yield from check_shapes(triples, made.base_iri)


def _counts(graph: "networkx.MultiDiGraph[str]", told: Mapping[str, Any]) -> Iterator[Fault]:
    for name, number in graph_counts(graph).items():
        if told.get(name) != number:
            yield Fault(
                MANIFEST, f"counts.{name}", f"is {told.get(name)}, papers.jsonl has {number}"
            )


def _page(path: Path, graph: "networkx.MultiDiGraph[str]", text: Text) -> Iterator[Fault]:
    """Yield what the page shows that the graph has not, and texts that it must not have."""
    parts = dict(_DATA.findall(path.read_text(encoding="utf-8", errors="replace")))
    try:
        nodes, evidence, about = (json.loads(parts[n]) for n in ("nodes", "evidence", "about"))
        shown = [node["key"] for node in nodes]
        whole = len(shown) + sum(about["left_out"].values())
        texts = [
            int(n) for n, told in evidence["papers"].items() if {"title", "abstract"} & {*told}
        ]
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        yield Fault(PAGE, "", f"holds no graph ({error!r})")
        return
    for key in sorted(set(shown) - set(graph)):
        yield Fault(PAGE, key, "is nothing that papers.jsonl has")
    if whole != len(graph):
        yield Fault(
            PAGE, "nodes", f"are {whole} with those left out, papers.jsonl has {len(graph)}"
        )
    for number in texts if text == "none" else ():
        yield Fault(PAGE, shown[number], "has a text, though the build was made without texts")


def _graphml(path: Path) -> Iterator[Fault]:
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if '<data key="node_title">' in line:
                yield Fault(
                    GRAPHML, str(number), "a title, though the build was made without texts"
                )


def _files(folder: Path, told: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the files that are not the ones that were built."""
    for name, digest in sorted(told.items()):
        path = folder / name
        if not path.is_file():
            yield Fault(name, "", "is missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield Fault(name, "", "is not the file that was built: its SHA-256 is another")
    for name in sorted({f"graph.{format}" for format in FORMATS} - {*told, PAGE}):
        if (folder / name).exists():
            yield Fault(name, "", "is of no part of this build: the manifest does not name it")

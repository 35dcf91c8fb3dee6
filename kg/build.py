"""The whole of `kg` in one place: read this first.

::

    files ── read ──> Paper ── extract ──> AnnotatedPaper ── resolve ──> Concept ── graph ──> export
"""

import hashlib
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import __version__
from .collector import no_collection
from .export.formats import check_format, forms_of, writer
from .export.graphml import write_graphml
from .export.index import stage_index
from .export.iris import DEFAULT_BASE, check_base
from .export.manifest import Counts, count, file_hashes, manifest_json
from .export.papers import annotated_papers, papers_jsonl
from .export.provenance import Provenance
from .export.rdf import write_turtle
from .export.staging import finish_moves, staged
from .export.text import Text, without_text
from .export.triples import LAYERS, closed
from .extract.extract import Progress, confident, extract, extract_reading
from .extract.load import PACKAGED
from .graph.build import assemble
from .read.found import Reading
from .read.reading import read_inputs
from .records import AnnotatedPaper, Paper
from .resolve.concepts import collect_concepts
from .resolve.resolve import resolve
from .resolve.thesaurus import EMPTY, Thesaurus
from .state import State, opened

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What changes the result of a build, besides its papers."""

    base_iri: str = DEFAULT_BASE
    min_confidence: float = 0.0
    min_support: int = 1
    thesaurus: Thesaurus = EMPTY
    layers: tuple[str, ...] = LAYERS
    text: Text = "full"


@dataclass(frozen=True, slots=True)
class Build:
    """A finished build: where it lies, what was read, the graph, and what it counts.

    `extracted` is the number of papers whose text no earlier build of the folder knew, `note` says
    what was wrong with what these had left there.
    """

    output: Path
    reading: Reading
    graph: "networkx.MultiDiGraph[str]" = field(repr=False)
    counts: Counts
    extracted: int
    seconds: float
    note: str | None = None


def build(
    inputs: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str] = "exports",
    *,
    settings: Settings | None = None,
    formats: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    fresh: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Build:
    """Turn files of papers into a folder of graphs.

    A build extracts only what no earlier build of the folder has (`kg.state`), even one that was
    killed, and ends with the bytes of a build from nothing.

    Parameters
    ----------
    inputs
        Files, directories, or ``-`` for standard input.
    output
        The folder to write to; it keeps its last build until the new one is whole.
    settings
        What changes the result.
    formats
        Further forms of the graph (`kg.export.formats.FORMATS`), each a file ``graph.FORMAT``.
    columns
        As for `kg.read.reading.read_inputs`.
    fresh
        Whether to extract all anew.
    jobs, progress
        As for `kg.extract.extract.extract`.

    Raises
    ------
    KgError
        If an input does not exist, no paper is found, the folder cannot be written, or another
        build is writing there.
    """
    started = time.monotonic()
    settings = settings or Settings()
    check_base(settings.base_iri)
    for format in formats:
        check_format(format)
    closed(settings.layers)
    folder = Path(output)
    with opened(folder, components(), fresh=fresh) as state:
        finish_moves(folder)  # before the folder is read, should it be among the inputs
        reading = read_inputs(inputs, columns=columns)
        found = _extracted(reading, state, settings, jobs=jobs, progress=progress)
        with staged(folder) as staging, no_collection():
            found = _named(found, settings)  # what was there is as large, and let go
            graph = _graph(found, settings)
            _write(graph, staging, settings, formats)
            built = Build(
                folder,
                reading,
                graph,
                count(reading, graph),
                state.kept,
                time.monotonic() - started,
                state.note,
            )
            _write_manifest(built, staging, settings, jobs)
            stage_index(graph, staging, folder)
        state.keep_only(reading.papers)
    return built


def build_graph(
    papers: Iterable[Paper],
    *,
    settings: Settings | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> "networkx.MultiDiGraph[str]":
    """Return the graph of papers and the concepts that they speak of.

    Nodes and edges carry the attributes of `kg.graph.schema`.

    Parameters
    ----------
    papers
        As `read_papers` gives them, or made by hand; their ids must differ.
    settings
        What changes the result.
    jobs, progress
        As for `kg.extract.extract.extract`.
    """
    settings = settings or Settings()
    found = extract(
        tuple(papers), min_confidence=settings.min_confidence, jobs=jobs, progress=progress
    )
    return _graph(_named(found, settings), settings)


def _extracted(
    reading: Reading, state: State, settings: Settings, **options: Any
) -> list[AnnotatedPaper]:
    """Return all papers with what was found in them now, before, or by whoever annotated them."""
    least = settings.min_confidence
    papers = [paper for paper in reading.papers if paper.id not in reading.annotated]
    known = {key: confident(annotated, least) for key, annotated in state.find(papers).items()}
    reading = replace(reading, annotated={**known, **reading.annotated})
    found = extract_reading(reading, min_confidence=least, keep=state.keep, **options)
    # What another process sent back holds the texts once more.
    own = {paper.id: paper for paper in reading.papers}
    return [replace(annotated, paper=own[annotated.id]) for annotated in found]


def _named(found: Sequence[AnnotatedPaper], settings: Settings) -> list[AnnotatedPaper]:
    """Return the papers with their concepts named for the whole build, and what they may show."""
    annotated = resolve(found, thesaurus=settings.thesaurus)
    return [without_text(paper) for paper in annotated] if settings.text == "none" else annotated


def _graph(annotated: Sequence[AnnotatedPaper], settings: Settings) -> "networkx.MultiDiGraph[str]":
    concepts = collect_concepts(annotated, thesaurus=settings.thesaurus)
    graph = assemble(annotated, concepts, min_support=settings.min_support)
    graph.graph["provenance"] = Provenance.of(__version__, components(), asdict(settings))
    return graph


@cache
def components() -> dict[str, str]:
    """Return the versions, besides that of `kg`, that the result depends on."""
    digest = hashlib.sha256()
    for path in sorted(path for path in PACKAGED.rglob("*") if path.is_file()):
        digest.update(path.relative_to(PACKAGED).as_posix().encode() + path.read_bytes())
    return {"model": digest.hexdigest()[:12], "spaCy": version("spacy")}


def _write(
    graph: "networkx.MultiDiGraph[str]", folder: Path, settings: Settings, formats: Sequence[str]
) -> None:
    from .export.html import write_html  # pyvis takes half a second to import

    options: dict[str, Any] = {"base_iri": settings.base_iri, "layers": settings.layers}
    write_turtle(graph, folder / "graph.ttl", **options)
    write_graphml(graph, folder / "graph.graphml")
    write_html(graph, folder / "graph.html")
    with (folder / "papers.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(papers_jsonl(annotated_papers(graph)))
    for format in sorted(set(formats) - {"ttl", "graphml", "html"}):
        writer(format, **options)(graph, folder / f"graph.{format}")


def _write_manifest(built: Build, folder: Path, settings: Settings, jobs: int | None) -> None:
    files = file_hashes(folder)
    manifest = manifest_json(
        built.reading,
        built.counts,
        settings=asdict(settings),
        files=files,
        versions={"kg": __version__, **components()},
        run={
            "seconds": round(built.seconds, 2),
            "jobs": jobs,
            "extracted": built.extracted,
            "reused": built.counts.papers - built.extracted,
        },
    )
    (folder / "manifest.json").write_text(manifest, encoding="utf-8", newline="\n")
    for outdated in forms_of(built.output) - files.keys():
        (folder / outdated).mkdir()  # staged: the file of that name goes

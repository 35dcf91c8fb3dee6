"""A build's folder -> its graph again."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..graph.build import assemble
from ..graph.lookup import lookup_of
from ..resolve.concepts import collect_concepts
from ..resolve.thesaurus import thesaurus_from_json
from .index import INDEX, WORTH_AN_INDEX, write_index
from .papers import read_annotated
from .provenance import Provenance
from .staging import check_settled, staged

if TYPE_CHECKING:
    import networkx

PAPERS = "papers.jsonl"
MANIFEST = "manifest.json"


def load_graph(build: str | os.PathLike[str] = "exports") -> "networkx.MultiDiGraph[str]":
    """Return the graph of a build, equal to the one that was built.

    Parameters
    ----------
    build
        The folder that ``kg build`` wrote.

    Raises
    ------
    OutputError
        If the folder holds no build.
    """
    path = Path(build) / PAPERS
    if not path.is_file():
        raise OutputError(f"{build}: no build here; run `kg build INPUT -o {build}` first")
    manifest = read_manifest(Path(build) / MANIFEST)
    papers = read_annotated(path)
    try:
        thesaurus = thesaurus_from_json(manifest["settings"]["thesaurus"])
        concepts = collect_concepts(papers, thesaurus=thesaurus)
        # Builds of earlier versions left no relation out.
        graph = assemble(papers, concepts, min_support=manifest["settings"].get("min_support", 1))
        versions = dict(manifest["versions"])
        origin = Provenance.of(versions.pop("kg"), versions, manifest["settings"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OutputError(f"{build}: damaged ({error!r}); run `kg build` again") from error
    graph.graph["provenance"] = origin
    return graph


def open_graph(build: str | os.PathLike[str] = "exports") -> "networkx.MultiDiGraph[str]":
    """Return the graph of a build for a few questions, of a large one without reading it whole.

    The functions of `kg.graph` that find, describe and rank answer on it as they do on the graph
    of `load_graph`. A large build that lacks its index (`kg.export.index`) gets it here.

    Parameters
    ----------
    build
        The folder that ``kg build`` wrote.

    Raises
    ------
    OutputError
        If the folder holds no build.
    """
    from .stored import stored_graph

    folder = Path(build)
    check_settled(folder)
    if stored := stored_graph(folder):
        return stored
    graph = load_graph(folder)
    # A folder that cannot be written to is read as a whole each time.
    with suppress(OutputError):
        add_index(graph, folder)
    return graph


def add_index(graph: "networkx.MultiDiGraph[str]", build: Path) -> None:
    """Put the index of its graph beside a build that is worth one.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    if lookup_of(graph).papers >= WORTH_AN_INDEX:
        with staged(build) as staging:
            write_index(graph, build, staging / INDEX)


def read_manifest(path: Path) -> dict[str, Any]:
    """Return what a build's manifest says.

    Raises
    ------
    OutputError
        If it cannot be read, or the files beside it are those of two builds.
    """
    check_settled(path.parent)
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: cannot be read ({error}); run `kg build` again") from error
    if not isinstance(manifest, dict) or not {"settings", "versions"} <= manifest.keys():
        raise OutputError(f"{path}: not the manifest of a build; run `kg build` again")
    return manifest

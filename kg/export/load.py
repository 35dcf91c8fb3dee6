"""A build's folder -> its graph again."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..graph.build import assemble
from ..resolve.concepts import collect_concepts
from ..resolve.thesaurus import thesaurus_from_json
from .papers import read_annotated
from .provenance import Provenance

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
    papers = read_annotated(path)
    manifest = read_manifest(Path(build) / MANIFEST)
    try:
        thesaurus = thesaurus_from_json(manifest["settings"]["thesaurus"])
        graph = assemble(papers, collect_concepts(papers, thesaurus=thesaurus))
        versions = dict(manifest["versions"])
        origin = Provenance.of(versions.pop("kg"), versions, manifest["settings"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OutputError(f"{build}: damaged ({error!r}); run `kg build` again") from error
    graph.graph["provenance"] = origin
    return graph


def read_manifest(path: Path) -> dict[str, Any]:
    """Return what a build's manifest says.

    Raises
    ------
    OutputError
        If it cannot be read.
    """
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: cannot be read ({error}); run `kg build` again") from error
    if not isinstance(manifest, dict) or not {"settings", "versions"} <= manifest.keys():
        raise OutputError(f"{path}: not the manifest of a build; run `kg build` again")
    return manifest

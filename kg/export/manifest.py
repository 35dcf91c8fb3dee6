"""What a build was made of, by what, and what came of it: ``manifest.json``."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..graph.schema import BROADER, MENTIONS, RELATED
from ..read.found import Reading, Remark, Skipped
from ..records import CONCEPT_TYPES, RELATION_TYPES

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of everything a build holds."""

    records: int
    papers: int
    merged: int
    title_only: int
    skipped: int
    mentions: int
    concepts: dict[str, int]
    links: int
    broader: int
    relations: int


def count(reading: Reading, graph: "networkx.MultiDiGraph[str]") -> Counts:
    """Count what was read and what the graph holds."""
    return Counts(
        records=sum(source.records for source in reading.sources),
        merged=reading.merged,
        title_only=reading.title_only,
        skipped=len(reading.skipped),
        **graph_counts(graph),
    )


def graph_counts(graph: "networkx.MultiDiGraph[str]") -> dict[str, Any]:
    """Return those of the `Counts` that the graph alone decides, by name."""
    types = Counter(data["type"] for _, data in graph.nodes(data=True) if data["kind"] == "concept")
    edges = Counter(key for *_, key in graph.edges(keys=True))
    mentions = sum(
        data["count"] for *_, key, data in graph.edges(keys=True, data=True) if key == MENTIONS
    )
    return {
        "papers": len(graph) - types.total(),
        "mentions": mentions,
        "concepts": {kind: types[kind] for kind in CONCEPT_TYPES},
        "links": edges[RELATED],
        "broader": edges[BROADER],
        "relations": sum(edges[kind] for kind in RELATION_TYPES),
    }


def manifest_json(
    reading: Reading,
    counts: Counts,
    *,
    settings: Mapping[str, Any],
    files: Mapping[str, str],
    versions: Mapping[str, str],
    run: Mapping[str, Any],
) -> str:
    """Return the manifest: all under ``run`` differs from run to run, nothing else does.

    Under ``files`` stands the SHA-256 of each file that was written beside it, save the page.
    """
    content = {
        "inputs": [asdict(source) for source in reading.sources],
        "settings": dict(settings),
        "versions": dict(versions),
        "counts": asdict(counts),
        "files": dict(files),
        "skipped": _sorted_skips(reading),
        "remarks": [asdict(remark) for remark in sorted(reading.remarks, key=_by_place)],
        "merged": _merged(reading),
        "run": dict(run),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a folder, save the page.

    Its places are computed in floating point, and may differ in the last digit from one make of
    processor to another.
    """
    files = sorted(path for path in folder.iterdir() if path.suffix != ".html")
    hashes = {}
    for path in files:
        with path.open("rb") as file:  # which may be larger than the memory
            hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


def _sorted_skips(reading: Reading) -> Sequence[dict[str, Any]]:
    return [asdict(skip) for skip in sorted(reading.skipped, key=_by_place)]


def _by_place(one: Skipped | Remark) -> tuple[str, int, str]:
    said = one.reason if isinstance(one, Skipped) else one.text
    return one.file, one.line or 0, said


def _merged(reading: Reading) -> dict[str, list[str]]:
    """Return the places of all records of each paper that was read from more than one."""
    return {
        paper_id: [f"{place.file}:{place.line}" for place in places]
        for paper_id, places in sorted(reading.origins.items())
        if len(places) > 1
    }

"""What a build was made of, by what, and what came of it: ``manifest.json``."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..graph.schema import BROADER, MENTIONS, RELATED
from ..read.found import Reading
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
    types = Counter(data["type"] for _, data in graph.nodes(data=True) if data["kind"] == "concept")
    edges = Counter(key for *_, key in graph.edges(keys=True))
    mentions = sum(
        data["count"] for *_, key, data in graph.edges(keys=True, data=True) if key == MENTIONS
    )
    return Counts(
        records=sum(source.records for source in reading.sources),
        papers=len(reading.papers),
        merged=reading.merged,
        title_only=reading.title_only,
        skipped=len(reading.skipped),
        mentions=mentions,
        concepts={kind: types[kind] for kind in CONCEPT_TYPES},
        links=edges[RELATED],
        broader=edges[BROADER],
        relations=sum(edges[kind] for kind in RELATION_TYPES),
    )


def manifest_json(
    reading: Reading,
    counts: Counts,
    *,
    settings: Mapping[str, Any],
    versions: Mapping[str, str],
    run: Mapping[str, Any],
) -> str:
    """Return the manifest: all under ``run`` differs from run to run, nothing else does."""
    content = {
        "inputs": [asdict(source) for source in reading.sources],
        "settings": dict(settings),
        "versions": dict(versions),
        "counts": asdict(counts),
        "skipped": _sorted_skips(reading),
        "run": dict(run),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _sorted_skips(reading: Reading) -> Sequence[dict[str, Any]]:
    skips = sorted(reading.skipped, key=lambda skip: (skip.file, skip.line or 0, skip.reason))
    return [asdict(skip) for skip in skips]

"""The whole of `kg` on Spark: the functions of `kg.build` over parts of the papers.

::

    files ── read ──> papers ── annotate ──> annotated ── link ──> links ── quads ──> N-Quads

A build is a folder of ``papers``, ``concepts`` and ``links`` in shards of Parquet, ``graph`` in
shards of N-Quads, and a manifest, which comes last: a folder without it is no build.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..build import Settings, components
from ..errors import OutputError, WorkerError
from ..export.iris import check_base
from ..export.manifest import Counts, manifest_json
from ..export.provenance import Provenance
from ..export.staging import LAST
from ..export.syntax import NQuads
from ..export.triples import closed
from ..graph.build import put_concept
from ..graph.compact import PaperGraph
from ..read.files import GRAPH_MARK
from ..read.found import Reading, Remark
from ..records import CONCEPT_TYPES, Concept
from ..resolve.concepts import concepts_of
from ..state import opened
from .annotate import extracted, occurrences, resolved
from .files import FRAMES, GRAPH, Folder
from .link import linked
from .quads import Rdf, claims_of, quads
from .read import read_sources
from .rows import CONCEPTS, frame_of, keeping

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PER_SHARD = 1_000  # papers
STAGING = "_staging"
_HERE = "file:"
Frames = tuple["DataFrame", "DataFrame", "DataFrame"]  # papers, concepts, links
_SUFFIXES = {**dict.fromkeys(FRAMES, "parquet"), GRAPH: "nq.gz"}


@dataclass(frozen=True, slots=True)
class SparkBuild:
    """A finished build: its address, the account of what was read (without the papers), a graph of
    the concepts alone, and what it counts."""

    output: str
    reading: Reading
    graph: PaperGraph = field(repr=False)
    counts: Counts
    seconds: float


def build_on_spark(
    spark: "SparkSession",
    inputs: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    settings: Settings | None = None,
    columns: Mapping[str, str] | None = None,
    shards: int | None = None,
) -> SparkBuild:
    """Turn files of papers into a folder of Parquet and N-Quads, by tasks of Spark.

    Papers, concepts and links are those of `kg.build.build`, whatever the number of tasks and
    shards. A task that fails is run again by Spark.

    Parameters
    ----------
    spark
        The session (`kg.spark.session.spark_session`).
    inputs
        Files and folders in any place that Spark reads.
    output
        The folder to write to, in any such place; what an earlier build on Spark left there is
        replaced when all is written.
    settings, columns
        As for `kg.build.build`.
    shards
        How many parts each kind of result has, by default one for each `PER_SHARD` papers.

    Returns
    -------
    SparkBuild
        What was written where, and what it counts.

    Raises
    ------
    KgError
        If an input does not exist, no paper is found, the folder cannot be written, holds a build
        that was not made on Spark or (on this machine) is being written by another build, or a
        task fails each time that it is run.
    """
    started = time.monotonic()
    settings = settings or Settings()
    rdf = _rdf(settings)
    spark = spark.newSession()  # whose settings are its own
    with _told(), _staged(spark, os.fspath(output)) as folder, keeping() as keep:
        read = read_sources(spark, [os.fspath(one) for one in inputs], keep, columns=columns)
        shards = shards or read.papers.count() // PER_SHARD + 1
        spark.conf.set("spark.sql.shuffle.partitions", shards)
        parts = read.papers.repartition(shards, "id").sortWithinPartitions("id")
        found = keep(extracted(parts, settings.min_confidence))
        reading = _with_remarks(read.account, found)
        frames, concepts = _write_frames(spark, folder, found, settings, shards)
        graph = _graph_of(concepts)
        counts = _counted(reading, found, frames, concepts, settings)
        _write(folder, GRAPH, quads(spark, *frames, rdf, graph=graph, shards=shards))
        seconds = time.monotonic() - started
        manifest = manifest_json(
            reading,
            counts,
            settings=asdict(settings),
            files=_hashes(spark, folder),
            versions={"kg": __version__, **components()},
            run={"seconds": round(seconds, 2), "shards": shards},
        )
        folder.write(f"{STAGING}/{LAST}", manifest)
    return SparkBuild(folder.address, reading, graph, counts, seconds)


def _rdf(settings: Settings) -> Rdf:
    return Rdf(
        NQuads(check_base(settings.base_iri)),
        closed(settings.layers),
        settings.min_support,
        Provenance.of(__version__, components(), asdict(settings)),
    )


@contextmanager
def _told() -> Iterator[None]:
    """Tell what Spark could not do in the words of `kg`."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        lines = [line.strip() for line in str(error).splitlines()]
        told = [line for line in lines if line and not line.startswith("at ")]
        what = told[-1][:400] if told else type(error).__name__
        raise WorkerError(f"Spark has failed ({what}); its log tells more") from error


@contextmanager
def _staged(spark: "SparkSession", address: str) -> Iterator[Folder]:
    """Give a folder to write to below `STAGING`; what is there replaces the last build at the end.

    If the block fails, the last build stays.
    """
    folder = Folder(spark, address)
    if folder.exists(GRAPH_MARK):
        raise OutputError(
            f"{address}: holds a build that was not made on Spark; choose another folder with -o"
        )
    was_there = folder.exists()
    with _locked(folder):
        folder.remove(STAGING)
        folder.make(STAGING)
        try:
            yield folder
            folder.remove(LAST)
            for name in (*_SUFFIXES, LAST):  # the manifest last: it vouches for the rest
                folder.remove(name)
                folder.move(f"{STAGING}/{name}", name)
            was_there = True
        finally:
            folder.remove(STAGING if was_there else "")


@contextmanager
def _locked(folder: Folder) -> Iterator[None]:
    """Keep other builds out of a folder of this machine; those elsewhere know no locks."""
    if not folder.address.startswith(_HERE):
        yield
        return
    with opened(Path(folder.address.removeprefix(_HERE)), components()):
        yield


def _with_remarks(account: Reading, found: "DataFrame") -> Reading:
    rows = found.where("remark is not null").select("remark").collect()
    remarks = [Remark(**json.loads(remark)) for (remark,) in rows]
    return replace(account, remarks=(*account.remarks, *remarks))


def _write_frames(
    spark: "SparkSession", folder: Folder, found: "DataFrame", settings: Settings, shards: int
) -> tuple[Frames, tuple[Concept, ...]]:
    """Write papers, concepts and links; return them as they can be read again, and the concepts."""
    thesaurus = settings.thesaurus
    _write(folder, "papers", resolved(spark, found, thesaurus=thesaurus, text=settings.text))
    papers = spark.read.parquet(f"{folder.address}/{STAGING}/papers")
    concepts = concepts_of(occurrences(papers), thesaurus=thesaurus)
    rows = frame_of(spark, map(asdict, concepts), CONCEPTS)
    _write(folder, "concepts", rows.repartition(shards, "id").sortWithinPartitions("id"))
    _write(folder, "links", linked(spark, papers, concepts, shards=shards))
    links = spark.read.parquet(f"{folder.address}/{STAGING}/links")
    return (papers, rows, links), concepts


def _write(folder: Folder, name: str, frame: "DataFrame") -> None:
    """Write a frame in parts that are named by their order."""
    place = f"{STAGING}/{name}"
    writer = frame.write
    if name == GRAPH:
        writer.option("compression", "gzip").text(f"{folder.address}/{place}")
    else:
        writer.parquet(f"{folder.address}/{place}")
    for written in folder.names(place):
        if not written.startswith("part-"):
            folder.remove(f"{place}/{written}")
    for number, written in enumerate(folder.names(place)):
        folder.move(f"{place}/{written}", f"{place}/part-{number:05}.{_SUFFIXES[name]}")


def _counted(
    reading: Reading,
    found: "DataFrame",
    frames: Frames,
    concepts: Sequence[Concept],
    settings: Settings,
) -> Counts:
    papers, _, links = frames
    kinds = Counter(concept.type for concept in concepts)
    [(mentions,)] = papers.selectExpr("sum(size(mentions))").collect()
    return Counts(
        records=sum(source.records for source in reading.sources),
        papers=papers.count(),
        merged=reading.merged,
        title_only=found.where("abstract is null").count(),
        skipped=len(reading.skipped),
        mentions=mentions,
        concepts={kind: kinds[kind] for kind in CONCEPT_TYPES},
        links=links.count(),
        broader=sum(len(concept.broader) for concept in concepts),
        relations=claims_of(papers).where(f"support >= {settings.min_support}").count(),
    )


def _hashes(spark: "SparkSession", folder: Folder) -> dict[str, str]:
    """Return the SHA-256 of each shard."""
    from pyspark.sql import functions as F

    places = [f"{folder.address}/{STAGING}/{name}" for name in _SUFFIXES]
    files = spark.read.format("binaryFile").load(places)
    rows = files.select("path", F.sha2("content", 256)).collect()
    return dict(sorted(("/".join(path.split("/")[-2:]), digest) for path, digest in rows))


def _graph_of(concepts: Sequence[Concept]) -> PaperGraph:
    graph = PaperGraph()
    by_id = {concept.id: f"concept:{concept.id}" for concept in concepts}
    for concept in concepts:
        put_concept(graph, concept, by_id)
    return graph

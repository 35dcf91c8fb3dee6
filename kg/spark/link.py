"""Links between papers: the matrix of all concepts is sent to the tasks, each takes some rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..graph.build import put_concept
from ..graph.compact import PaperGraph
from ..graph.evidence import name_parts, paper_evidence
from ..graph.links import Vectors, best_pairs, explained
from ..graph.matrix import matrix_of
from ..records import Concept
from .annotate import annotated_rows
from .rows import LINKS, Row, mapped

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

TOP = 10
ROWS = 1_000  # papers that a task links
_EVIDENCE = pa.schema(
    [
        ("id", pa.string()),
        ("labels", pa.list_(pa.string())),
        ("factors", pa.list_(pa.float64())),
        ("mentions", pa.list_(pa.int32())),
    ]
)
_PAIRS = pa.schema([("one", pa.int64()), ("other", pa.int64())])


@dataclass(frozen=True, slots=True)
class _Linking:
    """What a task needs: the ids of the rows, the labels and types of the columns, which mention
    each entry of the matrix shows, and the matrix's vectors with their transpose."""

    ids: Sequence[str]
    labels: Sequence[str]
    types: Sequence[str]
    mentions: npt.NDArray[np.int32]
    vectors: Vectors


def linked(
    spark: "SparkSession", papers: "DataFrame", concepts: Sequence[Concept], *, shards: int
) -> "DataFrame":
    """Return the links (`LINKS`) that `kg.graph.links.link_papers` makes, sorted in each part.

    Parameters
    ----------
    spark
        The session.
    papers
        The resolved papers.
    concepts
        All concepts that they name.
    shards
        Into how many parts the links are cut.
    """
    linking = _linking(spark, papers, concepts)
    sent = spark.sparkContext.broadcast(linking)
    height = len(linking.ids)
    rows = spark.range(0, height, 1, height // ROWS + 1)
    pairs = mapped(rows, partial(_pairs, sent), _PAIRS).distinct()
    pairs = pairs.repartition(shards, "one").sortWithinPartitions("one", "other")
    return mapped(pairs, partial(_links, sent), LINKS)


def _linking(spark: "SparkSession", papers: "DataFrame", concepts: Sequence[Concept]) -> _Linking:
    graph = PaperGraph()
    by_id = {concept.id: f"concept:{concept.id}" for concept in concepts}
    for concept in concepts:
        put_concept(graph, concept, by_id)
    named: Mapping[str, tuple[str, ...]] = name_parts(graph)
    parts = spark.sparkContext.broadcast(named)
    evidence = mapped(papers, partial(_evidence, parts), _EVIDENCE).orderBy("id")
    ids: list[str] = []

    def rows() -> Iterator[dict[str, tuple[float, int]]]:
        for paper_id, labels, factors, mentions in evidence.toLocalIterator():
            ids.append(paper_id)
            yield dict(zip(labels, zip(factors, mentions, strict=True), strict=True))

    matrix = matrix_of(rows())
    kinds = {concept.label: concept.type for concept in concepts}
    types = [kinds[label] for label in matrix.labels]
    return _Linking(ids, matrix.labels, types, matrix.mentions, Vectors.of(matrix))


def _evidence(
    parts: "Broadcast[Mapping[str, tuple[str, ...]]]", rows: Iterator[Row]
) -> Iterator[Row]:
    for annotated in annotated_rows(rows):
        found = paper_evidence(annotated, parts.value)
        yield {
            "id": annotated.id,
            "labels": list(found),
            "factors": [factor for factor, _ in found.values()],
            "mentions": [mention for _, mention in found.values()],
        }


def _pairs(linking: "Broadcast[_Linking]", rows: Iterator[Row]) -> Iterator[Row]:
    wanted = [row["id"] for row in rows]
    ones, others = best_pairs(linking.value.vectors, wanted, TOP)
    for one, other in zip(ones.tolist(), others.tolist(), strict=True):
        yield {"one": one, "other": other}


def _links(linking: "Broadcast[_Linking]", rows: Iterator[Row]) -> Iterator[Row]:
    known = linking.value
    pairs = np.array([(row["one"], row["other"]) for row in rows], np.int64).reshape(-1, 2)
    links = explained(known.vectors, pairs[:, 0], pairs[:, 1])
    columns: tuple[list[Any], ...] = (
        links.columns.tolist(),
        links.parts.tolist(),
        known.mentions[links.entries].tolist(),
        known.mentions[links.other_entries].tolist(),
    )
    starts = links.starts.tolist()
    for number, (one, other) in enumerate(pairs.tolist()):
        part = slice(*starts[number : number + 2])
        shared = zip(*(column[part] for column in columns), strict=True)
        yield {
            "source": known.ids[one],
            "target": known.ids[other],
            "weight": float(links.weights[number]),
            "shared": [
                {
                    "concept": known.labels[column],
                    "type": known.types[column],
                    "weight": weight,
                    "here": here,
                    "there": there,
                }
                for column, weight, here, there in shared
            ],
        }

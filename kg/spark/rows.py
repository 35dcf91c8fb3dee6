"""Records as rows of Arrow, and functions from rows to rows as tasks of Spark."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Row = dict[str, Any]
Counts = Counter[tuple[str, ...]]
BATCH = 256  # rows that a task holds as objects at once

_NAMES = pa.list_(pa.string())
_SPAN = pa.list_(pa.int32())
_PLACE = [("start", pa.int32()), ("end", pa.int32())]
MENTION = pa.struct(
    [
        *_PLACE,
        *((name, pa.string()) for name in ("text", "type", "concept")),
        ("score", pa.float64()),
        ("field", pa.string()),
        ("sentence", _SPAN),
    ]
)
RELATION = pa.struct(
    [
        *((name, pa.string()) for name in ("head", "type", "tail")),
        ("score", pa.float64()),
        *_PLACE,
        ("field", pa.string()),
    ]
)
PAPERS = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "title", "abstract")),
        ("year", pa.int64()),
        ("venue", pa.string()),
        ("authors", _NAMES),
        ("doi", pa.string()),
        ("url", pa.string()),
        ("keywords", _NAMES),
        ("merged", _NAMES),
        ("label", pa.string()),
        ("mentions", pa.list_(MENTION)),
        ("relations", pa.list_(RELATION)),
        ("proposes", _NAMES),
    ]
)
CONCEPTS = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "label", "type")),
        ("aliases", _NAMES),
        ("reasons", _NAMES),
        ("papers", pa.int64()),
        ("broader", _NAMES),
        ("broader_support", pa.list_(pa.int64())),
    ]
)
# `here` and `there` are the numbers of the mentions, in either paper, that show the concept.
SHARED = pa.struct(
    [
        ("concept", pa.string()),
        ("type", pa.string()),
        ("weight", pa.float64()),
        ("here", pa.int32()),
        ("there", pa.int32()),
    ]
)
LINKS = pa.schema(
    [
        ("source", pa.string()),
        ("target", pa.string()),
        ("weight", pa.float64()),
        ("shared", pa.list_(SHARED)),
    ]
)
_COUNTED = pa.schema([("what", pa.string()), ("key", _NAMES), ("count", pa.int64())])


def mapped(
    frame: "DataFrame", function: Callable[[Iterator[Row]], Iterable[Row]], schema: pa.Schema
) -> "DataFrame":
    """Return what a function makes of the rows of each part of a frame.

    Parameters
    ----------
    frame
        The rows, in parts.
    function
        Given an iterator of rows, each a dictionary, it yields rows; it must not be local to
        another function, since it is sent to where the tasks run.
    schema
        Of the rows that it yields.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    return frame.mapInArrow(partial(_batches, function, schema), from_arrow_schema(schema))


def counted(
    frame: "DataFrame", function: Callable[[Iterator[Row]], Mapping[str, Counts]]
) -> dict[str, Counts]:
    """Return the sums of what a function counts in each part of a frame."""
    from pyspark.sql import functions as F

    parts = mapped(frame, partial(_counts, function), _COUNTED)
    sums = parts.groupBy("what", "key").agg(F.sum("count").alias("count"))
    found: dict[str, Counts] = {}
    for what, key, count in sums.toLocalIterator():
        found.setdefault(what, Counter())[tuple(key)] = count
    return found


@contextmanager
def keeping() -> "Iterator[Callable[[DataFrame], DataFrame]]":
    """Give a function that has the rows of a frame kept, once made, till the block ends."""
    kept: list[DataFrame] = []

    def keep(frame: "DataFrame") -> "DataFrame":
        from pyspark.storagelevel import StorageLevel

        kept.append(frame.persist(StorageLevel.DISK_ONLY))
        return kept[-1]

    try:
        yield keep
    finally:
        for frame in kept:
            frame.unpersist()


def frame_of(spark: "SparkSession", rows: Iterable[Row], schema: pa.Schema) -> "DataFrame":
    """Return a frame of rows that are here."""
    return spark.createDataFrame(pa.Table.from_pylist(list(rows), schema=schema))


def _batches(
    function: Callable[[Iterator[Row]], Iterable[Row]],
    schema: pa.Schema,
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    made = iter(function(_rows(batches)))
    while rows := list(islice(made, BATCH)):
        yield pa.RecordBatch.from_pylist(rows, schema=schema)


def _rows(batches: Iterator[pa.RecordBatch]) -> Iterator[Row]:
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH):
            yield from batch.slice(start, BATCH).to_pylist()


def _counts(
    function: Callable[[Iterator[Row]], Mapping[str, Counts]], rows: Iterator[Row]
) -> Iterator[Row]:
    for what, counts in function(rows).items():
        for key, count in counts.items():
            yield {"what": what, "key": list(key), "count": count}

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from kg.export.papers import annotated_paper, paper_json
from kg.records import AnnotatedPaper
from kg.spark.rows import BATCH, PAPERS, counted, frame_of, keeping, mapped

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SparkOf = Callable[[int], "SparkSession"]
NUMBERS = pa.schema([("id", pa.int64())])
Rows = Iterator[dict[str, Any]]


def test_rows_are_mapped_in_parts_of_any_size(spark_of: SparkOf) -> None:
    def doubled(rows: Rows) -> Rows:
        return ({"id": 2 * row["id"]} for row in rows)

    size = 3 * BATCH + 1
    frame = mapped(spark_of(2).range(0, size, 1, 5), doubled, NUMBERS)
    assert sorted(row.id for row in frame.collect()) == list(range(0, 2 * size, 2))


def test_counts_of_parts_add_up(spark_of: SparkOf) -> None:
    def last_digits(rows: Rows) -> dict[str, Counter[tuple[str, ...]]]:
        return {"last": Counter((str(row["id"] % 10),) for row in rows)}

    found = counted(spark_of(2).range(0, 100, 1, 7), last_digits)
    assert found == {"last": Counter({(str(digit),): 10 for digit in range(10)})}


def test_a_paper_survives_as_a_row(marked: Callable[..., AnnotatedPaper]) -> None:
    paper = marked("p", "A [[苹果|M]] on [[Cora|D]].", authors=("A", "B"), merged=("q",), year=2024)
    table = pa.Table.from_pylist([paper_json(paper)], schema=PAPERS)
    assert [annotated_paper(row) for row in table.to_pylist()] == [paper]


def test_what_is_kept_is_let_go(spark_of: SparkOf) -> None:
    frame = frame_of(spark_of(2), [{"id": 1}], NUMBERS)
    with keeping() as keep:
        assert keep(frame).storageLevel.useDisk
    assert not frame.storageLevel.useDisk

"""Papers as they were read -> annotated papers whose concepts are named for the whole build."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..export.papers import annotated_paper, paper_json
from ..export.text import Text, without_text
from ..extract.extract import extract
from ..read.annotated import left_out, with_annotations
from ..read.found import Remark
from ..records import AnnotatedPaper, Paper
from ..resolve.counts import Occurrences, Uses
from ..resolve.resolve import Decisions, decide, rename, without_ignored
from ..resolve.thesaurus import Thesaurus
from .rows import PAPERS, Counts, Row, counted, mapped

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

EXTRACTED = PAPERS.append(pa.field("remark", pa.string()))
AT_ONCE = 2048  # papers, so that the batches of `extract` are as large as they get


def extracted(papers: "DataFrame", min_confidence: float) -> "DataFrame":
    """Return what every paper says (`EXTRACTED`); the annotations that papers came with stay.

    The model is loaded once by each process that runs tasks.
    """
    return mapped(papers, partial(_extracted, min_confidence), EXTRACTED)


def resolved(
    spark: "SparkSession", papers: "DataFrame", *, thesaurus: Thesaurus, text: Text
) -> "DataFrame":
    """Return the papers (`PAPERS`) as `kg.resolve.resolve.resolve` does.

    What it has to know of all papers is counted in parts, what follows from it decided here and
    sent to the tasks.
    """
    counts = counted(papers, partial(_uses, thesaurus))
    decisions = decide(Uses(**counts), thesaurus=thesaurus)
    sent = spark.sparkContext.broadcast(decisions)
    return mapped(papers, partial(_renamed, sent, thesaurus, text), PAPERS)


def occurrences(papers: "DataFrame") -> Occurrences:
    """Return what makes concepts of the names in resolved papers."""
    return Occurrences(**counted(papers, _occurrences))


def annotated_rows(rows: Iterable[Row]) -> Iterator[AnnotatedPaper]:
    """Yield the annotated papers that rows of `PAPERS` hold."""
    return map(annotated_paper, rows)


def _extracted(min_confidence: float, rows: Iterator[Row]) -> Iterator[Row]:
    while batch := list(islice(rows, AT_ONCE)):
        known, remarks = _annotated_before(batch)
        papers = [_paper(row) for row in batch if row["id"] not in known]
        found = {one.id: one for one in extract(papers, jobs=1, min_confidence=min_confidence)}
        for row in batch:
            paper = paper_json(known.get(row["id"]) or found[row["id"]])
            yield {**paper, "remark": remarks.get(row["id"])}


def _annotated_before(
    rows: Sequence[Row],
) -> tuple[dict[str, AnnotatedPaper], dict[str, str]]:
    """Return by id the papers that came with annotations, and remarks on what does not fit."""
    known, remarks = {}, {}
    for row in rows:
        if row["annotations"] is None:
            continue
        record = json.loads(row["annotations"])
        try:
            known[row["id"]] = with_annotations(_paper(row), record)
            text = left_out(known[row["id"]], record)
        except ValueError as error:
            text = f"{error}; it is read anew"
        if text:
            file, line = json.loads(row["place"])
            remarks[row["id"]] = json.dumps(asdict(Remark(file, line, text)))
    return known, remarks


def _paper(row: Row) -> Paper:
    fields: dict[str, Any] = json.loads(row["paper"])
    for name in ("authors", "keywords", "merged"):
        fields[name] = tuple(fields[name])
    return Paper(**fields)


def _uses(thesaurus: Thesaurus, rows: Iterator[Row]) -> Mapping[str, Counts]:
    return _counters(Uses.of(without_ignored(one, thesaurus) for one in annotated_rows(rows)))


def _occurrences(rows: Iterator[Row]) -> Mapping[str, Counts]:
    return _counters(Occurrences.of(annotated_rows(rows)))


def _counters(counts: Uses | Occurrences) -> dict[str, Counts]:
    return {name: getattr(counts, name) for name in type(counts).__dataclass_fields__}


def _renamed(
    decisions: "Broadcast[Decisions]", thesaurus: Thesaurus, text: Text, rows: Iterator[Row]
) -> Iterator[Row]:
    for annotated in annotated_rows(rows):
        renamed = rename(without_ignored(annotated, thesaurus), decisions.value)
        yield paper_json(without_text(renamed) if text == "none" else renamed)

"""Files -> papers, as `kg.read` finds them: a file a row, whatever its format.

Which records are one paper can be told of each record alone, but for those that share an
identifier with another; these come to the driver.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..errors import InputError
from ..read.clean import printable
from ..read.files import File, find_files
from ..read.found import Place, Reading, Remark, Skipped
from ..read.found import Source as ReadSource
from ..read.identity import Record, identify, keys_of, telling_stems
from ..read.reading import Account, nothing_found, read_file
from ..records import Paper
from .files import Source, find_sources
from .rows import Row, frame_of, mapped

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

_PATTERN_SIGNS = re.compile(r"[\\*?\[\]{}]")  # a path is a pattern to Spark
_FOUND = pa.schema([("kind", pa.string()), ("place", pa.string()), ("value", pa.string())])
_NAMED = pa.schema([("row", pa.string()), ("value", pa.string()), ("keys", pa.list_(pa.string()))])
# A paper as it was read, with the annotations it came with and the place of these.
READ = pa.schema([(name, pa.string()) for name in ("id", "paper", "annotations", "place")])


@dataclass(frozen=True, slots=True)
class Read:
    """The papers that were read (`READ`), and the account of it, without papers."""

    papers: "DataFrame"
    account: Reading


def read_sources(
    spark: "SparkSession",
    inputs: Sequence[str],
    keep: "Callable[[DataFrame], DataFrame]",
    *,
    columns: Mapping[str, str] | None = None,
) -> Read:
    """Return the papers that the inputs hold, with an account of every record.

    Parameters
    ----------
    spark
        The session.
    inputs
        Files and folders in any place that Spark reads.
    keep
        Has the rows of a frame kept, since they are asked for several times.
    columns
        As for `kg.read.reading.read_inputs`.

    Raises
    ------
    InputError
        If an input does not exist, or no paper is found at all.
    """
    sources = {source.address: source for source in find_sources(spark, inputs)}
    if not sources:
        raise InputError(nothing_found(inputs, ()))
    paths = [_PATTERN_SIGNS.sub(r"\\\g<0>", address) for address in sources]
    files = spark.read.format("binaryFile").load(paths).select("path", "content")
    found = keep(mapped(files, partial(_read, sources, columns), _FOUND))
    account, places = _account(found)
    stems = {str(path): stem for path, stem in telling_stems(places).items()}
    records = found.where("kind = 'record'")
    if records.isEmpty():
        raise InputError(nothing_found(inputs, account.skipped))
    sent = spark.sparkContext.broadcast(stems)
    papers, merged, origins = _identified(
        spark, keep(mapped(records, partial(_named, sent), _NAMED))
    )
    return Read(papers, replace(account, merged=merged, origins=origins))


def _read(
    sources: Mapping[str, Source], columns: Mapping[str, str] | None, rows: Iterable[Row]
) -> Iterator[Row]:
    """Yield all that files hold, each file given as its path and content."""
    for row in rows:
        source = sources[row["path"]]
        with TemporaryDirectory() as folder:
            path = Path(folder, source.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(row["content"])
            files, skipped = find_files([folder if source.walked else path])
            yield from (_told("skipped", source.place, asdict(skip)) for skip in skipped)
            for file in files:
                inner = file.place.relative_to(path.resolve()).as_posix()
                place = source.place if inner == "." else f"{source.place}/{inner}"
                yield from _of_file(file, place, columns)


def _of_file(file: File, place: str, columns: Mapping[str, str] | None) -> Iterator[Row]:
    account = Account()
    read_file(file, account, "", columns)
    yield _told("file", place, None)
    for kind, told in (
        ("source", account.sources),
        ("skipped", account.skipped),
        ("remark", account.remarks),
    ):
        yield from (_told(kind, place, asdict(one)) for one in told)
    for record in account.records:
        annotations = account.annotations.get(record.place)
        yield _told("record", place, {**asdict(record), "annotations": annotations})


def _told(kind: str, place: str, value: Any) -> Row:
    return {"kind": kind, "place": place, "value": json.dumps(value, ensure_ascii=False)}


def _account(found: "DataFrame") -> tuple[Reading, list[Path]]:
    """Return the account of what was read, and the places of all files."""
    of_kind: dict[str, list[dict[str, Any]]] = {"source": [], "skipped": [], "remark": []}
    places = []
    for kind, place, value in found.where("kind != 'record'").collect():
        if kind == "file":
            places.append(Path(place))
        else:
            of_kind[kind].append(json.loads(value))
    sources = [ReadSource(**value) for value in of_kind["source"]]
    reading = Reading(
        papers=(),
        sources=tuple(sorted(sources, key=lambda source: (source.file, source.sha256))),
        skipped=tuple({Skipped(**value): None for value in of_kind["skipped"]}),
        merged=0,
        remarks=tuple(Remark(**value) for value in of_kind["remark"]),
    )
    return reading, places


def _named(stems: "Broadcast[dict[str, str]]", rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the records under their ids, with all that they may share with others."""
    for row in rows:
        stem, value = stems.value[row["place"]], json.loads(row["value"])
        value = {**value, "file": stem, "place_id": printable(stem) + value["place_id"]}
        record = _record(value)
        keys = [*keys_of(record), ("wanted", record.id)]
        yield {
            "row": f"{row['place']} {record.place_id}",
            "value": json.dumps(value, ensure_ascii=False),
            "keys": sorted({json.dumps(key, ensure_ascii=False) for key in keys}),
        }


def _record(value: Mapping[str, Any]) -> Record:
    paper = dict(value["paper"])
    for name in ("authors", "keywords", "merged"):
        paper[name] = tuple(paper[name])
    return Record(
        Paper(**paper),
        value["file"],
        value["place_id"],
        Place(*value["place"]),
        tuple((kind, key) for kind, key in value["keys"]),
        value["annotated"],
    )


def _identified(
    spark: "SparkSession", named: "DataFrame"
) -> tuple["DataFrame", int, dict[str, tuple[Place, ...]]]:
    """Return the papers, how many records were merged into others, and where such stand."""
    from pyspark.sql import functions as F

    keys = named.select("row", F.explode("keys").alias("key"))
    common = keys.groupBy("key").count().where("count > 1")
    rows = keys.join(common, "key", "leftsemi").select("row").distinct()
    akin = [
        json.loads(value)
        for (value,) in named.join(rows, "row", "leftsemi").select("value").collect()
    ]
    alone = mapped(named.join(rows, "row", "leftanti"), _alone, READ)
    if not akin:
        return alone, 0, {}
    papers, origins = _papers(akin)
    several = {paper_id: places for paper_id, places in origins.items() if len(places) > 1}
    return alone.union(frame_of(spark, papers, READ)), len(akin) - len(papers), several


def _alone(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        yield from _papers([json.loads(row["value"])])[0]


def _papers(
    values: Sequence[Mapping[str, Any]],
) -> tuple[list[Row], dict[str, tuple[Place, ...]]]:
    """Return the papers that some records are, and the places of the records of each."""
    papers, origins = identify([_record(value) for value in values])
    known = {
        Place(*value["place"]): value["annotations"]
        for value in values
        if value["annotations"] is not None
    }
    rows = []
    for paper in papers:
        place = next((place for place in origins[paper.id] if place in known), None)
        rows.append(
            {
                "id": paper.id,
                "paper": json.dumps(asdict(paper), ensure_ascii=False),
                "annotations": place and json.dumps(known[place], ensure_ascii=False),
                "place": place and json.dumps(place),
            }
        )
    return rows, origins

"""A build on Spark has the papers, concepts, links and statements of one without it."""

import gzip
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet
import pytest

from kg.build import Settings, build, components
from kg.errors import InputError, OutputError, WorkerError
from kg.export.papers import annotated_paper, papers_jsonl
from kg.graph.schema import RELATED
from kg.read.reading import read_papers
from kg.records import Concept
from kg.resolve.thesaurus import Entry, Thesaurus
from kg.state import opened

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = Settings(min_support=2)
SparkOf = Callable[[int], "SparkSession"]
Contents = dict[str, Any]


def rows(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.parquet")):
        found += pyarrow.parquet.read_table(path).to_pylist()
    return found


def contents(folder: Path) -> Contents:
    """All that a build on Spark holds, sorted."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    shards = sorted((folder / "graph").glob("*.nq.gz"))
    quads = "".join(gzip.decompress(path.read_bytes()).decode() for path in shards)
    papers = [annotated_paper(row) for row in rows(folder / "papers")]
    concepts = [
        Concept(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})
        for row in rows(folder / "concepts")
    ]
    links = [
        (
            *(row["source"], row["target"], row["weight"]),
            [(one["concept"], one["weight"], one["here"], one["there"]) for one in row["shared"]],
        )
        for row in rows(folder / "links")
    ]
    return {
        "papers": sorted(papers_jsonl(papers)),
        "concepts": sorted(concepts, key=lambda concept: concept.id),
        "links": sorted(links),
        "quads": sorted(lines_of(quads)),
        "manifest": without_run(manifest),
    }


def lines_of(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n") if line]


def without_run(manifest: dict[str, Any]) -> dict[str, Any]:
    return {name: manifest[name] for name in manifest if name not in ("run", "files")}


def plain_contents(source: Path, folder: Path, settings: Settings) -> Contents:
    """What a build without Spark holds, in the same terms."""
    graph = build([source], folder, settings=settings, formats=["nq"]).graph
    kinds = graph.nodes(data=True)
    links = [
        (
            source.removeprefix("paper:"),
            target.removeprefix("paper:"),
            data["weight"],
            list(data["shared"].parts()),
        )
        for source, target, key, data in graph.edges(keys=True, data=True)
        if key == RELATED
    ]
    concepts = [data["record"] for _, data in kinds if data["kind"] == "concept"]
    return {
        "papers": sorted(lines_of((folder / "papers.jsonl").read_text("utf-8"))),
        "concepts": sorted(concepts, key=lambda concept: concept.id),
        "links": sorted(links),
        "quads": sorted(lines_of((folder / "graph.nq").read_text("utf-8"))),
        "manifest": without_run(json.loads((folder / "manifest.json").read_text("utf-8"))),
    }


@pytest.fixture(scope="module")
def plain(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """The build of all papers without Spark."""
    return plain_contents(corpus, tmp_path_factory.mktemp("plain") / "out", SETTINGS)


def on_spark(spark: "SparkSession", corpus: Path, output: Path, shards: int) -> Contents:
    from kg.spark.build import build_on_spark

    built = build_on_spark(spark, [corpus], output, settings=SETTINGS, shards=shards)
    assert len(list((output / "papers").iterdir())) == shards
    assert built.counts.papers == 299
    return contents(output)


@pytest.mark.parametrize(("jobs", "shards"), [(1, 1), (2, 8)])
def test_tasks_and_shards_change_nothing(
    spark_of: SparkOf, corpus: Path, plain: Contents, tmp_path: Path, jobs: int, shards: int
) -> None:
    found = on_spark(spark_of(jobs), corpus, tmp_path / "out", shards)
    for name, content in plain.items():
        assert found[name] == content, name


def test_settings_hold(spark_of: SparkOf, corpus: Path, tmp_path: Path) -> None:
    from kg.spark.build import build_on_spark

    settings = Settings(
        base_iri="urn:example:kg",
        min_confidence=0.7,
        thesaurus=Thesaurus(
            (Entry("low-rank adaptation", "Task", ("LoRA",), ("adaptation",)),),
            ("diffusion model",),
            (("GNN", "graph neural network"),),
        ),
        layers=("claims", "similarity"),
        text="none",
    )
    source, output = corpus / "deep", tmp_path / "spark"
    build_on_spark(spark_of(2), [source], output, settings=settings, shards=2)
    assert contents(output) == plain_contents(source, tmp_path / "plain", settings)


def test_a_killed_task_is_run_again(
    spark_of: SparkOf,
    corpus: Path,
    plain: Contents,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import kg.spark.annotate

    whole, died = kg.spark.annotate._extracted, tmp_path / "died"

    def dying(least: float, given: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for number, row in enumerate(whole(least, given)):
            if number == 20 and not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield row

    monkeypatch.setattr(kg.spark.annotate, "_extracted", dying)
    assert on_spark(spark_of(2), corpus, tmp_path / "out", 2) == plain
    assert died.exists()
    # what it has written can be built on
    assert read_papers(tmp_path / "out" / "papers") == read_papers(corpus)


def test_a_task_that_always_fails_leaves_the_last_build(
    spark_of: SparkOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import kg.spark.annotate
    from kg.spark.build import build_on_spark

    def failing(least: float, given: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        raise ValueError("the disk is full")

    (tmp_path / "in.txt").write_text("We train a GNN.", encoding="utf-8")
    (tmp_path / "out" / "papers").mkdir(parents=True)
    (tmp_path / "out" / "manifest.json").touch()
    monkeypatch.setattr(kg.spark.annotate, "_extracted", failing)
    for output in (tmp_path / "out", tmp_path / "new"):
        with pytest.raises(WorkerError, match="the disk is full"):
            build_on_spark(spark_of(2), [tmp_path / "in.txt"], output)
    assert not (tmp_path / "new").exists()
    left = [path.name for path in (tmp_path / "out").iterdir()]
    assert sorted(left) == ["manifest.json", "papers"]


def test_wrong_inputs_and_outputs_are_told(spark_of: SparkOf, tmp_path: Path) -> None:
    from kg.spark.build import build_on_spark

    source = tmp_path / "in.txt"
    source.write_text("We train a GNN.", encoding="utf-8")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "graph.ttl").touch()
    spark = spark_of(2)
    with pytest.raises(InputError, match="no such file"):
        build_on_spark(spark, [tmp_path / "nothing"], tmp_path / "out")
    with pytest.raises(InputError, match="standard input"):
        build_on_spark(spark, ["-"], tmp_path / "out")
    with pytest.raises(InputError, match="no paper found"):
        build_on_spark(spark, [tmp_path / "plain"], tmp_path / "out")
    with pytest.raises(OutputError, match="not made on Spark"):
        build_on_spark(spark, [source], tmp_path / "plain")
    with (
        opened(tmp_path / "busy", components()),
        pytest.raises(OutputError, match="another `kg build`"),
    ):
        build_on_spark(spark, [source], tmp_path / "busy")
    assert not (tmp_path / "busy").exists()
    assert not (tmp_path / "out" / "manifest.json").exists()

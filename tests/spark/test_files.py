from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kg.read.files import find_files
from kg.spark.files import Folder, find_sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SparkOf = Callable[[int], "SparkSession"]


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("We train a GNN.", encoding="utf-8")


def test_sources_are_the_files_that_a_build_reads(spark_of: SparkOf, tmp_path: Path) -> None:
    make(tmp_path, "b.txt", "a b/c%20.txt", ".git/x.txt", "deep/er/d.txt")
    make(tmp_path, "built/graph.ttl", "built/manifest.json", "built/papers.jsonl")
    make(tmp_path, "on/graph/part-0.nq.gz", "on/manifest.json", "on/papers/part-0.parquet")
    found = [source.name for source in find_sources(spark_of(2), [str(tmp_path)])]
    plain, _ = find_files([tmp_path])
    assert found == ["a b/c%20.txt", "b.txt", "deep/er/d.txt"]
    assert found == [file.name for file in plain if not file.name.startswith("on/")]


def test_a_build_that_is_read_itself_holds_no_paper(spark_of: SparkOf, tmp_path: Path) -> None:
    make(tmp_path, "graph/part-0.nq.gz", "manifest.json", "papers/part-0.parquet", "new.txt")
    assert [one.name for one in find_sources(spark_of(2), [str(tmp_path)])] == ["new.txt"]


def test_files_are_found_once_and_by_pattern(spark_of: SparkOf, tmp_path: Path) -> None:
    make(tmp_path, "x1.txt", "x2.txt", "y.txt")
    inputs = [f"{tmp_path}/x*.txt", str(tmp_path / "x1.txt"), f"file:{tmp_path}/y.txt"]
    found = find_sources(spark_of(2), inputs)
    assert [source.name for source in found] == ["x1.txt", "x2.txt", "y.txt"]
    assert {source.walked for source in found} == {False}


def test_folder_moves_and_removes(spark_of: SparkOf, tmp_path: Path) -> None:
    folder = Folder(spark_of(2), str(tmp_path))
    folder.make("a")
    folder.write("a/x", "é")
    folder.move("a/x", "y")
    assert (folder.names(), folder.names("a")) == (["a", "y"], [])
    assert (tmp_path / "y").read_text("utf-8") == "é"
    folder.remove("a")
    assert not folder.exists("a")

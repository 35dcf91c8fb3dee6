from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from kg.cli.app import add_commands, app
from kg.errors import MissingExtra
from kg.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run() -> Run:
    """Run a command, and return its exit code and what it prints."""
    add_commands()

    def invoke(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, words)
        if isinstance(result.exception, Exception):
            raise result.exception
        return result.exit_code, result.output

    return invoke


def test_missing_extra_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run
) -> None:
    monkeypatch.setattr("kg.spark.session.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[spark\]'") as told:
        run("build", str(tmp_path), "--engine", "spark")
    assert "\n" not in str(told.value)


def test_missing_java_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    session = pytest.importorskip("pyspark.sql").SparkSession
    monkeypatch.setattr(session, "getActiveSession", classmethod(lambda cls: None))
    monkeypatch.setattr("kg.spark.session.shutil.which", lambda *_, **__: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(MissingExtra, match="Java 17"):
        spark_session()


def test_command_builds_on_spark(
    spark_of: "Callable[[int], SparkSession]", tmp_path: Path, run: Run
) -> None:
    spark_of(2)
    (tmp_path / "in.txt").write_text("We train a GNN on ImageNet.", encoding="utf-8")
    output = tmp_path / "out"
    code, printed = run("build", str(tmp_path / "in.txt"), "-o", str(output), "--engine", "spark")
    assert code == 0
    assert "1 papers read" in printed and "graph neural network (1)" in printed
    names = ["concepts", "graph", "links", "manifest.json", "papers"]
    assert sorted(path.name for path in output.iterdir()) == names


def test_options_of_the_other_engine_are_refused(tmp_path: Path, run: Run) -> None:
    for option in (["--fresh"], ["--formats", "nt"]):
        code, printed = run("build", str(tmp_path), "--engine", "spark", *option)
        assert code == 2 and "--formats" in printed

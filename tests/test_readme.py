"""The README keeps its promises: its commands run, its Python runs, its figures are measured."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kg.build import build
from kg.errors import QueryError
from kg.query.engine import run_query
from kg.query.named import named_queries
from kg.read.formats import FORMATS
from kg.train.judge import evaluate

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith("kg ")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the README's reader has it after the first command."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("seeds", "tests"):
        (folder / name).symlink_to(ROOT / name)
    build([folder / "seeds"], folder / "exports")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(folder: Path, command: str) -> None:
    words = [sys.executable, "-P", "-m", *shlex.split(command)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or " -o " in command


def test_python_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    blocks = [block for language, block in BLOCKS if language == "python"]
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_both_setup_commands_are_there() -> None:
    assert "pip install . && kg build seeds/ -o exports/" in README
    assert "pip install '.[test]' && pytest" in README
    assert "pip install --quiet '.[test]' && pytest" in (ROOT / ".ci/run").read_text()


def test_links_lead_somewhere() -> None:
    for link, picture in re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README):
        assert (ROOT / (link or picture)).exists(), link or picture


def test_formats_are_those_that_are_read() -> None:
    for form in FORMATS:
        suffixes = " ".join(f"`{suffix}`" for suffix in form.suffixes)
        assert f"| {form.name} | {suffixes} | {form.told_by} |" in README


def test_figures_are_those_of_kg_evaluate() -> None:
    """The table of the README, to half a point: another processor may round a score otherwise."""
    evaluation = evaluate(ROOT / "tests" / "data" / "seeds-000.jsonl")
    for name in ("strict", "partial", "untyped"):
        row = re.search(rf"\| {name}[^|]*\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", README)
        assert row, name
        figures = getattr(evaluation, name)
        expected = (figures.precision, figures.recall, figures.f1)
        assert tuple(map(float, row.groups())) == pytest.approx(expected, abs=0.5), name


def test_every_named_query_is_shown() -> None:
    shown = re.findall(r"kg query --named (?!list)([\w-]+)", README)
    assert sorted(shown) == [query.name for query in named_queries()]


def test_the_mistake_shown_is_told_so(folder: Path) -> None:
    with pytest.raises(QueryError) as told:
        run_query(folder / "exports", "SELECT ?s WEHRE { ?s ?p ?o }")
    assert f"error: {told.value}\n" in README

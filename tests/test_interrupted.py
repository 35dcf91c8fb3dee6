"""Builds that are killed, run twice at once, or lose their disk, folder or processes."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import kg
from kg.build import build
from kg.errors import OutputError, WorkerError
from kg.state import STATE, opened

ROOT = Path(__file__).parents[1]
KILL = ROOT / "tests" / "benchmarks" / "kill_build.py"
# Files that grow beyond a size are a full disk, without one.
FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv[1:] = sys.argv[2:]
from kg.cli.app import main
main()
"""


class Killed(BaseException):
    """Stands for a kill: nothing that handles errors catches it."""


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers") / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(80):
            text = f"We train a graph neural network of {n} layers on ImageNet and CIFAR-{n}."
            file.write(json.dumps({"id": f"p{n}", "abstract": text}) + "\n")
    return path


@pytest.fixture(scope="module")
def old(papers: Path) -> Path:
    """A build of a few of the papers."""
    lines = papers.read_text(encoding="utf-8").splitlines(keepends=True)
    few = papers.with_name("few.jsonl")
    few.write_text("".join(lines[:5]), encoding="utf-8")
    build([few], papers.parent / "old")
    return papers.parent / "old"


@pytest.fixture(scope="module")
def new(papers: Path) -> Path:
    """A build of all papers, from nothing."""
    build([papers], papers.parent / "new", jobs=1)
    return papers.parent / "new"


@pytest.fixture
def folder(old: Path, tmp_path: Path) -> Path:
    """A folder that holds the old build."""
    shutil.copytree(old, tmp_path / "out")
    return tmp_path / "out"


def contents(folder: Path) -> dict[str, bytes]:
    """All files but the state, the manifest without what it says of the run."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != STATE}
    manifest = json.loads(found["manifest.json"])
    del manifest["run"]
    return {**found, "manifest.json": json.dumps(manifest).encode()}


def at_call(number: int, act: Callable[[], None]) -> Callable[..., None]:
    """Return `os.replace`, which acts before the call of this number, from 0."""
    replace, calls = os.replace, iter(range(number))

    def replaced(source: Path, target: Path) -> None:
        if next(calls, None) is None:
            act()
        replace(source, target)

    return replaced


def fail() -> None:
    raise Killed


@pytest.mark.parametrize("step", [0, 2, 4])
def test_killed_between_two_moves_it_is_refused_and_then_finished(
    folder: Path, new: Path, papers: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    shutil.copy(new / STATE, folder)  # so that there is little to extract
    monkeypatch.setattr("kg.export.staging.PATIENCE", 0)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", at_call(step, fail))
        with pytest.raises(Killed):
            build([papers], folder)
    with pytest.raises(OutputError, match="run `kg build` again to finish it"):
        kg.load_graph(folder)
    assert build([papers], folder).extracted == 0
    assert contents(folder) == contents(new)


def test_a_half_moved_build_among_its_own_inputs_is_none_of_them(
    papers: Path, new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(papers, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", at_call(4, fail))
        with pytest.raises(Killed):
            build([tmp_path], tmp_path / "out", jobs=1)
    build([tmp_path], tmp_path / "out")
    assert contents(tmp_path / "out") == contents(new)


def test_killed_at_random_moments_the_next_build_is_right(papers: Path) -> None:
    command = [sys.executable, KILL, papers, "--kills", "3", "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("killed after") == 3


def test_the_second_of_two_builds_is_told_and_changes_nothing(folder: Path, papers: Path) -> None:
    before = contents(folder)
    command = [sys.executable, "-m", "kg", "build", papers, "-o", folder]
    with opened(folder, {}):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"error: {folder}: another `kg build` is writing here; ")
    assert contents(folder) == before


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.parametrize("limit", [20_000, 100_000])
def test_full_disk_is_one_error_and_the_last_build_stays(
    folder: Path, papers: Path, limit: int
) -> None:
    """The smaller limit stops the state, the other the files of the build."""
    before = contents(folder)
    command = [sys.executable, "-c", FULL, str(limit), "build", papers, "-o", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"error: {folder}") and "cannot be written" in done.stderr
    assert contents(folder) == before


def test_folder_that_vanishes_is_one_error(folder: Path, papers: Path) -> None:
    with pytest.raises(OutputError, match="has vanished"):
        build([papers], folder, jobs=1, progress=lambda *_: shutil.rmtree(folder, True))
    assert not folder.exists()


def test_killed_process_is_one_error_and_what_is_done_stays(
    folder: Path, papers: Path, new: Path
) -> None:
    def kill(done: int, _: int) -> None:
        for child in multiprocessing.active_children():
            os.kill(child.pid or 0, signal.SIGKILL)

    before = contents(folder)
    with pytest.raises(WorkerError, match="fewer --jobs"):
        build([papers], folder, jobs=2, progress=kill)
    assert contents(folder) == before
    again = build([papers], folder, jobs=1)
    assert 0 < again.extracted < 75
    assert contents(folder) == contents(new)

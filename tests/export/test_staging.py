"""Files that move into place together, and what is left of it when a process is killed."""

import os
from pathlib import Path

import pytest

from kg.errors import OutputError
from kg.export import staging
from kg.export.staging import check_settled, finish_moves, staged

NAMES = ("a.txt", "b.txt", "manifest.json", "z.txt")


class Killed(BaseException):
    """Stands for a kill: nothing that handles errors catches it."""


def write(output: Path, text: str, *, without: str = "") -> None:
    """Write all files anew, but let one of them go."""
    with staged(output) as folder:
        for name in NAMES:
            if name == without:
                (folder / name).mkdir()
            else:
                (folder / name).write_text(text)


def texts(output: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in output.iterdir() if path.is_file()}


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    replace, calls = os.replace, iter(range(step))

    def fail(source: Path, target: Path) -> None:
        if next(calls, None) is None:
            raise Killed
        replace(source, target)

    monkeypatch.setattr("os.replace", fail)


def test_all_files_move_or_none(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with pytest.raises(ValueError, match="on the way"), staged(tmp_path) as folder:
        (folder / "a.txt").write_text("new")
        raise ValueError("on the way")
    assert texts(tmp_path) == dict.fromkeys(NAMES, "old")
    assert sorted(path.name for path in tmp_path.iterdir()) == list(NAMES)


def test_a_file_that_is_the_same_stays(tmp_path: Path) -> None:
    known = []
    for text in ("one", "one", "two"):
        with staged(tmp_path) as staging:
            (staging / "same").write_text("same")
            (staging / "other").write_text(text)
        known.append([(tmp_path / name).stat().st_ino for name in ("same", "other")])
    assert known[0] == known[1]
    assert known[2][0] == known[0][0]
    assert texts(tmp_path) == {"same": "same", "other": "two"}


def test_a_folder_stands_for_a_file_that_goes(tmp_path: Path) -> None:
    write(tmp_path, "old")
    write(tmp_path, "new", without="b.txt")
    assert texts(tmp_path) == {name: "new" for name in NAMES if name != "b.txt"}


@pytest.mark.parametrize("step", range(4))
def test_what_a_killed_process_had_ready_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    write(tmp_path, "old")
    monkeypatch.setattr(staging, "PATIENCE", 0)
    with monkeypatch.context() as patch:
        kill_at(patch, step)
        with pytest.raises(Killed):
            write(tmp_path, "new")
    assert list(texts(tmp_path).values()).count("new") == step
    assert (tmp_path / "manifest.json").read_text() == "old", "it vouches for all: the last to move"
    with pytest.raises(OutputError, match="was stopped while its files moved"):
        check_settled(tmp_path)
    finish_moves(tmp_path)
    check_settled(tmp_path)
    assert texts(tmp_path) == dict.fromkeys(NAMES, "new")


def test_the_next_to_write_finishes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        kill_at(patch, 1)
        with pytest.raises(Killed):
            write(tmp_path, "new")
    with staged(tmp_path) as folder:
        assert texts(tmp_path) == dict.fromkeys(NAMES, "new")
        (folder / "b.txt").write_text("newer")
    assert texts(tmp_path) == {**dict.fromkeys(NAMES, "new"), "b.txt": "newer"}


def test_stale_folders_go_and_living_ones_stay(tmp_path: Path) -> None:
    ours = tmp_path / f".staging-{os.getpid()}-stale"  # of an earlier process of the same id
    other = tmp_path / f".staging-{os.getppid()}-alive"
    dead = tmp_path / ".staging-999999999-dead"
    for folder in (ours, other, dead):
        folder.mkdir()
    with staged(tmp_path) as outer, staged(tmp_path):
        assert outer.is_dir() and other.is_dir()
        assert not ours.exists() and not dead.exists()


def test_folder_that_vanishes_is_told(tmp_path: Path) -> None:
    output = tmp_path / "a" / "b"
    with pytest.raises(OutputError, match="cannot be written"), staged(output) as folder:
        folder.rmdir()
        output.rmdir()
    assert list(tmp_path.iterdir()) == []

"""What a folder keeps of earlier builds: found again, forgotten, locked, and made anew."""

import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import OutputError
from kg.records import AnnotatedPaper, Paper, Relation
from kg.state import STATE, State, _packed, _unpacked, opened

MODEL = {"model": "1"}
HOLD = """
import sys, pathlib
import zlib
from kg.state import opened
with opened(pathlib.Path(sys.argv[1]), {"model": "1"}):
    print("open", flush=True)
    sys.stdin.read()
"""
Marked = Callable[..., AnnotatedPaper]


@pytest.fixture
def found(marked: Marked) -> AnnotatedPaper:
    annotated = marked(
        "p", "We propose [[FooNet|M]] on [[Cora|D]].", title="A 🍎", proposes=("FooNet",)
    )
    said = Relation("FooNet", "evaluated_on", "Cora", 0.8, 0, 27, "abstract")
    return replace(annotated, relations=(said,))


def rows(folder: Path) -> int:
    database = sqlite3.connect(folder / STATE)
    try:
        return int(database.execute("SELECT COUNT(*) FROM texts").fetchone()[0])
    finally:
        database.close()


def keep(folder: Path, *found: AnnotatedPaper) -> None:
    with opened(folder, MODEL) as state:
        state.keep(found)


def test_what_was_kept_is_found_again(tmp_path: Path, found: AnnotatedPaper) -> None:
    keep(tmp_path, found)
    with opened(tmp_path, MODEL) as state:
        assert state.find([found.paper]) == {"p": found}
        assert (state.note, state.kept) == (None, 0)


@given(st.text(min_size=1, max_size=40), st.data())
def test_packing_loses_nothing(text: str, data: st.DataObject) -> None:
    from kg.extract.annotate import paper_label
    from kg.records import CONCEPT_TYPES, Mention

    paper = Paper("p", title=text, abstract=text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    kind = data.draw(st.sampled_from(CONCEPT_TYPES))
    name, score = data.draw(st.text()), data.draw(st.floats(0, 1).map(lambda x: round(x, 3)))
    mentions = (Mention(start, end, text[start:end], kind, name, score, "title", (0, len(text))),)
    whole = AnnotatedPaper(paper, paper_label(paper, mentions, (name,)), mentions, (), (name,))
    assert _unpacked(paper, _packed(whole)) == whole


@pytest.mark.parametrize(
    ("change", "known"),
    [
        ({"id": "q", "year": 1999, "authors": ("A",), "doi": "10.1/x", "venue": "V"}, True),
        ({"title": None}, False),
        ({"title": "Another"}, False),
        ({"abstract": "Another."}, False),
    ],
)
def test_only_the_text_decides(
    tmp_path: Path, found: AnnotatedPaper, change: dict[str, object], known: bool
) -> None:
    keep(tmp_path, found)
    paper = replace(found.paper, **change)  # type: ignore[arg-type]
    with opened(tmp_path, MODEL) as state:
        again = state.find([paper])
    assert again == ({paper.id: replace(found, paper=paper)} if known else {})


def test_title_and_abstract_are_kept_apart(tmp_path: Path, found: AnnotatedPaper) -> None:
    swapped = replace(found.paper, title=found.paper.abstract, abstract=found.paper.title)
    keep(tmp_path, found)
    with opened(tmp_path, MODEL) as state:
        assert state.find([swapped]) == {}


def test_another_model_or_code_knows_nothing(
    tmp_path: Path, found: AnnotatedPaper, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, found)
    with opened(tmp_path, {"model": "2"}) as state:
        assert state.find([found.paper]) == {}
    monkeypatch.setattr("kg.state._code", lambda: ["another"])
    with opened(tmp_path, MODEL) as state:
        assert state.find([found.paper]) == {}


def test_what_is_gone_is_forgotten(tmp_path: Path, marked: Marked) -> None:
    one, two = marked("a", "[[Cora|D]]."), marked("b", "[[MNIST|D]].")
    keep(tmp_path, one, two)
    with opened(tmp_path, MODEL) as state:
        state.keep_only([two.paper])
        assert list(state.find([one.paper, two.paper])) == ["b"]
    assert rows(tmp_path) == 1


def test_fresh_forgets_all(tmp_path: Path, found: AnnotatedPaper) -> None:
    keep(tmp_path, found)
    with opened(tmp_path, MODEL, fresh=True) as state:
        assert state.find([found.paper]) == {}


def test_an_empty_state_leaves_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "a" / "b", MODEL):
        assert (tmp_path / "a" / "b" / STATE).exists()
    assert list(tmp_path.iterdir()) == []


def test_closed_it_is_one_file(tmp_path: Path, found: AnnotatedPaper) -> None:
    keep(tmp_path, found)
    assert [path.name for path in tmp_path.iterdir()] == [STATE]


def foreign(path: Path) -> None:
    path.unlink()
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE bookmarks (url)")
    database.close()


def middle_overwritten(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"not a database, by any means, of any kind" * 200),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes()[:50]),
        middle_overwritten,
        foreign,
    ],
)
def test_what_is_no_state_is_made_anew(
    tmp_path: Path, found: AnnotatedPaper, damage: Callable[[Path], None]
) -> None:
    keep(tmp_path, found)
    damage(tmp_path / STATE)
    with opened(tmp_path, MODEL) as state:
        assert state.note and state.note.count("\n") == 0
        assert state.note.startswith(f"{tmp_path / STATE}: ")
        assert state.find([found.paper]) == {}
        state.keep([found])
    with opened(tmp_path, MODEL) as state:
        assert state.note is None and state.find([found.paper]) == {"p": found}


@pytest.mark.parametrize(
    "row",
    [
        *(b"", b"\x00damaged", b"x\x9cK\xcc*N\x05\x00\x05\xba\x01\xf7"),
        *map(zlib.compress, (b'[[],[],{"a":1}]', b'[[],[],["LoRA"]]', b"[[],[],[[1]]]")),
    ],
)
def test_a_row_that_does_not_unpack_is_unknown(
    tmp_path: Path, found: AnnotatedPaper, row: bytes
) -> None:
    keep(tmp_path, found)
    database = sqlite3.connect(tmp_path / STATE)
    database.execute("UPDATE texts SET found = ?", [row])
    database.commit()
    database.close()
    with opened(tmp_path, MODEL) as state:
        assert state.find([found.paper]) == {}


def test_a_path_that_cannot_be_a_state_is_an_error(tmp_path: Path) -> None:
    (tmp_path / STATE).mkdir()
    with pytest.raises(OutputError, match=STATE), opened(tmp_path, MODEL):
        pass


def test_the_second_to_open_is_told(tmp_path: Path, found: AnnotatedPaper) -> None:
    with (
        opened(tmp_path, MODEL) as state,
        pytest.raises(OutputError, match="another `kg build` is writing here"),
    ):
        state.keep([found])
        State(tmp_path / STATE, MODEL)
    keep(tmp_path, found)


def test_the_lock_goes_with_its_process(tmp_path: Path, found: AnnotatedPaper) -> None:
    keep(tmp_path, found)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline() == b"open\n"
        with pytest.raises(OutputError, match="another `kg build`"):
            keep(tmp_path, found)
        holder.kill()
        holder.wait()
    with opened(tmp_path, MODEL) as state:
        assert state.note is None and state.find([found.paper]) == {"p": found}


def test_a_folder_that_vanishes_is_told(tmp_path: Path, found: AnnotatedPaper) -> None:
    folder = tmp_path / "out"
    with (
        pytest.raises(OutputError, match="out: has vanished"),
        opened(folder, MODEL) as state,
    ):
        for path in folder.iterdir():
            path.unlink()
        os.rmdir(folder)
        state.keep([found])


def test_a_state_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.state.TABLE", "CREATE NOTHING")
    with pytest.raises(OutputError, match="cannot be written"), opened(tmp_path / "a", MODEL):
        pass
    assert list(tmp_path.iterdir()) == []

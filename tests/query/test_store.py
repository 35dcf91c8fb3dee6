import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import OutputError
from kg.query import store
from kg.query.engine import run_query
from kg.query.store import STORES, seconds_to_write, stored, version

GRAPH = "@prefix ex: <http://example.org/> .\nex:a ex:b {} .\n"
ASKED = "SELECT ?o { ?s ?p ?o }"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "graph.ttl").write_text(GRAPH.format(1))
    return tmp_path


def test_a_small_graph_is_loaded_as_it_is(build: Path) -> None:
    assert stored(build) == build / "graph.ttl"
    assert not (build / STORES).exists()


def test_a_large_graph_has_a_store_that_is_made_once(
    build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stored(build, least=0)
    assert made == build / STORES / version(build)
    assert [path.name for path in (build / STORES).iterdir()] == [version(build)]
    monkeypatch.setattr(store, "Worker", None)  # nothing is written
    assert stored(build, least=0) == made


def test_how_long_a_store_takes_is_told_until_it_is_there(
    build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_to_write(build) == 0  # it is too small for one
    monkeypatch.setattr(store, "LARGE", 1)
    assert seconds_to_write(build) == 1
    stored(build, least=0)
    assert seconds_to_write(build) == 0


def test_a_store_answers_as_the_file_does(build: Path) -> None:
    by_file = run_query(build, ASKED).data
    made = stored(build, least=0)
    assert stored(build) == made
    assert run_query(build, ASKED).data == by_file


def test_a_store_that_is_out_of_date_is_replaced(build: Path) -> None:
    old = stored(build, least=0)
    (build / "graph.ttl").write_text(GRAPH.format(22))
    assert run_query(build, ASKED).rows == (("22",),)
    new = stored(build, least=0)
    assert old != new
    assert list((build / STORES).iterdir()) == [new]
    assert run_query(build, ASKED).rows == (("22",),)


def test_what_another_process_writes_is_left_and_what_a_dead_one_left_is_not(build: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    alive = build / STORES / f"writing-{os.getpid()}-x"
    for folder in (alive, build / STORES / f"writing-{dead.pid}-x"):
        folder.mkdir(parents=True)
    made = stored(build, least=0)
    assert set((build / STORES).iterdir()) == {alive, made}


def test_without_a_place_for_a_store_the_file_serves(build: Path) -> None:
    (build / STORES).write_text("a file where the folder would be")
    assert stored(build, least=0) == build / "graph.ttl"


def test_a_damaged_graph_leaves_no_store(build: Path) -> None:
    (build / "graph.ttl").write_text("<http://x/a b> <http://x/p> 1 .")
    assert stored(build, least=0) == build / "graph.ttl"
    assert list((build / STORES).iterdir()) == []
    with pytest.raises(OutputError, match="is damaged"):
        run_query(build, ASKED)


def test_a_folder_without_a_build_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no build here"):
        stored(tmp_path)

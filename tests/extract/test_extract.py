"""Extraction over processes: the same whatever their number, nothing finished is lost."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import WorkerError
from kg.extract.extract import confident, extract
from kg.records import AnnotatedPaper, Paper, Relation

PAPERS = [
    Paper(f"p{n:03}", abstract=f"We train a graph neural network of {n} layers on ImageNet.")
    for n in range(120)
]
WAIT = """
import multiprocessing, time
from kg.extract.extract import extract
from kg.records import Paper

def tell(done, whole):
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    extract([Paper(str(n), abstract="We train a GNN.") for n in range(40)], jobs=2, progress=tell)
"""


def test_processes_change_nothing_and_all_is_kept() -> None:
    kept: list[AnnotatedPaper] = []
    told: list[tuple[int, int]] = []
    shared = extract(PAPERS, jobs=2, keep=kept.extend, progress=lambda *done: told.append(done))
    assert shared == extract(PAPERS, jobs=1)
    assert [annotated.paper for annotated in shared] == PAPERS
    assert sorted(kept, key=lambda annotated: annotated.id) == shared
    assert told == sorted(told) and told[-1] == (len(PAPERS), len(PAPERS))


def test_last_shares_are_small_so_that_no_process_waits_long() -> None:
    steps: list[int] = []
    extract(PAPERS * 3, jobs=1, progress=lambda done, _: steps.append(done))
    sizes = [after - before for before, after in pairwise([0, *steps])]
    assert sum(sizes) == len(PAPERS) * 3
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 4 * sizes[-1]


def test_what_is_kept_does_not_depend_on_the_confidence() -> None:
    kept: list[AnnotatedPaper] = []
    found = extract(PAPERS[:2], min_confidence=1.0, keep=kept.extend)
    assert [annotated.mentions for annotated in found] == [(), ()]
    assert kept == extract(PAPERS[:2])


def test_killed_process_is_one_error_and_what_is_done_is_kept() -> None:
    kept: list[AnnotatedPaper] = []

    def kill(done: int, _: int) -> None:
        for child in multiprocessing.active_children() if done == len(kept) else ():
            os.kill(child.pid or 0, signal.SIGKILL)

    papers = [replace(paper, id=f"{paper.id}-{n}") for n in range(4) for paper in PAPERS]
    with pytest.raises(WorkerError, match="process that shared the work was killed"):
        extract(papers, jobs=2, keep=kept.extend, progress=kill)
    assert 0 < len(kept) < len(papers)
    assert extract([annotated.paper for annotated in kept[:3]]) == kept[:3]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_a_plain_script_shares_the_work_too(tmp_path: Path) -> None:
    """Which other processes would run again, were they to import it."""
    script = tmp_path / "script.py"
    script.write_text(
        "from kg.extract.extract import extract\nfrom kg.records import Paper\n"
        "papers = [Paper(str(n), abstract='We train a GNN.') for n in range(40)]\n"
        "print(len(extract(papers, jobs=2)), __file__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, env=environment
    )
    assert (done.stdout, done.stderr) == (f"40 {script}\n", "")


def test_processes_end_with_the_one_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "wait.py").write_text(WAIT, encoding="utf-8")
    command = [sys.executable, tmp_path / "wait.py"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout
        children = [Path("/proc", child.decode()) for child in parent.stdout.readline().split()]
        assert children and all(map(Path.exists, children))
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 20
    while any(map(Path.exists, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(Path.exists, children))


@pytest.fixture(scope="module")
def unsure(marked: Callable[..., AnnotatedPaper]) -> AnnotatedPaper:
    annotated = marked("p", "[[FooNet|M]] beats [[BarNet|M]] on [[Cora|D]].", proposes=("FooNet",))
    scores = (0.5, 0.9, 0.7)
    mentions = [
        replace(one, score=score) for one, score in zip(annotated.mentions, scores, strict=True)
    ]
    relations = (
        Relation("FooNet", "compared_with", "BarNet", 0.8, 0, 30, "abstract"),
        Relation("BarNet", "evaluated_on", "Cora", 0.6, 0, 30, "abstract"),
    )
    return replace(annotated, label="FooNet", mentions=tuple(mentions), relations=relations)


def test_what_is_less_sure_goes_with_what_speaks_of_it(unsure: AnnotatedPaper) -> None:
    kept = confident(unsure, 0.55)
    assert [mention.text for mention in kept.mentions] == ["BarNet", "Cora"]
    assert [relation.head for relation in kept.relations] == ["BarNet"]
    assert (kept.proposes, kept.label) == ((), "FooNet beats BarNet on Cora.")
    assert confident(unsure, 0.65).relations == ()


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_confidence_can_be_raised_step_by_step(
    unsure: AnnotatedPaper, one: float, other: float
) -> None:
    assert confident(confident(unsure, one), other) == confident(unsure, max(one, other))

"""Queries that would run for ever and take all memory end, and hold up nobody."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kg.serve.pool import AT_ONCE, MEMORY

SECONDS = 3
BOMBS = {
    "cross product": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?c ?f ?i ?l",
    "concatenation": "SELECT (GROUP_CONCAT(CONCAT(?c, ?f, ?i, ?l)) AS ?x) "
    "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "path": "SELECT (COUNT(*) AS ?n) { ?a (!<a:a>|^!<a:a>)* ?b . ?b (!<a:a>|^!<a:a>)* ?c . "
    "?c (!<a:a>|^!<a:a>)* ?d . ?d (!<a:a>|^!<a:a>)* ?e }",
}
Server = Any


@pytest.fixture(scope="module")
def hasty(build: Path, run_server: Callable[..., Any]) -> Iterator[Server]:
    """A server whose queries have little time."""
    with run_server(build, "--timeout", str(SECONDS)) as server:
        yield server


def workers_of(server: Server) -> list[int]:
    """The processes that a server has started."""
    process = server.process.pid
    told = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in told.split()]


def resident(process: int) -> float:
    """The megabytes that a process has in memory, none if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / (1 << 20)
    except OSError:
        return 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_bombs_end_at_the_deadline_while_others_are_answered(hasty: Server) -> None:
    assert hasty.query("ASK {}").status == 200
    most = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            most[0] = max([most[0], *map(resident, workers_of(hasty))])

    def timed(query: str) -> tuple[int, float, dict[str, str]]:
        start = time.monotonic()
        answer = hasty.query(query)
        return answer.status, time.monotonic() - start, answer.headers

    threading.Thread(target=watch, daemon=True).start()
    with ThreadPoolExecutor(13) as clients:
        bombs = [clients.submit(timed, bomb) for bomb in BOMBS.values()]
        time.sleep(0.3)
        others = [
            clients.submit(timed, f"SELECT ?s {{ ?s ?p ?o }} LIMIT {n}") for n in range(1, 11)
        ]
        quick = [other.result() for other in others]
        ended = [bomb.result() for bomb in bombs]
    done.set()
    assert [status for status, _, _ in quick] == [200] * 10
    assert max(seconds for _, seconds, _ in quick) < 1
    assert [status for status, _, _ in ended] == [503] * 3
    assert all("retry-after" in headers for _, _, headers in ended)
    assert max(seconds for _, seconds, _ in ended) < SECONDS + 2
    assert most[0] < MEMORY + 200


def test_after_a_bomb_all_is_as_before(hasty: Server) -> None:
    assert hasty.query(BOMBS["cross product"]).status == 503
    assert hasty.query("ASK {}").status == 200


def test_the_deadline_is_told(hasty: Server) -> None:
    answer = hasty.query(BOMBS["path"])
    assert answer.status == 503
    assert f"more than {SECONDS} seconds" in answer.body.decode()


def test_an_answer_that_is_too_long_is_an_error_that_says_so(server: Server) -> None:
    answer = server.query("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    assert answer.status == 500
    assert "longer than 64 MB: select less, or add LIMIT" in answer.body.decode()


def test_when_all_workers_are_busy_the_next_is_told_to_come_again(hasty: Server) -> None:
    with ThreadPoolExecutor(AT_ONCE + 1) as clients:
        asked = [clients.submit(hasty.query, BOMBS["path"]) for _ in range(AT_ONCE + 1)]
        said = [answer.result() for answer in asked]
    assert {answer.status for answer in said} == {503}
    assert sum(b"run already" in answer.body for answer in said) == 1

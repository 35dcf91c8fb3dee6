"""What clients and the folder of the build may do, and the server goes on, without a traceback."""

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from kg.export.staging import staged
from kg.serve.pool import AT_ONCE
from kg.serve.protocol import MOST_QUERY

FORM = "application/x-www-form-urlencoded"
# The parser of the engine takes twice as long for each of the brackets.
UNREADABLE = f"SELECT * {{ FILTER({'!(' * 40}1{')' * 40}}} x"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
Server = Any


@pytest.fixture
def hasty(build: Path, run_server: Callable[..., Any]) -> Iterator[Server]:
    """A server whose queries have little time."""
    with run_server(build, "--timeout", "2") as server:
        yield server


def sent(server: Server, text: str) -> socket.socket:
    """A connection over which a text was sent."""
    host, port = server.address.removeprefix("http://").split(":")
    client = socket.create_connection((host, int(port)))
    client.sendall(text.encode())
    return client


def asking(server: Server, query: str) -> socket.socket:
    """A connection over which a query was asked."""
    return sent(server, f"GET /sparql?query={quote(query)} HTTP/1.1\r\nHost: localhost\r\n\r\n")


def stopped(server: Server, told: signal.Signals = signal.SIGINT) -> str:
    """What a server wrote of errors until it had stopped."""
    server.process.send_signal(told)
    return str(server.process.communicate(timeout=10)[1])


def test_a_mistake_that_takes_for_ever_to_read_ends_at_the_deadline(hasty: Server) -> None:
    answers: list[Any] = []
    client = threading.Thread(target=lambda: answers.append(hasty.query(UNREADABLE)))
    client.start()
    time.sleep(0.3)
    start = time.monotonic()
    assert hasty.ask("/api/search?q=a").status == 200
    assert time.monotonic() - start < 1
    client.join(10)
    assert [answer.status for answer in answers] == [503]
    assert stopped(hasty) == ""


def test_a_query_has_a_length(server: Server) -> None:
    query = "ASK {}" + " " * (MOST_QUERY - 6)
    asked = urlencode({"query": query}), urlencode({"query": query + " "})
    known = [server.ask("/sparql", "POST", body, Content_Type=FORM).status for body in asked]
    assert known == [200, 413]


@pytest.mark.parametrize("change", ["written", "removed"])
def test_another_build_in_the_folder_is_told(
    change: str, build: Path, tmp_path: Path, run_server: Callable[..., Any]
) -> None:
    folder = tmp_path / "build"
    copytree(build, folder)
    with run_server(folder) as server:
        assert server.ask("/").status == 200
        papers = folder / "papers.jsonl"
        if change == "written":
            (tmp_path / "papers").write_bytes(b"\n" + papers.read_bytes())
            os.replace(tmp_path / "papers", papers)
        else:
            papers.unlink()
        for path in ("/", "/sparql?query=ASK+%7B%7D", "/api/search?q=a", "/paper/p1"):
            answer = server.ask(path)
            assert answer.status == 503
            assert b"has changed: start the server anew" in answer.body
            assert "x-frame-options" in answer.headers
        assert stopped(server) == ""


def test_the_same_build_written_anew_goes_on_being_served(
    build: Path, tmp_path: Path, run_server: Callable[..., Any]
) -> None:
    folder = tmp_path / "build"

    def write_anew(seconds: int, settings: str) -> None:
        with staged(folder) as staging:
            copytree(build, staging, ignore=ignore_patterns(".*"), dirs_exist_ok=True)
            manifest = {"settings": settings, "run": {"seconds": seconds}}
            (staging / "manifest.json").write_text(json.dumps(manifest))

    write_anew(1, "those")
    with run_server(folder) as server:
        write_anew(2, "those")
        assert server.ask("/").status == server.query("ASK {}").status == 200
        write_anew(2, "others")
        assert server.query("ASK {}").status == 503


def test_it_stops_in_the_middle_of_a_query_or_a_body(hasty: Server) -> None:
    head = f"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM}\r\n"
    with asking(hasty, ENDLESS), sent(hasty, f"{head}Content-Length: 100\r\n\r\nquery="):
        time.sleep(0.3)
        assert "Traceback" not in stopped(hasty)


def test_a_client_that_goes_in_the_middle_of_its_body_is_no_error(hasty: Server) -> None:
    head = f"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM}\r\n"
    sent(hasty, f"{head}Content-Length: 100\r\n\r\nquery=").close()
    assert hasty.query("ASK {}").status == 200
    assert stopped(hasty) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="another way to go")
def test_queries_of_clients_that_have_gone_keep_no_turn(
    build: Path, run_server: Callable[..., Any]
) -> None:
    with run_server(build, "--timeout", "60") as server:
        clients = [asking(server, ENDLESS) for _ in range(AT_ONCE)]
        time.sleep(0.5)
        for client in clients:
            client.close()
        assert server.query("ASK {}").status == 200
        assert stopped(server) == ""

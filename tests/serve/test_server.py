import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Server = Any


def kg(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "kg", "serve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_without_a_word(
    told: signal.Signals, build: Path, run_server: Callable[..., Any]
) -> None:
    with run_server(build) as server:
        assert server.query("ASK {}").status == 200
        server.process.send_signal(told)
        output, errors = server.process.communicate(timeout=20)
        assert (output, errors) == ("", "")
        assert server.process.returncode == (0 if told == signal.SIGINT else 128 + told)


def test_it_stops_in_the_middle_of_a_query(build: Path, run_server: Callable[..., Any]) -> None:
    with run_server(build) as server:
        netloc = server.address.removeprefix("http://").split(":")
        with socket.create_connection((netloc[0], int(netloc[1]))) as client:
            query = "ASK+%7B?a+?b+?c.?d+?e+?f.?g+?h+?i.?j+?k+?l+FILTER(?c+=+'x')%7D"
            client.sendall(
                f"GET /sparql?query={query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            assert server.query("ASK {}").status == 200
            server.process.send_signal(signal.SIGINT)
            _, errors = server.process.communicate(timeout=20)
        assert "Traceback" not in errors
        assert server.process.returncode == 0


def test_a_folder_without_a_build_is_one_line(tmp_path: Path) -> None:
    done = kg(str(tmp_path), "--port", "0")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {tmp_path}: no build here")
    assert done.stderr.count("\n") == 1


def test_a_damaged_build_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("@prefix paper: <http://x/paper/> .\npaper:a a .\n")
    done = kg(str(tmp_path), "--port", "0")
    assert done.returncode == 1
    assert "graph.ttl is damaged" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_taken_port_is_one_line(build: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = kg(str(build), "--port", str(port))
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: 127.0.0.1:{port} cannot be listened at")


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_it_says_how_to_get_it(missing: str, build: Path) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None; from kg.serve import serve; "
        "from kg.errors import MissingExtra\n"
        f"try: serve({str(build)!r})\n"
        "except MissingExtra as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == f"{missing} is not installed: pip install '.[serve]'\n"


def test_another_host_is_warned_of(build: Path, run_server: Callable[..., Any]) -> None:
    with run_server(build, "--host", "0.0.0.0") as server:
        port = server.address.rpartition(":")[2]
        server.process.send_signal(signal.SIGINT)
        _, errors = server.process.communicate(timeout=20)
    assert port.isdigit()
    assert "lets other machines read this build" in errors


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80"]
)
@pytest.mark.parametrize("path", ["/", "/sparql", "/api/search?q=a", "/static/style.css"])
def test_a_request_by_another_name_is_refused(host: str, path: str, server: Server) -> None:
    assert server.ask(path, Host=host).status == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000"])
def test_a_request_by_a_name_of_this_machine_is_answered(host: str, server: Server) -> None:
    assert server.query("ASK {}", Host=host).status == 200


@pytest.mark.parametrize("path", ["/", "/sparql", "/nothing", "/static/sparql.js", "/api/search"])
def test_every_answer_has_the_headers_of_a_careful_server(path: str, server: Server) -> None:
    headers = server.ask(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers


def test_cors_is_for_one_origin_if_asked_for(build: Path, run_server: Callable[..., Any]) -> None:
    origin = "https://friend.example"
    with run_server(build, "--cors", origin) as server:
        friend = server.query("ASK {}", Origin=origin)
        other = server.query("ASK {}", Origin="https://other.example")
        before = server.ask(
            "/sparql",
            "OPTIONS",
            Origin=origin,
            Access_Control_Request_Method="POST",
            Access_Control_Request_Headers="content-type",
        )
    assert friend.headers["access-control-allow-origin"] == origin
    assert "access-control-allow-origin" not in other.headers
    assert before.status == 200
    assert before.headers["access-control-allow-origin"] == origin

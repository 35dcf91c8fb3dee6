"""A server of a small build in a process of its own, and clients that ask it over HTTP."""

import http.client
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import networkx
import pytest

from kg.export.html import write_html
from kg.export.papers import annotated_papers, papers_jsonl
from kg.export.rdf import write_turtle

sys.path.insert(0, str(Path(__file__).parents[1] / "export"))


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; the names of headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def media(self) -> str:
        """The media type, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0]


@dataclass(frozen=True)
class Server:
    """A server that runs, and its address."""

    address: str
    process: "subprocess.Popen[str]"

    def ask(
        self, path: str, method: str = "GET", body: bytes | str | None = None, **headers: str
    ) -> Answer:
        """Send a request; in the names of headers ``_`` stands for ``-``."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        body = answer.read()
        connection.close()
        return Answer(answer.status, found, body)

    def query(self, sparql: str, accept: str | None = None, **headers: str) -> Answer:
        """Ask a query by GET."""
        headers = headers if accept is None else {"Accept": accept, **headers}
        return self.ask("/sparql?" + urlencode({"query": sparql}), **headers)


@contextmanager
def running(build: Path, *options: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "kg", "serve", str(build), "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("http://"), process.stderr and process.stderr.read()
            yield Server(line.split()[0].rstrip("/"), process)
        finally:
            process.kill()


@pytest.fixture(scope="session")
def build(make_build: Callable[..., Path]) -> Path:
    return make_build()


@pytest.fixture(scope="session")
def server(build: Path) -> Iterator[Server]:
    """The server of a small build."""
    with running(build) as server:
        yield server


@pytest.fixture(scope="session")
def run_server() -> Callable[..., object]:
    """Run a server of a build with other options."""
    return running


@pytest.fixture(scope="session")
def write_build(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., Path]:
    """Write a graph as the files of a build that a server needs."""

    def write(graph: "networkx.MultiDiGraph[str]", **options: int) -> Path:
        folder = tmp_path_factory.mktemp("build")
        write_turtle(graph, folder / "graph.ttl")
        write_html(graph, folder / "graph.html", **options)
        with (folder / "papers.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(papers_jsonl(annotated_papers(graph)))
        return folder

    return write

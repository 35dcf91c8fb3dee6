"""The page in a notebook's cell, and served by a server that knows what it leaves out."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from page_graphs import synthetic_graph, toy_graph
from playwright.sync_api import Browser, Page, expect

from kg.export import html
from kg.export.html import served, write_html
from kg.export.page.fragment import fragment

# --- in a notebook -------------------------------------------------------------------------------


def test_a_cell_shows_the_page(
    open_page: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = write_html(toy_graph())._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8>{shown}", encoding="utf-8")
    page = open_page(notebook)
    cell = page.frame_locator("iframe")
    cell.locator("#search").fill("lora")
    cell.locator("#search").press("Enter")
    expect(cell.locator("#panel h2")).to_have_text("LoRA")
    cell.locator(".row", has_text="QuickLoRA").first.click()
    expect(cell.locator("#panel h2")).to_have_text("QuickLoRA")
    page.evaluate("history.back()")
    expect(cell.locator("#panel h2")).to_have_text("LoRA")


def test_a_cell_only_names_a_very_large_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST_IN_A_CELL", 1_000)
    shown = write_html(toy_graph(), tmp_path / "<b>.html")._repr_html_()
    assert "iframe" not in shown and "&lt;b&gt;.html" in shown


# --- what is left out, in a file -----------------------------------------------------------------

GRAPH = synthetic_graph(200)
CAP = 760_000


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page that has room for a part of the graph."""
    path = tmp_path_factory.mktemp("small") / "graph.html"
    write_html(GRAPH, path, max_bytes=CAP)
    return path


def a_node_left_out(page: Page, kind: str) -> str:
    kept = set(page.evaluate("nodes.map((node) => node.key)"))
    return next(key for key in GRAPH if key not in kept and key.startswith(kind))


def test_search_finds_the_name_of_what_is_left_out(
    open_page: Callable[..., Page], small: Path
) -> None:
    assert small.stat().st_size <= CAP
    page = open_page(small)
    expect(page.locator("#notice")).to_contain_text("Left out of this page to keep it small")
    label = GRAPH.nodes[a_node_left_out(page, "concept:")]["label"]
    page.locator("#search").fill(label)
    option = page.get_by_role("option").filter(has_text="not on this page").first
    expect(option).to_contain_text(label)
    option.click()
    expect(page.locator("#panel h2")).to_have_text(label)
    expect(page.locator("#panel code")).to_have_text(f'kg show "{label}"')
    page.get_by_label("Close").click()
    expect(page.locator("#panel h2")).to_have_text("What these papers share")


# --- served --------------------------------------------------------------------------------------


class Api(BaseHTTPRequestHandler):
    """The page at ``/``, and what it may ask for."""

    page = b""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/api/search":
            self.send(json.dumps(search(asked["q"])).encode(), "application/json")
        elif address.path == "/api/node":
            self.send(json.dumps(fragment(GRAPH, asked["key"])).encode(), "application/json")
        else:
            self.send(self.page, "text/html")

    def send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def search(text: str) -> list[dict[str, Any]]:
    nodes = sorted(GRAPH.nodes(data=True))
    found = [(key, data) for key, data in nodes if text in data["label"]]
    return [
        {"key": key, "label": data["label"], "group": data.get("type", "paper")}
        for key, data in found[:12]
    ]


@pytest.fixture
def online(browser: Browser, small: Path) -> Iterator[Page]:
    """The page from a server, without a complaint in its console."""
    Api.page = served(small.read_bytes())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    context.close()
    server.shutdown()
    server.server_close()
    assert complaints == []


@pytest.mark.parametrize("kind", ["concept:", "paper:"])
def test_a_served_page_fetches_what_it_was_made_without(online: Page, kind: str) -> None:
    key = a_node_left_out(online, kind)
    label = GRAPH.nodes[key]["label"]
    online.locator("#search").fill(label)
    online.get_by_role("option").filter(has_text="not on this page").first.click()
    expect(online.locator("#panel h2")).to_have_text(label)
    edges = [*GRAPH.in_edges(key, keys=True), *GRAPH.out_edges(key, keys=True)]
    ends = {(source, target, edge) for source, target, edge in edges}
    there = online.evaluate(
        "key => nodeOf.get(key).edges.map((edge) => [edge.source.key, edge.target.key, edge.kind])",
        key,
    )
    assert {tuple(edge) for edge in there} == ends and len(there) == len(edges)
    expect(online.locator("#panel blockquote, #panel .abstract").first).to_be_visible()
    assert online.evaluate("key => scene.shown.has(nodeOf.get(key))", key)
    placed = online.evaluate("nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))")
    assert placed


def test_a_served_page_completes_a_node_that_lacks_neighbours(online: Page) -> None:
    degree = dict(GRAPH.degree())
    have = dict(online.evaluate("nodes.map((node) => [node.key, node.edges.length])"))
    key = next(key for key, edges in have.items() if edges < degree[key] < 200)
    online.evaluate("key => selectNode(nodeOf.get(key))", key)
    online.wait_for_function("key => nodeOf.get(key).isWhole", arg=key)
    assert online.evaluate("key => nodeOf.get(key).edges.length", key) == degree[key]


def test_a_file_asks_nobody_and_its_policy_forbids_it(
    open_page: Callable[..., Page], small: Path
) -> None:
    page = open_page(small, quiet=False)
    assert "connect-src" not in small.read_text(encoding="utf-8")[:3_000]
    assert page.evaluate("asksServer") is False
    page.evaluate("selectNode(nodes[3])")
    expect(page.locator("header a, [href*=sparql]")).to_have_count(0)
    assert page.evaluate("fetch('https://example.org').then(() => 'sent', () => 'held')") == "held"


def test_a_whole_page_asks_nobody_though_it_is_served(tmp_path: Path) -> None:
    page = write_html(toy_graph(), tmp_path / "graph.html").path.read_bytes()
    with_server = served(page)
    assert with_server.count(b"connect-src") == 1
    assert len(with_server) == len(page) + len(b"connect-src &#39;self&#39;; ") - 1

"""Pages that ask for nothing and complain of nothing."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from kg.export.html import write_html

sys.path.insert(0, str(Path(__file__).parent))
from page_graphs import hostile_graph, seeds_graph, toy_graph


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Write the page of a named graph once."""
    made = {"toy": toy_graph, "seeds": seeds_graph, "hostile": hostile_graph}
    folder = tmp_path_factory.mktemp("pages")

    def write(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            write_html(made[name](), path)
        return path

    return write


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open files; afterwards no page may have asked for anything or written to the console."""
    contexts, opened, asked, complaints = [], [], [], []

    def open_one(path: Path, fragment: str = "", *, quiet: bool = True, **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options
        context = browser.new_context(offline=True, accept_downloads=True, **options)
        contexts.append(context)
        opened.append(path.as_uri())
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        if quiet:
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri() + fragment)
        return page

    yield open_one
    for context in contexts:
        context.close()
    others = [url for url in asked if not url.startswith(("data:", "blob:", *opened))]
    assert others == []
    assert complaints == []


@pytest.fixture
def toy(open_page: Callable[..., Page], page_file: Callable[[str], Path]) -> Page:
    return open_page(page_file("toy"))

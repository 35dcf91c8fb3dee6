"""The pages of the server, as a person uses them in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from page_graphs import HOSTILE, hostile_graph, synthetic_graph
from playwright.sync_api import Browser, Page, expect

from kg.serve.names import Names
from kg.serve.site import Site

Server = Any


@pytest.fixture(scope="module")
def hostile(write_build: Callable[..., Path], run_server: Callable[..., Any]) -> Iterator[Server]:
    """A server of a build whose every name tries to be markup."""
    with run_server(write_build(hostile_graph())) as server:
        yield server


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page; no page may ask another host, open a dialog, or complain."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(10_000)
    asked: list[str] = []
    complaints: list[str] = []
    servers: list[str] = []

    def open_page(server: Server, path: str, *, complains: bool = False) -> Page:
        servers.append(server.address)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if not complains:
            page.on("console", lambda message: complaints.append(message.text))
        page.goto(server.address + path)
        return page

    yield open_page
    context.close()
    assert [url for url in asked if not url.startswith(("data:", "blob:", *servers))] == []
    assert complaints == []


def ask(page: Page, query: str) -> None:
    page.get_by_label("Query", exact=True).fill(query)
    page.get_by_role("button", name="Ask").click()


def test_a_named_query_is_chosen_filled_in_and_asked(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/sparql")
    page.get_by_label("A query to start from").select_option("methods-for-task")
    expect(page.locator("#help")).to_contain_text("methods")
    page.get_by_label("task:").fill("node classification")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("cell", name="FooNet", exact=True)).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("rows")


def test_a_named_query_without_its_value_says_which_and_is_not_asked(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/sparql")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.method))
    page.get_by_label("A query to start from").select_option("methods-for-task")
    task = page.get_by_label("task:")
    for empty in ("", "  "):
        task.fill(empty)
        page.get_by_role("button", name="Ask").click()
        expect(page.get_by_role("alert")).to_contain_text("A value is needed for task: the task,")
        expect(task).to_be_focused()
    assert "POST" not in posted
    expect(task).to_have_attribute("placeholder", "for example: node classification")
    task.fill(" node classification ")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("cell", name="FooNet", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_named_query_that_is_edited_is_named_no_more(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/sparql")
    named = page.get_by_label("A query to start from")
    named.select_option("top-concepts")
    page.get_by_label("Query", exact=True).press_sequentially("# mine")
    expect(named).to_have_value("")
    expect(page.get_by_label("type:")).to_have_count(0)
    expect(page.locator("#help")).to_have_text("")
    assert "# mine" in page.get_by_label("Query", exact=True).input_value()


def test_the_explorer_leads_to_the_queries(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/")
    page.get_by_role("link", name="Ask in SPARQL").click()
    expect(page.get_by_role("heading", name="Ask in SPARQL")).to_be_visible()


def test_the_explorer_of_a_narrow_screen_has_room_for_its_tools(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.get_by_role("link", name="Ask in SPARQL")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    edges = page.locator(".tools > :visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= 390


def test_the_keyboard_asks_and_the_address_holds_the_query(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/sparql")
    box = page.get_by_label("Query", exact=True)
    box.fill("SELECT ?concept { ?concept a kg:Dataset }")
    box.press("Control+Enter")
    link = page.get_by_role("link", name="concept:cora-")
    expect(link).to_be_visible()
    again = visit(server, page.url.removeprefix(server.address))
    expect(again.get_by_role("link", name="concept:cora-")).to_be_visible()
    again.get_by_role("link", name="concept:cora-").click()
    expect(again.get_by_role("heading", name="Cora")).to_be_visible()


def test_yes_or_no_and_mistakes_are_told(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/sparql", complains=True)  # of the status 400
    ask(page, "ASK { ?s a kg:Task }")
    expect(page.locator("#answer")).to_have_text("Yes.")
    ask(page, "SELECT ?s\nWHERE { ?s ?p }")
    expect(page.locator("#answer .fault")).to_contain_text("line 2, column")


def test_a_graph_is_drawn_and_listed(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/sparql")
    ask(page, "CONSTRUCT { ?p dct:subject ?c } WHERE { ?p dct:subject ?c }")
    expect(page.locator("svg.graph circle").first).to_be_visible()
    expect(page.locator("svg.graph")).to_contain_text("paper:a")
    expect(page.get_by_role("cell", name="dct:subject").first).to_be_visible()


def test_of_a_long_answer_the_first_are_shown_and_that_is_told(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, "/sparql")
    ask(page, "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 1500")
    expect(page.locator("#answer")).to_contain_text("1,500 rows, the first 1,000 shown")
    assert page.locator("#answer tbody tr").count() == 1000


def test_names_are_text_in_answers(hostile: Server, visit: Callable[..., Page]) -> None:
    page = visit(hostile, "/sparql")
    ask(page, "SELECT ?label { ?c a skos:Concept ; skos:prefLabel ?label }")
    cells = page.locator("#answer td")
    expect(cells.first).to_be_visible()
    assert {"<b>shared</b>", HOSTILE[0]} <= set(cells.all_text_contents())
    ask(
        page,
        "CONSTRUCT { ?c skos:prefLabel ?l . ?c skos:inScheme ?s } "
        "WHERE { ?c skos:prefLabel ?l ; skos:inScheme ?s }",
    )
    expect(page.locator("svg.graph")).to_be_visible()
    assert page.locator("#answer b, #answer img, #answer script").count() == 0


def test_names_are_text_in_the_query_of_the_address(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(
        server, "/sparql?query=ASK%7B%7D%23%3C%2Ftextarea%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"
    )
    expect(page.locator("#answer")).to_have_text("Yes.")
    assert page.locator("script").count() == 2
    assert "</textarea>" in page.get_by_label("Query", exact=True).input_value()


def test_names_are_text_on_every_page(hostile: Server, visit: Callable[..., Page]) -> None:
    found = hostile.ask("/api/search?q=e").body
    assert found
    page = visit(hostile, "/paper/h0")
    assert page.locator("h1").inner_text().strip() == " ".join(HOSTILE[0].split())
    for number in range(len(HOSTILE)):
        page.goto(f"{hostile.address}/paper/h{number}")
        assert page.locator("script, img, iframe, b, svg").count() == 0
        hrefs = [link.get_attribute("href") or "" for link in page.locator("a").all()]
        assert all(href.startswith(("/", "?", "http")) for href in hrefs)
    page.locator("ul a[href^='/concept/']").first.click()
    expect(page.locator("h1")).to_be_visible()
    assert page.locator("script, img, iframe, b, svg").count() == 0


def test_the_explorer_fetches_what_its_page_leaves_out(
    write_build: Callable[..., Path], run_server: Callable[..., Any], visit: Callable[..., Page]
) -> None:
    graph = synthetic_graph(400)
    build = write_build(graph, max_bytes=800_000)
    kept = (build / "graph.html").read_text(encoding="utf-8")
    site = Site.of(build)
    names = Names(site, site.open())
    absent = next(
        one["label"]
        for one in names.search("study", most=400)
        if f'"key":"{one["key"]}"' not in kept
    )
    with run_server(build) as server:
        page = visit(server, "/")
        page.get_by_role("combobox").first.fill(absent)
        page.get_by_role("option", name=absent).first.click()
        expect(page.locator("#panel")).to_contain_text("We evaluate our approach")

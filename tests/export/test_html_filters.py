"""Communities and relations on the page: read, filtered, and linked to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from page_graphs import annotate, graph_of, synthetic_graph
from playwright.sync_api import Page, expect

from kg.export.html import write_html
from kg.graph.communities import find_communities
from kg.records import Paper

SHOWN = "[...scene.shown].map((node) => node.label).sort()"


def filters(page: Page) -> None:
    page.get_by_role("button", name="Filter", exact=True).click()


# --- communities ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seventy papers of three topics."""
    path = tmp_path_factory.mktemp("topics") / "graph.html"
    write_html(synthetic_graph(70), path)
    return path


def test_overview_lists_the_communities_and_shows_one(
    open_page: Callable[..., Page], topics: Path
) -> None:
    found = find_communities(synthetic_graph(70))
    assert len(found) > 1
    page = open_page(topics)
    rows = page.locator("#panel h3", has_text="Communities").locator("+ ul .row")
    expect(rows).to_have_count(min(6, len(found)))
    first = found[0]
    expect(rows.first).to_contain_text(" ".join(first.concepts[:1]))
    expect(rows.first.locator(".count")).to_have_text(str(len(first.papers)))
    rows.first.click()
    expect(page.locator("#panel h2")).to_have_text(first.name)
    shown = page.evaluate("[...scene.shown].filter(isPaper).map((node) => node.key).sort()")
    assert shown == sorted(first.papers)
    page.get_by_label("Close").click()
    expect(page.locator("#panel h2")).to_have_text("What these papers share")


def test_a_paper_names_its_community_and_leads_to_it(
    open_page: Callable[..., Page], topics: Path
) -> None:
    [*_, last] = find_communities(synthetic_graph(70))
    page = open_page(topics, f"#node={last.papers[0]}")
    page.locator("#panel .community button").click()
    expect(page.locator("#panel h2")).to_have_text(last.name)
    again = open_page(topics, page.evaluate("location.hash"))
    expect(again.locator("#panel h2")).to_have_text(last.name)
    filters(again)
    chosen = again.get_by_label("Community").locator("option:checked")
    expect(chosen).to_have_text(f"{last.name} ({len(last.papers)})")


def test_a_crowd_has_the_names_of_its_communities_apart(
    open_page: Callable[..., Page], topics: Path
) -> None:
    page = open_page(topics)
    names = page.evaluate("about.communities.map(([name]) => name)")
    written = """(() => {
      const context = new SvgContext(camera());
      paint(context, camera(), scene);
      return [...context.toString().matchAll(/font-size="16px"[^>]*>([^<]+)/g)]
        .map(([, name]) => name);
    })()"""
    assert page.evaluate(written) == []
    crowd = """() => {
      const many = Array.from({ length: CROWD + 1 }, (_, index) => nodes[index % nodes.length]);
      scene = { ...scene, nodes: many };
    }"""
    page.evaluate(crowd)
    assert set(page.evaluate(written)) & set(names)


# --- relations -----------------------------------------------------------------------------------


@pytest.fixture
def stated(open_page: Callable[..., Page], tmp_path: Path) -> Page:
    """Two papers say that A-Net is a kind of net, one that it is evaluated on Set."""
    names = {"A-Net": ("A-Net", "Method"), "net": ("net", "Method"), "Set": ("Set", "Dataset")}
    text = "A-Net is a net. We run A-Net on Set."
    kind, tested = ("A-Net", "subclass_of", "net"), ("A-Net", "evaluated_on", "Set")
    papers = [
        annotate(Paper("a", title="One", abstract=text), names, relations=[kind, tested]),
        annotate(Paper("b", title="Two", abstract=text), names, relations=[kind]),
    ]
    write_html(graph_of(papers), tmp_path / "graph.html")
    page = open_page(tmp_path / "graph.html")
    page.locator("#search").fill("A-Net")
    page.keyboard.press("Enter")
    return page


def test_a_relation_shows_its_sentence_with_both_ends_marked_and_its_score(stated: Page) -> None:
    cards = stated.locator("#panel h3", has_text="Relations").locator("+ ul > li")
    expect(cards).to_have_count(2)
    card = cards.first
    expect(card.locator(".triple")).to_have_text("A-Netkind ofnet")
    assert card.locator("blockquote").first.locator(".mark").all_inner_texts() == ["A-Net", "net"]
    expect(card.locator(".source .count").first).to_have_text("0.80")
    card.locator("summary", has_text="1 more statement").click()
    expect(card.locator(".source")).to_have_text(["One0.80", "Two0.80"])


def test_relations_are_filtered_by_type_in_graph_and_panel(stated: Page) -> None:
    filters(stated)
    stated.get_by_label("Relation", exact=True).select_option("evaluated on")
    expect(stated.locator("#panel .triple")).to_have_text(["A-Netevaluated onSet"])
    assert stated.evaluate(SHOWN) == ["A-Net", "One", "Set", "Two"]
    assert stated.evaluate("scene.candidates.filter(isRelation).length") == 1
    expect(stated.locator("#filters-button")).to_have_class("on")
    stated.get_by_role("button", name="Clear filters").click()
    expect(stated.locator("#panel .triple")).to_have_count(2)


def test_relations_are_filtered_by_their_least_score(stated: Page) -> None:
    filters(stated)
    least = stated.get_by_label("scored at least")
    least.focus()
    stated.keyboard.press("End")
    expect(stated.locator("#sure-value")).to_have_text("0.95")
    expect(stated.locator("#panel")).to_contain_text("None passes the filter of relations.")
    assert stated.evaluate("scene.candidates.filter((edge) => edge.score < 0.95).length") == 0
    for _ in range(3):
        stated.keyboard.press("ArrowLeft")
    expect(stated.locator("#panel .triple")).to_have_count(2)
    assert "sure=0.8" in stated.evaluate("location.hash")

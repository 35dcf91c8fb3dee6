"""What a reader does with the page first: open it, search, choose, read the evidence."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from page_graphs import HOSTILE, toy_graph
from playwright.sync_api import Page, expect

from kg.export.html import write_html


def node(page: Page, label: str, group: str = "concept") -> dict[str, float]:
    """Where a node stands on the screen."""
    return page.evaluate(
        """([label, group]) => {
          const node = nodes.find((node) => node.label === label &&
            (group === "paper") === isPaper(node));
          const { left, top } = container.getBoundingClientRect();
          const eye = camera();
          return { x: left + eye.x(node), y: top + eye.y(node) };
        }""",
        [label, group],
    )


def click_node(page: Page, label: str, group: str = "concept") -> None:
    page.mouse.click(**node(page, label, group))


def search(page: Page, text: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(text)


def test_page_opens_settled_and_fitted_with_all_nodes(toy: Page) -> None:
    graph = toy_graph()
    assert toy.evaluate("scene.nodes.length") == len(graph)
    places = "nodes.map((node) => [camera().x(node), camera().y(node)])"
    before = toy.evaluate(places)
    height = toy.evaluate("container.clientHeight")
    toy.wait_for_timeout(400)
    assert toy.evaluate(places) == before
    assert toy.evaluate("container.clientHeight") == height
    assert toy.evaluate(
        """scene.nodes.every((node) => {
          const [x, y] = [camera().x(node), camera().y(node)];
          return x > 0 && y > 0 && x < container.clientWidth && y < container.clientHeight;
        })"""
    )


def test_page_paints_every_type_in_its_colour(toy: Page) -> None:
    ink = toy.evaluate(
        """() => {
          const canvas = document.querySelector("#network canvas");
          const { data } = canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height);
          const counts = {};
          for (const group of GROUPS) {
            const [red, green, blue] = theme[group].match(/\\d+/g).map(Number);
            counts[group] = 0;
            for (let at = 0; at < data.length; at += 4) {
              if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) {
                counts[group] += 1;
              }
            }
          }
          return counts;
        }"""
    )
    assert min(ink.values()) > 20


def test_search_completes_an_alias_and_opens_its_concept(toy: Page) -> None:
    search(toy, "low-rank ad")
    options = toy.get_by_role("option")
    expect(options.first).to_contain_text("LoRA")
    expect(options.first).to_contain_text("Low-Rank Adaptation")
    toy.keyboard.press("Enter")
    expect(toy.locator("#panel h2")).to_have_text("LoRA")
    expect(toy.locator("#panel .aliases")).to_contain_text("Low-Rank Adaptation")
    expect(toy.locator("#search-list")).to_be_hidden()


def test_search_walks_its_list_by_arrows(toy: Page) -> None:
    search(toy, "lora")
    labels = toy.locator("#search-list .found").all_inner_texts()
    assert labels[0] == "LoRA" and "QuickLoRA" in labels[1:]
    toy.keyboard.press("ArrowDown")
    chosen = toy.locator("[aria-selected=true] .found")
    expect(chosen).to_have_text(labels[1])
    expect(toy.locator("#search")).to_have_attribute("aria-activedescendant", "search-list-1")
    toy.keyboard.press("Enter")
    expect(toy.locator("#panel h2")).to_have_text(labels[1])


def test_search_finds_papers_by_title_and_says_when_there_is_nothing(toy: Page) -> None:
    search(toy, "faster adap")
    expect(toy.get_by_role("option")).to_have_count(1)
    toy.locator("#search").fill("zzz")
    expect(toy.locator("#search-list")).to_contain_text("Nothing has that name")
    toy.keyboard.press("Escape")
    expect(toy.locator("#search-list")).to_be_hidden()


def test_legend_hides_and_shows_a_type(toy: Page) -> None:
    shown = "[...scene.shown].filter((node) => node.group === 'Metric').length"
    assert toy.evaluate(shown) == 1
    metrics = toy.get_by_role("button", name="Metrics")
    metrics.click()
    expect(metrics).to_have_attribute("aria-pressed", "false")
    assert toy.evaluate(shown) == 0
    metrics.click()
    assert toy.evaluate(shown) == 1


def test_hover_tells_the_essentials(toy: Page) -> None:
    toy.mouse.move(**node(toy, "LoRA"))
    expect(toy.locator("#tip")).to_have_text("LoRAMethod · 3 papers")
    toy.mouse.move(**node(toy, "Adapters at scale", "paper"))
    expect(toy.locator("#tip")).to_contain_text("Paper · ACL · 2024")
    toy.locator("#panel").hover()
    expect(toy.locator("#tip")).to_be_hidden()


def test_click_on_a_concept_shows_its_papers_with_the_words(toy: Page) -> None:
    click_node(toy, "LoRA")
    panel = toy.locator("#panel")
    expect(panel.locator(".kind")).to_contain_text("Method · 3 papers")
    expect(panel).to_contain_text("3 papers")
    quotes = panel.locator("blockquote")
    expect(quotes.filter(has_text="adapts large models")).to_contain_text("Low-Rank Adaptation")
    marks = panel.locator("blockquote .mark").all_text_contents()
    assert set(marks) <= {"LoRA", "Low-Rank Adaptation", "QuickLoRA"} and len(marks) >= 5


def test_a_slow_click_chooses_and_a_drag_does_not(toy: Page) -> None:
    place = node(toy, "LoRA")
    toy.mouse.move(**place)
    toy.mouse.down()
    toy.wait_for_timeout(400)
    toy.mouse.move(place["x"] + 60, place["y"] + 30, steps=5)
    toy.mouse.up()
    expect(toy.locator("#panel h2")).to_have_text("What these papers share")
    place = node(toy, "LoRA")
    toy.mouse.move(**place)
    toy.mouse.down()
    toy.wait_for_timeout(400)
    toy.mouse.up()
    expect(toy.locator("#panel h2")).to_have_text("LoRA")


def test_offsets_after_emoji_mark_the_right_words(toy: Page) -> None:
    click_node(toy, "苹果")
    expect(toy.locator("#panel .mark")).to_have_text("苹果")
    expect(toy.locator("#panel blockquote")).to_contain_text("🖼️ on 苹果.")


def test_click_on_a_paper_shows_it_whole(toy: Page) -> None:
    click_node(toy, "QuickLoRA", "paper")
    panel = toy.locator("#panel")
    expect(panel.locator("h2")).to_have_text("QuickLoRA")
    expect(panel.locator(".full-title")).to_have_text("Faster adapters")
    expect(panel.locator(".kind")).to_contain_text("ICML · 2023")
    expect(panel).to_contain_text("Ada Example")
    link = panel.get_by_role("link", name="https://example.org/p1?a=1&b=2")
    expect(link).to_have_attribute("href", "https://example.org/p1?a=1&b=2")
    abstract = panel.locator(".abstract")
    expect(abstract).to_have_text(
        "Fine-tuning is costly. We propose QuickLoRA, a kind of LoRA. "
        "QuickLoRA reaches a higher accuracy on GLUE."
    )
    assert abstract.locator(".mark").all_inner_texts() == [
        "QuickLoRA",
        "LoRA",
        "QuickLoRA",
        "accuracy",
        "GLUE",
    ]
    expect(panel.locator("h3", has_text="Proposes")).to_be_visible()
    expect(panel.locator(".triple").filter(has_text="kind of")).to_have_text("QuickLoRAkind ofLoRA")


def test_linked_papers_come_with_what_is_shared_and_both_sentences(toy: Page) -> None:
    click_node(toy, "QuickLoRA", "paper")
    card = toy.locator("#panel .cards > li").filter(has_text="Adapters at scale").first
    expect(card.locator("summary")).to_have_count(3)
    for closed in card.locator("details:not([open])").element_handles():
        closed.query_selector("summary").click()
    glue = card.locator("details").filter(has=toy.locator("summary", has_text="GLUE"))
    here, there = glue.locator("blockquote").all_inner_texts()
    assert here == "QuickLoRA reaches a higher accuracy on GLUE."
    assert there == "We report accuracy on GLUE."
    assert glue.locator(".mark").all_inner_texts() == ["GLUE", "GLUE"]


def test_a_mark_leads_to_its_concept_and_a_chip_to_its_node(toy: Page) -> None:
    click_node(toy, "QuickLoRA", "paper")
    toy.locator(".abstract .mark", has_text="GLUE").click()
    expect(toy.locator("#panel h2")).to_have_text("GLUE")
    toy.locator("#panel .row", has_text="Adapters at scale").click()
    expect(toy.locator("#panel h2")).to_have_text("Adapters at scale")


def test_only_web_addresses_become_links(toy: Page) -> None:
    click_node(toy, "Adapters at scale", "paper")
    panel = toy.locator("#panel")
    expect(panel).to_contain_text("javascript:alert(1)")
    hrefs = panel.locator("a").evaluate_all("links => links.map((link) => link.href)")
    assert hrefs and all(href.startswith("file:") for href in hrefs)


def test_a_paper_with_only_a_title_says_so(toy: Page) -> None:
    click_node(toy, "On diffusion models for image generation", "paper")
    expect(toy.locator("#panel")).to_contain_text("Only the title of this paper was given.")
    marks = toy.locator("#panel h2 .mark").all_inner_texts()
    assert marks == ["diffusion models", "image generation"]


def test_a_build_without_texts_says_so(open_page: Callable[..., Page], tmp_path: Path) -> None:
    graph = toy_graph()
    for _, data in graph.nodes(data=True):
        if data["kind"] == "paper":
            paper = replace(data["record"].paper, abstract=None)
            data["record"] = replace(data["record"], paper=paper)
    write_html(graph, tmp_path / "graph.html")
    page = open_page(tmp_path / "graph.html")
    click_node(page, "QuickLoRA", "paper")
    expect(page.locator("#panel")).to_contain_text("This page was built without the text.")
    click_node(page, "LoRA")
    expect(page.locator("#panel")).to_contain_text("3 papers")
    expect(page.locator("#panel blockquote")).to_have_count(0)


# --- hostile text --------------------------------------------------------------------------------


def visit_everything(page: Page) -> None:
    """Choose each node, hover it, search for it, and see both views."""
    for text in ("<img", "script", "href", "{{", "שלום"):
        page.locator("#search").fill(text)
    page.keyboard.press("Escape")
    page.evaluate(
        """() => {
          for (const node of nodes) {
            hover(node, { x: 10, y: 10 });
            selectNode(node);
            choose({ to: nodes[0] });
          }
          choose({ view: "papers" });
        }"""
    )
    page.wait_for_timeout(200)


def test_hostile_text_shows_as_text_and_runs_nothing(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(page_file("hostile"))
    visit_everything(page)
    assert page.evaluate("typeof pwned") == "undefined"
    for number, text in enumerate(HOSTILE):
        page.evaluate("key => selectNode(nodeOf.get(key))", f"paper:h{number}")
        assert page.locator("#panel h2").text_content() == text
        assert page.locator("#panel .abstract").text_content() == (
            f"We study {text} here. It is shared, and {text} again."
        )
        assert page.locator(".abstract .mark").all_text_contents() == [text, "shared", text]
    assert page.locator("h1").text_content() == page.title() == HOSTILE[1]
    assert page.evaluate("document.querySelectorAll('img, script[src], iframe').length") == 0


def test_hostile_text_runs_nothing_even_without_the_policy(
    open_page: Callable[..., Page], page_file: Callable[[str], Path], tmp_path: Path
) -> None:
    page = open_page(without_policy(page_file("hostile"), tmp_path))
    visit_everything(page)
    assert page.evaluate("typeof pwned") == "undefined"


def test_the_policy_blocks_a_planted_handler_that_runs_without_it(
    open_page: Callable[..., Page], page_file: Callable[[str], Path], tmp_path: Path
) -> None:
    planted = tmp_path / "planted.html"
    text = page_file("toy").read_text(encoding="utf-8")
    planted.write_text(
        text.replace("<noscript>", "<script>planted = 1</script><noscript>"), encoding="utf-8"
    )
    assert open_page(without_policy(planted, tmp_path)).evaluate("planted") == 1
    assert open_page(planted, quiet=False).evaluate("typeof planted") == "undefined"


def without_policy(path: Path, folder: Path) -> Path:
    text, found = re.subn(
        r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", path.read_text(encoding="utf-8")
    )
    assert found == 1
    bare = folder / "bare.html"
    bare.write_text(text, encoding="utf-8")
    return bare

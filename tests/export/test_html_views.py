"""What a reader does next: focus, views, filters, paths, the address, files, keys."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from page_graphs import toy_graph
from playwright.sync_api import Page, expect

SVG = "{http://www.w3.org/2000/svg}"


def choose(page: Page, label: str) -> None:
    page.locator("#search").fill(label)
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text(label)


def labels(page: Page, expression: str) -> set[str]:
    found: list[str] = page.evaluate(f"[...{expression}].map((node) => node.label)")
    return set(found)


def focused(page: Page) -> set[str]:
    return labels(page, "scene.focus.keys()")


# --- focus and views -----------------------------------------------------------------------------


def test_focus_grows_by_steps(toy: Page) -> None:
    choose(toy, "苹果")
    assert focused(toy) == {"苹果", "p3"}
    two = toy.locator("#panel").get_by_role("button", name="2", exact=True)
    two.click()
    expect(two).to_have_attribute("aria-pressed", "true")
    expect(two).to_be_focused()
    assert focused(toy) == {
        "苹果", "p3", "LoRA", "accuracy", "diffusion model", "image generation",
    }  # fmt: skip
    toy.keyboard.press("3")
    assert {"QuickLoRA", "Adapters at scale"} < focused(toy)


def test_focus_draws_all_its_edges_and_rest_draws_a_forest(toy: Page) -> None:
    count = toy.evaluate("[scene.rest.length, scene.candidates.length, scene.shown.size]")
    assert count[0] < count[1] and count[0] < count[2]
    choose(toy, "LoRA")
    graph = toy_graph()
    [lora] = [key for key, label in graph.nodes(data="label") if label == "LoRA"]
    assert toy.evaluate("scene.bright.length") == graph.degree(lora)


def test_papers_view_joins_papers_by_their_links(toy: Page) -> None:
    toy.get_by_role("button", name="Papers", exact=True).first.click()
    graph = toy_graph()
    papers = {data["label"] for _, data in graph.nodes(data=True) if data["kind"] == "paper"}
    assert labels(toy, "scene.shown") == papers
    links = [edge for edge in graph.edges(keys=True) if edge[2] == "related"]
    assert toy.evaluate("scene.candidates.length") == len(links)
    choose(toy, "LoRA")
    assert focused(toy) == {"QuickLoRA", "Adapters at scale", "p3"}


def test_relations_are_drawn_with_their_type(toy: Page) -> None:
    toy.locator("#search").fill("quicklora")
    toy.get_by_role("option").filter(has_text="Method").click()
    written = toy.evaluate(
        """() => {
          const context = new SvgContext(camera());
          paint(context, camera(), scene);
          return context.toString();
        }"""
    )
    assert "kind of" in written and "evaluated on" in written


# --- filters -------------------------------------------------------------------------------------


def test_filters_by_year_venue_and_number_of_papers(toy: Page) -> None:
    papers = "[...scene.shown].filter(isPaper)"
    toy.get_by_role("button", name="Filter", exact=True).click()
    toy.get_by_label("Year from").select_option("2023")
    toy.get_by_label("Year to").select_option("2024")
    assert labels(toy, papers) == {"QuickLoRA", "Adapters at scale"}
    assert "苹果" not in labels(toy, "scene.shown")
    toy.get_by_label("Venue").select_option("ACL")
    assert labels(toy, papers) == {"Adapters at scale"}
    toy.get_by_role("button", name="Clear filters").click()
    assert len(labels(toy, papers)) == 5
    toy.get_by_label("Concepts in at least").focus()
    toy.keyboard.press("ArrowRight")
    toy.keyboard.press("ArrowRight")
    expect(toy.locator("#least-value")).to_have_text("3 papers")
    concepts = "[...scene.shown].filter((node) => !isPaper(node))"
    assert labels(toy, concepts) == {"LoRA", "accuracy"}


def test_filters_that_let_nothing_through_say_so(toy: Page) -> None:
    toy.evaluate("choose({ venue: 'ICML', from: 2022, until: 2022 })")
    expect(toy.locator("#notice")).to_contain_text("Nothing passes these filters.")
    toy.locator("#notice").get_by_role("button", name="Clear filters").click()
    expect(toy.locator("#notice")).to_be_hidden()


def test_every_edge_can_be_drawn_at_rest(toy: Page) -> None:
    toy.get_by_role("button", name="Filter", exact=True).click()
    toy.get_by_label("Draw every edge").check()
    assert toy.evaluate("scene.rest.length === scene.candidates.length")


def test_filters_have_room_within_their_panel(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(page_file("seeds"))
    page.evaluate("byId('years').hidden = byId('venues').hidden = false")
    page.get_by_role("button", name="Filter", exact=True).click()
    gaps = page.locator("#filters > :visible").evaluate_all(
        """all => all.map((one) => {
          const [box, panel] = [one, byId("filters")].map((some) => some.getBoundingClientRect());
          return [box.left - panel.left, panel.right - box.right];
        })"""
    )
    assert len(gaps) >= 5 and all(left == pytest.approx(right, abs=1) for left, right in gaps)
    missing = page.locator("#filters select:visible").evaluate_all(
        """all => all.map((select) => {
          const whole = element("select", {},
            ["any", "2024"].map((value) => element("option", {}, value)));
          byId("stage").append(whole);
          return whole.offsetWidth - select.offsetWidth;
        })"""
    )
    assert len(missing) >= 4 and max(missing) <= 0


def test_filters_of_concepts_and_relations_rest_among_papers_alone(toy: Page) -> None:
    toy.get_by_role("button", name="Filter", exact=True).click()
    relation, least = toy.get_by_label("Relation"), toy.get_by_label("Concepts in at least")
    relation.select_option("evaluated on")
    assert labels(toy, "[...scene.shown].filter(isPaper)") != labels(toy, "nodes.filter(isPaper)")
    toy.evaluate("choose({ view: 'papers' })")
    for filter in (relation, least):
        expect(filter).to_be_hidden()
    assert labels(toy, "scene.shown") == labels(toy, "nodes.filter(isPaper)")
    expect(toy.locator("#filters-button")).not_to_have_class("on")
    toy.evaluate("choose({ view: 'all' })")
    expect(relation).to_have_value("evaluated_on")
    expect(least).to_be_visible()


# --- paths ---------------------------------------------------------------------------------------


def test_path_between_two_nodes_with_its_evidence(toy: Page) -> None:
    choose(toy, "GLUE")
    toy.get_by_label("Path from GLUE to").fill("image gen")
    toy.keyboard.press("Enter")
    panel = toy.locator("#panel")
    expect(panel.locator("h2")).to_have_text("Path")
    rows = panel.locator(".row").all_inner_texts()
    assert rows[0] == "GLUE" and rows[-1] == "image generation" and len(rows) == 5
    assert focused(toy) == set(rows)
    expect(panel.locator("blockquote")).to_have_count(4)
    panel.get_by_label("Close").click()
    expect(panel.locator("h2")).to_have_text("GLUE")


def test_path_that_does_not_exist_says_so(toy: Page) -> None:
    choose(toy, "GLUE")
    toy.get_by_label("Path from GLUE to").fill("p5")
    toy.keyboard.press("Enter")
    expect(toy.locator("#panel")).to_contain_text("is not connected with")


def test_path_keeps_to_what_the_filters_let_through(toy: Page) -> None:
    toy.evaluate("choose({ hide: new Set(['Method']) })")
    choose(toy, "GLUE")
    toy.get_by_label("Path from GLUE to").fill("p3")
    toy.keyboard.press("Enter")
    rows = toy.locator("#panel .row")
    assert rows.all_inner_texts() == ["GLUE", "QuickLoRA", "accuracy", "p3"]
    toy.evaluate("choose({ hide: new Set(['Method', 'Metric']) })")
    expect(toy.locator("#panel")).to_contain_text("is not connected with")


# --- the address ---------------------------------------------------------------------------------


def test_back_and_forward_walk_through_what_was_chosen(toy: Page) -> None:
    heading = toy.locator("#panel h2")
    choose(toy, "LoRA")
    choose(toy, "GLUE")
    toy.keyboard.press("v")
    toy.go_back()
    expect(toy.locator("[data-view=all]")).to_have_attribute("aria-pressed", "true")
    toy.go_back()
    expect(heading).to_have_text("LoRA")
    toy.go_back()
    expect(heading).to_have_text("What these papers share")
    toy.go_forward()
    expect(heading).to_have_text("LoRA")


def test_an_address_restores_what_it_was_taken_from(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    first = open_page(page_file("toy"))
    first.evaluate(
        """choose({ view: "papers", node: nodes.find((node) => node.label === "苹果"), steps: 2,
          hide: new Set(["Metric", "Task"]), from: 2023, until: 2025, venue: "ICML", least: 2,
          edges: "all", theme: "dark" })"""
    )
    fragment = first.evaluate("location.hash")
    second = open_page(page_file("toy"), fragment)
    shown = "writeState(state) + '\\n' + [...scene.shown].map((node) => node.key)"
    assert second.evaluate(shown) == first.evaluate(shown)
    expect(second.locator("#panel h2")).to_have_text("苹果")
    expect(second.get_by_label("Venue")).to_have_value("ICML")


@pytest.mark.parametrize(
    "fragment",
    ["#node=concept:none&view=toString&steps=99&least=-4", "#hide=<b>,__proto__&theme=x", "#%%%"],
)
def test_a_broken_address_opens_the_page_all_the_same(
    open_page: Callable[..., Page], page_file: Callable[[str], Path], fragment: str
) -> None:
    page = open_page(page_file("toy"), fragment)
    expect(page.locator("#panel h2")).to_have_text("What these papers share")
    assert page.evaluate("scene.shown.size") == len(toy_graph())


# --- files ---------------------------------------------------------------------------------------


def test_save_gives_a_png_and_an_svg_of_what_is_seen(toy: Page, tmp_path: Path) -> None:
    choose(toy, "LoRA")
    size = toy.evaluate("[container.clientWidth, container.clientHeight]")
    files = {}
    for name in ("PNG", "SVG"):
        toy.get_by_role("button", name="Save").click()
        with toy.expect_download() as download:
            toy.get_by_role("button", name=name).click()
        expect(toy.locator("#save")).to_be_hidden()
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    png = files["PNG"].read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)] == [2 * s for s in size]
    svg = ElementTree.parse(files["SVG"]).getroot()
    assert [int(svg.get(name, "0")) for name in ("width", "height")] == size
    texts = {text.text for text in svg.iter(f"{SVG}text")}
    assert {"LoRA", "QuickLoRA", "Adapters at scale", "p3"} <= texts
    assert len(list(svg.iter(f"{SVG}path"))) >= len(toy_graph())


def test_svg_of_hostile_labels_is_well_formed(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(page_file("hostile"))
    text = page.evaluate(
        """() => {
          const context = new SvgContext(camera());
          paint(context, camera(), scene);
          return context.toString();
        }"""
    )
    texts = {element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")}
    assert "<img src=x onerror='pwned=1'>" in texts


# --- keys ----------------------------------------------------------------------------------------


def test_everything_can_be_done_by_keys(toy: Page) -> None:
    heading = toy.locator("#panel h2")
    toy.locator("#network").focus()
    toy.keyboard.press("ArrowRight")
    first = heading.inner_text()
    expect(toy.locator("#said")).to_contain_text(first)
    toy.keyboard.press("ArrowRight")
    toy.keyboard.press("ArrowDown")
    assert heading.inner_text() != first
    toy.keyboard.press("Escape")
    expect(heading).to_have_text("What these papers share")
    scale = toy.evaluate("network.getScale()")
    toy.keyboard.press("+")
    assert toy.evaluate("network.getScale()") > scale
    toy.keyboard.press("0")
    assert toy.evaluate("network.getScale()") == pytest.approx(scale)
    toy.keyboard.press("v")
    expect(toy.locator("[data-view=papers]")).to_have_attribute("aria-pressed", "true")
    toy.keyboard.press("?")
    expect(toy.locator("#help")).to_be_visible()
    toy.keyboard.press("Escape")
    expect(toy.locator("#help")).to_be_hidden()


CAMERA = "[network.getScale(), network.getViewPosition().x, network.getViewPosition().y]"


def test_escape_goes_back_to_the_whole_view_that_a_choice_came_from(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(page_file("seeds"))
    whole = page.evaluate(CAMERA)
    choose(page, page.evaluate("nodes.find((node) => !isPaper(node)).label"))
    assert page.evaluate(CAMERA)[0] > whole[0]
    page.keyboard.press("Escape")
    assert page.evaluate(CAMERA) == pytest.approx(whole)


def test_escape_moves_nothing_where_the_choice_did_not(toy: Page) -> None:
    toy.keyboard.press("+")
    near = toy.evaluate(CAMERA)
    toy.evaluate("keepCamera = true; selectNode(nodes[0]); keepCamera = false")
    toy.keyboard.press("Escape")
    expect(toy.locator("#panel h2")).to_have_text("What these papers share")
    assert toy.evaluate(CAMERA) == pytest.approx(near)


def test_tab_reaches_every_control_and_none_is_without_a_name(toy: Page) -> None:
    choose(toy, "LoRA")
    unnamed = toy.evaluate(
        """[...document.querySelectorAll("button, input, select, a, summary, [tabindex='0']")]
          .filter((control) => !(control.ariaLabel || control.textContent.trim() ||
            control.labels?.length)).map((control) => control.outerHTML)"""
    )
    assert unnamed == []
    toy.locator("h1").click()
    reached = set()
    for _ in range(60):
        toy.keyboard.press("Tab")
        reached.add(toy.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"search", "theme", "network", "fit", "path", "row"} <= reached

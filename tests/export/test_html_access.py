"""axe-core finds no serious or critical fault, whatever is open, light and dark."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

STATES = {
    "overview": "0",
    "paper": "selectNode(nodes.find((node) => isPaper(node) && node.papers > 1))",
    "concept": "selectNode(nodes.find((node) => !isPaper(node)))",
    "path": "choose({ node: nodes[0], to: nodes[9] })",
    "community": "choose({ node: null, community: 0 })",
    "filters": "toggle('filters')",
    "save": "toggle('save')",
    "help": "toggle('help')",
    "search": "byId('search').focus(); byId('search').value = 'a'; "
    "byId('search').dispatchEvent(new Event('input'))",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(
    open_page: Callable[..., Page], page_file: Callable[[str], Path], scheme: str
) -> None:
    page = open_page(page_file("seeds"), color_scheme=scheme)
    for state, act in STATES.items():
        page.evaluate(f"() => {{ {act} }}")
        found = Axe().run(page).response["violations"]
        grave = [
            (fault["id"], fault["nodes"][0]["html"])
            for fault in found
            if fault["impact"] in ("serious", "critical")
        ]
        assert grave == [], state

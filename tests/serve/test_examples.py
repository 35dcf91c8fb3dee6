"""Examples of values for the named queries: each has an answer, of any build."""

from collections.abc import Callable
from pathlib import Path

import pytest
from page_graphs import seeds_graph

from kg.query.named import named_queries, run_named
from kg.serve.examples import examples
from kg.serve.site import Site


@pytest.fixture(scope="module")
def seeds(write_build: Callable[..., Path]) -> Path:
    return write_build(seeds_graph())


@pytest.mark.parametrize("which", ["build", "seeds"])
def test_every_example_is_complete_and_has_an_answer(
    which: str, request: pytest.FixtureRequest
) -> None:
    build: Path = request.getfixturevalue(which)
    site = Site.of(build)
    found = examples(site, site.open())
    assert len(found) >= 5
    for query in named_queries():
        if query.name in found:
            assert found[query.name].keys() == query.parameters.keys()
            assert run_named(build, query.name, bind=found[query.name]).rows, query.name


def test_the_commonest_value_is_taken(build: Path) -> None:
    site = Site.of(build)
    found = examples(site, site.open())
    assert found["top-concepts"] == {"type": "Method"}
    assert "compared-with" not in found

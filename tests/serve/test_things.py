"""What a server tells of papers and concepts: as pages, as RDF, and to the page of the graph."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pyoxigraph
import pytest

from kg.export.load import load_graph
from kg.export.page.fragment import fragment
from kg.graph.describe import describe
from kg.serve.names import Names
from kg.serve.neighbourhood import Neighbourhoods
from kg.serve.site import Site

Server = Any
FORMATS = {
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "application/ld+json": pyoxigraph.RdfFormat.JSON_LD,
    "application/rdf+xml": pyoxigraph.RdfFormat.RDF_XML,
}
PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture(scope="module")
def site(build: Path) -> Site:
    return Site.of(build)


@pytest.fixture(scope="module")
def neighbourhoods(site: Site) -> Neighbourhoods:
    return Neighbourhoods(site, site.open())


def keys(build: Path) -> list[str]:
    return sorted(load_graph(build))


def iris(build: Path) -> list[str]:
    """All that the build's RDF says something of."""
    store = pyoxigraph.Store()
    store.load(path=str(build / "graph.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    return sorted({quad.subject.value for quad in store})


def test_the_neighbourhood_of_a_node_is_that_of_the_graph(
    build: Path, neighbourhoods: Neighbourhoods
) -> None:
    graph = load_graph(build)
    for key in keys(build):
        around = neighbourhoods.around(key)
        assert describe(around, key) == describe(graph, key)


def test_the_fragment_of_a_node_is_that_of_the_graph(
    build: Path, neighbourhoods: Neighbourhoods
) -> None:
    graph = load_graph(build)
    for key in keys(build):
        mine, whole = fragment(neighbourhoods.around(key), key), fragment(graph, key)
        assert {node["key"] for node in mine["nodes"]} == {node["key"] for node in whole["nodes"]}
        assert sorted(map(_told, mine["edges"], [mine] * 99)) == sorted(
            map(_told, whole["edges"], [whole] * 99)
        )


def _told(edge: dict[str, Any], sent: dict[str, Any]) -> tuple[str, str, str, float]:
    ends = [sent["nodes"][edge[end]]["key"] for end in ("from", "to")]
    return ends[0], ends[1], edge["kind"], edge["value"]


def test_a_node_that_is_not_there_is_a_key_error(neighbourhoods: Neighbourhoods) -> None:
    for key in ("paper:nothing", "concept:nothing-0", "nothing", ""):
        with pytest.raises(KeyError):
            neighbourhoods.around(key)


# --- dereferencing -------------------------------------------------------------------------------


@pytest.mark.parametrize("accept", FORMATS)
def test_every_iri_leads_to_what_is_said_of_it(accept: str, build: Path, server: Server) -> None:
    for iri in iris(build):
        answer = server.ask(urlsplit(iri).path, Accept=accept)
        assert (answer.status, answer.media, answer.headers["vary"]) == (200, accept, "Accept")
        triples = {quad.triple for quad in pyoxigraph.parse(answer.body, FORMATS[accept])}
        assert {triple.subject.value for triple in triples} == {iri}


def test_every_iri_has_a_page(build: Path, server: Server) -> None:
    for iri in iris(build):
        answer = server.ask(urlsplit(iri).path, Accept=PAGE)
        assert (answer.status, answer.media) == (200, "text/html")
        assert b"<!doctype html>" in answer.body


def test_the_location_of_a_form_is_told_and_leads_to_it(server: Server) -> None:
    page = server.ask("/paper/a", Accept="text/turtle")
    location = page.headers["content-location"]
    assert location == "/paper/a?format=ttl"
    assert server.ask(location, Accept=PAGE).body == page.body
    assert server.ask("/paper/a?format=nonsense").status == 406
    assert server.ask("/paper/a", Accept="image/png").status == 406


def test_a_concept_has_its_names_papers_and_sentences_on_its_page(
    build: Path, server: Server
) -> None:
    key = next(key for key in keys(build) if key.startswith("concept:graph-neural-network"))
    page = server.ask(f"/concept/{quote(key.partition(':')[2])}", Accept=PAGE).body.decode()
    assert "graph neural network" in page
    assert "We propose FooNet, a graph neural network." in page
    assert "GNN" in page
    assert 'href="/paper/a"' in page


def test_a_paper_has_its_text_with_marks_and_its_relations_on_its_page(server: Server) -> None:
    page = server.ask("/paper/a", Accept=PAGE).body.decode()
    assert "<mark>FooNet</mark>" in page
    assert "Ce D., Ada B." in page
    assert 'href="/paper/b"' in page


def test_what_is_not_there_is_404_with_the_nearest(server: Server) -> None:
    plain = server.ask("/concept/graph-neural-netwerk-00000000", Accept="text/plain")
    assert (plain.status, plain.media) == (404, "text/plain")
    assert "graph neural network" in plain.body.decode()
    page = server.ask("/concept/cora-00000000", Accept=PAGE)
    assert (page.status, page.media) == (404, "text/html")
    assert 'href="/concept/cora-' in page.body.decode()
    for path in ("/nothing", "/paper/", "/%00", "/..%2f..%2fetc/passwd", "/paper/%FF", "/static/x"):
        assert server.ask(path).status == 404


def test_a_path_encoded_in_another_way_leads_there_too(server: Server) -> None:
    assert server.ask("/paper/%61").status == 200


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("https://example.org/kg", "/kg/paper/a"),
        ("http://example.org/", "/paper/a"),
        ("urn:example:kg", "/paper/a"),
        ("https://example.org/kg#", "/paper/a"),
    ],
)
def test_the_paths_are_those_of_the_iris(
    base: str, path: str, make_build: Callable[..., Path]
) -> None:
    site = Site.of(make_build(base_iri=base))
    iri = site.iri_at(path)
    assert iri == site.iris.paper("a")
    assert site.path_of(iri) == path
    assert site.path_of("https://elsewhere.org/paper/a") is None


# --- what the page of the graph asks -------------------------------------------------------------


def test_the_explorer_may_ask_its_server(server: Server) -> None:
    answer = server.ask("/", Accept=PAGE)
    assert (answer.status, answer.media) == (200, "text/html")
    assert b'"served":true' in answer.body


def test_search_finds_names_and_aliases_best_first(server: Server) -> None:
    found = json.loads(server.ask("/api/search?q=network").body)
    assert [one["label"] for one in found][:1] == ["network"]
    assert {one["group"] for one in found} == {"Method", "paper"}
    [gnn, *_] = json.loads(server.ask("/api/search?q=gnn").body)
    assert (gnn["label"], gnn["group"]) == ("graph neural network", "Method")
    [apple] = json.loads(server.ask("/api/search?q=" + quote("苹果")).body)
    assert apple["key"] == "paper:c"
    assert json.loads(server.ask("/api/search?q=nowhere").body) == []
    assert json.loads(server.ask("/api/search").body) == []


def test_what_search_finds_can_be_asked_for(server: Server) -> None:
    for one in json.loads(server.ask("/api/search?q=o").body):
        sent = json.loads(server.ask("/api/node?key=" + quote(one["key"], safe="")).body)
        assert sent["nodes"][0]["key"] == one["key"]
        assert sent["nodes"][0]["label"] == one["label"]
    assert server.ask("/api/node?key=paper:nothing").status == 404


def test_the_nearest_names_are_found_through_mistakes(site: Site) -> None:
    names = Names(site, site.open())
    [first, *_] = names.nearest("/concept/node-clasification-1234")
    assert first["label"] == "node classification"
    assert unquote(first["key"]).startswith("concept:node-classification-")

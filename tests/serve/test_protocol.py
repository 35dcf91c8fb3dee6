"""The query operation of the SPARQL 1.1 Protocol, as its specification has it, over HTTP.

The numbers are those of sections of https://www.w3.org/TR/sparql11-protocol/.
"""

import json
import re
import warnings
from typing import Any
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pyoxigraph
import pytest

from kg.query.worker import RESULTS, TRIPLES
from kg.serve.description import FORMAT_NAMES

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
LABELS = "SELECT ?label { ?paper a fabio:ResearchPaper ; rdfs:label ?label } ORDER BY ?label"
LINKS = "CONSTRUCT { ?p dct:subject ?c } WHERE { ?p dct:subject ?c }"
Server = Any


def found(body: bytes) -> list[dict[str, Any]]:
    bindings: list[dict[str, Any]] = json.loads(body)["results"]["bindings"]
    return bindings


# --- 2.1 how a query is sent ---------------------------------------------------------------------


def test_get_with_a_query_in_the_address(server: Server) -> None:
    answer = server.query(LABELS)
    assert (answer.status, answer.media) == (200, "application/sparql-results+json")
    assert len(found(answer.body)) == 3


def test_post_of_a_form(server: Server) -> None:
    answer = server.ask("/sparql", "POST", urlencode({"query": LABELS}), Content_Type=FORM)
    assert (answer.status, len(found(answer.body))) == (200, 3)


def test_post_of_a_form_that_names_its_charset(server: Server) -> None:
    answer = server.ask(
        "/sparql", "POST", urlencode({"query": LABELS}), Content_Type=f"{FORM}; charset=UTF-8"
    )
    assert answer.status == 200


def test_post_of_the_query_itself(server: Server) -> None:
    answer = server.ask("/sparql", "POST", LABELS, Content_Type=QUERY)
    assert (answer.status, len(found(answer.body))) == (200, 3)


@pytest.mark.parametrize("way", ["get", "form", "query"])
def test_a_query_in_any_script(way: str, server: Server) -> None:
    query = "ASK { FILTER(STRLEN('苹果 &+%') = 6) }"
    if way == "get":
        answer = server.query(query)
    elif way == "form":
        answer = server.ask("/sparql", "POST", urlencode({"query": query}), Content_Type=FORM)
    else:
        answer = server.ask("/sparql", "POST", query.encode(), Content_Type=QUERY)
    assert json.loads(answer.body)["boolean"] is True


def test_further_parameters_are_left_alone(server: Server) -> None:
    assert server.ask("/sparql?format=json&query=" + quote(LABELS)).status == 200


# --- 2.1.4 the dataset ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
@pytest.mark.parametrize("way", ["get", "form", "query"])
def test_another_dataset_is_refused(name: str, way: str, server: Server) -> None:
    dataset = urlencode({name: "http://example.org/g"})
    query = urlencode({"query": LABELS})
    if way == "get":
        answer = server.ask(f"/sparql?{query}&{dataset}")
    elif way == "form":
        answer = server.ask("/sparql", "POST", f"{query}&{dataset}", Content_Type=FORM)
    else:
        answer = server.ask(f"/sparql?{dataset}", "POST", LABELS, Content_Type=QUERY)
    assert answer.status == 400
    assert name in answer.body.decode()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
        "ASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    ],
)
def test_a_query_stays_within_its_build(query: str, server: Server) -> None:
    assert server.query(query).status == 400


# --- 2.1.5, 2.1.6 the answer ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("application/sparql-results+json", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv"),
        ("text/tab-separated-values", "text/tab-separated-values"),
        ("text/csv;q=0.2, application/sparql-results+xml;q=0.9", "application/sparql-results+xml"),
        ("text/turtle, */*;q=0.1", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
    ],
)
def test_solutions_come_in_the_format_that_is_liked_best(
    accept: str, media: str, server: Server
) -> None:
    answer = server.query(LABELS, accept)
    assert (answer.status, answer.media, answer.headers["vary"]) == (200, media, "Accept")
    if media.endswith("json"):
        labels = [row["label"]["value"] for row in found(answer.body)]
    elif media.endswith("xml"):
        name = "{http://www.w3.org/2005/sparql-results#}literal"
        labels = [node.text for node in ElementTree.fromstring(answer.body).iter(name)]
    else:
        labels = [line.strip('"') for line in answer.body.decode().splitlines()[1:]]
    assert len(labels) == 3
    assert "A network for all" in labels


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv"])
def test_yes_or_no(accept: str, server: Server) -> None:
    assert b"true" in server.query("ASK { ?s ?p ?o }", accept).body
    assert b"false" in server.query("ASK { ?s ?p 'nowhere' }", accept).body


@pytest.mark.parametrize(
    ("accept", "media", "format"),
    [
        ("text/turtle", "text/turtle", pyoxigraph.RdfFormat.TURTLE),
        ("application/n-triples", "application/n-triples", pyoxigraph.RdfFormat.N_TRIPLES),
        ("application/rdf+xml", "application/rdf+xml", pyoxigraph.RdfFormat.RDF_XML),
        ("application/ld+json", "application/ld+json", pyoxigraph.RdfFormat.JSON_LD),
        (
            "text/csv, application/rdf+xml;q=0.1",
            "application/rdf+xml",
            pyoxigraph.RdfFormat.RDF_XML,
        ),
        ("*/*", "text/turtle", pyoxigraph.RdfFormat.TURTLE),
    ],
)
def test_a_graph_comes_in_the_format_that_is_liked_best(
    accept: str, media: str, format: pyoxigraph.RdfFormat, server: Server
) -> None:
    answer = server.query(LINKS, accept)
    assert (answer.status, answer.media) == (200, media)
    triples = {quad.triple for quad in pyoxigraph.parse(answer.body, format)}
    assert {str(triple.predicate) for triple in triples} == {"<http://purl.org/dc/terms/subject>"}
    assert server.query(LINKS, accept).body == answer.body


@pytest.mark.parametrize(
    ("query", "accept"),
    [
        (LABELS, "image/png"),
        (LABELS, "text/turtle"),
        (LINKS, "text/csv"),
        (LABELS, "*/*;q=0"),
        (LABELS, "application/*;q=0, text/*;q=0"),
    ],
)
def test_no_format_that_the_client_takes_is_406(query: str, accept: str, server: Server) -> None:
    answer = server.query(query, accept)
    assert answer.status == 406
    assert "can be written as" in answer.body.decode()


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT ?s { ?s ?p }", "line 1, column"),
        ("SELECT ?s\nWHERE { ?s nope:p ?o }", "line 2, column 12"),
        ("", "line 1, column 1"),
        ("INSERT DATA { <a:a> <a:b> 1 }", "INSERT would change the graph"),
    ],
)
def test_what_is_no_query_is_400_and_says_where(query: str, place: str, server: Server) -> None:
    answer = server.query(query)
    assert (answer.status, answer.media) == (400, "text/plain")
    assert place in answer.body.decode()


def test_a_query_that_fails_is_500(server: Server) -> None:
    assert server.query("SELECT (kg:nonsense(1) AS ?x) {}").status == 500


@pytest.mark.parametrize(
    ("path", "method", "body", "media"),
    [
        ("/sparql?query=ASK+%7B%7D&query=ASK+%7B%7D", "GET", None, ""),
        ("/sparql", "POST", "query=ASK+%7B%7D&query=ASK+%7B%7D", FORM),
        ("/sparql", "POST", "other=ASK+%7B%7D", FORM),
        ("/sparql", "POST", "", FORM),
        ("/sparql?query=ASK+%7B%7D", "POST", "ASK {}", QUERY),
        ("/sparql", "POST", b"ASK { ?s ?p '\xff' }", QUERY),
        ("/sparql", "POST", b"query=ASK+%7B%7D%FF", FORM),
        ("/sparql?query=%FF", "GET", None, ""),
    ],
)
def test_no_query_or_more_than_one_is_400(
    path: str, method: str, body: Any, media: str, server: Server
) -> None:
    assert server.ask(path, method, body, Content_Type=media).status == 400


@pytest.mark.parametrize(
    ("path", "method", "body", "media"),
    [
        ("/sparql", "POST", "INSERT DATA { <a:a> <a:b> 1 }", "application/sparql-update"),
        ("/sparql", "POST", "update=CLEAR+ALL", FORM),
        ("/sparql?update=CLEAR+ALL", "GET", None, ""),
        ("/sparql", "PUT", "ASK {}", QUERY),
        ("/sparql", "DELETE", None, ""),
        ("/sparql", "PATCH", "ASK {}", QUERY),
    ],
)
def test_an_update_or_another_method_is_405(
    path: str, method: str, body: Any, media: str, server: Server
) -> None:
    answer = server.ask(path, method, body, Content_Type=media)
    assert answer.status == 405
    assert {"GET", "HEAD", "POST", "OPTIONS"} == set(re.split(", *", answer.headers["allow"]))


@pytest.mark.parametrize(
    "media",
    ["", "text/plain", "application/json", f"{QUERY}; charset=utf-16", "multipart/form-data"],
)
def test_another_media_type_is_415(media: str, server: Server) -> None:
    assert server.ask("/sparql", "POST", LABELS, Content_Type=media).status == 415


def test_what_is_too_long_is_413_or_414(server: Server) -> None:
    long = "#" * (1 << 20) + LABELS
    assert server.ask("/sparql", "POST", long, Content_Type=QUERY).status == 413
    assert server.query("#" * (40 << 10) + "\n" + LABELS).status == 414


# --- what HTTP adds ------------------------------------------------------------------------------


def test_head_has_the_headers_and_no_body(server: Server) -> None:
    get = server.query(LABELS)
    head = server.ask("/sparql?" + urlencode({"query": LABELS}), "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    assert int(head.headers["content-length"]) == len(get.body)


def test_options_lists_the_methods(server: Server) -> None:
    answer = server.ask("/sparql", "OPTIONS")
    assert answer.status == 204
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}
    assert "access-control-allow-origin" not in answer.headers


def test_what_the_client_holds_is_not_sent_again(server: Server) -> None:
    tag = server.query(LABELS, "text/csv").headers["etag"]
    again = server.query(LABELS, "text/csv", If_None_Match=f'"other", {tag}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert server.query(LABELS, "text/csv", If_None_Match=f"W/{tag}").status == 304


def test_another_query_or_format_has_another_tag(server: Server) -> None:
    tags = {
        server.query(query, accept).headers["etag"]
        for query in (LABELS, LABELS + " LIMIT 1")
        for accept in ("text/csv", "application/json")
    }
    assert len(tags) == 4


def test_what_differs_each_time_is_not_kept(server: Server) -> None:
    answer = server.query("SELECT (RAND() AS ?x) {}")
    assert "etag" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("accept", "format"),
    [
        (None, pyoxigraph.RdfFormat.TURTLE),
        ("text/turtle", pyoxigraph.RdfFormat.TURTLE),
        ("application/rdf+xml", pyoxigraph.RdfFormat.RDF_XML),
        ("application/n-triples", pyoxigraph.RdfFormat.N_TRIPLES),
        ("application/ld+json", pyoxigraph.RdfFormat.JSON_LD),
    ],
)
def test_without_a_query_the_service_describes_itself(
    accept: str | None, format: pyoxigraph.RdfFormat, server: Server
) -> None:
    answer = server.ask("/sparql", **({"Accept": accept} if accept else {}))
    said = {str(quad.triple) for quad in pyoxigraph.parse(answer.body, format)}
    sd = "http://www.w3.org/ns/sparql-service-description#"
    endpoint = f"{server.address}/sparql"
    assert f"<{endpoint}> <{sd}endpoint> <{endpoint}>" in said
    assert f"<{endpoint}> <{sd}supportedLanguage> <{sd}SPARQL11Query>" in said


def test_every_format_is_described() -> None:
    assert set(FORMAT_NAMES) == {*RESULTS, *TRIPLES}


def test_a_description_that_nobody_takes_is_406(server: Server) -> None:
    assert server.ask("/sparql", Accept="image/png").status == 406


def test_sparqlwrapper_reads_it(server: Server) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import SPARQLWrapper

        client = SPARQLWrapper.SPARQLWrapper(f"{server.address}/sparql")
        client.setQuery(LABELS)
        for format in (SPARQLWrapper.JSON, SPARQLWrapper.XML, SPARQLWrapper.CSV):
            client.setReturnFormat(format)
            assert client.query().convert()
        client.setReturnFormat(SPARQLWrapper.JSON)
        client.setMethod(SPARQLWrapper.POST)
        rows = client.query().convert()["results"]["bindings"]
        client.setQuery(LINKS)
        client.setReturnFormat(SPARQLWrapper.TURTLE)
        graph = client.query().convert()
    assert len(rows) == 3
    assert b"dct:subject" in graph

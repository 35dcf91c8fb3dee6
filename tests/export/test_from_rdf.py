from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import networkx
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph

from kg.errors import InputError
from kg.export.from_rdf import from_rdf
from kg.export.provenance import Provenance
from kg.export.rdf import to_rdf, write_ntriples, write_turtle
from kg.export.serializations import FORMATS, write_rdf
from kg.graph.build import assemble
from kg.records import (
    CONCEPT_TYPES,
    RELATION_TYPES,
    AnnotatedPaper,
    Field,
    Mention,
    Paper,
    Relation,
)
from kg.resolve.concepts import collect_concepts
from kg.resolve.names import normal_form
from kg.resolve.resolve import resolve


def assert_same(one: "MultiDiGraph[str]", other: "MultiDiGraph[str]") -> None:
    assert dict(one.nodes(data=True)) == dict(other.nodes(data=True))
    assert list(one.edges(keys=True, data=True)) == list(other.edges(keys=True, data=True))
    assert one.graph == other.graph


@pytest.fixture
def graph(small_graph: "MultiDiGraph[str]") -> "MultiDiGraph[str]":
    graph = small_graph.copy()
    settings = {"min_support": 2, "thesaurus": {"entries": ["x" * 200]}}
    graph.graph["provenance"] = Provenance.of("1.2.3", {"spaCy": "3.8", "a b": "c"}, settings)
    return graph


def test_rdflib_graph_gives_the_graph_back(graph: "MultiDiGraph[str]") -> None:
    assert_same(from_rdf(to_rdf(graph)), graph)


@pytest.mark.parametrize("base_iri", ["urn:example:kg", "http://example.org/x#"])
def test_any_base_will_do(base_iri: str, graph: "MultiDiGraph[str]") -> None:
    assert_same(from_rdf(to_rdf(graph, base_iri=base_iri)), graph)


@pytest.mark.parametrize("format", ["ttl", "nt", *FORMATS])
def test_files_give_the_graph_back(format: str, graph: "MultiDiGraph[str]", tmp_path: Path) -> None:
    path = tmp_path / f"graph.{format}"
    if format in FORMATS:
        write_rdf(graph, path, format=format)
    else:
        {"ttl": write_turtle, "nt": write_ntriples}[format](graph, path)
    assert_same(from_rdf(path), graph)


def test_turtle_read_by_rdflib_gives_the_graph_back(
    graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    write_turtle(graph, tmp_path / "graph.ttl")
    assert_same(from_rdf(rdflib.Graph().parse(tmp_path / "graph.ttl")), graph)


def test_similarities_and_origin_are_not_needed(graph: "MultiDiGraph[str]") -> None:
    rdf = to_rdf(graph, layers=("papers", "concepts", "mentions", "text", "claims"))
    del graph.graph["provenance"]
    assert_same(from_rdf(rdf), graph)


def test_without_the_texts_all_else_comes_back(graph: "MultiDiGraph[str]") -> None:
    again = from_rdf(to_rdf(graph, layers=("papers", "concepts", "mentions", "claims", "prov")))
    record = again.nodes["paper:a"]["record"]
    known = graph.nodes["paper:a"]["record"]
    assert record == replace(known, paper=replace(known.paper, abstract=None))
    assert set(again.edges(keys=True)) == set(graph.edges(keys=True))


def test_rdf_without_mentions_is_refused(graph: "MultiDiGraph[str]") -> None:
    with pytest.raises(InputError, match=r"subjects without mentions.*with the layers papers, con"):
        from_rdf(to_rdf(graph, layers=("papers", "concepts")))


def test_rdf_that_lacks_a_part_is_refused_by_its_name(graph: "MultiDiGraph[str]") -> None:
    rdf = to_rdf(graph)
    rdf.remove((None, rdflib.SKOS.prefLabel, rdflib.Literal("Cora")))
    with pytest.raises(InputError, match=r"cora-[0-9a-f]+ has no http.*prefLabel"):
        from_rdf(rdf)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("graph.ttl", "<a> <b>", "graph.ttl: cannot be read"),
        ("graph.xyz", "", "cannot be told by this suffix"),
    ],
)
def test_bad_files_are_refused(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        from_rdf(tmp_path / name)
    with pytest.raises(InputError, match=r"none.ttl: cannot be read"):
        from_rdf(tmp_path / "none.ttl")


# All but lone surrogates, which no file of UTF-8 can hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
HOSTILE = st.sampled_from(
    ["</script>", 'say "hi"', "back\\slash\\u0041", "line\nand\r\nline", "C++", "量子 🦆", "a = b"]
)
WORDS = TEXT | HOSTILE
NAMES = WORDS.filter(normal_form)
SCORES = st.floats(0, 1).map(lambda score: round(score, 3))


@st.composite
def annotated_papers(draw: st.DrawFn) -> list[AnnotatedPaper]:
    ids = draw(st.lists(WORDS, min_size=1, max_size=3, unique=True))
    return [draw(annotated_paper(paper_id)) for paper_id in ids]


@st.composite
def annotated_paper(draw: st.DrawFn, paper_id: str) -> AnnotatedPaper:
    fields: dict[Field, str] = {}
    mentions: list[Mention] = []
    for field in draw(st.sampled_from([("title",), ("abstract",), ("title", "abstract")])):
        names = draw(st.lists(NAMES, max_size=3))
        text = " ".join(("We", *names))
        at = 3
        for name in names:
            kind = draw(st.sampled_from(CONCEPT_TYPES))
            span = (at, at + len(name))
            mentions.append(Mention(*span, name, kind, name, draw(SCORES), field, (0, len(text))))
            at = span[1] + 1
        fields[field] = text
    optional = {name: draw(st.none() | WORDS) for name in ("venue", "doi", "url")} | {
        "year": draw(st.none() | st.integers(1, 9999))
    }
    lists = {name: tuple(draw(st.lists(WORDS, max_size=3))) for name in ("authors", "keywords")} | {
        "merged": tuple(sorted(draw(st.sets(WORDS, max_size=2))))
    }
    paper = Paper(paper_id, **fields, **optional, **lists)  # type: ignore[arg-type]
    concepts = [mention.concept for mention in mentions]
    relations = draw(st.lists(relation(concepts, fields), max_size=3)) if concepts else []
    proposes = draw(st.lists(st.sampled_from(concepts), max_size=2)) if concepts else []
    return AnnotatedPaper(paper, "label", tuple(mentions), tuple(relations), tuple(proposes))


@st.composite
def relation(draw: st.DrawFn, concepts: list[str], fields: dict[Field, str]) -> Relation:
    field = draw(st.sampled_from(sorted(fields)))
    return Relation(
        draw(st.sampled_from(concepts)),
        draw(st.sampled_from(RELATION_TYPES)),
        draw(st.sampled_from(concepts)),
        draw(SCORES),
        0,
        len(fields[field]),
        field,
    )


@settings(max_examples=80, deadline=None)
@given(annotated_papers())
def test_any_graph_comes_back(papers: list[AnnotatedPaper]) -> None:
    resolved = resolve(papers)
    graph = assemble(resolved, collect_concepts(resolved))
    assert_same(from_rdf(to_rdf(graph)), graph)


def test_an_empty_graph_comes_back() -> None:
    assert_same(from_rdf(to_rdf(networkx.MultiDiGraph())), networkx.MultiDiGraph())


def test_graph_of_marked_texts_comes_back(marked: Callable[..., AnnotatedPaper]) -> None:
    papers = resolve(
        [
            marked("a", "[[Vision transformers|M]] and [[zero-shot quantization|T]]."),
            marked(
                "b", "A [[vision transformer|M]], [[ViT|M|vision transformer]], [[quantization|T]]."
            ),
        ]
    )
    graph = assemble(papers, collect_concepts(papers))
    assert any(data.get("broader") for _, data in graph.nodes(data=True))
    assert_same(from_rdf(to_rdf(graph)), graph)

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph
from rdflib import RDF, RDFS, SKOS, XSD, Literal, URIRef
from rdflib.compare import isomorphic

from kg.errors import OutputError
from kg.export import described
from kg.export.iris import Iris
from kg.export.provenance import Provenance
from kg.export.rdf import prefixes, to_rdf, write_ntriples, write_turtle
from kg.export.syntax import NTriples
from kg.export.triples import LAYERS, descriptions
from kg.export.vocabulary import rdflib_namespace
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts

DCT = rdflib.DCTERMS
KG = rdflib_namespace()
NIF = rdflib.Namespace(prefixes()["nif"])
ITSRDF = rdflib.Namespace(prefixes()["itsrdf"])
IRIS = Iris()
ORIGIN = Provenance.of("1.2.3", {"spaCy": "3.8"}, {"min_support": 2, "layers": None})


def concept(graph: "MultiDiGraph[str]", label: str) -> URIRef:
    keys = [key for key, name in graph.nodes(data="label") if name == label]
    [key] = [key for key in keys if key.startswith("concept:")]
    return URIRef(IRIS.concept(key.removeprefix("concept:")))


def paper(paper_id: str) -> URIRef:
    return URIRef(IRIS.paper(paper_id))


@pytest.fixture
def rdf(small_graph: "MultiDiGraph[str]") -> rdflib.Graph:
    return to_rdf(small_graph)


def oxigraph(path: Path, format: pyoxigraph.RdfFormat) -> set[str]:
    """All triples of a file as a strict parser reads them; there are no blank nodes to rename."""
    return {str(quad.triple) for quad in pyoxigraph.parse(path=path, format=format)}


def test_turtle_ntriples_and_rdflib_hold_the_same_triples(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph, tmp_path: Path
) -> None:
    turtle, ntriples = tmp_path / "graph.ttl", tmp_path / "graph.nt"
    write_turtle(small_graph, turtle)
    write_ntriples(small_graph, ntriples)
    assert isomorphic(rdflib.Graph().parse(turtle), rdf)
    assert isomorphic(rdflib.Graph().parse(ntriples), rdf)
    triples = oxigraph(turtle, pyoxigraph.RdfFormat.TURTLE)
    assert triples == oxigraph(ntriples, pyoxigraph.RdfFormat.N_TRIPLES)
    assert len(triples) == len(rdf) == len(ntriples.read_text().split(" .\n")) - 1


def test_paper_tells_what_its_source_told(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    schema, prism = (rdflib.Namespace(prefixes()[prefix]) for prefix in ("schema", "prism"))
    about = {(predicate, value) for _, predicate, value in rdf.triples((paper("a"), None, None))}
    assert {
        (RDF.type, URIRef("http://purl.org/spar/fabio/ResearchPaper")),
        (RDF.type, schema.ScholarlyArticle),
        (RDFS.label, Literal("Foo for All")),
        (DCT.title, Literal("Foo for All")),
        (DCT.identifier, Literal("a")),
        (DCT.issued, Literal("2024", datatype=XSD.gYear, normalize=False)),
        (prism.publicationName, Literal("A Conference")),
        (rdflib.DC.creator, Literal("Ada B.")),
        (rdflib.DC.creator, Literal("Ce D.")),
        (schema.keywords, Literal("graphs")),
        (schema.sameAs, URIRef("https://doi.org/10.5555/a%3Cb%3E")),
        (schema.url, Literal("https://example.org/a b", datatype=XSD.anyURI)),
        (KG.proposes, concept(small_graph, "FooNet")),
        (DCT.subject, concept(small_graph, "Cora")),
        (DCT.relation, paper("b")),
        (KG.text, URIRef(IRIS.text("a", "title"))),
        (KG.text, URIRef(IRIS.text("a", "abstract"))),
    } <= about
    assert (paper("b"), DCT.relation, paper("a")) in rdf


def test_a_paper_without_a_title_has_a_label_alone(rdf: rdflib.Graph) -> None:
    untitled = paper("10.1/c d")
    assert rdf.value(untitled, RDFS.label) == Literal("10.1/c d")
    assert (untitled, DCT.title, None) not in rdf
    assert list(rdf.objects(untitled, KG.text)) == [URIRef(IRIS.text("10.1/c d", "abstract"))]


def test_concept_has_one_label_and_its_aliases(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    network = concept(small_graph, "graph neural network")
    assert set(rdf.objects(network, RDF.type)) == {SKOS.Concept, KG.Method}
    assert list(rdf.objects(network, SKOS.prefLabel)) == [Literal("graph neural network")]
    assert list(rdf.objects(network, SKOS.altLabel)) == [Literal("GNN")]
    assert list(rdf.subjects(SKOS.broader, network)) == [concept(small_graph, "FooNet")]


def test_a_kind_of_a_concept_that_the_hierarchy_does_not_hold_is_a_claim_alone(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    network, foo = concept(small_graph, "graph neural network"), concept(small_graph, "FooNet")
    assert (network, SKOS.broader, foo) not in rdf
    [claim] = set(rdf.subjects(RDF.subject, network)) & set(rdf.subjects(RDF.object, foo))
    assert (claim, RDF.predicate, SKOS.broader) in rdf


def test_a_concept_tells_how_many_papers_speak_of_it(rdf: rdflib.Graph) -> None:
    counts = dict(rdf.subject_objects(KG.paperCount))
    assert set(counts) == set(rdf.subjects(RDF.type, SKOS.Concept))
    for one, papers in counts.items():
        assert int(papers) == len(set(rdf.subjects(DCT.subject, one)))


def test_the_scheme_names_what_most_papers_speak_of(
    monkeypatch: pytest.MonkeyPatch, small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    scheme = URIRef(IRIS.scheme)
    assert set(rdf.objects(scheme, KG.commonConcept)) == set(rdf.subjects(KG.paperCount))
    monkeypatch.setattr(described, "COMMON", 1)
    found = set(to_rdf(small_graph).objects(scheme, KG.commonConcept))
    for kind in (KG.Method, KG.Task, KG.Dataset, KG.Metric):
        ranked = sorted(
            (-int(rdf.value(one, KG.paperCount)), rdf.value(one, SKOS.prefLabel), one)
            for one in rdf.subjects(RDF.type, kind)
        )
        assert {one for *_, one in ranked[:1]} == found.intersection(rdf.subjects(RDF.type, kind))


def test_offsets_mark_the_words_they_anchor(rdf: rdflib.Graph) -> None:
    mentions = list(rdf.subjects(RDF.type, NIF.Phrase))
    assert len(mentions) == 9
    for mention in mentions:
        text = str(rdf.value(rdf.value(mention, NIF.referenceContext), NIF.isString))
        begin, end = (int(rdf.value(mention, edge)) for edge in (NIF.beginIndex, NIF.endIndex))
        assert text[begin:end] == str(rdf.value(mention, NIF.anchorOf))
        sentence = rdf.value(mention, NIF.sentence)
        assert int(rdf.value(sentence, NIF.beginIndex)) <= begin
        assert int(rdf.value(sentence, NIF.endIndex)) >= end
        assert (rdf.value(mention, ITSRDF.taIdentRef), RDF.type, SKOS.Concept) in rdf


def test_mention_keeps_its_own_type(marked: Callable[..., AnnotatedPaper]) -> None:
    papers = [marked("a", "[[BERT|M]] and [[BERT|M]], [[BERT|D]] too.")]
    graph = assemble(papers, collect_concepts(papers))
    rdf = to_rdf(graph)
    types = [rdf.value(mention, ITSRDF.taClassRef) for mention in rdf.subjects(NIF.anchorOf)]
    assert sorted(types) == [KG.Dataset, KG.Method, KG.Method]
    assert (concept(graph, "BERT"), RDF.type, KG.Method) in rdf


def test_relation_is_a_plain_edge_and_a_claim_with_evidence(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    model, data = concept(small_graph, "FooNet"), concept(small_graph, "Cora")
    assert (model, KG.evaluatedOn, data) in rdf
    [claim] = rdf.subjects(RDF.predicate, KG.evaluatedOn)
    sentence = URIRef(IRIS.sentence("a", "abstract", (28, 80)))
    assert set(rdf.predicate_objects(claim)) == {
        (RDF.type, KG.Claim),
        (RDF.type, RDF.Statement),
        (RDF.subject, model),
        (RDF.predicate, KG.evaluatedOn),
        (RDF.object, data),
        (KG.support, Literal(1)),
        (KG.confidence, Literal("0.7", datatype=XSD.decimal)),
        (KG.evidence, sentence),
        (rdflib.PROV.wasDerivedFrom, paper("a")),
    }
    assert rdf.value(sentence, NIF.referenceContext) == URIRef(IRIS.text("a", "abstract"))


def test_similarity_weighs_each_shared_concept(
    small_graph: "MultiDiGraph[str]", rdf: rdflib.Graph
) -> None:
    link = URIRef(IRIS.similarity("a", "b"))
    assert set(rdf.objects(link, KG.member)) == {paper("a"), paper("b")}
    shared = set(rdf.objects(link, KG.sharedConcept))
    assert shared == {concept(small_graph, name) for name in ("Cora", "graph neural network")}
    parts = list(rdf.subjects(KG.contributesTo, link))
    assert {rdf.value(part, KG.sharedConcept) for part in parts} == shared
    total = sum(float(rdf.value(part, KG.weight)) for part in parts)
    assert total == pytest.approx(float(rdf.value(link, KG.weight)), abs=1e-5)


def test_origin_is_stated_once_and_only_if_known(small_graph: "MultiDiGraph[str]") -> None:
    assert not list(to_rdf(small_graph).subjects(RDF.type, rdflib.PROV.Activity))
    graph = small_graph.copy()
    graph.graph["provenance"] = ORIGIN
    rdf = to_rdf(graph)
    [run] = rdf.subjects(RDF.type, rdflib.PROV.Activity)
    assert run == URIRef(IRIS.run(ORIGIN.digest))
    assert rdf.value(URIRef(IRIS.graph), rdflib.PROV.wasGeneratedBy) == run
    assert set(rdf.objects(run, KG.setting)) == {
        Literal("layers = null"),
        Literal("min_support = 2"),
    }


def test_provenance_differs_with_version_and_settings() -> None:
    others = [replace(ORIGIN, version="1.2.4"), replace(ORIGIN, settings=(("min_support", "3"),))]
    assert len({ORIGIN.digest, *(other.digest for other in others)}) == 3
    assert Provenance.of("1.2.3", {"spaCy": "3.8"}, {"layers": None, "min_support": 2}) == ORIGIN


def test_a_long_setting_is_told_by_its_hash() -> None:
    one, other = (Provenance.of("1", {}, {"names": ["x" * size]}) for size in (200, 201))
    assert all(len(value) < 30 for _, value in one.settings)
    assert one != other


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_points_only_at_what_is_there(layer: str, small_graph: "MultiDiGraph[str]") -> None:
    described = list(descriptions(small_graph, NTriples(), layers=[layer]))
    subjects = {subject for subject, *_ in described}
    assert len(subjects) == len(described)
    pointed_at = {value for *_, values in described for value in values if value[0] == "<"}
    assert {value for value in pointed_at if value.startswith(f"<{IRIS.base}")} <= subjects


def test_layers_leave_out_what_is_not_wanted(small_graph: "MultiDiGraph[str]") -> None:
    rdf = to_rdf(small_graph, layers=["papers", "concepts", "mentions"])
    assert list(rdf.subjects(NIF.anchorOf))
    assert not list(rdf.subject_objects(NIF.isString))
    assert not list(rdf.subjects(RDF.type, KG.Claim))
    assert not list(rdf.subject_objects(KG.evaluatedOn))
    assert not list(rdf.subjects(RDF.type, KG.Similarity))


def test_an_unknown_layer_or_base_is_refused_before_a_file_is_written(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    path = tmp_path / "graph.ttl"
    with pytest.raises(OutputError, match="no layer is called 'mention': choose among papers"):
        write_turtle(small_graph, path, layers=["mention"])
    with pytest.raises(OutputError, match="cannot be used"):
        write_ntriples(small_graph, path, base_iri="papers/")
    assert not path.exists()


def test_base_iri_is_what_all_own_iris_begin_with(small_graph: "MultiDiGraph[str]") -> None:
    rdf = to_rdf(small_graph, base_iri="urn:example:kg")
    subjects = set(rdf.subjects())
    assert all(str(subject).startswith("urn:example:kg:") for subject in subjects)
    assert len(subjects) == len(set(to_rdf(small_graph).subjects()))


def test_turtle_reads_well(marked: Callable[..., AnnotatedPaper], tmp_path: Path) -> None:
    papers = [marked("p1", "We use [[C++|M]].", title="Speed")]
    write_turtle(assemble(papers, collect_concepts(papers)), tmp_path / "graph.ttl")
    blocks = (tmp_path / "graph.ttl").read_text().split("\n\n")
    assert blocks[1:3] == [
        "paper:p1 a fabio:ResearchPaper, schema:ScholarlyArticle ;\n"
        '    rdfs:label "Speed" ;\n'
        '    dct:identifier "p1" ;\n'
        '    dct:title "Speed" ;\n'
        '    skos:hiddenLabel "speed" ;\n'
        "    kg:text text:p1.title,\n"
        "        text:p1.abstract ;\n"
        "    dct:subject concept:c%2B%2B-cedb1bac .",
        'text:p1.title a nif:Context ;\n    kg:field "title" ;\n    nif:isString "Speed" .',
    ]


def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    code = """
import sys
from kg.export.rdf import write_turtle
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts

mentions = tuple(
    Mention(at, at + 1, word, "Method", word, 0.9, "abstract", (0, 5))
    for at, word in enumerate("vwxyz")
)
papers = [AnnotatedPaper(Paper(i, abstract="vwxyz"), i, mentions, (), ("v", "w")) for i in "ab"]
graph = assemble(papers, collect_concepts(papers))
write_turtle(graph, sys.argv[1])
"""
    written = []
    for seed in "01":
        path = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, path], check=True, env=environment)
        written.append(path.read_bytes())
    assert written[0] == written[1]


# All but lone surrogates, which no file of UTF-8 can hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
HOSTILE = st.sampled_from(
    [
        "</script>",
        'say "hi"',
        "back\\slash\\",
        "line\nand\r\nline",
        "<http://x> ; a",
        '"""',
        "x'@en . <a:b> <a:c> 'y",
        "量子 🦆 \u202eright to left",
        "\\u0041",
        "a.",
        "..",
        "-",
        "%41",
        "{$x}",
        "\x00\x07\x7f",
        "C#",
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(TEXT | HOSTILE, TEXT | HOSTILE), min_size=1, max_size=3, unique_by=lambda p: p[0]
    )
)
def test_any_id_and_any_text_come_back(
    tmp_path_factory: pytest.TempPathFactory, named: list[tuple[str, str]]
) -> None:
    papers = [
        AnnotatedPaper(
            Paper(paper_id, title=text, authors=(text,), url=text, doi=text),
            text,
            (Mention(0, len(text), text, "Method", text, 0.5, "title", (0, len(text))),),
        )
        for paper_id, text in named
    ]
    graph = assemble(papers, collect_concepts(papers))
    folder = tmp_path_factory.mktemp("hostile")
    write_turtle(graph, folder / "graph.ttl")
    write_ntriples(graph, folder / "graph.nt")
    rdf = to_rdf(graph)
    assert set(rdflib.Graph().parse(folder / "graph.ttl")) == set(rdf)
    assert set(rdflib.Graph().parse(folder / "graph.nt")) == set(rdf)
    triples = oxigraph(folder / "graph.ttl", pyoxigraph.RdfFormat.TURTLE)
    assert triples == oxigraph(folder / "graph.nt", pyoxigraph.RdfFormat.N_TRIPLES)
    assert len(triples) == len(rdf)
    told = {
        (str(rdf.value(one, DCT.identifier)), str(rdf.value(one, DCT.title)))
        for one in rdf.subjects(DCT.identifier)
    }
    assert told == set(named)

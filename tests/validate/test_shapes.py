from pathlib import Path

import pytest
from networkx import MultiDiGraph

from kg.export.iris import DEFAULT_BASE
from kg.export.rdf import write_turtle
from kg.validate.rdf import check_references, read_turtle
from kg.validate.shapes import check_shapes


@pytest.fixture
def turtle(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> Path:
    write_turtle(small_graph, tmp_path / "graph.ttl")
    return tmp_path / "graph.ttl"


def test_a_sound_graph_is_accepted(turtle: Path) -> None:
    triples, broken = read_turtle(turtle)
    assert broken is None and triples
    assert list(check_shapes(triples, DEFAULT_BASE)) == []
    assert list(check_references(triples, DEFAULT_BASE)) == []


# What the shapes alone can tell, for nothing of it points at nothing.
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('dct:issued "2024"^^xsd:gYear', "dct:issued 2024", "graph.ttl:paper:a: dct:issued: "),
        ("kg:proposes concept:", "kg:proposes paper:a, concept:", "paper:a: kg:proposes: "),
        ("a skos:Concept, kg:Dataset", "a skos:Concept, kg:Dataset, kg:Task", "concept:cora-"),
        ("itsrdf:taConfidence 0.9", "itsrdf:taConfidence 1.9", "mention:10.1%2Fc%20d."),
        ("    kg:reason", "    rdfs:comment", "graph.ttl:alias:"),
        ("rdf:_1", "rdf:_3", "graph.ttl:authors:a: rdf:_1: "),
    ],
)
def test_what_the_shapes_refuse_is_told_by_its_node(
    old: str, new: str, told: str, turtle: Path
) -> None:
    text = turtle.read_text(encoding="utf-8")
    assert old in text
    turtle.write_text(text.replace(old, new, 1), encoding="utf-8")
    triples, broken = read_turtle(turtle)
    assert broken is None
    faults = list(map(str, check_shapes(triples, DEFAULT_BASE)))
    assert any(told in fault for fault in faults), faults
    assert not any("\n" in fault for fault in faults)


def test_blank_nodes_and_other_iris_are_refused(turtle: Path) -> None:
    with turtle.open("a") as file:
        file.write('[] rdfs:label "x" . <https://other.example/x> rdfs:label "y" .\n')
        file.write("paper:a dct:relation [] .\n")
    triples, _ = read_turtle(turtle)
    faults = " ".join(map(str, check_references(triples, DEFAULT_BASE)))
    assert "is a blank node; everything has an IRI" in faults
    assert "<https://other.example/x>: does not begin with the base IRI" in faults
    assert "paper:a: dct:relation points at _:" in faults

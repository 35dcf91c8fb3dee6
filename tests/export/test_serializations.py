from collections.abc import Callable
from pathlib import Path

import pytest
import rdflib
from networkx import MultiDiGraph

from kg.errors import OutputError
from kg.export.iris import Iris
from kg.export.rdf import to_rdf
from kg.export.serializations import FORMATS, write_rdf
from kg.graph.build import assemble
from kg.records import AnnotatedPaper
from kg.resolve.concepts import collect_concepts

PARSERS = {"nq": "nquads", "trig": "trig", "jsonld": "json-ld", "rdfxml": "xml"}


@pytest.mark.filterwarnings("ignore:.*Dataset:DeprecationWarning")  # of rdflib by rdflib
@pytest.mark.parametrize("format", FORMATS)
def test_each_form_holds_the_triples_of_the_graph(
    format: str, small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    path = tmp_path / f"graph.{format}"
    write_rdf(small_graph, path, format=format)
    dataset = rdflib.Dataset()
    dataset.parse(data=path.read_text(), format=PARSERS[format])
    assert {quad[:3] for quad in dataset.quads()} == set(to_rdf(small_graph))
    if format in ("nq", "trig"):
        assert {str(quad[3]) for quad in dataset.quads()} == {Iris().graph}


@pytest.mark.parametrize("format", FORMATS)
def test_bytes_are_the_same_twice(
    format: str, small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    for name in ("one", "other"):
        write_rdf(small_graph, tmp_path / name, format=format)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_options_are_those_of_the_other_writers(
    marked: Callable[..., AnnotatedPaper], tmp_path: Path
) -> None:
    papers = [marked("a", "On [[Cora|D]].")]
    graph = assemble(papers, collect_concepts(papers))
    options = {"base_iri": "urn:example:kg", "layers": ("papers",)}
    write_rdf(graph, tmp_path / "graph.nq", format="nq", **options)  # type: ignore[arg-type]
    lines = (tmp_path / "graph.nq").read_text().splitlines()
    assert len(lines) == 4
    assert all(line.endswith("<urn:example:kg:graph> .") for line in lines)


def test_an_unknown_format_is_an_error(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no format 'n3' here: choose among nq, trig"):
        write_rdf(small_graph, tmp_path / "graph.n3", format="n3")

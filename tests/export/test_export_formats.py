"""A graph in each form: whole or not at all, the same bytes, and without texts where so wished."""

import gzip
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import networkx
import pytest
from networkx import MultiDiGraph

import kg
from kg.build import build
from kg.errors import OutputError
from kg.export.formats import FORMATS, RDF_FORMATS, export_build, export_graph
from kg.export.load import load_graph
from kg.export.triples import LAYERS

TEXTS = ("A network for all", "We propose", "is best on", "Another graph", "ends here")
COMMAND = (sys.executable, "-m", "kg", "export")


@pytest.fixture(scope="module")
def exports(make_build: Callable[..., Path]) -> Path:
    return make_build()


@pytest.mark.parametrize("format", FORMATS)
def test_each_form_is_written_and_the_same_twice(
    format: str, small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    for name in ("one", "other"):
        export_graph(small_graph, format, tmp_path / name / f"graph.{format}")
    one, other = ((tmp_path / name / f"graph.{format}").read_bytes() for name in ("one", "other"))
    assert one == other
    assert b"FooNet" in one


def test_bytes_do_not_depend_on_the_hash_seed(exports: Path, tmp_path: Path) -> None:
    for format in ("gexf", "csv", "cypher"):
        done = subprocess.run(
            [*COMMAND, "--format", format, exports],
            env={**os.environ, "PYTHONHASHSEED": "7"},
            capture_output=True,
            check=True,
        )
        export_build(exports, format, tmp_path / f"graph.{format}")
        assert done.stdout == (tmp_path / f"graph.{format}").read_bytes()


def test_suffix_gz_compresses_and_tells_no_time(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    export_graph(small_graph, "nt", tmp_path / "graph.nt")
    export_graph(small_graph, "nt", tmp_path / "graph.nt.gz")
    packed = (tmp_path / "graph.nt.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "graph.nt").read_bytes()
    assert packed[3:8] == b"\0" * 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.nt", "graph.nt.gz"]


def test_csv_is_a_folder_or_an_archive_or_one_file(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    for name in ("tables", "tables.zip", "tables.csv"):
        export_graph(small_graph, "csv", tmp_path / name)
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == ["concepts.csv", "links.csv", "mentions.csv", "papers.csv", "relations.csv"]
    with zipfile.ZipFile(tmp_path / "tables.zip") as archive:
        assert archive.namelist() == names
    assert (tmp_path / "tables.csv").is_file()


def test_a_failed_export_leaves_the_last_file(
    small_graph: "MultiDiGraph[str]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.gexf"
    path.write_text("the last one")

    def fail(_: object, path: Path) -> None:
        path.write_text("half a")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kg.export.formats.write_gexf", fail)
    with pytest.raises(OutputError, match="No space left"):
        export_graph(small_graph, "gexf", path)
    assert [one.read_text() for one in tmp_path.iterdir()] == ["the last one"]


def test_a_device_is_written_to_and_stays_one(small_graph: "MultiDiGraph[str]") -> None:
    export_graph(small_graph, "nt", os.devnull)
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("n3", "graph.n3"), {}, "no format is called 'n3': choose among ttl, nt"),
        (("ttl", "graph.ttl"), {"layers": ["mention"]}, "no layer is called 'mention'"),
        (("csv", "t"), {"layers": ["papers"]}, r"csv has no layers: they are parts of RDF \(ttl"),
        (("ttl", "graph.ttl"), {"base_iri": "x"}, "cannot be used"),
        (("ttl", "."), {}, "is a folder: give the name of a file"),
    ],
)
def test_what_cannot_be_done_is_refused(
    arguments: tuple[str, str],
    options: dict[str, object],
    message: str,
    small_graph: "MultiDiGraph[str]",
    tmp_path: Path,
) -> None:
    format, name = arguments
    with pytest.raises(OutputError, match=message):
        export_graph(small_graph, format, tmp_path / name, **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", FORMATS)
def test_without_texts_no_text_is_written(format: str, exports: Path, tmp_path: Path) -> None:
    export_build(exports, format, tmp_path / f"full.{format}")
    export_build(exports, format, tmp_path / f"none.{format}", text="none")
    full, none = ((tmp_path / f"{name}.{format}").read_text() for name in ("full", "none"))
    assert "A network for all" in full
    assert [text for text in TEXTS if text in none] == []
    assert "graph neural network" in none


def test_build_without_texts_tells_none_in_any_file(make_build: Callable[..., Path]) -> None:
    output = make_build(text="none", formats=FORMATS)
    names = {path.name for path in output.iterdir()}
    assert {f"graph.{format}" for format in FORMATS} <= names
    for path in output.iterdir():
        content = path.read_text(encoding="utf-8")
        assert [text for text in TEXTS if text in content] == [], path.name


def test_build_without_texts_loads_and_is_linked_as_ever(
    make_build: Callable[..., Path], exports: Path
) -> None:
    bare, full = load_graph(make_build(text="none")), load_graph(exports)
    assert {(u, v, k): d.get("weight") for u, v, k, d in bare.edges(keys=True, data=True)} == {
        (u, v, k): d.get("weight") for u, v, k, d in full.edges(keys=True, data=True)
    }
    labels = {key: data["label"] for key, data in bare.nodes(data=True) if data["kind"] == "paper"}
    assert labels == {"paper:a": "FooNet", "paper:b": "b", "paper:c": "c"}
    [concept] = [one for one in kg.related_papers(bare, "a")[0].shared if one.concept == "Cora"]
    assert (concept.here, concept.there) == ("", "")


def test_rdf_of_builds_gives_their_graphs_back(make_build: Callable[..., Path]) -> None:
    for options in ({}, {"text": "none"}, {"base_iri": "urn:example:kg"}):
        output = make_build(**options)
        graph, again = load_graph(output), kg.from_rdf(output / "graph.ttl")
        assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
        assert list(again.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))
        assert again.graph == graph.graph


def test_formats_of_a_build_are_files_of_it(make_build: Callable[..., Path]) -> None:
    output = make_build(formats=("gexf", "nt", "ttl"))
    names = sorted(path.name for path in output.glob("graph.*"))
    assert names == ["graph.gexf", "graph.graphml", "graph.html", "graph.nt", "graph.ttl"]
    assert set(networkx.read_gexf(output / "graph.gexf")) == set(load_graph(output))


def test_forms_that_a_new_build_does_not_make_go(make_build: Callable[..., Path]) -> None:
    output = make_build(formats=("nt", "gexf"))
    (output / "graph.cypher").write_text("of someone else")
    make_build(formats=("gexf",), output=output)
    assert not (output / "graph.nt").exists()
    assert (output / "graph.gexf").exists() and (output / "graph.cypher").exists()


def test_an_unknown_form_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no format is called 'nt3'"):
        build([tmp_path / "nowhere"], tmp_path / "out", formats=("nt3",))


def test_layers_are_those_of_the_build_unless_told(
    make_build: Callable[..., Path], tmp_path: Path
) -> None:
    output = make_build(layers=("papers", "concepts"))
    assert "nif:Phrase" not in (output / "graph.ttl").read_text()
    export_build(output, "ttl", tmp_path / "same.ttl")
    assert (tmp_path / "same.ttl").read_bytes() == (output / "graph.ttl").read_bytes()
    export_build(output, "ttl", tmp_path / "more.ttl", layers=LAYERS)
    assert "nif:Phrase" in (tmp_path / "more.ttl").read_text()
    export_build(output, "csv", tmp_path / "graph.csv")


def test_export_keeps_the_iris_of_the_build(
    make_build: Callable[..., Path], tmp_path: Path
) -> None:
    output = make_build(base_iri="https://example.org/mine/")
    for format in RDF_FORMATS:
        export_build(output, format, tmp_path / f"graph.{format}")
        assert "https://example.org/mine/" in (tmp_path / f"graph.{format}").read_text()


def test_command_writes_to_a_file_or_to_standard_output(exports: Path, tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "--format", "ttl", exports], capture_output=True, check=True)
    assert done.stdout == (exports / "graph.ttl").read_bytes()
    options = ["--format", "nt", "--layers", "papers,concepts", "--text", "none"]
    path = tmp_path / "graph.nt.gz"
    subprocess.run([*COMMAND, *options, exports, "-o", path], check=True)
    triples = gzip.decompress(path.read_bytes()).decode()
    assert "skos" in triples and "nif-core" not in triples and "A network" not in triples


def test_command_tells_errors_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--format", "ttl", tmp_path], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "no build here" in done.stderr and done.stderr.count("\n") == 1

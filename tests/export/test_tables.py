import csv
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph

from kg.export.tables import write_csv, write_tables
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts

NAMES = ("papers", "concepts", "mentions", "links", "relations")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@pytest.fixture
def folder(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> Path:
    write_tables(small_graph, tmp_path)
    return tmp_path


def test_papers_have_what_their_source_told(folder: Path) -> None:
    rows = {row["id"]: row for row in read(folder / "papers.csv")}
    assert list(rows) == ["10.1/c d", "a", "b"]
    assert (rows["a"]["title"], rows["a"]["year"]) == ("Foo for All", "2024")
    assert json.loads(rows["a"]["authors"]) == ["Ada B.", "Ce D."]
    assert json.loads(rows["a"]["proposes"]) == ["FooNet"]
    assert (rows["b"]["year"], rows["b"]["authors"]) == ("", "")


def test_mentions_mark_the_words_they_quote(folder: Path) -> None:
    texts = {row["id"]: row["abstract"] for row in read(folder / "papers.csv")}
    concepts = {row["id"]: row["label"] for row in read(folder / "concepts.csv")}
    mentions = read(folder / "mentions.csv")
    assert len(mentions) == 9
    for row in mentions:
        assert texts[row["paper"]][int(row["start"]) : int(row["end"])] == row["text"]
        assert concepts[row["concept_id"]] == row["concept"]


def test_links_and_relations_join_papers_and_concepts(
    folder: Path, small_graph: "MultiDiGraph[str]"
) -> None:
    [link] = read(folder / "links.csv")
    assert (link["source"], link["target"]) == ("a", "b")
    weight = small_graph.edges["paper:a", "paper:b", "related"]["weight"]
    assert float(link["weight"]) == weight
    assert sorted(json.loads(link["shared"])) == ["Cora", "graph neural network"]
    said = [(row["head"], row["type"], row["tail"]) for row in read(folder / "relations.csv")]
    assert ("FooNet", "evaluated_on", "Cora") in said and len(said) == 4


def test_one_file_and_an_archive_hold_the_same_tables(
    folder: Path, small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    write_csv(small_graph, tmp_path / "graph.csv")
    write_csv(small_graph, tmp_path / "graph.zip")
    with zipfile.ZipFile(tmp_path / "graph.zip") as archive:
        assert sorted(archive.namelist()) == sorted(f"{name}.csv" for name in NAMES)
        for name in NAMES:
            assert archive.read(f"{name}.csv") == (folder / f"{name}.csv").read_bytes()
    rows = read(tmp_path / "graph.csv")
    for name in NAMES:
        table = read(folder / f"{name}.csv")
        of_it = [row for row in rows if row["table"] == name]
        assert [{key: row[key] for key in table[0]} for row in of_it] == table


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
@example("".join(map(chr, range(128))))
@example("\"quotes\", 'commas'; and \\ line\nends\r\n\r🦆")
@example("=1+1")
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    mention = Mention(0, len(text), text, "Method", text, 0.5, "abstract", (0, len(text)))
    paper = Paper(text, abstract=text, authors=(text, "x"), venue=text)
    papers = [AnnotatedPaper(paper, text, (mention,), (), (text,))]
    folder = tmp_path_factory.mktemp("any")
    graph = assemble(papers, collect_concepts(papers))
    write_tables(graph, folder)
    write_csv(graph, folder / "graph.csv")
    [row] = read(folder / "papers.csv")
    assert {row[name] for name in ("id", "label", "abstract", "venue")} == {text}
    assert json.loads(row["authors"]) == [text, "x"]
    assert read(folder / "mentions.csv")[0]["concept"] == text
    assert read(folder / "graph.csv")[0]["abstract"] == text

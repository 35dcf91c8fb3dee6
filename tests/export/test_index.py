"""The index of a build answers as the graph in memory does."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest

from kg.errors import NameNotFound, OutputError
from kg.export import load
from kg.export.index import INDEX, write_index
from kg.export.load import add_index, load_graph, open_graph
from kg.export.papers import papers_jsonl
from kg.export.stored import StoredGraph, stored_graph
from kg.graph.describe import describe
from kg.graph.find import find_node
from kg.graph.path import find_path
from kg.graph.related import papers_per_year, related_papers, top_concepts

Graph = networkx.MultiDiGraph


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The committed build of the seeds with its index."""
    seeds = Path(__file__).parents[2] / "seeds"
    folder = tmp_path_factory.mktemp("seeds")
    from kg.build import build as build_papers

    build_papers([seeds], folder, jobs=1)
    write_index(load_graph(folder), folder, folder / INDEX)
    return folder


@pytest.fixture(scope="module")
def graph(build: Path) -> Graph:
    return load_graph(build)


@pytest.fixture(scope="module")
def stored(build: Path) -> StoredGraph:
    found = stored_graph(build)
    assert found is not None
    return found


def test_the_stored_graph_is_the_graph(graph: Graph, stored: StoredGraph) -> None:
    assert list(stored.nodes) == list(graph.nodes)
    for key, data in graph.nodes(data=True):
        assert {name: stored.nodes[key][name] for name in data} == data
    assert set(stored.edges(keys=True)) == set(graph.edges(keys=True))
    for source, target, key, data in graph.edges(keys=True, data=True):
        known = stored.edges[source, target, key]
        assert {name: known[name] for name in data} == data


def test_all_nodes_are_described_alike(graph: Graph, stored: StoredGraph) -> None:
    for key, data in graph.nodes(data=True):
        assert describe(stored, key) == describe(graph, key)
        if data["kind"] == "paper":
            assert related_papers(stored, key) == related_papers(graph, key)


def test_all_names_find_the_same(graph: Graph, stored: StoredGraph) -> None:
    names = {name for _, data in graph.nodes(data=True) for name in names_to_try(data)}
    assert len(names) > 500
    for name in sorted(names):
        assert found(stored, name) == found(graph, name)


@pytest.mark.parametrize("name", ["\udcff", "x\udcff", "\U0010ffff", "\ud7ff", "\ue000x"])
def test_odd_names_are_no_names(graph: Graph, stored: StoredGraph, name: str) -> None:
    assert found(stored, name) == found(graph, name)
    assert name[0] in found(stored, name)


def names_to_try(data: dict[str, Any]) -> Iterator[str]:
    label = data["label"]
    yield from (label, label.upper(), label.replace(" ", "-"), label[:-2], label + "s")
    yield from data.get("aliases", ())


def found(graph: Graph, name: str) -> str:
    try:
        return find_node(graph, name)
    except NameNotFound as error:
        return str(error)


def test_concepts_are_listed_alike(graph: Graph, stored: StoredGraph) -> None:
    for options in ({}, {"top": 7}, {"type": "Dataset"}, {"type": "Task", "top": 3}):
        concepts = top_concepts(graph, **options)  # type: ignore[arg-type]
        assert top_concepts(stored, **options) == concepts  # type: ignore[arg-type]
        assert papers_per_year(stored, concepts) == papers_per_year(graph, concepts)


def test_paths_are_the_same(graph: Graph, stored: StoredGraph) -> None:
    keys = list(graph.nodes)
    for source, target in zip(keys[::17], keys[5::13], strict=False):
        assert path(stored, source, target) == path(graph, source, target)


def path(graph: Graph, source: str, target: str) -> Any:
    try:
        return find_path(graph, source, target)
    except NameNotFound as error:
        return str(error)


def test_an_index_of_another_build_is_passed_over(build: Path, tmp_path: Path) -> None:
    for file in ("papers.jsonl", "manifest.json", INDEX):
        (tmp_path / file).write_bytes((build / file).read_bytes())
        os.utime(tmp_path / file, ns=(0, (build / file).stat().st_mtime_ns))
    assert stored_graph(tmp_path) is not None
    manifest = (tmp_path / "manifest.json").read_text(encoding="utf-8")
    (tmp_path / "manifest.json").write_text(manifest + " ", encoding="utf-8")
    assert stored_graph(tmp_path) is None
    (tmp_path / "manifest.json").write_text(manifest, encoding="utf-8")
    assert stored_graph(tmp_path) is not None
    os.utime(tmp_path / "papers.jsonl")  # somebody corrected it by hand
    assert stored_graph(tmp_path) is None
    assert not isinstance(open_graph(tmp_path), StoredGraph)


@pytest.mark.parametrize("damage", [b"", b"not a database at all", None])
def test_a_damaged_index_is_passed_over(build: Path, tmp_path: Path, damage: bytes | None) -> None:
    for file in ("papers.jsonl", "manifest.json"):
        (tmp_path / file).write_bytes((build / file).read_bytes())
    if damage is None:  # one of another format
        with sqlite3.connect(tmp_path / INDEX) as database:
            database.execute("CREATE TABLE about (name, value)")
        database.close()
    else:
        (tmp_path / INDEX).write_bytes(damage)
    assert stored_graph(tmp_path) is None


def test_damage_within_is_told(build: Path) -> None:
    graph = stored_graph(build)
    assert graph is not None
    with pytest.raises(OutputError, match=r"damaged .no such table: absent.; remove it"):
        graph.graph["lookup"].rows("SELECT * FROM absent")


def test_large_builds_get_an_index_when_first_asked(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("papers.jsonl", "manifest.json"):
        (tmp_path / file).write_bytes((build / file).read_bytes())
    add_index(open_graph(tmp_path), tmp_path)
    assert not (tmp_path / INDEX).exists()  # too small to be worth it
    monkeypatch.setattr(load, "WORTH_AN_INDEX", 2)
    assert not isinstance(open_graph(tmp_path), StoredGraph)
    assert isinstance(open_graph(tmp_path), StoredGraph)


def test_lines_are_found_whatever_their_form(graph: Graph, build: Path, tmp_path: Path) -> None:
    """A person may have changed the order of lines and fields."""
    import json

    records = [data["record"] for _, data in graph.nodes(data=True) if data["kind"] == "paper"]
    lines = [json.loads(line) for line in papers_jsonl(records)]
    with (tmp_path / "papers.jsonl").open("w", encoding="utf-8") as file:
        for line in reversed(lines):
            file.write(json.dumps({"label": line.pop("label"), **line}) + "\n")
    (tmp_path / "manifest.json").write_bytes((build / "manifest.json").read_bytes())
    write_index(graph, tmp_path, tmp_path / INDEX)
    stored = stored_graph(tmp_path)
    assert stored is not None
    for record in records:
        assert stored.nodes[f"paper:{record.id}"]["record"] == record


def test_no_build_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no build here"):
        open_graph(tmp_path)

"""The main job from files to files, with the packaged model."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import networkx
import pyoxigraph
import pytest
import rdflib
from rdflib.compare import to_isomorphic

import kg
from kg.build import build
from kg.errors import InputError, OutputError
from kg.export.papers import read_annotated
from kg.export.text import graph_without_text
from kg.graph.schema import MENTIONS, RELATED
from kg.records import RELATION_TYPES
from kg.state import STATE
from kg.validate.build import validate_build

ROOT = Path(__file__).parents[1]
SEEDS = sorted((ROOT / "seeds").glob("*.txt"))
FILES = ("graph.graphml", "graph.html", "graph.ttl", "manifest.json", "papers.jsonl")
GERMAN = (
    "Wir suchen kleinste Bäume in großen Netzen und zeigen, dass ein einfaches Verfahren genügt. "
    "Die Laufzeit wächst dabei nur linear mit der Zahl der Knoten, was bisher nicht bekannt war."
)
HOSTILE = (
    'We propose FooNet </script><img src=x onerror=alert(1)> with "quotes" and a \\ backslash. '
    "FooNet uses 图神经网络 and a graph neural network 🍎 on ImageNet <http://x> ; a href."
)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("seeds") / "exports"
    build([ROOT / "seeds"], output)
    return output


def contents(folder: Path) -> dict[str, bytes]:
    """All that a build promises to be the same: each file, the manifest without its ``run``."""
    found = {name: (folder / name).read_bytes() for name in FILES}
    manifest = json.loads(found["manifest.json"])
    del manifest["run"]
    return {**found, "manifest.json": json.dumps(manifest).encode()}


def test_build_writes_the_five_files_and_its_state(seeds: Path) -> None:
    assert sorted(path.name for path in seeds.iterdir()) == sorted([*FILES, STATE])


def test_manifest_accounts_for_all_seeds(seeds: Path) -> None:
    manifest = json.loads((seeds / "manifest.json").read_text(encoding="utf-8"))
    counts = manifest["counts"]
    assert (counts["papers"], counts["skipped"], counts["merged"]) == (38, 0, 0)
    assert [source["file"] for source in manifest["inputs"]] == [path.name for path in SEEDS]
    assert manifest["run"]["extracted"] == 38


def test_offsets_give_back_each_mention(seeds: Path) -> None:
    papers = read_annotated(seeds / "papers.jsonl")
    mentions = [(annotated, mention) for annotated in papers for mention in annotated.mentions]
    assert len(mentions) > 300
    for annotated, mention in mentions:
        text = annotated.paper.text(mention.field)
        assert text[mention.start : mention.end] == mention.text
        assert mention.sentence[0] <= mention.start < mention.end <= mention.sentence[1]


@pytest.mark.parametrize(
    ("one", "other", "concept"),
    [
        ("000_3b75ba93e3f3b8ee-06", "000_3b75ba93e3f3b8ee-18", "low-rank adaptation"),
        ("002_e903ecdb98bc6090-03", "002_e903ecdb98bc6090-11", "principal component analysis"),
        ("000_3b75ba93e3f3b8ee-10", "002_e903ecdb98bc6090-09", "graph neural network"),
        ("000_3b75ba93e3f3b8ee-01", "002_e903ecdb98bc6090-12", "vision transformer"),
    ],
)
def test_papers_are_linked_by_what_they_share(
    seeds: Path, one: str, other: str, concept: str
) -> None:
    graph = kg.load_graph(seeds)
    for here, there in ((one, other), (other, one)):
        related = {paper.paper: paper for paper in kg.related_papers(graph, here, top=38)}
        shared = {shared.concept.casefold(): shared for shared in related[there].shared}
        assert concept in shared
        assert shared[concept].here and shared[concept].there


def test_turtle_is_the_same_graph_in_both_engines(seeds: Path) -> None:
    data = (seeds / "graph.ttl").read_bytes()
    ours = rdflib.Graph().parse(data=data, format="turtle")
    triples = [quad.triple for quad in pyoxigraph.parse(data, pyoxigraph.RdfFormat.TURTLE)]
    written = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    theirs = rdflib.Graph().parse(data=written, format="nt")
    assert to_isomorphic(ours) == to_isomorphic(theirs)
    assert to_isomorphic(kg.to_rdf(kg.load_graph(seeds))) != to_isomorphic(rdflib.Graph())


def test_graphml_reads_back_with_equal_counts(seeds: Path) -> None:
    graph = kg.load_graph(seeds)
    read = networkx.read_graphml(seeds / "graph.graphml", force_multigraph=True)
    assert set(read) == set(graph)
    assert read.number_of_edges() == graph.number_of_edges()


def test_load_graph_gives_the_graph_that_was_built(tmp_path: Path) -> None:
    built = build([SEEDS[0]], tmp_path / "x").graph
    loaded = kg.load_graph(tmp_path / "x")
    assert dict(loaded.nodes(data=True)) == dict(built.nodes(data=True))
    assert list(loaded.edges(keys=True, data=True)) == list(built.edges(keys=True, data=True))


def test_same_bytes_whatever_the_hash_seed_jobs_and_order(seeds: Path, tmp_path: Path) -> None:
    for seed, jobs, files in (("1", "2", SEEDS[::-1]), ("7", "1", SEEDS)):
        output = tmp_path / seed
        command = [sys.executable, "-m", "kg", "build", *files, "-o", output, "--jobs", jobs]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        assert contents(output) == contents(seeds)


def test_hostile_text_goes_through_every_output_unharmed(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(HOSTILE, encoding="utf-8")
    built = build([tmp_path / "in.txt"], tmp_path / "out")
    [annotated] = read_annotated(tmp_path / "out" / "papers.jsonl")
    assert annotated.paper.abstract == HOSTILE
    assert {mention.concept for mention in annotated.mentions} >= {"graph neural network"}
    texts = {
        str(literal)
        for literal in rdflib.Graph().parse(tmp_path / "out" / "graph.ttl").objects()
        if isinstance(literal, rdflib.Literal)
    }
    assert HOSTILE in texts
    networkx.read_graphml(tmp_path / "out" / "graph.graphml")
    page = (tmp_path / "out" / "graph.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page
    assert built.counts.papers == 1


def test_bad_files_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("We train a graph neural network.", encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "image.txt").write_bytes(b"\x89PNG\x00\x01")
    built = build([tmp_path], tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert [skip["file"] for skip in manifest["skipped"]] == ["empty.txt", "image.txt"]
    assert all(skip["reason"] for skip in manifest["skipped"])
    assert built.counts.papers == 1


def test_remarks_merges_and_columns_are_accounted_for(tmp_path: Path) -> None:
    table = 'Name,Summary\nOn Graphs,"We train a graph neural network on Cora, which works well."\n'
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    record = '{"id": "%s", "title": "On Trees", "doi": "10.1000/x", "abstract": "%s"}'
    (tmp_path / "a.jsonl").write_text(record % ("a", GERMAN), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(record % ("b", GERMAN), encoding="utf-8")
    columns = {"title": "Name", "abstract": "Summary"}
    build([tmp_path], tmp_path / "out", columns=columns)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["counts"]["papers"], manifest["counts"]["merged"]) == (2, 1)
    assert manifest["merged"] == {"a": ["a.jsonl:1", "b.jsonl:1"]}
    assert {remark["file"] for remark in manifest["remarks"]} == {"a.jsonl", "b.jsonl"}


def test_corrected_papers_keep_their_corrections(seeds: Path, tmp_path: Path) -> None:
    lines = (seeds / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    first, second, broken = map(json.loads, lines[:3])
    wrong = first["mentions"].pop(0)  # no concept, says the reader
    for mention in second["mentions"]:
        mention["type"] = "Dataset"
    broken["mentions"][0]["text"] = "not what stands there"
    for paper in (first, second):
        paper["relations"] = paper["proposes"] = []
    text = "\n".join(map(json.dumps, (first, second, broken)))
    (tmp_path / "papers.jsonl").write_text(text, encoding="utf-8")
    build([tmp_path / "papers.jsonl"], tmp_path / "out")
    one, two, three = read_annotated(tmp_path / "out" / "papers.jsonl")
    assert wrong["start"] not in {mention.start for mention in one.mentions}
    assert len(one.mentions) == len(first["mentions"])
    assert {mention.type for mention in two.mentions} == {"Dataset"}
    assert three.mentions[0].text != "not what stands there"
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["run"]["extracted"], manifest["run"]["reused"]) == (1, 2)
    assert "not the text at its place; it is read anew" in manifest["remarks"][0]["text"]


def test_what_a_correction_leaves_without_mention_goes_with_it(seeds: Path, tmp_path: Path) -> None:
    lines = (seeds / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    paper = next(one for one in map(json.loads, lines) if one["relations"] and one["proposes"])
    gone = paper["relations"][0]["head"]
    paper["mentions"] = [one for one in paper["mentions"] if one["concept"] != gone]
    abstract = paper["abstract"]
    word = {"start": 0, "end": abstract.index(" "), "text": abstract.split()[0], "type": "Task"}
    paper["mentions"].insert(0, word)
    tail = paper["mentions"][-1]["concept"]
    paper["relations"].append({"head": word["text"], "type": "part_of", "tail": tail})
    paper["year"] = 1999
    (tmp_path / "corrected.jsonl").write_text(json.dumps(paper), encoding="utf-8")
    built = build([*SEEDS, tmp_path / "corrected.jsonl"], tmp_path / "out")
    assert (built.counts.papers, built.counts.merged) == (len(lines), 1)  # the correction wins
    papers = {one.id: one for one in read_annotated(tmp_path / "out/papers.jsonl")}
    found = papers[paper["id"]]
    assert found.paper.year == 1999
    assert len(found.mentions) == len(paper["mentions"])
    assert gone not in {end for one in found.relations for end in (one.head, one.tail)}
    assert [one.score for one in found.relations if one.type == "part_of"][:1] == [1.0]
    manifest = json.loads((tmp_path / "out/manifest.json").read_text(encoding="utf-8"))
    assert f"no mention is of {gone}" in manifest["remarks"][0]["text"]


def test_a_builds_own_papers_give_the_same_build(seeds: Path, tmp_path: Path) -> None:
    build([seeds / "papers.jsonl"], tmp_path / "out")
    again, before = contents(tmp_path / "out"), contents(seeds)
    assert again["graph.ttl"] == before["graph.ttl"]
    assert again["papers.jsonl"] == before["papers.jsonl"]


def test_no_paper_leaves_the_last_build_as_it_was(seeds: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    before = contents(seeds)
    with pytest.raises(InputError):
        build([tmp_path], seeds)
    assert contents(seeds) == before


def test_unwritable_output_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        build([SEEDS[0]], tmp_path / "file" / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_folder_that_is_read_and_written_gives_the_same_build_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We train a graph neural network on Cora.", encoding="utf-8")
    build([tmp_path], tmp_path)
    before = contents(tmp_path)
    assert build([tmp_path], tmp_path).counts.papers == 1
    assert contents(tmp_path) == before


def test_output_that_cannot_be_replaced_keeps_the_last_build_whole(tmp_path: Path) -> None:
    build([SEEDS[0]], tmp_path)
    (tmp_path / "papers.jsonl").unlink()
    (tmp_path / "papers.jsonl").mkdir()
    before = (tmp_path / "graph.ttl").read_bytes()
    with pytest.raises(OutputError, match=r"papers\.jsonl is a directory"):
        build([SEEDS[1]], tmp_path)
    assert (tmp_path / "graph.ttl").read_bytes() == before


def test_failed_build_leaves_nothing_but_what_it_extracted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("kg.build.write_graphml", fail)
        with pytest.raises(OutputError, match="No space left"):
            build([SEEDS[0]], tmp_path / "a" / "b")
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == [STATE]
    assert build([SEEDS[0]], tmp_path / "a" / "b").extracted == 0


def test_missing_input_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        build([tmp_path / "nowhere.txt"], tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_forms_of_the_last_build_that_are_not_asked_for_go(make_build: Callable[..., Path]) -> None:
    output = make_build(formats=("nt", "csv"))
    (output / "notes.txt").touch()
    make_build(output=output, formats=("csv",))
    names = {path.name for path in output.iterdir()}
    assert "graph.nt" not in names and {"graph.csv", "notes.txt"} <= names


def test_relations_with_little_support_stay_with_their_papers_alone(
    make_build: Callable[..., Path], tmp_path: Path
) -> None:
    def stated(graph: "networkx.MultiDiGraph[str]") -> list[str]:
        return [kind for *_, kind in graph.edges(keys=True) if kind in RELATION_TYPES]

    some, none = make_build(), make_build(min_support=2)
    assert stated(kg.load_graph(some)) == ["evaluated_on"]
    assert stated(kg.load_graph(none)) == stated(graph_without_text(kg.load_graph(none))) == []
    assert (none / "papers.jsonl").read_bytes() == (some / "papers.jsonl").read_bytes()
    assert "kg:Claim" not in (none / "graph.ttl").read_text(encoding="utf-8")
    manifest = json.loads((none / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["settings"]["min_support"], manifest["counts"]["relations"]) == (2, 0)
    assert validate_build(none).faults == ()


def test_python_interface_does_the_same_job(seeds: Path) -> None:
    graph = kg.build_graph(kg.read_papers(ROOT / "seeds"))
    kinds = [key for *_, key in graph.edges(keys=True)]
    assert kinds.count(MENTIONS) > 200 and kinds.count(RELATED) > 20
    assert set(graph) == set(kg.load_graph(seeds))


def test_committed_exports_are_those_of_the_seeds(seeds: Path) -> None:
    """All but the versions, and the last decimal that another processor may round otherwise."""
    for name in ("graph.ttl", "manifest.json"):
        committed, built = (numbers_apart(folder / name) for folder in (ROOT / "exports", seeds))
        assert committed[0] == built[0], f"run `kg build seeds/ -o exports/`: {name} has changed"
        assert committed[1] == pytest.approx(built[1], abs=0.002)


def numbers_apart(path: Path) -> tuple[list[str], list[float]]:
    """What a file says of its papers, around the decimals, and the decimals."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        manifest = json.loads(text)
        text = json.dumps({key: manifest[key] for key in ("inputs", "settings", "counts")})
    else:
        blocks = text.split("\n\n")
        text = "\n\n".join(block for block in blocks if "prov:" not in block.split("\n")[0])
    parts = re.split(r"(?<![\w.-])(\d\.\d+)(?![\w.])", text)
    return parts[::2], list(map(float, parts[1::2]))

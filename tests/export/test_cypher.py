r"""The statements are read by the grammar of openCypher, as far as they use it::

File       = { Constraint }, { Unwind, ( Nodes | Relations ) }
Constraint = 'CREATE CONSTRAINT', Name, 'IF NOT EXISTS FOR (n:', Name, ') REQUIRE n.id IS UNIQUE;'
Unwind     = 'UNWIND', List, 'AS row'
Nodes      = 'MERGE (n:', Name, '{id: row.id}) SET n += row', [ ', n:', Name ], ';'
Relations  = 'MATCH (a:', Name, '{id: row.source}), (b:', Name, '{id: row.target})',
             'MERGE (a)-[r:', Name, ']->(b) SET r += row.told;'
Literal    = String | Number | 'true' | 'false' | List | Map
List       = '[', [ Literal, { ',', Literal } ], ']'
Map        = '{', [ Name, ':', Literal, { ',', Name, ':', Literal } ], '}'
String     = '"', { any sign but '"' and '\' | Escape }, '"'
Escape     = '\', ( '\' | "'" | '"' | 'b' | 'f' | 'n' | 'r' | 't' | 'u', 4 hex | 'U', 8 hex )
"""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph

from kg.export import cypher
from kg.export.cypher import literal, write_cypher
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts

TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\(?:[\\'"bfnrt]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*")"""
    r"""|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[][{},:]))"""
)
ESCAPE = re.compile(r"\\(?:u(.{4})|U(.{8})|(.))", re.DOTALL)
SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
CONSTRAINT = re.compile(
    r"CREATE CONSTRAINT (\w+) IF NOT EXISTS FOR \(n:(\w+)\) REQUIRE n\.id IS UNIQUE;\n"
)
UNWIND = re.compile(r"UNWIND (?=\[)")
NODES = re.compile(r" AS row\nMERGE \(n:(\w+) \{id: row\.id\}\) SET n \+= row(?:, n:(\w+))?;\n")
RELATIONS = re.compile(
    r" AS row\nMATCH \(a:(\w+) \{id: row\.source\}\), \(b:(\w+) \{id: row\.target\}\) "
    r"MERGE \(a\)-\[r:(\w+)\]->\(b\) SET r \+= row\.told;\n"
)


def parse_literal(text: str, at: int = 0) -> tuple[Any, int]:
    """Read a literal; return its value and where it ends."""
    token = TOKEN.match(text, at)
    assert token, text[at : at + 40]
    at = token.end()
    if token["string"]:
        return ESCAPE.sub(_sign, token["string"][1:-1]), at
    if token["number"]:
        return (float if set(token["number"]) & set(".eE") else int)(token["number"]), at
    if token["name"]:
        return {"true": True, "false": False}[token["name"]], at
    closing = {"[": "]", "{": "}"}[token["sign"]]
    members: list[Any] = []
    while (token := TOKEN.match(text, at)) and token["sign"] != closing:
        at = token.end() if token["sign"] == "," else at
        name = None
        if closing == "}":
            key = re.compile(r"\s*(\w+):").match(text, at)
            assert key, text[at : at + 40]
            name, at = key[1], key.end()
        value, at = parse_literal(text, at)
        members.append((name, value) if name else value)
    assert token
    return (dict(members) if closing == "}" else members), token.end()


def _sign(match: re.Match[str]) -> str:
    if code := match[1] or match[2]:
        return chr(int(code, 16))
    return SIGNS.get(match[3], match[3])


def run(script: str) -> tuple[dict[tuple[str, str], dict[str, Any]], list[tuple[Any, ...]]]:
    """Do what the statements say: return the nodes by label and id, and the relationships."""
    nodes: dict[tuple[str, str], dict[str, Any]] = {}
    edges = []
    at = 0
    while constraint := CONSTRAINT.match(script, at):
        at = constraint.end()
    while at < len(script):
        unwind = UNWIND.match(script, at)
        assert unwind, script[at : at + 60]
        rows, at = parse_literal(script, unwind.end())
        if told := NODES.match(script, at):
            for row in rows:
                nodes[told[1], row["id"]] = {**row, "labels": told[2]}
        else:
            told = RELATIONS.match(script, at)
            assert told, script[at : at + 60]
            for row in rows:
                ends = (told[1], row["source"]), (told[2], row["target"])
                assert set(ends) <= set(nodes)
                edges.append((*ends, told[3], row["told"]))
        at = told.end()
    return nodes, edges


def written(graph: "MultiDiGraph[str]", path: Path) -> str:
    write_cypher(graph, path)
    return path.read_bytes().decode()


def test_nodes_have_what_the_graph_knows(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> None:
    nodes, _ = run(written(small_graph, tmp_path / "graph.cypher"))
    assert len(nodes) == len(small_graph)
    paper = nodes["Paper", "a"]
    assert (paper["title"], paper["year"]) == ("Foo for All", 2024)
    assert paper["authors"] == ["Ada B.", "Ce D."]
    assert set(nodes["Paper", "b"]) == {"id", "label", "title", "abstract", "labels"}
    [network] = [one for one in nodes.values() if one["label"] == "graph neural network"]
    assert (network["labels"], network["aliases"], network["papers"]) == ("Method", ["GNN"], 2)


def test_relationships_have_their_evidence(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    nodes, edges = run(written(small_graph, tmp_path / "graph.cypher"))
    assert len(edges) == small_graph.number_of_edges()
    [(head, tail, _, told)] = [edge for edge in edges if edge[2] == "EVALUATED_ON"]
    assert (nodes[head]["label"], nodes[tail]["label"]) == ("FooNet", "Cora")
    assert told == {
        "support": 1,
        "score": 0.7,
        "papers": ["a"],
        "sentences": [nodes["Paper", "a"]["abstract"][28:80]],
    }
    [(*_, told)] = [edge for edge in edges if edge[2] == "RELATED"]
    assert sorted(told["shared"]) == ["Cora", "graph neural network"]
    assert sum(told["weights"]) == pytest.approx(told["weight"], abs=1e-5)


def test_constraints_stand_first(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> None:
    script = written(small_graph, tmp_path / "graph.cypher")
    assert [line.split(" IF")[0] for line in script.splitlines()[:2]] == [
        "CREATE CONSTRAINT paper_id",
        "CREATE CONSTRAINT concept_id",
    ]
    assert script.count("CONSTRAINT") == 2


def test_large_lists_are_cut_in_batches(
    small_graph: "MultiDiGraph[str]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(written(small_graph, tmp_path / "whole"))
    monkeypatch.setattr(cypher, "BATCH", 2)
    cut = written(small_graph, tmp_path / "cut")
    assert run(cut) == whole
    assert cut.count("UNWIND") > written(small_graph, tmp_path / "cut").count("CONSTRAINT") + 5


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("".join(map(chr, range(128))))
@example("\\url \\\\u0041 \\u0022 \\")
@example("'; MATCH (n) DETACH DELETE n; //")
@settings(deadline=None)
def test_any_text_comes_back_by_either_way_to_read_it(text: str) -> None:
    assert parse_literal(literal(text))[0] == text
    # Old readers replace \uXXXX first, whatever stands before it.
    replaced = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), literal(text))
    if not re.search(r"[\x00-\x1f]", text):
        assert parse_literal(replaced)[0] == text


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_paper_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    mention = Mention(0, len(text), text, "Method", text, 0.5, "title", (0, len(text)))
    papers = [AnnotatedPaper(Paper(text, title=text, keywords=(text,)), text, (mention,))]
    graph = assemble(papers, collect_concepts(papers))
    nodes, edges = run(written(graph, tmp_path_factory.mktemp("any") / "graph.cypher"))
    assert nodes["Paper", text]["keywords"] == [text]
    assert len(edges) == 1

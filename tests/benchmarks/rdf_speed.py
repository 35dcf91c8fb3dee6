"""How fast a synthetic graph is written as RDF and asked: ``python tests/benchmarks/rdf_speed.py``.

Each paper has ten mentions, three relations and its links, some 260 triples.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import networkx

from kg.export.graphml import write_graphml
from kg.export.rdf import to_rdf, write_ntriples, write_turtle
from kg.graph.build import assemble
from kg.query.engine import run_query
from kg.records import CONCEPT_TYPES, AnnotatedPaper, Mention, Paper, Relation
from kg.resolve.concepts import collect_concepts

BEFORE, AFTER = "We study the concept of ", " on many hard problems. "


def synthetic_paper(number: int, names: list[str]) -> AnnotatedPaper:
    """Return a paper of one sentence a name."""
    text, mentions = "", []
    for name in names:
        start = len(text) + len(BEFORE)
        sentence = (len(text), start + len(name) + len(AFTER) - 1)
        text += BEFORE + name + AFTER
        kind = CONCEPT_TYPES[len(name) % 4]
        mentions.append(
            Mention(start, start + len(name), name, kind, name, 0.9, "abstract", sentence)
        )
    relations = tuple(
        Relation(one.concept, "used_for", other.concept, 0.8, *one.sentence, "abstract")
        for one, other in pairwise(mentions[:4])
    )
    paper = Paper(f"p{number:06}", title=f"Paper {number}", abstract=text, year=2024)
    return AnnotatedPaper(paper, f"Paper {number}", tuple(mentions), relations, (names[0],))


def synthetic_graph(size: int) -> "networkx.MultiDiGraph[str]":
    """Return the graph of papers that draw their concepts from three times as many."""
    draw = random.Random(0)
    names = [f"concept {number}a" for number in range(size * 3)]
    papers = [synthetic_paper(number, draw.sample(names, 10)) for number in range(size)]
    return assemble(papers, collect_concepts(papers))


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", type=int, default=2000)
    graph = synthetic_graph(parser.parse_args().papers)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times = {
            "N-Triples": seconds(lambda: write_ntriples(graph, folder / "graph.nt")),
            "Turtle": seconds(lambda: write_turtle(graph, folder / "graph.ttl")),
            "rdflib.Graph": seconds(lambda: to_rdf(graph)),
        }
        with (folder / "graph.nt").open("rb") as lines:
            triples = sum(1 for _ in lines)
        for form, taken in times.items():
            print(f"{form:14}{triples / taken:12,.0f} triples a CPU second ({triples:,} triples)")
        print(
            f"GraphML       {seconds(lambda: write_graphml(graph, folder / 'graph.graphml')):.2f} s"
        )
        for query in ("ASK {}", "SELECT ?c (COUNT(*) AS ?n) { ?p dct:subject ?c } GROUP BY ?c"):
            start = time.perf_counter()
            run_query(folder, query)
            print(f"{time.perf_counter() - start:.2f} s with loading: {query}")


if __name__ == "__main__":
    main()

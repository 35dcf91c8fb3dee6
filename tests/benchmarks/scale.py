"""What does a build cost beside extraction and the page as the papers grow?

    kg extract PAPERS.jsonl > annotated.jsonl
    python tests/benchmarks/scale.py annotated.jsonl [--sizes 10000 20000 40000 80000]

Prints for each size the CPU seconds of reading the annotated papers, of resolving them, collecting
concepts and assembling the graph with its links, and of each file; a question's time on the index;
and the memory of the process with the papers alone and at its peak. At the end stands for each step
the slope of the logarithm of time over that of papers: 1 is linear. Each size runs in a process of
its own.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from kg.collector import no_collection
from kg.export.graphml import write_graphml
from kg.export.index import INDEX, write_index
from kg.export.papers import annotated_paper, papers_jsonl
from kg.export.rdf import write_turtle
from kg.export.stored import stored_graph
from kg.graph.build import assemble
from kg.graph.related import related_papers
from kg.resolve.concepts import collect_concepts
from kg.resolve.resolve import resolve
from kg.resolve.thesaurus import EMPTY

STEPS = ("read", "resolve", "concepts", "assemble", "papers.jsonl", "graphml", "turtle", "index")
ASKED = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("annotated")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 20_000, 40_000, 80_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        with no_collection():  # as in a build
            print(json.dumps(measure(arguments.annotated, arguments.one)))
        return
    rows = []
    for size in arguments.sizes:
        command = [sys.executable, __file__, arguments.annotated, "--one", str(size)]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        rows.append(json.loads(found))
        if size == arguments.sizes[0]:
            print("  ".join(f"{name:>12}" for name in rows[0]))
        print("  ".join(f"{value:12}" for value in rows[-1].values()), flush=True)
    first, last = rows[0], rows[-1]
    if last["papers"] > first["papers"]:
        growth = math.log(last["papers"] / first["papers"])
        for step in (*STEPS, "linking"):
            print(f"slope of {step}: {math.log(last[step] / first[step]) / growth:.2f}")


def measure(path: str, size: int) -> dict[str, Any]:
    row: dict[str, Any] = {}

    def timed(step: str, act: Callable[[], Any]) -> Any:
        started = time.process_time()
        made = act()
        row[step] = round(time.process_time() - started, 2)
        return made

    papers = timed("read", lambda: read(path, size))
    alone = peak()
    papers = timed("resolve", lambda: resolve(papers))
    concepts = timed("concepts", lambda: collect_concepts(papers))
    graph = timed("assemble", lambda: assemble(papers, concepts))
    assembled = peak()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "papers.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            timed("papers.jsonl", lambda: file.writelines(papers_jsonl(papers)))
        timed("graphml", lambda: write_graphml(graph, folder / "graph.graphml"))
        timed("turtle", lambda: write_turtle(graph, folder / "graph.ttl"))
        settings = {"settings": {"thesaurus": asdict(EMPTY)}, "versions": {}}
        (folder / "manifest.json").write_text(json.dumps(settings), encoding="utf-8")
        timed("index", lambda: write_index(graph, folder, folder / INDEX))
        stored = stored_graph(folder)
        assert stored is not None
        asked = papers[:: max(len(papers) // ASKED, 1)]
        timed("asked", lambda: [related_papers(stored, f"paper:{one.id}") for one in asked])
    asking = row.pop("asked") / len(asked)
    return {
        "papers": len(papers),
        **row,
        "linking": round(row["resolve"] + row["concepts"] + row["assemble"], 2),
        "ms a related": round(1000 * asking, 1),
        "papers GB": alone,
        "linked GB": assembled,
        "peak GB": peak(),
        "edges": graph.number_of_edges(),
    }


def read(path: str, size: int) -> list[Any]:
    with open(path, encoding="utf-8") as lines:
        return [annotated_paper(json.loads(line)) for line in islice(lines, size)]


def peak() -> float:
    """The most memory that the process has taken, in GB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)


if __name__ == "__main__":
    main()

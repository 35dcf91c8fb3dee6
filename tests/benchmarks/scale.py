"""What do resolving and linking cost as the papers grow, beside extraction?

    kg extract PAPERS.jsonl > annotated.jsonl
    python tests/benchmarks/scale.py annotated.jsonl [--sizes 10000 20000 40000 80000]

Prints for each size the CPU seconds of resolving, collecting concepts and assembling the graph
with its links, the peak memory of the process, and at the end the slope of the logarithm of time
over that of papers: 1 is linear. Each size runs in a process of its own.
"""

import argparse
import math
import resource
import subprocess
import sys
import time
from itertools import islice

from kg.export.papers import annotated_paper
from kg.graph.build import assemble
from kg.resolve.concepts import collect_concepts
from kg.resolve.resolve import resolve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("annotated")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 20_000, 40_000, 80_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.annotated, arguments.one)
        return
    print("papers  resolve  concepts  assemble  total (CPU s)  peak GB  concepts  links")
    points = []
    for size in arguments.sizes:
        command = [sys.executable, __file__, arguments.annotated, "--one", str(size)]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(line, flush=True)
        points.append((size, float(line.split()[4])))
    (first, least), (last, most) = points[0], points[-1]
    if last > first:
        print(f"slope {math.log(most / least) / math.log(last / first):.2f}")


def measure(path: str, size: int) -> None:
    import json

    with open(path, encoding="utf-8") as lines:
        papers = [annotated_paper(json.loads(line)) for line in islice(lines, size)]
    started = time.process_time()
    papers = resolve(papers)
    resolved = time.process_time()
    concepts = collect_concepts(papers)
    collected = time.process_time()
    graph = assemble(papers, concepts)
    assembled = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    links = sum(key == "related" for *_, key in graph.edges(keys=True))
    print(
        f"{len(papers):6} {resolved - started:8.1f} {collected - resolved:9.1f} "
        f"{assembled - collected:9.1f} {assembled - started:14.1f} {peak:8.2f} "
        f"{len(concepts):9} {links:6}"
    )


if __name__ == "__main__":
    main()

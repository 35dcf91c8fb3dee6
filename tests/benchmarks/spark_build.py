"""What does a build on Spark cost beside one without it, and are they the same?

    python tests/benchmarks/spark_build.py PAPERS.jsonl [--size 20000] [--jobs 2] [--common]

Builds the first papers of a file, without Spark and on ``local[JOBS]``, each in a process of its
own, and prints the seconds and the largest memory of a process of Python and of that of Java. At
the end stands whether papers, concepts and links are the same. ``--common`` lets every fifth paper
name one concept more, which must not cost more than that.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from itertools import islice
from pathlib import Path

import pyarrow.parquet

from kg.export.papers import annotated_paper, papers_jsonl

SENTENCE = " It is better than common reinforcement learning."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", type=Path)
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--common", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with arguments.papers.open(encoding="utf-8") as lines:
            records = [json.loads(line) for line in islice(lines, arguments.size)]
        if arguments.common:
            for record in records[::5]:
                record["abstract"] = (record.get("abstract") or "") + SENTENCE
        source = folder / "in.jsonl"
        source.write_text("".join(map(line_of, records)), encoding="utf-8")
        print(f"{'engine':>8}  {'seconds':>8}  {'Python GB':>9}  {'Java GB':>8}")
        for engine in ("local", "spark"):
            seconds, python, java = build(source, folder / engine, engine, arguments.jobs)
            print(f"{engine:>8}  {seconds:8.1f}  {python:9.2f}  {java:8.2f}", flush=True)
        print("the same papers:", plain_papers(folder / "local") == spark_papers(folder / "spark"))
        print("the same counts:", counts(folder / "local") == counts(folder / "spark"))


def line_of(record: object) -> str:
    return json.dumps(record) + "\n"


def build(source: Path, output: Path, engine: str, jobs: int) -> tuple[float, float, float]:
    words = ["build", source, "-o", output, "--engine", engine, "--jobs", jobs]
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "kg", *map(str, words)], stderr=subprocess.PIPE
    )
    watcher = Watcher(process.pid)
    watcher.start()
    _, errors = process.communicate()
    watcher.ended.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(errors.decode())
    return time.monotonic() - started, watcher.largest["python"], watcher.largest["java"]


class Watcher(threading.Thread):
    """Looks now and then how much memory the processes below one take."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.ended = threading.Event()
        self.largest = {"python": 0.0, "java": 0.0}

    def run(self) -> None:
        while not self.ended.wait(0.5):
            for status in below(self.pid):
                kind = "java" if status.get("Name") == "java" else "python"
                used = int(status.get("VmHWM", "0 kB").split()[0]) / 1e6
                self.largest[kind] = max(self.largest[kind], used)


def below(pid: int) -> list[dict[str, str]]:
    """The status of a process and of all that it started, as the system tells them."""
    statuses = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = path.read_text().splitlines()
        except OSError:
            continue
        statuses[int(path.parent.name)] = {
            name: value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(statuses.get(one, {}))
        todo += [child for child, status in statuses.items() if status.get("PPid") == str(one)]
    return found


def plain_papers(folder: Path) -> list[str]:
    return sorted((folder / "papers.jsonl").read_text("utf-8").removesuffix("\n").split("\n"))


def spark_papers(folder: Path) -> list[str]:
    rows = pyarrow.parquet.read_table(folder / "papers").to_pylist()
    return sorted(line.removesuffix("\n") for line in papers_jsonl(map(annotated_paper, rows)))


def counts(folder: Path) -> object:
    return json.loads((folder / "manifest.json").read_text("utf-8"))["counts"]


if __name__ == "__main__":
    main()

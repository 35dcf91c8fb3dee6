"""What does a whole build cost as the papers grow: seconds, memory, bytes?

    python tests/benchmarks/build_cost.py PAPERS.jsonl [--sizes 1000 10000 80000] [--jobs 2]

Builds the first papers of the file into a new folder, then once more with a hundredth of them
changed. Prints for each size the seconds, the processor seconds of all processes, the peak of
their memory together, the bytes of the build without its state and index, and what the second
build took; at the end the slope of the logarithm of the processor time over that of the papers
(1 is linear).
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from threading import Event, Thread

import kg

PAGE = os.sysconf("SC_PAGE_SIZE")


def memory_of(root: int) -> int:
    """Return the bytes that a process and all that it started hold (Linux)."""
    parents, held = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            held[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * PAGE
            parents[int(folder.name)] = int(after_name[1])
        except (OSError, IndexError, ValueError):
            continue  # it has ended meanwhile
    family = {root}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(held.get(pid, 0) for pid in family)


def build(papers: Path, folder: Path, jobs: int) -> tuple[float, float, float]:
    """Run one build; return its seconds, its processor seconds and its peak memory in GB."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "kg", "build", papers, "-o", folder, "--jobs", str(jobs)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak, ended = [0], Event()

    def watch() -> None:
        while not ended.wait(0.5):
            peak[0] = max(peak[0], memory_of(process.pid))

    watcher = Thread(target=watch)
    watcher.start()
    code = process.wait()
    ended.set()
    watcher.join()
    if code:
        sys.exit(f"kg build ended with {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - started, spent, peak[0] / 1e9


def main() -> None:
    """Print one line a size, and the slope."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers_file", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 80_000])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    print("papers  seconds  CPU s  peak GB  MB written  again, 1 % changed: seconds  CPU s")
    points = []
    papers = list(islice(kg.read_papers(args.papers_file), max(args.sizes)))
    for size in args.sizes:
        with tempfile.TemporaryDirectory() as name:
            source, folder = Path(name, "papers.jsonl"), Path(name, "out")
            records = [
                {"id": paper.id, "title": paper.title, "abstract": paper.abstract}
                for paper in papers[:size]
            ]
            source.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
            seconds, spent, peak = build(source, folder, args.jobs)
            written = sum(f.stat().st_size for f in folder.iterdir() if f.name[0] != ".") / 1e6
            for record in records[::100]:
                record["abstract"] = f"{record['abstract'] or ''} We say so once more."
            source.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
            again, spent_again, _ = build(source, folder, args.jobs)
        print(
            f"{size:6} {seconds:8.1f} {spent:6.1f} {peak:8.2f} {written:11.1f} "
            f"{again:28.1f} {spent_again:6.1f}",
            flush=True,
        )
        points.append((size, spent))
    (first, least), (last, most) = points[0], points[-1]
    if last > first:
        print(f"slope {math.log(most / least) / math.log(last / first):.2f}")


if __name__ == "__main__":
    main()

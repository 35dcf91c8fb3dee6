"""What does a whole build cost as the papers grow, and what one after a few of them have changed?

    python tests/benchmarks/build_cost.py PAPERS [--sizes 1000 10000 40000 80000] [--jobs 2]
        [--folder DIR]

Builds the first papers of a file or folder into a new folder; then once more with a hundred of
them changed, added or removed, a third each. Prints a line a build as soon as it is done: the
seconds and the processor seconds of all processes, how much of either is extraction, the peak of
their memory together, the bytes written but for state and index, all but the memory for a paper
too, and how many papers were extracted. After a second build stands the time that it may take:
that of the first less nine tenths of its extraction. At the end stand the slopes of the logarithms
over that of the papers: 1 is linear. A size that the papers do not reach is all of them.
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
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Event, Thread
from typing import Any

import kg
import kg.build

PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
CHANGES = 100
SENTENCE = " We say so once more."
COLUMNS = {
    "papers": "papers",
    "build": "build",
    "seconds": "seconds",
    "extracting": "extr. s",
    "cpu": "CPU s",
    "cpu_extracting": "extr. CPU",
    "peak": "peak GB",
    "written": "MB in all",
    "each_cpu": "CPU ms each",
    "each_bytes": "KB each",
    "extracted": "extracted",
}
SLOPES = ("seconds", "cpu", "peak", "written")


def main() -> None:
    """Print one line a build, and the slopes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", type=Path, help="a file or folder of papers")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 40_000, 80_000])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help="where to build, by default the system's")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.into:
        print(json.dumps(one_build(args.papers, args.into, args.jobs)))
        return
    records = [asdict(paper) for paper in kg.read_papers(args.papers)]
    told(COLUMNS)
    full = []
    for size in sorted({min(size, len(records)) for size in args.sizes}):
        with tempfile.TemporaryDirectory(dir=args.folder) as name:
            full.append(first_and_second(records[:size], Path(name), args.jobs))
    first, last = full[0], full[-1]
    if last["papers"] > first["papers"]:
        growth = math.log(last["papers"] / first["papers"])
        for name in SLOPES:
            told_slope = math.log(last[name] / first[name]) / growth
            print(f"slope of {COLUMNS[name]}: {told_slope:.2f}")


def first_and_second(records: list[dict[str, Any]], folder: Path, jobs: int) -> dict[str, Any]:
    """Build some papers, then again after changes; tell of both, return the first."""
    source, output = folder / "papers.jsonl", folder / "out"
    write(source, records)
    first = watched(source, output, jobs)
    told({"papers": len(records), "build": "full", **first})
    some = min(CHANGES, len(records) // 2)
    write(source, changed(records, some))
    second = watched(source, output, jobs)
    told({"papers": len(records), "build": f"{some} changed", **second})
    allowed = first["seconds"] - 0.9 * first["extracting"]
    share = first["cpu_extracting"] / first["cpu"]
    print(
        f"{len(records):7}  the second took {second['seconds']:.1f} s of {allowed:.1f} s allowed; "
        f"extraction is {share:.0%} of the first's processor time",
        flush=True,
    )
    return {"papers": len(records), **first}


def write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def changed(records: list[dict[str, Any]], some: int) -> Iterator[dict[str, Any]]:
    """Yield the records with some changes, spread over all: gone, or another text, or a new one."""
    step = len(records) // some
    for number, record in enumerate(records):
        turn, at = divmod(number, step)
        change = ("gone", "changed", "added")[turn % 3] if at == 0 and turn < some else None
        other = {**record, "abstract": (record["abstract"] or "") + SENTENCE}
        if change != "gone":
            yield other if change == "changed" else record
        if change == "added":
            yield {**other, "id": f"{record['id']}-again", "doi": None, "url": None}


def told(row: dict[str, Any]) -> None:
    """Print a line of the table at once."""
    cells = [f"{row[name]:>{len(title) + 2}}" for name, title in list(COLUMNS.items())[2:]]
    print(f"{row['papers']:>7}  {row['build']:<12}{''.join(cells)}", flush=True)


def watched(source: Path, output: Path, jobs: int) -> dict[str, Any]:
    """Build in a process of its own; return what it tells, and what it took and wrote."""
    words = [__file__, source, "--into", output, "--jobs", jobs]
    process = subprocess.Popen([sys.executable, *map(str, words)], stdout=subprocess.PIPE)
    peak, ended = [0], Event()

    def watch() -> None:
        while not ended.wait(0.5):
            peak[0] = max(peak[0], memory_of(process.pid))

    watcher = Thread(target=watch)
    watcher.start()
    found, _ = process.communicate()
    ended.set()
    watcher.join()
    if process.returncode:
        sys.exit(f"the build ended with {process.returncode}")
    row = json.loads(found)
    written = sum(f.stat().st_size for f in output.iterdir() if f.name[0] != ".")
    return {
        **row,
        "peak": round(peak[0] / 1e9, 2),
        "written": round(written / 1e6, 1),
        "each_cpu": round(1000 * row["cpu"] / row["papers"], 1),
        "each_bytes": round(written / 1000 / row["papers"], 1),
    }


def one_build(source: Path, output: Path, jobs: int) -> dict[str, Any]:
    """Build here; return the seconds, those of extraction, and how many papers were extracted."""
    module = vars(kg.build)
    whole, spent = module["extract_reading"], {}

    def timed(*args: Any, **options: Any) -> Any:
        before = time.monotonic(), processor_seconds()
        found = whole(*args, **options)
        spent["extracting"] = round(time.monotonic() - before[0], 1)
        spent["cpu_extracting"] = round(processor_seconds() - before[1], 1)
        return found

    module["extract_reading"] = timed
    started = time.monotonic()
    built = kg.build.build([source], output, jobs=jobs)
    return {
        "papers": built.counts.papers,
        "seconds": round(time.monotonic() - started, 1),
        "cpu": round(processor_seconds(), 1),
        "extracted": built.extracted,
        **spent,
    }


def processor_seconds() -> float:
    """What this process took, and all that it started, whether or not they have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ended = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))
    _, *others = family(os.getpid())
    return ended + sum(int(one[11]) + int(one[12]) for one in others) / TICKS


def memory_of(root: int) -> int:
    """Return the bytes that a process and all that it started hold."""
    return sum(int(one[21]) for one in family(root)) * PAGE


def family(root: int) -> list[list[str]]:
    """Return what Linux tells of a process, and of all below it, from the state on (proc(5))."""
    told = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            told[path.parent.name] = path.read_text().rpartition(")")[2].split()
    names = [str(root)]
    for name in names:  # grows as we go
        names += [other for other, one in told.items() if one[1] == name]
    return [told[name] for name in names if name in told]


if __name__ == "__main__":
    main()

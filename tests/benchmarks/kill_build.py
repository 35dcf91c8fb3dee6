"""Does a build that is killed at any moment leave a whole folder, and lose nothing finished?

    python tests/benchmarks/kill_build.py PAPERS.jsonl [--kills 20] [--jobs 2] [--seed 0]

Builds half of the papers, then all of them in the same folder, and kills that build at a random
moment of the time that it takes; then builds again. Prints a line a kill: when it came, how many
papers' extraction was safe by then, and what the second build extracted. Ends with an error if a
folder ever is neither the old build nor the new one nor refused to readers, if the second build's
bytes are not those of a build from nothing, if it extracts a paper that was safe, or if anything
is left over.
"""

import argparse
import contextlib
import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MANIFEST, STATE, INDEX = "manifest.json", ".state.sqlite", ".index.sqlite"
FILES = {"graph.graphml", "graph.html", "graph.ttl", "papers.jsonl"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        half = place / "half.jsonl"
        lines = arguments.papers.read_text(encoding="utf-8").splitlines(keepends=True)
        half.write_text("".join(lines[::2]), encoding="utf-8")
        finished(half, place / "old", arguments.jobs)
        finished(arguments.papers, place / "new", arguments.jobs)
        shutil.copytree(place / "old", place / "timed")
        seconds = finished(arguments.papers, place / "timed", arguments.jobs)
        print(f"{len(lines)} papers, half of them known: {seconds:.1f} s without a kill")
        for _ in range(arguments.kills):
            shutil.copytree(place / "old", place / "killed")
            after = moments.uniform(0, seconds)
            kill_and_build_again(arguments.papers, place, after, arguments.jobs)
            shutil.rmtree(place / "killed")


def kill_and_build_again(papers: Path, place: Path, after: float, jobs: int) -> None:
    folder = place / "killed"
    command = build_command(papers, folder, jobs)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.kill()
    state = contents(folder)
    moving = any(folder.glob(".ready-*"))
    assert moving or state in (contents(place / "old"), contents(place / "new")), "a mixture"
    safe = rows(folder)
    finished(papers, folder, jobs)
    run = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["run"]
    print(f"killed after {after:5.2f} s: {safe:5} papers safe, then {run['extracted']:5} extracted")
    assert contents(folder) == contents(place / "new"), "other bytes than from nothing"
    assert run["extracted"] == rows(folder) - safe, "something was extracted twice"
    left = {path.name for path in folder.iterdir()} - FILES - {MANIFEST, STATE, INDEX}
    assert not left, f"left over: {left}"


def build_command(papers: Path, folder: Path, jobs: int) -> list[str]:
    options = ["-o", str(folder), "--jobs", str(jobs)]
    return [sys.executable, "-m", "kg", "build", str(papers), *options]


def finished(papers: Path, folder: Path, jobs: int) -> float:
    """Build, and return the seconds that it took."""
    started = time.monotonic()
    subprocess.run(build_command(papers, folder, jobs), check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started


def contents(folder: Path) -> dict[str, str]:
    """What a build promises to be the same: a hash of each file, the manifest without its run."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del manifest["run"]
    hashes = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in sorted(FILES)
    }
    return {**hashes, MANIFEST: json.dumps(manifest)}


def rows(folder: Path) -> int:
    """How many papers' extraction is safe in a folder, looked up in a copy of its state."""
    with tempfile.TemporaryDirectory() as name:
        for path in folder.glob(f"{STATE}*"):
            shutil.copy(path, name)
        database = sqlite3.connect(Path(name) / STATE)
        count: int = database.execute("SELECT COUNT(*) FROM texts").fetchone()[0]
        database.close()
    return count


if __name__ == "__main__":
    main()

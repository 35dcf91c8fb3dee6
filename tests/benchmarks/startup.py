"""How long do the short commands take on the seeds' build, start of Python included?

    python tests/benchmarks/startup.py [DIR] [--runs 7]

Prints the median and the worst wall time of each command; each should stay under a second. As a
yardstick of the machine, an empty Python is timed beside them.
"""

import argparse
import statistics
import subprocess
import sys
import time

COMMANDS = (
    ("--help",),
    ("related", "CoBFormer"),
    ("show", "vision transformer"),
    ("query", "SELECT (COUNT(*) AS ?triples) { ?s ?p ?o }"),
    ("query", "--named", "top-concepts", "--bind", "type=Method"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="exports")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    print(f"{'command':60} median  worst (s)")
    report("an empty Python", [sys.executable, "-c", ""], arguments.runs)
    for command in COMMANDS:
        words = [sys.executable, "-m", "kg", *command]
        if command != ("--help",):
            words.append(arguments.build)
        report(f"kg {' '.join(command)}", words, arguments.runs)


def report(name: str, words: list[str], runs: int) -> None:
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - started)
    print(f"{name:60} {statistics.median(seconds):6.2f} {max(seconds):6.2f}")


if __name__ == "__main__":
    main()

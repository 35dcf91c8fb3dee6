"""What commands write besides tables."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..read.found import Reading


def warn_of_odd(reading: Reading) -> None:
    """Tell on standard error what was not read, or read with doubts, and why."""
    for skip in reading.skipped:
        print(f"skipped {_place(skip.file, skip.line)}: {skip.reason}", file=sys.stderr)
    for remark in reading.remarks:
        print(f"note {_place(remark.file, remark.line)}: {remark.text}", file=sys.stderr)


def tell_of_store(build: Path) -> None:
    """Tell on standard error that a large build is about to be made ready for queries, once."""
    from ..query.store import seconds_to_write

    if seconds := seconds_to_write(build):
        wait = f"{seconds} s" if seconds < 100 else f"{seconds // 60} min"
        print(
            f"note: the first query to a large build writes {build}/.store, which may take {wait}; "
            "the next ones open it at once",
            file=sys.stderr,
        )


def _place(file: str, line: int | None) -> str:
    return f"{file}:{line}" if line else file


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


def print_csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV with a header."""
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)

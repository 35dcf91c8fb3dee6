"""What commands write besides tables."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..read.found import Reading


def warn_of_skipped(reading: Reading) -> None:
    """Tell on standard error what was not read, and why."""
    for skip in reading.skipped:
        place = f"{skip.file}:{skip.line}" if skip.line else skip.file
        print(f"skipped {place}: {skip.reason}", file=sys.stderr)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


def print_csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV with a header."""
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)

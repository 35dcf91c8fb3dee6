"""Parquet: each row a record of a known shape, as dumps and data sets are shipped."""

import io
from collections.abc import Iterator
from datetime import date
from typing import Any, TextIO

from ..errors import MissingExtra
from .found import Found
from .jsonl import found_record
from .streams import Damaged

BATCH = 1_000


def read_parquet(text: TextIO) -> Iterator[Found]:
    """Read the papers of a Parquet file, batch by batch; the number of a row is its line.

    Raises
    ------
    MissingExtra
        If pyarrow is not installed.
    Damaged
        If the file is broken.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtra(
            "Parquet needs pyarrow, which is not installed: pip install '.[parquet]'"
        ) from None
    number = 0
    try:
        # The end of the file tells what is in it, so that it cannot be read as a stream.
        file = ParquetFile(io.BytesIO(text.buffer.read()))
        for batch in file.iter_batches(BATCH):
            for row in batch.to_pylist():
                number += 1
                yield found_record(number, {key: _plain(value) for key, value in row.items()})
    except (ArrowException, OSError, ValueError) as error:
        raise Damaged(f"broken Parquet: {error}") from None


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value

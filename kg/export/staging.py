"""Files written beside their place and moved there together: all or none, as far as a disk can."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import OutputError


@contextmanager
def staged(output: Path) -> Iterator[Path]:
    """Give an empty folder to write to, and move its files into `output` when the block ends well.

    If the block fails, nothing in `output` has changed, and a folder that was not there before
    is not there after.

    Raises
    ------
    OutputError
        If the folder cannot be made or written, told before the block runs where possible.
    """
    made = _missing_folders(output)
    try:
        output.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".staging-", dir=output))
    except OSError as error:
        _remove_empty(made)
        raise _error(output, error) from error
    try:
        yield staging
        for path in sorted(staging.iterdir()):
            os.replace(path, output / path.name)
    except OSError as error:
        raise _error(output, error) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        _remove_empty(made)


def _missing_folders(output: Path) -> list[Path]:
    return [folder for folder in (output, *output.parents) if not folder.exists()]


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:  # the innermost first
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _error(output: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{output}: cannot be written ({error.strerror}); choose another folder with -o"
    )

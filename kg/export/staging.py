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
    made: list[Path] = []
    try:
        made = _missing_folders(output)
        output.mkdir(parents=True, exist_ok=True)
        _remove_stale(output)
        staging = Path(tempfile.mkdtemp(prefix=f".staging-{os.getpid()}-", dir=output))
    except OSError as error:
        _remove_empty(made)
        raise _error(output, error) from error
    try:
        yield staging
        paths = sorted(staging.iterdir())
        for path in paths:
            if (output / path.name).is_dir():
                raise IsADirectoryError(21, f"{path.name} is a directory")
        for path in paths:
            os.replace(path, output / path.name)
    except OSError as error:
        raise _error(output, error) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        _remove_empty(made)


def _missing_folders(output: Path) -> list[Path]:
    return [folder for folder in (output, *output.parents) if not folder.exists()]


def _remove_stale(output: Path) -> None:
    """Remove what a build that was killed has left behind; one that still runs keeps its own."""
    for folder in output.glob(".staging-*-*"):
        process = folder.name.split("-")[1]
        if process.isdigit() and not Path("/proc", process).exists() and Path("/proc/1").exists():
            shutil.rmtree(folder, ignore_errors=True)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:  # the innermost first
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _error(output: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{output}: cannot be written ({error.strerror}); choose another folder with -o"
    )

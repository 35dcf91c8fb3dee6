"""Files written beside their place and moved there together: all or none, even across a kill.

They are written to a folder ``.staging-…`` beside their place. Renaming it to ``.ready-…``, in one
step, makes them the ones that count; then they move into place one by one. What a killed process
left undone is finished by the next that writes there, and till then readers are refused
(`check_settled`) rather than shown a mixture.
"""

import filecmp
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import OutputError

STAGING, READY = ".staging-", ".ready-"
LAST = "manifest.json"  # vouches for the files beside it
PATIENCE = 1.0  # seconds; moving files within a folder takes some milliseconds
_ours: set[str] = set()  # the names of the staging folders that this process is writing to


@contextmanager
def folder_made(folder: Path) -> Iterator[None]:
    """Make a folder, and those above it, and remove those of them that the block leaves empty.

    Raises
    ------
    OutputError
        If it cannot be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _error(folder, error) from error
        yield
    finally:
        for one in missing:  # the innermost first
            with suppress(OSError):  # it holds something, or is gone
                one.rmdir()


@contextmanager
def staged(output: Path) -> Iterator[Path]:
    """Give an empty folder to write to, and move its files into `output` when the block ends well.

    A folder in it stands for a file of that name in `output` that is to go. If the block fails,
    nothing in `output` has changed, and a folder that was not there before is not there after.

    Raises
    ------
    OutputError
        If the folder cannot be made or written, told before the block runs where possible.
    """
    with folder_made(output):
        finish_moves(output)
        try:
            _remove_stale(output)
            staging = Path(tempfile.mkdtemp(prefix=f"{STAGING}{os.getpid()}-", dir=output))
            _ours.add(staging.name)
            try:
                yield staging
                _check_places(staging)
                ready = staging.with_name(staging.name.replace(STAGING, READY, 1))
                _move(staging.rename(ready))
            finally:
                shutil.rmtree(staging, ignore_errors=True)
                _ours.remove(staging.name)
        except OSError as error:
            raise _error(output, error) from error


def finish_moves(output: Path) -> None:
    """Move into place what a process that was killed had ready.

    Raises
    ------
    OutputError
        If a file cannot be moved.
    """
    try:
        for ready in sorted(output.glob(f"{READY}*")):
            _move(ready)
    except OSError as error:
        raise _error(output, error) from error


def check_settled(folder: Path) -> None:
    """Refuse a folder whose files have not all moved into place.

    Raises
    ------
    OutputError
        If they do not do so soon.
    """
    deadline = time.monotonic() + PATIENCE
    while any(folder.glob(f"{READY}*")):
        if time.monotonic() > deadline:
            raise OutputError(
                f"{folder}: a build was stopped while its files moved into place; "
                "run `kg build` again to finish it"
            )
        time.sleep(PATIENCE / 50)


def _check_places(staging: Path) -> None:
    for path in staging.iterdir():
        if (staging.parent / path.name).is_dir():
            raise IsADirectoryError(21, f"{path.name} is a directory")


def _move(ready: Path) -> None:
    for path in sorted(ready.iterdir(), key=lambda path: (path.name == LAST, path.name)):
        place = ready.parent / path.name
        with suppress(FileNotFoundError):  # another process may be finishing the same
            if path.is_dir():
                place.unlink(missing_ok=True)
                path.rmdir()
            elif place.is_file() and filecmp.cmp(path, place, shallow=False):
                path.unlink()  # what was made of the file there, and who reads it, may go on
            else:
                os.replace(path, place)
    with suppress(FileNotFoundError):
        ready.rmdir()


def _remove_stale(output: Path) -> None:
    """Remove what a process that was killed has left behind; one that still runs keeps its own."""
    for folder in output.glob(f"{STAGING}*-*"):
        process = folder.name.split("-")[1]
        gone = not Path("/proc", process).exists() and Path("/proc/1").exists()
        # In a container one process after the other has the same id.
        ours = process == str(os.getpid()) and folder.name not in _ours
        if ours or (process.isdigit() and gone):
            shutil.rmtree(folder, ignore_errors=True)


def _error(output: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{output}: cannot be written ({error.strerror}); choose another folder with -o"
    )

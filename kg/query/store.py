"""A large build's graph as an on-disk store beside it, so that it opens at once.

The store lies in ``DIR/.store/`` under a name that changes with ``graph.ttl``: one that is out of
date is never opened. It is no part of what a build promises; deleting it costs only time.
"""

import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from ..errors import OutputError
from .process import Worker

GRAPH = "graph.ttl"
STORES = ".store"
# Smaller files are loaded anew by each process, which takes less than a second.
LARGE = 8 << 20
_WRITTEN = 7 << 20  # bytes of Turtle a second


def stored(build: str | os.PathLike[str], *, least: int = LARGE) -> Path:
    """Return what to open to ask a build: its on-disk store, made if need be, or its Turtle.

    Parameters
    ----------
    build
        The folder of a build.
    least
        The bytes from which on a ``graph.ttl`` is worth a store.

    Returns
    -------
    Path
        The folder of the store, or ``graph.ttl`` where that is small, or damaged, or there is no
        room beside it.

    Raises
    ------
    OutputError
        If the folder holds no build.
    """
    graph = Path(build) / GRAPH
    store = Path(build) / STORES / version(build)
    if store.is_dir() or graph.stat().st_size < least:
        return store if store.is_dir() else graph
    with suppress(OSError, OutputError):
        store.parent.mkdir(exist_ok=True)
        _write(graph, store)
    return store if store.is_dir() else graph


def seconds_to_write(build: str | os.PathLike[str]) -> int:
    """Return about how many seconds `stored` will write the store of a large build, 0 if it won't.

    Raises
    ------
    OutputError
        If the folder holds no build.
    """
    is_there = (Path(build) / STORES / version(build)).is_dir()
    size = (Path(build) / GRAPH).stat().st_size
    return 0 if is_there or size < LARGE else -(-size // _WRITTEN)


def version(build: str | os.PathLike[str]) -> str:
    """Return a name for this state of a build: it changes whenever its ``graph.ttl`` does.

    Raises
    ------
    OutputError
        If the folder holds no build.
    """
    folder = Path(build)
    try:
        found = (folder / GRAPH).stat()
    except OSError:
        raise OutputError(f"{folder}: no build here; run `kg build INPUT -o {folder}`") from None
    content = f"{_promised(folder)} {found.st_size} {found.st_mtime_ns}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _promised(folder: Path) -> str:
    """Return the hash of ``graph.ttl`` as the manifest states it, empty where it does not."""
    try:
        return str(json.loads((folder / "manifest.json").read_bytes())["files"][GRAPH])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _write(graph: Path, store: Path) -> None:
    """Write a store beside its place, move it there, and remove those that it replaces."""
    staging = Path(tempfile.mkdtemp(prefix=f"writing-{os.getpid()}-", dir=store.parent))
    try:
        with Worker(graph, "--store", os.fspath(staging / "made")) as writer:
            writer.wait_until_ready()
        os.rename(staging / "made", store)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    for other in store.parent.iterdir():
        if other != store and not _is_being_written(other):
            shutil.rmtree(other, ignore_errors=True)


def _is_being_written(folder: Path) -> bool:
    """Return whether a process that still runs is writing this folder."""
    process = folder.name.removeprefix("writing-").partition("-")[0]
    if not (folder.name.startswith("writing-") and process.isdigit()):
        return False
    try:
        os.kill(int(process), 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True

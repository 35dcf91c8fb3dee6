"""Inputs named on the command line -> the files to read, in a stable order."""

import os
import re
import stat
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import IO

from ..errors import InputError
from .clean import printable
from .formats import SUFFIXES
from .found import Skipped
from .streams import Damaged

STDIN = "-"
_OURS = re.compile(r"papers\.jsonl|manifest\.json|graph\.\w+")
BUILD_MARK = "manifest.json"
GRAPH_MARK = "graph.ttl"
PACKED_SUFFIXES = frozenset((".gz", ".bz2", ".xz", ".zst"))
ARCHIVE_SUFFIX = ".zip"
ARCHIVE_MAGIC = b"PK\x03\x04"
OFFICE_MARKS = frozenset(("[Content_Types].xml", "mimetype"))
_HIDDEN = re.compile(r"(?:^|/)(?:\.[^./]|__MACOSX)")
UNKNOWN = "not a format that kg reads (see `kg formats`)"
PDF = "a PDF, which kg does not read: export its title and abstract, say as BibTeX"


@dataclass(frozen=True, slots=True)
class File:
    """A file to read, or a member of an archive: `name` is its path relative to the argument that
    led to it, and goes on inside an archive."""

    name: str
    path: Path | None
    member: zipfile.ZipInfo | None = None
    archive: zipfile.ZipFile | None = field(default=None, repr=False, compare=False)

    @property
    def suffix(self) -> str:
        """The suffix that tells the format, below that of a compression."""
        return _suffix(PurePosixPath(self.name))

    @property
    def packed(self) -> int | None:
        """The size of a member in its archive."""
        return self.member.compress_size if self.member else None

    @property
    def place(self) -> PurePath:
        """The path that tells the file from all others."""
        path = self.path.resolve() if self.path else PurePath(self.name)
        return path / self.member.filename if self.member else path

    def open(self) -> AbstractContextManager[IO[bytes]]:
        """Open the file's bytes as they are stored, a member's unpacked."""
        if self.member and self.archive:
            try:
                return self.archive.open(self.member)
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
                raise Damaged(f"broken or of an unknown kind of packing: {error}") from None
        return self.path.open("rb") if self.path else nullcontext(_stdin())


def _stdin() -> IO[bytes]:
    if sys.stdin is None:
        raise Damaged("standard input is closed")
    return sys.stdin.buffer


def find_files(inputs: Sequence[str | os.PathLike[str]]) -> tuple[list[File], list[Skipped]]:
    """Return the files that the inputs name or hold, sorted by name, and what was passed over.

    Directories are walked whole. Hidden files, links that lead out of the directory, and any
    folder that holds a build are not read; files of unknown suffixes are listed as skipped.
    Archives count as directories.

    Raises
    ------
    InputError
        If an input does not exist, is neither a file nor a directory, or none is given.
    """
    if not inputs:
        raise InputError("no input: name a file, a directory, or - for standard input")
    files: dict[PurePath, File] = {}
    skipped: list[Skipped] = []
    for argument in inputs:
        for file in _files_of(argument, skipped):
            files.setdefault(file.place, file)
    ordered = sorted(files.values(), key=lambda file: (file.name, str(file.path)))
    return ordered, sorted(set(skipped), key=lambda skip: (skip.file, skip.reason))


def _files_of(argument: str | os.PathLike[str], skipped: list[Skipped]) -> Iterator[File]:
    if os.fspath(argument) == STDIN:
        yield File("stdin", None)
        return
    if not os.fspath(argument):
        raise InputError("an empty input: name a file, a directory, or - for standard input")
    path = Path(argument)
    if path.is_file():
        yield from _opened(printable(path.name), path, skipped)
    elif path.is_dir():
        yield from _walk(path, path, skipped)
    elif path.exists():
        raise InputError(f"{path}: neither a file nor a directory")
    else:
        raise InputError(f"{path}: no such file or directory; check the path")


def _walk(folder: Path, root: Path, skipped: list[Skipped]) -> Iterator[File]:
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        skipped.append(Skipped(folder.name, None, f"cannot be read: {error.strerror}"))
        return
    # A build in the very folder that is read: what it wrote is none of the papers.
    ours = folder == root and _is_build(root)
    for path in paths:
        name = printable(path.relative_to(root).as_posix())
        if path.name.startswith(".") or (ours and _OURS.fullmatch(path.name)):
            continue
        if path.is_symlink() and not _stays_inside(path, root):
            skipped.append(Skipped(name, None, "a link that leads nowhere or out of the directory"))
        elif path.is_dir():
            # A link to a folder inside would only show the same files again, or loop.
            if not path.is_symlink() and not _is_build(path):
                yield from _walk(path, root, skipped)
        elif not path.is_file():
            skipped.append(Skipped(name, None, "not a regular file"))
        elif _is_known(path):
            yield from _opened(name, path, skipped)
        else:
            skipped.append(Skipped(name, None, _why_unknown(path)))


def _opened(name: str, path: Path, skipped: list[Skipped]) -> Iterator[File]:
    """Yield the file, or the members of an archive."""
    if not _is_archive(path):
        yield File(name, path)
        return
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        skipped.append(Skipped(name, None, f"a broken archive: {error}"))
        return
    if OFFICE_MARKS.intersection(archive.namelist()):
        skipped.append(Skipped(name, None, "an office document: save it as text or CSV"))
        return
    for member in sorted(archive.infolist(), key=lambda member: member.filename):
        inner = PurePosixPath(printable(member.filename).replace("\\", "/"))
        if member.is_dir() or _HIDDEN.search(member.filename):
            continue
        if reason := _why_refused(member, inner):
            skipped.append(Skipped(f"{name}/{inner}", None, reason))
        else:
            yield File(f"{name}/{inner}", path, member, archive)


def _why_refused(member: zipfile.ZipInfo, inner: PurePosixPath) -> str | None:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if inner.is_absolute() or ".." in inner.parts or (inner.parts and ":" in inner.parts[0]):
        return "its name leads out of the archive"
    if kind not in (0, stat.S_IFREG):
        return "a link or a device in an archive"
    if member.flag_bits & 1:
        return "encrypted: unpack it first"
    return None if _is_known(inner) else _why_unknown(inner)


def _suffix(path: PurePath) -> str:
    name = path.with_suffix("") if path.suffix.lower() in PACKED_SUFFIXES else path
    return name.suffix.lower()


def _is_known(path: PurePath) -> bool:
    suffix = _suffix(path)
    packed = path.suffix.lower() in PACKED_SUFFIXES
    return suffix in SUFFIXES or suffix == ARCHIVE_SUFFIX or (packed and not suffix)


def _why_unknown(path: PurePath) -> str:
    return PDF if path.suffix.lower() == ".pdf" else UNKNOWN


def _is_archive(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(ARCHIVE_MAGIC)) == ARCHIVE_MAGIC
    except OSError:
        return False


def _stays_inside(path: Path, root: Path) -> bool:
    return path.exists() and path.resolve().is_relative_to(root.resolve())


def _is_build(folder: Path) -> bool:
    return (folder / BUILD_MARK).is_file() and (folder / GRAPH_MARK).is_file()

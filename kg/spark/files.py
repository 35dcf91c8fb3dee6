"""Files in any place that Spark reads: found, moved, written, by the interface of Hadoop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..errors import InputError, OutputError
from ..read.files import BUILD_MARK, GRAPH_MARK, STDIN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GRAPH = "graph"
FRAMES = ("papers", "concepts", "links")
_BUILD_MARKS = ({BUILD_MARK, GRAPH_MARK}, {BUILD_MARK, GRAPH})
ROOT = PurePosixPath(".")
_OURS = {BUILD_MARK, GRAPH, *FRAMES}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: its address, its path relative to the argument that led to it, and whether
    that was a folder."""

    address: str
    name: str
    walked: bool

    @property
    def place(self) -> str:
        """The path that tells the file from all others."""
        return urlsplit(self.address).path


class Folder:
    """A folder by its address (``s3a://…``, ``hdfs://…``, a path here), there or yet to come."""

    def __init__(self, spark: "SparkSession", address: str) -> None:
        jvm: Any = spark._jvm
        jsc: Any = spark._jsc
        self._new = jvm.org.apache.hadoop.fs.Path
        path = self._new(address)
        self._files = path.getFileSystem(jsc.hadoopConfiguration())
        self._files.setWriteChecksum(False)
        self.address: str = self._files.makeQualified(path).toString()

    def names(self, below: str = "") -> list[str]:
        """Return what lies in the folder, or in one below it, sorted."""
        statuses = self._files.listStatus(self._at(below))
        return sorted(status.getPath().getName() for status in statuses)

    def exists(self, name: str = "") -> bool:
        """Tell whether the folder, or something in it, is there."""
        return bool(self._files.exists(self._at(name)))

    def make(self, name: str) -> None:
        """Make a folder below this one."""
        self._files.mkdirs(self._at(name))

    def move(self, name: str, to: str) -> None:
        """Give something in the folder another place in it.

        Raises
        ------
        OutputError
            If the file system refuses.
        """
        if not self._files.rename(self._at(name), self._at(to)):
            raise OutputError(
                f"{self.address}: {to} cannot be written; choose another folder with -o"
            )

    def remove(self, name: str) -> None:
        """Remove something in the folder, with all in it, if it is there."""
        self._files.delete(self._at(name), True)

    def write(self, name: str, content: str) -> None:
        """Write a small file."""
        stream = self._files.create(self._at(name), True)
        try:
            stream.write(bytearray(content.encode()))
        finally:
            stream.close()

    def _at(self, name: str) -> Any:
        return self._new(f"{self.address}/{name}" if name else self.address)


def find_sources(spark: "SparkSession", inputs: Sequence[str]) -> list[Source]:
    """Return the files that the inputs name or hold, each once, sorted by name.

    Folders are walked whole, but for what is hidden (by ``.`` or ``_``) and what builds hold.

    Raises
    ------
    InputError
        If an input does not exist or is standard input, or none is given.
    """
    if not inputs:
        raise InputError("no input: name a file or a directory")
    found: dict[str, Source] = {}
    for argument in inputs:
        for source in _sources_of(spark, argument):
            found.setdefault(source.address, source)
    return sorted(found.values(), key=lambda source: (source.name, source.address))


def _sources_of(spark: "SparkSession", argument: str) -> Iterator[Source]:
    if argument == STDIN:
        raise InputError("-: tasks of Spark cannot share standard input; name a file or directory")
    jvm: Any = spark._jvm
    jsc: Any = spark._jsc
    path = jvm.org.apache.hadoop.fs.Path(argument)
    files = path.getFileSystem(jsc.hadoopConfiguration())
    statuses = list(files.globStatus(path) or ())
    if not statuses:
        raise InputError(f"{argument}: no such file or directory; check the path")
    for status in statuses:
        address = status.getPath().toString()
        if status.isFile():
            yield Source(address, PurePosixPath(address).name, False)
        else:
            yield from _walk(address, _files_below(files, status.getPath()))


def _files_below(files: Any, path: Any) -> Iterator[str]:
    found = files.listFiles(path, True)
    while found.hasNext():
        yield found.next().getPath().toString()


def _walk(root: str, addresses: Iterator[str]) -> Iterator[Source]:
    names = {address: PurePosixPath(address[len(root.rstrip("/")) + 1 :]) for address in addresses}
    holds: dict[PurePosixPath, set[str]] = {}
    for name in names.values():
        for inner, outer in zip((name, *name.parents), name.parents, strict=False):
            holds.setdefault(outer, set()).add(inner.name)
    builds = {path for path, held in holds.items() if any(marks <= held for marks in _BUILD_MARKS)}
    # A build in the very folder that is read: what it wrote is none of the papers.
    ours = _OURS if ROOT in builds else set()
    for address, name in names.items():
        hidden = any(part.startswith((".", "_")) for part in name.parts)
        if not hidden and name.parts[0] not in ours and (builds - {ROOT}).isdisjoint(name.parents):
            yield Source(address, str(name), True)

"""What a server knows of the build that it serves."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ..errors import OutputError
from ..export.iris import Iris, encode
from ..export.load import MANIFEST
from ..query.engine import declared_prefixes
from ..query.store import stored, version

if TYPE_CHECKING:
    import pyoxigraph

_FILES = (MANIFEST, "graph.ttl", "graph.html", "papers.jsonl")


@dataclass(frozen=True, slots=True)
class Site:
    """A build, and where on the server its things have their pages.

    `graph` is what is opened to ask it, `version` changes when the build does, `root` is the
    path of the IRIs' base, so that a server in the place of the base's host answers for them, and
    `files` is what its files were when it was opened.
    """

    build: Path
    graph: Path
    version: str
    prefixes: Mapping[str, str]
    iris: Iris
    root: str
    files: tuple[object, ...]

    @classmethod
    def of(cls, build: Path) -> "Site":
        """Return the site of a build.

        Raises
        ------
        OutputError
            If the folder holds no build, or a damaged one.
        """
        files = _state(build)
        prefixes = declared_prefixes(build)
        if "paper" not in prefixes:
            raise OutputError(f"{build}/graph.ttl declares no prefixes: build it again")
        base = prefixes["paper"].removesuffix("paper/")
        # Of a base that is no folder of a host, the things stand in the root.
        root = urlsplit(base).path if base[:4] == "http" and base.endswith("/") else "/"
        graph = stored(build, least=0)
        return cls(build, graph, version(build), prefixes, Iris(base), root, files)

    @property
    def has_changed(self) -> bool:
        """Whether the folder holds another build by now, or none: this one cannot be told of."""
        return _state(self.build) != self.files

    def open(self) -> "pyoxigraph.Store":
        """Return the graph, to look things up in.

        Raises
        ------
        OutputError
            If it is damaged.
        """
        import pyoxigraph

        if self.graph.is_dir():
            return pyoxigraph.Store.read_only(str(self.graph))
        store = pyoxigraph.Store()
        try:
            store.load(path=str(self.graph), format=pyoxigraph.RdfFormat.TURTLE)
        except (OSError, ValueError, SyntaxError) as error:
            raise OutputError(f"{self.graph} is damaged ({error}): build it again") from None
        return store

    def path_of(self, iri: str) -> str | None:
        """Return the path of a thing's page on this server, None of what is not of this build."""
        if not iri.startswith(self.iris.base):
            return None
        return self.root + iri[len(self.iris.base) :]

    def key_of(self, iri: str) -> str | None:
        """Return the key in the graph of a paper's or concept's IRI, None of any other."""
        kind, _, name = iri.removeprefix(self.iris.base).partition("/")
        return f"{kind}:{unquote(name)}" if kind in ("paper", "concept") else None

    def iri_at(self, path: str) -> str | None:
        """Return the IRI whose page has this path, as it is written in a request."""
        if not path.startswith(self.root) or path == self.root:
            return None
        return self.iris.base + _encoded(path[len(self.root) :])


def _state(build: Path) -> tuple[object, ...]:
    """Return what changes whenever another build is written; an equal one leaves its files."""
    state: list[object] = []
    for name in _FILES:
        try:
            found = os.stat(build / name)
        except OSError:
            state.append(None)
        else:
            state.append((found.st_ino, found.st_size, found.st_mtime_ns))
    manifest = build / MANIFEST
    return _promised(manifest, state[0]), *state[1:]


@lru_cache(maxsize=4)
def _promised(manifest: Path, state: object) -> object:
    """Return what a manifest in some state says, save of the run, which is another each time."""
    try:
        told = json.loads(manifest.read_bytes())
        del told["run"]
    except (OSError, ValueError, TypeError, LookupError):
        return state
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _encoded(path: str) -> str:
    """Return a path percent-encoded as our IRIs are, however its sender did."""
    return "/".join(
        ":".join(encode(unquote(part)) for part in segment.split(":"))
        for segment in path.split("/")
    )

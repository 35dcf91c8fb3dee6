"""What was extracted for a folder's builds: ``DIR/.state.sqlite``.

A row a text: what was found in it, under a hash of the text and of all that extraction depends on,
so that whatever changes one of these makes another row, and the same text has one wherever it
stands. Scores of any height are kept: a build with another ``--min-confidence`` extracts nothing.

While it is open nobody else can open it: SQLite's lock is the folder's, and goes with its process.
"""

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from .errors import OutputError
from .export.staging import folder_made
from .extract.annotate import paper_label
from .records import CONCEPT_TYPES, RELATION_TYPES, AnnotatedPaper, Field, Mention, Paper, Relation

STATE = ".state.sqlite"
FORMAT = 1
FIELDS: tuple[Field, ...] = ("title", "abstract")
TABLE = "CREATE TABLE texts (key BLOB PRIMARY KEY, found BLOB NOT NULL) WITHOUT ROWID"
CODE = ("extract/*.py", "resolve/names.py", "records.py")
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class _Unusable(Exception):
    """A file that is no state."""


class State:
    """An open state.

    Attributes
    ----------
    note : str or None
        What was wrong with the file that was there before, if it had to be made anew.
    kept : int
        In how many papers something new was found since it was opened.
    """

    def __init__(self, path: Path, components: Mapping[str, str]) -> None:
        self._path = path
        self._depends_on = json.dumps([FORMAT, sorted(components.items()), _code()]).encode()
        self._database, self.note = _connect(path)
        self.kept = 0

    def find(self, papers: Iterable[Paper]) -> dict[str, AnnotatedPaper]:
        """Return by id those of the papers whose text is known, with what was found in it."""
        known = {}
        for paper in papers:
            with _told(self._path):
                row = self._database.execute(
                    "SELECT found FROM texts WHERE key = ?", [self._key(paper)]
                ).fetchone()
            # What does not unpack is as good as unknown.
            with suppress(zlib.error, ValueError, TypeError, IndexError):
                if row:
                    known[paper.id] = _unpacked(paper, row[0])
        return known

    def keep(self, found: Sequence[AnnotatedPaper]) -> None:
        """Keep what was found in some papers, all at once and for good.

        Raises
        ------
        OutputError
            If the file cannot be written, or is there no more.
        """
        if not self._path.exists():
            raise OutputError(f"{self._path.parent}: has vanished under the build; run it again")
        rows = [(self._key(one.paper), _packed(one)) for one in found]
        self._change("INSERT OR REPLACE INTO texts VALUES (?, ?)", rows)
        self.kept += len(rows)

    def keep_only(self, papers: Iterable[Paper]) -> None:
        """Forget the texts of all but these papers."""
        current = set(map(self._key, papers))
        with _told(self._path):
            known = [key for (key,) in self._database.execute("SELECT key FROM texts")]
        self._change("DELETE FROM texts WHERE key = ?", [[k] for k in known if k not in current])

    def close(self) -> None:
        """Close the file, and remove it if it holds nothing."""
        holds_nothing = False
        with suppress(sqlite3.Error):
            holds_nothing = not self._database.execute("SELECT 1 FROM texts LIMIT 1").fetchone()
        with suppress(sqlite3.Error):
            self._database.close()
        if holds_nothing:
            self._path.unlink(missing_ok=True)

    def _change(self, sql: str, rows: Iterable[Sequence[bytes]]) -> None:
        with _told(self._path):
            self._database.execute("BEGIN")
            self._database.executemany(sql, rows)
            self._database.execute("COMMIT")

    def _key(self, paper: Paper) -> bytes:
        texts = json.dumps([paper.text(field) for field in FIELDS]).encode()
        return hashlib.sha256(self._depends_on + texts).digest()


@contextmanager
def opened(folder: Path, components: Mapping[str, str], *, fresh: bool = False) -> Iterator[State]:
    """Give the state of a folder's builds, made with the folder if it is missing.

    Parameters
    ----------
    folder
        The folder of a build.
    components
        The versions of what extraction depends on besides the code.
    fresh
        Whether to forget all that it holds.

    Raises
    ------
    OutputError
        If another process has it open, or it cannot be written.
    """
    with folder_made(folder):
        state = State(folder / STATE, components)
        try:
            if fresh:
                state.keep_only(())
            yield state
        finally:
            state.close()


@cache
def _code() -> list[str]:
    """Return the hashes of the code that extraction runs, and the version of its arithmetic."""
    package = Path(__file__).parent
    paths = sorted(path for pattern in CODE for path in package.glob(pattern))
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    return [*hashes, version("numpy")]


def _connect(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Return the open file, and what was wrong with it if it had to be made anew."""
    with _told(path):
        with suppress(_Unusable):
            return _open(path), None
        with _alone(path.parent):  # two may find the damage: one must not remove the other's remedy
            try:
                return _open(path), None
            except _Unusable as error:
                _remove(path)
                return _open(path), f"{path}: {error}; all is extracted anew"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time run the block, where the system can see to it."""
    try:
        import fcntl
    except ImportError:  # Windows, which removes no file that is open
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems of networks cannot
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        # Locked as long as it is open; what a killed process wrote last is in the log beside it.
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN EXCLUSIVE")
        _make_or_check(database)
        database.execute("COMMIT")
    except BaseException as error:
        database.close()
        code = _code_of(error)
        if is_new and code not in _BUSY:
            _remove(path)
        if code in _DAMAGED:
            raise _Unusable("damaged") from error
        raise
    return database


def _remove(path: Path) -> None:
    for file in (path, path.with_name(f"{path.name}-wal")):
        file.unlink(missing_ok=True)


def _make_or_check(database: sqlite3.Connection) -> None:
    tables = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_schema")]
    if not tables:
        database.execute(TABLE)
    elif tables != [TABLE]:
        raise _Unusable("not a state of this version of kg")
    elif database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _Unusable("damaged")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell what is wrong with the file in the words of `kg`."""
    try:
        yield
    except sqlite3.Error as error:
        if _code_of(error) in _BUSY:
            raise OutputError(
                f"{path.parent}: another `kg build` is writing here; "
                "wait for it, or choose another folder with -o"
            ) from error
        raise OutputError(
            f"{path}: cannot be written ({error}); free space there, or choose another folder "
            "with -o"
        ) from error
    except OSError as error:
        raise OutputError(f"{path}: cannot be made anew ({error.strerror}); remove it") from error


def _code_of(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest tells variants


def _packed(annotated: AnnotatedPaper) -> bytes:
    mentions = [
        (
            *(one.start, one.end, CONCEPT_TYPES.index(one.type), one.concept, one.score),
            *(FIELDS.index(one.field), *one.sentence),
        )
        for one in annotated.mentions
    ]
    relations = [
        (
            *(one.head, RELATION_TYPES.index(one.type), one.tail, one.score),
            *(one.start, one.end, FIELDS.index(one.field)),
        )
        for one in annotated.relations
    ]
    return zlib.compress(json.dumps([mentions, relations, annotated.proposes]).encode(), 1)


def _unpacked(paper: Paper, found: bytes) -> AnnotatedPaper:
    """Return the paper with what `_packed` holds; its label follows from these."""
    stored, said, proposed = json.loads(zlib.decompress(found))
    mentions = []
    for start, end, kind, concept, score, at, *sentence in stored:
        text, (first, last) = paper.text(FIELDS[at])[start:end], sentence
        kinds = CONCEPT_TYPES[kind]
        mentions.append(Mention(start, end, text, kinds, concept, score, FIELDS[at], (first, last)))
    relations = tuple(
        Relation(head, RELATION_TYPES[kind], tail, score, start, end, FIELDS[at])
        for head, kind, tail, score, start, end, at in said
    )
    proposes = tuple(proposed)
    spoken_of = {*proposes, *(name for one in relations for name in (one.head, one.tail))}
    if not spoken_of <= {mention.concept for mention in mentions}:
        raise ValueError("it speaks of concepts that it does not mention")
    label = paper_label(paper, mentions, proposes)
    return AnnotatedPaper(paper, label, tuple(mentions), relations, proposes)

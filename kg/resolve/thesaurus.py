"""What the user knows better: names that are the same or are not, labels, types, what to ignore.

Three forms are read, told by the suffix:

``.csv``
    The header ``label,type,aliases,broader``, of which the last may be missing, then a row a
    concept: ``label,type,alias;alias,broader``. All but the label may be empty.
``.ttl``
    SKOS: ``skos:prefLabel``, ``skos:altLabel``, ``skos:broader``, and the type as one of our
    classes (``a kg:Method``).
``.txt``
    A line a rule: ``ignore: NAME`` or ``not the same: NAME = NAME``; ``#`` begins a comment.
"""

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..records import CONCEPT_TYPES, ConceptType
from .names import normal_form

HEADER = ["label", "type", "aliases", "broader"]
_RULE = re.compile(r"(ignore|not the same)\s*:\s*(.+)", re.IGNORECASE)
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_OURS = "https://w3id.org/kg-papers/ns#"


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept as the user wants it: its label, and its type, aliases and broader if given."""

    label: str
    type: ConceptType | None = None
    aliases: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thesaurus:
    """The user's entries, the names to ignore, and the pairs of names that are not the same."""

    entries: tuple[Entry, ...] = ()
    ignored: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    def entry(self, name: str) -> Entry | None:
        """Return the entry that the name belongs to: as it is written, else by normal form."""
        if not self.entries:
            return None
        return self._exact.get(name) or self._normal.get(normal_form(name))

    def ignores(self, name: str) -> bool:
        """Tell whether the name is none of a concept."""
        return normal_form(name) in self._ignored

    def keeps_apart(self, one: str, other: str) -> bool:
        """Tell whether two names must not become one concept."""
        return bool(self.apart) and (
            frozenset((normal_form(one), normal_form(other))) in self._apart
        )

    @cached_property
    def _exact(self) -> Mapping[str, Entry]:
        return {name: one for one in self.entries for name in (*one.aliases, one.label)}

    @cached_property
    def _normal(self) -> Mapping[str, Entry]:
        return {normal_form(name): entry for name, entry in self._exact.items()}

    @cached_property
    def _ignored(self) -> frozenset[str]:
        return frozenset(map(normal_form, self.ignored))

    @cached_property
    def _apart(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(map(normal_form, pair)) for pair in self.apart)


EMPTY = Thesaurus()


def read_thesaurus(*paths: str | os.PathLike[str]) -> Thesaurus:
    """Read a thesaurus from CSV, SKOS Turtle or plain lists of rules.

    Parameters
    ----------
    *paths
        Any number of files; what a later one says of a name overrules the earlier ones.

    Raises
    ------
    InputError
        If a file cannot be read or a line of it is wrong, with its number.
    """
    return reduce(_overruled, map(_read, map(Path, paths)), EMPTY)


@cache
def universal_aliases() -> Thesaurus:
    """Return the acronyms that mean one thing in all of machine learning (``aliases.csv``)."""
    return read_thesaurus(Path(__file__).with_name("aliases.csv"))


def _read(path: Path) -> Thesaurus:
    readers = {".csv": _read_csv, ".ttl": _read_skos, ".txt": _read_rules}
    if path.suffix.lower() not in readers:
        raise InputError(f"{path}: a thesaurus is a .csv, .ttl or .txt file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); check the path") from error
    return readers[path.suffix.lower()](path, text)


def _overruled(one: Thesaurus, later: Thesaurus) -> Thesaurus:
    """Return what two thesauri say together, the later one where they differ."""
    before = {entry.label: entry for entry in one.entries}
    entries = [_joined(before.pop(entry.label, None), entry, later) for entry in later.entries]
    return Thesaurus(
        (*(entry for entry in one.entries if entry.label in before), *entries),
        (*(name for name in one.ignored if not later.entry(name)), *later.ignored),
        (*(pair for pair in one.apart if not _same(later, *pair)), *later.apart),
    )


def _joined(before: Entry | None, entry: Entry, later: Thesaurus) -> Entry:
    if before is None:
        return entry
    kept = (alias for alias in before.aliases if later.entry(alias) in (None, entry))
    return Entry(
        entry.label,
        entry.type or before.type,
        tuple(dict.fromkeys((*kept, *entry.aliases))),
        entry.broader or before.broader,
    )


def _same(thesaurus: Thesaurus, one: str, other: str) -> bool:
    entry = thesaurus.entry(one)
    return entry is not None and entry == thesaurus.entry(other)


def thesaurus_from_json(value: Mapping[str, Any]) -> Thesaurus:
    """Return the thesaurus that a manifest holds.

    Examples
    --------
    >>> from dataclasses import asdict
    >>> thesaurus = Thesaurus((Entry("LoRA", "Method", ("lora",)),), ("model",), (("C", "C++"),))
    >>> thesaurus_from_json(asdict(thesaurus)) == thesaurus
    True
    """
    return Thesaurus(
        tuple(
            Entry(one["label"], one["type"], tuple(one["aliases"]), tuple(one["broader"]))
            for one in value["entries"]
        ),
        tuple(value["ignored"]),
        tuple((one, other) for one, other in value["apart"]),
    )


def _read_csv(path: Path, text: str) -> Thesaurus:
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: broken CSV ({error})") from error
    line, header = rows[0] if rows else (1, [])
    names = [name.lower() for name in header if name]
    if not names or names != HEADER[: len(names)]:
        raise InputError(f"{path}:{line}: begin with the header {','.join(HEADER)}")
    return _checked(path, [_entry(f"{path}:{line}", cells) for line, cells in rows[1:]])


def _entry(place: str, cells: list[str]) -> Entry:
    if len(cells) > len(HEADER) or not cells[0]:
        raise InputError(f"{place}: a row is {','.join(HEADER)}, the label first")
    label, kind, aliases, broader = (cells + [""] * len(HEADER))[: len(HEADER)]
    if kind and kind not in CONCEPT_TYPES:
        raise InputError(f"{place}: {kind} is no type; the types are {', '.join(CONCEPT_TYPES)}")
    return Entry(label, kind or None, _names(aliases), _names(broader))


def _names(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, cell.split(";"))))


def _read_rules(path: Path, text: str) -> Thesaurus:
    ignored: list[str] = []
    apart: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not (rule := line.partition("#")[0].strip()):
            continue
        match = _RULE.fullmatch(rule)
        names = [name.strip() for name in match[2].split("=")] if match else []
        if match and match[1].lower() == "ignore" and len(names) == 1:
            ignored.append(names[0])
        elif len(names) == 2 and all(names):
            if normal_form(names[0]) == normal_form(names[1]):
                raise InputError(
                    f"{path}:{number}: {names[0]} and {names[1]} differ in spelling only; "
                    "give one of them a label of its own in a .csv thesaurus"
                )
            apart.append((names[0], names[1]))
        else:
            raise InputError(
                f"{path}:{number}: write `ignore: NAME` or `not the same: NAME = NAME`"
            )
    return Thesaurus((), tuple(ignored), tuple(apart))


def _read_skos(path: Path, text: str) -> Thesaurus:
    import pyoxigraph

    labels: dict[str, str] = {}
    found: dict[str, dict[str, list[str]]] = {}
    try:
        for quad in pyoxigraph.parse(text.encode(), pyoxigraph.RdfFormat.TURTLE):
            subject, predicate, value = (str(term.value) for term in quad.triple)
            if predicate == f"{_SKOS}prefLabel":
                labels.setdefault(subject, value)
            found.setdefault(subject, {}).setdefault(predicate, []).append(value)
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno}: broken Turtle ({error.msg})") from error
    entries = [
        Entry(
            label,
            _type(found[subject]),
            tuple(sorted(found[subject].get(f"{_SKOS}altLabel", ()))),
            tuple(
                sorted(
                    labels[one]
                    for one in found[subject].get(f"{_SKOS}broader", ())
                    if one in labels
                )
            ),
        )
        for subject, label in labels.items()
    ]
    return _checked(path, sorted(entries, key=lambda entry: entry.label))


def _type(values: Mapping[str, list[str]]) -> ConceptType | None:
    rdf_type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    classes = {one.removeprefix(_OURS) for one in values.get(rdf_type, ()) if one.startswith(_OURS)}
    return next((kind for kind in CONCEPT_TYPES if kind in classes), None)


def _checked(path: Path, entries: Iterable[Entry]) -> Thesaurus:
    """Refuse a name that two entries claim."""
    owner: dict[str, str] = {}
    entries = tuple(entries)
    for entry in entries:
        for name in (entry.label, *entry.aliases):
            if owner.setdefault(name, entry.label) != entry.label:
                raise InputError(
                    f"{path}: {name} is a name of both {owner[name]} and {entry.label}; keep one"
                )
    return Thesaurus(entries)

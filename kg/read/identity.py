"""Which records are one paper, and the id that names it."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import Any

from ..records import Paper
from .clean import printable
from .found import Place
from .identifiers import arxiv_id, normal_doi, pmid_of

_EMPTY = {
    field.name: field.default for field in fields(Paper) if field.name not in ("id", "merged")
}
_INITIALS = re.compile(r"(?:[A-Z]\.?-?){1,3}")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Record:
    """A paper as one file tells it, with a name that tells the file from all others, the id that
    the record's place in it gives, that place, what further identifiers it has, and whether it
    came with annotations."""

    paper: Paper
    file: str
    place_id: str
    place: Place
    keys: tuple[tuple[str, str], ...] = ()
    annotated: bool = False

    @property
    def id(self) -> str:
        """The record's own id, else that of its place."""
        return self.paper.id or self.place_id


def place_id(stem: str, ordinal: int) -> str:
    """Return the id of a record that has none of its own.

    Examples
    --------
    >>> place_id("abstracts", 7)
    'abstracts-07'
    """
    return f"{printable(stem)}-{ordinal:02d}"


def telling_stems(files: Sequence[PurePath]) -> dict[PurePath, str]:
    """Return a stem for each file, with as much of its folder's name as tells equal ones apart.

    Examples
    --------
    >>> files = PurePath("d/a/x.txt"), PurePath("d/b/x.txt"), PurePath("y.txt")
    >>> list(telling_stems(files).values())
    ['a-x', 'b-x', 'y']
    """
    stems = {file: file.name.split(".")[0] or file.name for file in files}
    for depth in range(1, max((len(file.parts) for file in files), default=0)):
        for clash in _clashes(stems):
            for file in clash:
                stems[file] = "-".join((*file.parts[-depth - 1 : -1], file.name.split(".")[0]))
    for clash in _clashes(stems):
        for file in clash:
            stems[file] = "-".join(file.parts[-1:])
    return stems


def _clashes(stems: Mapping[PurePath, str]) -> list[list[PurePath]]:
    by_stem: defaultdict[str, list[PurePath]] = defaultdict(list)
    for file, stem in stems.items():
        by_stem[stem].append(file)
    return [files for files in by_stem.values() if len(files) > 1]


def identify(
    records: Sequence[Record],
) -> tuple[tuple[Paper, ...], dict[str, tuple[Place, ...]]]:
    """Merge the records that are one paper and give each paper a unique id.

    Records are one paper if a DOI, an arXiv id or a PMID agrees, or if title, year and first
    author do, but in the second case never two records of one file that carry different ids of
    their own. The ids of merged records still name the paper (`Paper.merged`).

    Returns
    -------
    tuple
        The papers, sorted by id, and for each id the places of its records.

    Examples
    --------
    >>> one = Record(Paper("a", "X", doi="10.1000/x"), "a", "a-01", Place("a.jsonl", 1))
    >>> two = Record(Paper("", "X", "We do X.", doi="10.1000/x"), "b", "b-01", Place("b.bib", 7))
    >>> [paper], origins = identify([one, two])
    >>> paper.id, paper.abstract, paper.merged
    ('a', 'We do X.', ('b-01',))
    >>> [place.file for place in origins["a"]]
    ['a.jsonl', 'b.bib']
    """
    ordered = sorted(records, key=_rank)
    taken: set[str] = set()
    papers = []
    origins = {}
    for group in _groups(ordered):
        paper = _merge(group)
        unique = _unique(paper.id, group[0].place_id, taken)
        taken.add(unique)
        papers.append(replace(paper, id=unique))
        origins[unique] = tuple(sorted(record.place for record in group))
    return tuple(sorted(papers, key=lambda paper: paper.id)), origins


def _rank(record: Record) -> tuple[Any, ...]:
    return not record.paper.id, record.id, record.file, record.place


def _groups(records: Sequence[Record]) -> list[list[Record]]:
    """Join records over the keys that they share, each group in the order of the records."""
    group_of: dict[int, list[int]] = {index: [index] for index in range(len(records))}
    holder: dict[Hashable, int] = {}
    for index, record in enumerate(records):
        for key in keys_of(record):
            other = group_of[holder.setdefault(key, index)]
            mine = group_of[index]
            if other is mine or (key[0] == "title" and _conflict(records, other, mine)):
                continue
            other.extend(mine)
            for member in mine:
                group_of[member] = other
    unique = {min(group): sorted(group) for group in group_of.values()}
    return [[records[index] for index in unique[first]] for first in sorted(unique)]


def keys_of(record: Record) -> Iterator[tuple[Hashable, ...]]:
    """Yield what tells that two records are one paper, where it agrees."""
    paper = record.paper
    yield from record.keys
    for identifier in filter(None, (paper.doi, paper.url)):
        if doi := normal_doi(identifier):
            yield "doi", doi
        if arxiv := arxiv_id(identifier, version=False):
            yield "arxiv", arxiv
    if paper.url and "pubmed" in paper.url and (pmid := pmid_of(paper.url)):
        yield "pmid", pmid
    title = _NOT_WORD.sub("", paper.title or "").casefold()
    yield "id", record.id, title, paper.abstract
    if title and paper.year is not None and paper.authors:
        yield "title", title, paper.year, _family_name(paper.authors[0])


def _family_name(author: str) -> str:
    """Return the family name, however the name is ordered: the same in all ways to write it.

    Examples
    --------
    >>> {*map(_family_name, ("Lovelace, Ada", "Ada Lovelace", "Lovelace, A.", "Lovelace A"))}
    {'lovelace'}
    """
    family, comma, _ = author.partition(",")
    words = [word for word in family.split() if not _INITIALS.fullmatch(word)] or [family]
    return _NOT_WORD.sub("", family if comma else words[-1]).casefold()


def _conflict(records: Sequence[Record], some: Sequence[int], others: Sequence[int]) -> bool:
    """Tell whether two groups hold records of one file that carry different ids of their own."""
    return any(
        one.file == other.file
        and one.paper.id
        and other.paper.id
        and one.paper.id != other.paper.id
        for one in map(records.__getitem__, some)
        for other in map(records.__getitem__, others)
    )


def _merge(group: Sequence[Record]) -> Paper:
    """Return one paper with the longest abstract, the most authors and keywords, and each other
    field from the first record that has it; all that an annotated record tells is as it says, for
    a person may have corrected it."""
    corrected = sorted(group, key=lambda record: not record.annotated)
    papers = [record.paper for record in corrected]
    first: dict[str, Any] = {
        name: next(filter(None, (getattr(paper, name) for paper in papers)), empty)
        for name, empty in _EMPTY.items()
    }
    for name in ("abstract", "authors", "keywords"):
        if not (corrected[0].annotated and getattr(papers[0], name)):
            values = (getattr(paper, name) or _EMPTY[name] for paper in papers)
            first[name] = max(values, key=_length)
    main = group[0].id
    others = {record.id for record in group}.union(*(paper.merged for paper in papers)) - {main}
    return Paper(main, merged=tuple(sorted(others)), **first)


def _length(value: Any) -> int:
    return len(value) if value else 0


def _unique(wanted: str, place: str, taken: set[str]) -> str:
    if wanted not in taken:
        return wanted
    name, number = f"{place}-{wanted}", 2
    while name in taken:
        name, number = f"{place}-{wanted}-{number}", number + 1
    return name

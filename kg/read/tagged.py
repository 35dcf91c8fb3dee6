"""Tagged lines: RIS, Web of Science and MEDLINE (.nbib), read by one tolerant reader.

A record is lines of a tag and a value each, which goes on in the lines below. Where the three
differ is data: how a tag is written, which one begins a record, and which fields they hold.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TextIO

from .found import Found
from .names import split_keywords
from .raw import Raw, found, year_of

Tags = dict[str, list[str]]
LARGEST_RECORD = 1 << 24


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How tags are written, which one begins a record, and which stand outside of all.

    In a value of the `wordy` tags, a tag that is not `known` is a word at the beginning of a line;
    each line of the `listed` ones is a value of its own.
    """

    tag: re.Pattern[str]
    begins: str
    outside: frozenset[str]
    known: frozenset[str]
    wordy: frozenset[str]
    listed: frozenset[str]


_RIS = _Dialect(
    tag=re.compile(r"\s{0,3}([A-Z][A-Z0-9])\s{1,3}-\s*(.*)", re.DOTALL),
    begins="TY",
    outside=frozenset(("ER",)),
    known=frozenset(
        """TY A1 A2 A3 A4 A5 AB AD AN AU AV BT C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DA DB DI DO
        DP DS ED EP ER ET ID IS J1 J2 JA JF JO JP KW L1 L2 L3 L4 LA LB LK M1 M2 M3 N1 N2 NO NV OP
        PB PM PP PY RD RI RN RP RT SE SN SP SR ST T1 T2 T3 TA TI TT U1 U2 U3 U4 U5 UR VL VO Y1 Y2
        YR""".split()
    ),
    wordy=frozenset("AB N2 TI T1 N1".split()),
    listed=frozenset(("KW",)),
)
_WOS = _Dialect(
    tag=re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)", re.DOTALL),
    begins="PT",
    outside=frozenset(("FN", "VR", "ER", "EF")),
    known=frozenset(),
    wordy=frozenset(),
    listed=frozenset(("AU", "AF")),
)
_MEDLINE = _Dialect(
    tag=re.compile(r"(?=.{4}-)([A-Z][A-Z0-9]{1,3}) *-(?: (.*)|$)", re.DOTALL),
    begins="PMID",
    outside=frozenset(),
    known=frozenset(),
    wordy=frozenset(),
    listed=frozenset(),
)


def read_ris(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a RIS text.

    Examples
    --------
    >>> import io
    >>> [one] = read_ris(io.StringIO("TY  - JOUR\nT1  - On Graphs\nY1  - 2019/03/01/\nER  - \n"))
    >>> one.paper.title, one.paper.year
    ('On Graphs', 2019)
    """
    return _read(text, _RIS, _from_ris)


def read_wos(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a tagged text of the Web of Science.

    Examples
    --------
    >>> import io
    >>> [one] = read_wos(io.StringIO("PT J\nAU Alpha, A\n   Beta, B\nTI On\n   Graphs\nER\n"))
    >>> one.paper.title, one.paper.authors
    ('On Graphs', ('Alpha, A', 'Beta, B'))
    """
    return _read(text, _WOS, _from_wos)


def read_medline(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a MEDLINE text, as PubMed exports it.

    Examples
    --------
    >>> import io
    >>> [one] = read_medline(io.StringIO("PMID- 11\nTI  - On\n      Graphs.\nDP  - 2019 Jan\n"))
    >>> one.paper.id, one.paper.title, one.paper.year
    ('11', 'On Graphs.', 2019)
    """
    return _read(text, _MEDLINE, _from_medline)


_STARTS_RIS = re.compile(r"^[ \t]{0,3}TY\s{1,3}-", re.MULTILINE)
_STARTS_WOS = re.compile(r"\A(?:FN|VR|PT) \S.*\n(?:.*\n){0,3}?(?:PT|AU|TI|VR) ")
_STARTS_MEDLINE = re.compile(r"^PMID- *\d+\s*$", re.MULTILINE)


def is_ris(head: str) -> bool:
    """Tell whether a line begins a record of RIS."""
    return bool(_STARTS_RIS.search(head))


def is_wos(head: str) -> bool:
    """Tell whether a text begins as a file of the Web of Science does."""
    return bool(_STARTS_WOS.match(head.lstrip()))


def is_medline(head: str) -> bool:
    """Tell whether a line begins a record of MEDLINE."""
    return bool(_STARTS_MEDLINE.search(head))


def _read(text: TextIO, dialect: _Dialect, to_raw: Callable[[Tags], Raw]) -> Iterator[Found]:
    for line, tags in _records(text, dialect):
        yield found(line, to_raw(tags))


def _records(text: TextIO, dialect: _Dialect) -> Iterator[tuple[int, Tags]]:
    """Yield the values of each record by their tags, with the line that it starts on."""
    tags: dict[str, list[list[str]]] = {}
    start, last, size = 1, "", 0
    for number, line in enumerate(text, 1):
        line = line.lstrip("\ufeff").rstrip()
        match = dialect.tag.match(line)
        if match and dialect.known and match[1] not in dialect.known:
            if last not in dialect.wordy:
                continue
            match = None
        if not match:
            size += len(line)
            if last in tags and line and size < LARGEST_RECORD:
                _continue(tags[last], line, listed=last in dialect.listed)
            continue
        tag, value = match[1], match[2] or ""
        if tags and (tag == dialect.begins or tag in dialect.outside):
            yield start, _joined(tags)
            tags = {}
        last = tag
        if tag not in dialect.outside:
            if not tags:
                start, size = number, 0
            tags.setdefault(tag, []).append([value])
    if tags:
        yield start, _joined(tags)


def _continue(values: list[list[str]], line: str, *, listed: bool) -> None:
    if listed:
        values.append([line])
    else:
        values[-1].append(line.strip())


def _joined(tags: dict[str, list[list[str]]]) -> Tags:
    return {tag: [*map(" ".join, values)] for tag, values in tags.items()}


def _from_ris(tags: Tags) -> Raw:
    return Raw(
        id=_best(tags, "ID AN"),
        title=_best(tags, "TI T1 CT BT"),
        abstract=_best(tags, "AB N2"),
        date=_date(tags, "PY Y1 YR DA"),
        venue=_best(tags, "T2 JO JF JA J2 BT T3"),
        authors=_all(tags, "A1 AU"),
        doi=_best(tags, "DO DI M3"),
        url=_best(tags, "UR LK L2"),
        keywords=_keywords(tags, "KW"),
        pmid=_best(tags, "PM"),
    )


def _from_wos(tags: Tags) -> Raw:
    return Raw(
        id=_best(tags, "UT"),
        title=_best(tags, "TI"),
        abstract=_best(tags, "AB"),
        date=_date(tags, "PY EY"),
        venue=_best(tags, "SO CT"),
        authors=_all(tags, "AF") or _all(tags, "AU"),
        doi=_best(tags, "DI"),
        keywords=_keywords(tags, "DE"),  # ID holds keywords that a machine has made up
        pmid=_best(tags, "PM"),
    )


def _from_medline(tags: Tags) -> Raw:
    pmid = _best(tags, "PMID")
    return Raw(
        id=pmid,
        title=_best(tags, "TI BTI"),
        abstract=_best(tags, "AB"),
        date=_date(tags, "DP DEP"),
        venue=_best(tags, "JT TA"),
        authors=(_all(tags, "FAU") or _all(tags, "AU")) + _all(tags, "CN"),
        doi=next((place for place in _all(tags, "LID AID") if place.endswith("[doi]")), None),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else None,
        keywords=_keywords(tags, "OT"),
        pmid=pmid,
    )


def _all(tags: Tags, names: str) -> list[str]:
    return [value for name in names.split() for value in tags.get(name, ()) if value]


def _best(tags: Tags, names: str) -> str | None:
    return next(iter(_all(tags, names)), None)


def _date(tags: Tags, names: str) -> int | None:
    return next(filter(None, map(year_of, _all(tags, names))), None)


def _keywords(tags: Tags, name: str) -> list[str]:
    values = _all(tags, name)
    return [word for value in values for word in _split(value, alone=len(values) == 1)]


def _split(value: str, *, alone: bool) -> list[str]:
    """Split a value at semicolons, at commas too if it is the only one."""
    return split_keywords(value) if alone or ";" in value else [value]

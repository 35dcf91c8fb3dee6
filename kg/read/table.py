"""CSV and TSV: any table with a header that names a title or an abstract."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TextIO

from .found import Found
from .lines import Lines
from .names import split_authors, split_glued, split_keywords
from .raw import Raw, found
from .values import text_of

DELIMITERS = "\t;,|"
LONGEST_PREFACE = 10
LARGEST_CELL = 1 << 24
_QUOTED = re.compile(r'"[^"]*"')
_NOT_NAME = re.compile(r"[\W_]+")
_SEP_LINE = re.compile(r"sep=([\t;,|:])\s*$", re.IGNORECASE)

# The headers of a field, bared to letters and digits, the best first: Scopus, Web of Science,
# IEEE Xplore, Springer, Lens, Zotero, OpenAlex, ORKG, PubMed and hand-made tables.
HEADERS: Mapping[str, tuple[str, ...]] = {
    "id": tuple("key eid utuniquewosid ut lensid documentidentifier paperid id uri".split()),
    "title": tuple("title articletitle documenttitle itemtitle papertitle displayname ti".split()),
    "abstract": tuple(
        """abstract abstractnote abstracttext paperabstract ab summary
        abstractinvertedindex""".split()
    ),
    "date": tuple(
        "year publicationyear pubyear py date publicationdate datepublished published".split()
    ),
    "venue": tuple(
        """venue sourcetitle publicationtitle conferencename conference journal journaltitle
        journalbook booktitle proceedingstitle primarylocationsourcedisplayname so source
        publisher""".split()
    ),
    "authors": tuple(
        """authorfullnames authors author authorshipsauthordisplayname af au authornames
        creators""".split()
    ),
    "doi": tuple("doi itemdoi di".split()),
    "url": tuple("url link pdflink externalurl landingpageurl".split()),
    "keywords": tuple(
        """keywords authorkeywords de manualtags tags keyword fieldsofstudy
        primarytopicdisplayname researchfield""".split()
    ),
    "arxiv": ("arxivid", "arxiv"),
    "pmid": ("pmid", "pubmedid"),
}


@dataclass(frozen=True, slots=True)
class _Header:
    """Which columns hold which field, and how many columns there are."""

    columns: Mapping[str, Sequence[int]]
    width: int
    remark: str | None
    split_authors: Callable[[str], list[str]]


def read_table(text: TextIO, *, columns: Mapping[str, str] | None = None) -> Iterator[Found]:
    r"""Read the papers of a table, told by its header.

    Parameters
    ----------
    text
        The table; its cells may be quoted and hold line ends.
    columns
        The header of a field where it is none of the known ones: ``{"title": "Name"}``.

    Examples
    --------
    >>> import io
    >>> [one] = read_table(io.StringIO("Title;Year\nOn Graphs;2012\n"))
    >>> one.line, one.paper.title, one.paper.year
    (2, 'On Graphs', 2012)
    """
    lines = Lines(text)
    first, delimiter = _header_line(lines)
    names, _ = _row(iter([first]), delimiter)
    if not names:
        return
    header = _header(names, columns or {})
    if not header.columns.keys() & {"title", "abstract"}:
        yield Found(lines.count, reason=_no_columns(names))
        return
    remark = header.remark
    for line, row in _rows(lines, delimiter, len(names)):
        if isinstance(row, str):
            yield Found(line, reason=row)
        elif any(cell.strip() for cell in row):
            yield _found(line, row, header, remark)
            remark = None  # once is enough


def is_table(head: str) -> bool:
    r"""Tell whether one of the first lines is a header that names a title or an abstract.

    Examples
    --------
    >>> is_table("Title,Abstract\n"), is_table("A title, of which an abstract is made\n")
    (True, False)
    """
    line, delimiter = _header_line(Lines(head.splitlines(keepends=True)))
    return _is_header(line, delimiter)


def _header_line(lines: Lines) -> tuple[str, str]:
    """Return the header and what delimits its cells; some services write a preface before it."""
    delimiter = ""
    seen: list[str] = []
    for line in itertools.islice(lines, LONGEST_PREFACE):
        seen.append(line)
        line = line.lstrip("\ufeff")
        if told := _SEP_LINE.match(line):  # Excel's
            delimiter = told[1]
        elif line.strip() and _is_header(line, delimiter or _delimiter(line)):
            return line, delimiter or _delimiter(line)
    lines.give_back(seen)
    for line in lines:
        line = line.lstrip("\ufeff")
        if line.strip() and not _SEP_LINE.match(line):
            return line, delimiter or _delimiter(line)
    return "", ","


def _delimiter(line: str) -> str:
    bare = Counter(_QUOTED.sub("", line))
    return max(DELIMITERS, key=lambda mark: bare[mark])


def _is_header(line: str, delimiter: str) -> bool:
    cells, _ = _row(iter([line]), delimiter)
    names = {*map(_bare, cells)}
    known = {field for field, some in HEADERS.items() if names.intersection(some)}
    return len(cells) > 1 and len(known) > 1 and bool(known & {"title", "abstract"})


def _rows(source: Lines, delimiter: str, width: int) -> Iterator[tuple[int, list[str] | str]]:
    """Yield each row, or what is wrong with it, with the line it starts on.

    A quote that is never closed would swallow the rows below it: such a line is read without
    quoting, and those below it once more.
    """
    csv.field_size_limit(LARGEST_CELL)
    while True:
        start = source.count + 1
        taken: list[str] = []
        row, problem = _row(_recorded(source, taken), delimiter)
        if not taken:
            return
        if len(taken) > 1 and (problem or not _is_well_formed(taken, delimiter)):
            alone, _ = _row(iter(taken), delimiter, quoting=csv.QUOTE_NONE)
            if problem or len(alone) == width:
                source.give_back(taken[1:])
                row, problem = alone, ""
        yield start, problem or row


def _recorded(lines: Iterator[str], taken: list[str]) -> Iterator[str]:
    for line in lines:
        taken.append(line)
        yield line


def _row(
    lines: Iterator[str], delimiter: str, *, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> tuple[list[str], str]:
    """Return the next row, or else what is wrong with it."""
    try:
        return next(csv.reader(lines, delimiter=delimiter, quoting=quoting), []), ""
    except csv.Error as error:
        return [], str(error)


def _is_well_formed(lines: Sequence[str], delimiter: str) -> bool:
    try:
        return next(csv.reader(lines, delimiter=delimiter, strict=True), None) is not None
    except csv.Error:
        return False


def _bare(name: str) -> str:
    return _NOT_NAME.sub("", name).casefold()


def _header(names: Sequence[str], columns: Mapping[str, str]) -> _Header:
    """Find the columns of each field: those that the user names, then the known ones in order."""
    bare = [*map(_bare, names)]
    first = {name: place for place, name in reversed([*enumerate(bare)]) if name}
    if {"ti", "pt"} <= first.keys():  # Web of Science: ID holds its machine-made keywords
        first.pop("id", None)
    found: dict[str, list[int]] = {}
    for field, known in HEADERS.items():
        wanted = (_bare(columns[field]), *known) if field in columns else known
        if places := [first[name] for name in wanted if name in first]:
            found[field] = places
    twice = sorted(
        {name for name, bared in zip(names, bare, strict=True) if bare.count(bared) > 1 and bared}
    )
    remark = f"a header is there twice, the first counts: {', '.join(twice)}" if twice else None
    glued = "itemtitle" in first  # Springer writes its authors without anything between them
    return _Header(found, len(names), remark, split_glued if glued else split_authors)


def _found(line: int, row: Sequence[str], header: _Header, remark: str | None) -> Found:
    def cell(field: str) -> str:
        places = header.columns.get(field, ())
        return next((row[place] for place in places if place < len(row) and row[place].strip()), "")

    if "title" in header.columns and not cell("title"):
        # More often than not such a row is the rest of one that a line end has cut in two.
        return Found(line, reason="no title in a table that has titles")
    if any(map(str.strip, row[header.width :])):
        extra = f"{len(row)} cells under {header.width} headers"
        remark = f"{remark}; {extra}" if remark else extra
    raw = Raw(
        id=cell("id"),
        title=cell("title"),
        abstract=text_of(cell("abstract")),
        date=cell("date"),
        venue=cell("venue"),
        authors=header.split_authors(cell("authors")),
        doi=cell("doi"),
        url=cell("url"),
        keywords=split_keywords(cell("keywords")),
        arxiv=cell("arxiv"),
        pmid=cell("pmid"),
        remark=remark,
    )
    return found(line, raw)


def _no_columns(names: Sequence[str]) -> str:
    there = ", ".join(name.strip() for name in names[:20])
    return f"no title or abstract among its columns ({there[:200]}): say --columns title=NAME"

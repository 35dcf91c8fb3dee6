"""BibTeX and BibLaTeX: each entry a paper, its LaTeX read as text."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import TextIO

from .entries import Entry, read_entries
from .found import Found
from .identifiers import arxiv_id
from .names import split_keywords
from .raw import Raw, found

FRONT_MATTER = frozenset(
    ("proceedings", "collection", "mvcollection", "mvproceedings", "periodical")
)
_WITHIN = frozenset((*FRONT_MATTER, "book", "mvbook", "reference"))
VENUES = (
    "booktitle", "journal", "journaltitle", "eventtitle", "maintitle", "series", "school",
    "institution", "organization", "publisher",
)  # fmt: skip
_AND = re.compile(r" and ", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([_%&#~{}$])|[{}]")
_HEADER = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)


def read_bibtex(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a BibTeX or BibLaTeX text.

    Examples
    --------
    >>> import io
    >>> text = "@misc{k, title={{G}raphs and {\\'e}tudes}, author={A. Alpha and B. Beta}}"
    >>> [one] = read_bibtex(io.StringIO(text))
    >>> one.paper.id, one.paper.title, one.paper.authors
    ('k', 'Graphs and études', ('A. Alpha', 'B. Beta'))
    """
    parents: dict[str, Mapping[str, str]] = {}
    waiting: list[Entry] = []
    for entry in read_entries(text):
        if entry.kind in _WITHIN:
            parents[entry.key.casefold()] = entry.fields
        if "crossref" in entry.fields:  # its parent comes after it, as a rule
            waiting.append(entry)
        else:
            yield _found(entry)
    for entry in waiting:
        _inherit(entry.fields, parents.get(entry.fields["crossref"].strip().casefold(), {}))
        yield _found(entry)


def is_bibtex(head: str) -> bool:
    """Tell whether a line begins as an entry does."""
    return bool(_HEADER.search(head))


def _inherit(fields: dict[str, str], parent: Mapping[str, str]) -> None:
    for name in ("year", "date", "publisher", "series", "eventtitle"):
        if name in parent:
            fields.setdefault(name, parent[name])
    if "title" in parent:
        fields.setdefault("booktitle", parent.get("booktitle", parent["title"]))


def _found(entry: Entry) -> Found:
    if entry.kind in FRONT_MATTER:
        return Found(entry.line, reason=f"front matter: {entry.kind}, not a paper")
    get = entry.fields.get
    title, subtitle = get("title"), get("subtitle")
    raw = Raw(
        id=entry.key,
        title=f"{title}: {subtitle}" if title and subtitle else title,
        abstract=get("abstract"),
        date=get("year") or get("date"),
        venue=next((entry.fields[name] for name in VENUES if get(name)), None),
        authors=_authors(get("author", "")),
        doi=_bare(get("doi")),
        url=_bare(get("url") or get("ee")),
        keywords=_keywords(entry.fields),
        arxiv=_arxiv(entry.fields),
        pmid=get("pmid"),
        remark=entry.remark,
        tex=True,
    )
    return found(entry.line, raw)


def _authors(names: str) -> list[str]:
    """Split names at each *and* outside braces.

    Examples
    --------
    >>> _authors("{Research and Development} and Alpha, A. and others")
    ['{Research and Development}', 'Alpha, A.']
    """
    names = " ".join(names.split())
    authors, depth = [""], 0
    places = [0, *chain.from_iterable(match.span() for match in _AND.finditer(names)), len(names)]
    for start, end in pairwise(places):
        piece = names[start:end]
        if depth == 0 and _AND.fullmatch(piece):
            authors.append("")
        else:
            authors[-1] += piece
            depth += piece.count("{") - piece.count("}")
    return [name.strip() for name in authors if name.strip().lower() not in ("", "others")]


def _bare(text: str | None) -> str | None:
    r"""Take the braces and the escapes out of an identifier or address: ``10.1/a{\_}b``."""
    return _ESCAPE.sub(lambda match: match[1] or "", text) if text else None


def _keywords(fields: Mapping[str, str]) -> list[str]:
    names = ("keywords", "keyword", "author_keywords", "author-keywords")
    return split_keywords(next((fields[name] for name in names if fields.get(name)), ""))


def _arxiv(fields: Mapping[str, str]) -> str | None:
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv"
    eprint = arxiv_id(fields.get("eprint")) if archive.strip().lower() == "arxiv" else None
    return eprint or arxiv_id(fields.get("journal"))

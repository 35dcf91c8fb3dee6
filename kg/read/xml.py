"""XML of PubMed, arXiv (Atom) and DBLP."""

import re
from collections.abc import Callable, Iterator
from typing import TextIO
from xml.etree.ElementTree import Element

from .elements import read_elements
from .found import Found
from .identifiers import arxiv_id
from .names import without_number
from .raw import Raw, found

_ROOT = re.compile(r"<(?![?!])(?:\w+:)?(\w+)")
_FINAL_DOT = re.compile(r"(?<![.\s])\.\s*$")
_DBLP_KINDS = "article inproceedings incollection book phdthesis mastersthesis".split()
_DBLP_OTHERS = "proceedings www person data".split()
_PUBMED_DATES = ("Journal/JournalIssue/PubDate", "Book/PubDate", "ArticleDate", "ContributionDate")
_ERRORS = re.compile(r"arxiv\.org/api/errors")


class _NoPaper(Exception):
    """A record is no paper, with the reason."""


def read_pubmed(text: TextIO) -> Iterator[Found]:
    """Read the articles and book chapters of a PubMed XML text."""
    return _read(text, ("PubmedArticle", "PubmedBookArticle"), _from_pubmed)


def read_atom(text: TextIO) -> Iterator[Found]:
    """Read the entries of an Atom feed of arXiv; an error that it tells is no paper."""
    return _read(text, ("entry",), _from_atom)


def read_dblp(text: TextIO) -> Iterator[Found]:
    """Read the publications of a DBLP text; volumes and home pages are none."""
    return _read(text, (*_DBLP_KINDS, *_DBLP_OTHERS), _from_dblp)


def is_pubmed(head: str) -> bool:
    """Tell whether the root is a set of PubMed's articles."""
    return root_of(head) in ("PubmedArticleSet", "PubmedArticle", "PubmedBookArticleSet")


def is_atom(head: str) -> bool:
    """Tell whether the root is an Atom feed."""
    return root_of(head) == "feed"


def is_dblp(head: str) -> bool:
    """Tell whether the root is DBLP's."""
    return root_of(head) in ("dblp", "dblpperson")


def root_of(head: str) -> str | None:
    """Return the name of the root element if a text begins as XML does.

    Examples
    --------
    >>> root_of('<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">')
    'feed'
    """
    if not head.lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    root = _ROOT.search(head)
    return root[1] if root else None


def _read(
    text: TextIO, names: tuple[str, ...], to_raw: Callable[[Element], Raw]
) -> Iterator[Found]:
    for line, element, remark in read_elements(text, names):
        try:
            raw = to_raw(element)
        except _NoPaper as error:
            yield Found(line, reason=str(error))
        else:
            raw.remark = remark
            yield found(line, raw)


def _from_pubmed(record: Element) -> Raw:
    document = record.find("MedlineCitation/Article")
    if document is None:
        document = record.find("BookDocument")
    if document is None:
        raise _NoPaper("neither an article nor a part of a book")
    pmid = record.findtext("MedlineCitation/PMID") or record.findtext("BookDocument/PMID")
    dois = [
        *document.iterfind("ELocationID[@EIdType='doi']"),
        *record.iterfind("PubmedData/ArticleIdList/ArticleId[@IdType='doi']"),
    ]
    titles = ("ArticleTitle", "VernacularTitle", "Book/BookTitle")
    return Raw(
        id=pmid,
        title=next(filter(None, (_text(document, path) for path in titles)), None),
        abstract=" ".join(map(_part, document.iterfind("Abstract/AbstractText"))),
        date=next(filter(None, (_text(document, path) for path in _PUBMED_DATES)), None),
        venue=_text(document, "Journal/Title") or _text(document, "Book/BookTitle"),
        authors=[*map(_author, document.iterfind("AuthorList/Author"))],
        doi=dois[0].text if dois else None,
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else None,
        keywords=[_whole(word) for word in record.iterfind(".//KeywordList/Keyword")],
        pmid=pmid,
    )


def _part(element: Element) -> str:
    label, text = element.get("Label"), _whole(element)
    return f"{label}: {text}" if label and text and label != "UNLABELLED" else text


def _author(author: Element) -> str:
    names = ("ForeName", "LastName", "Suffix", "CollectiveName")
    return " ".join(filter(None, (_text(author, name) for name in names)))


def _from_atom(entry: Element) -> Raw:
    label = (entry.findtext("id") or "").strip()
    if _ERRORS.search(label):
        raise _NoPaper(f"arXiv answered with an error: {_text(entry, 'summary')}")
    links = {link.get("rel"): link.get("href") for link in entry.iterfind("link")}
    arxiv = arxiv_id(label)
    return Raw(
        id=arxiv_id(label, version=False) or label,
        title=_text(entry, "title"),
        abstract=_text(entry, "summary") or _text(entry, "content"),
        date=_text(entry, "published") or _text(entry, "updated"),
        venue=_text(entry, "journal_ref"),
        authors=[_text(author, "name") or "" for author in entry.iterfind("author")],
        doi=_text(entry, "doi"),
        url=links.get("alternate") or (label if label.startswith("http") else None),
        arxiv=arxiv,
    )


def _from_dblp(record: Element) -> Raw:
    if record.tag in _DBLP_OTHERS:
        raise _NoPaper(f"front matter or a home page: {record.tag}, not a paper")
    links = [link.text or "" for link in record.iterfind("ee")]
    venues = ("journal", "booktitle", "school", "publisher")
    return Raw(
        id=record.get("key"),
        title=_FINAL_DOT.sub("", _text(record, "title") or ""),
        date=_text(record, "year"),
        venue=next(filter(None, (_text(record, name) for name in venues)), None),
        authors=[without_number(_whole(author)) for author in record.iterfind("author")],
        doi=next((link for link in links if "doi.org/" in link), None),
        url=links[0] if links else None,
    )


def _whole(element: Element) -> str:
    return "".join(element.itertext()).strip()


def _text(element: Element, path: str) -> str | None:
    inner = element.find(path)
    return None if inner is None else _whole(inner) or None

"""What a source tells of a paper, in its own words -> a clean `Paper`: the one border of cleaning.

Every reader makes a `Raw` of a record and leaves the rest to `found`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..records import Paper
from .clean import clean_text, fold, printable
from .found import Found
from .identifiers import arxiv_id, normal_doi, pmid_of
from .language import is_english

LONGEST_ABSTRACT = 100_000
ENDLESS = 1_000
LONGEST_NOTICE = 340
LONGEST_SHORT_FIELD = 5_000
NOT_ENGLISH = "the abstract does not look English; kg was trained on English alone: trust it less"
NO_TEXT = "neither a title nor an abstract"

_YEAR = re.compile(r"(?<!\d)(1\d{3}|2[01]\d\d)(?:[01]\d[0-3]\d)?(?!\d)")
_PLACEHOLDERS = frozenset(
    {
        "",
        "abstract",
        "abstract not available",
        "abstract unavailable",
        "n/a",
        "na",
        "nan",
        "no abstract",
        "no abstract available",
        "no abstract provided",
        "none",
        "not available",
        "null",
        "summary",
        "tba",
        "tbd",
        "unavailable",
    }
)
_MARKS = " []().,:;*-–—_/"
_ENDLESS = re.compile(rf"[!-~]{{{ENDLESS},}}")
_HEADING = re.compile(r"abstract\s*(?:[:.—–]|-\s)\s*(?=\S)", re.IGNORECASE)
_NOTICE = (
    r"(?:©|\([cC]\)|Copyright(?:\s*(?:©|\([cC]\)))?)\s*"
    r"(?:[Tt]he [Aa]uthors?(?:\(s\))?[,.]?\s*)?(?:19|20)\d\d\b"
)
_NOTICE_AFTER = re.compile(rf"(?<=[.!?)\]])\s*{_NOTICE}.{{0,{LONGEST_NOTICE - 40}}}$")
_NOTICE_BEFORE = re.compile(
    rf"{_NOTICE}[^.]{{0,80}}\.(?:\s?[A-Z]\.)*(?:\s*[Aa]ll [Rr]ights [Rr]eserved\.)?\s*(?=\S)"
)


@dataclass(slots=True, kw_only=True)
class Raw:
    """A record as its source words it; texts uncleaned, dates as they are written.

    `tex` says that the texts are LaTeX throughout. `annotations` is the whole record where `kg`
    wrote it itself: its texts were cleaned before and must stay as they are.
    """

    id: str | None = None
    title: str | None = None
    abstract: str | None = None
    date: str | int | None = None
    venue: str | None = None
    authors: Sequence[str] = ()
    doi: str | None = None
    url: str | None = None
    keywords: Sequence[str] = ()
    arxiv: str | None = None
    pmid: str | None = None
    merged: Sequence[str] = ()
    remark: str | None = None
    tex: bool = False
    annotations: Mapping[str, Any] | None = None

    @property
    def clean(self) -> bool:
        """Whether the texts were cleaned before."""
        return self.annotations is not None


def found(line: int, raw: Raw) -> Found:
    """Return the paper that a record is, cleaned, or the reason why it is none.

    Examples
    --------
    >>> one = found(7, Raw(title="On  Graphs", abstract="N/A", date="c2016", doi="doi:10.9999/X"))
    >>> one.paper.title, one.paper.abstract, one.paper.year, one.paper.id
    ('On Graphs', None, 2016, '10.9999/x')
    """
    remarks = [raw.remark] if raw.remark else []
    title = _title(raw, remarks)
    abstract = _abstract(raw, remarks)
    if title is None and abstract is None:
        return Found(line, reason=NO_TEXT)
    doi, arxiv, pmid = normal_doi(raw.doi), arxiv_id(raw.arxiv), pmid_of(raw.pmid)
    paper = Paper(
        id=_identifier(raw.id) or (doi or arxiv or pmid or ""),
        title=title,
        abstract=abstract,
        year=year_of(raw.date),
        venue=_clean(raw.venue, raw, LONGEST_SHORT_FIELD),
        authors=_all(raw.authors, raw),
        doi=doi,
        url=_identifier(raw.url) or (f"https://arxiv.org/abs/{arxiv}" if arxiv else None),
        keywords=_all(raw.keywords, raw),
        merged=tuple(filter(None, map(_identifier, raw.merged))),
    )
    return Found(
        line,
        paper,
        None,
        _keys(raw.id or "", arxiv, pmid),
        "; ".join(remarks) or None,
        raw.annotations,
    )


def year_of(date: object) -> int | None:
    """Return the year of a date in any spelling, or None.

    Examples
    --------
    >>> [year_of(date) for date in (2020, "2019/03/01/", "1 Jan.-Feb. 2017", "20155", "in press")]
    [2020, 2019, 2017, None, None]
    """
    match = _YEAR.search(str(date)) if date is not None else None
    return int(match[1]) if match else None


def _title(raw: Raw, remarks: list[str]) -> str | None:
    title = _clean(raw.title, raw, LONGEST_SHORT_FIELD)
    if not title or raw.clean:
        return title
    if len(raw.title or "") > LONGEST_SHORT_FIELD:
        remarks.append(f"the title is cut at {LONGEST_SHORT_FIELD:,} characters")
    return _without_endless(title, remarks).strip() or None


def _abstract(raw: Raw, remarks: list[str]) -> str | None:
    if raw.clean:
        return _clean(raw.abstract, raw, LONGEST_ABSTRACT)
    text = raw.abstract or ""
    # Four times the length, since markup can take up more than the text does.
    abstract = _clean(text[: 4 * LONGEST_ABSTRACT], raw, None) or ""
    abstract = _without_notice(_without_endless(abstract, remarks))
    if len(abstract) < 40 and abstract.casefold().strip(_MARKS) in _PLACEHOLDERS:
        return None
    if len(abstract) > LONGEST_ABSTRACT:
        abstract = abstract[:LONGEST_ABSTRACT].rsplit(" ", 1)[0]
        remarks.append(f"the abstract is cut at {LONGEST_ABSTRACT:,} of {len(text):,} characters")
    if not is_english(abstract):
        remarks.append(NOT_ENGLISH)
    return abstract


def _without_endless(text: str, remarks: list[str]) -> str:
    """Leave out runs without a blank that no word is as long as; Chinese needs no blanks."""
    if len(text) > ENDLESS and len(max(text.split(), key=len)) > ENDLESS:
        text, count = _ENDLESS.subn(" ", text)
        if count:
            remarks.append(f"{count} runs of over {ENDLESS:,} characters without a blank left out")
            text = " ".join(text.split())
    return text


def _without_notice(abstract: str) -> str:
    """Take off the heading "Abstract:" and a notice of copyright: they say nothing of a paper."""
    if heading := _HEADING.match(abstract):
        abstract = abstract[heading.end() :]
    if notice := _NOTICE_BEFORE.match(abstract):
        abstract = abstract[notice.end() :]
    tail = abstract[-LONGEST_NOTICE:]
    if "©" in tail or "Copyright" in tail or "(c)" in tail.lower():
        abstract = _NOTICE_AFTER.sub("", abstract)
    return abstract


def _clean(text: str | None, raw: Raw, longest: int | None) -> str | None:
    if not isinstance(text, str):
        return None
    text = text[:longest]
    return (fold(text) if raw.clean else clean_text(text, tex=raw.tex)) or None


def _all(texts: Sequence[str], raw: Raw) -> tuple[str, ...]:
    """Return the texts cleaned, the empty and the repeated ones left out."""
    cleaned = (_clean(text, raw, LONGEST_SHORT_FIELD) for text in texts)
    return tuple(dict.fromkeys(filter(None, cleaned)))


def _identifier(text: str | None) -> str:
    return printable(text).strip() if text else ""


def _keys(own: str, arxiv: str | None, pmid: str | None) -> tuple[tuple[str, str], ...]:
    """Return the identifiers that tell equal papers, beyond what `Paper.doi` and its url say."""
    keys = (
        ("doi", normal_doi(own) if own.startswith(("10.", "doi:", "http")) else None),
        ("arxiv", arxiv_id(arxiv or own, version=False)),
        ("pmid", pmid),
    )
    return tuple((kind, key) for kind, key in keys if key)

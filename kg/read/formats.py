"""The input formats, and how a file's format is told: by its content, then by its suffix."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

from .bibtex import is_bibtex, read_bibtex
from .found import Found
from .jsonl import is_json, is_json_lines, read_json, read_json_lines
from .parquet import read_parquet
from .streams import PARQUET_MARK, Refused
from .table import is_table, read_table
from .tagged import is_medline, is_ris, is_wos, read_medline, read_ris, read_wos
from .text import read_text
from .xml import is_atom, is_dblp, is_pubmed, read_atom, read_dblp, read_pubmed, root_of

_SHAPES = (
    "canonical, arXiv snapshot, OpenAlex, Semantic Scholar, S2ORC, OpenReview, Crossref, "
    "CSL-JSON, Zotero, Papers with Code"
)


@dataclass(frozen=True, slots=True)
class Format:
    """An input format: its name, the suffixes it comes with, how it is told, and its reader."""

    name: str
    suffixes: tuple[str, ...]
    told_by: str
    matches: Callable[[str], bool]
    read: Callable[[TextIO], Iterator[Found]]


TABLE = Format(
    "CSV and TSV",
    (".csv", ".tsv", ".tab"),
    "the first line is a header that names a title or an abstract and one thing more "
    "(Scopus, Web of Science, IEEE, Springer, Lens, Zotero, OpenAlex, ORKG, or any by --columns)",
    is_table,
    read_table,
)
TEXT = Format(
    "plain text",
    (".txt", ".text"),
    "anything else that is text: abstracts between blank lines",
    lambda head: False,
    read_text,
)
# The first that matches is the format.
FORMATS = (
    Format(
        "JSON Lines",
        (".jsonl", ".ndjson", ".jsonlines"),
        f"one of the first two lines is a whole JSON object; the fields tell its shape: {_SHAPES}",
        is_json_lines,
        read_json_lines,
    ),
    Format(
        "JSON",
        (".json", ".csljson"),
        "the text is a JSON object or an array of them, also wrapped (results, data, items, "
        "notes, submissions, message.items); the same shapes",
        is_json,
        read_json,
    ),
    Format(
        "BibTeX and BibLaTeX",
        (".bib", ".bibtex", ".biblatex"),
        "a line begins as an entry does: @article{",
        is_bibtex,
        read_bibtex,
    ),
    Format("RIS", (".ris",), "a line begins a record: TY  -", is_ris, read_ris),
    Format(
        "Web of Science",
        (".ciw",),
        "the text begins with the tags FN, VR or PT",
        is_wos,
        read_wos,
    ),
    Format(
        "MEDLINE",
        (".nbib", ".medline"),
        "a line begins a record: PMID- and a number",
        is_medline,
        read_medline,
    ),
    Format("PubMed XML", (".xml",), "the root is PubmedArticleSet", is_pubmed, read_pubmed),
    Format("arXiv Atom", (".xml", ".atom"), "the root is feed", is_atom, read_atom),
    Format("DBLP XML", (".xml",), "the root is dblp or dblpperson", is_dblp, read_dblp),
    TABLE,
    Format(
        "Parquet",
        (".parquet", ".pq"),
        "the file begins with PAR1; the shapes of JSON (needs the extra parquet)",
        lambda head: head.startswith(PARQUET_MARK.decode()),
        read_parquet,
    ),
    TEXT,
)
SUFFIXES = frozenset(suffix for form in FORMATS for suffix in form.suffixes)


def format_of(head: str, suffix: str = "", *, columns: Mapping[str, str] | None = None) -> Format:
    """Return the format of a text by its beginning, else by its suffix.

    Parameters
    ----------
    head
        The beginning of the text.
    suffix
        The suffix of its file.
    columns
        Which headers of a table hold which fields; then what nothing else tells is a table.

    Raises
    ------
    Refused
        If it is a web page.

    Examples
    --------
    >>> format_of('{"title": "X"}\\n').name, format_of("We study X.").name
    ('JSON Lines', 'plain text')
    """
    head = head.lstrip("\ufeff")
    if head.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        raise Refused("a web page: export the papers on it, say as BibTeX or CSV")
    if suffix == ".xml" or head.lstrip().startswith("<?xml"):
        _check_root(head)
    told = next((form for form in FORMATS if form.matches(head)), None)
    by_suffix = next((form for form in FORMATS if suffix in form.suffixes), None)
    unknown = TABLE if columns and by_suffix in (None, TEXT) else by_suffix or TEXT
    return told or unknown


def _check_root(head: str) -> None:
    root = root_of(head)
    if not any(form.matches(head) for form in FORMATS if ".xml" in form.suffixes):
        raise Refused(f"XML that kg does not read: its root is {root or 'nowhere to be seen'}")

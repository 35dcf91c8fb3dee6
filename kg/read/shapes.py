"""JSON records in the shapes of services and dumps -> `Raw`.

A shape is data: how it is told, and for each field of a paper the paths that lead to it, the best
first. `kg.read.values.dig` walks them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .annotated import is_annotated
from .identifiers import arxiv_id
from .raw import Raw
from .values import (
    Paths,
    Record,
    date_of,
    first,
    label_of,
    names_of,
    paths_of,
    text_of,
    title_of,
    words_of,
)

_CSL_KEYS = frozenset(("issued", "container-title", "DOI", "citation-key", "event-title"))
_ATTACHED = ("attachment", "note", "annotation")


class NoPaper(Exception):
    """A record is no paper, with the reason."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of records: how it is told, and where the fields of a paper are in it.

    `refuse` gives the reason why a record is no paper; `page` and the id make an address; `prefix`
    is what ids begin with for nothing.
    """

    name: str
    told_by: Callable[[Record], bool]
    paths: Mapping[str, Paths]
    refuse: Callable[[Record], str | None] = lambda record: None
    page: str = ""
    prefix: str = ""


def raw_of(record: object) -> Raw:
    """Return what a record of any known shape tells of a paper.

    Raises
    ------
    NoPaper
        If it tells of something else: a review, an attachment, a deleted note.

    Examples
    --------
    >>> raw = raw_of({"paperId": "a1", "title": "X", "externalIds": {"DOI": "10.9999/x"}})
    >>> raw.id, raw.doi
    ('a1', '10.9999/x')
    """
    if not isinstance(record, dict):
        raise NoPaper("not a JSON object")
    shape = next(shape for shape in SHAPES if shape.told_by(record))
    if reason := shape.refuse(record):
        raise NoPaper(reason)

    def get(field: str, read: Callable[[Any], Any]) -> Any:
        return first(record, shape.paths.get(field, ()), read)

    label = (get("id", label_of) or "").removeprefix(shape.prefix)
    title, subtitle = get("title", title_of), get("subtitle", text_of)
    return Raw(
        id=label,
        title=f"{title}: {subtitle}" if title and subtitle else title,
        abstract=get("abstract", text_of),
        date=get("date", date_of),
        venue=get("venue", text_of),
        authors=get("authors", names_of) or (),
        doi=get("doi", label_of),
        url=get("url", label_of) or (shape.page + label if shape.page and label else None),
        keywords=get("keywords", words_of) or (),
        arxiv=arxiv_id(get("arxiv", label_of)),
        pmid=get("pmid", label_of),
        merged=words_of(record.get("merged")) if shape is CANONICAL else (),
        annotations=record if is_annotated(record) else None,
    )


def _has(*keys: str) -> Callable[[Record], bool]:
    return lambda record: any(key in record for key in keys)


def _is_openalex(record: Record) -> bool:
    return "abstract_inverted_index" in record or "openalex.org/W" in str(record.get("id"))


def _is_crossref(record: Record) -> bool:
    return "DOI" in record and isinstance(record.get("title"), list)


def _is_csl(record: Record) -> bool:
    authors = record.get("author")
    if isinstance(authors, list) and any(
        isinstance(one, dict) and "family" in one for one in authors
    ):
        return True
    return "type" in record and not _CSL_KEYS.isdisjoint(record)


def _no_submission(record: Record) -> str | None:
    if record.get("ddate"):
        return "deleted on OpenReview"
    own, forum = record.get("id"), record.get("forum")
    if record.get("replyto") or (own and forum and own != forum):
        return "a review, a reply or a revision, not a paper"
    return None


def _no_item(record: Record) -> str | None:
    kind = record.get("itemType")
    return f"a Zotero {kind}, not a paper" if kind in _ATTACHED else None


def _paths(**fields: str) -> dict[str, Paths]:
    return {field: paths_of(paths) for field, paths in fields.items()}


CANONICAL = Shape(
    "canonical",
    lambda record: True,
    _paths(
        id="id paper_id metadata.id _id uid",
        title="title metadata.title Title name display_name",
        abstract="abstract metadata.abstract Abstract summary",
        date="year date publication_year published published_date metadata.year update_date",
        venue="venue journal booktitle conference site track metadata.venue",
        authors="authors author metadata.authors",
        doi="doi DOI metadata.doi",
        url="url URL link pdf",
        keywords="keywords keyword tags",
        arxiv="arxiv_id arxivId arxiv",
        pmid="pmid PMID pubmed_id",
    ),
)
# The first that is told is the shape; the canonical one is told by none of the others.
SHAPES = (
    Shape(
        "OpenReview",
        lambda record: isinstance(record.get("content"), dict) and "abstract" not in record,
        _paths(
            id="id forum",
            title="content.title",
            abstract="content.abstract",
            date="pdate odate cdate tcdate content.year",
            venue="content.venue content.venueid invitation",
            authors="content.authors",
            url="url",
            keywords="content.keywords",
        ),
        _no_submission,
        page="https://openreview.net/forum?id=",
    ),
    Shape(
        "arXiv snapshot",
        _has("authors_parsed", "submitter"),
        _paths(
            id="id",
            title="title",
            abstract="abstract",
            date="versions.0.created update_date",
            venue="journal-ref",
            authors="authors_parsed authors",
            doi="doi",
            arxiv="id",
        ),
    ),
    Shape(
        "OpenAlex",
        _is_openalex,
        _paths(
            id="id",
            title="title display_name",
            abstract="abstract_inverted_index abstract",
            date="publication_year publication_date",
            venue="primary_location.source.display_name host_venue.display_name",
            authors="authorships.[].author.display_name authorships.[].raw_author_name",
            doi="doi ids.doi",
            url="primary_location.landing_page_url id",
            keywords="keywords topics concepts",
            pmid="ids.pmid",
        ),
        prefix="https://openalex.org/",
    ),
    Shape(
        "Crossref",
        _is_crossref,
        _paths(
            id="DOI",
            title="title",
            subtitle="subtitle.0",
            abstract="abstract",
            date="issued published published-print published-online created",
            venue="container-title.0 event.name",
            authors="author",
            doi="DOI",
            url="URL",
            keywords="subject",
        ),
    ),
    Shape(
        "Zotero",
        _has("itemType"),
        _paths(
            id="citationKey itemKey key",
            title="title",
            abstract="abstractNote",
            date="date",
            venue="publicationTitle proceedingsTitle conferenceName bookTitle university",
            authors="creators",
            doi="DOI",
            url="url",
            keywords="tags",
            arxiv="archiveID",
        ),
        _no_item,
    ),
    Shape(
        "Papers with Code",
        _has("paper_url", "proceeding"),
        _paths(
            id="arxiv_id paper_url",
            title="title",
            abstract="abstract short_abstract",
            date="date",
            venue="proceeding conference",
            authors="authors",
            url="url_abs url_pdf paper_url",
            keywords="tasks",
            arxiv="arxiv_id url_abs",
        ),
    ),
    Shape(
        "Semantic Scholar",
        _has("paperId", "corpusId", "corpusid", "externalIds", "externalids", "s2_url"),
        _paths(
            id="paperId paper_id corpusId corpusid",
            title="title metadata.title",
            abstract="abstract metadata.abstract",
            date="year publicationDate publicationdate",
            venue="venue journal.name publicationVenue.name journal",
            authors="authors metadata.authors",
            doi="externalIds.DOI externalids.DOI doi",
            url="url s2_url",
            keywords="fieldsOfStudy s2FieldsOfStudy.[].category mag_field_of_study",
            arxiv="externalIds.ArXiv externalids.ArXiv arxiv_id",
            pmid="externalIds.PubMed externalids.PubMed pubmed_id",
        ),
    ),
    Shape(
        "CSL",
        _is_csl,
        _paths(
            id="id citation-key",
            title="title",
            abstract="abstract",
            date="issued",
            venue="container-title event-title collection-title publisher",
            authors="author",
            doi="DOI",
            url="URL",
            keywords="keyword categories",
            pmid="PMID",
        ),
    ),
    CANONICAL,
)

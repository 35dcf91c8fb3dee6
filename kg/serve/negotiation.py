"""Which of several media types a client would rather have (RFC 9110, section 12.5.1)."""

from collections.abc import Iterator, Sequence

# What SPARQL results and graphs are written as, best first: the media type and our name of it.
RESULTS = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
}
TRIPLES = {
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/ld+json": "jsonld",
    "application/rdf+xml": "rdfxml",
}
HTML = "text/html"


def chosen(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the offer that an ``Accept`` header likes best, the first of equals, None if none.

    Examples
    --------
    >>> chosen("text/csv;q=0.5, text/*;q=0.1", ["text/html", "text/csv"])
    'text/csv'
    >>> chosen(None, ["text/html"]), chosen("image/png", ["text/html"])
    ('text/html', None)
    """
    if accept is None or not accept.strip():
        return offers[0]
    ranges = list(_ranges(accept))
    liked = [(_quality(offer, ranges), offer) for offer in offers]
    best = max(quality for quality, _ in liked)
    return next(offer for quality, offer in liked if quality == best) if best > 0 else None


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the media ranges of a header with their qualities; nought if malformed."""
    for part in accept.split(","):
        media, *parameters = (one.strip().lower() for one in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    quality = min(max(float(value), 0.0), 1.0)
                except ValueError:
                    quality = 0.0
        yield media, quality


def _quality(offer: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the quality of an offer, which is that of the most precise range that holds it."""
    group = offer.partition("/")[0]
    for wanted in (offer, f"{group}/*", "*/*"):
        qualities = [quality for media, quality in ranges if media == wanted]
        if qualities:
            return max(qualities)
    return 0.0

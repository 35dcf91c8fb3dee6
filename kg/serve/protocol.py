"""The query operation of the SPARQL 1.1 Protocol: from an HTTP request to a query, or a refusal."""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from ..errors import KgError

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
UPDATE = "application/sparql-update"
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
MOST_BODY = 1 << 20
MOST_ADDRESS = 32 << 10
MOST_QUERY = 100_000

_DATASET = ("default-graph-uri", "named-graph-uri")


class Refused(KgError):
    """A request that is answered with an error: its status, what is wrong, and further headers."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request holds: its method, the part of its address after ``?``, type and body."""

    method: str
    address: str = ""
    content_type: str = ""
    body: bytes = field(default=b"", repr=False)


def query_of(asked: Asked) -> str | None:
    """Return the query that a request holds, or None if it asks for the service itself.

    Parameters
    ----------
    asked
        The request.

    Raises
    ------
    Refused
        If it holds no query as the protocol says, one that is too long, or something besides
        that this service does not do.

    Examples
    --------
    >>> query_of(Asked("GET", "query=ASK+%7B%7D"))
    'ASK {}'
    """
    if len(asked.address) > MOST_ADDRESS:
        raise Refused(414, "the address is too long: send the query by POST")
    parameters = _parameters(asked.address)
    query = _posted(asked, parameters) if asked.method == "POST" else _only_query(parameters)
    if query and len(query) > MOST_QUERY:
        raise Refused(413, f"the query is longer than {MOST_QUERY:,} characters")
    return query


def _posted(asked: Asked, parameters: list[tuple[str, str]]) -> str:
    """Return the query that the body of a request holds."""
    if len(asked.body) > MOST_BODY:
        raise Refused(413, f"the body is longer than {MOST_BODY:,} bytes")
    media, charset = _media(asked.content_type)
    if media == UPDATE:
        raise _update()
    if media not in (FORM, QUERY) or charset not in ("utf-8", "us-ascii"):
        raise Refused(415, f"send the query as {FORM} or {QUERY} in UTF-8")
    if media == FORM:
        query = _only_query([*parameters, *_parameters(_text(asked.body))])
        if query is None:
            raise Refused(400, "the form has no query: send one as `query`")
        return query
    if _only_query(parameters) is not None:
        raise Refused(400, "there is a query in the address and one in the body: send one")
    return _text(asked.body)


def _only_query(parameters: list[tuple[str, str]]) -> str | None:
    """Return the one query among the parameters of a request."""
    names = [name for name, _ in parameters]
    if "update" in names:
        raise _update()
    if given := [name for name in _DATASET if name in names]:
        raise Refused(400, f"{given[0]}: the service has one graph alone; leave it out")
    queries = [value for name, value in parameters if name == "query"]
    if len(queries) > 1:
        raise Refused(400, "there is more than one query: send one")
    return queries[0] if queries else None


def _update() -> Refused:
    message = "this service only reads: an update is not done"
    return Refused(405, message, Allow=", ".join(METHODS))


def _parameters(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError:  # also of bytes that are no UTF-8
        raise Refused(400, "the parameters are not UTF-8, or too many") from None


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Refused(400, "the body is not UTF-8") from None


def _media(content_type: str) -> tuple[str, str]:
    """Return the media type and the character set of a content type."""
    media, *parameters = (part.strip().lower() for part in content_type.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    known = {name.strip(): value.strip().strip('"') for name, _, value in pairs}
    return media, known.get("charset", "utf-8")

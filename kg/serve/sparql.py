"""The SPARQL endpoint: a query in, its answer in the format that the client likes best out."""

import hashlib
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, Response

from ..errors import QueryError
from ..query.engine import DEFAULT_TIMEOUT, failed
from ..query.process import Ended, TookTooLong
from ..query.results import KINDS
from ..query.syntax import check, tokens
from .description import service_description
from .negotiation import HTML, RESULTS, TRIPLES, chosen
from .pages import sparql_page
from .pool import Pool
from .protocol import METHODS, MOST_BODY, Asked, Refused, query_of
from .things import Things

if TYPE_CHECKING:
    from starlette.requests import Request

# Functions whose answer is another each time.
_FICKLE = frozenset(("now", "rand", "uuid", "struuid"))
_FRESH = {"Cache-Control": "no-cache", "Vary": "Accept"}


class Endpoint:
    """The SPARQL endpoint of a site."""

    def __init__(self, things: Things, pool: Pool, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.site = things.site
        self.things = things
        self.pool = pool
        self.timeout = timeout

    async def __call__(self, request: "Request") -> Response:
        """Answer a request of any method."""
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": ", ".join(METHODS)})
        query = query_of(await _asked(request))
        accept = request.headers.get("accept")
        if request.method != "POST" and chosen(accept, [*RESULTS, *TRIPLES, HTML]) == HTML:
            examples = await run_in_threadpool(lambda: self.things.examples)
            page = sparql_page(self.site, query, examples=examples)
            return HTMLResponse(page, headers=_FRESH)
        if query is None:
            return self._description(request)
        return await self._answer(request, query)

    def _description(self, request: "Request") -> Response:
        media = chosen(request.headers.get("accept"), [*TRIPLES, HTML])
        if media is None or media == HTML:
            raise _unacceptable(*TRIPLES)
        address = str(request.url.replace(query="", fragment=""))
        body = service_description(address, TRIPLES[media])
        return Response(body, media_type=media, headers=_FRESH)

    async def _answer(self, request: "Request", query: str) -> Response:
        accept = request.headers.get("accept")
        media = {"results": chosen(accept, list(RESULTS)), "triples": chosen(accept, list(TRIPLES))}
        if not any(media.values()):
            raise _unacceptable(*RESULTS, *TRIPLES)
        try:
            check(query, prefixes=self.site.prefixes)
        except QueryError as error:
            raise Refused(400, str(error)) from None
        headers = {**_FRESH, "ETag": self._tag(query, media)}
        if any(token.text.lower() in _FICKLE for token in tokens(query)):
            headers = {"Cache-Control": "no-store"}
        elif request.method != "POST" and _is_known(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        kind, data = await self._run(request, query, media)
        found = media["triples" if kind == "graph" else "results"]
        return Response(data, media_type=found, headers=headers)

    async def _run(
        self, request: "Request", query: str, media: dict[str, str | None]
    ) -> tuple[str, bytes]:
        """Return the answer of a worker, or refuse with what has gone wrong."""
        wanted = {
            "results": RESULTS.get(media["results"] or ""),
            "triples": TRIPLES.get(media["triples"] or ""),
        }
        told = {"sparql": query, "prefixes": dict(self.site.prefixes), **wanted}
        try:
            kind, data = await self.pool.answer(
                told, timeout=self.timeout, is_gone=request.is_disconnected
            )
        except (TookTooLong, Ended) as error:
            raise Refused(503, str(error), Retry_After="60") from None
        if kind == "Unacceptable":
            raise _unacceptable(*(RESULTS if wanted["results"] is None else TRIPLES))
        if kind not in KINDS:
            status = 400 if kind == "SyntaxError" else 500
            raise Refused(status, str(failed(kind, data.decode(errors="replace"))))
        return kind, data

    def _tag(self, query: str, media: dict[str, str | None]) -> str:
        """Return what names the answer: a function of the build, the query and the format."""
        content = "\n".join((self.site.version, str(sorted(media.items(), key=str)), query))
        return f'"{hashlib.sha256(content.encode(errors="replace")).hexdigest()[:32]}"'


async def _asked(request: "Request") -> Asked:
    """Return a request with its body, of which no more is read than may be sent."""
    body = bytearray()
    if request.method == "POST":
        try:
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY:
                    break
        except ClientDisconnect:
            raise Refused(400, "the body ended too early") from None
    content_type = request.headers.get("content-type", "")
    return Asked(request.method, request.url.query, content_type, bytes(body))


def _is_known(request: "Request", tag: str) -> bool:
    """Return whether the client holds the answer of this name already."""
    given = request.headers.get("if-none-match", "")
    return tag in (one.strip().removeprefix("W/") for one in given.split(","))


def _unacceptable(*offers: str) -> Refused:
    return Refused(406, f"the answer can be written as {', '.join(offers)}; ask for one of them")

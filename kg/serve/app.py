"""The web application of a build: the explorer, the SPARQL endpoint, and a page for every thing."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ..errors import KgError
from ..export.html import served
from ..export.page.fragment import fragment
from ..query.engine import DEFAULT_TIMEOUT
from .guard import Current, Guard
from .pages import static
from .pool import Pool
from .protocol import METHODS, Refused
from .site import Site
from .sparql import Endpoint
from .things import Things

if TYPE_CHECKING:
    from starlette.requests import Request

_STATIC = {".css": "text/css", ".js": "text/javascript"}


def make_app(
    build: str | os.PathLike[str],
    *,
    hosts: Sequence[str] | None = None,
    cors: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Starlette:
    """Return the application that serves a build, for any ASGI server.

    Parameters
    ----------
    build
        The folder of a build. A store is written beside it if there is none (`kg.query.store`).
    hosts
        The names by which the server may be addressed; any if left out.
    cors
        The origin whose pages may ask this server, ``*`` for any.
    timeout
        The seconds that a query may take.

    Raises
    ------
    OutputError
        If the folder holds no build, or a damaged one.
    """
    site = Site.of(Path(build))
    things = Things(site)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = Pool(site.graph)
        app.state.endpoint = Endpoint(things, pool, timeout=timeout)
        try:
            yield
        finally:
            pool.close()

    guard = Middleware(Guard, hosts=hosts)
    shared = [_shared_with(cors)] if cors else []
    return Starlette(
        routes=[
            Route("/", partial(_explorer, site)),
            Route("/sparql", _sparql, methods=list(METHODS)),
            Route("/api/search", partial(_search, things)),
            Route("/api/node", partial(_node, things)),
            Route("/static/{name}", _static),
            Route("/{path:path}", things.respond),
        ],
        middleware=[guard, *shared, Middleware(Current, site=site)],
        exception_handlers={
            Refused: _refused,
            KgError: _failed,
            HTTPException: _plain,
        },
        lifespan=lifespan,
    )


def _shared_with(origin: str) -> Middleware:
    """Return what lets the pages of another site ask."""
    return Middleware(
        CORSMiddleware,
        allow_origins=[origin],
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=["ETag"],
    )


def _explorer(site: Site, request: "Request") -> Response:
    try:
        page = (site.build / "graph.html").read_bytes()
    except OSError:
        raise HTTPException(404, "this build has no page: build it again") from None
    with suppress(ValueError):  # of another version: it asks the server for nothing
        page = served(page)
    return Response(page, media_type="text/html", headers={"Cache-Control": "no-cache"})


async def _sparql(request: "Request") -> Response:
    response: Response = await request.app.state.endpoint(request)
    return response


def _search(things: Things, request: "Request") -> Response:
    return JSONResponse(things.names.search(request.query_params.get("q", "")))


def _node(things: Things, request: "Request") -> Response:
    key = request.query_params.get("key", "")
    try:
        return JSONResponse(fragment(things.neighbourhoods.around(key), key))
    except KeyError:
        return JSONResponse({"error": f"{key}: no node has this key"}, status_code=404)


def _static(request: "Request") -> Response:
    name = request.path_params["name"]
    body = static(name)
    if body is None:
        raise HTTPException(404, f"{name}: there is no such file")
    return Response(body, media_type=_STATIC[Path(name).suffix])


def _refused(request: "Request", error: Exception) -> Response:
    assert isinstance(error, Refused)
    return PlainTextResponse(f"{error}\n", status_code=error.status, headers=error.headers)


def _failed(request: "Request", error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", status_code=500)


def _plain(request: "Request", error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(
        f"{error.detail}\n", status_code=error.status_code, headers=error.headers
    )

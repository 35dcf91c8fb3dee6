"""What every answer of the server has in common: who may ask, and what a browser may do with it."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from .site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Guard:
    """Refuse requests to another host's name, and add the headers that browsers heed.

    A page of another site can have its own name lead to this machine (DNS rebinding) and would
    then read all answers; the name in its requests gives it away.
    """

    def __init__(self, app: "ASGIApp", *, hosts: Sequence[str] | None) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # The page of the graph has its own policy, which lets its own scripts run.
        policy = "frame-ancestors 'none'" if scope["path"] == "/" else _POLICY

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = policy
            await send(message)

        app = self.app
        if self.hosts is not None and _name(Headers(scope=scope).get("host", "")) not in self.hosts:
            app = PlainTextResponse("this server has another name\n", status_code=421)
        await app(scope, receive, send_with_headers)


class Current:
    """Answer for a build only as long as its folder holds it, and end without a traceback.

    What was opened of the old build and what is read of the new one would contradict each other.
    """

    def __init__(self, app: "ASGIApp", *, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        app = self._changed() if self.site.has_changed else self.app
        begun = False

        async def send_and_know(message: "Message") -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, send_and_know)
        except asyncio.CancelledError:  # the server stops
            if not begun:
                await PlainTextResponse("the server stops\n", 503)(scope, receive, send)
        except Exception:
            if begun or not self.site.has_changed:  # it may have changed in the meantime
                raise
            await self._changed()(scope, receive, send)

    def _changed(self) -> PlainTextResponse:
        return PlainTextResponse(
            f"the build in {self.site.build} has changed: start the server anew\n", 503
        )


def _name(host: str) -> str:
    """Return a host without its port.

    Examples
    --------
    >>> _name("localhost:8000"), _name("[::1]:8000"), _name("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).lower()

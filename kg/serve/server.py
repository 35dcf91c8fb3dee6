"""Run the server of a build until it is told to stop."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from ..errors import MissingExtra, OutputError
from ..query.engine import DEFAULT_TIMEOUT

HOST = "127.0.0.1"
PORT = 8000


def serve(
    build: str | os.PathLike[str] = "exports",
    *,
    host: str = HOST,
    port: int = PORT,
    cors: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    ready: Callable[[str], object] = lambda address: None,
) -> None:
    """Serve the explorer and the SPARQL endpoint of a build until interrupted.

    On this machine alone (the default) the server answers only to the names of this machine, so
    that no page of another site can read it.

    Parameters
    ----------
    build
        The folder of a build.
    host, port
        Where to listen; port 0 takes one that is free.
    cors
        The origin whose pages may ask this server (``https://example.org``), ``*`` for any.
    timeout
        The seconds that a query may take.
    ready
        Called with the address as soon as the server listens.

    Raises
    ------
    MissingExtra
        If Starlette or uvicorn is not installed.
    OutputError
        If the folder holds no build, or the address cannot be listened at.
    """
    try:
        import uvicorn

        from .app import make_app
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing not in ("starlette", "uvicorn"):
            raise
        raise MissingExtra(f"{missing} is not installed: pip install '.[serve]'") from None
    local = is_loopback(host)
    hosts = ("127.0.0.1", "localhost", "[::1]", host.lower()) if local else None
    app = make_app(build, hosts=hosts, cors=cors, timeout=timeout)
    config = uvicorn.Config(
        app,
        http="h11",
        log_level="error",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=1 << 18,
        timeout_graceful_shutdown=1,
    )
    with _listening(host, port) as listener:
        name = f"[{host}]" if ":" in host else host
        ready(f"http://{name}:{listener.getsockname()[1]}/")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine under a name that no other machine can use.

    Examples
    --------
    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(
            f"{host}:{port} cannot be listened at ({reason}); choose another --port or --host"
        ) from None

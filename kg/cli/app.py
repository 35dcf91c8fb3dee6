"""The command line: each command parses, calls one function of the library, and prints."""

import io
import os
import signal
import sys
from typing import Annotated

import typer

from .. import __version__
from ..errors import KgError

app = typer.Typer(
    name="kg",
    help="Turn a pile of papers into a graph of the concepts that they share.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line; an error of `kg` is one line and exit code 1."""
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, lambda told, _: sys.exit(128 + told))  # so that all is cleaned up
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    add_commands()
    try:
        app()
    except KgError as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader of our output has gone: nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename or 'output'}: {error.strerror or error}; check the place")


def _fail(message: str) -> None:
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(1)


def add_commands() -> None:
    """Let each module of commands add its own."""
    from . import make  # noqa: F401  isort: skip  (the order of --help)
    from . import convert, query, serve  # noqa: F401


def _version(wanted: bool) -> None:
    if wanted:
        print(f"kg {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None: ...

"""The command line: each command parses, calls one function of the library, and prints."""

import os
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
    add_commands()
    try:
        app()
    except KgError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has gone: nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def add_commands() -> None:
    """Let each module of commands add its own."""
    from . import make  # noqa: F401  isort: skip  (the order of --help)
    from . import convert, query  # noqa: F401


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

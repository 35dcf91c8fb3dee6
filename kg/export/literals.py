"""Values as literals in N-Triples syntax."""

import json
from decimal import Decimal

from .vocabulary import term

_DECIMAL = f"^^{term('xsd:decimal')}"
_INTEGER = f"^^{term('xsd:integer')}"
_OFFSET = f"^^{term('xsd:nonNegativeInteger')}"
_YEAR = f"^^{term('xsd:gYear')}"
_ADDRESS = f"^^{term('xsd:anyURI')}"


def string(text: str) -> str:
    """Return a text, of whose language nothing is claimed.

    Examples
    --------
    >>> print(string('the "best" method'))
    "the \\"best\\" method"
    """
    # The escapes of JSON are among those of N-Triples, and its encoder is written in C.
    return json.dumps(text, ensure_ascii=False)


def decimal(number: float) -> str:
    """Return a number as the shortest xsd:decimal, which knows no exponent, that means it.

    Examples
    --------
    >>> decimal(1e-06).split("^")[0], decimal(1).split("^")[0]
    ('"0.000001"', '"1.0"')
    """
    written = repr(float(number))
    if "e" in written:
        written = f"{Decimal(written):f}"
    return f'"{written}{"" if "." in written else ".0"}"{_DECIMAL}'


def integer(number: int) -> str:
    """Return a whole number."""
    return f'"{number}"{_INTEGER}'


def offset(number: int) -> str:
    """Return a place in a text, which NIF counts as an xsd:nonNegativeInteger."""
    return f'"{number}"{_OFFSET}'


def year(number: int) -> str:
    """Return a year as an xsd:gYear, of four digits at least.

    Examples
    --------
    >>> year(987).split("^")[0]
    '"0987"'
    """
    return f'"{number:04d}"{_YEAR}'


def address(url: str) -> str:
    """Return a web address as it was read; as a literal it need not be a sound IRI."""
    return f"{string(url)}{_ADDRESS}"

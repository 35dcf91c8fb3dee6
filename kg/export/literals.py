"""Values as literals: a text in quotes, and the figures that typed literals hold."""

from decimal import Decimal
from json.encoder import encode_basestring


def string(text: str) -> str:
    """Return a text, of whose language nothing is claimed.

    Examples
    --------
    >>> print(string('the "best" method'))
    "the \\"best\\" method"
    """
    # The escapes of JSON are among those of N-Triples and Turtle, and its encoder is written in C.
    return encode_basestring(text)


def decimal(number: float) -> str:
    """Return the shortest xsd:decimal, which knows no exponent, that means a number.

    Examples
    --------
    >>> decimal(1e-06), decimal(1)
    ('0.000001', '1.0')
    """
    written = repr(float(number))
    if "e" in written:
        written = f"{Decimal(written):f}"
    return written if "." in written else f"{written}.0"

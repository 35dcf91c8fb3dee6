"""Values for the variables of a query, given where the engine makes the best of them."""

from collections.abc import Mapping, Sequence

from ..errors import QueryError
from .syntax import Token, tokens


def bound(sparql: str, values: Mapping[str, str]) -> str:
    """Return the query with some of its variables given plain strings as their values.

    They stand in ``VALUES`` at the start of the WHERE clause: from there the engine looks up
    what has the value, where a substitution would make it go through everything.

    Parameters
    ----------
    sparql
        The query.
    values
        The values, by the name of the variable.

    Raises
    ------
    QueryError
        If the query does not use a variable, or has no place for values.

    Examples
    --------
    >>> bound("ASK { ?s ?p ?name }", {"name": 'the "best"'})
    'ASK { VALUES ?name { "the \\\\"best\\\\"" } ?s ?p ?name }'
    """
    if not values:
        return sparql
    from pyoxigraph import Literal

    found = list(tokens(sparql))
    used = {token.text[1:] for token in found if token.kind == "variable"}
    if unused := sorted(values.keys() - used):
        raise QueryError(f"?{unused[0]} cannot be bound: the query does not use it")
    at = _start_of_where(found)
    if at is None:
        raise QueryError("CONSTRUCT WHERE takes no values: write CONSTRUCT { ... } WHERE { ... }")
    given = "".join(
        f" VALUES ?{name} {{ {Literal(value)} }}" for name, value in sorted(values.items())
    )
    return sparql[:at] + given + sparql[at:]


def _start_of_where(found: Sequence[Token]) -> int | None:
    """Return where the WHERE clause begins, after its brace, or None if there is none."""
    opened: int | None = None
    depth = 0
    template = False  # what CONSTRUCT makes, which has braces of its own
    for token, following in zip(found, [*found[1:], None], strict=True):
        if token.kind == "word" and token.text.lower() == "construct":
            template = True
            if following is None or following.text != "{":
                return None
        elif token.text == "{" and token.kind == "sign":
            depth += 1
            # A clause that is a subquery alone has no place but in that.
            inner = following is not None and following.text.lower() == "select"
            if not template and not inner:
                return token.start + 1
            opened = token.start + 1
        elif token.text == "}" and token.kind == "sign":
            depth -= 1
            template = template and depth > 0
    return opened

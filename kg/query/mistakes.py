"""Where and why the engine could not read a query, in the words of its author."""

import re

from .syntax import Token, place, tokens

_ERROR = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_BETWEEN = re.compile(r", (?![^\[]*\])")
_KEYWORD = re.compile(r"[A-Za-z_]{2,}")
_SENTENCE = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)+")


def explain(sparql: str, error: str) -> str:
    """Return in one line what is wrong with a query, from the engine's message.

    Examples
    --------
    >>> explain("SELECT ?s { ?s ?p ?o LIMIT 3", "error at 1:29: expected one of SERVICE, [_]")
    'line 1, column 22: SPARQL does not go on with `LIMIT` here'
    """
    told = _ERROR.fullmatch(error)
    if told is None:
        return " ".join(error.split())
    line, column, expected = told.groups()
    items = _BETWEEN.split(expected)
    found = list(tokens(sparql))
    at = _start(_position(sparql, int(line), int(column)), items, found)
    word = next((token.text for token in found if token.start == at), None)
    reason = next((item for item in items if _SENTENCE.fullmatch(item)), None)
    if reason is None:
        reason = (
            f"SPARQL does not go on with `{word[:40]}` here" if word else "the query ends too early"
        )
    return f"{place(sparql, at)}: {reason}"


def _position(sparql: str, line: int, column: int) -> int:
    """Return the position of a line and column, which count from one."""
    lines = sparql.split("\n")
    return min(len("\n".join(lines[: line - 1])) + bool(line > 1) + column - 1, len(sparql))


def _start(reached: int, items: list[str], found: list[Token]) -> int:
    """Return where the token begins that the engine stumbled at.

    The engine lays each keyword that may follow over the text and tells the end of the furthest
    attempt: what it could not read begins the length of that keyword earlier, or, where the text
    was too short for a keyword (``[_]``), with the last token.
    """
    starts = {token.start for token in found if token.start <= reached}
    keywords = [item for item in items if _KEYWORD.fullmatch(item)]
    if all(item in keywords or item == "[_]" for item in items):
        tried = starts.intersection(reached - len(keyword) for keyword in keywords)
        return max(tried or starts, default=reached)
    # A word may only want a sign within: `skosprefLabel` a colon.
    ends = (token.start + len(token.text) for token in found[:-1])
    return max(starts, default=reached) if reached in ends else reached

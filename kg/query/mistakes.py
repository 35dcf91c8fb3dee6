"""Where and why the engine could not read a query, in the words of its author.

The engine tells the end of its furthest attempt, and what it lays over a text reaches beyond the
word that is wrong. So the place is looked for: it is the first word with which the beginning of
the query can no longer be one of SPARQL.
"""

import bisect
import difflib
import itertools
import re
from collections.abc import Iterable, Sequence

from .syntax import Token, place, tokens

# Words of SPARQL that are misspelt.
_KEYWORDS = (
    "ASC", "ASK", "AVG", "BASE", "BIND", "BOUND", "COALESCE", "CONCAT", "CONSTRUCT", "CONTAINS",
    "COUNT", "DATATYPE", "DESC", "DESCRIBE", "DISTINCT", "EXISTS", "FILTER", "GRAPH", "GROUP",
    "GROUP_CONCAT", "HAVING", "LANG", "LCASE", "LIMIT", "MAX", "MIN", "MINUS", "NOT", "OFFSET",
    "OPTIONAL", "ORDER", "PREFIX", "REDUCED", "REGEX", "REPLACE", "SAMPLE", "SELECT", "SEPARATOR",
    "STR", "STRAFTER", "STRBEFORE", "STRENDS", "STRLEN", "STRSTARTS", "SUBSTR", "SUM", "UCASE",
    "UNDEF", "UNION", "VALUES", "WHERE", "YEAR",
)  # fmt: skip
_ERROR = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_BETWEEN = re.compile(r", (?![^\[]*\])")
_SENTENCE = re.compile(r"[A-Za-z]+(?: [A-Za-z*]+)+")
_BLANKS = " " * 40  # longer than any keyword, which the engine may lay over the end
_MOST_TOKENS = 1000  # beyond, brackets may be nested too deeply for the engine
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_APART = ("variable", "iri", "string", "open")
_UNBOUND = "a variable that is unbound"


def explain(sparql: str, error: str) -> str:
    """Return in one line what is wrong with a query, from the engine's message.

    Examples
    --------
    >>> explain("SELECT ?s { ?s ?p ?o LIMT 3", "error at 1:29: expected one of SERVICE, [_]")
    'line 1, column 22: SPARQL does not go on with `LIMT` here: is LIMIT meant?'
    """
    told = _ERROR.fullmatch(error)
    if told is None:
        return " ".join(error.split())
    line, column, expected = told.groups()
    found = list(tokens(sparql))
    reason = next((item for item in _BETWEEN.split(expected) if _SENTENCE.fullmatch(item)), None)
    if reason and _UNBOUND in reason and (variable := _ungrouped(found)):
        hint = "is neither grouped nor aggregated: add it to GROUP BY"
        return f"{place(sparql, variable.start)}: {variable.text} {hint}"
    if reason and "*" in reason and (star := _star(found)):
        return f"{place(sparql, star.start)}: {reason}"
    if len(found) > _MOST_TOKENS:
        reached = _position(sparql, int(line), int(column))
        return f"{place(sparql, reached)}: SPARQL does not go on like this before here"
    if (first := _first_wrong(sparql, found)) is not None:
        return f"{place(sparql, first.start)}: SPARQL does not go on with {_told(first)}"
    if opened := _unclosed(found):
        return f"{place(sparql, opened.start)}: `{opened.text}` is never closed"
    return f"{place(sparql, len(sparql))}: {reason or 'the query ends too early'}"


def _first_wrong(sparql: str, found: Sequence[Token]) -> Token | None:
    """Return the first token with which the beginning is of no query, None if all may go on."""
    names = {token.text.partition(":")[0] for token in found if token.kind == "name"}
    firsts = [
        number
        for number, token in enumerate(found)
        if number == 0 or not _glued(found[number - 1], token)
    ]
    ends = [found[number - 1].start + len(found[number - 1].text) for number in firsts[1:]]
    ends += [found[-1].start + len(found[-1].text)] if found else []
    wrong = bisect.bisect(ends, False, key=lambda end: not _may_go_on(sparql[:end], names))
    return found[firsts[wrong]] if wrong < len(firsts) else None


def _glued(one: Token, other: Token) -> bool:
    """Tell whether two tokens are parts of one word of SPARQL, such as ``!=`` or ``1.5``."""
    return (
        one.start + len(one.text) == other.start
        and not {one.kind, other.kind} & {*_APART}
        and not {one.text, other.text} & {*"()[]{},;"}
    )


def _may_go_on(beginning: str, prefixes: Iterable[str]) -> bool:
    """Tell whether some query has this beginning: the engine reads it to its end."""
    from pyoxigraph import Store

    text = beginning + _BLANKS
    try:
        Store().query(text, prefixes=dict.fromkeys(prefixes, "http://example.org/"))
    except SyntaxError as error:
        told = _ERROR.fullmatch(str(error))
        return told is None or _position(text, int(told[1]), int(told[2])) >= len(text)
    except ValueError:  # it is read, and cannot be answered
        return True
    return True


def _position(sparql: str, line: int, column: int) -> int:
    """Return the position of a line and column, which count from one."""
    lines = sparql.split("\n")
    return min(len("\n".join(lines[: line - 1])) + bool(line > 1) + column - 1, len(sparql))


def _told(wrong: Token) -> str:
    """Return the token that is wrong, and what it may have been meant to be."""
    text = f"`{wrong.text[:40]}` here"
    known = () if wrong.text.upper() in _KEYWORDS else _KEYWORDS
    near = difflib.get_close_matches(wrong.text.upper(), known, 1, 0.7)
    return f"{text}: is {near[0]} meant?" if near and wrong.kind == "word" else text


def _unclosed(found: Sequence[Token]) -> Token | None:
    """Return the last bracket, or the first quotation mark, that nothing closes."""
    opened: list[Token] = []
    for token in found:
        if token.kind == "open":
            return token
        if token.kind == "sign" and token.text in _CLOSING:
            opened.append(token)
        elif opened and token.text == _CLOSING[opened[-1].text]:
            opened.pop()
    return opened[-1] if opened else None


def _star(found: Sequence[Token]) -> Token | None:
    """Return the star of the first SELECT that has one."""
    pairs = itertools.pairwise(found)
    return next((two for one, two in pairs if _is(one, "select") and two.text == "*"), None)


def _ungrouped(found: Sequence[Token]) -> Token | None:
    """Return the first variable of a SELECT that stands plain, and in no GROUP BY."""
    grouped = {
        token.text[1:]
        for number, token in enumerate(found)
        if token.kind == "variable" and _clause(found[:number]) == "group"
    }
    for number, token in enumerate(found):
        before = found[:number]
        if token.kind != "variable" or token.text[1:] in grouped:
            continue
        if _clause(before) == "select" and not _depth(before):
            return token
    return None


def _clause(before: Sequence[Token]) -> str:
    """Return the word that began the clause which these tokens lead into, in lower case."""
    heads = ("select", "group", "having", "order", "limit", "offset", "values")
    for token in reversed(before):
        if token.text in ("{", "}"):
            return ""
        if any(_is(token, head) for head in heads):
            return token.text.lower()
    return ""


def _depth(before: Sequence[Token]) -> int:
    """Return how many brackets are open since the last SELECT."""
    depth = 0
    for token in reversed(before):
        if _is(token, "select"):
            break
        depth += (token.text == "(") - (token.text == ")")
    return depth


def _is(token: Token, word: str) -> bool:
    return token.kind == "word" and token.text.lower() == word

"""What a query may not do, found in its tokens and not in its text.

A comment, a string or an IRI may hold any word; a keyword is one only where a token begins. The
tokens are those of SPARQL 1.1, section 19, with two habits of the engine taken into account: it
asks for no blank between a keyword and its neighbours (``trueSERVICE<…>`` is ``true SERVICE <…>``),
and it takes ``<`` for a comparison or the start of an IRI as its place suggests, so that what
follows is looked at both ways (`kg.query.services`).
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..errors import QueryError
from .services import service_clauses

_UPDATES = frozenset("insert delete load clear drop create add move copy with".split())

_SEGMENT = r"(?:[\w:\u00b7\u203f\u2040-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?\#@%-])++"
# What repeats is possessive: nothing is tried in every way it can be cut.
_TOKEN = re.compile(
    rf"""
      (?P<blank>    \s++ | \#[^\r\n]*+ )
    | (?P<iri>      <(?:[^<>"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*+> )
    | (?P<string>   '''(?:'{{0,2}}(?:[^'\\]|\\.))*+''' | '(?:[^'\\\r\n]|\\.)*+'
                  | \"\"\"(?:"{{0,2}}(?:[^"\\]|\\.))*+\"\"\" | "(?:[^"\\\r\n]|\\.)*+" )
    | (?P<open>     ["'] )
    | (?P<variable> [?$]\w+ )
    | (?P<language> @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<node>     _:\w+ )
    | (?P<name>     (?:[^\W\d_][\w.-]{{0,200}})?:(?:{_SEGMENT}(?:\.+{_SEGMENT})?)? )
    | (?P<word>     [^\W\d]\w* )
    | (?P<number>   \d+ )
    | (?P<sign>     . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a query: its kind, its text, and where it begins."""

    kind: str
    text: str
    start: int


def tokens(sparql: str) -> Iterator[Token]:
    """Yield the tokens of a query, blanks and comments left out.

    The last is a quotation mark that nothing closes, if there is one: no query goes on after it.

    Examples
    --------
    >>> [token.kind for token in tokens("ASK { ?s a <a> } # SERVICE")]
    ['word', 'sign', 'variable', 'word', 'iri', 'sign']
    """
    for match in _TOKEN.finditer(sparql):
        if match.lastgroup and match.lastgroup != "blank":
            yield Token(match.lastgroup, match.group(), match.start())
        if match.lastgroup == "open":
            return


def check(sparql: str, *, prefixes: Collection[str]) -> None:
    """Refuse a query that would change something or leave the build.

    Parameters
    ----------
    sparql
        The query.
    prefixes
        The prefixes that it need not declare.

    Raises
    ------
    QueryError
        If it is an update, asks another service, names a graph to read (``FROM``), or uses a
        prefix that nobody declared; with the line and the column.
    """
    found = list(tokens(sparql))
    start, declared = _prologue(found)
    body = found[start:]
    if body and body[0].kind == "word" and body[0].text.lower() in _UPDATES:
        reason = f"{body[0].text.upper()} would change the graph, and a query only reads"
        raise QueryError(f"{place(sparql, body[0].start)}: {reason}: use SELECT, ASK, CONSTRUCT")
    for token in body:
        if token.kind == "word" and token.text.lower() in ("from", "fromnamed"):
            reason = "FROM names another graph, and a query reads its build alone: leave it out"
            raise QueryError(f"{place(sparql, token.start)}: {reason}")
    for position in service_clauses(sparql, _TOKEN):
        reason = "SERVICE asks another machine, and a query reads its build alone: leave it out"
        raise QueryError(f"{place(sparql, position)}: {reason}")
    for token in body:
        prefix = token.text.partition(":")[0]
        if token.kind == "name" and prefix not in declared and prefix not in prefixes:
            reason = f"nobody declared the prefix `{prefix}:`: write PREFIX {prefix}: <...> first"
            if prefix in ("http", "https"):
                reason = "an IRI stands between < and >, and holds no blanks"
            raise QueryError(f"{place(sparql, token.start)}: {reason}")


def place(sparql: str, position: int) -> str:
    """Return a position as line and column.

    Examples
    --------
    >>> place("ASK\\n{ }", 4)
    'line 2, column 1'
    """
    line = sparql.count("\n", 0, position) + 1
    column = position - sparql.rfind("\n", 0, position)
    return f"line {line}, column {column}"


def _prologue(found: list[Token]) -> tuple[int, set[str]]:
    """Return where the prologue ends and the prefixes that it declares."""
    declared: set[str] = set()
    at = 0
    while at < len(found) and found[at].kind == "word":
        keyword = found[at].text.lower()
        if keyword == "base":
            at += 2
        elif keyword == "prefix" and at + 1 < len(found):
            declared.add(found[at + 1].text.partition(":")[0])
            at += 3
        else:
            break
    return at, declared

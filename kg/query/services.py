"""Where a query asks another service, in whatever way the engine may read it.

All is found in time linear in the length of the query, whatever it holds: a place is read once,
and what lies far ahead is looked up in lists made before.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

_SERVICE = re.compile("service", re.IGNORECASE)
_SILENT = re.compile("silent", re.IGNORECASE)


def service_clauses(sparql: str, token: re.Pattern[str]) -> Iterator[int]:
    """Yield where a SERVICE clause begins in any reading of a query.

    Parameters
    ----------
    sparql
        The query.
    token
        What matches a token at any place, with groups ``iri``, ``open``, ``word`` and ``name``.
    """
    ahead = _Ahead(sparql)
    seen = set()
    waiting = [0]
    while waiting:
        position = ahead.past_blanks(waiting.pop())
        match = None if position in seen else token.match(sparql, position)
        seen.add(position)
        if match is None or match["open"]:  # no query goes on after a quote that nothing closes
            continue
        if match["iri"]:  # or a comparison
            waiting.append(position + 1)
        elif match["word"] or match["name"]:
            keyword = match.group().partition(":")[0]
            ends = (position + found.end() for found in _SERVICE.finditer(keyword))
            if any(ahead.is_asked(end) for end in ends):
                yield position
        waiting.append(match.end())


class _Ahead:
    """What follows the places of a query."""

    def __init__(self, sparql: str) -> None:
        self._sparql = sparql
        self._visible = _Places(r"[^ \t\r\n]", sparql)
        self._line_ends = _Places(r"[\r\n]", sparql)
        # A service is an IRI, a variable or a name; a sharp in it may begin a comment.
        self._ends = (_Places(r"[ \t\r\n{<>]", sparql), _Places(r"[ \t\r\n{<>#]", sparql))
        self._iri_ends = _Places("[<>]", sparql)
        self._past: dict[int, int] = {}

    def past_blanks(self, position: int) -> int:
        """Return the next place that is neither blank nor in a comment."""
        passed = []
        position = self._visible.at_or_after(position)
        while self._sparql.startswith("#", position):
            end = self._line_ends.at_or_after(position)
            if end in self._past:
                position = self._past[end]
                break
            passed.append(end)
            position = self._visible.at_or_after(end)
        self._past.update(dict.fromkeys(passed, position))
        return position

    def is_asked(self, position: int) -> bool:
        """Tell whether a service and a group follow the keyword that ends here."""
        start = self.past_blanks(position)
        if silent := _SILENT.match(self._sparql, start):
            return self._leads(self.past_blanks(silent.end())) or self._leads(start)
        return self._leads(start)

    def _leads(self, start: int) -> bool:
        if self._sparql.startswith("<", start):
            end = self._iri_ends.at_or_after(start + 1) + 1
            return self._sparql.startswith("{", self.past_blanks(end))
        ends = (places.at_or_after(start) for places in self._ends)
        return any(
            end > start and self._sparql.startswith("{", self.past_blanks(end)) for end in ends
        )


class _Places:
    """The places of a text where a pattern of one character matches."""

    def __init__(self, pattern: str, text: str) -> None:
        self._found = [match.start() for match in re.finditer(pattern, text)]
        self._end = len(text)

    def at_or_after(self, position: int) -> int:
        """Return the next of them, the end of the text if there is none."""
        number = bisect_left(self._found, position)
        return self._found[number] if number < len(self._found) else self._end

"""BibTeX text -> entries, one by one, however broken some of them are.

Tolerant where programs that read BibTeX differ: round brackets, missing commas, comments after
``%``, keys with blanks or none. An entry whose braces do not match costs no more than itself.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .lines import Lines

LARGEST_ENTRY = 1 << 24
_CLOSERS = {"{": "}", "(": ")"}
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"

# Quantifiers that give nothing back keep all of these linear.
_START = re.compile(r"@\s*+([A-Za-z]\w*+)\s*+([{(])")
# An entry begins a line, names its kind and then a key or a field.
_HEAD = re.compile(r"\s*+@\s*+[A-Za-z]\w*+\s*+[{(]\s*+[^\s{}\",=]*+(?:\s*+[,=]|\s*+$)")
_KEY = re.compile(r"\s*+([^,={}\"#]*+)(?:,|(?=[})])|$)")
_KEY_ALONE = re.compile(r"\s*+([^\s,={}\"#]++)[^\S\n]*+\n(?=\s*+[A-Za-z][\w-]*+\s*+=)")
_GAP = re.compile(r"(?:[\s,]++|%[^\n]*+)*+")
_NAME = re.compile(r"([^\s=,{}\"#%()]++)\s*+=\s*+")
_JUNK = re.compile(r"[^,{})\n]++|.", re.DOTALL)
_BARE = re.compile(r"[^\s,{}\"#()=%]++")
_JOINT = re.compile(r"\s*+#\s*+")
_BRACE = re.compile(r"[{}]")
_SIMPLE = re.compile(r"\{[^{}]*\}")
_QUOTE = re.compile(r"[{}\"]")
_FIELD_END = re.compile(r"[}\"]\s*+(?:,\s*+[A-Za-z][\w:-]*+\s*+=\s*+[{\"\w]|(?:,\s*+)?+[})]\s*+$)")


@dataclass(slots=True)
class Entry:
    """An entry as it is written: values without their delimiters, names in lower case.

    `remark` says what was wrong with it.
    """

    line: int
    kind: str
    key: str
    fields: dict[str, str] = field(default_factory=dict)
    remark: str | None = None


def read_entries(text: Iterable[str]) -> Iterator[Entry]:
    r"""Read the entries of a BibTeX text; macros are expanded, comments left out.

    Examples
    --------
    >>> text = '@string{x = "Y"}\n@misc{k, title = {A {B}}, note = x # " Z", year = 2020}\n'
    >>> [entry] = read_entries(text.splitlines(keepends=True))
    >>> entry.line, entry.kind, entry.key, entry.fields
    (2, 'misc', 'k', {'title': 'A {B}', 'note': 'Y Z', 'year': '2020'})
    """
    macros = {month: month for month in MONTHS.split()}
    source = Lines(text)
    for line in source:
        if start := _START.search(line):
            number = source.count
            block = line[start.start() :]
            block += _rest(source, block, closed_by=_CLOSERS[start[2]])
            yield from _Block(block, number, macros).entries()


def _rest(source: Lines, first: str, *, closed_by: str) -> str:
    """Return the lines after the first up to where the braces match.

    If they never do, the entry ends before the next one: a second entry that begins within it
    tells that it was not closed.
    """
    depth, size, line = 0, 0, first
    lines: list[str] = []
    heads: list[int] = []
    while True:
        depth += line.count("{") - line.count("}")
        if depth <= 0 and (closed_by == "}" or line.rstrip().endswith(closed_by)):
            return "".join(lines)
        next_line = next(source, None)
        if next_line is None or len(heads) > 1 or size > LARGEST_ENTRY:
            break
        line = next_line
        if _HEAD.match(line):
            heads.append(len(lines))
        lines.append(line)
        size += len(line)
    if next_line is not None:
        lines.append(next_line)
    cut = heads[0] if heads else len(lines)
    source.give_back(lines[cut:])
    return "".join(lines[:cut])


class _Block:
    """A stretch of text that begins with an entry and most often holds just this one."""

    def __init__(self, text: str, line: int, macros: dict[str, str]) -> None:
        self._text, self._line, self._macros = text, line, macros
        self._broken = text.count("{") != text.count("}")
        self._place = 0
        self._remarks: list[str] = []

    def entries(self) -> Iterator[Entry]:
        """Yield the entries; the macros among them are taken note of."""
        while start := _START.search(self._text, self._place):
            line = self._line + self._text.count("\n", 0, start.start())
            kind, self._place, self._remarks = start[1].lower(), start.end(), []
            if kind in ("comment", "preamble"):
                self._place = self._closing_brace(start.end() - 1)
                continue
            key = "" if kind == "string" else self._key()
            fields = self._fields(_CLOSERS[start[2]])
            if kind == "string":
                self._macros |= fields
            else:
                remark = "; ".join(dict.fromkeys(self._remarks)) or None
                yield Entry(line, kind, key, fields, remark)

    def _key(self) -> str:
        for pattern in (_KEY_ALONE, _KEY):
            if match := pattern.match(self._text, self._place):
                self._place = match.end()
                return " ".join(match[1].split())
        return ""

    def _fields(self, closer: str) -> dict[str, str]:
        fields: dict[str, str] = {}
        while True:
            self._skip(_GAP)
            if self._place >= len(self._text):
                self._remarks.append("the entry is not closed")
                return fields
            if self._text[self._place] == closer:
                self._place += 1
                return fields
            if name := _NAME.match(self._text, self._place):
                self._place = name.end()
                fields.setdefault(name[1].lower(), self._value(name[1]))
            else:
                self._remarks.append("something in the entry is no field")
                self._skip(_JUNK)

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self._text, self._place)
        self._place = match.end() if match else self._place
        return match is not None

    def _value(self, name: str) -> str:
        """Return a value, its pieces joined and its macros expanded."""
        pieces = []
        while self._place < len(self._text):
            mark = self._text[self._place]
            if mark in '{"':
                pieces.append(self._delimited(name, mark))
            elif bare := _BARE.match(self._text, self._place):
                self._place = bare.end()
                pieces.append(self._expanded(bare[0]))
            if not self._skip(_JOINT):
                break
        return "".join(pieces)

    def _expanded(self, bare: str) -> str:
        if not bare.isdigit() and bare.lower() not in self._macros:
            self._remarks.append(f"the macro {bare} is not defined")
        return self._macros.get(bare.lower(), bare)

    def _delimited(self, name: str, mark: str) -> str:
        start = self._place
        end = self._closing_brace(start) if mark == "{" else self._closing_quote(start)
        if self._broken:
            early = _FIELD_END.search(self._text, start + 1)
            self._broken = early is not None  # where there is none, there is none further down
            if early and early.start() + 1 != end:
                self._remarks.append(f"the braces of {name} do not match")
                end = early.start() + 1
        self._place = end
        return self._text[start + 1 : max(end - 1, start + 1)]

    def _closing_brace(self, place: int) -> int:
        """Return the place after the brace that closes the one at a place."""
        if simple := _SIMPLE.match(self._text, place):
            return simple.end()
        depth = 0
        for brace in _BRACE.finditer(self._text, place):
            depth += 1 if brace[0] == "{" else -1
            if depth <= 0:
                return brace.end()
        return len(self._text)

    def _closing_quote(self, place: int) -> int:
        depth = 0
        for mark in _QUOTE.finditer(self._text, place + 1):
            if mark[0] == '"':
                if depth == 0:
                    return mark.end()
            else:
                depth += 1 if mark[0] == "{" else -1
                if depth < 0:
                    return mark.start()
        return len(self._text)

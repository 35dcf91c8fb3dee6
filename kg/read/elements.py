"""A stream of XML -> the elements that are records, each cut out of the text and parsed by itself.

So a broken record costs no other, nothing is held but one record, and no document type is ever
looked at: an external one is not fetched, and a file that declares entities is refused.
"""

import html
import re
from collections.abc import Iterator
from typing import TextIO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .clean import printable
from .streams import Refused

CHUNK = 1 << 16
LARGEST_RECORD = 1 << 24
LONGEST_TAG = 80
DEEPEST = 200

_ENTITIES = re.compile(r"<!ENTITY", re.IGNORECASE)
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(#?\w{1,31});")
_LONE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")
_NO_XML = re.compile("[\v\f\x1c-\x1f]")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})([^<>]{0,2000})>")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def read_elements(
    text: TextIO, names: tuple[str, ...]
) -> Iterator[tuple[int, Element, str | None]]:
    r"""Yield each element of these names, the line it starts on, and what is wrong with it.

    Names lose their prefixes. A broken element is read as far as it makes sense.

    Raises
    ------
    Refused
        If the text declares entities.

    Examples
    --------
    >>> import io
    >>> [(line, element, _)] = read_elements(io.StringIO("<x>\n<e><t>A &ouml; B</t></e>"), ("e",))
    >>> line, element.findtext("t")
    (2, 'A ö B')
    """
    for line, record in _records(text, names):
        try:
            yield line, _parsed(_sane(record)), None
        except expat.ExpatError as error:
            yield line, _mended(_sane(record)), f"broken XML, read as far as it goes: {error}"


def _records(text: TextIO, names: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the text of each element of these names, with the line that it starts on.

    One that is not closed ends where the next begins.
    """
    start = re.compile(rf"<((?:\w+:)?(?:{'|'.join(names)}))(?=[\s>/])")
    buffer, line, size, begun = "", 1, CHUNK, False
    while chunk := text.read(size):
        buffer, place = buffer + chunk, 0
        while head := start.search(buffer, place):
            begun = begun or _is_harmless(buffer[: head.start()])
            end = _end(buffer, head, start)
            if end is None and len(buffer) - head.start() < LARGEST_RECORD:
                break
            line += buffer.count("\n", place, head.start())
            place = end or len(buffer)
            yield line, buffer[head.start() : place]
            line += buffer.count("\n", head.start(), place)
        begun = begun or (head is None and not _is_harmless(buffer))
        keep = head.start() if head else max(place, len(buffer) - LONGEST_TAG)
        line += buffer.count("\n", place, keep)
        size = 2 * size if head else CHUNK
        buffer = buffer[keep:]
    if start.match(buffer):
        yield line, buffer


def _is_harmless(prolog: str) -> bool:
    if _ENTITIES.search(prolog):
        raise Refused("it declares entities of its own: kg reads none, lest they explode")
    return True


def _end(buffer: str, head: re.Match[str], start: re.Pattern[str]) -> int | None:
    """Return where the element that begins at `head` ends, or None if that is yet to come."""
    opened = buffer.find(">", head.end())
    if opened > 0 and buffer[opened - 1] == "/":
        return opened + 1
    following = start.search(buffer, head.end())
    limit = following.start() if following else len(buffer)
    closing = buffer.find(f"</{head[1]}", head.end(), limit)
    closed = buffer.find(">", closing, limit) if closing > 0 else -1
    return closed + 1 if closed > 0 else following and limit


class _Builder:
    """Builds an element, names without their prefixes, no deeper than anything real is."""

    def __init__(self) -> None:
        self._tree = TreeBuilder()
        self.open: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.open.append(tag)
        if len(self.open) <= DEEPEST:
            self._tree.start(tag.rpartition(":")[2], attributes)

    def end(self, tag: str) -> None:
        if len(self.open) <= DEEPEST:
            self._tree.end(tag.rpartition(":")[2])
        self.open.pop()

    def data(self, text: str) -> None:
        self._tree.data(text)

    def close(self) -> Element:
        root: Element | None = self._tree.close()
        return Element("") if root is None else root  # its very first tag may be broken


def _parsed(record: str) -> Element:
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data
    parser.buffer_text = True
    parser.Parse(record, True)
    return builder.close()


def _mended(record: str) -> Element:
    """Return the element that a broken text makes: what is not closed ends with what holds it.

    Examples
    --------
    >>> _mended("<e><t>A <i>b</t><y>2 < 3</z></e>").findtext("y")
    '2 < 3'
    """
    builder, place = _Builder(), 0
    record = _without_sections(record)
    for mark in _TAG.finditer(record):
        builder.data(html.unescape(record[place : mark.start()]))
        place = mark.end()
        if not mark[1] and len(builder.open) < DEEPEST:
            pairs = ((one[1], one[2] or one[3] or "") for one in _ATTRIBUTE.finditer(mark[3]))
            builder.start(mark[2], dict(pairs))
            if mark[3].endswith("/"):
                builder.end(mark[2])
        elif mark[2] in builder.open[1:]:
            while builder.open[-1] != mark[2]:
                builder.end(builder.open[-1])
            builder.end(mark[2])
    builder.data(html.unescape(record[place:]))
    while builder.open:
        builder.end(builder.open[-1])
    return builder.close()


def _without_sections(record: str) -> str:
    """Take out comments, and the marks of quoted sections, whose text is then escaped."""
    first, *others = record.split("<!--")
    record = first + "".join(other.partition("-->")[2] for other in others)
    first, *others = record.split("<![CDATA[")
    sections = (other.partition("]]>") for other in others)
    return first + "".join(html.escape(inner) + rest for inner, _, rest in sections)


def _sane(record: str) -> str:
    """Take out what XML forbids, and decode the entities that it does not know without a DTD.

    Examples
    --------
    >>> _sane("<t>Sch&ouml;n &amp; A&B &#8; &#60;</t>")
    '<t>Schön &amp; A&amp;B  &lt;</t>'
    """
    record = _NO_XML.sub(" ", printable(record))
    return _LONE.sub("&amp;", _NAMED.sub(_decoded, record)) if "&" in record else record


def _decoded(match: re.Match[str]) -> str:
    char = html.unescape(match[0])
    return match[0] if char == match[0] else html.escape(printable(char), quote=False)

"""Markup in running text -> the text: HTML, JATS and MathML tags, entities, Markdown."""

import html
import re

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Tags that only dress text. Any other thing in angle brackets is the author's and stays.
_DRESSING = (
    "a|b|i|u|s|em|strong|strike|tt|code|small|sub|sup|inf|span|p|br|div|font|bold|italic|sc|"
    "h[1-6]|ul|ol|li|section-title|(?:jats|mml|ce):[a-z-]+"
)
_TAG = re.compile(rf"</?(?:{_DRESSING})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_SPACING_TAG = re.compile(
    r"</?(?:p|br|div|h[1-6]|ul|ol|li|(?:jats|ce):(?:p|sec|list-item|para))(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
# JATS and Elsevier word the heading of a part of an abstract as its title.
_HEADING_TAG = re.compile(
    r"<((?:jats|ce):title|(?:ce:)?section-title|title)(?:\s[^<>]*)?>([^<>]{0,200})</\1>",
    re.IGNORECASE,
)
_TEX_TAG = re.compile(
    r"<((?:jats:)?tex-math|mml:annotation)(?:\s[^<>]*)?>.{0,2000}?</\1>", re.DOTALL | re.IGNORECASE
)
_BEFORE_MARK = re.compile(r"(</(?:jats|mml|ce):[a-z-]+>)\s+(?=[).,;:%\]])", re.IGNORECASE)
_NO_HEADING = {"abstract", "summary", ""}

_STRONG = re.compile(r"(?<![\w*])(\*\*|~~|__)(?=\S)((?:(?!\1)[^\n]){1,200}?)(?<=\S)\1(?![\w*])")
_EMPHASIS = re.compile(r"(?<![\w*])(\*)(?=\w)([^*\n$\\]{1,60}?)(?<=\w)\1(?![\w*])")
_UNDERLINED = re.compile(r"(?<![\w}])_(?=[^\W_])([^_\n${}\\]{1,60}?)(?<=[^\W_])_(?![\w{])")
_CODE = re.compile(r"(?<!`)`([^`\n'’]{1,80})`(?!`)")
_HEADING = re.compile(r"^#{1,6} +(?=\S)", re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^\w{1,20}\]")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,200})\]\((?:https?://|mailto:|#|\.?/)[^()\s]{1,500}\)")
_PLACE_MARK = re.compile(r"\{\{[a-z]{2,20}:[\w-]{1,60}\}\}")


def tags_to_text(text: str) -> str:
    """Drop the tags that only dress text; the title of a part becomes its label.

    Examples
    --------
    >>> tags_to_text("<jats:title>Results</jats:title><jats:p>H<sub>2</sub>O</jats:p> a < b")
    ' Results:  H2O  a < b'
    """
    if "<jats:" in text or "<ce:" in text or "<sec" in text:
        text = _HEADING_TAG.sub(_label, _BEFORE_MARK.sub(r"\1", _TEX_TAG.sub("", text)))
    return _TAG.sub("", _SPACING_TAG.sub(" ", text))


def unescape(text: str) -> str:
    """Decode the HTML entities that exist, at most twice; an unknown one stays.

    Examples
    --------
    >>> unescape("R&amp;amp;D &unknown; AT&T")
    'R&D &unknown; AT&T'
    """
    for _ in range(2):
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    return text


def markdown_to_text(text: str) -> str:
    """Unwrap emphasis, code, links and headings, drop footnote marks and place marks.

    Examples
    --------
    >>> markdown_to_text("# **BERT**[^1] for _all_, see [the code](https://x.org); a * b")
    'BERT for all, see the code; a * b'
    """
    if "[" in text:
        text = _LINK.sub(r"\1", _FOOTNOTE.sub("", text))
    if "{{" in text:
        text = _PLACE_MARK.sub("", text)
    if "#" in text:
        text = _HEADING.sub("", text)
    if "`" in text:
        text = _CODE.sub(r"\1", text)
    if "_" in text or "~" in text or "*" in text:
        for _ in range(2):  # **~~old~~**
            text = _STRONG.sub(r"\2", text)
        text = _UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    return text


def _label(match: re.Match[str]) -> str:
    heading = match[2].strip().rstrip(":.")
    return " " if heading.casefold() in _NO_HEADING else f" {heading}: "

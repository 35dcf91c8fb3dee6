"""Which of a paper's concepts are its own: what it proposes, introduces or presents."""

import re
from collections.abc import Sequence

from ..records import Mention

_VERB = (
    r"propos(?:es?|ed|ing)|introduc(?:es?|ed|ing)|present(?:s|ed|ing)?|develop(?:s|ed)?|"
    r"design(?:s|ed)?|devised?|releas(?:es?|ed|ing)|construct(?:s|ed)?|buil[dt]s?|creat(?:es?|ed)|"
    r"put forward|formulated?|curated?|establish(?:es|ed)?|unveils?"
)
_OURS = r"we|this (?:paper|work|article|study|thesis)|our (?:paper|work)|the (?:paper|authors?)|i"
_OURSELVES = rf"\b(?:{_OURS})\b(?:[ ,]+\w+){{0,4}}?[ ,]+(?:{_VERB})\b"
_NAMED = (
    r"\b(?:called|named|termed|dubbed|coined|(?:which|that) we (?:call|name|term|dub|refer to as)|"
    r"referred to as|refer to (?:it|this|our [-\w]+) as)\b"
)
_NEW = r"\b(?:the|our) (?:newly )?(?:proposed|introduced|novel)\b|\bour(?= $)"
_SAID = re.compile(f"{_OURSELVES}|{_NAMED}|{_NEW}", re.IGNORECASE)
# After these words comes what the proposed thing is for or made of, no more the thing itself.
_BREAK = re.compile(
    r"\b(?:to|for|that|which|by|using|via|based on|on|with|from|in|where|when|while|as|of)\b|[;:]",
    re.IGNORECASE,
)
_APPOSITION = re.compile(r"[)]?,? (?:and )?(?:an?|the) (?:[-\w]+ ){0,2}|[)]? and | \(")
_REACH = 140


def find_proposed(text: str, mentions: Sequence[Mention]) -> list[str]:
    """Return the concepts that the text says its authors propose, in the order they are said.

    A concept is proposed where it is the first thing named after a verb of proposing (``we
    propose``, ``this paper introduces``), after a verb of naming (``called``), in apposition to
    what was proposed (its acronym, its name), or after ``our``.
    """
    proposed: dict[str, None] = {}
    for index, mention in enumerate(mentions):
        if mention.type == "Metric" or mention.concept in proposed:
            continue
        before = mentions[index - 1] if index else None
        start = max(mention.sentence[0], mention.start - _REACH)
        if before is not None and before.end > start:
            start = before.end
        words = text[start : mention.start]
        if _is_said(words) or (
            before is not None and before.concept in proposed and _APPOSITION.fullmatch(words)
        ):
            proposed[mention.concept] = None
    return list(proposed)


def _is_said(words: str) -> bool:
    """Tell whether the words between the last mention and this one propose or name this one."""
    ends = [match.end() for match in _SAID.finditer(words)]
    return bool(ends) and not _BREAK.search(words[ends[-1] :])

"""Which names of one abstract are of one concept, as far as their words tell."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..records import ConceptType
from ..resolve.english import stem
from ..resolve.names import SMALL_WORDS, normal_form, words
from .abbreviations import is_initials, looks_short

# Heads that say only what sort of thing a name means: `weak recovery problem` is `weak recovery`
# where the abstract speaks of both.
_GENERIC = frozenset(
    """algorithm approach architecture attack function layer mechanism method methodology metric
    model module operation problem procedure scheme score strategy task technique""".split()
)
# Names made of words, and the small words that make the order of the others tell.
_PLAIN = re.compile(r"[^\W\d_][a-z]*(?:[ -]+[^\W\d_][a-z]*)*")
_DIRECTION = frozenset("and from into to vs".split())
_LEARNING = "learn"  # the stem
# The stem of recognizing begins that of recognition; of fewer letters, robust-ness is rob-otics.
_BEGINNING = 6

_Words = tuple[str, ...]


@dataclass(slots=True)
class Name:
    """A name of the abstract: in full, the words of its surface, its type, and how it is used.

    `uses` counts its mentions in the abstract; `proper` tells whether one of them is or holds an
    acronym that stands for it, or has a capital within a sentence, `definite` whether it is spoken
    of as known (``the``, ``our``).
    """

    full: str
    surface: _Words
    type: ConceptType
    uses: int = 0
    proper: bool = False
    definite: bool = False


def fullest_names(names: Mapping[str, Name], *, headed: Collection[_Words] = ()) -> dict[str, str]:
    """Return the key of the fullest name of its concept for the key of each name.

    Names are of one concept if they have the same word stems; if they differ in a generic head
    only (``weak recovery problem``); if one is the initials of the other; or if the second takes
    the first up by some of its words (``image deblurring``, then ``deblurring``).

    Parameters
    ----------
    names
        All names of one abstract by their normal forms, in the order of the text.
    headed
        The words of names that are called without their heads, too.

    Examples
    --------
    >>> names = ("image deblurring", "deblurring", "sharpening")
    >>> fullest_names({name: Name(name, words(name), "Task") for name in names}).values()
    dict_values(['image deblurring', 'image deblurring', 'sharpening'])
    """
    merged = {key: key for key in names}
    roots = _roots(names.values())
    stems: dict[tuple[_Words, ConceptType], str] = {}
    for key, name in names.items():
        merged[key] = stems.setdefault((_stems(name.full, roots), name.type), key)
    _merge_heads(merged, names, headed)
    for key, name in names.items():
        if looks_short(name.full):
            longer = [
                other
                for other, long in names.items()
                if long.type == name.type and is_initials(name.full, long.full)
            ]
            if len(longer) == 1:
                merged[key] = merged[longer[0]]
    for short, long in _taken_up(names, roots):
        if merged[short] == short:
            merged[short] = merged[long]
    merged = {key: _root(merged, key) for key in merged}
    for short, long in _shortened(names, merged):
        merged[short] = long
    return {key: _root(merged, key) for key in merged}


def _merge_heads(
    merged: dict[str, str], names: Mapping[str, Name], headed: Collection[_Words]
) -> None:
    """Merge names that differ in a generic head, and tasks that are taken up by their heads."""
    surfaces = {(words(name.full), name.type): key for key, name in names.items()}
    surfaces |= {(name.surface, name.type): key for key, name in names.items()}
    order = {key: place for place, key in enumerate(names)}
    for (surface, kind), key in surfaces.items():
        generic = len(surface) > 1 and (surface[-1] in _GENERIC or surface in headed)
        if generic and (surface[:-1], kind) in surfaces:
            merged[surfaces[surface[:-1], kind]] = merged[key]
        two_words = kind == "Task" and len(surface) == 2 and " " in names[key].full
        head = surfaces.get((surface[1:], kind)) if two_words else None
        if head and order[key] < order[head] and merged[head] == head:
            merged[head] = merged[key]


def _taken_up(names: Mapping[str, Name], roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names that leave out words of one that stood before, each with that name.

    Both ends stay (``auxiliary point-selective network``, then ``auxiliary network``) or, in a
    metric, the last word (``localization accuracy``, then ``accuracy``). In annotated abstracts
    four of five such pairs are one concept; of names that lose their first words, half; of kinds
    of learning, hardly one.
    """
    before: defaultdict[tuple[str, ConceptType], list[tuple[str, tuple[str, ...]]]]
    before = defaultdict(list)  # by head and type
    for key, name in names.items():
        parts = _rooted(name.full, roots)
        if not parts or parts[-1] == _LEARNING:
            continue
        same_head = before[parts[-1], name.type]
        longer = [(other, whole) for other, whole in same_head if set(parts) < set(whole)]
        if len(longer) == 1:
            other, whole = longer[0]
            if name.type == "Metric" or (len(parts) > 1 and whole[0] == parts[0]):
                yield key, other
        same_head.append((key, parts))


@cache
def common_names() -> frozenset[str]:
    """Return the normal forms of names that mean a thing of their own wherever they stand.

    Examples
    --------
    >>> "deeplearning" in common_names(), "deeporacle" in common_names()
    (True, False)
    """
    lines = Path(__file__).with_name("common.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(normal_form(line) for line in lines if not line.startswith("#"))


def _shortened(names: Mapping[str, Name], merged: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield concepts by whose names the abstract means one that it names in full only once.

    The shorter name is spoken of as known or leaves out the head, and no other name has all of its
    words: ``a machine-learned oracle``, then ``the oracle``. In annotated abstracts four of five
    such pairs of mentions are of one concept; what is only said often may be a baseline.
    """
    concepts: defaultdict[str, list[Name]] = defaultdict(list)
    for key, name in names.items():
        concepts[merged[key]].append(name)
    uses = {key: sum(name.uses for name in own) for key, own in concepts.items()}
    parts = {key: set(words(names[key].full)) - SMALL_WORDS for key in concepts}
    before: set[str] = set()
    for short, own in concepts.items():
        some = parts[short]
        holders = [key for key in concepts if key != short and some and some <= parts[key]]
        if len(holders) == 1 and before.issuperset(holders) and _may_be_short(short, own):
            [long] = holders
            known = any(name.definite for name in own)
            full = words(names[long].full)
            headless = full[: len(words(names[short].full))] == words(names[short].full)
            taken_up = uses[long] == 1 and parts[long] != some and (known or headless)
            if taken_up and names[long].type == names[short].type:
                yield short, long
        before.add(short)


def _may_be_short(key: str, names: Iterable[Name]) -> bool:
    """Tell whether a concept's names may be short for another's.

    Common ones are not, nor proper ones, nor those with an acronym: MARL does not mean `safe
    multi-agent reinforcement learning`, though the abstract may.
    """
    return key not in common_names() and not any(name.proper for name in names)


def _root(merged: Mapping[str, str], key: str) -> str:
    seen = {key}
    while merged[key] not in seen:
        key = merged[key]
        seen.add(key)
    return key


def _roots(names: Iterable[Name]) -> dict[str, str]:
    """Return the root of each word of some names: the shortest of their stems that begins its own.

    So recognition and recognizing are one, but generation and generalization are not.
    """
    own = {word: stem(word) for name in names for word in words(name.full)}
    roots: dict[str, str] = {}
    root = ""
    for each in sorted(own.values()):  # what a stem begins comes next
        if not (len(root) >= _BEGINNING and each.startswith(root)):
            root = each
        roots[each] = root
    return {word: roots[each] for word, each in own.items()}


def _stems(name: str, roots: Mapping[str, str]) -> tuple[str, ...]:
    """Return the roots of a name's words: detection of faces, detecting faces, face detector.

    Their order tells nothing, unless a word such as `to` gives it a sense. A name that its capitals
    or digits tell from words is left as it is.
    """
    key = normal_form(name)
    if key != key.casefold() or not _PLAIN.fullmatch(name):
        return (key,)
    parts = _rooted(name, roots)
    return tuple(sorted(parts)) if _DIRECTION.isdisjoint(words(name)) else parts


def _rooted(name: str, roots: Mapping[str, str]) -> tuple[str, ...]:
    """Return the roots of a name's words, the head last, the small words out."""
    parts = words(name)
    place = next((at for at, part in enumerate(parts[1:-1], 1) if part in ("of", "for")), None)
    if place is not None:
        parts = parts[place + 1 :] + parts[:place]
    elif len(parts) > 1 and parts[0].endswith("ing"):
        parts = parts[1:] + parts[:1]
    return tuple(roots[part] for part in parts if part not in SMALL_WORDS)

"""Which mentions of one abstract name one concept, and what the abstract calls it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..records import ConceptType, Mention, Paper
from ..resolve.names import (
    SMALL_WORDS,
    normal_form,
    singular_name,
    singular_of,
    stem,
    words,
)
from .abbreviations import Abbreviation, find_abbreviations, is_initials, looks_short
from .apposition import appositions
from .surface import is_name

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
# A word by itself: the acronym in LSTM-CRF or pre-CNN is part of another name.
_WORD = re.compile(r"(?<![\w-])[^\W_]+(?![\w-])")


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of the abstract: in full, the words of its surface, its type."""

    full: str
    surface: tuple[str, ...]
    type: ConceptType


def whole_text(paper: Paper) -> str:
    """Return the title and the abstract, a line each, as the extractor reads them.

    Examples
    --------
    >>> whole_text(Paper("p", title="Graphs", abstract="We draw graphs."))
    'Graphs\\nWe draw graphs.'
    """
    return "\n".join(filter(None, (paper.title, paper.abstract)))


def name_concepts(paper: Paper, mentions: Sequence[Mention]) -> list[Mention]:
    """Give the mentions of one concept one name, the expansion where there is an acronym.

    Two mentions are of one concept if, acronyms written out, their names have one normal form or,
    in one abstract and of one type, one word stem; if they stand side by side as two names of one
    thing (`kg.extract.apposition`); if they differ in a generic head only (``weak recovery
    problem``); if one is the initials of the other; or if a task is taken up by its head alone
    (``image deblurring``, then ``deblurring``).

    Parameters
    ----------
    paper
        The paper whose text may expand acronyms.
    mentions
        All mentions of the paper; those made of signs only are left out.
    """
    expansions = paper_expansions(paper)
    glosses: dict[str, str] = {}
    for short, full in appositions(paper, mentions):
        known = expansions.get(key := normal_form(short), "")
        if not is_initials(short, known):  # which is sure enough
            glosses[key] = full
            if looks_short(short):  # other names may hold it
                expansions[key] = singular_name(one_line(full))
    keys: dict[str, str] = {}
    names: dict[str, _Name] = {}
    for mention in mentions:
        text = glosses.get(normal_form(mention.text), mention.text)
        whole = expansions.get(normal_form(text))
        full = whole or singular_of(_written_out(one_line(text), expansions), mention.type)
        keys[mention.text] = key = normal_form(full)
        names.setdefault(key, _Name(full, words(mention.text), mention.type))
    merged = _merged(names)
    return [
        replace(mention, concept=names[merged[keys[mention.text]]].full)
        for mention in mentions
        if keys[mention.text]
    ]


def paper_expansions(paper: Paper) -> dict[str, str]:
    """Return the expansion of each acronym that the paper expands, by the acronym's normal form.

    Examples
    --------
    >>> paper_expansions(Paper("p", abstract="Graph neural networks (GNNs) win."))
    {'GNN': 'Graph neural network'}
    """
    found = {
        normal_form(pair.short): _full_name(pair)
        for pair in find_abbreviations(whole_text(paper))
        if is_name(pair.long)
    }
    return {
        short: _written_out(long, {other: name for other, name in found.items() if other != short})
        for short, long in found.items()
    }


def one_line(name: str) -> str:
    """Return the name with one blank between its words, as a text that is not cleaned may not."""
    return " ".join(name.split())


def _full_name(pair: Abbreviation) -> str:
    """Return an expansion in the singular, unless it is a proper name that ends in a plural."""
    long = one_line(pair.long)
    proper = not pair.short.endswith("s") and long.split()[-1].istitle()
    return long if proper else singular_name(long)


def _written_out(name: str, expansions: Mapping[str, str]) -> str:
    """Return the name with the acronyms among its words written out, but no word said twice."""
    present = set(words(name))

    def write_out(match: re.Match[str]) -> str:
        long = expansions.get(normal_form(match[0]), match[0])
        return match[0] if present.intersection(words(long)) else long

    return _WORD.sub(write_out, name)


def _merged(names: Mapping[str, _Name]) -> dict[str, str]:
    """Return the key of the name, the fullest of its concept, that each key is merged into."""
    merged = {key: key for key in names}
    roots = _roots(names.values())
    stems: dict[tuple[tuple[str, ...], ConceptType], str] = {}
    surfaces = {(name.surface, name.type): key for key, name in names.items()}
    order = {key: place for place, key in enumerate(names)}
    for key, name in names.items():
        merged[key] = stems.setdefault((_stems(name.full, roots), name.type), key)
    for (surface, kind), key in surfaces.items():
        if len(surface) > 1 and surface[-1] in _GENERIC and (surface[:-1], kind) in surfaces:
            merged[surfaces[surface[:-1], kind]] = merged[key]
        two_words = kind == "Task" and len(surface) == 2 and " " in names[key].full
        head = surfaces.get((surface[1:], kind)) if two_words else None
        if head and order[key] < order[head] and merged[head] == head:
            merged[head] = merged[key]
    for key, name in names.items():
        if looks_short(name.full):
            longer = [other for other in names if is_initials(name.full, names[other].full)]
            if len(longer) == 1:
                merged[key] = merged[longer[0]]
    for short, long in _taken_up(names, roots):
        if merged[short] == short:
            merged[short] = merged[long]
    return {key: _root(merged, key) for key in merged}


def _taken_up(names: Mapping[str, _Name], roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
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


def _root(merged: Mapping[str, str], key: str) -> str:
    seen = {key}
    while merged[key] not in seen:
        key = merged[key]
        seen.add(key)
    return key


def _roots(names: Iterable[_Name]) -> dict[str, str]:
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

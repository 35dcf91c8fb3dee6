"""Which mentions of one abstract name one concept, and what the abstract calls it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..records import Mention, Paper
from ..resolve.names import normal_form, one_line, singular_name, singular_of, words
from .abbreviations import Abbreviation, find_abbreviations, is_initials, looks_short
from .apposition import appositions
from .coreference import Name, common_names, fullest_names
from .surface import is_name

# A word by itself: the acronym in LSTM-CRF or pre-CNN is part of another name.
_WORD = re.compile(r"(?<![\w-])[^\W_]+(?![\w+#-])")
# What follows an acronym in brackets, unless it says what is done with the thing: relaxation.
_HEAD = re.compile(r"\W{0,3}[)\]]\s+(?!\w+(?:ance|ing|ion|ity|ment|sis)\b)([^\W_]+)")
_DEFINITE = re.compile(r"(?:^|[\s(])(?:its|our|such|the|their|these|this)\s+$", re.IGNORECASE)


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
    thing (`kg.extract.apposition`); or if one takes the other up (`kg.extract.coreference`).

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
    keys, names = _names(paper, mentions, expansions, glosses)
    fullest = fullest_names(names, headed=_headed(paper))
    return [
        replace(mention, concept=names[fullest[keys[mention.text]]].full)
        for mention in mentions
        if keys[mention.text]
    ]


def _names(
    paper: Paper,
    mentions: Iterable[Mention],
    expansions: Mapping[str, str],
    glosses: Mapping[str, str],
) -> tuple[dict[str, str], dict[str, Name]]:
    """Return the key of the name of each surface, and the names by their keys."""
    keys: dict[str, str] = {}
    names: dict[str, Name] = {}
    for mention in mentions:
        text = glosses.get(normal_form(mention.text), mention.text)
        whole = expansions.get(normal_form(text))
        full = whole or singular_of(_written_out(one_line(text), expansions), mention.type)
        keys[mention.text] = key = normal_form(full)
        if not key:
            continue
        surface = words(mention.text)
        name = names.setdefault(key, Name(full, surface, mention.type))
        name.uses += mention.field == "abstract"
        inside = mention.field == "abstract" and mention.start > mention.sentence[0]
        name.proper |= surface != words(full) or (inside and not mention.text.islower())
        before = paper.text(mention.field)[max(0, mention.start - 8) : mention.start]
        name.definite |= _DEFINITE.search(before) is not None
    return keys, names


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


def _full_name(pair: Abbreviation) -> str:
    """Return an expansion in the singular, unless it is a proper name that ends in a plural."""
    long = one_line(pair.long)
    proper = not pair.short.endswith("s") and long.split()[-1].istitle()
    return long if proper else singular_name(long)


def _written_out(name: str, expansions: Mapping[str, str]) -> str:
    """Return the name with the acronyms among its words written out, but no word said twice.

    One that says what the acronym says already is the expansion: decoder-only LLM, where LLM is
    short for decoder-only language model.
    """
    present = words(name)

    def write_out(match: re.Match[str]) -> str:
        long = expansions.get(normal_form(match[0]), match[0])
        return match[0] if set(words(long)).intersection(present) else long

    for match in _WORD.finditer(name):
        long = expansions.get(normal_form(match[0]))
        if long and {*words(name[: match.start()]), *words(name[match.end() :])} <= {*words(long)}:
            return long
    return _WORD.sub(write_out, name)


def _headed(paper: Paper) -> set[tuple[str, ...]]:
    """Return the words of names whose acronym stands before their head.

    ``Set-of-Mark (SoM) prompts`` are what the abstract then calls ``Set-of-Mark`` or ``SoM``.
    """
    text = whole_text(paper)
    headed = set()
    for pair in find_abbreviations(text):
        head = _HEAD.match(text, max(pair.short_span[1], pair.long_span[1]))
        if head and normal_form(pair.long) not in common_names():
            headed.add(words(f"{pair.long} {head[1]}"))
    return headed

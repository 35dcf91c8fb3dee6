"""Which names of a build are other ways to write others: what its papers, together, show."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping

from ..extract.abbreviations import looks_short
from .counts import Uses
from .names import normal_form, with_words_replaced
from .thesaurus import Thesaurus, universal_aliases

# An acronym that a paper does not expand gets the meaning that this share of the papers that do
# expand it agree on; one paper is enough only where the initials spell it.
AGREEMENT = 0.85
WITNESSES = 2

_Form = Callable[[str], str]


def meanings(uses: Uses) -> dict[tuple[str, str], str | None]:
    """Return the meaning of each acronym that papers expand, by its normal form and type.

    It is None where they do not agree on one. A paper that says more (``regularized neural radiance
    field (NeRF)``) agrees with those that say less.
    """
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    spelled = set(uses.spelled)
    for (short, kind, long), papers in uses.meanings.items():
        known = universal_aliases().entry(long)
        meant = normal_form(known.label) if known else long
        counts[short, kind][meant] += papers
        if (short, long) in uses.spelled:
            spelled.add((short, meant))
    found: dict[tuple[str, str], str | None] = {}
    for (short, kind), meant_by in counts.items():
        long = min(meant_by, key=lambda name: (-meant_by[name], name))
        count = sum(papers for name, papers in meant_by.items() if name.endswith(long))
        # One paper that nothing backs says nothing of the others.
        if count >= WITNESSES or (short, long) in spelled or len(meant_by) > 1:
            found[short, kind] = long if count >= AGREEMENT * meant_by.total() else None
    return found


def written_out(
    uses: Uses,
    meanings: Mapping[tuple[str, str], str | None],
    thesaurus: Thesaurus,
    form: _Form,
) -> dict[tuple[str, str], str]:
    """Return the same name in full, if a paper has it, for each that has an acronym in it.

    ``multi-hop QA`` is ``multi-hop question answering``. Names are given by normal form and type.
    """
    universal: dict[str, set[str | None]] = {
        form(alias): {form(entry.label)}
        for entry in universal_aliases().entries
        for alias in filter(looks_short, entry.aliases)
    }
    said: defaultdict[str, set[str | None]] = defaultdict(set)
    for (short, _), long in meanings.items():
        said[short].add(long)
    known = {
        short: long
        for short, (long, *others) in (universal | said).items()
        if long and not others and not thesaurus.keeps_apart(short, long)
    }
    names = {(name, kind) for _, name, kind in (*uses.inside, *uses.at_head)}
    keys = {form(name) for name, _ in names}
    in_full: dict[tuple[str, str], str] = {}
    for name, kind in names:
        key = with_words_replaced(name, known)
        if key in keys and key != form(name):
            use = form(name), kind
            in_full[use] = min(key, in_full.get(use, key))
    return in_full


def inflections(uses: Uses, form: _Form) -> dict[tuple[str, str], str]:
    """Return the commonest of the names that papers use as one, for each of the others.

    Names are given by normal form and type.
    """
    from networkx import Graph, connected_components

    counts: Counter[tuple[str, str]] = Counter()
    for (text, _, kind), mentions in uses.inside.items():
        counts[form(text), kind] += mentions
    together: Counter[frozenset[tuple[str, str]]] = Counter()
    for (one, kind, other), papers in uses.inflected.items():
        together[frozenset(((one, kind), (other, kind)))] += papers
    joined = Graph(pair for pair, papers in together.items() if papers >= WITNESSES)
    commonest = {}
    for names in connected_components(joined):
        first, *others = sorted(names, key=lambda name: (-counts[name], name))
        commonest.update(dict.fromkeys(others, first[0]))
    return commonest


def folded_capitals(names: Collection[str], form: _Form) -> dict[str, str]:
    """Return the normal forms in capitals that are only another way to write a name.

    ``TRANSFORMER`` is ``Transformer`` where that stands too; ``REINFORCE`` is not ``reinforce``.
    """
    capitals = {key for key in map(form, names) if key.isupper()}
    written = {form(name) for name in names if name != name.lower()}
    # Of Adam and adam the first is meant by ADAM.
    return {
        key.upper(): key
        for key in sorted(written, reverse=True)
        if key.upper() in capitals and not key.isupper()
    }

"""Broader concepts: what the structure of names says, and what papers state."""

from collections import Counter
from collections.abc import Collection, Mapping

from ..records import ConceptType
from .counts import Occurrences
from .names import words_and_head

# Names of data are given, not composed: Fashion MNIST is no kind of MNIST.
COMPOSED: frozenset[ConceptType] = frozenset(("Method", "Task", "Metric"))


def broader_concepts(
    types: Mapping[str, ConceptType],
    found: Occurrences,
    *,
    stated: Collection[tuple[str, str]] = (),
) -> dict[str, dict[str, int]]:
    """Return the next broader concepts of each concept, with the papers that support the step.

    A concept is narrower than the one that its name ends with (zero-shot quantization is a kind
    of quantization), the longest such name of its type; and narrower than what enough papers
    state by ``subclass_of`` with a score of `kg.resolve.counts.LIKELY` or more: one where up to 9
    papers name the concept, two where up to 99 do, and so on. Of statements that would close a
    circle the less supported goes, and a step that longer ones imply is left out.

    Parameters
    ----------
    types
        The type of each concept, by label.
    found
        What occurs in the papers that name them.
    stated
        Pairs of a narrower and a broader label that the user states: they go before all else.

    Returns
    -------
    dict
        Label of the narrower -> label of the broader -> how many distinct papers support it.

    Examples
    --------
    >>> types = dict.fromkeys(["quantization", "zero-shot quantization", "LoRA"], "Method")
    >>> broader_concepts(types, Occurrences())
    {'zero-shot quantization': {'quantization': 0}}
    """
    steps: Counter[tuple[str, str]] = Counter()
    for narrower, broader in _by_structure(types, found).items():
        steps[narrower, broader] += found.papers[narrower,]
    for (narrower, broader), papers in found.narrower.items():
        enough = papers >= len(str(found.papers[narrower,]))
        if enough and narrower in types and broader in types:
            steps[narrower, broader] += papers
    known = {pair for pair in stated if pair[0] in types and pair[1] in types}
    for pair in known:
        steps[pair] += 0  # the user knows, whether or not a paper says so
    return _reduced(_without_circles(steps, known))


def _by_structure(types: Mapping[str, ConceptType], found: Occurrences) -> dict[str, str]:
    names = {label: words_and_head(label) for label, kind in types.items() if kind in COMPOSED}
    by_name: dict[tuple[ConceptType, tuple[str, ...]], str] = {}
    for label in sorted(names, key=lambda label: (-found.papers[label,], label)):
        by_name.setdefault((types[label], names[label]), label)
    above = {}
    for label, name in names.items():
        for start in range(1, len(name)):
            broader = by_name.get((types[label], name[start:]))
            if broader and name[-1].isalpha():
                above[label] = broader
                break
    return above


def _without_circles(
    steps: Mapping[tuple[str, str], int], stated: Collection[tuple[str, str]]
) -> dict[str, dict[str, int]]:
    """Take the stated steps, then the others by support, but none that closes a circle."""
    above: dict[str, dict[str, int]] = {}
    for (narrower, broader), papers in sorted(
        steps.items(), key=lambda step: (step[0] not in stated, -step[1], step[0])
    ):
        if narrower not in _reached(broader, above):
            above.setdefault(narrower, {})[broader] = papers
    return above


def _reduced(above: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    reduced = {}
    for narrower, steps in sorted(above.items()):
        implied: set[str] = set()
        for broader in steps:
            implied |= _reached(broader, above) - {broader}
        reduced[narrower] = {
            broader: papers for broader, papers in sorted(steps.items()) if broader not in implied
        }
    return reduced


def _reached(start: str, above: Mapping[str, Mapping[str, int]]) -> set[str]:
    reached, todo = {start}, [start]
    while todo:
        for broader in above.get(todo.pop(), ()):
            if broader not in reached:
                reached.add(broader)
                todo.append(broader)
    return reached

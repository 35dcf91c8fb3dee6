"""The order in which a paper says what it says."""

from dataclasses import replace

from ..records import AnnotatedPaper


def in_order(annotated: AnnotatedPaper) -> AnnotatedPaper:
    """Return the paper with its relations by place, of equal ones the surest, and with what it
    proposes in the order of first mention."""
    said = {
        (one.field != "title", one.start, one.end, one.head, one.type, one.tail): one
        for one in sorted(annotated.relations, key=lambda one: one.score)
    }
    named = dict.fromkeys(mention.concept for mention in annotated.mentions)
    relations = tuple(said[place] for place in sorted(said))
    proposes = tuple(label for label in named if label in annotated.proposes)
    if (relations, proposes) == (annotated.relations, annotated.proposes):
        return annotated
    return replace(annotated, relations=relations, proposes=proposes)

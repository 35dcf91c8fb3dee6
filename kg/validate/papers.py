"""``papers.jsonl`` by itself: offsets against the text, references within each paper."""

import json
from collections.abc import Iterator
from pathlib import Path

from ..export.papers import annotated_paper
from ..export.text import Text
from ..records import (
    CONCEPT_TYPES,
    RELATION_TYPES,
    AnnotatedPaper,
    Mention,
    Relation,
    Span,
)
from .faults import Fault


def check_papers(path: Path, *, text: Text) -> Iterator[Fault]:
    """Yield the faults of a file of annotated papers, each with its line.

    Parameters
    ----------
    path
        The file.
    text
        Whether the papers must have their texts or must not.
    """
    seen: dict[str, int] = {}
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                annotated = annotated_paper(json.loads(line))
                faults = list(_paper(annotated, text))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                yield Fault(path.name, str(number), f"no annotated paper ({error!r})")
                continue
            if annotated.id in seen:
                faults.append(f"the id is that of line {seen[annotated.id]}")
            seen.setdefault(annotated.id, number)
            for fault in faults:
                yield Fault(path.name, str(number), f"{annotated.id}: {fault}")


def _paper(annotated: AnnotatedPaper, text: Text) -> Iterator[str]:
    paper = annotated.paper
    held = [name for name in ("title", "abstract") if getattr(paper, name)]
    if text == "none" and held:
        yield f"has its {' and '.join(held)}, though the build was made without texts"
    if text == "full" and not held:
        yield "has neither title nor abstract"
    before: Mention | None = None
    for mention in annotated.mentions:
        place = f"{mention.text!r} at {mention.field} {mention.start}-{mention.end}"
        if fault := _mention(annotated, mention, before, whole=text == "full"):
            yield f"{place} {fault}"
        before = mention
    concepts = {mention.concept for mention in annotated.mentions}
    for relation in annotated.relations:
        if fault := _relation(annotated, relation, concepts, whole=text == "full"):
            yield f"{relation.head!r} {relation.type} {relation.tail!r} {fault}"
    for label in annotated.proposes:
        if label not in concepts:
            yield f"proposes {label!r}, which it does not mention"


def _mention(
    annotated: AnnotatedPaper, mention: Mention, before: Mention | None, *, whole: bool
) -> str | None:
    """Return the first thing that is wrong with a mention."""
    start, end = mention.start, mention.end
    first, last = mention.sentence
    if fault := _marked(annotated, mention, (start, end), whole=whole):
        return fault
    said = annotated.paper.text(mention.field)[start:end]
    if whole and said != mention.text:
        return f"is not what the text says there: {said!r}"
    if not first <= start < end <= last:
        return f"is not within its sentence, {first}-{last}"
    if fault := _marked(annotated, mention, mention.sentence, whole=whole):
        return f"has a sentence that {fault}"
    if mention.type not in CONCEPT_TYPES:
        return f"has no type: {mention.type!r}"
    if not mention.concept:
        return "names no concept"
    if before and before.field == mention.field and start < before.end:
        return f"begins before {before.text!r} ends"
    return None


def _relation(
    annotated: AnnotatedPaper, relation: Relation, concepts: set[str], *, whole: bool
) -> str | None:
    """Return the first thing that is wrong with a relation."""
    for label in (relation.head, relation.tail):
        if label not in concepts:
            return f"speaks of {label!r}, which the paper does not mention"
    if relation.type not in RELATION_TYPES:
        return "is of no known type"
    return _marked(annotated, relation, (relation.start, relation.end), whole=whole)


def _marked(
    annotated: AnnotatedPaper, found: Mention | Relation, span: Span, *, whole: bool
) -> str | None:
    """Return what is wrong with a score, or with a place as far as the text is known."""
    start, end = span
    if found.field not in ("title", "abstract"):
        return f"is in no field: {found.field!r}"
    if not 0 <= found.score <= 1:
        return f"has a score outside 0 to 1: {found.score}"
    if not 0 <= start < end:
        return f"ends before it begins: {start}-{end}"
    length = len(annotated.paper.text(found.field))
    if whole and end > length:
        return f"ends beyond the {found.field} of {length} characters"
    return None

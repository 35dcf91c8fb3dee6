"""Spans settled over the whole abstract, and their scores made probabilities.

One abstract names one thing one way: a surface that is a mention in one place is likely one in
the others, and an acronym goes with its expansion. A logistic regression over such features of a
span gives the probability that it is right; it is fitted on papers that the network was not
trained on (Platt 1999).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from spacy.attrs import LENGTH, SPACY  # type: ignore[import-not-found]
from spacy.tokens import Doc

from ..records import CONCEPT_TYPES
from .abbreviations import find_abbreviations
from .decode import TokenSpan
from .tokenizer import TEXT

Floats = npt.NDArray[np.float64]

SURE = 0.3  # a surface this likely somewhere is looked for everywhere
NEWTON_STEPS = 15
UNLIKELY = 0.01  # what the network gives a place that only its surface speaks for
KINDS = len(CONCEPT_TYPES)
SHARED = 6  # features whose weight is the same for every type
FEATURES = SHARED + 2 * KINDS
AS_IT_IS: Floats = np.array([1.0] + [0.0] * (FEATURES - 1))  # weights that leave scores alone


@dataclass(frozen=True, slots=True)
class TokenText:
    """A text and where its tokens start and end in it."""

    text: str
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, doc: Doc) -> "TokenText":
        """Return the text and bounds of `doc`, all at once: asking each token takes longer."""
        length, space = doc.to_array([LENGTH, SPACY]).T.astype(np.int64)
        ends = np.cumsum(length + space) - space
        text = doc.user_data.get(TEXT) or doc.text
        return cls(text, (ends - length).tolist(), ends.tolist())

    def surface(self, span: TokenSpan) -> str:
        """Return the words of a span."""
        return self.text[self.starts[span.start] : self.ends[span.end - 1]]


def settle(text: TokenText, found: Sequence[TokenSpan], weights: Floats) -> list[TokenSpan]:
    """Return the spans of the network, and other places of their surfaces, with new scores.

    Parameters
    ----------
    text : TokenText
        The tokens that the spans count.
    found : sequence of TokenSpan
        Every span that the network holds possible; they may overlap.
    weights : array
        One weight a feature, from `fit_weights`.
    """
    spans = everywhere(text, found)
    scores = 1 / (1 + np.exp(-(span_features(text, spans) @ weights)))
    return [span._replace(probability=float(p)) for span, p in zip(spans, scores, strict=True)]


def everywhere(text: TokenText, found: Sequence[TokenSpan]) -> list[TokenSpan]:
    """Return the spans and, unlikely as they look there, the other places of their surfaces."""
    known = {span[:3]: span for span in found}
    surfaces = {(text.surface(span), span.kind) for span in found if span.probability >= SURE}
    first = {place: token for token, place in enumerate(text.starts)}
    after = {place: token + 1 for token, place in enumerate(text.ends)}
    for surface, kind in surfaces:
        for at in _places(text.text, surface):
            start, end = first.get(at), after.get(at + len(surface))
            if start is not None and end is not None:
                known.setdefault((start, end, kind), TokenSpan(start, end, kind, UNLIKELY))
    return sorted(known.values())


def _places(text: str, surface: str) -> Iterator[int]:
    at = text.find(surface)
    while at >= 0:
        yield at
        at = text.find(surface, at + 1)


def span_features(text: TokenText, spans: Sequence[TokenSpan]) -> Floats:
    """Return what is known of each span: one row a span, `FEATURES` columns."""
    rows = np.zeros((len(spans), FEATURES))
    if not spans:
        return rows
    names = [text.surface(span).lower() for span in spans]
    places: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for row, (name, span) in enumerate(zip(names, spans, strict=True)):
        places[name, span.kind].append(row)
    best = {key: max(spans[row].probability for row in rows_) for key, rows_ in places.items()}
    partners = _partners(text.text)
    for row, (name, span) in enumerate(zip(names, spans, strict=True)):
        others = [spans[r].probability for r in places[name, span.kind] if r != row]
        related = [best.get((p, span.kind), UNLIKELY) for p in partners.get(name, ())]
        rows[row, :SHARED] = (
            span.probability,
            max(others, default=0.5),
            (sum(others) + span.probability) / (len(others) + 1),
            max(related, default=0.5),
            bool(others),
            bool(related),
        )
    rows[:, :4] = _logit(rows[:, :4])
    kinds = SHARED + np.array([span.kind for span in spans])
    rows[np.arange(len(spans)), kinds] = 1.0
    rows[np.arange(len(spans)), kinds + KINDS] = rows[:, 0]
    return rows


def _partners(text: str) -> dict[str, list[str]]:
    """Return each acronym's expansion, and each expansion's acronym, in lower case."""
    partners: defaultdict[str, list[str]] = defaultdict(list)
    for pair in find_abbreviations(text):
        short, long = pair.short.lower(), pair.long.lower()
        partners[short].append(long)
        partners[long].append(short)
    return partners


def _logit(p: npt.ArrayLike) -> Floats:
    clipped = np.clip(p, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(clipped / (1 - clipped)))


def fit_weights(features: Floats, right: npt.NDArray[np.bool_], *, ridge: float = 1.0) -> Floats:
    """Return the weights of a logistic regression, by Newton's method.

    Parameters
    ----------
    features : array
        One row a span, from `span_features`.
    right : array
        Whether the span was annotated so.
    ridge : float
        How strongly the weights are drawn to `AS_IT_IS`, where there is little to learn from.
    """

    def loss(weights: Floats) -> float:
        logits = features @ weights
        drawn = ((weights - AS_IT_IS) ** 2).sum()
        return float((np.logaddexp(0, logits) - right * logits).sum() + ridge * drawn / 2)

    weights, before = AS_IT_IS, loss(AS_IT_IS)
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-(features @ weights)))
        gradient = features.T @ (p - right) + ridge * (weights - AS_IT_IS)
        curvature = (features * (p * (1 - p))[:, None]).T @ features
        step = np.linalg.solve(curvature + ridge * np.eye(FEATURES), gradient)
        while (after := loss(weights - step)) > before and np.abs(step).max() > 1e-9:
            step /= 2  # a whole step may lead too far
        weights, before = weights - step, after
    return weights

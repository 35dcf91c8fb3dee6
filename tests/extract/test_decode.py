import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.decode import (
    TAGS,
    TokenSpan,
    probabilities,
    span_probabilities,
    tag_targets,
    without_overlap,
)


def allowed(path: tuple[int, ...]) -> bool:
    """Whether the BIOES scheme allows a path of tags, the plain way."""
    open_kind = None
    for tag in path:
        mark, kind = TAGS[tag][0], TAGS[tag][2:]
        if mark in "OBS" and open_kind is not None:
            return False
        if mark in "IE" and open_kind != kind:
            return False
        open_kind = kind if mark in "BI" else None
    return open_kind is None


def spans_of(path: tuple[int, ...]) -> list[tuple[int, int, int]]:
    spans, start = [], 0
    for place, tag in enumerate(path):
        if TAGS[tag][0] in "BS":
            start = place
        if TAGS[tag][0] in "ES":
            spans.append((start, place + 1, (tag - 1) // 4))
    return spans


def test_span_probabilities_are_sums_over_allowed_paths() -> None:
    tags = probabilities(np.random.default_rng(0).normal(0, 1, (3, len(TAGS))).astype(np.float32))
    total, mass = 0.0, dict[tuple[int, int, int], float]()
    for path in itertools.product(range(len(TAGS)), repeat=3):
        if allowed(path):
            weight = math.prod(float(tags[place, tag]) for place, tag in enumerate(path))
            total += weight
            for span in spans_of(path):
                mass[span] = mass.get(span, 0.0) + weight
    found = {(s.start, s.end, s.kind): s.probability for s in span_probabilities(tags, least=1e-9)}
    assert found.keys() == mass.keys()
    for span, weight in mass.items():
        assert found[span] == pytest.approx(weight / total, rel=1e-5)


def test_token_surely_outside_parts_what_stands_around_it() -> None:
    draw = np.random.default_rng(1).normal(0, 1, (5, len(TAGS))).astype(np.float32)
    tags, outside = probabilities(draw), tag_targets([], 1)
    parted = span_probabilities(np.vstack([tags[:2], outside, tags[2:]]), least=1e-9)
    apart = [
        *span_probabilities(tags[:2], least=1e-9),
        *(
            span._replace(start=span.start + 3, end=span.end + 3)
            for span in span_probabilities(tags[2:], least=1e-9)
        ),
    ]
    assert parted == apart and len(apart) > 5


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3), st.integers(0, 2)), max_size=6))
def test_sure_tags_give_back_their_spans(parts: list[tuple[int, int, int]]) -> None:
    spans, place = [], 0
    for length, kind, gap in parts:
        spans.append((place, place + length, kind))
        place += length + gap
    tags = tag_targets(spans, place + 1)
    assert [s[:3] for s in span_probabilities(tags, least=0.5)] == spans


def test_without_overlap_keeps_the_likeliest() -> None:
    low, high, apart = TokenSpan(0, 2, 0, 0.5), TokenSpan(1, 3, 1, 0.6), TokenSpan(4, 5, 2, 0.4)
    assert without_overlap([apart, low, high], least=0.4) == [high, apart]
    assert without_overlap([apart, low, high], least=0.45) == [high]


def test_tokens_surely_outside_change_little() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, (12, len(TAGS))).astype(np.float32)
    scores[[0, 4, 5, 11], 0] += 12
    tags = probabilities(scores)
    short = {s[:3]: s.probability for s in span_probabilities(tags, least=0.02)}
    nearly = tags.copy()
    nearly[[0, 4, 5, 11]] = np.minimum(nearly[[0, 4, 5, 11]], 0.99)
    whole = {s[:3]: s.probability for s in span_probabilities(nearly, least=0.02)}
    assert short.keys() == whole.keys() and len(short) > 3
    assert all(short[key] == pytest.approx(whole[key], abs=0.02) for key in short)


def test_no_tokens_no_spans() -> None:
    assert span_probabilities(np.zeros((0, len(TAGS)), dtype=np.float32)) == []

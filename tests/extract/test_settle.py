import numpy as np
import pytest
import spacy

import kg.extract.tokenizer  # noqa: F401  (registers the tokenizer)
from kg.extract.decode import TokenSpan
from kg.extract.settle import (
    AS_IT_IS,
    FEATURES,
    TokenText,
    everywhere,
    fit_weights,
    settle,
    span_features,
)

NLP = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "kg.Tokenizer.v1"}}})


def text_of(text: str) -> TokenText:
    return TokenText.of(NLP.make_doc(text))


def test_a_likely_surface_is_looked_for_everywhere() -> None:
    text = text_of("KGNet wins. See a.io/KGNet, not KGNets.")
    spans = everywhere(text, [TokenSpan(0, 1, 0, 0.9)])
    assert [text.surface(s) for s in spans] == ["KGNet", "KGNet"]
    assert everywhere(text, [TokenSpan(0, 1, 0, 0.1)]) == [TokenSpan(0, 1, 0, 0.1)]


def test_features_see_other_places_and_partners() -> None:
    text = text_of("graph network (GN) and GN")
    long, short, again = TokenSpan(0, 2, 0, 0.9), TokenSpan(3, 4, 0, 0.5), TokenSpan(6, 7, 0, 0.2)
    own, best, mean, partner, has_others, has_partner = span_features(text, [long, short, again]).T[
        :6
    ]
    assert has_others.tolist() == [0, 1, 1] and has_partner.tolist() == [1, 1, 1]
    assert (best[1], best[2]) == (own[2], own[1])
    assert own[2] < mean[1] == mean[2] < own[1]
    assert partner.tolist() == [own[1], own[0], own[0]]


def test_a_partner_that_was_not_found_counts_against() -> None:
    text = text_of("graph network (GN)")
    (row,) = span_features(text, [TokenSpan(3, 4, 0, 0.5)])
    assert row[3] < -4 and row[5] == 1


def test_bounds_are_those_of_the_tokens() -> None:
    doc = NLP.make_doc("  U-Net wins.\n\nGo ")
    text = TokenText.of(doc)
    assert text.starts == [token.idx for token in doc]
    assert text.ends == [token.idx + len(token) for token in doc]


def test_no_spans_no_features() -> None:
    assert span_features(text_of("nothing"), []).shape == (0, FEATURES)
    assert settle(text_of("nothing"), [], np.ones(FEATURES)) == []


def test_weights_recover_a_known_logistic_law() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, FEATURES))
    truth = np.linspace(-1.5, 1.5, FEATURES)
    right = rng.random(20_000) < 1 / (1 + np.exp(-(features @ truth)))
    assert fit_weights(features, right) == pytest.approx(truth, abs=0.15)


def test_without_examples_scores_stay_as_they_are() -> None:
    weights = fit_weights(np.zeros((0, FEATURES)), np.zeros(0, dtype=bool))
    assert weights == pytest.approx(AS_IT_IS)
    (span,) = settle(text_of("KGNet"), [TokenSpan(0, 1, 0, 0.7)], weights)
    assert span.probability == pytest.approx(0.7)

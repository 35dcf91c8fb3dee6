import numpy as np
import pytest
import spacy

import kg.extract.tokenizer  # noqa: F401  (registers the tokenizer)
from kg.extract.decode import TAGS
from kg.extract.network import Tokens, build_tagger, join_tokens, read_tokens

NLP = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "kg.Tokenizer.v1"}}})
WORDS = np.sort(np.array([NLP.vocab.strings.add(word) for word in ("graph", "net")], np.uint64))


def tokens_of(text: str) -> Tokens:
    return read_tokens(NLP.make_doc(text), WORDS)


def small_network():
    model = build_tagger(len(WORDS), 6, 8, [1, 2], 0.0)
    model.initialize()
    for node in model.walk():  # the output starts at zero, which would hide all differences
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, np.random.default_rng(1).normal(0, 0.3, shape).astype(np.float32))
    return model


def test_known_words_are_found_whatever_their_case() -> None:
    rows = tokens_of("Graph a NET graph").rows
    assert rows[1] == 0 and rows[0] == rows[3] != rows[2]
    assert WORDS[rows[0] - 1] == NLP.vocab.strings["graph"]


def test_same_words_share_a_group_within_their_abstract_only() -> None:
    joined = join_tokens([tokens_of("graph net graph"), tokens_of("graph")])
    assert joined.starts.tolist() == [0, 3, 4]
    assert joined.same[0] == joined.same[2] != joined.same[1]
    assert joined.same[3] not in joined.same[:3]


def test_company_changes_no_score() -> None:
    model = small_network()
    texts = ["graph net wins", "one two three four five", "graph"]
    together = model.predict(join_tokens([tokens_of(text) for text in texts]))
    alone = np.vstack([model.predict(tokens_of(text)) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)


def test_gradient_is_the_slope_of_the_loss() -> None:
    model = small_network()
    tokens = join_tokens([tokens_of("graph net wins graph"), tokens_of("a net")])
    weights = np.random.default_rng(2).normal(0, 1, (len(tokens), len(TAGS))).astype(np.float32)
    _, backprop = model.begin_update(tokens)
    backprop(weights)
    table = model.layers[0]
    slope, step = table.get_grad("E")[tokens.rows[0], 0], 1e-2
    values = []
    for sign in (1, -1):
        moved = table.get_param("E").copy()
        moved[tokens.rows[0], 0] += sign * step
        table.set_param("E", moved)
        values.append(float((model.predict(tokens) * weights).sum()))
        moved[tokens.rows[0], 0] -= sign * step
        table.set_param("E", moved)
    assert (values[0] - values[1]) / (2 * step) == pytest.approx(slope, rel=0.05, abs=1e-3)

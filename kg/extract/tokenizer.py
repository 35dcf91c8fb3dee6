"""Text to tokens: one regular expression, linear in the length of the text.

spaCy's own tokenizer cuts affixes off one by one, which is quadratic on long runs of brackets,
and leaves `\u2010`, `\u2011`, `](` and addresses whole. Here a token is a word with its digits
(`GPT-4`, `CIFAR-100`, `3D`), a number, or a run of one sign; hyphens between letters split
(`CNN`, `-`, `based`).
"""

import re
from collections.abc import Callable

from spacy.attrs import PREFIX, SUFFIX  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import DummyTokenizer, registry
from spacy.vocab import Vocab

TEXT = "kg_text"  # the key of a document's text in its user data
_TOKEN = re.compile(
    r"""
    (
      (?:[^\W\d_]\.){2,}                                  # U.S., i.e.
    | (?:al|cf|vs|etc|resp|approx|Fig|fig|Eq|Sec|Tab)\.(?=\s*[^\sA-Z])
    | [Cc](?:\+\+|\#)(?!\w)                               # C++, C#
    | \d+(?:[.,]\d+)*(?:[^\W\d_]+\d*)*                    # 95.3, 1,000, 3D, 4x4
    | ['\u2019](?:s|t|re|ve|ll|d|m)\b
    | [^\W\d_]+(?:\d+[^\W\d_]*)*(?:[-.]\d+[^\W_]*)*       # word, R2D2, GPT-4, Llama-3.1
    | \s+
    | (.)\2*                                              # a run of one sign
    )
    ([ ]?)                                                # spaCy keeps one blank with its token
    """,
    re.VERBOSE | re.DOTALL,
)


class Tokenizer(DummyTokenizer):
    """A spaCy tokenizer without state: ``Tokenizer(vocab)(text)`` is a `Doc`.

    >>> from spacy.vocab import Vocab
    >>> [token.text for token in Tokenizer(Vocab())("U-Net beats GPT-4 (on CIFAR-10).")]
    ['U', '-', 'Net', 'beats', 'GPT-4', '(', 'on', 'CIFAR-10', ')', '.']
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of `text`; its white space is kept, as spaCy keeps it."""
        found = _TOKEN.findall(text)
        words = [word for word, _, _ in found]
        spaces = [blank != "" for _, _, blank in found]
        # spaCy keeps no text: `Doc.text` is put together from the tokens each time it is asked for.
        return Doc(self.vocab, words=words, spaces=spaces, user_data={TEXT: text})


@registry.tokenizers("kg.Tokenizer.v1")  # type: ignore[untyped-decorator]
def create_tokenizer() -> Callable[[Language], Tokenizer]:
    """Return the maker of the tokenizer that a spaCy config names ``kg.Tokenizer.v1``."""

    def make(nlp: Language) -> Tokenizer:
        # The tagger reads longer affixes than spaCy's (one letter in front, three at the end).
        getters = nlp.vocab.lex_attr_getters  # type: ignore[attr-defined]
        getters[PREFIX] = lambda word: word[:3]
        getters[SUFFIX] = lambda word: word[-4:]
        return Tokenizer(nlp.vocab)

    return make

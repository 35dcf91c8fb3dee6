"""Names of concepts: their normal form, their slug, and the ids made of both.

Two surface forms with one normal form are one concept. The normal form forgets case, hyphens,
dashes and spaces, markup, British spelling and the plural of the head; it keeps what tells names
apart: digits and the points between them, ``+`` and ``#``, a star after a single letter, the
capitals of a one-word name written in capitals only (``REINFORCE`` is not ``reinforce``), and the
capital of a few names that are words too (``Adam``).
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from .english import PLURAL_ACRONYM, american, singular, stem

_GREEK = {
    letter: name
    for first, names in (
        (0x3B1, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu"),
        (0x3BD, "nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega"),
    )
    for letter, name in enumerate(names.split(), start=first)
}
_LATEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TOKEN = re.compile(r"[^\W_]+(?:\.(?=\d)\d+)*(?:\+\+|[+#](?![^\W_]))*")
_STAR = re.compile(r"(?<![^\W_])([^\W\d_])\*")
_POSSESSIVE = re.compile(r"['\u2019`]s\b|['\u2019`]")
# Methods and systems that are called by a word or a given name: the capital tells them from it.
_NAMES_LIKE_WORDS = frozenset(
    """Adam Bard Chameleon Chinchilla Claude Dreamer Falcon Flamingo Galactica Gato Gemini Gopher
    Jurassic Lion Mamba Orca Prophet Rainbow Shampoo Whisper""".split()
)
# Words that join the others of a name.
SMALL_WORDS = frozenset("a an by for from in of on the under via with".split())
# The quotation marks in a name and the ties of LaTeX between its words.
_UNWRITTEN = str.maketrans({"~": " ", '"': None, "\u201c": None, "\u201d": None})
_CAMEL = re.compile(r"(?<![^\W_])[A-Za-z][a-z]*(?:[A-Z][a-z]{2,})+$")
_TITLE = re.compile(r"[A-Z][a-z]+")
_HEAD_BEFORE = re.compile(r"\w (?:between|for|from|in|of|on|over|to|under|with) ")


@lru_cache(maxsize=1 << 16)
def normal_form(name: str) -> str:
    """Return the form that all spellings of one concept's name share.

    Parameters
    ----------
    name
        A surface form, a label or an alias.

    Returns
    -------
    str
        Letters, digits and the few signs that tell names apart, without blanks; empty if the
        name holds none of them.

    Examples
    --------
    >>> normal_form("Graph Neural Networks") == normal_form("graph neural-network")
    True
    >>> normal_form("β-VAEs"), normal_form(r"$\\beta$-VAE")
    ('betavae', 'betavae')
    >>> normal_form("C"), normal_form("C++"), normal_form("CIFAR-10"), normal_form("GPT-3.5")
    ('c', 'c++', 'cifar10', 'gpt3.5')
    >>> normal_form("REINFORCE"), normal_form("reinforce")
    ('REINFORCE', 'reinforce')
    """
    tokens = _tokens(name)
    if not tokens:
        return ""
    if len(tokens) == 1:
        token = singular(tokens[0])
        kept = _is_capitals(token) or token in _NAMES_LIKE_WORDS
        return token if kept else american(token.casefold())
    return "".join(_words(tokens))


def one_line(name: str) -> str:
    """Return the name with one blank between its words and without quotation marks in it.

    Examples
    --------
    >>> one_line('the "Look and\\n Say" sequence')
    'the Look and Say sequence'
    """
    return " ".join(name.translate(_UNWRITTEN).split())


def last_singular(name: str) -> str:
    """Return the name with its last word in the singular, whatever it is.

    Examples
    --------
    >>> last_singular("Neural Networks"), last_singular("Hermes")
    ('Neural Network', 'Herme')
    """
    match = re.search(r"[^\W\d_]+$", name)
    return name[: match.start()] + singular(match.group()) if match else name


def singular_name(name: str) -> str:
    """Return the name with its last word in the singular, all else as it is written.

    A word that may be a proper name stays as it is, and so does a name whose head is another word.

    Examples
    --------
    >>> singular_name("Graph Neural Networks"), singular_name("number of layers")
    ('Graph Neural Network', 'number of layers')
    >>> singular_name("networks"), singular_name("Hermes"), singular_name("nuScenes")
    ('network', 'Hermes', 'nuScenes')
    """
    own = _CAMEL.search(name) or _TITLE.fullmatch(name) or _HEAD_BEFORE.search(name)
    return name if own else last_singular(name)


def singular_of(name: str, kind: str) -> str:
    """Return the name in the singular, but a dataset's own name as it is.

    Examples
    --------
    >>> singular_of("Cityscapes", "Dataset"), singular_of("street scenes", "Dataset")
    ('Cityscapes', 'street scene')
    """
    own = kind == "Dataset" and name.rpartition(" ")[2][:1].isupper()
    return name if own else singular_name(name)


@lru_cache(maxsize=1 << 16)
def words(name: str) -> tuple[str, ...]:
    """Return the normal form of each word of a name, the head singular.

    Examples
    --------
    >>> words("Zero-Shot Quantization Methods")
    ('zero', 'shot', 'quantization', 'method')
    """
    return _words(_tokens(name))


def stems(name: str) -> tuple[str, ...]:
    """Return the stems of the words of a name in alphabetical order, without the small ones.

    Examples
    --------
    >>> stems("robotic manipulation") == stems("manipulation of robots")
    True
    """
    return tuple(sorted(stem(word) for word in words(name) if word not in SMALL_WORDS))


def words_and_head(name: str) -> tuple[str, ...]:
    """Return the words of a name, the last as the normal form of the concept that it alone names.

    Examples
    --------
    >>> words_and_head("Language Models"), words_and_head("deep GNNs")
    (('language', 'model'), ('deep', 'GNN'))
    """
    tokens = _tokens(name)
    return (*words(name)[:-1], normal_form(tokens[-1])) if tokens else ()


def with_words_replaced(name: str, known: Mapping[str, str]) -> str:
    """Return the normal form of a name of several words, its acronyms replaced by what is known.

    Examples
    --------
    >>> with_words_replaced("spectral GNNs", {"GNN": normal_form("graph neural network")})
    'spectralgraphneuralnetwork'
    """
    tokens = _tokens(name)
    if len(tokens) < 2:
        return normal_form(name)
    parts = zip(tokens, _words(tokens), strict=True)
    return "".join(
        word if token[1:].islower() else known.get(normal_form(token), word)
        for token, word in parts
    )


def concept_id(label: str) -> str:
    """Return the id of the concept with this label: ``<slug>-<hash of its normal form>``.

    Examples
    --------
    >>> concept_id("graph neural network")[:21], concept_id("C++")[:4]
    ('graph-neural-network-', 'c++-')
    >>> concept_id("Vision Transformer") == concept_id("vision transformers")
    True
    """
    name = unicodedata.normalize("NFKC", last_singular(label)).casefold()
    slug = re.sub(r"[^\w+#]+", "-", name).strip("-_")[:80]
    digest = hashlib.sha256(normal_form(label).encode()).hexdigest()[:8]
    return f"{slug or 'concept'}-{digest}"


def _words(tokens: Sequence[str]) -> tuple[str, ...]:
    if not tokens:
        return ()
    *rest, head = tokens
    # The plural of capitals shows in its small s only.
    one = singular(head if PLURAL_ACRONYM.search(head) else head.casefold())
    return tuple(american(word.casefold()) for word in (*rest, one))


def _tokens(name: str) -> list[str]:
    text = name if name.isascii() else unicodedata.normalize("NFKC", _INVISIBLE.sub("", name))
    text = _LATEX_COMMAND.sub(r" \1 ", text) if "\\" in text else text
    text = text if text.isascii() else text.translate(_GREEK_NAMES)
    text = _STAR.sub(r"\1star", _POSSESSIVE.sub("", text))
    return _TOKEN.findall(text)


_GREEK_NAMES = {
    code: f" {written} "
    for letter, lower in _GREEK.items()
    for code, written in ((letter, lower), (letter - 0x20, lower))
}
_GREEK_NAMES[0x3F5] = " epsilon "  # the lunate epsilon of mathematics


def _is_capitals(token: str) -> bool:
    return len(token) > 1 and token.isalpha() and token.isupper()

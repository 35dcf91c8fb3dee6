"""What English does to the words of names: plurals, endings, British spelling."""

import re
from functools import cache, lru_cache
from typing import Any

# Only a key is made of these, so a word that was American all along may change too (`supervised`),
# as long as no two words become one.
_BRITISH = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:ation|ations|er|ers|ing|ed)$)"), "iz"),
    (re.compile(r"(?<=l)ys(?=(?:er|ers|ing|ed)$)"), "yz"),
    (re.compile(r"(?<=[a-z]{3}[aeiou])ll(?=(?:ing|ed|er|ers)$)"), "l"),
    (re.compile(r"^(behavi|col|neighb|fav|hum|lab|vap)our"), r"\1or"),
    (re.compile(r"^(cent|fib|met|theat|lit)re(?=s?$)"), r"\1er"),
    (re.compile(r"^(catal|dial|anal)ogue(?=s?$)"), r"\1og"),
    (re.compile(r"^(gr)ey(?=$|scale)"), r"\1ay"),
    (re.compile(r"^defence(?=s?$)"), "defense"),
)
_ANY_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _BRITISH))
_PLURALS = {
    "analyses": "analysis",
    "bases": "base",
    "biases": "bias",
    "characteristics": "characteristic",
    "corpora": "corpus",
    "diagnoses": "diagnosis",
    "criteria": "criterion",
    "gases": "gas",
    "hypotheses": "hypothesis",
    "indices": "index",
    "indexes": "index",
    "lenses": "lens",
    "matrices": "matrix",
    "phenomena": "phenomenon",
    "syntheses": "synthesis",
    "theses": "thesis",
    "vertices": "vertex",
    "vertexes": "vertex",
}
PLURAL_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z\d]s$")  # of GPUs too, though -us ends no plural
_NO_PLURAL = re.compile(
    r"(?:ss|us|is|series|species|news|lens|means"
    r"|(?:ali|atl|bi|canv|christm|pand|pancre|tex)as|(?:cha|cosm|eth|kud|path)os"
    r"|(?<!crit)(?<!fabr)(?<!heurist)(?<!log)(?<!metr)(?<!mosa)(?<!rubr)(?<!top)ics)$"
)


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Return the singular of a head noun by the regular rules of English.

    Examples
    --------
    >>> [singular(word) for word in ("networks", "GNNs", "classes", "matrices", "analysis")]
    ['network', 'GNN', 'class', 'matrix', 'analysis']
    >>> [singular(word) for word in ("policies", "losses", "statistics", "SGNS", "searches")]
    ['policy', 'loss', 'statistics', 'SGNS', 'search']
    >>> [singular(word) for word in ("metrics", "cameras", "ratios", "canvas", "chaos", "Pandas")]
    ['metric', 'camera', 'ratio', 'canvas', 'chaos', 'Pandas']
    """
    lower = word.casefold()
    if lower in _PLURALS:
        return _PLURALS[lower] if word != word.upper() else word
    if PLURAL_ACRONYM.search(word):
        return word[:-1]
    if len(word) < 4:
        return word
    if not word.endswith("s") or _NO_PLURAL.search(lower):
        return word
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word by the rules of Snowball for English.

    Examples
    --------
    >>> stem("recognizing"), stem("generators")
    ('recogn', 'generat')
    """
    return str(_stemmer().stemWord(singular(word)))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 15)
def american(word: str) -> str:
    """Return a word in American spelling, as far as no two words become one.

    Examples
    --------
    >>> american("optimiser"), american("behaviour")
    ('optimizer', 'behavior')
    """
    if _ANY_BRITISH.search(word):  # few words are, and one look costs less than eight
        for pattern, replacement in _BRITISH:
            word = pattern.sub(replacement, word)
    return word

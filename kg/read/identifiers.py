"""DOI, arXiv id and PMID in all their spellings -> one form that tells equal ones."""

import re
from urllib.parse import unquote

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ARXIV = re.compile(
    r"(?:^(?=\S+$)|arxiv(?:\.org/(?:abs|pdf|html)/|[.:]\s*))"
    r"([a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7}|\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(v\d+)?(?!\d)",
    re.IGNORECASE,
)
_PMID = re.compile(r"(?:pubmed(?:\.ncbi\.nlm\.nih\.gov)?/|pmid:?\s*|^\s*)(\d{1,9})\s*/?$", re.I)


def normal_doi(text: str | None) -> str | None:
    """Return the DOI in a text in lower case and without a prefix, or None.

    Examples
    --------
    >>> normal_doi("https://doi.org/10.9999/ABC.1"), normal_doi("in press")
    ('10.9999/abc.1', None)
    """
    match = _DOI.search(unquote(text) if "%" in text else text) if text else None
    return match[0].rstrip(".,;").lower() if match else None


def arxiv_id(text: str | None, *, version: bool = True) -> str | None:
    """Return the arXiv id in a text, with or without its version, or None.

    Examples
    --------
    >>> arxiv_id("http://arxiv.org/abs/1901.00001v2"), arxiv_id("arXiv:hep-th/9901001")
    ('1901.00001v2', 'hep-th/9901001')
    >>> arxiv_id("10.48550/arXiv.1901.00001v2", version=False), arxiv_id("10.1000/182")
    ('1901.00001', None)
    """
    match = _ARXIV.search(text) if text else None
    if not match:
        return None
    return match[1] + (match[2] or "") if version else match[1].lower()


def pmid_of(text: str | None) -> str | None:
    """Return the PubMed id in a text, or None.

    Examples
    --------
    >>> pmid_of("https://pubmed.ncbi.nlm.nih.gov/123/"), pmid_of("PMID: 123"), pmid_of("abc")
    ('123', '123', None)
    """
    match = _PMID.search(text) if text else None
    return match[1] if match else None

"""Values for the parameters of the named queries, out of the build that is served."""

from collections import Counter
from typing import TYPE_CHECKING

from ..query.named import named_queries
from .site import Site

if TYPE_CHECKING:
    import pyoxigraph

_OF_TASK = "?paper dct:subject ?c, ?d . ?c a kg:Task ; skos:prefLabel ?task . ?d a "
# Where a query's parameters have values that it finds something for.
_PATTERNS = {
    "compared-with": "?c kg:comparedWith ?d . ?c skos:prefLabel ?method",
    "datasets-for-task": f"{_OF_TASK} kg:Dataset",
    "evidence-for": "?claim a kg:Claim ; rdf:subject ?c ; rdf:object ?d . "
    "?c skos:prefLabel ?one . ?d skos:prefLabel ?other",
    "methods-for-task": f"{_OF_TASK} kg:Method",
    "metrics-for-task": f"{_OF_TASK} kg:Metric",
    "papers-about": "?paper dct:subject ?c . ?c skos:prefLabel ?concept",
    "parts-of-method": "?part kg:partOf ?c . ?c skos:prefLabel ?method",
    "related-papers": "?link kg:member ?c . ?c dct:identifier ?paper",
    "shared-concepts": "?link kg:member ?c, ?d . FILTER(STR(?c) < STR(?d)) "
    "?c dct:identifier ?one . ?d dct:identifier ?other",
    "top-concepts": "?c a ?class . FILTER(STRSTARTS(STR(?class), STR(kg:))) "
    "BIND(STRAFTER(STR(?class), STR(kg:)) AS ?type) ?paper dct:subject ?c",
}
# The commonest of so many is taken; to look at all of them would take a large build too long.
_LOOKED_AT = 500


def examples(site: Site, store: "pyoxigraph.Store") -> dict[str, dict[str, str]]:
    """Return by the name of a query values for its parameters that have an answer in this build.

    Parameters
    ----------
    site
        The site, whose prefixes the patterns are written with.
    store
        Its graph.
    """
    import pyoxigraph

    found = {}
    for query in named_queries():
        names = sorted(query.parameters)
        wanted = " ".join(f"?{name}" for name in names)
        sparql = f"SELECT {wanted} {{ {_PATTERNS[query.name]} }} LIMIT {_LOOKED_AT}"
        rows = store.query(sparql, prefixes=dict(site.prefixes))
        assert isinstance(rows, pyoxigraph.QuerySolutions)
        counts = Counter(tuple(row[name].value for name in names) for row in rows)
        if counts:
            best = min(counts, key=lambda values: (-counts[values], values))
            found[query.name] = dict(zip(names, best, strict=True))
    return found

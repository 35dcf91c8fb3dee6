"""Find the node that a person means by a name."""

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import NameNotFound
from ..resolve.names import normal_form
from .lookup import Kind, aliases_of, lookup_of
from .schema import MENTIONS

if TYPE_CHECKING:
    import networkx

_NEAREST = 5
_Names = Callable[[dict[str, Any]], Iterable[str]]


def find_node(graph: "networkx.MultiDiGraph[str]", name: str, *, kind: Kind | None = None) -> str:
    """Return the key of the node with this name.

    A concept is named by its label, an alias or its id, a paper by its id, the id of a record
    merged into it, its label, a part of its title that no other title has, or what it alone
    proposes. Names are compared exactly, then in any case, then by their normal form. Where both
    kinds have the name the concept is meant, unless the name begins with ``paper:``.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph`.
    name
        What to look for; a prefix ``paper:`` or ``concept:`` forces the kind.
    kind
        Look only among papers, or only among concepts.

    Raises
    ------
    NameNotFound
        If no node has that name, or several have; the message lists the nearest.
    """
    prefix, _, rest = name.partition(":")
    if rest and prefix in ("paper", "concept") and kind in (None, prefix):
        kind, name = prefix, rest  # type: ignore[assignment]
    found = _find(graph, name, (kind,) if kind else ("concept", "paper"))
    if not found:
        raise NameNotFound(_unknown(graph, name, kind))
    if len(found) > 1:
        raise NameNotFound(_ambiguous(graph, name, found))
    return found[0]


def _find(graph: "networkx.MultiDiGraph[str]", name: str, kinds: Sequence[Kind]) -> list[str]:
    """Return the nodes with the name by the strictest comparison that finds any."""
    lookup = lookup_of(graph)
    nodes: dict[str, list[tuple[str, dict[str, Any]]]] = {"paper": [], "concept": []}
    for node in lookup.named(name):
        nodes[graph.nodes[node]["kind"]].append((node, graph.nodes[node]))
    ways: list[_Names] = [_ids, _labels, aliases_of]
    for fold in (str, str.casefold, normal_form):
        wanted = fold(name)
        for kind in kinds:
            for names in ways:
                found = [
                    node
                    for node, data in nodes[kind]
                    if wanted and wanted in map(fold, names(data))
                ]
                if found:
                    return found
    wanted = name.casefold().strip()
    if not wanted or "paper" not in kinds:
        return []
    return list(lookup.titled(wanted)) or _proposing(graph, _find(graph, name, ("concept",)))


def _proposing(graph: "networkx.MultiDiGraph[str]", concepts: Iterable[str]) -> list[str]:
    """Return the papers that propose any of the concepts."""
    return [
        paper
        for concept in concepts
        for paper, _, key, data in graph.in_edges(concept, keys=True, data=True)
        if key == MENTIONS and data["proposed"]
    ]


def _ids(data: dict[str, Any]) -> Iterable[str]:
    return (data["record"].id,)


def _labels(data: dict[str, Any]) -> Iterable[str]:
    return (data["label"],)


def _unknown(graph: "networkx.MultiDiGraph[str]", name: str, kind: Kind | None) -> str:
    what = kind or "concept or paper"
    wanted = name.casefold()
    by_name = {
        folded: written
        for folded, written, of in sorted(lookup_of(graph).names(wanted[:1]))
        if kind in (None, of)
    }
    near = difflib.get_close_matches(wanted, by_name, _NEAREST, 0.6)
    hint = f"nearest: {', '.join(by_name[one] for one in near)}" if near else "see `kg concepts`"
    return f"{name}: no {what} of that name; {hint}"


def _ambiguous(graph: "networkx.MultiDiGraph[str]", name: str, found: list[str]) -> str:
    some = ", ".join(f"{node} ({graph.nodes[node]['label']})" for node in sorted(found)[:_NEAREST])
    more = f" and {len(found) - _NEAREST} more" if len(found) > _NEAREST else ""
    return f"{name}: {len(found)} have that name: {some}{more}; name one of them"

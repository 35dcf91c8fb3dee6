"""What is known of each pair of concepts: hashed features, numbers, and word vectors.

The features are those that kernels and linear models for relations have long used, the words
between, before and after the nearest mentions, their distance and order, the names and types
(Zhou et al. 2005, "Exploring Various Knowledge in Relation Extraction"), and what the whole
abstract tells of either concept: how often and where it is named, whether it is what the paper
proposes, and how many other concepts of its type stand nearer.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .relation_columns import Columns, bins, both
from .relation_layout import Floats, Hashes, Ints, Layout
from .relation_network import Rows
from .relation_pairs import Pairs

BETWEEN = 12  # tokens between two mentions that are all looked at; of more, only the ends
_WEIGHTS = np.power(np.uint64(1_000_003), np.arange(BETWEEN, dtype=np.uint64))
_NAME_WORDS = 6
_MENTIONS = 3
_PROPOSED = [0.05, 0.2, 0.5, 0.8]
_CORE = [0.2, 0.4, 0.6, 0.8]


@dataclass(frozen=True, slots=True)
class Standing:
    """How each concept of a text stands among those of its type.

    `proposed` is how likely the paper introduces it, `core` how likely it could not be found
    without it, `rank` and `often` the place by first mention and by number of mentions, `rivals`
    how many are likelier proposed, `peers` how many there are, `opens` the sentence of the first
    mention.
    """

    proposed: Floats
    core: Floats
    rank: Ints
    often: Ints
    rivals: Ints
    peers: Ints
    opens: Ints

    @classmethod
    def of(cls, layout: Layout, roles: Floats) -> "Standing":
        """Compare the concepts of a text."""
        proposed, core = roles.T
        same = layout.type[:, None] == layout.type
        place, count = layout.start[layout.first], layout.count
        earlier = place < place[:, None]
        oftener = (count > count[:, None]) | ((count == count[:, None]) & earlier)
        return cls(
            proposed=proposed,
            core=core,
            rank=(same & earlier).sum(1),
            often=(same & oftener).sum(1),
            rivals=(same & (proposed > proposed[:, None])).sum(1),
            peers=same.sum(1),
            opens=layout.sentence[layout.first],
        )


def pair_rows(layout: Layout, pairs: Pairs, roles: Floats, *, table: int) -> Rows:
    """Return what a network with a hashed table of `table` rows sees of the pairs.

    `roles` holds, for each concept, how likely the paper introduces it and how likely it is core.
    """
    standing = Standing.of(layout, roles)
    size = len(layout.first)
    number = np.full((size, size), len(pairs))
    number[pairs.head, pairs.tail] = np.arange(len(pairs))
    return Rows(
        columns=_columns(layout, pairs, standing).hashed(table),
        numbers=_numbers(layout, pairs, standing),
        head=pairs.head,
        tail=pairs.tail,
        text=np.zeros(len(pairs), dtype=np.int64),
        reverse=number[pairs.tail, pairs.head],
    )


def _columns(layout: Layout, pairs: Pairs, standing: Standing) -> Columns:
    columns = Columns()
    forward = layout.start[pairs.at_head] < layout.start[pairs.at_tail]
    ordered = pairs.kind * 2 + forward
    ranked = _nearer(layout, pairs)
    _add_distance(columns, layout, pairs, ordered)
    _add_words(columns, layout, pairs, ordered)
    _add_standing(columns, layout, pairs, standing)
    by_distance = ordered * 3 + np.minimum(pairs.apart, 2)
    likely = bins(standing.proposed, _PROPOSED)
    core = bins(standing.core, _CORE)
    for role in (likely, core):
        columns.add(role[pairs.head] * 5 + role[pairs.tail], by_distance)
    for rank in ranked:
        columns.add(np.minimum(rank, 3), by_distance)
    columns.add(np.minimum(ranked[0], 3) * 4 + np.minimum(ranked[1], 3), pairs.kind)
    _add_names(columns, layout, pairs)
    for one, other in ((pairs.head, pairs.tail), (pairs.tail, pairs.head)):
        _add_contexts(columns, layout, one, (pairs.kind, pairs.kind * 5 + likely[other]))
    return columns


def _nearer(layout: Layout, pairs: Pairs) -> tuple[Ints, Ints]:
    """Return how many of the tail's type stand nearer to the head, and the other way round."""
    own = pairs.cost[pairs.head, pairs.tail][:, None]
    to_head = (pairs.cost[pairs.head] < own) & (layout.type == layout.type[pairs.tail][:, None])
    to_tail = (pairs.cost[pairs.tail] < own) & (layout.type == layout.type[pairs.head][:, None])
    size = np.arange(len(layout.first))
    to_head &= size != pairs.head[:, None]
    to_tail &= size != pairs.tail[:, None]
    return to_head.sum(1), to_tail.sum(1)


def _add_distance(columns: Columns, layout: Layout, pairs: Pairs, ordered: Ints) -> None:
    columns.add(np.zeros(len(pairs)), pairs.kind)
    by_distance = ordered * 3 + np.minimum(pairs.apart, 2)
    columns.add(bins(pairs.gap, [1, 2, 3, 4, 6, 8, 12, 20, 35, 60, 100]), by_distance)
    columns.add(np.minimum(pairs.apart, 5), ordered)
    columns.add(np.minimum(_between_mentions(layout, pairs), 5), by_distance)
    columns.add(np.minimum(pairs.together, 4), pairs.kind)


def _between_mentions(layout: Layout, pairs: Pairs) -> Ints:
    left, right = _left_right(layout, pairs)
    places = np.sort(layout.start)
    return np.searchsorted(places, layout.start[right]) - np.searchsorted(places, layout.end[left])


def _left_right(layout: Layout, pairs: Pairs) -> tuple[Ints, Ints]:
    """Return the nearest mentions in the order of the text."""
    forward = layout.start[pairs.at_head] < layout.start[pairs.at_tail]
    return (
        np.where(forward, pairs.at_head, pairs.at_tail),
        np.where(forward, pairs.at_tail, pairs.at_head),
    )


def _add_words(columns: Columns, layout: Layout, pairs: Pairs, ordered: Ints) -> None:
    """Add the words between, before and after the nearest mentions."""
    words, gap = layout.words, pairs.gap
    left, right = _left_right(layout, pairs)
    begin, stop = layout.end[left], layout.start[right]
    place = np.minimum(begin[:, None] + np.arange(BETWEEN), len(words) - 1)
    inside = (place < stop[:, None]) & (gap <= BETWEEN)[:, None]
    between = words[place]
    columns.add(between, ordered, where=inside)
    columns.add(both(between[:, :-1], between[:, 1:]), ordered, where=inside[:, 1:])
    columns.add(layout.stems[place], ordered, where=inside)
    whole = (np.where(inside, between, 0) * _WEIGHTS).sum(1)
    columns.add(whole, ordered, where=gap <= 6)
    outer_left, outer_right = layout.start[left] - 1, layout.end[right]
    for edge, step in ((begin, 1), (stop - 1, -1), (outer_left, -1), (outer_right, 1)):
        near, far = words[edge], words[edge + step]
        columns.add(near, ordered)
        columns.add(far, ordered)
        columns.add(both(near, far), ordered)
        columns.add(words[edge + 2 * step], ordered)
    columns.add(both(words[stop - 1], words[outer_left]), ordered)


def _add_standing(columns: Columns, layout: Layout, pairs: Pairs, standing: Standing) -> None:
    head, tail, kind = pairs.head, pairs.tail, pairs.kind
    likely = bins(standing.proposed, _PROPOSED)
    methods = standing.proposed[layout.type == 0].max(initial=0)
    novel = int(bins(np.array([methods]), [0.2, 0.5, 0.8])[0])
    times = bins(layout.count, [2, 3, 5])
    part = np.minimum(standing.opens * 5 // layout.sentences, 4)
    often, rank = np.minimum(standing.often, 4), np.minimum(standing.rank, 4)
    core = bins(standing.core, _CORE)
    columns.add(likely[head] * 5 + likely[tail], kind)
    columns.add(core[head] * 5 + core[tail], kind)
    columns.add(likely[head] * 5 + core[tail], kind)
    columns.add(core[head] * 5 + likely[tail], kind)
    for of in (head, tail):
        columns.add(np.minimum(standing.rivals[of], 3) * 4 + novel, kind)
        for value in (times, part, layout.shape, rank, often, np.minimum(standing.peers, 6)):
            columns.add(value[of], kind)
        columns.add(np.minimum(standing.opens[of], 6), kind)
    for value in (times, often, part, layout.shape):
        columns.add(value[head] * 5 + value[tail], kind)
    columns.add(often[tail] * 5 + likely[head], kind)
    columns.add(often[head] * 5 + likely[tail], kind)


def _add_names(columns: Columns, layout: Layout, pairs: Pairs) -> None:
    """Add the words of the two names and what they share."""
    words, kind = layout.words, pairs.kind
    begin, stop = layout.start[layout.longest], layout.end[layout.longest]
    names, known = _names(layout)
    for of in (pairs.head, pairs.tail):
        columns.add(words[stop[of] - 1], kind)
        columns.add(words[begin[of]], kind)
        columns.add(names[of], kind, where=known[of])
    columns.add(both(words[stop[pairs.head] - 1], words[stop[pairs.tail] - 1]), kind)
    in_head, in_tail, sizes = _shared(names, known, pairs)
    same_head = names[pairs.head, 0] == names[pairs.tail, 0]
    covered = (in_tail == sizes[1]) + 2 * (in_head == sizes[0])
    columns.add(covered + 4 * same_head + 8 * np.minimum(in_head, 2), kind)
    columns.add(covered + 4 * np.clip(sizes[0] - sizes[1] + 3, 0, 6), kind)


def _names(layout: Layout) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """Return the stems of each concept's name, its last word first, and which there are."""
    begin, stop = layout.start[layout.longest], layout.end[layout.longest]
    place = stop[:, None] - 1 - np.arange(_NAME_WORDS)
    known = place >= begin[:, None]
    return np.where(known, layout.stems[np.maximum(place, 0)], 0), known


def _shared(
    names: Hashes, known: npt.NDArray[np.bool_], pairs: Pairs
) -> tuple[Ints, Ints, tuple[Ints, Ints]]:
    """Return how many words of the head's and of the tail's name the other has, and of how many."""
    head, tail = pairs.head, pairs.tail
    equal = names[head][:, :, None] == names[tail][:, None, :]
    equal &= known[head][:, :, None] & known[tail][:, None, :]
    sizes = known.sum(1)
    return equal.any(2).sum(1), equal.any(1).sum(1), (sizes[head], sizes[tail])


def _add_contexts(columns: Columns, layout: Layout, of: Ints, kinds: tuple[Ints, Ints]) -> None:
    """Add the neighbours of the first mentions of one concept of each pair."""
    words = layout.words
    for nth in range(_MENTIONS):
        at = np.minimum(layout.first[of] + nth, len(layout.start) - 1)
        there = nth < layout.count[of]
        for edge, step in ((layout.start[at] - 1, -1), (layout.end[at], 1)):
            near, far = words[edge], words[edge + step]
            columns.add(near, kinds[0], where=there)
            columns.add(far, kinds[0], where=there)
            columns.add(both(near, far), kinds[1], where=there)


def _numbers(layout: Layout, pairs: Pairs, standing: Standing) -> Floats:
    """Return the numbers known of `pairs`, one row a pair, the word vectors last."""
    head, tail = pairs.head, pairs.tail
    nearer = _nearer(layout, pairs)
    in_head, in_tail, sizes = _shared(*_names(layout), pairs)
    numbers = [
        np.log1p(pairs.gap),
        pairs.apart,
        np.log1p(_between_mentions(layout, pairs)),
        np.log1p(pairs.together),
        *map(np.log1p, nearer),
        in_head / sizes[0],
        in_tail / sizes[1],
        np.full(len(pairs), np.log(len(layout.first))),
    ]
    for of in (head, tail):
        numbers += [
            standing.proposed[of],
            standing.core[of],
            np.log1p(layout.count[of]),
            standing.opens[of] / layout.sentences,
            np.log1p(standing.rivals[of]),
        ]
    return np.hstack([np.stack(numbers, axis=1), *_vectors(layout, pairs)], dtype=np.float32)


def _vectors(layout: Layout, pairs: Pairs) -> list[Floats]:
    """Return the mean vectors of both names, of the words between, and of those around."""
    left, right = _left_right(layout, pairs)
    begin, stop = layout.end[left], layout.start[right]
    short = pairs.gap <= BETWEEN
    names = layout.sums.mean(layout.start[layout.longest], layout.end[layout.longest])
    return [
        names[pairs.head],
        names[pairs.tail],
        layout.sums.mean(begin, np.where(short, stop, begin + 5)),
        layout.sums.mean(np.where(short, begin, stop - 5), stop),
        layout.sums.mean(layout.start[left] - 3, layout.start[left]),
        layout.sums.mean(layout.end[right], layout.end[right] + 3),
    ]

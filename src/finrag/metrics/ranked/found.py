"""What lists hold within a cut-off: in the order as returned, at best, at worst, and on average.

At best what is relevant opens its group of ties, at worst everything else comes before it, listed
or not. Averages over random orders of ties are in closed form (F. McSherry and M. Najork,
"Computing information retrieval performance measures efficiently in the presence of tied scores",
ECIR 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from finrag.metrics.groups import Flags, Floats, Groups, Integers, found_in
from finrag.metrics.ranked.evidence import TEXT, Evidence, Held, Passages, gain
from finrag.metrics.ranked.lists import Lists


@dataclass(frozen=True)
class Averages:
    """What to expect within a cut-off if ties come in random order, an element a list."""

    found: Floats
    hit: Floats
    reciprocal_rank: Floats
    gains: Floats


@dataclass(frozen=True)
class _Ordered:
    """Relevant passages in one order of ties, by rank.

    Attributes:
        list_id, rank, grade: of each.
        nth: how many relevant passages of its list stand at or before it.
    """

    list_id: Integers
    rank: Integers
    grade: Integers
    nth: Integers

    @classmethod
    def of(cls, list_id: Integers, rank: Integers, grade: Integers) -> _Ordered:
        order = np.lexsort((list_id, rank))
        nth = Groups(list_id[order]).places + 1
        return cls(list_id[order], rank[order], grade[order], nth)


class Relevant:
    """The relevant passages of lists, each with its rank in three orders.

    Figures are arrays of orders x lists: by id, at best, at worst.
    """

    def __init__(self, n_lists: int, passages: Passages) -> None:
        """Takes the passages that are no repeats."""
        kept = np.flatnonzero(passages.grade > 0)
        order = kept[
            np.lexsort(
                (
                    *(passages.rank[kept], -passages.grade[kept]),
                    *(passages.first_tied[kept], passages.list_id[kept]),
                )
            )
        ]
        list_id, first, grade = (
            column[order] for column in (passages.list_id, passages.first_tied, passages.grade)
        )
        ties = Groups(list_id, first)
        ranks = (
            passages.rank[order],
            first + ties.places,
            first + passages.n_tied[order] - 1 - ties.places,
        )
        self._n_lists = n_lists
        self._orders = [_Ordered.of(list_id, rank, grade) for rank in ranks]
        self._ties = _Ties(
            list_id[ties.firsts],
            first[ties.firsts],
            ties.greatest(passages.n_tied[order]),
            ties.sizes,
        )
        self._grades = ties.total(grade)

    def found(self, k: int) -> Floats:
        """Relevant passages within k."""
        return self._summed(k, lambda order: np.ones(len(order.rank)))

    def gains(self, k: int) -> Floats:
        """Discounted gain within k."""
        return self._summed(k, lambda order: gain(order.grade, order.rank))

    def precisions(self, k: int) -> Floats:
        """Sum of the precision at the rank of each relevant passage within k; 0 is no limit."""
        return self._summed(k, lambda order: order.nth / order.rank)

    def reciprocal_rank(self, k: int) -> Floats:
        """1 / the rank of the first relevant passage; 0 if it lies beyond k."""
        return self._summed(k, lambda order: np.where(order.nth == 1, 1.0 / order.rank, 0.0))

    def averages(self, k: int) -> Averages:
        """What to expect within k."""
        ties = self._ties
        n_places = np.clip(k - ties.first + 1, 0, ties.n_tied)
        missed, reciprocal = _missed(ties, n_places)
        discounts = np.concatenate([[0.0], np.cumsum(gain(np.ones(k), np.arange(1, k + 1)))])
        before = np.minimum(ties.first - 1, k)
        gains = self._grades / ties.n_tied * (discounts[before + n_places] - discounts[before])
        # A group that lies wholly within k cannot miss, so that a later one only matters where
        # every earlier one did.
        lists = Groups(ties.list_id)
        least, leading = np.ones(self._n_lists), np.zeros(self._n_lists)
        np.minimum.at(least, ties.list_id, missed)
        leading[ties.list_id[lists.firsts]] = reciprocal[lists.firsts]
        found = ties.n_relevant * n_places / ties.n_tied
        return Averages(
            found=self._totals(ties.list_id, found),
            hit=1.0 - least,
            reciprocal_rank=leading,
            gains=self._totals(ties.list_id, gains),
        )

    def _summed(self, k: int, values: Callable[[_Ordered], Floats]) -> Floats:
        within = [
            np.where((order.rank <= k) | (k == 0), values(order), 0.0) for order in self._orders
        ]
        return np.stack(
            [
                self._totals(order.list_id, each)
                for order, each in zip(self._orders, within, strict=True)
            ]
        )

    def _totals(self, list_id: Integers, values: Floats) -> Floats:
        found: Floats = np.bincount(list_id, values, self._n_lists).astype(np.float64)
        return found


@dataclass(frozen=True)
class _Ties:
    """Groups of ties with something relevant.

    Attributes:
        list_id: the list of each.
        first: the rank of its first place.
        n_tied: its passages.
        n_relevant: how many of them are relevant.
    """

    list_id: Integers
    first: Integers
    n_tied: Integers
    n_relevant: Integers


def _missed(ties: _Ties, n_places: Integers) -> tuple[Floats, Floats]:
    """Chance that the first places hold nothing relevant; mean of 1 / rank of what they hold."""
    missed, reciprocal = np.ones(len(n_places)), np.zeros(len(n_places))
    for place in range(int(n_places.max(initial=0))):
        rows = np.flatnonzero(n_places > place)
        left, n_relevant = ties.n_tied[rows] - place, ties.n_relevant[rows]
        reciprocal[rows] += missed[rows] * (n_relevant / left) / (ties.first[rows] + place)
        missed[rows] *= (left - n_relevant) / left
    return missed, reciprocal


class Pieces:
    """The pieces of evidence that were found, by mode, system, item, kind and unit.

    A piece is found where the first passage that stands for it is, in the list of that passage's
    kind: a cell in the list of rows, an operand in any. Two pieces in one passage, such as two
    cells of a row, share its place.
    """

    def __init__(self, lists: Lists, evidence: Evidence, held: Held) -> None:
        """Finds the first place of every piece.

        Args:
            lists: the ranked lists.
            evidence: what there is to find.
            held: what the entries stand for.
        """
        list_id = lists.of_entry[held.entry]
        first, n_tied = lists.tied(held.entry)
        in_ties = Groups(list_id, held.piece, first)
        # What a later group of the same list repeats was found already.
        kept = Groups(list_id[in_ties.firsts], held.piece[in_ties.firsts]).firsts
        rows = in_ties.firsts[kept]
        list_id, piece, first, n_tied = list_id[rows], held.piece[rows], first[rows], n_tied[rows]
        passage = in_ties.least(lists.passage[held.entry])[kept]
        rank = in_ties.least(lists.rank[held.entry])[kept]
        n_alike = in_ties.sizes[kept]
        in_ties = Groups(evidence.kind[piece], evidence.unit[piece], list_id, first)
        n_before, n_kept_back = _shared(in_ties.of_row, passage, n_alike)
        ranks = rank, first + n_before, first + n_tied - n_kept_back
        # A piece may stand in several lists: each bound is that of the best of them.
        system = lists.system[list_id]
        order = np.lexsort((lists.unit[list_id], first, piece, system))
        found = Groups(system[order], piece[order])
        leading = order[found.firsts]
        self._evidence = evidence
        ties = list_id, first, n_tied, n_alike
        self._ties = _Ties(*(column[leading] for column in ties))
        self._ranks = np.stack([found.least(each[order]) for each in ranks])
        piece, system = piece[leading], system[leading]
        mode, item, kind, unit = (
            column[piece] for column in (evidence.mode, evidence.item, evidence.kind, evidence.unit)
        )
        keys = self.key(system, mode, item, kind, unit)
        self._groups = Groups(keys)
        firsts = self._groups.firsts
        # Evidence of text in whatever list.
        self._of_text = np.flatnonzero(kind[firsts] == TEXT)
        of_any = self.key(system, mode, item, kind, np.full(len(unit), evidence.names.any_unit))
        of_any = of_any[firsts][self._of_text]
        self._any = Groups(of_any)
        self._keys = np.concatenate([keys[firsts], of_any[self._any.firsts]])

    def key(
        self, system: Integers, mode: Integers, item: Integers, kind: Integers, unit: Integers
    ) -> Integers:
        """Keys from codes."""
        of_item = self._evidence.key(mode, item, kind, unit)
        return of_item * len(self._evidence.names.systems) + system

    def places(self, keys: Integers) -> Integers:
        """The columns of figures by key; -1 where nothing was found."""
        order = np.argsort(self._keys, kind="stable")
        places = found_in(self._keys[order], keys)
        return np.where(places < 0, -1, np.append(order, -1)[places])

    def found(self, k: int) -> Floats:
        """Pieces within k: orders x groups.

        Pieces that share some passages are counted as if they shared none. The order that was
        returned is a possible one, so that its figure lies within the bounds.
        """
        by_unit = np.stack([self._groups.total(is_within) for is_within in self._within(k)])
        by_unit = _bounded(by_unit)
        of_any = [self._any.total(counts[self._of_text]) for counts in by_unit]
        return np.concatenate([by_unit, np.stack(of_any)], axis=1)

    def reciprocal_rank(self, k: int) -> Floats:
        """1 / the rank of the first piece within k, 0 if there is none: orders x groups."""
        is_within = self._within(k)
        reciprocal = np.where(is_within, 1.0 / np.maximum(self._ranks, 1), 0.0)
        by_unit = _bounded(np.stack([self._groups.greatest(each) for each in reciprocal]))
        of_any = [self._any.greatest(each[self._of_text]) for each in by_unit]
        return np.concatenate([by_unit, np.stack(of_any)], axis=1)

    def average(self, k: int) -> Floats:
        """Pieces to expect within k if ties come in random order; NaN over several lists."""
        n_places = np.clip(k - self._ties.first + 1, 0, self._ties.n_tied)
        missed, _ = _missed(self._ties, n_places)
        return np.append(self._groups.total(1.0 - missed), np.full(len(self._any), np.nan))

    def _within(self, k: int) -> Flags:
        found: Flags = (self._ranks <= k) & (self._ties.first <= k)
        return found


def _shared(ties: Integers, passage: Integers, n_alike: Integers) -> tuple[Integers, Integers]:
    """Places before each piece of a group of ties at best, and from it to the end at worst.

    The piece that the fewest passages stand for can be kept back the longest.

    Args:
        ties: the group of each piece.
        passage: the first passage in the group that stands for it.
        n_alike: how many passages of the group do.
    """
    shared = Groups(ties, passage)
    group, n_alike = ties[shared.firsts], shared.greatest(n_alike)
    groups = Groups(group)
    order = np.lexsort((n_alike, group))
    n_kept_back = np.empty(len(order), np.int64)
    n_kept_back[order] = np.cumsum(n_alike[order]) - groups.before(n_alike)[groups.of_row[order]]
    return groups.places[shared.of_row], n_kept_back[shared.of_row]


def _bounded(figures: Floats) -> Floats:
    """Figures in three orders such that the first lies between the others."""
    by_id, best, worst = figures
    return np.stack([by_id, np.maximum(best, by_id), np.minimum(worst, by_id)])

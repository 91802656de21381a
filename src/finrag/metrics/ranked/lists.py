"""Ranked lists: their entries by rank, their ties, the anchor, and trec_eval's order of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa

from finrag.metrics.groups import (
    Codes,
    Flags,
    Floats,
    Groups,
    Integers,
    combined,
    found_in,
)

# Ours, over evidence; and a public evaluator's, over the lines of a set's qrels as they are.
MODES: Final = ("finrag", "official")
FINRAG, OFFICIAL = range(len(MODES))
# Evidence of whatever kind of passage, each kind in its own list.
ANY: Final = "any"
# Columns of rankings that are best read as codes.
TEXTS: Final = ("system_id", "item_id", "unit", "passage_id")


@dataclass(frozen=True)
class Names:
    """The codes of all that is named in the tables."""

    systems: Codes
    items: Codes
    units: Codes
    passages: Codes

    @property
    def any_unit(self) -> int:
        """The code of evidence in whatever list."""
        return self.units.place(ANY)

    def lists(self, *columns: Integers) -> Integers:
        """Keys of lists from the codes of mode, system, item and unit."""
        sizes = len(MODES), len(self.systems), len(self.items), len(self.units)
        return combined(columns, sizes)

    def held(self, *columns: Integers) -> Integers:
        """Keys of what is relevant from the codes of mode, item and passage."""
        return combined(columns, (len(MODES), len(self.items), len(self.passages)))


@dataclass(frozen=True)
class Lists:
    """Entries of ranked lists, sorted by list and rank.

    Attributes:
        keys: of the lists, ascending, an element a list.
        mode, system, item, unit: codes, an element a list.
        of_entry: the place of each entry's list in ``keys``.
        rank: of each entry, from 1.
        passage: code of each entry's passage.
        score: of each entry, 0 where it has none.
        scoring: 0 for an entry without a score, 2 for one whose score is not a number, else 1.
        n_tied: entries with each entry's score that the system counted, listed or not.
    """

    keys: Integers
    mode: Integers
    system: Integers
    item: Integers
    unit: Integers
    of_entry: Integers
    rank: Integers
    passage: Integers
    score: Floats
    scoring: Integers
    n_tied: Integers

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def _ties(self) -> Groups:
        """Entries of one score; one without a score is tied with nothing."""
        alone = np.where(self.scoring == 0, self.rank, 0)
        # Scores fall with the rank: nearly always in this order already.
        return Groups(self.of_entry, -self.scoring, -self.score, alone)

    def tied(self, entries: Integers) -> tuple[Integers, Integers]:
        """The first rank of the ties of some entries, and their number, listed or counted."""
        groups = self._ties.of_row[entries]
        first = self._ties.least(self.rank)[groups]
        return first, np.maximum(self.n_tied[entries], self._ties.sizes[groups])

    def first(self, lists: Integers) -> Integers:
        """The passage at rank 1 of each of some lists; -1 where there is none."""
        places = found_in(self.of_entry * 2 + (self.rank > 1), lists * 2)
        passage: Integers = np.append(self.passage, -1)[places]
        return passage


def read_lists(rankings: pa.Table, names: Names, of_qrels: Flags) -> Lists:
    """The lists as they are, and once more in trec_eval's order where a set has qrels.

    trec_eval sorts by score and, of equal scores, by document id, both descending. It keeps
    scores in single precision: those that differ by less are equal.

    Args:
        rankings: ``system_id``, ``item_id``, ``unit``, ``passage_id``, ``rank``, ``score`` and
            ``n_tied``, in any order.
        names: the codes.
        of_qrels: by code of an item, whether qrels name it.
    """
    system, item, unit, passage = (
        codes.of(rankings[name])
        for codes, name in zip(
            (names.systems, names.items, names.units, names.passages), TEXTS, strict=True
        )
    )
    rank, n_tied = _whole(rankings["rank"]), _whole(rankings["n_tied"])
    scores = rankings["score"]
    score = scores.fill_null(0.0).to_numpy()
    scoring = np.where(scores.is_valid().to_numpy(), 1 + np.isnan(score), 0)
    score = np.where(scoring == 1, score, 0.0)
    list_keys = names.lists(np.zeros_like(system), system, item, unit)
    ours = np.argsort(list_keys * (rank.max(initial=0) + 1) + rank, kind="stable")
    again = np.flatnonzero(of_qrels[item])
    with np.errstate(over="ignore"):
        single = score[again].astype(np.float32).astype(np.float64)
    unscored = np.where(scoring[again] == 0, rank[again], 0)
    by_score = np.lexsort((-passage[again], unscored, -single, -scoring[again], list_keys[again]))
    order = np.concatenate([ours, again[by_score]])
    mode = np.repeat((FINRAG, OFFICIAL), (len(rank), len(again)))
    keys = names.lists(mode, system[order], item[order], unit[order])
    groups = Groups(keys)
    firsts = order[groups.firsts]
    return Lists(
        keys=keys[groups.firsts],
        mode=mode[groups.firsts],
        system=system[firsts],
        item=item[firsts],
        unit=unit[firsts],
        of_entry=groups.of_row,
        rank=np.where(mode == OFFICIAL, groups.places + 1, rank[order]),
        passage=passage[order],
        score=np.concatenate([score[ours], single[by_score]]),
        scoring=scoring[order],
        n_tied=n_tied[order],
    )


def _whole(column: pa.ChunkedArray) -> Integers:
    found: Integers = column.to_numpy().astype(np.int64)
    return found

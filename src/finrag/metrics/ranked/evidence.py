"""Evidence: what there is to find, what of it a list holds, and where under each order of ties.

Metrics run over evidence. The first passage of a piece of evidence stands for it; later passages
of the same evidence leave the list. A passage of several pieces has the best grade among those
that it is the first to hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.groups import (
    Codes,
    Flags,
    Floats,
    Groups,
    Integers,
    combined,
    found_in,
    joined,
)
from finrag.metrics.ranked.lists import FINRAG, MODES, OFFICIAL, Lists, Names

# What a question needs to be found, and the numbers of a gold program.
KINDS: Final = ("text", "operand")
TEXT, OPERAND = range(len(KINDS))


@dataclass(frozen=True)
class Evidence:
    """The pieces of evidence of items, and the passages that stand for them.

    Attributes:
        names: the codes.
        mode, item, kind, unit: codes, an element a piece.
        grade: the best grade of each piece; one of 0 or less counts for nothing.
        keys: of mode, item and passage, ascending, an element a passage that stands for a piece.
        piece: the piece that each of these stands for.
        held_grade: its grade, above 0.
    """

    names: Names
    mode: Integers
    item: Integers
    kind: Integers
    unit: Integers
    grade: Integers
    keys: Integers
    piece: Integers
    held_grade: Integers

    def key(self, *columns: Integers) -> Integers:
        """Keys from the codes of mode, item, kind and unit."""
        sizes = len(MODES), len(self.names.items), len(KINDS), len(self.names.units)
        return combined(columns, sizes)

    @cached_property
    def _counted(self) -> tuple[Integers, Floats]:
        """How many pieces there are by key: of each unit, and of text of any."""
        # Qrels that name nothing relevant leave nothing to find; other evidence must count.
        named = np.flatnonzero((self.grade > 0) | (self.mode == OFFICIAL))
        kind, unit = self.kind[named], self.unit[named]
        of_any = named[kind == TEXT]
        unit = np.concatenate([unit, np.full(len(of_any), self.names.any_unit)])
        rows = np.concatenate([named, of_any])
        keys = self.key(self.mode[rows], self.item[rows], self.kind[rows], unit)
        groups = Groups(keys)
        return keys[groups.firsts], groups.total(self.grade[rows] > 0)

    def counted(self, keys: Integers) -> Floats:
        """The number of pieces by key; NaN where nothing is named at all."""
        known, counts = self._counted
        places = found_in(known, keys)
        return np.where(places < 0, np.nan, np.append(counts, 0.0)[places])

    def ideal(self, keys: Integers, k: int) -> Floats:
        """The gain of the best order of all evidence within k, by key; 0 where there is none."""
        best = np.flatnonzero(self.grade > 0)
        best = best[np.argsort(-self.grade[best], kind="stable")]
        known = self.key(self.mode, self.item, self.kind, self.unit)[best]
        groups = Groups(known)
        gains = gain(self.grade[best], groups.places + 1)
        totals = groups.total(np.where(groups.places < k, gains, 0.0))
        known = known[groups.firsts]
        found: Floats = np.append(totals, 0.0)[found_in(known, keys)]
        return found


def gain(grade: Integers | Floats, rank: Integers) -> Floats:
    """What a grade is worth at a rank, linear in the grade."""
    found: Floats = grade / np.log2(rank + 1.0)
    return found


def read_evidence(judgments: pa.Table, qrels: pa.Table, names: Names) -> Evidence:
    """Evidence as the project maps it (mode `finrag`) and as qrels name it (`official`).

    Args:
        judgments: ``item_id``, ``unit``, ``evidence_kind``, ``evidence_id``, ``passage_id``,
            ``grade`` and ``mapping``; what is not mapped cannot be found.
        qrels: ``item_id``, ``unit``, ``passage_id`` and ``grade``: each document for itself,
            loaded or not.
        names: the codes.
    """
    mapped = judgments.filter(pc.equal(judgments["mapping"], "mapped"))
    tables = (mapped, qrels)
    mode = np.repeat((FINRAG, OFFICIAL), (len(mapped), len(qrels)))
    item, unit, passage = (
        np.concatenate([codes.of(table[name]) for table in tables])
        for codes, name in (
            (names.items, "item_id"),
            (names.units, "unit"),
            (names.passages, "passage_id"),
        )
    )
    grade = np.concatenate([table["grade"].to_numpy().astype(np.int64) for table in tables])
    is_operand = pc.equal(mapped["evidence_kind"], KINDS[OPERAND]).to_numpy()
    kind = np.concatenate([np.where(is_operand, OPERAND, TEXT), np.zeros(len(qrels), np.int64)])
    ids = Codes((mapped["evidence_id"], qrels["passage_id"]))
    evidence = np.concatenate([ids.of(mapped["evidence_id"]), ids.of(qrels["passage_id"])])
    pieces = Groups(mode, item, kind, unit, evidence)
    firsts = pieces.firsts
    held = names.held(mode, item, passage)
    counting = np.flatnonzero((grade > 0) & (held >= 0))
    # A place that is named twice for one piece counts once, with its best grade.
    passages = Groups(held[counting], pieces.of_row[counting])
    rows = counting[passages.firsts]
    return Evidence(
        names=names,
        mode=mode[firsts],
        item=item[firsts],
        kind=kind[firsts],
        unit=unit[firsts],
        grade=pieces.greatest(grade),
        keys=held[rows],
        piece=pieces.of_row[rows],
        held_grade=passages.greatest(grade[counting]),
    )


@dataclass(frozen=True)
class Held:
    """What ranked entries hold: an element a pair of an entry and a piece of evidence."""

    entry: Integers
    piece: Integers
    grade: Integers

    def take(self, rows: Integers) -> Held:
        """Some of them."""
        return Held(self.entry[rows], self.piece[rows], self.grade[rows])


def hold(lists: Lists, evidence: Evidence) -> Held:
    """The pieces of evidence that each entry of the lists stands for."""
    names = evidence.names
    is_judged = np.zeros(len(names.passages), np.bool_)
    is_judged[evidence.keys % max(1, len(names.passages))] = True
    entries = np.flatnonzero(is_judged[lists.passage])
    of_list = lists.of_entry[entries]
    wanted = names.held(lists.mode[of_list], lists.item[of_list], lists.passage[entries])
    which, held = joined(evidence.keys, wanted)
    return Held(entries[which], evidence.piece[held], evidence.held_grade[held])


@dataclass(frozen=True)
class Passages:
    """The entries of lists that hold evidence of the list's own kind, anchors left out.

    Attributes:
        entry, list_id: of each.
        first_rank: its rank in the list without the anchor.
        grade: the best grade that it is the first to hold; 0 for a repeat.
        rank: its rank without repeats.
        first_tied: the first rank of its ties, without repeats.
        n_tied: the number of its ties, without repeats.
    """

    entry: Integers
    list_id: Integers
    first_rank: Integers
    grade: Integers
    rank: Integers
    first_tied: Integers
    n_tied: Integers


def grade_passages(lists: Lists, evidence: Evidence, held: Held, anchors: Integers) -> Passages:
    """Grade what the lists hold, and close the ranks behind anchors and repeats.

    Args:
        lists: the ranked lists.
        evidence: what there is to find.
        held: what the entries stand for.
        anchors: by code of an item, the passage that it is itself; -1 for a question.
    """
    of_anchor = _anchor_entries(lists, anchors)
    is_own = evidence.unit[held.piece] == lists.unit[lists.of_entry[held.entry]]
    is_own &= held.entry != of_anchor[lists.of_entry[held.entry]]
    entry, piece, grade = held.entry[is_own], held.piece[is_own], held.grade[is_own]
    pieces = Groups(lists.of_entry[entry], piece)
    is_first = lists.rank[entry] == pieces.least(lists.rank[entry])[pieces.of_row]
    passages = Groups(entry)
    entry, grade = entry[passages.firsts], passages.greatest(np.where(is_first, grade, 0))
    list_id, rank = lists.of_entry[entry], lists.rank[entry]
    first_tied, n_tied = lists.tied(entry)
    anchor = of_anchor[list_id]
    anchor_rank = np.where(anchor < 0, np.iinfo(np.int64).max, lists.rank[anchor])
    is_tied = (lists.scoring[entry] == lists.scoring[anchor]) & (lists.scoring[entry] > 0)
    is_tied &= (lists.score[entry] == lists.score[anchor]) & (anchor >= 0)
    rank, first_tied = rank - (rank > anchor_rank), first_tied - (first_tied > anchor_rank)
    n_tied = n_tied - is_tied
    is_repeat = grade == 0
    by_rank = Groups(list_id, rank)
    by_tie = Groups(list_id, first_tied)
    return Passages(
        entry,
        list_id,
        first_rank=rank,
        grade=grade,
        rank=rank - _within(by_rank, list_id, is_repeat),
        first_tied=first_tied - _within(by_tie, list_id, is_repeat),
        n_tied=n_tied - by_tie.total(is_repeat)[by_tie.of_row].astype(np.int64),
    )


def _anchor_entries(lists: Lists, anchors: Integers) -> Integers:
    """The entry of each list that is the item itself; -1 where none is."""
    anchor = anchors[lists.item[lists.of_entry]]
    entries = np.flatnonzero((lists.passage == anchor) & (anchor >= 0))
    found = np.full(len(lists), -1)
    found[lists.of_entry[entries[::-1]]] = entries[::-1]
    return found


def _within(groups: Groups, list_id: Integers, is_repeat: Flags) -> Integers:
    """The number of repeats in earlier groups of the same list, for each row."""
    before = groups.before(is_repeat)
    of_lists = Groups(list_id)
    start = of_lists.least(groups.of_row)[of_lists.of_row]
    found: Integers = before[groups.of_row] - before[start]
    return found

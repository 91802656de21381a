"""Lists that metrics are asked of, and the figures that rules are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.groups import Codes, Flags, Floats, Groups, Integers, encoded, found_in
from finrag.metrics.ranked.asked import ANCHORS, SET_KINDS, Asked, Items
from finrag.metrics.ranked.evidence import Evidence, Passages, grade_passages, hold, read_evidence
from finrag.metrics.ranked.found import Averages, Pieces, Relevant
from finrag.metrics.ranked.lists import ANY, TEXTS, Lists, Names, read_lists
from finrag.metrics.ranked.places import Cells, Places, compare_cells, match_pages, read_places
from finrag.metrics.ranked.scores import measure_scores


@dataclass(frozen=True)
class Tables:
    """What rankings are measured by, read into codes."""

    names: Names
    items: Items
    lists: Lists
    evidence: Evidence
    passages: Passages
    relevant: Relevant
    pieces: Pieces
    places: Places
    judgments: pa.Table
    qrels: pa.Table

    @cached_property
    def first_rank(self) -> Integers:
        """The rank of the first relevant passage of each list, without the anchor; 0 for none."""
        found = np.zeros(len(self.lists), np.int64)
        kept = np.flatnonzero(self.passages.grade > 0)[::-1]
        # The last one written is the first in the list.
        found[self.passages.list_id[kept]] = self.passages.first_rank[kept]
        return found

    @cached_property
    def scores(self) -> tuple[Floats, Floats]:
        """Spread and agreement with the gold of the scores of each list."""
        is_question = self.items.set_kind[self.lists.item] != ANCHORS
        return measure_scores(self.lists, self.passages, is_question)


@dataclass(frozen=True)
class Measured:
    """Lists that a metric is asked of at a cut-off, whether or not they were returned.

    Figures are an element a list; those that depend on the order of ties are orders x lists: as
    returned, at best, at worst.

    Attributes:
        tables: what they are measured by.
        k: the cut-off; 0 is none.
        item: code of what each is asked.
        list_id: the list that was returned; -1 for none.
        piece: column of the figures of ``Pieces``; -1 where nothing was found.
        evidence: key of the evidence of the list's item, mode, kind and unit.
        is_any: whether the evidence may be in whatever list.
    """

    tables: Tables
    k: int
    item: Integers
    list_id: Integers
    piece: Integers
    evidence: Integers
    is_any: Flags

    def take(self, rows: Integers, k: int) -> Measured:
        """Some of them, at another cut-off."""
        return Measured(
            self.tables,
            k,
            self.item[rows],
            self.list_id[rows],
            self.piece[rows],
            self.evidence[rows],
            self.is_any[rows],
        )

    @cached_property
    def has_gold(self) -> Flags:
        """Whether there is anything to find, or qrels say that there is nothing."""
        return ~np.isnan(self.tables.evidence.counted(self.evidence))

    @cached_property
    def n_evidence(self) -> Floats:
        """Pieces to find, as a divisor: of nothing relevant nothing is found, 0 of 1."""
        counts = self.tables.evidence.counted(self.evidence)
        return np.where(counts == 0, 1.0, counts)

    @cached_property
    def ideal(self) -> Floats:
        """Gain of the best order of all evidence, as a divisor."""
        ideal = self.tables.evidence.ideal(self.evidence, self.k)
        return np.where(ideal == 0, 1.0, ideal)

    @cached_property
    def found(self) -> Floats:
        """Relevant passages; of evidence in whatever list, its pieces."""
        passages = _taken(self.tables.relevant.found(self.k), self.list_id)
        return np.where(self.is_any, self.pieces, passages)

    @cached_property
    def reciprocal_rank(self) -> Floats:
        """1 / the rank of the first of these; 0 beyond the cut-off."""
        passages = _taken(self.tables.relevant.reciprocal_rank(self.k), self.list_id)
        pieces = _taken(self.tables.pieces.reciprocal_rank(self.k), self.piece)
        return np.where(self.is_any, pieces, passages)

    @cached_property
    def gains(self) -> Floats:
        """Discounted gain."""
        return _taken(self.tables.relevant.gains(self.k), self.list_id)

    @cached_property
    def precisions(self) -> Floats:
        """Sum of the precision at each relevant passage."""
        return _taken(self.tables.relevant.precisions(self.k), self.list_id)

    @cached_property
    def pieces(self) -> Floats:
        """Pieces of evidence."""
        return _taken(self.tables.pieces.found(self.k), self.piece)

    @cached_property
    def averages(self) -> Averages:
        """What to expect of ties in random order; not worked out for several lists."""
        found = self.tables.relevant.averages(self.k)
        return Averages(
            self._of_one(found.found, self.list_id),
            self._of_one(found.hit, self.list_id),
            self._of_one(found.reciprocal_rank, self.list_id),
            self._of_one(found.gains, self.list_id),
        )

    @cached_property
    def expected_pieces(self) -> Floats:
        """Pieces of evidence to expect likewise."""
        return self._of_one(self.tables.pieces.average(self.k), self.piece)

    @cached_property
    def first(self) -> Integers:
        """The passage at rank 1; -1 where there is none."""
        return self.tables.lists.first(self.list_id)

    @cached_property
    def cells(self) -> Cells:
        """How the first cell fares."""
        tables = self.tables
        return compare_cells(self.first, self.item, tables.judgments, tables.places, tables.names)

    @cached_property
    def pages(self) -> Floats:
        """Pages of evidence that pages are matched with, one off."""
        tables = self.tables
        places = tables.judgments, tables.places, tables.names
        return match_pages(self.list_id, self.k, tables.lists, *places)

    def _of_one(self, figures: Floats, places: Integers) -> Floats:
        return np.where(self.is_any, np.nan, _taken(figures, places))


def _taken(figures: Floats, places: Integers) -> Floats:
    """Figures of some lists, 0 at place -1."""
    nothing = np.zeros((*figures.shape[:-1], 1))
    found: Floats = np.concatenate([figures, nothing], axis=-1)[..., places]
    return found


def read_tables(
    items: pa.Table,
    outcomes: pa.Table,
    judgments: pa.Table,
    qrels: pa.Table,
    places: pa.Table,
    rankings: pa.Table | pa.RecordBatchReader,
    units: Sequence[str],
) -> Tables:
    """Read what rankings are measured by; the tables are those of ``score_rankings``.

    Raises:
        ValueError: an item that was ranked or asked is not among the items, or its set is of no
            known kind.
    """
    ranked = encoded(rankings, TEXTS)
    named = outcomes, ranked, judgments, qrels
    names = Names(
        Codes(table["system_id"] for table in (outcomes, ranked)),
        Codes((items["item_id"],)),
        Codes(
            [*(table["unit"] for table in named), pa.chunked_array([[ANY, "cell", "row", *units]])]
        ),
        Codes(
            (
                *(table["passage_id"] for table in (ranked, judgments, qrels, places)),
                items["sentence_id"],
            )
        ),
    )
    for table, verb in ((outcomes, "asked"), (ranked, "ranked for")):
        unknown = np.flatnonzero(names.items.of(table["item_id"]) < 0)
        if len(unknown):
            item = table["item_id"][int(unknown[0])].as_py()
            raise ValueError(f"item '{item}' is {verb} and is not among the items")
    texts = Codes((items["text_hash"], places["text_hash"]))
    of_items = read_items(items, texts, names)
    judgments, qrels = (_known(table, names) for table in (judgments, qrels))
    of_qrels = np.zeros(len(names.items), np.bool_)
    of_qrels[names.items.of(qrels["item_id"])] = True
    lists = read_lists(ranked, names, of_qrels)
    evidence = read_evidence(judgments, qrels, names)
    held = hold(lists, evidence)
    passages = grade_passages(lists, evidence, held, of_items.anchor)
    is_question = of_items.set_kind[lists.item[lists.of_entry[held.entry]]] != ANCHORS
    return Tables(
        names,
        of_items,
        lists,
        evidence,
        passages,
        Relevant(len(lists), passages),
        Pieces(lists, evidence, held.take(np.flatnonzero(is_question))),
        read_places(places, texts, names),
        judgments,
        qrels,
    )


def read_items(items: pa.Table, texts: Codes, names: Names) -> Items:
    """Items by their codes.

    Raises:
        ValueError: the set of an item is of no known kind.
    """
    kinds = Codes((items["set_kind"],))
    unknown = sorted(set(kinds.values.to_pylist()) - set(SET_KINDS))
    if unknown:
        raise ValueError(f"set_kind '{unknown[0]}' is none of {', '.join(SET_KINDS)}")
    places = np.array([SET_KINDS.index(kind) for kind in kinds.values.to_pylist()], np.int64)
    gold_sets = Codes((items["gold_set"],))
    order = Groups(names.items.of(items["item_id"])).firsts
    return Items(
        gold_sets,
        gold_sets.of(items["gold_set"])[order],
        places[kinds.of(items["set_kind"])][order],
        names.passages.of(items["sentence_id"])[order],
        texts.of(items["text_hash"])[order],
    )


def measured(tables: Tables, asked: Asked) -> Measured:
    """The lists that are asked for, found among those that were returned."""
    names, columns = tables.names, (asked.mode, asked.system, asked.item, asked.unit)
    evidence = asked.mode, asked.item, asked.kind, asked.unit
    return Measured(
        tables,
        0,
        asked.item,
        found_in(tables.lists.keys, names.lists(*columns)),
        tables.pieces.places(tables.pieces.key(asked.system, *evidence)),
        tables.evidence.key(*evidence),
        asked.unit == names.any_unit,
    )


def _known(table: pa.Table, names: Names) -> pa.Table:
    """Rows of known items: gold of what is not asked is not read."""
    return table.filter(pc.is_in(table["item_id"], names.items.values))

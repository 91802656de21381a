"""What the place of a passage tells: the text that it repeats, its page, its row and column."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.groups import Codes, Flags, Floats, Integers, joined
from finrag.metrics.ranked.lists import Lists, Names
from finrag.text.references import TOLERANCE, Reference, match_references

_OFFSETS = range(-TOLERANCE, TOLERANCE + 1)
_COLUMNS = (
    *("text_hash", "document_id", "page", "row_id", "table_id", "col_pos"),
    *("period_start", "period_end"),
)


@dataclass(frozen=True)
class Places:
    """Where passages stand, by code of the passage; -1 where it is not known.

    Attributes:
        texts: the codes of texts.
        text: the text of each.
        document: the document or filing.
        page: the page, its number.
        row, table, column: of a cell.
        starts, ends: the period of a cell.
    """

    texts: Codes
    text: Integers
    document: Integers
    page: Integers
    row: Integers
    table: Integers
    column: Integers
    starts: Integers
    ends: Integers


def read_places(places: pa.Table, texts: Codes, names: Names) -> Places:
    """Places by code of the passage.

    Args:
        places: ``passage_id`` and, null where there is none, ``text_hash``, ``document_id``,
            ``page``, ``row_id``, ``table_id``, ``col_pos``, ``period_start`` and
            ``period_end``.
        texts: the codes of texts.
        names: the codes.
    """
    passages = names.passages.of(places["passage_id"])

    def spread(values: Integers) -> Integers:
        found = np.full(len(names.passages), -1)
        found[passages] = values
        return found

    return Places(
        texts,
        *(
            spread(
                texts.of(places[name])
                if name == "text_hash"
                else places[name].fill_null(-1).to_numpy().astype(np.int64)
                if name == "page"
                else Codes((places[name],)).of(places[name])
            )
            for name in _COLUMNS
        ),
    )


@dataclass(frozen=True)
class Cells:
    """How the first cell of lists fares against the cells that are asked for, by list."""

    is_row: Flags
    is_column: Flags
    is_period: Flags


def compare_cells(
    first: Integers, item: Integers, judgments: pa.Table, places: Places, names: Names
) -> Cells:
    """Whether the row, the column and the period of a first cell are those of one asked for.

    A period is right in the filing that was asked about. A cell asked for has the right one though
    print leaves it out.

    Args:
        first: by list, the passage at rank 1; -1 where there is none.
        item: by list, what is asked.
        judgments: ``item_id``, ``unit`` and ``passage_id``.
        places: where passages stand.
        names: the codes.
    """
    cells = judgments.filter(pc.equal(judgments["unit"], "cell"))
    asked, wanted = names.items.of(cells["item_id"]), names.passages.of(cells["passage_id"])
    order = np.flatnonzero((asked >= 0) & (wanted >= 0))
    order = order[places.row[wanted[order]] >= 0]
    order = order[np.argsort(asked[order], kind="stable")]
    which, cell = joined(asked[order], item)
    ours, theirs = first[which], wanted[order][cell]
    is_known = (ours >= 0) & (places.row[ours] >= 0)

    def equal(column: Integers) -> Flags:
        found: Flags = is_known & (column[ours] == column[theirs])
        return found

    is_dated = places.ends[ours] >= 0
    is_period = equal(places.document) & equal(places.ends) & equal(places.starts) & is_dated
    is_same = is_known & (ours == theirs)
    is_column = equal(places.table) & equal(places.column)
    return Cells(
        *(
            np.bincount(which, flags, len(first)) > 0
            for flags in (equal(places.row), is_column, is_period | is_same)
        )
    )


def match_pages(
    list_ids: Integers, k: int, lists: Lists, judgments: pa.Table, places: Places, names: Names
) -> Floats:
    """Pages of evidence that the first k pages of lists can be matched with, each page once.

    A page may be one off (``match_references``).

    Args:
        list_ids: the lists; -1 for one that was not returned.
        k: the cut-off.
        lists: the ranked lists.
        judgments: ``item_id``, ``unit``, ``evidence_id``, ``grade`` and ``mapping``.
        places: where passages stand.
        names: the codes.
    """
    gold = _gold_pages(judgments, places, names)
    starts = np.searchsorted(lists.of_entry, list_ids, "left")
    ends = np.searchsorted(lists.of_entry, list_ids, "right")
    found = np.zeros(len(list_ids))
    for row in np.flatnonzero(ends > starts):
        theirs = gold.get(int(lists.item[list_ids[row]]), [])
        near = {(name, page + off) for name, page in theirs for off in _OFFSETS}
        entries = slice(starts[row], ends[row])
        passages = lists.passage[entries][lists.rank[entries] <= k]
        pages = zip(places.document[passages].tolist(), places.page[passages].tolist(), strict=True)
        ours = sorted(near.intersection(pages))
        found[row] = len(match_references(_references(ours), _references(theirs), key=str))
    return found


def _gold_pages(
    judgments: pa.Table, places: Places, names: Names
) -> dict[int, list[tuple[int, int]]]:
    """Document and page of the evidence on pages, by code of the item."""
    pages = judgments.filter(
        pc.and_(pc.equal(judgments["unit"], "page"), pc.equal(judgments["mapping"], "mapped"))
    )
    pages = pages.filter(pc.greater(pages["grade"], 0))
    passages = names.passages.of(pages["evidence_id"])
    found = defaultdict(list)
    for item, passage in zip(names.items.of(pages["item_id"]), passages, strict=True):
        if passage >= 0 and places.page[passage] >= 0:
            found[int(item)].append((int(places.document[passage]), int(places.page[passage])))
    return dict(found)


def _references(pages: list[tuple[int, int]]) -> list[Reference]:
    return [Reference(str(document), page) for document, page in pages if page >= 0]

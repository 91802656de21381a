"""What is known of a filing before its lines are described: lines, blocks, the table's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final

import pyarrow as pa

from finrag.revenue.names import Names
from finrag.revenue.pages import Block, Leaf, Pages

LOCAL: Final = 1
FULL: Final = 2


@dataclass(frozen=True)
class Line:
    """A line of revenue that is to be described.

    Attributes:
        leaf: what the rules of words read.
        company: name of the company.
        ticker: its ticker; "" where it has none.
        fiscal_year: year of the filing.
        caption: of the line's table; "" where it has none.
    """

    leaf: Leaf
    company: str
    ticker: str
    fiscal_year: str
    caption: str

    def query(self, form: str) -> str:
        """What is searched for: the label, or all that is known about the line."""
        if form == "label":
            return self.leaf.label
        named = (
            self.company,
            self.ticker,
            self.fiscal_year,
            self.leaf.label,
            self.leaf.segment or "",
            self.caption,
        )
        return ", ".join(part for part in named if part)


@dataclass(frozen=True)
class Filing:
    """A filing with lines to be described.

    Attributes:
        filing_id: the filing.
        lines: by id.
        blocks: all blocks, in reading order.
    """

    filing_id: str
    lines: tuple[Line, ...]
    blocks: tuple[Block, ...]

    @cached_property
    def pages(self) -> Pages:
        """The blocks as the rules of words read them."""
        return Pages(self.blocks)

    @cached_property
    def names(self) -> Names:
        """What the filing calls its lines."""
        texts = (block.text for block in self.blocks if block.kind != "table")
        return Names([line.leaf for line in self.lines], texts)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Places of the blocks by their ids."""
        return {block.block_id: place for place, block in enumerate(self.blocks)}

    @cached_property
    def texts(self) -> tuple[int, ...]:
        """Places of the blocks that hold sentences."""
        return tuple(self.pages.prose)

    def own(self, line: Line) -> frozenset[int]:
        """Places of the blocks of the line's own table: lead-in and footnotes."""
        return self._own[line.leaf.table_block]

    def tier(self, line: Line, places: Collection[int]) -> int:
        """Where a text stands: 1 in the line's own table's blocks, 2 where definitions stand.

        Those are notes on revenue or segments, Item 1 and Item 7. 0 is elsewhere, or in part.
        """
        if all(place in self.own(line) for place in places):
            return LOCAL
        is_placed = all(place in self.own(line) or self.pages.is_placed(place) for place in places)
        return FULL if is_placed else 0

    @cached_property
    def _own(self) -> dict[int | None, frozenset[int]]:
        tables = {line.leaf.table_block for line in self.lines}
        texts = frozenset(self.texts)
        return {
            table: frozenset() if table is None else texts & {*chain(*self.pages.own(table))}
            for table in tables
        }


def read_filings(leaves: pa.Table, blocks: pa.RecordBatchReader) -> Iterator[Filing]:
    """The filings with lines, as their blocks come in.

    Args:
        leaves: one row a line: ``revenue_line_id``, ``filing_id``, ``label``, ``footnote_marks``,
            ``segment_label``, ``table_block_id``, ``company_name``, ``ticker``, ``report_year``,
            ``caption``.
        blocks: ordered by ``filing_id``, ``part_id``, ``block_pos``; those and ``block_id``,
            ``kind``, ``block_text``, ``heading_path``, ``section_name``, ``note_kind``.

    Returns:
        Filings in the order of their blocks, then those without a block by id.
    """
    waiting: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(leaves.to_pylist(), key=lambda row: str(row["revenue_line_id"])):
        waiting.setdefault(row["filing_id"], []).append(row)
    for filing_id, found in _by_filing(blocks):
        if filing_id in waiting:
            yield _filing(filing_id, waiting.pop(filing_id), found)
    for filing_id in sorted(waiting):
        yield _filing(filing_id, waiting[filing_id], [])


def _by_filing(reader: pa.RecordBatchReader) -> Iterator[tuple[str, list[Block]]]:
    current: str | None = None
    found: list[Block] = []
    for batch in reader:
        for row in batch.to_pylist():
            if row["filing_id"] != current:
                if current is not None:
                    yield current, found
                current, found = row["filing_id"], []
            found.append(_block(row))
    if current is not None:
        yield current, found


def _block(row: Mapping[str, Any]) -> Block:
    return Block(
        block_id=row["block_id"],
        part_id=row["part_id"],
        block_pos=row["block_pos"],
        kind=row["kind"],
        text=row["block_text"],
        heading_path=tuple(row["heading_path"] or ()),
        section_item=row["section_name"],
        note_kind=row["note_kind"],
    )


def _filing(filing_id: str, rows: Sequence[Mapping[str, Any]], blocks: list[Block]) -> Filing:
    places = {block.block_id: place for place, block in enumerate(blocks)}
    return Filing(filing_id, tuple(_line(row, places) for row in rows), tuple(blocks))


def _line(row: Mapping[str, Any], places: Mapping[str, int]) -> Line:
    leaf = Leaf(
        line_id=row["revenue_line_id"],
        label=row["label"],
        marks=tuple(row["footnote_marks"] or ()),
        table_block=places.get(row["table_block_id"] or ""),
        segment=row["segment_label"],
    )
    year = row["report_year"]
    return Line(
        leaf=leaf,
        company=row["company_name"] or "",
        ticker=row["ticker"] or "",
        fiscal_year="" if year is None else str(year),
        caption=row["caption"] or "",
    )

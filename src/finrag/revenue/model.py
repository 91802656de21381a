"""What figures of a filing are read as: cells, totals, lines, sums."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

SAME_END_DAYS = 7
"""Days by which two ends of one period may differ: weeks of a year do not end with a month."""


@dataclass(frozen=True)
class Cell:
    """A figure of a table, with the fact that is tagged on it.

    Attributes:
        value: in whole units of the currency.
        printed_unit: what its last printed digit stands for, in whole units.
        footnote_marks: on its row; header_marks on its column.
        dimensions: axis and member of its fact, without the qualifier of operating segments.
    """

    cell_id: str
    row_pos: int
    col_pos: int
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    value: float
    scale: int
    printed_unit: float
    period_end: datetime.date | None
    footnote_marks: tuple[str, ...] = ()
    header_marks: tuple[str, ...] = ()
    fact_id: str | None = None
    fact_value: float | None = None
    is_revenue_fact: bool | None = None
    dimensions: tuple[tuple[str, str], ...] = ()

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes of its fact."""
        return tuple(axis for axis, _ in self.dimensions)


@dataclass(frozen=True)
class Table:
    """A table that holds a total.

    Attributes:
        rank: 0 in a note on revenue or segments, 1 in another note or a statement, 2 elsewhere.
        position: of its block in the filing.
        caption: caption and lead-in.
        headings: the last heading above it and the title of its note.
        is_statement: whether it is the statement of results.
    """

    table_id: str
    rank: int
    position: int
    caption: str
    headings: str
    is_statement: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Total:
    """Revenue of one period, as stated.

    Attributes:
        parts: stated figures that are most of it, such as net sales beside fees.
    """

    period_start: datetime.date
    period_end: datetime.date
    value: float
    source: str
    concept: str | None
    cell_id: str | None
    currency: str
    is_filing_period: bool
    parts: tuple[float, ...] = ()


@dataclass(frozen=True)
class Line:
    """A row, or a column, of a sum.

    Attributes:
        parent: position of its subtotal among the lines of the sum, None right below the total.
        role: leaf, subtotal, reconciling or total.
    """

    cell: Cell
    label: str
    role: str
    parent: int | None


@dataclass(frozen=True)
class Sum:
    """Lines that add up to a total, to a stated part of it, or that should and do not.

    Attributes:
        total: the cell that they add up to; None for facts that stand in no table together.
        route: table or facts.
        verdict: reconciled, part or off.
        coverage: share of all revenue that the total of the lines is.
    """

    table: Table | None
    lines: tuple[Line, ...]
    total: Cell | None
    tolerance: float
    view: str
    route: str
    verdict: str
    coverage: float = 1.0

    @property
    def leaves(self) -> tuple[Line, ...]:
        """Lines that no other line is part of, reconciling ones among them."""
        return tuple(line for line in self.lines if line.role in ("leaf", "reconciling"))

    @property
    def leaf_sum(self) -> float:
        """In whole units."""
        return sum(line.cell.value for line in self.leaves)

"""Tables of the filings as rows of typed cells, from which every printed form is made."""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple


class Member(NamedTuple):
    """What a figure is about: ``segment``, ``product`` or ``consolidation``, and its name."""

    axis: str
    name: str


@dataclass(frozen=True)
class Cell:
    """One printed value.

    Attributes:
        text: As printed, without a currency sign: ``(3.9)``, ``4.8 %``, ``n/m``.
        value: In whole units with the sign of the print; None where no number is printed.
        unit: ``USD``, ``USD/share`` or ``percent``.
        scale: What the printed digits are multiplied by.
        year: Fiscal year in which, or at the end of which, the value holds.
        members: What its column is about, where columns differ in that.
        tag_scale: What its tag multiplies the digits by, where that is not ``scale``.
    """

    text: str
    value: float | None
    unit: str
    scale: int
    year: int
    members: tuple[Member, ...] = ()
    tag_scale: int = 0


@dataclass(frozen=True)
class Row:
    """One row of a table.

    Attributes:
        label: As printed, without marks.
        field: Field of the books, or the name of a sum of fields.
        cells: One a column.
        group: Heading above the row that it shares with its neighbours, or empty.
        marks: Marks of footnotes on the label.
        is_total: Whether the row sums those above it.
        sign: -1 where the print turns the sign of the field round.
        members: What the row is about, a segment for one.
    """

    label: str
    field: str
    cells: tuple[Cell, ...]
    group: str = ""
    marks: tuple[str, ...] = ()
    is_total: bool = False
    sign: int = 1
    members: tuple[Member, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table: its title, the note of its unit, header texts from the top by column, its rows."""

    title: str
    note: str
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    footnotes: tuple[str, ...] = ()

    def headers(self) -> list[list[tuple[str, int]]]:
        """The lines of the header: texts, each with the number of columns that it spans."""
        levels = zip(*self.columns, strict=True)
        return [[(text, len(list(same))) for text, same in groupby(level)] for level in levels]

    def flat(self) -> str:
        """The table as flattened text: a line a row, two spaces between cells."""
        heads = ["  ".join(text for text, _ in line) for line in self.headers()]
        rows = ["  ".join([row.label, *map(_flat, row.cells)]) for row in self.rows]
        return "\n".join([f"{self.title} {self.note}", *heads, *rows])


def _flat(cell: Cell) -> str:
    return cell.text if cell.unit == "percent" else f"$ {cell.text}"

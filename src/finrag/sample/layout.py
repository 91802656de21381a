"""What the builders of all items share: short filings, notes that do not apply, tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from finrag.sample.grids import Cell, Grid, Row
from finrag.sample.ledger import cell, change_percent
from finrag.sample.passages import Line, Paragraph, Passage
from finrag.sample.reading import read_wording
from finrag.sample.statements import Teller

Section = list[Paragraph]


def is_short(teller: Teller) -> bool:
    """Whether the company writes short filings."""
    return teller.voice.company.length == "short"


def fits(teller: Teller, passage: Passage) -> bool:
    """Whether a passage applies: a filer without goods says nothing of inventories."""
    return teller.voice.company.has_goods or "inventory" not in passage.name


def unit_note(teller: Teller) -> str:
    """The line under a table's title that states unit and scale."""
    word = "thousands" if teller.voice.company.style == "dollars" else "millions"
    return f"(in {word}, except per share amounts)"


@dataclass(frozen=True)
class Table:
    """A table: its title, how many fiscal years it shows, printed names by field of the books."""

    title: str
    years: int
    rows: dict[str, str]
    has_change: bool = False


@cache
def _tables() -> dict[str, Table]:
    return read_wording("tables", dict[str, Table])


def table(teller: Teller, name: str) -> Paragraph:
    """A table under years, or, where it shows a change, a two-level header: period above years.

    Args:
        teller: Voice and books.
        name: Name of a table of the wording.
    """
    company, year, shown = teller.voice.company, teller.voice.year, _tables()[name]
    years = [y for y in range(year, year - shown.years, -1) if y in teller.books]
    columns: list[tuple[str, ...]] = [(str(y),) for y in years]
    if shown.has_change:
        columns = [(f"Fiscal Year Ended {company.fye_text},", str(y)) for y in years]
        columns.append(("Change", f"{year} vs. {year - 1}"))
    rows = []
    for field, printed in shown.rows.items():
        cells = [book_cell(teller, field, y) for y in years]
        if not any(cell.value for cell in cells):
            continue
        if shown.has_change:
            cells.append(change_cell(cells[0], cells[1]))
        label = printed.format(sales=company.revenue_word.capitalize())
        rows.append(Row(label, field, tuple(cells)))
    title = f"{company.name.upper()} {shown.title} FOR FISCAL {year}"
    return printed_table(teller, title, tuple(columns), rows)


def printed_table(
    teller: Teller,
    title: str,
    columns: tuple[tuple[str, ...], ...],
    rows: Iterable[Row],
    footnotes: tuple[str, ...] = (),
) -> Paragraph:
    """A table as a paragraph: its flattened text, which carries its cells."""
    grid = Grid(title, unit_note(teller), columns, tuple(rows), footnotes)
    return [Line(grid.flat(), grid=grid)]


def book_cell(teller: Teller, field: str, year: int) -> Cell:
    """The cell of a field of the books in ``year``."""
    number = float(getattr(teller.books[year], field))
    if field != "eps":
        return money_cell(teller, int(number), year)
    text = f"{number:.2f}" if number >= 0 else f"({-number:.2f})"
    return Cell(text, number, "USD/share", 1, year)


def money_cell(teller: Teller, ticks: int, year: int) -> Cell:
    """The cell of an amount of ``ticks``."""
    company = teller.voice.company
    scale = 1_000 if company.style == "dollars" else 1_000_000
    return Cell(cell(company, ticks), float(ticks * company.tick), "USD", scale, year)


def change_cell(now: Cell, before: Cell) -> Cell:
    """The cell of a change in percent; ``n/m`` where there was nothing, or a loss, before."""
    if not before.value or before.value < 0 or now.value is None:
        return Cell("n/m", None, "percent", 1, now.year)
    # In ticks or in dollars, a change in percent is the same.
    return percent_cell(change_percent(now.value, before.value), now.year)


def percent_cell(percent: float, year: int) -> Cell:
    """The cell of a percentage."""
    text = f"{percent} %" if percent >= 0 else f"({-percent}) %"
    return Cell(text, percent, "percent", 1, year)

"""What the builders of all items share: short filings, notes that do not apply, tables."""

from dataclasses import dataclass
from functools import cache

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
    """A table as flattened text under a two-level header: period above years.

    Args:
        teller: Voice and books.
        name: Name of a table of the wording.
    """
    company, year, shown = teller.voice.company, teller.voice.year, _tables()[name]
    columns = [y for y in range(year, year - shown.years, -1) if y in teller.books]
    head = "  ".join(str(y) for y in columns)
    rows = [
        f"{company.name.upper()} {shown.title} FOR FISCAL {year} {unit_note(teller)}",
        f"Fiscal Year Ended {company.fye_text},  Change" if shown.has_change else head,
        *([f"{head}  {year} vs. {year - 1}"] if shown.has_change else []),
    ]
    for field, printed in shown.rows.items():
        numbers = [_number(teller, y, field) for y in columns]
        if not any(numbers):
            continue
        values = [f"$ {_shown(teller, field, number)}" for number in numbers]
        if shown.has_change:
            values.append(_percent(numbers[0], numbers[1]))
        label = printed.format(sales=company.revenue_word.capitalize())
        rows.append(f"{label}  " + "  ".join(values))
    return [Line("\n".join(rows))]


def _number(teller: Teller, year: int, field: str) -> float:
    return float(getattr(teller.books[year], field))


def _shown(teller: Teller, field: str, number: float) -> str:
    if field != "eps":
        return cell(teller.voice.company, int(number))
    return f"{number:.2f}" if number >= 0 else f"({-number:.2f})"


def _percent(now: float, before: float) -> str:
    if before <= 0:
        return "n/m"
    change = change_percent(now, before)
    return f"{change} %" if change >= 0 else f"({-change}) %"

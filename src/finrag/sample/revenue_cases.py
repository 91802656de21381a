"""Small filings with one awkward table of revenue each, and what is true of it.

They are of a company that is not in the corpus, and are written in every filed form.
"""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from finrag.sample import filed_html, filed_ixbrl, filed_text
from finrag.sample.companies import Company, companies
from finrag.sample.filed_html import anchor
from finrag.sample.filed_parts import OPERATING, Filing
from finrag.sample.grids import Cell, Grid, Member, Row
from finrag.sample.ledger import keep_books
from finrag.sample.passages import Line, Paragraph, Voice, heading
from finrag.sample.reading import read_wording
from finrag.sample.sections import contents
from finrag.sample.statements import Teller

NOTE: Final = "Note 2. Disaggregation of Revenue"
STYLES: Final = {"ixbrl": filed_ixbrl, "html": filed_html, "text": filed_text}


@dataclass(frozen=True)
class CaseRow:
    """One row of a table.

    Attributes:
        values: One a column, in millions.
        role: ``leaf``, ``subtotal``, ``reconciling`` or ``total``.
        field: Field of the books that says how it is tagged.
        parent: The row that sums it where that is not the total.
        tag_scale: What its tags multiply the digits by, where that is not the scale of the print.
        item: What it is between segments and the whole, or axis and name of its member.
    """

    label: str
    values: tuple[float, ...]
    role: str = "leaf"
    field: str = "revenue"
    marks: tuple[str, ...] = ()
    parent: str = ""
    item: str = ""
    tag_scale: int = 0


@dataclass(frozen=True)
class CaseTable:
    """One table: its title, its rows, its footnotes, the axis of its leaves."""

    title: str
    rows: tuple[CaseRow, ...]
    footnotes: tuple[str, ...] = ()
    axis: str = ""


@dataclass(frozen=True)
class _Case:
    """One filing.

    Attributes:
        verdict: On the first table, or on the filing where it has none.
        tables: Tables of the note on revenue; the first is the one that is judged.
        statement: Rows of the statement of income; by default the total of the first table.
        item: All of Item 8, where the statements stand elsewhere.
        texts: Paragraphs behind the tables.
        defined: How leaves are defined.
        view: ``product``, ``segment`` or ``none``.
        year: The filing's fiscal year, of which the last of ``ends`` is the end.
        ends: Ends of fiscal years, of which the first is not shown.
        columns: Header texts from the top, by column.
        years: Fiscal years of the columns.
        currencies: Currencies of the columns.
        note: The line that states the unit.
    """

    verdict: str
    tables: tuple[CaseTable, ...] = ()
    statement: tuple[CaseRow, ...] | None = None
    item: str = ""
    texts: tuple[str, ...] = ()
    defined: dict[str, str] | None = None
    view: str = "product"
    year: int = 2021
    ends: tuple[str, ...] = ("2019-12-31", "2020-12-31", "2021-12-31")
    columns: tuple[tuple[str, ...], ...] = (
        ("Fiscal Year Ended December 31,", "2021"),
        ("Fiscal Year Ended December 31,", "2020"),
    )
    years: tuple[int, ...] = ()
    currencies: tuple[str, ...] = ("USD", "USD")
    note: str = "(in millions, except per share amounts)"


@dataclass(frozen=True)
class RevenueCase:
    """A filing in every form, and what is true of its revenue.

    Attributes:
        contents: The file by form.
        lines: One line in one period a row, with the columns of ``revenue_truth.revenue_lines``.
        totals: One period a row: ``view``, ``period_end``, ``currency``, ``total`` (null where it
            is unknown), ``leaf_sum`` (reconciling lines included) and ``verdict``. Where the routes
            differ, they do so in inline XBRL; forms without tags are reconciled.
    """

    name: str
    cik: int
    period_end: datetime.date
    contents: Mapping[str, bytes]
    lines: list[dict[str, Any]]
    totals: list[dict[str, Any]]


def revenue_cases() -> Iterator[RevenueCase]:
    """The cases in the order of the wording."""
    for number, (name, case) in enumerate(read_wording("revenue_cases", dict[str, _Case]).items()):
        filing = _filing(case, number)
        lines = list(_lines(case, filing))
        yield RevenueCase(
            name,
            filing.teller.voice.company.cik,
            filing.end,
            {style: form.render(filing) for style, form in STYLES.items()},
            lines,
            _totals(case, filing, lines),
        )


@cache
def _company(number: int) -> Company:
    return replace(
        companies()[0],
        cik=9900051 + number,
        name="Ellismere Works Company",
        short="Ellismere",
        ticker="ELSM",
        fye=(12, 31),
        fye_text="December 31",
    )


def _filing(case: _Case, number: int) -> Filing:
    company = _company(number)
    voice = Voice(0, company, case.year)
    books = {case.year: replace(keep_books(company, 0)[2021], year=case.year)}
    days = map(datetime.date.fromisoformat, case.ends)
    ends = dict(zip(range(case.year - len(case.ends) + 1, case.year + 1), days, strict=True))
    items = {
        anchor(number): [heading(f"{number} {title}"), [Line("Not applicable.")]]
        for number, title in contents().items()
    }
    told = [[Line(case.item)]] if case.item else list(_statements(case))
    items["item_8"] = [*items["item_8"][:1], *told]
    return Filing(Teller(voice, books), 0, items, ends, has_schedule=False)


def _statements(case: _Case) -> Iterator[Paragraph]:
    income = CaseTable("CONSOLIDATED STATEMENTS OF INCOME", case.statement or ())
    if case.statement is None:
        whole = [row for table in case.tables[:1] for row in table.rows if row.role == "total"]
        whole = whole or [CaseRow("Total revenue", (77.0, 70.0), "total")]
        spent = CaseRow("Cost of revenue", tuple(row / 2 for row in whole[0].values))
        rest = replace(spent, label="Operating income", field="operating_income")
        income = replace(income, rows=(*whole, replace(spent, field="cost_of_revenue"), rest))
    yield from _table(case, income)
    yield heading(NOTE)
    yield [Line("The following information is about our revenue.")]
    for table in case.tables:
        yield from _table(case, table)
    yield from ([Line(text)] for text in case.texts)


def _table(case: _Case, table: CaseTable) -> Iterator[Paragraph]:
    axis = table.axis or case.view
    rows = tuple(_row(case, axis, row) for row in table.rows)
    grid = Grid(table.title, case.note, case.columns, rows, table.footnotes)
    yield [Line(grid.flat(), grid=grid)]
    yield from ([Line(text)] for text in table.footnotes)


def _row(case: _Case, axis: str, row: CaseRow) -> Row:
    cells = tuple(
        Cell(
            f"{value:,.1f}" if value >= 0 else f"({-value:,.1f})",
            float(round(value * 1_000_000)),
            unit,
            1_000_000,
            year,
            tag_scale=row.tag_scale,
        )
        for value, year, unit in zip(row.values, _years(case), case.currencies, strict=True)
    )
    return Row(
        row.label,
        row.field,
        cells,
        marks=row.marks,
        is_total=row.role == "total",
        members=_members(axis, row),
    )


def _years(case: _Case) -> tuple[int, ...]:
    return case.years or (case.year, case.year - 1)


def _members(axis: str, row: CaseRow) -> tuple[Member, ...]:
    if row.item:
        named, _, name = row.item.rpartition(":")
        return (Member(named or "consolidation", name),)
    if row.field not in ("revenue", "sales") or row.role == "total":
        return ()
    if row.role == "subtotal":
        return (Member("product", row.label),) if axis == "product" else (OPERATING,)
    return (Member(axis, row.label),)


def _lines(case: _Case, filing: Filing) -> Iterator[dict[str, Any]]:
    defined = case.defined or {}
    for table in case.tables[:1]:
        whole = next(row.label for row in table.rows if row.role == "total")
        for row in table.rows:
            texts = [text for text in (*table.footnotes, *case.texts) if _is_about(text, row)]
            kind = defined.get(row.label)
            for value, year, unit in zip(row.values, _years(case), case.currencies, strict=True):
                start, end = filing.period(row.field, year)
                yield {
                    "view": case.view,
                    "table": table.title,
                    "label": row.label,
                    "marks": list(row.marks),
                    "role": row.role,
                    "parent": None if row.role == "total" else row.parent or whole,
                    "segment": (row.parent or None) if case.view == "product" else None,
                    "value": float(round(value * 1_000_000)),
                    "currency": unit,
                    "period_start": start and start.isoformat(),
                    "period_end": end.isoformat(),
                    "is_filing_year": year == case.year,
                    "is_defined": bool(kind) if row.role == "leaf" else None,
                    "kind": kind,
                    "texts": texts if kind else [],
                }


def _is_about(text: str, row: CaseRow) -> bool:
    return text.startswith((row.label, f"The {row.label}", *row.marks)) or (
        f". The {row.label} " in text
    )


def _totals(case: _Case, filing: Filing, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    sums = [row for row in lines if row["role"] == "total"]
    if not sums:
        end = filing.end.isoformat()
        total = 77e6 if case.verdict == "no_table" else None
        known = {"view": "none", "period_end": end, "currency": "USD", "total": total}
        return [known | {"leaf_sum": None, "verdict": case.verdict}]
    made = []
    for whole in sums:
        place = whole["period_end"], whole["currency"]
        parts = [
            row["value"]
            for row in lines
            if (row["period_end"], row["currency"]) == place
            and row["role"] in ("leaf", "reconciling")
        ]
        row = {key: whole[key] for key in ("view", "period_end", "currency")}
        verdict = case.verdict if case.verdict != "off" or sum(parts) != whole["value"] else ""
        verdict = verdict or "reconciled"
        made.append(row | {"total": whole["value"], "leaf_sum": sum(parts), "verdict": verdict})
    return made

"""What a filing in its filed form holds: blocks, page breaks, tagged facts, more tables."""

import dataclasses
import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from finrag.sample.grids import Cell, Grid, Member, Row
from finrag.sample.layout import (
    Section,
    book_cell,
    change_cell,
    money_cell,
    percent_cell,
    printed_table,
)
from finrag.sample.passages import Claim, Line, Paragraph, base_slots
from finrag.sample.reading import read_wording
from finrag.sample.statements import Teller

# About as many characters of prose as a printed page holds.
PAGE_SIZE = 3_600
PARTS = {"item_1": "PART I", "item_5": "PART II"}
ELIMINATION = Member("consolidation", "Intersegment Eliminations")
OPERATING = Member("consolidation", "Operating Segments")


@dataclass(frozen=True)
class Concept:
    """The tags of a field; ``is_balance`` where it holds at a day, not over a year."""

    names: tuple[str, ...]
    is_balance: bool = False


@dataclass(frozen=True)
class Word:
    """A number in words: the word of a phrase that is tagged, and what it means."""

    phrase: str
    word: str
    field: str
    value: int
    unit: str


@dataclass(frozen=True)
class Filed:
    """The wording of filed forms; see the file."""

    concepts: dict[str, Concept]
    labels: dict[str, str]
    words: tuple[Word, ...]
    tables: dict[str, str]
    rows: dict[str, str]
    footnotes: tuple[str, ...]
    cover: tuple[str, ...]
    signature: str
    pointer: str


@cache
def wording() -> Filed:
    """Read the wording of filed forms."""
    return read_wording("filed", Filed)


@dataclass(frozen=True)
class Filing:
    """One filing.

    Attributes:
        teller: Voice and books.
        place: Its place among the companies.
        items: Its items.
        ends: Last days of fiscal years where they are not the company's.
        has_schedule: Whether its text form has a financial data schedule.
    """

    teller: Teller
    place: int
    items: Mapping[str, Section]
    ends: Mapping[int, datetime.date] = dataclasses.field(default_factory=dict)
    has_schedule: bool = True

    @property
    def end(self) -> datetime.date:
        """The last day of the fiscal year."""
        return self.end_of(self.teller.voice.year)

    @property
    def accession(self) -> str:
        """A number in the shape of an accession number."""
        return f"{self.teller.voice.company.cik:010d}-{self.filed:%y}-{self.place + 1:06d}"

    @property
    def filed(self) -> datetime.date:
        """The day of filing."""
        return self.end + datetime.timedelta(days=60)

    def end_of(self, year: int) -> datetime.date:
        """The last day of a fiscal year."""
        return self.ends.get(year) or datetime.date(year, *self.teller.voice.company.fye)

    def period(self, field: str, year: int) -> tuple[datetime.date | None, datetime.date]:
        """First and last day of a field in a fiscal year; no first day for a balance."""
        concept = wording().concepts.get(field)
        start = self.end_of(year - 1) + datetime.timedelta(days=1)
        return (None if concept and concept.is_balance else start), self.end_of(year)


@dataclass(frozen=True)
class Fact:
    """A tagged figure.

    Attributes:
        concepts: Its tags, the outer one first.
        value: In whole units with the sign of the concept; None for a nil fact.
        unit: ``USD``, ``USD/share``, ``percent``, ``people`` or the thing that is counted.
        members: Segment, product or elimination that it is about.
        text: The characters that are tagged.
        power: Power of ten that the printed digits are multiplied by.
        form: ``number``, ``zero`` (a dash) or ``word``.
    """

    concepts: tuple[str, ...]
    value: Decimal | None
    unit: str
    start: datetime.date | None
    end: datetime.date
    members: tuple[Member, ...]
    text: str
    power: int
    form: str


@dataclass(frozen=True)
class Block:
    """A part, item, heading, paragraph or table of a filing, in reading order.

    Attributes:
        kind: ``part``, ``item``, ``heading``, ``paragraph`` or ``table``.
        item: The item that it stands in.
        text: Its text; of a table the flattened one.
        page: The page on which it begins.
        spans: Tagged facts and where they stand in ``text``.
        cut: Where a page ends in the text; a space stands there.
        grid: The cells of a table.
    """

    kind: str
    item: str
    text: str
    page: int
    spans: tuple[tuple[int, int, Fact], ...] = ()
    cut: int | None = None
    grid: Grid | None = None


def cover(filing: Filing) -> list[str]:
    """The lines of the cover page."""
    company, end = filing.teller.voice.company, filing.end
    slots = base_slots(filing.teller.voice) | {"state": company.state, "ticker": company.ticker}
    slots["date"] = f"{end:%B} {end.day}, {end.year}"
    return [line.format_map(slots) for line in wording().cover]


def blocks(filing: Filing) -> Iterator[Block]:
    """The blocks of the items with their page breaks, most of them within a paragraph."""
    page, size = 1, 0
    for item, section in filing.items.items():
        if item in PARTS:
            yield Block("part", item, PARTS[item], page)
        for pos, paragraph in enumerate(part for part in section if part):
            block = _block(filing, item, paragraph, pos == 0, page)
            size += len(block.text)
            if size > PAGE_SIZE and block.kind == "paragraph" and (cut := _cut(block)):
                block, size, page = replace(block, cut=cut), 0, page + 1
            yield block


def _block(filing: Filing, item: str, paragraph: Paragraph, is_first: bool, page: int) -> Block:
    line = paragraph[0]
    if line.grid:
        return Block("table", item, line.text, page, grid=line.grid)
    if line.is_heading:
        return Block("item" if is_first else "heading", item, line.text, page)
    spans: list[tuple[int, int, Fact]] = []
    text = ""
    for line in paragraph:
        at = len(text) + bool(text)
        text = f"{text} {line.text}".lstrip()
        spans += [(at + a, at + b, fact) for a, b, fact in _stated(filing, item, line)]
    return Block("paragraph", item, text, page, tuple(sorted(spans, key=lambda one: one[:2])))


def _cut(block: Block) -> int | None:
    half = len(block.text) // 2
    at = block.text.find(" ", half)
    is_inside = any(start <= at <= end for start, end, _ in block.spans)
    return None if at < 0 or is_inside or half < 60 else at


def is_tagged(filing: Filing, item: str) -> bool:
    """Whether the filer tags an item: most filers tag nothing in Items 6 and 7."""
    return item not in ("item_6", "item_7") or filing.teller.voice.company.cik % 2 == 0


def _stated(filing: Filing, item: str, line: Line) -> Iterator[tuple[int, int, Fact]]:
    if not is_tagged(filing, item):
        return
    year, at = filing.teller.voice.year, 0
    for claim in line.claims:
        digits, power = _claimed(filing, claim)
        pattern = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d,]|\.\d)")
        found = pattern.search(line.text, at) if digits else None
        if not found:
            continue
        start, end = found.span()
        field, at = wording().labels[claim.label.split(":")[0]], end
        value = Decimal(digits.replace(",", "")).scaleb(power)
        value = -value if (claim.value or 0) < 0 else value
        unit = (claim.unit or "").replace("_per_", "/")
        made = _fact(filing, field, claim.period_year or year, value, unit, digits, power)
        unit = claim.label.partition(":")[2]
        members = (Member("segment", unit),) if unit else ()
        yield start, end, replace(made, members=members)
    for word in wording().words:
        at = line.text.find(word.phrase)
        if at >= 0:
            at += word.phrase.index(word.word)
            made = _fact(filing, word.field, year, Decimal(word.value), word.unit, word.word, 0)
            members = (ELIMINATION,) if word.field == "eliminations" else ()
            yield at, at + len(word.word), replace(made, form="word", members=members)


def _claimed(filing: Filing, claim: Claim) -> tuple[str, int]:
    # The digits of a claim as its sentence prints them, and their power of ten; none if untagged.
    if claim.value is None or claim.label.split(":")[0] not in wording().labels:
        return "", 0
    if claim.kind == "kpi_change" or (claim.unit == "percent" and claim.kind != "segment_share"):
        return "", 0
    if claim.unit == "percent":
        return str(claim.value), -2
    if claim.unit == "people":
        return f"{claim.value:,.0f}", 0
    if claim.unit == "USD_per_share":
        return f"{abs(claim.value):.2f}", 0
    printed = filing.teller.amount(abs(round(claim.value / filing.teller.voice.company.tick)))
    power = {"million": 6, "billion": 9}.get(printed.split(" ")[-1], 0)
    return printed.removeprefix("$").split(" ")[0], power


def _fact(
    filing: Filing, field: str, year: int, value: Decimal | None, unit: str, text: str, power: int
) -> Fact:
    concept = wording().concepts[field]
    # A measure in prose carries one tag; only cells nest several.
    names = concept.names[:1]
    return Fact(names, value, unit, *filing.period(field, year), (), text, power, "number")


@dataclass(frozen=True)
class Print:
    """The pieces of a cell: currency sign, opening parenthesis, digits or dash, what closes."""

    currency: str
    before: str
    body: str
    after: str

    @property
    def text(self) -> str:
        """The cell as printed, without the currency sign."""
        return f"{self.before}{self.body}{self.after}"


def printed(grid: Grid, row: Row, cell: Cell, dash: str) -> Print:
    """How a cell is printed: a zero as a dash, a currency sign in first rows, totals, per share."""
    if cell.value is None:
        return Print("", "", cell.text, "")
    has_sign = row is grid.rows[0] or row.is_total or cell.unit == "USD/share"
    currency = ("€" if cell.unit == "EUR" else "$") if has_sign and cell.unit != "percent" else ""
    if not cell.value:
        return Print(currency, "", dash, "")
    body = cell.text.strip("() %")
    is_negative, percent = cell.text.startswith("("), "%" if cell.unit == "percent" else ""
    return Print(currency, "(" * is_negative, body, ")" * is_negative + percent)


def cell_fact(filing: Filing, item: str, row: Row, cell: Cell, dash: str) -> Fact | None:
    """The tag of a cell; changes and measures that no taxonomy knows have none."""
    is_known = row.field in wording().concepts and is_tagged(filing, item)
    if not is_known or cell.unit == "percent" or cell.value is None:
        return None
    year, text = filing.teller.voice.year, cell.text.strip("()")
    power = len(str(cell.tag_scale or cell.scale)) - 1
    value = Decimal(text.replace(",", "")).scaleb(power) * row.sign
    value = -value if cell.text.startswith("(") else value
    made = _fact(filing, row.field, cell.year, value, cell.unit, text, power)
    concepts = wording().concepts[row.field].names
    made = replace(made, concepts=concepts, members=row.members + cell.members)
    if cell.value:
        return made
    # In the year before, nothing was measured: a dash that is tagged as nil.
    is_nil = row.field == "eliminations" and cell.year < year
    return replace(made, text=dash, form="zero", value=None if is_nil else Decimal(0))


def with_tables(teller: Teller, section: Section) -> Section:
    """Item 8 with more tables: revenue by segment, liquid funds and debt, changes in debt."""
    made: Section = []
    for pos, paragraph in enumerate(section):
        made.append(paragraph)
        before = section[pos - 1][0].text if pos and section[pos - 1] else ""
        if before == "Note 7. Debt":
            made += [_liquidity(teller), _debt(teller)]
        if paragraph and paragraph[0].grid and paragraph[0].grid.title.startswith("SEGMENT "):
            made += _segments(teller)
    return made


def _columns(teller: Teller, words: str) -> list[tuple[str, ...]]:
    year, day = teller.voice.year, teller.voice.company.fye_text
    return [(f"{words} {day},", str(y)) for y in (year, year - 1)]


def _titled(
    teller: Teller,
    name: str,
    columns: list[tuple[str, ...]],
    rows: list[Row],
    footnotes: tuple[str, ...] = (),
) -> Paragraph:
    company = teller.voice.company
    title = wording().tables[name].format(sales=company.revenue_word.upper())
    full = f"{company.name.upper()} {title} FOR FISCAL {teller.voice.year}"
    return printed_table(teller, full, tuple(columns), rows, footnotes)


def _segments(teller: Teller) -> Section:
    company, year, words = teller.voice.company, teller.voice.year, wording().rows
    years = (teller.now, teller.before)
    change = ("Change", f"{year} vs. {year - 1}")
    columns = [*_columns(teller, "Fiscal Year Ended"), change, ("Percent of Total", str(year))]

    def row(label: str, ticks: list[int]) -> Row:
        cells = [money_cell(teller, n, books.year) for n, books in zip(ticks, years, strict=True)]
        share = percent_cell(round(100 * ticks[0] / teller.now.revenue, 1), year)
        return Row(label, "revenue", (*cells, change_cell(cells[0], cells[1]), share))

    revenue = [books.revenue for books in years]
    rows = [
        replace(
            row(segment.name, [books.segments[n] for books in years]),
            group=words["group"],
            members=(Member("segment", segment.name),),
            marks=("(1)",) if n == 0 else (),
        )
        for n, segment in enumerate(company.segments)
    ]
    total = row(words["total"].format(sales=company.revenue_word), revenue)
    none = replace(row(words["eliminations"], [0, 0]), field="eliminations", marks=("(2)",))
    subtotal = replace(row(words["subtotal"], revenue), is_total=True, members=(OPERATING,))
    rows += [subtotal, replace(none, members=(ELIMINATION,)), replace(total, is_total=True)]
    notes = tuple(text.format_map(base_slots(teller.voice)) for text in wording().footnotes)
    table = _titled(teller, "segments", columns, rows, notes)
    return [table, *([Line(text)] for text in notes)]


def _liquidity(teller: Teller) -> Paragraph:
    years = (teller.now, teller.before)
    cash = [b.cash for b in years]
    funds = {"cash": cash, "short_term": [0, 0], "liquid": cash}
    owed = {"debt": [b.debt for b in years]}
    net = {"net_debt": [b.debt - b.cash for b in years]}
    rows = [
        Row(
            wording().rows[field],
            field,
            tuple(money_cell(teller, n, b.year) for n, b in zip(ticks, years, strict=True)),
            group=wording().rows.get(group, ""),
            is_total=field == "liquid",
        )
        for group, balances in (("funds", funds), ("owed", owed), ("", net))
        for field, ticks in balances.items()
    ]
    return _titled(teller, "liquidity", _columns(teller, "As of"), rows)


def _debt(teller: Teller) -> Paragraph:
    words, years = wording().rows, (teller.now.year, teller.before.year)
    moved = [Row(words["opening"], "debt", tuple(book_cell(teller, "debt", y - 1) for y in years))]
    for field, sign in (("borrowed", 1), ("repaid", -1)):
        cells = (money_cell(teller, sign * getattr(teller.books[y], field), y) for y in years)
        moved.append(Row(words[field], field, tuple(cells), sign=sign))
    closing = tuple(book_cell(teller, "debt", y) for y in years)
    moved.append(Row(words["closing"], "debt", closing, is_total=True))
    return _titled(teller, "debt", _columns(teller, "Fiscal Year Ended"), moved)

"""Revenue by product: the last note of a filing in its filed form, its table and its words."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from finrag.sample.grids import Cell, Grid, Member, Row
from finrag.sample.layout import Section, money_cell, percent_cell, unit_note
from finrag.sample.passages import Line, Paragraph, base_slots, heading
from finrag.sample.reading import read_wording
from finrag.sample.statements import Teller

NOTE = "Note 15. Disaggregation of Revenue"


@dataclass(frozen=True)
class Part:
    """One line of a disclosure.

    Attributes:
        label: As printed, without marks.
        share: Of its segment, or of the total where it has none; negative where it reduces it.
        segment: Segment that it belongs to, or empty.
        role: ``leaf``, or ``reconciling`` where it is nothing that is sold.
        marks: Marks of footnotes.
        first_year: Fiscal year in which it was first sold.
        last_year: Fiscal year in which it was last sold.
        item: What it is between segments and the whole, where it is tagged as that.
    """

    label: str
    share: float
    segment: str = ""
    role: str = "leaf"
    marks: tuple[str, ...] = ()
    first_year: int = 0
    last_year: int = 9999
    item: str = ""

    @property
    def key(self) -> str:
        """Its label, behind its segment where it has one: ``Foodservice/Other``."""
        return f"{self.segment}/{self.label}" if self.segment else self.label

    def is_sold(self, year: int) -> bool:
        """Whether it was sold in a fiscal year."""
        return self.first_year <= year <= self.last_year


@dataclass(frozen=True)
class Text:
    """One block of prose about the lines.

    Attributes:
        text: Its words, with slots.
        form: ``paragraph``, ``heading``, ``bullet``, ``footnote`` or ``step`` of a list.
        defines: Lines whose meaning it states, by label or key.
        kind: ``definition``, ``list`` or ``heading``; what a footnote defines needs none.
    """

    text: str
    form: str = "paragraph"
    defines: tuple[str, ...] = ()
    kind: str = "footnote"

    def is_about(self, part: Part) -> bool:
        """Whether it states what a line means."""
        return bool({part.label, part.key} & set(self.defines))


@dataclass(frozen=True)
class Disclosure:
    """Revenue of one filer by product.

    Attributes:
        title: Title of the table.
        shape: ``flat``; ``nested``, products under segments; ``matrix``, products by segments;
            ``transposed``, lines as columns and years as rows.
        lead: The paragraph above the table.
        lines: From the top, or from the left.
        before: Prose above ``lead``.
        after: Prose below the table.
        concept: ``revenue`` or ``sales``: how the lines are tagged.
        years: Fiscal years shown.
        has_percent: Whether each year has a second column, percent of the total.
        has_qualifier: Whether members of segments are qualified as operating segments.
        recast: Fiscal year whose filing shows other values for the years before, or 0.
        unbalanced: Fiscal year whose filing has lines that do not add up to the total, or 0.
    """

    title: str
    shape: str
    lead: str
    lines: tuple[Part, ...]
    before: tuple[Text, ...] = ()
    after: tuple[Text, ...] = ()
    concept: str = "revenue"
    years: int = 2
    has_percent: bool = False
    has_qualifier: bool = False
    recast: int = 0
    unbalanced: int = 0


@dataclass(frozen=True)
class Entry:
    """A line with its values, by fiscal year and in ticks.

    Attributes:
        parent: Key of the entry that sums it, or empty.
    """

    part: Part
    ticks: Mapping[int, int]
    members: tuple[Member, ...] = ()
    parent: str = ""

    @property
    def is_sum(self) -> bool:
        """Whether it sums the entries above it."""
        return self.part.role in ("subtotal", "total")


@cache
def disclosures() -> dict[str, Disclosure]:
    """The disclosures by ticker."""
    return read_wording("revenue", dict[str, Disclosure])


def disclosure(teller: Teller) -> Disclosure:
    """What a filer discloses."""
    return disclosures()[teller.voice.company.ticker]


def texts(teller: Teller) -> Iterator[Text]:
    """The prose around the table, with its slots filled."""
    shown, slots = disclosure(teller), base_slots(teller.voice)
    sold = _sold(teller)
    for text in (*shown.before, Text(shown.lead), *shown.after):
        if text.defines and not any(map(text.is_about, sold)):
            continue
        bullet = "• " * (text.form == "bullet")
        yield replace(text, text=bullet + text.text.format_map(slots))


def revenue_note(teller: Teller) -> Section:
    """The note: heading, prose, table, prose."""
    shown, made = disclosure(teller), list(texts(teller))
    at = len(shown.before) + 1
    section = [heading(NOTE), *map(_paragraph, made[:at])]
    notes = tuple(text.text for text in made if text.form == "footnote")
    grid = _grid(teller, shown, notes)
    return [*section, [Line(grid.flat(), grid=grid)], *map(_paragraph, made[at:])]


def _paragraph(text: Text) -> Paragraph:
    return heading(text.text) if text.form == "heading" else [Line(text.text)]


def years(teller: Teller) -> list[int]:
    """The fiscal years of the table, the filing's own first."""
    year, shown = teller.voice.year, disclosure(teller)
    count = 1 if shown.shape == "matrix" else shown.years
    return [y for y in range(year, year - count, -1) if y in teller.books]


def _sold(teller: Teller) -> list[Part]:
    """The lines that were sold in a year of the table."""
    shown = years(teller)
    return [part for part in disclosure(teller).lines if any(map(part.is_sold, shown))]


def entries(teller: Teller) -> list[Entry]:
    """The lines of the table with subtotals and total, from the top."""
    shown, made, sold = disclosure(teller), [], _sold(teller)
    last = "Total" if shown.shape == "transposed" else total_label(teller)
    for segment in dict.fromkeys(part.segment for part in sold):
        parts = [part for part in sold if part.segment == segment]
        over = f"Total {segment}" if segment else last
        amounts = {y: _amounts(teller, y, segment, parts) for y in years(teller)}
        for n, part in enumerate(parts):
            ticks = {y: amounts[y][n] for y in amounts}
            made.append(Entry(part, ticks, _members(shown, part), over))
        if segment:
            sums = {y: _whole(teller, y, segment) for y in years(teller)}
            part = Part(over, 1.0, segment=segment, role="subtotal")
            made.append(Entry(part, sums, _members(shown, part), last))
    whole = {y: _whole(teller, y, "") for y in years(teller)}
    return [*made, Entry(Part(last, 1.0, role="total"), whole)]


def total_label(teller: Teller) -> str:
    """What most tables call the total."""
    return f"Total {teller.voice.company.revenue_word}"


def _members(shown: Disclosure, part: Part) -> tuple[Member, ...]:
    if part.item:
        return (Member("consolidation", part.item),)
    made = [Member("segment", part.segment)] if part.segment else []
    if made and shown.has_qualifier:
        made.insert(0, Member("consolidation", "Operating Segments"))
    if part.role != "subtotal":
        made.append(Member("product", part.label))
    return tuple(made)


def _whole(teller: Teller, year: int, segment: str) -> int:
    books = teller.books[year]
    names = [one.name for one in teller.voice.company.segments]
    return books.segments[names.index(segment)] if segment else books.revenue


def _amounts(teller: Teller, year: int, segment: str, parts: list[Part]) -> list[int]:
    """Whole ticks of some lines that add up; the first takes what the shares of others leave.

    They do not add up in the filing of the year in which a filer errs.
    """
    shown, whole = disclosure(teller), _whole(teller, year, segment)
    made = []
    for part in parts:
        factor = teller.voice.stream("revenue line", part.key, year).uniform(0.95, 1.05)
        made.append(round(whole * part.share * factor) if part.is_sold(year) else 0)
    made[0] = whole - sum(made[1:])
    if shown.recast == teller.voice.year > year:
        # What the filer now counts to its second line it counted to the first before.
        moved = made[0] // 16
        made[:2] = made[0] - moved, made[1] + moved
    if shown.unbalanced == teller.voice.year == year:
        made[1] += whole // 40
    return made


def matrix(teller: Teller) -> list[tuple[Entry, list[int]]]:
    """Each line with its amounts by segment in the filing's year, which add up both ways."""
    year, lines = teller.voice.year, entries(teller)
    rest = list(teller.now.segments)
    made: list[tuple[Entry, list[int]]] = []
    for entry in lines[:-2]:
        amount = entry.ticks[year]
        cells = [n * amount // teller.now.revenue for n in teller.now.segments]
        tilt = cells[1] // 4 * (-1) ** len(made)
        cells = [amount - cells[1] - cells[2] + tilt, cells[1] - tilt, cells[2]]
        rest = [a - b for a, b in zip(rest, cells, strict=True)]
        made.append((entry, cells))
    return [*made, (lines[-2], rest), (lines[-1], list(teller.now.segments))]


def _grid(teller: Teller, shown: Disclosure, footnotes: tuple[str, ...]) -> Grid:
    made = {"matrix": _matrix, "transposed": _transposed}.get(shown.shape, _rows)
    columns, rows = made(teller, shown)
    return Grid(shown.title, unit_note(teller), tuple(columns), tuple(rows), footnotes)


Columns = list[tuple[str, ...]]


def _row(shown: Disclosure, entry: Entry, cells: Iterable[Cell]) -> Row:
    part, is_total = entry.part, entry.is_sum
    group = f"{part.segment}:" if part.segment and not is_total else ""
    members = entry.members
    return Row(part.label, shown.concept, tuple(cells), group, part.marks, is_total, 1, members)


def _rows(teller: Teller, shown: Disclosure) -> tuple[Columns, list[Row]]:
    lines, shown_years = entries(teller), years(teller)
    year, day = teller.voice.year, teller.voice.company.fye_text
    is_recast = shown.recast == year
    heads = [f"{y} (As Recast)" if is_recast and y < year else str(y) for y in shown_years]
    over = f"Fiscal Year Ended {day},"
    columns: Columns = [(over, head) for head in heads]
    if shown.has_percent:
        kinds = ("Amount", "% of Total")
        columns = [(f"{over} {head}", kind) for head in heads for kind in kinds]
    rows = []
    for entry in lines:
        cells = []
        for y in shown_years:
            cells.append(money_cell(teller, entry.ticks[y], y))
            if shown.has_percent:
                share = 100 * entry.ticks[y] / lines[-1].ticks[y]
                cells.append(percent_cell(round(share, 1), y))
        rows.append(_row(shown, entry, cells))
    return columns, rows


def _matrix(teller: Teller, shown: Disclosure) -> tuple[Columns, list[Row]]:
    year, company = teller.voice.year, teller.voice.company
    names = [segment.name for segment in company.segments]
    over = f"Fiscal Year Ended {company.fye_text}, {year}"
    rows = []
    for entry, amounts in matrix(teller):
        cells = [
            replace(money_cell(teller, n, year), members=(Member("segment", name),))
            for n, name in zip(amounts, names, strict=True)
        ]
        rows.append(_row(shown, entry, [*cells, money_cell(teller, entry.ticks[year], year)]))
    return [(over, name) for name in (*names, "Total")], rows


def _transposed(teller: Teller, shown: Disclosure) -> tuple[Columns, list[Row]]:
    lines = entries(teller)
    rows = [
        Row(
            f"Fiscal {year}",
            shown.concept,
            tuple(
                replace(money_cell(teller, entry.ticks[year], year), members=entry.members)
                for entry in lines
            ),
        )
        for year in years(teller)
    ]
    return [(entry.part.label,) for entry in lines], rows

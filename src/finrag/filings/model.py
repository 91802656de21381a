"""What the readers of a filing hand to each other: blocks, tables, cells, sections, facts.

Offsets in a text count code points from 0; rows and columns count from 0; places in the source
count bytes of the unpacked document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(slots=True)
class GridCell:
    """A cell of a table as it is drawn, before "$", number and ")" are put together.

    Attributes:
        row: its first row.
        column: its first column.
        rows: how many rows it covers.
        columns: how many columns it covers.
        text: what it shows, blanks collapsed; never empty.
        is_bold: whether nearly all of it is bold.
        is_header: whether the markup calls it a header (`th`).
        indent: how far its text is set in, in points; 0 where nothing says so.
        size: size of its first letters in points; 0 where nothing says so.
        raised: spans of its text that stand raised, as marks of footnotes do.
        line_starts: where its second and later lines start, for headers of several lines.
        links: names that links in it lead to.
    """

    row: int
    column: int
    rows: int
    columns: int
    text: str
    is_bold: bool = False
    is_header: bool = False
    indent: float = 0.0
    size: float = 0.0
    raised: tuple[tuple[int, int], ...] = ()
    line_starts: tuple[int, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(slots=True)
class Grid:
    """A table as it is drawn.

    Attributes:
        n_rows: rows, empty ones too.
        n_columns: columns, empty ones too.
        cells: the cells that show something, by row and column.
    """

    n_rows: int
    n_columns: int
    cells: list[GridCell]


@dataclass(slots=True)
class Block:
    """A unit of layout: a paragraph, a heading, an entry of a list, a table.

    Attributes:
        text: what it shows, blanks collapsed; of a table, rows parted by line ends and cells by
            tabs.
        kind: heading, paragraph, list, table, footnote, toc or furniture.
        is_bold: whether nearly all of its text is bold.
        is_italic: whether nearly all of its text is italic.
        is_underlined: whether nearly all of its text is underlined.
        is_centred: whether it is centred.
        size: size of its first letters in points; 0 where nothing says so.
        anchors: names that links can lead to, before or in it.
        links: names that links in it lead to.
        starts_page: whether a page break stands between it and the block before.
        grid: of a table.
        raised: spans of its text that stand raised.
        source_start: place of its first byte.
        source_end: place behind its last byte, where the next block begins.
    """

    text: str
    kind: str = "paragraph"
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_centred: bool = False
    size: float = 0.0
    anchors: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    starts_page: bool = False
    grid: Grid | None = None
    raised: tuple[tuple[int, int], ...] = ()
    source_start: int = 0
    source_end: int = 0


@dataclass(slots=True)
class Tag:
    """An inline XBRL tag around something that a document shows. No reader of text looks at it.

    Attributes:
        name: local name in lower case: nonfraction, nonnumeric or fraction.
        attributes: as written, names in lower case.
        block: number of the block in which it starts; -1 where it shows nothing.
        row: in a table, the row of its cell in the grid; else -1.
        column: in a table, the column of its cell in the grid; else -1.
        start: where what it shows starts, in the block's text or in the cell's.
        end: where it ends there, or where the block ends if it goes on.
        unseen: what it holds where its style hides it; cut at 500 characters.
    """

    name: str
    attributes: dict[str, str]
    block: int = -1
    row: int = -1
    column: int = -1
    start: int = 0
    end: int = 0
    unseen: str = ""


@dataclass(slots=True)
class Document:
    """A document of a filing, read.

    Attributes:
        blocks: in the order in which they are shown.
        tags: in the order in which they start, without those of a hidden header.
        headers: elements of lxml that hold hidden facts, contexts and units.
        flags: what was found amiss, such as `mismatched_tags`.
    """

    blocks: list[Block] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    headers: list[object] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Cell:
    """A cell of a table as it is read: "$", number, ")", "%" and marks put together.

    Attributes:
        row_pos: its row among the rows of the table that show something.
        col_pos: its column among the columns that hold values or labels.
        places: rows and columns of the grid cells that it is made of.
        row_path: labels that say what its row is, outermost first; the row's own label last.
        column_path: headers above it, outermost first.
        text: what it shows, such as `$ (1,234)`.
        kind: number, dash, text or year.
        value: of a number or a dash, in whole units (dollars, shares, percent points), else null.
        low: lower end where it states a range, else null.
        high: upper end where it states a range, else null.
        unit: USD, another currency, shares, USD/shares, percent, pure …; null where none is known.
        scale: power of ten by which the printed number was multiplied, 0 for none.
        scale_source: what said so: cell, header, caption or document; null where nothing did.
        is_negative: whether it is printed as negative.
        period_start: first day of the period that its headers name; null for an instant.
        period_end: last day of it, or the instant; null where they name none.
        footnote_marks: marks of footnotes on it, without brackets.
        is_header: whether it stands in a header row.
        is_label: whether it is the label of its row.
        start: where its text starts in the text of its table.
        end: where it ends there.
    """

    row_pos: int
    col_pos: int
    places: tuple[tuple[int, int], ...]
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    text: str
    kind: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None
    scale: int = 0
    scale_source: str | None = None
    is_negative: bool = False
    period_start: date | None = None
    period_end: date | None = None
    footnote_marks: tuple[str, ...] = ()
    is_header: bool = False
    is_label: bool = False
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Table:
    """A table that is read.

    Attributes:
        caption: its title, from the table or from the heading before it; null where there is none.
        lead_in: the sentence that introduces it; null where there is none.
        header_rows: how many of its rows are headers.
        n_rows: rows that show something, headers too.
        n_cols: columns that hold values or labels.
        unit: of most of its numbers, null where none is known.
        scale: power of ten that its caption or headers state for its amounts, else the document's.
        scale_source: header, caption or document; null where nothing states a scale.
        footnotes: texts of the notes under it, with their marks.
        is_layout: whether it holds no data: a table of contents, an index of exhibits.
        text: a line a row, cells parted by tabs.
        row_starts: where each row starts in `text`.
        cells: by row and column.
        money_scale: power of ten that goes on to what follows: that of the amounts of money that it
            holds more than anything else; null where it shows or names no currency.
    """

    caption: str | None
    lead_in: str | None
    header_rows: int
    n_rows: int
    n_cols: int
    unit: str | None
    scale: int
    scale_source: str | None
    footnotes: tuple[str, ...]
    is_layout: bool
    text: str
    row_starts: tuple[int, ...]
    cells: list[Cell]
    money_scale: int | None = None


@dataclass(slots=True)
class Context:
    """What a whole document says that its tables and texts lean on.

    Attributes:
        period_end: last day of the period that the filing reports on; null where unknown.
        form: such as 10-K.
        scale: power of ten of amounts, where the document states one for all ("dollars in
            millions", more than once and never otherwise); null where it does not.
        year_ends: last days of fiscal years, by the years that they are called by.
        days: days that its headers, labels and captions name.
    """

    period_end: date | None
    form: str
    scale: int | None = None
    year_ends: dict[int, date] = field(default_factory=dict)
    days: frozenset[date] = frozenset()


@dataclass(slots=True)
class Section:
    """An item of a filing.

    Attributes:
        item: such as `7A`; of a 10-Q, part and item: `I-2`, `II-1A`.
        heading_text: the heading as printed; null where there is none.
        method: anchor, heading, title, combined or index; pages_behind where a heading points to
            statements behind the signatures, which are its text too.
        status: extracted, incorporated_by_reference, reserved, omitted or cross_reference.
        score: how sure the heading is, 0 to 1.
        n_candidates: how many places could have been its heading.
        combined_with: other items that share its heading and its text.
        exhibit: number of the exhibit that holds its text, among those handed over; null for the
            main document.
        spans: numbers of its blocks, as ranges `[first, last)` in order; the heading included.
    """

    item: str
    heading_text: str | None
    method: str
    status: str
    score: float
    n_candidates: int
    combined_with: tuple[str, ...]
    exhibit: int | None
    spans: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Note:
    """A note to financial statements.

    Attributes:
        number: as printed, such as `3` or `2A`.
        title: as printed.
        kind: segment, revenue, liquidity, debt, tax, leases, equity, stock_compensation, pension,
            goodwill, contingencies, derivatives, fair_value, eps, acquisitions,
            accounting_policies, related_party or other.
        first: number of its first block, which holds its heading.
        last: number of the block after its last one.
    """

    number: str
    title: str
    kind: str
    first: int
    last: int


@dataclass(slots=True)
class Fact:
    """A tagged fact.

    Attributes:
        source: ixbrl or ex27.
        concept: with its prefix, such as `us-gaap:Revenues`; of EX-27 the tag's name.
        is_numeric: whether it states a number.
        value: in whole units, sign and scale applied; null where there is none.
        value_text: as shown; long texts are cut at 500 characters.
        unit: as `USD`, `shares`, `USD/shares`, `pure`; null where there is none.
        decimals: to how many places it is exact, `INF` as null.
        scale: power of ten of what is shown.
        sign: whether the tag turns the sign of what is shown.
        format: local name of its transformation, null where there is none.
        is_nil: whether it says that there is no value.
        is_hidden: whether the document does not show it.
        period_start: first day of its period; null for an instant.
        period_end: last day, or the instant; null where its context is unknown.
        dimensions: axis and member of each, sorted.
        block: number of the block in which it is shown; -1 where it is not.
        row: in a table, the row of its cell in the grid; else -1.
        column: in a table, the column of its cell in the grid; else -1.
        start: where it starts in the text of the block or the grid's cell.
        end: where it ends there.
        flags: what is amiss: `unknown_context`, `unknown_unit`, `bad_number` …
    """

    source: str
    concept: str
    is_numeric: bool
    value: float | None
    value_text: str
    unit: str | None
    decimals: int | None
    scale: int
    sign: bool
    format: str | None
    is_nil: bool
    is_hidden: bool
    period_start: date | None
    period_end: date | None
    dimensions: tuple[tuple[str, str], ...]
    block: int
    row: int
    column: int
    start: int
    end: int
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class FactAudit:
    """What reading the print alone gives where a fact is tagged.

    Attributes:
        verdict: agrees, sign_differs, scale_differs, value_differs, not_read or not_numeric.
        value: the value read; null where none was.
        period_agrees: whether the period that headers name is the tag's; null where they name none
            or the fact is in no cell.
        reason: in words, where the verdict is not `agrees`.
    """

    verdict: str
    value: float | None
    period_agrees: bool | None
    reason: str | None


@dataclass(frozen=True)
class Identity:
    """What is known of a filing: whose it is, which form, which period.

    Attributes:
        cik: company number; null where unknown, like all else.
        name: of the company.
        ticker: its ticker.
        form: such as 10-K.
        period_end: last day of the period that it reports on.
        accession: its number with the SEC.
        fiscal_year: report year, where a list states it without a date; goes before the period.
    """

    cik: int | None = None
    name: str | None = None
    ticker: str | None = None
    form: str | None = None
    period_end: date | None = None
    accession: str | None = None
    fiscal_year: int | None = None

"""Reading a table as drawn: what its cells say, under which headers and in which rows."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from finrag.filings.cells import Piece, Value, add_mark, read_rows
from finrag.filings.headers import (
    Period,
    Scales,
    Unit,
    at_edge,
    is_balance_row,
    is_period_row,
    is_statement,
    names_period,
    read_balance_day,
    read_period,
    read_scales,
    read_unit,
)
from finrag.filings.model import Block, Cell, Context, Grid, Table
from finrag.records.vocabulary import read_vocabulary

_WORDS: Final = read_vocabulary(__file__)
_TOTAL: Final = _WORDS.pattern("total")
_UNITS_ONLY: Final = _WORDS.pattern("units_only")
_LEAD_IN: Final = _WORDS.pattern("lead_in")
_NOTE: Final = _WORDS.pattern("note")
_NOTE_NUMBER: Final = _WORDS.pattern("note_number")
_PAGE: Final = _WORDS.pattern("page")
_CONTENTS: Final = _WORDS.pattern("contents")
_MAX_HEADER_ROWS: Final = 12
_MAX_PATHS: Final = 100_000
_MAX_DEPTH: Final = 8
_NEAR: Final = 5
_SHORT: Final = 160
_UNSCALED: Final = frozenset(
    ("percent", "basis_points", "years", "months", "days", "USD/shares", "pure")
)
_FIXED: Final = frozenset(("percent", "shares", "USD/shares", "years", "pure"))
_NOT_BESIDE: Final = frozenset(("years", "months", "days", "pure", "shares"))
_NO_SCALES: Final = Scales(None, None)


class _Columns:
    """Columns of a table that hold labels or values, as spans of columns of its grid."""

    def __init__(self, spans: Sequence[tuple[int, int]], n_labels: int) -> None:
        self.lows = [low for low, _ in spans]
        self.highs = [high for _, high in spans]
        self.n_labels = n_labels

    def place(self, piece: Piece) -> int:
        """The number of the first column that a piece reaches into, else of the next one."""
        return min(bisect_left(self.highs, piece.first), len(self.highs) - 1)

    def reaches(self, piece: Piece) -> bool:
        """Whether a piece reaches into a column."""
        place = bisect_left(self.highs, piece.first)
        return place < len(self.lows) and self.lows[place] <= piece.last


class _Headers:
    """Header rows that stand together, and what they say of each column."""

    def __init__(self, columns: _Columns, before: _Headers | None = None) -> None:
        self.columns = columns
        self.rows: list[list[Piece]] = []
        self.stub: list[str] = []
        self.first = before
        self.units: dict[int, str] = {}
        self.names_periods = False
        self._paths: dict[int, tuple[str, ...]] = {}
        self.periods: dict[tuple[int, str], Period | None] = {}

    def add(self, row: Sequence[Piece], values_from: int) -> None:
        """Add a header row."""
        self.rows.append([piece for piece in row if piece.last >= values_from])
        self.stub += [piece.label for piece in row if piece.last < values_from]

    def path(self, column: int) -> tuple[str, ...]:
        """Headers above a column, outermost first; those that only state units left out."""
        if column not in self._paths:
            self._paths[column] = self._find(column)
        return self._paths[column]

    def _find(self, column: int, *, reach: bool = False) -> tuple[str, ...]:
        labels: list[str] = []
        for row in self.rows:
            label = self._label(row, column, reach=reach)
            if label and _UNITS_ONLY.fullmatch(label.lower()):
                self.units.setdefault(column, label)
            elif label and label not in labels[-1:]:
                labels.append(label)
        if not labels and self.first is not None:
            return self.first.path(column)
        return tuple(labels)

    def tell_apart(self, percents: Set[int]) -> None:
        """Give columns that share their headers what else tells them apart.

        First a header that stands over columns to the left alone, as one that is drawn over
        several columns without covering them; then the sign of percent.
        """
        values = range(self.columns.n_labels, len(self.columns.lows))
        counts = Counter(self.path(column) for column in values)
        twice = [column for column in values if counts[self.path(column)] > 1]
        self._paths.update((column, self._find(column, reach=True)) for column in twice)
        counts = Counter(self.path(column) for column in values)
        for column in percents:
            if counts.get(path := self.path(column), 0) > 1:
                self._paths[column] = (*path, "%")

    def _label(self, row: list[Piece], column: int, *, reach: bool) -> str | None:
        low, high = self.columns.lows[column], self.columns.highs[column]
        place = bisect_left(row, low, key=lambda piece: piece.last)
        best, most = None, 0
        for piece in row[place : place + 4]:
            shared = min(piece.last, high) - max(piece.first, low) + 1
            if shared > most:
                best, most = piece, shared
        if best is None:
            near = [
                piece
                for piece in row[max(place - 1, 0) : place + 1]
                if max(low - piece.last, piece.first - high) <= 2
                and not self.columns.reaches(piece)
            ]
            best = near[0] if near else row[place - 1] if reach and place else None
        return None if best is None else best.label


@dataclass(slots=True)
class _Row:
    """A row that is read."""

    pieces: list[Piece]
    kind: str
    headers: _Headers
    path: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    period: Period | None = None
    day: Period | None = None
    scope: str | None = None


class _Heading(NamedTuple):
    label: str
    indent: float
    rank: int


class _Around(NamedTuple):
    """What stands around a table."""

    caption: str | None
    lead_in: str | None
    scales: Scales
    text: str
    period: Period | None


@dataclass(slots=True)
class _Stack:
    """Group headings that are open, outermost first."""

    headings: list[_Heading] = field(default_factory=list)
    child_indent: float | None = None
    was_heading: bool = False
    closed: tuple[str, ...] = ()
    depths: dict[str, int] = field(default_factory=dict)

    def open(self, piece: Piece) -> None:
        """Open a group; it closes those that it does not stand in."""
        label = piece.label
        cell = piece.cells[0]
        rank = 2 - cell.is_bold - (label.upper() == label)
        heading = _Heading(label, cell.indent, rank)
        key = heading[1:]
        while self.headings and (
            self.headings[-1][1:] > key or len(self.headings) >= _MAX_DEPTH
        ):
            self.headings.pop()
        depth = self.depths.get(label)
        if depth is not None and depth < len(self.headings):
            # A group of a name that was met before stands as deep as that one did.
            del self.headings[max(depth - 1, 0) if self.was_heading else depth : -1 if self.was_heading else None]
        elif self.headings and self.headings[-1][1:] == key and not self.was_heading:
            self.headings.pop()
        self.depths.setdefault(label, len(self.headings))
        self.headings.append(heading)
        self.closed = self.labels()
        self.child_indent, self.was_heading = None, True

    def labels(self) -> tuple[str, ...]:
        """Labels of the open groups."""
        return tuple(heading.label for heading in self.headings)

    def enter(self, piece: Piece) -> tuple[str, ...]:
        """The groups that a row of values stands in; a total closes its group behind it."""
        indent = piece.cells[0].indent
        if self.was_heading:
            self.child_indent = indent
        self.was_heading = False
        while self.headings:
            top = self.headings[-1]
            child = top.indent if self.child_indent is None else self.child_indent
            if indent > top.indent or (indent == top.indent and child <= top.indent):
                break
            self.headings.pop()
            self.child_indent = None
        groups = self.labels()
        if self.headings and _TOTAL.match(piece.label.lower()):
            self._close(piece.label.lower())
        return groups

    def _close(self, total: str) -> None:
        words = {word for word in total.split() if len(word) > 3}
        if len(words) <= 1:
            self.headings.pop()
            return
        for place in range(len(self.headings) - 1, -1, -1):
            if words & set(self.headings[place].label.lower().replace(":", "").split()):
                del self.headings[place:]
                return


def read_table(
    block: Block,
    before: Sequence[Block],
    after: Sequence[Block],
    context: Context,
    section_scale: int | None = None,
) -> Table:
    """Read a table.

    Args:
        block: with a grid.
        before: the blocks before it, in order; five are enough.
        after: the blocks behind it, in order.
        context: what the whole document says.
        section_scale: power of ten that its section states for all its amounts, if any.

    Returns:
        The table. One without cells has no rows and counts as layout.
    """
    grid = block.grid or Grid(0, 0, [])
    rows = read_rows(grid)
    columns, values_from, n_head = _lay_out(rows)
    around = _read_around(before, context)
    read = _read_body(rows, columns, values_from, n_head)
    if not n_head and len(columns.lows) - columns.n_labels > 1:
        _inherit(read, columns, values_from, before, grid)
    _tell_apart(read)
    _find_row_periods(read, context)
    general = context.scale if section_scale is None else section_scale
    cells = _Cells(read, columns, values_from, around, context, general)
    text, starts = _write(cells.cells)
    units = Counter(cell.unit for cell in cells.cells if cell.kind == "number" and cell.unit)
    scale, source = _table_scale(read, around, general)
    return Table(
        caption=around.caption,
        lead_in=around.lead_in,
        header_rows=n_head,
        n_rows=len(rows),
        n_cols=len(columns.lows),
        unit=units.most_common(1)[0][0] if units else None,
        scale=scale,
        scale_source=source,
        footnotes=_footnotes(after),
        is_layout=_is_layout(cells.cells, n_head, columns),
        text=text,
        row_starts=starts,
        cells=cells.cells,
    )


def read_tables(blocks: Sequence[Block], context: Context) -> dict[int, Table]:
    """Read all tables of a document, by the numbers of their blocks.

    Where neither a table nor the document states a scale, that of the table before goes on.
    """
    tables: dict[int, Table] = {}
    scale: int | None = None
    for number, block in enumerate(blocks):
        if block.grid is None:
            continue
        around = blocks[max(number - _NEAR, 0) : number], blocks[number + 1 : number + 1 + _NEAR]
        table = read_table(block, *around, context, scale if context.scale is None else None)
        tables[number] = table
        if table.scale_source in {"header", "caption"} and table.unit not in _UNSCALED:
            scale = table.scale
    return tables


# --- columns and header rows


def _cluster(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put spans that overlap together, narrow ones first; one over several joins none of them."""
    lows: list[int] = []
    highs: list[int] = []
    for low, high in sorted(set(spans), key=lambda span: (span[1] - span[0], span)):
        place = bisect_left(highs, low)
        if place == len(lows) or lows[place] > high:
            lows.insert(place, low)
            highs.insert(place, high)
        elif place + 1 == len(lows) or lows[place + 1] > high:
            lows[place] = min(lows[place], low)
            highs[place] = max(highs[place], high)
    return list(zip(lows, highs, strict=True))


def _lay_out(rows: list[list[Piece]]) -> tuple[_Columns, int, int]:
    """Find the columns, the grid's column in which values begin, and how many rows are headers."""
    numeric = [piece for row in rows for piece in row if piece.is_numeric]
    spans = _cluster((piece.first, piece.last) for piece in numeric)
    n_head = next((n for n, row in enumerate(rows) if any(p.is_numeric for p in row)), len(rows))
    spans = _without_marks(rows, spans, n_head)
    values_from = _values_from(rows[n_head:], spans)
    n_head = min(_header_rows(rows[:n_head], values_from, has_values=bool(spans)), _MAX_HEADER_ROWS)
    spans = [span for span in spans if span[1] >= values_from]
    body = [piece for row in rows[n_head:] for piece in row]
    words = [
        (piece.first, piece.last)
        for piece in body
        if not piece.is_numeric and piece.first >= values_from
    ]
    known = _Columns(spans, 0)
    spans += _cluster(
        span for span in set(words) if not _overlaps(known, span)
    )
    labels = _cluster(
        (piece.first, min(piece.last, values_from - 1))
        for piece in (body or [piece for row in rows for piece in row])
        if piece.first < values_from
    )
    return _Columns(labels + sorted(spans), len(labels)), values_from, n_head


def _without_marks(
    rows: list[list[Piece]], spans: list[tuple[int, int]], n_head: int
) -> list[tuple[int, int]]:
    """Take columns of "(1)" and "(2)" right behind numbers, under no header, for footnote marks."""
    columns = _Columns(spans, 0)
    suspects: dict[int, list[tuple[list[Piece], Piece]]] = {}
    for row in rows[n_head:]:
        for before, piece in pairwise(row):
            if piece.is_numeric and _NOTE_NUMBER.fullmatch(piece.text):
                is_behind = before.is_numeric and piece.first - before.last <= 2
                suspects.setdefault(columns.place(piece), []).extend([(row, piece)] * is_behind)
    if not suspects:
        return spans
    counts = Counter(columns.place(piece) for row in rows for piece in row if piece.is_numeric)
    headed = {
        columns.place(piece) for row in rows[:n_head] for piece in row
        if piece.first == piece.last or columns.lows[columns.place(piece)] <= piece.first
    }
    marks = {
        column
        for column, found in suspects.items()
        if len(found) == counts[column] and column not in headed
    }
    for column in marks:
        for row, piece in suspects[column]:
            add_mark(row[row.index(piece) - 1], piece)
            row.remove(piece)
    return [span for column, span in enumerate(spans) if column not in marks]


def _overlaps(columns: _Columns, span: tuple[int, int]) -> bool:
    place = bisect_left(columns.highs, span[0])
    return place < len(columns.lows) and columns.lows[place] <= span[1]


def _values_from(body: list[list[Piece]], spans: list[tuple[int, int]]) -> int:
    """The grid's column in which values begin: the first that holds numbers more than words.

    Where nothing stands before them, the first column says what the rows are, even in numbers.
    """
    if not spans:
        return max((row[0].last for row in body if len(row) > 1), default=0) + 1
    columns = _Columns(spans, 0)
    figures: Counter[int] = Counter()
    words: Counter[int] = Counter()
    leftmost = min(piece.first for row in body for piece in row)
    for row in body:
        for piece in row:
            if columns.reaches(piece):
                (figures if piece.is_numeric else words)[columns.place(piece)] += 1
    chosen = next((n for n in range(len(spans)) if figures[n] >= words[n]), 0)
    if spans[chosen][0] <= leftmost and chosen + 1 < len(spans):
        chosen += all(
            piece.value.low is not None or len(piece.text) < 3
            for row in body
            for piece in row[:1]
            if piece.is_numeric and piece.first <= spans[chosen][1]
        )
    return spans[chosen][0]


def _header_rows(rows: list[list[Piece]], values_from: int, *, has_values: bool) -> int:
    """How many of the rows before the first number are headers; labels of groups may follow."""
    if not has_values:
        first = rows[0] if rows else []
        return int(all(cell.is_bold or cell.is_header for one in first for cell in one.cells))
    last = 0
    for number, row in enumerate(rows, start=1):
        if any(piece.last >= values_from and piece.first >= values_from for piece in row) or (
            number == 1 and any(piece.last >= values_from for piece in row)
        ):
            last = number
        elif number == last + 1 and _UNITS_ONLY.match(row[0].text.lower()):
            last = number
    return last


# --- rows


def _read_body(
    rows: list[list[Piece]], columns: _Columns, values_from: int, n_head: int
) -> list[_Row]:
    headers = first = _Headers(columns)
    read: list[_Row] = []
    stack = _Stack()
    carried: dict[int, str] = {}
    for number, row in enumerate(rows):
        labels = [piece for piece in row if piece.first < values_from]
        is_plain = not any(piece.is_numeric for piece in row[len(labels) :])
        if number < n_head:
            headers.add(row, values_from)
            read.append(_Row(row, "header", headers))
        elif is_plain and _is_header(row, labels):
            if read and read[-1].kind != "header":
                headers = _Headers(columns, first)
            headers.add(row, values_from)
            read.append(_Row(row, "header", headers))
        elif is_plain and (len(labels) == len(row) or len(row) == 1) and len(labels) <= 1:
            stack.open(row[0])
            carried = {}
            read.append(_Row(row, "heading", headers, stack.labels()))
        else:
            read.append(_data_row(row, labels, headers, stack, carried))
    return read


def _inherit(
    read: list[_Row], columns: _Columns, values_from: int, before: Sequence[Block], grid: Grid
) -> None:
    """Take the headers of the table before, where a table without any goes on in its columns."""
    for block in reversed(before):
        if block.grid is not None and block.grid.n_columns == grid.n_columns:
            rows = read_rows(block.grid)
            for row in rows[: _lay_out(rows)[2]]:
                read[0].headers.add(row, values_from)
            return


def _is_header(row: list[Piece], labels: list[Piece]) -> bool:
    """Whether a row without numbers among the values is a header that is repeated or changed."""
    others = row[len(labels) :]
    if not others or (len(others) == 1 and not labels):
        return False
    dated = sum(one.value.kind == "year" or names_period(one.text) for one in others)
    if not labels:
        return True
    is_stub = _UNITS_ONLY.match(labels[0].text.lower()) is not None or labels[0].cells[0].is_bold
    return dated == len(others) and len(others) > 1 and is_stub


def _data_row(
    row: list[Piece],
    labels: list[Piece],
    headers: _Headers,
    stack: _Stack,
    carried: dict[int, str],
) -> _Row:
    """Read a row of values; labels in several columns stand in each other, and cover rows."""
    if not labels:
        return _Row(row, "data", headers, stack.labels(), stack.closed)
    groups = stack.enter(labels[0])
    for place in [place for place in carried if place >= labels[0].first]:
        del carried[place]
    outer = tuple(carried.values()) if labels[0].first else ()
    own = tuple(piece.label for piece in labels[:_MAX_DEPTH])
    if len(labels) > 1:
        carried.update((piece.first, piece.label) for piece in labels[: _MAX_DEPTH - 1])
    elif not labels[0].first:
        carried[labels[0].first] = labels[0].label
    return _Row(row, "data", headers, (*groups, *outer, *own), (*stack.closed, *outer, *own))


def _tell_apart(rows: list[_Row]) -> None:
    """Give rows that would share their path more of what stands above them.

    First the balance that opens the period they are in, then the group that was closed before
    them, then the row above that is no such row.
    """
    balances = [row for row in rows if row.kind == "data" and row.path and is_balance_row(row.path[-1])]
    if len(balances) > 2:
        scope: str | None = None
        for row in rows:
            if row.kind == "header":
                scope = None
            elif row.kind == "data" and row.path:
                if is_balance_row(row.path[-1]):
                    scope = row.path[-1]
                elif scope is not None:
                    row.path, row.closed = (scope, *row.path), (scope, *row.closed)
                    row.scope = scope
    for row in _repeated(rows):
        row.path = row.closed or row.path
    for row in _repeated(rows):
        row.path += tuple(piece.label for piece in _key_pieces(row))
    twice = {id(row) for row in _repeated(rows)}
    last = ""
    for row in rows:
        if id(row) in twice and row.path and last:
            row.path = (*row.path[:-1], last, row.path[-1])
        elif row.kind in {"data", "heading"} and row.path:
            last = row.path[-1]


def _key_pieces(row: _Row) -> list[Piece]:
    """Rates before the first amount of a row, and its words, which tell it from other rows."""
    others = [piece for piece in row.pieces if piece.label not in row.path]
    rates = takewhile(lambda piece: piece.value.unit == "percent" or not piece.is_numeric, others)
    words = [piece for piece in others if not piece.is_numeric]
    return [*(piece for piece in rates if piece.is_numeric), *words][:3]


def _repeated(rows: list[_Row]) -> list[_Row]:
    """Rows of values that share path and headers with another one."""
    data = [row for row in rows if row.kind == "data" and len(row.pieces) > bool(row.path)]
    counts = Counter((row.path, id(row.headers)) for row in data)
    return [row for row in data if counts[row.path, id(row.headers)] > 1]


def _find_row_periods(rows: list[_Row], context: Context) -> None:
    """Find the periods that rows name: their own labels, their groups, or balances around them."""
    opened: Period | None = None
    waiting: list[_Row] = []
    for row in rows:
        if row.kind == "header":
            opened, waiting = None, []
        if row.kind != "data":
            continue
        is_balance = bool(row.path) and is_balance_row(row.path[-1])
        is_balance = is_balance and not any(is_period_row(label) for label in row.path[-2:-1])
        if is_balance:
            row.period = row.day = read_balance_day(row.path[-1], context)
        if row.period is None:
            dated = next((label for label in reversed(row.path) if is_period_row(label)), None)
            row.period = read_period(dated, "", context) if dated else None
        if is_balance:
            if row.day is not None and opened is not None and opened.end < row.day.end:
                for one in waiting:
                    one.period = Period(opened.end + timedelta(days=1), row.day.end)
            opened, waiting = row.day, []
        elif row.scope is not None or row.period is None:
            waiting.append(row)


# --- what stands around


def _read_around(before: Sequence[Block], context: Context) -> _Around:
    """Read caption, introduction and scale from the blocks before a table, the nearest first."""
    caption = lead_in = None
    scales = _NO_SCALES
    seen: list[str] = []
    for block in reversed(before):
        if block.grid is not None:
            if seen and block.grid.n_rows > 2:
                break
            continue
        text = block.text
        if block.kind == "furniture" or _PAGE.fullmatch(text.lower()):
            continue
        seen.append(text)
        found = read_scales(text) if is_statement(text) else None
        if found is not None:
            scales = Scales(
                found.amounts if scales.amounts is None else scales.amounts,
                found.shares if scales.shares is None else scales.shares,
            )
        if _UNITS_ONLY.fullmatch(text.lower()):
            continue
        is_title = len(text) <= _SHORT and (block.is_bold or block.is_centred or block.is_italic)
        if is_title or block.kind == "heading":
            caption = caption or text
        elif lead_in is None and caption is None and _LEAD_IN.search(text.lower()):
            lead_in = text
        elif len(text) > _SHORT or lead_in is not None:
            break
    said = " ".join(filter(None, (caption, lead_in)))
    period = next(
        (one for text in seen if len(text) < 400 and (one := read_period(text, "", context))), None
    )
    return _Around(caption, lead_in, scales, said, period)


def _footnotes(after: Sequence[Block]) -> tuple[str, ...]:
    notes: list[str] = []
    for block in after:
        if block.grid is not None or not (block.kind == "footnote" or _NOTE.match(block.text)):
            break
        notes.append(block.text)
    return tuple(notes)


def _table_scale(
    rows: list[_Row], around: _Around, general: int | None
) -> tuple[int, str | None]:
    for row in rows:
        if row.kind == "header":
            for piece in row.pieces:
                if (found := read_scales(piece.text)) and found.amounts is not None:
                    return found.amounts, "header"
    if around.scales.amounts is not None:
        return around.scales.amounts, "caption"
    return (0, None) if general is None else (general, "document")


def _is_layout(cells: list[Cell], n_head: int, columns: _Columns) -> bool:
    """Whether a table holds no data: no number, or only the numbers of pages."""
    values = [cell for cell in cells if cell.kind == "number" and not cell.is_header]
    values = [cell for cell in values if not cell.is_label]
    if not values:
        return True
    heads = " ".join(cell.text for cell in cells if cell.is_header).lower()
    if "exhibit" in heads and _CONTENTS.search(heads):
        return True
    if len({cell.col_pos for cell in values}) > 1 or (n_head and not _CONTENTS.search(heads)):
        return False
    pages = [cell.value or 0.0 for cell in values if cell.text.isdigit() and len(cell.text) < 4]
    return len(pages) == len(values) and pages == sorted(pages)


# --- cells


class _Cells:
    """The cells of a table, made row by row."""

    def __init__(
        self,
        rows: list[_Row],
        columns: _Columns,
        values_from: int,
        around: _Around,
        context: Context,
        general: int | None,
    ) -> None:
        self.columns, self.around = columns, around
        self.context, self.general = context, general
        self.column_units: dict[int, set[str]] = {}
        self.row_units: list[set[str]] = []
        self.table_unit: str | None = None
        self._count_units(rows, values_from)
        self.near = self._nearest_units(rows, values_from)
        percents = {column for column, units in self.column_units.items() if units == {"percent"}}
        budget = _MAX_PATHS
        for headers in {id(row.headers): row.headers for row in rows}.values():
            budget -= len(columns.lows)
            if budget > 0:
                headers.tell_apart(percents)
        self._column_says: dict[tuple[int, int], tuple[Unit | None, Scales]] = {}
        self.cells: list[Cell] = []
        for number, row in enumerate(rows):
            self._add_row(number, row, values_from)

    def _count_units(self, rows: list[_Row], values_from: int) -> None:
        every: Counter[str] = Counter()
        signs: list[list[tuple[int, str]]] = []
        for row in rows:
            pieces = row.pieces if row.kind == "data" else ()
            signs.append(
                [
                    (self.columns.place(piece), piece.value.unit)
                    for piece in pieces
                    if piece.value.unit and piece.first >= values_from
                ]
            )
            for column, unit in signs[-1]:
                self.column_units.setdefault(column, set()).add(unit)
                every[unit] += len(unit) == 3
        # A column of percent says nothing of the columns beside it.
        rates = {column for column, units in self.column_units.items() if units == {"percent"}}
        self.row_units = [{unit for column, unit in row if column not in rates} for row in signs]
        money = [unit for unit, _ in every.most_common(1) if len(unit) == 3]
        said = self.around.scales.amounts is not None or any(
            (found := read_scales(piece.text)) and found.amounts is not None
            for row in rows
            if row.kind == "header"
            for piece in row.pieces
        )
        named = read_unit(self.around.lead_in or "") or read_unit(self.around.caption or "")
        counts_shares = named is not None and named.unit == "shares"
        self.table_unit = money[0] if money else "shares" if counts_shares else "USD" if said else None

    def _nearest_units(
        self, rows: list[_Row], values_from: int
    ) -> dict[tuple[int, int], tuple[str | None, str | None]]:
        """In columns of more than one unit, those next above and below each place."""
        mixed = {column for column, units in self.column_units.items() if len(units) > 1}
        near: dict[tuple[int, int], tuple[str | None, str | None]] = {}
        if not mixed:
            return near
        places = [
            (number, column, piece.value.unit)
            for number, row in enumerate(rows)
            if row.kind == "data"
            for piece in row.pieces
            if piece.first >= values_from and (column := self.columns.place(piece)) in mixed
        ]
        last: dict[int, str] = {}
        above: dict[tuple[int, int], str | None] = {}
        for number, column, unit in places:
            above[number, column] = last.get(column)
            if unit:
                last[column] = unit
        last = {}
        for number, column, unit in reversed(places):
            near[number, column] = above[number, column], last.get(column)
            if unit:
                last[column] = unit
        return near

    def _add_row(self, number: int, row: _Row, values_from: int) -> None:
        says = (read_unit(row.path[-1]) if row.path else None, _group_unit(row.path[:-1]))
        scales = None
        if row.kind == "data":
            scales = read_scales(" ".join(row.path))
        n_labels = sum(piece.first < values_from for piece in row.pieces)
        for place, piece in enumerate(row.pieces):
            value = piece.value
            cell = Cell(
                row_pos=number,
                col_pos=self.columns.place(piece),
                places=tuple((one.row, one.column) for one in piece.cells),
                row_path=row.path,
                column_path=(),
                text=piece.text,
                kind=value.kind,
                footnote_marks=value.marks,
                is_negative=value.is_negative,
            )
            self.cells.append(cell)
            if row.kind == "header":
                cell.is_header, cell.row_path = True, ()
            elif place < n_labels or row.kind == "heading":
                cell.is_label = True
                if n_labels > 1:
                    cell.row_path = row.path[: len(row.path) - n_labels + place + 1]
                if value.kind == "number":
                    cell.value, cell.low, cell.high = value.number, value.low, value.high
                    cell.unit = value.unit
            else:
                self._add_value(number, row, cell, piece, says, scales)

    def _add_value(
        self,
        number: int,
        row: _Row,
        cell: Cell,
        piece: Piece,
        says: tuple[Unit | None, Unit | None],
        row_scales: Scales | None,
    ) -> None:
        column, value = cell.col_pos, piece.value
        cell.column_path = row.headers.path(column)
        period = self._period(row, column)
        if period is not None:
            cell.period_start, cell.period_end = period
        if value.kind not in {"number", "dash"}:
            return
        key = (id(row.headers), column)
        said = self._column_says.get(key)
        if said is None:
            text = " ".join(cell.column_path)
            text = f"{text} ({row.headers.units.get(column, '')})"
            found = read_scales(text) or _NO_SCALES
            path = cell.column_path
            unit = read_unit(path[-1]) if path else None
            if unit is None or unit.unit == "USD":
                unit = _group_unit(path[:-1]) or unit
            said = self._column_says[key] = unit, found
        cell.unit = self._unit(number, column, value, (said[0], *says))
        if value.scale is not None:
            cell.scale, cell.scale_source = value.scale, "cell"
        elif cell.unit not in _UNSCALED and not (cell.unit or "").endswith("/shares"):
            cell.scale, cell.scale_source = self._scale(row, cell.unit, said[1], row_scales)
        cell.value = value.scaled(value.number, cell.scale)
        cell.low = value.scaled(value.low, cell.scale)
        cell.high = value.scaled(value.high, cell.scale)

    def _unit(self, number: int, column: int, value: Value, said: Sequence[Unit | None]) -> str | None:
        """The unit of a number: its own sign, what headers and label say, else its neighbours'.

        Args:
            number: of the row.
            column: of the column.
            value: what the cell shows.
            said: what the column's headers, the row's label and its groups say.
        """
        units = self.column_units.get(column, set())
        money = next((unit for unit in units if len(unit) == 3), None)
        named = [one for one in said if one is not None and self._fits(one, value, money)]
        by_header = [one.unit for one in named if one is said[0] and one.unit in _FIXED]
        unit = next(iter(by_header), None) or next((one.unit for one in named if one is not said[0]), None)
        unit = unit or next((one.unit for one in named), None)
        if value.unit is not None:
            is_price = unit == "USD/shares" and len(value.unit) == 3
            return f"{value.unit}/shares" if is_price else value.unit
        money = money or self.table_unit
        if unit == "USD/shares":
            return f"{money or 'USD'}/shares"
        if unit is not None:
            return (money or unit) if unit == "USD" else unit
        if len(units) == 1:
            return next(iter(units))
        beside = self.row_units[number]
        if not units and len(beside) == 1 and not beside & _NOT_BESIDE:
            return next(iter(beside))
        above, below = self.near.get((number, column), (None, None))
        if above == below and above is not None:
            return above
        return money

    def _fits(self, said: Unit, value: Value, money: str | None) -> bool:
        """Whether a number looks like what words say; amounts beside prices have no cents."""
        if said.unit == "USD/shares":
            return value.decimals > 1 or (said.is_sure and abs(value.number or 0) < 1000)
        return money is None or (said.is_sure and said.unit != "percent")

    def _scale(
        self, row: _Row, unit: str | None, column: Scales, row_says: Scales | None
    ) -> tuple[int, str | None]:
        stub = read_scales(" ".join(row.headers.stub)) if row.headers.stub else None
        place = 1 if unit == "shares" else 0
        for scales, source in (
            (column, "header"),
            (row_says, "header"),
            (stub, "header"),
            (self.around.scales, "caption"),
        ):
            if scales is not None and (scale := scales[place]) is not None:
                return scale, source
        if self.general is not None and unit is not None and unit != "shares":
            return self.general, "document"
        return 0, None

    def _period(self, row: _Row, column: int) -> Period | None:
        """The period of a cell: of its row's day, its headers, its groups, or the whole table."""
        headers, label = row.headers, row.path[-1] if row.path else ""
        path = headers.path(column)
        if row.day is not None:
            return at_edge(path[-1], row.day, self.context) if path else row.day
        key = (column, label)
        if key not in headers.periods:
            found = self._header_period(headers, column, path)
            headers.periods[key] = found and self._at_edge(label, path, found)
        period = headers.periods[key]
        if period is not None or names_period(" ".join(path)):
            return period
        period = row.period or self._stub_period(headers)
        if period is None and not headers.names_periods:
            period = self.around.period
        return period and self._at_edge(label, path, period)

    def _at_edge(self, label: str, path: tuple[str, ...], period: Period) -> Period:
        edge = at_edge(label, period, self.context)
        return edge if edge is not period or not path else at_edge(path[-1], period, self.context)

    def _header_period(
        self, headers: _Headers, column: int, path: tuple[str, ...]
    ) -> Period | None:
        key = (column, "\n")
        if key not in headers.periods:
            text, stub = " ".join(path), " ".join(headers.stub)
            found = None
            if names_period(text):
                text = text if names_period(stub) else f"{stub} {text}"
                found = read_period(text, self.around.text, self.context)
                headers.names_periods = True
            headers.periods[key] = found
        return headers.periods[key]

    def _stub_period(self, headers: _Headers) -> Period | None:
        key = (-1, "")
        if key not in headers.periods:
            headers.periods[key] = read_period(" ".join(headers.stub), "", self.context)
        return headers.periods[key]


def _group_unit(groups: tuple[str, ...]) -> Unit | None:
    """The unit that the innermost group with one names, of shares or per share."""
    for label in reversed(groups):
        unit = read_unit(label)
        if unit is not None and unit.unit in {"shares", "USD/shares", "percent", "USD"}:
            return unit._replace(is_sure=unit.unit == "shares" and unit.is_sure)
    return None


def _write(cells: list[Cell]) -> tuple[str, tuple[int, ...]]:
    """The text of a table, and where its rows start; cells are told their places in it."""
    parts: list[str] = []
    starts: list[int] = []
    length, row = 0, -1
    for cell in cells:
        if cell.row_pos != row:
            row = cell.row_pos
            if parts:
                parts.append("\n")
                length += 1
            starts.append(length)
        else:
            parts.append("\t")
            length += 1
        cell.start, cell.end = length, length + len(cell.text)
        parts.append(cell.text)
        length = cell.end
    return "".join(parts), tuple(starts)

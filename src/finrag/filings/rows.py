"""Rows and columns of a table: which hold headers, labels or values, and what names them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from finrag.filings.cells import Piece, add_mark, read_rows
from finrag.filings.model import Grid
from finrag.filings.periods import Period, is_balance_row, is_period_row, names_period
from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
_TOTAL: Final = _VOCABULARY.pattern("total")
_UNITS_ONLY: Final = _VOCABULARY.pattern("units_only")
_NOTE_NUMBER: Final = _VOCABULARY.pattern("note_number")
_MAX_HEADER_ROWS: Final = 12
_MAX_DEPTH: Final = 8
# How far beside a column its header may stand.
_REACH: Final = 2


def states_units_only(text: str) -> bool:
    """Whether a text states units and nothing else, as "(in millions)" does."""
    return _UNITS_ONLY.fullmatch(text.lower()) is not None


class Columns:
    """Columns of a table that hold labels or values, as spans of columns of its grid."""

    def __init__(
        self, spans: Sequence[tuple[int, int]], n_labels: int = 0, values_from: int = 0
    ) -> None:
        self.lows = [low for low, _ in spans]
        self.highs = [high for _, high in spans]
        self.n_labels = n_labels
        self.values_from = values_from

    def place(self, piece: Piece) -> int:
        """The number of the first column that a piece reaches into, else of the next one."""
        return min(bisect_left(self.highs, piece.first), len(self.highs) - 1)

    def reaches(self, piece: Piece) -> bool:
        """Whether a piece reaches into a column."""
        place = bisect_left(self.highs, piece.first)
        return place < len(self.lows) and self.lows[place] <= piece.last

    def labels(self, row: Sequence[Piece]) -> list[Piece]:
        """The labels of a row: what begins before the values do."""
        return [piece for piece in row if piece.first < self.values_from]


class Headers:
    """Header rows that stand together, and what they say of each column."""

    def __init__(self, columns: Columns, first: Headers | None = None) -> None:
        self.columns = columns
        self.first = first
        self.rows: list[list[Piece]] = []
        self.stub = ""
        self.names_periods = False
        self.units: dict[int, str] = {}
        self._paths: dict[int, tuple[str, ...]] = {}
        self._dated: dict[int, bool] = {}

    def add(self, row: Sequence[Piece]) -> None:
        """Add a header row; what stands over the labels says something of all columns."""
        if len(self.rows) >= _MAX_HEADER_ROWS:
            return
        values_from = self.columns.values_from
        self.rows.append([piece for piece in row if piece.last >= values_from])
        stub = [self.stub, *(piece.label for piece in row if piece.last < values_from)]
        self.stub = " ".join(filter(None, stub))
        self.names_periods |= any(names_period(piece.text) for piece in self.rows[-1])

    def path(self, column: int) -> tuple[str, ...]:
        """Headers above a column, outermost first; those that only state units left out."""
        if column not in self._paths:
            self._paths[column] = self._find(column)
        return self._paths[column]

    def _find(self, column: int, *, reach: bool = False) -> tuple[str, ...]:
        labels: list[str] = []
        for row in self.rows:
            label = self._label(row, column, reach=reach)
            if label and states_units_only(label):
                self.units.setdefault(column, label)
            elif label and label not in labels[-1:]:
                labels.append(label)
        if not labels and self.first is not None:
            return self.first.path(column)
        return tuple(labels)

    def names_period(self, column: int) -> bool:
        """Whether the headers above a column name a day or a year."""
        if column not in self._dated:
            self._dated[column] = names_period(" ".join(self.path(column)))
        return self._dated[column]

    def tell_apart(self, rates: Set[int]) -> None:
        """Give columns that share their headers what else tells them apart.

        First the header to the left, which is drawn over several columns without covering them;
        then, of columns that hold rates, the sign of percent.
        """
        values = range(self.columns.n_labels, len(self.columns.lows))
        counts = Counter(map(self.path, values))
        twice = [column for column in values if counts[self.path(column)] > 1]
        self._paths.update((column, self._find(column, reach=True)) for column in twice)
        counts = Counter(map(self.path, values))
        twice = [column for column in rates if counts[self.path(column)] > 1]
        self._paths.update((column, (*self.path(column), "%")) for column in twice)

    def _label(self, row: list[Piece], column: int, *, reach: bool) -> str | None:
        low, high = self.columns.lows[column], self.columns.highs[column]
        place = bisect_left(row, low, key=lambda piece: piece.last)
        over = [piece for piece in row[place : place + 4] if piece.first <= high]
        if over:
            shares = [min(piece.last, high) - max(piece.first, low) for piece in over]
            return over[shares.index(max(shares))].label
        for piece in row[max(place - 1, 0) : place + 1]:
            gap = max(low - piece.last, piece.first - high)
            if gap <= _REACH and not self.columns.reaches(piece):
                return piece.label
        return row[place - 1].label if reach and place else None


@dataclass(slots=True)
class Row:
    """A row that is read.

    Attributes:
        pieces: what it shows.
        kind: header, heading (of a group of rows) or data.
        headers: those that stand over it, or that it is one of.
        path: labels that say what it is, outermost first.
        closed: the same with the groups that were closed before it.
        period: what its labels or the balances around it say, null where they say nothing.
        day: of a balance.
        is_scoped: whether it stands between two balances.
    """

    pieces: list[Piece]
    kind: str
    headers: Headers
    path: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    period: Period | None = None
    day: Period | None = None
    is_scoped: bool = False

    @property
    def label(self) -> str:
        """Its own label, empty where it has none."""
        return self.path[-1] if self.path else ""

    @property
    def is_balance(self) -> bool:
        """Whether it opens or closes a period."""
        return self.kind == "data" and is_balance_row(self.label)


class _Heading(NamedTuple):
    label: str
    indent: float
    rank: int


@dataclass(slots=True)
class _Stack:
    """Group headings that are open, outermost first."""

    headings: list[_Heading] = field(default_factory=list)
    child_indent: float | None = None
    was_heading: bool = False
    closed: tuple[str, ...] = ()

    def open(self, piece: Piece) -> None:
        """Open a group; it closes those that it does not stand in."""
        label = piece.label
        cell = piece.cells[0]
        rank = 2 - cell.is_bold - (label.upper() == label)
        heading = _Heading(label, cell.indent, rank)
        while self.headings and (
            self.headings[-1][1:] > heading[1:] or len(self.headings) >= _MAX_DEPTH
        ):
            self.headings.pop()
        if is_period_row(label):
            # No period stands in another, however the two are drawn.
            outer = takewhile(lambda one: not is_period_row(one.label), self.headings)
            self.headings = list(outer)
        if self.headings and self.headings[-1][1:] == heading[1:] and not self.was_heading:
            self.headings.pop()
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
        place = len(self.headings) - 1
        while place >= 0 and len(words) > 1:
            if words & set(self.headings[place].label.lower().replace(":", "").split()):
                break
            place -= 1
        if place >= 0:
            del self.headings[place:]
            self.child_indent = None


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


def lay_out(rows: list[list[Piece]]) -> tuple[Columns, int]:
    """Find the columns of a table, and how many of its rows are headers.

    Marks of footnotes in columns of their own are put to the numbers before them.
    """
    spans = _cluster(piece.span for row in rows for piece in row if piece.is_numeric)
    n_head = next((n for n, row in enumerate(rows) if any(p.is_numeric for p in row)), len(rows))
    spans = _without_marks(rows, spans, n_head)
    values_from = _values_from(rows[n_head:], spans)
    n_head = min(_header_rows(rows[:n_head], values_from, has_values=bool(spans)), _MAX_HEADER_ROWS)
    spans = [span for span in spans if span[1] >= values_from]
    known = Columns(spans)
    body = [piece for row in rows[n_head:] for piece in row] or [one for row in rows for one in row]
    labels = _cluster(
        (piece.first, min(piece.last, values_from - 1))
        for piece in body
        if piece.first < values_from
    )
    words = (piece for piece in body if piece.first >= values_from and not piece.is_numeric)
    spans += _cluster(piece.span for piece in words if not known.reaches(piece))
    return Columns(labels + sorted(spans), len(labels), values_from), n_head


def _without_marks(
    rows: list[list[Piece]], spans: list[tuple[int, int]], n_head: int
) -> list[tuple[int, int]]:
    """Take columns of "(1)" and "(2)" right behind numbers, under no header, for footnote marks."""
    columns = Columns(spans)
    counts: Counter[int] = Counter()
    notes: Counter[int] = Counter()
    for row in rows[n_head:]:
        for before, piece in pairwise([None, *row]):
            if piece is not None and piece.is_numeric:
                place = columns.place(piece)
                counts[place] += 1
                if before is not None and before.is_numeric and piece.first - before.last <= _REACH:
                    notes[place] += _NOTE_NUMBER.fullmatch(piece.text) is not None
    marks = {place for place in notes if notes[place] == counts[place]}
    for row in rows[:n_head] if marks else ():
        marks -= {columns.place(piece) for piece in row if columns.reaches(piece)}
    for row in rows[n_head:] if marks else ():
        kept: list[Piece] = []
        for piece in row:
            if kept and piece.is_numeric and columns.place(piece) in marks:
                add_mark(kept[-1], piece)
            else:
                kept.append(piece)
        row[:] = kept
    return [span for place, span in enumerate(spans) if place not in marks]


def _values_from(body: list[list[Piece]], spans: list[tuple[int, int]]) -> int:
    """The grid's column in which values begin: the first that holds numbers more than words.

    Where nothing stands before them, the first column says what the rows are, even in numbers.
    """
    if not spans:
        return max((row[0].last for row in body if len(row) > 1), default=0) + 1
    columns = Columns(spans)
    figures: Counter[int] = Counter()
    words: Counter[int] = Counter()
    leftmost = min(piece.first for row in body for piece in row)
    for row in body:
        for piece in row:
            if columns.reaches(piece):
                (figures if piece.is_numeric else words)[columns.place(piece)] += 1
    chosen = next((n for n in range(len(spans)) if figures[n] >= words[n]), 0)
    if spans[chosen][0] <= leftmost and chosen + 1 < len(spans):
        firsts = [row[0] for row in body if row[0].is_numeric and row[0].first <= spans[chosen][1]]
        named = [one for one in firsts if one.value.low is not None or len(one.text) < 3]
        chosen += 2 * len(named) >= len(firsts)
    return spans[chosen][0]


def _header_rows(rows: list[list[Piece]], values_from: int, *, has_values: bool) -> int:
    """How many of the rows before the first number are headers; labels of groups may follow."""
    if not has_values:
        first = rows[0] if rows else []
        return int(all(cell.is_bold or cell.is_header for one in first for cell in one.cells))
    last = 0
    for number, row in enumerate(rows, start=1):
        is_over = any(piece.first >= values_from for piece in row)
        is_title = number == 1 and row[-1].last >= values_from
        is_units = number == last + 1 and _UNITS_ONLY.match(row[0].text.lower()) is not None
        if is_over or is_title or is_units:
            last = number
    return last


def read_body(
    rows: list[list[Piece]], columns: Columns, n_head: int, before: Sequence[Grid]
) -> list[Row]:
    """Read the rows of a table under their headers and in their groups.

    Args:
        rows: of the table.
        columns: of the table.
        n_head: how many of its first rows are headers.
        before: grids of tables before it, the nearest first, with as many columns: a table
            without headers may go on where one of them ended.
    """
    headers = first = Headers(columns)
    if not n_head and len(columns.lows) - columns.n_labels > 1 and before:
        others = read_rows(before[0])
        for row in others[: lay_out(others)[1]]:
            headers.add(row)
    read: list[Row] = []
    stack = _Stack()
    carried: dict[int, str] = {}
    for number, row in enumerate(rows):
        labels = columns.labels(row)
        is_plain = not any(piece.is_numeric for piece in row[len(labels) :])
        if number < n_head or (is_plain and _is_header(row, labels)):
            if number >= n_head and read and read[-1].kind != "header":
                headers = Headers(columns, first)
            headers.add(row)
            read.append(Row(row, "header", headers))
        elif is_plain and len(labels) <= 1 == len(row):
            stack.open(row[0])
            carried = {}
            read.append(Row(row, "heading", headers, stack.labels()))
        else:
            read.append(_data_row(row, labels, headers, stack, carried))
    _tell_apart(read)
    return read


def _is_header(row: list[Piece], labels: list[Piece]) -> bool:
    """Whether a row without numbers among the values is a header that is repeated or changed."""
    others = row[len(labels) :]
    if len(others) < 2 or not labels:
        return len(others) > 1
    is_stub = _UNITS_ONLY.match(labels[0].text.lower()) is not None or labels[0].cells[0].is_bold
    return is_stub and all(names_period(piece.text) for piece in others)


def _data_row(
    row: list[Piece],
    labels: list[Piece],
    headers: Headers,
    stack: _Stack,
    carried: dict[int, str],
) -> Row:
    """Read a row of values; labels in several columns stand in each other, and cover rows."""
    if not labels:
        return Row(row, "data", headers, stack.labels(), stack.closed)
    groups = stack.enter(labels[0])
    for place in [place for place in carried if place >= labels[0].first]:
        del carried[place]
    outer = tuple(carried.values()) if labels[0].first else ()
    own = tuple(piece.label for piece in labels[:_MAX_DEPTH])
    if len(labels) > 1:
        carried.update((piece.first, piece.label) for piece in labels[: _MAX_DEPTH - 1])
    elif not labels[0].first:
        carried[labels[0].first] = labels[0].label
    return Row(row, "data", headers, (*groups, *outer, *own), (*stack.closed, *outer, *own))


def _tell_apart(rows: list[Row]) -> None:
    """Give rows that would share their path more of what stands above them.

    First the balance that opens the period they are in, then the group that was closed before
    them, then the total below that they add up to, then the row above that is no such row.
    """
    scopes = _find_scopes(rows)
    counts = Counter(row.path for row in rows)
    for row in rows:
        if id(row) in scopes and counts[row.path] > 1:
            scope = scopes[id(row)]
            row.path, row.closed = (scope, *row.path), (scope, *row.closed)
    for row in _repeated(rows):
        row.path = row.closed or row.path
    _name_after_totals(rows)
    for row in _repeated(rows):
        row.path += tuple(piece.label for piece in _keys(row))
    twice = {id(row) for row in _repeated(rows)}
    last = ""
    for row in rows:
        if id(row) in twice and row.path and last:
            row.path = (*row.path[:-1], last, row.label)
        elif row.kind != "header":
            last = row.label or last


def _find_scopes(rows: list[Row]) -> dict[int, str]:
    """By row, the balance that opens the period which it is in; such rows are marked."""
    scopes: dict[int, str] = {}
    scope = ""
    for row in rows if sum(row.is_balance for row in rows) > 2 else ():
        if row.kind == "header":
            scope = ""
        elif row.is_balance:
            scope = row.label
        elif row.kind == "data" and scope:
            scopes[id(row)] = scope
            row.is_scoped = True
    return scopes


def _name_after_totals(rows: list[Row]) -> None:
    """Name repeated rows after the total right below that their last numbers add up to."""
    twice = {id(row) for row in _repeated(rows)}
    run: list[Row] = []
    for row in rows if twice else ():
        if id(row) in twice and row.path and not _is_total(row):
            run.append(row)
            continue
        if len(run) > 1 and _is_total(row) and _adds_up(run, row):
            for one in run:
                one.path = (*one.path[:-1], row.pieces[0].label, one.label)
        run = []


def _is_total(row: Row) -> bool:
    return row.kind == "data" and _TOTAL.match(row.pieces[0].label.lower()) is not None


def _adds_up(rows: list[Row], total: Row) -> bool:
    """Whether the last numbers of rows add up to that of a total, but for their rounding."""
    values = [row.pieces[-1].value for row in (*rows, total)]
    printed = [0.0 if value.number is None else value.number for value in values]
    step = 10.0 ** -min(value.decimals for value in values)
    return abs(sum(printed[:-1]) - printed[-1]) < 0.6 * step * len(rows)


def _keys(row: Row) -> list[Piece]:
    """Rates before the first amount of a row, and its words, which tell it from other rows."""
    others = [piece for piece in row.pieces if piece.label not in row.path]
    rates = takewhile(lambda piece: piece.value.unit == "percent" or not piece.is_numeric, others)
    words = (piece for piece in others if not piece.is_numeric)
    return [*(piece for piece in rates if piece.is_numeric), *words][:3]


def _repeated(rows: list[Row]) -> list[Row]:
    """Rows of values that share path and headers with another one."""
    data = [row for row in rows if row.kind == "data" and len(row.pieces) > bool(row.path)]
    counts = Counter((row.path, id(row.headers)) for row in data)
    return [row for row in data if counts[row.path, id(row.headers)] > 1]

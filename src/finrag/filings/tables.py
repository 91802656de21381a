"""Reading a table as drawn: what its cells say, in which rows and under which headers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, NamedTuple

from finrag.filings.cells import Value, read_rows
from finrag.filings.headers import Unit, is_statement, read_measure, read_unit, shows_money
from finrag.filings.model import Block, Cell, Context, Grid, Table
from finrag.filings.periods import (
    Period,
    at_edge,
    is_period_row,
    names_period,
    read_balance_day,
    read_period,
)
from finrag.filings.rows import Columns, Headers, Row, lay_out, read_body, states_units_only
from finrag.records.vocabulary import read_vocabulary
from finrag.text.scales import Scales, names_money, read_scales

_VOCABULARY: Final = read_vocabulary(__file__)
_LEAD_IN: Final = _VOCABULARY.pattern("lead_in")
_NOTE: Final = _VOCABULARY.pattern("note")
_PAGE: Final = _VOCABULARY.pattern("page")
_CONTENTS: Final = _VOCABULARY.pattern("contents")
_NEAR: Final = 5
_SHORT: Final = 160
_LONG: Final = 400
# Header paths that are compared with each other; a table of more is left as it is.
_MAX_PATHS: Final = 100_000
# Prices of a share beyond this are taken for amounts of money, unless they show cents.
_MAX_PRICE: Final = 1000
_UNSCALED: Final = frozenset(("percent", "basis_points", "years", "months", "days", "pure"))
# Units that headers say more surely than the labels of rows do.
_BY_HEADER: Final = frozenset(("percent", "shares", "USD/shares", "years", "pure"))
_BY_GROUP: Final = frozenset(("percent", "shares", "USD/shares", "USD"))
_NO_SCALES: Final = Scales(None, None)


class _Says(NamedTuple):
    """What headers or labels state of the numbers under or beside them."""

    unit: Unit | None
    scales: Scales
    measure: str | None


class _Around(NamedTuple):
    """What stands before a table; `text` is caption and introduction, the rest is what all say."""

    caption: str | None
    lead_in: str | None
    text: str
    scales: Scales
    is_money: bool
    period: Period | None


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
        section_scale: power of ten of amounts that goes on from before, where the table states
            none; null for the document's.

    Returns:
        The table. One without cells has no rows and counts as layout.
    """
    grid = block.grid or Grid(0, 0, [])
    rows = read_rows(grid)
    columns, n_head = lay_out(rows)
    others = [one.grid for one in reversed(before) if one.grid is not None]
    alike = [one for one in others if one.n_columns == grid.n_columns]
    read = read_body(rows, columns, n_head, alike)
    _find_row_periods(read, context)
    around = _read_around(before, context, grid)
    general = context.scale if section_scale is None else section_scale
    reader = _Reader(read, columns, around, context, general)
    cells = reader.cells
    cells = _one_a_place(cells)
    text, starts = _write(cells)
    units = Counter(cell.unit for cell in cells if cell.kind == "number" and cell.unit)
    scale, source = reader.table_scale()
    is_named = around.is_money or shows_money(grid)
    return Table(
        caption=around.caption,
        lead_in=around.lead_in,
        header_rows=n_head,
        n_rows=len(rows),
        n_cols=len(columns.lows),
        unit=units.most_common(1)[0][0] if units else None,
        scale=scale,
        scale_source=source,
        money_scale=_money_scale(cells) if is_named else None,
        footnotes=_footnotes(after),
        is_layout=_is_layout(cells, n_head),
        text=text,
        row_starts=starts,
        cells=cells,
    )


def read_tables(blocks: Sequence[Block], context: Context) -> dict[int, Table]:
    """Read all tables of a document, by the numbers of their blocks.

    Where neither a table nor the document states a scale, that of the money before goes on.
    """
    tables: dict[int, Table] = {}
    scale: int | None = None
    for number, block in enumerate(blocks):
        if block.grid is None:
            continue
        before, after = blocks[max(number - _NEAR, 0) : number], blocks[number + 1 :][:_NEAR]
        going_on = scale if context.scale is None else None
        table = tables[number] = read_table(block, before, after, context, going_on)
        scale = scale if table.money_scale is None else table.money_scale
    return tables


def _n_figures(grid: Grid) -> int:
    return sum(cell.text[:1].isdigit() for cell in grid.cells if cell.row)


def _money_scale(cells: Sequence[Cell]) -> int | None:
    """The scale that most of a table's scaled numbers have, if these are amounts of money."""
    found = Counter(
        (cell.scale, len(cell.unit or "") == 3)
        for cell in cells
        if cell.scale_source in {"header", "caption"}
    )
    [((scale, is_money), _)] = found.most_common(1) or [((0, False), 0)]
    return scale if is_money else None


def _find_row_periods(rows: list[Row], context: Context) -> None:
    """Find the periods that rows name: their own labels, their groups, or balances around them."""
    opened: Period | None = None
    waiting: list[Row] = []
    for row in rows:
        if row.kind != "data":
            if row.kind == "header":
                opened, waiting = None, []
            continue
        is_balance = row.is_balance and not any(map(is_period_row, row.path[-2:-1]))
        if is_balance:
            row.period = row.day = read_balance_day(row.label, context)
        if row.period is None:
            dated = next(filter(is_period_row, reversed(row.path)), None)
            row.period = read_period(dated, "", context) if dated else None
        if is_balance:
            if row.day is not None and opened is not None and opened.end < row.day.end:
                for one in waiting:
                    one.period = Period(opened.end + timedelta(days=1), row.day.end)
            opened, waiting = row.day, []
        elif row.is_scoped or row.period is None:
            waiting.append(row)


def _read_around(before: Sequence[Block], context: Context, grid: Grid) -> _Around:
    """Read caption, introduction and scale from the blocks before a table, the nearest first."""
    caption = lead_in = None
    scales = _NO_SCALES
    is_scale_near, is_money = True, False
    seen: list[str] = []
    for block in reversed(before):
        text = block.text
        if block.grid is not None:
            if seen and block.grid.n_rows > 2:
                break
            # A scale over figures that are no money is not said of amounts behind them.
            if _n_figures(block.grid) > 1 and not shows_money(block.grid) and shows_money(grid):
                is_scale_near = False
            continue
        if block.kind == "furniture" or _PAGE.fullmatch(text.lower()):
            continue
        seen.append(text)
        if is_scale_near and is_statement(text) and (found := read_scales(text)) is not None:
            scales = Scales(
                *(new if old is None else old for old, new in zip(scales, found, strict=True))
            )
            is_money = is_money or names_money(text)
        if states_units_only(text):
            continue
        is_title = len(text) <= _SHORT and (block.is_bold or block.is_centred or block.is_italic)
        if is_title or block.kind == "heading":
            caption = caption or text
        elif lead_in is None and caption is None and _LEAD_IN.search(text.lower()):
            lead_in = text
        elif len(text) > _SHORT or lead_in is not None:
            break
    periods = (read_period(text, "", context) for text in seen if len(text) < _LONG)
    said = " ".join(filter(None, (caption, lead_in)))
    period = next(filter(None, periods), None)
    return _Around(caption, lead_in, said, scales, is_money, period)


def _footnotes(after: Sequence[Block]) -> tuple[str, ...]:
    notes: list[str] = []
    for block in after:
        if block.grid is not None or not (block.kind == "footnote" or _NOTE.match(block.text)):
            break
        notes.append(block.text)
    return tuple(notes)


def _is_layout(cells: list[Cell], n_head: int) -> bool:
    """Whether a table holds no data: no number, or only the numbers of pages or exhibits."""
    numbers = [cell for cell in cells if cell.kind == "number"]
    values = [cell for cell in numbers if not (cell.is_header or cell.is_label)]
    heads = " ".join(cell.text for cell in cells if cell.is_header).lower()
    is_index = _CONTENTS.search(heads) is not None
    if not values or (is_index and "exhibit" in heads):
        return True
    if len({cell.col_pos for cell in values}) > 1 or (n_head and not is_index):
        return False
    pages = [int(cell.text) for cell in values if cell.text.isdecimal() and len(cell.text) < 4]
    return len(pages) == len(values) and pages == sorted(pages)


class _Reader:
    """Reads the cells of a table, row by row."""

    def __init__(
        self,
        rows: list[Row],
        columns: Columns,
        around: _Around,
        context: Context,
        general: int | None,
    ) -> None:
        self.columns, self.around = columns, around
        self.context, self.general = context, general
        self.cells: list[Cell] = []
        heads = (
            read_scales(one.text) for row in rows if row.kind == "header" for one in row.pieces
        )
        self.stated = next((one.amounts for one in heads if one and one.amounts is not None), None)
        self._column_units = self._count_units(rows)
        # The currency that a column shows first.
        self._money = {
            column: money[0]
            for column, units in self._column_units.items()
            if (money := [unit for unit in units if len(unit) == 3])
        }
        self._table_unit = self._find_table_unit()
        self._column_says: dict[tuple[int, int], _Says] = {}
        self._periods: dict[tuple[int, int | str], Period | None] = {}
        rates = {place for place, units in self._column_units.items() if set(units) == {"percent"}}
        segments = {id(row.headers): row.headers for row in rows}.values()
        for headers in list(segments)[: _MAX_PATHS // max(len(columns.lows), 1)]:
            headers.tell_apart(rates)
        for number, row in enumerate(rows):
            self._add_row(number, row)

    def _count_units(self, rows: list[Row]) -> dict[int, Counter[str]]:
        """How often each column shows which units, in order of their first appearance."""
        found: dict[int, Counter[str]] = {}
        for row in rows:
            for piece in row.pieces if row.kind == "data" else ():
                if piece.value.unit and piece.first >= self.columns.values_from:
                    column = self.columns.place(piece)
                    found.setdefault(column, Counter())[piece.value.unit] += 1
        return found

    def _find_table_unit(self) -> str | None:
        """The unit of what says nothing: a currency shown or meant, or what is introduced."""
        shown = sum(self._column_units.values(), Counter[str]())
        money = [unit for unit, _ in shown.most_common() if len(unit) == 3]
        if money:
            return money[0]
        named = read_unit(self.around.lead_in or "") or read_unit(self.around.caption or "")
        if named is not None and named.unit == "shares":
            return "shares"
        is_scaled = self.stated is not None or self.around.scales.amounts is not None
        return "USD" if is_scaled else None

    def _add_row(self, number: int, row: Row) -> None:
        n_labels = len(self.columns.labels(row.pieces))
        outer = len(row.path) - n_labels + 1
        says = group = None
        if row.kind == "data":
            scales = read_scales(" ".join(row.path)) or _NO_SCALES
            says = _Says(read_unit(row.label), scales, _measure(row.path))
            group = _group_unit(row.path[:-1])
        for place, piece in enumerate(row.pieces):
            value = piece.value
            cell = Cell(
                row_pos=number,
                col_pos=self.columns.place(piece),
                places=tuple((one.row, one.column) for one in piece.cells),
                row_path=() if row.kind == "header" else row.path,
                column_path=(),
                text=piece.text,
                kind=value.kind,
                is_negative=value.is_negative,
                footnote_marks=value.marks,
                is_header=row.kind == "header",
                is_label=row.kind == "heading" or (row.kind == "data" and place < n_labels),
            )
            self.cells.append(cell)
            if cell.is_label:
                cell.row_path = row.path if n_labels < 2 else row.path[: outer + place]
                cell.value, cell.low, cell.high = value.number, value.low, value.high
                cell.unit = value.unit
            elif says is not None:
                self._read_value(row, cell, value, says, group)

    def _read_value(
        self, row: Row, cell: Cell, value: Value, says: _Says, group: Unit | None
    ) -> None:
        column = cell.col_pos
        cell.column_path = row.headers.path(column)
        period = self._period(row, column)
        if period is not None:
            cell.period_start, cell.period_end = period
        if value.kind not in {"number", "dash"}:
            return
        header = self._header_says(row.headers, column)
        measure = says.measure
        if measure is None and (column not in self._money or header.measure == "rate"):
            measure = header.measure
        if value.unit is not None and measure != "rate":
            measure = None
        cell.unit = unit = self._unit(column, value, (header.unit, says.unit, group), measure)
        if value.scale is not None:
            cell.scale, cell.scale_source = value.scale, "cell"
        elif measure and unit != "shares":
            # What table and document say of amounts is not said of it.
            scales = (says if says.measure else header).scales
            power = scales.amounts if scales.things is None else scales.things
            is_scaled = power is not None and unit not in _UNSCALED
            cell.scale, cell.scale_source = (power or 0, "header") if is_scaled else (0, None)
        elif unit is None or not (unit in _UNSCALED or "/" in unit):
            stated = (header.scales, says.scales, read_scales(row.headers.stub) or _NO_SCALES)
            cell.scale, cell.scale_source = self._scale(unit, stated)
        cell.value = value.scaled(value.number, cell.scale)
        if value.low is not None:
            cell.low = value.scaled(value.low, cell.scale)
            cell.high = value.scaled(value.high, cell.scale)

    def _header_says(self, headers: Headers, column: int) -> _Says:
        """What the headers over a column state."""
        key = (id(headers), column)
        if key not in self._column_says:
            path = headers.path(column)
            unit = read_unit(path[-1]) if path else None
            if unit is None or unit.unit == "USD":
                unit = _group_unit(path[:-1]) or unit
            text = f"{' '.join(path)} ({headers.units.get(column, '')})"
            self._column_says[key] = _Says(unit, read_scales(text) or _NO_SCALES, _measure(path))
        return self._column_says[key]

    def _unit(
        self, column: int, value: Value, said: Sequence[Unit | None], measure: str | None
    ) -> str | None:
        """The unit of a number: its own sign, what headers and label say, else its neighbours'.

        Args:
            column: its column.
            value: what the cell shows.
            said: what the column's headers, the row's label and its groups say.
            measure: what they say that it is measured in, other than amounts; see `read_measure`.
        """
        money = self._money.get(column)
        named = [one.unit if one and _fits(one, value, money) else None for one in said]
        unit = named[0] if named[0] in _BY_HEADER else named[1] or named[2] or named[0]
        if value.unit is not None:
            is_price = unit == "USD/shares" and len(value.unit) == 3
            return f"{value.unit}/shares" if is_price else value.unit
        money = money or self._table_unit
        if unit == "USD/shares":
            return f"{money or 'USD'}/shares"
        if measure:
            return "percent" if measure == "percent" else unit if unit != "USD" else None
        if unit is not None:
            return (money or unit) if unit == "USD" else unit
        shown = self._column_units.get(column, ())
        return next(iter(shown)) if len(shown) == 1 else money

    def table_scale(self) -> tuple[int, str | None]:
        """The power of ten of the table's amounts, and what states it."""
        if self.stated is not None:
            return self.stated, "header"
        if self.around.scales.amounts is not None:
            return self.around.scales.amounts, "caption"
        return (0, None) if self.general is None else (self.general, "document")

    def _scale(self, unit: str | None, stated: Sequence[Scales]) -> tuple[int, str | None]:
        """The power of ten of a number without a scale of its own, and what states it."""
        beside = [(scales, "header") for scales in stated]
        for scales, source in (*beside, (self.around.scales, "caption")):
            power = scales.shares if unit == "shares" else scales.amounts
            if power is None and unit is None:
                power = scales.things
            if power is not None:
                return power, source
        if self.general is not None and unit not in {None, "shares"}:
            return self.general, "document"
        return 0, None

    def _period(self, row: Row, column: int) -> Period | None:
        """The period of a cell: its row's own day, its headers', its groups', or the table's."""
        headers, path = row.headers, row.headers.path(column)
        if row.day is not None:
            return self._edge(path, "", row.day)
        if headers.names_period(column):
            period = self._header_period(headers, column)
        else:
            period = row.period or self._header_period(headers, "stub")
            if period is None and not headers.names_periods:
                period = self.around.period
        return period and self._edge(path, row.label, period)

    def _edge(self, path: tuple[str, ...], label: str, period: Period) -> Period:
        edge = at_edge(label, period, self.context)
        return edge if edge is not period or not path else at_edge(path[-1], period, self.context)

    def _header_period(self, headers: Headers, column: int | str) -> Period | None:
        """The period that the headers over a column name, or those over the labels."""
        key = (id(headers), column)
        if key not in self._periods:
            text = headers.stub
            if isinstance(column, int):
                path = " ".join(headers.path(column))
                text = path if names_period(text) else f"{text} {path}"
            self._periods[key] = read_period(text, self.around.text, self.context)
        return self._periods[key]


def _measure(path: tuple[str, ...]) -> str | None:
    """What the innermost header or label that says so measures its numbers in.

    Groups of percentages hold amounts beside them: only the innermost itself says percent.
    """
    found = [(read_measure(text), place) for place, text in enumerate(reversed(path))]
    return next((one for one, place in found if one and (one != "percent" or not place)), None)


def _fits(said: Unit, value: Value, money: str | None) -> bool:
    """Whether a number looks like what words say; prices show cents, rates stand in no amounts."""
    if said.unit == "USD/shares":
        return value.decimals > 1 or (said.is_sure and abs(value.number or 0) < _MAX_PRICE)
    return money is None or (said.is_sure and said.unit != "percent")


def _group_unit(groups: tuple[str, ...]) -> Unit | None:
    """The unit that the innermost of some groups names, if any; only of shares it is sure."""
    units = (unit for unit in map(read_unit, reversed(groups)) if unit is not None)
    unit = next((unit for unit in units if unit.unit in _BY_GROUP), None)
    return unit and unit._replace(is_sure=unit.unit == "shares" and unit.is_sure)


def _one_a_place(cells: list[Cell]) -> list[Cell]:
    """Put together what shares a row and a column; the part with a value says what it is."""
    kept: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        place = (cell.row_pos, cell.col_pos)
        before = kept.get(place)
        if before is None:
            kept[place] = cell
            continue
        main = cell if before.value is None and cell.value is not None else before
        kept[place] = replace(
            main,
            places=(*before.places, *cell.places),
            text=f"{before.text} {cell.text}",
            footnote_marks=(*before.footnote_marks, *cell.footnote_marks),
        )
    return list(kept.values())


def _write(cells: list[Cell]) -> tuple[str, tuple[int, ...]]:
    """The text of a table, and where its rows start; cells are told their places in it."""
    parts: list[str] = []
    starts: list[int] = []
    length, row = -1, -1
    for cell in cells:
        parts.append("\t" if cell.row_pos == row else "\n")
        cell.start, cell.end = length + 1, length + 1 + len(cell.text)
        if cell.row_pos != row:
            row = cell.row_pos
            starts.append(cell.start)
        parts.append(cell.text)
        length = cell.end
    return "".join(parts[1:]), tuple(starts)

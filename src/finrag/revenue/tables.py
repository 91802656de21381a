"""Rows and columns of a table that add up to a total."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag.revenue.model import SAME_END_DAYS, Cell, Line, Sum, Table, Total
from finrag.revenue.patterns import Patterns
from finrag.revenue.sums import Figure, add_up
from finrag.revenue.views import view_of

# Lines of a table that are looked at on one side of a total.
MOST_LINES = 150
# Gaps of a table from which a stretch is begun.
MOST_STRETCHES = 8
# What rounding to a printed unit may hide of it, and what a float loses.
HALF_UNIT = 0.5001
# Rows that miss a total by more of it were never meant to add up to it.
MOST_MISSED = 0.2
_YEAR = r"(19|20)[0-9]{2}"
# A mark of a footnote inside of a label: "C5* systems".
_MARK = re.compile(r"(?<=[\w)])[*†‡§]+(?=\s|$)")
_PERIOD = re.compile(
    r"^(fiscal|for|the|as|of|and|years?|months?|weeks?|twelve|ended|ending|fiscal|december|january|"
    r"february|march|april|may|june|july|august|september|october|november|jan|feb|mar|apr|jun|"
    rf"jul|aug|sept?|oct|nov|dec|[0-9]{{1,2}}|{_YEAR}|[.,()\s])*+$"
)


@dataclass(frozen=True)
class _Run:
    """Figures on one side of a total, with what each is called."""

    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    named: tuple[str, ...]  # labels as printed, "Total" and all


def sums_of(table: Table, total: Total, words: Patterns) -> Iterator[Sum]:
    """Every way in which lines of a table add up to a total or to a stated part of it."""
    if not total.value or _is_otherwise_titled(table, words):
        return
    for cell in table.cells:
        if _is_of_period(cell, total) and cell.is_revenue_fact is not False:
            for value in (total.value, *total.parts):
                if _prints(cell, value):
                    verdict = "reconciled" if value == total.value else "part"
                    for one in _sums_at(table, cell, verdict, words):
                        yield replace(one, coverage=value / total.value)
                    break


def off_of(table: Table, total: Total, words: Patterns) -> Sum | None:
    """Rows right above a total that should add up to it and do not.

    Only of a table in a note on revenue or segments, or one whose rows are tagged with axes.
    """
    if not total.value or _is_otherwise_titled(table, words):
        return None
    for cell in table.cells:
        if not (_is_of_period(cell, total) and _prints(cell, total.value)):
            continue
        above = [one for one in _column(table, cell) if one.row_pos < cell.row_pos]
        run = _named(above[-MOST_LINES:], words, is_across=False)
        is_breakdown = not table.rank or all(one.dimensions for one in run.cells)
        if len(run.cells) > 1 and is_breakdown:
            found = _summed(table, run, cell, "off", words, MOST_MISSED * total.value)
            if found is not None:
                return found
    return None


def label_of(cell: Cell, words: Patterns, is_across: bool = False) -> str:
    """What a figure is called: the end of its path that says more than "revenue" or "total"."""
    own = [_plain(name) for name in (_names(cell) if is_across else cell.row_path)]
    for name in reversed(own):
        if not (words.generic_label.search(name.lower()) or _PERIOD.match(name.lower())):
            return name
    for name in reversed(() if is_across else _names(cell)):
        if not words.generic_label.search(name.lower()):
            return _plain(name)
    return own[-1] if own else ""


def _sums_at(table: Table, total: Cell, verdict: str, words: Patterns) -> Iterator[Sum]:
    """Sums of what stands above, left of, below and right of a cell, and of rows named like it."""
    column = _column(table, total)
    row = [one for one in table.cells if one.row_pos == total.row_pos]
    sides = [
        (False, _stretches([one for one in column if one.row_pos < total.row_pos])),
        (True, _stretches([one for one in row if one.col_pos < total.col_pos])),
        (False, iter([_alike(column, total)])),
        (False, _stretches([one for one in column if one.row_pos > total.row_pos], True)),
        (True, _stretches([one for one in row if one.col_pos > total.col_pos], True)),
    ]
    for is_across, stretches in sides:
        for cells in stretches:
            if is_across and not _are_parallel(cells, total):
                continue
            found = _summed(table, _named(cells, words, is_across), total, verdict, words)
            if found is not None:
                yield found
                break


def _summed(
    table: Table, run: _Run, total: Cell, verdict: str, words: Patterns, slack: float = 0.0
) -> Sum | None:
    if not run.cells or not _is_revenue(run, words):
        return None
    figures = [
        Figure(cell.value, bool(words.named_total.search(name.lower())))
        for cell, name in zip(run.cells, run.named, strict=True)
    ]
    tolerance = _tolerance(run, total)
    parents = add_up(figures, total.value, tolerance, slack)
    if parents is None:
        return None
    above = set(parents)
    lines = tuple(
        Line(cell, label, "subtotal" if position in above else _role(label, words), parent)
        for position, (cell, label, parent) in enumerate(
            zip(run.cells, run.labels, parents, strict=True)
        )
    )
    lines = _without_places(lines, words)
    leaves = [line for line in lines if line.role == "leaf"]
    # One line that is all of the revenue is one by a name of its own: not "Third party".
    large = [line for line in lines if abs(line.cell.value) > tolerance]
    if not leaves or (len(large) < 2 and any(_is_no_name(line.cell, words) for line in large)):
        return None
    return Sum(table, lines, total, tolerance, _view(lines, table, words), "table", verdict)


def _without_places(lines: tuple[Line, ...], words: Patterns) -> tuple[Line, ...]:
    """Products without the places that each is sold in: "Humira" for its sales in two regions.

    So where a subtotal that is no place itself sums places alone, and more than one does.
    """
    parts: dict[int, list[Line]] = {}
    for line in lines:
        if line.parent is not None:
            parts.setdefault(line.parent, []).append(line)
    sold = {
        parent
        for parent, children in parts.items()
        if not _is_place(lines[parent].label, words)
        and all(child.role == "leaf" for child in children)
        and 2 * sum(_is_place(child.label, words) for child in children) >= len(children)
    }
    if len(sold) < 2:
        return lines
    kept = [place for place, line in enumerate(lines) if line.parent not in sold]
    moved = {place: position for position, place in enumerate(kept)}
    return tuple(
        replace(
            lines[place],
            label=_product(lines[place], words),
            parent=None if (parent := lines[place].parent) is None else moved[parent],
            role=_role(lines[place].label, words) if place in sold else lines[place].role,
        )
        for place in kept
    )


def _product(line: Line, words: Patterns) -> str:
    """The label of a line; of one that is sold in one place alone the group that it stands in."""
    group = _plain(line.cell.row_path[-2]) if len(line.cell.row_path) > 1 else ""
    is_grouped = bool(group) and _is_place(line.label, words) and not _is_place(group, words)
    return group if is_grouped else line.label


def _is_place(label: str, words: Patterns) -> bool:
    return bool(words.geography.search(label.lower()))


def _view(lines: Sequence[Line], table: Table, words: Patterns) -> str:
    leaves = [line for line in lines if line.role == "leaf"]
    return view_of([line.cell for line in leaves], [line.label for line in leaves], table, words)


def _is_no_name(cell: Cell, words: Patterns) -> bool:
    own = _plain(cell.row_path[-1]).lower() if cell.row_path else ""
    return bool(words.generic_label.search(own) or words.named_total.search(own))


def _role(label: str, words: Patterns) -> str:
    return "reconciling" if words.reconciling.search(label.lower()) else "leaf"


def _is_revenue(run: _Run, words: Patterns) -> bool:
    """Whether no figure of a run is tagged or named as something else.

    What is taken off revenue, such as a lender's interest expense, is named as a cost.
    """
    return not any(
        cell.value > 0
        and _role(label, words) == "leaf"
        and (
            cell.is_revenue_fact is False
            or (cell.is_revenue_fact is None and words.not_revenue.search(label.lower()))
        )
        for cell, label in zip(run.cells, run.labels, strict=True)
    )


def _named(cells: Sequence[Cell], words: Patterns, is_across: bool) -> _Run:
    if is_across:
        cells = [replace(cell, footnote_marks=cell.header_marks) for cell in cells]
    cells = [_marked(cell) for cell in cells]
    return _Run(
        tuple(cells),
        tuple(label_of(cell, words, is_across) for cell in cells),
        tuple(
            " ".join(_names(cell))
            if is_across
            else _plain(cell.row_path[-1] if cell.row_path else "")
            for cell in cells
        ),
    )


def _marked(cell: Cell) -> Cell:
    own = _MARK.findall(cell.row_path[-1]) if cell.row_path else []
    if not set(own) - set(cell.footnote_marks):
        return cell
    return replace(cell, footnote_marks=tuple(sorted({*cell.footnote_marks, *own})))


def _tolerance(run: _Run, total: Cell) -> float:
    units = [total.printed_unit, *(cell.printed_unit for cell in run.cells)]
    return max(units)


def _column(table: Table, cell: Cell) -> list[Cell]:
    return [one for one in table.cells if one.col_pos == cell.col_pos]


def _alike(column: Sequence[Cell], total: Cell) -> list[Cell]:
    """Rows of other groups with the total's own label: "Net sales" of each segment."""
    name = total.row_path[-1].lower() if total.row_path else ""
    return [
        one
        for one in column
        if one.cell_id != total.cell_id
        and len(one.row_path) > 1
        and one.row_path[-1].lower() == name
        and one.row_path[:-1] != total.row_path[:-1]
    ]


def _stretches(cells: Sequence[Cell], is_behind: bool = False) -> Iterator[Sequence[Cell]]:
    """All figures on a side of a total, then those between it and a gap in the print.

    The longest first; one alone last.
    """
    if is_behind:
        cells = cells[:MOST_LINES]
        ends = range(len(cells) - 1, 1, -1)
        yield cells
        yield from (
            cells[:end] for end in _few([end for end in ends if _is_gap(*cells[end - 1 : end + 1])])
        )
        return
    cells = cells[-MOST_LINES:]
    starts = range(1, len(cells) - 1)
    yield cells
    yield from (
        cells[start:]
        for start in _few([one for one in starts if _is_gap(*cells[one - 1 : one + 1])])
    )


def _few(places: Sequence[int]) -> Sequence[int]:
    """The first and the last of many gaps: whole parts of a table, and what stands at the total."""
    half = MOST_STRETCHES // 2
    return places if len(places) <= MOST_STRETCHES else [*places[:half], *places[-half:]]


def _is_gap(before: Cell, after: Cell) -> bool:
    """Whether a row without figures stands between two, or another group begins."""
    return after.row_pos - before.row_pos > 1 or before.row_path[:-1] != after.row_path[:-1]


def _are_parallel(cells: Sequence[Cell], total: Cell) -> bool:
    """Whether figures of a row are of one period and differ in what their headers name."""
    ends = {cell.period_end for cell in (*cells, total) if cell.period_end is not None}
    names = [_names(cell) for cell in cells]
    return len(ends) <= 1 and all(names) and len(set(names)) == len(names)


def _is_otherwise_titled(table: Table, words: Patterns) -> bool:
    return bool(words.not_revenue_title.search(f"{table.caption} {table.headings}".lower()))


def _prints(cell: Cell, value: float) -> bool:
    """Whether a figure is a value, rounded to its last printed digit."""
    return abs(cell.value - value) <= HALF_UNIT * cell.printed_unit


def _is_of_period(cell: Cell, total: Total) -> bool:
    if cell.period_end is None:
        return total.is_filing_period
    return abs((cell.period_end - total.period_end).days) <= SAME_END_DAYS


def _names(cell: Cell) -> tuple[str, ...]:
    """Headers over a cell that name no period."""
    return tuple(one for one in cell.column_path if not _PERIOD.match(one.lower()))


def _plain(label: str) -> str:
    return _MARK.sub("", " ".join(label.split())).rstrip(":").strip()

"""Single cells of a table: what markup splits is put together, and what it shows is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from finrag.filings.model import Grid, GridCell
from finrag.records.vocabulary import read_vocabulary
from finrag.text import numbers

_VOCABULARY: Final = read_vocabulary(__file__)
_NUMBER: Final = _VOCABULARY.pattern("number")
_NIL: Final = _VOCABULARY.pattern("nil")
_YEAR: Final = _VOCABULARY.pattern("year")
_PREFIX: Final = _VOCABULARY.pattern("prefix")
_SUFFIX: Final = _VOCABULARY.pattern("suffix")
_MARK: Final = _VOCABULARY.pattern("mark")
_EACH_MARK: Final = _VOCABULARY.pattern("each_mark")
_TRAILING_MARKS: Final = _VOCABULARY.pattern("trailing_marks")
_LIST_NUMBER: Final = _VOCABULARY.pattern("list_number")
_RANGE: Final = _VOCABULARY.pattern("range")
_WORDY: Final = _VOCABULARY.pattern("wordy")
_UNITS: Final = _VOCABULARY.tables["units"]
_CURRENCIES: Final = read_vocabulary(numbers.__file__).tables["currencies"]
_SCALES: Final = {"units": None, "thousands": 3, "millions": 6, "billions": 9, "trillions": 12}
_MAX_DIGITS: Final = 18
_MAX_VALUE: Final = 60
# How many columns further a sign may stand and still belong to a number.
_REACH: Final = 2


class Value(NamedTuple):
    """What a cell shows.

    Attributes:
        kind: number, dash, text or year.
        number: as printed, its sign applied; null for a range and for what is no number.
        decimals: digits behind its point.
        low: lower end of a range as printed, else null.
        high: upper end of a range as printed, else null.
        unit: what a sign in the cell says: a currency, percent, pure …; else null.
        scale: power of ten that the cell itself names; null where it names none.
        is_negative: whether it is printed as negative.
        marks: marks of footnotes.
    """

    kind: str
    number: float | None = None
    decimals: int = 0
    low: float | None = None
    high: float | None = None
    unit: str | None = None
    scale: int | None = None
    is_negative: bool = False
    marks: tuple[str, ...] = ()

    def scaled(self, printed: float | None, power: int) -> float | None:
        """A printed number times a power of ten, without an error of binary fractions."""
        if printed is None:
            return None
        whole = round(printed * 10**self.decimals)
        power -= self.decimals
        return float(whole * 10**power) if power >= 0 else whole / 10**-power


_TEXT: Final = Value("text")


@dataclass(slots=True)
class Piece:
    """A logical cell: what markup splits, put together.

    Attributes:
        row: of the grid.
        first: its first column in the grid.
        last: its last column in the grid.
        cells: grid cells that it is made of.
        text: what it shows.
        value: what that says.
        label: the text without marks of footnotes.
    """

    row: int
    first: int
    last: int
    cells: list[GridCell]
    text: str
    value: Value
    label: str

    @property
    def span(self) -> tuple[int, int]:
        """Its first and its last column."""
        return self.first, self.last

    @property
    def is_numeric(self) -> bool:
        """Whether it holds a number or a dash."""
        return self.value.kind in {"number", "dash"}


def read_rows(grid: Grid) -> list[list[Piece]]:
    """Put together what the markup of a table splits, row by row; rows without text are left out.

    "$", "1,234", ")", "%" and raised marks in neighbouring cells become one piece.
    """
    return [_read_row(list(cells)) for _, cells in groupby(grid.cells, key=lambda cell: cell.row)]


def _read_row(cells: list[GridCell]) -> list[Piece]:
    pieces: list[Piece] = []
    before: list[GridCell] = []
    for cell in cells:
        role = _role(cell.text)
        if role and cell.raised and _is_raised(cell):
            role = "mark"
        previous = pieces[-1] if pieces else None
        is_near = previous is not None and cell.column - previous.last <= _REACH and not before
        if role == "prefix":
            before.append(cell)
        elif role in {"suffix", "mark"} and is_near and previous is not None:
            if role == "mark" or previous.is_numeric:
                _add_behind(previous, cell, role)
            else:
                pieces.append(_piece([cell]))
        else:
            group = [cell]
            if before and role != "text" and cell.column - before[-1].column <= _REACH + 1:
                group, before = [*before, cell], []
            pieces += [_piece([alone]) for alone in before]
            before = []
            pieces.append(_piece(group))
    pieces += [_piece([alone]) for alone in before]
    return pieces


def _is_raised(cell: GridCell) -> bool:
    return sum(end - start for start, end in cell.raised) >= len(cell.text)


def _piece(cells: list[GridCell]) -> Piece:
    cell = cells[-1]
    text = bare = cell.text
    marks: tuple[str, ...] = ()
    if len(cells) > 1:
        text = bare = " ".join(one.text for one in cells).replace("( ", "(")
    elif cell.raised:
        bare, marks = _without_raised(cell)
    value, label = _value_and_label(bare)
    if marks:
        value = value._replace(marks=(*value.marks, *marks))
    return Piece(cell.row, cells[0].column, _last(cell), cells, text, value, label)


def _last(cell: GridCell) -> int:
    return cell.column + cell.columns - 1


def _add_behind(piece: Piece, cell: GridCell, role: str) -> None:
    """Add a closing bracket, a sign of percent or a mark to what stands before it."""
    piece.cells.append(cell)
    piece.last = max(piece.last, _last(cell))
    if role == "suffix":
        piece.text += cell.text
        marks = piece.value.marks
        piece.value = read_value(piece.text)
        if marks and not piece.value.marks:
            piece.value = piece.value._replace(marks=marks)
    else:
        piece.text += f" {cell.text}"
        marks = (*piece.value.marks, *_marks(cell.text))
        piece.value = piece.value._replace(marks=marks)


def add_mark(piece: Piece, mark: Piece) -> None:
    """Take a number in brackets behind a piece for the mark of a footnote."""
    for cell in mark.cells:
        _add_behind(piece, cell, "mark")


def _without_raised(cell: GridCell) -> tuple[str, tuple[str, ...]]:
    """What a cell shows apart from its raised letters, and these."""
    text, marks, end = "", [], 0
    for start, stop in cell.raised:
        text += cell.text[end:start]
        marks += _marks(cell.text[start:stop])
        end = stop
    return (text + cell.text[end:]).strip(), tuple(marks)


def _marks(text: str) -> list[str]:
    """Marks in a text of marks, without brackets."""
    return text.replace("(", " ").replace(")", " ").replace(",", " ").split()


@lru_cache(maxsize=16_384)
def _value_and_label(text: str) -> tuple[Value, str]:
    """What a text says, and the text without a list number before it and marks behind it."""
    value = read_value(text)
    if value.kind != "text":
        return value, text
    if text[:1].isdigit() and (found := _LIST_NUMBER.match(text)) is not None:
        text = text[found.end() :]
    if text[-1:] not in ")*†‡§¹²³⁴⁵⁶⁷⁸⁹":
        return value, text
    found = _TRAILING_MARKS.search(text, max(len(text) - _MAX_VALUE, 0))
    if found is None or not found.start():
        return value, text
    marks = tuple(_marks(found["marks"].replace(")", ") ")))
    return value._replace(marks=marks), text[: found.start()].rstrip()


@lru_cache(maxsize=16_384)
def _role(text: str) -> str:
    """What a cell of a grid is by itself: prefix, suffix, mark, value or text."""
    if len(text) > _MAX_VALUE:
        return "text"
    if _PREFIX.fullmatch(text):
        return "prefix"
    if _SUFFIX.fullmatch(text):
        return "suffix"
    if read_value(text).kind != "text":
        return "value"
    return "mark" if _MARK.fullmatch(text) else "text"


@lru_cache(maxsize=16_384)
def read_value(text: str) -> Value:
    """Read what a cell shows, as it stands there.

    A number may carry a sign, brackets, a currency, a unit and marks of footnotes. A dash is nil.
    Four digits that start with 19 or 20 are a year. Words around an amount are read as prose is,
    if the amount is most of what the cell shows.
    """
    if len(text) > _MAX_VALUE:
        return _TEXT
    if (match := _NUMBER.fullmatch(text)) is not None:
        return _number_value(match)
    if (match := _NIL.fullmatch(text)) is not None:
        unit, marks = _unit(match["currency"], match["unit"]), tuple(_marks(match["marks"] or ""))
        return Value("dash", 0.0, unit=unit, marks=marks)
    if (match := _RANGE.fullmatch(text)) is not None:
        return _range_value(read_value(match[1]), read_value(match[2]))
    return _wordy_value(text) if _WORDY.match(text) else _TEXT


def _number_value(match: re.Match[str]) -> Value:
    digits, marks = match["digits"], tuple(_marks(match["marks"] or ""))
    if _YEAR.fullmatch(match.string[: match.start("marks")].rstrip()):
        return Value("year", marks=marks)
    if len(digits) > _MAX_DIGITS:
        return _TEXT
    number = float(digits.replace(",", ""))
    decimals = len(digits) - digits.find(".") - 1 if "." in digits else 0
    unit = _unit(match["currency"], match["unit"])
    if unit == "cents":
        unit, number, decimals = "USD", number / 100, decimals + 2
    is_negative = bool(match["open"] or match["inner"] or match["minus"])
    is_negative = is_negative or (match["sign"] or "+") != "+"
    number = -number if is_negative else number
    return Value("number", number, decimals, unit=unit, is_negative=is_negative, marks=marks)


def _range_value(low: Value, high: Value) -> Value:
    """A range of two numbers; two that fall, as parts of a phone number may, are text."""
    if low.number is None or high.number is None or not 0 <= low.number <= high.number:
        return _TEXT
    unit, places = high.unit or low.unit, max(low.decimals, high.decimals)
    return Value("number", None, places, low.number, high.number, unit, marks=high.marks)


def _unit(currency: str | None, unit: str | None) -> str | None:
    if unit:
        return _UNITS[unit.lower()]
    return _CURRENCIES.get(currency.lower()) if currency else None


def _wordy_value(text: str) -> Value:
    """Read "$1.2 billion" or "about 5 %" as prose is read."""
    found = numbers.find_amounts(text)
    if len(found) != 1 or found[0].kind != "amount" or 5 * len(found[0].raw) < 3 * len(text):
        return _TEXT
    amount = found[0]
    if amount.is_range:
        return _TEXT
    power = _SCALES[amount.scale]
    unit = (amount.unit or "count").replace("_per_share", "/shares").replace("ratio", "pure")
    decimals = len(amount.raw.partition(".")[2].split(" ")[0].rstrip("%)"))
    return Value(
        "number",
        amount.value / 10.0 ** (power or 0),
        min(decimals, 6),
        unit=None if unit == "count" else unit.replace("percentage_points", "percent"),
        scale=power,
        is_negative=amount.value < 0,
    )

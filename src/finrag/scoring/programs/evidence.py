"""Where the numbers of a program come from: cells and sentences of its page.

An operand is looked up by its value. The reading that assumes least wins:

    exact    the same number, sign included
    sign     the same digits: programs leave signs out, tables write (120)
    percent  one is a hundred times the other, and one of them is a percentage: 5% and 0.05
    scale    one is the other in thousands, millions or billions, as the text says: 1.5 billion

A number that stands in several places gets all of them: nothing says which one the program uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.programs.execution import Operand, Step, Value
from finrag.sources.benchmarks.records import Passage

ORIGINS: Final = ("constant", "step", "table", "text", "nowhere")

_MAX_DIGITS: Final = 30
_VOCABULARY: Final = read_vocabulary(__file__)
_NUMBER: Final = _VOCABULARY.pattern("number")
_SCALES: Final[Mapping[str, Decimal]] = MappingProxyType(
    {
        "thousand": Decimal(10) ** 3,
        "million": Decimal(10) ** 6,
        "billion": Decimal(10) ** 9,
        "trillion": Decimal(10) ** 12,
    }
)
_FACTORS: Final = tuple(Decimal(10) ** power for power in (3, 6, 9, 12))


@dataclass(frozen=True)
class Place:
    """A place that holds a number.

    Attributes:
        passage_id: the row or text that a search can return.
        cell_id: the cell, null in a text and for a whole row.
        table_id: the table of the row, null in a text.
        row, column: 0-based place in the table, null in a text.
    """

    passage_id: str
    cell_id: str | None = None
    table_id: str | None = None
    row: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class TracedOperand:
    """An operand with its places.

    Attributes:
        step_pos: 0-based step.
        operand_pos: 0 or 1.
        op: operation of the step.
        operand: as written, with its value.
        origin: one of `ORIGINS`; `table` for a number that stands in a table and a text.
        match: `exact`, `sign`, `percent` or `scale` for a number that was found, else null.
        places: every place, in the order of the page.
        step_result: result of the step.
    """

    step_pos: int
    operand_pos: int
    op: str
    operand: Operand
    origin: str
    match: str | None
    places: tuple[Place, ...]
    step_result: Value


@dataclass(frozen=True)
class _Mention:
    """One number of a passage: digits as printed, sign, percent and scale of the words."""

    place: Place
    value: Decimal
    is_percent: bool
    scale: Decimal


class PageNumbers:
    """The numbers of a page by their digits, to look operands up."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        """Read the cells and texts of one document; other passages only place them."""
        page = list(passages)
        tables = {one.passage_id: one.parent_id for one in page if one.space == "row"}
        self._mentions: dict[Decimal, list[_Mention]] = {}
        self._rows = {
            (one.table, one.row): Place(one.passage_id, None, one.parent_id, one.row)
            for one in page
            if one.space == "row"
        }
        for one in page:
            if one.space in ("cell", "text"):
                place = _place(one, tables)
                for mention in _mentions(one.text, place):
                    self._mentions.setdefault(abs(mention.value), []).append(mention)

    def row(self, table: int, row: int) -> Place | None:
        """Place of a row of a table, null where the page has no such row."""
        return self._rows.get((table, row))

    def find(self, written: str) -> tuple[str | None, tuple[Place, ...]]:
        """Places of a literal, and the reading that found them; none where it is nowhere."""
        literal = _literal(written)
        if literal is None:
            return None, ()
        value, is_percent = literal
        for match, found in self._readings(value, is_percent):
            places = tuple(dict.fromkeys(mention.place for mention in found))
            if places:
                return match, places
        return None, ()

    def _readings(self, value: Decimal, is_percent: bool) -> Iterator[tuple[str, list[_Mention]]]:
        size = abs(value)
        same = self._mentions.get(size, [])
        alike = [one for one in same if one.is_percent or not is_percent]
        yield "exact", [one for one in alike if one.value == value]
        yield "sign", alike
        yield "percent", self._percentages(size, is_percent)
        yield "scale", self._scaled(size)

    def _percentages(self, size: Decimal, is_percent: bool) -> list[_Mention]:
        if is_percent:
            shares = self._mentions.get(size / 100, [])
            return [one for one in shares if not one.is_percent] + self._mentions.get(size, [])
        return [one for one in self._mentions.get(size * 100, []) if one.is_percent]

    def _scaled(self, size: Decimal) -> list[_Mention]:
        found = []
        for factor in _FACTORS:
            # 1500 of "1.5 billion" is written in millions: its scale is the larger one.
            smaller = self._mentions.get(size / factor, [])
            found += [one for one in smaller if one.scale >= factor]
        return found


def _place(passage: Passage, tables: Mapping[str, str | None]) -> Place:
    if passage.space == "text" or passage.parent_id is None:
        return Place(passage.passage_id)
    return Place(
        passage.parent_id,
        passage.passage_id,
        tables.get(passage.parent_id),
        passage.row,
        passage.column,
    )


def _mentions(text: str, place: Place) -> Iterator[_Mention]:
    for match in _NUMBER.finditer(text.lower()):
        digits = match["digits"].replace(",", "")
        if len(digits) <= _MAX_DIGITS:
            value = Decimal(digits)
            is_negative = bool(match["sign"] or match["inner"])
            yield _Mention(
                place,
                -value if is_negative else value,
                match["percent"] is not None,
                _SCALES.get(match["scale"] or "", Decimal(1)),
            )


def _literal(written: str) -> tuple[Decimal, bool] | None:
    match = _NUMBER.fullmatch(written.strip().removesuffix(")"))
    if match is None or len(match["digits"]) > _MAX_DIGITS:
        return None
    value = Decimal(match["digits"].replace(",", ""))
    is_negative = bool(match["sign"] or match["inner"])
    return (-value if is_negative else value), match["percent"] is not None


def trace_operands(steps: Sequence[Step], page: PageNumbers) -> list[TracedOperand]:
    """Find where each operand of a run comes from.

    Args:
        steps: of an execution; arguments that an operation does not read are left out.
        page: numbers of the question's page; a table operation reads its first table.
    """
    return [
        _traced(step, operand_pos, operand, page)
        for step in steps
        for operand_pos, operand in enumerate(step.operands)
        if operand.kind != "unused"
    ]


def _traced(step: Step, operand_pos: int, operand: Operand, page: PageNumbers) -> TracedOperand:
    match: str | None = None
    places: tuple[Place, ...] = ()
    origin = operand.kind
    if operand.kind == "row":
        row = page.row(0, step.row) if step.row is not None else None
        origin, places = ("nowhere", ()) if row is None else ("table", (row,))
    elif operand.kind == "number":
        match, places = page.find(operand.written)
        origin = _origin(places)
    return TracedOperand(
        step.step_pos, operand_pos, step.op, operand, origin, match, places, step.result
    )


def _origin(places: Sequence[Place]) -> str:
    if any(place.cell_id is not None for place in places):
        return "table"
    return "text" if places else "nowhere"

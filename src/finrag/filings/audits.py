"""Whether reading what is printed gives what the tags state.

A number is read from its table or its paragraph alone; where the tag stands says only which of the
numbers read is compared.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from math import isclose, log10
from typing import Final, NamedTuple

from finrag.filings.facts import Texts
from finrag.filings.formats import spelled_numbers
from finrag.filings.model import Block, Cell, Context, Fact, FactAudit, Table
from finrag.text.numbers import Amount, find_amounts
from finrag.text.scales import read_scales

SAME_PERIOD_DAYS: Final = 7
"""How far two ends of one period may lie apart: fiscal years of 52 weeks end on a weekday."""

MIN_BARE: Final = 10
"""Amounts without a scale that sentences hold where the document's scale is theirs."""
MIN_BARE_SHARE: Final = 0.1
"""Their share among amounts of money there."""
MAX_STATEMENT: Final = 200
"""Characters of a line that can state the scale of what follows."""
MAX_NOTES: Final = 30
"""How many notes under a table are looked back over."""

_NOISE: Final = 1e-9
_LARGEST: Final = 1e12
# A hundredth of a percent is a ten-thousandth, whatever it is called.
_PARTS: Final = {"percent": 100.0, "percentage_points": 100.0, "basis_points": 10_000.0}
_PERCENT: Final = re.compile(r"[ -]per ?cent")
_NOT: Final = re.compile(r"\bnot\b(?! (?:be |been )?(?:deemed )?(?:material|significant))")
_NOTE: Final = re.compile(r"\(?[0-9a-z]{1,2}\)|[*†‡]|[0-9]{1,2} ?[A-Z]")
_SCALED: Final = re.compile(r"\$ ?[0-9][0-9.,]* (?:thousand|million|billion|trillion)")
_BARE: Final = re.compile(
    r"\$ ?[0-9][0-9,]*(?:\.[0-9])?(?![0-9]|[.,][0-9])(?! (?:thousand|million|billion|trillion))"
)
_DIGITS: Final = re.compile(r"[0-9][0-9.,]*")


class Reading(NamedTuple):
    """A number that was read from a text.

    Attributes:
        start: where it starts.
        end: where it ends.
        value: whole units; a percentage as a part of one.
    """

    start: int
    end: int
    value: float


def audit_facts(
    facts: Sequence[Fact],
    tables: Mapping[int, Table],
    blocks: Sequence[Block],
    context: Context,
) -> list[FactAudit]:
    """Compare each fact with what is read where it is tagged.

    A tag's value is the printed number times a power of ten, so both must be equal but for noise
    of floats, a billionth: nothing is forgiven for rounding. Percentages are compared as parts of
    one, as tags state them.

    Args:
        facts: of one document.
        tables: what was read of its tables, by the number of their block.
        blocks: of the document.
        context: of the document.

    Returns:
        An audit a fact, in order.
    """
    reader = _Reader(tables, blocks, context)
    return [_audit(fact, reader) for fact in facts]


def prose_scale(blocks: Sequence[Block], context: Context) -> int | None:
    """The power of ten by which amounts of money are meant whose sentence states no scale.

    Some filings say "in millions" of their tables and mean their sentences too: "interest of $111
    and $143". They are told by their many amounts without a scale, of which most do not end in the
    zeros of the scale: those would be printed in full.

    Returns:
        The document's scale, or null where sentences state their own.
    """
    if not context.scale:
        return None
    texts = [block.text for block in blocks if block.grid is None and "$" in block.text]
    found = [amount for text in texts for amount in _BARE.findall(text)]
    bare = len(found)
    zeros = "0" * context.scale
    in_full = sum(amount.replace(",", "").endswith(zeros) for amount in found)
    scaled = sum(len(_SCALED.findall(text)) for text in texts)
    is_meant = bare >= MIN_BARE and bare >= MIN_BARE_SHARE * (bare + scaled)
    return context.scale if is_meant and in_full <= bare / 2 else None


def read_digits(text: str, scale: int | None = None, shares: int = 0) -> list[Reading]:
    """Read the numbers in digits from a text alone.

    Args:
        text: of a paragraph or a cell.
        scale: power of ten of amounts of money that state none, where the document says so once
            for all; amounts with cents are prices and no such amounts.
        shares: power of ten of bare counts, where the text is about shares.

    Returns:
        In text order, none overlapping; a range gives its two ends. What a scale would raise to
        trillions is printed in full.
    """
    readings: list[Reading] = []
    for amount in find_amounts(text):
        factor = _factor(amount, scale, shares if "share" in text else 0)
        if amount.range_low is None or amount.range_high is None:
            readings.append(Reading(amount.start, amount.end, amount.value * factor))
            continue
        pieces = [match.start() for match in _DIGITS.finditer(text, amount.start, amount.end)]
        middle = pieces[-1] if pieces else (amount.start + amount.end) // 2
        readings.append(Reading(amount.start, middle, amount.range_low * factor))
        readings.append(Reading(middle, amount.end, amount.range_high * factor))
    return readings


def read_words(text: str) -> list[Reading]:
    """Read the numbers that a text spells out, as `read_digits` reads digits.

    "Not" reads as nought, as in "we did not repurchase any shares"; in "was not material" it says
    nothing of the sort.
    """
    readings = [
        Reading(start, end, value / 100 if _PERCENT.match(text, end) else value)
        for start, end, value in spelled_numbers(text)
    ]
    readings += [Reading(*match.span(), 0.0) for match in _NOT.finditer(text)]
    return sorted(readings)


def _factor(amount: Amount, scale: int | None, shares: int) -> float:
    """What a printed number is multiplied by."""
    if amount.unit in _PARTS:
        return 1 / _PARTS[amount.unit]
    if amount.scale != "units" or amount.unit is None:
        return 1.0
    has_cents = amount.high - amount.low < 0.05 and not amount.is_range
    if amount.unit.isupper():
        power = 0 if has_cents else scale or 0
    else:
        power = shares if amount.unit == "count" else 0
    factor = 10.0**power
    return factor if abs(amount.value) * factor < _LARGEST else 1.0


class _Reader:
    """What is read where, each table and each text once."""

    def __init__(
        self, tables: Mapping[int, Table], blocks: Sequence[Block], context: Context
    ) -> None:
        self._tables = tables
        self._blocks = blocks
        self._prose = prose_scale(blocks, context)
        self._cells: dict[int, dict[tuple[int, int], Cell]] = {}
        self._share_scales: dict[int, int] = {}
        self._texts = Texts(blocks)
        self._read: dict[tuple[int, int, int, bool], list[Reading]] = {}

    def cell(self, fact: Fact) -> Cell | None:
        """The cell in which a fact stands."""
        table = self._tables.get(fact.block) if fact.row >= 0 else None
        if table is None:
            return None
        if fact.block not in self._cells:
            self._cells[fact.block] = {place: cell for cell in table.cells for place in cell.places}
        return self._cells[fact.block].get((fact.row, fact.column))

    def number(self, fact: Fact, cell: Cell | None) -> float | None:
        """The number read where a fact stands: the cell's, else one of its text."""
        if cell is not None:
            value = cell.value
            if cell.low is not None and cell.high is not None:
                value = cell.low if self._is_first(fact, cell) else cell.high
            if value is not None:
                return value / _PARTS.get(cell.unit or "", 1.0)
        for in_words in (False, True):
            readings = self._readings(fact, in_words=in_words)
            # The first that ends behind the tag's start, where it starts before the tag's end.
            place = bisect_right(readings, fact.start, key=lambda one: one.end)
            if place < len(readings) and readings[place].start < fact.end:
                return readings[place].value
        return None

    def _is_first(self, fact: Fact, cell: Cell) -> bool:
        """Whether a fact is the first end of a range, in one cell of the grid or over several."""
        readings = self._readings(fact, in_words=False)
        if len(readings) > 1:
            return readings[0].end > fact.start
        return cell.places.index((fact.row, fact.column)) * 2 < len(cell.places)

    def _readings(self, fact: Fact, *, in_words: bool) -> list[Reading]:
        key = fact.block, fact.row, fact.column, in_words
        if key not in self._read:
            text = self._texts.at(fact)
            scale = None if in_words else self._scale(fact.block)
            shares = 0 if in_words or fact.row < 0 else self._share_scale(fact.block)
            self._read[key] = read_words(text) if in_words else read_digits(text, scale, shares)
        return self._read[key]

    def _share_scale(self, number: int) -> int:
        """The scale of shares that a table's headers state, its caption or the lines before it."""
        if number not in self._share_scales:
            table = self._tables.get(number)
            texts = [cell.text for cell in table.cells if cell.is_header] if table else []
            texts += [block.text for block in reversed(self._blocks[max(number - 4, 0) : number])]
            stated = (read_scales(text) for text in texts if len(text) <= MAX_STATEMENT)
            shares = (one.shares for one in stated if one is not None and one.shares is not None)
            self._share_scales[number] = next(shares, 0)
        return self._share_scales[number]

    def _scale(self, number: int) -> int | None:
        """The scale that amounts of a block have: its table's, that of the table it is a note to.

        A note opens with its mark and stands under the table, other notes between them.
        """
        first = max(number - MAX_NOTES, 0)
        while number > first and number not in self._tables:
            if not _NOTE.match(self._blocks[number].text):
                return self._prose
            number -= 1
        table = self._tables.get(number)
        return table.scale if table and table.scale_source else self._prose


def _audit(fact: Fact, reader: _Reader) -> FactAudit:
    if not fact.is_numeric:
        return FactAudit("not_numeric", None, None, "the tag states no number")
    if fact.is_hidden:
        return FactAudit("not_read", None, None, "it is not shown")
    cell = reader.cell(fact)
    period_agrees = _same_period(fact, cell) if cell else None
    read = reader.number(fact, cell)
    if fact.value is None:
        missing = "the tag says: no value" if fact.is_nil else "the tag is faulty"
        return FactAudit("not_read", read, period_agrees, missing)
    if read is None:
        return FactAudit("not_read", None, period_agrees, "no number is read there")
    verdict = _verdict(read, fact.value)
    reason = None if verdict == "agrees" else f"read {read!r}, tagged {fact.value!r}"
    return FactAudit(verdict, read, period_agrees, reason)


def _verdict(read: float, tagged: float) -> str:
    if isclose(read, tagged, rel_tol=_NOISE):
        return "agrees"
    if isclose(read, -tagged, rel_tol=_NOISE):
        return "sign_differs"
    if read and tagged:
        power = log10(abs(read / tagged))
        if isclose(power, round(power), abs_tol=_NOISE):
            return "scale_differs"
    return "value_differs"


def _same_period(fact: Fact, cell: Cell) -> bool | None:
    """Whether headers name the fact's period; starts count where both have one."""
    if cell.period_end is None or fact.period_end is None:
        return None
    ends = [(cell.period_end, fact.period_end)]
    if cell.period_start is not None and fact.period_start is not None:
        ends.append((cell.period_start, fact.period_start))
    return all(_near(read, tagged) for read, tagged in ends)


def _near(read: date, tagged: date) -> bool:
    return abs((read - tagged).days) <= SAME_PERIOD_DAYS

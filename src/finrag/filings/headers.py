"""What headers, labels and captions say their numbers are: their unit and their measure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from finrag.filings.model import Grid
from finrag.records.vocabulary import read_vocabulary
from finrag.text.scales import THINGS, names_money, read_scales

_VOCABULARY: Final = read_vocabulary(__file__, **THINGS)
_PAR_VALUE: Final = _VOCABULARY.pattern("par_value")
_REMARK: Final = _VOCABULARY.pattern("remark")
_UNITS: Final = _VOCABULARY.patterns("units")
_WEAK_UNITS: Final = _VOCABULARY.patterns("weak_units")
_MEASURES: Final = _VOCABULARY.patterns("measures")
_LONG: Final = 400


def is_statement(text: str) -> bool:
    """Whether a text states a scale for what follows: it is short, or says it in brackets."""
    if len(text) <= 120 or text.endswith(":"):
        return True
    return any(read_scales(part) for part in re.findall(r"\([^()]{4,120}\)", text))


def shows_money(grid: Grid) -> bool:
    """Whether a cell of a table shows the sign of a currency or names one."""
    return any(names_money(cell.text) for cell in grid.cells)


class Unit(NamedTuple):
    """A unit that words name.

    Attributes:
        unit: `USD` where they name an amount of money.
        is_sure: whether they name it even where neighbours are amounts of money.
    """

    unit: str
    is_sure: bool = True


@lru_cache(maxsize=4096)
def read_unit(text: str) -> Unit | None:
    """The unit that a header or the label of a row names; null where it names none."""
    lower = text.lower()
    if len(lower) > _LONG:
        return None
    if _PAR_VALUE.search(lower):
        return Unit("USD")
    lower = _REMARK.sub("", lower).strip(" :,")
    for patterns, is_sure in ((_UNITS, True), (_WEAK_UNITS, False)):
        for unit, pattern in patterns.items():
            if pattern.search(lower):
                return Unit(unit, is_sure)
    return None


@lru_cache(maxsize=4096)
def read_measure(text: str) -> str | None:
    """What a header or a label measures its numbers in, other than the table's amounts.

    Returns:
        `rate` ("per barrel"), `percent`, `count` ("number of stores", "(in thousands of tons)");
        null where it names none. Shares and what one of them has are units: see `read_unit`.
    """
    lower = text.lower()
    if len(lower) > _LONG:
        return None
    return next((name for name, pattern in _MEASURES.items() if pattern.search(lower)), None)

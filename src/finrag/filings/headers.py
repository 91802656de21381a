"""What headers, labels and captions say their numbers are: their scale and their unit."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
_SCALE_WORD: Final = _VOCABULARY.pattern("scale_word")
_SHARES_WORD: Final = _VOCABULARY.pattern("shares_word")
_EXCEPT_SHARES: Final = _VOCABULARY.pattern("except_shares")
_CLAUSE: Final = _VOCABULARY.pattern("clause")
_PAR_VALUE: Final = _VOCABULARY.pattern("par_value")
_REMARK: Final = _VOCABULARY.pattern("remark")
_UNITS: Final = _VOCABULARY.patterns("units")
_WEAK_UNITS: Final = _VOCABULARY.patterns("weak_units")
_MEASURES: Final = _VOCABULARY.patterns("measures")
_POWERS: Final = {"thousand": 3, "000": 3, "million": 6, "billion": 9}
_LONG: Final = 400


class Scales(NamedTuple):
    """Powers of ten that a text states; null where it states none.

    Attributes:
        amounts: of amounts of money, and of what is counted in nothing else.
        shares: of shares.
    """

    amounts: int | None
    shares: int | None


@lru_cache(maxsize=4096)
def read_scales(text: str) -> Scales | None:
    """The scales that a header, a caption or a note in brackets states; null where none is.

    The first scale stated is that of amounts: "in millions, except shares in thousands".
    """
    # A statement stands at the start or the end of what is long.
    lower = (text if len(text) <= 2 * _LONG else text[:_LONG] + text[-_LONG:]).lower()
    # What the pattern looks for, sooner found.
    if "illions" not in lower and "thousands" not in lower and "000" not in lower:
        return None
    amounts: int | None = None
    shares: int | None = None
    for match in _SCALE_WORD.finditer(lower):
        power = _POWERS[match[1] or match[2]]
        clause = _clause_before(lower, match.start())
        says_shares = _SHARES_WORD.search(clause) is not None or lower[match.end() :].startswith(
            " of shares"
        )
        if says_shares and shares is None:
            shares = power
        if amounts is None and (not says_shares or "dollar" in clause or "$" in clause):
            amounts = power
    if amounts is None and shares is None:
        return None
    if shares is None:
        shares = 0 if _EXCEPT_SHARES.search(lower) else amounts
    return Scales(amounts, shares)


def _clause_before(lower: str, end: int) -> str:
    start = 0
    for match in _CLAUSE.finditer(lower, 0, end):
        if not lower.startswith((" which", " that", "which"), match.end()):
            start = match.start()
    return lower[start:end]


def is_statement(text: str) -> bool:
    """Whether a text states a scale for what follows: it is short, or says it in brackets."""
    if len(text) <= 120 or text.endswith(":"):
        return True
    return any(_SCALE_WORD.search(part.lower()) for part in re.findall(r"\([^()]{4,120}\)", text))


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

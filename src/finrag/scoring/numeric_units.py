"""Units of figures: which measure the same thing, and how many of one make the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

CURRENCIES: Final = frozenset(
    {
        *("USD", "EUR", "GBP", "JPY", "CNY", "CAD", "AUD", "HKD", "TWD", "BRL", "SGD", "CHF"),
        *("INR", "KRW", "MXN", "SEK", "NOK", "DKK", "ILS", "ZAR", "NZD"),
    }
)
_PER_SHARE: Final = "_PER_SHARE"
# Parts of a whole: how much of the whole one unit is.
_SHARES: Final = {
    "PERCENT": 0.01,
    "PERCENTAGE": 0.01,
    "%": 0.01,
    "PERCENTAGE_POINTS": 0.01,
    "BASIS_POINTS": 0.0001,
    "BPS": 0.0001,
    "RATIO": 1.0,
    "SHARE": 1.0,
    "TIMES": 1.0,
    "X": 1.0,
}
_BARE: Final = frozenset({"", "COUNT", "NUMBER", "NONE"})


@dataclass(frozen=True, slots=True)
class Measure:
    """What a unit measures.

    Attributes:
        kind: ``money``, ``money_per_share``, ``share`` (percent, points, basis points,
            ratios), ``number`` (people, days, stores), ``year``, or ``bare`` where no unit is
            told.
        name: ISO code of a currency, the counted thing of a number; else empty.
        factor: What one unit is, as a part of the whole, for ``share``; else 1.
    """

    kind: str
    name: str
    factor: float


@lru_cache(maxsize=256)
def measure(unit: str | None) -> Measure:
    """Read the name of a unit.

    Args:
        unit: ``USD``, ``EUR_per_share``, ``percent``, ``basis_points``, ``ratio``, ``count``,
            ``people``, ``year`` ... in any case; None or ``count`` for a bare number. A name
            that is none of these counts a thing of that name.

    Returns:
        What it measures.
    """
    name = (unit or "").strip().upper().replace(" ", "_").replace("/SHARE", _PER_SHARE)
    if name in _BARE:
        return Measure("bare", "", 1.0)
    if name in CURRENCIES:
        return Measure("money", name, 1.0)
    if name.removesuffix(_PER_SHARE) in CURRENCIES:
        return Measure("money_per_share", name.removesuffix(_PER_SHARE), 1.0)
    if name in _SHARES:
        return Measure("share", "", _SHARES[name])
    if name in ("YEAR", "YEARS"):
        return Measure("year", "", 1.0)
    return Measure("number", name.lower(), 1.0)


def mismatch(answer: Measure, gold: Measure) -> str | None:
    """Why two units cannot stand for one figure.

    A bare number is taken in the unit that was asked for, and plain dollars answer a question
    for dollars per share, since "$1.93" is how those are printed. Dollars per share never
    answer a question for dollars. Percentage points and percent are not told apart.

    Args:
        answer: The unit of the answer.
        gold: The unit of the gold; ``bare`` goes with everything.

    Returns:
        ``currency`` for another currency, ``unit`` for another kind of unit, None for none.
    """
    if "bare" in (answer.kind, gold.kind):
        return None
    is_money = answer.kind.startswith("money") and gold.kind.startswith("money")
    if is_money and answer.name != gold.name:
        return "currency"
    if is_money:
        is_fit = gold.kind in (answer.kind, "money_per_share")
        return None if is_fit else "unit"
    if answer.kind != gold.kind or answer.name != gold.name:
        return "unit"
    return None


def in_units_of(value: float, answer: Measure, gold: Measure, asks_percent: bool) -> float:
    """A figure of the answer in the unit of the gold.

    Where parts of a whole are asked for, a bare number below 1 is a share of 1 ("0.05" is 5
    percent) unless the question asks for percent in so many words; any other bare number is
    in the unit of the gold. The gold's value plays no part in that.

    Args:
        value: The figure.
        answer: Its unit.
        gold: The unit to turn it into; the two must not mismatch.
        asks_percent: The question names percent.

    Returns:
        The figure in units of the gold.
    """
    if gold.kind != "share":
        return value
    factor = answer.factor if answer.kind == "share" else gold.factor
    if answer.kind == "bare" and abs(value) < 1 and not asks_percent:
        factor = 1.0
    # 5 / 100 before 5 * 0.01: one rounding less.
    ratio = round(gold.factor / factor)
    return value / ratio if ratio > 1 else value * round(factor / gold.factor)

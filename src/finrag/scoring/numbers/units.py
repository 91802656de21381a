"""Units of figures: which measure the same thing, and how many of one make the other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import Amount

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

# Currencies that stand behind a figure, or before it under a sign that filings seldom print.
_CODES: Final = "|".join(code.lower() for code in sorted(CURRENCIES))
_VOCABULARY: Final = read_vocabulary(__file__)
_NAMED: Final = _VOCABULARY.tables["named"]
_CURRENCY_AFTER: Final = re.compile(
    rf"[ \xa0]?(?:(?P<code>{_CODES})\b|(?P<name>{'|'.join(_NAMED)})(?:s|er|or|a)?\b)"
)
_CURRENCY_BEFORE: Final = re.compile(rf"(?:\b(?P<code>{_CODES})|(?P<won>₩))[ \xa0]?$")
_THING_AFTER: Final = _VOCABULARY.pattern("thing_after")
_PEOPLE: Final = frozenset({"employee", "people", "person", "worker", "associate", "staff"})
_UNIT_SCALE: Final = _VOCABULARY.pattern("unit_scale", re.IGNORECASE)
_UNIT_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SIGN_CODES: Final = {"$": "USD", "€": "EUR", "£": "GBP"}


@dataclass(frozen=True, slots=True)
class Measure:
    """What a unit measures.

    Attributes:
        kind: ``money``, ``money_per_share``, ``share`` (percent, points, basis points,
            ratios), ``number`` (people, days, stores), ``year``, or ``bare`` where no unit is
            stated.
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


def unit_and_scale(unit: str | None) -> tuple[str | None, float]:
    """A unit that may name a scale: "USD millions" is USD, times a million.

    Args:
        unit: As a system names it.

    Returns:
        The unit without its scale, and what a figure in it is multiplied by.
    """
    match = _UNIT_SCALE.fullmatch(unit.strip()) if unit else None
    if match is None:
        return unit, 1.0
    name = (match.group("before") or match.group("after")).strip(" _")
    return _SIGN_CODES.get(name, name) or None, _UNIT_SCALES[match.group("scale").lower()]


def unit_around(lower: str, one: Amount, wants: Measure) -> str | None:
    """The unit of a figure in words: its own, a currency beside it, or the thing it counts.

    A noun behind a bare number is its unit only where another kind of unit is asked for:
    "12,500 stores" answers no question for people, and "1,577 million shares" none for dollars.

    Args:
        lower: The answer in small letters.
        one: The figure.
        wants: The unit asked for.

    Returns:
        The unit; None for a bare number.
    """
    if one.unit is not None and one.unit not in ("count", "USD"):
        return one.unit
    after = _CURRENCY_AFTER.match(lower, one.end)
    if after is not None:
        return after.group("code").upper() if after.group("code") else _NAMED[after.group("name")]
    if one.unit == "USD":
        return "USD"
    before = _CURRENCY_BEFORE.search(lower, max(0, one.start - 5), one.start)
    if before is not None:
        return "KRW" if before.group("won") else before.group("code").upper()
    thing = _THING_AFTER.match(lower, one.end)
    if thing is None or wants.kind == "bare":
        return None
    name = "people" if thing.group("thing") in _PEOPLE else thing.group("thing")
    asked = wants.name.rstrip("s")
    is_asked = asked == name or (name == "people" and asked in _PEOPLE)
    return None if wants.kind == "number" and is_asked else f"{name}s"


def mismatch(answer: Measure, gold: Measure) -> str | None:
    """Why two units cannot stand for one figure.

    A bare number is taken in the unit that was asked for, and plain dollars answer a question
    for dollars per share, since "$1.93" is how those are printed. Dollars per share never
    answer a question for dollars. Percentage points and percent are treated
    as different only where a change in percent is asked for (``finrag.scoring.numbers``).

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

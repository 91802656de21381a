"""The scale of the bare figures of a table: what is stated nearest to each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.words import MAX_REMEMBERED
from finrag.text.numbers import Amount, lower_same_length
from finrag.text.scales import said_of

_VOCABULARY: Final = read_vocabulary(__file__)
_SCALE: Final = _VOCABULARY.pattern("scale")
_UNSCALED: Final = _VOCABULARY.pattern("unscaled")
_IN_WORDS: Final = _VOCABULARY.pattern("in_words")
_CURRENCIES: Final = {
    name: _VOCABULARY.pattern(name) for name in ("USD", "EUR", "GBP", "JPY", "CNY")
}
_NAMES: Final = {
    **{name: f"{name}s" for name in ("thousand", "million", "billion")},
    **{"000": "thousands", "m": "millions", "mm": "millions", "bn": "billions"},
}
# Characters behind a scale in which stands what it counts.
_BEHIND: Final = 40
UNITS: Final = "units"
FACTORS: Final = {"thousands": 1e3, "millions": 1e6, "billions": 1e9}


class Scaling(NamedTuple):
    """How the bare figures of a text are read.

    Attributes:
        unit: the currency of a figure that names none, or ``count``.
        otherwise: the scale of a figure beside which none is stated; UNITS leaves it as it is.
        is_table: whether the text is of a table; elsewhere the last scale stated before a figure
            holds on.
    """

    unit: str
    otherwise: str
    is_table: bool


@lru_cache(maxsize=MAX_REMEMBERED)
def stated_scales(text: str, *, is_of_money: bool = False) -> tuple[str, ...]:
    """The scales that a text states for bare figures, each once, in text order.

    Args:
        text: of a table or a page.
        is_of_money: leaves out what is said of shares or other things: "(shares in thousands)".
    """
    scales = _scales(lower_same_length(text), is_of_money=is_of_money)
    return tuple(dict.fromkeys(name for _, name in scales))


@lru_cache(maxsize=MAX_REMEMBERED)
def is_in_currency(text: str, unit: str) -> bool:
    """Whether bare figures of a text may be of a currency; a text that names none is in dollars."""
    lower = lower_same_length(text)
    stated = {name for name, pattern in _CURRENCIES.items() if pattern.search(lower)}
    return unit in (stated or {"USD"})


def in_scale(text: str, amounts: Sequence[Amount], scaling: Scaling) -> list[Amount]:
    """The amounts of a text, bare ones in the scale that holds for them.

    It is the scale in the heading of the cell ("2023 (in millions): 5"), else in the label of the
    line, else that of the table or page. Per share, percentages and ratios stay as they are, and
    so does what names its unit itself ("5 USD").
    """
    lower = lower_same_length(text)
    is_of_money = len(scaling.unit) == 3
    above = [] if scaling.is_table else list(_scales(lower, is_of_money=is_of_money))
    return [
        _scaled(one, scaling, _scale_at(lower, one.start, above) or scaling.otherwise)
        if one.scale == "units"
        and one.unit in {"count", scaling.unit}
        and not one.is_range
        and not one.raw[-1].isalpha()
        and not _IN_WORDS.match(lower, one.end)
        else one
        for one in amounts
    ]


def _scale_at(lower: str, place: int, above: Sequence[tuple[int, str]]) -> str | None:
    """The scale stated nearest to a figure, UNITS where it has none, None where none is stated."""
    line = lower[lower.rfind("\n", 0, place) + 1 : place]
    label, heading = line.split(";", 1)[0], line.rsplit(";", 1)[-1]
    if _UNSCALED.search(label) or _UNSCALED.search(heading):
        return UNITS
    beside = [name for part in (label, heading) for _, name in _scales(part)]
    if beside:
        return beside[-1]
    at = bisect_right(above, place, key=lambda one: one[0])
    return above[at - 1][1] if at else None


def _scales(lower: str, *, is_of_money: bool = False) -> Iterator[tuple[int, str]]:
    for found in _SCALE.finditer(lower):
        start = lower.rfind("\n", 0, found.start()) + 1
        line = lower[start : found.end() + _BEHIND]
        of = said_of(line, found.start() - start, found.end() - start)
        if not is_of_money or not of or "money" in of:
            yield found.end(), _NAMES[found[found.lastindex or 0]]


def _scaled(one: Amount, scaling: Scaling, scale: str) -> Amount:
    factor = FACTORS.get(scale)
    if factor is None:
        return one
    return replace(
        one,
        value=one.value * factor,
        low=one.low * factor,
        high=one.high * factor,
        unit=scaling.unit if one.unit == "count" else one.unit,
        scale=scale,
    )

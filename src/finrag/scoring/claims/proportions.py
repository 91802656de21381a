"""Proportions in words: "a third of", "more than doubled", traced to the figures that are cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import Amount, lower_same_length

# As shares of 1, and as what a later figure is of an earlier one.
_SHARES: Final = {
    **{"half": 1 / 2, "third": 1 / 3, "two_thirds": 2 / 3, "quarter": 1 / 4},
    **{"three_quarters": 3 / 4, "fifth": 1 / 5, "two_fifths": 2 / 5, "three_fifths": 3 / 5},
    **{"four_fifths": 4 / 5, "tenth": 1 / 10},
}
_TIMES: Final = {"doubled": 2.0, "tripled": 3.0, "quadrupled": 4.0, "halved": 0.5}
# "A third" is said of a little more and of a little less.
SLACK: Final = 0.1
# "More than a third" is seldom said of half, nor "nearly a third" of a quarter.
REACH: Final = 0.25
_VOCABULARY: Final = read_vocabulary(__file__)
_PROPORTION: Final = _VOCABULARY.pattern("proportion")


class Proportion(NamedTuple):
    """A proportion at ``text[start:end]``.

    Attributes:
        start: offset of its first character.
        end: offset after its last.
        low: least ratio that it stands for.
        high: greatest.
        is_share: whether a part of a whole is meant, which may be cited as a percentage.
    """

    start: int
    end: int
    low: float
    high: float
    is_share: bool


def find_proportions(text: str) -> Iterator[Proportion]:
    """The proportions that a text names in words, in its order."""
    for found in _PROPORTION.finditer(lower_same_length(text)):
        named = {name for name, said in found.groupdict().items() if said}
        name = next(one for one in (*_SHARES, *_TIMES) if one in named)
        value = _SHARES.get(name) or _TIMES[name]
        low, high = value * (1 - SLACK), value * (1 + SLACK)
        if "above" in named:
            low, high = value, value * (1 + REACH)
        elif "below" in named:
            low, high = value * (1 - REACH), value
        if name in _TIMES and "above" in named:
            low, high = (0.0, value) if name == "halved" else (value, 2 * value)
        yield Proportion(*found.span(), low, high, name in _SHARES)


def is_cited(one: Proportion, amounts: Sequence[Amount]) -> bool | None:
    """Whether two cited figures of a unit stand in that proportion, or a percentage states it.

    Args:
        one: the proportion.
        amounts: figures of the cited sentences.

    Returns:
        None where the cited figures can tell nothing: fewer than two of a unit, no percentage.
    """
    parts = [abs(each.value) / 100 for each in amounts if each.unit == "percent"]
    ratios = [
        abs(x.value / y.value)
        for x, y in permutations(amounts, 2)
        if x.unit == y.unit and x.unit not in ("percent", "basis_points") and y.value
    ]
    # What is not the part is the rest.
    shares = [*parts, *(1 - part for part in parts)]
    known = [*ratios, *(1 - ratio for ratio in ratios if ratio < 1), *shares]
    if not one.is_share:
        known = [*ratios, *(1 + part for part in parts), *(1 - part for part in parts)]
    if not known:
        return None
    return any(one.low <= ratio <= one.high for ratio in known)

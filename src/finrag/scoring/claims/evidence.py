"""What a cited sentence and its filing say: figures, years, dates, words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.binding import Binding, bind
from finrag.scoring.claims.scales import Scaling, in_scale
from finrag.scoring.claims.words import (
    DIRECTIONS,
    MAX_REMEMBERED,
    Wording,
    joined_words,
    wording,
)
from finrag.scoring.numbers.reading import find_dates
from finrag.text.numbers import Amount, find_amounts, lower_same_length, word_set
from finrag.text.quotations import MARKS
from finrag.text.statements import PHRASAL, terms_in, without_signs, words_of

NEAR_CHARS: Final = 120
MAX_DATE_CHARS: Final = 20
# By how much, from where and to where.
MIN_CHANGE_FIGURES: Final = 3
# Of a table that lost its rows no more are compared.
MAX_FIGURES: Final = 300

_YEAR: Final = re.compile(r"(?<![0-9.,$])(?:19|20)[0-9]{2}(?![0-9]|[.,][0-9])")
_VOCABULARY: Final = read_vocabulary(__file__)
_POLARITY: Final = _VOCABULARY.pattern("polarity")
_EARLIER: Final = _VOCABULARY.pattern("earlier")
_CENTS: Final = frozenset({"USD", "USD_per_share"})
_POINTS_AFTER: Final = re.compile(r" points?\b")
_HEDGE: Final = _VOCABULARY.pattern("hedge")
_SLACK: Final = {"about": (0.05, 0.05), "above": (0.0, 0.2), "below": (0.1, 0.0), "": (0.0, 0.0)}
_NEAR_WORD: Final = re.compile(r"[a-z]+|[;:.!?]")
_LEVELS: Final = frozenset({"from", "to"})
_COMPARISONS: Final = frozenset({"versus", "vs", "against", "than"})
_CAUSES: Final = frozenset({"due", "attributable", "related", "relating", "owing", "thanks"})
_BY: Final = frozenset({"by", "of", "approximately", "about", "nearly", "almost", "roughly"})
_CHANGES: Final = frozenset(
    [*DIRECTIONS, "change", "changes", "changed", "difference", "variance", "impact", "effect"]
)
_IS: Final = word_set("is was are were totaled totalled reached amounted had :")
_CARRYING: Final = _VOCABULARY.words["carrying"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what the words beside it say.

    Attributes:
        amount: the number.
        polarity: -1 where the words call it a loss, an outflow or a benefit in place of an
            expense, +1 where they call it income, a gain, an inflow or an expense, else 0.
        direction: +1 or -1 where it is called an increase or a decrease, else 0.
        level: "from" or "to" where it is one end of a change, else "".
        trend: +1 or -1 where the change that it is one end of goes up or down, else 0.
        role: "change" where it says by how much, "level" where it says how much, "plain" where
            nothing near tells of a change, else "".
        binding: the years and the words that it is said of.
        is_decimal: whether it is a percentage written as a decimal.
        slack: shares of its value by which what it stands for may be less and more, as words
            before it say: "about", "more than", "just under".
        is_earlier: whether its text speaks of how it was before a change.
    """

    amount: Amount
    polarity: int
    direction: int
    level: str
    trend: int
    role: str
    binding: Binding
    is_decimal: bool = False
    slack: tuple[float, float] = (0.0, 0.0)
    is_earlier: bool = False

    @property
    def terms(self) -> Mapping[str, frozenset[int]]:
        """The terms of accounting beside it that exclude others."""
        return without_signs(terms_in(words_of(self.binding.said)))

    @property
    def signed(self) -> float:
        """The value with the sign that words give it."""
        return -abs(self.amount.value) if self.polarity < 0 else self.amount.value


@dataclass(frozen=True)
class Reading:
    """What a cited sentence says; of its text alone, each thing read when it is first needed.

    Attributes:
        text: the sentence.
        scaling: how its bare figures are read; None: as they are printed.
    """

    text: str
    scaling: Scaling | None = None

    @cached_property
    def joined(self) -> str:
        """Its words, see ``joined_words``."""
        return joined_words(self.text)

    @cached_property
    def words(self) -> Wording:
        """Its words with what they do."""
        return wording(self.text)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Its amounts."""
        amounts = [one for one in find_amounts(self.text) if one.kind == "amount"][:MAX_FIGURES]
        if self.scaling:
            amounts = in_scale(self.text, amounts, self.scaling)
        return tuple(figures_of(self.text, amounts))

    @cached_property
    def years(self) -> frozenset[int]:
        """Four digits that may be a year."""
        return frozenset(int(found) for found in _YEAR.findall(self.text))

    @cached_property
    def dates(self) -> frozenset[tuple[int, ...]]:
        """Days named in full, as (year, month, day)."""
        return dates_in(self.text)

    @cached_property
    def has_share(self) -> bool:
        """Whether it speaks of shares or units."""
        lower = self.text.lower()
        return "share" in lower or "unit" in lower or "eps" in lower

    @cached_property
    def quotable(self) -> str:
        """Its text with single spaces and straight quotation marks."""
        return quotable(self.text)


@dataclass(frozen=True)
class Evidence:
    """A cited sentence with its filing, which is known without being said.

    Attributes:
        passage_id: key of the passage.
        text: its text; None where no such sentence exists.
        names: how its company is called.
        years: years in which the reported period ends.
        quote: the words that the citation gives as taken from it, where given.
        table_text: of a table, or a row or cell of one, the whole table; else None.
        row_text: of a sentence that is a row of a table, the row with its columns, scale and
            unit, which the sentence does not state; else None.
    """

    passage_id: str
    text: str | None
    names: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    quote: str | None = None
    table_text: str | None = None
    row_text: str | None = None


def figures_of(text: str, amounts: list[Amount]) -> list[Figure]:
    """The amounts of a text with what the words beside them say."""
    found: list[Figure] = []
    lower = lower_same_length(text) if amounts else ""
    is_earlier = _EARLIER.search(lower) is not None
    amounts = _in_one_unit(lower, amounts)
    floor = 0
    for printed, binding in zip(amounts, bind(text, amounts), strict=True):
        one = printed
        before = lower[max(floor, one.start - NEAR_CHARS) : one.start]
        hedge = _HEDGE.search(before)
        slack = _SLACK[hedge.lastgroup or ""] if hedge else (0.0, 0.0)
        words = _NEAR_WORD.findall(PHRASAL.sub(" ", before))
        last = found[-1].amount if found else None
        if words[-1:] == ["negative"] or (last and _is_repeated(one, last, lower)):
            one = _negated(one)
        following = _NEAR_WORD.match(lower[one.end : one.end + 24].lstrip())
        behind = DIRECTIONS.get(following[0], 0) if following else 0
        is_carried = bool(found) and _CARRYING.issuperset(words)
        polarity = _polarity(before) or (found[-1].polarity if is_carried else 0)
        level = _level(words)
        said = _direction(words[-5:]) or behind
        trend = said if level else 0
        if level and not trend and found and found[-1].level != level:
            trend = found[-1].trend or found[-1].direction
        direction = 0 if level else said
        role = "change" if behind and not level else _role(words, level)
        if one.unit == "percentage_points":
            # They are always of a change or a distance; a fee may be 25 basis points.
            role = "change"
        if role == "plain" and is_carried:
            role = found[-1].role
        found.append(
            Figure(
                *(one, polarity, direction, level, trend, role, binding),
                slack=slack,
                is_earlier=is_earlier or level == "from",
            )
        )
        floor = one.end
    if len(found) < MIN_CHANGE_FIGURES:
        return found
    return [_dated_by_end(one, found[at + 1 : at + 3]) for at, one in enumerate(found)]


def _in_one_unit(lower: str, amounts: list[Amount]) -> list[Amount]:
    """The amounts, "27" of "27 to 31 cents" in the unit of the other, "1.5 points" in points."""
    found = []
    for place, one in enumerate(amounts):
        after = amounts[place + 1] if place + 1 < len(amounts) else None
        if one.unit == "count" and _POINTS_AFTER.match(lower, one.end):
            found.append(replace(one, unit="percentage_points"))
        elif (
            after is not None
            and one.unit == "count"
            and after.unit in _CENTS
            and lower[one.end : after.start] == " to "
            and "cents" in after.raw
        ):
            low, high = one.low / 100, one.high / 100
            found.append(replace(one, unit=after.unit, value=one.value / 100, low=low, high=high))
        else:
            found.append(one)
    return found


def _is_repeated(one: Amount, last: Amount, lower: str) -> bool:
    """Whether brackets only repeat a negative figure: "-4.1 % ( 4.1 % )"."""
    is_same = last.value < 0 and one.value == -last.value and one.unit == last.unit
    return is_same and lower[last.end : one.start].strip() == "("


def _negated(one: Amount) -> Amount:
    if one.value < 0 or one.is_range:
        return one
    return replace(one, value=-one.value, low=-one.high, high=-one.low)


def _dated_by_end(one: Figure, ends: list[Figure]) -> Figure:
    """The figure; "up by $2, from $3 in 2020 to $5 in 2021" is of the year that it leads to."""
    if one.role != "change" or one.binding.years or [end.level for end in ends] != ["from", "to"]:
        return one
    return replace(one, binding=replace(one.binding, years=ends[1].binding.years))


def _level(words: list[str]) -> str:
    """Which end of a change a figure is by the words before it; what it is compared to is one."""
    last = words[-1] if words else ""
    if last in _COMPARISONS or words[-2:-1] == ["compared"]:
        return "from"
    is_cause = last == "to" and words[-2:-1] and words[-2] in _CAUSES
    return last if last in _LEVELS and not is_cause else ""


def _role(words: list[str], level: str) -> str:
    if level:
        return "level"
    at = len(words)
    while at and words[at - 1] in _BY:
        at -= 1
    if at and words[at - 1] in DIRECTIONS:
        return "change"
    if "by" in words[at:] and not DIRECTIONS.keys().isdisjoint(words):
        return "change"
    if not _CHANGES.isdisjoint(words):
        return ""
    return "level" if words and words[-1] in _IS else "plain"


def _polarity(before: str) -> int:
    polarity, is_negative = 0, False
    for found in _POLARITY.finditer(before):
        word = found[0]
        if word[0] in ";.!?":
            polarity, is_negative = 0, False
        elif word == "negative":
            is_negative = True
        else:
            polarity = -1 if found[1] else 1
    return -1 if is_negative else polarity


def _direction(words: list[str]) -> int:
    direction = 0
    for word in words:
        direction = DIRECTIONS.get(word, direction) if word[0].isalpha() else 0
    return direction


@lru_cache(maxsize=MAX_REMEMBERED)
def read_evidence(text: str, scaling: Scaling | None = None) -> Reading:
    """Read a cited sentence, once however often it is cited."""
    return Reading(text, scaling)


def dates_in(text: str) -> frozenset[tuple[int, ...]]:
    """The days that a text names in full, as (year, month, day)."""
    return frozenset(tuple(map(int, day.split("-"))) for _, day in find_dates(text))


def date_ending(text: str, end: int) -> tuple[int, ...] | None:
    """The day in full whose year ends at that offset of a text."""
    near = text[max(0, end - MAX_DATE_CHARS) : end]
    last = max((day for day in find_dates(near)), default=(0, ""))[1]
    is_ended = bool(last) and near.endswith(last[:4])
    return tuple(map(int, last.split("-"))) if is_ended else None


@lru_cache(maxsize=MAX_REMEMBERED)
def name_words(names: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of a company as joined words, and their stems."""
    joined = tuple(dict.fromkeys(map(joined_words, names)))
    return joined, frozenset().union(*(wording(name).stems for name in names))


def quotable(text: str) -> str:
    """The text with single spaces and straight quotation marks, for looking up quotes."""
    plain = text.translate(MARKS) if not text.isascii() else text
    return " ".join(plain.split())

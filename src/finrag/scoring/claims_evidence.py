"""What a cited sentence and its filing say: figures, years, dates, words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from finrag.numbers import Amount, find_amounts, lower_same_length, word_set
from finrag.scoring.claims_words import (
    DIRECTIONS,
    MAX_REMEMBERED,
    Wording,
    joined_words,
    plain_lower,
    wording,
)

NEAR_CHARS: Final = 120
# Of a table that lost its rows no more are compared.
MAX_FIGURES: Final = 300

_YEAR: Final = re.compile(r"(?<![0-9.,$])(?:19|20)[0-9]{2}(?![0-9]|[.,][0-9])")
_MONTHS: Final = {
    name: place
    for place, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
        start=1,
    )
}
_MONTH: Final = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE: Final = re.compile(
    rf"\b{_MONTH} ([0-3]?[0-9]),? ((?:19|20)[0-9]{{2}})\b|"
    rf"\b([0-3]?[0-9]) {_MONTH},? ((?:19|20)[0-9]{{2}})\b"
)
_ISO: Final = re.compile(r"\b((?:19|20)[0-9]{2})-([01][0-9])-([0-3][0-9])\b")
# Words before a figure that make it a loss or an outflow though it is printed without a sign, and
# those that say the opposite; "(loss)" and "(used in)" in brackets are only the name of a line.
_POLARITY: Final = re.compile(
    r"((?<!\()\bloss(?:es)?\b(?! on)|\bdeficit\b|\bother (?:expenses?|\(expense\))"
    r"|(?<!\()\bused (?:in|for|by)\b|\boutflows?\b|\btax benefit\b"
    r"|\bbenefit (?:from|for)\b(?: income)?(?: taxes)?)"
    r"|\b(?:income|earnings|profits?|gains?|provided|generated|expenses?|provision)\b"
    r"|\bnegative\b|[;.!?] "
)
_NEAR_WORD: Final = re.compile(r"[a-z]+|[;:.!?]")
_LEVELS: Final = frozenset({"from", "to"})
# Words between two figures of one thing: "a net loss of $5 million, compared to $6 million".
_CARRYING: Final = word_set(
    "and or from to in of a an the with for fiscal year years prior versus compared by was were "
    "increase decrease"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what the words beside it say.

    Attributes:
        amount: the number.
        polarity: -1 where the words call it a loss, an outflow or a benefit in place of an
            expense, +1 where they call it income, a gain, an inflow or an expense, else 0.
        direction: +1 or -1 where it is called an increase or a decrease, else 0.
        level: "from" or "to" where it is one end of a change, else "".
    """

    amount: Amount
    polarity: int
    direction: int
    level: str

    @property
    def signed(self) -> float:
        """The value with the sign that words give it."""
        return -abs(self.amount.value) if self.polarity < 0 else self.amount.value


@dataclass(frozen=True)
class Reading:
    """What a cited sentence says; of its text alone, each thing read when it is first needed."""

    text: str

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
        amounts = [one for one in find_amounts(self.text) if one.kind == "amount"]
        return tuple(figures_of(self.text, amounts[:MAX_FIGURES]))

    @cached_property
    def years(self) -> frozenset[int]:
        """Four digits that may be a year."""
        return frozenset(int(found) for found in _YEAR.findall(self.text))

    @cached_property
    def dates(self) -> frozenset[tuple[int, int, int]]:
        """Days named in full, as (year, month, day)."""
        return dates_in(plain_lower(self.text))

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
        sentence_id: key of the sentence.
        text: its text; None where no such sentence exists.
        names: how its company is called.
        years: years in which the reported period ends.
        quote: the words that the citation gives as taken from it, where given.
    """

    sentence_id: str
    text: str | None
    names: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    quote: str | None = None


def figures_of(text: str, amounts: list[Amount]) -> list[Figure]:
    """The amounts of a text with what the words beside them say."""
    found: list[Figure] = []
    lower = lower_same_length(text) if amounts else ""
    floor = 0
    for one in amounts:
        before = lower[max(floor, one.start - NEAR_CHARS) : one.start]
        words = _NEAR_WORD.findall(before)
        polarity = _polarity(before)
        if not polarity and found and _CARRYING.issuperset(words):
            polarity = found[-1].polarity
        level = words[-1] if words and words[-1] in _LEVELS else ""
        direction = 0 if level else _direction(words[-5:], lower[one.end : one.end + 24])
        found.append(Figure(one, polarity, direction, level))
        floor = one.end
    return found


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


def _direction(words: list[str], after: str) -> int:
    direction = 0
    for word in words:
        direction = DIRECTIONS.get(word, direction) if word[0].isalpha() else 0
    if direction:
        return direction
    following = _NEAR_WORD.match(after.lstrip())
    return DIRECTIONS.get(following[0], 0) if following else 0


@lru_cache(maxsize=MAX_REMEMBERED)
def read_evidence(text: str) -> Reading:
    """Read a cited sentence, once however often it is cited."""
    return Reading(text)


def dates_in(lower: str) -> frozenset[tuple[int, int, int]]:
    """The days that a text in lower case names in full."""
    found = {
        (int(one[3] or one[6]), _MONTHS[one[1] or one[5]], int(one[2] or one[4]))
        for one in _DATE.finditer(lower)
    }
    return frozenset(
        found | {(int(one[1]), int(one[2]), int(one[3])) for one in _ISO.finditer(lower)}
    )


@lru_cache(maxsize=MAX_REMEMBERED)
def name_words(names: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of a company as joined words, and their stems."""
    joined = tuple(dict.fromkeys(map(joined_words, names)))
    return joined, frozenset().union(*(wording(name).stems for name in names))


def quotable(text: str) -> str:
    """The text with single spaces and straight quotation marks, for looking up quotes."""
    plain = text.translate(_MARKS) if not text.isascii() else text
    return " ".join(plain.split())


_MARKS: Final = {
    **dict.fromkeys(map(ord, "‘’‛′`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None),
}

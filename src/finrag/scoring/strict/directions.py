"""Whether an answer says of a change the opposite of what its gold says.

A gold that says "decreased by 41 %" is not met by "increased by 41 %", although figures and names
agree. Both are read clause by clause (``finrag.text.statements``). A clause of the gold that says
which way something went is compared with the clauses of the answer that speak of the same: those
that hold one of its figures, or else those whose subjects are most alike. The answer is against
the gold where each of them goes the other way; one that goes the same way is enough.

A denied change goes the other way: "did not increase" agrees with "decreased". Words of good and
bad ("improved") count as words of more and less, but not beside a loss, a cost or a debt, where
better is less. Words that exclude one another ("gain", "loss") are compared in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.likeness import likeness
from finrag.text.numbers import Amount, find_amounts
from finrag.text.statements import (
    AS_ALIKE,
    WAY_DENIED_REACH,
    Statement,
    direction_of_word,
    is_negator,
    read_statements,
    words_of,
)
from finrag.text.words import stem

MAX_REMEMBERED: Final = 2_048
# Longer answers are read up to here.
MAX_TEXT: Final = 20_000
# Clauses speak of the same from this mean likeness of their subjects on.
SAME: Final = 0.65

_VOCABULARY: Final = read_vocabulary(__file__)
_UP: Final = _VOCABULARY.words["up"]
_DOWN: Final = _VOCABULARY.words["down"]
_BETTER: Final = _VOCABULARY.words["better"]
_WORSE: Final = _VOCABULARY.words["worse"]
_BAD: Final = _VOCABULARY.words["bad"]
_NO_MOVE: Final = _VOCABULARY.pattern("no_move", re.IGNORECASE)
_CONTRARY: Final[Mapping[str, Mapping[str, int]]] = {
    name: {
        word: way
        for way, group in zip((1, -1), text.split("|"), strict=True)
        for word in group.split()
    }
    for name, text in _VOCABULARY.tables["contrary"].items()
}


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a clause says of changes.

    Attributes:
        stated: the clause as a statement.
        figures: its figures.
        ways: the directions of its words of change, +1 and -1, denials turned.
        moved: by the stem of the word before or behind a word of change, its directions.
        contrary: by family of words that exclude one another, the sides that it takes.
    """

    stated: Statement
    figures: tuple[Amount, ...]
    ways: frozenset[int]
    moved: Mapping[str, frozenset[int]]
    contrary: Mapping[str, frozenset[int]]

    @property
    def is_telling(self) -> bool:
        return bool(self.ways or self.contrary)


def opposition(text: str, gold: str) -> str | None:
    """Why an answer goes against the directions of a gold.

    Args:
        text: the answer, untrusted.
        gold: the gold in words.

    Returns:
        What the answer says and the gold does not, for a sentence; None where nothing tells.
    """
    said = [one for one in _clauses(text[:MAX_TEXT]) if one.is_telling]
    for wanted in _clauses(gold[:MAX_TEXT]) if said else ():
        if not wanted.is_telling:
            continue
        beside = _beside(wanted, said)
        if beside and all(_is_opposed(one, wanted) for one in beside):
            return f"'{_short(beside[0])}', not '{_short(wanted)}'"
    return None


def amounts_of(text: str) -> list[Amount]:
    """The amounts of a text: no dates, notes or ordinals."""
    return [one for one in find_amounts(text) if one.kind == "amount"]


def is_near(one: Amount, gold: Amount) -> bool:
    """Whether a figure of an answer is one of the gold, of either sign, by the digits of either."""
    if one.unit != gold.unit and "count" not in (one.unit, gold.unit):
        return False
    half = max((one.high - one.low) / 2, (gold.high - gold.low) / 2, 0.005 * abs(gold.value))
    values = {one.value, one.value * 1e6, one.value * 1e3} if one.unit == "count" else {one.value}
    return any(abs(abs(value) - abs(gold.value)) <= half for value in values)


def _beside(wanted: _Clause, said: Sequence[_Clause]) -> list[_Clause]:
    """The clauses of an answer that speak of what a clause of the gold speaks of."""
    holding = [
        one
        for one in said
        if any(is_near(figure, each) for figure in one.figures for each in wanted.figures)
    ]
    if holding:
        return holding
    if not wanted.stated.subject:
        return list(said)
    scores = [likeness(wanted.stated.subject, one.stated.subject) for one in said]
    best = max(scores)
    if best < SAME:
        return []
    return [one for one, score in zip(said, scores, strict=True) if score >= best - AS_ALIKE]


def _is_opposed(one: _Clause, wanted: _Clause) -> bool:
    if len(one.ways) == len(wanted.ways) == 1:
        return one.ways != wanted.ways
    if any(
        sides.isdisjoint(one.contrary.get(name, sides)) for name, sides in wanted.contrary.items()
    ):
        return True
    shared = one.moved.keys() & wanted.moved.keys()
    return any(one.moved[word].isdisjoint(wanted.moved[word]) for word in shared)


@lru_cache(maxsize=MAX_REMEMBERED)
def _clauses(text: str) -> tuple[_Clause, ...]:
    return tuple(_clause(one) for one in read_statements(_NO_MOVE.sub(" ", text)))


def _clause(stated: Statement) -> _Clause:
    words = words_of(stated.text)
    is_bad = not _BAD.isdisjoint(words)
    turned = [_way(words, at, is_bad) for at in range(len(words))]
    subject = frozenset(stated.subject)
    places = [at for at, word in enumerate(words) if word in subject]
    moved: dict[str, set[int]] = {}
    for at, way in enumerate(turned):
        if way:
            before = [place for place in places if place < at][-1:]
            after = [place for place in places if place > at][:1]
            for place in before + after:
                moved.setdefault(stem(words[place]), set()).add(way)
    return _Clause(
        stated,
        tuple(amounts_of(stated.text)),
        frozenset(way for way in turned if way),
        {word: frozenset(ways) for word, ways in moved.items()},
        {
            name: frozenset(sides[word] for word in words if word in sides)
            for name, sides in _CONTRARY.items()
            if not sides.keys().isdisjoint(words)
        },
    )


def _way(words: Sequence[str], at: int, is_bad: bool) -> int:
    """The direction of a word, turned where a negation stands right before it."""
    word = words[at]
    if word in _BETTER or word in _WORSE:
        way = 0 if is_bad else 1 if word in _BETTER else -1
    else:
        way = direction_of_word(word) or (word in _UP) - (word in _DOWN)
    is_denied = any(map(is_negator, words[max(0, at - WAY_DENIED_REACH) : at]))
    return -way if is_denied else way


def _short(clause: _Clause) -> str:
    line = " ".join(clause.stated.text.split())
    return line if len(line) <= 80 else line[:77] + "..."

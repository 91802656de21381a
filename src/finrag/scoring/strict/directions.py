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
from finrag.text.comparatives import turn_of
from finrag.text.likeness import best_matches, likeness
from finrag.text.numbers import Amount, find_amounts
from finrag.text.statements import (
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
MAX_TEXT: Final = 8_000
# Clauses speak of the same from this mean likeness of their subjects on.
SAME: Final = 0.65

_VOCABULARY: Final = read_vocabulary(__file__)
_UP: Final = _VOCABULARY.words["up"]
_DOWN: Final = _VOCABULARY.words["down"]
_BETTER: Final = _VOCABULARY.words["better"]
_WORSE: Final = _VOCABULARY.words["worse"]
_BAD: Final = _VOCABULARY.words["bad"]
_LINKING: Final = _VOCABULARY.words["linking"]
_JOINING: Final = frozenset({"and", "or"})
_MEASURED_BEFORE: Final = _VOCABULARY.pattern("measured_before", re.IGNORECASE)
_MEASURED_AFTER: Final = _VOCABULARY.pattern("measured_after", re.IGNORECASE)
# Words further from a word of change are not what moved.
_WORDS_BESIDE: Final = 12
# A word of change further from a figure is not measured by it.
_REACH: Final = 40
_NO_MOVE: Final = _VOCABULARY.pattern("no_move", re.IGNORECASE)
# The answer to a question denies nothing of what stands behind it.
_YES_OR_NO: Final = re.compile(
    r"(?:^|(?<=[.!?:;,*\n]))\W{0,8}(?:yes|no)\b(?! \w+ (?:in|of|to)\b)", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_CAUSE: Final = _VOCABULARY.pattern("cause", re.IGNORECASE)
# The stops of "U.S." end no sentence.
_ABBREVIATED: Final = re.compile(r"\b([A-Z])\.([A-Z])\.")
_FRONTED: Final = _VOCABULARY.pattern("fronted", re.IGNORECASE)
_ASKED: Final = _VOCABULARY.pattern("asked", re.IGNORECASE)
_OPEN: Final = frozenset({"may", "plan"})
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
        measured: by figures that say how far something went, the direction of it.
        contrary: by family of words that exclude one another, the sides that it takes.
        is_cause: whether it says why something moved.
    """

    stated: Statement
    figures: tuple[Amount, ...]
    ways: frozenset[int]
    moved: Mapping[str, frozenset[int]]
    measured: Mapping[Amount, int]
    contrary: Mapping[str, frozenset[int]]
    is_cause: bool

    @property
    def is_telling(self) -> bool:
        """Whether it says which way something went."""
        return bool(self.ways or self.contrary)

    @property
    def is_open(self) -> bool:
        """Whether it says what may be, is planned or asked, not what is."""
        return self.stated.certainty in _OPEN or _ASKED.search(self.stated.text) is not None


def opposition(text: str, gold: str) -> str | None:
    """Why an answer goes against the directions of a gold.

    Args:
        text: the answer, untrusted.
        gold: the gold in words.

    Returns:
        What the answer says and the gold does not, for a sentence; None where nothing tells.
    """
    said = [one for one in _clauses(text[:MAX_TEXT]) if one.is_telling]
    asked = [one for one in _clauses(gold[:MAX_TEXT]) if one.is_telling]
    is_named = any(one.stated.subject for one in asked)
    for wanted in asked:
        beside = _beside(wanted, said, is_named)
        if beside and all(_is_opposed(one, wanted) for one in beside):
            return f"'{_short(beside[0])}', not '{_short(wanted)}'"
    return None


def way_of(text: str) -> int:
    """The one way in which all that a text speaks of went: +1 or -1; 0 for several, or for none."""
    ways = frozenset[int]().union(*(one.ways for one in _clauses(text[:MAX_TEXT])))
    return next(iter(ways)) if len(ways) == 1 else 0


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


def _beside(wanted: _Clause, said: Sequence[_Clause], is_named: bool) -> list[_Clause]:
    """The clauses of an answer that speak of what a clause of the gold speaks of.

    What may happen says nothing against what did, nor does another year.
    """
    said = [one for one in said if _is_of_same_time(one, wanted)]
    holding = [one for one in said if _share_figure(one, wanted)]
    subject = wanted.stated.subject
    if not holding and not subject:
        # "The increase was due to ...": of what the question asks for.
        said = [one for one in said if one.is_cause == wanted.is_cause]
        bare = [one for one in said if not one.stated.subject]
        return bare if bare or is_named else said
    found = holding or [one for one in said if likeness(subject, one.stated.subject) >= SAME]
    return [one for one in found if one.is_cause == wanted.is_cause] or found


def _is_of_same_time(one: _Clause, wanted: _Clause) -> bool:
    if one.is_open and not wanted.is_open:
        return False
    years, others = one.stated.years, wanted.stated.years
    return not (years and others) or max(years) == max(others)


def _share_figure(one: _Clause, wanted: _Clause) -> bool:
    return any(is_near(figure, each) for figure in one.figures for each in wanted.figures)


def _is_opposed(one: _Clause, wanted: _Clause) -> bool:
    """Whether two clauses say of the same that it went opposite ways."""
    measured = [
        way == other
        for figure, way in one.measured.items()
        for each, other in wanted.measured.items()
        if is_near(figure, each)
    ]
    if measured:
        return not any(measured)
    if len(one.ways) == len(wanted.ways) == 1:
        return one.ways != wanted.ways and _is_of_same(one, wanted)
    if any(
        sides.isdisjoint(one.contrary.get(name, sides)) for name, sides in wanted.contrary.items()
    ):
        return True
    shared = one.moved.keys() & wanted.moved.keys()
    return any(one.moved[word].isdisjoint(wanted.moved[word]) for word in shared)


def _is_of_same(one: _Clause, wanted: _Clause) -> bool:
    """Whether two changes are of the same thing: "margin fell as costs rose" is not of margins."""
    if not one.moved or not wanted.moved or one.moved.keys() & wanted.moved.keys():
        return True
    return max(best_matches(sorted(wanted.moved), sorted(one.moved))) >= SAME


@lru_cache(maxsize=MAX_REMEMBERED)
def _clauses(text: str) -> tuple[_Clause, ...]:
    plain = _NO_MOVE.sub(" ", _YES_OR_NO.sub(" ", _ABBREVIATED.sub(r"\1\2", text)))
    plain = _FRONTED.sub(r"\1\2", plain)
    found: list[_Clause] = []
    for sentence in _SENTENCE.split(plain):
        first, *causes = _CAUSE.split(sentence)
        for part, is_cause in ((first, False), (";".join(causes), True)):
            found += (_clause(one, is_cause) for one in read_statements(part))
    return tuple(found)


def _clause(stated: Statement, is_cause: bool) -> _Clause:
    words = words_of(stated.text)
    is_bad = not _BAD.isdisjoint(words)
    has_pace = not _CONTRARY["pace"].keys().isdisjoint(words)
    figures = tuple(amounts_of(stated.text))
    turn = 0 if has_pace else turn_of(stated.text)
    ways = [turn * way for way in _ways(words, is_bad)]
    # "Growth was -41 %" is no rise, and nothing tells what else it says.
    if any(one.value < 0 for one in figures):
        ways = [min(way, 0) for way in ways]
    is_denied = any(map(is_negator, words))
    measured = {one: turn * way for one in figures if (way := _measured(stated.text, one, is_bad))}
    measured = {one: way for one, way in measured.items() if way}
    return _Clause(
        stated,
        figures,
        frozenset(way for way in ways if way),
        _moved(words, ways, frozenset(stated.subject) - _LINKING),
        {} if has_pace or is_denied else measured,
        {
            name: frozenset(sides[word] for word in words if word in sides)
            for name, sides in _CONTRARY.items()
            if not is_denied and not sides.keys().isdisjoint(words)
        },
        is_cause,
    )


def _moved(
    words: Sequence[str], ways: Sequence[int], subject: frozenset[str]
) -> Mapping[str, frozenset[int]]:
    """By the stem of the nearest word of a subject on either side, the directions beside it."""
    found: dict[str, set[int]] = {}
    for at, way in enumerate(ways):
        before = reversed(words[max(0, at - _WORDS_BESIDE) : at])
        for side in (before, words[at + 1 : at + 1 + _WORDS_BESIDE]) if way else ():
            near = next((word for word in side if word in subject or word in _JOINING), "")
            if near in subject:
                found.setdefault(stem(near), set()).add(way)
    return {word: frozenset(said) for word, said in found.items()}


def _measured(text: str, figure: Amount, is_bad: bool) -> int:
    """The direction of the word of change that a figure measures: "fell by 5 %", "a 5 % fall"."""
    before = _MEASURED_BEFORE.search(text[max(0, figure.start - _REACH) : figure.start])
    after = _MEASURED_AFTER.match(text, figure.end)
    ways = [_direction(match[1].lower(), is_bad) for match in (before, after) if match]
    way = next((way for way in ways if way), 0)
    # A rise by less than nothing is a fall; a fall is one whatever sign its figure bears.
    return -1 if figure.value < 0 and way else way


def _direction(word: str, is_bad: bool) -> int:
    """The direction of a word; none of one that says better or worse, of what is bad."""
    if word in _BETTER or word in _WORSE:
        return 0 if is_bad else 1 if word in _BETTER else -1
    return direction_of_word(word) or (word in _UP) - (word in _DOWN)


def _ways(words: Sequence[str], is_bad: bool) -> list[int]:
    """The direction of each word: turned by a denial right before it, unclear by others before."""
    found, denials = [], list[int]()
    for at, word in enumerate(words):
        way = _direction(word, is_bad)
        if denials:
            way = -way if len(denials) == 1 and at - denials[0] <= WAY_DENIED_REACH else 0
        found.append(way)
        if is_negator(word):
            denials.append(at)
    return found


def _short(clause: _Clause) -> str:
    line = " ".join(clause.stated.text.split())
    return line if len(line) <= 80 else line[:77] + "..."

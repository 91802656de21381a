"""Checks on an answer, one by one: what it must say, and what it must not contradict.

A question may carry a list of checks (``criteria``, or ``rubric`` as the Finance Agent Benchmark
calls it), each with a text, an operator (``correctness``: the answer says so; ``contradiction``: it
says nothing against), a weight and whether all is lost where it fails. A check that states figures,
names or a direction is decided by rules; all others are undecided and counted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.scoring.claims.text import find_names
from finrag.scoring.claims.words import joined_words
from finrag.text.likeness import likeness
from finrag.text.numbers import Amount, find_amounts
from finrag.text.statements import (
    ALIKE,
    AS_ALIKE,
    Statement,
    disagreement,
    read_statements,
)

CORRECTNESS: Final = "correctness"
CONTRADICTION: Final = "contradiction"
OPERATORS: Final = (CORRECTNESS, CONTRADICTION)
MAX_CRITERIA: Final = 200
_FIELDS: Final = ("criteria", "rubric")
_TEXTS: Final = ("criteria", "criterion", "text")
_YEAR: Final = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?![\d%])")
_LINES: Final = re.compile(r"\n+|(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One check: text, operator, weight, and whether an answer that fails it has no credit."""

    text: str
    operator: str = CORRECTNESS
    weight: float = 1.0
    is_dealbreaker: bool = False


@dataclass(frozen=True, slots=True)
class CriteriaScore:
    """How an answer does on its checks.

    Attributes:
        met: weight of those it meets over the weight of those decided; None where none is.
        credit: the same, 0 where a dealbreaker fails.
        passed: 1 where it meets all, 0 where it fails one; None where it fails none and some are
            undecided.
        n_met: checks that it meets.
        n_failed: checks that it fails.
        n_undecided: checks that rules cannot decide.
    """

    met: float | None
    credit: float | None
    passed: float | None
    n_met: int
    n_failed: int
    n_undecided: int


def read_criteria(original_fields: str | None) -> tuple[Criterion, ...]:
    """The checks among a record's own fields; none where it has none.

    Raises:
        ValueError: they are not a list of objects with a text, an operator is unknown, or a weight
            is no number of 0 or more.
    """
    fields = json.loads(original_fields) if original_fields else {}
    found = next((fields[name] for name in _FIELDS if fields.get(name)), ())
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise ValueError("criteria are not a list; give a list of objects")
    return tuple(_criterion(entry) for entry in found[:MAX_CRITERIA])


def _criterion(entry: Any) -> Criterion:
    if isinstance(entry, str):
        return Criterion(entry)
    text = (
        next((entry[name] for name in _TEXTS if entry.get(name)), None)
        if (isinstance(entry, Mapping))
        else None
    )
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a criterion has no text; write it under 'criteria'")
    operator = str(entry.get("operator") or CORRECTNESS).lower()
    if operator not in OPERATORS:
        raise ValueError(f"operator '{operator}' is none of {', '.join(OPERATORS)}")
    weight = entry.get("weight", 1.0)
    if (
        isinstance(weight, bool)
        or not isinstance(weight, int | float)
        or not 0 <= weight < math.inf
    ):
        raise ValueError(f"weight {weight!r} is not a number of 0 or more")
    return Criterion(text, operator, float(weight), bool(entry.get("is_dealbreaker", False)))


def score_criteria(answer: str, criteria: Sequence[Criterion]) -> CriteriaScore:
    """Check an answer; see ``CriteriaScore``."""
    found = [(one, check_criterion(answer, one)) for one in criteria]
    decided = [(one, is_met) for one, is_met in found if is_met is not None]
    total = math.fsum(one.weight for one, _ in decided)
    gained = math.fsum(one.weight for one, is_met in decided if is_met)
    met = gained / total if total else None
    is_lost = any(one.is_dealbreaker and not is_met for one, is_met in decided)
    n_failed = sum(not is_met for _, is_met in decided)
    n_undecided = len(found) - len(decided)
    passed = 0.0 if n_failed else None if n_undecided else 1.0
    credit = 0.0 if is_lost else met
    return CriteriaScore(met, credit, passed, len(decided) - n_failed, n_failed, n_undecided)


def check_criterion(answer: str, criterion: Criterion) -> bool | None:
    """Whether an answer meets a check; None where rules cannot tell."""
    if criterion.operator == CONTRADICTION:
        return _is_free_of(answer, criterion.text)
    amounts = _amounts(criterion.text)
    names = [joined_words(criterion.text[start:end]) for start, end in find_names(criterion.text)]
    if amounts:
        return _has_figures(answer, criterion.text, amounts)
    said = joined_words(answer)
    if joined_words(criterion.text).strip() and joined_words(criterion.text) in said:
        return True
    found = [name for name in names if name in said]
    if names and not found:
        return False
    return _direction(answer, criterion.text) if len(found) == len(names) else None


def _has_figures(answer: str, text: str, amounts: Sequence[Amount]) -> bool:
    """Whether a line of the answer has all figures of a check, with its year if it names one."""
    years = _years(text)
    lines = [line for line in _LINES.split(answer) if line.strip()]
    for line in lines:
        named = _years(line)
        if years and named and not years & named:
            continue
        if all(any(_is_near(one, wanted) for one in _amounts(line)) for wanted in amounts):
            return True
    # A table gives its years in a heading: figure by figure, in any line.
    if len(years) <= 1:
        return False
    said = _amounts(answer)
    return all(any(_is_near(one, wanted) for one in said) for wanted in amounts)


def _direction(answer: str, text: str) -> bool | None:
    """Whether an answer says of a check's subject that it went the same way; None for silence."""
    for stated in read_statements(text):
        if not stated.direction:
            continue
        for one in read_statements(answer):
            if one.direction and likeness(stated.subject, one.subject) >= ALIKE:
                return one.direction == stated.direction and one.is_denied == stated.is_denied
    return None


def _is_free_of(answer: str, text: str) -> bool | None:
    """Whether an answer has nothing against a text; None where it speaks of none of it.

    Each statement of the text is compared with those of the answer that are most alike in subject;
    one of them that agrees is enough.
    """
    said = read_statements(answer)
    is_spoken_of = False
    for stated in read_statements(text):
        scores = [likeness(stated.subject, one.subject) for one in said]
        best = max(scores, default=0.0)
        if best < ALIKE:
            continue
        is_spoken_of = True
        nearest = [one for one, score in zip(said, scores, strict=True) if score >= best - AS_ALIKE]
        # Of figures those speak that have some of the kind.
        units = {each.unit for each in _amounts(stated.text)}
        telling = [
            one
            for one in nearest
            if not units or any(each.unit in units for each in _amounts(one.text))
        ]
        at_that_time = [one for one in telling if _years(one.text) == _years(stated.text)]
        telling = at_that_time or telling
        if telling and all(_is_against(one, stated) for one in telling):
            return False
    return True if is_spoken_of else None


def _is_against(one: Statement, stated: Statement) -> bool:
    """Whether a statement gives another figure for the same time, or excludes what is stated."""
    wanted, said = _amounts(stated.text), _amounts(one.text)
    if not wanted:
        return disagreement(one, stated, one.is_unsure) is not None
    units = {each.unit for each in wanted}
    rivals = [each for each in said if each.unit in units]
    is_same_time = _years(stated.text) == _years(one.text)
    is_said = any(_is_near(each, other) for each in rivals for other in wanted)
    return is_same_time and bool(rivals) and not is_said


def _years(text: str) -> set[str]:
    return set(_YEAR.findall(text))


def _amounts(text: str) -> list[Amount]:
    return [one for one in find_amounts(text) if one.kind == "amount"]


def _is_near(one: Amount, wanted: Amount) -> bool:
    """Whether a figure rounds to a wanted one at the digits of either, bare or in its unit."""
    if one.unit != wanted.unit and "count" not in (one.unit, wanted.unit):
        return False
    half = max((one.high - one.low) / 2, (wanted.high - wanted.low) / 2) + 1e-9 * abs(wanted.value)
    return abs(one.value - wanted.value) <= half

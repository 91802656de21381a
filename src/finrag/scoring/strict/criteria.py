"""Checks on an answer, one by one: what it must say, and what it must not contradict.

A question may carry a list of checks (``criteria``, or ``rubric`` as the Finance Agent Benchmark
calls it), each with a text, an operator (``correctness``: the answer says so; ``contradiction``: it
says nothing against), a weight and whether all is lost where it fails. A check that states figures,
names, years, a date, a direction, yes or no, or words in quotation marks is decided by rules; all
others are undecided and counted.

Whose an answer is and of which year may be seen from what it cites, where it does not say so
itself. What all depends on it has to say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from finrag.records.criteria import CONTRADICTION, Criterion
from finrag.scoring.claims.text import find_names
from finrag.scoring.claims.words import joined_words, wording
from finrag.scoring.numbers.context import find_stated_years, flaws_of, read_contexts
from finrag.scoring.numbers.reading import find_closing_dates, find_dates
from finrag.text.likeness import likeness
from finrag.text.numbers import Amount, find_amounts
from finrag.text.statements import (
    ALIKE,
    AS_ALIKE,
    DENIAL_REACH,
    Statement,
    denial,
    disagreement,
    is_negator,
    read_statements,
)
from finrag.text.wording import read_boolean

_YEAR: Final = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?![\d%])")
_QUOTED: Final = re.compile(r"\s*[“\"]([^“”\"]+)[”\"]\s*")
_NOT_SAID: Final = frozenset({"negated", "alternative"})
# "Up from $40 million in 2021": the year of the figure that it is compared with.
_COMPARED: Final = re.compile(
    r"\b(?:from|than|versus|vs\.?|compared (?:to|with)|against) [-−(]?[$€£]?\d[^;\n]{0,24}?"
    r"\b(?:in|for|at) (?:(?:the|fiscal|year|end|of) ){0,4}(?:19|20)\d\d"
)
_WORDS: Final = re.compile(r"\w+")
_DATE_WORDS: Final = 3
_LINES: Final = re.compile(r"\n+|(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class CriteriaScore:
    """How an answer does on its checks.

    Attributes:
        met: weight of those it meets over the weight of those decided; None where none is.
        credit: the same, 0 where a dealbreaker fails; None where one is undecided.
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


def score_criteria(
    answer: str, criteria: Sequence[Criterion], sources: Sequence[str] = ()
) -> CriteriaScore:
    """Check an answer; see ``CriteriaScore`` and, for ``sources``, ``check_criterion``."""
    found = [(one, check_criterion(answer, one, sources)) for one in criteria]
    decided = [(one, is_met) for one, is_met in found if is_met is not None]
    total = math.fsum(one.weight for one, _ in decided)
    gained = math.fsum(one.weight for one, is_met in decided if is_met)
    met = gained / total if total else None
    decisive = [is_met for one, is_met in found if one.is_dealbreaker]
    n_failed = sum(not is_met for _, is_met in decided)
    n_undecided = len(found) - len(decided)
    passed = 0.0 if n_failed else None if n_undecided else 1.0
    credit = 0.0 if False in decisive else None if None in decisive else met
    return CriteriaScore(met, credit, passed, len(decided) - n_failed, n_failed, n_undecided)


def check_criterion(answer: str, criterion: Criterion, sources: Sequence[str] = ()) -> bool | None:
    """Whether an answer meets a check; None where rules cannot tell.

    Args:
        answer: its words, untrusted.
        criterion: the check.
        sources: companies and years of the filings that it cites; they count for checks of a
            name in quotation marks or a year alone, unless all depends on the check.
    """
    cited = () if criterion.is_dealbreaker else sources
    if criterion.operator == CONTRADICTION:
        return _is_free_of(answer, criterion.text)
    text = criterion.text
    if quoted := _QUOTED.fullmatch(text):
        name = joined_words(quoted[1])
        return name in joined_words(answer) or name in map(joined_words, cited)
    if text.strip(" .").lower() in ("yes", "no"):
        said, wanted = read_boolean(answer), read_boolean(text)
        return None if said is None else said == wanted
    if not _without_years(text).strip():
        return _is_of_year(answer, criterion, cited)
    days = find_dates(text)
    # "31 December 2020" and no word more.
    if len(days) == 1 and len(_WORDS.findall(text)) <= _DATE_WORDS:
        return _is_day(answer, days[0][1])
    amounts = _amounts(text)
    return _has_figures(answer, text, amounts) if amounts else _has_words(answer, text)


def _is_day(answer: str, wanted: str) -> bool | None:
    """Whether a period ends on a day, as an answer says; None where it names none in full."""
    said = find_closing_dates(answer)
    return wanted in said if said else None


def _is_of_year(answer: str, criterion: Criterion, cited: Sequence[str]) -> bool | None:
    """Whether an answer names a year, or cites it and names none but to compare with."""
    wanted, named = _years(criterion.text), _years(answer)
    stated = {str(year) for _, year in find_stated_years(_COMPARED.sub(" ", answer.lower()))}
    if wanted & (stated if stated and criterion.is_dealbreaker else named):
        return True
    if stated:
        return False
    told = _years("\n".join(cited))
    return bool(wanted & told) if told else None


def _has_words(answer: str, text: str) -> bool | None:
    """Whether the lines of an answer that may be of a check's year have its words and names."""
    years = _years(text)
    wanted = _without_years(text)
    lines = [line for line in _LINES.split(answer) if not years or _may_be_of(line, years)]
    said = _without_years("\n".join(lines))
    if wanted in said:
        having = [line for line in map(_without_years, lines) if wanted in line]
        return not having or not all(_is_denied(line, wanted) for line in having)
    names = [_without_years(text[start:end]) for start, end in find_names(text)]
    found = [name for name in names if name in said]
    if names and not found:
        return False
    return _direction(answer, text) if len(found) == len(names) else None


def _is_denied(line: str, wanted: str) -> bool:
    """Whether a negation stands right before words: "not due to lower prices"."""
    before = line.partition(wanted)[0].split()[-DENIAL_REACH:]
    return any(map(is_negator, before)) and "only" not in before


def _without_years(text: str) -> str:
    return joined_words(_YEAR.sub(" ", text))


def _may_be_of(line: str, years: set[str]) -> bool:
    named = _years(line)
    return not named or bool(years & named)


def _has_figures(answer: str, text: str, amounts: Sequence[Amount]) -> bool:
    """Whether a line of the answer has all figures of a check, with its year if it names one."""
    years = _years(text)
    # "Down by $3 million" has its sign in words.
    is_change = bool(_ways(text, is_bare=True))
    lines = [line for line in _LINES.split(answer) if line.strip()]
    for line in lines:
        if years and not _may_be_of(line, years):
            continue
        said = _said_amounts(line, text)
        if all(any(_is_near(one, each, is_change) for one in said) for each in amounts):
            return True
    # A table gives its years in a heading: figure by figure, in any line.
    if len(years) <= 1:
        return False
    said = _said_amounts(answer, text)
    return all(any(_is_near(one, wanted) for one in said) for wanted in amounts)


def _said_amounts(line: str, text: str) -> list[Amount]:
    """The amounts of a line without those that it denies or gives as one of several.

    A check may name several as well: what its own words make of a figure is no fault.
    """
    figures = _amounts(line)
    allowed = flaws_of(text, _amounts(text), "", is_change=False)
    contexts = read_contexts(line.lower(), figures, "", frozenset(), is_change=False)
    return [
        one
        for one, context in zip(figures, contexts, strict=True)
        if not (_NOT_SAID & set(context.flaws)) - allowed
    ]


def _direction(answer: str, text: str) -> bool | None:
    """Whether an answer says of a check's subject that it went the same way; None for silence.

    A check without a subject ("It increased.") is of whatever the answer speaks of. Another has
    to have all its words in one statement: "lower volumes" moved as "lower prices" did, and are
    no prices. A statement that is only like it tells nothing where both moved the same way.
    """
    if wanted := _ways(text, is_bare=True):
        ways = _ways(answer) or {-1 for one in _amounts(answer) if one.value < 0}
        return ways == wanted if len(ways) == 1 else None
    stems = wording(_YEAR.sub(" ", text)).stems
    agreed: set[bool] = set()
    for stated in read_statements(text):
        if not stated.direction:
            continue
        for one in read_statements(answer):
            if not one.direction or likeness(stated.subject, one.subject) < ALIKE:
                continue
            is_same = one.direction == stated.direction and one.is_denied == stated.is_denied
            if is_same and stems <= wording(one.text).stems:
                return True
            agreed.add(is_same)
    return False if agreed == {False} else None


def _ways(text: str, *, is_bare: bool = False) -> set[int]:
    """The directions of a text's statements; of bare ones, those that name no subject."""
    return {
        -one.direction if one.is_denied else one.direction
        for one in read_statements(text)
        if one.direction and not (is_bare and one.subject)
    }


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
        return bool(disagreement(one, stated, one.is_unsure) or denial(one, stated))
    units = {each.unit for each in wanted}
    rivals = [each for each in said if each.unit in units]
    is_same_time = _years(stated.text) == _years(one.text)
    is_said = any(_is_near(each, other) for each in rivals for other in wanted)
    return is_same_time and bool(rivals) and not is_said


def _years(text: str) -> set[str]:
    return set(_YEAR.findall(text))


def _amounts(text: str) -> list[Amount]:
    return [one for one in find_amounts(text) if one.kind == "amount"]


def _is_near(one: Amount, wanted: Amount, is_unsigned: bool = False) -> bool:
    """Whether a figure rounds to a wanted one at the digits of either, bare or in its unit."""
    if one.unit != wanted.unit and "count" not in (one.unit, wanted.unit):
        return False
    half = max((one.high - one.low) / 2, (wanted.high - wanted.low) / 2) + 1e-9 * abs(wanted.value)
    said, asked = one.value, wanted.value
    return abs(abs(said) - abs(asked) if is_unsigned else said - asked) <= half

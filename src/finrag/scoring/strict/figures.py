"""Whether the figure, or the yes or no, of an answer in words is that of the gold.

Golds of the public sets are words: "$1,577.00", "14.1%", "Yes, by 3%". One that is a figure, or
that holds a single one, is checked by ``finrag.scoring.numbers``; one that begins with yes or no by
what the answer comes to (``finrag.scoring.strict.words``). All others are no figures. A gold
without a scale is in the one that the question asks for ("in USD millions"), and one without a unit
is a share where the answer is a percentage: 0.103 and 10.3 % agree.

A gold that says which way its figure went is met by no figure that went the other way: "decreased
by 41 %" neither by "increased by 41 %" nor by "+41 %", and "fell to 41" not by "rose to 41". So it
is with a printed size whose program has the other sign. A figure without a direction is its size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from finrag.scoring.numbers import (
    BELOW_TIE,
    RELATIVE_TOLERANCE,
    RIGHT,
    VERDICTS,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
)
from finrag.scoring.numbers.reading import read_question
from finrag.scoring.numbers.units import CURRENCIES, measure, unit_and_scale
from finrag.scoring.strict.directions import opposition
from finrag.scoring.strict.words import asks_for_figure, check_words
from finrag.text.numbers import find_amounts
from finrag.text.refusals import is_refusal

_YES_OR_NO: Final = re.compile(r"\W{0,8}(yes|no)\b", re.IGNORECASE)
_PLAIN: Final = re.compile(r"-?(?:[0-9]{1,15}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})(?:e-?[0-9]{1,2})?")
_GROUPED: Final = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3}){1,5}(?:\.[0-9]{1,18})?")
# "In USD millions" gives a bare gold its unit with its scale.
_ASKS_DOLLARS: Final = re.compile(r"\$|\b(?:usd|dollars?)\b", re.IGNORECASE)
_DECIMALS: Final = re.compile(r"[0-9]\.([0-9]+)")
# More are a sentence, of which a figure may be a detail.
_MAX_FIGURE_WORDS: Final = 4
# More words are a text that holds a figure, not an answer that is one.
_MAX_GOLD_WORDS: Final = 12
# Printed digits are those of the program's result, rounded.
_SIZE: Final = 0.05
# "1,577" is in millions where the question asks for millions; "$1,577,000,000" is what it says.
_SCALE_CEILING: Final = 1e6
_SHORT_SCALES: Final = {
    **{"k": "thousand", "m": "million", "mm": "million", "mn": "million", "mio": "million"},
    **{"bn": "billion", "tn": "trillion", "dollars": "USD", "dollar": "USD"},
}
_GLUED: Final = re.compile(
    rf"\b({'|'.join(sorted(CURRENCIES))})(?=(?:{'|'.join(_SHORT_SCALES)})\b)", re.IGNORECASE
)
_SCALE_WORDS: Final = frozenset({"thousand", "million", "billion", "trillion"})
_SCALED_UNITS: Final = frozenset({None, "USD", "EUR", "GBP"})


@dataclass(frozen=True, slots=True)
class FigureVerdict:
    """Whether the figure of an answer agrees with the gold's.

    Attributes:
        is_right: null where the gold is neither a figure nor a yes or no, and where the gold is
            a yes or no that the answer does not say in so many words.
        verdict: one of ``finrag.scoring.numbers``, of ``finrag.scoring.strict.words`` where the
            gold is a yes or no, ``refusal`` or ``gold_is_no_figure``.
        reason: one sentence.
    """

    is_right: bool | None
    verdict: str
    reason: str


def check_figure(
    text: str,
    golds: Sequence[str],
    question_text: str,
    executed: str | None = None,
    tolerance: float | None = None,
    unit: str | None = None,
) -> FigureVerdict:
    """Check the figure of an answer in words.

    Args:
        text: the answer, untrusted.
        golds: gold answers, each acceptable.
        question_text: the question: unit, scale and direction that it asks for.
        executed: result of a gold program as JSON text, acceptable too: it has digits that a
            printed gold rounds away. In the unit of the printed gold: 0.141 beside "14.1%" is
            a share.
        tolerance: share of the gold that the set allows, else null.
        unit: of golds that are bare numbers, such as `USD millions` or `percent`; null where the
            gold or the question tells it.

    Returns:
        The best verdict over the golds.
    """
    worded = _word_gold(golds, executed)
    if worded is not None:
        found_words = check_words(text, worded, question_text)
        return FigureVerdict(found_words.is_right, found_words.verdict, found_words.reason)
    answered = Answered(text=text)
    found = judge_figure(answered, golds, question_text, executed, tolerance, unit)
    if found is None:
        return FigureVerdict(None, "gold_is_no_figure", "The gold is not one figure.")
    checked, _ = found
    is_text = all(len(gold.split()) > _MAX_FIGURE_WORDS for gold in golds)
    if is_text and checked.verdict in ("missing", "unit") and not asks_for_figure(question_text):
        return FigureVerdict(None, "gold_is_no_figure", "The question asks for no figure.")
    if checked.verdict == "missing" and is_refusal(text):
        return FigureVerdict(
            False, "refusal", "The answer says that the question cannot be answered."
        )
    return FigureVerdict(checked.verdict in RIGHT, checked.verdict, checked.reason)


def judge_figure(
    answered: Answered,
    golds: Sequence[str],
    question_text: str,
    executed: str | None = None,
    tolerance: float | None = None,
    unit: str | None = None,
    relative_tolerance: float = RELATIVE_TOLERANCE,
) -> tuple[NumericVerdict, Expected] | None:
    """Judge the figure of an answer beside golds in words; see ``check_figure``.

    Args:
        answered: the answer in words, and as a figure where the system gives one; a figure
            without a unit is in the scale that the question or the golds are in.
        golds: gold answers, each acceptable.
        question_text: the question.
        executed: result of a gold program as JSON text.
        tolerance: share of the gold that the set allows, else null.
        unit: of golds that are bare numbers.
        relative_tolerance: share of a gold that is right where the set allows none of its own.

    Returns:
        The best verdict and the gold that it is beside; None where no gold is one figure.

    Raises:
        ValueError: a gold is a figure that is not usable.
    """
    if _word_gold(golds, executed) is not None:
        return None
    if unit:
        checked = list(
            _in_unit(answered, golds, question_text, tolerance, unit, relative_tolerance)
        )
    else:
        scale = read_question(question_text, None).scale
        expected = _expected(golds, executed, question_text, tolerance, scale, relative_tolerance)
        checked = [(_verdict(answered, one, scale, relative_tolerance), one) for one in expected]
    checked = [(_turned(one, answered, gold), gold) for one, gold in checked]
    return min(checked, key=lambda found: VERDICTS.index(found[0].verdict), default=None)


def _turned(checked: NumericVerdict, answered: Answered, gold: Expected) -> NumericVerdict:
    """The verdict, wrong where the words say that it went the other way: "rose to 41"."""
    if not checked.is_right or not answered.text or not gold.text:
        return checked
    against = opposition(answered.text, gold.text)
    if against is None:
        return checked
    return replace(
        checked, verdict="wrong_value", reason=f"The figure is right, but it says {against}."
    )


def _in_unit(
    answered: Answered,
    golds: Sequence[str],
    question_text: str,
    tolerance: float | None,
    unit: str,
    relative: float,
) -> Iterator[tuple[NumericVerdict, Expected]]:
    """Check against golds that are in a unit of their own, such as `USD millions`.

    A bare figure may be in that unit or in whole ones.
    """
    base, factor = unit_and_scale(spelled_unit(unit))
    for gold in golds:
        value, own = _figure_of(gold)
        if value is None:
            continue
        whole = value * factor if own is None else value
        # Its words show the digits in another scale: half a unit of the last one.
        shown = max(relative * abs(whole), BELOW_TIE * 0.5 * factor * 10.0 ** -_decimals(gold))
        allowed = shown if tolerance is None else tolerance * abs(whole)
        asked = f"{question_text} (in {spelled_unit(unit)})"
        expected = Expected(whole, own or base, allowed, gold, asked)
        bare = _bare_figure(answered)
        answers = [answered]
        if bare is not None:
            answers = [Answered(_words(answered), bare * each) for each in (factor, 1.0)]
        for each in answers:
            yield check_number(each, expected, relative), expected


def _bare_figure(answered: Answered) -> float | None:
    """The figure of an answer that gives one without a unit, as a value or as its whole text."""
    if answered.value is not None:
        return None if answered.unit else answered.value
    words = _words(answered)
    return float(answered.text.replace(",", "")) if answered.text and words is None else None


def _words(answered: Answered) -> str | None:
    """The words of an answer, where they are more than a bare figure."""
    text = (answered.text or "").strip()
    is_bare = _GROUPED.fullmatch(text) or _PLAIN.fullmatch(text)
    return None if is_bare else answered.text


def spelled_unit(unit: str) -> str:
    """Return a unit with its scale and currency spelt out, the scale last.

    "$m", "millions of dollars" and "USD (millions)" all become "USD million" or "USD millions".
    """
    text = re.sub(r"[(),.]|\b(?:in|of)\b", " ", unit)
    text = _GLUED.sub(r"\1 ", re.sub(r"(?:US)?\$", "USD ", text))
    words = [_SHORT_SCALES.get(word.lower(), word) for word in text.split()]
    return " ".join(sorted(words, key=lambda word: word.lower().removesuffix("s") in _SCALE_WORDS))


def _verdict(
    answered: Answered, expected: Expected, scale: float, relative: float
) -> NumericVerdict:
    """Check against one gold; one without a unit is a share where the answer is a percentage."""
    # A bare figure is checked as such: 2019 may be an amount.
    bare = _bare_figure(answered)
    if bare is not None:
        answered = Answered(_words(answered), _in_whole_units(bare, expected.unit, scale))
    elif answered.value is not None:
        answered = replace(answered, text=_words(answered))
    if expected.unit is None:
        as_share = check_number(answered, replace(expected, unit="ratio"), relative)
        if measure(as_share.unit).kind == "share":
            return as_share
    return check_number(answered, expected, relative)


def _word_gold(golds: Sequence[str], executed: str | None) -> str | None:
    """The gold that begins with yes or no."""
    candidates = (*golds, (executed or "").strip('"'))
    return next((gold for gold in candidates if _YES_OR_NO.match(gold)), None)


def _expected(
    golds: Sequence[str],
    executed: str | None,
    question_text: str,
    tolerance: float | None,
    scale: float,
    relative: float,
) -> Iterator[Expected]:
    """The gold figures, each as its own expectation."""
    unit = None
    result = _number(executed)
    for gold in golds:
        value, unit = _figure_of(gold)
        if value is None:
            continue
        if unit is None and scale > 1 and _ASKS_DOLLARS.search(question_text):
            unit = "USD"
        whole = _in_whole_units(value, unit, scale)
        is_scaled = whole != value
        allowed = None if tolerance is None else tolerance * abs(whole)
        if is_scaled and allowed is None:
            # Its words show the digits in another scale: half a unit of the last one.
            half = BELOW_TIE * 0.5 * scale * 10.0 ** -_decimals(gold)
            allowed = max(relative * abs(whole), half)
        yield Expected(
            value=whole,
            unit=unit,
            tolerance=allowed,
            text=gold,
            question_text=question_text,
            way=_way_run(whole, unit, result, question_text),
        )
    if result is not None:
        is_percent = unit == "percent"
        value = result * 100 if is_percent else _in_whole_units(result, unit, scale)
        allowed = None if tolerance is None else tolerance * abs(value)
        yield Expected(value, unit, allowed, question_text=question_text)


def _way_run(value: float, unit: str | None, result: float | None, question_text: str) -> str:
    """The direction of a change whose program has the other sign than its printed size."""
    if result is None or value * result >= 0:
        return ""
    run = result * 100 if unit == "percent" else result
    is_size = math.isclose(abs(value), abs(run), rel_tol=_SIZE)
    is_change = is_size and read_question(question_text, unit).is_change
    return ("fall" if result < 0 else "rise") if is_change else ""


def _in_whole_units(value: float, unit: str | None, scale: float) -> float:
    """A bare figure in the scale that the question asks for."""
    is_scaled = unit in _SCALED_UNITS and abs(value) < _SCALE_CEILING
    return value * scale if is_scaled else value


def _decimals(gold: str) -> int:
    """How many decimals the first figure of a text shows."""
    found = _DECIMALS.search(gold)
    return len(found.group(1)) if found else 0


def _number(executed: str | None) -> float | None:
    """The result of a program, if it is a finite number of a sensible size."""
    if executed is None or not _PLAIN.fullmatch(executed):
        return None
    return float(executed)


def _figure_of(gold: str) -> tuple[float | None, str | None]:
    """Value and unit of a gold that is one figure."""
    if _PLAIN.fullmatch(gold.strip()):
        return float(gold), None
    if len(gold.split()) > _MAX_GOLD_WORDS:
        return None, None
    amounts = [one for one in find_amounts(gold) if one.kind == "amount"]
    if len(amounts) != 1 or amounts[0].is_range:
        return None, None
    return amounts[0].value, None if amounts[0].unit == "count" else amounts[0].unit

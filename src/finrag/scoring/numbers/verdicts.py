"""Whether the figure of an answer is the figure that was asked for, and if not, what went wrong.

The first verdict that fits, in this order:

=================  ================================================================================
missing            no figure, no finite one, or one beyond 10^16
currency           another currency than asked for
unit               another kind of unit (dollars for percent, a total for a figure per share), or
                   parts of a whole that are off by 100 or 10,000 (5 % for 500 %)
exact              the same value in the same unit
within_rounding    fewer digits than the gold shows, and their interval holds the gold: "$1.5
                   billion" stands for 1.45 to 1.55 billion, ends included; half a unit of the
                   last digit is at most 5 % of the gold, so that one digit seldom does, and no
                   more than the decimals that the question asks for allow
within_tolerance   no further from the gold than its tolerance; where the gold states none, no
                   further than a share of the gold (``RELATIVE_TOLERANCE``) or half a unit of
                   the last digit that the words of the gold show
sign               one of the above once the sign is turned
scale              one of the above once multiplied by a power of ten
period             the figure of another year of the same company, words that name only years
                   which were not asked for, or the right figure under another year or quarter
wrong_value        none of these, or the right figure denied, given as a bound, as one of two
                   alternatives, as how far something moved, or for a part of the whole
=================  ================================================================================

Only exact, within_rounding and within_tolerance are right. No figure of the other sign is right,
however wide the tolerance, and none that is the gold times a power of ten. Zero has no sign: for a
gold of 0 whatever is within tolerance is right, of either sign; an answer of 0 is right where 0
itself is within tolerance, never by rounding, since no digit of the gold is left in it. A range is
never right. Parts of a whole may be stated as percent, basis points or a share: 5 %, 500 basis
points and 0.05 are one figure.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Final

from finrag.scoring.numbers.context import flaws_of
from finrag.scoring.numbers.reading import (
    LEVEL,
    Asked,
    Claim,
    find_dates,
    read_claims,
    read_question,
    read_way,
)
from finrag.scoring.numbers.units import (
    Measure,
    in_units_of,
    measure,
    mismatch,
    unit_and_scale,
)
from finrag.text.numbers import MAX_MAGNITUDE, find_amounts
from finrag.text.refusals import is_refusal

# From right to wrong; of two verdicts the later is the worse.
VERDICTS: Final = (
    "exact",
    "within_rounding",
    "within_tolerance",
    "sign",
    "scale",
    "unit",
    "currency",
    "period",
    "wrong_value",
    "missing",
)
RIGHT: Final = frozenset(VERDICTS[:3])
RELATIVE_TOLERANCE: Final = 0.002
# Half a unit of the last digit itself rounds either way: 0.5 is no 1.
BELOW_TIE: Final = 0.999

# Values that differ by less are equal: the rounding of doubles.
_EPSILON: Final = 1e-9
# Many systems answer one question: its gold is read once.
_MAX_REMEMBERED: Final = 4_096
_CLOSE_SHARE: Final = 0.01
# Fewer digits than two fit too many figures, and too many powers of ten, by chance.
_COARSE: Final = 0.05
_FLAWS: Final = {
    "negated": ("wrong_value", "the text denies it"),
    "bound": ("wrong_value", "the text gives it as an upper or lower bound"),
    "alternative": ("wrong_value", "the text gives another figure as an alternative"),
    "part": ("period", "the text gives it for a part of the year"),
    "scope": ("wrong_value", "the text gives it for a part of what is asked for"),
    "line": ("wrong_value", "the text gives it for another line item"),
    "expected": ("wrong_value", "the text gives it as a plan or an estimate"),
    "change": ("wrong_value", "the text gives it as a change, not as a level"),
}
_MINUS: Final = re.compile(r"[-−(]")
_THOUSANDS: Final = frozenset({3, -3, 6, -6, 9, -9, 12, -12})
_PLACES: Final = frozenset({1, -1, 2, -2})
_PERCENT_POWERS: Final = frozenset({2, -2, 4, -4})


@dataclass(frozen=True, slots=True)
class Answered:
    """What a system answered.

    Attributes:
        text: The answer in words, untrusted; None or empty for none.
        value: The figure in whole units, where the system gives one.
        unit: Its unit.
    """

    text: str | None = None
    value: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """What the gold says.

    Attributes:
        value: The figure in whole units.
        unit: Its unit; None where unknown, which goes with any.
        tolerance: Largest difference that is right, in the unit; None for the relative one.
        text: The gold in words, for the digits that it shows and for a full date.
        question_text: The question.
        other_period_values: The same figure of the company in other years.
        way: ``fall`` or ``rise`` where the figure is the size of a change in that direction; empty
            where the words of the gold say so themselves, or it is no change.
    """

    value: float
    unit: str | None = None
    tolerance: float | None = None
    text: str | None = None
    question_text: str | None = None
    other_period_values: tuple[float, ...] = ()
    way: str = ""


@dataclass(frozen=True, slots=True)
class NumericVerdict:
    """A verdict on an answer.

    Attributes:
        verdict: One of ``VERDICTS``.
        value: The checked figure, in ``unit``; None for missing.
        unit: Its unit; None for a bare number.
        low: Lower end of the interval that its digits stand for.
        high: Upper end.
        read_from: ``typed``, ``text`` or ``none``.
        reason: One sentence.
    """

    verdict: str
    value: float | None
    unit: str | None
    low: float | None
    high: float | None
    read_from: str
    reason: str

    @property
    def is_right(self) -> bool:
        """Whether the verdict counts as right."""
        return self.verdict in RIGHT


def check_number(
    answered: Answered, expected: Expected, relative_tolerance: float = RELATIVE_TOLERANCE
) -> NumericVerdict:
    """Check the figure of an answer.

    A figure that the system gives as such is checked together with the words: where these state
    it too, they lend it digits, unit, direction, year and doubts; where they state another, both
    are checked and the worse verdict counts; where they say that they cannot answer, the figure
    is missing. Without a typed figure the words are read alone
    (``finrag.scoring.numbers.reading`` says which figure of several counts).

    Args:
        answered: The answer.
        expected: The gold.
        relative_tolerance: Share of the gold, where it states no tolerance of its own.

    Returns:
        The verdict.

    Raises:
        ValueError: The gold is not a finite number, or a tolerance is negative or no number.
    """
    gold = _Gold.of(expected, relative_tolerance)
    text = answered.text or ""
    _, scale = unit_and_scale(answered.unit)
    if answered.value is not None and not _is_usable(answered.value * scale):
        return _missing("The value is not finite, or is too large to be real.")
    # "1,577" beside a typed figure in millions is 1,577 million.
    asked = gold.asked if scale == 1 else replace(gold.asked, scale=scale)
    claims = read_claims(text, asked)
    first = next(claims, None)
    if answered.value is None:
        return _check_words(text, first, gold)
    typed = _typed(float(answered.value), answered.unit, first)
    if not (first is not None and first.is_concluded) and is_refusal(text):
        return _missing("There is a value, but the text says that the question cannot be answered.")
    if first is None:
        return _check(typed, gold, "typed")
    said = next((one for one in chain((first,), claims) if _states(one, typed, gold)), None)
    if said is not None:
        return _check_together(typed, said, gold)
    return _worse(_check(typed, gold, "typed"), _check(first, gold, "text"), first)


def _check_words(text: str, claim: Claim | None, gold: _Gold) -> NumericVerdict:
    """Check an answer that gives its figure in words alone."""
    if not text:
        return _missing("There is no answer.")
    # "It does not say so; therefore it is 0" answers after all.
    if not (claim is not None and claim.is_concluded) and is_refusal(text):
        return _missing("The answer says that the question cannot be answered.")
    if claim is None:
        return _missing("The answer contains no figure.")
    return _check(claim, gold, "text")


@dataclass(frozen=True, slots=True)
class _Gold:
    """The gold, prepared."""

    value: float
    half: float
    allowed: float
    measure: Measure
    unit: str | None
    asked: Asked
    date: str | None
    others: tuple[float, ...]
    flaws: frozenset[str]
    way: str

    @property
    def coarsest(self) -> float:
        """Half a unit of the last digit that a rounded figure must show."""
        share = _COARSE * abs(self.value)
        if self.asked.decimals is None:
            return share
        return min(share, 0.5 * self.asked.scale / 10.0**self.asked.decimals)

    @staticmethod
    @lru_cache(maxsize=_MAX_REMEMBERED)
    def of(expected: Expected, relative_tolerance: float) -> _Gold:
        """Check the gold and read its digits, its date and the question."""
        if not math.isfinite(expected.value):
            raise ValueError(
                f"gold value {expected.value} is not a finite number; leave such items out"
            )
        shown = _half_shown(expected)
        tolerance = expected.tolerance
        if tolerance is None:
            tolerance = max(relative_tolerance * abs(expected.value), BELOW_TIE * (shown or 0.0))
        if not (math.isfinite(tolerance) and tolerance >= 0):
            raise ValueError(
                f"tolerance {tolerance} must be a number of 0 or more; correct the gold"
            )
        asked = read_question(expected.question_text or "", expected.unit)
        way = expected.way or read_way(expected.text or "", expected.value, asked)
        if way:
            asked = replace(asked, is_change=way != LEVEL)
        amounts = [one for one in find_amounts(expected.text or "") if one.kind == "amount"]
        dates = find_dates(expected.text or "") if asked.wants.kind == "year" else []
        return _Gold(
            value=expected.value,
            half=_half_of_number(expected.value) if shown is None else shown,
            allowed=tolerance,
            measure=asked.wants,
            unit=expected.unit,
            asked=asked,
            date=dates[-1][1] if dates else None,
            others=tuple(one for one in expected.other_period_values if math.isfinite(one)),
            flaws=flaws_of(expected.text or "", amounts, asked.lower, asked.is_change),
            way="" if way == LEVEL else way or ("fall" if asked.asks_fall else ""),
        )


def _half_shown(expected: Expected) -> float | None:
    """Half a unit of the last digit that the gold shows in words; None where it shows none."""
    aim = abs(expected.value)
    for one in find_amounts(expected.text or ""):
        if one.kind == "amount" and not one.is_range and _is_close(abs(one.value), aim):
            return (one.high - one.low) / 2
    return None


def _half_of_number(value: float) -> float:
    """Half a unit of the last digit of a plain number; zeros at its end may be rounding."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return 0.5 * 10.0**exponent if isinstance(exponent, int) else 0.0


def _is_usable(value: float) -> bool:
    return math.isfinite(value) and abs(value) < MAX_MAGNITUDE


def _is_close(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=_EPSILON, abs_tol=0.0)


def _typed(value: float, unit: str | None, first: Claim | None) -> Claim:
    """The typed figure; its digits are those of a plain number."""
    half = 0.5 if value.is_integer() else _half_of_number(value)
    unit, scale = unit_and_scale(unit)
    value, half = value * scale, half * scale
    years = first.years if first is not None else ()
    return Claim(value, value - half, value + half, unit, f"{value:,.12g}", years=years)


def _states(claim: Claim, typed: Claim, gold: _Gold) -> bool:
    """Whether words state the typed figure, to the digits that they show."""
    said, given = measure(claim.unit), measure(typed.unit)
    if mismatch(said, given) is not None:
        return False
    asks = gold.asked.asks_percent
    value = in_units_of(typed.value, given, said, asks) if said.kind != "bare" else typed.value
    return _is_close(claim.value, value) or (
        value != 0 and not claim.is_range and claim.low <= value <= claim.high
    )


def _check_together(typed: Claim, said: Claim, gold: _Gold) -> NumericVerdict:
    """Check a typed figure with the digits, the unit and the date of the words that state it."""
    if measure(typed.unit).kind == "bare" and measure(said.unit).kind != "bare":
        typed = replace(typed, unit=said.unit)
    typed = replace(
        typed,
        direction=said.direction,
        years=said.years,
        date=said.date,
        year=said.year,
        flaws=said.flaws,
    )
    if _is_close(typed.value, said.value):
        typed = replace(typed, low=said.low, high=said.high, said=said.said)
    by_value, by_words = _check(typed, gold, "typed"), _check(said, gold, "text")
    if VERDICTS.index(by_words.verdict) > VERDICTS.index(by_value.verdict):
        return replace(by_words, read_from="typed")
    return replace(by_value, low=by_words.low, high=by_words.high)


def _worse(by_value: NumericVerdict, by_words: NumericVerdict, claim: Claim) -> NumericVerdict:
    """The worse of two verdicts on an answer that contradicts itself."""
    worse = max(by_value, by_words, key=lambda one: VERDICTS.index(one.verdict))
    reason = f"The value and the text ({_short(claim.said)}) disagree; the worse one counts. "
    return replace(worse, reason=reason + worse.reason)


def _check(claim: Claim, gold: _Gold, read_from: str) -> NumericVerdict:
    claim = _oriented(claim, gold)
    verdict, reason = _verdict(claim, gold)
    return NumericVerdict(
        verdict, claim.value, claim.unit, claim.low, claim.high, read_from, reason
    )


def _missing(reason: str) -> NumericVerdict:
    return NumericVerdict("missing", None, None, None, None, "none", reason)


def _verdict(claim: Claim, gold: _Gold) -> tuple[str, str]:
    """The verdict on one claim, and why."""
    unit = measure(claim.unit)
    said = _said(claim)
    wrong_kind = mismatch(unit, gold.measure)
    if wrong_kind is None and _is_points_for_percent(claim, gold):
        wrong_kind = "unit"
    if wrong_kind is not None:
        return wrong_kind, f"Says {said}, but the question asks for {gold.unit}."
    if claim.is_range:
        return "wrong_value", f"Gives a range, {said}, where one figure is asked for."
    value, low, high = (
        in_units_of(one, unit, gold.measure, gold.asked.asks_percent)
        for one in (claim.value, claim.low, claim.high)
    )
    if unit.kind == "bare" and gold.measure.kind == "share" and claim.value:
        # Both ends by the factor of the value: 0.99 and 1.01 must not part ways.
        factor = value / claim.value
        low, high = claim.low * factor, claim.high * factor
    figure = _Figure(value, low, high)
    fit = _fit(figure, gold)
    if fit is not None:
        return _right(fit, said, claim, gold)
    return _error(figure, said, claim, gold)


def _is_points_for_percent(claim: Claim, gold: _Gold) -> bool:
    """Whether a change asked for in percent is stated in points, or the reverse."""
    asked = gold.asked
    if not asked.is_change:
        return False
    if "point" in asked.lower:
        return claim.unit == "percent" and gold.unit == "percentage_points"
    is_points = claim.unit == "percentage_points" and gold.unit == "percent"
    return is_points and asked.asks_percent


@dataclass(frozen=True, slots=True)
class _Figure:
    """A value and its interval, in units of the gold."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> _Figure:
        """The figure multiplied; by a negative factor its ends change places."""
        low, high = sorted((self.low * factor, self.high * factor))
        return _Figure(self.value * factor, low, high)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


def _oriented(claim: Claim, gold: _Gold) -> Claim:
    """The claim with the sign that the question asks for.

    A question that says "decreased" wants the size of the fall, and golds write it with either
    sign: a fall stated in words or by a minus then agrees with both, and a rise with neither. So
    it is with a gold that says "decreased by 5%" itself, and likewise where it rose.
    """
    direction = claim.direction or ("fall" if claim.value < 0 else "")
    if not gold.way or not direction or gold.value == 0:
        return claim
    has_asked_sign = (claim.value < 0) == ((direction == gold.way) == (gold.value < 0))
    return (
        claim
        if has_asked_sign
        else replace(claim, value=-claim.value, low=-claim.high, high=-claim.low)
    )


def _fit(figure: _Figure, gold: _Gold) -> str | None:
    """Which right verdict fits, by value alone."""
    value, aim = figure.value, gold.value
    if value == aim or _is_close(value, aim):
        return "exact"
    if value * aim < 0 or _shift_of(value, aim) is not None:
        return None
    slack = _EPSILON * abs(aim)
    centre = abs(value - aim)
    is_rounded = gold.half * (1 + _EPSILON) < figure.half <= gold.coarsest * (1 + _EPSILON)
    if value and is_rounded and centre <= figure.half + slack:
        return "within_rounding"
    if gold.measure.kind != "year" and centre <= gold.allowed + slack:
        return "within_tolerance"
    return None


def _shift_of(value: float, aim: float) -> int | None:
    """The power of ten by which a value is off, where it is off by nothing else."""
    if not value or not aim:
        return None
    power = round(math.log10(abs(value)) - math.log10(abs(aim)))
    if power == 0 or abs(power) > max(_THOUSANDS):
        return None
    return power if _is_close(value, aim * 10.0**power) else None


def _right(fit: str, said: str, claim: Claim, gold: _Gold) -> tuple[str, str]:
    if gold.date is not None and claim.date is not None and claim.date != gold.date:
        return "period", f"The period ends on {gold.date}, not on {claim.date}."
    aim = _shown(gold)
    if claim.year is not None and gold.asked.years and claim.year not in gold.asked.years:
        return (
            "period",
            f"Says {said}, which equals the gold, {aim}, but gives it for {claim.year}.",
        )
    flaw = next((one for one in claim.flaws if one not in gold.flaws), None)
    if flaw is not None:
        verdict, why = _FLAWS[flaw]
        return verdict, f"Says {said}, which is close to the gold, {aim}, but {why}."
    if fit == "exact":
        return fit, f"Says {said}, which equals the gold, {aim}."
    if fit == "within_rounding":
        return fit, f"Says {said}, which is the gold, {aim}, with fewer digits."
    return fit, f"Says {said}, within {gold.allowed:,.6g} of the gold, {aim}."


def _error(  # noqa: PLR0911 - a cascade of errors, the first that fits
    figure: _Figure, said: str, claim: Claim, gold: _Gold
) -> tuple[str, str]:
    """Name what is wrong with a figure that is not right."""
    aim = _shown(gold)
    if gold.measure.kind == "year":
        return "period", f"Says {said}; the gold is {aim}."
    if _fit(figure.times(-1.0), gold) is not None:
        return "sign", f"Says {said}, which has the wrong sign; the gold is {aim}."
    power = _power_off(figure, gold)
    if power in _PERCENT_POWERS and gold.measure.kind == "share":
        return (
            "unit",
            f"Says {said}; percent and share are confused, a factor of {10 ** abs(power):,}.",
        )
    if power in _THOUSANDS:
        return "scale", f"Says {said}, which is 10^{power} times the gold, {aim}."
    if any(_is_other(figure, other) for other in gold.others):
        return "period", f"Says {said}, which is the figure of another period; the gold is {aim}."
    if power in _PLACES:
        return "scale", f"Says {said}, with the decimal point misplaced; the gold is {aim}."
    strange = [year for year in claim.years if year not in gold.asked.years]
    if gold.asked.years and strange and len(strange) == len(claim.years):
        return "period", f"Says {said} for {strange[0]}; the gold is {aim}."
    return "wrong_value", f"Says {said}; the gold is {aim}."


def _power_off(figure: _Figure, gold: _Gold) -> int | None:
    """The power of ten that a figure is off by, of either sign; None where none fits."""
    if not figure.value or not gold.value:
        return None
    power = round(math.log10(abs(figure.value)) - math.log10(abs(gold.value)))
    if power == 0 or abs(power) > max(_THOUSANDS):
        return None
    if figure.half > _COARSE * abs(figure.value):
        return power if _shift_of(figure.value, gold.value) == power else None
    # Anything shrinks into a wide tolerance.
    near = replace(gold, allowed=min(gold.allowed, _CLOSE_SHARE * abs(gold.value)))
    moved = figure.times(10.0**-power if figure.value * gold.value > 0 else -(10.0**-power))
    return power if _fit(moved, near) is not None else None


def _is_other(figure: _Figure, other: float) -> bool:
    """Whether a figure is that of another period, to its own digits."""
    if _is_close(figure.value, other) or _is_close(figure.value, -other):
        return True
    return figure.value * other > 0 and abs(figure.value - other) <= figure.half


def _shown(gold: _Gold) -> str:
    if gold.measure.kind == "year":
        return gold.date or f"{gold.value:.0f}"
    unit = "" if gold.measure.kind == "bare" or not gold.unit else f" {gold.unit}"
    return f"{gold.value:,.12g}{unit.replace('_', ' ')}"


def _said(claim: Claim) -> str:
    """The figure as printed, with a note where words turn its sign."""
    is_turned = claim.direction == "fall" and not _MINUS.search(claim.said)
    return f"{_short(claim.said)}, stated as a fall or a loss" if is_turned else _short(claim.said)


def _short(said: str) -> str:
    """What was printed, on one line and short."""
    line = re.sub(r"\s+", " ", said)
    return line if len(line) <= 60 else line[:57] + "..."

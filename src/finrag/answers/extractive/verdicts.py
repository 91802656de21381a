"""Answers that are yes or no: attributions, movements, comparisons with a figure, claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from finrag.answers.extractive.asked import Claim
from finrag.answers.extractive.figures import change, level_candidates
from finrag.answers.extractive.findings import Text
from finrag.answers.extractive.statements import sentence
from finrag.answers.extractive.support import (
    CLOSE,
    EXACT,
    LOOSE,
    Candidate,
    Case,
    Cell,
    answered,
    best,
    is_as_wide,
    ordered,
    topic_agreement,
)
from finrag.answers.types import Passage
from finrag.text.measures import HEADCOUNT
from finrag.text.numbers import Amount, find_amounts
from finrag.text.statements import direction_said, read_statements
from finrag.text.words import coverage, is_pointer, plain, stems

Citations = tuple[tuple[Passage, str], ...]

# A claim is affirmed by a sentence that carries nearly all its words.
MIN_CLAIM: Final = 0.75

# A figure is denied only by a sentence that carries the whole topic.
MIN_DENIAL: Final = 0.99
# The support of a level that the grammar of a sentence binds.
SURE: Final = 0.9
# A figure worked out of two rounded ones is denied only beyond this many half last digits.
ROUNDING: Final = 4.0


def verdict(case: Case, cells: list[Cell]) -> Candidate | None:
    """Yes or no for the first cell that allows one; None where no passage settles it."""
    if case.asked.intent == "direction" and len({cell.year for cell in cells}) > 1:
        return _change_of(case, cells)
    by_intent = {"attribution": _attribution, "direction": _movement}
    decide = by_intent.get(case.asked.intent, _claim)
    return best(one for cell in cells if (one := decide(case, cell)) is not None)


def _said(holds: bool, text: Text) -> str:
    return f"{'Yes' if holds else 'No'}. {sentence(text)}"


def _attribution(case: Case, cell: Cell) -> Candidate | None:
    """Yes where the cause is named for the measure; no where another is, or where none is named.

    "No" without another cause needs two sentences: one that speaks of the cause, one that speaks
    of the measure, and no sentence that joins them.
    """
    if case.asked.claims:
        case = replace(case, texts=[one for one in case.texts if _repeats(case, one)])
    found = best(_named(case, cell))
    if found is not None:
        return found
    other = best(_other_causes(case, cell))
    mention = best(_mentions(case, cell))
    measured = best(level_candidates(case, cell)) if case.asked.measure else None
    if other is not None:
        extra = mention.citations if mention is not None else ()
        return Candidate(other.support, other.text, _together(other.citations, extra))
    if mention is None or measured is None:
        return None
    citations = _together(mention.citations, measured.citations)
    return Candidate(min(mention.support, measured.support), mention.text, citations)


def _together(first: Citations, then: Citations) -> Citations:
    ids = {passage.sentence_id for passage, _ in first}
    return first + tuple(one for one in then if one[0].sentence_id not in ids)


def _named(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        row = case.findings.attributions.get((text.text, case.asked.cause or ""))
        if not row or not row["is_explicit_attribution"]:
            continue
        effect = plain(row["effect_text"] or text.text)
        measure = case.asked.measure
        if measure is not None and not measure.is_in(effect):
            figures = case.row(text)
            if not (figures.get("cause_text") and measure.is_in(text.lower)):
                continue
        topic = topic_agreement(case, text) if measure is None else 1.0
        form = EXACT if row["is_certain"] else CLOSE
        stated = case.row(text).get("change_period_year")
        moved, asked = case.row(text).get("change_direction"), case.asked.direction
        is_other = asked is not None and moved in ("increase", "decrease") and moved != asked
        yield answered(cell, text, _said(not is_other, text), topic, form, stated)


def _other_causes(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        row = case.row(text)
        if not row.get("cause_text") or re.search(case.asked.cause or "", text.lower):
            continue
        if is_as_wide(case, text):
            yield answered(cell, text, _said(False, text), 1.0, EXACT, row["change_period_year"])


def _mentions(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        row = case.findings.attributions.get((text.text, case.asked.cause or ""))
        if not row or row["is_explicit_attribution"]:
            continue
        form = EXACT if row["is_certain"] else LOOSE
        yield answered(cell, text, _said(False, text), 1.0, form)


def _movement(case: Case, cell: Cell) -> Candidate | None:
    """Whether the measure moved the way the question says, and by or to the figures it gives."""
    levels = [claim for claim in case.asked.claims if not claim.is_change]
    if any(claim.bound for claim in levels):
        return _compared(case, cell, levels)
    found = []
    for text in case.texts:
        row = case.row(text)
        direction = row.get("change_direction")
        if direction is None and isinstance(row.get("value"), float):
            direction = _by_figures(row["value"], row.get("prior_value"))
        if direction not in ("increase", "decrease", "no_change"):
            continue
        if not is_as_wide(case, text):
            continue
        year = row["change_period_year"] or row["period_year"]
        holds = direction == case.asked.direction
        if holds and case.asked.claims:
            settled = _all_hold(case, text, cell.year is None or year == cell.year)
            if settled is None:
                continue
            holds = settled
        topic = topic_agreement(case, text)
        found.append(answered(cell, text, _said(holds, text), topic, EXACT, year))
    return _affirmed(found) if case.asked.claims else best(found)


def _affirmed(found: list[Candidate]) -> Candidate | None:
    """The best sentence that affirms; the best that denies only where none does."""
    return best(one for one in found if one.text.startswith("Yes")) or best(found)


def _all_hold(case: Case, text: Text, is_dated: bool) -> bool | None:
    """Whether what a sentence binds meets every figure of the question; None where unclear.

    An undated sentence may explain another year's movement: it denies nothing.
    """
    row = case.row(text)
    holds = [_holds(claim, *_bound_size(claim, row)) for claim in case.asked.claims]
    if any(one is None for one in holds) or (not all(holds) and not is_dated):
        return None
    return all(holds)


def _bound_size(claim: Claim, row: Mapping[str, Any]) -> tuple[object, bool]:
    """The figure that a claim is held to, and whether it is worked out of two others."""
    unit, value, prior = row.get("unit"), row.get("value"), row.get("prior_value")
    is_rate = claim.amount.unit == "percent"
    if not claim.is_change:
        return (value if claim.amount.unit == unit else None), False
    if unit == "percent":
        return None, False
    stated = row.get("change_percent" if is_rate else "change_value")
    is_unit = is_rate or unit in (None, claim.amount.unit)
    if isinstance(stated, float) or not isinstance(value, float) or not isinstance(prior, float):
        return (stated if is_unit else None), False
    return _size_of_change(claim, value, prior, str(unit)), True


def _size_of_change(claim: Claim, value: float, prior: float, unit: str) -> float | None:
    if claim.amount.unit == "percent":
        return 100 * abs(value - prior) / abs(prior) if prior else None
    return abs(value - prior) if claim.amount.unit == unit else None


def _holds(claim: Claim, size: object, is_worked_out: bool = False) -> bool | None:
    """Whether a figure is the claimed one within half its last digit, or beyond its bound."""
    if not isinstance(size, float):
        return None
    one = claim.amount
    away, half = abs(abs(size) - abs(one.value)), (one.high - one.low) / 2
    if claim.bound:
        return abs(size) > abs(one.value) if claim.bound == "more" else abs(size) < abs(one.value)
    if away <= half * (1 + 1e-9):
        return True
    return None if is_worked_out and away <= ROUNDING * half else False


def _repeats(case: Case, text: Text) -> bool:
    """Whether a sentence prints every figure of the question."""
    printed = [one for one in find_amounts(text.text) if one.kind == "amount"]
    return all(
        any(one.unit == claim.amount.unit and _holds(claim, one.value) for one in printed)
        for claim in case.asked.claims
    )


def _change_of(case: Case, cells: list[Cell]) -> Candidate | None:
    """Whether the measure moved from the first year to the last the way the question says."""
    claims = case.asked.claims
    if any(not claim.is_change for claim in claims) or len(claims) > 1:
        return None
    if claims:
        is_rate = claims[0].amount.unit == "percent"
        case = replace(case, asked=replace(case.asked, asks_percent=is_rate))
    moved = change(case, cells)
    if moved is None or moved.value is None:
        return None
    holds: bool | None = _by_figures(moved.value, 0.0) == case.asked.direction
    if holds and claims:
        is_unit = moved.unit == claims[0].amount.unit
        holds = _holds(claims[0], moved.value, True) if is_unit else None
    if holds is None:
        return None
    return Candidate(moved.support, f"{'Yes' if holds else 'No'}. {moved.text}", moved.citations)


def _by_figures(value: object, prior: object) -> str | None:
    if not isinstance(value, float) or not isinstance(prior, float):
        return None
    return "increase" if value > prior else "decrease" if value < prior else "no_change"


def _claim(case: Case, cell: Cell) -> Candidate | None:
    """Whether a figure passes a bound, or whether a sentence states or denies what is asked."""
    claims = case.asked.claims
    if claims and case.asked.measure is not None:
        if any(claim.is_change for claim in claims):
            return _movement(case, cell)
        return _compared(case, cell, claims)
    found = []
    for text in case.texts:
        topic = topic_agreement(case, text)
        holds = None if topic < MIN_CLAIM or is_pointer(text.lower) else _states(case, text, topic)
        if holds is None:
            continue
        is_sure = all(one.certainty != "may" for one in read_statements(text.text))
        found.append(answered(cell, text, _said(holds, text), topic, CLOSE if is_sure else LOOSE))
    return _affirmed(found) if claims else best(found)


def _states(case: Case, text: Text, topic: float) -> bool | None:
    """Whether a sentence affirms or denies what is asked; None where it may speak of another thing.

    Its movement and its figures must be those of the question; another movement or figure is a
    denial only where the sentence carries the whole topic and holds no second figure.
    """
    is_denied = _denies(case, text)
    agreements = []
    if case.asked.direction is not None:
        moved = direction_said(text.lower)
        agreements.append(None if moved is None else moved == case.asked.direction)
    for claim in case.asked.claims:
        same = [one for one in find_amounts(text.text) if _is_counted_alike(case, claim, one, text)]
        meets = any(_holds(claim, one.value) for one in same)
        agreements.append(True if meets else False if len(same) == 1 else None)
    if any(one is None for one in agreements):
        return None
    if not all(agreements):
        return None if is_denied or topic < MIN_DENIAL else False
    return not is_denied


def _is_counted_alike(case: Case, claim: Claim, one: Amount, text: Text) -> bool:
    """Whether an amount is of the claimed unit; a count, of the same things."""
    if one.kind != "amount" or one.is_range or one.unit != claim.amount.unit:
        return False
    if one.unit != "count":
        return True
    asked = plain(case.asked.question.text)
    place = asked.find(claim.amount.raw)
    mine, theirs = (
        stems(" ".join(words.split()[:2]))
        for words in (asked[place + len(claim.amount.raw) :], text.lower[one.end : one.end + 80])
    )
    people = HEADCOUNT.is_in
    return bool(mine & theirs) or (people(" ".join(mine)) and people(" ".join(theirs)))


def _denies(case: Case, text: Text) -> bool:
    """Whether a clause that holds the words asked about is denied."""
    return any(
        one.is_denied and coverage(case.weight, stems(one.text)) >= LOOSE
        for one in read_statements(text.text)
    )


def _compared(case: Case, cell: Cell, claims: Sequence[Claim]) -> Candidate | None:
    """Whether the measure's level is that of the question, or passes its bound.

    Without a bound only a figure that the grammar binds denies.
    """
    levels = [one for one in ordered(level_candidates(case, cell)) if one.value is not None]
    if not levels or len(claims) != 1:
        return None
    (claim,) = claims
    same = [one for one in levels if one.unit == claim.amount.unit]
    met = next((one for one in same if _holds(claim, one.value)), None)
    found = met if met is not None and not claim.bound else levels[0]
    if found.unit != claim.amount.unit:
        return None
    holds = _holds(claim, found.value)
    if not holds and not claim.bound and found.support < SURE:
        return None
    return Candidate(found.support, f"{'Yes' if holds else 'No'}. {found.raw}.", found.citations)

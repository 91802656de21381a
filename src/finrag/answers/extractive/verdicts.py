"""Answers that are yes or no: attributions, movements, comparisons with a figure, claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

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
    best,
    ordered,
    quoted,
    support_of,
    topic_agreement,
)
from finrag.answers.extractive.words import coverage, plain, stems
from finrag.answers.types import Passage
from finrag.numbers import find_amounts

Citations = tuple[tuple[Passage, str], ...]

# A claim is affirmed by a sentence that carries nearly all its words.
MIN_CLAIM: Final = 0.75

_MORE: Final = re.compile(
    r"\b(?:exceed\w*|more than|above|over|greater than|at least|surpass\w*)\b"
)
_LESS: Final = re.compile(r"\b(?:below|less than|under|fewer than|lower than|at most)\b")
_DENIAL: Final = re.compile(
    r"\b(?:do(?:es)? not|did not|don't|have (?:not|no)|has (?:not|no)|had (?:not|no)|are not|"
    r"is not|were not|was not|no longer|neither|without any|none of|there (?:is|are|was|were) no)\b"
)
_CONDITION: Final = re.compile(r"\b(?:if|could|might|may|would|unless)\b")


def verdict(case: Case, cells: list[Cell]) -> Candidate | None:
    """Yes or no for the first cell that allows one; None where no passage settles it."""
    if case.asked.intent == "direction" and len({cell.year for cell in cells}) > 1:
        return _change_of(case, cells)
    by_intent = {"attribution": _attribution, "direction": _movement}
    decide = by_intent.get(case.asked.intent, _claim)
    return best(one for cell in cells if (one := decide(case, cell)) is not None)


def _said(answer: str, text: Text) -> str:
    return f"{answer}. {sentence(text)}"


def _attribution(case: Case, cell: Cell) -> Candidate | None:
    """Yes where the cause is named for the measure; no where another is, or where none is named.

    "No" without another cause needs two sentences: one that speaks of the cause, one that speaks
    of the measure, and no sentence that joins them.
    """
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
        support = support_of(cell, text, topic, form, stated if isinstance(stated, int) else None)
        quote = ((text.passage, quoted(text, text.text)),)
        yield Candidate(support, _said("Yes", text), quote)


def _other_causes(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        row = case.row(text)
        if not row.get("cause_text") or re.search(case.asked.cause or "", text.lower):
            continue
        if row["subject_scope"] == "part" and not case.asked.asks_part:
            continue
        form = EXACT
        stated = row["change_period_year"]
        year = stated if isinstance(stated, int) else None
        support = support_of(cell, text, 1.0, form, year)
        quote = ((text.passage, quoted(text, text.text)),)
        yield Candidate(support, _said("No", text), quote)


def _mentions(case: Case, cell: Cell) -> Iterator[Candidate]:
    for text in case.texts:
        row = case.findings.attributions.get((text.text, case.asked.cause or ""))
        if not row or row["is_explicit_attribution"]:
            continue
        form = EXACT if row["is_certain"] else LOOSE
        support = support_of(cell, text, 1.0, form)
        quote = ((text.passage, quoted(text, text.text)),)
        yield Candidate(support, _said("No", text), quote)


def _movement(case: Case, cell: Cell) -> Candidate | None:
    """Whether the measure moved the way the question says."""
    found = []
    for text in case.texts:
        row = case.row(text)
        told = row.get("change_direction")
        if told is None and isinstance(row.get("value"), float):
            told = _by_figures(row["value"], row.get("prior_value"))
        if told not in ("increase", "decrease", "no_change"):
            continue
        if row["subject_scope"] == "part" and not case.asked.asks_part:
            continue
        form = EXACT
        stated = row["change_period_year"] or row["period_year"]
        year = stated if isinstance(stated, int) else None
        support = support_of(cell, text, topic_agreement(case, text), form, year)
        answer = "Yes" if told == case.asked.direction else "No"
        quote = ((text.passage, quoted(text, text.text)),)
        found.append(Candidate(support, _said(answer, text), quote))
    return best(found)


def _change_of(case: Case, cells: list[Cell]) -> Candidate | None:
    """Whether the measure moved from the first year to the last the way the question says."""
    moved = change(case, cells)
    if moved is None or moved.value is None:
        return None
    told = _by_figures(moved.value, 0.0)
    text = f"{'Yes' if told == case.asked.direction else 'No'}. {moved.text}"
    return Candidate(moved.support, text, moved.citations)


def _by_figures(value: object, prior: object) -> str | None:
    if not isinstance(value, float) or not isinstance(prior, float):
        return None
    return "increase" if value > prior else "decrease" if value < prior else "no_change"


def _claim(case: Case, cell: Cell) -> Candidate | None:
    """Whether a figure passes a bound, or whether a sentence states or denies what is asked."""
    compared = _compared(case, cell)
    if compared is not None:
        return compared
    found = []
    for text in case.texts:
        topic = topic_agreement(case, text)
        if topic < MIN_CLAIM:
            continue
        answer = "No" if _denies(case, text) else "Yes"
        form = LOOSE if _CONDITION.search(text.lower) else CLOSE
        support = support_of(cell, text, topic, form)
        quote = ((text.passage, quoted(text, text.text)),)
        found.append(Candidate(support, _said(answer, text), quote))
    return best(found)


def _denies(case: Case, text: Text) -> bool:
    """Whether the words behind a denial are those asked about."""
    denial = _DENIAL.search(text.lower)
    if denial is None:
        return False
    return coverage(case.weight, stems(text.lower[denial.end() : denial.end() + 160])) >= LOOSE


def _compared(case: Case, cell: Cell) -> Candidate | None:
    asked = plain(case.asked.question.text)
    more, less = _MORE.search(asked), _LESS.search(asked)
    word = more or less
    if case.asked.measure is None or word is None:
        return None
    bounds = [
        one.value
        for one in find_amounts(asked[:2000])
        if one.kind == "amount" and one.start >= word.end()
    ]
    figures = ordered(level_candidates(case, cell))
    if not bounds or not figures or figures[0].value is None:
        return None
    value = figures[0].value
    holds = value > bounds[0] if more else value < bounds[0]
    text = f"{'Yes' if holds else 'No'}. {figures[0].raw}."
    return Candidate(figures[0].support, text, figures[0].citations)

"""When an answerer should abstain: a threshold set without labels.

The support of an answer says how well a context supports it. How much support arises by chance is
measured, not guessed: each question is asked with the context of another question, about
other companies and another topic. Its passages are labelled with the company and year asked
about, so that only the topic can give them away. The threshold is the least support that at most
one in ten of these pairs reaches. Supports tie, so often fewer reach it, down to none; the share
that reached it is reported beside the threshold.

Two limits: the share is that of the measured pairs, up to ``MAX_PAIRS`` per kind of question, so
other pairs of the kind scatter around it. And no label says that a pair has no answer: a borrowed
context may describe, for another company, the very risk that is asked about. That counts as chance
here and makes thresholds strict.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from finrag.answers.types import Passage, Question

# Of the pairs without an answer, at most this share may be answered.
MAX_SHARE: Final = 0.10
# Supports have six decimals: of two that differ, the higher is at least a step higher.
DIGITS: Final = 6
STEP: Final = 10.0**-DIGITS
# Support 0 is never an answer, so nothing abstains below a threshold of one step.
ANY_SUPPORT: Final = STEP
# With fewer pairs one in ten is the top one or two of them: chance.
MIN_PAIRS: Final = 30
MAX_PAIRS: Final = 100
MAX_CONTEXTS: Final = 10
# With too few measured pairs: half of the highest support. The share is then not guaranteed.
FALLBACK: Final = 0.5
SEED: Final = 20_26
MAX_TRIES: Final = 60
QUOTED: Final = re.compile(r"[“\"]([^“”\"]{2,80})[”\"]")

SupportOf = Callable[[Sequence[Question], Sequence[Sequence[Passage]]], Sequence[float]]


@dataclass(frozen=True)
class Calibration:
    """The threshold below which one kind of question abstains, and what it was measured on.

    Attributes:
        kind: of the questions.
        threshold: the least support that is an answer; above 1 where none is one.
        n_null: pairs of a question and a context without its answer that were measured.
        null_share_answered: share of them that the threshold lets through; None without pairs.
    """

    kind: str
    threshold: float
    n_null: int
    null_share_answered: float | None


def calibrated(
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
    kinds: Sequence[str],
    support_of: SupportOf,
    *,
    seed: int = SEED,
) -> list[Calibration]:
    """The threshold of each kind of question: figures and sentences have different supports.

    Args:
        questions: those of a run; their answers are not needed.
        contexts: for each its passages.
        kinds: for each the kind whose supports can be compared with its own.
        support_of: gives the support of each question in a context, 0 to 1.
        seed: of the pairing.

    Returns:
        One row per kind, in their order by name, with the ``threshold`` of the supports of its
        pairs. Kinds of few questions put each to several contexts.

    Raises:
        ValueError: there are not as many contexts or kinds as questions.
    """
    if not len(questions) == len(contexts) == len(kinds):
        raise ValueError(
            f"{len(questions)} questions have {len(contexts)} contexts and {len(kinds)} kinds; "
            "give each question one context and one kind."
        )
    by_kind: dict[str, list[float]] = {kind: [] for kind in sorted(Counter(kinds))}
    pairs: list[tuple[str, Question, list[Passage]]] = []
    for kind in by_kind:
        places = [place for place, other in enumerate(kinds) if other == kind]
        found = unanswerable(questions, contexts, places, seed=seed)
        pairs += [(kind, question, context) for question, context in found]
    values = support_of([one[1] for one in pairs], [one[2] for one in pairs])
    for (kind, _, _), value in zip(pairs, values, strict=True):
        by_kind[kind].append(value)
    return [_calibration(kind, own) for kind, own in by_kind.items()]


def _calibration(kind: str, values: Sequence[float]) -> Calibration:
    limit = threshold(values)
    n_answered = sum(value >= limit for value in values)
    return Calibration(kind, limit, len(values), n_answered / len(values) if values else None)


def threshold(values: Sequence[float], max_share: float = MAX_SHARE) -> float:
    """The least support that at most a given share of contexts without an answer reaches.

    With n values, at most floor(max_share n) may pass, so the threshold lies one ``STEP`` above
    the highest value that must not: a value and its ties pass together or not at all.

    Args:
        values: the support that questions get in contexts that cannot answer them, 0 to 1.
        max_share: share of them that may be answered, 0 to less than 1.

    Returns:
        The threshold, to ``DIGITS`` decimals: ``ANY_SUPPORT`` where so few values are above 0
        that every one may pass, above 1 where more than the share are 1, ``FALLBACK`` for fewer
        than ``MIN_PAIRS`` values, where the share is not guaranteed.

    Raises:
        ValueError: the share is not from 0 to less than 1.
    """
    if not 0 <= max_share < 1:
        raise ValueError(f"max_share is {max_share}; give a number from 0 to less than 1.")
    if len(values) < MIN_PAIRS:
        return FALLBACK
    ranked = sorted(values, reverse=True)
    n_passing = sum(place / len(ranked) <= max_share for place in range(1, len(ranked) + 1))
    return round(ranked[n_passing] + STEP, DIGITS)


def unanswerable(
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
    places: Sequence[int],
    *,
    seed: int = SEED,
) -> list[tuple[Question, list[Passage]]]:
    """Questions, each with contexts of others that are about something else.

    The other question shares no company, no measure and no risk topic and, where neither has
    one, has another answer form and other words; no term that is asked about in quotation marks
    stands in its passages. Up to ``MAX_TRIES`` are drawn. Its passages are
    given out as of the companies and years asked about.

    Args:
        questions: those of a run.
        contexts: for each its passages.
        places: which of them are to be paired.
        seed: of the draw.

    Returns:
        Up to ``MAX_PAIRS`` pairs, at most ``MAX_CONTEXTS`` a question, in a seeded order; fewer
        where no such contexts are drawn.
    """
    drawn = random.Random(seed)
    filled = [place for place, context in enumerate(contexts) if context]
    order = list(places)
    drawn.shuffle(order)
    n_each = min(MAX_CONTEXTS, -(-MAX_PAIRS // max(1, len(order))))
    pairs: list[tuple[Question, list[Passage]]] = []
    for place in order[:MAX_PAIRS]:
        question = questions[place]
        taken: set[int] = set()
        for _ in range(MAX_TRIES if filled else 0):
            other = filled[drawn.randrange(len(filled))]
            if other in taken or _holds_term(question, contexts[other]):
                continue
            if _is_about_other(question, questions[other]):
                taken.add(other)
                pairs.append((question, _posing(question, contexts[other])))
            if len(taken) == n_each:
                break
    return pairs[:MAX_PAIRS]


def _holds_term(question: Question, context: Sequence[Passage]) -> bool:
    """Whether a term that the question puts into quotation marks stands in the context."""
    terms = [term.casefold() for term in QUOTED.findall(question.text)]
    return any(term in passage.text.casefold() for term in terms for passage in context)


def _is_about_other(one: Question, other: Question) -> bool:
    if set(one.cik_ints) & set(other.cik_ints) or one.text == other.text:
        return False
    if set(one.kpi_labels) & set(other.kpi_labels) or set(one.risk_topics) & set(other.risk_topics):
        return False
    has_topic = bool(one.kpi_labels or one.risk_topics)
    if has_topic and (other.kpi_labels or other.risk_topics):
        return True
    if has_topic != bool(other.kpi_labels or other.risk_topics):
        return True
    return one.topic_text != other.topic_text and one.answer_form != other.answer_form


def _posing(question: Question, context: Sequence[Passage]) -> list[Passage]:
    """The passages as if they were of the companies and years asked about, in turn."""
    ciks, years = question.cik_ints, question.years
    return [
        replace(
            passage,
            cik_int=ciks[place % len(ciks)] if ciks else passage.cik_int,
            report_year=years[place % len(years)] if years else passage.report_year,
        )
        for place, passage in enumerate(context)
    ]

"""When an answerer should abstain: a threshold set without labels.

The support of an answer says how well a context carries a question. How much of it comes by
chance is measured, not guessed: each question is put to the context of another question, about
other companies and another topic, whose passages are told to be of the company and year asked
about, so that the topic alone must tell. The threshold is the 0.90 quantile of those supports:
about one question in ten that its context cannot answer is answered, at most. It is 0 where nine
in ten such contexts hold nothing of the form that is asked for; support 0 is never an answer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from finrag.answers.types import Passage, Question

QUANTILE: Final = 0.90
# With fewer questions a 0.90 quantile is the top one or two of them: chance.
MIN_PAIRS: Final = 30
MAX_PAIRS: Final = 100
MAX_CONTEXTS: Final = 10
# Between what was measured over invented and real filings with contexts of ten sentences: 0 for
# figures, causes and definitions, 0.1 for plain statements, 0.2 to 0.8 for risks.
FALLBACK: Final = 0.5
SEED: Final = 20_26
MAX_TRIES: Final = 60

SupportOf = Callable[[Sequence[Question], Sequence[Sequence[Passage]]], Sequence[float]]


def thresholds(
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
    groups: Sequence[str],
    support_of: SupportOf,
    *,
    seed: int = SEED,
) -> dict[str, float]:
    """The threshold of each group of questions: a figure and a sentence are not carried alike.

    Args:
        questions: those of a run; their answers are not needed.
        contexts: for each its passages.
        groups: for each the group whose supports can be compared with its own.
        support_of: gives the support of each question in a context.
        seed: of the pairing.

    Returns:
        For each group the ``QUANTILE`` of the supports of its pairs, ``FALLBACK`` where there
        are fewer than ``MIN_PAIRS``. Groups of few questions put each to several contexts.

    Raises:
        ValueError: there are not as many contexts or groups as questions.
    """
    if not len(questions) == len(contexts) == len(groups):
        raise ValueError(
            f"{len(questions)} questions have {len(contexts)} contexts and {len(groups)} groups; "
            "give each question one of both."
        )
    sizes = Counter(groups)
    pairs: list[tuple[str, Question, list[Passage]]] = []
    for group in sorted(sizes):
        places = [place for place, other in enumerate(groups) if other == group]
        found = unanswerable(questions, contexts, places, seed=seed)
        pairs += [(group, question, context) for question, context in found]
    values = support_of([one[1] for one in pairs], [one[2] for one in pairs])
    by_group: dict[str, list[float]] = {group: [] for group in sorted(sizes)}
    for (group, _, _), value in zip(pairs, values, strict=True):
        by_group[group].append(value)
    return {group: threshold(own) for group, own in by_group.items()}


def threshold(values: Sequence[float], quantile: float = QUANTILE) -> float:
    """The support that most contexts without an answer stay below.

    Args:
        values: the support that questions get in contexts that cannot answer them.
        quantile: share of them that should abstain, 0 to 1.

    Returns:
        The quantile by linear interpolation between the ordered values (Hyndman and Fan's
        type 7), 0 to 1; ``FALLBACK`` for fewer than ``MIN_PAIRS`` values.

    Raises:
        ValueError: the quantile is not within 0 and 1.
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"a quantile of {quantile} is none; give a number from 0 to 1.")
    if len(values) < MIN_PAIRS:
        return FALLBACK
    ranked = sorted(values)
    place = quantile * (len(ranked) - 1)
    below = int(place)
    above = min(below + 1, len(ranked) - 1)
    return round(ranked[below] + (place - below) * (ranked[above] - ranked[below]), 6)


def unanswerable(
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
    places: Sequence[int],
    *,
    seed: int = SEED,
) -> list[tuple[Question, list[Passage]]]:
    """Questions, each with contexts of others that are about something else.

    The other question shares no company, no measure and no risk topic and, where neither has
    one, has another answer form and other words; up to ``MAX_TRIES`` are drawn. Its passages are
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
            if other not in taken and _is_about_other(question, questions[other]):
                taken.add(other)
                pairs.append((question, _posing(question, contexts[other])))
            if len(taken) == n_each:
                break
    return pairs[:MAX_PAIRS]


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

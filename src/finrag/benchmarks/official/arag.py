"""A-RAG: contain-match, and accuracy by a model's judgement, over two denominators.

Source of the rules: ``scripts/eval.py`` of the A-RAG experiments. Its accuracies divide by the
rows of a predictions file; a question that failed before it was written there goes uncounted.
Here each accuracy is given over what was judged and over what was asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many answers are right, of those judged and of all that were asked.

    Attributes:
        right: number of answers judged right.
        judged: number of answers with a judgement.
        asked: number of questions asked.
        over_judged: right / judged; null where nothing was judged.
        over_asked: right / asked; null where nothing was asked.
    """

    right: int
    judged: int
    asked: int
    over_judged: float | None
    over_asked: float | None


def contain_match(predicted: str, gold: str) -> bool:
    """Whether an answer holds the gold word for word.

    Case and the space around the gold do not count; all else does, so that ``$1,577.00`` does
    not hold ``$1577``. An empty gold is in every answer, and "5" is in "15".

    Args:
        predicted: What was answered.
        gold: What is right.

    Returns:
        Whether it does.
    """
    return gold.lower().strip() in predicted.lower()


def is_judged_right(verdict: str) -> bool:
    """Whether a judge's words mean right: they start with "correct", in any case.

    Args:
        verdict: What the judging model said.

    Returns:
        Whether they do; whatever starts otherwise is wrong.
    """
    return verdict.strip().lower().startswith("correct")


def accuracy(judgements: Iterable[bool | None], asked: int) -> Accuracy:
    """Accuracy over those judged and over all that were asked.

    Args:
        judgements: One for each answer; null where nobody judged it.
        asked: Number of questions asked, answered or not.

    Returns:
        Counts and shares.

    Raises:
        ValueError: Fewer questions were asked than answered.
    """
    listed = list(judgements)
    if asked < len(listed):
        raise ValueError(f"{len(listed)} answers to {asked} questions; count all that were asked")
    judged = [one for one in listed if one is not None]
    right = sum(judged)
    return Accuracy(
        right=right,
        judged=len(judged),
        asked=asked,
        over_judged=right / len(judged) if judged else None,
        over_asked=right / asked if asked else None,
    )

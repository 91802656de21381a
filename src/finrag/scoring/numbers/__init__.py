"""Verdicts on the numbers of an answer beside the number that is right."""

from finrag.scoring.numbers.verdicts import (
    JUDGED_SCHEMA,
    RELATIVE_TOLERANCE,
    RIGHT,
    VERDICTS,
    Answered,
    Expected,
    Judged,
    judge_number,
    judge_numbers,
)

__all__ = [
    "JUDGED_SCHEMA",
    "RELATIVE_TOLERANCE",
    "RIGHT",
    "VERDICTS",
    "Answered",
    "Expected",
    "Judged",
    "judge_number",
    "judge_numbers",
]

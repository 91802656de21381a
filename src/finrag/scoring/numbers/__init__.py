"""Verdicts on the numbers of an answer beside the number that is right."""

from finrag.scoring.numbers.verdicts import (
    RELATIVE_TOLERANCE,
    RIGHT,
    VERDICT_SCHEMA,
    VERDICTS,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
    judge_numbers,
)

__all__ = [
    "RELATIVE_TOLERANCE",
    "RIGHT",
    "VERDICTS",
    "VERDICT_SCHEMA",
    "Answered",
    "Expected",
    "NumericVerdict",
    "check_number",
    "judge_numbers",
]

"""Verdicts on the numbers of an answer beside the number that is right."""

from finrag.scoring.numbers.verdicts import (
    RELATIVE_TOLERANCE,
    RIGHT,
    VERDICTS,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
)

__all__ = [
    "RELATIVE_TOLERANCE",
    "RIGHT",
    "VERDICTS",
    "Answered",
    "Expected",
    "NumericVerdict",
    "check_number",
]

"""Verdicts on the numbers of an answer beside the number that is right."""

from finrag.scoring.numbers.verdicts import (
    BELOW_TIE,
    RELATIVE_TOLERANCE,
    RIGHT,
    VERDICTS,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
)

__all__ = [
    "BELOW_TIE",
    "RELATIVE_TOLERANCE",
    "RIGHT",
    "VERDICTS",
    "Answered",
    "Expected",
    "NumericVerdict",
    "check_number",
]

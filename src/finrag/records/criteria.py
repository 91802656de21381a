"""Checks on an answer as a record lists them: text, operator, weight, whether all hangs on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.records.identity import is_missing

CORRECTNESS: Final = "correctness"
CONTRADICTION: Final = "contradiction"
OPERATORS: Final = (CORRECTNESS, CONTRADICTION)
MAX_CRITERIA: Final = 200
_FIELDS: Final = ("criteria", "rubric")
_TEXTS: Final = ("criteria", "criterion", "text")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One check: text, operator, weight, and whether an answer that fails it has no credit."""

    text: str
    operator: str = CORRECTNESS
    weight: float = 1.0
    is_dealbreaker: bool = False


def read_criteria(original_fields: str | None) -> tuple[Criterion, ...]:
    """The checks among a record's own fields; none where it has none.

    Raises:
        ValueError: the fields are no JSON object, the checks are not a list of objects with a
            text or are more than ``MAX_CRITERIA``, an operator is unknown, a weight is no number
            of 0 or more, or a dealbreaker is not true or false.
    """
    fields = json.loads(original_fields) if original_fields else {}
    if not isinstance(fields, Mapping):
        raise ValueError("the fields of the record are not a JSON object")
    found = next((fields[name] for name in _FIELDS if not is_missing(fields.get(name))), ())
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise ValueError("criteria are not a list; give a list of objects")
    if len(found) > MAX_CRITERIA:
        raise ValueError(f"{len(found)} criteria; the limit is {MAX_CRITERIA}")
    return tuple(_criterion(entry) for entry in found)


def _criterion(entry: Any) -> Criterion:
    if isinstance(entry, str):
        return Criterion(entry)
    text = (
        next((entry[name] for name in _TEXTS if entry.get(name)), None)
        if (isinstance(entry, Mapping))
        else None
    )
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a criterion has no text; write it under 'criteria'")
    operator = str(entry.get("operator") or CORRECTNESS).lower()
    if operator not in OPERATORS:
        raise ValueError(f"operator '{operator}' is none of {', '.join(OPERATORS)}")
    weight = entry.get("weight", 1.0)
    if (
        isinstance(weight, bool)
        or not isinstance(weight, int | float)
        or not 0 <= weight <= sys.float_info.max
    ):
        raise ValueError(f"weight {weight!r} is not a number of 0 or more")
    is_dealbreaker = entry.get("is_dealbreaker", False)
    if not isinstance(is_dealbreaker, bool):
        raise ValueError(f"is_dealbreaker {is_dealbreaker!r} is neither true nor false")
    return Criterion(text, operator, float(weight), is_dealbreaker)

"""Single values of a prediction: what cannot be read becomes null, or text, and is a fault."""

import json
import math
from typing import Any, Final

from finrag.records.fields import parse_number
from finrag.records.identity import is_missing, shown
from finrag.sources.predictions.places import MAX_TEXT_CHARS, clean_text

# No question takes so many tokens, milliseconds or dollars. What is added up over many stays below
# what an exact sum can hold.
MOST_SPENT: Final = 1e12

Faults = list[dict[str, Any]]


def fault(part: str, place: int | None, code: str, detail: str) -> dict[str, Any]:
    """Return one entry of ``faults``: what was left out, where, and why."""
    return {"part": part, "place": place, "fault_code": code, "detail": detail}


def truth_of(value: object, name: str, faults: Faults) -> bool | None:
    """Return a truth value, also from its word, or null."""
    if is_missing(value):
        return None
    text = str(value).strip().lower()
    if text in ("true", "yes", "1"):
        return True
    if text in ("false", "no", "0"):
        return False
    detail = f"{name} is {shown(value)}, expected true or false"
    faults.append(fault("field", None, f"bad_{name}", detail))
    return None


def text_of(
    value: object, name: str, faults: Faults, limit: int | None = MAX_TEXT_CHARS
) -> str | None:
    """Return text without blanks at its ends, cut to the limit; of another value its JSON."""
    if is_missing(value):
        return None
    if not isinstance(value, str):
        detail = f"{name} is {shown(value)}, expected text; its JSON text is kept"
        faults.append(fault("field", None, "not_text", detail))
        value = json_text(value)
    return clean_text(value)[:limit]


def amount_of(
    value: object,
    name: str,
    faults: Faults,
    least: float = -math.inf,
    most: float = math.inf,
) -> float | None:
    """Return a finite number within bounds, also from its digits, or null."""
    if is_missing(value):
        return None
    try:
        number = parse_number(value)
        if not (math.isfinite(number) and least <= number <= most):
            limits = f" from {least:g} to {most:g}" if math.isfinite(most) else ""
            raise ValueError(f"it is {shown(value)}, expected a finite number{limits}")
    except ValueError as error:
        faults.append(fault("field", None, f"bad_{name}", f"{name} cannot be read: {error}"))
        return None
    return number


def spent_of(value: object, name: str, faults: Faults) -> float | None:
    """Return a time or a cost: a number from 0 to `MOST_SPENT`, or null."""
    return amount_of(value, name, faults, least=0.0, most=MOST_SPENT)


def count_of(value: object, name: str, faults: Faults) -> int | None:
    """Return a whole number from 0 to `MOST_SPENT`, or null."""
    number = spent_of(value, name, faults)
    if number is None:
        return None
    if not number.is_integer():
        detail = f"{name} is {shown(value)}, expected a whole number"
        faults.append(fault("field", None, f"bad_{name}", detail))
        return None
    return int(number)


def json_text(value: object) -> str:
    """Return a value as JSON; NaN and infinity, which JSON does not know, become null."""
    try:
        return json.dumps(value, default=str, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), default=str, ensure_ascii=False)


def finite(value: object) -> Any:
    """Return a value of JSON with null for NaN and infinity, which JSON does not know."""
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""Values that open formats have and page-bound sets have not: flags, tolerances, made-up ids."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any

from finrag.records.fields import bad_field, required_mappings, whole_number
from finrag.records.identity import is_missing


def optional_whole(record: Mapping[str, Any], name: str, least: int = 0) -> int | None:
    """Return a field as a whole number of at least `least`; null where it says nothing."""
    value = record.get(name)
    return None if is_missing(value) else whole_number(value, name, least)


def optional_number(record: Mapping[str, Any], name: str) -> float | None:
    """Return a field as a finite number of 0 or more; null where it says nothing."""
    value: Any = record.get(name)
    if is_missing(value):
        return None
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise bad_field(name, value, "a number of 0 or more")
    return number


def truth(record: Mapping[str, Any], name: str) -> bool | None:
    """Return a field as a truth value, also from its word; null where it says nothing."""
    value = record.get(name)
    if is_missing(value):
        return None
    found = {"true": True, "false": False}.get(str(value).strip().lower())
    if found is None:
        raise bad_field(name, value, "true or false")
    return found


def objects(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return a field that lists objects; an absent one lists none."""
    return [] if is_missing(record.get(name)) else required_mappings(record, name)


def hashed(*parts: str) -> str:
    """Return 12 hexadecimal digits that stand for some texts: the same for the same texts."""
    joined = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:12]

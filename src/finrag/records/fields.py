"""Taking typed fields out of a raw record, with a fault where one is missing or of another kind.

Every function but `parse_number` raises `RecordFaultError` and nothing else: `missing_field` for a
field that is absent, null or blank, `bad_field` for one of the wrong kind.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.records.json_records import RepeatedFields, not_an_object, not_utf8, repeated_field

Record = Mapping[str, Any]
Grid = list[list[str]]

LIST_SEPARATOR: Final = " | "

_MAX_INT: Final = 2**31 - 1


def bad_field(name: str, value: object, expected: str) -> RecordFaultError:
    """Return the fault for a field that is there but cannot be used.

    Args:
        name: the field as a reader finds it, such as `qa.exe_ans`.
        value: what it holds.
        expected: what it should hold, such as `a list of texts`.
    """
    reason = f"{name} is {shown(value)}, expected {expected}"
    return RecordFaultError("bad_field", reason, f"write {name} as {expected}")


def missing_field(*names: str) -> RecordFaultError:
    """Return the fault for a record that has none of `names`."""
    listed = " or ".join(names)
    reason = f"the record has no {listed}"
    advice = f"add {listed}, or check that the file belongs to the set that its name says"
    return RecordFaultError("missing_field", reason, advice)


def named_fields(value: object) -> dict[str, Any]:
    """Return a record's fields by lower-case name.

    Raises:
        RecordFaultError: it is not an object, or has a field twice.
    """
    if not isinstance(value, dict):
        raise not_an_object(value)
    if isinstance(value, RepeatedFields):
        raise repeated_field()
    named = {str(name).strip().lower(): item for name, item in value.items()}
    if len(named) < len(value):
        reason = "the record has fields that differ only in capitals"
        raise RecordFaultError("repeated_field", reason, "keep each field once")
    return named


def writable_fields(value: object) -> dict[str, Any]:
    """Return a record's fields by lower-case name, all of which can be written as UTF-8 JSON.

    Raises:
        RecordFaultError: as `named_fields`, or a value cannot be written.
    """
    named = named_fields(value)
    check_writable(named)
    return named


def check_writable(value: object) -> None:
    """Raise unless a value can be written as UTF-8 JSON: an escape can name half a character.

    Raises:
        RecordFaultError: it cannot.
    """
    try:
        json.dumps(value, default=str, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise not_utf8(error.reason) from error
    except (RecursionError, TypeError, ValueError) as error:
        reason = f"the record is nested in a way that cannot be read ({error})"
        raise RecordFaultError("not_json", reason, "write plain values and lists") from error


def parse_number(value: object) -> float:
    """Return a number, or text that is one, as a float.

    Raises:
        ValueError: the value is something else; a comma or an underscore is no part of a number.
    """
    try:
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, str) and "_" not in value:
            return float(value)
    except OverflowError:
        return math.inf
    except ValueError:
        pass
    raise ValueError(f"it is {shown(value)}, expected a number without thousands separators")


def listed(text: str) -> list[Any]:
    """Return the entries of a list written as text: a JSON array, or with " | " between them.

    Raises:
        ValueError: the text begins and ends like an array, and is none.
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return [entry.strip() for entry in text.split(LIST_SEPARATOR)]
    try:
        return list(json.loads(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def array_of(value: object) -> object:
    """Return the list that a text spells as a JSON array, else the value itself."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        return listed(text) if text.startswith("[") and text.endswith("]") else value
    except ValueError:
        return value


def required_text(record: Record, *names: str) -> str:
    """Return the first of the fields that is there, as text without blanks at its ends."""
    found = optional_text(record, *names)
    if found is None:
        raise missing_field(*names)
    return found


def optional_text(record: Record, *names: str) -> str | None:
    """Return the first of the fields that is there as text, or null; numbers become text."""
    for name in names:
        value = record.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise bad_field(name, value, "text")
        text = number_text(value) if not isinstance(value, str) else value.strip()
        if text:
            return text
    return None


def required_list(record: Record, name: str) -> list[Any]:
    """Return a list field; an empty list is allowed, null is not."""
    value = record.get(name)
    if value is None:
        raise missing_field(name)
    if not isinstance(value, list | tuple):
        raise bad_field(name, value, "a list")
    return list(value)


def optional_list(record: Record, name: str) -> list[Any]:
    """Return a list field, empty where it is absent or null."""
    return [] if record.get(name) is None else required_list(record, name)


def required_texts(record: Record, name: str) -> list[str]:
    """Return a list of texts; a null entry is an empty text, so that places stay as they are."""
    entries = required_list(record, name)
    for entry in entries:
        if entry is not None and not isinstance(entry, str):
            raise bad_field(name, entry, "a list of texts")
    return [entry or "" for entry in entries]


def required_mapping(record: Record, name: str) -> Mapping[str, Any]:
    """Return a field that is an object."""
    value = record.get(name)
    if value is None:
        raise missing_field(name)
    if not isinstance(value, Mapping):
        raise bad_field(name, value, "an object")
    return value


def required_mappings(record: Record, name: str) -> list[Mapping[str, Any]]:
    """Return a field that is a list of objects."""
    entries = required_list(record, name)
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise bad_field(name, entry, "a list of objects")
    return entries


def whole_number(value: object, name: str, least: int = 0) -> int:
    """Return a whole number given as a number or as its digits.

    Args:
        value: what the field holds.
        name: the field, for the fault.
        least: the smallest number allowed; the largest is that of 32 bits.
    """
    number: int | None = None
    if isinstance(value, str):
        digits = value.strip()
        number = int(digits) if digits.isdecimal() and len(digits) < 20 else None
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, float) and math.isfinite(value):
        number = int(value) if value == int(value) else None
    if number is None or not least <= number <= _MAX_INT:
        raise bad_field(name, value, f"a whole number from {least}")
    return number


def required_whole(record: Record, name: str, least: int = 0) -> int:
    """Return a field that is a whole number; see `whole_number`."""
    if record.get(name) is None:
        raise missing_field(name)
    return whole_number(record[name], name, least)


def optional_whole(record: Record, name: str, least: int = 0) -> int | None:
    """Return a field as a whole number of at least `least`; null where it says nothing."""
    value = record.get(name)
    return None if is_missing(value) else whole_number(value, name, least)


def optional_number(record: Record, name: str) -> float | None:
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


def truth(record: Record, name: str) -> bool | None:
    """Return a field as a truth value, also from its word; null where it says nothing."""
    value = record.get(name)
    if is_missing(value):
        return None
    found = {"true": True, "false": False}.get(str(value).strip().lower())
    if found is None:
        raise bad_field(name, value, "true or false")
    return found


def objects(record: Record, name: str) -> list[Mapping[str, Any]]:
    """Return a field that lists objects; an absent one lists none."""
    return [] if is_missing(record.get(name)) else required_mappings(record, name)


def required_grid(value: object, name: str) -> Grid:
    """Return a table as rows of text cells; null cells are empty.

    Args:
        value: a list of rows, each a list of plain values; rows may differ in length.
        name: the field, for the fault.
    """
    if value is None:
        raise missing_field(name)
    if not isinstance(value, list) or not value:
        raise bad_field(name, value, "a list of rows")
    return [_cells(row, name) for row in value]


def _cells(row: object, name: str) -> list[str]:
    if not isinstance(row, list):
        raise bad_field(name, row, "a list of rows, each a list of cells")
    for cell in row:
        if cell is not None and not isinstance(cell, str | int | float):
            raise bad_field(name, cell, "a list of rows, each a list of plain cells")
    return ["" if cell is None else value_text(cell) for cell in row]


def value_text(value: object) -> str:
    """Return a plain value as text: text as it is, a number in its shortest form, else JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    return as_json(value)


def number_text(value: float) -> str:
    """Return a number as the shortest text that reads back as it, whole ones without `.0`."""
    if isinstance(value, float) and not math.isfinite(value):
        raise bad_field("a number", value, "finite")
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def answer_texts(value: object, name: str = "answer") -> tuple[str, ...]:
    """Return the gold answers of a field: one text or number, or a list of them.

    Blank answers and null give none, so that the caller decides whether that is a fault. A whole
    float keeps its `.0`: evaluators that look for the printed gold in an answer see it so.
    """
    values = value if isinstance(value, list | tuple) else [value]
    for each in values:
        if each is not None and not isinstance(each, str | int | float):
            raise bad_field(name, each, "a text, a number or a list of them")
    texts = (_printed(each).strip() for each in values if each is not None)
    return tuple(text for text in texts if text)


def _printed(value: object) -> str:
    text = value_text(value)
    return repr(value) if isinstance(value, float) else text


def as_json(value: object) -> str:
    """Return a value as JSON text with sorted keys; what JSON does not know becomes text."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, default=str)
    except ValueError as error:
        reason = f"the record holds a value that JSON cannot express ({error})"
        raise RecordFaultError("not_json", reason, "replace NaN and Infinity by null") from error


def original_json(record: Record, without: Collection[str] = ()) -> str:
    """Return a record's own fields as JSON text, without those that became passages."""
    return as_json({name: value for name, value in record.items() if name not in without})


def parallel(values: Sequence[Any] | None, length: int, name: str) -> Sequence[Any]:
    """Return values that go with turns, or that many nulls where the set holds them back."""
    if values is None:
        return [None] * length
    if len(values) != length:
        expected = f"a list of {length} entries, one a question"
        raise bad_field(name, f"{len(values)} entries", expected)
    return values

"""The fields of one question: their types, and the faults for which a record is rejected."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final, TypeVar

from finrag.records.criteria import read_criteria
from finrag.records.fields import array_of, parse_number, writable_fields
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, parse_cik, shown
from finrag.text.numbers import MAX_MAGNITUDE

ANSWER_TYPES: Final = ("span", "list", "boolean", "numeric", "no_answer")
QUESTION_FIELDS: Final = (
    *("question_id", "cik_int", "company_name", "years", "question_text", "answer_type"),
    *("answer_text", "answer_numeric", "answer_unit", "tolerance", "evidence_sentence_ids"),
    *("evidence_spans", "retrieval_scope", "difficulty", "section_hints", "notes"),
    *("gold_version", "created_by", "created_at", "curation_confidence"),
)
KNOWN_FIELDS: Final = (*QUESTION_FIELDS, "category", "criteria")

_MAX_INT32: Final = 2**31 - 1

Fault = dict[str, str]
Fields = dict[str, Any]
_T = TypeVar("_T")


def fault(code: str, detail: str) -> Fault:
    """Return one entry of `schema_faults`."""
    return {"fault_code": code, "detail": detail}


def parse_fields(value: object) -> tuple[Fields, list[Fault]]:
    """Return the typed fields of a raw record and the faults of their form.

    Lists are never null. An answer that is a list becomes the text of a JSON array. A single value
    where a list is expected counts as a list of one, and a text field that holds something else as
    its JSON text; both are faults. `answer_numeric` is null if it is NaN or infinite (the latter,
    and the former on a numeric question, is a fault), so that no comparison below meets it. Times
    are in UTC, those without an offset taken for UTC.

    Args:
        value: what a reader found: a mapping of field names, in any case, to values.

    Returns:
        The fields of `KNOWN_FIELDS` and `unknown_fields`, and faults (`fault_code`, `detail`).

    Raises:
        RecordFaultError: the record cannot be a question: it is not an object, has a field twice,
            no `question_id`, no `question_text`, an unknown `answer_type`, or a wrong type.
    """
    given = writable_fields(value)
    faults: list[Fault] = []
    question_id = _required(given, "question_id", "give every question an id of its own")
    question_text = _required(given, "question_text", "write the question, or remove the record")
    answer_type = _answer_type(given.get("answer_type"))
    fields: Fields = {
        "question_id": question_id,
        "cik_int": _entries(given, "cik_int", parse_cik, faults),
        "company_name": _entries(given, "company_name", _text_entry, faults),
        "years": _entries(given, "years", _year, faults),
        "question_text": question_text,
        "answer_type": answer_type,
        "answer_text": _answer_text(given, answer_type, faults),
        "answer_numeric": _answer_numeric(given, answer_type, faults),
        "tolerance": _optional_number(given, "tolerance"),
        "curation_confidence": _optional_number(given, "curation_confidence"),
        "created_at": _created_at(given.get("created_at"), faults),
    }
    for name in ("evidence_sentence_ids", "evidence_spans", "section_hints"):
        fields[name] = _entries(given, name, _text_entry, faults)
    for name in ("answer_unit", "notes", "gold_version", "created_by"):
        fields[name] = _optional_text(given, name, faults)
    for name in ("retrieval_scope", "difficulty"):
        text = _optional_text(given, name, faults)
        fields[name] = text.lower() if text else text
    category = _optional_text(given, "category", faults)
    fields["category"] = category.upper() if category else category
    fields["criteria"] = _criteria(given.get("criteria"))
    fields["unknown_fields"] = sorted(given.keys() - set(KNOWN_FIELDS))
    return fields, faults


def _required(given: Mapping[str, object], name: str, advice: str) -> str:
    value = given.get(name)
    if is_missing(value):
        found = "blank" if name in given else f"missing; the fields found are {_listed(given)}"
        raise RecordFaultError(f"no_{name}", f"{name} is {found}", advice)
    if isinstance(value, bool) or not isinstance(value, str | int):
        reason = f"{name} is {shown(value)}, expected text"
        raise RecordFaultError(f"bad_{name}", reason, f"write {name} as a string")
    return str(value).strip()


def _listed(given: Mapping[str, object]) -> str:
    return shown(", ".join(given), 300) if given else "none"


def _answer_type(value: object) -> str:
    text = value.strip().lower() if isinstance(value, str) else ""
    if text not in ANSWER_TYPES:
        found = "missing" if is_missing(value) else shown(value)
        reason = f"answer_type is {found}, expected one of {', '.join(ANSWER_TYPES)}"
        raise RecordFaultError("unknown_answer_type", reason, "write one of these answer types")
    return text


def _entries(
    given: Mapping[str, object],
    name: str,
    parse: Callable[[object], _T],
    faults: list[Fault],
) -> list[_T]:
    """Return a list field with every entry parsed; blank entries are left out, as a fault."""
    value = given.get(name)
    if is_missing(value):
        return []
    if not isinstance(value, list | tuple):
        if isinstance(value, dict):
            raise _wrong_type(name, f"{name} is {shown(value)}, expected a list")
        faults.append(fault("not_a_list", f"{name} is one value, not a list"))
        value = [value]
    present = [entry for entry in value if not is_missing(entry)]
    if len(present) < len(value):
        faults.append(fault("blank_entry", f"{name} has blank entries; they are left out"))
    try:
        return [parse(entry) for entry in present]
    except ValueError as error:
        raise _wrong_type(name, f"an entry of {name} cannot be read: {error}") from error


def _wrong_type(name: str, reason: str) -> RecordFaultError:
    return RecordFaultError(f"bad_{name}", reason, f"correct {name}, or remove the record")


def _text_entry(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"it is {shown(value)}, expected text")
    return value.strip()


def _year(value: object) -> int:
    """Return a year as a whole number; whether it can be one is not asked here."""
    number = parse_number(value)
    if not number.is_integer() or abs(number) > _MAX_INT32:
        raise ValueError(f"it is {shown(value)}, expected a whole number such as 2021")
    return int(number)


def _optional_number(given: Mapping[str, object], name: str) -> float | None:
    value = given.get(name)
    if is_missing(value):
        return None
    try:
        number = parse_number(value)
    except ValueError as error:
        raise _wrong_type(name, f"{name} cannot be read: {error}") from error
    return None if math.isnan(number) else number


def _answer_numeric(
    given: Mapping[str, object], answer_type: str, faults: list[Fault]
) -> float | None:
    number = _optional_number(given, "answer_numeric")
    # Tables write a value that is not there as NaN; only a numeric question must have one.
    is_nan = number is None and given.get("answer_numeric") not in (None, "")
    if is_nan and answer_type == "numeric":
        faults.append(fault("number_not_finite", "answer_numeric is not a number (NaN)"))
    if number is not None and abs(number) >= MAX_MAGNITUDE:
        faults.append(fault("number_not_finite", "answer_numeric is infinite or too large"))
        return None
    return number


def _answer_text(given: Mapping[str, object], answer_type: str, faults: list[Fault]) -> str | None:
    """Return the answer as text; the text of a JSON array if it is, or should be, a list."""
    value = given.get("answer_text")
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, str) and answer_type == "list":
        value = array_of(value)
    if isinstance(value, list):
        if answer_type != "list":
            detail = f"answer_text is a list, answer_type is {answer_type}"
            faults.append(fault("answer_is_a_list", detail))
        texts = _entries({"answer_text": value}, "answer_text", _answer_entry, faults)
        return json.dumps(texts, ensure_ascii=False)
    if is_missing(value):
        return None
    if answer_type == "list":
        faults.append(fault("list_answer_not_a_list", "answer_text is one text, not a list"))
        return json.dumps([_answer_entry(value)], ensure_ascii=False)
    if not isinstance(value, str):
        faults.append(fault("not_text", f"answer_text is {shown(value)}, not text"))
    return _answer_entry(value)


def _answer_entry(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float | Decimal):
        return str(value)
    raise _wrong_type("answer_text", f"answer_text holds {shown(value)}, expected text")


def _optional_text(given: Mapping[str, object], name: str, faults: list[Fault]) -> str | None:
    value = given.get(name)
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value.strip()
    faults.append(fault("not_text", f"{name} is {shown(value)}, not text"))
    return json.dumps(value, default=str, ensure_ascii=False)


def _criteria(value: object) -> str | None:
    """Return the checks on an answer as the text of a JSON array; null where there are none."""
    if is_missing(value):
        return None
    try:
        listed = json.loads(value) if isinstance(value, str) else value
        if not isinstance(listed, list):
            raise ValueError("criteria are not a list; give a list of objects")
        checks = read_criteria(json.dumps({"criteria": listed}))
    except (TypeError, ValueError) as error:
        is_text = isinstance(error, json.JSONDecodeError)
        fault_found = f"it is not JSON: {error}" if is_text else str(error)
        raise RecordFaultError(
            "bad_criteria",
            f"criteria cannot be read: {fault_found}",
            'write [{"text": "$41.5 million", "is_dealbreaker": true}], or remove criteria',
        ) from error
    return json.dumps([asdict(check) for check in checks], ensure_ascii=False) if checks else None


def _created_at(value: object, faults: list[Fault]) -> datetime | None:
    if is_missing(value):
        return None
    try:
        if isinstance(value, datetime):
            moment = value
        elif isinstance(value, date):
            moment = datetime.combine(value, time())
        elif isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
        else:
            raise ValueError("not a time")
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        detail = f"created_at is {shown(value)}, expected a time such as 2025-01-31T12:00:00Z"
        faults.append(fault("bad_created_at", detail))
        return None

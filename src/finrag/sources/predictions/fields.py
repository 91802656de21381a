"""The fields of one prediction: which names they go by, their types, and what is wrong with them.

A record that names no question cannot be used and raises. Everything else is retained: a value that
cannot be read becomes null, an entry that cannot be read is left out, and each is a fault.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from finrag.records.fields import parse_number, writable_fields
from finrag.records.files import RecordFaultError
from finrag.records.identity import is_missing, shown
from finrag.records.vocabulary import read_vocabulary
from finrag.sources.suites.records import LIST_SEPARATOR
from finrag.text.abstentions import is_abstention

# The names under which each field is known, in any case; the first one with a value is used.
_VOCABULARY: Final = read_vocabulary(__file__)
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    field: tuple(names.split()) for field, names in _VOCABULARY.tables["aliases"].items()
}
# Objects inside a record in which counts and costs are looked for as well.
NESTED: Final = ("usage", "metadata", "llm")
_COUNTED: Final = ("model", "n_steps", "input_tokens", "output_tokens", "latency_ms", "cost_usd")
_OUTCOMES: Final = ("numeric_value", "unit", "is_abstained", "failure")
_ID_NAMES: Final = ("sentence_id", "passage_id", "id", "evidence_id", "doc_id", "docid", "chunk_id")
_SCORE_NAMES: Final = ("score", "similarity", "relevance")
_QUOTE_NAMES: Final = ("quote", "text", "span")

MAX_ANSWER_CHARS: Final = 100_000
MAX_TEXT_CHARS: Final = 4_000
_MAX_INT64: Final = 2**63 - 1

Row = dict[str, Any]
Faults = list[dict[str, Any]]


def parse_prediction(value: object) -> Row:
    """Return the typed fields of a raw record of predictions.

    An answer that is a list becomes the text of a JSON array, a truth value Yes or No, a number
    its digits. Numbers may come as text. Tokens, cost, latency, steps and model are also looked
    for in the objects ``usage``, ``metadata`` and ``metadata.llm``. An answer that is nothing but
    a refusal in words is an abstention, whatever its flag says. A list field may be a list, one
    value, the text of a JSON array, or text with " | " between the entries; its entries are ids or
    objects with one.

    Args:
        value: what a reader found: a mapping of field names, in any case, to values.

    Returns:
        The columns of ``PREDICTION_SCHEMA`` from ``record_form`` on. ``citations``, ``sources`` and
        ``candidates`` are null where the record has no such field. ``extra`` holds the other
        fields as JSON, null where there are none.

    Raises:
        RecordFaultError: the record is not an object, has a field twice, or names no question.
    """
    given = writable_fields(value)
    faults: Faults = []
    found = {field: _find(given, names) for field, names in ALIASES.items()}
    key = _item_key(*found["item_key"])
    question = _text(found["question_text"][1], "question_text", faults)
    if key is None and question is None:
        names = shown(", ".join(given), 300) if given else "none"
        reason = f"the record names no question; the fields found are {names}"
        accepted = ", ".join(ALIASES["item_key"][:-1])
        advice = f"give every record one of {accepted} or id, or the text of the question"
        raise RecordFaultError("no_question", reason, advice)
    used = {name for name, _ in found.values() if name is not None}
    return {
        "record_form": "prediction",
        "item_key": key,
        "question_text": question,
        **_answer(found, faults),
        "citations": _citations(found["citations"][1], faults),
        "sources": _sources(found["sources"][1], faults),
        "candidates": _candidates(found["candidates"][1], faults),
        "stages": _stages(found["stages"][1], faults),
        **_counts(given, faults),
        "extra": _extra({name: item for name, item in given.items() if name not in used}),
        "faults": faults,
    }


def parse_report(value: Mapping[str, object], faults: Faults) -> Row:
    """Return what a record tells beside the words of its answer, in any file of predictions.

    Args:
        value: the record's fields, their names in any case.
        faults: takes what could not be read.

    Returns:
        ``numeric_value``, ``unit``, ``is_abstained``, ``failure``, ``model``, ``n_steps``, tokens,
        ``latency_ms`` and ``cost_usd``; null where the record does not say.
    """
    given = {str(name).strip().lower(): item for name, item in value.items()}
    outcome_fields = {field: _find(given, ALIASES[field])[1] for field in _OUTCOMES}
    return {
        "numeric_value": _amount(outcome_fields["numeric_value"], "numeric_value", faults),
        "unit": _text(outcome_fields["unit"], "unit", faults),
        "is_abstained": _truth(outcome_fields["is_abstained"], faults),
        "failure": _failure(outcome_fields["failure"]),
        **_counts(given, faults),
    }


def _counts(given: Mapping[str, object], faults: Faults) -> Row:
    """Return model, steps, tokens, time and cost, from the record or the objects inside it."""
    counted = {field: _find(given, ALIASES[field])[1] for field in _COUNTED}
    for inner in _nested(given):
        for field in _COUNTED:
            if is_missing(counted[field]):
                counted[field] = _find(inner, ALIASES[field])[1]
    return {
        "model": _text(counted["model"], "model", faults),
        **{
            name: _count(counted[name], name, faults)
            for name in ("n_steps", "input_tokens", "output_tokens")
        },
        **{
            name: _amount(counted[name], name, faults, least=0.0)
            for name in ("latency_ms", "cost_usd")
        },
    }


def fault(part: str, place: int | None, code: str, detail: str) -> dict[str, Any]:
    """Return one entry of ``faults``: what was left out, where, and why."""
    return {"part": part, "place": place, "fault_code": code, "detail": detail}


def clean_text(text: str) -> str:
    """Return text without NUL, which tables cannot hold, and without white space around it."""
    return text.replace("\0", "\ufffd").strip()


def _find(given: Mapping[str, object], names: tuple[str, ...]) -> tuple[str | None, object]:
    """Return the first name with a value, else the first one that is there, and its value."""
    present = [name for name in names if name in given]
    name = next((name for name in present if not is_missing(given[name])), None)
    name = name or next(iter(present), None)
    return (None, None) if name is None else (name, given[name])


def _nested(given: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    for name in NESTED:
        inner = given.get(name)
        if isinstance(inner, dict):
            named = {str(key).strip().lower(): item for key, item in inner.items()}
            yield named
            deeper = named.get("llm")
            if isinstance(deeper, dict):
                yield {str(key).strip().lower(): item for key, item in deeper.items()}


def _item_key(name: str | None, value: object) -> str | None:
    if is_missing(value):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        reason = f"{name} is {shown(value)}, expected text or a whole number"
        raise RecordFaultError("bad_question_id", reason, f"write {name} as a string")
    return clean_text(str(value))[:MAX_TEXT_CHARS]


def _answer(found: Mapping[str, tuple[str | None, object]], faults: Faults) -> Row:
    value = found["answer_text"][1]
    text = clean_text(_answer_text(value, faults))
    number = _amount(found["numeric_value"][1], "numeric_value", faults)
    abstained = _truth(found["is_abstained"][1], faults)
    failure = _failure(found["failure"][1])
    if not abstained and isinstance(value, str) and is_abstention(text, number):
        abstained = True
        detail = f"the answer is nothing but a refusal, {shown(text)}; it counts as an abstention"
        faults.append(fault("answer", None, "refusal_in_words", detail))
    return {
        # A blank answer is one; a null, as tables have it where nothing is, is none.
        "has_answer": isinstance(value, str)
        or not is_missing(value)
        or number is not None
        or bool(abstained or failure),
        "answer_text": text[:MAX_ANSWER_CHARS] or None,
        "is_cut": len(text) > MAX_ANSWER_CHARS,
        "numeric_value": number,
        "unit": _text(found["unit"][1], "unit", faults),
        "is_abstained": abstained,
        "failure": failure,
    }


def _answer_text(value: object, faults: Faults) -> str:
    if isinstance(value, str):
        return value
    if is_missing(value):
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, dict):
        detail = "the answer is an object, kept as its JSON text"
        faults.append(fault("answer", None, "answer_not_text", detail))
    if isinstance(value, dict | list | tuple):
        return _json(value)
    return str(value)


def _failure(value: object) -> str | None:
    if is_missing(value) or value is False or value in ([], {}):
        return None
    text = value if isinstance(value, str) else _json(value)
    return clean_text(text)[:MAX_TEXT_CHARS] or None


def _truth(value: object, faults: Faults) -> bool | None:
    if is_missing(value):
        return None
    text = str(value).strip().lower()
    if text in ("true", "yes", "1"):
        return True
    if text in ("false", "no", "0"):
        return False
    detail = f"abstained is {shown(value)}, expected true or false"
    faults.append(fault("field", None, "bad_abstained", detail))
    return None


def _text(value: object, name: str, faults: Faults) -> str | None:
    if is_missing(value):
        return None
    if not isinstance(value, str):
        detail = f"{name} is {shown(value)}, expected text; its JSON text is kept"
        faults.append(fault("field", None, "not_text", detail))
        value = _json(value)
    return clean_text(value)[:MAX_TEXT_CHARS]


def _amount(value: object, name: str, faults: Faults, least: float = -math.inf) -> float | None:
    if is_missing(value):
        return None
    try:
        number = parse_number(value)
        if not math.isfinite(number) or number < least:
            raise ValueError(f"it is {shown(value)}, expected a finite number from {least} up")
    except ValueError as error:
        faults.append(fault("field", None, f"bad_{name}", f"{name} cannot be read: {error}"))
        return None
    return number


def _count(value: object, name: str, faults: Faults) -> int | None:
    number = _amount(value, name, faults, least=0.0)
    if number is None:
        return None
    if not number.is_integer() or number > _MAX_INT64 - 1024:
        detail = f"{name} is {shown(value)}, expected a whole number"
        faults.append(fault("field", None, f"bad_{name}", detail))
        return None
    return int(number)


def _citations(value: object, faults: Faults) -> list[Row] | None:
    if is_missing(value):
        return None
    citations: list[Row] = []
    for place, entry in enumerate(_entries(value, "citation", faults)):
        passage_id = _entry_id(entry, "citation", place, faults)
        if passage_id is not None:
            quote = _entry_value(entry, _QUOTE_NAMES)
            words = clean_text(quote)[:MAX_TEXT_CHARS] if isinstance(quote, str) else None
            citations.append(
                {"citation_pos": len(citations), "passage_id": passage_id, "quote": words or None}
            )
    return citations


def _sources(value: object, faults: Faults) -> list[Row] | None:
    if is_missing(value):
        return None
    return [
        {"place": place, "passage_id": passage_id, "score": score}
        for place, passage_id, score in _ranked(value, "source", faults)
    ]


def _candidates(value: object, faults: Faults) -> list[Row] | None:
    """Return the candidates of each space, given as an object of space and list."""
    if is_missing(value):
        return None
    if not isinstance(value, dict):
        detail = 'candidates is not an object of space and list, such as {"text": ["..."]}'
        faults.append(fault("field", None, "bad_candidates", detail))
        return None
    return [
        {
            "space": clean_text(str(space))[:MAX_TEXT_CHARS],
            "place": place,
            "candidate_id": candidate_id,
            "score": score,
        }
        for space, entries in value.items()
        for place, candidate_id, score in _ranked(entries, "candidate", faults)
    ]


def _ranked(value: object, part: str, faults: Faults) -> Iterator[tuple[int, str, float | None]]:
    """Yield place, id and score of the readable entries of a ranked list."""
    for place, entry in enumerate(_entries(value, part, faults)):
        entry_id = _entry_id(entry, part, place, faults)
        if entry_id is None:
            continue
        given = _entry_value(entry, _SCORE_NAMES)
        # NaN is a score that went wrong, not one that is missing.
        if given is None or given == "":
            yield place, entry_id, None
            continue
        try:
            score = parse_number(given)
        except ValueError:
            score = math.nan
        if math.isfinite(score):
            yield place, entry_id, score
        else:
            detail = f"the score of {shown(entry_id)} is {shown(given)}, expected a finite number"
            faults.append(fault(part, place, "bad_score", detail))


def _entries(value: object, part: str, faults: Faults) -> list[object]:
    """Return the entries of a list field, whichever way it is written."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") and text.endswith("]"):
            try:
                return list(json.loads(text))
            except (ValueError, RecursionError):
                detail = f"{shown(text)} looks like a JSON array but is none"
                faults.append(fault(part, None, f"bad_{part}s", detail))
                return []
        return [entry.strip() for entry in text.split(LIST_SEPARATOR)]
    if isinstance(value, dict):
        if value and not any(name in value for name in _ID_NAMES):
            return [{"id": key, "score": item} for key, item in value.items()]
        return [value]
    return list(value) if isinstance(value, list | tuple) else [value]


def _entry_id(entry: object, part: str, place: int, faults: Faults) -> str | None:
    value = _entry_value(entry, _ID_NAMES) if isinstance(entry, dict) else entry
    if isinstance(value, str | int) and not isinstance(value, bool) and not is_missing(value):
        return clean_text(str(value))[:MAX_TEXT_CHARS]
    detail = f"{shown(entry)} names no sentence, expected an id or an object with sentence_id"
    faults.append(fault(part, place, f"bad_{part}", detail))
    return None


def _entry_value(entry: object, names: tuple[str, ...]) -> object:
    if not isinstance(entry, dict):
        return None
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _stages(value: object, faults: Faults) -> list[Row] | None:
    """Return time spent by stage, given as an object of stage and milliseconds."""
    if is_missing(value):
        return None
    if not isinstance(value, dict):
        detail = 'timings is not an object of stage and milliseconds, such as {"retrieve": 12.5}'
        faults.append(fault("field", None, "bad_timings", detail))
        return None
    timed = [
        (clean_text(str(stage))[:MAX_TEXT_CHARS], _amount(took, "timings", faults, least=0.0))
        for stage, took in value.items()
    ]
    return [
        {"stage": stage, "stage_pos": place, "n_in": None, "n_out": None, "latency_ms": took}
        for place, (stage, took) in enumerate(timed)
    ]


def _extra(rest: Mapping[str, object]) -> str | None:
    return _json(rest) if rest else None


def _json(value: object) -> str:
    """Return a value as JSON; NaN and infinity, which JSON does not know, become null."""
    try:
        return json.dumps(value, default=str, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), default=str, ensure_ascii=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

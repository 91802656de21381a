"""Structured answers of language models: parsed leniently, checked strictly."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.answers.types import Citation
from finrag.llm.completions import json_objects
from finrag.llm.messages import sound
from finrag.records.typed_yaml import read_typed
from finrag.text.numbers import find_amounts

UNITS: Final = ("USD", "percent", "USD_per_share", "year", "count", "days")
MAX_ANSWER_CHARS: Final = 8_000
MAX_CITATIONS: Final = 100
MAX_ID_CHARS: Final = 200
MAX_QUOTE_CHARS: Final = 2_000
MAX_UNIT_CHARS: Final = 40
# Above the balance sheet of the largest bank, in any currency of the corpus.
LARGEST_VALUE: Final = 1e18
MAX_TRIES: Final = 1_000

_KEYS: Final = frozenset({"answer", "abstained", "numeric_value"})
_UNITS: Final = read_typed(Path(__file__).with_suffix(".yml"), dict[str, tuple[str, ...]])
_NO_UNIT: Final = ("", "null", "none", "n/a")
_UNIT_NAMES: Final[dict[str, str | None]] = {
    **{name: unit for unit, names in _UNITS.items() for name in names},
    **dict.fromkeys(_NO_UNIT),
}
# What a printed unit may be called in the field ``unit``.
_PRINTED_AS: Final = {
    "USD": frozenset({"USD", "USD_per_share"}),
    "percentage_points": frozenset({"percent"}),
}
_PLAIN_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_DAYS: Final = re.compile(r" ?days?", re.IGNORECASE)


class AnswerError(ValueError):
    """A model's answer cannot be used; the message lists everything that is wrong with it."""


@dataclass(frozen=True)
class ParsedAnswer:
    """What a model answered.

    Attributes:
        is_abstention: the model says that the context does not hold the answer; all else is empty.
        text: the answer in words, untrusted.
        numeric_value: the figure in whole units; None where there is none.
        unit: one of ``UNITS``; None where there is none.
        citations: in the order of the model, each sentence once.
    """

    is_abstention: bool
    text: str | None = None
    numeric_value: float | None = None
    unit: str | None = None
    citations: tuple[Citation, ...] = ()


def answer_schema(has_reasoning: bool = False) -> dict[str, Any]:
    """The JSON schema of an answer; every key is required, as strict endpoints want it.

    Args:
        has_reasoning: whether a text of reasons comes before the answer.
    """
    citation = _closed({"sentence_id": {"type": "string"}, "quote": {"type": ["string", "null"]}})
    keys: dict[str, Any] = {"reasoning": {"type": "string"}} if has_reasoning else {}
    keys |= {
        "answer": {"type": ["string", "null"]},
        "citations": {"type": "array", "items": citation},
        "numeric_value": {"type": ["number", "null"]},
        "unit": {"type": ["string", "null"], "enum": [*UNITS, None]},
        "abstained": {"type": "boolean"},
    }
    return _closed(keys)


def parse_answer(text: str, context_ids: Collection[str]) -> ParsedAnswer:
    """Read an answer: the last JSON object in the text that looks like one.

    Fences, reasons and chatter around it are passed over. Accepted as well: a number in words or
    with a scale ("1.5 billion"), a unit by another usual name, a bare sentence id or a whole mark
    as a citation, a list or a number as the answer. Nothing is guessed beyond that. A figure in a
    unit that is none of ``UNITS`` (euros, tonnes) stays in the words of the answer alone: its
    value and unit are None, so that no other currency looks like dollars.

    Args:
        text: what the model wrote.
        context_ids: ids of the sentences that it was given.

    Returns:
        The answer. Citations of other sentences stay in it, with ``is_in_context`` False.

    Raises:
        AnswerError: no such object, or it contradicts itself, or a value has the wrong type, is no
            finite number, too large or too long.
    """
    found = _last_answer(text)
    problems: list[str] = []
    answer = _words(found.get("answer"), problems)
    value, printed_unit = _value(found.get("numeric_value"), problems)
    named_unit = _unit(found.get("unit"), problems)
    is_foreign = _is_foreign(named_unit, printed_unit)
    unit = None if is_foreign else _one_unit(named_unit, printed_unit, problems)
    citations = _citations(found.get("citations"), context_ids, problems)
    abstained = _flag(found.get("abstained"), answer is None and value is None, problems)
    if abstained and value is not None:
        problems.append("abstained is true, yet there is a numeric_value")
    if not abstained and answer is None and value is None and not problems:
        problems.append("abstained is false, yet there is neither an answer nor a numeric_value")
    if problems:
        raise AnswerError("; ".join(problems))
    if abstained:
        return ParsedAnswer(is_abstention=True)
    said = answer if answer is not None else f"{value:.15g}"
    if is_foreign:
        # Without words there would be nothing to tell the figure from one in our units.
        if answer is None:
            said = _with_unit(said, named_unit, printed_unit)
        value = None
    return ParsedAnswer(False, said, value, unit, citations)


def _closed(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(keys),
        "required": list(keys),
        "additionalProperties": False,
    }


def _last_answer(text: str) -> Mapping[str, Any]:
    objects = list(json_objects(text, MAX_TRIES))
    answers = [found for found in objects if _KEYS & found.keys()]
    if answers:
        return answers[-1]
    if "{" in text and not text.rstrip(" \n`").endswith("}"):
        raise AnswerError("the JSON breaks off before its end")
    is_json = bool(objects) or "{" not in text
    raise AnswerError("there is no JSON answer in it" if is_json else "its JSON is not valid")


def _words(value: Any, problems: list[str]) -> str | None:
    if isinstance(value, bool):
        value = "Yes" if value else "No"
    elif isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        value = str(value)
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "; ".join(value)
    if value is not None and not isinstance(value, str):
        problems.append(f"answer must be a text, not {_kind(value)}")
        return None
    if value is not None and len(value) > MAX_ANSWER_CHARS:
        problems.append(f"answer has {len(value)} characters, above {MAX_ANSWER_CHARS}")
        return None
    return (sound(value).strip() or None) if value is not None else None


def _value(value: Any, problems: list[str]) -> tuple[float | None, str | None]:
    """The figure, and the unit that is printed with it."""
    unit: str | None = None
    if isinstance(value, str):
        if value.strip().lower() in ("", "null", "none", "n/a"):
            return None, None
        value, unit = _read_number(value.strip())
        if value is None:
            problems.append("numeric_value is a text that holds no single number")
    if value is None:
        return None, None
    if isinstance(value, bool) or not isinstance(value, int | float):
        problems.append(f"numeric_value must be a number, not {_kind(value)}")
        return None, None
    if isinstance(value, float) and not math.isfinite(value):
        problems.append("numeric_value is not finite")
        return None, None
    if abs(value) > LARGEST_VALUE:
        problems.append(f"numeric_value is above {LARGEST_VALUE:g}")
        return None, None
    return float(value), unit


def _read_number(text: str) -> tuple[float | None, str | None]:
    if _PLAIN_NUMBER.fullmatch(text):
        return float(text), None
    amounts = find_amounts(text) if len(text) <= MAX_QUOTE_CHARS else ()
    if len(amounts) != 1 or amounts[0].is_range:
        return None, None
    (amount,) = amounts
    if amount.kind == "date" and _DAYS.fullmatch(text, amount.end):
        return amount.value, "days"
    # A bare number does not say its unit: it may be a year or a count.
    return amount.value, None if amount.unit == "count" else amount.unit


def _one_unit(named: str | None, printed: str | None, problems: list[str]) -> str | None:
    """The unit by its name, else as it is printed with the figure; both must agree."""
    allowed = _PRINTED_AS.get(printed or "", frozenset({printed}))
    if printed is not None and named is not None and named not in allowed:
        problems.append(f"numeric_value is printed in {printed}, yet unit is {named}")
    return named or printed


def _is_foreign(named: str | None, printed: str | None) -> bool:
    """Whether the unit, named or printed with the figure, is not one of ours."""
    if named is not None and named not in UNITS:
        return True
    return printed is not None and printed not in UNITS and not (named and printed in _PRINTED_AS)


def _with_unit(value: str, named: str | None, printed: str | None) -> str:
    unit = named if named is not None and named not in UNITS else printed
    return f"{value} {unit}"


def _unit(value: Any, problems: list[str]) -> str | None:
    """The unit in our spelling; one that is none of ours as the model wrote it."""
    if value is None:
        return None
    if not isinstance(value, str):
        problems.append(f"unit must be a text, not {_kind(value)}")
        return None
    name = " ".join(value.split()).lower()
    return _UNIT_NAMES.get(name, " ".join(sound(value).split())[:MAX_UNIT_CHARS])


def _flag(value: Any, default: bool, problems: list[str]) -> bool:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if value is not None and not isinstance(value, bool):
        problems.append(f"abstained must be true or false, not {_kind(value)}")
        return default
    return default if value is None else value


def _citations(
    value: Any, context_ids: Collection[str], problems: list[str]
) -> tuple[Citation, ...]:
    listed = [] if value is None else value if isinstance(value, list) else [value]
    if len(listed) > MAX_CITATIONS:
        problems.append(f"there are {len(listed)} citations, above {MAX_CITATIONS}")
        return ()
    known = frozenset(context_ids)
    found: dict[str, str | None] = {}
    for item in listed:
        pair = {"sentence_id": item} if isinstance(item, str) else item
        name = pair.get("sentence_id") if isinstance(pair, Mapping) else None
        quote = pair.get("quote") if isinstance(pair, Mapping) else None
        if not isinstance(name, str) or not isinstance(quote, str | None):
            problems.append("a citation must be a sentence id, or an object with one and a quote")
            return ()
        sentence_id = _sentence_id(name, known)
        if sentence_id:
            found[sentence_id] = found.get(sentence_id) or _quote(quote)
    return tuple(Citation(name, name in known, quote) for name, quote in found.items())


def _sentence_id(name: str, known: Collection[str]) -> str:
    """The id in a citation, which may repeat the whole mark of a passage."""
    clean = sound(name).strip()
    if clean not in known:
        bare = clean.removeprefix("[").removesuffix("]").rpartition("|")[2].strip()
        clean = bare if bare in known else clean
    return clean[:MAX_ID_CHARS]


def _quote(quote: str | None) -> str | None:
    trimmed = " ".join(sound(quote or "").split()).strip('"“”')
    return trimmed[:MAX_QUOTE_CHARS].strip() or None


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "a number")

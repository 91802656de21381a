"""What a language model says of each passage: a score, or yes or no with a confidence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from finrag.retrieval.ordering import Scores

# Fields that a passage has in an answer, beside its number.
_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "scores": {"score": "number"},
    "verdicts": {"relevant": "boolean", "confidence": "number"},
}
MAX_STARTS: Final = 50


def schema_of(form: str) -> dict[str, Any]:
    """JSON schema of an answer.

    Args:
        form: ``scores`` or ``verdicts``.
    """
    fields = {"number": "integer", **_FIELDS[form]}
    passage = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {form: {"type": "array", "items": passage}},
        "required": [form],
        "additionalProperties": False,
    }


def read_scores(answer: str, form: str, n_passages: int) -> Scores:
    """Read the score of each passage out of a model's answer.

    A verdict becomes the probability that the passage is relevant: its confidence if it says yes,
    1 less its confidence if it says no. Numbers that are no passage's are passed over, of a
    repeated one the first counts, and a passage without a score stands behind all others.

    Args:
        answer: what the model wrote, untrusted: ``{"scores": [{"number": 1, "score": 80}]}`` or
            ``{"verdicts": [{"number": 1, "relevant": true, "confidence": 0.9}]}``; the last such
            object counts, for a model may reason before it answers.
        form: ``scores`` or ``verdicts``.
        n_passages: how many passages it was given.

    Returns:
        One finite score a passage, in their order.

    Raises:
        ValueError: the answer holds no score of any passage.
    """
    read: dict[int, float] = {}
    for entry in _entries(answer, form):
        number, score = entry.get("number"), _score(entry, form)
        if isinstance(number, bool) or not isinstance(number, int) or score is None:
            continue
        if 1 <= number <= n_passages:
            read.setdefault(number, score)
    if not read:
        raise ValueError(f"the answer holds no {form} of the {n_passages} passages.")
    behind = min(read.values()) - 1.0
    return np.array([read.get(number, behind) for number in range(1, n_passages + 1)])


def _entries(answer: str, form: str) -> list[Mapping[str, Any]]:
    found = [value[form] for value in _objects(answer) if isinstance(value.get(form), list)]
    return [entry for entry in found[-1] if isinstance(entry, dict)] if found else []


def _objects(answer: str) -> Iterator[Mapping[str, Any]]:
    """The outermost JSON objects of a text."""
    decoder = json.JSONDecoder()
    end = 0
    for start in [match.start() for match in re.finditer(r"\{", answer)][:MAX_STARTS]:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _score(entry: Mapping[str, Any], form: str) -> float | None:
    if form == "scores":
        return _finite(entry.get("score"))
    confidence, is_relevant = _finite(entry.get("confidence")), entry.get("relevant")
    if confidence is None or not isinstance(is_relevant, bool):
        return None
    bounded = min(1.0, max(0.0, confidence))
    return bounded if is_relevant else 1.0 - bounded


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None

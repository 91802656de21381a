"""The verdicts of a judge: parsed leniently, checked strictly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.llm.completions import json_objects
from finrag.llm.messages import sound

VERDICTS: Final = ("yes", "no", "unclear")
MAX_RATIONALE_CHARS: Final = 1000
MAX_TRIES: Final = 50


def _schema(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # The reason comes first: a model that has reasoned decides better than one that explains.
    properties = {"rationale": {"type": "string"}, **fields}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


VERDICT_SCHEMA: Final = _schema({"verdict": {"type": "string", "enum": list(VERDICTS)}})
SHARE_SCHEMA: Final = _schema({"statements": {"type": "integer"}, "supported": {"type": "integer"}})
USEFUL_SCHEMA: Final = _schema({"useful": {"type": "array", "items": {"type": "integer"}}})
SCORE_SCHEMA: Final = _schema({"score": {"type": "number"}})


class VerdictError(ValueError):
    """What a judge said is no verdict; the message quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with its reason.

    Attributes:
        verdict: yes, no or unclear.
        rationale: the judge's words, not trusted; None where it gave none.
    """

    verdict: str
    rationale: str | None

    @property
    def score(self) -> float | None:
        """1 for yes, 0 for no, None for unclear."""
        return {"yes": 1.0, "no": 0.0}.get(self.verdict)


@dataclass(frozen=True, slots=True)
class Score:
    """A score with its reason.

    Attributes:
        score: in 0..1.
        rationale: the judge's words, not trusted; None where it gave none.
    """

    score: float
    rationale: str | None

    @property
    def verdict(self) -> None:
        """A score is no verdict."""
        return


def parse_verdict(text: str) -> Verdict:
    """Read the verdict out of a reply; fences and chatter around its JSON are passed over.

    Args:
        text: the reply, untrusted.

    Raises:
        VerdictError: no JSON object with a verdict, several that differ (an answer that holds a
            verdict of its own may have been repeated), or one that is none of ``VERDICTS``.
    """
    verdicts = [found for found in json_objects(text, MAX_TRIES) if "verdict" in found]
    said = [found["verdict"] for found in verdicts]
    if not said:
        raise VerdictError("there is no JSON object with a verdict")
    plain = {one.strip().lower() if isinstance(one, str) else None for one in said}
    if not plain <= set(VERDICTS):
        raise VerdictError(f"the verdict must be one of {', '.join(VERDICTS)}")
    if len(plain) > 1:
        raise VerdictError("there are several verdicts that differ")
    return Verdict(str(plain.pop()), _rationale(verdicts[-1]))


def parse_share(text: str) -> Score:
    """Read how many statements of an answer are supported: supported / statements.

    Args:
        text: the reply, untrusted.

    Raises:
        VerdictError: no JSON object with both counts, several that differ, no statement, or more
            that are supported than there are.
    """
    found = _only(text, ("statements", "supported"))
    statements, supported = (_whole(found[name]) for name in ("statements", "supported"))
    if statements is None or supported is None or statements < 1 or supported > statements:
        raise VerdictError("statements must be 1 or more, and supported from 0 to statements")
    return Score(supported / statements, _rationale(found))


def parse_useful(text: str, n_passages: int) -> Score:
    """Read which passages are useful: whether they stand before those that are not.

    The score is the mean of precision at the ranks of useful passages (RAGAS context precision);
    0 where none is useful.

    Args:
        text: the reply, untrusted.
        n_passages: how many passages were shown, numbered from 1.

    Raises:
        VerdictError: no JSON object with a list of numbers, several that differ, or a number that
            no passage has.
    """
    found = _only(text, ("useful",))
    listed = found["useful"] if isinstance(found["useful"], list) else [None]
    numbers = sorted({_whole(number) or 0 for number in listed})
    if not all(1 <= number <= n_passages for number in numbers):
        raise VerdictError("useful must be a list of numbers of passages")
    precisions = [place / number for place, number in enumerate(numbers, 1)]
    return Score(math.fsum(precisions) / max(1, len(precisions)), _rationale(found))


def parse_score(text: str) -> Score:
    """Read a score of 0 to 1.

    Args:
        text: the reply, untrusted.

    Raises:
        VerdictError: no JSON object with a score, several that differ, or one outside of 0 to 1.
    """
    found = _only(text, ("score",))
    score = found["score"]
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise VerdictError("the score must be a number from 0 to 1")
    return Score(float(score), _rationale(found))


def _only(text: str, names: Sequence[str]) -> Mapping[str, Any]:
    """The one JSON object with some fields; a repeated one counts once."""
    objects = [
        found for found in json_objects(text, MAX_TRIES) if all(name in found for name in names)
    ]
    if not objects:
        raise VerdictError(f"there is no JSON object with {' and '.join(names)}")
    if any(found[name] != objects[-1][name] for found in objects for name in names):
        raise VerdictError("there are several replies that differ")
    return objects[-1]


def _whole(value: object) -> int | None:
    is_whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_whole and isinstance(value, int) else None


def _rationale(found: Mapping[str, Any]) -> str | None:
    reason = found.get("rationale")
    words = reason if isinstance(reason, str) else ""
    return sound(words).strip()[:MAX_RATIONALE_CHARS] or None


Reader = Callable[[str], Verdict | Score]

"""What a judge says, read with patience and believed with none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from finrag.llm.completions import json_objects, sound

VERDICTS: Final = ("yes", "no", "unclear")
MAX_RATIONALE_CHARS: Final = 1000
MAX_TRIES: Final = 50

VERDICT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    # The reason comes first: a model that has reasoned decides better than one that explains.
    "properties": {
        "rationale": {"type": "string"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
    },
    "required": ["rationale", "verdict"],
    "additionalProperties": False,
}


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
    reason = verdicts[-1].get("rationale")
    words = reason if isinstance(reason, str) else ""
    return Verdict(str(plain.pop()), sound(words).strip()[:MAX_RATIONALE_CHARS] or None)

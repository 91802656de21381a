"""One call to a language model, as it is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TypeVar

import pyarrow as pa

from finrag.records.columns import nullable, required

Count = TypeVar("Count", int, float)

STAGES = ("answer", "rerank", "paraphrase", "judge", "describe", "agent")

CALL_TYPE = pa.struct(
    [
        *required(pa.string(), "call_id", "stage", "model", "prompt_hash"),
        *required(pa.string(), "request_hash", "status"),
        pa.field("error", pa.string()),
        pa.field("http_status", pa.int32()),
        pa.field("n_attempts", pa.int32(), nullable=False),
        *nullable(pa.int64(), "input_tokens", "output_tokens"),
        pa.field("latency_ms", pa.float64()),
        pa.field("called_at", pa.string()),
    ]
)


@dataclass(frozen=True)
class Sent:
    """A request and its result.

    Attributes:
        stage: one of ``STAGES``.
        model: the model's name at the endpoint.
        prompt_hash: hash of the messages alone.
        request_hash: hash of model, parameters and messages: the key of the cache.
        status: "ok" or "failed"; in the store also "under way".
        error: one sentence without the key; None where ok.
        http_status: status of the last attempt; None where there was no answer.
        n_attempts: requests sent for this call; 0 where it was given up before any was.
        input_tokens: as the endpoint counted, over the answer and the nonsense that came before
            it; None where it did not say. A lower bound where there was more than one attempt:
            refusals, time-outs and broken answers tell no count.
        output_tokens: likewise.
        latency_ms: from the first request to the last byte, when it was really made.
        called_at: UTC, ISO 8601.
    """

    stage: str
    model: str
    prompt_hash: str
    request_hash: str
    status: str
    error: str | None = None
    http_status: int | None = None
    n_attempts: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float | None = None
    called_at: str | None = None


@dataclass(frozen=True)
class Call(Sent):
    """A call as it is counted; the same on every replay.

    Attributes:
        call_id: stage, request hash and, for a failure, the time: one id a paid call.
    """

    call_id: str = field(kw_only=True)

    @classmethod
    def of(cls, sent: Sent, call_id: str, stage: str) -> Call:
        """The call of a stage that a request was sent for."""
        values = {one.name: getattr(sent, one.name) for one in fields(Sent)}
        return cls(**{**values, "stage": stage}, call_id=call_id)


def total(counts: Iterable[Count | None]) -> Count | None:
    """The sum of the known numbers; None if all are unknown."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None

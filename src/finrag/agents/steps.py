"""Steps of an agent: one row for each tool call, and one for the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from finrag.sources.predictions.schema import CALL_FIELDS
from finrag.sources.predictions.steps import ANSWER, STATUSES, STOP_REASONS

__all__ = [
    "ANSWER",
    "CHUNK_READ",
    "KEYWORD_SEARCH",
    "SEMANTIC_SEARCH",
    "STATUSES",
    "STEP_TYPE",
    "STOP_REASONS",
    "TOOLS",
    "Step",
]

KEYWORD_SEARCH: Final = "keyword_search"
SEMANTIC_SEARCH: Final = "semantic_search"
CHUNK_READ: Final = "chunk_read"
TOOLS: Final = (KEYWORD_SEARCH, SEMANTIC_SEARCH, CHUNK_READ)
STEP_TYPE: Final = pa.struct(list(CALL_FIELDS))


@dataclass(frozen=True)
class Step:
    """One tool call of a session, or its answer.

    Attributes:
        turn_pos: place of the turn, from 0; calls made in parallel share one.
        call_pos: place of the call within its turn, from 0.
        tool_name: one of ``TOOLS``, a name that a model invented, or ``ANSWER``, which stands
            exactly once, last.
        arguments: JSON text, as the tool was called; of the answer, the answer itself.
        status: one of ``STATUSES``.
        stop_reason: one of ``STOP_REASONS``, of the answer alone.
        result_ids: chunks that the call returned, best first.
        result_scores: as many; none for chunks that were read.
        passage_ids: passages whose text the call showed, in the order shown; of the answer, those
            that earlier turns of the dialogue had read.
        n_new: chunks that the session had not seen before.
        observation_tokens: tokens of what the policy was given to read.
        context_tokens: tokens of the conversation after the call.
        input_tokens: of the request that made this turn, on the turn's first call; None where no
            model was asked.
        output_tokens: likewise.
        price_usd: likewise.
        latency_ms: milliseconds of the call; no part of any digest.
        call_id: key of ``llm_calls``, on the turn's first call.
        is_changed: in a replay, whether the result differs from the recorded one.
        failure: one sentence on what went wrong, where something did.
    """

    turn_pos: int
    call_pos: int
    tool_name: str
    arguments: str
    status: str
    stop_reason: str | None = None
    result_ids: tuple[str, ...] = ()
    result_scores: tuple[float, ...] = ()
    passage_ids: tuple[str, ...] = ()
    n_new: int = 0
    observation_tokens: int = 0
    context_tokens: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    price_usd: float | None = None
    latency_ms: float | None = None
    call_id: str | None = None
    is_changed: bool | None = None
    failure: str | None = None

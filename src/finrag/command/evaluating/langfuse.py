"""Traces and observations of a Langfuse export, in the terms of OpenInference.

A trace holds its observations under ``observations``, or a file holds ``trace`` and
``observations`` side by side, or observations alone, each with its ``traceId``. Names are those of
Langfuse's public API.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

Attributes = dict[str, Any]

# Fields of `usageDetails` and of the older `usage`.
_TOKENS: Final = (
    ("llm.token_count.prompt", ("input", "promptTokens", "inputTokens")),
    ("llm.token_count.completion", ("output", "completionTokens", "outputTokens")),
)
# Where an observation, its older `usage`, or a trace states what it cost.
_COSTS: Final = ("calculatedTotalCost", "totalCost", "cost")
_DOCUMENTS: Final = ("documents", "results", "chunks", "passages", "source_documents")
_TEXTS: Final = ("content", "page_content", "pageContent", "text")


def is_langfuse(value: Mapping[str, Any]) -> bool:
    """Whether an object is a trace with its observations, or an observation."""
    return isinstance(value.get("observations"), list) or (
        "traceId" in value and "startTime" in value and "type" in value
    )


def otel_spans(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Spans as OpenTelemetry writes them, of a trace with its observations or of an observation."""
    observations = value.get("observations")
    if not isinstance(observations, list):
        yield _observation(value, str(value["traceId"]))
        return
    inner = value.get("trace")
    trace = inner if isinstance(inner, Mapping) else value
    trace_id = str(trace.get("id") or "")
    # An export may list the ids of observations alone.
    spans = [_observation(one, trace_id) for one in observations if isinstance(one, Mapping)]
    if trace_id:
        ends = [str(span["end_time"]) for span in spans if span["end_time"]]
        failed = [span["status"] for span in spans if span["status"]]
        yield {
            "trace_id": trace_id,
            "span_id": trace_id,
            "start_time": trace.get("timestamp"),
            "end_time": max(ends, default=None),
            # A step may fail and be tried again; a trace without an output failed as a whole.
            "status": failed[-1] if failed and trace.get("output") is None else {},
            "attributes": _said(trace) | _spent(trace),
        }
    yield from spans


def _observation(value: Mapping[str, Any], trace_id: str) -> Mapping[str, Any]:
    trace_id = str(value.get("traceId") or trace_id)
    usage = value.get("usageDetails") or value.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    attributes = _said(value) | _spent(value, usage)
    for name, fields in _TOKENS:
        used = [usage[field] for field in fields if field in usage]
        if used:
            attributes[name] = used[0]
    if str(value.get("type")).upper() == "RETRIEVER":
        attributes["retrieval.documents"] = [_document(row) for row in _rows(value.get("output"))]
        # What it found is no answer.
        attributes.pop("output.value", None)
    is_bad = str(value.get("level")).upper() == "ERROR"
    return {
        "trace_id": trace_id,
        "span_id": str(value.get("id") or ""),
        "parent_id": str(value.get("parentObservationId") or trace_id),
        "start_time": value.get("startTime"),
        "end_time": value.get("endTime"),
        "status": {"code": "ERROR", "message": value.get("statusMessage")} if is_bad else {},
        "attributes": attributes,
    }


def _spent(*holders: Mapping[str, Any]) -> Attributes:
    """What a trace or an observation cost, where it says so in one of these objects."""
    details = [one["costDetails"] for one in holders if isinstance(one.get("costDetails"), Mapping)]
    stated = [
        *(one["total"] for one in details if "total" in one),
        *(one[name] for one in holders for name in _COSTS if name in one),
    ]
    known = next((one for one in stated if one is not None), None)
    return {} if known is None else {"llm.cost.total": known}


def _said(value: Mapping[str, Any]) -> Attributes:
    """What went in and came out, messages as such."""
    attributes: Attributes = {}
    for name, key, messages in (
        ("input", "input.value", "gen_ai.input.messages"),
        ("output", "output.value", "gen_ai.output.messages"),
    ):
        said = _parsed(value.get(name))
        listed = said.get("messages") if isinstance(said, Mapping) else said
        if isinstance(listed, list):
            attributes[messages] = json.dumps(listed)
        elif said is not None:
            attributes[key] = said if isinstance(said, str) else json.dumps(said)
    return attributes


def _rows(output: Any) -> list[Any]:
    output = _parsed(output)
    if isinstance(output, Mapping):
        output = next((output[name] for name in _DOCUMENTS if name in output), None)
    return output if isinstance(output, list) else []


def _document(row: Any) -> Attributes:
    if not isinstance(row, Mapping):
        return {"document.content": str(row)}
    text = next((row[name] for name in _TEXTS if isinstance(row.get(name), str)), "")
    found = {"document.content": text, "document.metadata": row.get("metadata") or {}}
    return {**found, "document.id": row["id"]} if row.get("id") else found


def _parsed(value: Any) -> Any:
    """JSON that was exported as a text, as what it says."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value

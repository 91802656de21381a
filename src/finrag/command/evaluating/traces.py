"""Traces of a system in service, as they are exported: questions, answers, passages.

Spans are read under two conventions: OpenInference (Phoenix, and what instruments with it) and
the semantic conventions for generative AI of OpenTelemetry. A file holds JSON, or JSON lines, of
OTLP exports (``resourceSpans``), of single spans with ``attributes``, or of Langfuse's traces and
observations. A trace is one question.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from finrag.command.evaluating.callables import Record, document_ids
from finrag.command.evaluating.langfuse import is_langfuse, otel_spans
from finrag.records.fields import parse_number
from finrag.records.identity import is_missing, shown

_QUESTIONS: Final = ("question", "query", "input", "text", "content")
_ANSWERS: Final = ("answer", "response", "result", "output", "text", "content")
_INPUT_TOKENS: Final = ("gen_ai.usage.input_tokens", "llm.token_count.prompt")
_OUTPUT_TOKENS: Final = ("gen_ai.usage.output_tokens", "llm.token_count.completion")
_COSTS: Final = ("gen_ai.usage.cost", "gen_ai.usage.cost_usd", "llm.cost.total")
# What spans state of their own use, by the field of the record.
_USED: Final = (
    ("input_tokens", _INPUT_TOKENS),
    ("output_tokens", _OUTPUT_TOKENS),
    ("cost_usd", _COSTS),
)
# Where passages stand, those that were ordered anew first.
_PASSAGES: Final = (
    "reranker.output_documents",
    "retrieval.documents",
    "gen_ai.retrieval.documents",
)
_MAX_ERROR: Final = 500

Span = dict[str, Any]


def read_traces(path: Path) -> list[Record]:
    """A record of predictions for each trace that asks a question, by the time it began.

    Of several traces with one question the first one counts, by the time it began and then by its
    place in the file: who asks until the answer is right gets no better verdict. ``documents``
    holds what was retrieved, best first.

    Raises:
        ValueError: the file is not JSON, a span in it has another shape, or no trace in it asks a
            question.
    """
    traces: dict[str, list[Span]] = {}
    for number, value in _values(path):
        try:
            spans = list(_spans([value]))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            reason = f"holds a span that cannot be read: {error}"
            raise ValueError(f"'{path}', line {number}, {reason}") from error
        for span in spans:
            traces.setdefault(span["trace"], []).append(span)
    records: dict[str, Record] = {}
    for spans in sorted(traces.values(), key=_start):
        try:
            record = _record(spans)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(
                f"'{path}', trace {spans[0]['trace']}, cannot be read: {error}"
            ) from error
        if record is not None:
            records.setdefault(" ".join(record["question"].casefold().split()), record)
    if not records:
        raise ValueError(
            f"no span of '{path}' holds a question; expected input.value (OpenInference), "
            "gen_ai.input.messages (OpenTelemetry) or input (Langfuse)"
        )
    return list(records.values())


def _values(path: Path) -> list[tuple[int, Any]]:
    """What a file holds, with the line that it begins on."""
    text = path.read_text(encoding="utf-8-sig")
    try:
        return [(1, json.loads(text, parse_int=_whole))]
    except (ValueError, RecursionError):
        pass
    values = []
    # Other signs that end a line in Python may stand in a text of JSON.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append((number, json.loads(line, parse_int=_whole)))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"'{path}', line {number}, is not JSON: {error}") from error
    return values


def _spans(values: Iterable[Any]) -> Iterator[Span]:
    """Spans in one form, wherever they lie in an export."""
    for value in values:
        if isinstance(value, list):
            yield from _spans(value)
        elif isinstance(value, Mapping) and "attributes" in value and _trace_of(value):
            yield _span(value)
        elif isinstance(value, Mapping) and is_langfuse(value):
            yield from map(_span, otel_spans(value))
        elif isinstance(value, Mapping):
            inner = ("resourceSpans", "scopeSpans", "instrumentationLibrarySpans", "spans", "data")
            yield from _spans(value[name] for name in inner if name in value)


def _span(value: Mapping[str, Any]) -> Span:
    context = _object(value.get("context") or {}, "context")
    status = value.get("status") or {}
    code = status.get("code") if isinstance(status, Mapping) else status
    is_bad = str(code or value.get("status_code")).upper() in ("2", "ERROR", "STATUS_CODE_ERROR")
    message = status.get("message") if isinstance(status, Mapping) else ""
    events = [event for event in value.get("events") or [] if isinstance(event, Mapping)]
    return {
        "trace": _trace_of(value),
        "id": str(value.get("spanId") or value.get("span_id") or context.get("span_id") or ""),
        "parent": str(value.get("parentSpanId") or value.get("parent_id") or ""),
        "start": _time(value.get("startTimeUnixNano") or value.get("start_time")),
        "end": _time(value.get("endTimeUnixNano") or value.get("end_time")),
        "error": str(message or value.get("status_message") or "error")[:_MAX_ERROR]
        if is_bad
        else "",
        "attributes": _attributes(value["attributes"]),
        "events": [
            (str(event.get("name")), _attributes(event.get("attributes") or {})) for event in events
        ],
    }


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {shown(value)}, expected an object")
    return value


def _trace_of(value: Mapping[str, Any]) -> str:
    context = value.get("context")
    inner = context.get("trace_id") if isinstance(context, Mapping) else None
    return str(value.get("traceId") or value.get("trace_id") or inner or "")


def _attributes(value: Any) -> dict[str, Any]:
    """Attributes by their full name: lists of key and value, nested or flat."""
    if isinstance(value, list):
        named = [_object(one, "an entry of attributes") for one in value]
        pairs = {str(one.get("key")): _plain(one.get("value")) for one in named}
        return _flat(pairs)
    return _flat(value if isinstance(value, Mapping) else {})


def _plain(value: Any) -> Any:
    """OTLP's values without their types."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "intValue":
        return _whole(inner)
    if kind == "arrayValue":
        return [_plain(one) for one in inner.get("values") or []]
    return inner if kind.endswith("Value") else value


def _whole(value: Any) -> float:
    """A whole number of its digits; of more digits than Python reads, infinity."""
    try:
        return int(value)
    except ValueError:
        return parse_number(value)


def _flat(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        whole = f"{before}{name}"
        if isinstance(inner, Mapping):
            flat |= _flat(inner, f"{whole}.")
        elif isinstance(inner, list) and inner and all(isinstance(one, Mapping) for one in inner):
            for place, one in enumerate(inner):
                flat |= _flat(one, f"{whole}.{place}.")
        else:
            flat[whole] = inner
    return flat


def _time(value: Any) -> float:
    """Seconds since 1970; 0 if unknown."""
    try:
        if isinstance(value, str) and not value.isdecimal():
            return datetime.datetime.fromisoformat(value).timestamp()
        return int(value or 0) / 1e9
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _start(spans: Sequence[Span]) -> float:
    return min(float(span["start"]) for span in spans)


def _record(spans: Sequence[Span]) -> Record | None:
    """The record of one trace; None where it asks nothing."""
    ordered = sorted(spans, key=lambda span: (span["start"], span["id"]))
    known = {span["id"] for span in ordered}
    # The outermost span tells what a user asked; inner ones may ask something else.
    outer_first = sorted(ordered, key=lambda span: span["parent"] in known)
    root = outer_first[0]
    question = next(filter(None, (_question(span) for span in outer_first)), None)
    if question is None:
        return None
    answer = _answer(root) or next(filter(None, (_answer(one) for one in reversed(ordered))), None)
    record: Record = {"question": question}
    documents = next(filter(None, (_passages(ordered, name) for name in _PASSAGES)), None)
    has_blank = "output.value" in root["attributes"] and is_missing(_output(root))
    if root["error"]:
        record["failure"] = root["error"]
    elif answer is not None or has_blank or documents is None:
        # Who was asked and neither answered nor retrieved anything gave no answer.
        record["answer"] = answer
    if documents is not None:
        record["documents"] = documents
    if root["end"] > root["start"]:
        record["latency_ms"] = round((root["end"] - root["start"]) * 1000, 3)
    for name, keys in _USED:
        used = _used(ordered, keys)
        if used:
            record[name] = sum(used)
    return record


def _used(spans: Sequence[Span], names: Sequence[str]) -> list[float]:
    """What spans used, each once: a span around others repeats what they used."""
    parents = {span["id"]: span["parent"] for span in spans if span["id"]}
    stated = [(span, used) for span in spans if (used := _number(span, names)) is not None]
    around: set[str] = set()
    for inner, _ in stated:
        outer = inner["parent"]
        # Spans of a broken export may lie around each other.
        while outer in parents and outer not in around:
            around.add(outer)
            outer = parents[outer]
    return [used for span, used in stated if span["id"] not in around]


def _question(span: Span) -> str | None:
    attributes = span["attributes"]
    value = _words(attributes.get("input.value"), _QUESTIONS)
    return value or _message(span, "gen_ai.input.messages", ("gen_ai.user.message",), "user")


def _answer(span: Span) -> str | None:
    value = _words(_output(span), _ANSWERS)
    events = ("gen_ai.choice", "gen_ai.assistant.message")
    return value or _message(span, "gen_ai.output.messages", events, "assistant")


def _output(span: Span) -> Any:
    return span["attributes"].get("output.value")


def _words(value: Any, names: Sequence[str]) -> str | None:
    """A text, or the first field of a JSON object that holds one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            inner = json.loads(value)
        except (ValueError, RecursionError):
            return value
        found = (inner.get(name) for name in names)
        return next((one for one in found if isinstance(one, str) and one.strip()), None)
    return value if isinstance(value, str) and value.strip() else None


def _message(span: Span, attribute: str, events: Sequence[str], role: str) -> str | None:
    """The words of the last message of a role, in an attribute or an event."""
    found: list[str] = []
    holders = [span["attributes"], *(held for _, held in span["events"])]
    for held in holders:
        messages: Any = held.get(attribute)
        if isinstance(messages, str):
            try:
                messages = json.loads(messages)
            except (ValueError, RecursionError):
                messages = None
        # A list of messages was laid flat with the other attributes.
        messages = messages if messages is not None else _listed(held, attribute)
        for message in messages if isinstance(messages, list) else []:
            if isinstance(message, Mapping) and message.get("role") == role:
                found.append(_said(message))
    for name, held in span["events"]:
        if name in events:
            found.append(str(held.get("content") or held.get("message.content") or ""))
    return next((one for one in reversed(found) if one.strip()), None)


def _said(message: Mapping[str, Any]) -> str:
    parts = message.get("parts") or _listed(message, "parts")
    texts = [
        str(part.get("content") or "")
        for part in parts or []
        if isinstance(part, Mapping) and part.get("type") == "text"
    ]
    return "\n".join(texts) if texts else str(message.get("content") or "")


def _listed(flat: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Objects that were laid flat as ``name.0.field``, in their order."""
    rows: dict[int, dict[str, Any]] = {}
    for key, value in flat.items():
        place, _, field = key.removeprefix(f"{name}.").partition(".")
        if key.startswith(f"{name}.") and place.isdecimal():
            rows.setdefault(int(place), {})[field] = value
    return [rows[place] for place in sorted(rows)]


def _passages(spans: Sequence[Span], name: str) -> list[Record] | None:
    """What spans retrieved, in the order in which they did."""
    documents: list[Record] = []
    for span in spans:
        rows: Any = span["attributes"].get(name)
        if isinstance(rows, str):
            try:
                rows = json.loads(rows)
            except (ValueError, RecursionError):
                rows = None
        rows = rows if isinstance(rows, list) else _listed(span["attributes"], name)
        documents += [_passage(row) for row in rows if isinstance(row, Mapping)]
    return documents or None


def _passage(row: Mapping[str, Any]) -> Record:
    flat = {key.removeprefix("document."): value for key, value in _flat(row).items()}
    metadata: Any = flat.get("metadata")
    if isinstance(metadata, str):
        try:
            metadata = json.loads(metadata)
        except (ValueError, RecursionError):
            metadata = None
    if not isinstance(metadata, Mapping):
        metadata = {
            key.removeprefix("metadata."): value
            for key, value in flat.items()
            if key.startswith("metadata.")
        }
    text = str(flat.get("content") or "")
    ids = document_ids(metadata)
    # An id alone must be that of a sentence; beside a text it may be one of the index.
    if not ids and not text and flat.get("id"):
        ids = [str(flat["id"])]
    return {"text": text, "ids": ids}


def _number(span: Span, names: Sequence[str]) -> float | None:
    """The first of some attributes that is a number, also as its digits."""
    for name in names:
        try:
            return parse_number(span["attributes"].get(name))
        except ValueError:
            continue
    return None

"""Steps of an agent: what each call of a tool asked for, returned and cost.

Two shapes are read: this project's own, whose fields are those of ``STEP_FIELDS``, and the traces
that A-RAG and its followers publish. Times, ranks and counts that a file lacks are null.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from finrag.records.fields import listed
from finrag.records.identity import is_missing, shown
from finrag.records.rows import Row
from finrag.sources.predictions.places import MAX_TEXT_CHARS, clean_text
from finrag.sources.predictions.values import (
    Faults,
    amount_of,
    count_of,
    fault,
    json_text,
    spent_of,
    text_of,
    truth_of,
)

ANSWER: Final = "answer"
STATUSES: Final = (
    *("ok", "empty", "already_read", "unknown_tool"),
    *("bad_arguments", "repeated", "over_budget", "failed"),
)
STOP_REASONS: Final = (
    *("finished", "forced_steps", "forced_tokens", "forced_cost", "forced_seconds"),
    *("abstained", "failed"),
)
MAX_ARGUMENT_CHARS: Final = 100_000
MAX_TURNS: Final = 1_000_000

_TOOLS: Final = ("tool_name", "tool", "name")
_INPUTS: Final = ("arguments", "input", "args")
_OUTPUTS: Final = ("output", "tool_result", "result")
_RESULTS: Final = ("result_ids", "chunk_ids")
_TOKENS: Final = ("observation_tokens", "retrieved_tokens")
_WORDS: Final = ("text", "preview", "snippet")
_DOCUMENTS: Final = ("document", "document_id", "doc_id", "doc_name", "file")
# The names that others give to the tools.
_SAME_TOOLS: Final = {"read_chunk": "chunk_read"}
_READ: Final = "chunk_read"
# Chunks that say in their first line what they are of: "[COMPANY: … | ID: <document>] …".
_HEADER: Final = re.compile(r"\s*\[(?P<fields>[^\]\n]{1,1000})\]")
_HEADED: Final = ("doc_id", "document", "id")
_LISTED_CHUNK: Final = re.compile(r"^Chunk ID: (?P<id>\S+?),?(?=\s|$)", re.MULTILINE)


def is_listed(value: object) -> bool:
    """Return whether a value is a list, or the text of a JSON array."""
    return isinstance(value, list | tuple) or (
        isinstance(value, str) and value.lstrip().startswith("[")
    )


def steps_of(value: object, record: Row, faults: Faults) -> list[Row] | None:
    """Return the steps of a record, turn by turn, the answer last.

    The turns of a step go by ``turn_pos`` from 0, ``loop`` from 1, or ``turn`` from either; a step
    without one is a turn of its own. Calls of a turn are numbered in the order of the file, or as
    ``call_pos`` says. The step ``answer`` stands exactly once, last: where a file has none it is
    made of the record, with what the record says of its end.

    Args:
        value: a list of objects, or the text of such a list.
        record: the record as `finrag.sources.predictions.fields.parse_prediction` has read it:
            its answer, abstention, failure, and ``is_forced``, whether the agent ran out of turns.
        faults: what is wrong is added here. A field that cannot be read is null; an entry that
            names no tool, and all answers but the last, are left out.

    Returns:
        Rows of ``STEP_TYPE``; null where there is no list, or it holds no step: an empty one says
        nothing of an agent.
    """
    if is_missing(value):
        return None
    try:
        entries = _as_list(value)
    except ValueError:
        detail = f"steps is {shown(value)}, not a list of objects such as {{turn_pos, tool_name}}"
        faults.append(fault("field", None, "bad_steps", detail))
        return None
    read = list(_read(entries, faults))
    if not read:
        return None
    calls = [step for step in read if step["tool_name"] != ANSWER]
    answers = [step for step in read if step["tool_name"] == ANSWER]
    for step in answers[:-1]:
        detail = "the step answer occurs more than once; the last one is used"
        faults.append(fault("step", step["place"], "second_answer", detail))
    ordered = sorted(calls, key=lambda step: (step["turn_pos"], step["given_pos"]))
    if [step["place"] for step in ordered] != [step["place"] for step in calls]:
        detail = "the steps are not in the order of their turns; the turns decide"
        faults.append(fault("step", None, "steps_out_of_order", detail))
    last = ordered[-1]["turn_pos"] + 1 if ordered else 0
    ending = {**_answer_made(record), **_without_blanks(answers[-1] if answers else {})}
    return _numbered([*ordered, {**ending, "turn_pos": last}])


def _as_list(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, str) and is_listed(value):
        return listed(value)
    raise ValueError("it is not a list")


def _without_blanks(step: Row) -> Row:
    """Return what an answer's step says itself, without what it leaves open."""
    return {name: value for name, value in step.items() if value not in (None, [])}


def _numbered(steps: list[Row]) -> list[Row]:
    """Return steps with the place of each call in its turn, and a reason for each failure."""
    n_calls: Counter[int] = Counter()
    numbered = []
    for step in steps:
        turn = step["turn_pos"]
        kept = {name: item for name, item in step.items() if name not in ("place", "given_pos")}
        if kept["status"] == "failed" and kept.get("failure") is None:
            kept["failure"] = "it does not say why"
        numbered.append({**kept, "call_pos": n_calls[turn]})
        n_calls[turn] += 1
    return numbered


def _answer_made(record: Row) -> Row:
    """Return the last step of a record whose file writes none."""
    reason = "finished"
    if record.get("failure") is not None or (
        record.get("has_answer") and _has_no_answer(record) and not record.get("is_abstained")
    ):
        reason = "failed"
    elif record.get("is_abstained"):
        reason = "abstained"
    elif record.get("is_forced"):
        reason = "forced_steps"
    said = {
        "answer_text": record.get("answer_text"),
        "numeric_value": record.get("numeric_value"),
        "unit": record.get("unit"),
        "abstained": record.get("is_abstained"),
    }
    given = {name: item for name, item in said.items() if item is not None}
    return {
        "tool_name": ANSWER,
        "arguments": json_text(given)[:MAX_ARGUMENT_CHARS],
        "status": "failed" if reason == "failed" else "ok",
        "stop_reason": reason,
        "result_ids": [],
        "result_scores": [],
        "passage_ids": [],
        "shown": [],
        "failure": record.get("failure") if reason == "failed" else None,
    }


def _has_no_answer(record: Row) -> bool:
    return record.get("answer_text") is None and record.get("numeric_value") is None


def _read(entries: list[object], faults: Faults) -> Iterator[Row]:
    """Yield the steps that name a tool, each with its turn and its place in the list."""
    documents: dict[str, str] = {}
    named = (_count(entry, "turn") for entry in entries if isinstance(entry, dict))
    first = min((number for number in named if number is not None), default=0)
    turn = -1
    for place, entry in enumerate(entries):
        own: Faults = []
        step = _step(entry, documents, own)
        if step is not None and isinstance(entry, dict):
            given = _turn(entry, min(first, 1), own)
            turn = turn + 1 if given is None else given
            pos = count_of(entry.get("call_pos"), "call_pos", own)
            given_pos = place if pos is None else pos
            yield {**step, "turn_pos": turn, "given_pos": given_pos, "place": place}
        faults.extend({**each, "part": "step", "place": place} for each in own)


def _turn(entry: Mapping[str, Any], first: int, faults: Faults) -> int | None:
    """Return the turn of a step from 0; null where it states none that can be read."""
    for name, least in (("turn_pos", 0), ("loop", 1), ("turn", first)):
        if not is_missing(entry.get(name)):
            number = count_of(entry[name], name, faults)
            if number is not None and number > MAX_TURNS:
                detail = f"{name} is {number}, expected {MAX_TURNS:,} or less"
                faults.append(fault("step", None, f"bad_{name}", detail))
                return None
            return None if number is None else max(number - least, 0)
    return None


def _count(entry: Mapping[str, Any], name: str) -> int | None:
    return count_of(entry.get(name), name, [])


def _step(entry: object, documents: dict[str, str], faults: Faults) -> Row | None:
    """Return one step without its place; null where it names no tool.

    Args:
        entry: an object.
        documents: of which document each chunk is that was shown before; what this step shows is
            added.
        faults: see `steps_of`.
    """
    tool = _first(entry, _TOOLS) if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(tool, str) or not tool.strip():
        detail = f"{shown(entry)} names no tool; write tool_name, such as keyword_search"
        faults.append(fault("step", None, "bad_step", detail))
        return None
    tool = clean_text(tool)[:MAX_TEXT_CHARS]
    tool = _SAME_TOOLS.get(tool, tool)
    arguments = _first(entry, _INPUTS)
    output = _first(entry, _OUTPUTS)
    results = _results(output)
    ids = _ids(entry, tool, arguments, output, results, faults)
    failure = text_of(_failure(entry, output), "failure", faults)
    counted = {
        "n_new": count_of(entry.get("n_new"), "n_new", faults),
        "observation_tokens": count_of(_first(entry, _TOKENS), "observation_tokens", faults),
        **{
            name: count_of(entry.get(name), name, faults)
            for name in ("context_tokens", "input_tokens", "output_tokens")
        },
        **{name: spent_of(entry.get(name), name, faults) for name in ("price_usd", "latency_ms")},
    }
    return {
        "tool_name": tool,
        # An answer that states no arguments is the record's own; an empty one says that an
        # answer is made of what was seen.
        "arguments": None if tool == ANSWER and arguments is None else _arguments(arguments),
        "status": _word(entry, "status", STATUSES, faults) or _status(failure, ids, output),
        "stop_reason": _stop_reason(entry, tool, faults),
        "result_ids": ids,
        "result_scores": _scores(entry, results, len(ids), faults),
        "passage_ids": _texts(entry.get("passage_ids"), "passage_ids", faults),
        "shown": list(_shown(results, documents)),
        **counted,
        "call_id": text_of(entry.get("call_id"), "call_id", faults),
        "is_changed": truth_of(entry.get("is_changed"), "is_changed", faults),
        "failure": failure,
    }


def _stop_reason(entry: Mapping[str, Any], tool: str, faults: Faults) -> str | None:
    """Return why a session ended, which its answer alone says."""
    reason = _word(entry, "stop_reason", STOP_REASONS, faults)
    if reason is None or tool == ANSWER:
        return reason
    detail = f"stop_reason is {reason} of a call of {shown(tool)}; only the step answer has one"
    faults.append(fault("step", None, "bad_stop_reason", detail))
    return None


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((entry[name] for name in names if not is_missing(entry.get(name))), None)


def _arguments(value: object) -> str:
    text = value if isinstance(value, str) else json_text({} if value is None else value)
    return clean_text(text)[:MAX_ARGUMENT_CHARS]


def _results(output: object) -> list[object]:
    """Return what a call found, of an output that is a list of results or has one."""
    found = output.get("results") if isinstance(output, dict) else output
    return found if isinstance(found, list) else []


def _ids(
    entry: Mapping[str, Any],
    tool: str,
    arguments: object,
    output: object,
    results: list[object],
    faults: Faults,
) -> list[str]:
    """Return the chunks that a call returned, by their ids, in its order."""
    given = _first(entry, _RESULTS)
    if given is not None:
        return _texts(given, "result_ids", faults)
    if results:
        chunks = (_first(each, ("chunk_id", "id")) for each in results if isinstance(each, dict))
        return [clean_text(str(chunk))[:MAX_TEXT_CHARS] for chunk in chunks if chunk is not None]
    if not isinstance(output, str):
        return []
    # A published trace of text: a search lists its chunks, a reading was asked for them.
    if tool == _READ and isinstance(arguments, dict):
        return _texts(arguments.get("chunk_ids"), "chunk_ids", [])
    return [found["id"][:MAX_TEXT_CHARS] for found in _LISTED_CHUNK.finditer(output)]


def _texts(value: object, name: str, faults: Faults) -> list[str]:
    if is_missing(value):
        return []
    try:
        entries = listed(value) if isinstance(value, str) else _as_list(value)
    except ValueError:
        entries = [None]
    plain = [each for each in entries if isinstance(each, str | int) and not isinstance(each, bool)]
    if len(plain) < len(entries):
        detail = f"{name} is {shown(value)}, expected a list of ids"
        faults.append(fault("step", None, f"bad_{name}", detail))
    return [clean_text(str(each))[:MAX_TEXT_CHARS] for each in plain]


def _scores(
    entry: Mapping[str, Any], results: list[object], n_ids: int, faults: Faults
) -> list[float | None]:
    """Return the scores of what was found, null where one is missing.

    None at all, or others than one for each of the ``n_ids`` chunks, give no list.
    """
    given = entry.get("result_scores")
    scores = (
        given
        if isinstance(given, list)
        else [each.get("score") for each in results if isinstance(each, dict)]
    )
    if all(score is None for score in scores):
        return []
    if len(scores) != n_ids:
        detail = f"result_scores holds {len(scores):,} scores of {n_ids:,} chunks"
        faults.append(fault("step", None, "bad_result_scores", detail))
        return []
    return [amount_of(score, "score", faults) for score in scores]


def _word(
    entry: Mapping[str, Any], name: str, allowed: tuple[str, ...], faults: Faults
) -> str | None:
    value = entry.get(name)
    if is_missing(value):
        return None
    if value in allowed:
        return str(value)
    detail = f"{name} is {shown(value)}, expected one of {', '.join(allowed)}"
    faults.append(fault("step", None, f"bad_{name}", detail))
    return None


def _status(failure: str | None, ids: list[str], output: object) -> str:
    """Return the status of a call that states none; without its results nobody knows of any."""
    if failure is not None:
        return "failed"
    if not ids and isinstance(output, dict) and output.get("skipped"):
        return "already_read"
    return "empty" if output is not None and not ids else "ok"


def _failure(entry: Mapping[str, Any], output: object) -> object:
    given = _first(entry, ("failure", "error"))
    return output.get("error") if given is None and isinstance(output, dict) else given


def _shown(results: list[object], documents: dict[str, str]) -> Iterator[Row]:
    """Yield the texts that a call showed of documents that the trace names."""
    for place, each in enumerate(results):
        if not isinstance(each, dict):
            continue
        chunk = str(_first(each, ("chunk_id", "id")))
        words = _first(each, _WORDS)
        text = words if isinstance(words, str) else ""
        document = _document(each, text) or documents.get(chunk)
        if document is None or not text:
            continue
        documents.setdefault(chunk, document)
        yield {"place": place, "document": document, "text": clean_text(text)}


def _document(result: Mapping[str, Any], text: str) -> str | None:
    """Return the document that a result or the first line of its text names."""
    given = _first(result, _DOCUMENTS)
    if isinstance(given, str):
        return clean_text(given)[:MAX_TEXT_CHARS]
    header = _HEADER.match(text)
    parts = header["fields"].split("|") if header else []
    named = {name.strip().lower(): item.strip() for name, colon, item in map(_cut, parts) if colon}
    return next((named[name] for name in _HEADED if named.get(name)), None)


def _cut(part: str) -> tuple[str, str, str]:
    return part.partition(":")

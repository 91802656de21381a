"""The policy that repeats a recording: the calls of a transcript, made with today's tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from finrag.agents.directory import Directory
from finrag.agents.session import OVER_BUDGET, Asked, Session, ToolCall, Trace, Usage
from finrag.agents.steps import ANSWER, Step
from finrag.agents.toolbox import Toolbox
from finrag.records.files import RecordFaultError, SourceFile, find_files
from finrag.records.json_records import RawRecord
from finrag.records.raw_records import raw_records
from finrag.sources.predictions import hash_predictions
from finrag.sources.predictions.fields import parse_prediction
from finrag.systems.registry import TRANSCRIPTS

# A recording is repeated whole: it kept to budgets when it was made.
_WITHOUT_BUDGETS: Final = {
    "max_steps": 1 << 31,
    "context_budget": 1 << 62,
    "token_budget": 1 << 62,
    "cost_budget": None,
    "seconds_budget": None,
}


@dataclass(frozen=True)
class Recorded:
    """A recorded session.

    Attributes:
        place: its file and line, for messages.
        turns: the calls of each turn, as ``finrag.sources.predictions`` reads steps.
        ending: the step of the answer.
        answer: what the answer's step holds.
    """

    place: str
    turns: tuple[tuple[Mapping[str, Any], ...], ...]
    ending: Mapping[str, Any]
    answer: Mapping[str, Any]


def run(
    system: Mapping[str, Any],
    conversations: Sequence[Sequence[Asked]],
    toolbox: Toolbox,
    directory: Directory,
    settings: Mapping[str, Any],
) -> Iterator[Trace]:
    """Traces of some conversations, in their order, turn by turn of each.

    Each recorded call is made again, but for those that a budget did not allow. ``is_changed``
    says whether it returns other chunks than were recorded, or in another order; it is None where
    the recording does not say what it returned.
    Tokens and prices are the recorded ones, and so is the answer with its reason to stop. A
    question that was not recorded fails.

    Args:
        system: a row of ``registered_systems`` with policy replay and ``replay_path``.
        conversations: for each the turns of its dialogue, or one question.
        toolbox: what is searched.
        directory: not used.
        settings: not used.

    Raises:
        ValueError: the path leads to no file, its files changed after the system was registered, a
            line cannot be read, or two lines record one question; the message names file and line.
    """
    del directory, settings
    recorded = read_transcripts(system)
    return _traces({**system, **_WITHOUT_BUDGETS}, conversations, toolbox, recorded)


def read_transcripts(system: Mapping[str, Any]) -> dict[str, Recorded]:
    """The recorded sessions of a system by the key of their question, or by its text.

    Raises:
        ValueError: as ``run``.
    """
    system_id, path = system.get("system_id"), str(system.get("replay_path") or "")
    try:
        files = find_files(path, TRANSCRIPTS, "set replay_path")
    except ValueError as error:
        raise ValueError(f"system {system_id}: {error}") from error
    registered = json.loads(system.get("settings") or "{}").get("replay_hash")
    if registered is not None and hash_predictions(files) != registered:
        raise ValueError(
            f"system {system_id}: the files of {path} changed after the system was registered; "
            "let nothing write to them and build again."
        )
    found: dict[str, Recorded] = {}
    for file in files:
        for record in raw_records(file, "jsonl"):
            key, session = _session_of(file, record)
            if key in found:
                raise ValueError(
                    f"{session.place}: question '{key}' was recorded in {found[key].place} "
                    "already; keep one of the two."
                )
            found[key] = session
    return found


def _session_of(file: SourceFile, record: RawRecord) -> tuple[str, Recorded]:
    place = f"{file.name}, line {record.number}"
    try:
        if isinstance(record.value, RecordFaultError):
            raise record.value
        row = parse_prediction(record.value)
    except RecordFaultError as error:
        raise ValueError(f"{place}: {error}; {error.advice}.") from error
    wrong = [one for one in row["faults"] if one["part"] == "step" or "steps" in one["fault_code"]]
    if wrong:
        raise ValueError(f"{place}: {wrong[0]['detail']}; correct the step or record it again.")
    if not row["steps"]:
        raise ValueError(
            f"{place}: the session has no steps; export a transcript, or remove the line."
        )
    *calls, ending = row["steps"]
    turns = tuple(tuple(turn) for _, turn in groupby(calls, itemgetter("turn_pos")))
    answer = _answer_of(ending, place)
    return row["item_key"] or row["question_text"], Recorded(place, turns, ending, answer)


def _answer_of(ending: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    try:
        answer = json.loads(ending["arguments"])
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ValueError(
            f"{place}: the arguments of the step {ANSWER} are not a JSON object; write the answer "
            "as a JSON object, or {} where there is none."
        )
    return answer


def _traces(
    system: Mapping[str, Any],
    conversations: Sequence[Sequence[Asked]],
    toolbox: Toolbox,
    recorded: Mapping[str, Recorded],
) -> Iterator[Trace]:
    is_continued = system.get("history", "questions") != "none"
    for turns in conversations:
        session: Session | None = None
        for asked in turns:
            session = Session(toolbox, asked, system, session if is_continued else None)
            found = _recording_of(asked, recorded)
            yield _missing(session, system) if found is None else _replayed(session, found)


def _recording_of(asked: Asked, recorded: Mapping[str, Recorded]) -> Recorded | None:
    """The recording of an item: by its key, by that of its question in its set, or by its text."""
    query = asked.query
    keys = (query.item_id, query.item_id.removeprefix(f"{query.gold_set}:"), query.text)
    return next((recorded[key] for key in keys if key in recorded), None)


def _missing(session: Session, system: Mapping[str, Any]) -> Trace:
    path = system.get("replay_path")
    session.finish({}, "failed", failure=f"no session of this question is recorded in {path}")
    return session.trace()


def _replayed(session: Session, recorded: Recorded) -> Trace:
    for turn in recorded.turns:
        calls = [_call(one) for one in turn]
        session.take_turn(calls, _usage(turn[0]))
    ending = recorded.ending
    reason = ending["stop_reason"] or "finished"
    if reason == "failed":
        failure = ending["failure"] or "the recorded session failed"
        session.finish({}, reason, _usage(ending), failure)
    else:
        session.finish(recorded.answer, reason, _usage(ending))
    trace = session.trace()
    given = [one for turn in recorded.turns for one in turn]
    steps = [
        replace(step, is_changed=_is_changed(step, one))
        for step, one in zip(trace.steps[:-1], given, strict=True)
    ]
    return replace(trace, steps=(*steps, trace.steps[-1]))


def _call(step: Mapping[str, Any]) -> ToolCall:
    is_over = step["status"] == OVER_BUDGET.status
    return ToolCall(step["tool_name"], step["arguments"], is_over_budget=is_over)


def _usage(step: Mapping[str, Any]) -> Usage | None:
    """What the recording says of a request; its call is none of this build."""
    if step.get("input_tokens") is None and step.get("output_tokens") is None:
        return None
    return Usage(step["input_tokens"], step["output_tokens"], step["price_usd"])


def _is_changed(step: Step, recorded: Mapping[str, Any]) -> bool | None:
    if step.status == OVER_BUDGET.status:
        return False
    ids = tuple(recorded["result_ids"])
    # A call that went well returned something: the recording does not say what.
    return None if not ids and recorded["status"] == "ok" else step.result_ids != ids

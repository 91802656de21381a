"""Replays: the recorded calls with today's tools, what differs marked, the recorded answer."""

import json

import pytest

from finrag.agents.directory import Directory
from finrag.agents.replay import run
from finrag.agents.session import Asked, Session, ToolCall
from finrag.agents.steps import ANSWER
from tests.unit.fake_toolbox import CHUNKS, FakeToolbox, asked

QUESTION = "What were net sales in 2021?"
ANSWERED = {"answer_text": "$5 million.", "numeric_value": 5e6, "unit": "USD", "abstained": False}
SEARCH = {"tool_name": "keyword_search", "arguments": {"keywords": ["sales"]}}
READ = {"tool_name": "chunk_read", "arguments": {"chunk_ids": ["c1"]}}
ENDING = {"tool_name": ANSWER, "arguments": ANSWERED, "stop_reason": "finished"}


def recorded():
    """The steps of a session, as they are exported."""
    session = Session(FakeToolbox(), asked(QUESTION), {})
    for calls in ([SEARCH, READ], [READ], [{"tool_name": "run_sql", "arguments": {}}]):
        session.take_turn(
            [ToolCall(one["tool_name"], json.dumps(one["arguments"])) for one in calls]
        )
    session.finish(ANSWERED, "finished")
    return [vars(step) for step in session.steps]


def write(folder, *rows):
    path = folder / "run.jsonl"
    path.write_text(
        "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    )
    return path


def replay(path, *questions, chunks=CHUNKS, **settings):
    system = {"system_id": "again", "policy": "replay", "replay_path": str(path)} | settings
    turns = [[one] if isinstance(one, Asked) else one for one in questions or (asked(QUESTION),)]
    return list(run(system, turns, FakeToolbox(chunks), Directory(()), {}))


def test_a_recording_repeats_itself(tmp_path):
    steps = recorded()
    (trace,) = replay(write(tmp_path, {"item_id": QUESTION, "steps": steps}))

    assert [step.is_changed for step in trace.steps] == [False, False, False, False, None]
    assert [{**vars(step), "latency_ms": None, "is_changed": None} for step in trace.steps] == [
        {**step, "latency_ms": None} for step in steps
    ]


def test_what_today_s_tools_return_otherwise_is_marked(tmp_path):
    path = write(tmp_path, {"item_id": QUESTION, "steps": recorded()})
    (trace,) = replay(path, chunks={"c2": CHUNKS["c2"]})

    assert [step.is_changed for step in trace.steps] == [True, True, False, False, None]
    assert [step.status for step in trace.steps[:3]] == ["ok", "empty", "empty"]
    assert [found[0] for found in trace.rankings["sentence"]] == ["p3"]
    assert json.loads(trace.steps[-1].arguments) == ANSWERED


def test_a_recording_that_does_not_say_what_was_found_is_not_compared(tmp_path):
    (trace,) = replay(write(tmp_path, {"item_id": QUESTION, "steps": [SEARCH, READ, ENDING]}))

    assert [step.is_changed for step in trace.steps] == [None, None, None]
    assert [step.turn_pos for step in trace.steps] == [0, 1, 2]


def test_a_published_trace_is_replayed(tmp_path):
    trace = [
        {
            "loop": 1,
            "tool": "keyword_search",
            "input": {"keywords": ["sales"]},
            "output": {"results": [{"chunk_id": "c1", "score": 9}, {"chunk_id": "c2", "score": 3}]},
        },
        {"loop": 2, "tool": "read_chunk", "input": {"chunk_ids": ["7"]}, "output": {"results": []}},
    ]
    row = {"qid": "x", "question": QUESTION, "pred_answer": "$5 million", "trace": trace}
    (found,) = replay(write(tmp_path, row | {"qid": None}))

    assert [(step.tool_name, step.is_changed) for step in found.steps] == [
        ("keyword_search", False),
        ("chunk_read", False),
        ("answer", None),
    ]
    assert json.loads(found.steps[-1].arguments) == {"answer_text": "$5 million"}


@pytest.mark.parametrize("key", [QUESTION, f"p3:{QUESTION}"])
def test_a_session_is_found_by_either_key_of_its_question(tmp_path, key):
    path = write(tmp_path, {"question_id": QUESTION, "steps": [ENDING]})

    assert replay(path, asked(key))[0].failure is None


def test_a_question_that_was_not_recorded_fails(tmp_path):
    path = write(tmp_path, {"item_id": QUESTION, "steps": [SEARCH, ENDING]})
    _, missing = replay(path, asked(QUESTION), asked("And in 2020?"))

    assert [(step.tool_name, step.stop_reason) for step in missing.steps] == [("answer", "failed")]
    assert "no session of this question is recorded in" in missing.failure


def test_a_recording_longer_than_the_budgets_is_repeated_whole(tmp_path):
    path = write(tmp_path, {"item_id": QUESTION, "steps": [SEARCH, READ, ENDING]})
    (trace,) = replay(path, max_steps=1, context_budget=1, token_budget=1, seconds_budget=1e-9)

    assert [step.status for step in trace.steps] == ["ok", "ok", "ok"]
    assert trace.steps[-1].stop_reason == "finished"


def test_a_call_that_a_budget_did_not_allow_is_not_made(tmp_path):
    calls = [ToolCall(one["tool_name"], json.dumps(one["arguments"])) for one in (READ, SEARCH)]
    first = Session(FakeToolbox(), asked(QUESTION), {})
    first.take_turn(calls[:1])
    room_for_one = {"context_budget": first.steps[0].context_tokens}
    session = Session(FakeToolbox(), asked(QUESTION), room_for_one)
    session.take_turn(calls)
    session.finish(ANSWERED, "forced_tokens")
    steps = [vars(step) for step in session.steps]
    (trace,) = replay(write(tmp_path, {"item_id": QUESTION, "steps": steps}))

    assert [step.status for step in trace.steps] == ["ok", "over_budget", "ok"]
    assert [step.is_changed for step in trace.steps] == [False, False, None]
    assert [step.context_tokens for step in trace.steps] == [
        step["context_tokens"] for step in steps
    ]
    assert trace.rankings == session.ranking()


def test_a_session_that_failed_has_no_answer(tmp_path):
    ending = ENDING | {"stop_reason": "failed", "failure": "the model declined to answer"}
    (trace,) = replay(write(tmp_path, {"item_id": QUESTION, "steps": [SEARCH, ending]}))

    assert (trace.steps[-1].arguments, trace.failure) == ("{}", "the model declined to answer")


def test_tokens_and_prices_are_the_recorded_ones_and_calls_are_none_of_today(tmp_path):
    spent = {"input_tokens": 40, "output_tokens": 6, "price_usd": 0.5, "call_id": "agent:x"}
    path = write(tmp_path, {"item_id": QUESTION, "steps": [SEARCH | spent, ENDING]})
    first, last = replay(path)[0].steps

    assert (first.input_tokens, first.output_tokens, first.price_usd) == (40, 6, 0.5)
    assert (first.call_id, last.input_tokens) == (None, None)


def test_what_was_read_stays_read_over_a_recorded_dialogue(tmp_path):
    rows = [{"item_id": name, "steps": [READ, ENDING]} for name in ("first", "second")]
    path = write(tmp_path, *rows)

    assert replay(path, [asked("first"), asked("second")])[1].steps[0].status == "already_read"
    alone = replay(path, [asked("first"), asked("second")], history="none")
    assert alone[1].steps[0].status == "ok"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken\n", r"run\.jsonl, line 2: .*JSON"),
        ("[1]\n", r"run\.jsonl, line 2: .*object"),
        ({"steps": [ENDING]}, r"run\.jsonl, line 2: .*question"),
        ({"item_id": "x"}, r"run\.jsonl, line 2: the session has no steps; export a transcript"),
        ({"item_id": "x", "steps": []}, r"run\.jsonl, line 2: the session has no steps"),
        ({"item_id": "x", "steps": "keyword_search"}, r"run\.jsonl, line 2: .*steps"),
        ({"item_id": "x", "steps": [{"arguments": {}}]}, r"run\.jsonl, line 2: .*names no tool"),
        ({"item_id": "x", "steps": [SEARCH | {"status": "fine"}]}, r"line 2: status is .*expected"),
        ({"item_id": "x", "steps": [ENDING, ENDING]}, r"line 2: the step answer occurs more than"),
        (
            {"item_id": "x", "steps": [ENDING | {"arguments": "[1]"}]},
            r"line 2: the arguments of the step answer are not a JSON object; write",
        ),
        (
            {"item_id": QUESTION, "steps": [ENDING]},
            r"run\.jsonl, line 2: question '.*' was recorded in run\.jsonl, line 1 already; keep",
        ),
    ],
)
def test_a_bad_line_is_named_with_its_remedy(tmp_path, line, message):
    path = write(tmp_path, {"item_id": QUESTION, "steps": [ENDING]}, line)

    with pytest.raises(ValueError, match=message):
        replay(path)


def test_a_path_that_leads_nowhere_names_its_setting(tmp_path):
    with pytest.raises(ValueError, match=r"system again: .*set replay_path to a"):
        replay("")
    with pytest.raises(ValueError, match=r"system again: .*nothing\.jsonl"):
        replay(tmp_path / "nothing.jsonl")


def test_a_file_that_changed_since_the_system_was_registered_is_not_read(tmp_path):
    path = write(tmp_path, {"item_id": QUESTION, "steps": [ENDING]})

    with pytest.raises(ValueError, match="changed after the system was registered"):
        replay(path, settings=json.dumps({"replay_hash": "0"}))

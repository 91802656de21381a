"""Steps of outside agents: every call at its place, one answer at the end, faults named."""

import json
import os
import re
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.sources.predictions import read_predictions
from finrag.sources.predictions.fields import parse_prediction

BORROWED = Path(__file__).parents[2].parent / "shared" / "data"
RUNS = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED) / "arag_runs"
needs_runs = pytest.mark.skipif(
    not RUNS.is_dir(), reason="the folder of other systems' runs (FINRAG_SHARED_DATA) is not here"
)


def read(steps, **record):
    return parse_prediction({"id": "Q7", "answer": "Steel.", **record, "steps": steps})


def places(row):
    return [(step["turn_pos"], step["call_pos"], step["tool_name"]) for step in row["steps"]]


def faults(row):
    return [(fault["part"], fault["place"], fault["fault_code"]) for fault in row["faults"]]


def call(**more):
    return {"tool_name": "keyword_search", **more}


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("turn_pos", (0, 0, 2)), ("loop", (1, 1, 3)), ("turn", (1, 1, 3)), ("turn", (0, 0, 2))],
)
def test_turns_count_from_nought_however_the_file_counts(name, numbers):
    row = read([call(**{name: number}) for number in numbers])
    found = [place[:2] for place in places(row)]
    assert found == [(0, 0), (0, 1), (2, 0), (3, 0)]


def test_a_step_without_a_turn_is_a_turn_of_its_own():
    assert [place[0] for place in places(read([call(), call()]))] == [0, 1, 2]


def test_the_turns_decide_where_the_order_of_the_file_differs():
    row = read([call(turn_pos=1, arguments={"n": 1}), call(turn_pos=0, arguments={"n": 0})])
    assert [step["arguments"] for step in row["steps"][:2]] == ['{"n": 0}', '{"n": 1}']
    assert faults(row) == [("step", None, "steps_out_of_order")]


@pytest.mark.parametrize(
    ("record", "reason", "status"),
    [
        ({}, "finished", "ok"),
        ({"max_loops_reached": True}, "forced_steps", "ok"),
        ({"abstained": True, "answer": None}, "abstained", "ok"),
        ({"error": "429", "answer": None}, "failed", "failed"),
        ({"answer": None}, "failed", "failed"),
    ],
)
def test_a_missing_answer_is_made_of_the_record(record, reason, status):
    last = read([call()], **record)["steps"][-1]
    assert (last["tool_name"], last["stop_reason"], last["status"]) == ("answer", reason, status)


def test_an_answer_stands_once_and_last():
    early = {"tool_name": "answer", "turn_pos": 0, "stop_reason": "abstained"}
    late = {"tool_name": "answer", "turn_pos": 1, "stop_reason": "forced_tokens"}
    row = read([early, late, call(turn_pos=2)])
    assert places(row) == [(2, 0, "keyword_search"), (3, 0, "answer")]
    assert row["steps"][-1]["stop_reason"] == "forced_tokens"
    assert ("step", 0, "second_answer") in faults(row)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("keyword_search", "bad_step"),
        ({"input": {}}, "bad_step"),
        (call(turn_pos="two"), "bad_turn_pos"),
        (call(turn_pos=10**9), "bad_turn_pos"),
        (call(status="fine"), "bad_status"),
        (call(result_ids=[["a"]]), "bad_result_ids"),
        (call(result_ids=["a"], result_scores=[float("inf")]), "bad_score"),
        (call(input_tokens=-1), "bad_input_tokens"),
    ],
)
def test_what_is_wrong_with_a_step_is_a_fault_at_its_place(entry, code):
    row = read([call(), entry])
    assert ("step", 1, code) in faults(row)
    assert row["answer_text"] == "Steel."


def test_a_list_that_holds_no_step_stays_among_the_other_fields():
    row = parse_prediction({"id": "Q7", "answer": "Steel.", "trace": [{"span": 1}]})
    assert row["steps"] is None
    assert json.loads(row["extra"]) == {"trace": [{"span": 1}]}


def test_steps_are_a_number_or_a_list():
    assert parse_prediction({"id": "Q7", "answer": "4", "steps": 3})["n_steps"] == 3
    both = parse_prediction({"id": "Q7", "answer": "4", "loops": 9, "steps": [call()]})
    assert (both["n_steps"], len(both["steps"])) == (9, 2)
    assert read([call(turn_pos=0), call(turn_pos=0), call(turn_pos=1)])["n_steps"] == 2


@pytest.mark.parametrize("steps", ["not a list", {"tool_name": "keyword_search"}, True])
def test_what_is_neither_is_a_fault_of_the_steps(steps):
    row = read(steps)
    assert (row["steps"], row["n_steps"]) == (None, None)
    assert faults(row) == [("field", None, "bad_steps")]


def test_a_published_trace_is_read_as_steps():
    results = [
        {"chunk_id": 7, "score": 12.0, "snippet": "…no words of its origin…"},
        {"chunk_id": 9, "score": 3, "snippet": "[COMPANY: T | ID: TH/2021/page_4.pdf-1] Rails."},
    ]
    trace = [
        {"loop": 1, "tool": "keyword_search", "input": {"keywords": ["rails"]}}
        | {"output": {"results": results, "total_matched": 2}},
        {"loop": 2, "tool": "keyword_search", "input": {"query": "x"}}
        | {"output": {"error": "unexpected argument"}},
        {"loop": 2, "tool": "chunk_read", "input": {"chunk_ids": [9]}}
        | {"output": {"results": [{"chunk_id": 9, "text": "Rails."}]}},
        {"loop": 3, "tool": "chunk_read", "input": {"chunk_ids": [9]}}
        | {"output": {"results": [], "skipped": [9]}},
    ]
    steps = parse_prediction({"id": "Q7", "predicted": "Steel.", "trace": trace})["steps"]
    assert [step["status"] for step in steps] == ["ok", "failed", "ok", "already_read", "ok"]
    assert (steps[0]["result_ids"], steps[0]["result_scores"]) == (["7", "9"], [12.0, 3.0])
    assert steps[1]["failure"] == "unexpected argument"
    document = "TH/2021/page_4.pdf-1"
    # A chunk read later is of the document that a search named.
    assert steps[2]["shown"] == [{"place": 0, "document": document, "text": "Rails."}]
    assert (steps[2]["result_ids"], steps[2]["result_scores"]) == (["9"], [])


def test_a_trajectory_of_texts_is_read_as_steps():
    trajectory = [
        {"loop": 1, "tool_name": "keyword_search", "arguments": {"keywords": ["rails"]}}
        | {"tool_result": "Chunk ID: a_1, Matched: x\n\nChunk ID: b, Matched: y"}
        | {"retrieved_tokens": 12},
        {"loop": 2, "tool_name": "read_chunk", "arguments": {"chunk_ids": ["b"]}}
        | {"tool_result": "[Chunk b]\nRails."},
    ]
    row = parse_prediction({"qid": "Q7", "pred_answer": "Steel.", "trajectory": trajectory})
    assert [step["result_ids"] for step in row["steps"]] == [["a_1", "b"], ["b"], []]
    assert row["steps"][1]["tool_name"] == "chunk_read"
    assert (row["steps"][0]["observation_tokens"], row["answer_text"]) == (12, "Steel.")


def published(name):
    system = {
        "system_id": "agent",
        "system_kind": "external_file",
        "predictions_path": str(RUNS / f"{name}.predictions.jsonl.gz"),
        "predictions_format": "auto",
    }
    return read_predictions(pa.Table.from_pylist([system])).read_all().to_pylist()


def page(named):
    return re.sub(r"-\d+$", "", named)


@needs_runs
def test_the_published_agent_read_the_gold_page_of_29_of_65_questions():
    rows = published("finqa")
    read_it = [
        any(
            page(text["document"]) == page(row["item_key"])
            for step in row["steps"]
            if step["tool_name"] == "chunk_read"
            for text in step["shown"]
        )
        for row in rows
    ]
    assert (sum(read_it), len(rows)) == (29, 65)


@needs_runs
def test_the_published_index_returns_chunks_0_to_100_alone():
    found = [
        int(chunk)
        for row in published("financebench_sum")
        for step in row["steps"]
        if step["tool_name"] == "semantic_search"
        for chunk in step["result_ids"]
    ]
    assert (min(found), max(found), len(found)) == (0, 100, 698)


@needs_runs
@pytest.mark.parametrize("name", ["finqa", "financebench_sum", "ectsum"])
def test_every_call_of_a_published_trace_is_a_step(name):
    for row in published(name):
        assert not [fault for fault in row["faults"] if fault["part"] == "step"]
        assert row["extra"] is None or "trace" not in json.loads(row["extra"])
        assert [step["tool_name"] for step in row["steps"]].index("answer") == len(row["steps"]) - 1


def test_scores_without_a_chunk_each_are_left_out():
    row = read([call(result_ids=["a"], result_scores=[1.0, 2.0]), call(result_scores=[3.0])])
    assert [step["result_scores"] for step in row["steps"]] == [[], [], []]
    assert faults(row) == [("step", 0, "bad_result_scores"), ("step", 1, "bad_result_scores")]


def test_only_the_answer_says_why_the_session_ended():
    row = read([call(stop_reason="finished"), {"tool": "answer", "stop_reason": "forced_steps"}])
    assert [step["stop_reason"] for step in row["steps"]] == [None, "forced_steps"]
    assert faults(row) == [("step", 0, "bad_stop_reason")]


def test_a_failure_without_a_reason_says_so():
    row = read([call(status="failed"), {"tool": "answer", "status": "failed"}])
    assert {step["failure"] for step in row["steps"]} == {"it does not say why"}
    failed = read([{"tool": "answer", "status": "failed"}], error="timed out")
    assert failed["steps"][-1]["failure"] == "timed out"

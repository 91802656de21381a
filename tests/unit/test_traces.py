"""Traces of OpenTelemetry read as predictions; spans written by hand from the conventions."""

import json

import pytest

from finrag.command.evaluating.traces import read_traces


def otlp(name, span_id, parent, start, end, events=(), status=None, **attributes):
    typed = []
    for key, value in attributes.items():
        kind = "intValue" if isinstance(value, int) else "stringValue"
        typed.append({"key": key, "value": {kind: str(value)}})
    return {
        "traceId": "t1",
        "spanId": span_id,
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": str(start * 1_000_000),
        "endTimeUnixNano": str(end * 1_000_000),
        "attributes": typed,
        "events": list(events),
        "status": status or {},
    }


def write(tmp_path, *values):
    path = tmp_path / "traces.jsonl"
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    return path


def exported(*spans):
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def test_spans_of_openinference(tmp_path):
    root = otlp(
        "rag",
        "a",
        "",
        1000,
        1840,
        **{"input.value": "What were net sales?", "output.value": '{"answer": "$5 million"}'},
    )
    search = otlp(
        "search",
        "b",
        "a",
        1010,
        1100,
        **{
            "input.value": "net sales",
            "retrieval.documents.0.document.id": "chunk 7",
            "retrieval.documents.0.document.content": "Net sales were $5 million.",
            "retrieval.documents.1.document.metadata": '{"sentence_id": "S2"}',
            "retrieval.documents.1.document.content": "Sales rose.",
        },
    )
    model = otlp("llm", "c", "a", 1110, 1800, **{"llm.token_count.prompt": 900})
    model["attributes"].append({"key": "llm.token_count.completion", "value": {"intValue": "30"}})

    assert read_traces(write(tmp_path, exported(model, search, root))) == [
        {
            "question": "What were net sales?",
            "answer": "$5 million",
            "documents": [
                {"text": "Net sales were $5 million.", "ids": []},
                {"text": "Sales rose.", "ids": ["S2"]},
            ],
            "latency_ms": 840.0,
            "input_tokens": 900,
            "output_tokens": 30,
        }
    ]


def test_spans_of_the_conventions_for_generative_ai(tmp_path):
    said = [{"role": "user", "parts": [{"type": "text", "content": "What were net sales?"}]}]
    answered = [{"role": "assistant", "parts": [{"type": "text", "content": "$5 million"}]}]
    usage = {"gen_ai.usage.input_tokens": 900, "gen_ai.usage.output_tokens": 30}
    agent = otlp("invoke_agent", "a", "", 0, 500, **usage)
    chat = otlp(
        "chat",
        "b",
        "a",
        100,
        400,
        **usage,
        **{
            "gen_ai.input.messages": json.dumps(said),
            "gen_ai.output.messages": json.dumps(answered),
        },
    )
    search = otlp(
        "retrieval",
        "c",
        "a",
        10,
        20,
        **{"gen_ai.retrieval.documents": json.dumps([{"id": "S1", "score": 0.9}])},
    )

    (record,) = read_traces(write(tmp_path, exported(agent, chat, search)))
    assert record == {
        "question": "What were net sales?",
        "answer": "$5 million",
        "documents": [{"text": "", "ids": ["S1"]}],
        "latency_ms": 500.0,
        "input_tokens": 900,
        "output_tokens": 30,
    }


def test_messages_in_events_and_flat_spans(tmp_path):
    span = {
        "name": "chat",
        "context": {"trace_id": "t9", "span_id": "a"},
        "parent_id": None,
        "start_time": "2026-01-01T00:00:00+00:00",
        "end_time": "2026-01-01T00:00:01+00:00",
        "attributes": {"llm": {"token_count": {"prompt": 7}}},
        "events": [
            {"name": "gen_ai.user.message", "attributes": {"content": "Who audits it?"}},
            {"name": "gen_ai.choice", "attributes": {"message": {"content": "Nobody."}}},
        ],
    }
    assert read_traces(write(tmp_path, span)) == [
        {
            "question": "Who audits it?",
            "answer": "Nobody.",
            "latency_ms": 1000.0,
            "input_tokens": 7,
        }
    ]


def test_an_error_is_a_failure_with_its_text(tmp_path):
    status = {"code": 2, "message": "the index is away"}
    root = otlp("rag", "a", "", 0, 1, status=status, **{"input.value": "Why?"})
    (record,) = read_traces(write(tmp_path, exported(root)))
    assert record["failure"] == "the index is away"
    assert "answer" not in record


def test_of_one_question_asked_twice_the_last_counts(tmp_path):
    asked = [
        otlp("rag", "a", "", start, start + 1, **{"input.value": "Why?", "output.value": answer})
        | {"traceId": trace}
        for trace, start, answer in (("t2", 9, "late"), ("t1", 2, "early"))
    ]
    assert [one["answer"] for one in read_traces(write(tmp_path, *asked))] == ["late"]


@pytest.mark.parametrize("content", ["{}", "[]", '{"a": 1}\nnot json', '{"resourceSpans": 3}'])
def test_a_file_without_questions_is_refused(tmp_path, content):
    path = tmp_path / "traces.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"tells a question|is not JSON"):
        read_traces(path)

"""Exported traces read as predictions; written by hand from the published conventions."""

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


@pytest.mark.parametrize("name", ["gen_ai.usage.cost", "gen_ai.usage.cost_usd", "llm.cost.total"])
def test_a_span_around_others_repeats_what_they_used_however_deep(tmp_path, name):
    def span(span_id, parent, **attributes):
        made = otlp("s", span_id, parent, 1000, 1840, **attributes)
        for key, value in {"llm.token_count.prompt": "40", name: 0.5}.items():
            kind = "intValue" if isinstance(value, str) else "doubleValue"
            made["attributes"].append({"key": key, "value": {kind: value}})
        return made

    root = span("a", "", **{"input.value": "How many?", "output.value": "Two"})
    chain = otlp("chain", "b", "a", 1000, 1840)
    calls = [span("c", "b"), span("d", "b")]

    (record,) = read_traces(write(tmp_path, exported(root, chain, *calls)))

    assert (record["input_tokens"], record["cost_usd"]) == (80, 1.0)


@pytest.mark.parametrize("digits", ["1e23", "9" * 400, "9" * 5000])
def test_a_count_that_nothing_measures_spoils_no_other_trace(tmp_path, digits):
    asked = {"input.value": "How many?", "output.value": "Two"}
    spoilt = otlp("rag", "a", "", 0, 1, **asked)
    spoilt["attributes"].append({"key": "llm.token_count.prompt", "value": {"intValue": digits}})
    plain = json.dumps({"a": {**spoilt, "spanId": "b"}}).replace(f'"{digits}"', digits)
    sound = otlp("rag", "c", "", 2, 3, **{**asked, "input.value": "Who?"})
    path = tmp_path / "traces.jsonl"
    whole = json.dumps([spoilt, {**sound, "traceId": "t2"}])
    path.write_text(f"{whole}\n{plain}\n", encoding="utf-8")

    first, second = read_traces(path)

    assert (second["question"], second["answer"]) == ("Who?", "Two")
    assert first["answer"] == "Two"
    assert first["input_tokens"] >= 1e23


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


@pytest.mark.parametrize(
    ("said", "found", "expected"),
    [
        ({}, {}, {"answer": None}),
        ({"output.value": " "}, {"retrieval.documents.0.document.id": "S1"}, {"answer": None}),
        ({}, {"retrieval.documents.0.document.id": "S1"}, {}),
    ],
)
def test_a_trace_that_says_nothing_gave_no_answer_unless_it_only_retrieved(
    tmp_path, said, found, expected
):
    root = otlp("rag", "a", "", 0, 0, **{"input.value": "Why?", **said})
    search = otlp("search", "b", "a", 0, 0, **found)
    (record,) = read_traces(write(tmp_path, exported(root, search)))
    record.pop("documents", None)
    assert record == {"question": "Why?", **expected}


def test_of_one_question_asked_twice_the_first_counts(tmp_path):
    """Whoever asks until the answer is right must not get a better verdict."""
    asked = [
        otlp("rag", "a", "", start, start + 1, **{"input.value": "Why?", "output.value": answer})
        | {"traceId": trace}
        for trace, start, answer in (("t2", 9, "late"), ("t1", 2, "early"))
    ]
    assert [one["answer"] for one in read_traces(write(tmp_path, *asked))] == ["early"]
    undated = [span | {"startTimeUnixNano": "0"} for span in asked]
    assert [one["answer"] for one in read_traces(write(tmp_path, *undated))] == ["late"]


@pytest.mark.parametrize("sign", ["\u2028", "\u0085"])
def test_a_sign_within_a_text_ends_no_line(tmp_path, sign):
    span = otlp("rag", "a", "", 0, 1, **{"input.value": f"Why{sign}?", "output.value": "So."})
    path = tmp_path / "traces.jsonl"
    text = json.dumps(span, ensure_ascii=False)
    lines = [text, text.replace("So.", "No.").replace("Why", "Who").replace("t1", "t2"), ""]
    path.write_bytes("\r\n".join(lines).encode())
    assert [one["answer"] for one in read_traces(path)] == ["So.", "No."]


DEEP = "[" * 100_000 + "]" * 100_000
NESTED = '{"a": ' * 2_000 + "1" + "}" * 2_000
SPAN = '"traceId": "t", "spanId": "a"'


@pytest.mark.parametrize(
    "line",
    [
        DEEP,
        f'{{{SPAN}, "attributes": {DEEP}}}',
        f'{{{SPAN}, "attributes": {NESTED}}}',
        f'{{{SPAN}, "attributes": ["x"]}}',
        f'{{{SPAN}, "attributes": {{}}, "context": "c"}}',
        f'{{{SPAN}, "attributes": {{}}, "events": 3}}',
        f'{{{SPAN}, "attributes": [{{"key": "a", "value": {{"intValue": "x"}}}}]}}',
    ],
)
def test_a_span_of_another_shape_is_named_by_file_and_line(tmp_path, line):
    path = tmp_path / "traces.jsonl"
    path.write_text(f"{json.dumps(otlp('rag', 'a', '', 0, 1, **{'input.value': 'Why?'}))}\n{line}")
    with pytest.raises(ValueError, match=r"traces.jsonl', line 2, "):
        read_traces(path)


def test_messages_of_another_shape_are_named_by_file_and_trace(tmp_path):
    said = json.dumps([{"role": "user", "parts": 3}])
    span = otlp("chat", "a", "", 0, 1, **{"gen_ai.input.messages": said})
    with pytest.raises(ValueError, match=r"traces.jsonl', trace t1, "):
        read_traces(write(tmp_path, span))


def test_a_single_object_that_nests_too_deep_is_refused(tmp_path):
    path = tmp_path / "traces.json"
    path.write_text(DEEP)
    with pytest.raises(ValueError, match=r"traces.json', line 1, "):
        read_traces(path)


@pytest.mark.parametrize("content", ["{}", "[]", '{"a": 1}\nnot json', '{"resourceSpans": 3}'])
def test_a_file_without_questions_is_refused(tmp_path, content):
    path = tmp_path / "traces.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"holds a question|is not JSON"):
        read_traces(path)


def observation(kind, name, parent=None, **fields):
    return {
        "id": name,
        "traceId": "t",
        "type": kind,
        "name": name,
        "parentObservationId": parent,
        "startTime": "2026-03-01T10:00:00.100Z",
        "endTime": "2026-03-01T10:00:01.500Z",
        **fields,
    }


SEARCHED = observation(
    "RETRIEVER",
    "search",
    input="net sales",
    output={
        "documents": [
            {"page_content": "Net sales were $5 million.", "metadata": {"sentence_id": "S1"}},
            {"text": "Sales rose.", "id": "S2"},
            "Sales of tin.",
        ]
    },
)
ASKED = observation(
    "GENERATION",
    "call",
    input=[{"role": "user", "content": "Context … What were net sales?"}],
    output={"role": "assistant", "content": "Net sales were $5 million."},
    usageDetails={"input": 350, "output": 67, "total": 417},
)
TRACE = {
    "id": "t",
    "timestamp": "2026-03-01T10:00:00.000Z",
    "name": "rag",
    "input": {"question": "What were net sales?"},
    "output": {"answer": "$5 million"},
}
EXPECTED = {
    "question": "What were net sales?",
    "answer": "$5 million",
    "documents": [
        {"text": "Net sales were $5 million.", "ids": ["S1"]},
        {"text": "Sales rose.", "ids": []},
        {"text": "Sales of tin.", "ids": []},
    ],
    "latency_ms": 1500.0,
    "input_tokens": 350,
    "output_tokens": 67,
}


@pytest.mark.parametrize(
    "exported_as",
    [
        [{**TRACE, "observations": [SEARCHED, ASKED]}],
        [[{**TRACE, "observations": [ASKED, SEARCHED]}]],
        [{"trace": TRACE, "observations": [SEARCHED, ASKED]}],
        # What went in and came out may be exported as a text.
        [
            {
                **TRACE,
                "input": json.dumps(TRACE["input"]),
                "observations": [{**SEARCHED, "output": json.dumps(SEARCHED["output"])}, ASKED],
            }
        ],
    ],
    ids=["trace", "list", "side by side", "texts"],
)
def test_a_trace_of_langfuse(tmp_path, exported_as):
    assert read_traces(write(tmp_path, *exported_as)) == [EXPECTED]


def test_observations_of_langfuse_without_their_trace(tmp_path):
    chain = observation(
        "SPAN",
        "chain",
        input={"messages": [{"role": "user", "content": "How many?"}]},
        output="Two",
    )
    (record,) = read_traces(
        write(tmp_path, chain, {**ASKED, "parentObservationId": "chain", "usageDetails": {}})
    )
    assert (record["question"], record["answer"]) == ("How many?", "Two")
    assert "input_tokens" not in record


@pytest.mark.parametrize(
    "stated",
    [
        {"calculatedTotalCost": 0.02},
        {"totalCost": 0.02},
        {"costDetails": {"input": 0.015, "output": 0.005, "total": 0.02}},
        {"usageDetails": None, "usage": {"input": 1, "totalCost": 0.02}},
    ],
)
def test_what_langfuse_says_that_a_call_cost_counts_once(tmp_path, stated):
    chain = observation("SPAN", "chain")
    call = {**ASKED, "parentObservationId": "chain", **stated}
    whole = {**TRACE, "totalCost": 0.04, "observations": [chain, call, {**call, "id": "again"}]}

    (record,) = read_traces(write(tmp_path, whole))
    (alone,) = read_traces(write(tmp_path, {**TRACE, "totalCost": 0.04, "observations": [chain]}))

    assert record["cost_usd"] == alone["cost_usd"] == 0.04


def test_a_trace_of_langfuse_without_an_output_failed(tmp_path):
    broken = {**ASKED, "level": "ERROR", "statusMessage": "timed out", "output": None}
    silent = {**TRACE, "output": None, "observations": [broken]}
    (record,) = read_traces(write(tmp_path, silent))
    assert record["failure"] == "timed out"
    (retried,) = read_traces(write(tmp_path, {**TRACE, "observations": [broken, ASKED]}))
    assert retried["answer"] == "$5 million"


def test_a_trace_of_langfuse_that_lists_ids_of_observations_is_read_alone(tmp_path):
    (record,) = read_traces(write(tmp_path, {**TRACE, "observations": ["a", "b"]}))
    assert record == {"question": EXPECTED["question"], "answer": EXPECTED["answer"]}

"""A model as an agent, from the questions to the rows: real tools, an endpoint that is a stub."""

import json

import pyarrow as pa
import pytest

from finrag.agents.running import AGENT_SCHEMA, run_agents
from finrag.llm import asking
from tests.unit.endpoint_stub import EndpointStub, Said, answer, by_turn, read, search
from tests.unit.test_set_search import FILINGS, items_of, passages_of

PASSAGES = [
    ("set", "a#text-0", "a", "text", "Sales of paint rose to $5 million in Norway."),
    ("set", "a#text-1", "a", "text", "The harbour lease ends in May."),
    ("set", "b#text-0", "b", "text", "Sales of paint fell to $4 million in Chile."),
]
QUESTIONS = [
    ("set", "set:1", "What were sales of paint in Norway?", None),
    ("set", "set:2", "When does the harbour lease end?", None),
]
DOCUMENTS = [{"document_id": name, "corpus_id": "set", "title": name} for name in "ab"]
UNTOLD = dict.fromkeys(("company_name", "cik_int", "report_year", "years", "form"))
AGENT = {
    **{"system_kind": "agent", "policy": "llm", "regime": "open", "agent_prompt": "agent"},
    **{"answerer": "openai:acme-words", "answer_sets": "all", "tool_filters": "off"},
    **{"tools": "keyword_search+chunk_read", "keyword_score": "arag", "encoder": "wordllama"},
    **{"bm25_k1": 1.5, "bm25_b": 0.75, "depth": 10, "temperature": 0.0, "on_budget": "answer"},
    **{"context_budget": 128_000, "token_budget": 1_000_000},
}
LAST = "No more tools"


@pytest.fixture
def stub(monkeypatch):
    with EndpointStub() as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", running.url)
        monkeypatch.setenv("FINRAG_LLM_API_KEY", "sk-planted/0123456789abcdef")
        monkeypatch.setattr(asking, "BACKOFF_S", 0.001)
        turns = by_turn(
            Said(calls=(search("paint", "lease"),)),
            Said(calls=(search("harbour"), search("paint rose", top_k=1))),
            Said(calls=(read("a#0"),)),
            Said(answer("Known.", cites=["a#0"])),
        )

        def reply(messages):
            forced = LAST in (messages[-1]["content"] or "")
            return Said(answer("A guess.")) if forced else turns(messages)

        running.reply = reply
        yield running


def reading(item, text):
    empty = ("cik_ints", "years", "kpi_labels", "risk_topics", "section_names", "scope")
    return {
        **{"item_id": item, "question_text": text, "answer_form": "numeric"},
        **{"is_change": False, "topic_text": text, **dict.fromkeys(empty)},
    }


NO_COMPANIES = pa.schema(
    [("cik_int", pa.int64()), ("display_name", pa.string()), ("aliases", pa.list_(pa.string()))]
).empty_table()


def ran(folder, **max_steps):
    """Rows of agents that differ in how many turns they have, by name."""
    systems = [{**AGENT, "system_id": name, "max_steps": n} for name, n in max_steps.items()]
    items = items_of(QUESTIONS)
    items = items.append_column("is_on_tables", pa.array([False] * len(items)))
    passages = passages_of(PASSAGES)
    nothing = pa.nulls(len(passages), pa.string())
    reader = run_agents(
        pa.Table.from_pylist(systems), items, *FILINGS,
        passages.append_column("parent_id", nothing), [],
        {"state_dir": str(folder), "encoder_batch_size": 16, "encoder_threads": 1},
        pa.Table.from_pylist([{**UNTOLD, **one} for one in DOCUMENTS]), NO_COMPANIES,
        pa.Table.from_pylist([reading(item, text) for _, item, text, _ in QUESTIONS]),
    )  # fmt: skip
    assert reader.schema.equals(AGENT_SCHEMA)
    return reader.read_all().to_pylist()


def first_rows(rows, system):
    return [row for row in rows if row["system_id"] == system and row["steps"]]


def steps(row):
    return [(one["turn_pos"], one["tool_name"], one["status"]) for one in row["steps"]]


def untimed(value):
    """All that a second build must say again."""
    if isinstance(value, dict):
        return {key: untimed(one) for key, one in value.items() if key != "latency_ms"}
    return [untimed(one) for one in value] if isinstance(value, list) else value


def test_a_model_searches_reads_and_answers_over_real_tools_once(stub, tmp_path):
    rows = ran(tmp_path, whole=15)

    one, other = first_rows(rows, "whole")
    expected = [(0, "keyword_search"), (1, "keyword_search"), (1, "keyword_search")]
    expected += [(2, "chunk_read"), (3, "answer")]
    assert steps(one) == steps(other) == [(*step, "ok") for step in expected]
    assert one["steps"][-1]["stop_reason"] == "finished"
    said = json.loads(one["steps"][-1]["arguments"])
    assert (said["answer_text"], said["numeric_value"]) == ("Known.", 5e6)
    # What was read comes first, what was only seen last; the passages are the corpus's own.
    ranked = [row["passage_id"] for row in rows if row["item_id"] == "set:1"]
    assert ranked == ["a#text-0", "a#text-1", "b#text-0"]
    assert len(one["calls"]) == 4
    assert len(stub.requests) == 8

    again = ran(tmp_path, whole=15)
    assert len(stub.requests) == 8
    assert json.dumps(untimed(again)) == json.dumps(untimed(rows))


def test_models_with_other_budgets_share_requests_and_not_their_answers(stub, tmp_path):
    rows = ran(tmp_path, whole=15, short=2)

    whole, short = (first_rows(rows, name)[0]["steps"] for name in ("whole", "short"))
    answers = [json.loads(each[-1]["arguments"])["answer_text"] for each in (whole, short)]
    assert answers == ["Known.", "A guess."]
    assert [each[-1]["stop_reason"] for each in (whole, short)] == ["finished", "forced_steps"]
    assert [one["call_id"] for one in short[:3]] == [one["call_id"] for one in whole[:3]]
    # Four of each question, and one more where the turns are used up.
    assert len(stub.requests) == 2 * (4 + 1)

"""Systems that answer: what they find, what they cost, what a kill or a fault leaves behind."""

import json
import re
import sqlite3

import pytest

from tests.unit.endpoint_stub import EndpointStub
from tests.warehouse.test_determinism import doors, small_corpus

SENTENCE_ID = re.compile(r"\d{10}_[\w-]+_\d{4}_section_\w+_\d+")
KEY = "planted-secret-key-0123456789"
LLM = {"enable_systems": ["multi_path_llm"], "llm": "stub-model"}


def cite_first(messages):
    """Answers with the first sentence it was given."""
    found = SENTENCE_ID.findall(messages[-1]["content"])
    answer = {"answer": "As cited.", "citations": found[:1], "numeric_value": None, "unit": None}
    return json.dumps({**answer, "abstained": False})


@pytest.fixture
def endpoint(monkeypatch):
    with EndpointStub(cite_first) as stub:
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", stub.url)
        monkeypatch.setenv("FINRAG_LLM_API_KEY", KEY)
        monkeypatch.setenv("FINRAG_LLM_RETRIES", "1")
        monkeypatch.setenv("FINRAG_LLM_PARALLEL", "1")
        yield stub


@pytest.fixture
def asking(make_warehouse, tmp_path, endpoint):
    """A small warehouse whose questions go to the stub as well."""
    path = small_corpus(tmp_path)
    return make_warehouse(corpus="filings", corpus_path=path, **LLM)


def outcomes(warehouse, system="multi_path_llm"):
    rows = warehouse.rows(
        f"""
        select outcome, count(*) as n from answers.answers
        where system_id = '{system}' group by 1
        """
    )
    return {row["outcome"]: row["n"] for row in rows}


def n_questions(warehouse):
    return warehouse.value("select count(*) from gold.questions")


@pytest.mark.parametrize("scope", ["cross_year", "cross_company"])
@pytest.mark.parametrize("other", ["dense_open", "naive_rag"])
def test_multi_path_finds_more_evidence_of_several_filings(sample, other, scope):
    (row,) = sample.rows(
        f"""
        select n_items, mean_a, mean_b, ci_low, p_value
        from metrics.comparisons
        where system_a = 'multi_path' and system_b = '{other}' and gold_set = 'p3'
          and metric = 'evidence_recall' and k = 10
          and slice_name = 'scope' and slice_value = '{scope}'
        """
    )
    assert row["n_items"] >= 30
    assert row["ci_low"] > 0.05
    assert row["p_value"] < 0.01


def test_every_question_has_one_outcome_for_every_system_that_answers(sample):
    rows = sample.rows(
        """
        select system_id, count(*) as n, count(distinct item_id) as n_items,
               count(*) filter (where outcome = 'not_run') as n_not_run
        from answers.answers group by 1
        """
    )
    assert {row["system_id"] for row in rows} == {
        "multi_path", "naive_rag", "dense_open", "random_open",
    }  # fmt: skip
    assert all(row["n"] == row["n_items"] == n_questions(sample) for row in rows)
    assert all(row["n_not_run"] == 0 for row in rows)


def test_extractive_answers_cite_what_they_were_given(sample):
    assert sample.value("select count(*) from answers.answer_citations") > 500
    assert (
        sample.value("select count(*) from answers.answer_citations where not is_in_context") == 0
    )
    assert sample.value("select count(*) from answers.llm_calls") == 0


def test_a_context_stays_inside_its_budget(sample):
    worst = sample.rows(
        """
        select max(n_tokens) as n_tokens, max(n_sentences) as n_sentences from (
            select sum(n_tokens) as n_tokens, count(*) as n_sentences
            from answers.contexts where system_id = 'multi_path' group by item_id
        )
        """
    )[0]
    assert worst["n_tokens"] <= 1500
    assert worst["n_sentences"] <= 10


def test_a_manifest_tells_what_a_result_stands_on(sample):
    rows = sample.rows("select * from retrieval.run_manifests order by system_id")
    systems = sample.value("select count(*) from retrieval.registered_systems")
    assert len(rows) == systems
    multi_path = next(row for row in rows if row["system_id"] == "multi_path")
    assert "wordllama" in multi_path["encoder_id"]
    assert json.loads(multi_path["library_versions"])["duckdb"]
    assert json.loads(multi_path["settings"])["near_duplicate_cosine"] == 0.95


def test_a_repeated_build_and_a_changed_gate_ask_nothing(asking, endpoint):
    assert asking.build() == 0, asking.log
    n_first = len(endpoint.requests)
    before = doors(asking)
    assert n_first > 10
    assert sum(outcomes(asking).values()) == n_questions(asking)

    assert asking.build() == 0, asking.log
    assert doors(asking) == before
    assert asking.build(as_of_date="2026-01-01", bootstrap_seed=8) == 0, asking.log
    assert len(endpoint.requests) == n_first


def test_without_an_endpoint_a_paid_answer_is_replayed(asking, endpoint, monkeypatch):
    assert asking.build("--select", "+llm_calls", "+answers") == 0, asking.log
    before = asking.rows("select * exclude (latency_ms) from answers.answers order by all")
    monkeypatch.setenv("FINRAG_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("FINRAG_LLM_API_KEY")

    assert asking.build("--select", "+answers") == 0, asking.log

    after = asking.rows("select * exclude (latency_ms) from answers.answers order by all")
    assert after == before


def test_the_key_is_nowhere(asking, endpoint):
    endpoint.script = ["401"]
    assert asking.build("--select", "+llm_calls", "+answers") == 0, asking.log
    assert asking.build() == 0, asking.log

    assert KEY in endpoint.keys
    assert KEY not in asking.log
    files = [path for path in asking.folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert all(KEY not in json.dumps(row, default=str) for row in asking.rows(
        "select * from answers.llm_calls"
    ))  # fmt: skip


@pytest.mark.parametrize("fault", ["429", "500", "not json", "no text", "cut", "404"])
def test_an_endpoint_that_fails_is_an_outcome(asking, endpoint, fault):
    endpoint.faults = {"": fault}

    assert asking.build("--select", "+llm_calls", "+answers") == 0, asking.log

    assert outcomes(asking).get("answered", 0) == 0
    counts = outcomes(asking)
    assert counts["failed"] > 0
    assert sum(counts.values()) == n_questions(asking)
    calls = asking.rows("select distinct status, error from answers.llm_calls")
    assert {row["status"] for row in calls} == {"failed"}
    assert all(row["error"] for row in calls)


def test_no_server_is_an_outcome(asking, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_BASE_URL", "http://127.0.0.1:9/v1")

    assert asking.build("--select", "+llm_calls", "+answers") == 0, asking.log

    assert outcomes(asking)["failed"] > 0
    assert sum(outcomes(asking).values()) == n_questions(asking)


def test_html_and_sql_in_an_answer_stay_text(asking, endpoint):
    hostile = "'); drop table answers; -- <script>alert(1)</script> {{ var('llm') }}"
    endpoint.reply = lambda messages: json.dumps(
        {**json.loads(cite_first(messages)), "answer": hostile}
    )

    assert asking.build() == 0, asking.log

    texts = asking.rows(
        """
        select distinct answer_text from answers.answers
        where system_id = 'multi_path_llm' and outcome = 'answered'
        """
    )
    assert texts == [{"answer_text": hostile}]


def test_a_changed_prompt_asks_only_its_own_system_again(asking, endpoint, tmp_path, monkeypatch):
    (tmp_path / "mine.yml").write_text(
        "systems:\n  - system_id: minimal\n    based_on: multi_path_llm\n"
        "    settings: {prompt: answer_minimal}\n"
    )
    settings = {"systems_paths": [str(tmp_path / "mine.yml")]}
    selection = ("--select", "+llm_calls", "+answers")
    assert asking.build(*selection) == 0, asking.log
    n_first = len(endpoint.requests)

    assert asking.build(*selection, **settings) == 0, asking.log

    n_minimal = asking.value("select count(*) from answers.llm_calls where system_id = 'minimal'")
    assert len(endpoint.requests) == n_first + n_minimal
    assert n_minimal > 10


@pytest.mark.parametrize("stage", ["reranking", "answering", "measuring"])
def test_a_killed_build_goes_on_where_it_stood(asking, endpoint, tmp_path, stage):
    (tmp_path / "mine.yml").write_text(
        "systems:\n  - system_id: judged\n    based_on: multi_path_llm\n"
        "    settings: {reranker: 'llm:stub-model', rerank_depth: 5}\n"
    )
    settings = {"systems_paths": [str(tmp_path / "mine.yml")]}
    endpoint.reply = rank_or_cite
    assert asking.build("--select", "+questions", **settings) == 0, asking.log

    running = asking.start("run", "--exclude", "+questions", **settings)
    if stage == "measuring":
        kill_at(running, "metrics.")
    else:
        kill_in_request(running, endpoint, is_reranking if stage == "reranking" else is_answering)
    n_before = len(endpoint.requests)
    endpoint.on_request = None
    assert asking.build(**settings) == 0, asking.log

    bodies = [json.dumps(body, sort_keys=True) for body in endpoint.requests]
    n_cut = 0 if stage == "measuring" else 1
    assert n_before > 0
    assert len(bodies) == len(set(bodies)) + n_cut
    assert outcomes(asking, "judged")["answered"] > 10
    assert sum(outcomes(asking, "judged").values()) == n_questions(asking)
    interrupted = ledger(asking, "select count(*) from calls where error like '%interrupted%'")
    assert interrupted == n_cut


def ledger(warehouse, query):
    path = warehouse.state / "cache" / "llm" / "calls.sqlite"
    with sqlite3.connect(path) as connection:
        return connection.execute(query).fetchone()[0]


def is_reranking(body):
    return "order" in json.dumps(body["messages"][0]).lower() and "rank" in body_text(body)


def is_answering(body):
    return not is_reranking(body)


def body_text(body):
    return json.dumps(body["messages"]).lower()


def rank_or_cite(messages):
    if is_reranking({"messages": messages}):
        return json.dumps({"order": [2, 1]})
    return cite_first(messages)


def kill_at(running, mark):
    for line in running.stdout:
        if mark in line and "OK" in line:
            break
    running.kill()
    running.communicate()


def kill_in_request(running, endpoint, is_meant):
    """Kills the build while its fifth request of a kind is under way."""
    seen = []

    def on_request(body):
        if is_meant(body):
            seen.append(body)
            if len(seen) == 5:
                running.kill()

    endpoint.on_request = on_request
    running.communicate()

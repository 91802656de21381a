"""Language models: what was answered is not asked again, faults are rows, keys stay secret."""

import hashlib
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from itertools import islice
from pathlib import Path

import pytest

from finrag.llm import asking, store
from finrag.llm.asking import Request, ask_all, request_hash
from finrag.llm.completions import read_completion, read_usage
from finrag.llm.endpoints import check_settings, endpoint_host
from finrag.llm.messages import CallingMessage, ToolResult, ToolUse, as_sent
from finrag.llm.prompts import Prompt, load_prompt, prompt_names
from finrag.llm.store import INTERRUPTED, Store
from finrag.publishing.environment import ENVIRONMENT_SCHEMA, read_environment
from tests.unit.endpoint_stub import EndpointStub, Said, closed_port, format_of
from tests.unit.service_stub import ServiceStub

ROOT = Path(__file__).parents[2]
KEY = "sk-planted/0123456789abcdef"
MODEL = "acme-words"
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}


def upper(messages):
    return messages[-1]["content"].upper()


@pytest.fixture
def stub(monkeypatch):
    with EndpointStub(upper) as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", running.url)
        monkeypatch.setenv("FINRAG_LLM_API_KEY", KEY)
        monkeypatch.setenv("FINRAG_LLM_RETRIES", "2")
        monkeypatch.setattr(asking, "BACKOFF_S", 0.001)
        yield running


def request(text, **settings):
    return Request((("system", "Say it aloud."), ("user", text)), **settings)


def many(count, **settings):
    return [request(f"question {i} of many", **settings) for i in range(count)]


def ask(requests, folder, model=MODEL, stage="answer"):
    return list(ask_all(requests, model, stage, str(folder)))


def texts(replies):
    return [reply.text for reply in replies]


def rows(folder, columns="status, error"):
    with sqlite3.connect(folder / "cache" / "llm" / store.FILE) as connection:
        return connection.execute(f"select {columns} from calls order by called_at").fetchall()


def asked(stub, text):
    return sum(text in body["messages"][-1]["content"] for body in stub.requests)


# --- prompts ------------------------------------------------------------------------------------


def prompt(user, system="Answer."):
    return Prompt("plain", system, user, "0")


def test_a_value_that_looks_like_a_place_stays_as_it_is():
    filled = prompt("{context}\n{question}").render(context="{question} {context}", question="Q")

    assert filled[1] == ("user", "{question} {context}\nQ")


def test_braces_of_json_are_plain_text():
    text = '{"answer": {question}, "citations": [{}]}'

    assert prompt(text).render(question="1")[1][1] == '{"answer": 1, "citations": [{}]}'


def test_a_place_that_nothing_fills_is_named():
    with pytest.raises(ValueError, match="place for context, which nothing fills"):
        prompt("{context} {question}").render(question="Q")


def test_the_hash_is_of_the_file_s_bytes(monkeypatch, tmp_path):
    (tmp_path / "prompts").mkdir()
    content = b"For the reader.\r\n# system\r\nBe brief.\r\n\r\n# user\r\n{question}\r\n"
    (tmp_path / "prompts" / "plain.md").write_bytes(content)
    monkeypatch.chdir(tmp_path)

    found = load_prompt("plain")

    assert (found.system, found.user) == ("Be brief.", "{question}")
    assert found.prompt_hash == hashlib.sha256(content).hexdigest()[:16]


def test_a_prompt_without_its_parts_says_so(monkeypatch, tmp_path):
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "plain.md").write_text("# user\n{question}\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ValueError, match="'plain' needs a line '# system'"):
        load_prompt("plain")


@pytest.mark.parametrize("name", ["no_such", "../README", "/etc/passwd", ""])
def test_an_unknown_prompt_is_told_those_there_are(name):
    with pytest.raises(ValueError, match=r"there are .*answer_minimal"):
        load_prompt(name)


def test_prompts_are_found_from_another_folder(monkeypatch, tmp_path):
    here = prompt_names()
    monkeypatch.chdir(tmp_path)

    assert prompt_names() == here


# --- completions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"choices": [{"message": {"content": "x"}}], "usage": 3}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_what_is_no_completion_is_nonsense(body):
    with pytest.raises(ValueError, match="not a chat completion"):
        read_completion(body)


@pytest.mark.parametrize("count", ["-1", "true", '"3"', "1.5", "null", "1e400"])
def test_a_token_count_that_is_none_is_unknown(count):
    usage = '{"prompt_tokens": ' + count + "}"
    body = '{"choices": [{"message": {"content": "x"}}], "usage": ' + usage + "}"

    assert read_completion(body.encode()).input_tokens is None


# --- asking -------------------------------------------------------------------------------------


def test_replies_come_in_the_order_of_the_requests(stub, tmp_path):
    replies = ask(many(12), tmp_path)

    assert texts(replies) == [f"QUESTION {i} OF MANY" for i in range(12)]
    assert {reply.call.status for reply in replies} == {"ok"}
    assert {(r.call.input_tokens, r.call.output_tokens) for r in replies} == {(1, 1)}
    assert set(stub.keys) == {KEY}


def test_what_is_set_is_sent_and_nothing_else(stub, tmp_path):
    ask([request("a", temperature=0.0, max_output_tokens=9, seed=7), request("b")], tmp_path)

    first, second = (
        {name: value for name, value in body.items() if name != "messages"}
        for body in stub.requests
    )
    assert first == {"model": MODEL, "temperature": 0.0, "max_tokens": 9, "seed": 7}
    assert second == {"model": MODEL}


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.5},
        {"max_output_tokens": 9},
        {"seed": 7},
        {"response_format": "json_object"},
        {"response_format": "json_schema", "schema": SCHEMA},
    ],
)
def test_whatever_can_change_an_answer_is_in_the_hash(change):
    assert request_hash(request("a", **change), MODEL) != request_hash(request("a"), MODEL)


TWO = (("system", "Say it aloud."), ("user", "café “é” 😀"))


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        (
            Request((("system", "s"), ("user", "u")), "json_schema", {"type": "object"}, 0.0, 9, 7),
            "1551e837d65349c13e3fe5c3980a29cb4d19fb896802b944d564d9bb00818380",
        ),
        (Request(TWO), "e5dfb34303debba5e8a3b03684d1f7899ddacf740f54d2d98d2138a61a30d40f"),
        (
            Request(TWO, "json_object", SCHEMA, 0.5),
            "e05b0c02ae40356054cf38b2a3978515ae34ae5ac20513e11ba4b97218e890c5",
        ),
        (
            Request((("user", "a"),), "json_schema", SCHEMA, 0, 9, 7),
            "96e06fd2e9b4548c9c069dab079dda6eabcca3a00e4ed212e4573fa048c19cab",
        ),
    ],
)
def test_the_keys_of_what_was_paid_for_stay(asked, key):
    assert request_hash(asked, "acme-words") == key


def test_the_key_of_another_model_stays_too():
    messages = (("system", "s"), ("user", "u"))
    asked = Request(messages, "json_schema", {"type": "object"}, 0.0, 400, 7)

    key = "980b2d9caad3ca7ceb5dd04e2c37d56235144ad7474b0c0ff1a507a13444329f"
    assert request_hash(asked, "m") == key


def test_the_hash_of_plain_messages_stays(stub, tmp_path):
    (reply,) = ask([Request(TWO)], tmp_path)

    key = "4f03eb6954518a99beba1bc125cd8a657c5c91ca71bdc93a730531fe2ce3f29c"
    assert reply.call.prompt_hash == key


def test_the_hash_does_not_tell_0_from_0_point_0():
    whole, broken = request("a", temperature=0), request("a", temperature=0.0)

    assert request_hash(whole, MODEL) == request_hash(broken, MODEL)


def test_a_second_run_sends_nothing_and_gives_the_same(stub, tmp_path):
    first = ask(many(6), tmp_path)
    n_sent = len(stub.requests)

    assert ask(many(6), tmp_path) == first
    assert (n_sent, len(stub.requests)) == (6, 6)


def test_a_replay_needs_no_key_no_endpoint_and_no_client(stub, tmp_path):
    requests = many(3, response_format="auto", schema=SCHEMA)
    first = texts(ask(requests, tmp_path))
    code = f"""
        import socket, sys
        def refuse(*_): raise OSError("no connections here")
        socket.socket.connect = refuse
        from finrag.llm.asking import ask_all
        from tests.unit.test_llm import MODEL, SCHEMA, many
        requests = many(3, response_format="auto", schema=SCHEMA)
        replies = list(ask_all(requests, MODEL, "answer", {str(tmp_path)!r}))
        print([reply.text for reply in replies], "openai" in sys.modules)
    """
    env = {name: value for name, value in os.environ.items() if "FINRAG" not in name}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={name: value for name, value in env.items() if "OPENAI" not in name},
    )
    assert done.stdout.strip() == f"{first} False"
    assert len(stub.requests) == 3


def test_the_answer_s_body_is_kept_byte_for_byte(stub, tmp_path):
    ask(many(1), tmp_path)

    assert [body for (body,) in rows(tmp_path, "body")] == stub.sent


def test_equal_requests_are_one_call_in_one_run_and_across_runs(stub, tmp_path):
    first = ask([*many(2), *many(2)], tmp_path)
    second = ask(many(2), tmp_path)

    assert [r.call.call_id for r in first] == [r.call.call_id for r in [*second, *second]]
    assert len(stub.requests) == 2


def test_another_model_or_setting_is_asked_anew(stub, tmp_path):
    ask(many(1), tmp_path)
    ask(many(1), tmp_path, model="other-words")
    ask(many(1, temperature=0.5), tmp_path)

    assert len(stub.requests) == 3


def test_requests_run_side_by_side_but_bounded(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "3")
    stub.faults, stub.slow_s = {"question": "slow"}, 0.05

    ask(many(12), tmp_path)

    assert 1 < stub.most_at_once <= 3


def test_no_requests_open_nothing(tmp_path):
    assert ask([], tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_whoever_stops_listening_stops_the_asking(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "1")
    replies = ask_all(many(200), MODEL, "answer", str(tmp_path))

    assert len(list(islice(replies, 2))) == 2
    replies.close()

    assert len(stub.requests) < 200
    assert {status for status, _ in rows(tmp_path)} == {"ok"}


def test_two_runs_at_once_pay_for_each_request_once(stub, tmp_path):
    stub.faults = {"question 0": "held"}
    found = {}

    def run(name):
        found[name] = texts(ask(many(5), tmp_path))

    threads = [threading.Thread(target=run, args=[name]) for name in "ab"]
    threads[0].start()
    until(lambda: len(stub.requests) == 1)
    threads[1].start()
    until(lambda: len(list((tmp_path / "cache" / "llm").glob("owner-*"))) == 2)
    stub.release.set()
    for thread in threads:
        thread.join()

    assert found["a"] == found["b"] == [f"QUESTION {i} OF MANY" for i in range(5)]
    assert len(stub.requests) == 5


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["429", "500", "503", "not json", "no text", "broken off"])
def test_a_passing_fault_is_retried_within_one_call(stub, tmp_path, fault):
    stub.script = [fault, fault]

    (reply,) = ask(many(1), tmp_path)

    assert reply.text == "QUESTION 0 OF MANY"
    assert (reply.call.n_attempts, len(stub.requests)) == (3, 3)


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        ("429", 429, "answered 429"),
        ("500", 500, "answered 500"),
        ("401", 401, "check the key"),
        ("404", 404, "check the model name"),
        ("not json", 200, "not a chat completion"),
        ("no text", 200, "not a chat completion"),
        ("broken off", None, "the connection broke off"),
        ("slow", None, "no answer within 0.2 s"),
        ("dripping", None, "no answer within 0.2 s"),
    ],
)
def test_a_lasting_fault_is_recorded_and_asked_again_next_time(
    stub, tmp_path, monkeypatch, fault, status, words
):
    monkeypatch.setenv("FINRAG_LLM_TIMEOUT_S", "0.2")
    monkeypatch.setenv("FINRAG_LLM_RETRIES", "1")
    stub.faults, stub.slow_s = {"question 1": fault}, 0.3

    good, bad = ask(many(2), tmp_path)

    assert good.text == "QUESTION 0 OF MANY"
    assert (bad.text, bad.call.status, bad.call.http_status) == (None, "failed", status)
    assert words in bad.failure
    assert bad.call.n_attempts == asked(stub, "question 1")
    stub.faults = {}
    assert texts(ask(many(2), tmp_path))[1] == "QUESTION 1 OF MANY"


def test_attempts_count_on_from_nonsense_to_a_refusal(stub, tmp_path):
    stub.script = ["not json", "403"]

    (reply,) = ask(many(1), tmp_path)

    assert (reply.call.n_attempts, reply.call.http_status) == (2, 403)


def test_no_server_is_a_failure_of_every_request(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_BASE_URL", closed_port())
    monkeypatch.setenv("FINRAG_LLM_RETRIES", "1")

    replies = ask(many(3), tmp_path)

    assert all("no connection" in reply.failure for reply in replies)
    assert "FINRAG_LLM_BASE_URL" in replies[0].failure


def test_a_redirect_is_not_followed_and_the_key_not_sent_on(tmp_path, monkeypatch):
    with ServiceStub() as elsewhere, ServiceStub() as redirecting:
        redirecting.faults = {"": "307"}
        redirecting.headers = {"Location": f"{elsewhere.url}/v1/chat/completions"}
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", f"{redirecting.url}/v1")
        monkeypatch.setenv("FINRAG_LLM_RETRIES", "0")
        (reply,) = ask(many(1), tmp_path)

    assert (reply.call.status, reply.call.http_status) == ("failed", 307)
    assert len(redirecting.requests) == 1
    assert (elsewhere.requests, elsewhere.tokens) == ([], [])


def test_a_wrong_model_ends_the_asking_at_once(stub, tmp_path):
    stub.models = ["other-words"]

    replies = ask(many(30), tmp_path)

    assert len(stub.requests) == 1
    assert "no such model" in replies[0].failure
    assert replies[29].failure == "not sent: the endpoint answered 404 before"
    assert replies[29].call.n_attempts == 0


def test_an_endpoint_that_gives_nothing_is_left_alone(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "2")
    stub.faults = {"question": "500"}

    replies = ask(many(60), tmp_path)

    assert len(stub.requests) <= (asking.MAX_FAILURES_IN_A_ROW + 1) * 3
    assert {reply.call.status for reply in replies} == {"failed"}
    assert replies[-1].failure.startswith("not sent: 8 requests in a row")
    assert len({reply.call.call_id for reply in replies}) == 60


def test_failures_between_answers_do_not_end_the_asking(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "1")
    stub.script = ["400 too long", "ok"] * 10

    replies = ask(many(20), tmp_path)

    assert [reply.call.status for reply in replies] == ["failed", "ok"] * 10
    assert len(stub.requests) == 20


def one_by_one(stub, folder, monkeypatch, *faults):
    """Asks one question a fault, each once, then two more; how many were sent."""
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "1")
    monkeypatch.setenv("FINRAG_LLM_RETRIES", "0.5")
    stub.script = list(faults)
    ask(many(len(faults) + 2), folder)
    return len(stub.requests)


@pytest.mark.parametrize("fault", ["400 too long", "413", "422", "451"])
def test_what_is_refused_for_its_own_sake_does_not_stop_a_healthy_endpoint(
    stub, tmp_path, monkeypatch, fault
):
    faults = [fault] * (asking.MAX_REFUSALS_IN_A_ROW - 1)

    assert one_by_one(stub, tmp_path, monkeypatch, *faults) == len(faults) + 2


def test_thirty_refusals_in_a_row_stop_it_all_the_same(stub, tmp_path, monkeypatch):
    faults = ["400 too long"] * 30

    assert one_by_one(stub, tmp_path, monkeypatch, *faults) == 30


@pytest.mark.parametrize("fault", ["refused", "cut off"])
def test_thirty_answers_of_no_use_in_a_row_stop_it(stub, tmp_path, monkeypatch, fault):
    monkeypatch.setenv("FINRAG_LLM_PARALLEL", "1")
    stub.faults = {"question": fault}

    replies = ask(many(40), tmp_path)

    assert len(stub.requests) == 30
    assert all(reply.failure for reply in replies)
    assert replies[30].failure == "not sent: 30 answers in a row were not usable"
    assert {reply.call.n_attempts for reply in replies[30:]} == {0}


def test_one_answer_of_use_among_them_goes_on(stub, tmp_path, monkeypatch):
    faults = [*["refused"] * 29, "ok", *["refused"] * 29]

    assert one_by_one(stub, tmp_path, monkeypatch, *faults) == len(faults) + 2


@pytest.mark.parametrize("fault", ["429", "408", "500", "broken off", "not json"])
def test_eight_without_an_answer_stop_it(stub, tmp_path, monkeypatch, fault):
    assert one_by_one(stub, tmp_path, monkeypatch, *[fault] * 8) == 8


def test_a_refusal_shows_that_the_endpoint_answers(stub, tmp_path, monkeypatch):
    faults = [*["500"] * 7, "400 too long", *["500"] * 7]

    assert one_by_one(stub, tmp_path, monkeypatch, *faults) == len(faults) + 2


# --- what was sent stays in the ledger ----------------------------------------------------------


def test_failures_of_earlier_builds_stay_beside_the_answer(stub, tmp_path):
    for fault in ("500", "no text"):
        stub.faults = {"question 1": fault}
        ask(many(2), tmp_path)
    stub.faults = {}

    untroubled, troubled = ask(many(2), tmp_path)

    assert (untroubled.earlier, troubled.call.status) == ((), "ok")
    assert [call.http_status for call in troubled.earlier] == [500, 200]
    assert len({call.call_id for call in (*troubled.earlier, troubled.call)}) == 3
    assert ask(many(2), tmp_path) == [untroubled, troubled]


def test_a_failure_is_not_its_own_forerunner(stub, tmp_path):
    stub.faults = {"question": "500"}

    first, second = (ask(many(1), tmp_path)[0] for _ in range(2))

    assert first.earlier == ()
    assert second.earlier == (first.call,)


def test_what_was_not_sent_has_no_attempt_and_still_its_past(stub, tmp_path):
    stub.faults = {"question 1": "500"}
    ask(many(2), tmp_path)
    stub.models = ["other-words"]

    _, unsent, untried = ask([request("first"), *many(2)[::-1]], tmp_path)[:3]

    assert (unsent.call.n_attempts, [call.http_status for call in unsent.earlier]) == (0, [500])
    assert untried.text == "QUESTION 0 OF MANY"
    assert all(n_attempts > 0 for (n_attempts,) in rows(tmp_path, "n_attempts"))


def test_tokens_of_nonsense_are_added_to_those_of_the_answer(stub, tmp_path):
    stub.script = ["no text", "not json", "ok"]

    (reply,) = ask(many(1), tmp_path)

    assert (reply.call.status, reply.call.n_attempts) == ("ok", 3)
    assert (reply.call.input_tokens, reply.call.output_tokens) == (2, 2)
    assert ask(many(1), tmp_path) == [reply]


@pytest.mark.parametrize(("last", "n_tokens"), [("no text", 3), ("403", 2), ("400 no", 2)])
def test_tokens_of_nonsense_are_kept_where_no_answer_came(stub, tmp_path, last, n_tokens):
    stub.script = ["no text", "no text", last]

    (reply,) = ask(many(1), tmp_path)

    assert (reply.call.status, reply.call.input_tokens) == ("failed", n_tokens)


def test_no_count_is_not_a_count_of_none(stub, tmp_path):
    stub.faults = {"question": "not json"}

    (reply,) = ask(many(1), tmp_path)

    assert (reply.call.status, reply.call.input_tokens) == ("failed", None)


def test_a_refused_format_is_a_call_of_its_own(stub, tmp_path):
    stub.formats = ("json_object", "text")

    replies = ask(many(3, response_format="auto", schema=SCHEMA), tmp_path)

    assert [[call.http_status for call in reply.earlier] for reply in replies] == [[400], [], []]
    assert [reply.call.n_attempts for reply in replies] == [1, 1, 1]


@pytest.mark.parametrize("body", [b"", b"[]", b"[" * 100_000, b'{"usage": 3}', b'{"usage": []}'])
def test_nonsense_that_tells_no_usage(body):
    assert read_usage(body) == (None, None)


@pytest.mark.parametrize(("fault", "words"), [("cut off", "max_output_tokens"), ("refused", "dec")])
def test_an_answer_of_no_use_was_paid_for_and_is_not_asked_again(stub, tmp_path, fault, words):
    stub.script = [fault]

    first, second = ask(many(1), tmp_path), ask(many(1), tmp_path)

    assert first == second
    assert (first[0].text, first[0].call.status) == (None, "ok")
    assert words in first[0].failure
    assert len(stub.requests) == 1


def test_an_answer_that_no_table_could_hold_is_mended(stub, tmp_path):
    stub.reply = lambda messages: "\ud800\0?"

    assert texts(ask([request("\ud800")], tmp_path)) == ["?\ufffd?"]


def test_the_terminal_is_told_once_at_the_end_and_nothing_on_a_replay(stub, tmp_path, capfd):
    stub.faults = {"question 1": "400 too long"}
    replies = ask_all(many(3), MODEL, "answer", str(tmp_path))
    for _ in range(3):
        next(replies)
    lines = capfd.readouterr().err.splitlines()
    stub.faults = {}
    ask(many(3), tmp_path)
    capfd.readouterr()

    assert lines[0] == "answer openai:acme-words: 3 of 3 requests done, 1 failed, 0 known before"
    assert "the first failure: " in lines[1]
    assert "too long" in lines[1]
    ask(many(3), tmp_path)
    assert capfd.readouterr().err == ""


# --- response formats ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("takes", "sent"),
    [
        (("json_schema", "json_object", "text"), "json_schema"),
        (("json_object", "text"), "json_object"),
        (("text",), "text"),
    ],
)
def test_the_best_format_the_endpoint_takes_is_found_out_once(stub, tmp_path, takes, sent):
    stub.formats = takes
    requests = many(9, response_format="auto", schema=SCHEMA)

    first = ask(requests, tmp_path)

    assert texts(first) == [f"QUESTION {i} OF MANY" for i in range(9)]
    assert stub.refused == ("json_schema", "json_object", "text").index(sent)
    assert format_of(stub.requests[-1]) == sent
    n_sent = len(stub.requests)
    assert ask(requests, tmp_path) == first
    assert len(stub.requests) == n_sent


def test_without_a_schema_the_best_is_a_json_object(stub, tmp_path):
    ask(many(1, response_format="auto"), tmp_path)

    assert format_of(stub.requests[0]) == "json_object"


def test_a_format_asked_for_by_name_is_not_changed(stub, tmp_path):
    stub.formats = ("text",)

    (reply,) = ask(many(1, response_format="json_object"), tmp_path)

    assert (reply.call.status, len(stub.requests)) == ("failed", 1)
    assert "json_object is not supported" in reply.failure


def test_found_or_named_the_same_format_is_the_same_call(stub, tmp_path):
    ask(many(2, response_format="auto", schema=SCHEMA), tmp_path)
    ask(many(2, response_format="json_schema", schema=SCHEMA), tmp_path)

    assert len(stub.requests) == 2


def test_a_model_that_wants_the_limit_under_its_new_name_gets_it(stub, tmp_path):
    stub.is_strict = True

    replies = ask(many(5, max_output_tokens=50), tmp_path)

    assert {reply.call.status for reply in replies} == {"ok"}
    assert stub.refused == 1
    assert stub.requests[-1]["max_completion_tokens"] == 50


# --- tools --------------------------------------------------------------------------------------

TOOL = {"type": "function", "function": {"name": "look_up", "parameters": SCHEMA}}
USE = ToolUse("call_0", "look_up", '{"word": "sales"}')
TALK = (
    ("user", "Look it up."),
    CallingMessage((USE,)),
    ToolResult("call_0", "It is 5."),
)


def calling(*calls, **message):
    """The body of a completion that calls tools."""
    listed = [
        {"id": ref, "type": "function", "function": {"name": name, "arguments": arguments}}
        for ref, name, arguments in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": listed} | message
    return json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode()


def test_tools_are_sent_and_their_calls_come_back(stub, tmp_path):
    stub.reply = lambda messages: Said(calls=(("look_up", {"word": "sales"}),))
    (reply,) = ask([request("a", tools=(TOOL,))], tmp_path, stage="agent")

    assert stub.requests[0]["tools"] == [TOOL]
    assert "tool_choice" not in stub.requests[0]
    assert (reply.text, reply.failure, reply.tool_calls) == ("", None, (USE,))
    again = ask([request("a", tools=(TOOL,))], tmp_path, stage="agent")
    assert (again, len(stub.requests)) == ([reply], 1)


def test_a_call_and_its_result_are_sent_as_the_api_has_them(stub, tmp_path):
    stub.reply = lambda messages: "5"
    ask([Request(TALK, tools=(TOOL,))], tmp_path)

    _, made, result = stub.requests[0]["messages"]
    assert made["tool_calls"][0]["function"] == {
        "name": "look_up",
        "arguments": '{"word": "sales"}',
    }
    assert result == {"role": "tool", "tool_call_id": "call_0", "content": "It is 5."}


@pytest.mark.parametrize(
    "change",
    [
        {"tools": (TOOL,)},
        {"tools": (TOOL, TOOL)},
        {"messages": (*TALK[:2], ToolResult("call_0", "It is 6."))},
        {"messages": (TALK[0], CallingMessage((ToolUse("call_0", "look_up", "{}"),)), TALK[2])},
        {"messages": (TALK[0], CallingMessage((USE,), "I look."), TALK[2])},
    ],
)
def test_tools_and_their_calls_are_in_the_hash(change):
    changed = request_hash(Request(**{"messages": TALK} | change), MODEL)

    assert changed != request_hash(Request(TALK), MODEL)


def test_a_call_that_no_endpoint_takes_back_is_quoted():
    made = as_sent(CallingMessage((ToolUse("1", "run sql;", '{"a": '), ToolUse("2", "", "[1]"))))

    functions = [call["function"] for call in made["tool_calls"]]
    assert [one["name"] for one in functions] == ["run_sql_", "_"]
    assert [json.loads(one["arguments"]) for one in functions] == [
        {"not_json": '{"a": '},
        {"not_json": "[1]"},
    ]


@pytest.mark.parametrize("refs", [("", ""), ("a", "a"), (None, "b"), ("x" * 65, "b")])
def test_calls_without_ids_of_their_own_get_some(refs):
    found = read_completion(calling(*((ref, "look_up", "{}") for ref in refs)))

    assert [call.call_ref for call in found.tool_calls] == ["call00000", "call00001"]


@pytest.mark.parametrize(
    ("arguments", "text"), [(None, ""), ({"word": "é"}, '{"word": "é"}'), ("\0", "\ufffd")]
)
def test_arguments_are_text_whatever_a_server_sends(arguments, text):
    assert read_completion(calling(("a", "look_up", arguments))).tool_calls[0].arguments == text


@pytest.mark.parametrize("calls", [{"tool_calls": {}}, {"tool_calls": []}, {"tool_calls": None}])
def test_no_calls_and_no_text_are_nonsense(calls):
    with pytest.raises(ValueError, match="not a chat completion"):
        read_completion(calling(**calls))


@pytest.mark.parametrize("calls", ["look_up", [7], [{}], [{"function": {"name": 7}}]])
def test_calls_that_are_none_are_nonsense(calls):
    with pytest.raises(ValueError, match="not a chat completion"):
        read_completion(calling(content="x", tool_calls=calls))


@pytest.mark.parametrize(("n_calls", "n_read"), [(128, 128), (129, 0)])
def test_calls_beyond_reason_are_of_no_use(n_calls, n_read):
    found = read_completion(calling(*((str(at), "look_up", "{}") for at in range(n_calls))))

    assert (len(found.tool_calls), found.problem is None) == (n_read, n_read > 0)


def test_a_request_with_tools_keeps_the_hash_that_it_was_paid_under():
    changed = request_hash(Request(TALK, tools=(TOOL,)), MODEL)

    assert changed == "e3f90e3f6465aea6865f84cc63ead53481c68a5129fdd414416e288ec897bce9"


def test_calls_cut_off_are_not_run(stub, tmp_path):
    stub.reply = lambda messages: Said(calls=(("look_up", "{"),), fault="cut off")
    (reply,) = ask([request("a", tools=(TOOL,))], tmp_path)

    assert (reply.text, reply.tool_calls) == (None, ())
    assert "cut off" in reply.failure


# --- kills --------------------------------------------------------------------------------------

DIES_BETWEEN_CALLS = """
    finish, count = Store.finish, iter(range(99))
    def dying(self, row):
        finish(self, row)
        if next(count) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    Store.finish = dying
"""
DIES_DURING_THE_WRITE = """
    write, count = store._write, iter(range(99))
    def dying(connection, row, owner):
        write(connection, row, owner)
        if row.status == "ok" and next(count) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    store._write = dying
"""


def child(folder, before=""):
    code = f"""
import os, signal
from finrag.llm import store
from finrag.llm.store import Store
from tests.unit.test_llm import ask, many
{textwrap.dedent(before)}
ask(many(6), {str(folder)!r})
"""
    env = os.environ | {"FINRAG_LLM_PARALLEL": "1"}
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=env)


def until(is_so, seconds=60):
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("moment", "n_interrupted"), [("between", 0), ("under way", 1), ("during the write", 1)]
)
def test_a_killed_run_is_finished_without_asking_again_what_was_answered(
    stub, tmp_path, moment, n_interrupted
):
    undisturbed = texts(ask(many(6), tmp_path / "other"))
    stub.requests.clear()
    if moment == "between":
        killed = child(tmp_path, DIES_BETWEEN_CALLS)
    elif moment == "during the write":
        killed = child(tmp_path, DIES_DURING_THE_WRITE)
    else:
        stub.faults = {"question 2": "held"}
        killed = child(tmp_path)
        until(lambda: asked(stub, "question 2"))
        killed.send_signal(signal.SIGKILL)
    assert killed.wait(60) == -signal.SIGKILL
    stub.faults = {}
    answered = [status for (status,) in rows(tmp_path, "status")].count("ok")

    replies = ask(many(6), tmp_path)

    assert texts(replies) == undisturbed
    assert answered == 3 - n_interrupted
    assert [asked(stub, f"question {i}") for i in range(6)] == ([1, 1, 1 + n_interrupted, 1, 1, 1])
    found = [row for row in rows(tmp_path) if row[1] == INTERRUPTED]
    assert found == [("failed", INTERRUPTED)] * n_interrupted
    assert [len(reply.earlier) for reply in replies] == [0, 0, n_interrupted, 0, 0, 0]
    ids = [call.call_id for reply in replies for call in (*reply.earlier, reply.call)]
    assert len(set(ids)) == 6 + n_interrupted
    assert ask(many(6), tmp_path) == replies


def test_a_request_under_way_elsewhere_is_not_taken_for_interrupted(tmp_path):
    with Store(str(tmp_path)) as one, Store(str(tmp_path)) as two:
        row = one.claim("r1", "p1", MODEL, "answer")

        assert row.status == "under way"
        assert two.claim("r1", "p1", MODEL, "answer") is None
    with Store(str(tmp_path)) as three:
        assert three.claim("r1", "p1", MODEL, "answer").call_key != row.call_key
        assert [found.error for found in three.failed(["r1"])] == [INTERRUPTED]


# --- the store ----------------------------------------------------------------------------------


def damage(path, at, n_bytes):
    content = bytearray(path.read_bytes())
    content[at : at + n_bytes] = b"\xa5" * n_bytes
    path.write_bytes(content)


def test_a_store_that_is_none_is_set_aside_and_the_run_goes_on(stub, tmp_path, caplog):
    folder = tmp_path / "cache" / "llm"
    folder.mkdir(parents=True)
    (folder / store.FILE).write_bytes(b"no database at all " * 500)

    assert texts(ask(many(2), tmp_path)) == ["QUESTION 0 OF MANY", "QUESTION 1 OF MANY"]
    assert "is damaged" in caplog.text
    assert len(list(folder.glob("calls.sqlite.damaged-*"))) == 1
    assert ask(many(2), tmp_path)
    assert len(stub.requests) == 2


def test_a_damaged_page_is_found_when_the_store_is_opened(stub, tmp_path, caplog):
    ask(many(40), tmp_path)
    damage(tmp_path / "cache" / "llm" / store.FILE, 4096, 4096)

    assert len(ask(many(40), tmp_path)) == 40
    assert "is damaged" in caplog.text
    assert len(stub.requests) == 80


def test_a_store_that_breaks_under_a_run_is_set_aside_too(tmp_path, caplog):
    with Store(str(tmp_path)) as opened:
        row = opened.claim("r1", "p1", MODEL, "answer")
        path = tmp_path / "cache" / "llm" / store.FILE
        opened._file._connection.execute("pragma wal_checkpoint(truncate)")
        opened._file._connection.execute("pragma shrink_memory")
        damage(path, 0, path.stat().st_size)

        opened.finish(row)

        assert "is damaged" in caplog.text
        assert rows(tmp_path) == [("under way", None)]


def test_an_answer_whose_bytes_changed_is_asked_again(stub, tmp_path, caplog):
    ask(many(2), tmp_path)
    with sqlite3.connect(tmp_path / "cache" / "llm" / store.FILE) as connection:
        one = "select min(call_key) from calls"
        connection.execute(f"update calls set body = x'78' where call_key = ({one})")

    assert texts(ask(many(2), tmp_path)) == ["QUESTION 0 OF MANY", "QUESTION 1 OF MANY"]
    assert len(stub.requests) == 3
    assert "is damaged" in caplog.text


def test_a_folder_that_cannot_be_used_is_an_error_not_a_loss(stub, tmp_path):
    (tmp_path / "cache").write_text("a file where a folder should be")

    with pytest.raises(ValueError, match=r"calls\.sqlite cannot be used"):
        ask(many(1), tmp_path)
    assert stub.requests == []


# --- the key ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["ok", "401", "429", "500", "not json", "broken off", "slow", "400 echo", "no server"]
)
def test_the_key_is_in_no_file_row_log_line_or_repr(
    stub, tmp_path, monkeypatch, caplog, capfd, fault
):
    monkeypatch.setenv("FINRAG_LLM_TIMEOUT_S", "0.2")
    monkeypatch.setenv("FINRAG_LLM_RETRIES", "1")
    caplog.set_level(logging.DEBUG)
    stub.reply = lambda messages: f"The key is {KEY}."
    if fault == "no server":
        monkeypatch.setenv("FINRAG_LLM_BASE_URL", closed_port())
    stub.faults = {"question": f"400 {KEY}" if fault == "400 echo" else fault}

    replies = ask(many(3), tmp_path)

    shown = capfd.readouterr()
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    seen = [repr(replies), caplog.text, shown.out, shown.err]
    assert len(replies) == 3
    assert not any(KEY in text for text in seen)
    assert not any(KEY.encode() in content for content in files)


def test_of_a_refused_key_not_even_a_part_is_repeated(stub, tmp_path):
    stub.script = [f"401 {KEY[:10]} is no key of ours"]

    (reply,) = ask(many(1), tmp_path)

    assert "check the key" in reply.failure
    assert KEY[:10] not in reply.failure


@pytest.mark.parametrize("key", ["sk-schlüssel-0123456789", "sk-0123\n456789abcdef"])
def test_a_key_that_no_header_can_hold_is_not_shown_either(stub, tmp_path, monkeypatch, key):
    monkeypatch.setenv("FINRAG_LLM_API_KEY", key)

    (reply,) = ask(many(1), tmp_path)

    assert reply.call.status == "failed"
    assert key not in str(reply)
    assert "FINRAG_LLM_API_KEY" in reply.failure or "no connection" in reply.failure


def test_a_placeholder_for_a_key_spoils_no_answer(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_API_KEY", "MANY")

    assert texts(ask(many(1), tmp_path)) == ["QUESTION 0 OF MANY"]


# --- settings -----------------------------------------------------------------------------------

SECRET = "a-secret-of-the-owner"


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://localhost:11434/v1", "localhost:11434"),
        ("https://Models.Example/v1/", "models.example:443"),
        ("http://models.example", "models.example:80"),
        (f"https://user:{SECRET}@models.example/v1", "models.example:443"),
        (f"https://models.example/{SECRET}/v1?key={SECRET}#{SECRET}", "models.example:443"),
        ("http://[::1]:8000/v1", "[::1]:8000"),
        (f"https://{SECRET}/cut@models.example/v1", ""),
        (f"https://user:{SECRET}/cut@models.example/v1", ""),
        (f"https://{SECRET} x/v1", ""),
        ("localhost:11434/v1", ""),
        ("http://models.example:99999/v1", ""),
        ("http://[::1/v1", ""),
    ],
)
def test_of_an_address_only_host_and_port_are_recorded(monkeypatch, address, host):
    monkeypatch.setenv("FINRAG_LLM_BASE_URL", address)

    assert endpoint_host("FINRAG_LLM") == host
    assert read_environment()["llm_endpoint"].to_pylist() == [host or None]


def test_without_address_and_key_there_is_no_endpoint_and_with_a_key_the_public_one(monkeypatch):
    for name in ("FINRAG_LLM_BASE_URL", "FINRAG_LLM_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    unset = endpoint_host("FINRAG_LLM")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    assert (unset, endpoint_host("FINRAG_LLM")) == ("", "api.openai.com:443")


def test_the_environment_is_one_row_under_its_schema():
    found = read_environment()

    assert found.schema.equals(ENVIRONMENT_SCHEMA)
    assert found.num_rows == 1
    assert found.schema.field("llm_endpoint").nullable


def test_the_public_endpoint_needs_a_key_but_only_where_something_is_sent(
    stub, tmp_path, monkeypatch
):
    ask(many(1), tmp_path)
    for name in ("FINRAG_LLM_BASE_URL", "FINRAG_LLM_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    assert texts(ask(many(1), tmp_path)) == ["QUESTION 0 OF MANY"]
    cached, unsent = ask(many(2), tmp_path)
    assert cached.text == "QUESTION 0 OF MANY"
    assert "FINRAG_LLM_API_KEY or OPENAI_API_KEY" in unsent.failure
    assert unsent.call.n_attempts == 0


def test_the_settings_of_openai_are_the_fallback(stub, tmp_path, monkeypatch):
    monkeypatch.delenv("FINRAG_LLM_BASE_URL")
    monkeypatch.delenv("FINRAG_LLM_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-fallback-0123456789")

    ask(many(1), tmp_path)

    assert stub.keys == ["sk-fallback-0123456789"]


@pytest.mark.parametrize(
    ("name", "value"), [("FINRAG_LLM_PARALLEL", "0"), ("FINRAG_LLM_TIMEOUT_S", "soon")]
)
def test_a_setting_that_is_no_number_is_named(monkeypatch, name, value):
    monkeypatch.setenv(name, value)

    with pytest.raises(ValueError, match=f"{name} is '{value}'"):
        check_settings("FINRAG_LLM")


def test_no_retries_at_all_may_be_asked_for(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_LLM_RETRIES", "0")
    check_settings("FINRAG_LLM")
    stub.script = ["500"]

    (reply,) = ask(many(1), tmp_path)

    assert reply.call.n_attempts == 1
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    ("requests", "model", "stage", "message"),
    [
        (many(1), MODEL, "guess", "unknown stage 'guess'"),
        (many(1), " ", "answer", "no model is named"),
        (many(1, response_format="xml"), MODEL, "answer", "unknown response format 'xml'"),
        (many(1, response_format="json_schema"), MODEL, "answer", "needs a schema"),
        ([Request(())], MODEL, "answer", "request 0 has no messages"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_before_anything_is_sent(
    tmp_path, requests, model, stage, message
):
    with pytest.raises(ValueError, match=message):
        ask(requests, tmp_path, model, stage)

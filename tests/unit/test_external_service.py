"""The user's own service: asked once a question, whatever goes wrong on the way."""

import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.services import ask_services, posting, service
from finrag.services.client import ServiceClient
from finrag.services.mapping import read_mapping
from finrag.services.service import service_address
from finrag.services.tokens import token_names
from finrag.sources.predictions import PREDICTION_SCHEMA
from tests.unit.service_stub import ServiceStub

TOKEN = "tarn/hollow-token-0123456789"
S1 = "0000000007_10-K_2021_section_7_1"


@pytest.fixture(autouse=True)
def _settings(monkeypatch):
    monkeypatch.setattr(service, "BACKOFF_S", 0.001)
    for name, value in {"TOKEN": TOKEN, "TIMEOUT_S": "5", "RETRIES": "2", "PARALLEL": "2"}.items():
        monkeypatch.setenv(f"FINRAG_SERVICE_{name}", value)


def systems(url, **more):
    row = {"system_id": "mine", "system_kind": "external_http", "service_url": url, "depth": 20}
    return pa.Table.from_pylist([row | more])


def questions(*texts, **more):
    read = {"is_filings": True, "cik_ints": [7], "years": [2020, 2021]}
    rows = [
        {"item_id": f"p3:Q{n}", "question_text": text, **read, **more}
        for n, text in enumerate(texts, start=1)
    ]
    return pa.Table.from_pylist(rows)


COMPANIES = pa.Table.from_pylist([{"cik_int": 7, "company_name": "Tarn Hollow Rail Co."}])


def ask(stub, folder, *texts, **more):
    given = systems(stub.url, **more)
    table = ask_services(given, questions(*texts), COMPANIES, str(folder)).read_all()
    assert table.schema == PREDICTION_SCHEMA
    return table.to_pylist()


def everything_in(folder):
    """The bytes of every file and every value of every store: SQLite splits long values."""
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    parts = [path.read_bytes() for path in files]
    for path in files:
        if path.suffix == ".sqlite":
            with sqlite3.connect(path) as store:
                parts.append(repr(store.execute("select * from calls").fetchall()).encode())
    return b"".join(parts)


def test_a_question_goes_out_with_its_filters_and_the_token(tmp_path):
    with ServiceStub() as stub:
        ask(stub, tmp_path, "Why a bridge?")

    assert stub.paths == ["POST /query"]
    assert stub.tokens == [TOKEN]
    assert stub.requests == [
        {
            "question": "Why a bridge?",
            "filters": {
                "companies": [{"cik": 7, "name": "Tarn Hollow Rail Co."}],
                "years": [2020, 2021],
            },
            "top_k": 20,
        }
    ]


SEARCH = {
    "service_path": "/v1/search/",
    "service_fields": "question=query, top_k=k, filters=-, sources=result.hits, "
    "sources.sentence_id=chunk.id, version=build.commit",
}


def test_a_service_may_have_a_path_and_names_of_its_own(tmp_path):
    def reply(request):
        hits = [{"chunk": {"id": "s1"}, "score": 0.5}, {"chunk": {"id": "s2"}, "score": 0.25}]
        return {"result": {"hits": hits}, "build": {"commit": "abc123"}, "sources": ["other"]}

    with ServiceStub(reply) as stub:
        (row,) = ask(stub, tmp_path, "Why a bridge?", **SEARCH)

    assert stub.paths == ["POST /v1/search"]
    assert stub.requests == [{"query": "Why a bridge?", "k": 20}]
    assert [(one["passage_id"], one["score"]) for one in row["sources"]] == [
        ("s1", 0.5),
        ("s2", 0.25),
    ]
    assert (row["failure"], row["has_answer"], row["system_version"]) == (None, False, "abc123")


def test_a_service_may_answer_with_a_bare_list(tmp_path):
    with ServiceStub(lambda request: [{"sentence_id": "s1"}]) as stub:
        (row,) = ask(stub, tmp_path, "Why?", service_fields="sources=.")
        (lost,) = ask(stub, tmp_path, "Why not?", service_fields="sources=hits")

    assert [one["passage_id"] for one in row["sources"]] == ["s1"]
    assert "neither answer nor sources" in lost["failure"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("question", "not of the form"),
        ("question=", "not of the form"),
        ("questoin=query", "no field 'questoin'"),
        ("sources.=x", "no field 'sources.'"),
        ("top_k=k, top_k=n", "'top_k' is named twice"),
        ("question=-", "'question' cannot be left out"),
        ("question=q, top_k=q", "sent under one name"),
        ("top_k=filters", "sent under one name"),
    ],
)
def test_a_mapping_that_cannot_be_meant_is_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        read_mapping(fields)


def test_entries_are_mapped_whatever_their_list_is_called():
    mapping = read_mapping("sources.sentence_id=chunk.id")
    read = service.read_answer(b'{"ranking": [{"chunk": {"id": "s1"}}]}', mapping)
    assert [one["passage_id"] for one in read["sources"]] == ["s1"]


@pytest.mark.parametrize("body", [b'{"answer": null}', b'{"answer": " ", "latency_ms": 3}'])
def test_a_blank_answer_of_a_service_is_none(body):
    with pytest.raises(ValueError, match="neither answer nor sources"):
        service.read_answer(body, read_mapping(None))
    assert service.read_answer(b'{"answer": null, "abstained": true}', read_mapping(None))


@pytest.mark.parametrize("path", ["a?b=1", "a#b", "a b"])
def test_a_path_is_a_path(path):
    with pytest.raises(ValueError, match="service_path"):
        service_address("mine", {"service_url": "http://localhost", "service_path": path})


def test_another_version_is_asked_everything_again(tmp_path):
    with ServiceStub() as stub:
        for version in ("none", None, "1", "1", "2"):
            ask(stub, tmp_path, "Why?", system_version=version)

    assert len(stub.requests) == 3


def test_without_readings_the_filters_are_empty(tmp_path):
    row = {"item_id": "p3:Q1", "is_filings": True, "question_text": "Why?"}
    plain = pa.Table.from_pylist([row])
    with ServiceStub() as stub:
        ask_services(systems(stub.url), plain, COMPANIES, str(tmp_path)).read_all()

    assert stub.requests[0]["filters"] == {"companies": [], "years": []}


def test_public_sets_are_asked_where_the_row_says_all_with_their_documents(tmp_path):
    handed = questions("What changed?", is_filings=False, document_id="finqa:a.pdf")
    both = pa.concat_tables([questions("Why a bridge?"), handed], promote_options="default")
    with ServiceStub() as stub:
        for sets in ("p3", "all"):
            given = systems(stub.url, answer_sets=sets)
            ask_services(given, both, COMPANIES, str(tmp_path)).read_all()

    assert [one["question"] for one in stub.requests] == ["Why a bridge?", "What changed?"]
    assert "documents" not in stub.requests[0]["filters"]
    assert stub.requests[1]["filters"]["documents"] == ["finqa:a.pdf"]


def test_a_service_for_public_sets_is_asked_these_alone_and_one_that_ranks_the_filings(tmp_path):
    handed = questions("What changed?", is_filings=False)
    both = pa.concat_tables([questions("Why a bridge?"), handed], promote_options="default")
    with ServiceStub() as stub:
        for sets in ("public", "none"):
            given = systems(stub.url, answer_sets=sets)
            ask_services(given, both, COMPANIES, str(tmp_path / sets)).read_all()

    assert [one["question"] for one in stub.requests] == ["What changed?", "Why a bridge?"]


def test_an_answer_comes_in_the_columns_of_a_file(tmp_path):
    def reply(request):
        return {
            "id": "an id of its own",
            "question": "another question",
            "answer": "For freight.",
            "citations": [S1],
            "sources": [{"id": S1, "score": 0.5}],
            "candidates": {"table": ["t4"]},
            "timings": {"retrieve": 3},
            "steps": [{"tool_name": "keyword_search", "result_ids": ["c1"]}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 2},
            # What a service says of its own time does not count.
            "latency_ms": 86_400_000,
        }

    with ServiceStub(reply) as stub:
        (row,) = ask(stub, tmp_path, "Why a bridge?")

    assert (row["system_id"], row["item_key"], row["source_line"]) == ("mine", "p3:Q1", 1)
    assert row["source_file"] == f"{stub.url}/query"
    assert (row["answer_text"], row["question_text"]) == ("For freight.", None)
    (source,) = row["sources"]
    assert (source["place"], source["passage_id"], source["score"]) == (0, S1, 0.5)
    assert row["candidates"][0]["space"] == "table"
    assert (row["stages"][0]["latency_ms"], row["input_tokens"]) == (3.0, 9)
    assert [step["tool_name"] for step in row["steps"]] == ["keyword_search", "answer"]
    assert 0 < row["latency_ms"] < 86_400_000


def test_what_was_answered_is_not_asked_again(tmp_path):
    with ServiceStub() as stub:
        first = ask(stub, tmp_path, "Why?", "When?")
        again = ask(
            stub,
            tmp_path,
            "Why?",
            "When?",
        )

    assert stub.questions() == ["When?", "Why?"]
    assert again == first


def test_no_service_is_needed_where_all_is_known(tmp_path):
    with ServiceStub() as stub:
        first = ask(stub, tmp_path, "Why?")
    assert ask(stub, tmp_path, "Why?") == first


@pytest.mark.parametrize("change", [{"system_id": "other"}, {"depth": 5}])
def test_another_system_or_setting_is_asked_anew(tmp_path, change):
    with ServiceStub() as stub:
        ask(stub, tmp_path, "Why?")
        ask(stub, tmp_path, "Why?", **change)

    assert len(stub.requests) == 2


@pytest.mark.parametrize("fault", ["429", "500", "503", "not json", "cut", "list"])
def test_a_passing_fault_costs_one_more_request(tmp_path, fault):
    with ServiceStub() as stub:
        stub.script = [fault]
        (row,) = ask(stub, tmp_path, "Why?")

    assert (row["failure"], len(stub.requests)) == (None, 2)


@pytest.mark.parametrize(
    ("fault", "said", "n_sent"),
    [
        ("429", "answered 429", 3),
        ("500", "answered 500", 3),
        ("not json", "cannot be understood", 3),
        ("list", "a JSON list", 3),
        ("cut", "no answer from the service", 3),
        ("400", "answered 400", 1),
    ],
)
def test_a_lasting_fault_fails_its_question_alone(tmp_path, fault, said, n_sent):
    with ServiceStub() as stub:
        stub.faults = {"Why": fault}
        bad, good = ask(stub, tmp_path, "Why?", "When?")

    assert said in bad["failure"]
    assert (bad["has_answer"], good["answer_text"]) == (True, "About When?")
    assert stub.questions().count("Why?") == n_sent


def test_a_failed_question_is_asked_again_by_the_next_run(tmp_path):
    with ServiceStub() as stub:
        stub.faults = {"Why": "400"}
        ask(stub, tmp_path, "Why?", "When?")
        stub.faults = {}
        rows = ask(stub, tmp_path, "Why?", "When?")

    assert [row["failure"] for row in rows] == [None, None]
    assert stub.questions() == ["When?", "Why?", "Why?"]


@pytest.mark.parametrize("fault", ["slow", "trickle"])
def test_an_answer_that_does_not_come_in_time_fails(tmp_path, monkeypatch, fault):
    monkeypatch.setenv("FINRAG_SERVICE_TIMEOUT_S", "0.2")
    monkeypatch.setenv("FINRAG_SERVICE_RETRIES", "1")
    with ServiceStub() as stub:
        stub.faults = {"Why": fault}
        start = time.monotonic()
        (row,) = ask(stub, tmp_path, "Why?")

    assert row["failure"] == "no answer within 0.2 s"
    assert time.monotonic() - start < 3


def test_no_server_is_a_failure(tmp_path):
    with ServiceStub() as stub:
        pass
    (row,) = ask(stub, tmp_path, "Why?")
    assert "no answer from the service (ConnectionRefusedError)" in row["failure"]


def test_a_service_that_refuses_the_token_is_asked_no_more(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_PARALLEL", "1")
    with ServiceStub() as stub:
        stub.faults = {"": "401"}
        rows = ask(stub, tmp_path, *(f"Why {n}?" for n in range(5)))

    assert len(stub.requests) == 1
    assert rows[0]["failure"] == "the service answered 401; check FINRAG_SERVICE_TOKEN"
    assert {row["failure"] for row in rows[1:]} == {"not sent: the service answered 401 before"}


def test_a_service_that_always_fails_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_PARALLEL", "1")
    with ServiceStub() as stub:
        stub.faults = {"": "400"}
        rows = ask(stub, tmp_path, *(f"Why {n}?" for n in range(20)))

    assert len(stub.requests) == service.MAX_FAILURES_IN_A_ROW
    assert all(row["failure"] for row in rows)


def test_a_service_that_fails_now_and_then_is_asked_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_PARALLEL", "1")
    with ServiceStub() as stub:
        stub.faults = {"odd": "400"}
        texts = [f"Why {n}, which is {'odd' if n % 2 else 'even'}?" for n in range(20)]
        rows = ask(stub, tmp_path, *texts)

    assert len(stub.requests) == 20
    assert sum(row["failure"] is None for row in rows) == 10


def test_an_answer_that_says_nothing_makes_no_sense(tmp_path):
    with ServiceStub(lambda request: {"timings": {"retrieve": 3}}) as stub:
        (row,) = ask(stub, tmp_path, "Why?")

    assert "neither answer nor sources" in row["failure"]


def test_a_service_that_only_retrieves_is_no_failure(tmp_path):
    with ServiceStub(lambda request: {"sources": []}) as stub:
        (row,) = ask(stub, tmp_path, "Why?")

    assert (row["failure"], row["has_answer"], row["sources"]) == (None, False, [])


def test_a_redirect_is_not_followed(tmp_path):
    with ServiceStub() as elsewhere, ServiceStub() as stub:
        stub.faults = {"": "302"}
        stub.headers = {"Location": f"{elsewhere.url}/query"}
        (row,) = ask(stub, tmp_path, "Why?")

    assert "answered 302" in row["failure"]
    assert elsewhere.requests == []


def test_the_wait_that_a_service_asks_for_is_kept(tmp_path):
    with ServiceStub() as stub:
        stub.script = ["429"]
        stub.headers = {"Retry-After": "1"}
        start = time.monotonic()
        ask(stub, tmp_path, "Why?")

    assert time.monotonic() - start >= 1


def test_no_more_questions_at_once_than_allowed(tmp_path):
    def reply(request):
        time.sleep(0.02)
        return {"answer": "Yes"}

    with ServiceStub(reply) as stub:
        ask(stub, tmp_path, *(f"Why {n}?" for n in range(12)))

    assert stub.most_at_once == 2


@pytest.mark.parametrize("name", ["FINRAG_SERVICE_TOKEN", "FINRAG_SERVICE_TOKEN_MINE"])
@pytest.mark.parametrize("fault", ["ok", "slashes", "500", "400", "401"])
def test_the_token_stays_out_of_everything(tmp_path, monkeypatch, capfd, caplog, fault, name):
    caplog.set_level(logging.DEBUG)
    monkeypatch.delenv("FINRAG_SERVICE_TOKEN")
    monkeypatch.setenv(name, TOKEN)
    with ServiceStub(lambda request: {"answer": f"I was sent {TOKEN}"}) as stub:
        stub.faults = {"": fault}
        rows = ask(stub, tmp_path, "Why?", "When?")

    written = repr(rows).encode() + everything_in(tmp_path)
    written += "".join([caplog.text, *capfd.readouterr()]).encode()
    assert stub.tokens[0] == TOKEN
    assert b"Why?" not in written  # nor is the question; the store knows it by its hash
    for form in (TOKEN, TOKEN.replace("/", "\\/"), TOKEN.split("/")[1]):
        assert form.encode() not in written


def test_a_system_is_sent_its_own_token_before_the_shared_one(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN_MINE", "a-token-of-mine")
    with ServiceStub() as stub:
        ask(stub, tmp_path, "Why?")
        ask(stub, tmp_path, "Why?", system_id="yours")

    assert stub.tokens == ["a-token-of-mine", TOKEN]


def test_an_own_token_set_to_nothing_sends_none(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN_MINE", "")
    with ServiceStub() as stub:
        ask(stub, tmp_path, "Why?")

    assert stub.tokens == [""]


def test_a_service_that_is_sent_no_token_and_wants_one_says_which(tmp_path, monkeypatch):
    monkeypatch.delenv("FINRAG_SERVICE_TOKEN")
    with ServiceStub() as stub:
        stub.faults = {"": "401"}
        (row,) = ask(stub, tmp_path, "Why?")

    assert row["failure"] == "the service answered 401; check FINRAG_SERVICE_TOKEN_MINE"


def test_services_of_one_host_share_a_token():
    addresses = {"a": "https://one.example:1", "b": "https://ONE.example./v2"}
    assert token_names(addresses) == dict.fromkeys("ab", "FINRAG_SERVICE_TOKEN")


def test_the_shared_token_goes_to_one_host_only():
    addresses = {"a": "https://one.example", "b": "https://two.example"}
    with pytest.raises(ValueError, match=r"system a: .* one host.* set FINRAG_SERVICE_TOKEN_A "):
        token_names(addresses)


def test_services_of_several_hosts_have_tokens_of_their_own(monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN_A", "a-token-of-mine")
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN_B", "")
    addresses = {"a": "https://one.example", "b": "http://two.example"}

    assert token_names(addresses) == {
        "a": "FINRAG_SERVICE_TOKEN_A",
        "b": "FINRAG_SERVICE_TOKEN_B",
    }


@pytest.mark.parametrize("name", ["FINRAG_SERVICE_TOKEN", "FINRAG_SERVICE_TOKEN_MINE"])
@pytest.mark.parametrize("host", ["inner.example", "10.0.0.5", "localhost.example", "127.1"])
def test_no_token_crosses_a_network_in_plain_http(tmp_path, monkeypatch, name, host):
    monkeypatch.setenv(name, TOKEN)
    with pytest.raises(
        ValueError, match=f"system mine: {name} would be sent over plain http"
    ) as caught:
        ask_services(systems(f"http://{host}:8080"), questions("Why?"), COMPANIES, str(tmp_path))

    assert TOKEN not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "127.8.8.8", "[::1]"])
def test_plain_http_will_do_on_this_machine(host):
    names = token_names({"a": f"http://{host}:8080", "b": "http://127.0.0.1:1"})
    assert names == dict.fromkeys("ab", "FINRAG_SERVICE_TOKEN")


def test_plain_http_will_do_without_a_token(monkeypatch):
    monkeypatch.delenv("FINRAG_SERVICE_TOKEN")
    names = token_names({"a": "http://one.example", "b": "http://two.example"})
    assert names == {"a": "FINRAG_SERVICE_TOKEN_A", "b": "FINRAG_SERVICE_TOKEN_B"}


def test_what_stays_on_this_machine_goes_through_no_proxy(tmp_path, monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with ServiceStub() as proxy, ServiceStub() as stub:
        monkeypatch.setenv("http_proxy", proxy.url)
        ask(stub, tmp_path, "Why?")

    assert (proxy.tokens, stub.tokens) == ([], [TOKEN])


def test_what_crosses_a_network_takes_the_proxy(monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with ServiceStub() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        client = ServiceClient("http://one.example/query", "FINRAG_SERVICE", "NO_TOKEN", 0.001)
        client.post(b'{"question": "Why?"}', lambda body: None)

    assert proxy.paths == ["POST http://one.example/query"]


def test_an_answer_without_end_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(posting, "MAX_BODY_BYTES", 1_000)
    with ServiceStub(lambda request: {"answer": "very " * 1_000}) as stub:
        (row,) = ask(stub, tmp_path, "Why?")

    assert row["failure"] == "the answer is longer than 1,000 bytes"
    assert len(stub.requests) == 1


def test_a_token_that_no_header_may_hold_is_not_repeated(monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN", "tarn\nhollow")
    with pytest.raises(ValueError, match="FINRAG_SERVICE_TOKEN has characters") as caught:
        ServiceClient("http://localhost", "FINRAG_SERVICE", "FINRAG_SERVICE_TOKEN", 0.001)
    assert "hollow" not in str(caught.value)


def test_an_address_with_a_secret_is_refused_without_repeating_it(tmp_path):
    for url in ("http://me:secret@host", "http://host?key=secret", "http://host/#secret"):
        with pytest.raises(ValueError, match="FINRAG_SERVICE_TOKEN") as caught:
            ask_services(systems(url), questions("Why?"), COMPANIES, str(tmp_path))
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", [None, "", "host:80", "file:///etc/hosts", "ftp://host", "http://"])
def test_an_address_must_be_one(tmp_path, url):
    with pytest.raises(ValueError, match="system mine: service_url"):
        ask_services(systems(url), questions("Why?"), COMPANIES, str(tmp_path))


def test_systems_of_another_kind_are_not_asked(tmp_path):
    with ServiceStub() as stub:
        assert ask(stub, tmp_path, "Why?", system_kind="dense") == []
    assert (stub.requests, list(tmp_path.iterdir())) == ([], [])


CHILD = """
import sys
import pyarrow as pa
from tests.unit.test_external_service import COMPANIES, questions, systems
from finrag.services import ask_services
texts = [f"Why {n}?" for n in range(8)]
ask_services(systems(sys.argv[1]), questions(*texts), COMPANIES, sys.argv[2]).read_all()
"""


def test_after_a_kill_only_what_was_under_way_is_asked_again(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_PARALLEL", "1")

    def reply(request):
        time.sleep(0.05)
        return {"answer": "Yes"}

    with ServiceStub(reply) as stub:
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, stub.url, str(tmp_path)],
            cwd=Path(__file__).parents[2],
            env=os.environ.copy(),
        )
        while len(stub.requests) < 4 and child.poll() is None:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        n_before = len(stub.requests)
        rows = ask(stub, tmp_path, *(f"Why {n}?" for n in range(8)))

    assert n_before < 8
    assert [row["answer_text"] for row in rows] == ["Yes"] * 8
    assert 8 <= len(stub.requests) <= 9
    assert len(set(stub.questions())) == 8


def test_a_token_that_is_a_mere_word_spoils_no_answer(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_SERVICE_TOKEN", "none")
    with ServiceStub(lambda request: {"answer": "There is none."}) as stub:
        (row,) = ask(stub, tmp_path, "Why?")

    assert row["answer_text"] == "There is none."


def test_a_mistake_of_our_own_ends_the_run_and_leaves_no_question_hanging(tmp_path, monkeypatch):
    def mistaken(*_):
        raise KeyError("a mistake")

    with ServiceStub() as stub:
        with monkeypatch.context() as patch:
            patch.setattr(service, "read_answer", mistaken)
            with pytest.raises(KeyError):
                # The same question twice: one waits for the other's claim.
                ask(stub, tmp_path, "Why?", "Why?")
        rows = ask(stub, tmp_path, "Why?", "Why?")

    assert [row["answer_text"] for row in rows] == ["About Why?"] * 2

"""Alerts: a change is reported once, in the file and to the webhook, whose address stays secret."""

import contextlib
import http.server
import json
import logging
import threading

import pytest

from finrag.command.cli import main
from finrag.publishing.alerts import write_alerts
from finrag.publishing.alerts.webhook import ADDRESS, post_alerts
from tests.unit.reported_run import FAILED, add_records, gate, write_run

SECRET = "s3cr3t-p4th"
PASS, FAIL = ("pass", None), ("fail", "fail")


@pytest.fixture(autouse=True)
def no_webhook(monkeypatch):
    for name in (ADDRESS, f"{ADDRESS}_TIMEOUT_S"):
        monkeypatch.delenv(name, raising=False)


def alerted(tmp_path, *gates, before=None):
    """Lines reported of these gates, with the states of the record before."""
    database = write_run(tmp_path / "finrag.duckdb", *gates)
    if before is not None:
        add_records(database, ("old", 1, before, 0.5), ("new", 2, {}, 0.5))
    write_alerts(database, tmp_path, backoff_s=0)
    return lines(tmp_path)


def lines(tmp_path):
    path = tmp_path / "alerts" / "alerts.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def changes(tmp_path, *gates, before):
    return [
        (row["gate"], row["from"], row["to"]) for row in alerted(tmp_path, *gates, before=before)
    ]


def test_the_first_run_tells_what_is_broken_and_nothing_else(tmp_path):
    reported = alerted(
        tmp_path, gate("hits", **FAILED), gate("fine"), gate("few", verdict="too_few")
    )

    assert [(row["gate"], row["from"], row["to"]) for row in reported] == [("hits", None, "fail")]


def test_a_gate_that_breaks_is_reported(tmp_path):
    before = {"hits": PASS}
    assert changes(tmp_path, gate("hits", **FAILED), before=before) == [("hits", "pass", "fail")]


def test_a_gate_that_is_mended_is_reported(tmp_path):
    assert changes(tmp_path, gate("hits"), before={"hits": FAIL}) == [("hits", "fail", "pass")]


def test_an_unchanged_gate_is_not_told_broken_or_not(tmp_path):
    gates = [gate("hits", **FAILED), gate("fine")]
    assert changes(tmp_path, *gates, before={"hits": FAIL, "fine": PASS}) == []


def test_a_pass_that_a_null_shares_is_a_change(tmp_path):
    by_chance = gate("hits", breach="passed_by_null")
    reported = changes(tmp_path, by_chance, before={"hits": PASS})
    assert reported == [("hits", "pass", "passed_by_null")]


def test_a_gate_that_is_no_longer_exists_is_reported(tmp_path):
    reported = changes(tmp_path, gate("fine"), before={"fine": PASS, "gone": FAIL})
    assert reported == [("gone", "fail", "removed")]


def test_the_record_before_is_the_last_one_with_verdicts(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", gate("hits"))
    add_records(
        database,
        ("failed", 1, {"hits": FAIL}, 0.5),
        ("metrics_only", 2, {}, 0.5),
        ("new", 3, {"hits": PASS}, 0.5),
    )

    write_alerts(database, tmp_path)

    assert [(row["compared_with"], row["from"]) for row in lines(tmp_path)] == [("failed", "fail")]


def test_a_gate_that_changed_over_another_suite_is_told_with_that(tmp_path, monkeypatch):
    database = write_run(tmp_path / "finrag.duckdb", gate("hits", **FAILED))
    records = ("old", 1, {"hits": PASS}, 0.5), ("new", 2, {}, 0.5)
    add_records(database, *records, corpus_hash="c1", questions_hash=None)

    with webhook(200) as (address, seen):
        monkeypatch.setenv(ADDRESS, address)
        write_alerts(database, tmp_path)

    (line,) = lines(tmp_path)
    assert (line["from"], line["to"]) == ("pass", "fail")
    assert line["inputs_changed"] == ["another corpus", "another suite of questions"]
    assert seen[0][1]["text"].endswith(
        "The previous record is of another corpus and another suite of questions."
    )


def test_the_same_corpus_and_suite_are_not_mentioned(tmp_path):
    (line,) = alerted(tmp_path, gate("hits", **FAILED), before={"hits": PASS})
    assert line["inputs_changed"] == []


def test_a_line_tells_figures_and_the_failing_example(tmp_path):
    (line,) = alerted(tmp_path, gate("hits", **FAILED))

    figures = ("value", "limit", "direction", "severity", "n", "is_broken", "webhook")
    assert [line[name] for name in figures] == [0.5, 0.8, "min", "error", 7, True, "not set"]
    (example,) = line["examples"]
    assert (example["question"], example["gold"], example["answer"]) == (
        "How many mines has Ore Ltd?",
        "three",
        "eight",
    )
    assert example["cited"]["sentence_text"] == "Ore Ltd owns eight barges."


def test_a_build_is_told_once(tmp_path):
    alerted(tmp_path, gate("hits", **FAILED))
    again = alerted(tmp_path, gate("hits", **FAILED))

    assert len(again) == 1


def test_a_line_cut_short_by_a_crash_spoils_no_other(tmp_path):
    alerted(tmp_path, gate("hits", **FAILED))
    path = tmp_path / "alerts" / "alerts.jsonl"
    path.write_bytes(path.read_bytes()[:-20])

    alerted_again = write_alerts(tmp_path / "finrag.duckdb", tmp_path)

    assert [row["gate"] for row in alerted_again.lines] == ["hits"]
    assert json.loads(path.read_text().splitlines()[1])["gate"] == "hits"


def test_a_value_that_is_not_a_number_is_reported(tmp_path):
    (line,) = alerted(tmp_path, gate("hits", **{**FAILED, "value": float("nan")}))
    assert line["value"] == "nan"


@contextlib.contextmanager
def webhook(*statuses, location=None):
    """A server on the loopback that answers with these statuses, the last one again and again."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.append((self.path, json.loads(body)))
            self.send_response(statuses[min(len(seen), len(statuses)) - 1])
            if location:
                self.send_header("Location", location)
            said = f"I do not know {self.path}".encode()
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{SECRET}", seen
    finally:
        server.shutdown()
        server.server_close()


def test_the_webhook_gets_all_changes_at_once(tmp_path, monkeypatch):
    with webhook(200) as (address, seen):
        monkeypatch.setenv(ADDRESS, address)
        reported = alerted(tmp_path, gate("hits", **FAILED), gate("misses", **FAILED))

    ((_, message),) = seen
    assert [row["gate"] for row in message["alerts"]] == ["hits", "misses"]
    assert message["text"].startswith("finrag, corpus sample: 2 gates changed. hits: new → fail")
    assert {row["webhook"] for row in reported} == {"sent"}


def test_nothing_is_posted_where_nothing_changed(tmp_path, monkeypatch):
    with webhook(200) as (address, seen):
        monkeypatch.setenv(ADDRESS, address)
        alerted(tmp_path, gate("hits"))

    assert seen == []


def test_a_webhook_that_stumbles_is_asked_again(monkeypatch):
    with webhook(500, 429, 200) as (address, seen):
        monkeypatch.setenv(ADDRESS, address)
        assert post_alerts({}, backoff_s=0) == "sent"

    assert len(seen) == 3


@pytest.mark.parametrize(("status", "n_tries"), [(500, 3), (404, 1)])
def test_a_webhook_that_fails_is_given_up(monkeypatch, status, n_tries):
    with webhook(status) as (address, seen):
        monkeypatch.setenv(ADDRESS, address)
        assert post_alerts({}, backoff_s=0) == f"failed: the webhook answered {status}"

    assert len(seen) == n_tries


def test_a_redirect_is_not_followed(monkeypatch):
    with webhook(200) as (elsewhere, seen), webhook(302, location=elsewhere) as (address, _):
        monkeypatch.setenv(ADDRESS, address)
        said = post_alerts({}, backoff_s=0)

    assert said == "failed: the webhook answered 302, and redirects are not followed"
    assert seen == []


def test_a_webhook_that_says_nothing_is_not_waited_for(monkeypatch):
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    with server:
        monkeypatch.setenv(ADDRESS, f"http://127.0.0.1:{server.server_port}/{SECRET}")
        monkeypatch.setenv(f"{ADDRESS}_TIMEOUT_S", "0.05")
        said = post_alerts({}, backoff_s=0)

    assert said == "failed: the webhook did not answer within 0.05 s"


@pytest.mark.parametrize(
    "address",
    [
        f"ftp://host/{SECRET}",
        f"file:///{SECRET}",
        f"http:///{SECRET}",
        f"http://[::1/{SECRET}",
        f"https://host/{SECRET}\r\nX:y",
        f"https://user:{SECRET}@host/",
        SECRET,
    ],
)
def test_an_address_of_another_kind_is_refused_without_telling_it(monkeypatch, address):
    monkeypatch.setenv(ADDRESS, address)
    said = post_alerts({}, backoff_s=0)

    assert said.startswith(f"failed: {ADDRESS} ")
    assert SECRET not in said


def test_a_failing_webhook_fails_no_build_and_its_address_is_told_nowhere(
    tmp_path, monkeypatch, capsys
):
    database = write_run(tmp_path / "finrag.duckdb", gate("hits", **FAILED))
    with webhook(404) as (address, _):
        monkeypatch.setenv(ADDRESS, address)
        state = f"{{state_dir: {tmp_path}}}"
        assert main(["alert", "--database", str(database), "--vars", state]) == 0

    (line,) = lines(tmp_path)
    said = capsys.readouterr()
    assert line["webhook"] == "failed: the webhook answered 404"
    assert "not delivered" in said.err
    assert SECRET not in said.out + said.err + json.dumps(line)


@pytest.mark.parametrize("status", [200, 302, 404])
def test_no_log_holds_the_address(monkeypatch, caplog, status):
    caplog.set_level(logging.DEBUG)
    with webhook(status) as (address, _):
        monkeypatch.setenv(ADDRESS, address)
        post_alerts({}, backoff_s=0)

    assert SECRET not in caplog.text


def test_an_unfinished_build_is_not_reported(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", without=["reports.rpt_gate_examples"])

    with pytest.raises(ValueError, match="no finished build"):
        write_alerts(database, tmp_path)


def test_gates_of_an_earlier_build_are_not_told_as_those_of_this_one(tmp_path):
    database = write_run(tmp_path / "finrag.duckdb", gate("hits", **FAILED))

    with pytest.raises(ValueError, match="of an earlier build"):
        write_alerts(database, tmp_path, tmp_path / "run_results.json")

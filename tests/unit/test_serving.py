"""`finrag serve` over HTTP: runs, the queue, and what a kill leaves."""

import base64
import datetime
import hashlib
import hmac
import json
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest

from finrag.command.cli import main
from finrag.command.serving import commands
from finrag.command.serving.queue import Queue
from finrag.command.serving.settings import Request, Schedule, Settings
from finrag.command.serving.store import ENDED, shown
from tests.unit.serving import Server, is_alive, wait_for, write_folder

TOKEN = "a-token-of-the-test-0123456789"
SECRET = "a-secret-of-the-test"


@pytest.fixture
def started(tmp_path):
    """Starts servers in one folder, and ends them after the test."""
    folder = write_folder(tmp_path / "served")
    servers = []

    def start(**environment):
        servers.append(Server(folder, **environment))
        return servers[-1].start()

    yield start
    for server in servers:
        server.go()
        if server.process.poll() is None:
            server.kill()
    for path in folder.glob(".finrag/serve/runs/*/run.json"):
        pid = json.loads(path.read_text())["pid"]
        wait_for(lambda pid=pid: not (pid and is_alive(pid)))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for tests that start no run that waits."""
    server = Server(write_folder(tmp_path_factory.mktemp("serving") / "served")).start()
    server.go()
    yield server
    server.stop()


@pytest.fixture
def no_serving(monkeypatch):
    """A server that starts where it should not does not serve for ever."""
    monkeypatch.setattr(commands, "serve", lambda *_: None)


# --- runs -----------------------------------------------------------------------------------------


def test_a_run_from_the_request_to_its_report(server):
    run_id = server.ask(where="category = 'A'", limit=3)
    run = server.until(run_id, "finished")
    assert run["exit_code"] == 1
    assert run["verdict"] == "do_not_release"
    assert (run["where"], run["limit"], run["attempts"]) == ("category = 'A'", 3, 1)
    assert run["gates"] == [{"gate": "right", "state": "fail", "value": 0.4, "limit": 0.7, "n": 5}]
    assert run["progress"] == "5 of 5 questions asked"
    assert run["webhook"] == "not set"

    report = server.get(f"/eval/runs/{run_id}/report")
    assert report.json()["items"]["p3:q1"]["answer"] == "5"
    assert report.json()["run"]["run_id"] == run_id
    accepted = {"Accept": "text/markdown"}
    markdown = server.get(f"/eval/runs/{run_id}/report", headers=accepted)
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert "# Do not release mine &#124; it is &lt;b&gt;worse" in markdown.text
    assert "- **fail**: right: 0.4, limit 0.7 (right)" in markdown.text
    assert "## Not answered right: 1 of 2" in markdown.text
    assert "<script" not in markdown.text
    assert r"\[x\](http&#58;//evil)" in markdown.text
    asked = server.get(f"/eval/runs/{run_id}/report?format=markdown", headers={"Accept": "*/*"})
    assert asked.text == markdown.text
    assert run_id in [one["run_id"] for one in server.get("/eval/runs").json()["runs"]]
    assert "<b>worse" not in server.get("/").text


def test_an_evaluation_that_could_not_run_says_why(server):
    run = server.until(server.ask("fake:fails"), "failed")
    assert (run["exit_code"], run["message"]) == (2, "no question of p3 meets")
    assert run["verdict"] is None
    answer = server.get(f"/eval/runs/{run['run_id']}/report")
    assert (answer.status_code, answer.json()["error"][:18]) == (409, "this run is failed")


def test_runs_start_in_the_order_of_their_requests_and_one_at_a_time(started):
    server = started()
    first, second, third = (server.ask() for _ in range(3))
    server.paused(first)
    assert server.run(first)["state"] == "running"
    assert [server.run(one)["state"] for one in (second, third)] == ["queued", "queued"]
    assert [one["run_id"] for one in server.get("/eval/runs?state=queued").json()["runs"]] == [
        third,
        second,
    ]
    server.go()
    server.until(third, "finished")
    assert server.lines("order.log") == [
        f"{word} {one}" for one in (first, second, third) for word in ("start", "end")
    ]


def test_a_run_is_cancelled_while_it_waits_and_while_it_runs(started):
    server = started()
    first, second = server.ask(), server.ask()
    pid = server.paused(first)
    assert server.post(f"/eval/runs/{second}/cancel").json()["state"] == "cancelled"
    assert server.post(f"/eval/runs/{first}/cancel").status_code == 202
    server.until(first, "cancelled")
    assert not is_alive(pid)
    assert server.lines("order.log") == [f"start {first}"]
    answer = server.post(f"/eval/runs/{first}/cancel")
    assert (answer.status_code, answer.json()["error"]) == (409, "this run is already cancelled")
    third = server.ask()
    server.go()
    server.until(third, "finished")


def settings(folder):
    return Settings(
        database=Path("none.duckdb"),
        state_dir=folder,
        command=lambda run, record: [
            sys.executable,
            "-c",
            f"open({str(record)!r} + '_started', 'w')",
        ],
        poll_s=0.01,
    )


@pytest.mark.parametrize("is_building", [True, False])
def test_a_run_cancelled_just_before_it_starts_stays_cancelled(tmp_path, monkeypatch, is_building):
    queue = Queue(settings(tmp_path))
    run = queue.add(Request("mine"))

    def build_seen(_):
        if queue.get(run.run_id).state == "queued":
            queue.cancel(run.run_id)
        return is_building

    monkeypatch.setattr("finrag.command.serving.queue._is_building", build_seen)
    queue.start()
    wait_for(lambda: queue.get(run.run_id).state == "cancelled")
    time.sleep(0.1)
    queue.stop()
    assert queue.get(run.run_id).state == "cancelled"
    assert list(tmp_path.rglob("*_started")) == []


def test_a_cancelled_run_is_cancelled_after_a_kill_of_the_server(tmp_path):
    killed = Queue(settings(tmp_path))
    run = killed.add(Request("mine"))
    # As an earlier version left it, and its evaluation goes on.
    path = killed.store.folder(run.run_id) / "run.json"
    stored = {**json.loads(path.read_text()), "state": "running"}
    stored.pop("is_cancelled", None)
    path.write_text(json.dumps(stored))
    os.close(killed._server_lock)
    killed = Queue(settings(tmp_path))
    assert killed.cancel(run.run_id).state == "running"
    path.with_name("record.json").write_text(json.dumps({"status": 0}))
    os.close(killed._server_lock)

    queue = Queue(settings(tmp_path))
    queue.start()
    wait_for(lambda: queue.get(run.run_id).state in ENDED)
    queue.stop()
    assert queue.get(run.run_id).state == "cancelled"


def test_an_undecided_run_that_was_allowed_is_no_release(tmp_path):
    queue = Queue(settings(tmp_path))
    run = replace(queue.add(Request("mine")), state="finished", exit_code=0)
    queue.store.folder(run.run_id).joinpath("record.json").write_text(json.dumps({"status": 3}))
    assert shown(run, queue.store)["verdict"] == "cannot_tell"


def test_only_the_last_runs_stay_on_disk_and_those_that_wait(started):
    server = started(RUNS_KEPT="2")
    server.go()
    ended = [server.ask("fake:fails") for _ in range(4)]
    server.until(ended[-1], "failed")
    # What is removed is removed before the next run starts.
    (server.folder / "go").unlink()
    waiting = server.ask()
    server.paused(waiting)
    listed = [run["run_id"] for run in server.get("/eval/runs").json()["runs"]]
    assert listed == [waiting, ended[3], ended[2]]
    folders = {path.name for path in (server.folder / ".finrag/serve/runs").iterdir()}
    assert folders == set(listed)
    assert server.get(f"/eval/runs/{ended[0]}").status_code == 404
    server.go()
    server.until(waiting, "finished")


def paid_once(server, run_id):
    return sorted(server.lines("paid.log")) == [f"{run_id} q{n}" for n in range(1, 6)]


def test_a_killed_server_finds_its_evaluation_again(started):
    server = started()
    run_id, waiting = server.ask(), server.ask()
    pid = server.paused(run_id)
    server.kill()
    assert is_alive(pid)
    server.start()
    assert server.run(run_id)["state"] == "running"
    server.go()
    run = server.until(run_id, "finished")
    assert (run["attempts"], run["exit_code"]) == (1, 1)
    server.until(waiting, "finished")
    assert server.lines("order.log")[:2] == [f"start {run_id}", f"end {run_id}"]
    assert [line for line in server.lines("paid.log") if run_id in line] == [
        f"{run_id} q{n}" for n in range(1, 6)
    ]


def test_an_evaluation_that_ended_while_no_server_ran_is_read(started):
    server = started()
    run_id = server.ask()
    pid = server.paused(run_id)
    server.kill()
    server.go()
    wait_for(lambda: not is_alive(pid))
    server.start()
    assert server.until(run_id, "finished")["attempts"] == 1
    assert paid_once(server, run_id)


def test_an_evaluation_killed_with_its_server_goes_on_where_it_was(started):
    server = started()
    run_id = server.ask()
    pid = server.paused(run_id)
    server.kill()
    os.killpg(pid, signal.SIGKILL)
    server.go()
    server.start()
    assert server.until(run_id, "finished")["attempts"] == 2
    assert paid_once(server, run_id)


def test_a_killed_evaluation_starts_again_and_is_given_up_in_the_end(started):
    server = started()
    run_id = server.ask()
    for attempt in (1, 2):
        pid = server.paused(run_id)
        os.killpg(pid, signal.SIGKILL)
        server.until(run_id, "running", attempts=attempt + 1)
        wait_for(lambda pid=pid: server.state(run_id)["pid"] not in (0, pid))
    os.killpg(server.state(run_id)["pid"], signal.SIGKILL)
    run = server.until(run_id, "failed")
    assert run["message"] == "the evaluation was killed 3 times"
    assert len(server.lines("paid.log")) == 3


def test_a_server_that_is_ended_ends_its_evaluation_and_resumes_it(started):
    server = started()
    run_id = server.ask()
    pid = server.paused(run_id)
    server.stop()
    assert not is_alive(pid)
    assert server.state(run_id)["state"] == "queued"
    server.go()
    server.start()
    assert server.until(run_id, "finished")["attempts"] == 1
    assert paid_once(server, run_id)


def test_a_run_waits_for_a_build_in_the_folder(started):
    import fcntl

    server = started()
    (server.folder / "target").mkdir(exist_ok=True)
    with (server.folder / "target" / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run_id = server.ask()
        server.until(run_id, "queued", message="waiting for another build in this folder to end")
    server.go()
    server.until(run_id, "finished")


def test_a_second_server_in_the_folder_is_refused(started):
    server = started()
    other = Server(server.folder)
    with pytest.raises((AssertionError, IndexError)):
        other.start()
    assert "another server is using" in server.screen()


# --- who may ask, and for what --------------------------------------------------------------------


def test_a_token_is_asked_of_everybody_and_is_nowhere_on_disk(started):
    server = started(FINRAG_SERVE_TOKEN=TOKEN)
    basic = base64.b64encode(f"me:{TOKEN}".encode()).decode()
    for given, status in (
        ({}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Basic !!!"}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": f"Basic {basic}"}, 200),
    ):
        for path in ("/eval/runs", "/questions", "/openapi.json"):
            assert server.get(path, headers=given).status_code == status, given
    headers = {"Authorization": f"Bearer {TOKEN}"}
    asked = server.post("/eval/run", json={"candidate": "fake:works"}, headers=headers)
    server.go()
    path = f"/eval/runs/{asked.json()['run_id']}"
    wait_for(lambda: server.get(path, headers=headers).json()["state"] == "finished")
    for file in server.folder.rglob("*"):
        assert not file.is_file() or TOKEN.encode() not in file.read_bytes(), file


@pytest.mark.parametrize("token", ["", "short", "sp\tace-0123456789012345"])
def test_other_machines_are_served_with_a_good_token_only(no_serving, monkeypatch, capsys, token):
    monkeypatch.setenv("FINRAG_SERVE_TOKEN", token)
    assert main(["serve", "--host", "0.0.0.0", "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert "FINRAG_SERVE_TOKEN" in said
    assert not token or token not in said


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_pages_elsewhere_are_refused(server, headers):
    before = len(server.get("/eval/runs").json()["runs"])
    answer = server.post("/eval/run", json={"candidate": "fake:works"}, headers=headers)
    assert answer.status_code == 403
    assert server.get("/questions/aa", headers=headers).status_code == 403
    assert len(server.get("/eval/runs").json()["runs"]) == before


def test_a_form_of_another_page_starts_nothing(server):
    body = '{"candidate": "fake:works"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = server.post("/eval/run", content=body, headers={"Content-Type": kind})
        assert answer.status_code == 415


@pytest.mark.parametrize("candidate", ["my_rag", "preds/mine.jsonl", "http://127.0.0.1:1/rag"])
def test_what_is_declared_or_allowed_can_be_named(server, candidate):
    run_id = server.ask(candidate)
    assert server.until(run_id, "finished")["candidate"] == candidate


@pytest.mark.parametrize(
    "candidate",
    [
        "os:system",
        "fake:works.other",
        "http://127.0.0.1:1/rag/../admin",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "/etc/passwd",
        "secret.jsonl",
        "preds/../secret.jsonl",
        "preds/link.jsonl",
        "preds",
        "preds/none.jsonl",
        "--vars={}",
        "multi_path",
        "a\0b",
    ],
)
def test_nothing_else_can_be_named(server, candidate):
    answer = server.post("/eval/run", json={"candidate": candidate})
    assert answer.status_code == 403
    assert "neither a system of systems_paths nor allowed" in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{", "not JSON"),
        ("[" * 30_000, "not JSON"),
        ("[]", "send a JSON object"),
        ("{}", "candidate is missing"),
        ('{"candidate": 3}', "candidate is missing"),
        ('{"candidate": "fake:works", "where": "1 = 1; drop"}', "where: the condition"),
        ('{"candidate": "fake:works", "where": 3}', "where is a text"),
        ('{"candidate": "fake:works", "limit": 0}', "limit is a whole number"),
        ('{"candidate": "fake:works", "limit": true}', "limit is a whole number"),
        ('{"candidate": "fake:works", "gold": "../p1"}', "gold is the name of a gold set"),
        ('{"candidate": "fake:works", "gold": 3}', "gold is the name of a gold set"),
        ('{"candidate": "fake:works", "vars": {}}', "there is no field 'vars'"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_in_a_sentence(server, body, words):
    answer = server.post("/eval/run", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("is_chunked", [True, False])
def test_a_body_that_is_too_long_is_not_read_to_its_end(server, is_chunked):
    body = b" " * 3_000_000
    content = iter([body]) if is_chunked else body
    answer = server.post("/eval/run", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert "2,000,000 bytes" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/nothing", "/eval/runs/7", "/eval/runs/..%2f..%2fx/report"])
def test_what_is_not_there_is_an_error_in_json(server, path):
    answer = server.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("there is no such")


def test_the_description_has_every_route(server):
    described = server.get("/openapi.json").json()
    routes = {
        (method.upper(), path) for path, said in described["paths"].items() for method in said
    }
    assert ("POST", "/eval/run") in routes
    assert described["openapi"].startswith("3.1")
    for method, path in sorted(routes):
        answer = httpx2.request(
            method,
            server.url + path.replace("{run_id}", "0"),
            trust_env=False,
        )
        assert answer.status_code not in (405, 500), path
        assert answer.status_code != 404 or "{" in path
    schema = described["paths"]["/eval/run"]["post"]["requestBody"]["content"]
    assert list(schema["application/json"]["schema"]["properties"]) == [
        "candidate",
        "gold",
        "where",
        "limit",
        "version",
    ]
    page = server.get("/docs")
    assert "POST /eval/run" in page.text
    assert "://" not in page.text
    assert "<script" not in page.text


# --- the webhook ----------------------------------------------------------------------------------


class Receiver:
    """Takes messages and answers with one status."""

    def __init__(self, status, location=""):
        self.seen = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.seen.append((self.headers["X-Finrag-Signature"], body))
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/hook-of-the-test"

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()


def test_the_webhook_is_told_of_the_end_under_a_signature(started):
    with Receiver(200) as receiver:
        server = started(FINRAG_ALERT_WEBHOOK=receiver.url, FINRAG_ALERT_WEBHOOK_SECRET=SECRET)
        server.go()
        run_id = server.ask()
        run = server.until(run_id, "finished", webhook="sent")
    ((signature, body),) = receiver.seen
    timestamp, _, digest = signature.removeprefix("t=").partition(",v1=")
    signed = timestamp.encode() + b"." + body
    assert digest == hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert abs(time.time() - int(timestamp)) < 60
    message = json.loads(body)
    assert message["run"]["run_id"] == run_id
    assert message["run"]["verdict"] == run["verdict"]
    assert message["text"].startswith(f"finrag, run {run_id} of fake:works finished. Do not")
    # Neither the evaluation, nor any file, nor the screen learns the secret or the address.
    known = json.loads((server.folder / "environment.json").read_text())
    assert not known.keys() & {"FINRAG_ALERT_WEBHOOK", "FINRAG_ALERT_WEBHOOK_SECRET"}
    for file in server.folder.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert SECRET.encode() not in content, file
        assert b"hook-of-the-test" not in content, file


def test_a_redirect_of_the_webhook_is_not_followed_and_shown(started):
    with Receiver(200) as elsewhere, Receiver(302, elsewhere.url) as receiver:
        server = started(FINRAG_ALERT_WEBHOOK=receiver.url, FINRAG_ALERT_WEBHOOK_SECRET=SECRET)
        server.go()
        run_id = server.ask()
        run = wait_for(lambda: (run := server.run(run_id))["webhook"].startswith("failed") and run)
    assert run["webhook"] == "failed: the webhook answered 302, and redirects are not followed"
    assert run["state"] == "finished"
    assert (len(receiver.seen), elsewhere.seen) == (1, [])


def test_a_webhook_without_a_secret_is_refused(no_serving, monkeypatch, capsys):
    monkeypatch.setenv("FINRAG_ALERT_WEBHOOK", "http://127.0.0.1:1/hook-of-the-test")
    monkeypatch.delenv("FINRAG_ALERT_WEBHOOK_SECRET", raising=False)
    assert main(["serve", "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert "FINRAG_ALERT_WEBHOOK_SECRET is not" in said
    assert "hook-of-the-test" not in said


# --- the schedule ---------------------------------------------------------------------------------


@pytest.mark.parametrize("looked_at", ["2026-11-20T12:00:00", "2026-11-20T12:00:00+00:00"])
def test_a_time_without_a_zone_is_one_in_utc(tmp_path, looked_at):
    nightly = Schedule("each_night", "nightly", datetime.time(3, 30), Request("mine"))
    now = datetime.datetime(2026, 11, 21, 3, 30, tzinfo=datetime.UTC)
    queue = Queue(replace(settings(tmp_path), schedules=(nightly,), now=lambda: now))
    (tmp_path / "serve" / "schedules.json").write_text(json.dumps({"each_night": looked_at}))
    queue._ask_by_schedule()
    queue._ask_by_schedule()
    assert [run.schedule for run in queue.runs()] == ["each_night"]


def test_a_schedule_asks_once_for_all_that_it_missed(started, tmp_path):
    folder = tmp_path / "served"
    schedule = {"name": "each_night", "every": "nightly", "at": "03:30", "candidate": "fake:works"}
    (folder / "schedules.json").write_text(json.dumps([schedule]))

    def clock(text):
        hidden = folder / "hidden"
        hidden.write_text(text)
        hidden.replace(folder / "now.txt")

    clock("2026-11-20T12:00:00+00:00")
    server = started()
    server.go()
    time.sleep(0.3)
    assert server.get("/eval/runs").json()["runs"] == []

    def ended(n):
        runs = server.get("/eval/runs").json()["runs"]
        return runs if [run["state"] for run in runs] == ["finished"] * n else None

    clock("2026-11-21T03:29:59+00:00")
    time.sleep(0.3)
    assert server.get("/eval/runs").json()["runs"] == []
    clock("2026-11-21T03:30:00+00:00")
    (run,) = wait_for(lambda: ended(1))
    assert (run["schedule"], run["created_at"]) == ("each_night", "2026-11-21T03:30:00+00:00")
    server.stop()
    clock("2026-11-25T12:00:00+00:00")
    server.start()
    wait_for(lambda: ended(2))
    time.sleep(0.3)
    assert len(server.get("/eval/runs").json()["runs"]) == 2

"""A server in a process of its own, as tests start, ask and kill it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import httpx2
import pytest

PLANTED = "<script>alert('planted')</script>\"><img src=x onerror=alert(1)>"
SYSTEMS = """
systems:
  - system_id: my_rag
    system_kind: external_file
    settings: {predictions_path: preds/mine.jsonl}
"""


class Server:
    def __init__(self, folder, **environment):
        self.folder = folder
        self.environment = environment
        self.process = None
        self.url = ""

    def start(self):
        unset = ("FINRAG_SERVE_TOKEN", "FINRAG_ALERT_WEBHOOK", "FINRAG_ALERT_WEBHOOK_SECRET")
        inherited = {name: value for name, value in os.environ.items() if name not in unset}
        # A file: nobody needs to read a pipe.
        with (self.folder / "screen.log").open("ab") as screen:
            place = screen.tell()
            self.process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("serving_process.py")), self.folder],
                env={**inherited, **self.environment},
                stdout=screen,
                stderr=subprocess.STDOUT,
            )
        said = wait_for(
            lambda: [
                line
                for line in self.screen()[place:].splitlines()
                if line.startswith("Serving: ") or self.process.poll() is not None
            ]
        )
        assert said[0].startswith("Serving: "), self.screen()
        self.url = said[0].split()[1]
        return self

    def screen(self):
        return (self.folder / "screen.log").read_text()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)

    def get(self, path, **options):
        return httpx2.get(self.url + path, trust_env=False, timeout=20, **options)

    def post(self, path, **options):
        return httpx2.post(self.url + path, trust_env=False, timeout=20, **options)

    def ask(self, candidate="fake:works", **fields):
        answer = self.post("/eval/run", json={"candidate": candidate, **fields})
        assert answer.status_code == 202, answer.text
        return answer.json()["run_id"]

    def run(self, run_id):
        return self.get(f"/eval/runs/{run_id}").json()

    def until(self, run_id, *states, **fields):
        def there():
            run = self.run(run_id)
            return run if run["state"] in states and fields.items() <= run.items() else None

        return wait_for(there)

    def go(self):
        (self.folder / "go").touch()

    def lines(self, name):
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    def paused(self, run_id):
        """Wait until the evaluation has asked three questions; its process."""
        wait_for(lambda: sum(run_id in line for line in self.lines("paid.log")) == 3)
        wait_for(lambda: self.state(run_id)["pid"])
        return self.state(run_id)["pid"]

    def state(self, run_id):
        import json

        return json.loads((self.folder / f".finrag/serve/runs/{run_id}/run.json").read_text())


def wait_for(found, seconds=30):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError):
            value = found()
            if value:
                return value
        time.sleep(0.02)
    pytest.fail("it did not come to pass in time")


def is_alive(pid):
    with contextlib.suppress(OSError):
        # A process that ended and that nobody has waited for is none.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def write_folder(folder):
    """A folder with a declared system, a folder of predictions and an export."""
    (folder / "preds").mkdir(parents=True)
    (folder / "preds" / "mine.jsonl").write_text("{}\n")
    (folder / "secret.jsonl").write_text("{}\n")
    (folder / "preds" / "link.jsonl").symlink_to(folder / "secret.jsonl")
    (folder / "systems.yml").write_text(SYSTEMS)
    export = folder / ".finrag" / "export"
    export.mkdir(parents=True)
    with duckdb.connect(str(export / "dashboard.duckdb")) as connection:
        connection.execute(
            """
            create table rpt_questions as
            select 'aa' as page_id, 'Q1' as question_id, 'p3' as gold_set,
                'How much? ' || $1 as question_text, $1 as gold_text, 'Alder' as company_name,
                '2021' as years, 'Levels' as category_title;
            """,
            [PLANTED],
        )
        connection.execute(
            """
            create table rpt_question_answers as
            select 'aa' as page_id, 'mine' as system_id, 'answered' as outcome,
                $1 as answer_text, null::varchar as error, false as is_null
            """,
            [PLANTED],
        )
        connection.execute(
            """
            create table rpt_question_passages as
            select 'aa' as page_id, 0 as passage_pos, 0 as position, true as has_evidence,
                'Item 7' as place, $1 as passage_text, true as is_evidence
            """,
            [PLANTED],
        )
        connection.execute(
            """
            create table manual_samples as
            select 'p3' as gold_set, 'Q1' as question_id, 'How much? ' || $1 as question_text,
                system_id, draw_pos, state
            from (values ('mine', 2, 'due'), ('other', 1, 'due'), ('third', 1, 'marked'))
                as drawn (system_id, draw_pos, state)
            """,
            [PLANTED],
        )
        connection.execute(
            "create table p3_contents as select 'Q1' as question_id, 'h1' as content_hash"
        )
    return folder

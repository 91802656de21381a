"""Starts ``finrag serve`` as its command does, with a small evaluation in place of the real one.

    python serving_process.py FOLDER

FOLDER is the working directory; ``now.txt`` in it holds the time, where the test sets one, and
``schedules.json`` the schedules. The evaluation asks five questions of the candidate, stores each
answer and notes each question it pays for in ``paid.log``; it waits for the file ``go`` before the
fourth. Candidates: ``fake:works``, ``fake:fails``, ``fake:secret``.
"""

import datetime
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

QUESTIONS = ("q1", "q2", "q3", "q4", "q5")
RECORD = {
    "status": 1,
    "headline": "Do not release mine | it is <b>worse</b>.",
    "measured_on": "Measured on 5 questions.",
    "is_smoke": False,
    "figures": ["right answers: 0.400 (n = 5)"],
    "gates": [{"gate": "right", "state": "fail", "value": 0.4, "limit": 0.7, "n": 5}],
    "items": {
        "p3:q1": {"question": "How much?", "outcome": "answered", "answer": "5", "right": 1.0},
        "p3:q2": {
            **{"question": "Why | <script>alert(1)</script>", "outcome": "answered"},
            **{"answer": "[x](http://evil)", "right": 0.0},
        },
    },
}


def evaluate(record, candidate):
    if candidate == "fake:fails":
        print("finrag: no question of p3 meets", file=sys.stderr)
        return 2
    with Path("order.log").open("a") as order:
        order.write(f"start {record.parent.name}\n")
    for number, question in enumerate(QUESTIONS):
        while number == 3 and not Path("go").exists():
            time.sleep(0.02)
        answer = Path(f"answer_{record.parent.name}_{question}")
        if not answer.exists():
            with Path("paid.log").open("a") as paid:
                paid.write(f"{record.parent.name} {question}\n")
            answer.write_text("5")
        print(f"{number + 1} of {len(QUESTIONS)} questions asked", flush=True)
    hidden = record.with_name("hidden")
    hidden.write_text(json.dumps(RECORD))
    hidden.replace(record)
    Path("environment.json").write_text(json.dumps(dict(os.environ)))
    with Path("order.log").open("a") as order:
        order.write(f"end {record.parent.name}\n")
    return RECORD["status"]


def now():
    try:
        return datetime.datetime.fromisoformat(Path("now.txt").read_text())
    except (OSError, ValueError):
        return datetime.datetime.now(datetime.UTC)


def main(folder):
    from finrag.command.serving.commands import serve
    from finrag.command.serving.queue import TOKEN
    from finrag.command.serving.settings import Settings, read_schedule, token_of
    from finrag.publishing.alerts.webhook import check_signed

    os.chdir(folder)
    check_signed()

    def command(run, record):
        return [sys.executable, __file__, str(record.resolve()), run.candidate]

    settings = Settings(
        database=Path("none.duckdb"),
        state_dir=Path(".finrag"),
        command=command,
        variables={"systems_paths": ["systems.yml"]},
        allowed=("fake:works", "fake:fails", "http://127.0.0.1:1/rag", "preds"),
        token=token_of(TOKEN, is_needed=False),
        now=now,
        poll_s=0.02,
        n_kept=int(os.environ.get("RUNS_KEPT", "1000")),
    )
    schedules = Path("schedules.json")
    given = json.loads(schedules.read_text()) if schedules.exists() else []
    read = tuple(read_schedule(one, settings) for one in given)
    serve(replace(settings, schedules=read), "127.0.0.1", 0)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(evaluate(Path(sys.argv[1]), sys.argv[2]))
    main(sys.argv[1])

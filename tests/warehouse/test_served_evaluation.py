"""`finrag serve` on six filings: a real evaluation, a mark, and the mark read back."""

import json
import os
import re
import subprocess
import sys

import httpx2
import pytest

from tests.unit.serving import wait_for
from tests.warehouse.test_own_system import COMMAND, finrag, stored

# Notes each question that it is asked, and says the same to all.
SYSTEM = """
from pathlib import Path


def answer(question):
    with Path("paid.log").open("a") as paid:
        paid.write(f"{question}\\n")
    return "Net sales were $1.0 million."
"""


@pytest.fixture(scope="module")
def served(small, tmp_path_factory):
    warehouse = small.copy(tmp_path_factory.mktemp("served") / "served")
    (warehouse.folder / "my_rag.py").write_text(SYSTEM)
    with (warehouse.folder / "screen.log").open("w") as screen:
        server = subprocess.Popen(
            [
                *(sys.executable, "-c", COMMAND, "serve", "--port", "0"),
                *("--database", warehouse.database.name, "--allow", "my_rag:answer"),
                *("--vars", json.dumps(warehouse.variables)),
            ],
            cwd=warehouse.folder,
            env={k: v for k, v in os.environ.items() if not k.startswith("FINRAG_")},
            stdout=screen,
            stderr=subprocess.STDOUT,
        )
    text = warehouse.folder / "screen.log"
    (url,) = wait_for(lambda: re.findall(r"Serving: (\S+)", text.read_text()), 60)
    with httpx2.Client(base_url=url, trust_env=False, timeout=60) as client:
        yield warehouse, client
    server.terminate()
    server.wait(timeout=60)


def evaluated(client):
    asked = client.post("/eval/run", json={"candidate": "my_rag:answer", "limit": 12})
    assert asked.status_code == 202
    place = asked.headers["location"]
    return wait_for(
        lambda: (run := client.get(place).json())["state"] in ("finished", "failed") and run, 1500
    )


def test_an_evaluation_its_pages_a_mark_and_what_the_mark_says_of_the_scores(served):
    warehouse, client = served
    run = evaluated(client)
    assert run["state"] == "finished", run
    assert run["exit_code"] in (1, 3)
    assert run["headline"].startswith("Smoke run of my_rag on 12 of")
    assert run["message"] == ""
    report = client.get(f"/eval/runs/{run['run_id']}/report").json()
    questions = {row["question"]: row for row in report["items"].values()}
    paid = (warehouse.folder / "paid.log").read_text().splitlines()
    assert sorted(paid) == sorted(questions)

    # Beside the warehouse the same answers give the same figures, gates and questions.
    options = ["--limit", "12", "--vars", json.dumps(warehouse.variables)]
    status, screen = finrag(warehouse, "eval", "my_rag:answer", *options)
    assert status == run["exit_code"], screen
    _, beside = stored(warehouse, screen)
    record = warehouse.state / "serve" / "runs" / run["run_id"] / "record.json"
    built = json.loads(record.read_text())
    for part in ("figures", "gates", "items", "measured_on"):
        assert beside[part] == built[part], part

    wrong = next(text for text, row in sorted(questions.items()) if row["right"] == 0.0)
    listed = client.get("/questions", params={"words": wrong}).text
    (page,) = set(re.findall(r'href="(/questions/\w+)"', listed))
    text = client.get(page).text
    (token,) = set(re.findall(r'name="token" value="([^"]+)"', text))
    (shown,) = re.findall(r'value="my_rag">\n<input type="hidden" name="shown" value="(.+)">', text)
    fields = {"token": token, "system": "my_rag", "shown": shown, "reviewer": "mk"}
    for mark in ("wrong", "hallucination"):
        assert client.post(page, data={**fields, "mark": mark}).status_code == 303

    again = evaluated(client)
    assert again["state"] == "finished", again
    assert (warehouse.folder / "paid.log").read_text().splitlines() == paid
    rows = warehouse.rows(
        "select system_id, check_verdict, opinion, n, n_both from metrics.judge_agreements "
        "where opinion_by = 'people' and aspect = 'correct' order by system_id"
    )
    assert rows == [
        {"system_id": name, "check_verdict": "no", "opinion": "no", "n": 1, "n_both": 1}
        for name in ("all", "my_rag")
    ]
    gates = {row["gate"].partition("@")[0]: row for row in again["gates"]}
    assert gates["hallucinations_marked"]["value"] == 1.0
    assert gates["hallucinations_marked"]["n"] == 1

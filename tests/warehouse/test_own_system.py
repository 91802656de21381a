"""A system of one's own from its function to the verdict: `finrag eval` on the sample corpus."""

import json
import os
import subprocess
import sys

import pytest

COMMAND = "import sys; from finrag.command.cli import main; sys.exit(main())"
# Right where gold is not a list, wrong there, and silent where nothing is disclosed.
SYSTEM = """
import json
from pathlib import Path

GOLD = json.loads(Path("gold.json").read_text())


def answer(question, k):
    gold = GOLD[question]
    ranking = gold["evidence"][:k]
    if gold["type"] == "no_answer":
        return {"abstained": True, "ranking": ranking}
    text = "Nothing of the kind." if gold["type"] == "list" else gold["text"]
    return {"answer": text, "citations": ranking, "ranking": ranking}


def guess(question, documents):
    return {"answer": "9.2", "citations": [f"{documents[0]}#row-0-1"]}


def strange(question, k):
    # As a splitter of texts returns them: no ids, and no text that is one of ours.
    return {**answer(question, k), "ranking": [f"chunk {n}" for n in range(k)], "citations": []}


def broken(question):
    raise RuntimeError(f"no index for {question[:0]}you")
"""


def finrag(warehouse, *arguments):
    """Runs a command in the warehouse's folder; exit status and screen."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--database", warehouse.database.name],
        cwd=warehouse.folder,
        env={k: v for k, v in os.environ.items() if not k.startswith("FINRAG_")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def own(sample, tmp_path_factory):
    warehouse = sample.copy(tmp_path_factory.mktemp("own") / "own")
    rows = warehouse.rows(
        "select i.question_text, g.answer_type, g.answer_text, g.evidence_sentence_ids "
        "from gold.items as i inner join gold.gold_p3 as g on i.question_id = g.question_id"
    )
    gold = {
        row["question_text"]: {
            "type": row["answer_type"],
            "text": row["answer_text"],
            "evidence": row["evidence_sentence_ids"] or [],
        }
        for row in rows
    }
    (warehouse.folder / "gold.json").write_text(json.dumps(gold))
    (warehouse.folder / "my_rag.py").write_text(SYSTEM)
    return warehouse


def stored(warehouse, screen):
    (path,) = [line.split()[1] for line in screen.splitlines() if line.startswith("Stored: ")]
    return path, json.loads((warehouse.folder / path).read_text())


def test_a_smoke_run_then_a_whole_one_and_what_changed(own):
    options = ["--name", "mine", "--vars", json.dumps(own.variables)]
    before = own.database.stat().st_mtime_ns
    status, screen = finrag(own, "eval", "my_rag:answer", "--limit", "40", *options)
    assert status in (1, 3), screen
    assert "Smoke run of mine on 40 of" in screen
    assert "Release mine" not in screen
    first, smoke = stored(own, screen)
    assert len(smoke["items"]) == 40
    assert {row["outcome"] for row in smoke["items"].values()} <= {"answered", "abstained"}
    # The warehouse is as it was: its pages accuse nobody of what was not asked.
    assert own.database.stat().st_mtime_ns == before
    assert "finrag.duckdb is unchanged" in screen

    status, screen = finrag(own, "eval", "my_rag:answer", *options)
    second, whole = stored(own, screen)
    assert "40 known before" in screen
    verdict = own.rows("select headline from gates.release_verdicts where system_id = 'mine'")
    statuses = {"release": 0, "do_not_release": 1, "cannot_tell": 3}
    assert status == statuses[verdict[0]["headline"]], screen
    assert len(whole["items"]) == own.value("select count(*) from gold.items where gold_set = 'p3'")
    # What both were asked was scored alike.
    assert {name: whole["items"][name] for name in smoke["items"]} == smoke["items"]

    status, screen = finrag(own, "diff", first, second)
    assert status == 0, screen
    assert "became right 0, became wrong 0" in screen


def test_a_public_set_without_gates_is_measured_and_released_by_none(own):
    options = ["--name", "guess", "--limit", "3", "--vars", json.dumps(own.variables)]
    status, screen = finrag(own, "eval", "my_rag:guess", "--gold", "finqa", *options)
    assert status == 3, screen
    assert "No error gate applies to finqa: cannot tell." in " ".join(screen.split())
    assert "numeric agreement, strict: " in screen
    assert "not used" not in screen
    _, run = stored(own, screen)
    assert run["gold_set"] == "finqa"
    asked = own.rows("select item_id from gold.items where gold_set = 'finqa'")
    assert len(run["items"]) == 3
    assert run["items"].keys() < {row["item_id"] for row in asked}


def test_a_system_of_which_no_passage_is_recognised_cannot_be_judged(own):
    options = ["--name", "strange", "--limit", "5", "--vars", json.dumps(own.variables)]
    status, screen = finrag(own, "eval", "my_rag:strange", *options)
    assert status == 3, screen
    assert "Cannot tell: none of the 50 passages that strange returned is recognised" in " ".join(
        screen.split()
    )
    assert "evidence in the first ten: not measured (n = 0)" in screen
    assert "fails" not in screen


def test_a_system_that_always_fails_is_never_released(own):
    options = ["--name", "broken", "--limit", "5", "--vars", json.dumps(own.variables)]
    status, screen = finrag(own, "eval", "my_rag:broken", *options)
    assert status == 1, screen
    assert "asked 5 = 5 failed" in screen
    assert "fails: share of answers failed 1.000, must be at most 0.02 (failed_answers@" in screen
    _, run = stored(own, screen)
    assert {row["failure"] for row in run["items"].values()} == {"RuntimeError: no index for you"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch:thing"], "cannot be loaded"),
        (["my_rag:answer", "--where", "1 = 1"], "expected a column"),
        (["my_rag:answer", "--name", "multi_path"], "is the name of a shipped system"),
        (["my_rag:answer", "--gold", "p1"], "available: earnings_calls, financebench, finqa"),
        (["my_rag:answer", "--name", "mine", "--limit", "0"], "limit is 0"),
    ],
)
def test_what_cannot_be_asked_leaves_the_warehouse_alone(own, arguments, message):
    before = own.database.stat().st_mtime_ns
    status, screen = finrag(own, "eval", *arguments)
    assert status == 2
    assert message in screen
    assert own.database.stat().st_mtime_ns == before

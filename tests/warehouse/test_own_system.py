"""A system of one's own from its function to the verdict: `finrag eval` on the sample corpus."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from finrag.command.evaluating.beside import COMPARED, JOINED, VERDICTS, score_beside
from finrag.command.settings import all_variables, system_seeds
from tests.unit.service_stub import ServiceStub

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
    assert "finrag.duckdb is unchanged" in screen
    assert own.database.stat().st_mtime_ns == before
    assert status == whole["status"], screen
    assert (status == 0) == whole["headline"].startswith("Release mine: it passes all")
    assert not whole["is_smoke"]
    assert len(whole["items"]) == own.value("select count(*) from gold.items where gold_set = 'p3'")
    # What both were asked was scored alike.
    assert {name: whole["items"][name] for name in smoke["items"]} == smoke["items"]

    status, screen = finrag(own, "diff", first, second)
    assert status == 0, screen
    assert "became right 0, became wrong 0" in screen


def reply(own):
    """What the service answers: as the function does, but that it never declines."""
    gold = json.loads((own.folder / "gold.json").read_text())

    def reply(request):
        known = gold[request["question"]]
        evidence = known["evidence"][: request["top_k"]]
        # Not letter by letter: of a file, as which it comes in, that would be a copy of the gold.
        return {"answer": f"It is: {known['text'] or 'unknown'}", "ranking": evidence}

    return reply


# What differs by design: a run's names, when it was, how a system came in, and what is said of all
# candidates together, of which a build has four here.
OTHERWISE = {
    *("run_id", "evaluation_id", "git_commit", "has_uncommitted_changes", "recorded_at"),
    *("settings_hash", "settings", "predictions_path", "predictions_format", "system_kind"),
    *("service_url", "service_path", "service_fields", "service_tool", "description"),
    *("is_trusted", "trust", "n_gates", "n_pass", "n_fail", "n_unmeasured", "n_not_applicable"),
    *("n_errors", "n_warnings"),
}


def test_what_is_measured_beside_the_warehouse_is_what_a_build_measures(own, sample, monkeypatch):
    """File, function and service, and a system that fails: each first alone, then all built."""
    monkeypatch.chdir(own.folder)
    records = [
        {"id": row["item_id"], "answer": "Up by 4 %" if n % 3 else "No.", "latency_ms": 100 + n % 9}
        for n, row in enumerate(own.rows("select item_id from gold.items where gold_set = 'p3'"))
    ]
    Path("filed.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records[:-5]))
    filed = {
        **{"system_id": "filed", "system_kind": "external_file", "compare_with": ["multi_path"]},
        "settings": {"predictions_path": "filed.jsonl", "predictions_format": "jsonl"},
    }
    with ServiceStub(reply(own)) as stub:
        served = {
            **{"system_id": "served", "system_kind": "external_http"},
            "settings": {"service_url": stub.url, "depth": 10},
        }
        Path("declared.yml").write_text(json.dumps({"systems": [filed, served]}))
        given = {**own.variables, "systems_paths": ["declared.yml"]}
        statuses = {}
        for name, source in (
            *(("mine", "my_rag:answer"), ("broken", "my_rag:broken")),
            *(("filed", "filed"), ("served", "served")),
        ):
            options = [] if name == source else ["--name", name]
            variables = ["--vars", json.dumps(given)]
            statuses[name], screen = finrag(own, "eval", source, *options, *variables)
            assert "finrag.duckdb is unchanged" in screen, screen
        n_asked = len(stub.requests)
        assert n_asked == len(records)

        found = {name: folder_of(name) for name in ("mine", "broken")}
        paths = ["declared.yml", *(f"{folder}/systems.yml" for folder in found.values())]
        built = {**given, "systems_paths": paths, "candidate": sorted(statuses)}
        finrag(own, "build", "--vars", json.dumps(built))
        # A build finds the replies that were given before.
        assert len(stub.requests) == n_asked

    verdicts = own.rows(
        "select system_id, headline from gates.release_verdicts where subject = 'candidate'"
    )
    exits = {"release": 0, "do_not_release": 1, "cannot_tell": 3}
    assert {row["system_id"]: exits[row["headline"]] for row in verdicts} == statuses
    assert statuses["broken"] == 1
    for name in statuses:
        declared = (
            f"{folder_of(name)}/{'declared' if name in ('filed', 'served') else 'systems'}.yml"
        )
        settings = all_variables(
            json.dumps({**own.variables, "systems_paths": [declared], "candidate": [name]})
        )
        scored = score_beside(sample.database, [name], system_seeds(), settings, is_whole=True)
        for table in (*JOINED, COMPARED, *VERDICTS):
            beside, after = (rows_of(one, table, name) for one in (scored, own))
            assert beside == after, (name, table)
        for table in ("metric_values", "metric_summaries", "gate_verdicts", "release_verdicts"):
            assert rows_of(own, table, name)
    assert rows_of(own, "comparisons", "filed")


def folder_of(name):
    return f".finrag/eval/{name}"


def rows_of(warehouse, table, system_id):
    """A system's rows of a table; figures to twelve digits."""
    (place,) = warehouse.rows(
        "select table_schema as room from information_schema.tables "
        f"where table_name = '{table}' and table_schema not in ('main', 'test_failures')"
        " and table_catalog in ('memory', 'finrag')"
    )
    rows = warehouse.rows(f"select * from {place['room']}.{table}")
    of_system = [
        row
        for row in rows
        if system_id in (row.get("system_id"), row.get("system_a"), row.get("system_b"))
    ]
    return sorted(
        json.dumps(
            {
                name: float(f"{value:.12g}") if isinstance(value, float) else value
                for name, value in sorted(row.items())
                if name not in OTHERWISE
            },
            default=str,
        )
        for row in of_system
    )


def test_a_gate_that_was_set_since_the_build_judges(own):
    (own.folder / "mine.csv").write_text(
        "gate_id,metric,limit_value,rationale\n"
        "all_right,answer_accuracy,0.999,our desk accepts nothing less than this\n"
    )
    given = json.dumps({**own.variables, "gates_paths": ["mine.csv"]})
    options = ["--name", "mine", "--limit", "40", "--vars", given]
    status, screen = finrag(own, "eval", "my_rag:answer", *options)
    assert status == 1, screen
    assert "should be at least 99.9 % (all_right@mine" in screen


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
    assert "Broken: share of answers failed" in screen
    assert "is 100.0 %, should be at most 2.0 % (failed_answers@broken, n = 5)" in screen
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

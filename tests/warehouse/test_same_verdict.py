"""One system has one verdict, whichever way it comes in: function, file, service, build, serve."""

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from finrag.command.evaluating.evaluate import Run, evaluate
from finrag.command.evaluating.outcome import _gate_row, read_outcome
from finrag.command.evaluating.plugin import Finrag
from finrag.command.evaluating.questions import choose
from finrag.command.preflight import merge_variables
from finrag.command.serving.queue import Queue, evaluation
from finrag.command.serving.settings import Request, Settings
from finrag.command.serving.store import ENDED, shown
from finrag.command.settings import default_variables, variables_text
from finrag.warehouse import open_warehouse
from tests.unit.service_stub import ServiceStub

# One that files give, one whose answers are programs and figures, one of pages.
GOLD_SETS = ("p3", "finqa", "financebench")


def right(text, number):
    return text


def denying(text, number):
    return f"It is not true that the answer is {text}."


def altered(text, number):
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text)


def half(text, number):
    return text if number % 2 else "Nothing of the kind."


def declining(text, number):
    return None


def wordy(text, number):
    return f"As far as the report says, the answer is: {text} This is what it states."


def empty(text, number):
    return ""


def foreign(text, number):
    return "Es handelt sich um 12,5 Prozent."


def broken(text, number):
    raise RuntimeError("no index for you")


SYSTEMS = {
    **{answer.__name__: answer for answer in (right, denying, altered, half, declining)},
    **{answer.__name__: answer for answer in (wordy, empty, foreign, broken)},
    # The tenth is a smoke run.
    "smoke": right,
}
LIMITS = {"smoke": 30}


@pytest.fixture(scope="module")
def own(sample, tmp_path_factory):
    return sample.copy(tmp_path_factory.mktemp("same") / "own")


@pytest.fixture(scope="module")
def gold(own):
    """By question what is expected, its place among all, and its evidence."""
    rows = own.rows(
        "select items.gold_set, items.item_id, items.question_text, answers.answer_text, "
        "(select list(distinct passage_id order by passage_id) from gold.judgments "
        "where judgments.item_id = items.item_id and grade > 0 and unit = 'sentence') as evidence "
        "from gold.items inner join gold.item_answers as answers using (item_id) order by item_id"
    )
    return {
        (row["gold_set"], row["question_text"]): {**row, "number": number}
        for number, row in enumerate(rows)
        if row["gold_set"] in GOLD_SETS
    }


def reply(known, answer):
    """What a system answers: text, citations and ranking; it may raise."""
    text = answer(known["answer_text"] or "Not disclosed.", known["number"])
    evidence = known["evidence"] or []
    if text is None:
        return {"abstained": True, "ranking": evidence}
    return {"answer": text, "citations": evidence[:3], "ranking": evidence}


def told(outcome, name):
    """All that is said of it, without the words for what never came: an error, or nothing."""
    items = {
        item_id: ("none", 0.0, None)
        if name == "broken"
        else (row["outcome"], row["right"], row["cause"])
        for item_id, row in outcome.items.items()
    }
    gates = sorted(json.dumps(_gate_row(row), sort_keys=True) for row in outcome.gates)
    return outcome.headline, outcome.status, outcome.figure_lines, gates, items


def _own_of(line):
    """A figure with its interval, its questions and the null, without the best reference."""
    return line.rpartition(", ")[0]


def served(built, system_id, gold_set):
    """What the server says of a run that it is asked for."""

    def command(run, record):
        return evaluation(settings, variables_text(built.variables), run, record)

    settings = Settings(
        database=built.database,
        state_dir=Path(built.state),
        command=command,
        variables=built.variables,
    )
    queue = Queue(settings)
    queue.start()
    run = queue.add(Request(system_id, gold_set))
    while queue.get(run.run_id).state not in ENDED:
        time.sleep(0.2)
    queue.stop()
    return shown(queue.get(run.run_id), queue.store)


@pytest.mark.parametrize("gold_set", GOLD_SETS)
def test_the_verdict_is_the_same_whichever_way_a_system_comes_in(
    own, gold, gold_set, monkeypatch, tmp_path
):
    monkeypatch.chdir(own.folder)
    asked = {text: row for (name, text), row in gold.items() if name == gold_set}
    assert len(asked) >= 3
    declared, found = [], {}
    for name, answer in SYSTEMS.items():
        system_id = f"{gold_set}_{name}"
        given = {
            **{"database": own.database, "name": system_id, "limit": LIMITS.get(name)},
            **{"gold": gold_set, "variables": own.variables},
        }

        def function(question, answer=answer):
            return reply(asked[question], answer)

        by_function = Finrag().evaluate(function, **given)
        found[name] = told(by_function.outcome, name)
        with ServiceStub(lambda request, f=function: f(request["question"])) as stub:
            if name == "broken":
                stub.faults[""] = "400"
            outcome, _ = evaluate(Run(stub.url, **given))
            assert told(outcome, name) == found[name], ("service", name)
        records = [
            {"id": row["item_id"], "failure": "no index for you"}
            if name == "broken"
            else {"id": row["item_id"], **reply(row, answer)}
            for row in asked.values()
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
        outcome, _ = evaluate(Run(str(path), **given))
        assert told(outcome, name) == found[name], ("file", name)
        if name not in LIMITS:
            declared.append(f".finrag/eval/{system_id}/systems.yml")

    built = own.copy(tmp_path / "built", systems_paths=declared)
    assert built.build("--select", "py_systems_read+") == 0, built.log
    settings = merge_variables(default_variables(), built.variables)
    with open_warehouse(built.database) as warehouse:
        for name in SYSTEMS.keys() - LIMITS.keys():
            questions = choose(warehouse, "", None, gold_set)
            outcome = read_outcome(warehouse, f"{gold_set}_{name}", questions, settings)
            assert told(replace(outcome, is_stored=False), name) == found[name], ("build", name)

    monkeypatch.chdir(built.folder)
    for name in ("right", "denying"):
        run = served(built, f"{gold_set}_{name}", gold_set)
        headline, status, figures, gates, _ = found[name]
        assert run["state"] == "finished", run["message"]
        verdict = {0: "release", 1: "do_not_release", 3: "cannot_tell"}[status]
        assert (run["headline"], run["verdict"]) == (headline, verdict)
        # Of the systems declared beside it, which are under test in a build of all, the server's
        # build makes references.
        assert list(map(_own_of, run["figures"])) == list(map(_own_of, figures))
        assert sorted(json.dumps(row, sort_keys=True) for row in run["gates"]) == gates

"""The fixture `finrag`: what a test that fails says."""

from dataclasses import replace
from pathlib import Path

import pytest

from finrag.command.evaluating import evaluate
from finrag.command.evaluating.outcome import Outcome
from finrag.command.evaluating.plugin import Finrag, Result


def result(status, is_smoke=False):
    items = {
        "p3:A": {"question": "Why?", "outcome": "answered", "answer": "so", "right": 0.0},
        "p3:B": {"question": "Who?", "outcome": "answered", "answer": "he", "right": 1.0},
        "p3:C": {"question": "When?", "outcome": "failed", "failure": "boom", "right": 0.0},
    }
    gate = {"gate_id": "right_answers@mine", "gate_label": "right answers", "n": 3}
    gate |= {"statement": "right answers is 20.0 %, should be more", "severity": "error"}
    is_red = status == 1
    gates = [
        {**gate, "breach": "fail" if is_red else None, "verdict": "fail" if is_red else "too_few"}
    ]
    verdict = {0: "release", 1: "do_not_release", 3: "cannot_tell"}[status]
    outcome = Outcome(
        *("mine", verdict, "Do not release mine.", "On 3."),
        gates=gates,
        is_smoke=is_smoke,
        items=items,
    )
    return Result(outcome, Path("run.json"))


@pytest.mark.parametrize(("status", "is_smoke"), [(1, False), (3, False), (1, True)])
def test_a_broken_or_undecided_gate_fails_with_gates_and_questions(status, is_smoke):
    with pytest.raises(pytest.fail.Exception) as failed:
        result(status, is_smoke).assert_gates()
    message = str(failed.value)
    assert "Do not release mine." in message
    assert "right answers is 20.0 %, should be more (right_answers@mine, n = 3)" in message
    assert "'Why?': answered 'so'" in message
    assert "'When?': failed 'boom'" in message
    assert "Who?" not in message


@pytest.mark.parametrize(("status", "is_smoke"), [(0, False), (3, True)])
def test_a_release_and_a_smoke_run_without_a_broken_gate_pass(status, is_smoke):
    result(status, is_smoke).assert_gates()


def test_a_smoke_run_fails_where_no_passage_is_recognised():
    unrecognised = replace(result(3, True).outcome, returned={"n_returned": 120, "n_recognised": 0})
    with pytest.raises(pytest.fail.Exception, match="Do not release mine"):
        Result(unrecognised, Path("run.json")).assert_gates()
    with pytest.warns(UserWarning, match="Do not release mine"):
        Result(unrecognised, Path("run.json"), allow_undecided=True).assert_gates()
    Result(
        replace(unrecognised, returned={"n_returned": 120, "n_recognised": 1}), Path("run.json")
    ).assert_gates()


def test_an_undecided_run_warns_where_the_folder_allows_it(monkeypatch):
    monkeypatch.setattr(evaluate, "evaluate", lambda run: (result(3).outcome, Path("run.json")))
    allowed = Finrag().evaluate(str, variables={"allow_undecided": True})
    with pytest.warns(UserWarning, match="Do not release mine"):
        allowed.assert_gates()
    with pytest.raises(pytest.fail.Exception):
        Finrag().evaluate(str).assert_gates()
    with pytest.raises(pytest.fail.Exception):
        Result(result(1).outcome, Path("run.json"), allow_undecided=True).assert_gates()


def test_the_gold_set_is_passed_on(monkeypatch):
    runs = []
    monkeypatch.setattr(evaluate, "evaluate", lambda run: (runs.append(run), None))
    Finrag().evaluate(str, gold="finqa", limit=5)
    Finrag().evaluate(str)
    assert [(run.gold, run.limit) for run in runs] == [("finqa", 5), ("p3", None)]


def test_all_tests_of_a_session_await_in_one_loop(finrag, monkeypatch):
    runs = []
    monkeypatch.setattr(evaluate, "evaluate", lambda run: (runs.append(run), None))
    finrag.evaluate(str, limit=5)
    finrag.evaluate(str)
    assert runs[0].loop is runs[1].loop is not None


def test_without_a_warehouse_it_says_what_to_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_DATABASE", str(tmp_path / "none.duckdb"))
    with pytest.raises(ValueError, match="finrag build"):
        Finrag().evaluate(lambda question: "x", name="mine")


def test_the_plugin_is_found_by_its_entry_point():
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["pytest11"] == {
        "finrag": "finrag.command.evaluating.plugin"
    }

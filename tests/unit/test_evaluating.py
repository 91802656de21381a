"""What `finrag eval` reads of a warehouse: questions, places of passages, and the verdict."""

import contextlib
import importlib.util
import io
import json
import math
import os
import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from finrag.cache.build_record import write_record as write_build_record
from finrag.command.building.build import LOCK, holding, only_build
from finrag.command.cli import main
from finrag.command.evaluating import beside, evaluate, measured, questions
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.beside import EMPTY, score_beside
from finrag.command.evaluating.callables import asker
from finrag.command.evaluating.evaluate import Run
from finrag.command.evaluating.outcome import (
    read_outcome,
    read_record,
    screen_of,
    write_record,
)
from finrag.command.evaluating.questions import choose, with_places
from finrag.command.evaluating.traces import read_traces
from finrag.command.evaluating.waiting import EventLoop
from finrag.command.settings import all_variables, system_seeds
from finrag.publishing.screen import screen_lines
from finrag.sources.predictions.fields import parse_prediction
from finrag.systems import resolve_systems
from finrag.text.quotations import folded
from finrag.warehouse import open_warehouse, unfinished_mark
from finrag.warehouse.folder import project_folder
from finrag.warehouse.models import ModelsInMemory, models_behind, models_read
from tests.unit.evaluated_warehouse import AGREEMENT, GATE, PAGE, SALES, write_warehouse
from tests.unit.service_stub import ServiceStub

EXAMPLES = Path(__file__).parents[2] / "docs" / "guides" / "examples"
SETTINGS = {"bootstrap_resamples": 200, "bootstrap_seed": 7}


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("my_rag", EXAMPLES / "my_rag.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def evaluated(run):
    """The run without the lock of a folder."""
    given = evaluate._settings_of(run)
    return evaluate._evaluate(run, given, evaluate._checked(run, given), lambda: None)


def broken_gates(found):
    return [f"{row['gate_id'].partition('@')[0]}: {row['value']:.3f}" for row in found.gates]


def outcome(folder, asked, **written):
    path = write_warehouse(folder / "w.duckdb", **written)
    with open_warehouse(path) as warehouse:
        return read_outcome(warehouse, "mine", choose(warehouse, *asked), SETTINGS)


WHOLE = ("", None)
SOME = ("category in ('A', 'B', 'G')", None)
PUBLIC = ("", None, "finqa")
PART = ("", 2, "finqa")
FINQA_GATE = {**GATE, **AGREEMENT, "gate_id": "finqa_figures", "gold_set": "finqa", "min_n": 1}
FINQA_GATE |= {"slice_name": "overall"}


@pytest.mark.parametrize(
    ("where", "limit", "expected"),
    [
        ("", None, ["p3:Q1", "p3:Q2", "p3:Q3", "p3:Q4"]),
        ("company = 'Alder Works'", None, ["p3:Q1"]),
        ("year = 2022", None, ["p3:Q2", "p3:Q3"]),
    ],
)
def test_questions_that_fit_with_what_was_read_from_them(tmp_path, where, limit, expected):
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        asked = choose(warehouse, where, limit)
        assert [one.item_id for one in asked.questions] == expected
        few = choose(warehouse, "", 2).item_ids
        assert few < choose(warehouse, "", 3).item_ids
        first = asked.questions[0]
        assert where == "year = 2022" or (first.companies, first.years) == (
            ("Alder Works",),
            (2021,),
        )


@pytest.mark.parametrize(("where", "limit"), [("year = 1900", None), ("", 0)])
def test_a_run_without_questions_is_refused(tmp_path, where, limit):
    with (
        open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse,
        pytest.raises(ValueError, match=r"no question|limit is 0"),
    ):
        choose(warehouse, where, limit)


def test_questions_of_a_public_set_with_their_documents_and_earlier_turns(tmp_path):
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        asked = choose(warehouse, "question like '%share%'", None, "finqa")
    (question,) = asked.questions
    assert (question.item_id, question.years, question.documents) == (f"{PAGE}-2", (2021,), (PAGE,))
    assert question.history == ("what was the growth of sales?",)
    assert (asked.gold, asked.n_all, asked.is_whole) == ("finqa", 3, False)
    (reading,) = asked.readings.to_pylist()
    assert (reading["is_filings"], reading["document_id"]) == (False, PAGE)


@pytest.mark.parametrize("gold", ["financebench", "p1"])
def test_a_set_without_questions_is_refused_with_those_there_are(tmp_path, gold):
    with (
        open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse,
        pytest.raises(ValueError, match=f"no gold set '{gold}' .* available: finqa, p3"),
    ):
        choose(warehouse, "", None, gold)


def test_a_smoke_run_on_a_public_set_says_that_no_gate_applies(tmp_path):
    found = outcome(tmp_path, PART, rights=dict.fromkeys([f"{PAGE}-1", f"{PAGE}-2"], 1.0))
    assert (found.is_smoke, found.status, found.gold, len(found.items)) == (True, 3, "finqa", 2)
    assert found.headline == (
        "Smoke run of mine on 2 of 3 questions of finqa: no verdict. No error gate applies to "
        "finqa: cannot tell."
    )
    assert found.measured_on.startswith(
        "Measured on finqa and on no question on the filings; encoder minilm."
    )
    (figure,) = found.figure_lines
    assert figure.startswith("numeric agreement, strict: ")
    assert "best reference 1.000 multi_path" in figure
    assert "Release" not in "\n".join(screen_lines(screen_of(found, Path("w"))))
    assert json.loads(write_record(found, tmp_path).read_text())["gold_set"] == "finqa"


@pytest.mark.parametrize(
    ("rights", "status", "broken"), [((1.0, 1.0), 3, []), ((0.0, 0.0), 1, ["finqa_figures: 0.000"])]
)
def test_a_gate_of_ones_own_on_a_public_set_applies_to_a_smoke_run(
    tmp_path, rights, status, broken
):
    items = [f"{PAGE}-{n}" for n in (1, 2, 3)]
    for named in ("candidate", "mine"):
        (tmp_path / named).mkdir()
        found = outcome(
            tmp_path / named,
            PART,
            rights=dict(zip(items, [*rights, rights[0]], strict=True)),
            gates=[GATE, {**FINQA_GATE, "system_id": named}],
        )
        assert (found.status, "No error gate" in found.headline) == (status, False)
        said = "1 error gate broken." if broken else "Only a run on all questions of finqa can "
        assert said in found.headline
        assert broken_gates(found) == broken


@pytest.mark.parametrize(
    ("verdict", "gate", "status", "headline"),
    [
        ("cannot_tell", None, 3, "It is cannot_tell. No error gate applies to finqa."),
        ("do_not_release", None, 1, "It is do_not_release. No error gate applies to finqa."),
        ("release", None, 3, "Cannot tell: no error gate applies to finqa; those on other sets "),
        ("release", "not_applicable", 3, "Cannot tell: no error gate applies to finqa"),
        ("release", "pass", 0, "It is release."),
    ],
)
def test_a_whole_run_on_a_public_set_is_released_by_a_gate_on_it_alone(
    tmp_path, verdict, gate, status, headline
):
    row = {"gold_set": "finqa", "verdict": gate, "breach": None, "severity": "error"}
    verdicts = [row] if gate else []
    rights = {f"{PAGE}-1": 1.0}
    found = outcome(tmp_path, PUBLIC, rights=rights, outcome=verdict, verdicts=verdicts)
    assert (found.status, found.is_smoke) == (status, False)
    assert found.headline.startswith(headline)
    assert found.figure_lines[0].startswith(
        "numeric agreement, strict: 0.500 [0.100, 0.900] (n = 4)"
    )


@pytest.mark.parametrize(
    ("verdict", "status"), [("release", 0), ("do_not_release", 1), ("cannot_tell", 3)]
)
def test_a_whole_run_has_the_verdict_of_the_build(tmp_path, verdict, status):
    rights = {"p3:Q1": 1.0, "p3:Q2": 1.0, "p3:Q3": 0.0, "p3:Q4": 0.0}
    found = outcome(tmp_path, WHOLE, rights=rights, outcome=verdict)

    assert (found.status, found.headline, found.is_smoke) == (status, f"It is {verdict}.", False)
    path = write_record(found, tmp_path)
    assert read_record(path)[0] == "mine 1.4"
    lines = screen_lines(screen_of(found, Path("w.duckdb")))
    assert lines[2] == "asked 4 = 4 answered; 2 of 3 citations name no passage"
    assert lines[5] == (
        "  right answers: 0.500 [0.100, 0.900] (n = 4); null 0.050, no reference measured"
    )
    kind = "Broken" if status == 1 else "Warning"
    gate = "right answers of mine is 50.0 %, should be at least 70.0 % (right_answers@mine, n = 4)"
    assert f"{kind}: {gate}" in lines
    assert lines[-1].startswith(f"Exit status {status}: ")


def test_the_file_of_a_run_says_what_was_expected_found_and_cited_and_why_it_is_wrong(tmp_path):
    found = outcome(tmp_path, SOME, rights={"p3:Q1": 0.0, "p3:Q2": 1.0})
    record = json.loads(write_record(found, tmp_path).read_text())
    row = record["items"]["p3:Q1"]
    assert {name: row[name] for name in ("expected", "answer", "right", "cause", "detail")} == {
        "expected": "$120.5 million",
        "answer": "x",
        "right": 0.0,
        "cause": "evidence_not_retrieved",
        "detail": "1 of 2 ranked",
    }
    assert row["evidence"] == ["S2", "S3"]
    assert row["ranked"] == [f"S{rank}" for rank in range(1, 11)]
    assert (row["cited"], row["unknown_citations"]) == (["made_up", "S1"], ["made_up"])
    other = record["items"]["p3:Q2"]
    assert (other["cause"], other["evidence"], other["cited"]) == (None, [], [])
    # Not those of a question that was not asked.
    assert (record["n_citations"], record["n_unknown_citations"]) == (2, 1)


def test_a_wrong_question_and_citations_of_nothing_are_on_the_screen(tmp_path):
    found = outcome(tmp_path, SOME, rights={"p3:Q1": 0.0, "p3:Q2": 1.0})
    lines = screen_lines(screen_of(replace(found, is_stored=False), Path("w.duckdb")))
    assert len(lines) <= 15
    at = lines.index(f"wrong (evidence not retrieved): {SALES}")
    assert lines[at + 1] == "  expected $120.5 million; given x"
    assert "asked 3 = 2 answered + 1 not run; 1 of 2 citations name no passage" in lines

    row = {**found.items["p3:Q1"], "answer": "\x1b[2J" + "long " * 99, "expected": None}
    row |= {"cause": None, "outcome": "answered"}
    lines = screen_lines(screen_of(replace(found, items={"p3:Q1": row}), Path("w.duckdb")))
    assert f"wrong: {SALES}" in lines
    (shown,) = [line for line in lines if "given" in line]
    assert shown.startswith("  expected no answer; given  [2Jlong long")
    assert "\x1b" not in shown
    declined = {"p3:Q1": {**row, "outcome": "abstained"}}
    lines = screen_lines(screen_of(replace(found, items=declined), Path("w.duckdb")))
    assert "  expected no answer; given no answer" in lines
    failed = {"p3:Q1": {**row, "outcome": "failed", "failure": "boom"}}
    lines = screen_lines(screen_of(replace(found, items=failed), Path("w.duckdb")))
    assert not any(line.startswith("wrong") for line in lines)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"statistic": "ci_low"},
            "Broken: answer accuracy of mine, lower bound is 0.0 %, should be at least 70.0 %",
        ),
        (
            {"severity": "warn", "limit_value": 0.705},
            "Warning: answer accuracy of mine is 0.0 %, should be at least 70.5 % (g@mine, n = 3)",
        ),
    ],
)
def test_a_gate_of_a_smoke_run_speaks_as_that_of_a_build(tmp_path, given, said):
    rights = dict.fromkeys(["p3:Q1", "p3:Q2", "p3:Q3"], 0.0)
    found = outcome(tmp_path, SOME, rights=rights, gates=[{**GATE, "gate_id": "g", **given}])
    (line,) = found.gate_lines
    assert line.startswith(said)
    (row,) = json.loads(write_record(found, tmp_path).read_text())["gates"]
    assert row["statement"] in line
    assert row["remedy"].startswith("Open the hardest items")


@pytest.mark.parametrize(
    ("asked", "returned", "rights", "status", "said"),
    [
        (SOME, (120, 0), (1.0, 1.0), 3, "Cannot tell: none of the 120 passages that mine returned"),
        (SOME, (1, 0), (1.0, 1.0), 3, "Cannot tell: the 1 passage that mine returned is not rec"),
        (SOME, (120, 1), (1.0, 1.0), 3, "Smoke run of mine on 3 of 4 questions: no verdict."),
        (SOME, (120, 0), (0.0, 0.0), 1, "Smoke run of mine on 3 of 4 questions: 1 error gate br"),
        (SOME, (0, 0), (1.0, 1.0), 3, "Smoke run of mine on 3 of 4 questions: no verdict."),
    ],
)
def test_passages_of_which_none_is_recognised_cannot_be_judged(
    tmp_path, asked, returned, rights, status, said
):
    items = dict(zip(["p3:Q1", "p3:Q2", "p3:Q3", "p3:Q4"], rights, strict=False))
    limits = [GATE, {**GATE, "gate_id": "cited", "metric": "citation_correctness"}]
    found = outcome(tmp_path, asked, rights=items, returned=returned, gates=limits)
    counts = tuple(found.returned[name] for name in ("n_returned", "n_recognised"))
    assert (found.status, counts) == (status, returned)
    assert found.headline.startswith(said)
    assert found.is_unrecognised == (returned[0] > 0 == returned[1])
    record = json.loads(write_record(found, tmp_path).read_text())
    assert (record["n_returned"], record["n_recognised"]) == returned
    lines = screen_lines(screen_of(found, Path("w.duckdb")))
    shown = [line for line in lines if line.startswith("recognised ")]
    n, n_recognised = returned
    line = f"recognised {n_recognised} of the {n} passages returned, by their id or whole text"
    assert shown == ([line] if n else [])
    assert (
        "  evidence in the first ten: not measured (n = 0); null –, no reference measured" in lines
    )
    if found.is_unrecognised and status == 3:
        assert (
            "so retrieval could not be measured. Return passages by their id in" in found.headline
        )
        assert "cited@mine" in {gate["gate"] for gate in found.not_applied}


def test_a_gate_on_passages_that_nobody_recognises_says_so_after_a_build(tmp_path):
    open_gate = {"verdict": "too_few", "breach": None, "value": None, "n": 0}
    open_gate |= {"gate_id": "evidence@mine", "gate_label": "evidence of mine"}
    open_gate["statement"] = "evidence of mine cannot be measured: no passage is recognised"
    found = outcome(
        tmp_path,
        WHOLE,
        rights={"p3:Q1": 1.0},
        outcome="cannot_tell",
        verdicts=[open_gate],
        returned=(120, 0),
    )
    assert (found.status, found.headline) == (3, "It is cannot_tell.")
    (line,) = [line for line in found.gate_lines if "evidence@mine" in line]
    assert line == f"Undecided: {open_gate['statement']} (evidence@mine, n = 0)"


def test_gates_that_are_not_applied_are_named_in_the_file(tmp_path):
    gates = [
        {**GATE, "gate_id": "few", "min_n": 9},
        {**GATE, "gate_id": "own", "system_id": "mine"},
    ]
    gates += [{**GATE, "gate_id": "off", "metric": "off_question"}]
    found = outcome(tmp_path, SOME, rights={"p3:Q1": 1.0, "p3:Q2": 1.0}, gates=gates)
    assert found.measured_on.endswith(
        "Error gates not applied: 1 need more questions, 1 not measured (see the file)."
    )
    assert json.loads(write_record(found, tmp_path).read_text())["not_applied"] == [
        {"gate": "few@mine", "why": "too_few_questions", "n": 2, "min_n": 9},
        {"gate": "off@mine", "why": "not_measured", "n": 0, "min_n": 2},
    ]


@pytest.mark.parametrize(
    ("n_asked", "said"), [(2, "best reference 0.500 multi_path"), (4, "1.000 other over 1")]
)
def test_a_reference_that_answers_little_is_only_the_best_where_there_is_no_other(
    tmp_path, n_asked, said
):
    rights = dict.fromkeys(["p3:Q1", "p3:Q2", "p3:Q3", "p3:Q4"][:4], 1.0)
    path = write_warehouse(tmp_path / "w.duckdb", rights=rights)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "insert into retrieval.registered_systems by name "
            "(select 'other' as system_id, 'reference' as role)"
        )
        connection.execute(
            "insert into metrics.metric_values by name (select * replace ('other' as system_id, "
            "1.0 as value) from metrics.metric_values where system_id = 'mine' "
            "and item_id = 'p3:Q3')"
        )
        if n_asked == 4:
            connection.execute("delete from metrics.metric_values where system_id = 'multi_path'")
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "category in ('A', 'B', 'G', 'J')", None)
        asked = replace(asked, n_all=9)
        found = read_outcome(warehouse, "mine", asked, SETTINGS)
    assert said in found.figure_lines[0]


@pytest.mark.parametrize(("n_given", "said"), [(13, "floor"), (14, "best reference")])
def test_a_reference_that_declines_many_figures_is_called_a_floor(tmp_path, n_given, said):
    path = write_warehouse(tmp_path / "w.duckdb", rights={"p3:Q1": 1.0})
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "insert into metrics.metric_summaries by name (select 'p3' as gold_set, "
            "'sound' as slice_name, 'multi_path' as system_id, "
            f"'numeric_within_tolerance' as metric, {n_given} as n_evaluated, 20 as n_asked)"
        )
    with open_warehouse(path) as warehouse:
        found = read_outcome(warehouse, "mine", choose(warehouse, *SOME), SETTINGS)
    assert found.figure_lines[0].endswith(f"null 0.050, {said} 0.500 multi_path")


@pytest.mark.parametrize(
    ("source", "given", "said"),
    [
        ("nosuch:answer", {}, "nosuch:answer cannot be loaded"),
        ("empty.jsonl", {}, "empty.jsonl is empty: write one JSON record per question"),
        ("none.jsonl", {}, "is neither a file"),
        ("nosuch:x", {"form": "otel"}, "is neither a file"),
        (lambda question: "x", {"limit": 0, "name": "mine"}, "the limit is 0"),
        (lambda question: "x", {"where": "1 = 1", "name": "mine"}, "expected a column"),
        (str, {"name": "mine"}, "is a class"),
        (lambda question: "x", {"name": "multi_path"}, "name of a shipped system"),
    ],
)
def test_what_is_wrong_with_a_run_is_said_before_the_folder_is_looked_at(
    tmp_path, monkeypatch, source, given, said
):
    """Neither a warehouse nor the lock of the folder, which a build holds, is in the way."""
    monkeypatch.chdir(tmp_path)
    Path("empty.jsonl").write_text(" \n\n")
    with only_build(Path("none.duckdb")), pytest.raises(ValueError, match=said):
        evaluate.evaluate(Run(source, Path("none.duckdb"), **given))


def test_a_run_that_only_reads_waits_for_no_other_that_reads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_warehouse(tmp_path / "w.duckdb")
    reached = []

    def score(*_):
        reached.append(True)
        raise ValueError("far enough")

    monkeypatch.setattr(evaluate, "score_beside", score)
    monkeypatch.setattr("finrag.command.preflight.check_build", lambda *given: None)
    run = Run(lambda question: "x", path, "mine2", limit=1)
    with only_build(path, "finrag eval other", is_reading=True):
        with pytest.raises(ValueError, match="far enough"):
            evaluate.evaluate(run)
        with pytest.raises(ValueError, match="`finrag eval other` has been reading here since"):
            evaluate.evaluate(replace(run, is_built=True))
    with (
        only_build(path),
        pytest.raises(ValueError, match=r"build` has been writing .* nobody read a warehouse"),
    ):
        evaluate.evaluate(run)
    # Two runs of one system write the same files.
    with (
        holding(Path(".finrag/eval/mine2") / LOCK, "finrag eval mine2"),
        pytest.raises(ValueError, match="`finrag eval mine2` has been writing here since"),
    ):
        evaluate.evaluate(run)
    assert len(reached) == 1
    # Another warehouse may be built meanwhile.
    with only_build(tmp_path / "other.duckdb"), pytest.raises(ValueError, match="far enough"):
        evaluate.evaluate(run)
    with (
        only_build(tmp_path / "other.duckdb"),
        pytest.raises(ValueError, match="`finrag build` has been writing here since"),
        only_build(path),
    ):
        pass


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"limit": 4}, "--limit 4 selects all 4 questions: this is a whole run."),
        ({"where": "category is not null"}, "selects all 4 questions: this is a whole run."),
        ({"where": "category = 'A'"}, ""),
        ({}, ""),
    ],
)
def test_a_choice_of_every_question_is_said_to_be_a_whole_run(
    tmp_path, monkeypatch, capsys, chosen, said
):
    monkeypatch.chdir(tmp_path)
    path = write_warehouse(tmp_path / "w.duckdb")

    def stop(*_):
        raise ValueError("far enough")

    monkeypatch.setattr("finrag.command.preflight.check_build", stop)
    with pytest.raises(ValueError, match="far enough"):
        evaluate.evaluate(Run(lambda question: "x", path, "mine", **chosen))
    printed = capsys.readouterr().out
    assert said in printed if said else "whole run" not in printed


def test_the_first_failure_is_on_the_screen(tmp_path):
    found = outcome(tmp_path, SOME, rights={"p3:Q1": 1.0}, outcomes={"p3:Q1": "answered"})
    failed = {"failure": "TypeError: answer() takes\n0 positional arguments"}
    items = {**found.items, "p3:Q2": {**found.items["p3:Q1"], **failed}}
    assert not any("first failure" in line for line in screen_lines(screen_of(found, Path("w"))))

    lines = screen_lines(screen_of(replace(found, items=items), Path("w")))
    assert "first failure: TypeError: answer() takes 0 positional arguments" in lines


def test_a_build_that_was_broken_off_is_finished_before_a_run_that_builds(tmp_path, monkeypatch):
    path = write_warehouse(tmp_path / "w.duckdb")
    mark = unfinished_mark(path)
    built = []

    def build(database, variables, merged):
        built.append(dict(variables))
        if len(built) == 2:
            raise evaluate.BrokenBuildError("far enough")
        mark.unlink()

    monkeypatch.setattr(evaluate, "_build", build)
    monkeypatch.setattr("finrag.command.preflight.check_build", lambda *given: None)
    variables = {"state_dir": str(tmp_path)}
    some = Run(lambda question: "yes", path, "mine2", limit=1, variables=variables)
    mark.touch()
    with pytest.raises(ValueError, match="run `finrag build` again"):
        evaluated(some)
    with pytest.raises(evaluate.BrokenBuildError, match="far enough"):
        evaluated(replace(some, is_built=True))

    assert built[0] == variables
    assert "systems_paths" in built[1]


@pytest.mark.parametrize(("shown", "others"), [("answer_accuracy", {"multi_path"}), ("hit", set())])
def test_a_smoke_run_reads_the_values_that_it_reports_of_its_own_questions(tmp_path, shown, others):
    path = write_warehouse(tmp_path / "w.duckdb", rights=RIGHTS)
    with open_warehouse(path) as warehouse:
        rows = warehouse.rows(measured._VALUES, ["p3", ["p3:Q1", "p3:Q4"], "mine", [shown]])
    assert {row["item_id"] for row in rows} == {"p3:Q1", "p3:Q4"}
    assert {row["system_id"] for row in rows} == {"mine"} | others


def test_what_was_not_asked_on_purpose_is_no_failure(tmp_path):
    rights = {"p3:Q1": 1.0, "p3:Q2": 1.0, "p3:Q3": 1.0, "p3:Q4": 0.0}
    found = outcome(
        tmp_path,
        SOME,
        rights=rights,
        outcomes={**dict.fromkeys(rights, "answered"), "p3:Q4": "not_run"},
    )
    assert found.is_smoke
    assert found.status == 3
    assert "3 of 4 questions: no verdict" in found.headline
    assert "Release" not in "\n".join(screen_lines(screen_of(found, Path("w"))))
    assert found.figure_lines[0].startswith("right answers: 1.000 [")
    assert "best reference 0.500 multi_path" in found.figure_lines[0]
    assert sorted(found.items) == ["p3:Q1", "p3:Q2", "p3:Q3"]


FAILED = {**GATE, "gate_id": "failed_answers", "metric": "answers_failed", "unit": "any"}
FAILED |= {"slice_name": "overall", "direction": "max", "limit_value": 0.02, "min_n": 1}


@pytest.mark.parametrize(
    ("rights", "outcomes", "gates", "status", "broken"),
    [
        ({"p3:Q1": 1.0, "p3:Q2": 0.0, "p3:Q3": 0.0}, None, [GATE], 1, ["right_answers: 0.333"]),
        ({"p3:Q1": 0.0}, None, [{**GATE, "min_n": 4}], 3, []),
        # A limit for this corpus replaces the one for any.
        (
            {"p3:Q1": 1.0, "p3:Q2": 0.0},
            None,
            [GATE, {**GATE, "corpus": "sample", "limit_value": 0.5}],
            3,
            [],
        ),
        (
            {"p3:Q1": 1.0, "p3:Q2": 1.0},
            {"p3:Q1": "answered", "p3:Q2": "answered", "p3:Q3": "failed"},
            [GATE, FAILED],
            1,
            ["failed_answers: 0.333"],
        ),
    ],
)
def test_a_gate_broken_on_what_was_asked_breaks_a_smoke_run(
    tmp_path, rights, outcomes, gates, status, broken
):
    found = outcome(tmp_path, SOME, rights=rights, outcomes=outcomes, gates=gates)
    assert found.status == status
    assert broken_gates(found) == broken


@pytest.mark.parametrize("direction", ["min", "max"])
@pytest.mark.parametrize(
    ("rights", "gate"),
    [
        ({"p3:Q1": math.nan, "p3:Q2": 1.0}, {}),
        ({"p3:Q1": 1.0, "p3:Q2": 1.0}, {"metric": "off_question"}),
        ({"p3:Q1": 1.0, "p3:Q2": 1.0}, {"statistic": "balanced"}),
    ],
)
def test_a_gate_without_a_value_is_never_met(tmp_path, rights, gate, direction):
    applied = {**GATE, **gate, "direction": direction}
    found = outcome(tmp_path, SOME, rights=rights, gates=[applied])
    assert (found.status, found.gates) == (3, [])
    assert found.measured_on.endswith("Error gates not applied: 1 not measured (see the file).")


@pytest.mark.parametrize(
    ("asked", "answer_sets", "status"), [(SOME, "none", 3), (SOME, "p3", 3), (PART, "public", 1)]
)
def test_who_owes_no_answers_has_failed_none(tmp_path, asked, answer_sets, status):
    gate = {**FAILED, "gold_set": asked[2] if asked is PART else "p3"}
    found = outcome(tmp_path, asked, gates=[gate], answer_sets=answer_sets)
    assert (found.status, found.is_smoke) == (status, True)


@pytest.mark.parametrize("asked", [WHOLE, PUBLIC])
def test_a_whole_run_on_few_questions_has_the_verdict_of_the_build_too(tmp_path, asked):
    verdicts = [{"gold_set": "finqa", "verdict": "too_few", "breach": None, "severity": "error"}]
    rights = {"p3:Q1": 1.0, "p3:Q2": 0.0, f"{PAGE}-1": 1.0}
    given = {"gates": [{**GATE, "min_n": 30}], "outcome": "cannot_tell", "verdicts": verdicts}
    found = outcome(tmp_path, asked, rights=rights, **given)
    assert (found.status, found.headline) == (3, "It is cannot_tell.")
    # Nothing was left out: in a test of the user's it is undecided, and fails.
    assert not found.is_smoke


def test_a_warehouse_that_cannot_be_trusted_comes_first(tmp_path):
    for folder, asked in (("whole", WHOLE), ("some", SOME)):
        (tmp_path / folder).mkdir()
        verdict = {"rights": {"p3:Q1": 1.0}, "outcome": "cannot_be_trusted"}
        found = outcome(tmp_path / folder, asked, **verdict)
        assert found.status == 1
        assert found.headline.startswith("It is cannot_be_trusted.")


def asked_of(system, folder):
    with open_warehouse(write_warehouse(folder / "w.duckdb")) as warehouse:
        questions = choose(warehouse, "", None).questions
        asked = asker(system, 5, EventLoop())
        records = ask_all(questions, asked, folder, "v", 2, 5.0, io.StringIO())
        return {record["id"]: record for record in with_places(records, warehouse, "filings")}


def test_passages_of_a_public_set_are_known_by_its_texts(tmp_path):
    records = [{"id": "x", "documents": [{"text": "the RISK is low.", "ids": []}]}]
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(records, warehouse, "finqa")
    assert record["ranking"] == [f"{PAGE}#text-0"]


def test_only_passages_that_can_match_are_folded(tmp_path, monkeypatch):
    fold, seen = questions.folded, []
    monkeypatch.setattr(questions, "folded", lambda text: seen.append(text) or fold(text))
    records = [{"id": "x", "documents": [{"text": "THE  risk is low.", "ids": []}]}]
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(records, warehouse, "filings")
    assert record["ranking"] == ["S1"]
    assert sorted(seen) == ["THE  risk is low.", "The risk is low."]


def test_what_is_equal_when_folded_is_never_filtered_out():
    """Over all signs of Unicode: what the filter counts is the same after folding."""
    signs = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000]
    pairs = pa.table({"given": signs, "folded": [folded(sign) for sign in signs]})
    compared = f"{questions._COUNTS.format('given')} <> {questions._COUNTS.format('folded')}"
    with duckdb.connect() as connection:
        connection.register("pairs", pairs)
        found = connection.execute(f"select given from pairs where {compared}").fetchall()
    assert found == []


def test_each_passage_that_nobody_knows_keeps_its_rank(tmp_path):
    unread = {"text": "", "ids": []}
    records = [{"id": "x", "documents": [unread, unread, {"text": "", "ids": ["S2"]}, unread]}]
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(records, warehouse, "filings")
    assert record["ranking"] == ["'' (1)", "'' (2)", "S2", "'' (4)"]


def test_a_passage_that_nobody_knows_is_called_by_its_text(tmp_path):
    texts = ("A chunk of\nseveral  sentences.", "\x1b[2J" + "long " * 40)
    records = [{"id": "x", "documents": [{"text": text, "ids": []} for text in texts]}]
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(records, warehouse, "filings")
    first, second = record["ranking"]
    assert first == "'A chunk of several sentences.' (1)"
    assert second.startswith("'\\x1b[2Jlong long")
    assert second.endswith("… (2)")
    assert len(second) < 80


def test_the_function_of_the_guide(tmp_path, example):
    records = asked_of(example.answer, tmp_path)
    assert records["p3:Q1"]["answer"] == "Alder Works does not say so for 2021."
    assert records["p3:Q4"]["abstained"] is True
    assert parse_prediction(records["p3:Q1"])["output_tokens"] == 8


@pytest.mark.parametrize("name", ["chain", "engine"])
def test_the_chain_and_the_engine_of_the_guide(tmp_path, example, name):
    record = asked_of(getattr(example, name), tmp_path)["p3:Q2"]
    assert record["answer"] == "The risk is low."
    assert record["ranking"][0] == "S1"
    assert record["ranking"][1] == "'Sales rose.' (2)"
    assert record["citations"] == ["S1"]


def test_the_traces_of_the_guide(tmp_path):
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(read_traces(EXAMPLES / "traces.json"), warehouse, "filings")
    # Two sentences have that text; the first id counts.
    assert record == {
        "question": SALES,
        "answer": "$120.5 million",
        "ranking": ["S2"],
        "citations": ["S2"],
        "latency_ms": 840.0,
        "input_tokens": 900,
        "output_tokens": 12,
    }


def test_a_service_is_asked_some_questions_once(tmp_path):
    path = write_warehouse(tmp_path / "w.duckdb")
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "year = 2022", None)
    reply = {"answer": "Yes", "citations": ["S1"], "sources": [{"sentence_id": "S1", "score": 2}]}
    with ServiceStub(lambda request: reply) as stub:
        run = Run(stub.url, path, "mine")
        for _ in range(2):
            kind, settings = evaluate._asked_of(run, asked, tmp_path / "eval", str(tmp_path))
        assert len(stub.requests) == 2
    assert kind == "external_file"
    lines = Path(settings["predictions_path"]).read_text().splitlines()
    assert [parse_prediction(json.loads(line))["item_key"] for line in lines] == ["p3:Q2", "p3:Q3"]
    parsed = parse_prediction(json.loads(lines[0]))
    assert [one["passage_id"] for one in parsed["citations"]] == ["S1"]
    assert parsed["sources"][0]["score"] == 2.0


def test_a_service_is_asked_a_whole_public_set_with_its_documents(tmp_path):
    path = write_warehouse(tmp_path / "w.duckdb")
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "", None, "finqa")
    place = {"document": "AW_2021_10K", "page": 4}
    reply = {"answer": ["5", "6"], "program": "add(2, 3)", "citations": [place], "scale": "million"}
    with ServiceStub(lambda request: {**reply, "ranking": [place]}) as stub:
        run = Run(stub.url, path, "mine")
        kind, settings = evaluate._asked_of(run, asked, tmp_path / "eval", str(tmp_path))
        assert [one["filters"]["documents"] for one in stub.requests] == [[PAGE]] * 3
    assert kind == "external_file"
    lines = Path(settings["predictions_path"]).read_text().splitlines()
    parsed = parse_prediction(json.loads(lines[0]))
    assert parsed["item_key"] == f"{PAGE}-1"
    assert (parsed["answer"], parsed["program"], parsed["scale"]) == (
        '["5", "6"]',
        "add(2, 3)",
        "million",
    )
    for name in ("citations", "sources"):
        assert [(one["document"], one["page"]) for one in parsed[name]] == [("AW_2021_10K", 4)]


@pytest.mark.parametrize(
    ("reply", "has_answer", "faults"),
    [
        ({"answer": None, "ranking": ["S1"]}, True, []),
        ({"ranking": ["S1"]}, False, []),
        ({"answer": "5", "numeric_value": math.nan}, True, ["bad_numeric_value"]),
        ({"answer": "5", "numeric_value": "NaN"}, True, ["bad_numeric_value"]),
        ({"answer": "5", "ranking": ["S1", {"text": "A chunk."}]}, True, ["bad_source"]),
        (
            {"answer": "5", "ranking": [{"text": "A"}, {"text": "B"}], "citations": [{"of": "A"}]},
            True,
            ["bad_citation", "bad_source", "bad_source"],
        ),
    ],
)
def test_an_answer_that_is_none_is_none_whoever_asks(tmp_path, reply, has_answer, faults):
    """A service that is asked some questions, and a function, as a file with that record."""
    path = write_warehouse(tmp_path / "w.duckdb")
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "year = 2022", None)
    with ServiceStub(lambda request: reply) as stub:
        run = Run(stub.url, path, "mine")
        _, settings = evaluate._asked_of(run, asked, tmp_path / "eval", str(tmp_path))
    served = Path(settings["predictions_path"]).read_text().splitlines()[0]
    run = Run(lambda question: reply, path, "own")
    _, settings = evaluate._asked_of(run, asked, tmp_path / "own", str(tmp_path))
    called = Path(settings["predictions_path"]).read_text().splitlines()[0]
    for record in ({"id": "p3:Q2", **reply}, json.loads(served), json.loads(called)):
        parsed = parse_prediction(record)
        found = [one["fault_code"] for one in parsed["faults"]]
        assert (parsed["has_answer"], found) == (has_answer, faults), record


def test_a_function_of_another_version_is_asked_again(tmp_path):
    path = write_warehouse(tmp_path / "w.duckdb")
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "year = 2022", None)
    called = []
    for version in ("", "1.0", "2.0", "", "1.0"):
        run = Run(lambda question: called.append(question) or "yes", path, "own", version=version)
        evaluate._asked_of(run, asked, tmp_path / "own", str(tmp_path))
    assert len(called) == 3 * 2


def framework(name):
    """A module of a framework; absent is no excuse where `make test-frameworks` put it there."""
    if os.environ.get("FINRAG_REQUIRE_FRAMEWORKS"):
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is absent: see `make test-frameworks`")


def test_a_real_runnable_of_langchain(tmp_path):
    runnables = framework("langchain_core.runnables")
    system = runnables.RunnableLambda(lambda question: f"About {question}")
    assert asked_of(system, tmp_path)["p3:Q4"]["answer"] == "About Who audits it?"


def test_a_real_query_engine_of_llamaindex(tmp_path):
    engines = framework("llama_index.core.query_engine")

    class Fixed(engines.CustomQueryEngine):
        def custom_query(self, query_str):
            return f"About {query_str}"

    assert asked_of(Fixed(), tmp_path)["p3:Q4"]["answer"] == "About Who audits it?"


def test_a_file_that_is_not_there_is_named(tmp_path):
    path = write_warehouse(tmp_path / "w.duckdb")
    with pytest.raises(ValueError, match="is neither a file"):
        evaluated(Run("preds.jsonl", path))


RIGHTS = {"p3:Q1": 1.0, "p3:Q2": 1.0, "p3:Q3": 0.0, "p3:Q4": 0.0}


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Runs on a warehouse of systems in a file; what would be built or scored is kept.

    Systems of the project that the run declares are in the third value, by id.
    """
    path = write_warehouse(tmp_path / "w.duckdb", rights=RIGHTS, outcome="do_not_release")
    (tmp_path / "answers.jsonl").write_text('{"id": "Q1", "answer": "5"}\n')
    built, scored = [], {}
    monkeypatch.setattr(evaluate, "_build", lambda _, variables, __: built.append(variables))

    with contextlib.ExitStack() as stack:

        def score(database, system_id, seeds, settings, is_whole):
            scored.update({row["system_id"]: row for row in resolve_systems(*seeds, settings)})
            beside = shutil.copy(database, tmp_path / f"beside_{len(list(tmp_path.iterdir()))}")
            return stack.enter_context(open_warehouse(Path(beside)))

        def run(source, *entries, **given):
            (tmp_path / "systems.yml").write_text(json.dumps({"systems": entries}))
            variables = {"systems_paths": str(tmp_path / "systems.yml"), "state_dir": str(tmp_path)}
            return evaluated(Run(source, path, variables=variables, **given))

        monkeypatch.setattr(evaluate, "score_beside", score)
        monkeypatch.setattr(evaluate, "rejected_lines", lambda *_: [])
        monkeypatch.setattr(evaluate, "missing_lines", lambda *_: [])
        yield run, built, scored


def in_file(folder, **more):
    settings = {"predictions_path": str(folder / "answers.jsonl"), "depth": 7}
    return {"system_id": "mine", "system_kind": "external_file", "settings": settings, **more}


def test_a_build_that_would_replace_another_corpus_is_refused(runs, tmp_path):
    run, built, _ = runs
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("update retrieval.runs set corpus = 'filings'")
    with pytest.raises(
        ValueError, match="holds the corpus 'filings', and the dbt vars name 'sample'"
    ):
        run("mine", in_file(tmp_path), is_built=True)
    assert built == []


def test_a_run_beside_a_warehouse_whose_checks_failed_releases_nothing(runs, tmp_path):
    run, _, _ = runs
    database = tmp_path / "w.duckdb"

    def answered(failed):
        write_build_record(database, tmp_path, {}, failed)
        outcome, _ = run(lambda question, documents: "4 %", name="mine", gold="finqa", limit=2)
        return outcome

    assert answered([]).status == 3
    outcome = answered(["answers_add_up", "passages_are_known"])
    assert outcome.status == 1
    assert outcome.headline == (
        "Do not release mine: a check of the last build failed (answers_add_up and 1 more); mend "
        "that and build again."
    )


def test_a_function_is_scored_on_a_public_set_as_a_system_of_public_sets(runs, tmp_path):
    run, built, scored = runs
    asked = []

    def mine(question, documents):
        asked.append((question, documents))
        return "4 %"

    found, _ = run(mine, name="mine", gold="finqa", where="question like '%growth%'")
    assert asked == [("what was the growth of sales?", [PAGE])]
    assert (scored["mine"]["answer_sets"], scored["mine"]["role"]) == ("public", "reference")
    (line,) = Path(scored["mine"]["predictions_path"]).read_text().splitlines()
    assert json.loads(line)["id"] == f"{PAGE}-1"
    assert (found.gold, found.status, built) == ("finqa", 3, [])

    run(mine, name="mine", gold="finqa")
    assert len(asked) == 3
    assert (scored["mine"]["role"], built) == ("candidate", [])
    run(mine, name="mine", gold="finqa", is_built=True)
    assert len(asked) == 3
    assert built[0]["candidate"] == ["mine"]


def test_a_system_of_the_project_is_the_candidate_with_a_build_and_without(runs, tmp_path):
    run, built, scored = runs
    found, path = run("mine", in_file(tmp_path))
    assert (scored["mine"]["role"], built, found.is_stored) == ("candidate", [], False)
    assert (found.headline, found.status) == ("It is do_not_release.", 1)

    found, path = run("mine", in_file(tmp_path), is_built=True)
    assert [one["candidate"] for one in built] == [["mine"]]
    assert built[0]["systems_paths"] == str(tmp_path / "systems.yml")
    assert (found.headline, found.status) == ("It is do_not_release.", 1)
    (gate,) = json.loads(path.read_text())["gates"]
    assert (gate["gate"], gate["state"], gate["limit"], gate["n"]) == (
        "right_answers@mine",
        "fail",
        0.7,
        4,
    )


def test_a_system_of_the_project_keeps_its_name(runs, tmp_path):
    run, built, _ = runs
    with pytest.raises(ValueError, match="leave out --name"):
        run("mine", in_file(tmp_path), name="other")
    assert built == []


def test_answers_in_a_file_of_the_project_are_scored_on_some_questions(runs, tmp_path):
    run, built, scored = runs
    entry = in_file(tmp_path, compare_with=["multi_path"])
    found, _ = run("mine", entry, where="year = 2022")
    assert sorted(found.items) == ["p3:Q2", "p3:Q3"]
    assert found.headline.startswith("Smoke run of mine on 2 of 4 questions")
    row = scored["mine"]
    assert (row["predictions_path"], row["depth"]) == (str(tmp_path / "answers.jsonl"), 7)
    assert (row["role"], row["compare_with"], built) == ("reference", ["multi_path"], [])

    run("mine", entry, gold="finqa", is_built=True)
    (written,) = built[0]["systems_paths"]
    row, _ = json.loads(Path(written).read_text())["systems"]
    assert row["settings"]["answer_sets"] == "public"


def test_the_file_that_declares_a_system_is_never_written_to(runs, tmp_path):
    kept = tmp_path / "eval" / "mine" / "systems.yml"
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps({"systems": [in_file(tmp_path)]}))
    before = kept.read_bytes()
    variables = {"systems_paths": str(kept), "state_dir": str(tmp_path)}
    for _ in range(2):
        evaluated(Run("mine", tmp_path / "w.duckdb", variables=variables, limit=2))
    assert kept.read_bytes() == before


def test_a_service_of_the_project_is_asked_some_questions_as_it_is_declared(runs, tmp_path):
    run, built, scored = runs
    with ServiceStub(lambda request: {"text": "Yes", "ranking": ["S1"]}) as stub:
        settings = {"service_url": stub.url, "service_fields": "question=q, answer=text"}
        entry = {"system_id": "mine", "system_kind": "external_http", "settings": settings}
        entry["settings"] |= {"system_version": "v7", "depth": 3}
        later = {"system_id": "later", "based_on": "mine", "settings": {"service_path": "v2"}}
        found, _ = run("mine", entry, later, limit=2)
        assert [sorted(one) for one in stub.requests] == [["filters", "q", "top_k"]] * 2
        run("mine", entry, later, limit=3)
        assert len(stub.requests) == 3
    assert (len(found.items), built) == (2, [])
    row = scored["mine"]
    assert (row["system_kind"], row["depth"], row["system_version"]) == ("external_file", 3, "v7")
    assert json.loads(Path(row["predictions_path"]).read_text().splitlines()[0])["answer"] == "Yes"
    # A system that is based on it is what it was.
    assert (scored["later"]["service_url"], scored["later"]["service_path"]) == (stub.url, "v2")


def test_a_system_that_describes_lines_is_asked_no_question(runs):
    run, built, _ = runs
    entry = {"system_id": "mine", "system_kind": "line_description", "settings": {}}
    with pytest.raises(ValueError, match="mine describes revenue lines"):
        run("mine", entry)
    assert built == []


@pytest.mark.parametrize("is_there", [True, False])
def test_a_system_that_the_build_runs_is_read_from_the_warehouse(runs, tmp_path, is_there):
    run, built, scored = runs
    entry = {"system_id": "mine", "system_kind": "bm25", "settings": {"asks": "questions"}}
    (tmp_path / "systems.yml").write_text(json.dumps({"systems": [entry]}))
    settings = all_variables(json.dumps({"systems_paths": [str(tmp_path / "systems.yml")]}))
    rows = resolve_systems(*system_seeds(), settings)
    (row,) = [one for one in rows if one["system_id"] == "mine"]
    known = row["settings_hash"] if is_there else "of other settings"
    (tmp_path / "w.duckdb").unlink()
    write_warehouse(tmp_path / "w.duckdb", rights=RIGHTS, settings_hash=known)
    if is_there:
        found, _ = run("mine", entry, limit=2)
        assert (len(found.items), found.is_stored) == (2, True)
    else:
        with pytest.raises(ValueError, match="give --build, or run `finrag build`"):
            run("mine", entry, limit=2)
    assert (built, scored) == ([], {})
    run("mine", entry, limit=2, is_built=True)
    assert [one.get("candidate") for one in built] == [None]
    # It answers all questions in a build alone.
    run("mine", entry)
    assert [one.get("candidate") for one in built] == [None, ["mine"]]


@pytest.mark.parametrize(("raised", "status"), [("BrokenBuildError", 1), ("ValueError", 2)])
def test_a_build_that_broke_is_told_from_one_that_could_not_run(monkeypatch, raised, status):
    def fail(run):
        raise {"ValueError": ValueError, "BrokenBuildError": evaluate.BrokenBuildError}[raised]("x")

    monkeypatch.setattr(evaluate, "evaluate", fail)
    assert main(["eval", "my_rag:answer"]) == status


@pytest.mark.parametrize(
    ("is_allowed", "status"), [("true", 0), ("false", 3)], ids=["allowed", "not allowed"]
)
def test_a_run_that_cannot_tell_fails_unless_that_is_allowed(
    tmp_path, monkeypatch, capsys, is_allowed, status
):
    found = outcome(tmp_path, WHOLE, rights={"p3:Q1": 1.0}, outcome="cannot_tell")
    path = write_record(found, tmp_path)
    monkeypatch.setattr(evaluate, "evaluate", lambda run: (found, path))
    assert main(["eval", "my_rag:answer", "--vars", f"allow_undecided: {is_allowed}"]) == status
    assert ("exit status 0 instead of 3" in capsys.readouterr().err) == (status == 0)
    # The verdict itself is what it was.
    assert json.loads(path.read_text())["status"] == 3


@pytest.mark.parametrize("name", ["candidate", "Mine", "multi_path", "x y"])
def test_a_name_that_is_taken_or_none_is_refused(name):
    with pytest.raises(ValueError, match=r"cannot name|name of a shipped system"):
        evaluate._check_name(name, [{"system_id": "multi_path"}])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("my_rag:answer", "my_rag"),
        ("rags.fast:answer", "rags_fast"),
        ("my_rag:chain", "my_rag_chain"),
        (evaluated, "tests_unit_test_evaluating_evaluated"),
        ("http://localhost:8080", "service"),
        ("runs/My Run.jsonl", "my_run"),
        (SALES.upper, "upper"),
    ],
)
def test_a_system_is_named_after_its_source(source, expected):
    assert Run(source, Path("w")).system_id == expected


@pytest.mark.parametrize("others", [(), EMPTY])
def test_a_warehouse_of_another_version_is_named_with_the_remedy(tmp_path, others):
    database = tmp_path / "old.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema gold")
        for name in ("items", *others):
            connection.execute(f"create table gold.{name} as select 1 as nothing_of_today")
    with pytest.raises(ValueError, match=r"was built by another version .* run `finrag"):
        score_beside(database, ["mine"], system_seeds(), all_variables("{}"))


def test_a_verdict_beside_the_warehouse_reads_no_table_of_the_system_alone():
    """What is read of all systems was joined before; a model added later must not slip through."""
    project = project_folder()
    anew = models_behind(project, "py_systems_read") - beside._STANDING
    files = {
        path.stem: path
        for folder, ending in (("models", "sql"), ("python_models", "py"))
        for path in (project / folder).rglob(f"*.{ending}")
    }

    def made_with(*names):
        found, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name in anew and name not in found and name not in EMPTY:
                found.add(name)
                waiting += models_read(files[name])
        return found

    alone = made_with(*beside._ALONE, *beside._ALONE_OF_ALL)
    joined = {*beside._PAIRED, *beside.JOINED}
    later = made_with(*beside._SUMMARISED, beside.COMPARED, *beside.VERDICTS) - alone
    # Nulls of answers are those of every system; measures of the warehouse are those of ours.
    of_ours = {"int_answer_values", "int_integrity_measured"}
    read = {name: set(models_read(files[name])) & alone - joined - of_ours for name in later}
    assert {name: tables for name, tables in read.items() if tables} == {}
    assert {"py_values_summarised", "py_systems_compared", "py_gates_checked"} <= later


def test_rows_of_others_are_joined_from_the_warehouse_and_ours_are_those_made(tmp_path):
    """Columns go by name, a row without a system is the warehouse's, and ours there are old."""
    database = tmp_path / "w.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema metrics")
        connection.execute(
            "create table metrics.runs as select * from (values ('mine', 1), ('base', 2), "
            "('rest', 3), (null, 4)) as t (system_id, n)"
        )
    made = pa.table({"n": [10, 11], "system_id": ["mine", "base"]})

    def joined(others="true"):
        models = ModelsInMemory(project_folder(), {}, {"runs": made}, {}, warehouse=database)
        models.join(["runs"], "system_id in ('mine')", others)
        rows = models.over_warehouse((), (), whole=["runs"]).rows("from metrics.runs order by n")
        return [(row["system_id"], row["n"]) for row in rows]

    assert joined() == [("base", 2), ("rest", 3), (None, 4), ("mine", 10)]
    assert joined("system_id = 'base'") == [("base", 2), ("mine", 10)]
    models = ModelsInMemory(project_folder(), {}, {"nowhere": made}, {}, warehouse=database)
    with pytest.raises(ValueError, match=r"no table 'nowhere'.* run `finrag build`"):
        models.join(["nowhere"], "true")

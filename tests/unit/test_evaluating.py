"""What `finrag eval` reads of a warehouse: questions, places of passages, and the verdict."""

import functools
import importlib.util
import io
import json
import math
import os
from pathlib import Path

import duckdb
import pytest

from finrag.command.cli import main
from finrag.command.evaluating import evaluate
from finrag.command.evaluating.asking import ask_all
from finrag.command.evaluating.beside import EMPTY, score_beside
from finrag.command.evaluating.callables import asker
from finrag.command.evaluating.evaluate import Run
from finrag.command.evaluating.outcome import (
    read_outcome,
    read_record,
    screen_lines,
    write_record,
)
from finrag.command.evaluating.questions import choose, with_places
from finrag.command.evaluating.traces import read_traces
from finrag.command.settings import all_variables, system_seeds
from finrag.sources.predictions.fields import parse_prediction
from finrag.warehouse import open_warehouse
from tests.unit.evaluated_warehouse import GATE, SALES, write_warehouse
from tests.unit.service_stub import ServiceStub

EXAMPLES = Path(__file__).parents[2] / "docs" / "guides" / "examples"
SETTINGS = {"bootstrap_resamples": 200, "bootstrap_seed": 7}


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("my_rag", EXAMPLES / "my_rag.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(folder, asked, **written):
    path = write_warehouse(folder / "w.duckdb", **written)
    with open_warehouse(path) as warehouse:
        return read_outcome(warehouse, "mine", choose(warehouse, *asked), SETTINGS)


WHOLE = ("", None)
SOME = ("category in ('A', 'B', 'G')", None)


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


@pytest.mark.parametrize(
    ("verdict", "status"), [("release", 0), ("do_not_release", 1), ("cannot_tell", 3)]
)
def test_a_whole_run_has_the_verdict_of_the_build(tmp_path, verdict, status):
    rights = {"p3:Q1": 1.0, "p3:Q2": 1.0, "p3:Q3": 0.0, "p3:Q4": 0.0}
    found = outcome(tmp_path, WHOLE, rights=rights, outcome=verdict)

    assert (found.status, found.headline, found.is_smoke) == (status, f"It is {verdict}.", False)
    path = write_record(found, tmp_path)
    assert read_record(path)[0] == "mine 1.4"
    lines = screen_lines(found, Path("w.duckdb"))
    assert lines[2] == "  asked 4 = 4 answered"
    assert lines[3] == (
        "  right answers: 0.500 [0.100, 0.900] (n = 4); best reference reference –, strongest "
        "null 0.050"
    )
    assert "fail error right_answers@mine: 0.500, should be at least 0.7 (n = 4)" in lines[7]
    assert len(lines) < 12


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
    assert "Release" not in "\n".join(screen_lines(found, Path("w")))
    assert found.figures[0].startswith("right answers: 1.000 [")
    assert "(n = 3); best reference multi_path 0.500" in found.figures[0]
    assert sorted(found.items) == ["p3:Q1", "p3:Q2", "p3:Q3"]


FAILED = {**GATE, "gate_id": "failed_answers", "metric": "answers_failed", "unit": "any"}
FAILED |= {"slice_name": "overall", "direction": "max", "limit_value": 0.02, "min_n": 1}


@pytest.mark.parametrize(
    ("rights", "outcomes", "gates", "status", "broken"),
    [
        ({"p3:Q1": 1.0, "p3:Q2": 0.0, "p3:Q3": 0.0}, None, [GATE], 1, ["right_answers: 0.333"]),
        ({"p3:Q1": 0.0}, None, [{**GATE, "min_n": 4}], 3, []),
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
    assert [line.split(" error ")[1].partition(",")[0] for line in found.gates] == broken


def test_all_questions_of_a_tiny_suite_are_a_smoke_run(tmp_path):
    gates = [{**GATE, "min_n": 30}]
    found = outcome(tmp_path, WHOLE, rights={"p3:Q1": 1.0}, gates=gates, outcome="release")
    assert found.is_smoke
    assert found.status == 3


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
        records = ask_all(questions, asker(system, 5), folder, "v", 2, 5.0, io.StringIO())
        return {record["id"]: record for record in with_places(records, warehouse)}


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
    assert record["ranking"][1].startswith("no_sentence_")
    assert record["citations"] == ["S1"]


def test_the_traces_of_the_guide(tmp_path):
    with open_warehouse(write_warehouse(tmp_path / "w.duckdb")) as warehouse:
        (record,) = with_places(read_traces(EXAMPLES / "traces.json"), warehouse)
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


@pytest.mark.parametrize(
    ("reply", "has_answer", "faults"),
    [
        ({"answer": None, "ranking": ["S1"]}, True, []),
        ({"ranking": ["S1"]}, False, []),
        ({"answer": "5", "numeric_value": math.nan}, True, ["bad_numeric_value"]),
        ({"answer": "5", "numeric_value": "NaN"}, True, ["bad_numeric_value"]),
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
    with open_warehouse(path) as warehouse:
        asked = choose(warehouse, "", None)
    with pytest.raises(ValueError, match="is neither an existing file"):
        evaluate._asked_of(Run("preds.jsonl", path), asked, tmp_path, str(tmp_path))


@pytest.fixture
def declared(tmp_path, monkeypatch):
    """A run of a system of the project; the build is left out, and its variables are kept."""
    rights = {"p3:Q1": 1.0, "p3:Q2": 1.0, "p3:Q3": 0.0, "p3:Q4": 0.0}
    path = write_warehouse(tmp_path / "w.duckdb", rights=rights, outcome="do_not_release")
    (tmp_path / "answers.jsonl").write_text('{"id": "Q1", "answer": "5"}\n')
    settings = {"predictions_path": str(tmp_path / "answers.jsonl")}
    entry = {"system_id": "mine", "system_kind": "external_file", "settings": settings}
    (tmp_path / "systems.yml").write_text(json.dumps({"systems": [entry]}))
    built = []
    monkeypatch.setattr(evaluate, "_build", lambda _, variables, __: built.append(variables))
    variables = {"systems_paths": str(tmp_path / "systems.yml"), "state_dir": str(tmp_path)}
    return functools.partial(Run, "mine", path, variables=variables), built


def test_a_system_of_the_project_is_the_candidate_of_a_build(declared, tmp_path):
    run, built = declared
    found, path = evaluate._evaluate(run())
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


@pytest.mark.parametrize("given", [{"limit": 3}, {"where": "year = 2022"}, {"name": "other"}])
def test_a_system_of_the_project_is_asked_everything(declared, given):
    run, built = declared
    with pytest.raises(ValueError, match="leave out --where, --limit and --name"):
        evaluate._evaluate(run(**given))
    assert built == []


@pytest.mark.parametrize(("raised", "status"), [("BrokenBuildError", 1), ("ValueError", 2)])
def test_a_build_that_broke_is_told_from_one_that_could_not_run(monkeypatch, raised, status):
    def fail(run):
        raise {"ValueError": ValueError, "BrokenBuildError": evaluate.BrokenBuildError}[raised]("x")

    monkeypatch.setattr(evaluate, "evaluate", fail)
    assert main(["eval", "my_rag:answer"]) == status


@pytest.mark.parametrize("name", ["candidate", "Mine", "multi_path", "x y"])
def test_a_name_that_is_taken_or_none_is_refused(name):
    with pytest.raises(ValueError, match=r"cannot name|is shipped"):
        evaluate._check_name(name, [{"system_id": "multi_path"}])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("my_rag:answer", "answer"),
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
    with pytest.raises(ValueError, match=r"does not fit this version .* run `finrag build` first"):
        score_beside(database, "mine", system_seeds(), all_variables("{}"))

"""`finrag score` gives what the warehouse gives for the same answers, to the last digit."""

import json
import math
import os
from pathlib import Path

import pytest

from finrag.command.scoring.score import RECORDS, SUMMARIES, SYSTEMS, open_models, score_files
from finrag.command.settings import all_variables
from finrag.sources.benchmarks import read_catalogue
from finrag.sources.benchmarks.files import gold_files
from finrag.sources.benchmarks.reading import read_files
from finrag.sources.corpus import benchmark_paths
from tests.warehouse.test_benchmarks import write_lines

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
KEY = ("gold_set", "slice_name", "slice_value", "metric", "mode")
FIGURES = (
    *("mean", "mean_of_asked", "ci_low", "ci_high", "ci_method", "n_asked", "n_evaluated"),
    *("n_uncovered", "n_abstained", "n_failed", "n_not_run", "n_unscored", "n_clusters"),
)


def summaries(warehouse, gold_set, system_id):
    """What the warehouse says of a system's answers to a set, by key."""
    rows = warehouse.rows(
        f"""
        select * from metrics.metric_summaries
        where unit = 'answer' and slice_name in ('overall', 'file')
            and gold_set = '{gold_set}' and system_id = '{system_id}'
        """
    )
    return {tuple(row[name] for name in KEY): figures(row) for row in rows}


def figures(row):
    return {name: row[name] for name in FIGURES}


def scored(gold_set, files, folders, system_id):
    result = score_files(gold_set, files, folders, all_variables("{}"))
    rows = [row for row in result.summaries if row["system_id"] == system_id]
    return {tuple(row[name] for name in KEY): figures(row) for row in rows}


def answers_of(warehouse, gold_set, system_id):
    """The answers of a system of the warehouse, as a file would have them."""
    rows = warehouse.rows(
        f"""
        select
            items.question_id, answers.outcome, answers.answer, answers.speaker, answers.role,
            answers.is_citing,
            list(answer_citations.passage_id order by answer_citations.citation_pos)
                filter (where answer_citations.passage_id is not null) as cited
        from answers.answers
        inner join gold.items using (item_id)
        left join answers.answer_citations using (system_id, item_id)
        where answers.gold_set = '{gold_set}' and answers.system_id = '{system_id}'
        group by all order by items.question_id
        """
    )
    return [
        {
            "question_id": row["question_id"],
            "system": system_id,
            "answer": None if row["answer"] is None else json.loads(row["answer"]),
            "is_abstained": row["outcome"] == "abstained",
            **{name: row[name] for name in ("speaker", "role") if row[name] is not None},
            **({"citations": row["cited"] or []} if row["is_citing"] else {}),
        }
        for row in rows
        if row["outcome"] in ("answered", "abstained")
    ]


@pytest.fixture(scope="module")
def sample_sets(sample):
    return benchmark_paths("sample", [], str(sample.state))


def test_the_file_of_the_sample_scores_as_in_the_warehouse(sample, sample_sets):
    (folder,) = sample_sets
    file = Path(folder) / "financebench" / "predictions" / "invented_rag.jsonl"
    expected = summaries(sample, "financebench", "invented_rag")
    found = scored("financebench", [file], sample_sets, "invented_rag")
    assert len(found) >= 7
    assert found == {key: row for key, row in expected.items() if key[1] == "overall"}


@pytest.mark.parametrize("system_id", ["multi_path", "naive_rag", "bm25_open"])
@pytest.mark.parametrize("gold_set", ["finqa", "financebench", "nested_queries", "earnings_calls"])
def test_answers_of_the_warehouse_score_the_same_from_a_file(
    sample, sample_sets, tmp_path, gold_set, system_id
):
    """A system of the project has no programs and labels; what it has is the same.

    Claims are left out: they stand in the words around an answer, which such a file lacks.
    """
    answers = answers_of(sample, gold_set, system_id)
    if not answers:
        pytest.skip(f"{system_id} answers nothing of {gold_set}")
    write_lines(tmp_path / "answers.jsonl", answers)
    expected = summaries(sample, gold_set, system_id)
    found = scored(gold_set, [tmp_path / "answers.jsonl"], sample_sets, system_id)

    of_claims = "select metric from seeds.metric_catalogue where measured_by = 'claims'"
    left_out = {row["metric"] for row in sample.rows(of_claims)}
    expected_here = {key for key in expected if key[1] == "overall" and key[3] not in left_out}
    shared = found.keys() & expected_here
    assert shared == expected_here
    assert {key: found[key] for key in shared} == {key: expected[key] for key in shared}


# Sets whose files lie below the folder of shared data, and runs of other systems beside them.
SETS = (
    *("finqa", "convfinqa", "tatqa", "multihiertt", "financebench", "finder", "financial_qa_10k"),
    *("multihop_rag", "kgrag", "finance_agent", "earnings_calls"),
)
FOLDERS = ("qa", "financebench_pages", "kgrag_docs", "transcripts")
RUNS = {
    ("finqa", "finqa"): ("finqa.predictions", "finqa.predictions.eval"),
    ("finqa", "finqa_naive"): ("finqa_naive.predictions", "finqa_naive.predictions.eval"),
    ("finder", "finder_naive"): ("finder_naive.predictions", "finder_naive.predictions.eval"),
    ("financebench", "financebench_naive"): (
        *("financebench_naive.predictions", "financebench_naive.predictions.eval"),
    ),
}


# Of the wrong answers some are none, however they are written; what else they state is no answer.
NOTHING = ({"answer": None}, {"answer": ""}, {"answer": math.nan}, {"answer": "7", "error": "late"})


def made_up(gold_set, folders):
    """Answers to a set, in turn right, wrong or none, withheld and declined; some with citations.

    Of what is withheld some has a ranking.
    """
    records = read_files(gold_files(folders, gold_set, read_catalogue())).to_pylist()
    evidence = {
        judgment["question_id"]: judgment for row in records for judgment in row["judgments"] or ()
    }
    questions = [question for row in records for question in row["questions"] or ()]
    for number, question in enumerate(sorted(questions, key=lambda each: each["question_id"])):
        named = evidence.get(question["question_id"], {})
        place = named.get("passage_id") or {
            "document": named.get("document"),
            "page_num": named.get("page"),
        }
        if number % 4 == 2:
            if number % 8 == 2 and named.get("document"):
                yield {"question_id": question["question_id"], "ranking": [place]}
            continue
        yield {
            "question_id": question["question_id"],
            "answer": [(question["answers"] or ["yes"])[0], "17 percent", None, None][number % 4],
            "is_abstained": number % 4 == 3,
            **({"program": question["program"]} if number % 8 == 0 else {}),
            **({"scale": question["scale"]} if question["scale"] is not None else {}),
            **({"citations": [place]} if number % 3 == 0 and named.get("document") else {}),
            **(NOTHING[number // 8 % 4] if number % 8 == 5 else {}),
        }


@pytest.fixture(scope="module")
def real(sample, tmp_path_factory):
    """The sample's warehouse over the shared sets, with the models that answers in files need."""
    if not (SHARED / "qa").is_dir():
        pytest.skip(f"no shared data at {SHARED}")
    folder = tmp_path_factory.mktemp("scored") / "warehouse"
    warehouse = sample.copy(folder, benchmarks_paths=["sets"], systems_paths=["systems.yml"])
    sets = folder / "sets"
    sets.mkdir()
    for name in FOLDERS:
        (sets / name).symlink_to(SHARED / name)
    own = []
    for name in SETS:
        answers = list(made_up(name, [str(sets)]))
        write_lines(sets / name / "predictions" / "mine.jsonl", answers)
        own += [{**row, "question_id": f"{name}:{row['question_id']}"} for row in answers]
    write_lines(folder / "own.jsonl", own)
    entry = {
        "system_id": "own",
        "system_kind": "external_file",
        "settings": {"predictions_path": "own.jsonl"},
    }
    (folder / "systems.yml").write_text(json.dumps({"systems": [entry]}))
    for files in RUNS.values():
        for file in files:
            (sets / f"{file}.jsonl.gz").symlink_to(SHARED / "arag_runs" / f"{file}.jsonl.gz")
    file = sets / "finqa" / "predictions" / "mine.jsonl"
    models = open_models("finqa", [file], [str(sets)], all_variables("{}")).models
    models.table(SUMMARIES)
    # Agents read their questions as answerers do.
    read = ("py_external_rows_read", "parsed_questions", RECORDS, SYSTEMS)
    status = warehouse.build("--select", *read, *models.run)
    assert status == 0, warehouse.log
    return warehouse


def test_runs_of_other_systems_score_as_in_the_warehouse(real):
    sets = real.folder / "sets"
    for (gold_set, system_id), files in RUNS.items():
        paths = [sets / f"{file}.jsonl.gz" for file in files]
        expected = summaries(real, gold_set, system_id)
        found = scored(gold_set, paths, [str(sets)], system_id)
        assert found, system_id
        assert found == {key: expected[key] for key in found}, system_id
        whole = {key for key in expected if key[1] == "overall"}
        assert whole <= found.keys(), system_id


def test_published_answers_to_financebench_score_as_in_the_warehouse(real):
    sets = real.folder / "sets"
    file = sets / "qa" / "financebench_model_answers.jsonl.gz"
    expected = summaries(real, "financebench", "gpt-4 oracle")
    found = scored("financebench", [file], [str(sets)], "gpt-4 oracle")
    assert found == {key: row for key, row in expected.items() if key[1] == "overall"}
    assert found


@pytest.mark.parametrize("gold_set", SETS)
def test_answers_to_every_set_score_as_in_the_warehouse(real, gold_set):
    sets = real.folder / "sets"
    file = sets / gold_set / "predictions" / "mine.jsonl"
    expected = summaries(real, gold_set, "mine")
    found = scored(gold_set, [file], [str(sets)], "mine")
    assert any(row["n_evaluated"] for row in found.values())
    assert found == {key: expected[key] for key in found}
    assert {key for key in expected if key[1] == "overall"} <= found.keys()


@pytest.mark.parametrize("gold_set", SETS)
def test_an_answer_that_is_none_failed_whichever_file_holds_it(real, gold_set):
    """In the folder of a set, in a registered file and for `finrag score`; and it has 0."""
    rows = real.rows(
        f"""
        select
            answers.system_id, answers.item_id, answers.outcome, answers.failure,
            answers.n_citations
        from answers.answers
        where gold_set = '{gold_set}' and system_id in ('mine', 'own')
        """
    )
    by_system = {
        system_id: {
            row["item_id"]: (row["outcome"], row["failure"], row["n_citations"])
            for row in rows
            if row["system_id"] == system_id
        }
        for system_id in ("mine", "own")
    }
    of_file = {
        item_id: outcome
        for item_id, outcome in by_system["mine"].items()
        if outcome[0] in ("failed", "not_run")
    }
    assert {outcome for outcome, _, _ in of_file.values()} == {"failed", "not_run"}
    assert of_file == {item_id: by_system["own"][item_id] for item_id in of_file}
    assert all(n_citations == 0 for _, _, n_citations in of_file.values())

    file = real.folder / "sets" / gold_set / "predictions" / "mine.jsonl"
    result = score_files(gold_set, [file], [str(real.folder / "sets")], all_variables("{}"))
    for name in ("failed", "not_run"):
        n_found = sum(outcome[0] == name for outcome in of_file.values())
        assert result.outcomes["mine"][name] == n_found
    values = real.rows(
        f"""
        select metric_catalogue.counts_failure, metric_values.value_status, metric_values.value
        from metrics.metric_values
        inner join seeds.metric_catalogue using (metric, k, unit, mode)
        inner join answers.answers using (system_id, gold_set, item_id)
        where gold_set = '{gold_set}' and system_id = 'mine' and unit = 'answer'
            and mode in ('official', 'strict') and value_status <> 'uncovered'
            and answers.outcome = 'failed'
        """
    )
    # A verdict of somebody is no measure of an answer that is none.
    expected = {True: ("evaluated", 0.0), False: ("failed", None)}
    assert any(row["counts_failure"] for row in values)
    for row in values:
        assert (row["value_status"], row["value"]) == expected[row["counts_failure"]]

"""What a person sees before and after a build."""

import json

import duckdb
import pytest

from finrag.cli import main
from finrag.preflight import check_build, merge_variables

VARIABLES = {
    "corpus": "sample",
    "corpus_path": "",
    "companies_path": "",
    "enable_systems": [],
    "encoder": "wordllama",
    "p2_window_min": 5,
    "p2_window_max": 12,
    "p3_suite_paths": [],
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"corpus": "edgar"}, "corpus to one of"),
        ({"corpus": "filings"}, "corpus_path is empty"),
        ({"corpus": "filings", "corpus_path": "no/such/file"}, "nothing found at"),
        ({"encoder": "minilmm"}, "minilm"),
        ({"p2_window_min": 13}, "no window lies between"),
        ({"p3_suite_paths": ["no/such/suite.json"]}, "correct the dbt var p3_suite_paths"),
        ({"p3_suite_paths": "tests"}, "name the files of it in the dbt var p3_suite_paths"),
    ],
)
def test_a_build_that_cannot_start_says_why(tmp_path, changed, message):
    with pytest.raises(ValueError, match=message):
        check_build(tmp_path / "finrag.duckdb", {**VARIABLES, **changed})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"corpus_pat": "x"}, "no dbt var 'corpus_pat'"),
        ({"p2_window_min": "abc"}, "expected a number"),
        ({"p2_window_min": -1}, "expected a number"),
        ({"enable_systems": ["nosuch"]}, "names nosuch"),
    ],
)
def test_a_variable_that_cannot_be_meant_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        merge_variables(VARIABLES, given, ["dense_open"])


def test_a_given_variable_replaces_the_default():
    merged = merge_variables(VARIABLES, {"enable_systems": ["dense_open"]}, ["dense_open"])
    assert merged == {**VARIABLES, "enable_systems": ["dense_open"]}


def test_a_warehouse_named_like_a_schema_is_refused(tmp_path):
    with pytest.raises(ValueError, match="a schema has that name"):
        check_build(tmp_path / "gold.duckdb", VARIABLES)


def test_a_file_that_is_no_warehouse_is_refused(tmp_path):
    path = tmp_path / "finrag.duckdb"
    path.write_bytes(b"not a database" * 1000)

    with pytest.raises(ValueError, match="not a DuckDB file"):
        check_build(path, VARIABLES)


def test_a_new_warehouse_may_be_built(tmp_path):
    check_build(tmp_path / "finrag.duckdb", VARIABLES)


def test_the_summary_of_no_warehouse_says_what_to_run(tmp_path, capsys):
    assert main(["summary", "--database", str(tmp_path / "none.duckdb")]) == 2
    assert "make build" in capsys.readouterr().err


def test_the_summary_of_an_unfinished_warehouse_says_so(tmp_path, capsys):
    path = tmp_path / "finrag.duckdb"
    duckdb.connect(str(path)).close()

    assert main(["summary", "--database", str(path)]) == 2
    assert "no finished build" in capsys.readouterr().err


def test_figures_of_an_earlier_build_never_pass_for_this_one(tmp_path, capsys):
    path, results = tmp_path / "finrag.duckdb", tmp_path / "run_results.json"
    duckdb.connect(str(path)).close()
    stopped = [{"unique_id": "model.finrag.py_filings_read", "status": "error"}]
    results.write_text(json.dumps({"results": stopped}))

    assert main(["summary", "--database", str(path), "--results", str(results)]) == 2
    assert "of an earlier build" in capsys.readouterr().err

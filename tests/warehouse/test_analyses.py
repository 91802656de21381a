"""Questions that people ask: each analysis compiles, runs and gives what it promises."""

import re

import duckdb
import pytest

from finrag.publishing.sql import compile_analysis, list_analyses
from finrag.publishing.sql.analyses import FOLDER, comment_of
from tests.warehouse.warehouses import ROOT

NAMES = sorted(path.stem for path in (ROOT / FOLDER).glob("*.sql"))
# What people ask, and a column each that the answer must have.
ASKED = {
    "answers_by_difficulty": "answer_accuracy",
    "systems_on_questions": "scope",
    "evidence_by_category": "category",
    "hit_by_section": "section_name",
    "hit_by_length_bucket": "length_bucket",
    "scores_by_company": "company",
    "scores_by_year": "report_year",
    "hardest_questions": "failures",
    "hardest_cases_side_by_side": "top_text",
    "filtered_to_open_gap": "mean_difference",
    "boilerplate_traps": "same_text_share",
    "metric_disagreement": "n_only_first",
    "right_answers_wrong_sources": "fault",
    "cost_against_quality": "cost_usd_per_query",
    "drift_against_baseline": "why_not",
    "lineage_of_a_number": "char_start",
    "gate_history": "verdict_before",
}
GUIDE = (ROOT / "docs" / "reference" / "sql.md").read_text()
# Shares and means that are shown as measured: each beside its interval and a count.
FIGURES = {"mean", "mean_difference", "hit_at_5", "answer_accuracy", "agree_share", "quality"}


@pytest.fixture(scope="module")
def compiled(small, tmp_path_factory):
    """A copy of the small warehouse, for which all analyses were compiled in one go."""
    copied = small.copy(tmp_path_factory.mktemp("analyses") / "warehouse")
    assert copied.dbt("compile", "-s", "path:analyses") == 0, copied.log
    return copied


@pytest.fixture(scope="module")
def connection(compiled):
    with duckdb.connect(str(compiled.database), read_only=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def results(compiled, connection):
    """Columns and rows of every analysis."""
    queries = {
        path.stem: path.read_text()
        for path in (compiled.folder / "target" / "compiled").rglob("analyses/*.sql")
    }
    assert sorted(queries) == NAMES
    found = {}
    for name, query in queries.items():
        result = connection.execute(query)
        found[name] = [column[0] for column in result.description], result.fetchall()
    return found


def text_of(name):
    return (ROOT / FOLDER / f"{name}.sql").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_says_which_question_it_answers_and_how_to_read_it(name):
    comment = comment_of(text_of(name))

    assert list_analyses(ROOT / FOLDER)[name].endswith("?")
    assert " Read " in comment or "Choose " in comment


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_has_rows_unless_it_says_that_it_may_have_none(results, name):
    _, rows = results[name]
    assert rows or "May be empty: " in comment_of(text_of(name))


@pytest.mark.parametrize(("name", "column"), ASKED.items())
def test_what_people_ask_is_answered(results, name, column):
    columns, rows = results[name]

    assert column in columns
    assert not rows or any(row[columns.index(column)] is not None for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_stands_beside_its_interval_and_a_count(results, name):
    columns, _ = results[name]

    if FIGURES & set(columns):
        assert {"ci_low", "ci_high"} <= set(columns) or "baseline_ci_low" in columns
        assert any(column == "n" or column.startswith("n_") for column in columns)


@pytest.mark.parametrize("name", NAMES)
def test_an_interval_holds_its_figure(results, name):
    columns, rows = results[name]

    # Where there is a difference, the interval is its own.
    figures = {"mean_difference"} & set(columns) or FIGURES & set(columns)
    for figure in figures if "ci_low" in columns else ():
        for row in rows:
            low, value, high = (row[columns.index(c)] for c in ("ci_low", figure, "ci_high"))
            assert low is None or low - 1e-9 <= value <= high + 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_columns_are_named_once_and_plainly(results, name):
    columns, _ = results[name]

    assert len(set(columns)) == len(columns)
    assert all(column.isidentifier() and column == column.lower() for column in columns)


def test_an_analysis_is_compiled_without_the_warehouse(small, connection, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)

    query = compile_analysis("hit_by_length_bucket", small.database, "{}", tmp_path)

    assert connection.execute(query).fetchall()


def test_a_failed_compilation_says_why(small, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)

    with pytest.raises(ValueError, match="dbt cannot compile hit_by_length_bucket"):
        compile_analysis("hit_by_length_bucket", small.database, "{broken", tmp_path)


def test_the_queries_of_the_guide_run(connection):
    (block,) = re.findall(r"```sql\n(.*?)```", GUIDE, flags=re.DOTALL)
    queries = [query for query in block.split(";\n") if query.strip()]

    assert len(queries) == 10
    for query in queries:
        assert connection.execute(query).description


@pytest.mark.parametrize(
    ("door", "key"), re.findall(r"^\| `(\w+\.\w+)` \|.*\| (`.*?) \|$", GUIDE, re.M)
)
def test_a_key_that_the_guide_names_is_one(connection, door, key):
    columns = ", ".join(re.findall(r"`(\w+)`", key.split(";")[0]))

    repeated = f"select 1 from {door} group by {columns} having count(*) > 1 limit 1"
    assert connection.execute(repeated).fetchall() == []

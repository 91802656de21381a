"""History is added to and never rewritten; a baseline turns drift red."""

import datetime
import shutil

import duckdb
import pytest

from finrag.publishing.baselines import COLUMNS, set_baseline
from finrag.publishing.frozen_anchors import freeze_anchors
from tests.warehouse.warehouses import small_corpus

WITHOUT_PAGES = ("--exclude", "reports")
JUDGED = ("int_results_measured+", "gate_verdicts+", *WITHOUT_PAGES)


@pytest.fixture
def recorded(sample, tmp_path):
    """A warehouse of its own, with the history of the build that made it."""
    return sample.copy(tmp_path / "recorded")


def history(warehouse):
    return {
        "runs": warehouse.rows("from metrics.recorded_runs order by recorded_at, record_id"),
        "metrics": warehouse.rows("from metrics.recorded_metrics order by recorded_metric_id"),
        "answers": warehouse.rows("from metrics.recorded_answers order by recorded_answer_id"),
        "gates": warehouse.rows("from gates.recorded_gates order by recorded_gate_id"),
    }


def added(before, after):
    """Rows of each table that are new; fails where an old one is gone or another."""
    for name, rows in before.items():
        kept = {repr(row) for row in after[name]}
        assert all(repr(row) in kept for row in rows), f"{name}: an old row was changed"
    return {name: len(after[name]) - len(rows) for name, rows in before.items()}


def change_a_figure(warehouse, change=0.001):
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            "update metrics.metric_summaries set mean = mean + ? "
            "where metric = 'mrr' and k = 30 and slice_name = 'overall'",
            [change],
        )


def test_a_build_is_recorded_with_its_figures_and_its_verdicts(sample):
    now = history(sample)

    (run,) = now["runs"]
    assert run["n_figures"] == len(now["metrics"]) > 1000
    assert {row["results_hash"] for row in now["metrics"]} == {run["results_hash"]}
    assert {row["record_id"] for row in now["gates"]} == {run["record_id"]}
    assert len(now["gates"]) == sample.value("select count(*) from gates.gate_verdicts")
    assert {row["answers_hash"] for row in now["answers"]} == {run["answers_hash"]}
    assert len(now["answers"]) == sample.value("select count(*) from metrics.answer_verdicts") > 999


def test_the_same_figures_again_add_a_run_and_its_verdicts_only(recorded):
    before = history(recorded)

    assert recorded.build("--select", *JUDGED) == 0, recorded.log

    assert added(before, history(recorded)) == {
        "runs": 1,
        "metrics": 0,
        "answers": 0,
        "gates": len(before["gates"]),
    }


def test_new_figures_are_added_beside_the_old(recorded):
    before = history(recorded)
    change_a_figure(recorded)

    assert recorded.build("--select", *JUDGED) == 0, recorded.log

    after = history(recorded)
    assert added(before, after) == {
        "runs": 1,
        "metrics": len(before["metrics"]),
        "answers": 0,
        "gates": len(before["gates"]),
    }
    first, second = after["runs"]
    assert first["results_hash"] != second["results_hash"]


def test_questions_that_a_build_answers_otherwise_are_named(recorded):
    before = history(recorded)
    (right, wrong) = (
        recorded.value(
            f"select min(item_id) from metrics.answer_verdicts where system_id = 'multi_path' "
            f"and outcome = 'answered' and is_right = {is_right}"
        )
        for is_right in (True, False)
    )
    with duckdb.connect(str(recorded.database)) as connection:
        connection.execute(
            "update metrics.answer_verdicts set is_right = not is_right "
            "where system_id = 'multi_path' and item_id in (?, ?)",
            [right, wrong],
        )
    paged = ("recorded_runs", "rpt_runs_builds", "rpt_runs_questions")

    hashed = ("int_answers_hashed", "recorded_answers")
    assert recorded.build("--select", *hashed, *paged) == 0, recorded.log

    after = history(recorded)
    assert added(before, after)["answers"] == len(before["answers"])
    changed = recorded.rows(
        "select system_id, item_id, result_before, result, change from reports.rpt_runs_questions"
    )
    expected = [
        ("multi_path", right, "answered, right", "answered, wrong", "no longer right"),
        ("multi_path", wrong, "answered, wrong", "answered, right", "became right"),
    ]
    assert sorted(tuple(row.values()) for row in changed) == sorted(expected)


def test_rows_recorded_before_units_and_modes_get_what_they_meant(recorded):
    # Public sets and checks on answers, of mode strict, are recorded since then only.
    with duckdb.connect(str(recorded.database)) as connection:
        connection.execute(
            "delete from metrics.recorded_metrics "
            "where mode = 'strict' "
            "or gold_set in (select gold_set from gold.items where corpus_id <> 'filings')"
        )
    before = history(recorded)
    with duckdb.connect(str(recorded.database)) as connection:
        for column in ("unit", "mode", "n_not_run"):
            connection.execute(
                f"alter table metrics.recorded_metrics alter column {column} drop not null"
            )
            connection.execute(f"alter table metrics.recorded_metrics drop column {column}")

    assert recorded.build("--select", *JUDGED) == 0, recorded.log

    assert history(recorded)["metrics"] == before["metrics"]


def test_a_full_refresh_keeps_what_was_recorded(recorded):
    before = history(recorded)

    assert recorded.build("--full-refresh", "--select", *JUDGED) == 0, recorded.log

    assert added(before, history(recorded))["runs"] == 1


def test_a_build_that_dies_before_its_run_is_recorded_is_made_good_by_the_next(recorded):
    before = history(recorded)
    change_a_figure(recorded)
    until_figures = ("int_results_measured", "recorded_metrics")
    assert recorded.build("--select", *until_figures) == 0, recorded.log
    died = history(recorded)
    kept = {"runs": 0, "metrics": len(before["metrics"]), "answers": 0, "gates": 0}
    assert added(before, died) == kept

    assert recorded.build("--select", *JUDGED) == 0, recorded.log

    judged = {"runs": 1, "metrics": 0, "answers": 0, "gates": len(died["gates"])}
    assert added(died, history(recorded)) == judged


def test_a_run_is_not_recorded_while_its_figures_are_missing(recorded):
    before = history(recorded)
    change_a_figure(recorded)

    without_figures = ("int_results_measured", "recorded_runs")
    assert recorded.build("--select", *without_figures, "recorded_gates") == 0, recorded.log

    nothing = {"runs": 0, "metrics": 0, "answers": 0, "gates": 0}
    assert added(before, history(recorded)) == nothing


def take_as_baseline(warehouse, name="release", even_if_broken=False):
    """As `finrag baseline` and `dbt seed`, without touching the seed of the project."""
    seed = warehouse.folder / "baselines.csv"
    reason, set_on = "the build before this one", datetime.date(2026, 3, 31)
    set_baseline(warehouse.database, seed, name, reason, set_on, even_if_broken)
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("delete from seeds.baseline_metrics where baseline = ?", [name])
        connection.execute(
            f"insert into seeds.baseline_metrics ({', '.join(COLUMNS)}) "
            f"select * from read_csv('{seed}', header = true, all_varchar = true)"
        )


def drift_verdicts(warehouse):
    rows = warehouse.rows(
        "select gate_id, verdict from gates.gate_verdicts where measured_in = 'drifts'"
    )
    return {row["gate_id"]: row["verdict"] for row in rows}


def test_without_a_baseline_no_gate_on_drift_applies(sample):
    assert set(drift_verdicts(sample).values()) == {"not_applicable"}


def test_a_drift_beyond_its_limit_turns_its_gate_red(recorded):
    take_as_baseline(recorded)
    assert recorded.build("--select", "int_baseline_measured+", *WITHOUT_PAGES) == 0, recorded.log
    assert drift_verdicts(recorded)["dense_filtered_hit_drift"] == "pass"
    assert drift_verdicts(recorded)["p1_gold_distance_drift"] == "pass"

    with duckdb.connect(str(recorded.database)) as connection:
        connection.execute(
            "update seeds.baseline_metrics set mean = mean + 0.08 where metric in ('hit')"
        )
    assert recorded.build("--select", "metric_drifts+", *WITHOUT_PAGES) == 0, recorded.log

    found = drift_verdicts(recorded)
    assert found["dense_filtered_hit_drift"] == "fail"
    assert found["dense_open_hit_drift"] == "fail"
    assert found["p1_gold_distance_drift"] == "pass"


def test_a_figure_that_is_gone_since_the_baseline_is_a_breach(recorded):
    take_as_baseline(recorded)
    with duckdb.connect(str(recorded.database)) as connection:
        connection.execute(
            "delete from metrics.metric_summaries "
            "where system_id = 'dense_filtered' and metric = 'hit' and k = 5"
        )

    assert recorded.build("--select", "int_baseline_measured+", *WITHOUT_PAGES) == 0, recorded.log

    assert drift_verdicts(recorded)["dense_filtered_hit_drift"] == "unmeasured"


def test_a_baseline_nobody_made_is_an_error(recorded):
    status = recorded.dbt("test", "--select", "the_baseline_asked_for_exists", baseline="relase")
    assert status == 1


@pytest.mark.slow
def test_frozen_anchors_tell_drift_from_growth(make_warehouse, tmp_path):
    path, frozen = small_corpus(tmp_path, 3), tmp_path / "frozen.csv"
    settings = {"p1_anchor_count": 60, "p2_anchor_count": 20, "enable_systems": ["sample"]}
    warehouse = make_warehouse("grown", corpus="filings", corpus_path=path, **settings)
    assert warehouse.build("--select", "+gold_p1") == 0, warehouse.log
    assert freeze_anchors(warehouse.database, frozen, 30) == 30
    warehouse.variables["frozen_anchors_path"] = str(frozen)
    assert warehouse.build(*WITHOUT_PAGES) == 0, warehouse.log
    take_as_baseline(warehouse, even_if_broken=True)

    shutil.copyfile(small_corpus(tmp_path, 12), warehouse.folder / "corpus.jsonl")
    assert warehouse.build("--select", "+metric_drifts") == 0, warehouse.log

    drifts = {
        (row["system_id"], row["slice_name"]): row
        for row in warehouse.rows(
            "from metrics.metric_drifts where gold_set = 'p1' and metric = 'hit' and k = 5 "
            "and unit = 'sentence'"
        )
    }
    searched, inside = drifts["dense_open", "frozen"], drifts["dense_filtered", "frozen"]
    assert searched["is_comparable"]
    assert not searched["is_same_corpus"]
    assert searched["n"] == searched["baseline_n"] == inside["n"]
    assert searched["change"] < 0
    assert -1 < searched["growth_change"] < 0
    assert (inside["change"], inside["growth_change"]) == (0, 0)
    assert not drifts["dense_open", "overall"]["is_comparable"]

"""Every planted fault turns the right gate red; without a fault none is."""

import shutil

import pytest

from tests.warehouse.faults import EXPECTED

AFTER_THE_TEXTS = "py_texts_embedded+"


def breached(warehouse):
    rows = warehouse.rows("select gate_id from gates.gate_breaches where severity = 'error'")
    return {row["gate_id"] for row in rows}


def test_a_sound_build_passes_every_test_and_breaches_no_gate(sample):
    statuses = set(sample.statuses().values())
    assert statuses <= {"success", "pass", "warn"}
    assert breached(sample) == set()


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected.fault)
def test_a_planted_fault_turns_the_right_gate_red(expected, sample, tmp_path):
    warehouse = sample.copy(tmp_path / "faulty")
    # An index of the sound build would hide faults of building one.
    shutil.rmtree(warehouse.state / "cache" / "indexes")

    assert warehouse.build("--select", f"{expected.first_model}+", fault=expected.fault) == 0, (
        warehouse.log
    )

    assert set(expected.gates) <= breached(warehouse)
    trusted = warehouse.rows(
        "select distinct is_trusted from gates.gate_verdicts where phase = 'P2'"
    )
    assert trusted == [{"is_trusted": not expected.breaks_search}]


def test_a_red_gate_fails_the_build(sample, tmp_path):
    warehouse = sample.copy(tmp_path / "faulty")

    status = warehouse.dbt("build", "--select", "anchors+", fault="constant_scores")

    assert status == 1
    failed = {name for name, state in warehouse.statuses().items() if state in ("fail", "error")}
    assert failed == {"no_gate_is_breached"}


def test_constant_scores_never_look_good(sample, tmp_path):
    warehouse = sample.copy(tmp_path / "faulty")
    assert warehouse.build("--select", AFTER_THE_TEXTS, fault="constant_scores") == 0

    worst, expected = warehouse.rows(
        """
        select max(mean_worst) as worst, max(mean_expected) as expected
        from metrics.metric_summaries
        where metric = 'mrr' and slice_name = 'overall' and system_id = 'dense_open'
          -- The fault is planted where anchors are ranked.
          and gold_set in ('p1', 'p2')
        """
    )[0].values()
    assert worst == 0
    assert expected < 0.05

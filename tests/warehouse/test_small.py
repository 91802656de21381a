"""The whole project on six filings: every test of dbt passes, and metrics equal trec_eval's."""

from tests.warehouse.test_planted_faults import breached
from tests.warehouse.test_trec_parity import assert_equal_to_oracle, assert_evidence_is_counted


def test_a_build_passes_every_test_and_breaches_no_gate(small):
    statuses = small.statuses()
    assert len(statuses) > 900
    assert set(statuses.values()) <= {"success", "pass", "warn"}
    assert breached(small) == set()


def test_metrics_equal_trec_eval(small):
    assert assert_equal_to_oracle(small) > 10_000


def test_evidence_is_counted(small):
    assert assert_evidence_is_counted(small) > 1_000

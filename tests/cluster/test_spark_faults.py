"""The faults of tests/unit/test_shard_faults.py, on Spark."""

import pytest

from tests.unit.test_shard_faults import (  # noqa: F401 - pytest runs them here too
    clean,
    corpus,
    filing,
    test_a_broken_filing_is_quarantined_as_on_one_machine,
    test_a_file_that_a_killed_worker_left_does_not_count,
    test_a_half_file_with_its_final_name_is_not_read,
    test_a_killed_worker_is_replaced,
    test_a_shard_that_fails_four_times_stops_the_build,
    test_a_store_without_rename_gets_the_record_last,
    test_after_a_driver_died_the_next_build_does_the_rest,
)


@pytest.fixture(scope="module")
def engine():
    return "spark"


@pytest.fixture(scope="module")
def runner(local_spark):
    return local_spark

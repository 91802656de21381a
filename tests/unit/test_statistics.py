"""Cluster bootstrap: degenerate cases and an independent oracle."""

import numpy as np
import pyarrow as pa
import pytest

import finrag.statistics.intervals
from finrag.statistics.intervals import bootstrap_slices, cluster_bootstrap


def test_with_one_item_a_cluster_it_is_the_plain_bootstrap():
    values = np.random.default_rng(3).random(200)
    low, high = cluster_bootstrap(values[:, None], np.ones((200, 1)), 20_000, seed=1)
    rng = np.random.default_rng(4)
    means = values[rng.integers(0, 200, (20_000, 200))].mean(axis=1)

    assert low[0] == pytest.approx(np.percentile(means, 2.5), abs=2e-3)
    assert high[0] == pytest.approx(np.percentile(means, 97.5), abs=2e-3)


def test_items_that_repeat_inside_a_cluster_do_not_narrow_the_interval():
    means = np.random.default_rng(5).random((20, 1))
    once = cluster_bootstrap(means, np.ones((20, 1)), 2_000, seed=1)
    fifty_times = cluster_bootstrap(means * 50, np.full((20, 1), 50.0), 2_000, seed=1)

    assert once[0] == pytest.approx(fifty_times[0])
    assert once[1] == pytest.approx(fifty_times[1])


def test_one_cluster_has_no_interval():
    low, high = cluster_bootstrap(np.array([[3.0]]), np.array([[4.0]]), 100, seed=1)

    assert np.isnan(low[0])
    assert np.isnan(high[0])


def test_a_series_without_values_has_no_interval_and_spoils_no_other():
    sums = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    counts = np.array([[2.0, 0.0], [2.0, 0.0], [4.0, 0.0]])
    low, high = cluster_bootstrap(sums, counts, 500, seed=1)

    assert 0.5 <= low[0] <= high[0] <= 1.0
    assert np.isnan(low[1])


def test_the_seed_decides():
    sums, counts = np.random.default_rng(6).random((9, 2)), np.ones((9, 2))

    assert np.array_equal(
        cluster_bootstrap(sums, counts, 99, 1), cluster_bootstrap(sums, counts, 99, 1)
    )
    assert not np.array_equal(
        cluster_bootstrap(sums, counts, 99, 1), cluster_bootstrap(sums, counts, 99, 2)
    )


CELLS = pa.table(
    {
        "gold_set": ["p1"] * 6,
        "slice_name": ["overall"] * 4 + ["section"] * 2,
        "slice_value": ["all"] * 4 + ["ITEM_7"] * 2,
        "series_id": ["a", "a", "b", "b", "a", "a"],
        "cluster_id": ["f", "g", "f", "g", "f", "g"],
        "value_sum": [1.0, 2.0, 3.0, -4.0, 1.0, 5.0],
        "value_count": [2.0, 2.0, 4.0, 4.0, 1.0, 5.0],
    }
)


def test_the_interval_of_a_system_is_the_same_whoever_else_is_there():
    """Another system with values of more documents changes nothing of the first one's."""
    settings = {"bootstrap_resamples": 500, "bootstrap_seed": 1}
    alone = pa.table(
        {
            "gold_set": ["finqa"] * 3,
            "slice_name": ["overall"] * 3,
            "slice_value": ["all"] * 3,
            "series_id": ["a"] * 3,
            "cluster_id": ["d", "e", "f"],
            "value_sum": [1.0, 2.0, 0.5],
            "value_count": [2.0, 2.0, 3.0],
        }
    )
    other = alone.set_column(3, "series_id", [["b"] * 3])
    other = other.set_column(4, "cluster_id", [["c", "e", "g"]])
    both = pa.concat_tables([alone, other])

    (expected,) = bootstrap_slices(alone.to_batches(), settings).read_all().to_pylist()
    found = bootstrap_slices(both.to_batches(), settings).read_all().to_pylist()
    assert expected == next(row for row in found if row["series_id"] == "a")


@pytest.mark.parametrize("rows_in_a_batch", [1, 2, 3, 6])
def test_slices_may_span_batches(rows_in_a_batch):
    settings = {"bootstrap_resamples": 200, "bootstrap_seed": 1}
    whole = bootstrap_slices(CELLS.to_batches(), settings).read_all()
    cut = bootstrap_slices(CELLS.to_batches(max_chunksize=rows_in_a_batch), settings).read_all()

    assert cut.to_pylist() == whole.to_pylist()
    assert [(row["slice_name"], row["series_id"]) for row in whole.to_pylist()] == [
        ("overall", "a"),
        ("overall", "b"),
        ("section", "a"),
    ]


def test_no_cells_give_no_rows():
    settings = {"bootstrap_resamples": 200, "bootstrap_seed": 1}
    assert bootstrap_slices([], settings).read_all().num_rows == 0


def test_unchanged_intervals_are_read_and_changed_ones_computed(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        finrag.statistics.intervals,
        "cluster_bootstrap",
        lambda *given: calls.append(1) or cluster_bootstrap(*given),
    )
    settings = {"bootstrap_resamples": 200, "bootstrap_seed": 1}
    kept = {**settings, "state_dir": tmp_path}
    fresh = bootstrap_slices(CELLS.to_batches(), settings).read_all()
    first = bootstrap_slices(CELLS.to_batches(), kept).read_all()
    again = bootstrap_slices(CELLS.to_batches(max_chunksize=2), kept).read_all()

    assert fresh.to_pylist() == first.to_pylist() == again.to_pylist()
    # Two slices, computed without a folder and the first time with one.
    assert len(calls) == 4
    bootstrap_slices(CELLS.to_batches(), {**kept, "bootstrap_seed": 2}).read_all()
    bootstrap_slices(CELLS.slice(0, 4).to_batches(), kept).read_all()
    assert len(calls) == 7

"""Cluster bootstrap and randomisation test: degenerate cases and independent oracles."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.stats

from finrag.statistics import (
    bootstrap_slices,
    cluster_bootstrap,
    randomise_differences,
    sign_flip_p_values,
)


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


def p_value(*sums, n_resamples=20_000, seed=1):
    column = np.array(sums, np.float64)[:, None]
    return sign_flip_p_values(column, np.ones_like(column), n_resamples, seed)[0]


def test_one_item_a_cluster_gives_the_p_value_of_scipy():
    differences = np.random.default_rng(8).normal(0.4, 1, 12)
    oracle = scipy.stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )

    assert p_value(*differences) == pytest.approx(oracle.pvalue, abs=0.01)


def test_few_clusters_cannot_make_a_small_p_value():
    # Of the four assignments of two signs only ++ and -- reach the sum.
    assert p_value(100, 100) == pytest.approx(0.5, abs=0.02)
    assert p_value(*[100] * 12) < 0.002


def test_a_p_value_is_never_zero():
    assert p_value(*[1] * 200, n_resamples=99) == pytest.approx(1 / 100)


def test_systems_that_never_differ_have_a_p_value_of_one():
    assert p_value(0, 0, 0) == 1


def test_neither_direction_nor_rounding_changes_a_p_value():
    thirds = (0.1, 0.2, 0.3, -0.6 + 1e-17)

    assert p_value(0.3, 0.2, -0.1, 0.5) == p_value(-0.3, -0.2, 0.1, -0.5)
    # A sum of zero, whatever its last bits, is reached by every assignment.
    assert p_value(*thirds) == 1


def test_one_cluster_has_no_p_value_and_an_absent_one_is_none():
    sums, counts = np.array([[3.0], [0.0]]), np.array([[4.0], [0.0]])

    assert np.isnan(sign_flip_p_values(sums, counts, 100, seed=1)[0])


def listed(*lists):
    return pa.table(
        {
            "gold_set": ["p3"] * len(lists),
            "slice_name": ["overall"] * len(lists),
            "slice_value": ["all"] * len(lists),
            "pair_id": [f"pair {n}" for n in range(len(lists))],
            "metric": ["hit"] * len(lists),
            "k": pa.array([10] * len(lists), pa.int32()),
            "differences": pa.array(lists, pa.list_(pa.float64())),
        }
    )


def p_values_of(table, n_resamples=20_000, rows_in_a_batch=1_000):
    settings = {"bootstrap_resamples": n_resamples, "bootstrap_seed": 1}
    batches = table.to_batches(max_chunksize=rows_in_a_batch)
    return randomise_differences(batches, settings).read_all()["p_value"].to_pylist()


def test_single_items_have_the_p_values_of_scipy():
    rng = np.random.default_rng(9)
    lists = [rng.normal(0.4, 1, n).tolist() for n in (12, 3, 8)]
    oracles = [
        scipy.stats.permutation_test(
            (values,), np.sum, permutation_type="samples", n_resamples=np.inf
        ).pvalue
        for values in lists
    ]

    assert p_values_of(listed(*lists)) == pytest.approx(oracles, abs=0.01)


def test_a_list_of_no_differences_has_a_p_value_of_one():
    assert p_values_of(listed([], [1.0] * 30)) == [1.0, pytest.approx(1 / 20_001, abs=1e-8)]
    assert p_values_of(listed()) == []


@pytest.mark.parametrize("rows_in_a_batch", [1, 3, 100])
def test_neighbours_do_not_change_a_p_value(rows_in_a_batch):
    rng = np.random.default_rng(10)
    # Longer and shorter lists than those before them, and more than one product holds.
    lists = [rng.choice([-1.0, 1.0, 0.5], n % 17).tolist() for n in range(70)]
    alone = [p_values_of(listed(values), n_resamples=99)[0] for values in lists]

    assert p_values_of(listed(*lists), 99, rows_in_a_batch) == alone


CELLS = pa.table(
    {
        "gold_set": ["p1"] * 6,
        "slice_name": ["overall"] * 4 + ["section"] * 2,
        "slice_value": ["all"] * 4 + ["ITEM_7"] * 2,
        "series_id": ["a", "a", "b", "b", "a", "a"],
        "is_difference": [False, False, True, True, False, False],
        "cluster_id": ["f", "g", "f", "g", "f", "g"],
        "value_sum": [1.0, 2.0, 3.0, -4.0, 1.0, 5.0],
        "value_count": [2.0, 2.0, 4.0, 4.0, 1.0, 5.0],
    }
)


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
    # The sums 3 and -4 leave no assignment of signs below their own 1.
    assert whole["p_value"].to_pylist() == [None, 1.0, None]


def test_no_cells_give_no_rows():
    settings = {"bootstrap_resamples": 200, "bootstrap_seed": 1}
    assert bootstrap_slices([], settings).read_all().num_rows == 0

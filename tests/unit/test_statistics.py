"""Cluster bootstrap: degenerate cases and an independent oracle."""

import math

import numpy as np
import pytest

from finrag.statistics.intervals import (
    bootstrap_cells,
    cluster_bootstrap,
    effective_sizes,
    wilson_bounds,
)
from finrag.statistics.sums import exact_sums, membership


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


def test_the_interval_of_a_series_is_the_same_whoever_else_is_there():
    """Another series with values of more clusters, and another slice, change nothing of it."""
    sums = np.array([[1.0, 0.0], [2.0, 3.0], [0.5, 1.0], [0.0, 2.0], [1.0, 0.0], [5.0, 0.0]])
    counts = np.array([[2.0, 0.0], [2.0, 4.0], [3.0, 1.0], [0.0, 4.0], [1.0, 0.0], [5.0, 0.0]])
    starts = np.array([0, 4])
    low, high = bootstrap_cells(sums, counts, starts, 500, 1)
    assert [low[0, 0], high[0, 0]] == [
        bound[0] for bound in cluster_bootstrap(sums[:3, :1], counts[:3, :1], 500, 1)
    ]
    assert [low[1, 0], high[1, 0]] == [
        bound[0] for bound in cluster_bootstrap(sums[4:, :1], counts[4:, :1], 500, 1)
    ]
    assert np.isnan([low[1, 1], high[1, 1]]).all()


@pytest.mark.parametrize(
    ("name", "sums", "counts", "low", "high"),
    [
        # Worth 36 items where every filing has as many right ones.
        ("alike", [5.0] * 6, [10.0] * 6, 0.345447879034, 0.654552120966),
        # And 3 where each is all right or all wrong.
        ("apart", [10.0] * 3 + [0.0] * 3, [10.0] * 6, 0.127551864077, 0.872448135923),
        # Where all are right they are worth 25, as if correlated by 0.05.
        ("all", [10.0] * 6, [10.0] * 6, 0.867170199381, 1.0),
        # Those of a single filing are worth one.
        ("one", [30.0], [60.0], 0.054620755529, 0.945379244471),
    ],
)
def test_items_of_one_filing_make_the_interval_of_a_share_wider(name, sums, counts, low, high):
    """60 items in six filings, with some filings that have none."""
    cells = (np.array([[0.0], *([one] for one in column), [0.0]]) for column in (sums, counts))
    n_clusters, sizes = effective_sizes(*cells, np.array([0]))
    share = np.array([[sum(sums) / sum(counts)]])
    assert n_clusters[0, 0] == len(sums), name
    assert [bound[0, 0] for bound in wilson_bounds(share, sizes)] == pytest.approx([low, high])


def test_nothing_has_no_size_and_no_interval():
    n_clusters, sizes = effective_sizes(*np.zeros((2, 3, 1)), np.array([0]))
    assert (n_clusters[0, 0], np.isnan(sizes[0, 0])) == (0, True)
    assert np.isnan(wilson_bounds(np.array([0.5, 0.5]), np.array([0.0, np.nan]))).all()


def test_a_sum_is_rounded_once_whatever_its_order():
    values = np.random.default_rng(2).normal(0, 1e3, 500)
    belongs = membership(np.zeros(500, np.int64), np.arange(500), (1, 500))
    for order in (np.arange(500), np.argsort(values), np.argsort(-values)):
        assert exact_sums(belongs, values[order, None])[0, 0] == math.fsum(values)

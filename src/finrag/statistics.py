"""Uncertainty of a mean, or of a paired difference, when observations come in clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

CONFIDENCE_PERCENTILES = (2.5, 97.5)
MIN_CLUSTERS = 2
# More digits than any report shows, fewer than the order of a sum can change.
DECIMALS = 9

# Sums that differ by less are equal: a resampled sum must not beat itself by its rounding.
TOLERANCE = 1e-9
LISTS_AT_ONCE = 64

Floats = npt.NDArray[np.float64]

INTERVAL_SCHEMA = pa.schema(
    [
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("slice_name", pa.string(), nullable=False),
        pa.field("slice_value", pa.string(), nullable=False),
        pa.field("series_id", pa.string(), nullable=False),
        pa.field("n_clusters", pa.int64(), nullable=False),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("p_value", pa.float64()),
    ]
)

TEST_SCHEMA = pa.schema(
    [
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("slice_name", pa.string(), nullable=False),
        pa.field("slice_value", pa.string(), nullable=False),
        pa.field("pair_id", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("k", pa.int32(), nullable=False),
        pa.field("p_value", pa.float64(), nullable=False),
    ]
)


def cluster_bootstrap(
    sums: Floats, counts: Floats, n_resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """95 % percentile intervals of ratios of sums, resampling whole clusters.

    Sentences of one filing resemble each other, so a plain bootstrap over items would give
    intervals that are too narrow. Clusters are drawn with replacement, as many as there
    are (multinomial weights); each resample's mean is sum of values / sum of counts.
    Source: Field and Welsh, "Bootstrapping clustered data", JRSS B 69 (2007).

    Args:
        sums: float64, clusters x series: sum of the values of a cluster.
        counts: float64, clusters x series: number of values of a cluster.
        n_resamples: number of resamples.
        seed: seed of the generator.

    Returns:
        Lower and upper bounds, one per series; NaN where there are fewer than two
        clusters with values.
    """
    n_clusters, n_series = sums.shape
    undefined = np.full(n_series, np.nan)
    if n_clusters < MIN_CLUSTERS:
        return undefined, undefined.copy()
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), n_resamples)
    totals = weights @ sums
    sizes = weights @ counts
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(sizes > 0, totals / sizes, np.nan)
    low, high = undefined, undefined.copy()
    enough = (np.count_nonzero(counts, axis=0) >= MIN_CLUSTERS) & ~np.isnan(means).all(axis=0)
    has_gaps = np.isnan(means).any(axis=0)
    # nanpercentile gives the same figures column by column, which is slower.
    for chosen, percentile in (
        (enough & ~has_gaps, np.percentile),
        (enough & has_gaps, np.nanpercentile),
    ):
        if chosen.any():
            bounds = percentile(means[:, chosen], CONFIDENCE_PERCENTILES, axis=0)
            low[chosen], high[chosen] = np.round(bounds, DECIMALS)
    return low, high


def sign_flip_p_values(sums: Floats, counts: Floats, n_resamples: int, seed: int) -> Floats:
    """Two-sided p-values of a paired randomisation test that keeps clusters whole.

    If two systems were alike, every difference a - b might as well be b - a. All differences
    of a cluster get one random sign, since items of a cluster resemble each other. The
    statistic is the absolute sum of the differences, and p = (b + 1) / (B + 1), where b of B
    random assignments reach the observed one. With n clusters p cannot fall below about
    2 / 2^n, whatever the difference.
    Source: Smucker, Allan and Carterette, "A comparison of statistical significance tests
    for information retrieval evaluation", CIKM 2007; the + 1 as in Phipson and Smyth, 2010.

    Args:
        sums: float64, clusters x series: sum of the differences of a cluster.
        counts: float64, clusters x series: number of differences of a cluster.
        n_resamples: number of random assignments, B.
        seed: seed of the generator.

    Returns:
        A p-value per series: 1 where nothing differs; NaN where there are fewer than two
        clusters with values.
    """
    resampled = _random_signs(len(sums), n_resamples, seed).T @ sums
    p_values = _share_reaching(resampled, sums.sum(axis=0))
    enough = np.count_nonzero(counts, axis=0) >= MIN_CLUSTERS
    known: Floats = np.where(enough, p_values, np.nan)
    return known


def _random_signs(n_values: int, n_resamples: int, seed: int) -> Floats:
    """Values x resamples of +1 and -1; the head of a longer draw equals a shorter one."""
    coins = np.random.default_rng(seed).integers(0, 2, (n_values, n_resamples))
    return np.where(coins == 1, 1.0, -1.0)


def _share_reaching(resampled: Floats, observed: Floats) -> Floats:
    """(b + 1) / (B + 1), where b of the B resampled sums are as far from zero as observed."""
    reached = np.abs(resampled) >= np.abs(observed) - TOLERANCE
    p_values = (np.count_nonzero(reached, axis=0) + 1.0) / (len(resampled) + 1.0)
    rounded: Floats = np.round(p_values, DECIMALS)
    return rounded


def randomise_differences(
    rows: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Two-sided p-values of the paired randomisation test over single items.

    As ``sign_flip_p_values``, but each item's difference gets a sign of its own, which takes
    items for independent: the customary test of retrieval experiments. Differences of zero
    change no sum and may be left out.

    Args:
        rows: ``TEST_SCHEMA`` without ``p_value``, and ``differences``: a list of doubles.
        settings: ``bootstrap_resamples`` and ``bootstrap_seed``.

    Returns:
        A reader with ``TEST_SCHEMA``, a row for each given, in their order; p is 1 for an
        empty list.
    """
    batches = _test_batches(
        rows, int(settings["bootstrap_resamples"]), int(settings["bootstrap_seed"])
    )
    return pa.RecordBatchReader.from_batches(TEST_SCHEMA, batches)


def _test_batches(
    rows: Iterable[pa.RecordBatch], n_resamples: int, seed: int
) -> Iterator[pa.RecordBatch]:
    signs = _random_signs(0, n_resamples, seed)
    for batch in rows:
        lists = batch.column("differences")
        sizes = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
        values = lists.flatten().to_numpy()
        if sizes.max(initial=0) > len(signs):
            signs = _random_signs(int(sizes.max()), n_resamples, seed)
        ends = np.cumsum(sizes)
        p_values = np.empty(len(sizes))
        # Lists of about the same length share one product of matrices.
        order = np.argsort(sizes, kind="stable")
        for chosen in np.split(order, range(LISTS_AT_ONCE, len(order), LISTS_AT_ONCE)):
            padded = np.zeros((int(sizes[chosen].max(initial=0)), len(chosen)))
            for column, row in enumerate(chosen):
                padded[: sizes[row], column] = values[ends[row] - sizes[row] : ends[row]]
            resampled = signs[: len(padded)].T @ padded
            p_values[chosen] = _share_reaching(resampled, padded.sum(axis=0))
        columns = [batch.column(name) for name in TEST_SCHEMA.names[:-1]]
        yield pa.RecordBatch.from_arrays([*columns, pa.array(p_values)], schema=TEST_SCHEMA)


def bootstrap_slices(
    cells: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Intervals for every series of every slice, and p-values of those that are differences.

    Args:
        cells: rows in the order (gold_set, slice_name, slice_value), with ``series_id``,
            ``is_difference``, ``cluster_id``, ``value_sum`` and ``value_count``: the values
            of one series (a system's metric at k, or a pair's difference in it) summed per
            cluster (a filing; for questions a company).
        settings: ``bootstrap_resamples`` and ``bootstrap_seed``.

    Returns:
        A reader with ``INTERVAL_SCHEMA``, one row per slice and series. All series of a
        slice share the resampled clusters. ``p_value`` is null for a series of one system.
    """
    batches = _interval_batches(
        cells, int(settings["bootstrap_resamples"]), int(settings["bootstrap_seed"])
    )
    return pa.RecordBatchReader.from_batches(INTERVAL_SCHEMA, batches)


def _interval_batches(
    cells: Iterable[pa.RecordBatch], n_resamples: int, seed: int
) -> Iterator[pa.RecordBatch]:
    for key, table in _slices(cells):
        clusters, cluster_numbers = _codes(table["cluster_id"])
        series, series_numbers = _codes(table["series_id"])
        sums = np.zeros((len(clusters), len(series)))
        counts = np.zeros_like(sums)
        sums[cluster_numbers, series_numbers] = table["value_sum"].to_numpy()
        counts[cluster_numbers, series_numbers] = table["value_count"].to_numpy()
        low, high = cluster_bootstrap(sums, counts, n_resamples, seed)
        differs = np.zeros(len(series), np.bool_)
        differs[series_numbers] = table["is_difference"].to_numpy()
        p_values = np.full(len(series), np.nan)
        p_values[differs] = sign_flip_p_values(
            sums[:, differs], counts[:, differs], n_resamples, seed
        )
        columns = [pa.array([part] * len(series), pa.string()) for part in key]
        yield pa.RecordBatch.from_arrays(
            [
                *columns,
                pa.array(series, pa.string()),
                pa.array(np.count_nonzero(counts, axis=0), pa.int64()),
                pa.array(low, pa.float64(), from_pandas=True),
                pa.array(high, pa.float64(), from_pandas=True),
                pa.array(p_values, pa.float64(), from_pandas=True),
            ],
            schema=INTERVAL_SCHEMA,
        )


def _codes(column: pa.ChunkedArray) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Distinct values in ascending order, and the number of each row's value."""
    values = sorted(pc.unique(column).to_pylist())
    numbers = pc.index_in(column, value_set=pa.array(values, pa.string()))
    return values, np.asarray(numbers.to_numpy(), np.int64)


def _slices(cells: Iterable[pa.RecordBatch]) -> Iterator[tuple[tuple[str, str, str], pa.Table]]:
    """Cuts ordered rows where the slice changes."""
    key: tuple[str, str, str] | None = None
    parts: list[pa.RecordBatch] = []
    for batch in cells:
        names = [
            batch.column(name).to_pylist() for name in ("gold_set", "slice_name", "slice_value")
        ]
        keys = list(zip(*names, strict=True))
        start = 0
        for row in range(1, len(keys) + 1):
            if row < len(keys) and keys[row] == keys[start]:
                continue
            if key is not None and keys[start] != key:
                yield key, pa.Table.from_batches(parts)
                parts = []
            key = keys[start]
            parts.append(batch.slice(start, row - start))
            start = row
    if key is not None:
        yield key, pa.Table.from_batches(parts)

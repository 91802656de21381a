"""Uncertainty of a mean when observations come in clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.results import ResultCache
from finrag.records.columns import nullable, required

CONFIDENCE_PERCENTILES = (2.5, 97.5)
MIN_CLUSTERS = 2
# More digits than any report shows, fewer than the order of a sum can change.
DECIMALS = 9

Floats = npt.NDArray[np.float64]

# Changes with the rule below by which intervals are found, so that no older one is read.
METHOD: Final = 2
INTERVAL_SCHEMA = pa.schema(
    [
        *required(pa.string(), "gold_set", "slice_name", "slice_value", "series_id"),
        pa.field("n_clusters", pa.int64(), nullable=False),
        *nullable(pa.float64(), "ci_low", "ci_high"),
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
    if n_clusters < MIN_CLUSTERS:
        return np.full(n_series, np.nan), np.full(n_series, np.nan)
    weights = bootstrap_weights(n_clusters, n_resamples, seed)
    totals = sums.T @ weights
    sizes = counts.T @ weights
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(sizes > 0, totals / sizes, np.nan)
    low, high = percentile_bounds(means)
    enough = np.count_nonzero(counts, axis=0) >= MIN_CLUSTERS
    return np.where(enough, low, np.nan), np.where(enough, high, np.nan)


def bootstrap_weights(n_clusters: int, n_resamples: int, seed: int) -> Floats:
    """Clusters x resamples: how often each resample holds each cluster."""
    rng = np.random.default_rng(seed)
    chances = np.full(n_clusters, 1 / n_clusters)
    drawn = rng.multinomial(n_clusters, chances, n_resamples)
    return np.ascontiguousarray(drawn.T, np.float64)


def percentile_bounds(means: Floats) -> tuple[Floats, Floats]:
    """2.5th and 97.5th percentiles of resampled means (series x resamples).

    NaN are left out; a series of nothing but NaN has NaN bounds.
    """
    low, high = np.full((2, len(means)), np.nan)
    is_gap = np.isnan(means)
    has_gaps, is_empty = is_gap.any(axis=1), is_gap.all(axis=1)
    # nanpercentile gives the same figures row by row, which is slower.
    for chosen, percentile in (
        (~has_gaps, np.percentile),
        (has_gaps & ~is_empty, np.nanpercentile),
    ):
        if chosen.any():
            bounds = percentile(means[chosen], CONFIDENCE_PERCENTILES, axis=1)
            low[chosen], high[chosen] = np.round(bounds, DECIMALS)
    return low, high


def bootstrap_slices(
    cells: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Intervals for every series of every slice.

    Args:
        cells: rows in the order (gold_set, slice_name, slice_value), with ``series_id``,
            ``cluster_id``, ``value_sum`` and ``value_count``: the values of one series (a
            system's metric at k) summed per cluster (a filing; for questions a company).
        settings: ``bootstrap_resamples`` and ``bootstrap_seed``. With ``state_dir`` the result
            is cached there, and read where nothing that it depends on has changed.

    Returns:
        A reader with ``INTERVAL_SCHEMA``, one row per slice and series. Series of a slice with
        the same clusters share the resampled ones.
    """
    n_resamples, seed = int(settings["bootstrap_resamples"]), int(settings["bootstrap_seed"])

    def compute(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _interval_batches(batches, n_resamples, seed)

    inputs = [n_resamples, seed, METHOD]
    step = Step("intervals", INTERVAL_SCHEMA, inputs, settings.get("state_dir"))
    return pa.RecordBatchReader.from_batches(INTERVAL_SCHEMA, step.recall(cells, compute))


@dataclass(frozen=True)
class Step:
    """A step whose result is cached between builds.

    Attributes:
        name: the folder of its results.
        schema: of its results.
        inputs: what they depend on beside the rows given.
        state_dir: folder below which results are cached; None for no cache.
    """

    name: str
    schema: pa.Schema
    inputs: Sequence[Any]
    state_dir: object | None

    def recall(
        self,
        rows: Iterable[pa.RecordBatch],
        compute: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    ) -> Iterator[pa.RecordBatch]:
        """The result for these rows: read from the cache, else computed."""
        if self.state_dir is None:
            yield from compute(rows)
            return
        batches = list(rows)
        cache = ResultCache(
            Path(str(self.state_dir)) / "cache" / "statistics" / self.name,
            self.schema,
            self.inputs,
        )
        given = [pa.Table.from_batches(batches)] if batches else []
        yield from cache.recall(given, lambda: compute(batches))


def _interval_batches(
    cells: Iterable[pa.RecordBatch], n_resamples: int, seed: int
) -> Iterator[pa.RecordBatch]:
    for key, table in whole_slices(cells):
        clusters, cluster_numbers = _codes(table["cluster_id"])
        series, series_numbers = _codes(table["series_id"])
        sums = np.zeros((len(clusters), len(series)))
        counts = np.zeros_like(sums)
        sums[cluster_numbers, series_numbers] = table["value_sum"].to_numpy()
        counts[cluster_numbers, series_numbers] = table["value_count"].to_numpy()
        low, high = _bounds_alone(sums, counts, n_resamples, seed)
        columns = [pa.array([part] * len(series), pa.string()) for part in key]
        yield pa.RecordBatch.from_arrays(
            [
                *columns,
                pa.array(series, pa.string()),
                pa.array(np.count_nonzero(counts, axis=0), pa.int64()),
                pa.array(low, pa.float64(), from_pandas=True),
                pa.array(high, pa.float64(), from_pandas=True),
            ],
            schema=INTERVAL_SCHEMA,
        )


def _bounds_alone(
    sums: Floats, counts: Floats, n_resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Intervals of series, each over the clusters that it has values of.

    So the interval of a system is the same whatever other systems a build has. Series with the
    same clusters are resampled together.
    """
    low, high = np.full((2, counts.shape[1]), np.nan)
    alike: dict[bytes, list[int]] = {}
    for series, has_values in enumerate((counts > 0).T):
        alike.setdefault(has_values.tobytes(), []).append(series)
    for chosen in alike.values():
        cells = np.ix_(np.flatnonzero(counts[:, chosen[0]]), np.asarray(chosen))
        bounds = cluster_bootstrap(sums[cells], counts[cells], n_resamples, seed)
        low[chosen], high[chosen] = bounds
    return low, high


def _codes(column: pa.ChunkedArray) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Distinct values in ascending order, and the number of each row's value."""
    values = sorted(pc.unique(column).to_pylist())
    numbers = pc.index_in(column, value_set=pa.array(values, pa.string()))
    return values, np.asarray(numbers.to_numpy(), np.int64)


def whole_slices(
    cells: Iterable[pa.RecordBatch],
) -> Iterator[tuple[tuple[str, str, str], pa.Table]]:
    """Cuts ordered rows where the slice changes: its key and its rows."""
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

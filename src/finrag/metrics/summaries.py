"""Summaries of values: counts by status, means or shares, their intervals, and floors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from finrag.cache.results import ResultCache, recall_all
from finrag.metrics.floors import FLOOR, Nulls, measure_floors
from finrag.metrics.groups import Flags, Floats, Integers
from finrag.metrics.observed import (
    EVALUATED,
    FIGURES,
    STATUSES,
    UNCOVERED,
    Block,
    Metrics,
    Observed,
    Slices,
    SlicesOfSet,
)
from finrag.records.columns import nullable, required
from finrag.statistics.intervals import (
    bootstrap_cells,
    effective_sizes,
    mover_bounds,
    wilson_bounds,
)
from finrag.statistics.sums import exact_sums

_COUNTS: Final = tuple(f"n_{status}" for status in STATUSES)
_MEANS: Final = ("mean", "mean_best", "mean_worst", "mean_expected")
_NUMBERS: Final = (*_MEANS, "mean_of_asked", "ci_low", "ci_high")
_METHODS: Final = ("none", "wilson_clustered", "cluster_bootstrap", "mover")
_NONE, _WILSON, _BOOTSTRAP, _MOVER = range(len(_METHODS))
SUMMARY_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set", "slice_name", "slice_value", "metric"),
        pa.field("k", pa.int32(), nullable=False),
        *required(pa.string(), "unit", "mode"),
        *required(pa.int64(), "n_asked", *_COUNTS, "n_clusters"),
        *nullable(pa.float64(), *_NUMBERS),
        *required(pa.string(), "ci_method"),
        *nullable(pa.string(), "scorer_id"),
        pa.field("floors", pa.list_(pa.field("item", FLOOR, nullable=False))),
    ]
)
# A slice after the other, of each the metrics.
BOUNDS_SCHEMA: Final = pa.schema(required(pa.float64(), "ci_low", "ci_high"))
Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Known:
    """What summaries are made of beside values, as tables.

    Attributes:
        slices: ``item_slices``.
        metrics: the seed ``metric_catalogue``.
        systems: ``system_id``, ``regime``, ``is_null`` and ``answerer``; only these have floors.
        null_values: of answers without a system, by ``null_kind``: ``int_answer_values``.
        integrity: measures of the warehouse itself: ``int_integrity_measured``.
    """

    slices: pa.Table
    metrics: pa.Table
    systems: pa.Table
    null_values: pa.Table
    integrity: pa.Table


def summarise(
    known: Known,
    values: pa.Table | pa.RecordBatchReader,
    settings: Mapping[str, Any],
    stored: ResultCache | None = None,
) -> pa.Table:
    """Summarise values by slice.

    What one system scores on one set depends on no other system or set, and on no order of rows.

    Args:
        known: the slices and what else is known.
        values: ``metric_values``, in any order.
        settings: ``bootstrap_resamples`` and ``bootstrap_seed``.
        stored: bounds of the means of a system on a gold set, under ``BOUNDS_SCHEMA``: found
            there by all that they are made of, or added.

    Returns:
        ``SUMMARY_SCHEMA``: a row per system, slice and metric that an item of the slice was
        asked, and one per measure of the warehouse. ``floors`` is null where no null can have
        the score.

    Raises:
        ValueError: a metric or a status is not known, or a value stands twice.
    """
    from threadpoolctl import threadpool_limits

    metrics, slices = Metrics(known.metrics), Slices(known.slices)
    observed = Observed(values, metrics, slices)
    draws = int(settings["bootstrap_resamples"]), int(settings["bootstrap_seed"])
    # One thread: products this small gain nothing by more, and the bits stay the same.
    with threadpool_limits(1, user_api="blas"):
        parts = [
            part
            for one in slices.of_sets()
            for part in _of_set(list(observed.blocks(one)), one, metrics, draws, stored)
        ]
    of_warehouse = _of_warehouse(known.integrity)
    if not parts:
        return of_warehouse
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    nulls = Nulls(known.systems, known.null_values, observed, metrics, slices)
    table = pa.table(
        {
            "system_id": observed.systems.decoded(rows["system"]),
            **slices.decoded(rows["slice"]),
            **metrics.decoded(rows["metric"]),
            **{name: rows[name] for name in ("n_asked", *_COUNTS, "n_clusters")},
            **{name: pa.array(rows[name], from_pandas=True) for name in _NUMBERS},
            "ci_method": np.array(_METHODS, object)[rows["method"]],
            "scorer_id": observed.scorers.decoded(rows["scorer"]),
            "floors": measure_floors(rows, nulls),
        }
    )
    summaries = table.select(SUMMARY_SCHEMA.names).cast(SUMMARY_SCHEMA)
    return pa.concat_tables([summaries, of_warehouse])


def _of_set(
    blocks: list[Block],
    slices: SlicesOfSet,
    metrics: Metrics,
    draws: tuple[int, int],
    stored: ResultCache | None,
) -> Iterator[Columns]:
    """The rows of each system that was asked a set."""
    if not blocks:
        return
    cells = [_cells(block, slices) for block in blocks]
    is_mean = [~metrics.is_share[block.metrics] for block in blocks]
    of_means = [
        (sums[:, one], counts[:, one]) for (sums, counts), one in zip(cells, is_mean, strict=True)
    ]
    bounds = _bounds(of_means, slices.cell_starts, draws, stored)
    for block, own, is_one, (low, high) in zip(blocks, cells, is_mean, bounds, strict=True):
        columns = _summed(block, slices)
        kinds = is_one, metrics.is_within_one[block.metrics]
        _add_intervals(columns, own, slices.cell_starts, (low, high), kinds)
        yield _rows(columns, block.system, slices.slices, block.metrics)
        yield from _balanced(columns, block, slices, metrics)


def _bounds(
    cells: Sequence[tuple[Floats, Floats]],
    starts: Integers,
    draws: tuple[int, int],
    stored: ResultCache | None,
) -> Iterator[tuple[Floats, Floats]]:
    """Lower and upper bounds of the means of each system: slices x metrics."""

    def made(places: Sequence[int]) -> list[pa.Table]:
        # Resampled together, they share their draws.
        sums, counts = (np.hstack([cells[at][part] for at in places]) for part in (0, 1))
        ends = np.cumsum([cells[at][0].shape[1] for at in places])[:-1]
        found = (
            np.split(each, ends, axis=1) for each in bootstrap_cells(sums, counts, starts, *draws)
        )
        return [
            pa.Table.from_arrays([pa.array(each.ravel()) for each in both], schema=BOUNDS_SCHEMA)
            for both in zip(*found, strict=True)
        ]

    inputs = [[starts, list(draws), *each] for each in cells]
    for (sums, _), table in zip(cells, recall_all(stored, inputs, made), strict=True):
        low, high = (table[name].to_numpy() for name in BOUNDS_SCHEMA.names)
        yield low.reshape(len(starts), sums.shape[1]), high.reshape(len(starts), sums.shape[1])


def _cells(block: Block, slices: SlicesOfSet) -> tuple[Floats, Floats]:
    """Sum and number of the values of each slice and cluster: cells x metrics."""
    is_evaluated = block.status == EVALUATED
    values = np.where(is_evaluated, block.figures["value"], 0.0)
    counts: Floats = slices.has_cell @ is_evaluated.astype(np.float64)
    return exact_sums(slices.has_cell, values), counts


def _summed(block: Block, slices: SlicesOfSet) -> Columns:
    """Counts and means: slices x metrics."""
    has_item = slices.has_item
    columns: Columns = {
        name: (has_item @ (block.status == place).astype(np.float64)).astype(np.int64)
        for place, name in enumerate(_COUNTS)
    }
    columns["n_asked"] = np.sum([columns[name] for name in _COUNTS], axis=0)
    for name, mean in zip(FIGURES, _MEANS, strict=True):
        columns[mean] = np.full(columns["n_asked"].shape, np.nan)
        figures = block.figures[name]
        has_figure = ~np.isnan(figures) if name != "value" else block.status == EVALUATED
        some = has_figure.any(axis=0)
        sums = exact_sums(has_item, np.where(has_figure, figures, 0.0)[:, some])
        counts = has_item @ has_figure[:, some].astype(np.float64)
        if name == "value":
            # What has no value counts as zero, but for items without gold.
            asked = (columns["n_asked"] - columns[_COUNTS[UNCOVERED]])[:, some]
            columns["mean_of_asked"] = columns[mean].copy()
            columns["mean_of_asked"][:, some] = _over(sums, np.where(counts > 0, asked, 0))
        columns[mean][:, some] = _over(sums, counts)
    # Scores of two scorers have no mean; a build has one of each kind.
    columns["scorer"] = np.full(columns["n_asked"].shape, -1)
    for scorer in np.unique(block.scorer[block.scorer >= 0]):
        columns["scorer"][has_item @ (block.scorer == scorer).astype(np.float64) > 0] = scorer
    return columns


def _over(sums: Floats, counts: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, sums / counts, np.nan)


def _add_intervals(
    columns: Columns,
    cells: tuple[Floats, Floats],
    starts: Integers,
    bounds: tuple[Floats, Floats],
    kinds: tuple[Flags, Flags],
) -> None:
    """Bounds, their method and the number of clusters.

    Values that are all alike leave a bootstrap nothing to vary. Where they lie in 0..1 they vary
    no more than those of a share with the same mean: its interval holds for theirs.

    Args:
        columns: what is summed; gets the bounds.
        cells: as for ``effective_sizes``.
        starts: the same.
        bounds: of the bootstrap, slices x metrics that are means.
        kinds: whether each metric is a mean, and whether its values lie in 0..1.
    """
    is_mean, is_within_one = kinds
    # What is 1 but for its last bits is 1.
    columns["n_clusters"], sizes = effective_sizes(np.round(cells[0], 12), cells[1], starts)
    low, high = wilson_bounds(columns["mean"], sizes)
    is_alike = bounds[0] == bounds[1]
    is_wilson = np.broadcast_to(~is_mean, low.shape).copy()
    is_wilson[:, is_mean] = is_alike & is_within_one[is_mean]
    low[:, is_mean] = np.where(is_wilson[:, is_mean], low[:, is_mean], bounds[0])
    high[:, is_mean] = np.where(is_wilson[:, is_mean], high[:, is_mean], bounds[1])
    columns["ci_low"], columns["ci_high"] = low, high
    columns["method"] = np.where(
        columns[_COUNTS[EVALUATED]] == 0,
        _NONE,
        np.where(is_wilson, _WILSON, np.where(np.isnan(low), _NONE, _BOOTSTRAP)),
    )


def _rows(columns: Columns, system: int, slices: Integers, metrics: Integers) -> Columns:
    """The rows of metrics that were asked."""
    place, column = np.nonzero(columns["n_asked"])
    return {
        "system": np.full(len(place), system),
        "slice": slices[place],
        "metric": metrics[column],
        **{name: figures[place, column] for name, figures in columns.items()},
    }


def _balanced(
    columns: Columns, block: Block, slices: SlicesOfSet, metrics: Metrics
) -> Iterator[Columns]:
    """The average of the shares of questions rightly and not wrongly declined.

    Two shares over different questions have no common mean to take an interval of: the bounds of
    their average follow from their own. It is over as many questions as the share of fewer has: a
    handful of the one kind tells nothing, however many there are of the other.
    """
    for declined, wrongly, balanced in metrics.balanced:
        if not np.isin([declined, wrongly], block.metrics).all():
            continue
        right, wrong = (
            {name: one[:, [np.searchsorted(block.metrics, code)]] for name, one in columns.items()}
            for code in (declined, wrongly)
        )
        n_right, n_wrong = (one[_COUNTS[EVALUATED]] for one in (right, wrong))
        is_known = (n_right > 0) & (n_wrong > 0)
        found = {
            name: np.where(n_right <= n_wrong, right[name], wrong[name])
            for name in ("n_asked", *_COUNTS)
        }
        found["n_asked"] = np.where(is_known, found["n_asked"], 0)
        for name in ("mean", "mean_of_asked"):
            found[name] = (right[name] + 1 - wrong[name]) / 2
        low, high = mover_bounds(
            *((one["mean"], one["ci_low"], one["ci_high"]) for one in (right, wrong))
        )
        found |= {name: np.full(low.shape, np.nan) for name in _MEANS[1:]}
        found |= {"ci_low": low, "ci_high": high, "method": np.full(low.shape, _MOVER)}
        found |= {"scorer": right["scorer"]}
        found["n_clusters"] = np.minimum(right["n_clusters"], wrong["n_clusters"])
        yield _rows(found, block.system, slices.slices, np.array([balanced]))


def _of_warehouse(integrity: pa.Table) -> pa.Table:
    """Shares of records, which are taken for independent."""
    rows = []
    for row in integrity.to_pylist():
        n_asked = row["n_asked"]
        share = row["n_true"] / n_asked if n_asked else np.nan
        low, high = wilson_bounds(np.array([share]), np.array([float(n_asked)]))
        figures = {"mean": share, "mean_of_asked": share, "ci_low": low[0], "ci_high": high[0]}
        rows.append(
            {
                **{name: row[name] for name in ("system_id", "gold_set", "metric")},
                **{name: row[name] for name in ("slice_name", "slice_value")},
                **{"k": 0, "unit": "any", "mode": "finrag", "n_asked": n_asked},
                **{**dict.fromkeys(_COUNTS, 0), "n_evaluated": n_asked, "n_clusters": 0},
                **(figures if n_asked else {}),
                "ci_method": "wilson" if n_asked else "none",
            }
        )
    return pa.Table.from_pylist(rows, schema=SUMMARY_SCHEMA)

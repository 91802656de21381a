"""Two systems on the same items: paired differences, tests, intervals and verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from finrag.cache.results import ResultCache, content_digest, recall_all
from finrag.metrics.groups import Floats, Integers
from finrag.metrics.observed import SlicesOfSet
from finrag.metrics.pairs import MATRIX, Compared, Known, Paired
from finrag.records.columns import nullable, required
from finrag.statistics.comparisons import (
    Draws,
    compare_differences,
    decide_families,
    explored_p_values,
)
from finrag.statistics.sums import exact_sums

_SUMMED: Final = ("n_items", "n_missing_a", "n_missing_b", "n_a_higher", "n_b_higher")
_MEANS: Final = ("mean_a", "mean_b", "mean_difference")
_TESTED: Final = ("n_discordant", "n_clusters", "n_companies")
_FIGURES: Final = (
    *("ci_low", "ci_high", "p_value", "p_value_clustered", "p_t", "p_t_clustered"),
    *("p_wilcoxon", "p_mcnemar", "p_holm", "sd_difference", "standard_error", "effect_size"),
    *("mde", "equivalence_low", "equivalence_high", "p_bh"),
)
COMPARED_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "asked_for", "pair_id"),
        *nullable(pa.string(), "purpose"),
        *required(pa.string(), "system_a", "system_b"),
        *required(pa.string(), "gold_set", "slice_name", "slice_value", "metric"),
        pa.field("k", pa.int32(), nullable=False),
        *required(pa.string(), "unit", "mode"),
        *required(pa.int64(), "n_items", "n_missing_a", "n_missing_b", "n_a_better", *_TESTED),
        *nullable(pa.float64(), *_MEANS, *_FIGURES, "margin"),
        *required(pa.bool_(), "is_share", "is_confirmatory"),
        *required(pa.string(), "verdict", "verdict_reason"),
    ]
)
_TESTS: Final = (
    *("ci_low", "ci_high", "p_value", "p_value_clustered", "p_t", "p_t_clustered"),
    *("p_wilcoxon", "p_mcnemar", "sd_difference", "standard_error", "effect_size"),
    *("equivalence_low", "equivalence_high", "n_discordant", "n_clusters", "n_companies"),
    *("n_groups", "n_positive"),
)
# What the pairs of one system have on one gold set, before Holm's correction: a pair by its place
# among them, a slice by its place in the set, a metric by its code.
DIFFERENCES_SCHEMA: Final = pa.schema(
    [
        *required(pa.int64(), "pair", "slice", "metric"),
        *required(pa.float64(), *_SUMMED, *_MEANS, *_TESTS),
    ]
)
Columns = dict[str, npt.NDArray[Any]]


def compare(
    known: Known,
    values: pa.Table | pa.RecordBatchReader,
    settings: Mapping[str, Any],
    stored: ResultCache | None = None,
) -> pa.Table:
    """Compare systems by their paired differences.

    Registered pairs are compared on every metric that is compared and in every slice, but those
    of one company, whose questions are one cluster. The matrix compares all systems that are no
    nulls on headline metrics, over all sound questions or all anchors. An item without a value
    counts as 0 for its system, or as 1 where less is better.

    Args:
        known: the pairs and what else is known.
        values: ``metric_values`` with ``value`` alone of its figures, in any order.
        settings: ``comparison_resamples`` (of clusters), ``bootstrap_resamples`` (of the
            randomisation test over single items) and ``bootstrap_seed``.
        stored: differences of the registered pairs of a system on a gold set, under
            ``DIFFERENCES_SCHEMA``: found there by all that they are made of, or added.

    Returns:
        ``COMPARED_SCHEMA``: a row per pair, slice and metric, by set, slice, what it is asked
        for, pair and metric; the verdict is about system a.

    Raises:
        ValueError: a metric or a status is not known, or a value stands twice.
    """
    from threadpoolctl import threadpool_limits

    draws = Draws(
        int(settings["comparison_resamples"]),
        int(settings["bootstrap_resamples"]),
        int(settings["bootstrap_seed"]),
    )
    compared = Compared(known, values)
    # One thread: products this small gain nothing by more, and the bits stay the same.
    with threadpool_limits(1, user_api="blas"):
        parts = [
            part
            for one in compared.slices.of_sets()
            for part in _of_set(compared, one, draws, stored)
        ]
    if not parts:
        return COMPARED_SCHEMA.empty_table()
    return _decided(
        {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}, compared
    )


def _of_set(
    compared: Compared, slices: SlicesOfSet, draws: Draws, stored: ResultCache | None
) -> Iterator[Columns]:
    """Rows and figures of a set: of registered pairs by their first system, and of the matrix."""

    def asked(one: Paired) -> tuple[str, str]:
        pair = compared.pairs[one.pair]
        return pair.asked_for, "" if pair.asked_for == MATRIX else pair.system_a

    grouped = groupby(sorted(compared.paired(slices), key=asked), asked)
    groups = [(asked_for, list(pairs)) for (asked_for, _), pairs in grouped]
    # A cell of the matrix changes with every system that joins, and takes no time.
    keys: list[list[Any] | None] = [None] * len(groups)
    if stored is not None:
        shared = content_digest([_draws_of(draws), *_of_slices(compared, slices)])
        keys = [
            None if asked_for == MATRIX else [shared, *_contents(compared, pairs)]
            for asked_for, pairs in groups
        ]

    def made(places: Sequence[int]) -> list[pa.Table]:
        # Those of the same items share their draws, whichever system they belong to.
        return _made(compared, slices, draws, [groups[at][1] for at in places])

    rows: list[Columns] = []
    for (_, pairs), table in zip(groups, recall_all(stored, keys, made), strict=True):
        if table.num_rows:
            columns: Columns = {name: table[name].to_numpy() for name in table.column_names}
            columns["pair"] = np.array([one.pair for one in pairs])[columns["pair"]]
            columns["slice"] = slices.slices[columns["slice"]]
            rows.append(columns)
    if rows:
        found = {name: np.concatenate([part[name] for part in rows]) for name in rows[0]}
        order = np.lexsort((found["metric"], found["pair"], found["slice"]))
        yield {name: column[order] for name, column in found.items()}


def _made(
    compared: Compared, slices: SlicesOfSet, draws: Draws, groups: Sequence[Sequence[Paired]]
) -> list[pa.Table]:
    """The rows of each group of pairs, under ``DIFFERENCES_SCHEMA``."""
    paired = [one for group in groups for one in group]
    parts = list(_of_pairs(compared, slices, draws, paired))
    if not parts:
        return [DIFFERENCES_SCHEMA.empty_table()] * len(groups)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    ends = np.cumsum([len(group) for group in groups])
    of_row = np.searchsorted(ends, columns["pair"], side="right")
    columns["pair"] = columns["pair"] - np.concatenate([[0], ends])[of_row]
    return [
        pa.Table.from_pydict(
            {name: column[of_row == at] for name, column in columns.items()}, DIFFERENCES_SCHEMA
        )
        for at in range(len(groups))
    ]


def _draws_of(draws: Draws) -> list[int]:
    return [draws.n_resamples, draws.n_resamples_of_items, draws.seed]


def _of_slices(compared: Compared, slices: SlicesOfSet) -> list[Any]:
    """What the differences of all pairs on a set are made of beside their values."""
    clusters = np.unique(slices.clusters)
    return [
        compared.metrics.table,
        *(slices.clusters, slices.has_item.indptr, slices.has_item.indices),
        *(flags[slices.slices] for flags in (compared.is_company, compared.is_headline_slice)),
        [sorted(compared.items.companies[cluster]) for cluster in clusters],
        compared.items.is_company_set[clusters],
    ]


def _contents(compared: Compared, pairs: Iterable[Paired]) -> Iterator[Any]:
    """What the differences of pairs are made of."""
    for one in pairs:
        yield compared.pairs[one.pair].pair_id
        yield one.metrics
        for flags in (one.is_paired, *one.missing):
            yield np.packbits(flags)
        yield from one.values


def _of_pairs(
    compared: Compared, slices: SlicesOfSet, draws: Draws, paired: Sequence[Paired]
) -> Iterator[Columns]:
    """Rows and figures of each slice of a set, where there are any."""
    summed = [_summed(one, slices) for one in paired]
    of_matrix = [compared.pairs[one.pair].asked_for == MATRIX for one in paired]
    bounds = slices.has_item.indptr
    for place, number in enumerate(slices.slices):
        # A company's questions are one cluster: nothing could be tested there.
        is_company = compared.is_company[number]
        items = slices.has_item.indices[bounds[place] : bounds[place + 1]]
        chosen = [
            (at, one, columns)
            for at, (one, columns) in enumerate(zip(paired, summed, strict=True))
            if (compared.is_headline_slice[number] if of_matrix[at] else not is_company)
            and columns["n_items"][place].any()
        ]
        if chosen:
            rows = [
                _rows(at, one, place, {name: column[place] for name, column in columns.items()})
                for at, one, columns in chosen
            ]
            yield {
                **{name: np.concatenate([part[name] for part in rows]) for name in rows[0]},
                **_tested([one for _, one, _ in chosen], slices, items, compared, draws),
            }


def _summed(paired: Paired, slices: SlicesOfSet) -> Columns:
    """Counts and means: slices x metrics."""
    flags = (paired.is_paired, *paired.missing, paired.difference > 0, paired.difference < 0)
    columns: Columns = {
        name: slices.has_item @ flag.astype(np.float64)
        for name, flag in zip(_SUMMED, flags, strict=True)
    }
    figures = (*paired.values, paired.difference)
    with np.errstate(invalid="ignore"):
        for name, figure in zip(_MEANS, figures, strict=True):
            columns[name] = exact_sums(slices.has_item, figure) / columns["n_items"]
    return columns


def _rows(at: int, paired: Paired, place: int, columns: Columns) -> Columns:
    """The rows of one pair in a slice: metrics of which both systems have values."""
    asked = np.flatnonzero(columns["n_items"])
    return {
        "pair": np.full(len(asked), at),
        "slice": np.full(len(asked), place),
        "metric": paired.metrics[asked],
        **{name: figure[asked] for name, figure in columns.items()},
    }


def _tested(
    pairs: Sequence[Paired],
    slices: SlicesOfSet,
    items: Integers,
    compared: Compared,
    draws: Draws,
) -> Columns:
    """Figures of the differences of all pairs in a slice; those of the same items in one call."""
    clusters = slices.clusters[items]
    series: list[Floats] = []
    alike: defaultdict[bytes, list[int]] = defaultdict(list)
    for one in pairs:
        is_paired, differences = one.is_paired[items], one.difference[items]
        for column in np.flatnonzero(is_paired.any(axis=0)):
            rows = is_paired[:, column]
            alike[clusters[rows].tobytes()].append(len(series))
            series.append(differences[rows, column])
    figures: Columns = {}
    for key, members in alike.items():
        numbers = np.frombuffer(key, np.int64)
        found = compare_differences(
            np.column_stack([series[member] for member in members]),
            numbers,
            draws,
            compared.items.companies,
            bool(compared.items.is_company_set[numbers].any()),
        )
        for name, figure in found.items():
            if name not in (*_SUMMED, *_MEANS):
                figures.setdefault(name, np.full(len(series), np.nan))[members] = figure
    return figures


def _decided(rows: Columns, compared: Compared) -> pa.Table:
    """The rows with what depends on their families: Holm's correction, verdicts, exploration."""
    pair, number, metric = (rows[name] for name in ("pair", "slice", "metric"))
    metrics, slices = compared.metrics, compared.slices
    of_matrix = np.array([one.asked_for == MATRIX for one in compared.pairs])[pair]
    # Asked before any result was seen.
    is_confirmatory = compared.is_headline[metric] & compared.is_headline_slice[number]
    is_lower_better = metrics.is_lower_better[metric]
    margins = compared.margins(pair, metric)
    figures = {name: rows[name] for name in rows}
    figures["p_mcnemar"] = np.where(metrics.is_share[metric], rows["p_mcnemar"], np.nan)
    family = _families(rows, compared)
    found, verdicts = decide_families(figures, family, margins.tolist(), is_lower_better.tolist())
    of_set = slices.gold_set[number] * len(compared.pairs) + pair
    explored = np.where(of_matrix | is_confirmatory, -1, of_set)
    figures |= found
    figures["p_bh"] = explored_p_values(figures, explored)
    figures["n_a_better"] = np.where(is_lower_better, rows["n_b_higher"], rows["n_a_higher"])
    of_pair = pa.Table.from_pylist([one._asdict() for one in compared.pairs]).take(pa.array(pair))
    counts = ("n_items", "n_missing_a", "n_missing_b", "n_a_better", *_TESTED)
    table = pa.table(
        {
            **{name: of_pair[name] for name in ("asked_for", "pair_id", "purpose")},
            **{name: of_pair[name] for name in ("system_a", "system_b")},
            **slices.decoded(number),
            **metrics.decoded(metric),
            **{name: np.nan_to_num(figures[name]).astype(np.int64) for name in counts},
            **{name: pa.array(figures[name], from_pandas=True) for name in (*_MEANS, *_FIGURES)},
            "margin": pa.array(margins, from_pandas=True),
            "is_share": metrics.is_share[metric],
            "is_confirmatory": is_confirmatory,
            "verdict": [one.verdict for one in verdicts],
            "verdict_reason": [one.reason for one in verdicts],
        }
    )
    return table.select(COMPARED_SCHEMA.names).cast(COMPARED_SCHEMA)


def _families(rows: Columns, compared: Compared) -> Integers:
    """The family of tests that Holm's correction of each row runs over.

    Of a registered pair it is all metrics in a slice. In the matrix it is all pairs of a
    candidate on a metric, and all pairs without any; two candidates are a family of their own,
    so that no candidate that joins moves the p of others.
    """
    pair, number, metric = (rows[name] for name in ("pair", "slice", "metric"))
    pairs, candidates = compared.pairs, compared.candidates
    n_pairs, n_metrics = len(pairs), len(compared.metrics)
    # Of a pair alone, or of its candidate and a metric; 0 stands for no candidate.
    owners = np.full(n_pairs, -1)
    for place, one in enumerate(pairs):
        own = candidates & {one.system_a, one.system_b}
        if one.asked_for == MATRIX and len(own) < 2:
            owners[place] = 1 + sorted(candidates).index(*own) if own else 0
    owner = owners[pair]
    family = np.where(owner < 0, pair, n_pairs + owner * n_metrics + metric)
    found: Integers = number * (n_pairs + (1 + len(candidates)) * n_metrics) + family
    return found

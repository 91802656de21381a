"""Figures of a run on some questions: values summarised over these alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pyarrow as pa

from finrag.command.evaluating.questions import Asked
from finrag.metrics.summaries import Known, summarise
from finrag.warehouse import Row, Warehouse

Key: TypeAlias = tuple[str, int, str, str]
FAILED: Final = ("answers_failed", 0, "any", "finrag")
# Those that limits are set on.
SLICES: Final = ("overall", "sound")
_SLICES: Final = """
select gold_set, slice_name, slice_value, item_id, cluster_id
from metrics.item_slices
where
    gold_set = ?
    and item_id in (select unnest(cast(? as varchar[])))
    and slice_name in (select unnest(cast(? as varchar[])))
order by slice_name, slice_value, item_id
"""
_VALUES: Final = """
select
    system_id,
    item_id,
    metric,
    k,
    unit,
    mode,
    value_status,
    cast(null as varchar) as scorer_id,
    value,
    cast(null as double) as value_best,
    cast(null as double) as value_worst,
    cast(null as double) as value_expected
from metrics.metric_values
where
    gold_set = ?
    and value_status = 'evaluated'
    and item_id in (select unnest(cast(? as varchar[])))
    and (system_id = ? or metric in (select unnest(cast(? as varchar[]))))
order by system_id, metric, k, unit, mode, item_id
"""
# Any row: the system is expected to answer this set, or was declared for public sets.
_OWING: Final = """
select system_id
from answers.answers
where system_id = ? and gold_set = ?
union all
select system_id
from retrieval.registered_systems
where system_id = ? and answer_sets = 'public'
"""
_NO_NULLS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("null_kind", "value_status", "scorer_id", "item_id")),
        *((name, pa.string()) for name in ("metric", "unit", "mode")),
        *(("k", pa.int32()), ("value", pa.float64())),
    ]
)
_NO_SYSTEMS: Final = pa.schema([("system_id", pa.string()), ("regime", pa.string())])


@dataclass(frozen=True)
class Figure:
    """A mean with its interval over ``n`` questions; a share of records has no clusters.

    ``n_asked`` counts those that were asked, ``n_failed`` and ``n_not_run`` those that broke off.
    """

    value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    n: int = 0
    n_clusters: int | None = None
    n_asked: int | None = None
    n_failed: int = 0
    n_not_run: int = 0


# By system and metric.
Figures: TypeAlias = Mapping[str, Mapping[Key, Figure]]


@dataclass(frozen=True)
class Slice:
    """So many of the questions, and the figures of systems on these."""

    n_questions: int
    figures: Figures


def key_of(row: Row) -> Key:
    """The metric of a row."""
    return row["metric"], row["k"], row["unit"], row["mode"]


def figure_of(row: Row) -> Figure:
    """The figure of a row of summaries."""
    figures = (row["mean"], row["ci_low"], row["ci_high"])
    counts = (row["n_asked"], row["n_failed"] or 0, row["n_not_run"] or 0)
    return Figure(*figures, row["n_evaluated"], row["n_clusters"] or None, *counts)


def measure(
    warehouse: Warehouse,
    system_id: str,
    asked: Asked,
    items: Mapping[str, Row],
    shown: Collection[str],
    settings: Mapping[str, Any],
) -> dict[str, Slice]:
    """Figures of the system, and of the others on the same questions, by slice of ``SLICES``.

    Args:
        warehouse: with the values of all systems.
        system_id: the system, of which every metric is summarised.
        asked: its questions.
        items: what became of each, as ``read_items`` gives it.
        shown: the metrics of which the figures of the other systems are wanted too.
        settings: as for ``finrag.metrics.summaries.summarise``.
    """
    slices = warehouse.table(_SLICES, [asked.gold, sorted(items), list(SLICES)])
    wanted = [asked.gold, sorted(items), system_id, sorted(shown)]
    owes = warehouse.rows(_OWING, [system_id, asked.gold, system_id])
    known = Known(
        slices=slices,
        metrics=warehouse.table("select * from seeds.metric_catalogue"),
        # Floors are read from the warehouse: nulls were measured on all questions.
        systems=_NO_SYSTEMS.empty_table(),
        null_values=_NO_NULLS.empty_table(),
        integrity=_failures(system_id, slices, items if owes else {}),
    )
    summaries = summarise(known, warehouse.table(_VALUES, wanted), settings)
    counts = Counter(slices["slice_name"].to_pylist())
    found: dict[str, dict[str, dict[Key, Figure]]] = {name: {} for name in SLICES}
    for row in summaries.to_pylist():
        of_system = found[row["slice_name"]].setdefault(row["system_id"], {})
        of_system[key_of(row)] = figure_of(row)
    return {name: Slice(counts[name], figures) for name, figures in found.items()}


def _failures(system_id: str, slices: pa.Table, items: Mapping[str, Row]) -> pa.Table:
    """How many questions of each slice the system left without an answer, as a build counts it."""
    counts: dict[tuple[str, str, str], list[bool]] = {}
    for row in slices.to_pylist() if items else ():
        key = row["gold_set"], row["slice_name"], row["slice_value"]
        is_failed = items[row["item_id"]]["outcome"] in ("failed", "not_run")
        counts.setdefault(key, []).append(is_failed)
    return pa.Table.from_pylist(
        [
            {
                **{"system_id": system_id, "gold_set": gold_set, "metric": FAILED[0]},
                **{"slice_name": name, "slice_value": value},
                **{"n_true": sum(failed), "n_asked": len(failed)},
            }
            for (gold_set, name, value), failed in counts.items()
        ]
    )

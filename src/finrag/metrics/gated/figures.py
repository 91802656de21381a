"""Figures that gates judge, from summaries, pairs, distances to nulls, drifts and costs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.gated.expected import CANDIDATE, Gate, Row
from finrag.metrics.gated.known import Known

SUMMARIES: Final = "summaries"
_STRONGEST, _RANDOM_ANSWER = "strongest", "random_answer"
# Columns of costs that are figures, and their cut-off, unit and mode.
_PRICE: Final = "cost_usd_per_query"
_COSTS: Final = ("latency_p50_ms", "latency_p95_ms", _PRICE)
_OF_COSTS: Final = (0, "any", "finrag")
_MEASURE: Final = ("slice_name", "slice_value", "metric", "k", "unit", "mode")
_PLACE: Final = ("system_id", "gold_set", *_MEASURE)
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Figure:
    """What was measured for a gate.

    Attributes:
        values: by statistic; one that is missing was not measured.
        n: items behind them.
        n_expected: items that they would cover if the system had answered all; None if unknown.
        n_clusters: clusters behind an interval; None if it has none.
    """

    values: Mapping[str, float | None] = field(default_factory=dict)
    n: int | None = None
    n_expected: int | None = None
    n_clusters: int | None = None


class Figures:
    """Figures of a run, found by gate."""

    def __init__(self, run_id: str, gates: Sequence[Gate], known: Known) -> None:
        """Reads the figures that a gate could ask for; one of another run is none."""
        summarised, drifted, self._floors = (
            _rows_for(table, gates) for table in (known.summaries, known.drifts, known.floors)
        )
        expected = {_place(row): _expected(row) for row in summarised}
        drifted = [row for row in drifted if row["is_comparable"]]
        self.drifted = {_place(row) for row in drifted}
        """Places that can be compared with the baseline."""
        self._means = {_place(row): row["mean"] for row in summarised}
        found = [
            *_of_summaries(summarised),
            *_of_pairs(_rows_for(known.comparisons, gates)),
            *_of_floors(self._floors, expected),
            *_of_drifts(drifted, expected),
            *_of_costs(known.costs.to_pylist()),
        ]
        self._found = {key[1:]: figure for key, figure in found if key[0] == run_id}

    def of(self, gate: Gate) -> Figure:
        """The figure of a gate; without any value if nobody measured it."""
        limit = gate.limit
        return self._found.get(
            (limit["measured_in"], *place_of(gate), limit["null_kind"]), Figure()
        )

    def nulls(self, systems: Sequence[Row]) -> Nulls:
        """What nulls score where these systems are judged."""
        return Nulls(systems, self._means, self._floors)


class Nulls:
    """What a null scores on a gate. A gate that a null passes cannot fail.

    It is the random order of the same regime and, for answers, a random system that answers and a
    random answer of the same type; for a candidate the best of all nulls.
    """

    def __init__(
        self, systems: Sequence[Row], means: Mapping[Key, float | None], floors: Iterable[Row]
    ) -> None:
        """Finds the nulls of each system."""
        self._means = means
        self._rivals = {
            row["system_id"]: [null["system_id"] for null in systems if _is_null_of(null, row)]
            for row in systems
        }
        own = {row["system_id"] for row in systems if row["role"] == CANDIDATE}
        self._floors = defaultdict(list)
        for row in floors:
            is_of_own = row["null_kind"] == _STRONGEST and row["system_id"] in own
            if row["null_kind"] == _RANDOM_ANSWER or is_of_own:
                self._floors[_place(row)].append(row["null_mean"])

    def of(self, gate: Gate) -> float | None:
        """The null that comes nearest to passing, if the seed holds the gate against one.

        A pair already is a comparison with a null, and what tells of the machinery works for the
        null as well.
        """
        limit = gate.limit
        if limit["measured_in"] != SUMMARIES or not limit["is_held_against_null"]:
            return None
        place = place_of(gate)
        scores = [
            *(self._means.get((null, *place[1:])) for null in self._rivals.get(place[0], ())),
            *self._floors.get(place, ()),
        ]
        known = [score for score in scores if score is not None and not math.isnan(score)]
        nearest = min if limit["direction"] == "max" else max
        return nearest(known, default=None)


def _is_null_of(null: Row, system: Row) -> bool:
    if not null["is_null"] or system["is_null"]:
        return False
    is_answering = null["answerer"] not in (None, "none")
    is_alike = null["regime"] is not None and null["regime"] == system["regime"]
    return is_alike or system["role"] == CANDIDATE or is_answering


def place_of(gate: Gate) -> Key:
    """Where the figure of a gate stands: system, set, slice and measure."""
    return (gate.system_id, *gate.slice, *gate.measure)


def _place(row: Row) -> Key:
    return tuple(row[name] for name in _PLACE)


def _rows_for(table: pa.Table, gates: Sequence[Gate]) -> list[Row]:
    """Rows of the metrics and slices that gates are on."""
    metrics = {gate.limit["metric"] for gate in gates}
    slices = {gate.limit["slice_name"] for gate in gates}
    is_asked = pc.and_(
        pc.is_in(table["metric"], pa.array(sorted(metrics), pa.string())),
        pc.is_in(table["slice_name"], pa.array(sorted(slices), pa.string())),
    )
    rows: list[Row] = table.filter(is_asked).to_pylist()
    return rows


def _expected(row: Row) -> int | None:
    """Items that a system was measured on, abstained from, failed or was not run on.

    That it has no value there is its own doing. No gold and nothing to score are not.
    """
    counts = [row[name] for name in ("n_evaluated", "n_abstained", "n_failed", "n_not_run")]
    return None if None in counts else sum(counts)


def _of_summaries(rows: Iterable[Row]) -> Iterator[tuple[Key, Figure]]:
    for row in rows:
        values = {name: row[name] for name in ("mean", "ci_low", "ci_high")}
        n_clusters = row["n_clusters"] or None
        figure = Figure(values, row["n_evaluated"], _expected(row), n_clusters)
        yield (row["run_id"], SUMMARIES, *_place(row), None), figure


def _of_pairs(rows: Iterable[Row]) -> Iterator[tuple[Key, Figure]]:
    """Differences of pairs; what the second system missed counts as if it were perfect there.

    A gate on a gain must not pass because the other side failed.
    """
    for row in rows:
        lost = _lost_share(row["n_missing_b"], row["n_items"])
        values = {
            name: None if row[column] is None or lost is None else row[column] - lost
            for name, column in (
                ("mean", "mean_difference"),
                ("ci_low", "ci_low"),
                ("ci_high", "ci_high"),
            )
        }
        n_items, place = row["n_items"], _place({**row, "system_id": row["pair_id"]})
        figure = Figure(values, n_items, n_items, row["n_clusters"])
        yield (row["run_id"], "comparisons", *place, None), figure


def _lost_share(n_missing: int | None, n_items: int | None) -> float | None:
    if n_missing is None or n_items is None:
        return None
    return n_missing / n_items if n_items else math.nan


def _of_floors(
    rows: Iterable[Row], expected: Mapping[Key, int | None]
) -> Iterator[tuple[Key, Figure]]:
    for row in rows:
        values = {"mean": row["score"], "distance": row["distance"]}
        figure = Figure(values, row["n"], expected.get(_place(row)))
        yield (row["run_id"], "floors", *_place(row), row["null_kind"]), figure


def _of_drifts(
    rows: Iterable[Row], expected: Mapping[Key, int | None]
) -> Iterator[tuple[Key, Figure]]:
    """Changes from the baseline; the smaller side says how much a change can tell."""
    for row in rows:
        change, n_before, n_expected = row["change"], row["baseline_n"], expected.get(_place(row))
        # Within the interval of the baseline a change may be chance.
        is_chance = row["is_beyond_interval"] is False
        values = {
            "mean": row["mean"],
            "change": change,
            "absolute_change": None if change is None else abs(change),
            "relative_change": row["relative_change"],
            "significant_change": 0.0 if is_chance else change,
        }
        n_owed = None if n_expected is None else _least(n_expected, n_before)
        figure = Figure(values, _least(row["n"], n_before), n_owed)
        yield (row["run_id"], "drifts", *_place(row), None), figure


def _least(*counts: int | None) -> int | None:
    return min((count for count in counts if count is not None), default=None)


def _of_costs(rows: Iterable[Row]) -> Iterator[tuple[Key, Figure]]:
    """Times and prices of a question, over those where they are known."""
    for row in rows:
        for metric in _COSTS:
            if row[metric] is not None:
                place = (row["system_id"], row["gold_set"], "overall", "all", metric, *_OF_COSTS)
                n = row["n_items"] if metric == _PRICE else row["n_timed"]
                figure = Figure({"mean": row[metric]}, n, row["n_items"])
                yield (row["run_id"], "costs", *place, None), figure

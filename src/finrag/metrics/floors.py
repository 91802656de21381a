"""Floors: what a score must exceed to tell anything, from the values of nulls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from finrag.metrics.groups import Codes, Flags, Floats, Groups, Integers, combined, found_in, joined
from finrag.metrics.observed import EVALUATED, STATUSES, Metrics, Observed, Slices
from finrag.statistics.sums import exact_sums, membership

# Nulls of answers, the same for every system, and of rankings, by regime; in the alphabet.
KINDS: Final = ("altered_number", "random_answer", "random_order", "wrong_company", "wrong_year")
_RANDOM_ORDER: Final = KINDS.index("random_order")
_IS_OF_ANSWERS: Final = np.array([kind != "random_order" for kind in KINDS])
STRONGEST: Final = "strongest"
_SLICES: Final = ("overall", "sound", "sound_scope")
FEWEST_NULLS: Final = 10
_Z_90: Final = 1.2815515655446004
_DECIMALS: Final = 12
FLOOR: Final = pa.struct(
    [
        pa.field("null_kind", pa.string(), nullable=False),
        pa.field("n_null", pa.int64(), nullable=False),
        pa.field("null_mean", pa.float64()),
        pa.field("null_p90", pa.float64()),
        pa.field("distance", pa.float64()),
        pa.field("is_above_null", pa.bool_()),
        pa.field("null_mean_p90", pa.float64()),
        pa.field("distance_of_mean", pa.float64()),
    ]
)
Figures = Mapping[str, npt.NDArray[Any]]


class Nulls:
    """What nulls score, slice by slice."""

    def __init__(
        self,
        systems: pa.Table,
        null_values: pa.Table,
        observed: Observed,
        metrics: Metrics,
        slices: Slices,
    ) -> None:
        """Measures the nulls.

        Args:
            systems: ``system_id``, ``regime``, ``is_null`` and ``answerer``.
            null_values: rows of ``int_answer_values``; those with a ``null_kind`` count.
            observed: the values of systems; those of random order are nulls.
            metrics: the catalogue.
            slices: the slices of items.
        """
        known = {row["system_id"]: row for row in systems.to_pylist()}
        rows = [known.get(name, {}) for name in observed.systems.values.to_pylist()]
        regimes = Codes([systems["regime"]])
        self.metrics, self.has_floor = metrics, slices.named(*_SLICES)
        self.is_scored = np.array([row.get("is_null") is False for row in rows], np.bool_)
        # Where the regime of a search does not matter it is 0.
        self.regime = np.array([1 + regimes.place(row.get("regime")) for row in rows], np.int64)
        self.regime[self.regime == 0] = -1
        self.is_of_answers = metrics.column("unit") == "answer"
        self._sizes = (
            len(KINDS),
            len(regimes) + 1,
            len(slices),
            len(metrics),
            len(observed.scorers) + 1,
        )
        parts = (
            self._of_systems(observed, rows),
            self._of_answers(null_values, slices, observed.scorers),
        )
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        self._keys, self.figures = self._measured(columns, slices)

    def places(self, *parts: Integers) -> Integers:
        """Places of figures by kind, regime, slice, metric and scorer; -1 where there are none."""
        return found_in(self._keys, combined([*parts[:-1], parts[-1] + 1], self._sizes))

    def _of_systems(
        self, observed: Observed, rows: Sequence[Mapping[str, Any]]
    ) -> tuple[npt.NDArray[Any], ...]:
        """Kind, regime, item, metric, scorer and value of systems that are nulls."""
        is_null = np.array([bool(row.get("is_null")) for row in rows], np.bool_)
        # A system without an answerer that names speakers from what it found is another null of
        # the same question.
        answers = np.array([row.get("answerer") not in (None, "none") for row in rows], np.bool_)
        of_answers = self.is_of_answers[observed.metric]
        chosen = np.flatnonzero(
            is_null[observed.system]
            & (~of_answers | answers[observed.system])
            & (observed.status == EVALUATED)
        )
        return (
            np.full(len(chosen), _RANDOM_ORDER),
            np.where(of_answers, 0, self.regime[observed.system])[chosen],
            observed.item[chosen],
            observed.metric[chosen],
            np.full(len(chosen), -1),
            observed.figures["value"][chosen],
        )

    def _of_answers(
        self, table: pa.Table, slices: Slices, scorers: Codes
    ) -> tuple[npt.NDArray[Any], ...]:
        """The same of answers that know nothing."""
        is_evaluated = pc.equal(table["value_status"], STATUSES[EVALUATED])
        table = table.filter(pc.and_(pc.is_valid(table["null_kind"]), is_evaluated))
        # What another scorer says is no null of a score.
        is_unknown = pc.is_valid(table["scorer_id"]).to_numpy() & (
            scorers.of(table["scorer_id"]) < 0
        )
        table = table.filter(pa.array(~is_unknown))
        return (
            np.array([KINDS.index(kind) for kind in table["null_kind"].to_pylist()], np.int64),
            np.zeros(table.num_rows, np.int64),
            slices.items.of(table["item_id"]),
            self.metrics.of(table),
            scorers.of(table["scorer_id"]),
            table["value"].to_numpy(),
        )

    def _measured(
        self, columns: Sequence[npt.NDArray[Any]], slices: Slices
    ) -> tuple[Integers, Figures]:
        """Figures of all nulls of a kind in each slice, by ascending key."""
        kind, regime, item, metric, scorer, value = columns
        members = np.flatnonzero(self.has_floor[slices.of_row])
        members = members[np.argsort(slices.item[members], kind="stable")]
        left, right = joined(slices.item[members], item)
        in_slice = slices.of_row[members[right]]
        keys = combined(
            (kind[left], regime[left], in_slice, metric[left], scorer[left] + 1), self._sizes
        )
        left, keys = left[keys >= 0], keys[keys >= 0]
        groups = Groups(keys)
        value = value[left]
        order = np.lexsort((value, groups.of_row))
        belongs = membership(groups.of_row, np.arange(len(value)), (len(groups), len(value)))
        moments = exact_sums(belongs, np.column_stack([value, value * value]))
        ends = np.cumsum(groups.sizes)
        figures = {
            "n_null": groups.sizes,
            "null_mean": moments[:, 0] / groups.sizes,
            "null_mean_of_squares": moments[:, 1] / groups.sizes,
            "high": _percentiles(value[order], ends - groups.sizes, groups.sizes, 0.9),
            "low": _percentiles(value[order], ends - groups.sizes, groups.sizes, 0.1),
        }
        return keys[groups.firsts], figures


def _percentiles(ordered: Floats, starts: Integers, sizes: Integers, share: float) -> Floats:
    """Percentiles of groups of ascending values, between two neighbours in proportion."""
    place = (sizes - 1) * share
    below = np.floor(place).astype(np.int64)
    low, high = ordered[starts + below], ordered[starts + np.minimum(below + 1, sizes - 1)]
    found: Floats = low + (high - low) * (place - below)
    return found


def measure_floors(rows: Figures, nulls: Nulls) -> pa.Array:
    """Each score beside what nulls score.

    The floor of a mean is the 90th percentile of single null values: a strict one, for half of
    the score's own values may lie below its mean. A share has only values 0 and 1, so its floor
    is the 90th percentile of the mean of as many items as the score has, were they answered by
    the null (normal approximation, with what the null's own few items leave open), which stands
    beside it for means too: where random order finds something now and then, only that tells a
    system from chance. Where less is better it is the 10th. Fewer than ten null items give no
    floor, and no pass. A null need not exist for every question of the score. An answer to a
    public set has one null more: what the same reader answers from passages in random order.

    Args:
        rows: of summaries: codes of ``system``, ``slice``, ``metric`` and ``scorer``, ``mean``
            and ``n_evaluated``.
        nulls: what nulls score.

    Returns:
        A list of ``FLOOR`` for each row, null where no null can have its score: every kind that
        can, measured or not, and the one that is hardest to beat.
    """
    column = nulls.metrics.column
    asked_of = column("asked_of")
    # A null answer is a text without source.
    is_possible = (asked_of != "agents") & (
        ~nulls.is_of_answers | column("needs_text_only").astype(np.bool_)
    )
    is_expected = (nulls.is_of_answers[:, None] == _IS_OF_ANSWERS) | (
        ~_IS_OF_ANSWERS & (asked_of == "public")[:, None]
    )
    chosen = np.flatnonzero(
        nulls.is_scored[rows["system"]]
        & nulls.has_floor[rows["slice"]]
        & is_possible[rows["metric"]]
    )
    score = {name: figure[chosen] for name, figure in rows.items()}
    floors = _floors(score, nulls)
    expected = is_expected[score["metric"]]
    is_lower_better = nulls.metrics.is_lower_better[score["metric"]]
    hardest = _strongest(floors, expected, is_lower_better)
    # Of each row the kinds that can be, then the one that is hardest to beat.
    is_listed = np.column_stack([expected, expected.any(axis=1)])
    entries = {
        name: np.column_stack([figure, np.take_along_axis(figure, hardest, axis=1)])[is_listed]
        for name, figure in floors.items()
    }
    names = np.broadcast_to(np.array([*KINDS, STRONGEST], object), is_listed.shape)[is_listed]
    structs = pa.StructArray.from_arrays(
        [
            pa.array(names, pa.string()),
            *(
                pa.array(entries[one.name], one.type, from_pandas=one.type == pa.float64())
                if one.name != "is_above_null"
                else pa.array(entries["distance"] > 0, mask=np.isnan(entries["distance"]))
                for one in list(FLOOR)[1:]
            ),
        ],
        fields=list(FLOOR),
    )
    sizes = np.zeros(len(rows["metric"]), np.int32)
    sizes[chosen] = is_listed.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    kind = pa.list_(pa.field("item", FLOOR, nullable=False))
    return pa.ListArray.from_arrays(offsets, structs, kind, mask=pa.array(sizes == 0))


def _floors(score: Figures, nulls: Nulls) -> dict[str, npt.NDArray[Any]]:
    """Figures of floors, scores x kinds of null; NaN where there is none."""
    n_rows, metric = len(score["metric"]), score["metric"]
    regime = np.where(nulls.is_of_answers[metric], 0, nulls.regime[score["system"]])
    places = np.column_stack(
        [
            nulls.places(np.full(n_rows, kind), regime, score["slice"], metric, score["scorer"])
            for kind in range(len(KINDS))
        ]
    )
    n_null, mean, squares, low, high = (
        np.append(nulls.figures[name], 0 if name == "n_null" else np.nan)[places]
        for name in ("n_null", "null_mean", "null_mean_of_squares", "low", "high")
    )
    is_share = nulls.metrics.is_share[metric][:, None]
    is_lower_better = nulls.metrics.is_lower_better[metric][:, None]
    sign = np.where(is_lower_better, -1, 1)
    # Score and null are two samples and both err. A null that was never right in ten tries may be
    # right one time in five: one success and one failure are added to it.
    centre = np.where(is_share, (mean * n_null + 1) / (n_null + 2), mean)
    variance = np.where(is_share, centre * (1 - centre), squares - mean * mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.maximum(variance, 0) * (1 / score["n_evaluated"][:, None] + 1 / n_null))
        bound = np.round(centre + sign * _Z_90 * error, _DECIMALS)
    of_mean = np.where(is_share, np.clip(bound, 0, 1), bound)
    single = np.round(np.where(is_lower_better, low, high), _DECIMALS)
    has_floor = (n_null >= FEWEST_NULLS) & ~np.isnan(mean) & ~np.isnan(score["mean"])[:, None]
    floor = np.where(has_floor, np.where(is_share, of_mean, single), np.nan)
    of_mean = np.where(has_floor, of_mean, np.nan)
    distance, of_means = (
        np.round(sign * (score["mean"][:, None] - one), _DECIMALS) for one in (floor, of_mean)
    )
    return {
        "n_null": n_null,
        "null_mean": mean,
        "null_p90": floor,
        "distance": distance,
        "null_mean_p90": of_mean,
        "distance_of_mean": of_means,
    }


def _strongest(floors: Figures, is_expected: Flags, is_lower_better: Flags) -> Integers:
    """The kind that is hardest to beat, one a score.

    One without a floor only where no other has one; of equal ones that of more items, then the
    first in the alphabet.
    """
    floor = np.where(is_lower_better[:, None], -floors["null_p90"], floors["null_p90"])
    floor = np.where(is_expected & ~np.isnan(floor), floor, -np.inf)
    first = is_expected & (floor == floor.max(axis=1, keepdims=True))
    n_null = np.where(first, floors["n_null"], -1)
    hardest: Integers = np.argmax(n_null, axis=1)[:, None]
    return hardest

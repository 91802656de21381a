"""Values by system, item and metric as matrices, and the slices that they are summarised over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from finrag.metrics.groups import (
    Codes,
    Flags,
    Floats,
    Groups,
    Integers,
    combined,
    encoded,
    found_in,
)
from finrag.statistics.sums import membership

STATUSES: Final = ("evaluated", "uncovered", "abstained", "failed", "not_run", "unscored")
EVALUATED, UNCOVERED, ABSTAINED = range(3)
_KEY: Final = ("metric", "k", "unit", "mode")
# The average of one share and of what another leaves of 1.
BALANCED: Final = {"balanced_abstention": ("no_answer_accuracy", "false_abstention")}
_TEXTS: Final = ("system_id", "item_id", "metric", "unit", "mode", "value_status", "scorer_id")
FIGURES: Final = ("value", "value_best", "value_worst", "value_expected")


class Metrics:
    """Rows of the seed ``metric_catalogue``; the code of a metric is its place among them."""

    def __init__(self, catalogue: pa.Table) -> None:
        """Reads ``metric``, ``k``, ``unit`` and ``mode``, which are the key."""
        by_key = [(name, "ascending") for name in _KEY]
        self.table = catalogue.sort_by(by_key)
        self._names = [Codes([self.table[name]]) for name in ("metric", "unit", "mode")]
        self._cut_offs = np.unique(_whole(self.table["k"]))
        found = self._keys(self.table)
        self._order = np.argsort(found)
        self._known = found[self._order]

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column of the catalogue, an element a metric."""
        found: npt.NDArray[Any] = self.table[name].to_numpy()
        return found

    @cached_property
    def is_share(self) -> Flags:
        """Whether the mean of each metric is a share."""
        return self._is("value_kind", "share")

    @cached_property
    def is_within_one(self) -> Flags:
        """Whether the values of each metric lie in 0..1."""
        return self._is("value_unit", "share")

    @cached_property
    def is_lower_better(self) -> Flags:
        """Whether less of each metric is better."""
        return self._is("direction", "min")

    def _is(self, name: str, value: str) -> Flags:
        found: Flags = self.column(name) == value
        return found

    @cached_property
    def balanced(self) -> list[tuple[int, int, int]]:
        """Metrics that are the average of two: the codes of the two and their own."""
        found = []
        for code, row in enumerate(self.table.select(_KEY).to_pylist()):
            parts = BALANCED.get(row["metric"])
            if parts:
                both = pa.Table.from_pylist([{**row, "metric": part} for part in parts])
                found.append((*self.of(both).tolist(), code))
        return found

    def decoded(self, codes: Integers) -> dict[str, pa.ChunkedArray]:
        """The key of metrics."""
        return {name: self.table[name].take(pa.array(codes)) for name in _KEY}

    def of(self, table: pa.Table) -> Integers:
        """The codes of rows with the key of a metric.

        Raises:
            ValueError: a metric is not in the catalogue.
        """
        places = found_in(self._known, self._keys(table))
        if len(places) and places.min() < 0:
            row = table.slice(int(np.argmin(places)), 1).to_pylist()[0]
            key = " ".join(str(row[name]) for name in _KEY)
            raise ValueError(f"metric '{key}' is not in the catalogue")
        return self._order[places]

    def _keys(self, table: pa.Table) -> Integers:
        parts = [
            codes.of(table[name])
            for codes, name in zip(self._names, ("metric", "unit", "mode"), strict=True)
        ]
        parts.append(found_in(self._cut_offs, _whole(table["k"])))
        return combined(parts, [*map(len, self._names), len(self._cut_offs)])


def _whole(column: pa.ChunkedArray) -> Integers:
    found: Integers = column.to_numpy().astype(np.int64)
    return found


@dataclass(frozen=True)
class SlicesOfSet:
    """Slices of one gold set.

    Attributes:
        gold_set: its code.
        slices: number of each slice among those of all sets, ascending.
        items: codes of its items, ascending.
        clusters: code of each item's cluster.
        has_item: sparse matrix, slices x items.
        has_cell: sparse matrix, cells x items; a cell is what a slice has of a cluster.
        cell_starts: the first cell of each slice; those of a slice are in the order of clusters.
    """

    gold_set: int
    slices: Integers
    items: Integers
    clusters: Integers
    has_item: Any
    has_cell: Any
    cell_starts: Integers


class Slices:
    """The slices of all gold sets, in the order of set, name and value."""

    def __init__(self, table: pa.Table) -> None:
        """Reads ``item_slices``, a row per slice and item."""
        columns = [table[name] for name in ("gold_set", "slice_name", "slice_value")]
        self.texts = [Codes([column]) for column in columns]
        parts = [codes.of(column) for codes, column in zip(self.texts, columns, strict=True)]
        groups = Groups(*parts)
        self.gold_set, self.name, self.value = (part[groups.firsts] for part in parts)
        self.items = Codes([table["item_id"]])
        self.item = self.items.of(table["item_id"])
        """The item of each row."""
        self.of_row = groups.of_row
        """The slice of each row."""
        self.clusters = Codes([table["cluster_id"]])
        self._cluster = self.clusters.of(table["cluster_id"])
        self.set_of_item = np.full(len(self.items), -1)
        """The gold set of each item."""
        self.set_of_item[self.item] = parts[0]

    def __len__(self) -> int:
        return len(self.gold_set)

    def named(self, *names: str) -> npt.NDArray[np.bool_]:
        """Whether each slice has one of some names."""
        return np.isin(
            self.name, [place for place in map(self.texts[1].place, names) if place >= 0]
        )

    def decoded(self, slices: Integers) -> dict[str, pa.DictionaryArray]:
        """The key of slices."""
        return {
            name: codes.decoded(part[slices])
            for name, codes, part in zip(
                ("gold_set", "slice_name", "slice_value"),
                self.texts,
                (self.gold_set, self.name, self.value),
                strict=True,
            )
        }

    def of_sets(self) -> Iterator[SlicesOfSet]:
        """The slices of each set."""
        for gold_set in range(len(self.texts[0])):
            slices = np.flatnonzero(self.gold_set == gold_set)
            rows = np.flatnonzero(self.gold_set[self.of_row] == gold_set)
            items, firsts, places = np.unique(
                self.item[rows], return_index=True, return_inverse=True
            )
            numbers = self.of_row[rows] - slices[0]
            cells = Groups(numbers, self._cluster[rows])
            yield SlicesOfSet(
                gold_set,
                slices,
                items,
                self._cluster[rows[firsts]],
                membership(numbers, places, (len(slices), len(items))),
                membership(cells.of_row, places, (len(cells), len(items))),
                np.searchsorted(numbers[cells.firsts], np.arange(len(slices))),
            )


@dataclass(frozen=True)
class Block:
    """Values of one system on one gold set: items x metrics.

    Attributes:
        system: its code.
        metrics: codes of its metrics, ascending.
        status: place among ``STATUSES``; -1 where a metric is not asked of an item.
        scorer: code of the model that made a value; -1 for none.
        figures: by name of ``FIGURES``, NaN where there is none.
    """

    system: int
    metrics: Integers
    status: Integers
    scorer: Integers
    figures: dict[str, Floats]


class Observed:
    """Values of systems, as codes."""

    def __init__(
        self, rows: pa.Table | pa.RecordBatchReader, metrics: Metrics, slices: Slices
    ) -> None:
        """Reads values.

        Args:
            rows: ``metric_values``, in any order; its figures beside ``value`` may be left out.
            metrics: the catalogue.
            slices: of the items; a value of another item is left out.

        Raises:
            ValueError: a metric or a status is not known.
        """
        values = encoded(rows, _TEXTS)
        item = slices.items.of(values["item_id"])
        if (item < 0).any():
            values, item = values.filter(pa.array(item >= 0)), item[item >= 0]
        self.systems = Codes([values["system_id"]])
        self.item, self.metric = item, metrics.of(values)
        self.status = _statuses(values["value_status"])
        self.scorers = Codes([values["scorer_id"]])
        self._scorer = self.scorers.of(values["scorer_id"])
        self.figures = {
            name: values[name].cast(pa.float64()).fill_null(np.nan).to_numpy()
            for name in FIGURES
            if name in values.column_names
        }
        self.system = self.systems.of(values["system_id"])
        self._gold_set = slices.set_of_item[item]
        self._groups = Groups(self._gold_set, self.system)

    def blocks(self, slices: SlicesOfSet) -> Iterator[Block]:
        """The values of each system on the items of a set.

        Raises:
            ValueError: a system has two values of one metric for one item.
        """
        first = np.searchsorted(self._gold_set[self._groups.firsts], slices.gold_set)
        last = np.searchsorted(self._gold_set[self._groups.firsts], slices.gold_set, "right")
        for number in range(first, last):
            rows = self._groups.rows(number)
            system = int(self.system[rows[0]])
            metrics, column = np.unique(self.metric[rows], return_inverse=True)
            places = found_in(slices.items, self.item[rows]), column
            shape = len(slices.items), len(metrics)
            status = _placed(places, self.status[rows], np.full(shape, -1))
            if np.count_nonzero(status >= 0) < len(rows):
                name = self.systems.values[system]
                raise ValueError(f"system '{name}' has two values of one metric for one item")
            yield Block(
                system,
                metrics,
                status,
                _placed(places, self._scorer[rows], np.full(shape, -1)),
                {
                    name: _placed(places, figure[rows], np.full(shape, np.nan))
                    for name, figure in self.figures.items()
                },
            )


def _placed(
    places: tuple[Integers, Integers],
    values: npt.NDArray[Any],
    matrix: npt.NDArray[Any],
) -> npt.NDArray[Any]:
    matrix[places] = values
    return matrix


def _statuses(column: pa.ChunkedArray) -> Integers:
    """Places among ``STATUSES``."""
    codes = Codes([column])
    unknown = sorted(set(codes.values.to_pylist()) - set(STATUSES))
    if unknown or column.null_count:
        named = f"'{unknown[0]}'" if unknown else "null"
        raise ValueError(f"value_status {named} is none of {', '.join(STATUSES)}")
    places = np.array([STATUSES.index(name) for name in codes.values.to_pylist()], np.int64)
    return places[codes.of(column)]

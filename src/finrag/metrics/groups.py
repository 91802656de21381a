"""Rows of tables as integer codes: texts of a domain, groups of rows, joins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.int64, np.float64)


class Codes:
    """The distinct values of a domain in their order; the code of a value is its place."""

    def __init__(self, columns: Iterable[pa.ChunkedArray]) -> None:
        """Collects the values.

        Args:
            columns: columns of one type, as they are or dictionary-encoded; null is no value.
        """
        found = pa.concat_arrays([_distinct(column) for column in columns]).unique().drop_null()
        self.values: pa.Array = found.take(pc.sort_indices(found))

    def __len__(self) -> int:
        return len(self.values)

    def place(self, value: str) -> int:
        """The code of one value; -1 if it is of another domain."""
        return int(self.values.index(value).as_py())

    def of(self, column: pa.ChunkedArray) -> Integers:
        """The codes of a column; -1 where it is null or holds a value of another domain."""
        if not pa.types.is_dictionary(column.type):
            return _or_none(pc.index_in(column, value_set=self.values).combine_chunks())
        column = column.unify_dictionaries()
        if column.num_chunks == 0:
            return np.empty(0, np.int64)
        places = np.append(self.of(pa.chunked_array([column.chunk(0).dictionary])), -1)
        indices = [_or_none(chunk.indices) for chunk in column.chunks]
        found: Integers = places[np.concatenate(indices)]
        return found

    def decoded(self, codes: Integers) -> pa.DictionaryArray:
        """The values of codes, null for -1."""
        places = pa.array(codes.astype(np.int32), mask=codes < 0)
        return pa.DictionaryArray.from_arrays(places, self.values)


def _distinct(column: pa.ChunkedArray) -> pa.Array:
    if not pa.types.is_dictionary(column.type):
        return column.unique()
    column = column.unify_dictionaries()
    return column.chunk(0).dictionary if column.num_chunks else pa.array([], column.type.value_type)


def encoded(rows: pa.Table | pa.RecordBatchReader, texts: Collection[str]) -> pa.Table:
    """Rows with some columns of texts as codes, which takes a tenth of the memory."""
    batches = rows.to_reader() if isinstance(rows, pa.Table) else rows
    kinds = [
        field.with_type(pa.dictionary(pa.int32(), pa.string())) if field.name in texts else field
        for field in batches.schema
    ]
    coded = [
        pa.RecordBatch.from_arrays(
            [
                column.dictionary_encode() if field.name in texts else column
                for field, column in zip(batch.schema, batch.columns, strict=True)
            ],
            schema=pa.schema(kinds),
        )
        for batch in batches
    ]
    return pa.Table.from_batches(coded, pa.schema(kinds))


def _or_none(places: pa.Array) -> Integers:
    found: Integers = places.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


class Groups:
    """Rows that are equal in some columns, in the order of these columns."""

    def __init__(self, *columns: Integers | Floats) -> None:
        """Sorts the rows.

        Args:
            columns: one number a row each; none of them NaN.
        """
        self.order: Integers = np.arange(len(columns[0]))
        is_first, is_sorted = _compared(columns)
        if not is_sorted:
            self.order = np.lexsort(columns[::-1])
            is_first, _ = _compared([column[self.order] for column in columns])
        self._starts = np.flatnonzero(is_first)
        self.firsts: Integers = self.order[self._starts]
        """A row of each group: the first in the order of rows."""
        self.of_row: Integers = np.empty(len(self.order), np.int64)
        """The number of each row's group."""
        self.of_row[self.order] = np.cumsum(is_first) - 1

    def __len__(self) -> int:
        return len(self._starts)

    def rows(self, number: int) -> Integers:
        """The rows of one group, in their order."""
        ends = np.append(self._starts, len(self.order))
        return self.order[ends[number] : ends[number + 1]]

    @property
    def sizes(self) -> Integers:
        """The number of rows of each group."""
        return np.bincount(self.of_row, minlength=len(self))

    @property
    def places(self) -> Integers:
        """The place of each row in its group, from 0, in the order of rows."""
        found = np.empty(len(self.order), np.int64)
        found[self.order] = np.arange(len(self.order)) - self._starts[self.of_row[self.order]]
        return found

    def least(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """The least value of each group."""
        found: npt.NDArray[Number] = np.minimum.reduceat(values[self.order], self._starts)
        return found

    def greatest(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """The greatest value of each group."""
        found: npt.NDArray[Number] = np.maximum.reduceat(values[self.order], self._starts)
        return found

    def total(self, values: Floats | Integers | Flags) -> Floats:
        """The sum of each group's values, added in the order of rows."""
        found: Floats = np.bincount(self.of_row, values, len(self)).astype(np.float64)
        return found

    def before(self, values: Integers | Flags) -> Integers:
        """The sum of the values of all groups before each group."""
        return np.concatenate([[0], np.cumsum(self.total(values))])[:-1].astype(np.int64)


def _compared(columns: Sequence[Integers | Floats]) -> tuple[Flags, bool]:
    """Whether each row differs from the one before, and whether none comes before it."""
    n_rows = len(columns[0])
    is_equal, is_ahead = (
        np.ones(max(0, n_rows - 1), np.bool_),
        np.zeros(max(0, n_rows - 1), np.bool_),
    )
    for column in columns:
        is_ahead |= is_equal & (column[:-1] > column[1:])
        is_equal &= column[:-1] == column[1:]
    return np.append(True, ~is_equal)[:n_rows], not is_ahead.any()


def combined(columns: Sequence[Integers], sizes: Sequence[int]) -> Integers:
    """One number for the codes of a row, in the order of its columns; -1 where one is -1."""
    key, is_known = columns[0], columns[0] >= 0
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        key, is_known = key * size + column, is_known & (column >= 0)
    return np.where(is_known, key, -1)


def found_in(keys: Integers, wanted: Integers) -> Integers:
    """The place of each wanted key among ascending ones that are distinct; -1 if it is none."""
    if not len(keys):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)


def joined(keys: Integers, wanted: Integers) -> tuple[Integers, Integers]:
    """Places of all equal pairs of wanted keys and ascending ones, in the order of `wanted`."""
    starts = np.searchsorted(keys, wanted, "left")
    counts = np.searchsorted(keys, wanted, "right") - starts
    left = np.repeat(np.arange(len(wanted)), counts)
    offsets = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
    return left, np.repeat(starts, counts) + offsets

"""Rows by key that are read in bulk: part files, each an entry of the cache.

A step that adds rows some hundred at a time adds a part each time. The same key in two parts is
harmless: the part that is first in name order, which is the older one, counts.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from finrag.cache.tables import SUFFIX, Tables

SMALL_PART_ROWS: Final = 64
_SMALL_ROW_BYTES: Final = 8192


@dataclass(frozen=True)
class Parts:
    """The parts of one folder.

    Attributes:
        folder: where they lie.
        schema: of their rows.
        key: columns that tell rows apart.
        name: what messages call a part.
        if_lost: what happens to the rows of a lost one.
    """

    folder: Path
    schema: pa.Schema
    key: tuple[str, ...]
    name: str
    if_lost: str

    @property
    def _tables(self) -> Tables:
        return Tables(self.folder, self.schema, self.name, self.if_lost)

    def open(self) -> None:
        """Make the folder, and remove what runs that were killed left half written.

        Parts of earlier versions are sealed: their rows may have been paid for.
        """
        self._tables.open()
        for path in sorted(self.folder.glob("part-*.parquet")):
            if not path.name.endswith(SUFFIX):
                self._seal(path)

    def _seal(self, path: Path) -> None:
        """Write a part of an earlier version anew under its name; one that is damaged stays."""
        try:
            rows = pq.read_table(path, page_checksum_verification=True, partitioning=None)
        except (pa.ArrowException, OSError):
            return
        if rows.schema.equals(self.schema):
            self._write(path.stem, rows)
            path.unlink(missing_ok=True)

    def listed(self) -> list[Path]:
        """All whole parts, oldest first."""
        return sorted(self.folder.glob(f"part-*{SUFFIX}"))

    def add(self, rows: pa.Table) -> Path:
        """Add rows, distinct by key, as one part, with the metadata of their schema."""
        key = f"part-{time.time_ns():020d}-{uuid.uuid4().hex[:12]}"
        self._write(key, rows)
        return self._tables.path(key)

    def _write(self, key: str, rows: pa.Table) -> None:
        schema = self.schema.with_metadata(rows.schema.metadata)
        # Hashes and unit vectors do not compress.
        options = {"compression": "none", "use_dictionary": False, "write_statistics": False}
        with self._tables.adding(key, schema, **options) as writer:
            writer.write_table(rows.cast(schema))

    def read(self, path: Path, columns: list[str] | None = None) -> pa.Table | None:
        """The rows of a part.

        Args:
            path: the part.
            columns: the columns to read; all if None.

        Returns:
            The rows; None where the part was damaged, or is gone (another process merged it): its
            rows are then simply not cached.

        Raises:
            OSError: the system refused to read the file (rights, disk), which is no damage.
        """

        def rows(part: pq.ParquetFile) -> pa.Table:
            with part:
                return part.read(columns=columns)

        return self._tables.find(path.name.removesuffix(SUFFIX), rows)

    def read_all(self) -> Iterator[pa.Table]:
        """The rows of every readable part, oldest first."""
        for path in self.listed():
            rows = self.read(path)
            if rows is not None:
                yield rows

    def merge_small(self) -> None:
        """Put many tiny parts (single queries leave one each) into one: opening stays fast.

        Safe beside other processes: the merged part is in place before the tiny ones go.
        """
        light = [path for path in self.listed() if _size(path) < SMALL_PART_ROWS * _SMALL_ROW_BYTES]
        if len(light) < SMALL_PART_ROWS:
            return
        read = {path: rows for path in light if (rows := self.read(path)) is not None}
        small = {path: rows for path, rows in read.items() if rows.num_rows <= SMALL_PART_ROWS}
        if len(small) < SMALL_PART_ROWS:
            return
        self.add(first_of_each(pa.concat_tables(small.values()), self.key))
        for path in small:
            path.unlink(missing_ok=True)


def first_of_each(rows: pa.Table, key: tuple[str, ...]) -> pa.Table:
    """The first row of every key, in the order of rows."""
    numbered = rows.append_column("row", pa.array(range(rows.num_rows)))
    firsts = numbered.group_by([*key]).aggregate([("row", "min")])
    return rows.take(firsts["row_min"].sort())


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # moved or merged by another process since the folder was listed
        return 2**63

"""The vector cache: part files that are either whole or not there, shared by every corpus.

Layout: ``cache_dir/embeddings/<encoder id>/part-<time>-<random>.parquet`` and ``ledger.jsonl``.
A part is written under a hidden name and renamed, is never changed afterwards, and carries page
checksums. Any number of processes may read and add parts at once; the same text in two parts is
harmless (the first part in name order is used).
"""

from __future__ import annotations

import json
import logging
import os
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from finrag.records.writing import clear_leftovers, replacing

# usable is false where the model gave no usable vector (NaN, infinite, zero): the vector is null
# and the row only says that the text was tried.
PART_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("usable", pa.bool_(), nullable=False),
        pa.field("vector", pa.list_(pa.float32())),
    ]
)
DIMENSION_KEY = b"finrag.dimension"
SMALL_PART_ROWS = 64

logger = logging.getLogger("finrag.embeddings")


def open_folder(cache_dir: Path, encoder_id: str) -> Path:
    """Create the encoder's folder if need be, clear old leftovers of killed runs, and return it."""
    folder = cache_dir / "embeddings" / quote(encoder_id, safe="@")
    folder.mkdir(parents=True, exist_ok=True)
    clear_leftovers(folder)
    return folder


def list_parts(folder: Path) -> list[Path]:
    """All whole parts, oldest first."""
    return sorted(folder.glob("part-*.parquet"))


def write_part(folder: Path, rows: pa.Table, dimension: int) -> Path:
    """Write one part so that a reader sees all of it or nothing of it.

    Args:
        folder: the encoder's folder.
        rows: a table under ``PART_SCHEMA``, distinct in text_hash.
        dimension: length of the vectors.

    Returns:
        The path of the new part.
    """
    name = f"part-{time.time_ns():020d}-{uuid.uuid4().hex[:12]}.parquet"
    with replacing(folder / name) as hidden:
        pq.write_table(
            rows.cast(PART_SCHEMA).replace_schema_metadata({DIMENSION_KEY: str(dimension)}),
            hidden,
            # Hashes and unit vectors do not compress; checksums find what a disk or a copy broke.
            compression="none",
            use_dictionary=False,
            write_statistics=False,
            write_page_checksum=True,
        )
    return folder / name


def read_part(path: Path, columns: list[str] | None = None) -> pa.Table | None:
    """Read a part, or set it aside if it is damaged.

    Args:
        path: the part.
        columns: the columns to read; all if None.

    Returns:
        The rows, or None when the part was damaged (it is renamed to ``<name>.corrupt`` and
        reported) or is gone (another process merged it): its texts are then simply not cached.

    Raises:
        OSError: the system refused to read the file (rights, disk), which is not damage.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as part:
            schema = part.schema_arrow
            if not schema.equals(PART_SCHEMA) or DIMENSION_KEY not in (schema.metadata or {}):
                raise pa.ArrowInvalid("its columns are not those of a part")
            return part.read(columns=columns)
    except FileNotFoundError:
        return None
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        aside = path.with_name(f"{path.name}.corrupt")
        # Another process may have found and moved it first.
        with suppress(FileNotFoundError):
            path.rename(aside)
        logger.warning(
            "embeddings cache: %s is damaged (%s); it is kept as %s and its texts are embedded "
            "again. Nothing to do; delete the file when you like.",
            path,
            error,
            aside.name,
        )
        return None


def dimension_in(folder: Path) -> int | None:
    """Length of the cached vectors, from the first readable part; None in an empty cache."""
    for path in list_parts(folder):
        rows = read_part(path, ["usable"])
        if rows is not None:
            return _dimension(rows)
    return None


def _dimension(rows: pa.Table) -> int:
    return int(rows.schema.metadata[DIMENSION_KEY])


def index_batches(parts: Iterable[Path]) -> Iterator[pa.RecordBatch]:
    """Rows (text_hash, usable, part_no) of every readable part; part_no counts from 0."""
    for part_no, path in enumerate(parts):
        rows = read_part(path, ["text_hash", "usable"])
        if rows is not None:
            yield from _numbered(rows, part_no).to_batches()


def vector_batches(parts: dict[int, Path], lost: list[Path]) -> Iterator[pa.RecordBatch]:
    """Rows (text_hash, vector, part_no) of the given parts, each checked before it is passed on.

    A part that turns out unreadable is left out and appended to ``lost``: this runs inside a query,
    which could not tell an exception's cause.
    """
    for part_no, path in parts.items():
        rows = read_part(path, ["text_hash", "vector"])
        if rows is None:
            lost.append(path)
        else:
            yield from _numbered(rows, part_no).to_batches()


INDEX_SCHEMA = pa.schema(
    [("text_hash", pa.string()), ("usable", pa.bool_()), ("part_no", pa.int32())]
)
VECTOR_SCHEMA = pa.schema(
    [("text_hash", pa.string()), ("vector", pa.list_(pa.float32())), ("part_no", pa.int32())]
)


def _numbered(rows: pa.Table, part_no: int) -> pa.Table:
    numbers = pa.repeat(pa.scalar(part_no, pa.int32()), rows.num_rows)
    schema = INDEX_SCHEMA if "usable" in rows.column_names else VECTOR_SCHEMA
    return rows.append_column("part_no", numbers).cast(schema)


def merge_small_parts(folder: Path) -> None:
    """Put many tiny parts (single queries leave one each) into one, so that opening stays fast.

    Safe beside other processes: the merged part is in place before the tiny ones go, and a reader
    that finds one gone treats its texts as not cached until it looks again.
    """
    found = {path: _stat(path) for path in list_parts(folder)}
    parts = [p for p, stat in found.items() if stat and stat.st_size < SMALL_PART_ROWS * 8192]
    if len(parts) < SMALL_PART_ROWS:
        return
    tables = {p: rows for p in parts if (rows := read_part(p)) is not None}
    small = {p: rows for p, rows in tables.items() if rows.num_rows <= SMALL_PART_ROWS}
    if len(small) < SMALL_PART_ROWS:
        return
    merged = pa.concat_tables(small.values())
    first_of_each = merged.append_column("row", pa.array(range(merged.num_rows))).group_by(
        ["text_hash", "usable"]
    )
    keep = first_of_each.aggregate([("row", "min")]).column("row_min").sort()
    write_part(folder, merged.take(keep), _dimension(merged))
    for path in small:
        path.unlink(missing_ok=True)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:  # renamed or merged by another process since the folder was listed
        return None


def append_ledger(folder: Path, entry: dict[str, Any]) -> None:
    """Append one line of JSON in a single write, so that lines of two processes never mix."""
    line = (json.dumps(entry, sort_keys=True) + "\n").encode()
    handle = os.open(folder / "ledger.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)

"""The rows of a corpus by shard: each source file is read once, and its rows lie by bucket.

A file of rows has a row group or more for each bucket. What was read is found again by the bytes
of the source file and by all that decides how it is read: a new file costs its own reading alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from finrag.cache.modules import library_digest, modules_behind
from finrag.cache.results import content_digest
from finrag.shards.plan import check_versions, environment
from finrag.shards.store import Store
from finrag.sources.corpus import CorpusPart

# Rows of all buckets that are in memory before they are written.
_BUFFER_BYTES: Final = 128 << 20


@dataclass(frozen=True)
class FileRows:
    """What was read of a source file, by bucket.

    Attributes:
        name: of the source file.
        key: of what lies in the store.
        parts: bucket, row group, rows and digest of each group of rows.
        n_loaded: rows that are no faults.
        n_faults: rows that are.
        place: where a list spoke of the file when it was read; a remedy may name it.
        n_bytes: of the file of rows.
    """

    name: str
    key: str
    parts: tuple[tuple[int, int, int, str], ...]
    n_loaded: int
    n_faults: int
    place: str
    n_bytes: int

    @property
    def hash(self) -> str:
        """Digest of its rows, in their order."""
        return content_digest([[digest for *_, digest in self.parts]])

    @property
    def file(self) -> str:
        """Of the rows, in the store."""
        return f"rows/{self.key}.parquet"


@dataclass(frozen=True)
class BucketTask:
    """Source files to read.

    Attributes:
        store: where rows are written.
        parts: of the corpus, each with the key of its rows and the SHA-256 of its file.
        n_buckets: of the corpus.
        versions: of what the driver reads with.
    """

    store: Store
    parts: Sequence[tuple[CorpusPart, str, str]]
    n_buckets: int
    versions: Mapping[str, str]


@cache
def bucket_of(cik: int | None, n_buckets: int) -> int:
    """The shard of a company: by the MD5 of its ten-digit CIK; 0 for no company."""
    if cik is None:
        return 0
    digest = hashlib.md5(f"{cik:010d}".encode(), usedforsecurity=False).hexdigest()
    return int(digest[:8], 16) % n_buckets


def reader_versions() -> dict[str, str]:
    """What reads source files here: Python, packages, and the modules of the library behind it."""
    modules = modules_behind(f"import {__name__}, finrag.sources.corpus")
    return {**environment(), "finrag": library_digest(modules)}


def part_key(
    part: CorpusPart, file_digest: str, n_buckets: int, versions: Mapping[str, str]
) -> str:
    """Digest of all that decides which rows a file has in which bucket."""
    said = [dict(versions), part.corpus, part.name, file_digest, part.said, n_buckets]
    return content_digest(said)[:32]


def find_file_rows(store: Store, part: CorpusPart, key: str) -> tuple[str, FileRows | None]:
    """The key of a file's rows, and what was read of it before under that key, if anything.

    A remedy may name the line of a list that speaks of the file. Where there is one, and the line
    has moved since, the rows have a key of their own.
    """
    read = _record(store, key)
    if read is None or not read.n_faults or read.place == part.place:
        return key, read
    moved = content_digest([key, part.place])[:32]
    return moved, _record(store, moved)


def _record(store: Store, key: str) -> FileRows | None:
    try:
        said: Mapping[str, Any] = json.loads(store.read(f"rows/{key}.json"))
        return FileRows(**{**said, "parts": tuple(tuple(one) for one in said["parts"])})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def bucket_rows(task: BucketTask) -> list[FileRows]:
    """Read source files and write their rows by bucket, each file with a record behind it.

    Raises:
        ValueError: this process runs other code than the driver, or a file is not as the driver
            found it.
    """
    check_versions(task.versions, reader_versions())
    return [
        _bucket_part(task.store, part, key, digest, task.n_buckets)
        for part, key, digest in task.parts
    ]


def file_sha256(path: Path) -> str:
    """SHA-256, in hex, of a source file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _bucket_part(store: Store, part: CorpusPart, key: str, digest: str, n_buckets: int) -> FileRows:
    groups: list[tuple[int, int, int, str]] = []
    n_loaded = n_rows = 0
    with (
        store.writing(f"rows/{key}.parquet") as file,
        pq.ParquetWriter(file, part.schema, compression="zstd") as writer,
    ):
        for bucket, rows in _by_bucket(part.rows(), n_buckets):
            writer.write_table(rows, row_group_size=max(1, rows.num_rows))
            groups.append((bucket, len(groups), rows.num_rows, content_digest([rows])))
            n_rows += rows.num_rows
            n_loaded += rows["record_status"].to_pylist().count("loaded")
        if part.path is not None and file_sha256(part.path) != digest:
            raise ValueError(f"{part.name} was changed while it was read; build again")
    n_bytes = store.size(f"rows/{key}.parquet")
    read = FileRows(part.name, key, tuple(groups), n_loaded, n_rows - n_loaded, part.place, n_bytes)
    store.write(f"rows/{key}.json", json.dumps(read.__dict__).encode())
    return read


def _by_bucket(batches: Iterator[pa.RecordBatch], n_buckets: int) -> Iterator[tuple[int, pa.Table]]:
    """Rows of one bucket at a time; of a large file the same bucket comes again."""
    held: dict[int, list[pa.RecordBatch]] = {}
    size = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        ciks = batch.column("cik_int").to_pylist()
        buckets = np.array([bucket_of(cik, n_buckets) for cik in ciks])
        for bucket in np.unique(buckets).tolist():
            held.setdefault(bucket, []).append(batch.filter(pa.array(buckets == bucket)))
        size += batch.nbytes
        if size > _BUFFER_BYTES:
            yield from _emptied(held)
            size = 0
    yield from _emptied(held)


def _emptied(held: dict[int, list[pa.RecordBatch]]) -> Iterator[tuple[int, pa.Table]]:
    for bucket in sorted(held):
        yield bucket, pa.Table.from_batches(held[bucket]).combine_chunks()
    held.clear()


def read_file_rows(
    store: Store, groups: Sequence[tuple[str, Sequence[int]]], schema: pa.Schema
) -> pa.Table:
    """The rows of some row groups of some files, in their order."""
    tables = [schema.empty_table()]
    for name, numbers in groups:
        with store.reading(name) as file:
            tables.append(pq.ParquetFile(file).read_row_groups(list(numbers)).cast(schema))
    return pa.concat_tables(tables)

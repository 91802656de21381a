"""The vector cache: vectors by the hash of their text, in parts shared by every corpus.

Layout: ``cache_dir/embeddings/<encoder id>/part-*.sealed.parquet`` (see ``finrag.cache.parts``)
and ``ledger.jsonl``; ``prefix=<p>/part-*.sealed.parquet`` beside them holds what was embedded by
itself of the texts whose hashes begin with ``p``. Any number of processes may read and add at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from finrag.cache.parts import Parts

# usable is false where the model gave no usable vector (NaN, infinite, zero): the vector is null
# and the row only says that the text was tried.
PART_SCHEMA = pa.schema(
    [
        pa.field("text_hash", pa.string(), nullable=False),
        pa.field("usable", pa.bool_(), nullable=False),
        pa.field("vector", pa.list_(pa.float32())),
    ]
)
INDEX_SCHEMA = pa.schema(
    [("text_hash", pa.string()), ("usable", pa.bool_()), ("part_no", pa.int32())]
)
VECTOR_SCHEMA = pa.schema(
    [("text_hash", pa.string()), ("vector", pa.list_(pa.float32())), ("part_no", pa.int32())]
)
DIMENSION_KEY = b"finrag.dimension"
_PREFIX = "prefix="


def open_folder(cache_dir: Path, encoder_id: str, prefix: str = "") -> Path:
    """Create the folder if need be, clear old leftovers of killed runs, and return it.

    Args:
        cache_dir: root of the cache.
        encoder_id: of the encoder.
        prefix: of the hashes of the texts; empty for the encoder's own folder.
    """
    folder = cache_dir / "embeddings" / quote(encoder_id, safe="@")
    if prefix:
        folder /= f"{_PREFIX}{prefix}"
    parts_in(folder).open()
    return folder


def parts_for(folder: Path, prefix: str = "") -> list[Path]:
    """All whole parts that may hold texts whose hashes begin with a prefix, oldest first.

    Args:
        folder: the encoder's own.
        prefix: empty for all texts.
    """
    listed = parts_in(folder).listed()
    for below in sorted(folder.glob(f"{_PREFIX}*")):
        of = below.name.removeprefix(_PREFIX)
        if of.startswith(prefix) or prefix.startswith(of):
            listed += parts_in(below).listed()
    return listed


def parts_in(folder: Path) -> Parts:
    """The parts of an encoder's folder."""
    return Parts(
        folder,
        PART_SCHEMA,
        ("text_hash", "usable"),
        "the embeddings cache",
        "its texts are embedded again",
    )


def write_part(folder: Path, rows: pa.Table, dimension: int) -> Path:
    """Write one part so that a reader sees all of it or nothing of it.

    Args:
        folder: the encoder's folder.
        rows: a table under ``PART_SCHEMA``, distinct in text_hash.
        dimension: length of the vectors.

    Returns:
        The path of the new part.
    """
    named = rows.replace_schema_metadata({DIMENSION_KEY: str(dimension)})
    return parts_in(folder).add(named)


def dimension_in(paths: Iterable[Path]) -> int | None:
    """Length of the vectors of some parts, from the first readable one; None without any."""
    for path in paths:
        rows = parts_in(path.parent).read(path, ["usable"])
        if rows is not None and DIMENSION_KEY in (rows.schema.metadata or {}):
            return int(rows.schema.metadata[DIMENSION_KEY])
    return None


def index_batches(paths: Iterable[Path]) -> Iterator[pa.RecordBatch]:
    """Rows (text_hash, usable, part_no) of every readable part; part_no counts from 0."""
    for part_no, path in enumerate(paths):
        rows = parts_in(path.parent).read(path, ["text_hash", "usable"])
        if rows is not None:
            yield from _numbered(rows, part_no, INDEX_SCHEMA)


def vector_batches(paths: dict[int, Path], lost: list[Path]) -> Iterator[pa.RecordBatch]:
    """Rows (text_hash, vector, part_no) of the given parts, each checked before it is passed on.

    A part that turns out unreadable is left out and appended to ``lost``: this runs inside a query,
    which could not tell an exception's cause.
    """
    for part_no, path in paths.items():
        rows = parts_in(path.parent).read(path, ["text_hash", "vector"])
        if rows is None:
            lost.append(path)
        else:
            yield from _numbered(rows, part_no, VECTOR_SCHEMA)


def _numbered(rows: pa.Table, part_no: int, schema: pa.Schema) -> list[pa.RecordBatch]:
    numbers = pa.repeat(pa.scalar(part_no, pa.int32()), rows.num_rows)
    batches: list[pa.RecordBatch] = rows.append_column("part_no", numbers).cast(schema).to_batches()
    return batches


def append_ledger(folder: Path, entry: dict[str, Any]) -> None:
    """Append one line of JSON in a single write, so that lines of two processes never mix."""
    line = (json.dumps(entry, sort_keys=True) + "\n").encode()
    handle = os.open(folder / "ledger.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)

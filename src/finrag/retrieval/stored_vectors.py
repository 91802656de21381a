"""Vectors of the distinct texts in a store, embedded in tasks that a runner spreads.

A task takes the texts whose hashes begin alike, so that each text is embedded by one task alone.
It leaves out what files of its prefix hold, and writes one file with the rest, of which it copies
what other files hold:
``vectors/<encoder>/prefix=<p>/<digest>.parquet``. Beside them ``<digest of the texts>.json``
records which files hold all of these texts, and how long they are: where it is there, and they are
as long, no task is run.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from finrag import embeddings
from finrag.cache.results import content_digest
from finrag.cache.tables import table_writer
from finrag.retrieval.vectors import Bools
from finrag.warehouse import StoredRows

if TYPE_CHECKING:
    from finrag.shards import Store

CORPUS_EMBEDDING_SCHEMA = pa.schema(
    [
        pa.field("encoder", pa.string(), nullable=False),
        pa.field("encoder_id", pa.string(), nullable=False),
        pa.field("content_hash", pa.string(), nullable=False),
        pa.field("vector", pa.list_(pa.float32()), nullable=False),
    ]
)
# The texts of a prefix of one hex digit; where there are more, of two.
MAX_TEXTS: Final = 1_000_000
# Begins the name of a file of vectors that are none: they are not cached but asked for again.
_UNUSABLE: Final = "unusable-"


@dataclass(frozen=True)
class PrefixTask:
    """Texts of one prefix to embed with one encoder.

    Attributes:
        store: where the texts are and the vectors go.
        encoder: as configured.
        folder: of the encoder's vectors in the store.
        prefix: hex digits with which the hashes of the texts begin.
        digest: of the hashes of the texts.
        state_dir: where the worker's cache lives.
        batch_size: texts per call of the model.
        threads: for the model.
    """

    store: Store
    encoder: str
    folder: str
    prefix: str
    digest: str
    state_dir: str
    batch_size: int
    threads: int = 1

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"the texts with hashes {self.prefix}…, embedded with {self.encoder},"

    @property
    def texts(self) -> str:
        """Name of the file of the texts."""
        return f"rows/texts/prefix={self.prefix}/{self.digest}.parquet"

    @property
    def place(self) -> str:
        """Folder of the files that it writes."""
        return f"{self.folder}/prefix={self.prefix}"

    @property
    def record(self) -> str:
        """Name of the file that says which files hold these vectors."""
        return f"{self.place}/{self.digest}.json"


def store_vectors(
    encoders: Sequence[str], texts: Iterable[pa.RecordBatch], settings: Mapping[str, Any]
) -> StoredRows:
    """Embeds every distinct text once per encoder, but for those that the store holds.

    Args:
        encoders: names as configured.
        texts: ``content_hash`` and ``sentence_text``, in order of the hash, which is distinct.
        settings: ``engine``, ``store`` (empty: a folder of ``state_dir``), ``state_dir``,
            ``encoder_batch_size`` and ``encoder_threads``.

    Returns:
        Files under ``CORPUS_EMBEDDING_SCHEMA`` that hold all vectors; no text is in two of one
        encoder, but they may hold other texts too.

    Raises:
        ValueError: see ``embeddings.embed_texts``; a task failed as often as it may.
    """
    from finrag.shards import Store, open_runner

    state_dir = Path(settings["state_dir"]).absolute()
    store = Store.at(str(settings["store"] or state_dir / "store"))
    batch_size, threads = (int(settings[f"encoder_{n}"]) for n in ("batch_size", "threads"))
    folders = {encoder: _folder(encoder) for encoder in encoders}
    there = {
        name: size
        for folder in folders.values()
        for name, (size, _) in store.details(folder).items()
    }
    tasks: list[PrefixTask] = []
    files: list[str] = []
    for prefix, rows in _by_prefix(texts):
        digest = content_digest([rows.select(["content_hash"])])[:32]
        needed = []
        for encoder, folder in folders.items():
            # The folder of a worker is another: hence no relative path.
            task = PrefixTask(store, encoder, folder, prefix, digest, str(state_dir), batch_size)
            if recorded := _recorded(task, there):
                files += recorded
            else:
                needed.append(task)
        if needed and not store.exists(needed[0].texts):
            sink = pa.BufferOutputStream()
            pq.write_table(rows, sink, compression="zstd")
            store.write(needed[0].texts, sink.getvalue())
        tasks += needed
    if tasks:
        print(f"embeddings: {len(tasks):,} prefixes of the texts have new ones", file=sys.stderr)
        with open_runner(str(settings["engine"])) as runner:
            # As many at once as there would be without an engine.
            of_each = max(1, threads // runner.n_workers)
            threaded = [replace(task, threads=of_each) for task in tasks]
            for found in runner.run(embed_prefix, threaded, lambda task: task.label):
                files += found
    return StoredRows(tuple(map(store.place, sorted(files))), CORPUS_EMBEDDING_SCHEMA)


def embed_prefix(task: PrefixTask) -> tuple[str, ...]:
    """Runs a task.

    Returns:
        Names of files of its prefix that together hold one row of each of its texts.

    Raises:
        ValueError: see ``embeddings.embed_texts``.
    """
    store = task.store
    with store.reading(task.texts) as file:
        texts = pq.read_table(file)
    files, others, is_held = _chosen(task, texts["content_hash"])
    if is_held.all():
        _record(task, files)
        return tuple(files)
    copied, is_copied = _copies(task, others, texts["content_hash"], is_held)
    missing = texts.filter(pa.array(~(is_held | is_copied)))
    missing = missing.rename_columns(["text_hash", "sentence_text"])
    cache = Path(task.state_dir) / "cache"
    embedded = embeddings.embed_texts(
        *(missing, task.encoder, cache),
        batch_size=task.batch_size,
        threads=task.threads,
        prefix=task.prefix,
    )
    with tempfile.TemporaryDirectory(dir=cache, prefix="spill-") as scratch:
        parts = _write_parts(task.encoder, chain(copied, embedded), Path(scratch))
        files += [_put(part, task) for part in parts]
    if not any(_UNUSABLE in name for name in files):
        _record(task, files)
    return tuple(files)


def _record(task: PrefixTask, files: Sequence[str]) -> None:
    sizes = {name: task.store.size(name) for name in files}
    task.store.write(task.record, json.dumps(sizes).encode())


def _recorded(task: PrefixTask, there: Mapping[str, int]) -> list[str]:
    """Files that hold the vectors of a task; none where it is to be run.

    Args:
        task: the task.
        there: bytes of each file of the encoder, by name.
    """
    if task.record not in there:
        return []
    try:
        sizes = dict(json.loads(task.store.read(task.record)))
    except (ValueError, TypeError):
        return []
    return [*sizes] if all(there.get(name) == size for name, size in sizes.items()) else []


def _folder(encoder: str) -> str:
    """Folder of an encoder: with its prompts, and under the name that its rows have."""
    identity = embeddings.encoder_id(encoder)
    told_apart = content_digest([encoder, identity])[:8]
    return f"vectors/{re.sub(r'[^A-Za-z0-9.-]+', '_', identity)}-{told_apart}"


def _by_prefix(texts: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.Table]]:
    """The texts whose hashes begin alike, from batches in order of the hash."""
    for prefix, rows in _by_digits(texts, 1):
        if rows.num_rows > MAX_TEXTS:
            yield from _by_digits(rows.to_batches(), 2)
        else:
            yield prefix, rows


def _by_digits(batches: Iterable[pa.RecordBatch], n_digits: int) -> Iterator[tuple[str, pa.Table]]:
    current, waiting = "", list[pa.RecordBatch]()
    for batch in batches:
        starts = pc.utf8_slice_codeunits(batch.column("content_hash"), 0, n_digits)
        for prefix in pc.unique(starts).to_pylist():
            if waiting and prefix != current:
                yield current, pa.Table.from_batches(waiting)
                waiting = []
            current = prefix
            waiting.append(batch.filter(pc.equal(starts, prefix)))
    if waiting:
        yield current, pa.Table.from_batches(waiting)


def _chosen(task: PrefixTask, wanted: pa.ChunkedArray) -> tuple[list[str], list[str], Bools]:
    """Files of the task's own prefix of which no two hold the same text, wanted or not.

    Two runs at once, or one that splits a prefix, leave files that do: no row may appear twice,
    and the files of a prefix may be listed by no other task.

    Returns:
        These files; others that hold wanted texts; whether each text is in the former.
    """
    held = [
        (name, hashes, np.asarray(pc.is_in(wanted, value_set=hashes)))
        for name in _of_prefix(task.store.listed(task.folder), task.prefix)
        for hashes in [_hashes(task.store, name)]
    ]
    held = sorted((one for one in held if one[2].any()), key=lambda one: (-one[2].sum(), one[0]))
    files, others, in_files = list[str](), list[str](), pa.chunked_array([], pa.string())
    is_held = np.zeros(len(wanted), np.bool_)
    for name, hashes, has in held:
        is_own = name.startswith(f"{task.place}/")
        if is_own and not pc.any(pc.is_in(hashes, value_set=in_files)).as_py():
            files.append(name)
            in_files = pa.chunked_array([*in_files.chunks, *hashes.chunks], pa.string())
            is_held |= has
        else:
            others.append(name)
    return files, others, is_held


def _hashes(store: Store, name: str) -> pa.ChunkedArray:
    """The texts of a file; none of one that was cut short, which has no end that Parquet reads."""
    with store.reading(name) as file:
        try:
            return pq.read_table(file, columns=["content_hash"])["content_hash"]
        except pa.ArrowInvalid:
            return pa.chunked_array([], pa.string())


def _copies(
    task: PrefixTask, others: Sequence[str], wanted: pa.ChunkedArray, is_held: Bools
) -> tuple[Iterator[pa.RecordBatch], Bools]:
    """Rows of the texts that only files which cannot be chosen hold, and whether each has one."""
    is_copied = np.zeros(len(wanted), np.bool_)
    sources = []
    for name in others:
        has = np.asarray(pc.is_in(wanted, value_set=_hashes(task.store, name)))
        new = has & ~is_held & ~is_copied
        if new.any():
            is_copied |= new
            sources.append((name, wanted.filter(pa.array(new))))
    return (batch for name, new in sources for batch in _rows(task.store, name, new)), is_copied


def _rows(store: Store, name: str, wanted: pa.ChunkedArray) -> Iterator[pa.RecordBatch]:
    with store.reading(name) as file:
        columns = ["encoder_id", "content_hash", "vector"]
        for batch in pq.ParquetFile(file).iter_batches(columns=columns):
            found = batch.filter(pc.is_in(batch.column("content_hash"), value_set=wanted))
            if found.num_rows:
                yield found.select(columns)


def _of_prefix(names: Iterable[str], prefix: str) -> Iterator[str]:
    """Files of vectors that may hold texts of a prefix: of it, or of a shorter or a longer one."""
    for name in names:
        _, _, rest = name.rpartition("/prefix=")
        of, _, last = rest.partition("/")
        is_whole = last.endswith(".parquet") and not last.startswith((".", _UNUSABLE))
        if is_whole and (of.startswith(prefix) or prefix.startswith(of)):
            yield name


def _write_parts(encoder: str, embedded: Iterable[pa.RecordBatch], folder: Path) -> list[Path]:
    """Writes usable vectors into one file, as they stream, and others into another."""
    paths = [folder / "vectors.parquet", folder / f"{_UNUSABLE}vectors.parquet"]
    n_rows = [0, 0]
    # Hashes and unit vectors do not compress.
    options = {"compression": "none", "use_dictionary": ["encoder", "encoder_id"]}
    with (
        table_writer(paths[0], CORPUS_EMBEDDING_SCHEMA, **options) as usable,
        table_writer(paths[1], CORPUS_EMBEDDING_SCHEMA, **options) as others,
    ):
        for batch in embedded:
            columns = [pa.repeat(pa.scalar(encoder), batch.num_rows), *batch.columns]
            rows = pa.RecordBatch.from_arrays(columns, schema=CORPUS_EMBEDDING_SCHEMA)
            matrix = batch.column("vector").flatten().to_numpy().reshape(batch.num_rows, -1)
            lengths = np.einsum("ij,ij->i", matrix, matrix)
            is_usable = np.isfinite(lengths) & (lengths > 0)
            for number, (writer, which) in enumerate([(usable, is_usable), (others, ~is_usable)]):
                if which.any():
                    writer.write_batch(rows.filter(pa.array(which)))
                    n_rows[number] += int(which.sum())
    return [path for path, n in zip(paths, n_rows, strict=True) if n]


def _put(path: Path, task: PrefixTask) -> str:
    """Copies a file of vectors into the store, under the digest of its bytes."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:32]
        start = _UNUSABLE if path.name.startswith(_UNUSABLE) else ""
        name = f"{task.place}/{start}{digest}.parquet"
        file.seek(0)
        with task.store.writing(name) as target:
            shutil.copyfileobj(file, target, 1 << 20)
    return name

"""Vectors of a corpus as one matrix per encoder, in the order of the texts.

A small matrix is in memory. A large one, and every one of a build with an engine, is a file of the
cache that is mapped into memory: it is read and compared in blocks, and what was read of it is
given back to the system at once, so that no process holds more than a block.
"""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.entries import Entries
from finrag.cache.results import content_digest
from finrag.records.writing import removed

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ADDRESS_ROWS = 1_000
# Texts whose vectors are compared, and indexed, together.
BLOCK_ROWS: Final = 262_144
# A larger matrix is not kept in memory.
MEMORY_LIMIT: Final = 2**30
MAX_MATRICES: Final = 4
# Rows of a batch that are compared with those of a stored matrix.
CHECKED_ROWS: Final = 1_024
MATRIX_FORMAT: Final = "1"
MATRIX_FILE: Final = "matrix.npy"
USABLE_FILE: Final = "is_usable.npy"


@dataclass(frozen=True)
class VectorSet:
    """Vectors of one encoder; they are read with ``rows`` and ``blocks``.

    Attributes:
        encoder_id: model name and digest of its weights.
        matrix: float32, texts x dimension; a row is NaN where the text has no vector. Nothing but
            this class reads it: it may be larger than memory.
        is_usable: bool per text: the vector is finite and not of zero length.
        folder: where matrix and ``is_usable`` lie as files; None where they are in memory alone.
    """

    encoder_id: str
    matrix: Floats
    is_usable: Bools
    folder: Path | None = None

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def dimension(self) -> int:
        """Of the vectors."""
        return int(self.matrix.shape[1])

    @property
    def address(self) -> tuple[str, Floats]:
        """What tells these from other vectors of the same texts: the encoder, and some of them.

        Encoder and texts decide all vectors. Some are looked at all the same, in case a service
        gives others under the name of the same encoder.
        """
        step = max(1, len(self.matrix) // ADDRESS_ROWS)
        return self.encoder_id, self.rows(np.arange(0, len(self.matrix), step))

    def rows(self, texts: Ints) -> Floats:
        """Vectors of some texts by their numbers, in the order given."""
        found: Floats = np.asarray(self.matrix[texts])
        _give_back(self.matrix)
        return found

    def blocks(self, n_rows: int | None = None) -> Iterator[tuple[int, Floats]]:
        """All vectors in the order of the texts: the number of the first, and at most so many.

        A block of a mapped matrix is in memory only until the next is asked for.
        """
        for start, stop in self.ranges(n_rows):
            yield start, np.asarray(self.matrix[start:stop])
            _give_back(self.matrix)

    def ranges(self, n_rows: int | None = None) -> list[tuple[int, int]]:
        """First text and end of each block."""
        step = n_rows or BLOCK_ROWS
        n = len(self.matrix)
        return [(start, min(start + step, n)) for start in range(0, n, step)]


def collect_vectors(
    batches: Iterable[pa.RecordBatch],
    text_hashes: pa.ChunkedArray,
    state_dir: str | None = None,
    is_mapped: bool = False,
) -> dict[str, VectorSet]:
    """Gathers streamed vectors into one matrix per encoder.

    Args:
        batches: columns ``encoder``, ``encoder_id``, ``text_hash``, ``vector``
            (list<float32>); rows of one encoder may span batches, in any order.
        text_hashes: the corpus' distinct texts; they fix the order of the rows.
        state_dir: whose cache holds matrices larger than ``MEMORY_LIMIT``; without it all are in
            memory.
        is_mapped: whether all are to lie in the cache, whatever their size.

    Returns:
        One ``VectorSet`` per encoder. Vectors of texts outside the corpus are left out.

    Raises:
        ValueError: two vectors of one encoder differ in dimension, or the disk is full.
    """
    hashes = text_hashes.combine_chunks()
    numbers = _numbers(hashes)
    gathered: dict[str, _Gathered | _Stored] = {}
    with ExitStack() as stack:
        for batch in batches:
            encoders = pc.unique(batch.column("encoder")).to_pylist()
            for encoder in encoders:
                # Nothing is copied that need not be: a batch is large.
                rows = batch
                if len(encoders) > 1:
                    rows = batch.filter(pc.equal(batch.column("encoder"), encoder))
                block = _block(encoder, rows.column("vector"))
                if encoder not in gathered:
                    identity = rows.column("encoder_id")[0].as_py(), block.shape[1]
                    is_large = 4 * len(hashes) * block.shape[1] > MEMORY_LIMIT
                    if state_dir is None or not len(hashes) or not (is_mapped or is_large):
                        gathered[encoder] = _Gathered(len(hashes), *identity)
                    else:
                        gathered[encoder] = _Stored(hashes, *identity, state_dir, stack)
                own = gathered[encoder]
                if own.dimension != block.shape[1]:
                    raise ValueError(
                        f"encoder {encoder} has vectors of {own.dimension} and of "
                        f"{block.shape[1]} dimensions; delete its folder in the embedding "
                        "cache and build again"
                    )
                places, is_found = numbers(rows.column("text_hash"))
                own.place(places, block if is_found.all() else block[is_found])
        return {encoder: own.finish() for encoder, own in gathered.items()}


def usable(rows: Floats) -> Bools:
    """Whether each of some vectors is finite and not of zero length."""
    lengths = np.einsum("ij,ij->i", rows, rows)
    found: Bools = np.isfinite(lengths) & (lengths > 0)
    return found


def _numbers(hashes: pa.Array) -> Callable[[pa.Array], tuple[Ints, Bools]]:
    """Looks hashes up: the numbers of those that there are, and which they are.

    A search in sorted hashes: a table of all of them would be made anew for each batch.
    """
    order = pc.sort_indices(hashes)
    in_order = hashes.take(order)

    def of(wanted: pa.Array) -> tuple[Ints, Bools]:
        places = pc.search_sorted(in_order, wanted)
        inside = pc.less(places, len(in_order))
        found = in_order.take(pc.if_else(inside, places, None))
        is_found: Bools = np.asarray(pc.fill_null(pc.equal(found, wanted), False))
        return np.asarray(order.take(places.filter(pa.array(is_found)))).astype(np.int64), is_found

    return of


class _Gathered:
    """A matrix in memory that is being filled."""

    def __init__(self, n_texts: int, encoder_id: str, dimension: int) -> None:
        self.encoder_id = encoder_id
        self.dimension = dimension
        self._matrix = np.full((n_texts, dimension), np.nan, np.float32)

    def place(self, texts: Ints, block: Floats) -> None:
        self._matrix[texts] = block

    def finish(self) -> VectorSet:
        return VectorSet(self.encoder_id, self._matrix, usable(self._matrix))


class _Stored:
    """A matrix of the cache that is being written, or was found there and is only checked."""

    def __init__(
        self, hashes: pa.Array, encoder_id: str, dimension: int, state_dir: str, stack: ExitStack
    ) -> None:
        self.encoder_id = encoder_id
        self.dimension = dimension
        texts = pa.table({"text_hash": hashes})
        self._key = content_digest([MATRIX_FORMAT, encoder_id, dimension, texts])[:32]
        folder = Path(state_dir) / "cache" / "matrices"
        self._entries = Entries(
            folder, "the matrix of vectors", "it is written again", limit=MAX_MATRICES
        )
        self._known = self._entries.find(self._key, self._open)
        # What is half written is removed where reading stops.
        self._writing = stack.enter_context(ExitStack())
        self._new: np.memmap[Any, np.dtype[np.float32]] | None = None
        self._is_usable = np.zeros(len(hashes), np.bool_)
        self._is_placed = np.zeros(len(hashes), np.bool_)

    def place(self, texts: Ints, block: Floats) -> None:
        self._is_placed[texts] = True
        self._is_usable[texts] = usable(block)
        if self._new is None and self._is_known(texts, block):
            return
        new = self._begun()
        new[texts] = block
        _give_back(new)

    def finish(self) -> VectorSet:
        known = self._known
        if (
            self._new is None
            and known is not None
            and np.array_equal(known.is_usable, self._is_usable)
        ):
            return known
        new, path = self._begun(), self._entries.path(self._key)
        missing = np.flatnonzero(~self._is_placed)
        for start in range(0, len(missing), BLOCK_ROWS):
            new[missing[start : start + BLOCK_ROWS]] = np.nan
            _give_back(new)
        new.flush()
        # A rename does not replace a folder; whoever has the old one open keeps it.
        removed(path)
        self._writing.close()
        return self._open(path)

    def _open(self, folder: Path) -> VectorSet:
        matrix = np.load(folder / MATRIX_FILE, mmap_mode="r")
        is_usable = np.load(folder / USABLE_FILE)
        if matrix.shape != (len(is_usable), self.dimension):
            raise ValueError("its files do not belong together")
        return VectorSet(self.encoder_id, matrix, is_usable, folder)

    def _is_known(self, texts: Ints, block: Floats) -> bool:
        """Whether the stored matrix holds these vectors; some of them are compared."""
        if self._known is None:
            return False
        step = max(1, len(texts) // CHECKED_ROWS)
        stored = self._known.rows(texts[::step])
        is_same = np.array_equal(stored, block[::step], equal_nan=True)
        return is_same and np.array_equal(self._known.is_usable[texts], self._is_usable[texts])

    def _begun(self) -> np.memmap[Any, np.dtype[np.float32]]:
        """The new matrix; it begins with all that a stored one holds, checked as far as read."""
        if self._new is None:
            hidden = self._writing.enter_context(self._entries.adding(self._key))
            hidden.mkdir()
            self._new = _reserved(hidden / MATRIX_FILE, (len(self._is_placed), self.dimension))
            # Written when all is read, and before the folder is renamed.
            self._writing.callback(lambda: np.save(hidden / USABLE_FILE, self._is_usable))
            for start, block in () if self._known is None else self._known.blocks():
                self._new[start : start + len(block)] = block
                _give_back(self._new)
        return self._new


def _reserved(path: Path, shape: tuple[int, int]) -> np.memmap[Any, np.dtype[np.float32]]:
    """A new matrix whose place on the disk is taken: a mapped file must not run out of it."""
    matrix = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    if not hasattr(os, "posix_fallocate"):
        return matrix
    with path.open("r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise ValueError(
                f"the matrix of vectors needs {matrix.nbytes / 2**30:.1f} GiB in "
                f"{path.parent.parent}, which is full; free disk space or set state_dir elsewhere"
            ) from error
    return matrix


def _give_back(matrix: Floats) -> None:
    """Give what was read of a mapped file back to the system, which keeps it while it can."""
    held: object = matrix.base
    if isinstance(held, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        held.madvise(mmap.MADV_DONTNEED)


def _block(encoder: str, vectors: pa.ListArray) -> Floats:
    lengths = pc.unique(pc.list_value_length(vectors)).to_pylist()
    if len(lengths) != 1 or lengths[0] is None:
        raise ValueError(
            f"encoder {encoder} has vectors of {' and '.join(sorted(map(str, lengths)))} "
            "dimensions; delete its folder in the embedding cache and build again"
        )
    values = vectors.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    block: Floats = values.reshape(len(vectors), int(lengths[0]))
    return block

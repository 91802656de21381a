"""Results of a costly step, cached on disk under a digest of all that the step reads.

A key holds the inputs, the library's own code and the versions of the packages it stands on, so
a result is found again only where computing it anew would give the same. A result whose inputs
changed is not overwritten but left beside the new one; deleting the folder is always safe.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from finrag.cache.library import library_fingerprint, library_versions
from finrag.cache.tables import Tables


class _Digesting(io.RawIOBase):
    """A file that keeps only a digest of what is written to it."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return memoryview(data).nbytes


def content_digest(inputs: Iterable[Any]) -> str:
    """SHA-256, in hex, over inputs in their order.

    Args:
        inputs: Arrow tables (their names, types and values count), numpy arrays, and anything
            that can be written as JSON.
    """
    sink = _Digesting()
    for part in inputs:
        # What ends one part and begins the next counts too: 12, 3 is not 1, 23.
        sink.write(b"\0part\0")
        if isinstance(part, pa.Table):
            with pa.ipc.new_stream(pa.PythonFile(sink, "w"), part.schema) as stream:
                stream.write_table(part.combine_chunks(), max_chunksize=65_536)
        elif isinstance(part, np.ndarray):
            sink.write(f"array {part.dtype} {part.shape}".encode())
            if part.size:
                sink.write(np.ascontiguousarray(part).data.cast("B"))
        else:
            sink.write(json.dumps(part, sort_keys=True, default=str).encode())
    return sink.digest.hexdigest()


class ResultCache:
    """Results of one step."""

    def __init__(self, folder: Path, schema: pa.Schema, inputs: Iterable[Any]) -> None:
        """Reads nothing yet.

        Args:
            folder: where results are cached; made when the first one is written.
            schema: of the results.
            inputs: what every result of this step depends on.
        """
        self._tables = Tables(folder, schema, "the cached result", "it is computed again")
        self._schema = schema
        self._shared = content_digest(
            [library_fingerprint(), library_versions(), str(schema), *inputs]
        )

    def recall(
        self, inputs: Iterable[Any], compute: Callable[[], Iterator[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        """The result for these inputs: read from the cache, else computed and cached.

        Args:
            inputs: what this result depends on besides the inputs of the whole step.
            compute: gives the batches of the result, under the step's schema.

        Returns:
            The batches, in their order. A result that is not read to its end is not cached.
        """
        key = self._key(inputs)
        cached = self._tables.find(key, lambda table: table)
        if cached is not None:
            with cached:
                for number in range(cached.num_row_groups):
                    yield from cached.read_row_group(number).cast(self._schema).to_batches()
            return
        with self._tables.adding(key, compression="zstd") as writer:
            for batch in compute():
                writer.write_batch(batch)
                yield batch

    def table(
        self, inputs: Iterable[Any], compute: Callable[[], Iterator[pa.RecordBatch]]
    ) -> pa.Table:
        """The whole result for these inputs, as ``recall`` finds it."""
        return pa.Table.from_batches(self.recall(inputs, compute), self._schema)

    def lacks(self, inputs: Iterable[Any]) -> bool:
        """Whether there is no result for these inputs; one that is there may be damaged."""
        return not self._tables.path(self._key(inputs)).exists()

    def _key(self, inputs: Iterable[Any]) -> str:
        return content_digest([self._shared, *inputs])[:32]


def recall_all(
    cache: ResultCache | None,
    inputs: Sequence[Sequence[Any] | None],
    compute: Callable[[Sequence[int]], Sequence[pa.Table]],
) -> Iterator[pa.Table]:
    """Results for several inputs; all that are not cached are computed in one call.

    Args:
        cache: of the results; None where none is cached.
        inputs: what each result depends on; None for one that is never cached.
        compute: gives the results for the inputs at some places.
    """
    keys = [None if cache is None or one is None else [content_digest(one)] for one in inputs]
    new = [at for at, one in enumerate(keys) if cache is None or one is None or cache.lacks(one)]
    made = dict(zip(new, compute(new), strict=True)) if new else {}
    for at, one in enumerate(keys):
        if cache is None or one is None:
            yield made[at]
            continue

        def batches(at: int = at) -> Iterator[pa.RecordBatch]:
            # One that was there may be damaged.
            yield from (made[at] if at in made else compute([at])[0]).to_batches()

        yield cache.table(one, batches)

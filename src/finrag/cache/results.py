"""Results of a costly step, kept on disk under a digest of all that the step reads.

A key holds the inputs, the library's own code and the versions of the packages it stands on, so
a result is found again only where computing it anew would give the same. A result whose inputs
changed is not overwritten but left beside the new one; deleting the folder is always safe.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from finrag.cache.library import library_fingerprint, library_versions
from finrag.records.writing import clear_leftovers, replacing


class _Digesting(io.RawIOBase):
    """A file that keeps nothing of what is written but its digest."""

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
        if isinstance(part, pa.Table):
            with pa.ipc.new_stream(pa.PythonFile(sink, "w"), part.schema) as stream:
                stream.write_table(part.combine_chunks(), max_chunksize=65_536)
        elif isinstance(part, np.ndarray):
            sink.write(f"array {part.dtype} {part.shape}".encode())
            sink.write(np.ascontiguousarray(part).data.cast("B"))
        else:
            sink.write(json.dumps(part, sort_keys=True, default=str).encode())
    return sink.digest.hexdigest()


class ResultCache:
    """Results of one step.

    Attributes:
        folder: where results are kept, one Arrow file each.
    """

    def __init__(self, folder: Path, schema: pa.Schema, inputs: Iterable[Any]) -> None:
        """Reads nothing yet.

        Args:
            folder: made when the first result is written.
            schema: of the results.
            inputs: what every result of this step depends on.
        """
        self.folder = folder
        self._schema = schema
        self._shared = content_digest(
            [library_fingerprint(), library_versions(), str(schema), *inputs]
        )

    def recall(
        self, inputs: Iterable[Any], compute: Callable[[], Iterator[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        """The result for these inputs: read where it is kept, else computed and then kept.

        Args:
            inputs: what this result depends on beside what all of the step do.
            compute: gives the batches of the result, under the step's schema.

        Returns:
            The batches, in their order. A result that is not read to its end is not kept.
        """
        path = self.folder / f"{content_digest([self._shared, *inputs])[:32]}.arrow"
        if path.is_file():
            with pa.ipc.open_file(path) as kept:
                for number in range(kept.num_record_batches):
                    yield kept.get_batch(number)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        clear_leftovers(self.folder)
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with (
            replacing(path) as hidden,
            pa.ipc.new_file(str(hidden), self._schema, options=options) as writer,
        ):
            for batch in compute():
                writer.write_batch(batch)
                yield batch

"""Vectors of a corpus as one matrix per encoder, in the order of the texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ADDRESS_ROWS = 1_000


@dataclass(frozen=True)
class VectorSet:
    """Vectors of one encoder.

    Attributes:
        encoder_id: model name and digest of its weights.
        matrix: float32, texts x dimension; a row is NaN where the text has no vector.
        is_usable: bool per text: the vector is finite and not of zero length.
    """

    encoder_id: str
    matrix: Floats
    is_usable: Bools

    @property
    def address(self) -> tuple[str, Floats]:
        """What tells these from other vectors of the same texts: the encoder, and some of them.

        Encoder and texts decide all vectors. Some are looked at all the same, in case a service
        gives others under the name of the same encoder.
        """
        step = max(1, len(self.matrix) // ADDRESS_ROWS)
        return self.encoder_id, self.matrix[::step]


def collect_vectors(
    batches: Iterable[pa.RecordBatch], text_hashes: pa.ChunkedArray
) -> dict[str, VectorSet]:
    """Gathers streamed vectors into one matrix per encoder.

    Args:
        batches: columns ``encoder``, ``encoder_id``, ``text_hash``, ``vector``
            (list<float32>); rows of one encoder may span batches.
        text_hashes: the corpus' distinct texts; they fix the order of the rows.

    Returns:
        One ``VectorSet`` per encoder. Vectors of texts outside the corpus are left out.

    Raises:
        ValueError: two vectors of one encoder differ in dimension.
    """
    hashes = text_hashes.combine_chunks()
    matrices: dict[str, Floats] = {}
    identities: dict[str, str] = {}
    for batch in batches:
        encoders = pc.unique(batch.column("encoder")).to_pylist()
        for encoder in encoders:
            # Nothing is copied that need not be: a batch is large.
            rows = batch
            if len(encoders) > 1:
                rows = batch.filter(pc.equal(batch.column("encoder"), encoder))
            block = _block(encoder, rows.column("vector"))
            if encoder not in matrices:
                matrices[encoder] = np.full((len(hashes), block.shape[1]), np.nan, np.float32)
                identities[encoder] = rows.column("encoder_id")[0].as_py()
            if matrices[encoder].shape[1] != block.shape[1]:
                raise ValueError(
                    f"encoder {encoder}: vectors of {matrices[encoder].shape[1]} and of "
                    f"{block.shape[1]} dimensions in one corpus; empty the embedding cache"
                )
            places = pc.index_in(rows.column("text_hash"), value_set=hashes)
            if places.null_count:
                block = block[places.is_valid().to_numpy(zero_copy_only=False)]
            matrices[encoder][places.drop_null().to_numpy()] = block
    return {
        encoder: VectorSet(identities[encoder], matrix, _usable(matrix))
        for encoder, matrix in matrices.items()
    }


def _block(encoder: str, vectors: pa.ListArray) -> Floats:
    lengths = pc.unique(pc.list_value_length(vectors)).to_pylist()
    if len(lengths) != 1 or lengths[0] is None:
        raise ValueError(
            f"encoder {encoder}: vectors of {sorted(map(str, lengths))} dimensions in one corpus; "
            "empty the embedding cache"
        )
    values = vectors.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    block: Floats = values.reshape(len(vectors), int(lengths[0]))
    return block


def _usable(matrix: Floats) -> Bools:
    lengths = np.einsum("ij,ij->i", matrix, matrix)
    usable: Bools = np.isfinite(lengths) & (lengths > 0)
    return usable

"""Embeds the corpus for every encoder that an enabled system asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from finrag import embeddings

CORPUS_EMBEDDING_SCHEMA = pa.schema(
    [
        pa.field("encoder", pa.string(), nullable=False),
        pa.field("encoder_id", pa.string(), nullable=False),
        pa.field("content_hash", pa.string(), nullable=False),
        pa.field("vector", pa.list_(pa.float32()), nullable=False),
    ]
)


def embed_corpus(
    systems: pa.Table, texts: pa.RecordBatchReader, settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Embeds every distinct text once per encoder in use.

    Args:
        systems: registered systems; columns ``system_kind`` and ``encoder`` are read.
        texts: ``content_hash`` (of the exact text) and ``sentence_text``, one row a text.
        settings: ``state_dir``, ``encoder_batch_size`` and ``encoder_threads``.

    Returns:
        A reader with ``CORPUS_EMBEDDING_SCHEMA``: encoder as configured, identity of the
        encoder with its weights, content hash, unit vector. Empty when no system is dense.

    Raises:
        ValueError: an unknown encoder, or weights that differ from the pinned ones.
    """
    dense = systems.filter(pc.equal(systems["system_kind"], "dense"))
    encoders = sorted(set(dense["encoder"].to_pylist()))
    # With one encoder the texts stream through; several need them more than once.
    keyed = texts.read_all() if len(encoders) > 1 else texts
    source = _keyed(keyed)
    batches = _batches(encoders, source, settings)
    return pa.RecordBatchReader.from_batches(CORPUS_EMBEDDING_SCHEMA, batches)


def _keyed(texts: pa.Table | pa.RecordBatchReader) -> pa.Table | pa.RecordBatchReader:
    """The texts under the column name that the cache expects for its key."""
    schema = pa.schema([("text_hash", pa.string()), ("sentence_text", pa.string())])
    if isinstance(texts, pa.Table):
        return texts.rename_columns(schema.names)
    renamed = (batch.rename_columns(schema.names).cast(schema) for batch in texts)
    return pa.RecordBatchReader.from_batches(schema, renamed)


def _batches(
    encoders: list[str], texts: pa.Table | pa.RecordBatchReader, settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    for encoder in encoders:
        embedded = embeddings.embed_texts(
            texts,
            encoder,
            Path(settings["state_dir"]) / "cache",
            batch_size=int(settings["encoder_batch_size"]),
            threads=int(settings["encoder_threads"]),
        )
        for batch in embedded:
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array([encoder] * batch.num_rows, pa.string()),
                    batch.column("encoder_id"),
                    batch.column("text_hash"),
                    batch.column("vector"),
                ],
                schema=CORPUS_EMBEDDING_SCHEMA,
            )

"""Embeds the corpus and the questions for every encoder that an enabled system asks for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from finrag import embeddings
from finrag.embeddings.encoders import resolve
from finrag.embeddings.prompts import Role
from finrag.retrieval.queries import read_queries
from finrag.retrieval.stored_vectors import CORPUS_EMBEDDING_SCHEMA, store_vectors
from finrag.systems.kinds import asks, has_vectors
from finrag.warehouse import StoredRows

SEARCH_EMBEDDING_SCHEMA = pa.schema(
    [*CORPUS_EMBEDDING_SCHEMA, pa.field("latency_ms", pa.float64(), nullable=False)]
)


def embed_corpus(
    systems: pa.Table, texts: pa.RecordBatchReader, settings: Mapping[str, Any]
) -> pa.RecordBatchReader | StoredRows:
    """Embeds every distinct text once per encoder in use.

    Args:
        systems: registered systems; columns ``system_id``, ``system_kind`` and ``encoder``
            are read.
        texts: ``content_hash`` (of the exact text) and ``sentence_text``, one row per text, in
            order of the hash.
        settings: ``state_dir``, ``encoder_batch_size`` and ``encoder_threads``; with an ``engine``
            its tasks embed the texts, and ``store`` is where the vectors go.

    Returns:
        A reader with ``CORPUS_EMBEDDING_SCHEMA``: encoder as configured, identity of the
        encoder with its weights, content hash, unit vector. Empty when no system reads vectors.
        With an engine the files that hold these rows, perhaps among others.

    Raises:
        ValueError: an unknown encoder, or weights that differ from the pinned ones; a task of the
            engine failed as often as it may.
    """
    encoders = _encoders(systems.to_pylist())
    if settings.get("engine"):
        return store_vectors(encoders, texts, settings)
    # With one encoder the texts stream through; several need them more than once.
    keyed = texts.read_all() if len(encoders) > 1 else texts
    source = _keyed(keyed)
    batches = _batches(encoders, source, settings)
    return pa.RecordBatchReader.from_batches(CORPUS_EMBEDDING_SCHEMA, batches)


def embed_search_texts(
    systems: pa.Table,
    questions: pa.Table,
    chunks: pa.Table,
    settings: Mapping[str, Any],
    contexts: pa.Table | None = None,
) -> pa.Table:
    """Embeds what systems search with: questions in their forms, and what they compare them with.

    Args:
        systems: registered systems.
        questions: with their readings; see ``queries.read_queries``.
        chunks: ``chunk_text``; embedded for systems whose ``chunk_vectors`` is "encoded".
        settings: as for ``embed_corpus``.
        contexts: ``context_text``; embedded for systems with a ``context_vector_weight`` and for
            chunks, whose headers say the same.

    Returns:
        One row per encoder and distinct text (``SEARCH_EMBEDDING_SCHEMA``), ordered by both;
        ``latency_ms`` is the time that the encoder took for all its texts, divided evenly:
        next to nothing where the cache held them.

    Raises:
        ValueError: an unknown encoder, or weights that differ from the pinned ones.
    """
    asked = [row for row in systems.to_pylist() if asks(row, "questions")]
    encoded = [row for row in asked if row.get("chunk_vectors") == "encoded"]
    in_context = [
        row
        for row in asked
        if row.get("context_vector_weight") or row["system_kind"] == "naive_rag"
    ]
    queries = {text for query in read_queries(questions) for text in query.searched}
    chunk_texts = _listed(chunks if encoded else None, "chunk_text")
    lines = _listed(contexts if in_context else None, "context_text")
    tables = [SEARCH_EMBEDDING_SCHEMA.empty_table()]
    for encoder in _encoders(asked):
        passages: set[str] = set(chunk_texts) if encoder in _encoders(encoded) else set()
        passages |= lines if encoder in _encoders(in_context) else set()
        if resolve(encoder).prompts.differ:
            # A text that is asked and stands in a passage has one row: that of the question.
            tables.append(_embedded_at_once(encoder, passages - queries, "passage", settings))
            tables.append(_embedded_at_once(encoder, queries, "query", settings))
        else:
            # In one call, so that batches, and with them the last bits, stay as they were.
            tables.append(_embedded_at_once(encoder, queries | passages, "query", settings))
    keys = [("encoder", "ascending"), ("content_hash", "ascending")]
    return pa.concat_tables(tables).sort_by(keys)


def _listed(table: pa.Table | None, name: str) -> set[str]:
    """The texts of a column that say something; none of no table."""
    return set() if table is None else {text for text in table[name].to_pylist() if text}


def _embedded_at_once(
    encoder: str, texts: set[str], role: Role, settings: Mapping[str, Any]
) -> pa.Table:
    distinct = sorted(text for text in texts if text.strip())
    hashes = [embeddings.content_hash(text) for text in distinct]
    started = time.perf_counter()
    embedded = embeddings.embed_texts(
        pa.table({"text_hash": hashes, "sentence_text": distinct}),
        encoder,
        Path(settings["state_dir"]) / "cache",
        batch_size=int(settings["encoder_batch_size"]),
        threads=int(settings["encoder_threads"]),
        role=role,
    ).read_all()
    share = 1e3 * (time.perf_counter() - started) / max(1, len(distinct))
    return pa.table(
        [
            pa.repeat(pa.scalar(encoder), embedded.num_rows),
            embedded["encoder_id"],
            embedded["text_hash"],
            embedded["vector"],
            pa.repeat(pa.scalar(share), embedded.num_rows),
        ],
        schema=SEARCH_EMBEDDING_SCHEMA,
    )


def _encoders(systems: list[dict[str, Any]]) -> list[str]:
    return sorted({row["encoder"] for row in systems if has_vectors(row)})


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

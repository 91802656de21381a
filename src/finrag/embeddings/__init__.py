"""Sentence embeddings: named encoders, one cache for every corpus, and a streaming driver.

``embed_texts`` turns a stream of (text_hash, sentence_text) into a stream of unit vectors and
computes only what no earlier build computed. ``docs/decisions/0004-encoders-and-cache.md`` says why
it is built this way.
"""

from finrag.embeddings.driver import EMBEDDING_SCHEMA, content_hash, embed_queries, embed_texts
from finrag.embeddings.encoders import (
    Encoder,
    EncoderSpec,
    EndpointError,
    encoder_id,
    minilm_folder,
)

__all__ = [
    "EMBEDDING_SCHEMA",
    "Encoder",
    "EncoderSpec",
    "EndpointError",
    "content_hash",
    "embed_queries",
    "embed_texts",
    "encoder_id",
    "minilm_folder",
]

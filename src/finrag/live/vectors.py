"""Vectors of a question's texts: those of the build where it embedded them, else new ones."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from finrag.embeddings import content_hash, embed_queries
from finrag.embeddings.encoders import Encoder, resolve
from finrag.retrieval.queries import QueryVectors
from finrag.retrieval.vectors import Floats

PAID = "openai:"


def query_vectors(
    known: QueryVectors, encoder: str, texts: Iterable[str], settings: Mapping[str, Any]
) -> QueryVectors:
    """Unit vectors of some texts and what each cost just now.

    A text that the build embedded gets the build's vector, so that its search equals that of the
    build and costs nothing. Other texts are embedded by the same encoder: a paid encoder goes
    through its cache, any other writes nothing.

    Args:
        known: vectors of the build.
        encoder: the encoder's name.
        texts: texts of one question.
        settings: ``state_dir`` and ``encoder_threads``.

    Raises:
        ValueError: the encoder is not there.
    """
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    new = [text for text in distinct if content_hash(text) not in known.row_of]
    started = time.perf_counter()
    matrix = known.of(distinct)
    if new:
        matrix[[distinct.index(text) for text in new]] = embedded(new, encoder, settings)
    share = 1e3 * (time.perf_counter() - started) / max(1, len(new))
    fresh = set(new)
    return QueryVectors(
        matrix=matrix,
        row_of={content_hash(text): row for row, text in enumerate(distinct)},
        latency_ms=[share if text in fresh else 0.0 for text in distinct],
    )


def embedded(texts: list[str], encoder: str, settings: Mapping[str, Any]) -> Floats:
    """Unit vectors of some questions; a paid encoder goes through its cache, no other writes."""
    threads = int(settings["encoder_threads"])
    if encoder.startswith(PAID):
        folder = Path(settings["state_dir"]) / "cache"
        return embed_queries(texts, encoder, folder, threads=threads)
    spec = resolve(encoder)
    asked = spec.prompted(texts, "query")
    vectors = _loaded(encoder, threads).encode(asked).astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    unit: Floats = np.where(usable, vectors / np.where(usable, lengths, 1.0), vectors).astype(
        np.float32
    )
    return unit


@lru_cache(maxsize=4)
def _loaded(encoder: str, threads: int) -> Encoder:
    """A local encoder; its files are read and checked once, not with every question."""
    return resolve(encoder).load(threads)

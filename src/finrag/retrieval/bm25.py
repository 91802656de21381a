"""BM25 over the distinct texts of a corpus (library bm25s), cached on disk by content."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from finrag.cache.entries import Entries
from finrag.retrieval.ordering import Scores

MAX_INDEXES = 4
STOPWORDS = "english"
INDEX_FORMAT = "1"


@dataclass(frozen=True)
class SparseIndex:
    """A BM25 index; ``model`` is None for a corpus without a single token."""

    model: Any | None
    n_texts: int

    def scores(self, query: str) -> Scores:
        """BM25 score of every text for a query: float64, one per text, 0 without overlap.

        Formula of Robertson et al. in Lucene's variant; see the documentation of bm25s.
        """
        if self.model is None:
            return np.zeros(self.n_texts)
        tokens = _tokens([query])[0]
        known = self.model.get_tokens_ids(tokens)
        if not known:
            return np.zeros(self.n_texts)
        return np.asarray(self.model.get_scores(known), np.float64)


def open_sparse_index(
    texts: Sequence[str], text_hashes: Sequence[str], k1: float, b: float, state_dir: str
) -> SparseIndex:
    """Builds a BM25 index, or loads it if these texts were indexed with these settings.

    Args:
        texts: the distinct texts; position = text number.
        text_hashes: their hashes, in the same order: the address in the cache.
        k1: saturation of term frequency, > 0.
        b: weight of the length normalisation, 0..1.
        state_dir: where the cache lives.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{INDEX_FORMAT}|{version('bm25s')}|{STOPWORDS}|{k1}|{b}|".encode())
    digest.update("".join(text_hashes).encode())
    folder, key = Path(state_dir) / "cache" / "bm25", digest.hexdigest()
    entries = Entries(folder, "the BM25 index", "it is built again", limit=MAX_INDEXES)
    model = entries.find(key, _loaded)
    if model is None:
        model = _build(texts, k1, b)
        if model is not None:
            with entries.adding(key) as path:
                model.save(str(path), show_progress=False)
    return SparseIndex(model, len(texts))


def _loaded(folder: Path) -> Any:
    import bm25s

    return bm25s.BM25.load(str(folder), load_corpus=False)


def _build(texts: Sequence[str], k1: float, b: float) -> Any | None:
    import bm25s

    # The library logs every step at debug level through a handler of its own.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    tokens = bm25s.tokenize(list(texts), stopwords=STOPWORDS, show_progress=False)
    if not any(len(ids) for ids in tokens.ids):
        return None
    model = bm25s.BM25(k1=k1, b=b)
    model.index(tokens, show_progress=False)
    return model


def _tokens(texts: Sequence[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(
        list(texts), stopwords=STOPWORDS, return_ids=False, show_progress=False
    )
    return tokens

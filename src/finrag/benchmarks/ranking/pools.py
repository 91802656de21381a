"""Items and passages of one benchmark, arranged for search."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag import embeddings
from finrag.cache.results import content_digest
from finrag.retrieval.bm25 import open_sparse_index
from finrag.retrieval.places import Places, arrange
from finrag.retrieval.searching import SparseSearch
from finrag.retrieval.vectors import Bools, Floats

# Cells are found through their rows.
SEARCHED_SPACES: Final = ("text", "row", "page", "turn", "table")


@dataclass(frozen=True)
class Item:
    """One question; ``document_id`` is null where it is asked of the whole benchmark."""

    item_id: str
    text: str
    document_id: str | None


@dataclass(frozen=True)
class Pool:
    """The passages of one benchmark and space.

    Attributes:
        places: passages in the order of their ids; the section of a passage is its document.
        texts: the distinct texts, in the order of their numbers.
        digest: of ids, documents and texts.
    """

    space: str
    places: Places
    texts: list[str]
    digest: str


@dataclass(frozen=True)
class Vectors:
    """Vectors of one encoder.

    Attributes:
        matrix: float32, one row a distinct text that is not blank.
        row_of: place of a text in the matrix.
    """

    matrix: Floats
    row_of: dict[str, int]

    def of(self, texts: Sequence[str]) -> tuple[Floats, Bools]:
        """Vectors of some texts, and whether each is usable; a blank text has none but zeros."""
        if len(self.matrix) == 0:
            return np.zeros((len(texts), 1), np.float32), np.zeros(len(texts), np.bool_)
        rows = np.array([self.row_of.get(text, -1) for text in texts], np.int64)
        found = self.matrix[rows]
        found[rows < 0] = 0
        lengths = np.einsum("ij,ij->i", found, found)
        return found, np.isfinite(lengths) & (lengths > 0)


class Benchmark:
    """One benchmark; what a search needs is made when it is first asked for, and kept."""

    def __init__(
        self, name: str, items: Sequence[Item], pools: Sequence[Pool], settings: Mapping[str, Any]
    ) -> None:
        self.name = name
        self.items = items
        self.pools = pools
        self.documents = {name for pool in pools for name in pool.places.section_number}
        self._settings = settings
        self._vectors: dict[str, Vectors] = {}
        self._sparse: dict[tuple[str, float, float], SparseSearch] = {}

    def vectors(self, encoder: str) -> Vectors:
        """Vectors of all texts and questions; a text is embedded once however often it stands."""
        if encoder not in self._vectors:
            texts = {text for pool in self.pools for text in pool.texts}
            texts.update(item.text for item in self.items)
            distinct = sorted(text for text in texts if text.strip())
            matrix = embeddings.embed_queries(
                distinct,
                encoder,
                Path(self._settings["state_dir"]) / "cache",
                batch_size=int(self._settings["encoder_batch_size"]),
                threads=int(self._settings["encoder_threads"]),
            )
            row_of = {text: row for row, text in enumerate(distinct)}
            self._vectors[encoder] = Vectors(matrix, row_of)
        return self._vectors[encoder]

    def sparse(self, pool: Pool, k1: float, b: float) -> SparseSearch:
        """BM25 over the distinct texts of a pool."""
        key = (pool.space, k1, b)
        if key not in self._sparse:
            hashes = [embeddings.content_hash(text) for text in pool.texts]
            # The cache of the corpus keeps only a few indexes; these would drive it out.
            with tempfile.TemporaryDirectory() as scratch:
                index = open_sparse_index(pool.texts, hashes, k1, b, scratch)
            self._sparse[key] = SparseSearch(index, pool.places)
        return self._sparse[key]


def open_benchmark(
    name: str, items: pa.Table, passages: pa.Table, settings: Mapping[str, Any]
) -> Benchmark:
    """Arranges the items and passages of one benchmark.

    Args:
        name: the benchmark.
        items: of all benchmarks; see ``rank_benchmarks``.
        passages: likewise.
        settings: likewise.
    """
    own = items.filter(pc.equal(items["benchmark"], name)).sort_by("item_id")
    asked = [
        Item(row["item_id"], row["question_text"] or "", row["document_id"])
        for row in own.select(["item_id", "question_text", "document_id"]).to_pylist()
    ]
    held = passages.filter(pc.equal(passages["benchmark"], name))
    pools = [
        _pool(space, found)
        for space in SEARCHED_SPACES
        if (found := held.filter(pc.equal(held["space"], space))).num_rows
    ]
    return Benchmark(name, asked, pools, settings)


def _pool(space: str, passages: pa.Table) -> Pool:
    ordered = passages.select(["passage_id", "document_id", "passage_text"]).sort_by("passage_id")
    texts = pc.fill_null(ordered["passage_text"], "")
    distinct = pc.unique(texts)
    distinct = distinct.take(pc.sort_indices(distinct))
    sentences = pa.table(
        {
            "sentence_id": ordered["passage_id"],
            "section_id": ordered["document_id"],
            "text_hash": texts,
        }
    )
    places = arrange(sentences, pa.chunked_array([distinct]))
    return Pool(space, places, distinct.to_pylist(), content_digest([ordered]))

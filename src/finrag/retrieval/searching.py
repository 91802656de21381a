"""Single searches over a corpus: dense and BM25, in the whole of it or in a part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from finrag.retrieval.bm25 import SparseIndex
from finrag.retrieval.indexes import Nearest
from finrag.retrieval.numbering import CorpusNumbers
from finrag.retrieval.ordering import NONE_FOUND, Ranked, Scores, best_places, order_candidates
from finrag.retrieval.vectors import Floats, Ints, VectorSet

# Vectors turned to double precision at once.
BLOCK = 16_384
# Above the distance of two single-precision scores of BM25 that are equal at six decimals.
SPARSE_SLACK: Final = 1e-5


@dataclass(frozen=True)
class DenseSearch:
    """Search by the vectors of one encoder."""

    vectors: VectorSet
    nearest: Nearest | None
    numbers: CorpusNumbers

    def everywhere(self, queries: Floats, n_results: int) -> list[Ranked]:
        """The nearest sentences of the pool to each query, all queries in one batch."""
        if self.nearest is None:
            return [NONE_FOUND for _ in queries]
        found = self.nearest.nearest(queries, n_results)
        return [
            self.within(sentences_with(texts, self.numbers), query, n_results)
            for texts, query in zip(found, queries, strict=True)
        ]

    def within(self, sentences: Ints, query: Floats, n_results: int) -> Ranked:
        """The nearest of some sentences."""
        texts = self.numbers.text_of[sentences]
        usable = self.vectors.is_usable[texts]
        scores = cosines(self.vectors.matrix, texts[usable], query)
        return order_candidates(sentences[usable], scores, n_results)


@dataclass(frozen=True)
class SparseSearch:
    """BM25 search of one system; a query is given as its words, see ``SparseIndex.words``."""

    index: SparseIndex
    numbers: CorpusNumbers

    def everywhere(self, words: Ints, n_results: int) -> Ranked:
        """The best sentences of the corpus, among those that share a word with the query."""
        by_text = self.index.scores(words)
        found = best_places(by_text, n_results, SPARSE_SLACK)
        sentences = sentences_with(found[by_text[found] > 0], self.numbers)
        scores = by_text[self.numbers.text_of[sentences]].astype(np.float64)
        return order_candidates(sentences, scores, n_results)

    def within(self, sentences: Ints, words: Ints, n_results: int) -> Ranked:
        """The best of some sentences, among those that share a word with the query."""
        scores = self.index.scores_of(words, self.numbers.text_of[sentences]).astype(np.float64)
        shared = scores > 0
        return order_candidates(sentences[shared], scores[shared], n_results)


def cosines(matrix: Floats, rows: Ints, query: Floats) -> Scores:
    """Cosine of unit vectors in double precision, without BLAS: the same bits always.

    Args:
        matrix: float32, unit rows.
        rows: which rows to compare.
        query: a unit vector.
    """
    doubled = query.astype(np.float64)
    blocks = [
        np.einsum("ij,j->i", matrix[rows[start : start + BLOCK]].astype(np.float64), doubled)
        for start in range(0, len(rows), BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty(0)


def sentences_with(texts: Ints, numbers: CorpusNumbers) -> Ints:
    """All sentences that carry one of the texts."""
    starts = numbers.text_starts[texts]
    sizes = numbers.text_starts[texts + 1] - starts
    inner = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    found: Ints = numbers.text_members[np.repeat(starts, sizes) + inner]
    return found

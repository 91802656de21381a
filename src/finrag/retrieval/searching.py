"""Single searches over a corpus: dense and BM25, in the whole of it or in a part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from finrag.retrieval import indexes
from finrag.retrieval.bm25 import SparseIndex
from finrag.retrieval.numbering import CorpusNumbers
from finrag.retrieval.ordering import Ranked, Scores, order_candidates
from finrag.retrieval.vectors import Floats, Ints, VectorSet
from finrag.systems.algorithm import CANDIDATE_MARGIN, SCORE_DECIMALS

# Vectors turned to double precision at once.
BLOCK = 16_384
# Queries multiplied with all texts at once.
QUERY_BLOCK: Final = 32
# More than the rounding of single precision can move a product of unit vectors, up to thousands
# of dimensions: what is nearer to the cut than this is compared in double precision.
SLACK: Final = 1e-3

NONE_FOUND = Ranked(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64))


class Nearest(Protocol):
    """Finds texts by vectors in a whole pool."""

    def nearest(self, queries: Floats, n_results: int) -> Iterable[Ints]:
        """For each query numbers of texts among which the nearest are, in no order."""
        ...


@dataclass(frozen=True)
class Indexed:
    """By an index over the vectors, exact or approximate."""

    index: Any
    system: Mapping[str, Any]

    def nearest(self, queries: Floats, n_results: int) -> Iterable[Ints]:
        """See ``Nearest``; more are taken, because exact scores may reorder near-ties."""
        asked = np.nan_to_num(queries, nan=0.0, posinf=0.0, neginf=0.0)
        found = indexes.search_index(
            self.index,
            self.system,
            np.ascontiguousarray(asked, np.float32),
            n_results + CANDIDATE_MARGIN,
        )
        return (row[row >= 0] for row in found)


@dataclass(frozen=True)
class Compared:
    """By comparison with every vector: exact, for pools that need no index.

    Attributes:
        matrix: unit vectors, one row per usable text.
        numbers: the text of each row.
    """

    matrix: Floats
    numbers: Ints

    def nearest(self, queries: Floats, n_results: int) -> Iterable[Ints]:
        """See ``Nearest``; ties at the cut are included."""
        asked = np.nan_to_num(queries, nan=0.0, posinf=0.0, neginf=0.0)
        for start in range(0, len(asked), QUERY_BLOCK):
            for scores in asked[start : start + QUERY_BLOCK] @ self.matrix.T:
                if len(scores) <= n_results:
                    yield self.numbers
                    continue
                place = len(scores) - n_results
                yield self.numbers[scores >= np.partition(scores, place)[place] - SLACK]


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
    """BM25 search of one system: a query is scored once over the corpus, then cut."""

    index: SparseIndex
    numbers: CorpusNumbers

    def scores(self, query: str) -> Scores:
        """Score of every text; what ``everywhere`` and ``within`` are given."""
        return self.index.scores(query)

    def everywhere(self, by_text: Scores, n_results: int) -> Ranked:
        """The best sentences of the corpus, among those that share a word with the query."""
        sentences = sentences_with(sparse_head(by_text, n_results), self.numbers)
        return order_candidates(sentences, by_text[self.numbers.text_of[sentences]], n_results)

    def within(self, sentences: Ints, by_text: Scores, n_results: int) -> Ranked:
        """The best of some sentences, among those that share a word with the query."""
        scores = by_text[self.numbers.text_of[sentences]]
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


def sparse_head(scores: Scores, n_results: int) -> Ints:
    """Texts with a positive score among the best, ties at the cut included."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) <= n_results:
        return positive
    found = scores[positive]
    cut = np.partition(found, len(found) - n_results)[len(found) - n_results]
    # Ties at six decimals must not be cut apart: see ordering.order_candidates.
    head: Ints = positive[found >= cut - 10.0**-SCORE_DECIMALS]
    return head


def sentences_with(text_numbers: Ints, numbers: CorpusNumbers) -> Ints:
    """All sentences that carry one of the texts."""
    if len(text_numbers) == 0:
        return np.empty(0, np.int64)
    return np.concatenate([numbers.with_text(int(text)) for text in text_numbers])

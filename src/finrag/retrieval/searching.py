"""Single searches over a corpus: dense and BM25, in the whole of it or in a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from finrag.retrieval.bm25 import SparseIndex
from finrag.retrieval.comparing import Best, Compared, Found, compared, rounding_slack
from finrag.retrieval.contexts import DenseContext, SparseContext
from finrag.retrieval.indexes import Nearest
from finrag.retrieval.numbering import CorpusNumbers
from finrag.retrieval.ordering import NONE_FOUND, Ranked, Scores, best_places, order_candidates
from finrag.retrieval.vectors import Floats, Ints, VectorSet

# Vectors turned to double precision at once.
BLOCK = 16_384
# Scores of context lines, by query and section, that are in memory at once.
LINE_SCORES: Final = 2**24
# Above the distance of two single-precision scores of BM25 that are equal at six decimals.
SPARSE_SLACK: Final = 1e-5


@dataclass(frozen=True)
class DenseSearch:
    """Search by the vectors of one encoder.

    Attributes:
        vectors: of the texts.
        nearest: finds the texts nearest to a query; None where no whole pool is searched.
        numbers: the pool as integers.
        context: the context lines; None where they are not searched.
    """

    vectors: VectorSet
    nearest: Nearest | None
    numbers: CorpusNumbers
    context: DenseContext | None = None

    @property
    def has_blocks(self) -> bool:
        """Whether the whole pool is searched block by block: better for many queries at once."""
        return self.nearest is not None and len(self.vectors.ranges()) > 1

    def everywhere(
        self, queries: Floats, n_results: int, lines: Floats | None = None
    ) -> list[Ranked]:
        """The nearest sentences of the pool to each query, all queries in one batch.

        Args:
            queries: unit vectors.
            n_results: how many are wanted of each.
            lines: as many vectors that the context lines are compared with; None leaves the
                lines out. An approximate index goes by the texts alone; the lines then only
                reorder what it found.
        """
        if self.nearest is None:
            return [NONE_FOUND for _ in queries]
        if lines is None or self.context is None:
            found = self.nearest.nearest(queries, n_results)
            return [
                self.within(sentences_with(texts, self.numbers), query, n_results)
                for texts, query in zip(found, queries, strict=True)
            ]
        if isinstance(self.nearest, Compared):
            sentences = self._compared(self.context, queries, lines, n_results)
        else:
            texts_found = self.nearest.nearest(queries, n_results)
            sentences = (sentences_with(texts, self.numbers) for texts in texts_found)
        return [
            self.within(found, query, n_results, line)
            for found, query, line in zip(sentences, queries, lines, strict=True)
        ]

    def _compared(
        self, context: DenseContext, queries: Floats, lines: Floats, n_results: int
    ) -> Iterator[Ints]:
        """Those next to the best by text and context together, in single precision."""
        slack = (1.0 + context.weight) * rounding_slack(queries.shape[1])
        n_at_once = max(1, LINE_SCORES // max(1, len(context.matrix)))
        for first in range(0, len(queries), n_at_once):
            asked = queries[first : first + n_at_once]
            by_section = [
                context.scores(line).astype(np.float32) for line in lines[first : first + n_at_once]
            ]
            best = Best(len(asked), n_results, slack)
            for start, block in self.vectors.blocks():
                best.add(0, self._with_lines(start, block, asked, by_section, context, best))
            for sentences, _ in best:
                yield sentences

    def _with_lines(
        self,
        start: int,
        block: Floats,
        queries: Floats,
        by_section: Sequence[Floats],
        context: DenseContext,
        best: Best,
    ) -> Iterator[Found]:
        """For each query the best sentences that carry a text of the block, and their scores."""
        starts = self.numbers.text_starts[start : start + len(block) + 1]
        sentences = self.numbers.text_members[starts[0] : starts[-1]]
        text_of = np.repeat(np.arange(len(block)), np.diff(starts))
        section_of = context.section_of[sentences]
        is_usable = self.vectors.is_usable[start : start + len(block)]
        by_text = compared(queries, block, is_usable)
        for scores, lines in zip(by_text, by_section, strict=True):
            by_sentence = scores[text_of] + lines[section_of]
            places = best_places(by_sentence, best.n_results, best.slack)
            yield sentences[places], by_sentence[places]

    def within(
        self, sentences: Ints, query: Floats, n_results: int, line: Floats | None = None
    ) -> Ranked:
        """The nearest of some sentences; with ``line`` by their context lines too."""
        texts = self.numbers.text_of[sentences]
        usable = self.vectors.is_usable[texts]
        scores = cosines(self.vectors, texts[usable], query)
        if line is not None and self.context is not None:
            sections = self.context.section_of[sentences[usable]]
            scores = scores + self.context.scores(line)[sections]
        return order_candidates(sentences[usable], scores, n_results)


@dataclass(frozen=True)
class SparseSearch:
    """BM25 search of one system; a query is given as its words, see ``SparseIndex.words``.

    Attributes:
        index: BM25 over the texts.
        numbers: the pool as integers.
        context: the context lines; None where they are not searched.
    """

    index: SparseIndex
    numbers: CorpusNumbers
    context: SparseContext | None = None

    def everywhere(self, words: Ints, n_results: int, line_words: Ints | None = None) -> Ranked:
        """The best sentences of the corpus, among those that share a word with the query.

        Args:
            words: of the query, as the texts know them.
            n_results: how many are wanted.
            line_words: of what the context lines are searched for, as the lines know them; None
                leaves the lines out. A line moves a sentence up but finds none by itself.
        """
        by_text = self.index.scores(words)
        if line_words is not None and self.context is not None:
            by_sentence = by_text[self.numbers.text_of]
            sentences = np.flatnonzero(by_sentence > 0).astype(np.int64)
            added = self.context.scores(line_words)[sentences]
            sums = by_sentence[sentences] + added
            best = best_places(sums, n_results, (1.0 + self.context.weight) * SPARSE_SLACK)
            return order_candidates(sentences[best], sums[best].astype(np.float64), n_results)
        found = best_places(by_text, n_results, SPARSE_SLACK)
        sentences = sentences_with(found[by_text[found] > 0], self.numbers)
        scores = by_text[self.numbers.text_of[sentences]].astype(np.float64)
        return order_candidates(sentences, scores, n_results)

    def within(
        self, sentences: Ints, words: Ints, n_results: int, line_words: Ints | None = None
    ) -> Ranked:
        """The best of some sentences, among those that share a word with the query."""
        scores = self.index.scores_of(words, self.numbers.text_of[sentences]).astype(np.float64)
        shared = scores > 0
        if line_words is not None and self.context is not None:
            scores = scores + self.context.scores(line_words)[sentences]
        return order_candidates(sentences[shared], scores[shared], n_results)


def cosines(vectors: VectorSet, texts: Ints, query: Floats) -> Scores:
    """Cosine of unit vectors in double precision, without BLAS: the same bits always.

    Args:
        vectors: of texts.
        texts: which of them to compare.
        query: a unit vector.
    """
    doubled = query.astype(np.float64)
    blocks = [
        np.einsum("ij,j->i", vectors.rows(texts[start : start + BLOCK]).astype(np.float64), doubled)
        for start in range(0, len(texts), BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty(0)


def sentences_with(texts: Ints, numbers: CorpusNumbers) -> Ints:
    """All sentences that carry one of the texts."""
    starts = numbers.text_starts[texts]
    sizes = numbers.text_starts[texts + 1] - starts
    inner = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    found: Ints = numbers.text_members[np.repeat(starts, sizes) + inner]
    return found

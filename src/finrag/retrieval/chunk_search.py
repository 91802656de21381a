"""Chunks of consecutive sentences as units of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.embeddings import content_hash
from finrag.retrieval.comparing import Compared, compare_all
from finrag.retrieval.corpus_layout import CorpusLayout
from finrag.retrieval.numbering import CorpusNumbers
from finrag.retrieval.ordering import order_candidates
from finrag.retrieval.queries import QueryVectors
from finrag.retrieval.searching import BLOCK, cosines
from finrag.retrieval.vectors import Floats, Ints, VectorSet
from finrag.systems.algorithm import CHUNK_WORDS

CHUNK_VECTORS = ("mean", "encoded")


@dataclass(frozen=True)
class Chunks:
    """Chunks by number, in the order of the chunk ids.

    Attributes:
        first: place in ``CorpusLayout.sequence`` of each chunk's first sentence.
        n_sentences: sentences of each chunk.
        hashes: hash of each chunk's text.
    """

    first: Ints
    n_sentences: Ints
    hashes: list[str]

    def sentences(self, chunk: int, layout: CorpusLayout) -> Ints:
        """Sentence numbers of a chunk, in the order of reading."""
        first = self.first[chunk]
        return layout.sequence[first : first + self.n_sentences[chunk]]


def read_chunks(chunks: pa.Table, numbers: CorpusNumbers, layout: CorpusLayout) -> Chunks:
    """Chunks as integers.

    Args:
        chunks: ordered by ``chunk_id``: ``section_id``, ``first_sentence_pos``,
            ``n_sentences``, ``chunk_hash``.
        numbers: the corpus.
        layout: its layout.
    """
    known = pa.array(list(numbers.section_number), pa.string())
    sections = pc.index_in(chunks["section_id"], known).to_numpy().astype(np.int64)
    return Chunks(
        first=layout.find(sections, chunks["first_sentence_pos"].to_numpy().astype(np.int64)),
        n_sentences=chunks["n_sentences"].to_numpy().astype(np.int64),
        hashes=chunks["chunk_hash"].to_pylist(),
    )


def cut_chunks(texts: Sequence[str], layout: CorpusLayout) -> tuple[Chunks, list[str]]:
    """Chunks where a set has none of its own: passages that follow one another in a document.

    A chunk takes passages while all of them have ``CHUNK_WORDS`` words at most; a longer passage
    is a chunk by itself. Chunks do not overlap.

    Args:
        texts: of the passages, by number.
        layout: the layout of their pool.

    Returns:
        The chunks, in the order of reading, and their texts.
    """
    firsts: list[int] = []
    words = [len(texts[passage].split()) for passage in layout.sequence.tolist()]
    documents = layout.section_of[layout.sequence].tolist()
    n_words = 0
    for place, n_here in enumerate(words):
        is_new = place == 0 or documents[place] != documents[place - 1]
        if is_new or n_words + n_here > CHUNK_WORDS:
            firsts.append(place)
            n_words = 0
        n_words += n_here
    first = np.array(firsts, np.int64)
    sizes = np.diff(np.append(first, len(words)))
    joined = [
        " ".join(texts[passage] for passage in layout.sequence[start : start + size].tolist())
        for start, size in zip(firsts, sizes.tolist(), strict=True)
    ]
    return Chunks(first, sizes, [content_hash(text) for text in joined]), joined


def mean_vectors(
    chunks: Chunks,
    vectors: VectorSet,
    numbers: CorpusNumbers,
    layout: CorpusLayout,
    lines: Floats | None = None,
) -> Floats:
    """Normalised mean of the vectors of each chunk's sentences and of its header, float32.

    The header says what the context line of the section says and counts as one sentence; where
    there are no vectors of ``lines``, by section, there is no header.

    A sentence without a usable vector is left out of the mean; a chunk without any, or
    whose mean is zero, gets a row of NaN.
    """
    means = np.full((len(chunks.first), vectors.dimension), np.nan, np.float32)
    for start in range(0, len(chunks.first), BLOCK // 16):
        block = slice(start, start + BLOCK // 16)
        counts = chunks.n_sentences[block]
        inner = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        texts = numbers.text_of[layout.sequence[np.repeat(chunks.first[block], counts) + inner]]
        rows = vectors.rows(texts).astype(np.float64)
        rows[~vectors.is_usable[texts]] = 0.0
        sums = np.add.reduceat(rows, np.cumsum(counts) - counts, axis=0)
        if lines is not None:
            sums += lines[layout.section_of[layout.sequence[chunks.first[block]]]]
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        lengths[lengths == 0] = np.nan
        means[block] = sums / lengths[:, None]
    return means


@dataclass(frozen=True)
class ChunkSearch:
    """Exact search over the vectors of chunks."""

    chunks: Chunks
    vectors: Compared

    def everywhere(self, queries: Floats, n_chunks: int) -> list[list[tuple[int, float]]]:
        """The nearest chunks of the corpus to each query and their cosines, best first."""
        found = self.vectors.nearest(queries, n_chunks)
        return [
            self._best(numbers, query, n_chunks)
            for numbers, query in zip(found, queries, strict=True)
        ]

    def _best(self, numbers: Ints, query: Floats, n_chunks: int) -> list[tuple[int, float]]:
        ranked = order_candidates(numbers, cosines(self.vectors.vectors, numbers, query), n_chunks)
        return list(zip(ranked.sentences.tolist(), ranked.scores.tolist(), strict=True))


def open_chunk_search(chunks: Chunks, matrix: Floats) -> ChunkSearch:
    """A search over chunks; one without a finite vector is never found."""
    is_usable = np.isfinite(np.einsum("ij,ij->i", matrix, matrix))
    return ChunkSearch(chunks, compare_all(VectorSet("", matrix, is_usable)))


def encoded_vectors(chunks: Chunks, vectors: QueryVectors) -> Floats:
    """Vectors of the chunks' own texts; a row of NaN for a chunk without one."""
    rows = np.array([vectors.row_of.get(key, -1) for key in chunks.hashes], np.int64)
    matrix = np.full((len(rows), vectors.matrix.shape[1]), np.nan, np.float32)
    matrix[rows >= 0] = vectors.matrix[rows[rows >= 0]]
    return matrix

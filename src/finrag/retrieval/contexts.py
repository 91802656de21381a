"""Context lines: company, year, form and section of a passage, searched beside its text.

A sentence seldom says whose it is. Each section has one line that does; it is shared by all its
sentences and searched as a field of its own, by words and by vectors. What the field scores is
added, by weight, to what the text scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from finrag.retrieval.bm25 import SparseIndex
from finrag.retrieval.ordering import Scores
from finrag.retrieval.vectors import Floats, Ints

# Lines turned to double precision at once.
BLOCK: Final = 16_384


@dataclass(frozen=True)
class SparseContext:
    """The words of the lines.

    Attributes:
        index: BM25 over the lines, one a section.
        section_of: section number of each sentence.
        weight: on the scores of the lines.
    """

    index: SparseIndex
    section_of: Ints
    weight: float

    def scores(self, words: Ints) -> Floats:
        """What its line adds to each sentence of the pool."""
        by_section = self.index.scores(words) * np.float32(self.weight)
        found: Floats = by_section[self.section_of]
        return found


@dataclass(frozen=True)
class DenseContext:
    """The vectors of the lines.

    Attributes:
        matrix: float32, sections x dimension; a row of zeros for a line without a vector.
        section_of: section number of each sentence.
        weight: on the cosines of the lines.
    """

    matrix: Floats
    section_of: Ints
    weight: float

    def scores(self, query: Floats) -> Scores:
        """What its line adds to each sentence of a section, by section; double precision.

        Without BLAS: the same bits always.
        """
        doubled = query.astype(np.float64)
        found = np.empty(len(self.matrix))
        for start in range(0, len(found), BLOCK):
            block = slice(start, start + BLOCK)
            np.einsum("ij,j->i", self.matrix[block].astype(np.float64), doubled, out=found[block])
        return self.weight * found


def lines_by_section(contexts: pa.Table, section_number: dict[str, int]) -> list[str]:
    """The line of each section by its number; empty where there is none.

    Args:
        contexts: ``section_id`` and ``context_text``.
        section_number: number of each section by its id.
    """
    lines = [""] * len(section_number)
    ids, texts = (contexts[name].to_pylist() for name in ("section_id", "context_text"))
    for section_id, text in zip(ids, texts, strict=True):
        number = section_number.get(section_id)
        if number is not None:
            lines[number] = text or ""
    return lines


def usable_rows(vectors: Floats) -> Floats:
    """The same vectors; those that are not finite become zeros, which add nothing."""
    found: Floats = np.where(np.isfinite(vectors).all(axis=1, keepdims=True), vectors, 0.0)
    return found.astype(np.float32)

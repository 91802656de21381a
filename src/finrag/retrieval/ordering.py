"""A total order of scored sentences: score first, then the sentence id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from finrag.retrieval.vectors import Ints
from finrag.systems.algorithm import SCORE_DECIMALS

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ranked:
    """The head of a ranking.

    Attributes:
        sentences: sentence numbers, best first.
        scores: their scores, rounded.
        n_tied: for each, how many candidates hold the same score, itself included; a group
            of ties that the depth cuts through keeps its whole size.
    """

    sentences: Ints
    scores: Scores
    n_tied: Ints


def order_candidates(
    sentences: Ints,
    scores: Scores,
    depth: int,
    decimals: int = SCORE_DECIMALS,
    place_of: Ints | None = None,
) -> Ranked:
    """Orders candidates by score descending, then by sentence number, and keeps the head.

    Scores are rounded before they are compared: two sums of the same numbers in another
    order differ in the last bits, and the order of results must not depend on that.

    Args:
        sentences: candidate sentence numbers, any order, no repeats.
        scores: a score per candidate; a candidate whose score is not finite is left out.
        depth: how many to keep.
        decimals: of the scores: ``SCORE_DECIMALS`` for a cosine or BM25, ``FUSED_DECIMALS``
            for reciprocal ranks, which lie closer together, and for scores rounded before.
        place_of: place of every sentence of the corpus in the order in which equal scores are
            to stand; None for the order of the sentence numbers.

    Returns:
        At most ``depth`` sentences; none when there are no candidates.
    """
    finite = np.isfinite(scores)
    numbers, rounded = sentences[finite], np.round(scores[finite], decimals)
    if len(numbers) > depth:
        cut = np.partition(rounded, len(rounded) - depth)[len(rounded) - depth]
        head = rounded >= cut
        numbers, rounded = numbers[head], rounded[head]
    order = np.lexsort((numbers if place_of is None else place_of[numbers], -rounded))
    numbers, rounded = numbers[order], rounded[order]
    _, groups, sizes = np.unique(rounded, return_inverse=True, return_counts=True)
    n_tied = sizes[groups].astype(np.int64)
    return Ranked(numbers[:depth], rounded[:depth], n_tied[:depth])

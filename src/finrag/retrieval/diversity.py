"""Less repetition in a ranking: near duplicates dropped, and maximal marginal relevance."""

from __future__ import annotations

import math

import numpy as np

from finrag.retrieval.ordering import Scores
from finrag.retrieval.vectors import Floats, Ints
from finrag.systems.algorithm import SCORE_DECIMALS

# Above the noise of single-precision vectors, below any difference that means something.
COSINE_DECIMALS = 6


def keep_distinct(vectors: Floats, cosine: float) -> Ints:
    """Drops near duplicates: the best of each group of look-alikes stays.

    Going down the ranking, a position is dropped when its cosine to a retained position
    exceeds the limit; a dropped one drops nothing itself.

    Args:
        vectors: n x d, best first, of any length; a row that is not finite or of zero length
            has no direction and is never a duplicate.
        cosine: the limit, 0 to 1, compared after rounding to ``COSINE_DECIMALS``; at 1 nothing
            is dropped.

    Returns:
        The retained positions, ascending: best first.

    Raises:
        ValueError: the limit lies outside 0..1, or ``vectors`` is not a matrix.
    """
    if not 0.0 <= cosine <= 1.0:
        raise ValueError(f"near_duplicate_cosine is {cosine}; set it between 0 and 1.")
    units = _directions(vectors)
    is_repeated = np.zeros(len(units), bool)
    for position in range(len(units)):
        if not is_repeated[position]:
            rest = slice(position + 1, None)
            is_repeated[rest] |= _cosines(units[rest], units[position]) > cosine
    return np.flatnonzero(~is_repeated).astype(np.int64)


def mmr_order(relevance: Scores, vectors: Floats, mmr_lambda: float, n: int) -> tuple[Ints, Scores]:
    """Orders by maximal marginal relevance (Carbonell and Goldstein 1998).

    The next position is the one with the highest λ·relevance - (1 - λ)·max(0, largest cosine to
    a position already chosen). A cosine below zero counts as zero, so that being opposed to what
    was chosen earns nothing; with it each penalty can only grow, the marginal relevance of the
    positions left can only fall, and the returned scores never increase. Relevance and cosine are
    traded against each other as they stand: bring relevance to 0..1 first (``unit_range``).

    Args:
        relevance: one score per position; a position whose score is not finite is left out.
        vectors: n x d, in the same order; a row without a direction is like nothing else.
        mmr_lambda: λ, 0 (only difference) to 1 (only relevance).
        n: how many to choose, 0 or more.

    Returns:
        Positions in the order chosen, and their marginal relevance when chosen, rounded to
        ``SCORE_DECIMALS`` before it is compared; of equals the earlier position comes first.

    Raises:
        ValueError: λ lies outside 0..1, n is negative, or the lengths differ.
    """
    if not 0.0 <= mmr_lambda <= 1.0:
        raise ValueError(f"mmr_lambda is {mmr_lambda}; set it between 0 and 1.")
    if n < 0:
        raise ValueError(f"the number of results is {n}; set it to 0 or more.")
    if len(relevance) != len(vectors):
        raise ValueError(
            f"{len(relevance)} relevance scores for {len(vectors)} vectors; give one each."
        )
    units = _directions(vectors)
    left = np.flatnonzero(np.isfinite(relevance))
    gains = mmr_lambda * np.asarray(relevance, np.float64)
    nearest = np.zeros(len(units))
    chosen: list[int] = []
    scores: list[float] = []
    while len(left) and len(chosen) < n:
        marginal = np.round(gains[left] - (1.0 - mmr_lambda) * nearest[left], SCORE_DECIMALS)
        best = int(np.argmax(marginal))
        chosen.append(int(left[best]))
        scores.append(float(marginal[best]))
        left = np.delete(left, best)
        nearest = np.maximum(nearest, _cosines(units, units[chosen[-1]]))
    return np.array(chosen, np.int64), np.array(scores, np.float64)


def unit_range(scores: Scores) -> Scores:
    """Scores on a line from 0 (the lowest) to 1 (the highest); 1 for all where all are equal.

    A score that is not finite stays what it is and does not count for the others.
    """
    finite = scores[np.isfinite(scores)]
    if not len(finite):
        return scores
    lowest, highest = float(finite.min()), float(finite.max())
    spread = highest - lowest
    if spread == 0.0 or not math.isfinite(spread):
        return np.where(np.isfinite(scores), 1.0, scores)
    return (scores - lowest) / spread


def _directions(vectors: Floats) -> Scores:
    """Rows of unit length in double precision; zeros where a row has no direction."""
    if np.ndim(vectors) != 2:
        raise ValueError(
            f"the vectors have shape {np.shape(vectors)}; give a matrix of one row each."
        )
    rows = np.asarray(vectors, np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    usable = np.isfinite(lengths) & (lengths > 0.0)
    units = np.zeros_like(rows)
    units[usable] = rows[usable] / lengths[usable, None]
    return units


def _cosines(units: Scores, unit: Scores) -> Scores:
    # einsum, not @: a BLAS sums in an order that depends on its number of threads.
    cosines: Scores = np.round(np.einsum("ij,j->i", units, unit), COSINE_DECIMALS)
    return cosines

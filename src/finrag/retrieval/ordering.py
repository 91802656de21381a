"""A total order of scored sentences: score first, then the sentence id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from finrag.retrieval.vectors import Ints
from finrag.systems.algorithm import SCORE_DECIMALS

Scores = npt.NDArray[np.float64]

# So many, that few of the best share a group.
GROUPS_PER_RESULT: Final = 8


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


NONE_FOUND: Final = Ranked(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64))


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
    sizes = np.append(np.flatnonzero(rounded[1:] != rounded[:-1]) + 1, len(rounded))
    sizes[1:] -= sizes[:-1].copy()
    n_tied = np.repeat(sizes, sizes)
    return Ranked(numbers[:depth], rounded[:depth], n_tied[:depth])


def best_places(scores: npt.NDArray[Any], n_results: int, slack: float) -> Ints:
    """Places of the best of many scores, ascending, and of those next to the cut.

    Args:
        scores: in any order, none NaN.
        n_results: how many are wanted.
        slack: what lies less than this below the last of them is included.
    """
    n_groups = GROUPS_PER_RESULT * n_results
    if len(scores) < 2 * n_groups:
        return _reaching(scores, np.arange(len(scores)), n_results, slack)
    # The maxima of groups, of which there are more than results, are few; as many scores as
    # results reach the last of the best of them. To look for the cut among all would take longer.
    grouped = scores[: len(scores) // n_groups * n_groups].reshape(-1, n_groups).max(axis=0)
    bound = np.partition(grouped, n_groups - n_results)[n_groups - n_results]
    places = np.flatnonzero(scores >= bound - slack)
    return _reaching(scores[places], places, n_results, slack)


def _reaching(scores: npt.NDArray[Any], places: Ints, n_results: int, slack: float) -> Ints:
    if len(scores) <= n_results:
        return places
    cut = np.partition(scores, len(scores) - n_results)[len(scores) - n_results]
    found: Ints = places[scores >= cut - slack]
    return found

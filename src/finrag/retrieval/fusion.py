"""One ranking from several: reciprocal rank fusion and weighted sums of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from finrag.retrieval.diversity import unit_range
from finrag.retrieval.ordering import Scores
from finrag.retrieval.vectors import Ints
from finrag.systems.kinds import required

FUSIONS = ("rrf", "weighted")

# Sentence numbers best first, their scores, and the weight of the list.
Weighted = tuple[Ints, Scores, float]


def fuse(lists: Sequence[Weighted], system: Mapping[str, Any]) -> tuple[Ints, Scores]:
    """Fuses ranked lists as a system is set to.

    Args:
        lists: rankings.
        system: ``fusion`` ("rrf" or "weighted") and, for the former, ``rrf_k``.

    Returns:
        Sentence numbers, ascending, and their fused scores.

    Raises:
        ValueError: a method that does not exist or a setting that it lacks.
    """
    method = required(system, "fusion")
    if method == "rrf":
        k = required(system, "rrf_k")
        return fuse_ranks([(found, weight) for found, _, weight in lists], k)
    if method == "weighted":
        return fuse_scores(lists)
    raise ValueError(
        f"system {system['system_id']}: fusion '{method}' does not exist; "
        f"use one of {', '.join(FUSIONS)}"
    )


def fuse_ranks(lists: Sequence[tuple[Ints, float]], k: int) -> tuple[Ints, Scores]:
    """Reciprocal rank fusion: the sum of weight / (k + rank) over the lists that hold it.

    Cormack, Clarke and Büttcher 2009. Ranks count from 1; a list that does not hold a
    sentence adds nothing.
    """
    parts = [weight / (k + np.arange(1, len(found) + 1)) for found, weight in lists]
    return _summed([found for found, _ in lists], parts)


def fuse_scores(lists: Sequence[Weighted]) -> tuple[Ints, Scores]:
    """Weighted sum of min-max normalised scores; absent from a list counts as its minimum.

    A list whose scores are all equal is normalised to ones.
    """
    parts = [weight * unit_range(scores) for _, scores, weight in lists]
    return _summed([found for found, _, _ in lists], parts)


def _summed(found: Sequence[Ints], parts: Sequence[Scores]) -> tuple[Ints, Scores]:
    if not found:
        return np.empty(0, np.int64), np.empty(0)
    sentences, places = np.unique(np.concatenate(found), return_inverse=True)
    sums: Scores = np.zeros(len(sentences))
    np.add.at(sums, places, np.concatenate(parts))
    return sentences.astype(np.int64), sums

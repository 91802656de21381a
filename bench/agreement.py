"""How far two raters agree: confusion table and Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two raters who labelled the same things.

    Attributes:
        n: Number of things labelled by both.
        observed: Share on which they agree; None when n is 0.
        expected: Share on which they would agree by chance, from how often each uses each
            label; None when n is 0.
        kappa: (observed - expected) / (1 - expected): 1 for full agreement, 0 for no more than
            chance; None when n is 0, or when both use one and the same label throughout, so
            that chance alone explains everything.
    """

    n: int
    observed: float | None
    expected: float | None
    kappa: float | None


def cohen_kappa(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Cohen's kappa of two raters, unweighted.

    Source: Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20 (1960). Counts are whole numbers until the last division, so
    the order of the pairs changes no bit.

    Args:
        pairs: One pair of labels a thing: the first rater's and the second's.

    Returns:
        Their agreement; see ``Agreement`` for what is undefined.
    """
    listed = list(pairs)
    n = len(listed)
    if n == 0:
        return Agreement(0, None, None, None)
    first = Counter(one for one, _ in listed)
    second = Counter(other for _, other in listed)
    n_agreed = sum(one == other for one, other in listed)
    by_chance = sum(count * second[label] for label, count in first.items())
    kappa = None
    if by_chance < n * n:
        kappa = (n * n_agreed - by_chance) / (n * n - by_chance)
    return Agreement(n, n_agreed / n, by_chance / (n * n), kappa)


def confusion(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """How often each pair of labels occurs.

    Args:
        pairs: One pair of labels a thing: the first rater's and the second's.

    Returns:
        First label, second label, number of things; only pairs that occur, in label order.
    """
    counts = Counter(pairs)
    return [(one, other, counts[one, other]) for one, other in sorted(counts)]

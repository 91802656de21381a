"""What every reranker gives: scores of one query's candidates, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from finrag.llm.calls import Call
from finrag.retrieval.ordering import Scores


@dataclass(frozen=True)
class Reranked:
    """What came of one query.

    Attributes:
        scores: float64, one per text in the order given, higher is better; None where failed.
        calls: calls to a model, in their order.
        latency_ms: time for this query; for calls to a model the time they took when made.
        failure: one sentence on what went wrong; None where there are scores.
        kept: where a failure left the order as it was, what went wrong; the scores are the order's.
    """

    scores: Scores | None
    calls: tuple[Call, ...]
    latency_ms: float
    failure: str | None
    kept: str | None = None


class Reranker(Protocol):
    """A loaded reranker."""

    def rerank(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> Iterator[Reranked]:
        """Scores the candidates of each query.

        Args:
            queries: the questions, better without company and year where candidates share those.
            texts: for each query its candidates, best first by what found them; untrusted.

        Returns:
            One result per query, in order, as soon as it is there; no scores for no candidates
            (an array of length 0). Equal texts of a query are scored once, equally.

        Raises:
            ValueError: not as many lists of candidates as queries.
        """
        ...


def check_lengths(queries: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
    """Refuses candidates that do not belong to the queries."""
    if len(queries) != len(texts):
        raise ValueError(f"{len(queries)} queries and {len(texts)} lists of candidates.")

"""What every reranker gives: scores of one query's candidates, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from finrag.llm.calls import Call
from finrag.retrieval.ordering import Scores


@dataclass(frozen=True)
class Spread:
    """How the scores of a model lie apart that was asked the same several times.

    Scores are divided by the largest of the query, for each prompt has a scale of its own.

    Attributes:
        n_repeats: replies that could be used.
        score_variance: variance of a candidate's scores from reply to reply, on average over the
            candidates; None for a single reply.
        score_entropy: Shannon entropy, in bits, of how often each score was given: 0 where all are
            alike, log2 of the candidates where all differ.
    """

    n_repeats: int
    score_variance: float | None
    score_entropy: float


@dataclass(frozen=True)
class Reranked:
    """The reranker's result for one query.

    Attributes:
        scores: float64, one per text in the order given, higher is better; None where failed.
        calls: calls to a model, in their order.
        latency_ms: time for this query; for calls to a model the time they took when made.
        failure: one sentence on what went wrong; None where there are scores.
        ignored_failure: what went wrong, where a failure left the order as it was; the scores are
            then those of the order.
        spread: of a model's scores; None for other rerankers and where nothing was asked.
    """

    scores: Scores | None
    calls: tuple[Call, ...]
    latency_ms: float
    failure: str | None
    ignored_failure: str | None = None
    spread: Spread | None = None


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
        raise ValueError(
            f"{len(queries)} queries and {len(texts)} lists of candidates; give one each."
        )

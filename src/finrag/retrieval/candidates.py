"""What a search found for one question, on its way to a ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from finrag.retrieval.ordering import Ranked, Scores
from finrag.retrieval.vectors import Ints

# Ways by which a sentence is found, in the order in which they are named.
WAYS = ("core", "global", "expand", "chunk", "dense", "bm25", "random", "company", "open")
CORE, GLOBAL, EXPAND, CHUNK, DENSE, BM25, RANDOM, COMPANY, OPEN = (
    1 << bit for bit in range(len(WAYS))
)


@dataclass(frozen=True)
class Stage:
    """One stage of one query.

    Attributes:
        stage: embed, search, fuse, expand, rerank or deduplicate.
        n_in: what went in: texts to embed, lists to fuse, sentences otherwise.
        n_out: what came out: vectors, else sentences.
        latency_ms: milliseconds; work on a batch is divided evenly over its queries.
    """

    stage: str
    n_in: int
    n_out: int
    latency_ms: float


@dataclass(frozen=True)
class Candidates:
    """Scored sentences of one question.

    Attributes:
        sentences: sentence numbers, no repeats.
        scores: score of each.
        ways: bits of ``WAYS`` of each.
        cells: number of the company and year asked for that each belongs to, from 0; -1 for
            what lies outside; None for a search that does not tell them apart.
        n_tied: of sentences that stand in their order already, how many hold the score of each,
            also beyond those found; None where they are not in order.
        stages: what was done, in order.
        failure: why the question's retrieval failed; None where it did not.
    """

    sentences: Ints
    scores: Scores
    ways: Ints
    cells: Ints | None = None
    n_tied: Ints | None = None
    stages: tuple[Stage, ...] = ()
    failure: str | None = None

    def after(self, stage: Stage) -> Candidates:
        """The same with one more stage."""
        return replace(self, stages=(*self.stages, stage))

    def taken(self, positions: Ints, scores: Scores) -> Candidates:
        """Some of them, in the given order, with other scores."""
        return replace(
            self,
            sentences=self.sentences[positions],
            scores=scores,
            ways=self.ways[positions],
            cells=None if self.cells is None else self.cells[positions],
            n_tied=None,
        )


def from_ranked(ranked: Ranked, ways: int, stages: tuple[Stage, ...] = ()) -> Candidates:
    """All results of one search."""
    all_ways = np.full(len(ranked.sentences), ways, np.int64)
    return Candidates(
        ranked.sentences, ranked.scores, all_ways, n_tied=ranked.n_tied, stages=stages
    )


def failed(reason: str, *stages: Stage) -> Candidates:
    """Nothing, because the search could not be made."""
    nothing = np.empty(0, np.int64)
    return Candidates(nothing, np.empty(0), nothing, stages=stages, failure=reason)


def ways_in(sentences: Ints, found: Ints, bit: int) -> Ints:
    """The bit for those of the sentences that a search found, 0 for the others."""
    return np.where(np.isin(sentences, found), bit, 0).astype(np.int64)


def spell(ways: int) -> str:
    """Names of the ways, joined: core+global."""
    return "+".join(name for bit, name in enumerate(WAYS) if ways & 1 << bit)

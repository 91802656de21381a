"""What follows a search: reranking, removal of near duplicates, diversity, the cut to depth."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from finrag.llm.calls import Call
from finrag.retrieval.candidates import OPEN, Candidates, Stage
from finrag.retrieval.diversity import keep_distinct, mmr_order, unit_range
from finrag.retrieval.fusion import fuse_ranks
from finrag.retrieval.methods import n_results, place_of
from finrag.retrieval.multi_path import share
from finrag.retrieval.ordering import Ranked, order_candidates
from finrag.retrieval.pools import Pool
from finrag.retrieval.queries import Query
from finrag.retrieval.vectors import Ints
from finrag.systems.algorithm import FUSED_DECIMALS, SCORE_DECIMALS
from finrag.systems.kinds import is_reranked, required

if TYPE_CHECKING:
    from finrag.retrieval.reranked import Reranker, Spread

NUMBER = re.compile(r"[0-9](?:[0-9,.]*[0-9])?")

Finished = tuple[Candidates, tuple[Call, ...], "Spread | None"]


@dataclass(frozen=True)
class RerankingStage:
    """Turns the candidates of a search into the ranking of one system."""

    system: Mapping[str, Any]
    pool: Pool
    reranker: Reranker | None

    def finish(self, queries: Sequence[Query], found: Sequence[Candidates]) -> Iterator[Finished]:
        """Candidates in their final order, the calls to models and the spread of their scores.

        Args:
            queries: a block of questions.
            found: their candidates, in the same order.
        """
        if self.reranker is None and not is_diversified(self.system):
            yield from ((candidates, (), None) for candidates in found)
            return
        heads = [self._ordered(candidates, n_results(self.system)) for candidates in found]
        for candidates, calls, spread in self._reranked(queries, heads):
            yield self._diversified(candidates), calls, spread

    def ranked(self, candidates: Candidates) -> Ranked:
        """The head of the ranking."""
        depth = self.system["depth"]
        if candidates.n_tied is not None:
            n_tied = candidates.n_tied[:depth]
            return Ranked(candidates.sentences[:depth], candidates.scores[:depth], n_tied)
        return self._order(candidates, depth)

    def _reranked(
        self, queries: Sequence[Query], found: Sequence[Candidates]
    ) -> Iterator[Finished]:
        """The first ``rerank_depth`` in the reranker's order; the rest is left out."""
        if self.reranker is None:
            yield from ((candidates, (), None) for candidates in found)
            return
        depth = required(self.system, "rerank_depth")
        heads = [self._ordered(candidates, depth) for candidates in found]
        is_asked = [len(head.sentences) > 0 for head in heads]
        asked = [place for place, is_it in enumerate(is_asked) if is_it]
        answers = self.reranker.rerank(
            [self._wanted(queries[place], heads[place]) for place in asked],
            [self._texts(heads[place].sentences) for place in asked],
        )
        for head, is_it in zip(heads, is_asked, strict=True):
            if not is_it:
                yield head, (), None
                continue
            answer = next(answers)
            n = len(head.sentences)
            stage = Stage("rerank", n, 0 if answer.failure else n, answer.latency_ms)
            if answer.failure is not None or answer.scores is None:
                reason = answer.failure or "the reranker gave no scores"
                yield replace(head.after(stage), failure=reason), answer.calls, None
                continue
            scored = replace(head, scores=np.round(answer.scores, SCORE_DECIMALS))
            shared = self._shared(self._ordered(scored, depth), head).after(stage)
            yield shared, answer.calls, answer.spread

    def _shared(self, candidates: Candidates, found: Candidates) -> Candidates:
        """Reranked candidates of a multi-path search: each cell keeps its share.

        A candidate's reciprocal ranks within its own cell, before and after reranking, are added
        up: a reranker sees only the text, not its company, its year or its surroundings.
        """
        if candidates.cells is None or found.cells is None:
            return candidates
        k = required(self.system, "rrf_k")
        lists = []
        for part in (candidates, found):
            cells = np.asarray(part.cells)
            lists += [(part.sentences[cells == cell], 1.0) for cell in np.unique(cells)]
        _, scores = fuse_ranks(lists, k)
        fused = candidates.taken(np.argsort(candidates.sentences), scores)
        shared = share(fused, k, required(self.system, "global_weight"))
        return self._ordered(shared, len(scores))

    def _wanted(self, query: Query, head: Candidates) -> str:
        """The topic where all candidates fit the question's filters, else the full text."""
        is_open = self.system["regime"] == "open" or bool(head.ways[0] & OPEN)
        return query.text if is_open else query.topic

    def _texts(self, sentences: Ints) -> list[str]:
        texts: list[str] = self.pool.texts.take(
            pa.array(self.pool.numbers.text_of[sentences])
        ).to_pylist()
        return texts

    def _diversified(self, candidates: Candidates) -> Candidates:
        """Without near duplicates and in order of marginal relevance, where configured."""
        cosine, mmr_lambda = (
            self.system.get(name) for name in ("near_duplicate_cosine", "mmr_lambda")
        )
        if candidates.failure or not is_diversified(self.system):
            return candidates
        started = time.perf_counter()
        n_in = len(candidates.sentences)
        if cosine is not None:
            candidates = self._distinct(candidates, cosine)
        if mmr_lambda is not None:
            candidates = self._spread(candidates, mmr_lambda)
        ms = 1e3 * (time.perf_counter() - started)
        return candidates.after(Stage("deduplicate", n_in, len(candidates.sentences), ms))

    def _distinct(self, candidates: Candidates, cosine: float) -> Candidates:
        """Removes near duplicates; the best of each group stays.

        Two sentences are near duplicates only within one filing and with the same figures: a
        sentence that a company repeats every year with other figures states another fact.
        """
        figures = [tuple(NUMBER.findall(text)) for text in self._texts(candidates.sentences)]
        filings = self.pool.layout.filing_of[candidates.sentences].tolist()
        groups: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for place, key in enumerate(zip(filings, figures, strict=True)):
            groups.setdefault(key, []).append(place)
        distinct: list[int] = []
        for places in groups.values():
            if len(places) == 1:
                distinct.extend(places)
                continue
            vectors = self._vectors(candidates.sentences[places])
            distinct.extend(np.asarray(places)[keep_distinct(vectors, cosine)].tolist())
        positions = np.array(sorted(distinct), np.int64)
        return candidates.taken(positions, candidates.scores[positions])

    def _spread(self, candidates: Candidates, mmr_lambda: float) -> Candidates:
        """Maximal marginal relevance within each filing; filings are merged by score.

        A sentence does not lose value because the filing of another year words it alike.
        """
        relevance = unit_range(candidates.scores)
        filings = self.pool.layout.filing_of[candidates.sentences]
        order, scores = [np.empty(0, np.int64)], [np.empty(0)]
        for filing in np.unique(filings):
            places = np.flatnonzero(filings == filing)
            vectors = self._vectors(candidates.sentences[places])
            picked, values = mmr_order(relevance[places], vectors, mmr_lambda, len(places))
            order.append(places[picked])
            scores.append(values)
        spread = candidates.taken(np.concatenate(order), np.concatenate(scores))
        return self._ordered(spread, len(spread.sentences))

    def _vectors(self, sentences: Ints) -> Any:
        vectors = self.pool.vectors(self.system["encoder"])
        if vectors is None:
            raise ValueError(f"system {self.system['system_id']}: the encoder gave no vectors")
        return vectors.rows(self.pool.numbers.text_of[sentences])

    def _ordered(self, candidates: Candidates, depth: int) -> Candidates:
        """The best candidates in order; scores that are not fused were rounded before."""
        ranked = self._order(candidates, depth)
        by_number = np.argsort(candidates.sentences, kind="stable")
        places = by_number[np.searchsorted(candidates.sentences[by_number], ranked.sentences)]
        return candidates.taken(places, ranked.scores)

    def _order(self, candidates: Candidates, depth: int) -> Ranked:
        return order_candidates(
            candidates.sentences,
            candidates.scores,
            depth,
            FUSED_DECIMALS,
            place_of(self.system, self.pool),
        )


def is_diversified(system: Mapping[str, Any]) -> bool:
    """Whether results that resemble one another are removed or moved apart."""
    return any(system.get(name) is not None for name in ("near_duplicate_cosine", "mmr_lambda"))


def open_reranking_stage(
    system: Mapping[str, Any], pool: Pool, settings: Mapping[str, Any]
) -> RerankingStage:
    """Opens the reranking stage of a system.

    Args:
        system: a registered system.
        pool: what it searches.
        settings: of the build, for the reranker, which reads the system's own beside them.
    """
    reranker = None
    if is_reranked(system):
        from finrag.retrieval.reranking import open_reranker

        reranker = open_reranker(system["reranker"], pool.texts, {**settings, **system})
    return RerankingStage(system, pool, reranker)

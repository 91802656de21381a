"""Multi-path retrieval: a filtered search per company and year, an open one, neighbours.

A question over years or companies needs a passage of each. In one ranking over all of them the
filing with the nearest wording would fill the head; here every company and year (a *cell*) is
ranked separately and the cells are merged by rank, so that each gets its share.

The open path does not compete with the cells: what it finds inside them moves up a few ranks,
what it finds outside comes after them (the first at ``global_weight`` / (k + 1)). It replaces the
cells where there are none, fills up the ranking where they hold next to nothing, and, restricted
to the cell, helps a short section with too few hits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from finrag.retrieval.candidates import CORE, EXPAND, GLOBAL, Candidates, Stage, ways_in
from finrag.retrieval.corpus_layout import CorpusLayout
from finrag.retrieval.fusion import Weighted, fuse_ranks
from finrag.retrieval.ordering import Ranked, Scores, order_candidates
from finrag.retrieval.searching import DenseSearch, SparseSearch
from finrag.retrieval.stated import Asked
from finrag.retrieval.vectors import Bools, Floats, Ints
from finrag.systems.algorithm import (
    BEHIND,
    EXPANDED_HITS,
    FURNITURE_WEIGHT,
    FUSED_DECIMALS,
    HINTED_SECTION,
    STATED,
    THEMATIC_SECTIONS,
)
from finrag.systems.kinds import required

# Sentences, best first, and their scores.
Hits = tuple[Ints, Scores]


@dataclass(frozen=True)
class Settings:
    """Settings of a multi-path system, as the registry names them."""

    n_candidates: int
    rrf_k: int
    dense_weight: float
    sparse_weight: float
    global_weight: float
    expand_weight: float
    expand_window: int
    expand_window_short: int
    short_section: int
    min_hits_short: int


def read_settings(system: Mapping[str, Any]) -> Settings:
    """Settings of a registered system.

    Raises:
        ValueError: one of them is not set.
    """
    return Settings(**{name: required(system, name) for name in Settings.__annotations__})


@dataclass(frozen=True)
class Probe:
    """What one question is searched with.

    Attributes:
        vectors: of the topic and of the question without names and years.
        words: of the same two, as BM25 knows them.
        section_names: sections that the question hints at.
        asked: what sentences that answer it state.
        open_hits: dense and BM25 results of the full text over the whole pool.
    """

    vectors: tuple[Floats, ...]
    words: tuple[Ints, ...]
    section_names: frozenset[str]
    asked: frozenset[Asked]
    open_hits: tuple[Hits, Hits]

    @property
    def is_thematic(self) -> bool:
        """Whether the question is about sections of ``THEMATIC_SECTIONS`` and no others."""
        return bool(self.section_names) and self.section_names <= THEMATIC_SECTIONS


@dataclass(frozen=True)
class MultiPath:
    """The means of one multi-path system.

    Attributes:
        settings: of the system.
        dense: search by vectors.
        sparse: search by words.
        layout: of the pool.
        stated: gives for what is asked whether each sentence states it.
    """

    settings: Settings
    dense: DenseSearch
    sparse: SparseSearch
    layout: CorpusLayout
    stated: Callable[[Asked], Bools]

    def find(self, cells: Sequence[Sequence[int]], probe: Probe) -> Candidates:
        """Runs the three paths for one question.

        Args:
            cells: numbers of the filings that the question asks for, one group a company and
                year, or its document; without one the open search is all there is.
            probe: what to search with.

        Returns:
            Candidates with their scores and the stages search, fuse and expand.
        """
        started = time.perf_counter()
        everywhere = self._weighed(self._fused(self._open_lists(probe)), probe)
        cores = [self._search_cell(cell, probe) for cell in cells]
        searched = time.perf_counter()
        found = self._fuse_paths(cores, everywhere)
        fused = time.perf_counter()
        heads = cores or [everywhere]
        expanded = self._expanded(found, [core.sentences[:EXPANDED_HITS] for core in heads])
        n_listed = sum(len(ranked.sentences) for ranked in [*cores, everywhere])
        stages = (
            Stage("search", self._n_searched(cells), n_listed, 1e3 * (searched - started)),
            Stage("fuse", n_listed, len(found.sentences), 1e3 * (fused - searched)),
            Stage(
                "expand",
                len(found.sentences),
                len(expanded.sentences),
                1e3 * (time.perf_counter() - fused),
            ),
        )
        in_cells = replace(expanded, cells=self._cell_of(expanded.sentences, cells), stages=stages)
        return share(in_cells, self.settings.rrf_k, self.settings.global_weight)

    def _search_cell(self, cell: Sequence[int], probe: Probe) -> Ranked:
        """The core path in one cell."""
        members = self.layout.members(cell)
        lists = self._core_lists(members, probe)
        ranked = self._weighed(self._fused(lists), probe)
        if not self._is_thin(ranked):
            return ranked
        # Too few hits in a short section: the open search, cut to this company and year.
        lists += [
            _only(members, hits, self.settings.global_weight) for hits in self._open_lists(probe)
        ]
        return self._weighed(self._fused(lists), probe)

    def _core_lists(self, members: Ints, probe: Probe) -> list[Weighted]:
        """By topic and by question, dense and BM25; by the topic's vector where thematic."""
        settings, n = self.settings, self.settings.n_candidates
        is_topic_alone = probe.is_thematic and settings.dense_weight > 0
        by_vector = [
            _weighted(self.dense.within(members, vector, n), settings.dense_weight)
            for vector in probe.vectors[: 1 if is_topic_alone else None]
        ]
        if is_topic_alone:
            return by_vector
        return by_vector + [
            _weighted(self.sparse.within(members, words, n), settings.sparse_weight)
            for words in probe.words
        ]

    def _open_lists(self, probe: Probe) -> list[Weighted]:
        weights = (self.settings.dense_weight, self.settings.sparse_weight)
        return [(*hits, weight) for hits, weight in zip(probe.open_hits, weights, strict=True)]

    def _fused(self, lists: Sequence[Weighted]) -> tuple[Ints, Scores]:
        return fuse_ranks([(found, weight) for found, _, weight in lists], self.settings.rrf_k)

    def _weighed(self, fused: tuple[Ints, Scores], probe: Probe) -> Ranked:
        """Fused candidates in order: hinted sections and what states what is asked for first."""
        sentences, scores = fused
        names = self.layout.section_names
        is_hinted = [
            names[section] in probe.section_names for section in self.layout.section_of[sentences]
        ]
        factors = np.where(is_hinted, HINTED_SECTION, 1.0)
        for asked in sorted(probe.asked):
            factors = factors * np.where(self.stated(asked)[sentences], STATED, 1.0)
        factors = factors * np.where(self.layout.is_furniture[sentences], FURNITURE_WEIGHT, 1.0)
        return order_candidates(
            sentences, scores * factors, self.settings.n_candidates, FUSED_DECIMALS
        )

    def _is_thin(self, ranked: Ranked) -> bool:
        """Whether the best hit stands in a short section that holds too few hits."""
        if len(ranked.sentences) == 0:
            return True
        sections = self.layout.section_of[ranked.sentences]
        is_short = self.layout.section_length(int(sections[0])) < self.settings.short_section
        n_hits = int(np.count_nonzero(sections == sections[0]))
        return is_short and n_hits < self.settings.min_hits_short

    def _fuse_paths(self, cores: Sequence[Ranked], everywhere: Ranked) -> Candidates:
        """Cells by rank, each with full weight; the open path with its own."""
        open_weight = self.settings.global_weight if cores else 1.0
        lists = [(core.sentences, 1.0) for core in cores]
        sentences, scores = fuse_ranks(
            [*lists, (everywhere.sentences, open_weight)], self.settings.rrf_k
        )
        ways = ways_in(sentences, everywhere.sentences, GLOBAL)
        for core in cores:
            ways |= ways_in(sentences, core.sentences, CORE)
        return Candidates(sentences, scores, ways)

    def _expanded(self, found: Candidates, heads: Sequence[Ints]) -> Candidates:
        """Adds neighbours of the best hits.

        A neighbour gains the score of its best hit times ``expand_weight`` to the power of
        their distance, on top of its own score where it has one, but it does not pass a hit
        for standing beside it.
        """
        score_of = dict(zip(found.sentences.tolist(), found.scores.tolist(), strict=True))
        raised: dict[int, float] = {}
        for hit in (int(hit) for head in heads for hit in head):
            for neighbour, distance in self._neighbours(hit):
                own = score_of.get(neighbour, 0.0)
                gain = score_of[hit] * self.settings.expand_weight**distance
                score = max(own, min(own + gain, score_of[hit] * BEHIND))
                raised[neighbour] = max(score, raised.get(neighbour, 0.0))
        near = np.array(sorted(raised), np.int64)
        sentences = np.union1d(found.sentences, near)
        scores, ways = np.zeros(len(sentences)), np.zeros(len(sentences), np.int64)
        own_places = np.searchsorted(sentences, found.sentences)
        scores[own_places], ways[own_places] = found.scores, found.ways
        near_places = np.searchsorted(sentences, near)
        scores[near_places] = [raised[sentence] for sentence in near.tolist()]
        ways[near_places] |= EXPAND
        return Candidates(sentences, scores, ways)

    def _neighbours(self, hit: int) -> list[tuple[int, int]]:
        length = self.layout.section_length(int(self.layout.section_of[hit]))
        is_short = length < self.settings.short_section
        width = self.settings.expand_window_short if is_short else self.settings.expand_window
        sentences, distances = self.layout.window(hit, width)
        is_text = ~self.layout.is_furniture[sentences]
        return list(zip(sentences[is_text].tolist(), distances[is_text].tolist(), strict=True))

    def _cell_of(self, sentences: Ints, cells: Sequence[Sequence[int]]) -> Ints | None:
        if not cells:
            return None
        by_filing = np.full(len(self.layout.filing_members), -1, np.int64)
        for number, cell in enumerate(cells):
            by_filing[cell] = number
        return by_filing[self.layout.filing_of[sentences]]

    def _n_searched(self, cells: Sequence[Sequence[int]]) -> int:
        return sum(len(self.layout.members(cell)) for cell in cells)


def share(candidates: Candidates, k: int, outside: float) -> Candidates:
    """Gives each cell its share of the head: candidates meet by their rank in their own cell.

    The score of rank r, by score and then by sentence, becomes 1 / (k + r); outside all cells
    it is ``outside`` times that. Candidates without cells stay as they are.
    """
    if candidates.cells is None:
        return candidates
    scores = np.zeros(len(candidates.sentences))
    for cell in np.unique(candidates.cells):
        places = np.flatnonzero(candidates.cells == cell)
        rounded = np.round(candidates.scores[places], FUSED_DECIMALS)
        ordered = places[np.lexsort((candidates.sentences[places], -rounded))]
        weight = outside if cell < 0 else 1.0
        scores[ordered] = weight / (k + 1 + np.arange(len(ordered)))
    return replace(candidates, scores=scores)


def _weighted(ranked: Ranked, weight: float) -> Weighted:
    return ranked.sentences, ranked.scores, weight


def _only(members: Ints, hits: Weighted, factor: float) -> Weighted:
    """Those hits that are among the members, in a list of ``factor`` times the weight."""
    sentences, scores, weight = hits
    inside = np.isin(sentences, members)
    return sentences[inside], scores[inside], factor * weight

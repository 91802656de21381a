"""The search of one system over questions, a block of questions at a time."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from finrag.retrieval import chunk_search, indexes
from finrag.retrieval.bm25 import open_sparse_index
from finrag.retrieval.candidates import (
    BM25,
    CHUNK,
    COMPANY,
    DENSE,
    OPEN,
    RANDOM,
    Candidates,
    Stage,
    failed,
    from_ranked,
)
from finrag.retrieval.fusion import fuse
from finrag.retrieval.multi_path import MultiPath, Probe, read_settings
from finrag.retrieval.ordering import Ranked, order_candidates
from finrag.retrieval.outline import Filing, Outline
from finrag.retrieval.places import Places
from finrag.retrieval.queries import Query, QueryVectors
from finrag.retrieval.searching import DenseSearch, SparseSearch
from finrag.retrieval.vectors import Floats, Ints, VectorSet
from finrag.systems.algorithm import POOL
from finrag.systems.kinds import EMBEDDED_KINDS, required

NO_VECTORS = "the encoder gave no vectors"
UNUSABLE = "the question's vector is not finite"


@dataclass(frozen=True)
class SearchedCorpus:
    """All that a search on questions reads."""

    places: Places
    outline: Outline
    texts: list[str]
    text_hashes: list[str]
    vectors: dict[str, VectorSet]
    query_vectors: dict[str, QueryVectors]
    chunks: pa.Table
    index_ids: dict[str, str]
    state_dir: str


@dataclass(frozen=True)
class Reach:
    """Where the search for one question looks.

    Attributes:
        cells: filings by company and year; none for the whole corpus.
        ways: bit of ``WAYS`` that marks a filtered search which had to look further than the
            companies and years read; 0 where it did not.
    """

    cells: list[list[Filing]]
    ways: int


class QuestionSearch:
    """The means of one system; ``open`` them before the first question."""

    def __init__(self, system: Mapping[str, Any], corpus: SearchedCorpus) -> None:
        self.system = system
        self.corpus = corpus
        self.pool = max(system.get("n_candidates") or POOL, system["depth"])

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """Candidates of each question, unordered, with the stages up to fusion."""
        finders: dict[str, Callable[[Sequence[Query]], list[Candidates]]] = {
            "dense": self._dense_found,
            "bm25": self._sparse_found,
            "random": self._random_found,
            "hybrid": self._hybrid_found,
            "multi_path": self._multi_path_found,
            "naive_rag": self._chunks_found,
        }
        return finders[self.system["system_kind"]](queries)

    @property
    def place_of(self) -> Ints | None:
        """Where each sentence stands among equal scores; None for the order of the ids.

        The sentences of a chunk share its score: they are read as they stand in the filing.
        """
        return self.corpus.outline.place_of if self.system["system_kind"] == "naive_rag" else None

    # --- means -------------------------------------------------------------------------

    def open(self) -> None:
        """Opens all that the searches use, so that no question's time has it in it."""
        kind = self.system["system_kind"]
        if kind in ("bm25", "hybrid", "multi_path"):
            _ = self._sparse
        if kind not in EMBEDDED_KINDS or not self._has_vectors():
            return
        if kind == "naive_rag":
            _ = self._chunks
            return
        _ = self._multi_path if kind == "multi_path" else self._dense
        if kind == "multi_path" or self.system["regime"] == "open":
            # The file is mapped, not read, until it is searched.
            blank = np.zeros((1, self._dense.vectors.matrix.shape[1]), np.float32)
            self._dense.everywhere(blank, 1)

    @cached_property
    def _dense(self) -> DenseSearch:
        index_id = self.corpus.index_ids.get(self.system["system_id"])
        index = indexes.load_index(index_id, self.corpus.state_dir) if index_id else None
        vectors = self.corpus.vectors[self.system["encoder"]]
        return DenseSearch(self.system, vectors, index, self.corpus.places)

    @cached_property
    def _sparse(self) -> SparseSearch:
        index = open_sparse_index(
            self.corpus.texts,
            self.corpus.text_hashes,
            required(self.system, "bm25_k1"),
            required(self.system, "bm25_b"),
            self.corpus.state_dir,
        )
        return SparseSearch(index, self.corpus.places)

    @cached_property
    def _chunks(self) -> chunk_search.ChunkSearch:
        corpus, encoder = self.corpus, self.system["encoder"]
        chunks = chunk_search.read_chunks(corpus.chunks, corpus.places, corpus.outline)
        kind = required(self.system, "chunk_vectors")
        if kind == "encoded":
            matrix = chunk_search.encoded_vectors(chunks, corpus.query_vectors[encoder])
        elif kind == "mean":
            matrix = chunk_search.mean_vectors(
                chunks, corpus.vectors[encoder], corpus.places, corpus.outline
            )
        else:
            raise ValueError(
                f"system {self.system['system_id']}: chunk_vectors '{kind}' does not exist; "
                f"use one of {', '.join(chunk_search.CHUNK_VECTORS)}"
            )
        return chunk_search.open_chunk_search(chunks, matrix)

    @cached_property
    def _multi_path(self) -> MultiPath:
        return MultiPath(read_settings(self.system), self._dense, self._sparse, self.corpus.outline)

    def _has_vectors(self) -> bool:
        encoder = self.system["encoder"]
        return encoder in self.corpus.vectors and encoder in self.corpus.query_vectors

    # --- where to search ---------------------------------------------------------------

    def _reach(self, query: Query) -> Reach:
        """The filings that the question asks for, else its companies' other ones, else all."""
        if self.system["regime"] == "open":
            return Reach([], 0)
        outline = self.corpus.outline
        cells = outline.cells(query.companies, query.years)
        if cells:
            return Reach(cells, 0)
        others = outline.cells(query.companies, ())
        return Reach(others, COMPANY if others else OPEN)

    def _members(self, reach: Reach) -> Ints | None:
        """Sentences that the search looks in; None for the whole corpus."""
        if not reach.cells:
            return None
        return self.corpus.outline.members([filing for cell in reach.cells for filing in cell])

    def _n_in(self, members: Ints | None) -> int:
        return len(self.corpus.places.sentence_ids if members is None else members)

    def _embedded(self, texts: Sequence[str]) -> tuple[Floats, list[bool], list[Stage]]:
        """Vectors of query texts, whether each is usable, and the stage of each."""
        known = self.corpus.query_vectors[self.system["encoder"]]
        vectors = known.of(texts)
        lengths = np.einsum("ij,ij->i", vectors, vectors)
        usable = (np.isfinite(lengths) & (lengths > 0)).tolist()
        stages = [
            Stage("embed", 1, int(is_usable), known.cost([text]))
            for text, is_usable in zip(texts, usable, strict=True)
        ]
        return vectors, usable, stages

    # --- kinds -------------------------------------------------------------------------

    def _dense_found(self, queries: Sequence[Query]) -> list[Candidates]:
        if not self._has_vectors():
            return [failed(NO_VECTORS) for _ in queries]
        reaches = [self._reach(query) for query in queries]
        members = [self._members(reach) for reach in reaches]
        texts = map(_wanted, queries, reaches)
        vectors, usable, stages = self._embedded(list(texts))
        everywhere, shared_ms = self._everywhere(vectors, [found is None for found in members])
        found = []
        for place in range(len(queries)):
            if not usable[place]:
                found.append(replace(failed(UNUSABLE), stages=(stages[place],)))
                continue
            started = time.perf_counter()
            inside = members[place]
            if inside is None:
                ranked = everywhere[place]
            else:
                ranked = self._dense.within(inside, vectors[place], self.pool)
            ms = shared_ms * (inside is None) + _ms_since(started)
            stage = Stage("search", self._n_in(inside), len(ranked.sentences), ms)
            ways = DENSE | reaches[place].ways
            found.append(from_ranked(ranked, ways, (stages[place], stage)))
        return found

    def _everywhere(
        self, vectors: Floats, is_wanted: Sequence[bool]
    ) -> tuple[dict[int, Ranked], float]:
        """Open dense search for some of the queries at once, and milliseconds for each."""
        started = time.perf_counter()
        wanted = np.flatnonzero(is_wanted)
        results = self._dense.everywhere(vectors[wanted], self.pool) if len(wanted) else []
        by_place = dict(zip(wanted.tolist(), results, strict=True))
        return by_place, _ms_since(started) / max(1, len(wanted))

    def _sparse_found(self, queries: Sequence[Query]) -> list[Candidates]:
        return [self._one_sparse(query) for query in queries]

    def _one_sparse(self, query: Query) -> Candidates:
        started = time.perf_counter()
        reach = self._reach(query)
        members = self._members(reach)
        by_text = self._sparse.scores(_wanted(query, reach))
        if members is None:
            ranked = self._sparse.everywhere(by_text, self.pool)
        else:
            ranked = self._sparse.within(members, by_text, self.pool)
        stage = Stage("search", self._n_in(members), len(ranked.sentences), _ms_since(started))
        return from_ranked(ranked, BM25 | reach.ways, (stage,))

    def _random_found(self, queries: Sequence[Query]) -> list[Candidates]:
        return [self._one_random(query) for query in queries]

    def _one_random(self, query: Query) -> Candidates:
        started = time.perf_counter()
        seed = hashlib.blake2b(
            f"{self.system['random_seed']}|{query.item_id}".encode(), digest_size=8
        ).digest()
        rng = np.random.default_rng(int.from_bytes(seed, "big"))
        reach = self._reach(query)
        members = self._members(reach)
        pool = np.arange(self._n_in(None), dtype=np.int64) if members is None else members
        size = min(self.system["depth"], len(pool))
        drawn = np.sort(rng.choice(pool, size, replace=False, shuffle=False))
        ranked = order_candidates(drawn, rng.random(len(drawn)), self.system["depth"])
        stage = Stage("search", self._n_in(members), len(drawn), _ms_since(started))
        return from_ranked(ranked, RANDOM | reach.ways, (stage,))

    def _hybrid_found(self, queries: Sequence[Query]) -> list[Candidates]:
        lists = zip(self._dense_found(queries), self._sparse_found(queries), strict=True)
        return [self._fused(dense, sparse) for dense, sparse in lists]

    def _fused(self, dense: Candidates, sparse: Candidates) -> Candidates:
        if dense.failure:
            return dense
        started = time.perf_counter()
        sentences, scores = fuse(
            [
                (dense.sentences, dense.scores, required(self.system, "dense_weight")),
                (sparse.sentences, sparse.scores, required(self.system, "sparse_weight")),
            ],
            self.system,
        )
        ways = np.zeros(len(sentences), np.int64)
        for part in (dense, sparse):
            ways[np.searchsorted(sentences, part.sentences)] |= part.ways
        (embedding, search), (other,) = dense.stages, sparse.stages
        n_listed = search.n_out + other.n_out
        search = Stage("search", search.n_in, n_listed, search.latency_ms + other.latency_ms)
        fusion = Stage("fuse", n_listed, len(sentences), _ms_since(started))
        return Candidates(sentences, scores, ways, stages=(embedding, search, fusion))

    def _multi_path_found(self, queries: Sequence[Query]) -> list[Candidates]:
        if not self._has_vectors():
            return [failed(NO_VECTORS) for _ in queries]
        texts = [text for query in queries for text in (query.topic, query.plain, query.text)]
        vectors, usable, stages = self._embedded(texts)
        everywhere, shared_ms = self._everywhere(vectors[2::3], [True] * len(queries))
        found = []
        for place, query in enumerate(queries):
            own = slice(3 * place, 3 * place + 3)
            embedding = _summed(stages[own])
            if not all(usable[own]):
                found.append(replace(failed(UNUSABLE), stages=(embedding,)))
                continue
            started = time.perf_counter()
            reach = self._reach(query)
            probe = self._probe(query, vectors[own], everywhere[place])
            probing_ms = _ms_since(started)
            paths = self._multi_path.find(reach.cells, probe)
            ways = paths.ways | reach.ways
            search, *rest = paths.stages
            search = replace(search, latency_ms=search.latency_ms + shared_ms + probing_ms)
            found.append(replace(paths, ways=ways, stages=(embedding, search, *rest)))
        return found

    def _probe(self, query: Query, vectors: Floats, everywhere: Ranked) -> Probe:
        texts = (query.topic, query.plain, query.text)
        scores = {text: self._sparse.scores(text) for text in dict.fromkeys(texts)}
        return Probe(
            vectors=(vectors[0], vectors[1]),
            word_scores=(scores[query.topic], scores[query.plain]),
            section_names=query.section_names,
            open_hits=(everywhere, self._sparse.everywhere(scores[query.text], self.pool)),
        )

    def _chunks_found(self, queries: Sequence[Query]) -> list[Candidates]:
        if not self._has_vectors():
            return [failed(NO_VECTORS) for _ in queries]
        vectors, usable, stages = self._embedded([query.text for query in queries])
        started = time.perf_counter()
        results = self._chunks.everywhere(vectors, required(self.system, "n_chunks"))
        shared_ms = _ms_since(started) / len(queries)
        found = []
        for place, hits in enumerate(results):
            if not usable[place]:
                found.append(replace(failed(UNUSABLE), stages=(stages[place],)))
                continue
            started = time.perf_counter()
            candidates = self._unpacked(hits)
            ms = shared_ms + _ms_since(started)
            stage = Stage("search", self._chunks.index.ntotal, len(hits), ms)
            found.append(replace(candidates, stages=(stages[place], stage)))
        return found

    def _unpacked(self, hits: Sequence[tuple[int, float]]) -> Candidates:
        """The chunks' sentences with the chunk's score; the better one where two overlap."""
        blocks = [self._chunks.chunks.sentences(chunk, self.corpus.outline) for chunk, _ in hits]
        if not blocks:
            return from_ranked(order_candidates(np.empty(0, np.int64), np.empty(0), 0), CHUNK)
        scores = np.repeat([score for _, score in hits], [len(block) for block in blocks])
        sentences, first = np.unique(np.concatenate(blocks), return_index=True)
        return Candidates(sentences, scores[first], np.full(len(sentences), CHUNK, np.int64))


def _wanted(query: Query, reach: Reach) -> str:
    """What to search for: the topic among filings that fit, else the question in full."""
    return query.topic if reach.cells else query.text


def _ms_since(started: float) -> float:
    return 1e3 * (time.perf_counter() - started)


def _summed(stages: Sequence[Stage]) -> Stage:
    """Stages of one kind as one."""
    return Stage(
        stages[0].stage,
        sum(stage.n_in for stage in stages),
        sum(stage.n_out for stage in stages),
        sum(stage.latency_ms for stage in stages),
    )

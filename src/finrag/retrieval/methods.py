"""Methods of search, one class each: by vectors, by words, at random, fused, by paths, by chunks.

A method is given items and answers with candidates, in the same order. Methods that are made of
others (a fusion, the open path) take theirs from ``Methods``, which makes each search once
however many systems ask for it.
"""

from __future__ import annotations

import hashlib
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress, repeat
from typing import Any, Final

import numpy as np

from finrag.retrieval.candidates import (
    BM25,
    CHUNK,
    DENSE,
    OPEN,
    RANDOM,
    Candidates,
    Stage,
    failed,
    from_ranked,
)
from finrag.retrieval.chunk_search import ChunkSearch
from finrag.retrieval.fusion import fuse
from finrag.retrieval.indexes import INDEX_SETTINGS
from finrag.retrieval.multi_path import MultiPath, Probe, read_settings
from finrag.retrieval.ordering import Ranked, order_candidates
from finrag.retrieval.pools import SENTENCE, Pool, Reach
from finrag.retrieval.queries import Query, QueryVectors
from finrag.retrieval.searching import DenseSearch, SparseSearch
from finrag.retrieval.vectors import Floats, Ints
from finrag.systems.algorithm import POOL
from finrag.systems.kinds import filter_fields, required

NO_VECTORS: Final = "the encoder gave no vectors"
UNUSABLE: Final = "the query's vector is not finite"

System = Mapping[str, Any]
# Reaches, vectors, whether each is usable, stages of embedding, vectors of context lines.
_Asked = tuple[list[Reach], Floats, list[bool], list[Stage], Floats | None]

_BY_VECTORS: Final = ("encoder", "index_probes", *INDEX_SETTINGS, "context_vector_weight")
_BY_WORDS: Final = ("bm25_k1", "bm25_b", "context_weight")
_FUSED: Final = ("fusion", "rrf_k", "dense_weight", "sparse_weight", "n_candidates")
# The settings that decide what a kind of system finds, beside the regime and how many it keeps.
SEARCH_SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "dense": _BY_VECTORS,
    "bm25": _BY_WORDS,
    "random": ("random_seed", "depth"),
    "hybrid": (*_BY_VECTORS, *_BY_WORDS, *_FUSED),
    "multi_path": (
        *_BY_VECTORS,
        *_BY_WORDS,
        *_FUSED,
        "global_weight",
        "expand_weight",
        "expand_window",
        "expand_window_short",
        "short_section",
        "min_hits_short",
    ),
    "naive_rag": ("encoder", "chunk_vectors", "n_chunks"),
}


def is_run(system: System, pool: Pool, query: Query) -> bool:
    """Whether a system can search for an item: a filtered search needs its document."""
    return _reach(system, pool, query) is not None


def n_results(system: System) -> int:
    """Candidates that a search passes to the reranking stage."""
    n_candidates, depth = system.get("n_candidates") or POOL, system["depth"]
    return int(max(n_candidates, depth))


def _reach(system: System, pool: Pool, query: Query) -> Reach | None:
    if system["regime"] == "open":
        return Reach([], None)
    reach = pool.reach(query, filter_fields(system))
    if reach is None and system["system_kind"] == "multi_path" and query.document_id is None:
        # Of its paths one is open.
        return Reach([], None, OPEN)
    return reach


class Method(ABC):
    """One way to search a pool, with the settings of a system."""

    def __init__(self, system: System, pool: Pool) -> None:
        self.system = system
        self.pool = pool
        self.n_results = n_results(system)

    @abstractmethod
    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """Candidates of each item, with the stages up to fusion."""

    def open(self) -> None:
        """Opens all that the search uses, so that no item's time has it in it."""
        return

    def prefetch(self, queries: Sequence[Query]) -> None:
        """Makes what is better made for all items at once than for some of them at a time.

        Args:
            queries: all for which candidates will be asked.
        """
        del queries

    def reach(self, query: Query) -> Reach:
        """Where the search for an item looks."""
        reach = _reach(self.system, self.pool, query)
        if reach is None:
            raise ValueError(f"{query.item_id}: its document {query.document_id} is not loaded")
        return reach

    def n_in(self, reach: Reach) -> int:
        """Passages that are searched."""
        n_all = len(self.pool.numbers.sentence_ids)
        return n_all if reach.members is None else len(reach.members)

    def embedded(
        self, queries: Sequence[Query], texts: Sequence[str]
    ) -> tuple[Floats, list[bool], list[Stage]] | None:
        """Vectors of texts, whether each is usable, and the stage of each.

        Args:
            queries: the items that the texts belong to; an anchor has the vector of its sentence.
            texts: as many.

        Returns:
            None where the encoder gave no vectors.
        """
        encoder = required(self.system, "encoder")
        own = self.pool.vectors(encoder)
        known = self.pool.query_vectors(encoder)
        is_anchored = any(query.sentence is not None for query in queries)
        if own is None or (known is None and not is_anchored):
            return None
        if is_anchored:
            sentences = np.array([query.sentence for query in queries], np.int64)
            vectors, costs = own.rows(self.pool.numbers.text_of[sentences]), [0.0] * len(texts)
        else:
            known = known or QueryVectors(own.rows(np.empty(0, np.int64)), {}, [])
            vectors, costs = known.of(texts), [known.cost([text]) for text in texts]
        lengths = np.einsum("ij,ij->i", vectors, vectors)
        usable = (np.isfinite(lengths) & (lengths > 0)).tolist()
        stages = [
            Stage("embed", 1, int(is_usable), cost)
            for is_usable, cost in zip(usable, costs, strict=True)
        ]
        return vectors, usable, stages


class Methods:
    """The methods of a build over one pool; a search that several systems ask for is made once."""

    def __init__(self, pool: Pool, systems: Iterable[System] = ()) -> None:
        """Opens nothing yet.

        Args:
            pool: what is searched.
            systems: all that will be asked, so that only what is needed again is cached.
        """
        self.pool = pool
        self._uses = Counter(key for system in systems for key in _keys(system))
        self._methods: dict[tuple[object, ...], Method] = {}

    def of(self, system: System) -> Method:
        """The method of a system, or of a part of one."""
        key = _key(system)
        if key not in self._methods:
            method = _METHODS[system["system_kind"]](system, self)
            self._methods[key] = _Remembered(method) if self._uses[key] > 1 else method
        return self._methods[key]


class _Remembered(Method):
    """A method whose candidates are cached by item."""

    def __init__(self, method: Method) -> None:
        super().__init__(method.system, method.pool)
        self._method = method
        self._found: dict[str, Candidates] = {}

    def open(self) -> None:
        """See ``Method``."""
        self._method.open()

    def prefetch(self, queries: Sequence[Query]) -> None:
        """See ``Method``."""
        self._method.prefetch([query for query in queries if query.item_id not in self._found])

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        new = [query for query in queries if query.item_id not in self._found]
        found = zip(new, self._method.find(new), strict=True) if new else ()
        self._found.update((query.item_id, candidates) for query, candidates in found)
        return [self._found[query.item_id] for query in queries]


class Dense(Method):
    """By vectors."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)
        # Results of open searches and the milliseconds of each, by item.
        self._ahead: dict[str, tuple[Ranked, float]] = {}

    @cached_property
    def search(self) -> DenseSearch | None:
        """None where the encoder gave no vectors."""
        return self.pool.dense(self.system)

    def open(self) -> None:
        """See ``Method``."""
        _ = self.search

    def prefetch(self, queries: Sequence[Query]) -> None:
        """See ``Method``: the blocks of a large pool are then read once for all open searches."""
        if self.search is None or not self.search.has_blocks:
            return
        openly = [query for query in queries if self.reach(query).members is None]
        asked = self._asked(self.search, openly) if openly else None
        if asked is not None:
            self._ahead.update(self._everywhere(self.search, openly, asked))

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        asked = None if self.search is None else self._asked(self.search, queries)
        if self.search is None or asked is None:
            return [failed(NO_VECTORS) for _ in queries]
        everywhere = self._everywhere(self.search, queries, asked)
        reaches, vectors, usable, stages, lines = asked
        found = []
        for place, (query, reach) in enumerate(zip(queries, reaches, strict=True)):
            if not usable[place]:
                found.append(failed(UNUSABLE, stages[place]))
                continue
            started = time.perf_counter()
            if reach.members is None:
                item = query.item_id
                ranked, ms = everywhere[item] if item in everywhere else self._ahead.pop(item)
            else:
                line = None if lines is None else lines[place]
                ranked = self.search.within(reach.members, vectors[place], self.n_results, line)
                ms = 0.0
            ms += _ms_since(started)
            stage = Stage("search", self.n_in(reach), len(ranked.sentences), ms)
            found.append(from_ranked(ranked, DENSE | reach.ways, (stages[place], stage)))
        return found

    def _asked(self, search: DenseSearch, queries: Sequence[Query]) -> _Asked | None:
        """Reaches, vectors, whether they are usable, stages and lines; None without vectors."""
        reaches = [self.reach(query) for query in queries]
        texts = [*map(_wanted, queries, reaches, repeat(search.context))]
        embedded = self.embedded(queries, texts)
        if embedded is None:
            return None
        vectors, usable, stages = embedded
        lines, stages = self._lines(search, queries, stages)
        return reaches, vectors, usable, stages, lines

    def _everywhere(
        self, search: DenseSearch, queries: Sequence[Query], asked: _Asked
    ) -> dict[str, tuple[Ranked, float]]:
        """Results in the whole pool by item, and their time, where they are not there yet."""
        reaches, vectors, usable, _, lines = asked
        is_open = [
            reach.members is None and is_usable and query.item_id not in self._ahead
            for query, reach, is_usable in zip(queries, reaches, usable, strict=True)
        ]
        if not any(is_open):
            return {}
        started = time.perf_counter()
        own_lines = None if lines is None else lines[is_open]
        ranked = search.everywhere(vectors[is_open], self.n_results, own_lines)
        ms = _ms_since(started) / len(ranked)
        items = [query.item_id for query in compress(queries, is_open)]
        return {item: (one, ms) for item, one in zip(items, ranked, strict=True)}

    def _lines(
        self, search: DenseSearch, queries: Sequence[Query], stages: list[Stage]
    ) -> tuple[Floats | None, list[Stage]]:
        """Vectors that context lines are compared with, and the stages with their embedding.

        An anchor is a sentence of a filing and asks for no company: its context is not searched.
        """
        if search.context is None or any(query.sentence is not None for query in queries):
            return None, stages
        embedded = self.embedded(queries, [query.line for query in queries])
        if embedded is None:
            return None, stages
        vectors, usable, costs = embedded
        summed = [_summed(pair) for pair in zip(stages, costs, strict=True)]
        return np.where(np.array(usable)[:, None], vectors, np.float32(0)), summed


class Sparse(Method):
    """By words: BM25."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)

    def open(self) -> None:
        """See ``Method``."""
        self.pool.sparse(self.system)

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        search = self.pool.sparse(self.system)
        started = time.perf_counter()
        reaches = [self.reach(query) for query in queries]
        words = search.index.words([*map(_wanted, queries, reaches, repeat(search.context))])
        lines: Sequence[Ints | None] = [None] * len(queries)
        if search.context is not None and all(query.sentence is None for query in queries):
            lines = search.context.index.words([query.line for query in queries])
        shared_ms = _ms_since(started) / max(1, len(queries))
        return [
            self._found(search, reach, asked, shared_ms)
            for reach, *asked in zip(reaches, words, lines, strict=True)
        ]

    def _found(
        self, search: SparseSearch, reach: Reach, asked: Sequence[Any], shared_ms: float
    ) -> Candidates:
        started = time.perf_counter()
        words, line_words = asked
        if reach.members is None:
            ranked = search.everywhere(words, self.n_results, line_words)
        else:
            ranked = search.within(reach.members, words, self.n_results, line_words)
        ms = shared_ms + _ms_since(started)
        stage = Stage("search", self.n_in(reach), len(ranked.sentences), ms)
        return from_ranked(ranked, BM25 | reach.ways, (stage,))


class AtRandom(Method):
    """The null: an order that depends only on the seed, the item and the unit."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        return [self._found(query) for query in queries]

    def _found(self, query: Query) -> Candidates:
        started = time.perf_counter()
        unit = self.pool.unit
        item = query.item_id if unit == SENTENCE else f"{unit}|{query.item_id}"
        key = f"{required(self.system, 'random_seed')}|{item}".encode()
        seed = int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big")
        rng = np.random.default_rng(seed)
        reach, depth = self.reach(query), self.system["depth"]
        drawn = reach.members
        if drawn is None:
            drawn = np.arange(self.n_in(reach), dtype=np.int64)
        if unit == SENTENCE and not reach.is_place:
            # A section, a document or a set is put in order as a whole; of filings, which may
            # have millions of sentences, only the retained ones are drawn.
            size = min(depth, len(drawn))
            drawn = np.sort(rng.choice(drawn, size, replace=False, shuffle=False))
        ranked = order_candidates(drawn, rng.random(len(drawn)), depth)
        stage = Stage("search", self.n_in(reach), len(ranked.sentences), _ms_since(started))
        return from_ranked(ranked, RANDOM | reach.ways, (stage,))


class Hybrid(Method):
    """By vectors and by words, fused."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)
        required(system, "n_candidates")
        self._parts = [methods.of(part) for part in _parts(system)]

    def open(self) -> None:
        """See ``Method``."""
        for part in self._parts:
            part.open()

    def prefetch(self, queries: Sequence[Query]) -> None:
        """See ``Method``."""
        for part in self._parts:
            part.prefetch(queries)

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        lists = [part.find(queries) for part in self._parts]
        return [self._fused(*found) for found in zip(*lists, strict=True)]

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


class Paths(Method):
    """Several paths, fused; see ``multi_path``."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)
        self._settings = read_settings(system)
        self._parts = [methods.of(part) for part in _parts(system)]

    @cached_property
    def _paths(self) -> MultiPath | None:
        dense = self.pool.dense(self.system)
        if dense is None:
            return None
        return MultiPath(
            self._settings,
            dense,
            self.pool.sparse(self.system),
            self.pool.layout,
            self.pool.stated,
        )

    def open(self) -> None:
        """See ``Method``."""
        _ = self._paths

    def prefetch(self, queries: Sequence[Query]) -> None:
        """See ``Method``."""
        for part in self._parts:
            part.prefetch(queries)

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        texts = [text for query in queries for text in (query.measured, query.plain, query.text)]
        embedded = self.embedded([query for query in queries for _ in range(3)], texts)
        if self._paths is None or embedded is None:
            return [failed(NO_VECTORS) for _ in queries]
        vectors, usable, stages = embedded
        started = time.perf_counter()
        texts = [text for query in queries for text in (query.measured, query.plain)]
        words = self.pool.sparse(self.system).index.words(texts)
        shared_ms = _ms_since(started) / max(1, len(queries))
        everywhere = zip(*(part.find(queries) for part in self._parts), strict=True)
        found = []
        for place, (query, hits) in enumerate(zip(queries, everywhere, strict=True)):
            own = slice(3 * place, 3 * place + 3)
            embedding = _summed(stages[own])
            if not all(usable[own]):
                found.append(failed(UNUSABLE, embedding))
                continue
            started = time.perf_counter()
            reach = self.reach(query)
            asked = words[2 * place], words[2 * place + 1]
            probe = _probe(query, vectors[own], asked, hits)
            open_ms = (
                shared_ms + _ms_since(started) + sum(hit.stages[-1].latency_ms for hit in hits)
            )
            paths = self._paths.find(reach.cells, probe)
            search, *rest = paths.stages
            search = replace(search, latency_ms=search.latency_ms + open_ms)
            ways = paths.ways | reach.ways
            found.append(replace(paths, ways=ways, stages=(embedding, search, *rest)))
        return found


class ByChunks(Method):
    """By chunks: passages that stand together share the score of their chunk."""

    def __init__(self, system: System, methods: Methods) -> None:
        super().__init__(system, methods.pool)

    @cached_property
    def _chunks(self) -> ChunkSearch | None:
        return self.pool.chunk_search(self.system)

    def open(self) -> None:
        """See ``Method``."""
        _ = self._chunks

    def find(self, queries: Sequence[Query]) -> list[Candidates]:
        """See ``Method``."""
        embedded = self.embedded(queries, [query.text for query in queries])
        if self._chunks is None or embedded is None:
            return [failed(NO_VECTORS) for _ in queries]
        vectors, usable, stages = embedded
        started = time.perf_counter()
        results = self._chunks.everywhere(vectors, required(self.system, "n_chunks"))
        shared_ms = _ms_since(started) / len(queries)
        found = []
        for place, hits in enumerate(results):
            if not usable[place]:
                found.append(failed(UNUSABLE, stages[place]))
                continue
            started = time.perf_counter()
            candidates = self._unpacked(self._chunks, hits)
            ms = shared_ms + _ms_since(started)
            stage = Stage("search", self._chunks.vectors.n_vectors, len(hits), ms)
            found.append(replace(candidates, stages=(stages[place], stage)))
        return found

    def _unpacked(self, search: ChunkSearch, hits: Sequence[tuple[int, float]]) -> Candidates:
        """The chunks' sentences with the chunk's score; the better one where two overlap."""
        blocks = [search.chunks.sentences(chunk, self.pool.layout) for chunk, _ in hits]
        if not blocks:
            return from_ranked(order_candidates(np.empty(0, np.int64), np.empty(0), 0), CHUNK)
        scores = np.repeat([score for _, score in hits], [len(block) for block in blocks])
        sentences, first = np.unique(np.concatenate(blocks), return_index=True)
        return Candidates(sentences, scores[first], np.full(len(sentences), CHUNK, np.int64))


def place_of(system: System, pool: Pool) -> Ints | None:
    """Where each passage stands among equal scores; None for the order of the ids.

    The passages of a chunk share its score: they are read as they stand in the document.
    """
    return pool.layout.place_of if system["system_kind"] == "naive_rag" else None


def _parts(system: System) -> list[System]:
    """The searches by vectors and by words that a method is made of; open ones for paths."""
    regime = "open" if system["system_kind"] == "multi_path" else system["regime"]
    if system["system_kind"] not in ("hybrid", "multi_path"):
        return []
    return [{**system, "system_kind": kind, "regime": regime} for kind in ("dense", "bm25")]


def _key(system: System) -> tuple[object, ...]:
    kind, regime = system["system_kind"], system["regime"]
    settings = (system.get(name) for name in SEARCH_SETTINGS[kind])
    # The open parts of a filtered method are those of every other.
    fields = filter_fields(system) if regime == "filtered" else frozenset()
    return (kind, regime, fields, n_results(system), *settings)


def _keys(system: System) -> list[tuple[object, ...]]:
    """Of a system and of its parts."""
    return [_key(part) for part in (system, *_parts(system))]


def _wanted(query: Query, reach: Reach, context: object) -> str:
    """What to search texts for: the topic among filings that fit, else the question in full.

    Where context lines are searched for the companies, texts are not.
    """
    if reach.cells:
        return query.topic
    return query.text if context is None or query.sentence is not None else query.plain


def _probe(
    query: Query, vectors: Floats, words: Sequence[Ints], hits: Sequence[Candidates]
) -> Probe:
    dense, sparse = ((hit.sentences, hit.scores) for hit in hits)
    return Probe(
        vectors=(vectors[0], vectors[1]),
        words=tuple(words),
        section_names=query.section_names,
        asked=query.asked,
        open_hits=(dense, sparse),
    )


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


_METHODS: Final[Mapping[str, Callable[[System, Methods], Method]]] = {
    "dense": Dense,
    "bm25": Sparse,
    "random": AtRandom,
    "hybrid": Hybrid,
    "multi_path": Paths,
    "naive_rag": ByChunks,
}

"""Searches of one pool: by vectors, by words, by both, at random."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from finrag.benchmarks.ranking.pools import Benchmark, Item, Pool
from finrag.retrieval.fusion import fuse_outcomes
from finrag.retrieval.ordering import Ranked, order_candidates
from finrag.retrieval.searching import cosines, sentences_with
from finrag.retrieval.vectors import Floats, Ints
from finrag.systems.kinds import required

NO_DOCUMENT: Final = "no_document"
NO_VECTOR: Final = "no_vector"

# Questions multiplied with all texts at once.
QUERY_BLOCK: Final = 32
# More than the rounding of single precision can move a product of unit vectors, up to thousands
# of dimensions: what is nearer to the cut than this is compared in double precision.
SLACK: Final = 1e-3

System = Mapping[str, Any]
Search = Callable[[System, Benchmark, Pool, Sequence[Item]], Iterator[Ranked | str]]


def search_pool(system: System, benchmark: Benchmark, pool: Pool) -> Iterator[Ranked | str]:
    """What a system finds in a pool for each item of the benchmark, in their order.

    Returns:
        The head of the ranking, or why there is none.
    """
    is_open = system["regime"] == "open"
    is_asked = [is_open or item.document_id in benchmark.documents for item in benchmark.items]
    asked = [item for item, wanted in zip(benchmark.items, is_asked, strict=True) if wanted]
    found = _SEARCHES[system["system_kind"]](system, benchmark, pool, asked)
    for wanted in is_asked:
        yield next(found) if wanted else NO_DOCUMENT


def _dense(
    system: System, benchmark: Benchmark, pool: Pool, items: Sequence[Item]
) -> Iterator[Ranked | str]:
    vectors = benchmark.vectors(required(system, "encoder"))
    matrix, is_usable = vectors.of(pool.texts)
    queries, is_asked = vectors.of([item.text for item in items])
    numbers = np.flatnonzero(is_usable).astype(np.int64)
    heads = _heads(matrix[numbers], queries, system)
    for item, query, can_ask, head in zip(items, queries, is_asked, heads, strict=True):
        if not can_ask:
            yield NO_VECTOR
            continue
        passages = _members(system, pool, item)
        if passages is None:
            passages = sentences_with(numbers[head], pool.places)
        passages = passages[is_usable[pool.places.text_of[passages]]]
        scores = cosines(matrix, pool.places.text_of[passages], query)
        yield order_candidates(passages, scores, system["depth"])


def _heads(matrix: Floats, queries: Floats, system: System) -> Iterator[Ints]:
    """Rows that may be among the best of each query, ties at the cut included.

    A filtered search compares all of its few passages, and gets none from here.
    """
    if system["regime"] == "filtered":
        yield from (np.empty(0, np.int64) for _ in queries)
        return
    everything = np.arange(len(matrix), dtype=np.int64)
    for start in range(0, len(queries), QUERY_BLOCK):
        for scores in queries[start : start + QUERY_BLOCK] @ matrix.T:
            if len(scores) <= system["depth"]:
                yield everything
                continue
            place = len(scores) - system["depth"]
            yield everything[scores >= np.partition(scores, place)[place] - SLACK]


def _by_words(
    system: System, benchmark: Benchmark, pool: Pool, items: Sequence[Item]
) -> Iterator[Ranked | str]:
    k1, b = required(system, "bm25_k1"), required(system, "bm25_b")
    search = benchmark.sparse(pool, k1, b)
    for item in items:
        by_text = search.scores(item.text)
        passages = _members(system, pool, item)
        if passages is None:
            yield search.everywhere(by_text, system["depth"])
        else:
            yield search.within(passages, by_text, system["depth"])


def _hybrid(
    system: System, benchmark: Benchmark, pool: Pool, items: Sequence[Item]
) -> Iterator[Ranked | str]:
    part = {**system, "depth": required(system, "n_candidates")}
    dense = _dense(part, benchmark, pool, items)
    yield from fuse_outcomes(system, dense, _by_words(part, benchmark, pool, items))


def _at_random(
    system: System, _: Benchmark, pool: Pool, items: Sequence[Item]
) -> Iterator[Ranked | str]:
    everything = np.arange(len(pool.places.sentence_ids), dtype=np.int64)
    for item in items:
        key = f"{required(system, 'random_seed')}|{pool.space}|{item.item_id}".encode()
        seed = int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big")
        members = _members(system, pool, item)
        passages = everything if members is None else members
        scores = np.random.default_rng(seed).random(len(passages))
        yield order_candidates(passages, scores, system["depth"])


def _members(system: System, pool: Pool, item: Item) -> Ints | None:
    """Passages that a filtered search looks in; None for the whole pool."""
    if system["regime"] == "open":
        return None
    return pool.places.in_section(item.document_id or "")


_SEARCHES: Final[Mapping[str, Search]] = {
    "dense": _dense,
    "bm25": _by_words,
    "hybrid": _hybrid,
    "random": _at_random,
}

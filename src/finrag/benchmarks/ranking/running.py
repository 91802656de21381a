"""Runs every system that takes part over every item of every benchmark."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag import embeddings
from finrag.benchmarks.ranking.pools import Benchmark, Item, Pool, open_benchmark
from finrag.benchmarks.ranking.searches import search_pool
from finrag.cache.results import ResultCache
from finrag.retrieval.ordering import Ranked
from finrag.retrieval.searching import NONE_FOUND
from finrag.systems.kinds import (
    ANCHOR_KINDS,
    EMBEDDED_KINDS,
    asks,
    check_system,
    is_reranked,
)

DEPTH: Final = 30
# Items ranked and written together.
BLOCK: Final = 500
SAID_FROM_S: Final = 1.0

BENCHMARK_RANKING_SCHEMA: Final = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("space", pa.string(), nullable=False),
        pa.field("rank", pa.int32()),
        pa.field("passage_id", pa.string()),
        pa.field("score", pa.float64()),
        pa.field("n_tied", pa.int64()),
        pa.field("failure", pa.string()),
    ]
)


def rank_benchmarks(
    systems: pa.Table, items: pa.Table, passages: pa.Table, settings: Mapping[str, Any]
) -> pa.RecordBatchReader:
    """Ranks the passages of every benchmark for each of its items, space by space.

    Args:
        systems: registered systems; ``takes_part`` says which are run.
        items: ``benchmark``, ``item_id``, ``question_text``, ``document_id`` (may be null).
        passages: ``benchmark``, ``passage_id`` (unique in the benchmark), ``document_id``,
            ``space``, ``passage_text``; spaces that are not searched are passed over.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.

    Returns:
        A reader with ``BENCHMARK_RANKING_SCHEMA``: for each system, item and space that the
        benchmark has, up to ``DEPTH`` rows (fewer where the system keeps fewer), rank from 1.
        Where nothing was found there is one row whose rank is null; ``failure`` is set if it
        could not be searched: ``no_document`` (filtered, and the benchmark holds no passage of
        the item's document), ``no_vector`` (the question is blank or the encoder gave none).
        A benchmark without items or without passages has no rows.

    Raises:
        ValueError: a system that cannot be run as configured.
    """
    asked = [system for system in systems.to_pylist() if takes_part(system)]
    names = sorted(items["benchmark"].unique().to_pylist())
    batches = (
        batch
        for name in names
        for batch in _batches(asked, open_benchmark(name, items, passages, settings), settings)
    )
    return pa.RecordBatchReader.from_batches(BENCHMARK_RANKING_SCHEMA, batches)


def takes_part(system: Mapping[str, Any]) -> bool:
    """Whether a system is run on benchmarks.

    It ranks by vectors, by words, by both or at random, is asked questions, and searches
    exactly, without a reranker and without leaving results out: what follows a search is made
    for sentences of filings, and a system must not be listed for what was left out of it.

    Raises:
        ValueError: it cannot be run as configured.
    """
    check_system(system)
    return (
        system["system_kind"] in ANCHOR_KINDS
        and asks(system, "questions")
        and system.get("index_type") in (None, "flat")
        and not is_reranked(system)
        and system.get("near_duplicate_cosine") is None
        and system.get("mmr_lambda") is None
    )


def _batches(
    systems: Sequence[Mapping[str, Any]], benchmark: Benchmark, settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    folder = Path(settings["state_dir"]) / "cache" / "rankings" / "benchmarks"
    asked = [[item.item_id, item.text, item.document_id] for item in benchmark.items]
    shared = [benchmark.name, asked, sorted(benchmark.documents)]
    cache = ResultCache(folder, BENCHMARK_RANKING_SCHEMA, shared)
    for system in systems:
        cut = {**system, "depth": min(DEPTH, system["depth"])}
        is_embedded = system["system_kind"] in EMBEDDED_KINDS
        encoder = embeddings.encoder_id(system["encoder"]) if is_embedded else "none"
        for pool in benchmark.pools:
            ranked = partial(_ranked, cut, benchmark, pool)
            yield from cache.recall([cut, encoder, pool.space, pool.digest], ranked)


def _ranked(
    system: Mapping[str, Any], benchmark: Benchmark, pool: Pool
) -> Iterator[pa.RecordBatch]:
    started = time.monotonic()
    outcomes = search_pool(system, benchmark, pool)
    for start in range(0, len(benchmark.items), BLOCK):
        head = benchmark.items[start : start + BLOCK]
        found = [next(outcomes) for _ in head]
        yield _batch(system["system_id"], benchmark.name, pool, head, found)
    seconds = time.monotonic() - started
    # There are hundreds of these; only those that were waited for are worth a line.
    if seconds >= SAID_FROM_S:
        print(
            f"retrieval {system['system_id']}: {benchmark.name} ({pool.space}), "
            f"{len(benchmark.items):,} questions over {len(pool.places.sentence_ids):,} passages "
            f"in {seconds:.1f} s",
            file=sys.stderr,
        )


def _batch(
    system_id: str,
    benchmark: str,
    pool: Pool,
    items: Sequence[Item],
    outcomes: Sequence[Ranked | str],
) -> pa.RecordBatch:
    columns: list[list[Any]] = [[] for _ in range(6)]
    for item, outcome in zip(items, outcomes, strict=True):
        ranked = NONE_FOUND if isinstance(outcome, str) else outcome
        n_found = len(ranked.sentences)
        failure = outcome if isinstance(outcome, str) else None
        nothing: list[Any] = [] if n_found else [None]
        cells = (
            [item.item_id] * max(n_found, 1),
            nothing or range(1, n_found + 1),
            nothing or ranked.sentences.tolist(),
            nothing or ranked.scores.tolist(),
            nothing or ranked.n_tied.tolist(),
            [failure] * max(n_found, 1),
        )
        for column, values in zip(columns, cells, strict=True):
            column.extend(values)
    item_ids, ranks, numbers, scores, n_tied, failures = columns
    same = [pa.repeat(pa.scalar(name), len(ranks)) for name in (system_id, benchmark, pool.space)]
    arrays = [
        *same[:2],
        pa.array(item_ids, pa.string()),
        same[2],
        pa.array(ranks, pa.int32()),
        pool.places.sentence_ids.take(pa.array(numbers, pa.int64())),
        pa.array(scores, pa.float64()),
        pa.array(n_tied, pa.int64()),
        pa.array(failures, pa.string()),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=BENCHMARK_RANKING_SCHEMA)

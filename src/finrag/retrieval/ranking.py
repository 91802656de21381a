"""Runs retrieval systems over anchors: dense, BM25, both fused, and the random null.

*Filtered* searches the anchor's own section (company, year, item: what a production system
does once it has understood the question); *open* searches the whole corpus. The anchor
itself stays in the ranking: Self@1 needs it, the other metrics remove it.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.results import ResultCache
from finrag.retrieval import indexes
from finrag.retrieval.bm25 import SparseIndex, open_sparse_index
from finrag.retrieval.fusion import fuse_outcomes
from finrag.retrieval.ordering import Ranked, order_candidates
from finrag.retrieval.places import Places, arrange
from finrag.retrieval.searching import cosines, sentences_with, sparse_head
from finrag.retrieval.vectors import Ints, VectorSet, collect_vectors
from finrag.systems.algorithm import CANDIDATE_MARGIN
from finrag.systems.kinds import asks, check_system, required

RANKING_SCHEMA = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("rank", pa.int32()),
        pa.field("sentence_id", pa.string()),
        pa.field("score", pa.float64()),
        pa.field("n_tied", pa.int64()),
        pa.field("failure", pa.string()),
    ]
)


@dataclass(frozen=True)
class Anchor:
    """One query: a sentence of the corpus with its place."""

    item_id: str
    gold_set: str
    section_id: str
    text: str
    text_number: int


@dataclass(frozen=True)
class Corpus:
    """All that a search reads."""

    places: Places
    texts: list[str]
    text_hashes: list[str]
    vectors: dict[str, VectorSet]
    state_dir: str


def rank_anchors(
    systems: pa.Table,
    vector_indexes: pa.Table,
    anchors: pa.Table,
    sentences: pa.Table,
    texts: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
) -> pa.RecordBatchReader:
    """Ranks the corpus for every anchor and every system that is asked anchors.

    Args:
        systems: registered systems; those that are asked questions only are passed over.
        vector_indexes: ``system_id`` and ``index_id`` of the built indexes.
        anchors: ``item_id``, ``gold_set``, ``section_id``, ``sentence_text``, ``text_hash``.
        sentences: ``sentence_id`` (ascending), ``section_id``, ``text_hash``.
        texts: ``text_hash`` (ascending) and ``sentence_text`` of the distinct texts.
        vectors: ``encoder``, ``encoder_id``, ``text_hash``, ``vector``.
        settings: ``state_dir``.

    Returns:
        A reader with ``RANKING_SCHEMA``: up to ``depth`` rows per system and anchor, rank
        from 1; an anchor without results or with a failure has one row whose rank is null.

    Raises:
        ValueError: a system that cannot be run as configured.
    """
    registered = systems.to_pylist()
    for system in registered:
        check_system(system)
    asked = [system for system in registered if asks(system, "anchors")]
    corpus = Corpus(
        places=arrange(sentences, texts["text_hash"]),
        texts=texts["sentence_text"].to_pylist(),
        text_hashes=texts["text_hash"].to_pylist(),
        vectors=collect_vectors(vectors, texts["text_hash"]),
        state_dir=settings["state_dir"],
    )
    queries = _anchors(anchors, texts["text_hash"])
    index_ids = dict(
        zip(
            vector_indexes["system_id"].to_pylist(),
            vector_indexes["index_id"].to_pylist(),
            strict=True,
        )
    )
    cache = ResultCache(
        Path(settings["state_dir"]) / "cache" / "rankings" / "anchors",
        RANKING_SCHEMA,
        [
            anchors,
            sentences,
            texts,
            *(corpus.vectors[encoder].matrix for encoder in sorted(corpus.vectors)),
        ],
    )
    batches = _batches(asked, index_ids, queries, corpus, cache)
    return pa.RecordBatchReader.from_batches(RANKING_SCHEMA, batches)


def _batches(
    systems: list[dict[str, Any]],
    index_ids: dict[str, str],
    anchors: list[Anchor],
    corpus: Corpus,
    cache: ResultCache,
) -> Iterator[pa.RecordBatch]:
    for system in systems:
        index_id = index_ids.get(system["system_id"])
        ranked = partial(_ranked, system, index_id, anchors, corpus)
        yield from cache.recall([system, str(index_id)], ranked)


def _ranked(
    system: dict[str, Any], index_id: str | None, anchors: list[Anchor], corpus: Corpus
) -> Iterator[pa.RecordBatch]:
    started = time.monotonic()
    outcomes = _OUTCOMES[system["system_kind"]](system, index_id, anchors, corpus)
    for start in range(0, len(anchors), 500):
        head = anchors[start : start + 500]
        block = [next(outcomes) for _ in head]
        yield _batch(system["system_id"], head, block, corpus.places)
    print(
        f"retrieval {system['system_id']}: {len(anchors):,} anchors "
        f"in {time.monotonic() - started:.1f} s",
        file=sys.stderr,
    )


def _dense_outcomes(
    system: dict[str, Any], index_id: str | None, anchors: list[Anchor], corpus: Corpus
) -> Iterator[Ranked | str]:
    vectors = corpus.vectors.get(system["encoder"])
    if vectors is None or (system["regime"] == "open" and index_id is None):
        yield from ("the encoder gave no vectors" for _ in anchors)
        return
    candidates = iter(_open_candidates(system, index_id, anchors, corpus, vectors))
    for anchor, found in zip(anchors, candidates, strict=True):
        if not vectors.is_usable[anchor.text_number]:
            yield "the anchor's vector is not finite"
            continue
        if system["regime"] == "filtered":
            sentences = corpus.places.in_section(anchor.section_id)
        else:
            sentences = sentences_with(found[vectors.is_usable[found]], corpus.places)
        rows, query = corpus.places.text_of[sentences], vectors.matrix[anchor.text_number]
        yield order_candidates(sentences, cosines(vectors.matrix, rows, query), system["depth"])


def _open_candidates(
    system: dict[str, Any],
    index_id: str | None,
    anchors: list[Anchor],
    corpus: Corpus,
    vectors: VectorSet,
) -> Iterable[Ints]:
    """Candidate text numbers of each anchor from the index; empty ones where filtered."""
    if system["regime"] == "filtered" or index_id is None or not anchors:
        return [np.empty(0, np.int64) for _ in anchors]
    numbers = np.array([anchor.text_number for anchor in anchors], np.int64)
    queries = np.nan_to_num(vectors.matrix[numbers], nan=0.0, posinf=0.0, neginf=0.0)
    index = indexes.load_index(index_id, corpus.state_dir)
    wanted = system["depth"] + CANDIDATE_MARGIN
    found = indexes.search_index(index, system, np.ascontiguousarray(queries), wanted)
    return [row[row >= 0] for row in found]


def _bm25_outcomes(
    system: dict[str, Any], _: str | None, anchors: list[Anchor], corpus: Corpus
) -> Iterator[Ranked | str]:
    index: SparseIndex = open_sparse_index(
        corpus.texts, corpus.text_hashes, system["bm25_k1"], system["bm25_b"], corpus.state_dir
    )
    for anchor in anchors:
        by_text = index.scores(anchor.text)
        if system["regime"] == "filtered":
            sentences = corpus.places.in_section(anchor.section_id)
            sentences = sentences[by_text[corpus.places.text_of[sentences]] > 0]
        else:
            sentences = sentences_with(sparse_head(by_text, system["depth"]), corpus.places)
        scores = by_text[corpus.places.text_of[sentences]]
        yield order_candidates(sentences, scores, system["depth"])


def _hybrid_outcomes(
    system: dict[str, Any], index_id: str | None, anchors: list[Anchor], corpus: Corpus
) -> Iterator[Ranked | str]:
    part = {**system, "depth": required(system, "n_candidates")}
    dense = _dense_outcomes(part, index_id, anchors, corpus)
    yield from fuse_outcomes(system, dense, _bm25_outcomes(part, None, anchors, corpus))


def _random_outcomes(
    system: dict[str, Any], _: str | None, anchors: list[Anchor], corpus: Corpus
) -> Iterator[Ranked | str]:
    everything = np.arange(len(corpus.places.sentence_ids), dtype=np.int64)
    for anchor in anchors:
        seed = hashlib.blake2b(
            f"{system['random_seed']}|{anchor.item_id}".encode(), digest_size=8
        ).digest()
        rng = np.random.default_rng(int.from_bytes(seed, "big"))
        if system["regime"] == "filtered":
            pool = corpus.places.in_section(anchor.section_id)
        else:
            size = min(system["depth"], len(everything))
            pool = np.sort(rng.choice(everything, size, replace=False, shuffle=False))
        yield order_candidates(pool, rng.random(len(pool)), system["depth"])


def _anchors(anchors: pa.Table, text_hashes: pa.ChunkedArray) -> list[Anchor]:
    numbers = pc.index_in(
        anchors["text_hash"].combine_chunks(), value_set=text_hashes.combine_chunks()
    )
    return [
        Anchor(row["item_id"], row["gold_set"], row["section_id"], row["sentence_text"], number)
        for row, number in zip(anchors.to_pylist(), numbers.to_pylist(), strict=True)
    ]


def _batch(
    system_id: str, anchors: list[Anchor], outcomes: list[Ranked | str], places: Places
) -> pa.RecordBatch:
    columns: list[list[Any]] = [[] for _ in RANKING_SCHEMA]
    for anchor, outcome in zip(anchors, outcomes, strict=True):
        failure = outcome if isinstance(outcome, str) else None
        ranked = None if isinstance(outcome, str) else outcome
        n_rows = 0 if ranked is None else len(ranked.sentences)
        if ranked is None or n_rows == 0:
            cells: tuple[list[Any], ...] = ([None], [None], [None], [None], [failure])
            n_rows = 1
        else:
            cells = (
                list(range(1, n_rows + 1)),
                places.sentence_ids.take(pa.array(ranked.sentences)).to_pylist(),
                ranked.scores.tolist(),
                ranked.n_tied.tolist(),
                [None] * n_rows,
            )
        identity = ([system_id], [anchor.gold_set], [anchor.item_id])
        for column, repeated in zip(columns[:3], identity, strict=True):
            column.extend(repeated * n_rows)
        for column, values in zip(columns[3:], cells, strict=True):
            column.extend(values)
    arrays = [
        pa.array(column, field.type) for column, field in zip(columns, RANKING_SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=RANKING_SCHEMA)


_OUTCOMES = {
    "dense": _dense_outcomes,
    "bm25": _bm25_outcomes,
    "hybrid": _hybrid_outcomes,
    "random": _random_outcomes,
}

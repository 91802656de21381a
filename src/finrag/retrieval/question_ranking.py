"""Runs retrieval systems over questions.

*Filtered* searches the filings of the companies and years read from the question, *open* the
whole corpus. Where the corpus has none of these filings, a filtered system searches the other
filings of those companies, and ``found_by`` of its results ends in ``company``; where it has
none of them either, or nothing was read, the whole corpus, and ``found_by`` ends in ``open``.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from finrag.cache.results import ResultCache
from finrag.llm.calls import CALL_TYPE, Call
from finrag.retrieval.candidates import Candidates, Stage, spell
from finrag.retrieval.finishing import Finishing, open_finishing
from finrag.retrieval.ordering import order_candidates
from finrag.retrieval.outline import outline
from finrag.retrieval.places import arrange
from finrag.retrieval.queries import Query, collect_query_vectors, read_queries
from finrag.retrieval.question_search import QuestionSearch, SearchedCorpus
from finrag.retrieval.vectors import collect_vectors
from finrag.systems.algorithm import FUSED_DECIMALS
from finrag.systems.kinds import asks, check_system, is_reranked
from finrag.systems.rerankers import LATE_INTERACTION, reranker_id

# Questions searched, reranked and written together.
BLOCK = 256

STAGE_TYPE = pa.struct(
    [
        pa.field("stage", pa.string(), nullable=False),
        pa.field("stage_pos", pa.int32(), nullable=False),
        pa.field("n_in", pa.int64(), nullable=False),
        pa.field("n_out", pa.int64(), nullable=False),
        pa.field("latency_ms", pa.float64(), nullable=False),
    ]
)
QUESTION_RANKING_SCHEMA = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("rank", pa.int32()),
        pa.field("sentence_id", pa.string()),
        pa.field("score", pa.float64()),
        pa.field("n_tied", pa.int64()),
        pa.field("found_by", pa.string()),
        pa.field("failure", pa.string()),
        pa.field("stages", pa.list_(STAGE_TYPE)),
        pa.field("calls", pa.list_(CALL_TYPE)),
    ]
)


def rank_questions(
    systems: pa.Table,
    vector_indexes: pa.Table,
    questions: pa.Table,
    sentences: pa.Table,
    texts: pa.Table,
    chunks: pa.Table,
    query_vectors: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
) -> pa.RecordBatchReader:
    """Ranks the corpus for every question and every system that is asked questions.

    Args:
        systems: registered systems; those that are asked anchors only, and external ones, are
            passed over.
        vector_indexes: ``system_id`` and ``index_id`` of the built indexes.
        questions: questions with their readings, ordered by ``item_id``; see
            ``queries.read_queries``.
        sentences: ordered by ``sentence_id``: ``sentence_id``, ``text_hash`` and the columns
            of ``outline.outline``.
        texts: ``text_hash`` (ascending) and ``sentence_text`` of the distinct texts.
        chunks: ordered by ``chunk_id``; see ``chunk_search.read_chunks``.
        query_vectors: ``encoder``, ``content_hash``, ``vector``, ``latency_ms`` of the
            questions and topics, and of chunks where they are encoded.
        vectors: ``encoder``, ``encoder_id``, ``text_hash``, ``vector`` of the texts.
        settings: ``state_dir``, and what a reranker reads.

    Returns:
        A reader with ``QUESTION_RANKING_SCHEMA``: up to ``depth`` rows per system and
        question, rank from 1; a question without results or with a failure has one row whose
        rank is null. ``stages`` and ``calls`` stand on the first row of a question.

    Raises:
        ValueError: a system that cannot be run as configured.
    """
    registered = systems.to_pylist()
    for system in registered:
        check_system(system)
    asked = [system for system in registered if asks(system, "questions")]
    places = arrange(sentences, texts["text_hash"])
    corpus = SearchedCorpus(
        places=places,
        outline=outline(sentences, places),
        texts=texts["sentence_text"].to_pylist(),
        text_hashes=texts["text_hash"].to_pylist(),
        vectors=collect_vectors(vectors, texts["text_hash"]),
        query_vectors=collect_query_vectors(query_vectors),
        chunks=chunks,
        index_ids=dict(
            zip(
                vector_indexes["system_id"].to_pylist(),
                vector_indexes["index_id"].to_pylist(),
                strict=True,
            )
        ),
        state_dir=settings["state_dir"],
    )
    cache = ResultCache(
        Path(settings["state_dir"]) / "cache" / "rankings" / "questions",
        QUESTION_RANKING_SCHEMA,
        [
            questions,
            sentences,
            texts,
            chunks,
            # How long a text took to embed is no part of what is found.
            query_vectors.select(["encoder", "content_hash", "vector"]),
            *(corpus.vectors[encoder].matrix for encoder in sorted(corpus.vectors)),
        ],
    )
    batches = _batches(asked, read_queries(questions), corpus, cache, settings)
    return pa.RecordBatchReader.from_batches(QUESTION_RANKING_SCHEMA, batches)


def _batches(
    systems: Sequence[Mapping[str, Any]],
    queries: Sequence[Query],
    corpus: SearchedCorpus,
    cache: ResultCache,
    settings: Mapping[str, Any],
) -> Iterator[pa.RecordBatch]:
    for system in systems:
        ranked = partial(_ranked, system, queries, corpus, settings)
        if is_reranked(system) and system["reranker"] != LATE_INTERACTION:
            # A model's calls have a store of their own, and weights behind a path may change.
            yield from ranked()
        else:
            index_id = corpus.index_ids.get(system["system_id"])
            reranker = reranker_id(system["reranker"]) if is_reranked(system) else "none"
            yield from cache.recall([system, str(index_id), reranker], ranked)


def _ranked(
    system: Mapping[str, Any],
    queries: Sequence[Query],
    corpus: SearchedCorpus,
    settings: Mapping[str, Any],
) -> Iterator[pa.RecordBatch]:
    started = time.monotonic()
    search = QuestionSearch(system, corpus)
    search.open()
    finishing = open_finishing(system, search, settings)
    for start in range(0, len(queries), BLOCK):
        yield ranked_batch(queries[start : start + BLOCK], search, finishing)
    print(
        f"retrieval {system['system_id']}: {len(queries):,} questions "
        f"in {time.monotonic() - started:.1f} s",
        file=sys.stderr,
    )


def ranked_batch(
    queries: Sequence[Query], search: QuestionSearch, finishing: Finishing
) -> pa.RecordBatch:
    """Rankings, stages and rerank calls of a block of questions, one row each, under the schema."""
    finished = finishing.finish(queries, search.find(queries))
    rows: list[dict[str, Any]] = []
    for query, (candidates, calls) in zip(queries, finished, strict=True):
        rows.extend(_rows(search, query, candidates, calls))
    return pa.RecordBatch.from_pylist(rows, schema=QUESTION_RANKING_SCHEMA)


def _rows(
    search: QuestionSearch, query: Query, candidates: Candidates, calls: Sequence[Call]
) -> list[dict[str, Any]]:
    # What is not fused was rounded to fewer decimals where it was made.
    ranked = order_candidates(
        candidates.sentences,
        candidates.scores,
        search.system["depth"],
        FUSED_DECIMALS,
        search.place_of,
    )
    way_of = dict(zip(candidates.sentences.tolist(), candidates.ways.tolist(), strict=True))
    identity = {
        "system_id": search.system["system_id"],
        "gold_set": query.gold_set,
        "item_id": query.item_id,
    }
    found = zip(
        search.corpus.places.sentence_ids.take(pa.array(ranked.sentences)).to_pylist(),
        ranked.sentences.tolist(),
        ranked.scores.tolist(),
        ranked.n_tied.tolist(),
        strict=True,
    )
    rows = [
        {
            **identity,
            "rank": rank,
            "sentence_id": sentence_id,
            "score": score,
            "n_tied": n_tied,
            "found_by": spell(way_of[sentence]),
        }
        for rank, (sentence_id, sentence, score, n_tied) in enumerate(found, start=1)
    ]
    if candidates.failure or not rows:
        rows = [{**identity, "failure": candidates.failure}]
    rows[0]["stages"] = [
        _stage_row(stage, stage_pos) for stage_pos, stage in enumerate(candidates.stages)
    ]
    rows[0]["calls"] = [dataclasses.asdict(call) for call in calls]
    return rows


def _stage_row(stage: Stage, stage_pos: int) -> dict[str, Any]:
    return {"stage_pos": stage_pos, **dataclasses.asdict(stage)}

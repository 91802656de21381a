"""Runs every registered system over every item: anchors, questions, questions of public sets.

*Filtered* searches what a production system would search once it has understood the question: for
an anchor its section, for a question the filings of the companies and years read from it, for a
question of a public set its document. *Open* searches the whole pool. Where the corpus has none of
the filings asked for, a filtered system searches the other filings of those companies, and
``found_by`` of its results ends in ``company``; where it has none of them either, or nothing was
read, the whole corpus, and ``found_by`` ends in ``open``. An anchor itself stays in its ranking:
Self@1 needs it, the other metrics remove it.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.cache.results import ResultCache
from finrag.llm.calls import CALL_TYPE
from finrag.retrieval.candidates import Candidates, spell
from finrag.retrieval.methods import Method, Methods, is_run
from finrag.retrieval.ordering import NONE_FOUND, Ranked
from finrag.retrieval.pools import CELL, TABLE_UNITS, FilingsPool, Pool, open_set
from finrag.retrieval.queries import FILINGS, Query, read_queries
from finrag.retrieval.reranking_stage import RerankingStage, open_reranking_stage
from finrag.retrieval.vectors import Ints
from finrag.systems.algorithm import SET_DEPTH
from finrag.systems.kinds import AGENT_KINDS, asks, check_system, is_reranked
from finrag.systems.rerankers import LATE_INTERACTION, reranker_id

# Items searched, reranked and written together.
BLOCK: Final = 256
# There are hundreds of short runs; only those that were waited for are worth a line.
SAID_FROM_S: Final = 1.0

STAGE_TYPE = pa.struct(
    [
        pa.field("stage", pa.string(), nullable=False),
        pa.field("stage_pos", pa.int32(), nullable=False),
        pa.field("n_in", pa.int64()),
        pa.field("n_out", pa.int64()),
        pa.field("latency_ms", pa.float64()),
    ]
)
SPREAD_TYPE = pa.struct(
    [
        pa.field("n_repeats", pa.int64(), nullable=False),
        pa.field("score_variance", pa.float64()),
        pa.field("score_entropy", pa.float64(), nullable=False),
    ]
)
RANKING_SCHEMA = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("unit", pa.string(), nullable=False),
        pa.field("rank", pa.int32()),
        pa.field("passage_id", pa.string()),
        pa.field("score", pa.float64()),
        pa.field("n_tied", pa.int64()),
        pa.field("found_by", pa.string()),
        pa.field("failure", pa.string()),
        pa.field("stages", pa.list_(STAGE_TYPE)),
        pa.field("calls", pa.list_(CALL_TYPE)),
        pa.field("spread", SPREAD_TYPE),
    ]
)

System = Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Items that are searched for in one pool.

    Attributes:
        items: what they are: "anchors" or "questions".
        queries: in their order.
        pool: what is searched.
        depth: the most results; None for as many as the system returns.
    """

    items: str
    queries: Sequence[Query]
    pool: Pool
    depth: int | None = None

    def cut(self, system: System) -> System:
        """The system with no more results than this task takes."""
        depth = system["depth"]
        return {**system, "depth": depth if self.depth is None else min(depth, self.depth)}


def rank_items(
    systems: pa.Table,
    vector_indexes: pa.Table,
    items: pa.Table,
    sentences: pa.Table,
    texts: pa.Table,
    chunks: pa.Table,
    query_vectors: pa.Table,
    passages: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
    contexts: pa.Table | None = None,
) -> pa.RecordBatchReader:
    """Ranks the passages of its corpus for every item and every system that is asked it.

    Args:
        systems: registered systems; external ones and agents are passed over.
        vector_indexes: ``system_id`` and ``index_id`` of the built indexes.
        items: ordered by ``item_id``, with their readings, see ``queries.read_queries``; those
            that are ``is_on_tables``, if it is stated, are searched for among rows and cells too,
            and an anchor that is a cell among cells alone.
        sentences: of the filings, ordered by ``sentence_id``: ``sentence_id``, ``text_hash``
            ``form`` and the columns of ``corpus_layout.lay_out_filings``.
        texts: ``text_hash`` (ascending) and ``sentence_text`` of their distinct texts.
        chunks: ordered by ``chunk_id``; see ``chunk_search.read_chunks``.
        query_vectors: ``encoder``, ``content_hash``, ``vector``, ``latency_ms`` of the
            questions and topics, and of chunks where they are encoded.
        passages: of public sets, those that can be ranked, and rows and cells of the filings'
            tables: ``corpus_id``, ``passage_id``, ``document_id``, ``unit``, ``position``,
            ``passage_text``, ``cik_int`` and ``report_year`` (of the filings).
        vectors: ``encoder``, ``encoder_id``, ``text_hash``, ``vector`` of the texts.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``, what a reranker
            reads, and of a build over shards ``engine``.
        contexts: ``section_id`` and ``context_text`` of the filings' sections; None where no
            system searches them.

    Returns:
        A reader with ``RANKING_SCHEMA``: up to ``depth`` rows per system, item and unit that
        its corpus has (of a public set, and of tables, up to ``SET_DEPTH``), rank from 1; a search
        that found nothing or failed has one row whose rank is null, one that cannot be made
        (filtered, and the document is not loaded) has none. ``stages`` and ``calls`` of a question
        stand on its first row of a unit.

    Raises:
        ValueError: a system that cannot be run as configured, or a question without text.
    """
    registered = systems.to_pylist()
    for system in registered:
        check_system(system)
    cells = _cell_anchors(items)
    own = items.filter(pc.and_not(pc.equal(items["corpus_id"], FILINGS), cells))
    filings = FilingsPool(
        *(sentences, texts, chunks, query_vectors, vectors, vector_indexes),
        settings["state_dir"],
        contexts,
        settings.get("engine") or "",
    )
    queries = read_queries(own, filings.numbers.sentence_ids)
    tasks: list[Task] = [
        Task("anchors", [query for query in queries if query.sentence is not None], filings),
        Task("questions", [query for query in queries if query.sentence is None], filings),
    ]
    batches = (
        batch
        for task in _with_sets(tasks, items, passages, settings)
        for batch in _batches(task, registered, settings)
    )
    return pa.RecordBatchReader.from_batches(RANKING_SCHEMA, batches)


def _with_sets(
    tasks: Sequence[Task], items: pa.Table, passages: pa.Table, settings: Mapping[str, Any]
) -> Iterator[Task]:
    """The given tasks, then tables and public sets, of which one is in memory at a time."""
    yield from tasks
    asked: Sequence[Query] = ()
    cells = items.filter(_cell_anchors(items))
    if "is_on_tables" in items.column_names:
        asked = read_queries(items.filter(pc.and_not(items["is_on_tables"], _cell_anchors(items))))
    if asked or cells.num_rows:
        held = passages.filter(pc.equal(passages["corpus_id"], FILINGS))
        for pool in open_set(FILINGS, held, asked, settings, TABLE_UNITS, filing_owners(held)):
            yield Task("questions", asked, pool, SET_DEPTH)
            if pool.unit == CELL:
                anchors = read_queries(cells, pool.numbers.sentence_ids)
                yield Task("anchors", anchors, pool, SET_DEPTH)
    for name in sorted(set(passages["corpus_id"].unique().to_pylist()) - {FILINGS}):
        asked = read_queries(items.filter(pc.equal(items["corpus_id"], name)))
        held = passages.filter(pc.equal(passages["corpus_id"], name))
        for pool in open_set(name, held, asked, settings):
            yield Task("questions", asked, pool, SET_DEPTH)


def _cell_anchors(items: pa.Table) -> pa.Array:
    """Whether each item is a cell that is searched for again."""
    if "is_on_tables" not in items.column_names:
        return pa.array(np.zeros(items.num_rows, np.bool_))
    return pc.and_(items["is_on_tables"], pc.equal(items["item_kind"], "anchor"))


def filing_owners(passages: pa.Table) -> dict[str, tuple[int, int]]:
    """Company and year of each filing that has tables."""
    names = ["document_id", "cik_int", "report_year"]
    rows = passages.select(names).group_by(names).aggregate([]).to_pylist()
    return {row["document_id"]: (row["cik_int"], row["report_year"]) for row in rows}


def _batches(
    task: Task, registered: Sequence[System], settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    systems = [
        task.cut(system)
        for system in registered
        if asks(system, task.items) and system["system_kind"] not in AGENT_KINDS
    ]
    if not task.queries or not systems:
        return
    methods = Methods(task.pool, systems)
    asked = [
        {**vars(query), "section_names": sorted(query.section_names)} for query in task.queries
    ]
    cache = ResultCache(
        Path(settings["state_dir"]) / "cache" / "rankings",
        RANKING_SCHEMA,
        [task.items, asked, task.pool.corpus_id, task.pool.unit, task.pool.digest()],
    )
    for system in systems:
        ranked = partial(_ranked, task, system, methods, settings)
        if is_reranked(system) and system["reranker"] != LATE_INTERACTION:
            # A model's calls have a store of their own, and weights behind a path may change.
            yield from ranked()
        else:
            reranker = reranker_id(system["reranker"]) if is_reranked(system) else "none"
            yield from cache.recall([system, str(task.pool.index_id(system)), reranker], ranked)


def _ranked(
    task: Task, system: System, methods: Methods, settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    started = time.monotonic()
    method = methods.of(system)
    method.open()
    reranking = open_reranking_stage(system, task.pool, settings)
    queries = [query for query in task.queries if is_run(system, task.pool, query)]
    method.prefetch(queries)
    for start in range(0, len(queries), BLOCK):
        yield ranked_batch(queries[start : start + BLOCK], method, reranking)
    seconds = time.monotonic() - started
    if seconds >= SAID_FROM_S:
        print(
            f"retrieval {system['system_id']}: {len(queries):,} {task.items} over "
            f"{len(task.pool.numbers.sentence_ids):,} passages of {task.pool.corpus_id} "
            f"({task.pool.unit}) in {seconds:.1f} s",
            file=sys.stderr,
        )


def ranked_batch(
    queries: Sequence[Query], method: Method, reranking: RerankingStage
) -> pa.RecordBatch:
    """Rankings, stages and rerank calls of a block of items under the schema."""
    finished = list(reranking.finish(queries, method.find(queries)))
    heads = [
        NONE_FOUND if candidates.failure else reranking.ranked(candidates)
        for candidates, _, _ in finished
    ]
    n_found = np.array([len(head.sentences) for head in heads], np.int64)
    # An item for which nothing was found has a row without a result.
    n_rows = np.maximum(n_found, 1)
    starts = np.cumsum(n_rows) - n_rows
    rank = np.arange(n_rows.sum()) - np.repeat(starts, n_rows) + 1
    is_empty = np.repeat(n_found == 0, n_rows)
    items = pa.array(np.repeat(np.arange(len(queries)), n_rows))
    results = pa.array(np.cumsum(~is_empty) - 1, mask=is_empty)
    is_anchor = [query.sentence is not None for query in queries]

    def joined(name: str) -> pa.Array:
        return pa.array(np.concatenate([getattr(head, name) for head in heads]))

    def once(values: Iterable[Any], name: str) -> pa.Array:
        """A value an item, on its first row."""
        rows: list[Any] = [None] * len(rank)
        for start, value in zip(starts.tolist(), values, strict=True):
            rows[start] = value
        return pa.array(rows, RANKING_SCHEMA.field(name).type)

    columns = {
        "system_id": pa.repeat(reranking.system["system_id"], len(rank)),
        "gold_set": pa.array([query.gold_set for query in queries]).take(items),
        "item_id": pa.array([query.item_id for query in queries]).take(items),
        "unit": pa.repeat(reranking.pool.unit, len(rank)),
        "rank": pa.array(rank, pa.int32(), mask=is_empty),
        "passage_id": reranking.pool.numbers.sentence_ids.take(joined("sentences")).take(results),
        "score": joined("scores").take(results),
        "n_tied": joined("n_tied").take(results),
        "found_by": _found_by(is_anchor, [one for one, _, _ in finished], heads).take(results),
        "failure": once((one.failure for one, _, _ in finished), "failure"),
        # How an anchor was searched for is not told.
        "stages": once(
            (
                None if is_quiet else _stages(one)
                for is_quiet, (one, _, _) in zip(is_anchor, finished, strict=True)
            ),
            "stages",
        ),
        "calls": once(
            (
                None if is_quiet else [dataclasses.asdict(call) for call in calls]
                for is_quiet, (_, calls, _) in zip(is_anchor, finished, strict=True)
            ),
            "calls",
        ),
        "spread": once((one and dataclasses.asdict(one) for _, _, one in finished), "spread"),
    }
    arrays = [columns[name] for name in RANKING_SCHEMA.names]
    return pa.RecordBatch.from_arrays(arrays, schema=RANKING_SCHEMA)


def _stages(candidates: Candidates) -> list[dict[str, Any]]:
    return [
        {"stage_pos": stage_pos, **vars(stage)} for stage_pos, stage in enumerate(candidates.stages)
    ]


def _found_by(
    is_anchor: Sequence[bool], found: Sequence[Candidates], heads: Sequence[Ranked]
) -> pa.Array:
    """Names of the ways by which each result was found; of an anchor's they are not told."""
    untold = -1
    ways = np.concatenate(
        [
            np.full(len(head.sentences), untold) if is_quiet else _ways(candidates, head)
            for is_quiet, candidates, head in zip(is_anchor, found, heads, strict=True)
        ]
    )
    distinct, place = np.unique(ways, return_inverse=True)
    names = [None if way == untold else spell(way) for way in distinct.tolist()]
    return pa.array(names, pa.string()).take(pa.array(place))


def _ways(candidates: Candidates, head: Ranked) -> Ints:
    by_number = np.argsort(candidates.sentences, kind="stable")
    places = by_number[np.searchsorted(candidates.sentences[by_number], head.sentences)]
    return candidates.ways[places]

"""Runs every agent over the questions that it is asked."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.agents import model_policy, replay, scripted
from finrag.agents.corpora import Corpus, directory_of, on_sentences, on_set, on_tables
from finrag.agents.directory import Directory
from finrag.agents.session import Asked, Budgets, Session, Trace, cut, tools_of
from finrag.agents.steps import ANSWER, STEP_TYPE
from finrag.agents.toolbox import Toolbox
from finrag.answers.answering import question_of
from finrag.cache.results import ResultCache
from finrag.retrieval.pools import FilingsPool
from finrag.retrieval.queries import FILINGS, Query, read_queries
from finrag.retrieval.ranking import RANKING_SCHEMA, SAID_FROM_S
from finrag.systems.kinds import AGENT_KINDS

AGENT_SCHEMA: Final = pa.schema([*RANKING_SCHEMA, pa.field("steps", pa.list_(STEP_TYPE))])
SCRIPTED: Final = "scripted"
LLM: Final = "llm"
PUBLIC: Final = "all"
POLICIES: Final = {SCRIPTED: scripted.run, LLM: model_policy.run, "replay": replay.run}
# Questions written together.
BLOCK: Final = 256
# Budgets that a shared run takes at their largest; the others have no largest that is known.
_COUNTED: Final = ("max_steps", "context_budget", "token_budget")
# What decides the calls of the scripted policy.
_DECISIVE: Final = (
    *("tools", "keyword_score", "tool_filters", "regime", "history", "fill_support"),
    *("encoder", "bm25_k1", "bm25_b"),
)

System = Mapping[str, Any]
Conversations = Sequence[Sequence[Asked]]


@dataclass(frozen=True)
class Task:
    """Questions, and what they are answered from.

    Attributes:
        conversations: dialogues, or single questions.
        corpus: what is searched.
    """

    conversations: Conversations
    corpus: Corpus


def run_agents(
    systems: pa.Table,
    items: pa.Table,
    sentences: pa.Table,
    texts: pa.Table,
    chunks: pa.Table,
    query_vectors: pa.Table,
    passages: pa.Table,
    vectors: Iterable[pa.RecordBatch],
    settings: Mapping[str, Any],
    documents: pa.Table,
    companies: pa.Table,
    readings: pa.Table,
    prices: pa.Table | None = None,
) -> pa.RecordBatchReader:
    """Steps and rankings of every agent, for every question.

    Args:
        systems: registered systems; those of other kinds are passed over.
        items: questions, ordered by ``item_id``; see ``retrieval.rank_items``; also
            ``dialogue_id`` and ``turn``.
        sentences: see ``retrieval.rank_items``.
        texts: likewise.
        chunks: likewise.
        query_vectors: likewise.
        passages: likewise, with ``parent_id``.
        vectors: likewise.
        settings: ``state_dir``, ``encoder_batch_size``, ``encoder_threads``.
        documents: of all corpora; see ``directory_of``.
        companies: likewise.
        readings: rows of ``parsed_questions``.
        prices: of language models, per million tokens.

    Returns:
        A reader with ``AGENT_SCHEMA``: for each agent, question and unit of its corpus up to
        ``depth`` rows, rank from 1; where nothing was seen one row whose rank is null. Stages,
        calls and steps stand on the question's first row. A question on tables has rankings of
        sentences, rows and cells: its cells are those of its rows.

    Raises:
        ValueError: a system that cannot be run as configured.
    """
    agents = [one for one in systems.to_pylist() if one["system_kind"] in AGENT_KINDS]
    settings = {**settings, "llm_prices": [] if prices is None else prices.to_pylist()}
    questions = items.filter(pc.equal(items["item_kind"], "question"))
    parsed = {row["item_id"]: row for row in readings.to_pylist()}

    def tasks() -> Iterator[Task]:
        own = questions.filter(pc.equal(questions["corpus_id"], FILINGS))
        directory = directory_of(documents, companies, FILINGS)
        keys = chunks["chunk_id"].to_pylist()
        filings = FilingsPool(
            *(sentences, texts, chunks, query_vectors, vectors, _no_indexes()),
            settings["state_dir"],
            engine=settings.get("engine") or "",
        )
        yield from _on_filings(filings, own, keys, directory, passages, parsed, settings)
        for name in sorted(set(passages["corpus_id"].unique().to_pylist()) - {FILINGS}):
            of_set = questions.filter(pc.equal(questions["corpus_id"], name))
            asked = _conversations(of_set, parsed)
            directory = directory_of(documents, companies, name)
            yield Task(asked, on_set(name, directory, passages, _queries(asked), settings))

    batches = (
        (batch for task in tasks() for batch in _batches(task, agents, settings)) if agents else ()
    )
    return pa.RecordBatchReader.from_batches(AGENT_SCHEMA, iter(batches))


def _no_indexes() -> pa.Table:
    return pa.table({"system_id": pa.array([], pa.string()), "index_id": pa.array([], pa.string())})


def _on_filings(
    filings: FilingsPool,
    questions: pa.Table,
    chunk_ids: Sequence[str],
    directory: Directory,
    passages: pa.Table,
    parsed: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any],
) -> Iterator[Task]:
    """Questions on sentences, then those on tables."""
    is_on_tables = questions["is_on_tables"]
    on_text = _conversations(questions.filter(pc.invert(is_on_tables)), parsed)
    if on_text:
        yield Task(on_text, on_sentences(filings, chunk_ids, directory))
    asked = _conversations(questions.filter(is_on_tables), parsed)
    if asked:
        queries = _queries(asked)
        corpus = on_tables(filings, chunk_ids, directory, passages, queries, settings)
        yield Task(asked, corpus)


def _queries(conversations: Conversations) -> list[Query]:
    return [one.query for conversation in conversations for one in conversation]


def _conversations(
    questions: pa.Table, parsed: Mapping[str, Mapping[str, Any]]
) -> list[list[Asked]]:
    """Questions by dialogue, in the order of its turns; others alone; ordered by their first."""
    queries = read_queries(questions)
    rows = questions.to_pylist()
    groups: dict[str, list[tuple[int, str, Query]]] = {}
    for row, query in zip(rows, queries, strict=True):
        dialogue = row.get("dialogue_id")
        key = f"{query.gold_set}|{dialogue}" if dialogue else f"|{query.item_id}"
        groups.setdefault(key, []).append((row.get("turn") or 0, query.item_id, query))
    conversations = []
    for group in groups.values():
        turns = [query for _, _, query in sorted(group, key=lambda one: one[:2])]
        conversations.append(
            [
                Asked(
                    query,
                    question_of(parsed[query.item_id]),
                    tuple((earlier.text, None) for earlier in turns[:place]),
                )
                for place, query in enumerate(turns)
            ]
        )
    return sorted(conversations, key=lambda turns: turns[0].query.item_id)


def _batches(
    task: Task, agents: Sequence[System], settings: Mapping[str, Any]
) -> Iterator[pa.RecordBatch]:
    asked = [one for one in agents if _is_asked(one, task)]
    if not asked or not task.conversations:
        return
    folder = Path(settings["state_dir"]) / "cache" / "agents"
    cache = ResultCache(folder, AGENT_SCHEMA, _inputs(task))
    shared = _Shared(task, asked, settings)
    for system in asked:
        ran = partial(_ran, task, system, shared)
        if system["policy"] == SCRIPTED and system.get("seconds_budget") is None:
            vectors = [pool.index_id(system) for pool in task.corpus.chunked.pools]
            yield from cache.recall([system, vectors], ran)
        else:
            # The calls of a model have a store of their own, and a clock gives no second result.
            yield from ran()


def _inputs(task: Task) -> list[Any]:
    """All that decides the traces of a task, but for the system and its vectors."""
    described = [
        [{**vars(one.query), "section_names": sorted(one.query.section_names),
          "asked": sorted(one.query.asked), "question": vars(one.question),
          "history": one.history} for one in turns]
        for turns in task.conversations
    ]  # fmt: skip
    chunked = task.corpus.chunked
    return [
        *(
            described,
            [dataclasses.asdict(one) for one in task.corpus.directory.documents],
            task.corpus.units,
        ),
        *(chunked.chunk_ids, chunked.passages.members, chunked.passages.starts),
        None if task.corpus.cells is None else list(task.corpus.cells.of_row.items()),
        *(pool.digest() for pool in chunked.pools),
    ]


def _is_asked(system: System, task: Task) -> bool:
    """A model is asked about a public set only where the system says so: each question costs."""
    return (
        task.corpus.corpus_id == FILINGS
        or system["policy"] != LLM
        or system["answer_sets"] == PUBLIC
    )


class _Shared:
    """Toolboxes and runs of a task; agents that differ in budgets alone share both."""

    def __init__(self, task: Task, agents: Sequence[System], settings: Mapping[str, Any]) -> None:
        self._task = task
        self._settings = settings
        self._agents: dict[tuple[object, ...], list[System]] = {}
        for system in agents:
            self._agents.setdefault(_decisive(system), []).append(system)
        self._toolboxes: dict[tuple[object, ...], Toolbox] = {}
        self._traces: dict[tuple[object, ...], list[Trace]] = {}

    def toolbox(self, system: System) -> Toolbox:
        """The tools of a system."""
        names = ("encoder", "bm25_k1", "bm25_b", "keyword_score")
        key = tuple(system.get(name) for name in names)
        if key not in self._toolboxes:
            self._toolboxes[key] = Toolbox(
                self._task.corpus.chunked, self._task.corpus.directory, system, self._settings
            )
        self._toolboxes[key].open(tools_of(system))
        return self._toolboxes[key]

    def traces(self, system: System) -> Iterator[Trace]:
        """Traces of a system, question by question in the task's order.

        A dialogue is never shared: what one turn read decides what the next one reads.
        """
        alike = self._agents[_decisive(system)]
        if len(alike) == 1:
            yield from self._run(system, self._task.conversations)
            return
        dialogues = [turns for turns in self._task.conversations if len(turns) > 1]
        own, whole = self._run(system, dialogues), iter(self._whole(alike))
        toolbox = self.toolbox(system)
        is_whole = Budgets.of(system) == Budgets.of(_largest(alike))
        for turns in self._task.conversations:
            if len(turns) > 1:
                yield from islice(own, len(turns))
            elif is_whole:
                yield next(whole)
            else:
                session, trace = Session(toolbox, turns[0], system), next(whole)
                cut(trace.steps, session)
                work = tuple(one for one in trace.work if one.turn_pos <= session.n_turns)
                yield dataclasses.replace(session.trace(), work=work)

    def _whole(self, alike: Sequence[System]) -> Sequence[Trace]:
        """Traces of single questions with the largest budgets of some systems."""
        key = _decisive(alike[0])
        if key not in self._traces:
            single = [turns for turns in self._task.conversations if len(turns) == 1]
            self._traces[key] = list(self._run(_largest(alike), single))
        return self._traces[key]

    def _run(self, system: System, conversations: Conversations) -> Iterator[Trace]:
        return POLICIES[system["policy"]](
            system, conversations, self.toolbox(system), self._task.corpus.directory, self._settings
        )


def _decisive(system: System) -> tuple[object, ...]:
    """What two agents have in common whose calls are the same up to a budget."""
    counted = [system.get(name) for name in ("cost_budget", "seconds_budget")]
    if system["policy"] != SCRIPTED or any(one is not None for one in counted):
        return (system["system_id"],)
    return tuple(system.get(name) for name in _DECISIVE)


def _largest(alike: Sequence[System]) -> System:
    """The first of some agents, with the largest budgets of all of them."""
    return {**alike[0], **{name: max(one[name] for one in alike) for name in _COUNTED}}


def _ran(task: Task, system: System, shared: _Shared) -> Iterator[pa.RecordBatch]:
    started = time.monotonic()
    n_asked = 0
    rows: list[dict[str, Any]] = []
    asked = (one for turns in task.conversations for one in turns)
    for one, trace in zip(asked, shared.traces(system), strict=True):
        rows += _rows(task, system, one, trace)
        n_asked += 1
        if n_asked % BLOCK == 0:
            yield pa.RecordBatch.from_pylist(rows, schema=AGENT_SCHEMA)
            rows = []
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=AGENT_SCHEMA)
    seconds = time.monotonic() - started
    if seconds >= SAID_FROM_S:
        print(
            f"agents {system['system_id']}: {n_asked:,} questions over "
            f"{len(task.corpus.chunked.chunk_ids):,} chunks of {task.corpus.corpus_id} in "
            f"{seconds:.1f} s",
            file=sys.stderr,
        )


def _rows(task: Task, system: System, asked: Asked, trace: Trace) -> Iterator[dict[str, Any]]:
    """Rankings of a session, unit by unit; its stages, calls and steps on the first row."""
    corpus = task.corpus
    seen = corpus.rankings(trace.rankings, asked.query.text)
    depth = system["depth"] if corpus.depth is None else min(corpus.depth, system["depth"])
    once: dict[str, Any] = {
        "stages": _stages(task, trace),
        "calls": [dataclasses.asdict(call) for call in trace.calls],
        "steps": [vars(step) for step in trace.steps],
    }
    for unit in corpus.units:
        ranked = seen.get(unit, [])[:depth]
        key = {
            "system_id": system["system_id"],
            "gold_set": trace.gold_set,
            "item_id": trace.item_id,
            "unit": unit,
        }
        if not ranked:
            yield {**key, **once}
        for rank, (passage_id, score, found_by) in enumerate(ranked, 1):
            yield {
                **key,
                "rank": rank,
                "passage_id": passage_id,
                "score": score,
                "n_tied": 1,
                "found_by": found_by,
                **once,
            }
            once = {}
        once = {}


def _stages(task: Task, trace: Trace) -> list[dict[str, Any]]:
    """Planning, embedding where texts were embedded, and all calls as one search."""
    work = {
        name: [one for one in trace.work if one.stage == name]
        for name in dict.fromkeys(one.stage for one in trace.work)
    }
    stages: list[dict[str, Any]] = [
        {
            "stage": name,
            "n_in": _total([one.n_in for one in parts]),
            "n_out": _total([one.n_out for one in parts]),
            "latency_ms": _total([one.latency_ms for one in parts]),
        }
        for name, parts in work.items()
    ]
    made = [step for step in trace.steps if step.tool_name != ANSWER]
    search: dict[str, Any] = {
        "stage": "search",
        "n_in": len(task.corpus.chunked.passage_ids),
        "n_out": sum(len(found) for found in trace.rankings.values()),
        "latency_ms": _total([step.latency_ms for step in made]),
    }
    return [{**one, "stage_pos": place} for place, one in enumerate([*stages, search])]


def _total(parts: Sequence[float | None]) -> float | None:
    """The sum; None where one of them is not known."""
    known = [one for one in parts if one is not None]
    return sum(known) if len(known) == len(parts) else None

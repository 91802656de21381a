"""Puts one question to an agent: opens its tools once, runs its policy, reads what it says."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from finrag.agents.corpora import Corpus, directory_of, on_sentences, on_tables
from finrag.agents.running import POLICIES
from finrag.agents.session import Asked, Trace
from finrag.agents.steps import ANSWER
from finrag.agents.steps import Step as SessionStep
from finrag.agents.toolbox import Toolbox
from finrag.answers.answering import question_of
from finrag.live.corpus import LiveCorpus
from finrag.live.records import Step, ToolCall
from finrag.live.tools import LiveToolbox
from finrag.llm.calls import CALL_TYPE
from finrag.retrieval.pools import SENTENCE
from finrag.retrieval.queries import FILINGS, Query
from finrag.warehouse import Row
from finrag.warehouse.models import SqlModels

_STEPS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("system_id", "gold_set", "item_id", "tool_name")),
        *((name, pa.string()) for name in ("arguments", "stop_reason", "failure")),
        ("passage_ids", pa.list_(pa.string())),
    ]
)
_CALLS: Final = pa.schema(
    [pa.field("system_id", pa.string()), pa.field("item_id", pa.string()), *CALL_TYPE]
)


class Sessions:
    """Sessions of agents over the sentences of a warehouse; its tools are opened once."""

    def __init__(self, corpus: LiveCorpus, models: SqlModels, variables: Mapping[str, Any]) -> None:
        """Takes a loaded warehouse.

        Args:
            corpus: the warehouse.
            models: the SQL models.
            variables: the dbt vars of its build.
        """
        self._corpus = corpus
        self._models = models
        self._opened: dict[bool, Corpus] = {}
        self._settings = {**variables, "llm_prices": corpus.prices.to_pylist()}
        self._toolboxes: dict[tuple[str, bool], Toolbox] = {}

    def open(self, system: Row, is_on_tables: bool = False) -> Toolbox:
        """The tools of an agent; what they have found they keep."""
        key = (system["system_id"], is_on_tables)
        if key not in self._toolboxes:
            found = self._corpora(is_on_tables)
            tools = LiveToolbox(found.chunked, found.directory, system, self._settings)
            self._toolboxes[key] = tools
        return self._toolboxes[key]

    def trace(
        self, system: Row, query: Query, reading: Row, is_on_tables: bool = False
    ) -> tuple[Trace, Corpus]:
        """The session of one question, and what it searched.

        Args:
            system: an agent of the build.
            query: the question as a search sees it.
            reading: its row of ``parsed_questions``.
            is_on_tables: whether rows of tables are searched too.

        Raises:
            ValueError: as its policy.
        """
        asked = Asked(query, question_of(reading))
        policy = POLICIES[system["policy"]]
        corpus = self._corpora(is_on_tables)
        toolbox = self.open(system, is_on_tables)
        (trace,) = policy(system, [[asked]], toolbox, corpus.directory, self._settings)
        return trace, corpus

    def own_answer(self, system_row: pa.Table, trace: Trace, readings: pa.Table) -> Row | None:
        """What the agent itself said, as ``py_questions_answered`` would have it.

        None where the session is answered from the passages that it saw.

        Args:
            system_row: its row of ``registered_systems``.
            trace: the session.
            readings: the row of ``parsed_questions``.
        """
        key = {"system_id": system_row["system_id"][0].as_py(), "item_id": trace.item_id}
        rows = [
            {**key, "gold_set": trace.gold_set, **dataclasses.asdict(step)} for step in trace.steps
        ]
        steps = pa.Table.from_pylist(rows, schema=_STEPS)
        read = self._models.run(
            "int_agent_answers_read",
            agent_steps=steps,
            registered_systems=system_row,
            int_answers_expected=pa.Table.from_pylist([key]),
            parsed_questions=readings,
            retrieval_calls=pa.Table.from_pylist(
                [{**key, **dataclasses.asdict(call)} for call in trace.calls], schema=_CALLS
            ),
        )
        if not read.num_rows:
            return None
        cited = self._models.run(
            "int_agent_citations_read", int_agent_answers_read=read, agent_steps=steps
        )
        (answer,) = read.to_pylist()
        citations = [
            {"sentence_id": one["named"], **{n: one[n] for n in ("is_in_context", "quote")}}
            for one in cited.sort_by("citation_pos").to_pylist()
        ]
        unknown = dict.fromkeys(("support", "threshold", "question_kind"))
        reason = trace.steps[-1].stop_reason or ""
        why = (
            f"A budget was used up before an answer was found ({reason.replace('_', ' ')})."
            if reason.startswith("forced")
            else "The agent found no answer in what it read."
        )
        return {**answer, **unknown, "citations": citations, "calls": [], "why_not": why}

    def _corpora(self, is_on_tables: bool) -> Corpus:
        """Sentences, and rows of tables where they are searched and there are any."""
        loaded = self._corpus
        is_on_tables = is_on_tables and loaded.tabled.num_rows > 0
        if is_on_tables not in self._opened:
            directory = directory_of(loaded.documents, loaded.companies, FILINGS)
            given = (loaded.searched, loaded.chunk_ids, directory)
            self._opened[is_on_tables] = (
                on_tables(*given, loaded.tabled, (), self._settings)
                if is_on_tables
                else on_sentences(*given)
            )
        return self._opened[is_on_tables]


def ranked_rows(trace: Trace, corpus: Corpus, question: str, depth: int) -> list[Row]:
    """Rows of ``rankings`` of a session by unit, best first, with its calls on the first.

    Why a session failed stands in the agent's own answer.

    Args:
        trace: the session.
        corpus: what it searched.
        question: its text.
        depth: the most rows of a unit.
    """
    seen = corpus.rankings(trace.rankings, question)
    depth = depth if corpus.depth is None else min(corpus.depth, depth)
    found = [
        {"unit": unit, "rank": rank, "passage_id": one, "score": score, "found_by": found_by}
        for unit in corpus.units
        for rank, (one, score, found_by) in enumerate(seen.get(unit, ())[:depth], 1)
    ]
    nothing = {"unit": SENTENCE, **dict.fromkeys(("rank", "passage_id", "score", "found_by"))}
    key = {"gold_set": trace.gold_set, "item_id": trace.item_id, "n_tied": 1}
    calls = [dataclasses.asdict(call) for call in trace.calls]
    return [
        {**key, **row, "failure": None, "calls": None if place else calls}
        for place, row in enumerate(found or [nothing])
    ]


def looked_up(trace: Trace) -> Step:
    """All calls of a session as one step."""
    calls = [step for step in trace.steps if step.tool_name != ANSWER]
    n_found = sum(len(ranked) for ranked in trace.rankings.values())
    times = [step.latency_ms for step in calls]
    latency_ms = None if None in times else sum(time or 0.0 for time in times)
    return Step(
        "look up", "calls of its tools, and the passages seen", len(calls), n_found, latency_ms
    )


def tool_calls(trace: Trace) -> tuple[ToolCall, ...]:
    """The steps of a session as they are shown."""
    return tuple(map(_tool_call, trace.steps))


def _tool_call(step: SessionStep) -> ToolCall:
    is_answer = step.tool_name == ANSWER
    return ToolCall(
        turn=step.turn_pos + 1,
        tool=step.tool_name,
        arguments=step.arguments,
        status=step.stop_reason or step.status,
        n_found=None if is_answer else len(step.result_ids),
        n_new=None if is_answer else step.n_new,
        context_tokens=step.context_tokens,
        input_tokens=step.input_tokens,
        output_tokens=step.output_tokens,
        price_usd=step.price_usd,
        latency_ms=step.latency_ms,
        failure=step.failure,
        found=() if is_answer else tuple(step.result_ids),
    )

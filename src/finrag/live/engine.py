"""Asks systems one question, by the code and the settings of the build."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.embeddings.encoders import resolve
from finrag.live import gaps, which
from finrag.live.answering import Answering, Put
from finrag.live.corpus import P3, LiveCorpus, SuiteQuestion, load_corpus
from finrag.live.explanations import ms_since
from finrag.live.records import Asked, Query, Reading, Step, SystemAnswer
from finrag.live.sessions import Sessions, looked_up, ranked_rows, tool_calls
from finrag.live.vectors import PAID, query_vectors
from finrag.questions import read_questions
from finrag.retrieval.methods import Methods
from finrag.retrieval.pools import Pool, SetPool, filings_asked, open_set
from finrag.retrieval.queries import FILINGS, QueryVectors, read_queries
from finrag.retrieval.queries import Query as SearchQuery
from finrag.retrieval.ranking import filing_owners, ranked_batch
from finrag.retrieval.reranking_stage import RerankingStage, open_reranking_stage
from finrag.retrieval.vectors import Ints
from finrag.systems.algorithm import SET_DEPTH
from finrag.systems.kinds import AGENT_KINDS, EMBEDDED_KINDS, filter_fields
from finrag.warehouse import Row
from finrag.warehouse.folder import project_folder
from finrag.warehouse.models import SqlModels

MAX_QUESTION_CHARS: Final = 1_000
LIVE: Final = "live"
ROW: Final = "row"
LLM_RERANKER: Final = "llm:"

_STEPS: Final = {
    "embed": "the question's texts are turned into vectors",
    "search": "passages are scored; a filtered system does so for each company and year",
    "fuse": "the lists are merged by rank",
    "expand": "neighbours of the best hits join them",
    "rerank": "the head is scored again, question and sentence side by side",
    "deduplicate": "near duplicates are removed",
}


class Engine:
    """Answers questions one at a time; what a system needs is opened once and then reused."""

    def __init__(self, corpus: LiveCorpus, models: SqlModels, variables: Mapping[str, Any]) -> None:
        """Takes a loaded warehouse.

        Args:
            corpus: the warehouse.
            models: the SQL models.
            variables: the dbt vars of its build.
        """
        self.corpus = corpus
        self._models = models
        self._settings = variables
        self._reranking_stages: dict[tuple[str, str], RerankingStage] = {}
        self._sessions = Sessions(corpus, models, variables)
        self._answering = Answering(corpus, models, variables)
        self._lock = Lock()
        self._names = {row["cik_int"]: row["display_name"] for row in corpus.companies.to_pylist()}
        self._filed = gaps.Filed(self._names, set(corpus.searched.layout.filings))
        self._rows: SetPool | None = None
        # Of the question that is being asked: systems with one encoder share them.
        self._vectors: dict[tuple[str, tuple[str, ...]], QueryVectors] = {}

    def ask(
        self,
        question: str,
        system_ids: Sequence[str],
        may_spend: bool = False,
        gold_set: str = P3,
    ) -> Asked:
        """Asks systems a question.

        Args:
            question: what is asked, untrusted.
            system_ids: systems of the build; repeats are asked once.
            may_spend: whether systems that ask a paid model may be asked.
            gold_set: as a question of which set it is put: one of a set on tables is looked for
                among rows of tables too.

        Raises:
            ValueError: there is no question, it is too long, or a system or a set is not there.
        """
        text = checked_question(question)
        wanted = list(dict.fromkeys(system_ids))
        for system_id in wanted:
            if system_id not in self.corpus.systems:
                raise ValueError(
                    f"there is no system '{system_id}' in this build; there are "
                    f"{', '.join(self.corpus.systems)}"
                )
        if gold_set not in self.corpus.gold_sets:
            raise ValueError(
                f"no question of '{gold_set}' can be asked here; choose one of "
                f"{', '.join(self.corpus.gold_sets)}"
            )
        systems = [self.corpus.systems[name] for name in wanted]
        with self._lock:
            self._vectors = {}
            suite = self.corpus.question(text, gold_set)
            put, reading = self._put(text, suite, gold_set)
            (read,) = put.readings.to_pylist()
            # A question of a gold set is put as it was to the build, gaps and all.
            missing = "" if suite else gaps.missing(text, read, self._filed)
            asked = (
                None if suite or missing else which.read(text, read, self._measures, self._filed)
            )
            notes = (missing,) if missing else gaps.notes(read, self._filed, asked)
            answers = tuple(
                self._which(system, asked, put, reading, may_spend)
                if asked is not None and not costs(system)
                else self._system_answer(system, put, reading, missing, may_spend)
                for system in systems
            )
        return Asked(text, gold_set, reading, notes, suite, answers)

    def open(self, system_ids: Sequence[str]) -> None:
        """Opens what these systems need, so that no question waits for it."""
        with self._lock:
            for system in map(self.corpus.systems.__getitem__, system_ids):
                if system["system_kind"] in AGENT_KINDS:
                    self._sessions.open(system)
                else:
                    self._opened(system, self.corpus.searched)
                encoder = system["encoder"]
                if encoder in self.corpus.searched.asked and not encoder.startswith(PAID):
                    resolve(encoder).load(int(self._settings["encoder_threads"]))

    # --- the question ------------------------------------------------------------------

    def _put(
        self, text: str, suite: SuiteQuestion | None, gold_set: str
    ) -> tuple[Put, Reading]:  # fmt: skip
        """The question as it is put to systems, and how it was read."""
        nothing = pa.nulls(1, pa.string())
        item = pa.table(
            {
                # The suite's own key: a system that draws at random draws by it.
                "item_id": [suite.item_id if suite else LIVE],
                "gold_set": [gold_set],
                "item_kind": ["question"],
                "corpus_id": [FILINGS],
                "document_id": nothing,
                "passage_id": nothing,
                "dialogue_id": nothing,
                "turn": pa.nulls(1, pa.int32()),
                "question_text": [text],
            }
        )
        started = time.perf_counter()
        corpus = self.corpus
        readings = read_questions(
            *(item, corpus.companies, corpus.filings),
            *(corpus.kpi_patterns, corpus.risk_patterns, corpus.page_cues),
        )
        row = readings.to_pylist()[0]
        reading = Reading(
            companies=tuple(self._names.get(cik, str(cik)) for cik in row["cik_ints"]),
            years=tuple(row["years"]),
            kpi_labels=tuple(row["kpi_labels"]),
            risk_topics=tuple(row["risk_topics"]),
            section_names=tuple(row["section_names"]),
            scope=row["scope"],
            answer_form=row["answer_form"],
            topic=row["topic_text"],
            latency_ms=ms_since(started),
        )
        # As timestamps of the warehouse are: UTC, without a zone.
        since = datetime.now(UTC).replace(tzinfo=None)
        return Put(item, readings, suite, since), reading

    @property
    def _measures(self) -> Mapping[str, which.Measure]:
        rows = self.corpus.kpi_patterns.to_pylist()
        return {
            row["kpi_label"]: which.Measure(row["noun_phrase"], row["value_kind"] == "percent")
            for row in rows
        }

    # --- one system --------------------------------------------------------------------

    def _which(
        self, system: Row, asked: which.Which, put: Put, reading: Reading, may_spend: bool
    ) -> SystemAnswer:
        """One question about each company, and what comes of their answers."""
        gold_set = put.key["gold_set"]
        found = []
        for one in asked.each:
            own, own_reading = self._put(one.question, None, gold_set)
            found.append((one, self._system_answer(system, own, own_reading, "", may_spend)))
        result = SystemAnswer(system["system_id"], system["description"] or "", "ranked")
        return which.joined(result, asked, found, reading)

    def _system_answer(
        self, system: Row, put: Put, reading: Reading, missing: str, may_spend: bool
    ) -> SystemAnswer:
        result = SystemAnswer(system["system_id"], system["description"] or "", "ranked")
        if missing:
            return replace(result, outcome="abstained", why=missing)
        if costs(system) and not may_spend:
            return replace(
                result,
                outcome="not_asked",
                why="It asks a model that may be billed; press Ask to ask it.",
            )
        query, is_on_tables = self._query(put)
        read = Step("read", "company, years, topic and form", None, None, reading.latency_ms)
        if system["system_kind"] in AGENT_KINDS:
            return self._agent_answer(replace(result, steps=(read,)), system, query, put,
                                      is_on_tables)  # fmt: skip
        pools = self._pools(is_on_tables, system, query)
        rows = [row for pool in pools for row in self._ranked(system, query, pool)]
        steps = [
            Step(
                one["stage"],
                _STEPS.get(one["stage"], "") + ("" if row["unit"] != ROW else ", rows of tables"),
                *(one["n_in"], one["n_out"], one["latency_ms"]),
            )
            for row in rows
            for one in row["stages"] or ()
        ]
        queries, searched_for = self._queries(system, query)
        result = replace(
            result, queries=queries, searched_for=searched_for, steps=(read, *steps)
        )  # fmt: skip
        return self._answering.answered(result, system, put, rows)

    def _agent_answer(
        self, result: SystemAnswer, system: Row, query: SearchQuery, put: Put, is_on_tables: bool
    ) -> SystemAnswer:
        trace, corpus = self._sessions.trace(
            system, query, put.readings.to_pylist()[0], is_on_tables
        )
        result = replace(
            result, steps=(*result.steps, looked_up(trace)), tool_calls=tool_calls(trace)
        )
        answer = self._sessions.own_answer(self._answering.row_of(system), trace, put.readings)
        ranked = ranked_rows(trace, corpus, query.text, system["depth"])
        rows = [{**row, "system_id": system["system_id"]} for row in ranked]
        return self._answering.answered(result, system, put, rows, answer)

    def _query(self, put: Put) -> tuple[SearchQuery, bool]:
        """The question as searches see it, and whether it is looked for in tables too."""
        prepared = self._models.run(
            "int_queries_prepared",
            items=put.item,
            py_questions_read=put.readings,
            companies=self.corpus.companies,
            section_titles=self.corpus.section_titles,
            measure_terms=self.corpus.measure_terms,
            page_terms=self.corpus.page_terms,
        )
        (query,) = read_queries(prepared)
        return query, bool(prepared["is_on_tables"][0].as_py())

    def _pools(self, is_on_tables: bool, system: Row, query: SearchQuery) -> Iterator[Pool]:
        """What is searched, with the question's vectors."""
        pool = self.corpus.searched
        encoder = system["encoder"]
        known = pool.asked.get(encoder)
        if system["system_kind"] not in EMBEDDED_KINDS or known is None:
            yield pool
            if is_on_tables and self._row_pool is not None:
                yield self._row_pool
            return
        texts = query.searched
        if (encoder, texts) not in self._vectors:
            self._vectors[encoder, texts] = query_vectors(known, encoder, texts, self._settings)
        vectors = self._vectors[encoder, texts]
        yield pool.asking({encoder: vectors})
        if is_on_tables and self._row_pool is not None:
            yield self._row_pool.asking({encoder: vectors})

    @property
    def _row_pool(self) -> SetPool | None:
        """Rows of the filings' tables, opened with the first question on tables."""
        tabled = self.corpus.tabled
        if self._rows is None and tabled.num_rows:
            held = tabled.filter(pc.equal(tabled["unit"], ROW))
            owners = filing_owners(held)
            pools = open_set(FILINGS, held, (), self._settings, (ROW,), owners)
            self._rows = pools[0] if pools else None
        return self._rows

    def _ranked(self, system: Row, query: SearchQuery, pool: Pool) -> list[Row]:
        """Rows of ``rankings`` with stages and calls on the first, as the build has them."""
        if pool.unit == ROW:
            system = {**system, "depth": min(system["depth"], SET_DEPTH)}
        stage = self._opened(system, pool)
        rows: list[Row] = ranked_batch([query], Methods(pool).of(system), stage).to_pylist()
        return rows

    def _opened(self, system: Row, pool: Pool) -> RerankingStage:
        key = (system["system_id"], pool.unit)
        if key not in self._reranking_stages:
            # The pool holds on to what a search opens.
            Methods(pool).of(system).open()
            self._reranking_stages[key] = open_reranking_stage(system, pool, self._settings)
        return self._reranking_stages[key]

    def _queries(
        self, system: Row, query: SearchQuery
    ) -> tuple[tuple[Query, ...], tuple[str, ...]]:
        """Where a system searches and for what, as the search decides it."""
        layout = self.corpus.searched.layout
        everywhere = Query("the whole corpus", self.corpus.sentences.num_rows)
        if system["regime"] == "open":
            return (everywhere,), self._texts(system, query.text, query)
        # It searches the cells and the whole corpus, by the topic and by the question.
        is_multi = system["system_kind"] == "multi_path"
        fields = filter_fields(system)
        companies, years = filings_asked(query, fields)
        cells = layout.cells(companies, years)
        other = "" if cells else " (no filing of the years asked about)"
        cells = cells or layout.cells(companies, ())
        if not cells:
            n_searched = self._n_narrowed(None, query, fields)
            where = (Query(everywhere.where, n_searched),)
            return where, self._texts(system, query.text, query)
        queries = [
            Query(
                f"{self._cell_name([layout.filings[filing] for filing in cell])}{other}",
                self._n_narrowed(layout.members(cell), query, fields),
            )
            for cell in cells
        ]
        if not is_multi:
            return tuple(queries), self._texts(system, query.topic, query)
        texts = dict.fromkeys((query.measured, query.plain, query.text))
        return (*queries, everywhere), tuple(texts)

    def _texts(self, system: Row, text: str, query: SearchQuery) -> tuple[str, ...]:
        """What the texts of passages are searched for, and their context lines."""
        if not (system.get("context_weight") or system.get("context_vector_weight")):
            return (text,)
        return tuple(dict.fromkeys((query.plain if text == query.text else text, query.line)))

    def _n_narrowed(self, members: Ints | None, query: SearchQuery, fields: frozenset[str]) -> int:
        narrowed = self.corpus.searched.narrowed(members, query, fields)
        return self.corpus.sentences.num_rows if narrowed is None else len(narrowed)

    def _cell_name(self, cell: Sequence[tuple[int, int]]) -> str:
        ciks, years = sorted({cik for cik, _ in cell}), sorted({year for _, year in cell})
        names = [self._names.get(cik, str(cik)) for cik in ciks]
        who = names[0] if len(names) == 1 else f"{len(names)} companies"
        when = f"FY{years[0]}" if len(years) == 1 else f"FY{years[0]} to FY{years[-1]}"
        return f"{who}, {when}"


def checked_question(question: str) -> str:
    """The question as it is asked.

    Raises:
        ValueError: there is none, or it is longer than ``MAX_QUESTION_CHARS``.
    """
    text = question.strip()
    if not text:
        raise ValueError("there is no question; type one")
    if len(text) > MAX_QUESTION_CHARS:
        raise ValueError(
            f"the question has {len(text):,} characters; ask in at most {MAX_QUESTION_CHARS:,}"
        )
    return text


def costs(system: Mapping[str, Any]) -> bool:
    """Whether asking a system may be billed: it asks a model behind an endpoint."""
    return (
        str(system.get("answerer")).startswith(PAID)
        or str(system.get("reranker")).startswith(LLM_RERANKER)
        or str(system.get("encoder")).startswith(PAID)
    )


def open_engine(
    database: Path, variables: Mapping[str, Any], project: Path | None = None
) -> Engine:
    """Loads a warehouse for questions.

    Args:
        database: the warehouse file.
        variables: the dbt vars of its build, defaults included.
        project: folder of ``dbt_project.yml``; None for the one that is run from here.

    Raises:
        ValueError: as ``corpus.load_corpus`` and ``SqlModels``.
    """
    models = SqlModels(project or project_folder(), variables)
    return Engine(load_corpus(database, str(variables["state_dir"])), models, variables)

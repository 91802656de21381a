"""Asks systems one question, by the code and the settings of the build."""

from __future__ import annotations

import io
import tempfile
import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, redirect_stderr
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.answers.answering import EXTRACTIVE, answer_questions
from finrag.answers.calibration import FALLBACK
from finrag.embeddings.encoders import resolve
from finrag.live import records
from finrag.live.corpus import LiveCorpus, SuiteQuestion, load_corpus
from finrag.live.explanations import (
    how_answered,
    is_evidence,
    items_of,
    ms_since,
    question_kind,
    spent,
    why_not,
)
from finrag.live.records import (
    Asked,
    Claim,
    Found,
    Neighbour,
    Query,
    Reading,
    Source,
    Spent,
    Step,
    SystemAnswer,
)
from finrag.live.sessions import Sessions, looked_up, ranked_rows, tool_calls
from finrag.live.sql_models import SqlModels
from finrag.live.vectors import PAID, query_vectors
from finrag.llm.calls import CALL_TYPE
from finrag.questions import read_questions
from finrag.retrieval.methods import Methods
from finrag.retrieval.pools import SENTENCE, filings_asked
from finrag.retrieval.queries import FILINGS, read_queries
from finrag.retrieval.queries import Query as SearchQuery
from finrag.retrieval.ranking import RANKING_SCHEMA, ranked_batch
from finrag.retrieval.reranking_stage import RerankingStage, open_reranking_stage
from finrag.retrieval.vectors import Ints
from finrag.scoring.claims import trace_answers
from finrag.systems.kinds import AGENT_KINDS, EMBEDDED_KINDS, filter_fields
from finrag.warehouse import Row
from finrag.warehouse.folder import project_folder

MAX_QUESTION_CHARS: Final = 1_000
LIVE: Final = "live"
# A live question is handled as the suite's questions are.
GOLD_SET: Final = "p3"
# No passages of public sets: a live question is asked of the filings only.
NO_PASSAGES: Final = pa.schema(
    [
        ("corpus_id", pa.string()),
        ("document_id", pa.string()),
        ("passage_id", pa.string()),
        ("parent_id", pa.string()),
        ("unit", pa.string()),
        ("column_pos", pa.int32()),
        ("position", pa.int64()),
        ("title", pa.string()),
        ("passage_text", pa.string()),
    ]
).empty_table()
# A live question is searched for among sentences.
NO_CELLS: Final = pa.schema(
    [
        ("cell_id", pa.string()),
        ("row_id", pa.string()),
        ("sentence_id", pa.string()),
        ("period_start", pa.date32()),
        ("period_end", pa.date32()),
    ]
).empty_table()
# No gold either: nobody has answered a live question before.
NO_GOLD: Final = pa.schema([("item_id", pa.string()), ("answer_type", pa.string())]).empty_table()
SHOWN_RANKS: Final = 10
NEIGHBOURS: Final = 2
LLM_RERANKER: Final = "llm:"

_STEPS: Final = {
    "embed": "the question's texts are turned into vectors",
    "search": "sentences are scored; a filtered system does so for each company and year",
    "fuse": "the lists are merged by rank",
    "expand": "neighbours of the best hits join them",
    "rerank": "the head is scored again, question and sentence side by side",
    "deduplicate": "near duplicates are removed",
}

_TRACING: Final = "claims against the cited sentences"

_ANSWER_COLUMNS: Final = ("outcome", "answer_text", "answer_form")
_ANSWERS: Final = pa.schema(
    [
        (name, pa.string())
        for name in ("system_id", "item_id", "gold_set", "answer", "program", *_ANSWER_COLUMNS)
    ]
)
_CITATIONS: Final = pa.schema(
    [
        ("system_id", pa.string()),
        ("item_id", pa.string()),
        ("citation_pos", pa.int32()),
        ("gold_set", pa.string()),
        ("passage_id", pa.string()),
        ("named", pa.string()),
        ("is_in_context", pa.bool_()),
        ("quote", pa.string()),
    ]
)
_CALLED: Final = pa.schema(
    [
        ("system_id", pa.string()),
        ("item_id", pa.string()),
        ("unit", pa.string()),
        ("calls", pa.list_(CALL_TYPE)),
    ]
)


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
        self._reranking_stages: dict[str, RerankingStage] = {}
        self._sessions = Sessions(corpus, models, variables)
        self._lock = Lock()
        self._since = datetime.min
        # Answers of the extractive answerer are cached only for the life of this engine.
        self._scratch = tempfile.TemporaryDirectory(prefix="finrag-ask-")
        self._names = {row["cik_int"]: row["display_name"] for row in corpus.companies.to_pylist()}

    def ask(self, question: str, system_ids: Sequence[str], may_spend: bool = False) -> Asked:
        """Asks systems a question.

        Args:
            question: what is asked, untrusted.
            system_ids: systems of the build; repeats are asked once.
            may_spend: whether systems that ask a paid model may be asked.

        Raises:
            ValueError: there is no question, it is too long, or a system is not there.
        """
        text = checked_question(question)
        wanted = list(dict.fromkeys(system_ids))
        for system_id in wanted:
            if system_id not in self.corpus.systems:
                raise ValueError(
                    f"there is no system '{system_id}' in this build; there are "
                    f"{', '.join(self.corpus.systems)}"
                )
        with self._lock:
            # As timestamps of the warehouse are: UTC, without a zone.
            self._since = datetime.now(UTC).replace(tzinfo=None)
            suite = self.corpus.suite.get(text)
            item = self._item(text, suite)
            readings, reading = self._read(item)
            answers = tuple(
                self._system_answer(
                    self.corpus.systems[name], item, readings, reading, suite, may_spend
                )
                for name in wanted
            )
        return Asked(text, reading, self._notes(readings), suite, answers)

    def open(self, system_ids: Sequence[str]) -> None:
        """Opens what these systems need, so that no question waits for it."""
        with self._lock:
            for system in map(self.corpus.systems.__getitem__, system_ids):
                if system["system_kind"] in AGENT_KINDS:
                    self._sessions.open(system)
                else:
                    self._opened(system)
                encoder = system["encoder"]
                if encoder in self.corpus.searched.asked and not encoder.startswith(PAID):
                    resolve(encoder).load(int(self._settings["encoder_threads"]))

    # --- the question ------------------------------------------------------------------

    @staticmethod
    def _item(text: str, suite: SuiteQuestion | None) -> pa.Table:
        # The suite's own key: a system that draws at random draws by it.
        item_id, gold_set = (suite.item_id, suite.gold_set) if suite else (LIVE, GOLD_SET)
        nothing = pa.nulls(1, pa.string())
        return pa.table(
            {
                "item_id": [item_id],
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

    def _read(self, item: pa.Table) -> tuple[pa.Table, Reading]:
        started = time.perf_counter()
        corpus = self.corpus
        readings = read_questions(
            *(item, corpus.companies, corpus.filings),
            *(corpus.kpi_patterns, corpus.risk_patterns, corpus.page_cues),
        )
        row = readings.to_pylist()[0]
        return readings, Reading(
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

    def _notes(self, readings: pa.Table) -> tuple[str, ...]:
        row = readings.to_pylist()[0]
        if not row["cik_ints"]:
            shown = ", ".join(sorted(self._names.values())[:SHOWN_RANKS])
            more = len(self._names) - SHOWN_RANKS
            also = f" and {more} more" if more > 0 else ""
            return (
                "No company of this corpus was read from the question. Systems that filter search "
                "all filings that fit its years; the extractive answerer declines where passages "
                f"of several companies are found. Name one or more of: {shown}{also}.",
            )
        filed = set(self.corpus.searched.layout.filings)
        notes = []
        for cik in row["cik_ints"]:
            missing = [year for year in row["years"] if (cik, year) not in filed]
            if missing:
                years = ", ".join(map(str, missing))
                own = ", ".join(str(year) for other, year in sorted(filed) if other == cik)
                notes.append(
                    f"{self._names.get(cik, cik)} has no filing for {years} in this corpus; "
                    f"there are {own or 'none'}."
                )
        return tuple(notes)

    # --- one system --------------------------------------------------------------------

    def _system_answer(
        self,
        system: Row,
        item: pa.Table,
        readings: pa.Table,
        reading: Reading,
        suite: SuiteQuestion | None,
        may_spend: bool,
    ) -> SystemAnswer:
        result = SystemAnswer(system["system_id"], system["description"] or "", "ranked")
        if costs(system) and not may_spend:
            return replace(
                result,
                outcome="not_asked",
                why="It asks a model that may be billed; press Ask to ask it.",
            )
        query = self._query(item, readings)
        if system["system_kind"] in AGENT_KINDS:
            return self._agent_answer(result, system, query, item, readings, reading, suite)
        rows = self._ranked(system, query)
        steps = [Step("read", "company, years, topic and form", None, None, reading.latency_ms)]
        steps += [
            Step(s["stage"], _STEPS.get(s["stage"], ""), s["n_in"], s["n_out"], s["latency_ms"])
            for s in rows[0]["stages"] or ()
        ]
        queries, searched_for = self._queries(system, query)
        result = replace(result, queries=queries, searched_for=searched_for, steps=tuple(steps))
        return self._answered(result, system, item, readings, rows, suite)

    def _agent_answer(
        self,
        result: SystemAnswer,
        system: Row,
        query: SearchQuery,
        item: pa.Table,
        readings: pa.Table,
        reading: Reading,
        suite: SuiteQuestion | None,
    ) -> SystemAnswer:
        trace = self._sessions.trace(system, query, readings.to_pylist()[0])
        read = Step("read", "company, years, topic and form", None, None, reading.latency_ms)
        result = replace(result, steps=(read, looked_up(trace)), tool_calls=tool_calls(trace))
        answer = self._sessions.own_answer(self._system_row(system), trace, readings)
        ranked = ranked_rows(trace, system["depth"])
        rows = [{**row, "system_id": system["system_id"]} for row in ranked]
        return self._answered(result, system, item, readings, rows, suite, answer)

    def _query(self, item: pa.Table, readings: pa.Table) -> SearchQuery:
        """The question as searches see it."""
        prepared = self._models.run(
            "int_queries_prepared",
            items=item,
            py_questions_read=readings,
            companies=self.corpus.companies,
            section_titles=self.corpus.section_titles,
            measure_terms=self.corpus.measure_terms,
            page_terms=self.corpus.page_terms,
        )
        (query,) = read_queries(prepared)
        return query

    def _ranked(self, system: Row, query: SearchQuery) -> list[Row]:
        """Rows of ``rankings`` with stages and calls on the first, as the build has them."""
        stage, pool = self._opened(system), self.corpus.searched
        encoder = system["encoder"]
        known = pool.asked.get(encoder)
        if system["system_kind"] in EMBEDDED_KINDS and known is not None:
            vectors = query_vectors(known, encoder, query.searched, self._settings)
            pool = pool.asking({encoder: vectors})
        method = Methods(pool).of(system)
        rows: list[Row] = ranked_batch([query], method, stage).to_pylist()
        return rows

    def _opened(self, system: Row) -> RerankingStage:
        name = system["system_id"]
        if name not in self._reranking_stages:
            # The pool holds on to what a search opens.
            Methods(self.corpus.searched).of(system).open()
            self._reranking_stages[name] = open_reranking_stage(
                system, self.corpus.searched, self._settings
            )
        return self._reranking_stages[name]

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

    # --- context and answer ------------------------------------------------------------

    def _answered(
        self,
        result: SystemAnswer,
        system: Row,
        item: pa.Table,
        readings: pa.Table,
        rows: list[Row],
        suite: SuiteQuestion | None,
        own_answer: Row | None = None,
    ) -> SystemAnswer:
        """The result with its ranking, context and answer; an agent may bring its own answer."""
        ranked = [row for row in rows if row["rank"] is not None]
        calls = rows[0]["calls"] or []
        known = self._sentences([row["passage_id"] for row in ranked])
        passages, step = self._context(system, item, ranked, known)
        result = replace(
            result,
            steps=(*result.steps, step) if system["answerer"] != "none" else result.steps,
            n_ranked=len(ranked),
            context=tuple(
                records.Passage(row["tag"], row["sentence_text"], row["rank"])
                for row in passages.select(["tag", "sentence_text", "rank"]).to_pylist()
            ),
            n_tokens=int(sum(passages["n_tokens"].to_pylist())),
            ranking=self._found(ranked, known, passages, suite),
            sentence_ids=tuple(row["passage_id"] for row in ranked),
        )
        if rows[0]["failure"]:
            result = replace(result, outcome="failed", why=f"retrieval: {rows[0]['failure']}")
            return replace(result, spent=self._spent(system, item, [], calls))
        if system["answerer"] in (None, "none"):
            why = "" if ranked else "Nothing was found."
            return replace(result, why=why, spent=self._spent(system, item, [], calls))
        answer = own_answer or self._answer(system, item, readings, passages)
        result = self._with_answer(result, answer, item, suite)
        return replace(result, spent=self._spent(system, item, answer["calls"], calls))

    def _context(
        self, system: Row, item: pa.Table, ranked: list[Row], known: pa.Table
    ) -> tuple[pa.Table, Step]:
        started = time.perf_counter()
        rankings = pa.Table.from_pylist(ranked, schema=RANKING_SCHEMA).drop_columns(
            ["stages", "calls", "spread"]
        )
        passages = self._models.run(
            "int_contexts_worded",
            registered_systems=self._system_row(system),
            items=item,
            rankings=rankings,
            sentences=known,
            companies=self.corpus.companies,
            passages=NO_PASSAGES,
            table_cells=NO_CELLS,
        )
        step = Step(
            "context",
            f"the best sentences, up to {system['context_tokens'] or 0:,} tokens",
            len(ranked),
            passages.num_rows,
            ms_since(started),
        )
        return passages.sort_by("context_pos"), step

    def _answer(self, system: Row, item: pa.Table, readings: pa.Table, passages: pa.Table) -> Row:
        """The row of ``py_questions_answered``, with what it would say without a threshold.

        A threshold is measured on all questions of a build, so that of the build is taken.
        """
        is_extractive = system["answerer"] == EXTRACTIVE
        is_measured = is_extractive and str(system["abstain_below"] or "auto").strip() == "auto"
        asked = self._system_row(system)
        if is_measured:
            place = asked.schema.get_field_index("abstain_below")
            asked = asked.set_column(place, "abstain_below", pa.array(["0"], pa.string()))
        expected = item.select(["item_id"]).add_column(
            0, "system_id", pa.array([system["system_id"]], pa.string())
        )
        state_dir = self._scratch.name if is_extractive else str(self._settings["state_dir"])
        settings = {**self._settings, "state_dir": state_dir}
        # The progress line that a build prints is of no use for a single question.
        with redirect_stderr(io.StringIO()) if is_extractive else nullcontext():
            answers = answer_questions(asked, readings, expected, passages, settings).read_all()
        answer: Row = answers.to_pylist()[0]
        if not is_measured:
            return answer
        kind = question_kind(readings, passages)
        row = self.corpus.thresholds.get((system["system_id"], kind), {"threshold": FALLBACK})
        answer |= {"question_kind": kind, "threshold": row["threshold"]}
        if answer["outcome"] == "answered" and answer["support"] < row["threshold"]:
            answer |= {"withheld": answer["answer_text"], "outcome": "abstained"}
            answer |= {"answer_text": None, "numeric_value": None, "unit": None, "citations": []}
        return answer

    def _with_answer(
        self, result: SystemAnswer, answer: Row, item: pa.Table, suite: SuiteQuestion | None
    ) -> SystemAnswer:
        started = time.perf_counter()
        sources = self._sources(answer["citations"], result, suite)
        claims = self._claims(result.system_id, item, answer, sources)
        n_cited = len(sources) or None
        steps = (
            *result.steps,
            Step(
                "answer", how_answered(answer), len(result.context), n_cited, answer["latency_ms"]
            ),
            Step("trace", _TRACING, len(claims), None, ms_since(started)),
        )
        built = self.corpus.answers.get((result.system_id, item["item_id"][0].as_py()))
        return replace(
            result,
            outcome=answer["outcome"],
            why=why_not(answer, len(result.context)),
            text=answer["answer_text"],
            items=items_of(answer),
            numeric_value=answer["numeric_value"],
            unit=answer["unit"],
            support=answer["support"],
            threshold=answer["threshold"],
            kind=answer["question_kind"],
            withheld=answer.get("withheld"),
            steps=steps if claims else steps[:-1],
            sources=sources,
            claims=claims,
            as_built=None if built is None else built == (answer["outcome"], answer["answer_text"]),
        )

    # --- what is shown of it -----------------------------------------------------------

    def _found(
        self,
        ranked: list[Row],
        known: pa.Table,
        passages: pa.Table,
        suite: SuiteQuestion | None,
    ) -> tuple[Found, ...]:
        read = set(passages["sentence_id"].to_pylist())
        by_id = {row["sentence_id"]: row for row in known.to_pylist()}
        rows = [(row, by_id[row["passage_id"]]) for row in ranked[:SHOWN_RANKS]]
        return tuple(
            Found(
                rank=row["rank"],
                sentence_id=row["passage_id"],
                company=self._names.get(one["cik_int"], ""),
                report_year=one["report_year"],
                section_name=one["section_name"],
                text=one["sentence_text"],
                score=row["score"],
                found_by=row["found_by"] or "",
                is_in_context=row["passage_id"] in read,
                is_evidence=is_evidence(row["passage_id"], suite),
            )
            for row, one in rows
        )

    def _sources(
        self, citations: Sequence[Row], result: SystemAnswer, suite: SuiteQuestion | None
    ) -> tuple[Source, ...]:
        rank_of = {sentence_id: rank for rank, sentence_id in enumerate(result.sentence_ids, 1)}
        sources = []
        for number, cited in enumerate(citations, 1):
            source = Source(
                number=number,
                sentence_id=cited["sentence_id"],
                is_known=False,
                is_in_context=cited["is_in_context"],
                quote=cited["quote"],
                rank=rank_of.get(cited["sentence_id"]),
                is_evidence=is_evidence(cited["sentence_id"], suite),
            )
            sources.append(self._placed(source))
        return tuple(sources)

    def _placed(self, source: Source) -> Source:
        """The source with its place and its neighbours, where there is such a sentence."""
        number = self._number(source.sentence_id)
        if number is None:
            return source
        near, _ = self.corpus.searched.layout.window(number, NEIGHBOURS)
        numbers = np.append(near, number)
        place_of = self.corpus.searched.layout.place_of
        rows = self.corpus.sentences.take(
            pa.array(numbers[np.argsort(place_of[numbers])])
        ).to_pylist()
        own = next(row for row in rows if row["sentence_id"] == source.sentence_id)
        return replace(
            source,
            is_known=True,
            company=self._names.get(own["cik_int"], ""),
            report_year=own["report_year"],
            section_name=own["section_name"],
            passage=tuple(
                Neighbour(row["sentence_id"], row["sentence_text"], row is own) for row in rows
            ),
        )

    def _claims(
        self, system_id: str, item: pa.Table, answer: Row, sources: Sequence[Source]
    ) -> tuple[Claim, ...]:
        if answer["outcome"] != "answered":
            return ()
        key = {"system_id": system_id, "item_id": answer["item_id"]}
        gold_set = item["gold_set"][0].as_py()
        citations = [
            {
                **key,
                "gold_set": gold_set,
                "citation_pos": place,
                "passage_id": one["sentence_id"],
                "named": one["sentence_id"],
                **one,
            }
            for place, one in enumerate(answer["citations"])
        ]
        cited = self._sentences([one["sentence_id"] for one in citations])
        answers = [{**key, "gold_set": gold_set, **{n: answer[n] for n in _ANSWER_COLUMNS}}]
        to_trace = self._models.run(
            "int_answers_to_trace",
            answers=pa.Table.from_pylist(answers, schema=_ANSWERS),
            answer_citations=pa.Table.from_pylist(citations, schema=_CITATIONS),
            items=item,
            item_answers=NO_GOLD,
            passages=_passages(cited),
            table_cells=NO_CELLS,
            documents=_documents(cited),
            companies=self.corpus.companies,
        )
        number_of = {one.sentence_id: one.number for one in reversed(sources)}
        return tuple(
            Claim(
                kind=row["claim_kind"],
                text=row["claim_text"],
                support=row["support"],
                reason=row["reason"],
                source=number_of.get(row["passage_id"]),
                is_part=row["parent_pos"] is not None,
            )
            for row in trace_answers(to_trace.to_batches()).read_all().to_pylist()
        )

    def _spent(
        self, system: Row, item: pa.Table, answering: list[Row], reranking: list[Row]
    ) -> Spent | None:
        if not answering and not reranking:
            return None
        key = {"system_id": system["system_id"], "item_id": item["item_id"][0].as_py()}
        key["unit"] = SENTENCE
        rows = self._models.run(
            "llm_calls",
            py_questions_answered=_called({**key, "calls": answering}),
            retrieval_calls=self._models.run(
                "retrieval_calls", int_items_ranked=_called({**key, "calls": reranking})
            ),
            llm_prices=self.corpus.prices,
        ).to_pylist()
        return spent(rows, self._since)

    # --- sentences ---------------------------------------------------------------------

    def _number(self, sentence_id: str) -> int | None:
        ids = self.corpus.searched.numbers.sentence_ids
        place = bisect_left(range(len(ids)), sentence_id, key=lambda number: ids[number].as_py())
        is_there = place < len(ids) and ids[place].as_py() == sentence_id
        return place if is_there else None

    def _sentences(self, sentence_ids: Sequence[str]) -> pa.Table:
        numbers = {self._number(sentence_id) for sentence_id in sentence_ids}
        known = sorted(number for number in numbers if number is not None)
        return self.corpus.sentences.take(pa.array(known, pa.int64()))

    def _system_row(self, system: Row) -> pa.Table:
        rows = self.corpus.system_rows
        return rows.filter(pc.equal(rows["system_id"], system["system_id"]))


def _passages(sentences: pa.Table) -> pa.Table:
    """Sentences as passages, each of a document of its own; see ``_documents``."""
    ids = sentences["sentence_id"]
    columns = {
        "passage_id": ids,
        "document_id": ids,
        "passage_text": sentences["sentence_text"],
        "unit": pa.repeat(SENTENCE, len(ids)),
        "table_pos": pa.nulls(len(ids), pa.int32()),
    }
    return pa.table(columns)


def _documents(sentences: pa.Table) -> pa.Table:
    """The filing of each sentence, by the sentence: its company and its years."""
    years = [
        [one["report_year"], *([one["fiscal_year_end"].year] if one["fiscal_year_end"] else [])]
        for one in sentences.select(["report_year", "fiscal_year_end"]).to_pylist()
    ]
    columns = {
        "document_id": sentences["sentence_id"],
        "cik_int": sentences["cik_int"],
        "company_name": sentences["company_name"],
        "years": pa.array(years, pa.list_(pa.int32())),
    }
    return pa.table(columns)


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


def _called(row: Row) -> pa.Table:
    return pa.Table.from_pylist([row], schema=_CALLED)


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

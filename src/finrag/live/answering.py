"""From the ranking of one question to its answer: context, answer, claims, sources, verdict."""

from __future__ import annotations

import io
import tempfile
import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, redirect_stderr
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.answers.answering import EXTRACTIVE, answer_questions
from finrag.answers.calibration import FALLBACK
from finrag.live import records
from finrag.live.corpus import LiveCorpus, SuiteQuestion
from finrag.live.explanations import (
    how_answered,
    is_evidence,
    items_of,
    ms_since,
    question_kind,
    spent,
    why_not,
)
from finrag.live.judging import judge
from finrag.live.records import Claim, Found, Neighbour, Source, Spent, Step, SystemAnswer, Verdict
from finrag.llm.calls import CALL_TYPE
from finrag.retrieval.pools import SENTENCE
from finrag.retrieval.queries import FILINGS
from finrag.retrieval.ranking import RANKING_SCHEMA
from finrag.scoring.claims import CLAIM_SCHEMA, trace_answers
from finrag.warehouse import Row
from finrag.warehouse.models import SqlModels

SHOWN_RANKS: Final = 10
NEIGHBOURS: Final = 2
_TRACING: Final = "claims against the cited passages"
# Why there is no gold to trace by: nobody has answered a live question before.
NO_GOLD: Final = pa.schema([("item_id", pa.string()), ("answer_type", pa.string())]).empty_table()
_CALLED: Final = pa.schema(
    [
        ("system_id", pa.string()),
        ("item_id", pa.string()),
        ("unit", pa.string()),
        ("calls", pa.list_(CALL_TYPE)),
    ]
)


@dataclass(frozen=True)
class Put:
    """A question as it is put to systems.

    Attributes:
        item: its row of ``items``.
        readings: its row of ``parsed_questions``.
        suite: the question of the gold set; None for one that is nobody's gold.
        since: when it was asked, in UTC.
    """

    item: pa.Table
    readings: pa.Table
    suite: SuiteQuestion | None
    since: datetime

    @property
    def key(self) -> dict[str, str]:
        """Its item and gold set."""
        return {name: self.item[name][0].as_py() for name in ("item_id", "gold_set")}


class Answering:
    """Reads contexts, answers and traces over a warehouse in memory."""

    def __init__(self, corpus: LiveCorpus, models: SqlModels, variables: Mapping[str, Any]) -> None:
        """Takes a loaded warehouse.

        Args:
            corpus: the warehouse.
            models: the SQL models.
            variables: the dbt vars of its build.
        """
        self._corpus, self._models, self._settings = corpus, models, variables
        # Answers of the extractive answerer are cached only as long as this lives.
        self._scratch = tempfile.TemporaryDirectory(prefix="finrag-ask-")
        self._names = {row["cik_int"]: row["display_name"] for row in corpus.companies.to_pylist()}
        owners = corpus.documents.select(["document_id", "cik_int", "report_year"]).to_pylist()
        self._owners = {row["document_id"]: row for row in owners}

    def answered(
        self,
        result: SystemAnswer,
        system: Row,
        put: Put,
        rows: Sequence[Row],
        own_answer: Row | None = None,
    ) -> SystemAnswer:
        """The result with its ranking, context and answer; an agent may bring its own answer.

        Args:
            result: what is known of it so far.
            system: its row of ``registered_systems``.
            put: the question.
            rows: of ``rankings``, with the calls on the first.
            own_answer: a row of ``py_questions_answered``.
        """
        ranked = [row for row in rows if row["rank"] is not None]
        calls = rows[0]["calls"] or []
        passages, step = self._context(system, put, ranked)
        result = replace(
            result,
            steps=(*result.steps, step) if system["answerer"] != "none" else result.steps,
            n_ranked=len(ranked),
            context=tuple(
                records.Passage(row["tag"], row["sentence_text"], row["rank"])
                for row in passages.select(["tag", "sentence_text", "rank"]).to_pylist()
            ),
            n_tokens=int(sum(passages["n_tokens"].to_pylist())),
            ranking=self._found(ranked, passages, put.suite),
            sentence_ids=tuple(row["passage_id"] for row in ranked if row["unit"] == SENTENCE),
        )
        if rows[0]["failure"]:
            result = replace(result, outcome="failed", why=f"retrieval: {rows[0]['failure']}")
            return replace(result, spent=self._spent(system, put, [], calls))
        if system["answerer"] in (None, "none"):
            why = "" if ranked else "Nothing was found."
            return replace(result, why=why, spent=self._spent(system, put, [], calls))
        answer = own_answer or self._answer(system, put, passages)
        result = self._with_answer(result, answer, put, ranked)
        return replace(result, spent=self._spent(system, put, answer["calls"], calls))

    def _context(
        self, system: Row, put: Put, ranked: Sequence[Row]
    ) -> tuple[pa.Table, Step]:  # fmt: skip
        started = time.perf_counter()
        schema = RANKING_SCHEMA
        rankings = pa.Table.from_pylist(list(ranked), schema=schema).drop_columns(
            ["stages", "calls", "spread"]
        )
        cells, tabled = self._tabled([row["passage_id"] for row in ranked])
        known = [row["passage_id"] for row in ranked if row["unit"] == SENTENCE]
        known += [one for one in cells["sentence_id"].to_pylist() if one is not None]
        passages = self._models.run(
            "int_contexts_worded",
            registered_systems=self.row_of(system),
            items=put.item,
            rankings=rankings,
            sentences=self._sentences(known),
            companies=self._corpus.companies,
            passages=tabled,
            table_cells=cells,
        )
        step = Step(
            "context",
            f"the best passages, up to {system['context_tokens'] or 0:,} tokens",
            len(ranked),
            passages.num_rows,
            ms_since(started),
        )
        return passages.sort_by("context_pos"), step

    def _answer(self, system: Row, put: Put, passages: pa.Table) -> Row:
        """The row of ``py_questions_answered``, with what it would say without a threshold.

        A threshold is measured on all questions of a build, so that of the build is taken.
        """
        is_extractive = system["answerer"] == EXTRACTIVE
        is_measured = is_extractive and str(system["abstain_below"] or "auto").strip() == "auto"
        asked = self.row_of(system)
        if is_measured:
            place = asked.schema.get_field_index("abstain_below")
            asked = asked.set_column(place, "abstain_below", pa.array(["0"], pa.string()))
        expected = put.item.select(["item_id"]).add_column(
            0, "system_id", pa.array([system["system_id"]], pa.string())
        )
        state_dir = self._scratch.name if is_extractive else str(self._settings["state_dir"])
        settings = {**self._settings, "state_dir": state_dir}
        # The progress line that a build prints is of no use for a single question.
        with redirect_stderr(io.StringIO()) if is_extractive else nullcontext():
            answers = answer_questions(asked, put.readings, expected, passages, settings).read_all()
        answer: Row = answers.to_pylist()[0]
        if not is_measured:
            return answer
        kind = question_kind(put.readings, passages)
        key = (system["system_id"], put.key["gold_set"], kind)
        row = self._corpus.thresholds.get(key, {"threshold": FALLBACK})
        answer |= {"question_kind": kind, "threshold": row["threshold"]}
        if answer["outcome"] == "answered" and answer["support"] < row["threshold"]:
            answer |= {"withheld": answer["answer_text"], "outcome": "abstained"}
            answer |= {"answer_text": None, "numeric_value": None, "unit": None, "citations": []}
        return answer

    def _with_answer(
        self, result: SystemAnswer, answer: Row, put: Put, ranked: Sequence[Row]
    ) -> SystemAnswer:
        started = time.perf_counter()
        sources = self._sources(answer["citations"], ranked, put.suite)
        cited = self._cited(answer["citations"])
        traced = self._traced(result.system_id, put, answer, cited)
        steps = (
            *result.steps,
            Step(
                *("answer", how_answered(answer), len(result.context), len(sources) or None),
                answer["latency_ms"],
            ),
            Step("trace", _TRACING, traced.num_rows, None, ms_since(started)),
        )
        built = self._corpus.answers.get((result.system_id, put.key["item_id"]))
        said = (answer["outcome"], answer["answer_text"])
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
            steps=steps if traced.num_rows else steps[:-1],
            sources=sources,
            claims=_claims(traced, sources),
            as_built=None if built is None else (built.outcome, built.text) == said,
            verdict=self._verdict(result.system_id, put, answer, traced, cited),
        )

    # --- what is shown of it -----------------------------------------------------------

    def _found(
        self, ranked: Sequence[Row], passages: pa.Table, suite: SuiteQuestion | None
    ) -> tuple[Found, ...]:
        read = set(passages["sentence_id"].to_pylist())
        head = sorted(ranked, key=lambda row: (row["rank"], row["unit"]))[:SHOWN_RANKS]
        found = []
        for row in head:
            one = self._placed(Source(0, row["passage_id"], False, False, None))
            found.append(
                Found(
                    rank=row["rank"],
                    sentence_id=row["passage_id"],
                    company=one.company,
                    report_year=one.report_year or 0,
                    section_name=one.section_name,
                    text=next((part.text for part in one.passage if part.is_source), ""),
                    score=row["score"],
                    found_by=row["found_by"] or "",
                    is_in_context=row["passage_id"] in read,
                    is_evidence=is_evidence(row["passage_id"], suite),
                )
            )
        return tuple(found)

    def _sources(
        self, citations: Sequence[Row], ranked: Sequence[Row], suite: SuiteQuestion | None
    ) -> tuple[Source, ...]:
        rank_of = {row["passage_id"]: row["rank"] for row in ranked}
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
        """The source with its place and its neighbours, where there is such a passage."""
        number = self._number(source.sentence_id)
        if number is None:
            return self._placed_in_table(source)
        near, _ = self._corpus.searched.layout.window(number, NEIGHBOURS)
        numbers = np.append(near, number)
        place_of = self._corpus.searched.layout.place_of
        rows = self._corpus.sentences.take(
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

    def _placed_in_table(self, source: Source) -> Source:
        """A row or a cell as a source."""
        rows = _with(self._corpus.tabled, "passage_id", [source.sentence_id]).to_pylist()
        if not rows:
            return source
        owner = self._owners.get(rows[0]["document_id"], {})
        return replace(
            source,
            is_known=True,
            company=self._names.get(owner.get("cik_int"), ""),
            report_year=owner.get("report_year"),
            section_name=rows[0]["unit"],
            passage=(Neighbour(source.sentence_id, rows[0]["passage_text"] or "", True),),
        )

    # --- claims and verdict ------------------------------------------------------------

    def _cited(self, citations: Sequence[Row]) -> tuple[pa.Table, pa.Table, pa.Table]:
        """What is cited as rows of ``passages``, of ``documents`` and of ``table_cells``."""
        ids = [one["sentence_id"] for one in citations]
        cells, tabled = self._tabled(ids)
        sentences = _as_passages(self._sentences(ids), tabled.schema)
        passages = pa.concat_tables([sentences, tabled])
        documents = pc.unique(passages["document_id"]).to_pylist()
        return passages, _with(self._corpus.documents, "document_id", documents), cells

    def _citations(self, system_id: str, put: Put, answer: Row, passages: pa.Table) -> list[Row]:
        place = dict(
            zip(*(passages[one].to_pylist() for one in ("passage_id", "document_id")), strict=True)
        )
        return [
            {
                "system_id": system_id,
                **put.key,
                "citation_pos": at,
                "passage_id": one["sentence_id"],
                "named": one["sentence_id"],
                "document_id": place.get(one["sentence_id"]),
                "is_known": one["sentence_id"] in place,
                "is_in_context": one["is_in_context"],
                "quote": one["quote"],
            }
            for at, one in enumerate(answer["citations"])
        ]

    def _traced(
        self, system_id: str, put: Put, answer: Row, cited: tuple[pa.Table, pa.Table, pa.Table]
    ) -> pa.Table:
        """Rows under ``CLAIM_SCHEMA``; none where nothing was answered."""
        if answer["outcome"] != "answered":
            return CLAIM_SCHEMA.empty_table()
        passages, documents, cells = cited
        gold = self._corpus.gold
        to_trace = self._models.run(
            "int_answers_to_trace",
            answers=gold.answer_rows([self._door_row(system_id, put, answer)]),
            answer_citations=gold.citation_rows(self._citations(system_id, put, answer, passages)),
            items=put.item,
            item_answers=NO_GOLD,
            passages=passages,
            table_cells=cells,
            documents=documents,
            companies=self._corpus.companies,
        )
        return trace_answers(to_trace.to_batches()).read_all()

    def _door_row(self, system_id: str, put: Put, answer: Row) -> Row:
        """An answer as a row of the door ``answers``."""
        names = ("outcome", "failure", "answer_text", "answer_form", "numeric_value", "unit")
        return {
            "system_id": system_id,
            **put.key,
            **{name: answer.get(name) for name in names},
            "is_citing": True,
        }

    def _verdict(
        self,
        system_id: str,
        put: Put,
        answer: Row,
        traced: pa.Table,
        cited: tuple[pa.Table, pa.Table, pa.Table],
    ) -> Verdict | None:
        if put.suite is None or not put.suite.is_live:
            return None
        passages, documents, _ = cited
        return judge(
            self._corpus.gold,
            self._models,
            self._door_row(system_id, put, answer),
            self._citations(system_id, put, answer, passages),
            traced,
            (passages, documents),
            {
                "registered_systems": self._corpus.system_rows,
                "companies": self._corpus.companies,
                "parsed_questions": put.readings,
                "sentences": self._corpus.sentences,
            },
            self._settings,
        )

    def _spent(
        self, system: Row, put: Put, answering: list[Row], reranking: list[Row]
    ) -> Spent | None:
        if not answering and not reranking:
            return None
        key = {"system_id": system["system_id"], "item_id": put.key["item_id"], "unit": SENTENCE}
        rows = self._models.run(
            "llm_calls",
            py_questions_answered=_called({**key, "calls": answering}),
            retrieval_calls=self._models.run(
                "retrieval_calls", int_items_ranked=_called({**key, "calls": reranking})
            ),
            llm_prices=self._corpus.prices,
        ).to_pylist()
        return spent(rows, put.since)

    # --- sentences and tables ----------------------------------------------------------

    def row_of(self, system: Row) -> pa.Table:
        """The row of ``registered_systems`` of a system."""
        return _with(self._corpus.system_rows, "system_id", [system["system_id"]])

    def _number(self, sentence_id: str) -> int | None:
        ids = self._corpus.searched.numbers.sentence_ids
        place = bisect_left(range(len(ids)), sentence_id, key=lambda number: ids[number].as_py())
        is_there = place < len(ids) and ids[place].as_py() == sentence_id
        return place if is_there else None

    def _sentences(self, sentence_ids: Sequence[str]) -> pa.Table:
        numbers = {self._number(sentence_id) for sentence_id in sentence_ids}
        known = sorted(number for number in numbers if number is not None)
        return self._corpus.sentences.take(pa.array(known, pa.int64()))

    def _tabled(self, ids: Sequence[str]) -> tuple[pa.Table, pa.Table]:
        """Cells that stand in some passages, and these passages with their rows and tables."""
        cells, tabled = self._corpus.table_cells, self._corpus.tabled
        if not cells.num_rows:
            return cells, tabled.slice(0, 0)
        named = pa.array(list(ids), pa.string())
        rows = pc.unique(
            cells.filter(
                pc.or_(
                    pc.is_in(cells["row_id"], value_set=named),
                    pc.or_(
                        pc.is_in(cells["sentence_id"], value_set=named),
                        pc.is_in(cells["cell_id"], value_set=named),
                    ),
                )
            )["row_id"]
        ).to_pylist()
        own = _with(cells, "row_id", rows)
        wanted = [*ids, *rows, *own["cell_id"].to_pylist()]
        found = _with(tabled, "passage_id", wanted)
        tables = _with(tabled, "passage_id", found["parent_id"].to_pylist())
        more = pc.invert(pc.is_in(tables["passage_id"], value_set=pa.array(wanted, pa.string())))
        return own, pa.concat_tables([found, tables.filter(more)])


def _claims(traced: pa.Table, sources: Sequence[Source]) -> tuple[Claim, ...]:
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
        for row in traced.to_pylist()
    )


def _as_passages(sentences: pa.Table, schema: pa.Schema) -> pa.Table:
    """Sentences as rows of the door ``passages``."""
    ids = sentences["sentence_id"]
    known = {
        "passage_id": ids,
        "corpus_id": pa.repeat(FILINGS, len(ids)),
        "document_id": sentences["filing_id"],
        "unit": pa.repeat(SENTENCE, len(ids)),
        "passage_text": sentences["sentence_text"],
        "is_rankable": pa.repeat(True, len(ids)),
    }
    return pa.table(
        [known[one.name].cast(one.type) if one.name in known else pa.nulls(len(ids), one.type)
         for one in schema],
        schema=schema,
    )  # fmt: skip


def _with(table: pa.Table, column: str, values: Sequence[str | None]) -> pa.Table:
    """The rows whose column has one of some values."""
    wanted = pa.array([one for one in values if one is not None], pa.string())
    return table.filter(pc.is_in(table[column], value_set=wanted))


def _called(row: Row) -> pa.Table:
    return pa.Table.from_pylist([row], schema=_CALLED)

"""What a live question reads of a warehouse: copied into memory once, then the file is closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.retrieval.pools import FilingsPool
from finrag.systems.kinds import asks, check_system
from finrag.warehouse import Row, Warehouse, open_warehouse
from finrag.warehouse.folder import step_command

SENTENCE_COLUMNS: Final = (
    "sentence_id, section_id, cik_int, company_name, form, report_year, fiscal_year_end, "
    "section_name, sentence_pos, sentence_text, text_hash, token_count, is_toc, is_heading, "
    "is_navigational"
)
_CHUNKS: Final = """
select chunk_id, section_id, first_sentence_pos, n_sentences, chunk_hash
from sentences.chunks
order by chunk_id
"""
VECTOR_ROWS: Final = 65_536
REPLAY: Final = "replay"


@dataclass(frozen=True)
class SuiteQuestion:
    """A question of the build's own suite.

    Attributes:
        item_id: its key.
        gold_set: its gold set.
        text: the question.
        category: kind of question; None for one without gold.
        difficulty: likewise.
        answer: the right answer in words; None where there is none.
        evidence: sentences that hold the answer.
    """

    item_id: str
    gold_set: str
    text: str
    category: str | None
    difficulty: str | None
    answer: str | None
    evidence: frozenset[str]


@dataclass(frozen=True)
class LiveCorpus:
    """A warehouse in memory, as far as a question needs it.

    Attributes:
        run: the row of ``retrieval.runs``.
        systems: registered systems that are asked questions here, by their id.
        system_rows: the same as a table.
        companies: the door ``companies``.
        filings: names and years of filings.
        kpi_patterns: the seed.
        risk_patterns: the seed.
        page_cues: the seed.
        section_titles: the seed.
        measure_terms: the seed.
        page_terms: the seed.
        prices: the seed ``llm_prices``.
        sentences: ordered by ``sentence_id``; the position is the sentence's number.
        searched: what searches read.
        documents: filings as agents find them by company and year.
        chunk_ids: keys of the chunks, ascending.
        suite: questions of the suite by their text.
        thresholds: ``answer_calibrations`` by system and kind of question.
        answers: outcome and text of the build's own answers by system and question.
        database: the file that all this was read from.
    """

    run: Row
    systems: Mapping[str, Row]
    system_rows: pa.Table
    companies: pa.Table
    filings: pa.Table
    kpi_patterns: pa.Table
    risk_patterns: pa.Table
    page_cues: pa.Table
    section_titles: pa.Table
    measure_terms: pa.Table
    page_terms: pa.Table
    prices: pa.Table
    sentences: pa.Table
    searched: FilingsPool
    documents: pa.Table
    chunk_ids: tuple[str, ...]
    suite: Mapping[str, SuiteQuestion]
    thresholds: Mapping[tuple[str, str], Row]
    answers: Mapping[tuple[str, str], tuple[str, str | None]]
    database: Path


def load_corpus(database: Path, state_dir: str) -> LiveCorpus:
    """Reads a finished warehouse into memory; when this returns, the file is free again.

    Args:
        database: the warehouse file.
        state_dir: where the build cached its indexes.

    Raises:
        ValueError: there is no warehouse, another program is writing to it, its build did not
            finish, or no system of it can be asked.
    """
    lacking = f"no finished build; run `{step_command('build')}` to its end and ask again"
    with open_warehouse(database, lacking) as warehouse:
        return _read(warehouse, database, state_dir)


def _read(warehouse: Warehouse, database: Path, state_dir: str) -> LiveCorpus:
    table = warehouse.table
    run = table("select * from retrieval.runs").to_pylist()[0]
    system_rows = table("select * from retrieval.registered_systems order by system_id")
    registered = system_rows.to_pylist()
    # Nobody has recorded a session of a question that is asked now.
    systems = {
        row["system_id"]: row
        for row in registered
        if asks(row, "questions") and row.get("policy") != REPLAY
    }
    if not systems:
        raise ValueError(f"no system of '{database}' is asked questions; enable one and build")
    for row in systems.values():
        check_system(row)
    sentences, searched, chunk_ids = read_filings(warehouse, state_dir)
    return LiveCorpus(
        run=run,
        systems=systems,
        system_rows=system_rows,
        companies=table("select * from sentences.companies order by cik_int"),
        filings=table(
            "select filing_id, cik_int, report_year, company_name from sentences.filings "
            "order by filing_id"
        ),
        kpi_patterns=table("select * from seeds.kpi_patterns order by kpi_label, pattern"),
        risk_patterns=table("select * from seeds.risk_patterns order by risk_topic, pattern"),
        page_cues=table("select * from seeds.page_cues order by page_kind, pattern"),
        section_titles=table("select * from seeds.section_titles order by section_name"),
        measure_terms=table("select * from seeds.measure_terms order by kpi_label, term_pos"),
        page_terms=table("select * from seeds.page_terms order by page_kind, term_pos"),
        prices=table("select * from seeds.llm_prices order by model"),
        sentences=sentences,
        searched=searched,
        documents=table(
            "select * from sentences.documents where corpus_id = 'filings' order by document_id"
        ),
        chunk_ids=chunk_ids,
        suite=_suite(table),
        thresholds={
            (row["system_id"], row["question_kind"]): row
            for row in table(
                "select * from answers.answer_calibrations where gold_set = 'p3'"
            ).to_pylist()
        },
        answers={
            (row["system_id"], row["item_id"]): (row["outcome"], row["answer_text"])
            for row in table(
                "select system_id, item_id, outcome, answer_text from answers.answers"
            ).to_pylist()
        },
        database=database,
    )


def read_filings(
    warehouse: Warehouse, state_dir: str
) -> tuple[pa.Table, FilingsPool, tuple[str, ...]]:
    """The sentences by ``sentence_id``, what searches them, and the ids of their chunks."""
    sentences = _in_one_piece(
        warehouse.table(f"select {SENTENCE_COLUMNS} from sentences.sentences order by sentence_id")
    )
    chunks = warehouse.table(_CHUNKS)
    chunk_ids = tuple(chunks["chunk_id"].to_pylist())
    return sentences, _searched(warehouse, sentences, chunks, state_dir), chunk_ids


def _in_one_piece(sentences: pa.Table) -> pa.Table:
    """The same rows, each column in one piece: single rows are then taken without a copy of all."""
    place = sentences.schema.get_field_index("sentence_text")
    # 64-bit offsets: the texts of a large corpus do not fit into one piece of two gigabytes.
    texts = sentences["sentence_text"].cast(pa.large_string())
    return sentences.set_column(place, "sentence_text", texts).combine_chunks()


def _searched(
    warehouse: Warehouse, sentences: pa.Table, chunks: pa.Table, state_dir: str
) -> FilingsPool:
    texts = warehouse.table(
        "select text_hash, sentence_text from retrieval.int_texts_distinct order by text_hash"
    )
    queries = warehouse.table(
        "select * from retrieval.py_queries_embedded order by encoder, content_hash"
    )
    indexes = warehouse.table(
        "select system_id, index_id from retrieval.vector_indexes order by system_id"
    )
    contexts = warehouse.table(
        "select section_id, context_text from sentences.sections order by section_id"
    )
    vectors = warehouse.batches("select * from retrieval.embeddings", VECTOR_ROWS)
    return FilingsPool(sentences, texts, chunks, queries, vectors, indexes, state_dir, contexts)


def _suite(table: Any) -> dict[str, SuiteQuestion]:
    """Questions by their text; of two with one text the first by its id."""
    rows = table(
        """
        select
            items.item_id, items.gold_set, items.question_text,
            coalesce(p3_category_mix.title, gold_p3.category) as category,
            gold_p3.difficulty, gold_p3.answer_text, gold_p3.evidence_sentence_ids
        from gold.items
        inner join gold.gold_p3 on items.question_id = gold_p3.question_id
        left join seeds.p3_category_mix on gold_p3.category = p3_category_mix.category
        where items.gold_set = 'p3'
        order by items.item_id desc
        """
    ).to_pylist()
    return {
        row["question_text"]: SuiteQuestion(
            item_id=row["item_id"],
            gold_set=row["gold_set"],
            text=row["question_text"],
            category=row["category"],
            difficulty=row["difficulty"],
            answer=row["answer_text"],
            evidence=frozenset(row["evidence_sentence_ids"] or ()),
        )
        for row in rows
    }

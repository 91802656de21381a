"""What a live question reads of a warehouse: copied into memory once, then the file is closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from finrag.live.gold import Gold, read_gold
from finrag.retrieval.pools import FilingsPool
from finrag.systems.kinds import asks, check_system
from finrag.warehouse import Row, Warehouse, open_warehouse
from finrag.warehouse.folder import step_command

SENTENCE_COLUMNS: Final = (
    "sentence_id, section_id, filing_id, cik_int, company_name, form, report_year, "
    "fiscal_year_end, section_name, sentence_pos, sentence_text, text_hash, token_count, is_toc, "
    "is_heading, is_navigational"
)
_CHUNKS: Final = """
select chunk_id, section_id, first_sentence_pos, n_sentences, chunk_hash
from sentences.chunks
order by chunk_id
"""
# Rows of the filings' tables with their cells and their tables; none where filings come as text.
_TABLED: Final = """
select passages.*, filings.cik_int, filings.report_year
from sentences.passages
left join sentences.filings on passages.document_id = filings.filing_id
where passages.corpus_id = 'filings' and passages.unit in ('row', 'cell', 'table')
order by passages.passage_id
"""
_CELLS: Final = """
select cell_id, row_id, sentence_id, period_start, period_end
from sentences.table_cells
order by cell_id
"""
# A question on the filings is asked now; of any other the build's answers are shown.
_SUITES: Final = """
select
    items.item_id, items.gold_set, items.question_text, items.corpus_id = 'filings' as is_live,
    coalesce(p3_category_mix.title, item_answers.category) as category,
    item_answers.difficulty,
    case
        when item_answers.answer_type = 'no_answer' or not item_answers.is_answerable then null
        else coalesce(item_answers.answer_text, array_to_string(item_answers.answers, '; '))
    end as answer_text,
    evidence.passage_ids
from gold.items
inner join gold.item_answers on items.item_id = item_answers.item_id
left join seeds.p3_category_mix on item_answers.category = p3_category_mix.category
left join (
    select item_id, list(distinct passage_id order by passage_id) as passage_ids
    from metrics.int_references_named
    where passage_id is not null
    group by item_id
) as evidence on items.item_id = evidence.item_id
where items.item_kind = 'question' and trim(coalesce(items.question_text, '')) <> ''
order by items.gold_set, items.item_id
"""
_BUILT: Final = """
select
    answers.system_id, answers.item_id, answers.outcome, answers.answer_text,
    answer_verdicts.is_right, metric_catalogue.label as metric
from answers.answers
left join metrics.answer_verdicts
    on
        answers.system_id = answer_verdicts.system_id
        and answers.item_id = answer_verdicts.item_id
left join seeds.metric_catalogue
    on
        answer_verdicts.metric = metric_catalogue.metric
        and answer_verdicts.k = metric_catalogue.k
        and answer_verdicts.unit = metric_catalogue.unit
        and answer_verdicts.mode = metric_catalogue.mode
order by answers.system_id, answers.item_id
"""
VECTOR_ROWS: Final = 65_536
REPLAY: Final = "replay"
# A question that is nobody's gold is handled as those of this set are.
P3: Final = "p3"


@dataclass(frozen=True)
class SuiteQuestion:
    """A question of a gold set.

    Attributes:
        item_id: its key.
        gold_set: its gold set.
        text: the question.
        category: kind of question; None where the set names none.
        difficulty: likewise.
        answer: the right answer in words; None where declining is right.
        evidence: passages that hold the answer.
        is_live: whether it is about the filings, and can be asked now.
    """

    item_id: str
    gold_set: str
    text: str
    category: str | None
    difficulty: str | None
    answer: str | None
    evidence: frozenset[str]
    is_live: bool = True


@dataclass(frozen=True)
class Built:
    """The build's own answer to a question.

    Attributes:
        outcome: of the door ``answers``.
        text: the answer in words, untrusted; None where there is none.
        is_right: of the door ``answer_verdicts``; None where it is undecided.
        metric: label of the metric that decides; None where none has a value.
    """

    outcome: str
    text: str | None
    is_right: bool | None
    metric: str | None


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
        tabled: rows, cells and tables of the filings.
        table_cells: their cells; see the door ``table_cells``.
        suites: questions by gold set, P3 first; the sets of the filings before public ones.
        gold: what decides whether an answer is right.
        thresholds: ``answer_calibrations`` by system, gold set and kind of question.
        answers: the build's own answers by system and question.
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
    tabled: pa.Table
    table_cells: pa.Table
    suites: Mapping[str, tuple[SuiteQuestion, ...]]
    gold: Gold
    thresholds: Mapping[tuple[str, str, str], Row]
    answers: Mapping[tuple[str, str], Built]
    database: Path

    @property
    def gold_sets(self) -> tuple[str, ...]:
        """Sets whose questions can be asked now; P3 first, also where it has no question."""
        live = [name for name, asked in self.suites.items() if asked[0].is_live]
        return tuple(dict.fromkeys([P3, *live]))

    def question(self, text: str, gold_set: str) -> SuiteQuestion | None:
        """The question of a gold set with this text; of two the first by its id."""
        return next((one for one in self.suites.get(gold_set, ()) if one.text == text), None)


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
        tabled=table(_TABLED),
        table_cells=table(_CELLS),
        suites=_suites(table(_SUITES).to_pylist()),
        gold=read_gold(warehouse),
        thresholds={
            (row["system_id"], row["gold_set"], row["question_kind"]): row
            for row in table("select * from answers.answer_calibrations").to_pylist()
        },
        answers={
            (row["system_id"], row["item_id"]): Built(
                row["outcome"], row["answer_text"], row["is_right"], row["metric"]
            )
            for row in table(_BUILT).to_pylist()
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


def _suites(rows: Iterable[Row]) -> dict[str, tuple[SuiteQuestion, ...]]:
    by_set: dict[str, list[SuiteQuestion]] = {}
    for row in rows:
        question = SuiteQuestion(
            item_id=row["item_id"],
            gold_set=row["gold_set"],
            text=row["question_text"],
            category=row["category"],
            difficulty=row["difficulty"],
            answer=row["answer_text"],
            evidence=frozenset(row["passage_ids"] or ()),
            is_live=row["is_live"],
        )
        by_set.setdefault(row["gold_set"], []).append(question)
    order = sorted(by_set, key=lambda name: (not by_set[name][0].is_live, name))
    return {name: tuple(by_set[name]) for name in order}

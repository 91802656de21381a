"""A warehouse of a few sentences, as far as a live question reads one; nothing is embedded."""

import datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from finrag.embeddings import content_hash

ROOT = Path(__file__).parents[2]
ALDER, BIRCH = 7, 8
SCRIPT = "<script>alert('filing')</script>"
# (company, year): sentences of Item 7 in their order.
FILINGS = {
    (ALDER, 2021): [
        "Fiscal 2021 was a calm year.",
        "Our net sales were $120.5 million in fiscal 2021.",
        f"Our mills ran without a stop {SCRIPT} all year.",
        "Gross margin was 31.0 percent in fiscal 2021.",
    ],
    (ALDER, 2022): [
        "Fiscal 2022 was a year of change.",
        "Our net sales were $150.0 million in fiscal 2022.",
        "The increase in net sales was due to two new mills.",
    ],
    (BIRCH, 2022): [
        "Birch Foods sells bread.",
        "Our net sales were $80.0 million in fiscal 2022.",
        "Competition in bread is intense.",
    ],
}
NAMES = {ALDER: "Alder Works", BIRCH: "Birch Foods"}
SALES = "What were the net sales of Alder Works in fiscal 2021?"
DEFAULTS = {
    "system_kind": "bm25",
    "regime": "filtered",
    "encoder": None,
    "asks": "questions",
    "depth": 10,
    "n_candidates": 20,
    "bm25_k1": 1.5,
    "bm25_b": 0.75,
    "description": "words, counted",
    "index_type": None,
    "reranker": "none",
    "rerank_depth": None,
    "near_duplicate_cosine": None,
    "mmr_lambda": None,
    "answerer": "extractive",
    "answer_sets": "all",
    "abstain_below": "auto",
    "context_sentences": 5,
    "context_tokens": 500,
    "context_order": "score",
    "prompt": "answer_minimal",
    "prompt_hash": None,
    "response_format": "json_object",
    "temperature": 0.0,
    "max_output_tokens": 100,
    "llm_seed": 1,
    "policy": None,
    "tools": None,
    "tool_filters": None,
    "fill_support": None,
    "max_steps": None,
    "on_budget": None,
    "agent_prompt": None,
}
_AGENT = {
    **{"system_kind": "agent", "policy": "scripted", "encoder": "wordllama", "max_steps": 5},
    "fill_support": 0.5,
    **{"tools": "keyword_search+semantic_search+chunk_read", "tool_filters": "on"},
}
SYSTEMS = [
    {"system_id": "words"},
    {"system_id": "words_open", "regime": "open"},
    {"system_id": "ranks_only", "answerer": "none"},
    {"system_id": "model", "answerer": "openai:test-model"},
    {**_AGENT, "system_id": "looks"},
    {
        **{**_AGENT, "system_id": "model_looks", "policy": "llm", "agent_prompt": "agent"},
        **{"answerer": "openai:test-model", "on_budget": "abstain", "max_steps": 2},
    },
    {"system_id": "replays", "system_kind": "agent", "policy": "replay"},
]
_DOUBLES = (
    "fill_support",
    "bm25_k1",
    "bm25_b",
    "near_duplicate_cosine",
    "mmr_lambda",
    "temperature",
)
_WHOLE = ("depth", "n_candidates", "rerank_depth", "context_sentences", "context_tokens",
          "max_output_tokens", "llm_seed", "max_steps")  # fmt: skip


def sentences():
    rows = []
    for (cik, year), texts in FILINGS.items():
        for position, text in enumerate(texts):
            rows.append(
                {
                    "sentence_id": f"{cik:04}_{year}_7_{position}",
                    "section_id": f"{cik:04}_{year}_7",
                    "filing_id": f"{cik}_{year}",
                    "cik_int": cik,
                    "company_name": NAMES[cik],
                    "form": "10-K",
                    "report_year": year,
                    "fiscal_year_end": datetime.date(year, 12, 31),
                    "section_name": "ITEM_7",
                    "sentence_pos": position,
                    "sentence_text": text,
                    "text_hash": content_hash(text.lower()),
                    "token_count": len(text.split()),
                    "is_toc": False,
                    "is_heading": False,
                    "is_navigational": False,
                }
            )
    return rows


def systems():
    types = dict.fromkeys(_DOUBLES, pa.float64()) | dict.fromkeys(_WHOLE, pa.int32())
    names = ["system_id", *DEFAULTS]
    schema = pa.schema([(name, types.get(name, pa.string())) for name in names])
    return pa.Table.from_pylist([{**DEFAULTS, **row} for row in SYSTEMS], schema=schema)


def companies():
    return [
        {
            "cik_int": cik,
            "company_name": f"{name.upper()} INC",
            "display_name": name,
            "possessive_name": f"{name}'s",
            "aliases": [name.split()[0]],
            "ticker": name[:3].upper(),
        }
        for cik, name in NAMES.items()
    ]


def write(path, threshold=0.1):
    """Writes the warehouse; answers about levels need a support of ``threshold``."""
    rows = sentences()
    texts = {row["text_hash"]: row["sentence_text"] for row in rows}
    tables = {
        "sentences.sentences": pa.Table.from_pylist(rows),
        "sentences.companies": pa.Table.from_pylist(companies()),
        "sentences.filings": pa.Table.from_pylist(
            [
                {"filing_id": f"{c}_{y}", "cik_int": c, "report_year": y, "company_name": NAMES[c]}
                for c, y in FILINGS
            ]
        ),
        "sentences.sections": pa.Table.from_pylist(
            [
                {"section_id": section, "context_text": f"{NAMES[cik]} {year} 10-K Discussion"}
                for section, cik, year in sorted(
                    {(row["section_id"], row["cik_int"], row["report_year"]) for row in rows}
                )
            ]
        ),
        "sentences.chunks": pa.Table.from_pylist(
            [
                {
                    "chunk_id": f"{section}_0",
                    "section_id": section,
                    "first_sentence_pos": 0,
                    "n_sentences": len(FILINGS[filing]),
                    "chunk_hash": content_hash(section),
                }
                for section, *filing in sorted(
                    {(row["section_id"], row["cik_int"], row["report_year"]) for row in rows}
                )
                for filing in [tuple(filing)]
            ]
        ),
        "sentences.documents": pa.Table.from_pylist(
            [
                {
                    "document_id": f"{cik}_{year}",
                    "corpus_id": "filings",
                    "company_name": NAMES[cik],
                    "cik_int": cik,
                    "report_year": year,
                    "years": [year],
                    "title": f"{NAMES[cik]} {year}",
                    "form": "10-K",
                }
                for cik, year in FILINGS
            ]
        ),
        "retrieval.registered_systems": systems(),
        "retrieval.int_texts_distinct": pa.table(
            {"text_hash": list(texts), "sentence_text": list(texts.values())}
        ),
    }
    with duckdb.connect(str(path)) as warehouse:
        for room in ("sentences", "retrieval", "answers", "gold", "metrics", "seeds"):
            warehouse.execute(f"create schema {room}")
        for name, table in tables.items():
            warehouse.register("given", table)
            warehouse.execute(f"create table {name} as select * from given")
            warehouse.unregister("given")
        warehouse.execute(_REST)
        warehouse.execute(
            "insert into answers.answer_calibrations values ('words', 'p3', 'level', ?)",
            [threshold],
        )
        for name in ("metric_catalogue", "deciding_metrics"):
            (file,) = (ROOT / "seeds").rglob(f"{name}.csv")
            warehouse.execute(f"create table seeds.{name} as from read_csv('{file}')")
        warehouse.execute(_GOLD)
        warehouse.execute(
            "insert into gold.items values ('p3:1', 'p3', 'question', 'filings', null, '1', ?)",
            [SALES],
        )
    return path


_REST = """
create table retrieval.runs as select
    'run' || repeat('0', 9) as run_id, 'sample' as corpus, 'none' as encoder,
    3 as n_filings, 10 as n_sentences, timestamp '2024-01-01 12:00:00' as built_at;
create table retrieval.py_queries_embedded (
    encoder varchar, encoder_id varchar, content_hash varchar, vector float[], latency_ms double
);
create table retrieval.embeddings (
    encoder varchar, encoder_id varchar, text_hash varchar, vector float[]
);
create table retrieval.vector_indexes (system_id varchar, index_id varchar);
create table seeds.kpi_patterns as select
    'revenue' as kpi_label, 'net sales|revenue' as pattern, 'net sales' as noun_phrase,
    'money' as value_kind;
create table seeds.risk_patterns as select 'competition' as risk_topic, 'competit' as pattern;
create table seeds.section_titles as select 'ITEM_7' as section_name, 'Discussion' as title;
create table seeds.measure_terms as select
    'revenue' as kpi_label, 0 as term_pos, 'net sales' as term;
create table seeds.page_cues as select 'balance_sheet' as page_kind, 'total assets' as pattern;
create table seeds.page_terms as select
    'balance_sheet' as page_kind, 0 as term_pos, 'total assets' as term;
create table seeds.llm_prices as select
    'test-model' as model, 1.0::double as input_usd_per_million,
    2.0::double as output_usd_per_million;
create table seeds.p3_category_mix as select 'A' as category, 'local factual' as title;
create table sentences.passages (
    passage_id varchar, corpus_id varchar, document_id varchar, unit varchar, parent_id varchar,
    position bigint, page integer, table_pos integer, row_pos integer, column_pos integer,
    title varchar, passage_text varchar, is_rankable boolean
);
create table sentences.table_cells (
    cell_id varchar, row_id varchar, sentence_id varchar, period_start date, period_end date
);
create table answers.answer_calibrations (
    system_id varchar, gold_set varchar, question_kind varchar, threshold double
);
create table answers.answers (
    system_id varchar, gold_set varchar, item_id varchar, outcome varchar, failure varchar,
    answer_text varchar, answer_form varchar, numeric_value double, unit varchar, answer varchar,
    scale varchar, program varchar, is_citing boolean
);
create table answers.answer_citations (
    system_id varchar, gold_set varchar, item_id varchar, citation_pos integer, passage_id varchar,
    document_id varchar, document varchar, page integer, named varchar, is_known boolean,
    is_in_context boolean, quote varchar
);
create table gold.items (
    item_id varchar, gold_set varchar, item_kind varchar, corpus_id varchar, document_id varchar,
    question_id varchar, question_text varchar
);
create table gold.item_answers (
    item_id varchar, gold_set varchar, question_id varchar, answer_type varchar,
    answer_text varchar, answer_numeric double, answer_unit varchar, tolerance double,
    answers varchar[], is_list boolean, is_answerable boolean, scale varchar,
    executed_answer varchar, category varchar, difficulty varchar, cik_int bigint[],
    years integer[]
);
create table gold.gold_p3 (question_id varchar, evidence_sentence_ids varchar[]);
create table gold.judgments (
    gold_set varchar, item_id varchar, evidence_id varchar, passage_id varchar, unit varchar,
    grade integer, is_topic boolean
);
create table metrics.int_references_named (
    item_id varchar, evidence_id varchar, passage_id varchar, document_id varchar,
    document varchar, page integer
);
create table metrics.answer_verdicts (
    system_id varchar, item_id varchar, is_right boolean, metric varchar, k integer,
    unit varchar, mode varchar
);
"""

# One question of P3, and one of a public set with a build's wrong answer to it.
_GOLD = """
insert into gold.items values
    ('quiz:1', 'quiz', 'question', 'quiz', 'page', '1', 'Who bakes the <b>bread</b>?');
insert into gold.item_answers by name
select
    'p3:1' as item_id, 'p3' as gold_set, '1' as question_id, 'numeric' as answer_type,
    '$120.5 million' as answer_text, 120.5e6 as answer_numeric, 'USD' as answer_unit,
    0.0 as tolerance, true as is_answerable, 'A' as category, 'low' as difficulty,
    [7] as cik_int, [2021] as years;
insert into gold.item_answers by name
select
    'quiz:1' as item_id, 'quiz' as gold_set, '1' as question_id, 'span' as answer_type,
    ['Birch'] as answers, true as is_answerable;
insert into gold.judgments values
    ('p3', 'p3:1', '0007_2021_7_1', '0007_2021_7_1', 'sentence', 3, false);
insert into metrics.int_references_named values
    ('p3:1', '0007_2021_7_1', '0007_2021_7_1', null, null, null);
insert into answers.answers by name
select
    'words' as system_id, 'quiz' as gold_set, 'quiz:1' as item_id, 'answered' as outcome,
    'Alder <i>' as answer_text;
insert into metrics.answer_verdicts values
    ('words', 'quiz:1', false, 'em', 0, 'answer', 'official');
"""

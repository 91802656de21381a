"""A warehouse of a few sentences, as far as a live question reads one; nothing is embedded."""

import datetime

import duckdb
import pyarrow as pa

from finrag.embeddings import content_hash

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
        for room in ("sentences", "retrieval", "answers", "gold", "seeds"):
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
        warehouse.execute("insert into gold.items values ('p3:1', 'p3', '1', ?)", [SALES])
        warehouse.execute(
            "insert into gold.gold_p3 values ('1', 'A', 'low', '$120.5 million', ['0007_2021_7_1'])"
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
create table seeds.kpi_patterns as select 'revenue' as kpi_label, 'net sales' as pattern;
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
create table answers.answer_calibrations (
    system_id varchar, gold_set varchar, question_kind varchar, threshold double
);
create table answers.answers (
    system_id varchar, item_id varchar, outcome varchar, answer_text varchar
);
create table gold.items (
    item_id varchar, gold_set varchar, question_id varchar, question_text varchar
);
create table gold.gold_p3 (
    question_id varchar, category varchar, difficulty varchar, answer_text varchar,
    evidence_sentence_ids varchar[]
);
"""

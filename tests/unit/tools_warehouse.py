"""A warehouse of a few filings and a public set with a dialogue, as far as tools read one."""

import duckdb
import pyarrow as pa

from tests.unit import asked_warehouse

PAGE = "pub:d/1.pdf"
GOLD = "GOLD-ANSWER-120.5"
EVIDENCE = "0007_2021_7_1"
QUESTIONS = [
    # item, gold set, corpus, text, document, dialogue, turn
    ("p3:1", "p3", "filings", asked_warehouse.SALES, None, None, None),
    ("p3:2", "p3", "filings", "What does Birch Foods sell?", None, None, None),
    ("p3:3", "p3", "filings", "Who owns the mills of Alder Works?", None, None, None),
    ("p3_tables:1", "p3_tables", "filings", "What did rails of Alder earn?", None, None, None),
    ("pub:d-1", "pub", "pub", "What was the growth of rails?", PAGE, "d", 0),
    ("pub:d-2", "pub", "pub", "And of steel?", PAGE, "d", 1),
]
PASSAGES = [
    (f"{PAGE}#text-0", PAGE, "text", 0, "Rails grew by 4 percent."),
    (f"{PAGE}#text-1", PAGE, "text", 1, "Steel grew by 9 percent."),
    ("pub:e#text-0", "pub:e", "text", 0, "Rails shrank elsewhere."),
]
TABLE = "0007_2021_7_T0"
# Of the filings: passage, table or row that it is of, unit, position, text.
TABLE_PASSAGES = [
    (f"{TABLE}_R0", TABLE, "row", 0, "Rails; 2021: 40.2; 2020: 38.0"),
    (f"{TABLE}_R0_C0", f"{TABLE}_R0", "cell", 0, "Rails 2021 40.2"),
    (f"{TABLE}_R0_C1", f"{TABLE}_R0", "cell", 1, "Rails 2020 38.0"),
    (f"{TABLE}_R1", TABLE, "row", 1, "Steel; 2021: 80.3; 2020: 70.1"),
    (f"{TABLE}_R1_C0", f"{TABLE}_R1", "cell", 0, "Steel 2021 80.3"),
]


def write(path):
    """Writes it; every right answer holds ``GOLD``."""
    asked_warehouse.write(path)
    items = [
        {
            **{"item_id": item, "question_id": item.partition(":")[2], "gold_set": gold},
            **{"item_kind": "question", "corpus_id": corpus, "question_text": text},
            **{"document_id": document, "dialogue_id": dialogue, "turn": turn},
        }
        for item, gold, corpus, text, document, dialogue, turn in QUESTIONS
    ]
    answers = [
        {
            **{"item_id": one["item_id"], "category": "AB"[place % 2], "difficulty": "low"},
            **{"answer_type": "numeric", "retrieval_scope": "local", "cik_int": [7]},
            **{"years": [2021], "section_hints": ["ITEM_7"], "answer_text": GOLD},
            **{"answers": [GOLD], "is_answerable": one["item_id"] != "p3:3"},
        }
        for place, one in enumerate(items)
    ]
    passages = [
        {
            **{"passage_id": passage, "document_id": document, "unit": unit, "position": position},
            **{"passage_text": text, "corpus_id": "pub", "parent_id": None, "is_rankable": True},
        }
        for passage, document, unit, position, text in PASSAGES
    ]
    passages += [
        {
            **{"passage_id": passage, "document_id": "7_2021", "unit": unit, "position": position},
            **{"passage_text": text, "corpus_id": "filings", "parent_id": parent},
            **{"is_rankable": True},
        }
        for passage, parent, unit, position, text in TABLE_PASSAGES
    ]
    documents = [
        {
            **{"document_id": f"{cik}_{year}", "corpus_id": "filings", "cik_int": cik},
            **{"company_name": asked_warehouse.NAMES[cik], "report_year": year, "years": [year]},
            **{"title": "", "form": "10-K"},
        }
        for cik, year in asked_warehouse.FILINGS
    ]
    documents += [
        {"document_id": document, "corpus_id": "pub", "title": document, "years": []}
        for document in (PAGE, "pub:e")
    ]
    chunks = [
        {
            **{"chunk_id": f"{cik:04}_{year}_7_chunk_0", "section_id": f"{cik:04}_{year}_7"},
            **{"first_sentence_pos": 0, "n_sentences": len(texts), "chunk_hash": f"{cik}{year}"},
            **{"chunk_text": " ".join(texts)},
        }
        for (cik, year), texts in asked_warehouse.FILINGS.items()
    ]
    judgments = [
        {
            **{"gold_set": item.partition(":")[0], "item_id": item, "passage_id": passage},
            **{"evidence_id": f"{item}#0", "evidence_kind": "text", "grade": 1, "is_topic": False},
        }
        for item, passage in (
            *(("p3:1", EVIDENCE), ("pub:d-1", f"{PAGE}#text-0")),
            ("p3_tables:1", f"{TABLE}_R0_C0"),
        )
    ]
    tables = {
        "gold.judgments": pa.Table.from_pylist(judgments),
        "gold.items": pa.Table.from_pylist(items),
        "gold.item_answers": pa.Table.from_pylist(answers),
        "sentences.passages": pa.Table.from_pylist(passages),
        "sentences.documents": pa.Table.from_pylist(documents),
        "sentences.chunks": pa.Table.from_pylist(chunks),
    }
    with duckdb.connect(str(path)) as warehouse:
        for name, table in tables.items():
            warehouse.register("given", table)
            warehouse.execute(f"create or replace table {name} as select * from given")
            warehouse.unregister("given")
        warehouse.execute("alter table gold.gold_p3 add column company_name varchar")
        warehouse.execute(
            "create table retrieval.parsed_questions (item_id varchar, gold_set varchar, "
            "question_text varchar, cik_ints bigint[], years integer[])"
        )
    return path

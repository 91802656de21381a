"""The loaders of the benchmarks by the name that the catalogue of files gives them."""

from collections.abc import Callable, Mapping
from typing import Final

from finrag.records.fields import Record
from finrag.sources.benchmarks.loaders.arag import ENTRY, load_arag_chunk, load_arag_question
from finrag.sources.benchmarks.loaders.beir import load_beir, load_qrels
from finrag.sources.benchmarks.loaders.financebench import (
    load_financebench,
    load_financebench_answers,
    load_financebench_documents,
    load_page_table,
)
from finrag.sources.benchmarks.loaders.finqa import load_convfinqa, load_docfinqa, load_finqa
from finrag.sources.benchmarks.loaders.multihiertt import load_multihiertt
from finrag.sources.benchmarks.loaders.nested_queries import load_nested_queries, load_table_file
from finrag.sources.benchmarks.loaders.pdf_pages import load_pdf_page
from finrag.sources.benchmarks.loaders.predictions import load_predictions
from finrag.sources.benchmarks.loaders.query_sets import (
    load_finance_agent,
    load_financial_qa_10k,
    load_finder,
    load_fintextqa,
    load_graded_queries,
    load_kgrag,
    load_multihop_rag,
    load_query_file,
)
from finrag.sources.benchmarks.loaders.tatqa import load_tatqa
from finrag.sources.benchmarks.loaders.transcripts import load_transcript
from finrag.sources.benchmarks.records import Loaded, Source

Loader = Callable[[Record, Source], Loaded]

LOADERS: Final[Mapping[str, Loader]] = {
    "arag_chunks": load_arag_chunk,
    "arag_questions": load_arag_question,
    "beir": load_beir,
    "convfinqa": load_convfinqa,
    "docfinqa": load_docfinqa,
    "finance_agent": load_finance_agent,
    "financebench": load_financebench,
    "financebench_answers": load_financebench_answers,
    "financebench_documents": load_financebench_documents,
    "financial_qa_10k": load_financial_qa_10k,
    "finder": load_finder,
    "finqa": load_finqa,
    "fintextqa": load_fintextqa,
    "graded_queries": load_graded_queries,
    "kgrag": load_kgrag,
    "multihiertt": load_multihiertt,
    "multihop_rag": load_multihop_rag,
    "nested_queries": load_nested_queries,
    "page_table": load_page_table,
    "pdf_page": load_pdf_page,
    "predictions": load_predictions,
    "qrels": load_qrels,
    "query_file": load_query_file,
    "rankings": load_predictions,
    "table_file": load_table_file,
    "tatqa": load_tatqa,
    "transcript": load_transcript,
}

# The field that a record of plain text becomes, by the loader that reads such records.
TEXT_FIELDS: Final[Mapping[str, str]] = {"arag_chunks": ENTRY}

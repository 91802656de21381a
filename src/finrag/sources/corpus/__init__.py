"""Readers of corpora.

Three readers turn files into streamed Arrow rows, one row per raw record, good or bad:
`read_filings` for one-record-a-filing corpora (EDGAR-CORPUS, edgar-crawler), `raw_rows` for filings
as filed, and `read_sentence_rows` for tables that already hold one sentence per row. A broken
record becomes a row with `record_status = 'quarantined'` that says where it lies, what is wrong
and what to do; a path that does not exist or holds the wrong kind of data stops the build with a
`ValueError`. `open_filings` and `open_sentence_rows` choose between them by the dbt var ``corpus``.
"""

from finrag.sources.corpus.filings import FILING_RECORD_SCHEMA, read_filings
from finrag.sources.corpus.opening import (
    Wanted,
    benchmark_paths,
    check_corpus,
    open_benchmark_records,
    open_company_names,
    open_filings,
    open_sentence_rows,
    tell_benchmarks,
)
from finrag.sources.corpus.parts import CorpusPart, check_rows, corpus_parts
from finrag.sources.corpus.raw import Limits
from finrag.sources.corpus.sentences import SENTENCE_ROW_SCHEMA, read_sentence_rows

__all__ = [
    "FILING_RECORD_SCHEMA",
    "SENTENCE_ROW_SCHEMA",
    "CorpusPart",
    "Limits",
    "Wanted",
    "benchmark_paths",
    "check_corpus",
    "check_rows",
    "corpus_parts",
    "open_benchmark_records",
    "open_company_names",
    "open_filings",
    "open_sentence_rows",
    "read_filings",
    "read_sentence_rows",
    "tell_benchmarks",
]

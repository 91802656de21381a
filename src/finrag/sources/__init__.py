"""Readers of the corpora that a person points the warehouse at.

Two readers turn files into streamed Arrow rows, one row per raw record, good or bad:
`read_filings` for one-record-a-filing corpora (EDGAR-CORPUS, edgar-crawler) and
`read_sentence_rows` for tables that already hold one sentence a row. A broken record becomes a
row with `record_status = 'quarantined'` that says where it lies, what is wrong and what to do;
a path that leads nowhere or to the wrong kind of data stops the build with a `ValueError`.
"""

from finrag.sources.filings import FILING_RECORD_SCHEMA, read_filings
from finrag.sources.identity import (
    ITEMS,
    canonical_item,
    make_filing_id,
    make_sentence_id,
    normalise_form,
    parse_cik,
    parse_year,
)
from finrag.sources.sentences import SENTENCE_ROW_SCHEMA, read_sentence_rows

__all__ = [
    "FILING_RECORD_SCHEMA",
    "ITEMS",
    "SENTENCE_ROW_SCHEMA",
    "canonical_item",
    "make_filing_id",
    "make_sentence_id",
    "normalise_form",
    "parse_cik",
    "parse_year",
    "read_filings",
    "read_sentence_rows",
]

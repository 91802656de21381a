"""Rows of raw records: where each was found, and why one of them could not be read."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import nullable
from finrag.records.files import RecordFaultError
from finrag.records.json_records import RawRecord, row_excerpt

# The columns that rows of every source begin with.
FOUND_FIELDS: Final = (
    pa.field("source_file", pa.string(), nullable=False),
    pa.field("source_line", pa.int64(), nullable=False),
    pa.field("record_status", pa.string(), nullable=False),
    *nullable(pa.string(), "reason_code", "reason", "remedy", "raw_excerpt"),
)

_BATCH_ROWS: Final = 1024

Row = dict[str, Any]


def quarantined(source_file: str, record: RawRecord, fault: RecordFaultError) -> Row:
    """Return the row of a record that could not be read: `FOUND_FIELDS` alone."""
    return {
        "source_file": source_file,
        "source_line": record.number,
        "record_status": "quarantined",
        "reason_code": fault.code,
        "reason": fault.reason,
        "remedy": f"In {source_file}, {record.unit} {record.number}: {fault.advice}.",
        "raw_excerpt": fault.excerpt or record.excerpt or row_excerpt(record.value),
    }


def row_reader(rows: Iterable[Row], schema: pa.Schema) -> pa.RecordBatchReader:
    """Return a reader of rows under a schema, a thousand at a time; what a row lacks is null."""
    return pa.RecordBatchReader.from_batches(schema, _batches(rows, schema))


def _batches(rows: Iterable[Row], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    held: list[Row] = []
    for row in rows:
        held.append(row)
        if len(held) == _BATCH_ROWS:
            yield pa.RecordBatch.from_pylist(held, schema=schema)
            held = []
    if held:
        yield pa.RecordBatch.from_pylist(held, schema=schema)

"""Rows of raw records: where each was found, and why one of them could not be read."""

from collections.abc import Callable, Iterable, Iterator
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


def record_row(source_file: str, record: RawRecord, parse: Callable[[Any], Row]) -> Row:
    """Return the row of a record: where it stands, and what was read from it.

    Args:
        source_file: the file as it is shown.
        record: what the file holds.
        parse: gives the other columns from the value of the record; a `RecordFaultError` that it
            raises quarantines the record, as one does that the file's reader found.
    """
    try:
        if isinstance(record.value, RecordFaultError):
            raise record.value
        fields = parse(record.value)
    except RecordFaultError as fault:
        return quarantined(source_file, record, fault)
    return {
        "source_file": source_file,
        "source_line": record.number,
        "record_status": "read",
        **fields,
    }


def quarantined(source_file: str, record: RawRecord, fault: RecordFaultError) -> Row:
    """Return the row of a record that could not be read: `FOUND_FIELDS` alone."""
    texts = {
        "reason": fault.reason,
        "remedy": f"In {source_file}, {record.unit} {record.number}: {fault.advice}.",
        "raw_excerpt": fault.excerpt or record.excerpt or row_excerpt(record.value),
    }
    return {
        "source_file": source_file,
        "source_line": record.number,
        "record_status": "quarantined",
        "reason_code": fault.code,
        # A JSON escape can name half a character, which no table can hold.
        **{name: text.encode("utf-8", "backslashreplace").decode() for name, text in texts.items()},
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

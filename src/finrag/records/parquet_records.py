"""Rows of parquet files as raw records, however broken the file is."""

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from finrag.records.files import READ_ERRORS, RecordFaultError, SourceFile, unreadable
from finrag.records.json_records import RawRecord, not_utf8
from finrag.records.sentence_files import parquet_rows


def read_parquet_records(
    file: SourceFile, excerpt: Callable[[Any], str] | None = None
) -> Iterator[RawRecord]:
    """Yield the rows of a parquet file in file order, each a mapping or a fault.

    Args:
        file: the file; one that cannot be read yields one fault.
        excerpt: gives the start of a row for a person to recognise it by; null for none.
    """
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(file.path).names
    except (*READ_ERRORS, pa.ArrowException) as error:
        yield RawRecord(1, "row", unreadable(error, "no row of it was read"), "")
        return
    for batch in parquet_rows(file, dict(zip(names, names, strict=True))):
        for line, fault in batch.faults:
            yield RawRecord(line, "row", fault, fault.excerpt)
        if batch.rows is not None:
            rows = _whole_microseconds(batch.rows)
            for place, line in enumerate(batch.lines):
                value = _row(rows.slice(place, 1))
                yield RawRecord(int(line), "row", value, excerpt(value) if excerpt else "")


def _whole_microseconds(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return `rows` with times that Python can hold, which knows no nanoseconds."""
    columns = [
        column.cast(pa.timestamp("us", column.type.tz), safe=False)
        if pa.types.is_timestamp(column.type)
        else column
        for column in rows.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=rows.schema.names)


def _row(row: pa.RecordBatch) -> object:
    try:
        return row.to_pylist()[0]
    except UnicodeDecodeError as error:
        return not_utf8(str(error))
    except (OverflowError, ValueError) as error:
        reason = f"the row cannot be read ({error})"
        return RecordFaultError("unreadable_row", reason, "write the table again")

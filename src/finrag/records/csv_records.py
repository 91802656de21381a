"""Rows of CSV files as raw records, however broken the file is."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping

from finrag.records.csv_tables import wrong_separator
from finrag.records.files import (
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    open_bytes,
    unreadable,
    visible,
)
from finrag.records.json_records import RawRecord
from finrag.records.sentence_files import csv_rows

Row = Mapping[str, bytes | None]


def read_csv_records(
    file: SourceFile, fields: Callable[[Row], object], excerpt: Callable[[Row], str] | None = None
) -> Iterator[RawRecord]:
    """Yield the rows of a CSV file in file order, each by its line.

    Args:
        file: the file; its first row names the columns, and those without a name are left out.
        fields: gives the value of a record from its cells, which are bytes so that one that is not
            UTF-8 spoils its own row only; a fault where it cannot.
        excerpt: gives the start of a row for a person to recognise it by; null for none.

    Returns:
        A record per row, and a fault for each row of the wrong width and for a quotation that is
        never closed. One fault for a file that is empty, cannot be read, has other separators
        than commas, or names two columns alike.
    """
    try:
        names = column_names(file)
    except (*READ_ERRORS, csv.Error) as error:
        yield RawRecord(1, "line", unreadable(error, "no row of it was read"), "")
        return
    if not names:
        yield RawRecord(1, "line", empty_file(), "")
        return
    if len(set(names)) < len(names):
        reason = "the header has the same column twice, so one of the values would be lost"
        fault = RecordFaultError("repeated_field", reason, "keep each column once")
        yield RawRecord(1, "line", fault, visible(",".join(names)))
        return
    if separator := wrong_separator(names):
        reason = f"the columns are separated by {separator}, a CSV file has commas"
        fault = RecordFaultError("wrong_separator", reason, "save the table as CSV with commas")
        yield RawRecord(1, "line", fault, visible(names[0]))
        return
    last = 1
    for batch in csv_rows(file, dict(zip(names, names, strict=True))):
        found = [RawRecord(line, "line", fault, fault.excerpt) for line, fault in batch.faults]
        rows = batch.rows.to_pylist() if batch.rows is not None else []
        found += [
            RawRecord(int(line), "line", fields(row), excerpt(row) if excerpt else "")
            for line, row in zip(batch.lines, rows, strict=True)
        ]
        last = max((record.number for record in found), default=last)
        yield from sorted(found, key=lambda record: record.number)
    if _has_open_quotation(file):
        reason = "a quotation mark is never closed: the rows after it may have been read as one"
        advice = "close the quotation, and write a quotation mark inside one twice"
        yield RawRecord(last + 1, "line", RecordFaultError("open_quotation", reason, advice), "")


def _has_open_quotation(file: SourceFile) -> bool:
    """Whether a file ends inside a quotation, as far as its rows can be read at all."""
    try:
        with open_bytes(file.path) as stream:
            marks = sum(block.count(b'"') for block in iter(lambda: stream.read(1 << 20), b""))
    except READ_ERRORS:
        return False
    return marks % 2 == 1


def column_names(file: SourceFile) -> list[str]:
    """Return the named columns; a spreadsheet may leave some without a name."""
    with (
        open_bytes(file.path) as stream,
        io.TextIOWrapper(stream, "utf-8-sig", errors="backslashreplace", newline="") as text,
    ):
        return [name for name in next(csv.reader(text), []) if name.strip()]

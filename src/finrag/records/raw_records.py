"""The raw records of one file, whatever its format and however broken it is."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from finrag.records.csv_records import read_csv_records
from finrag.records.files import (
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    open_bytes,
    unreadable,
    visible,
)
from finrag.records.json_records import (
    RawRecord,
    RepeatedFields,
    not_an_object,
    not_utf8,
    read_json_records,
    repeated_field,
)
from finrag.records.parquet_records import read_parquet_records
from finrag.records.pdf_records import read_pdf_records
from finrag.records.trec_runs import RunLine, run_records

_KNOWN: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".pdf", ".qrels", ".run")
MAX_RECORD_BYTES: Final = 64 << 20
_HEAD_BYTES: Final = 4096
_LFS_POINTER: Final = b"version https://git-lfs"
_ENDINGS: Final = {
    "parquet": re.compile(r"\.parquet$"),
    "pdf": re.compile(r"\.pdf$"),
    "csv": re.compile(r"\.csv(?:\.gz)?$"),
    # Judgments as TREC names them; other text has no known format.
    "qrels": re.compile(r"\.(?:tsv|qrels)(?:\.gz)?$|^qrels[^/]*\.txt(?:\.gz)?$"),
    "trec": re.compile(r"\.run(?:\.gz)?$"),
    "jsonl": re.compile(r"\.(?:json|jsonl|ndjson)(?:\.gz)?$"),
}
# A TREC file of judgments has no header: topic, iteration, document, relevance.
_TREC_NAMES: Final = ("query_id", "iteration", "corpus_id", "score")
_BEIR_NAMES: Final = ("query_id", "corpus_id", "score")


def raw_records(
    file: SourceFile,
    form: str = "auto",
    max_record_bytes: int = MAX_RECORD_BYTES,
    text_field: str | None = None,
) -> Iterator[RawRecord]:
    """Yield the records of a file in file order, each a mapping, a line of a run or a fault.

    The numbers rise strictly, so that (file, number) names one record. An empty file yields one
    fault, and so does one that is not what its name says, or the place where it breaks off.

    Args:
        file: the file; `.gz` is unpacked on the way.
        form: `jsonl`, `parquet`, `csv`, `pdf` or `trec`; with `auto` the file's ending decides.
        max_record_bytes: a longer record of JSON is skipped, and yields a fault.
        text_field: the only field of a record that is plain text in a list of JSON; with null
            such a record is a fault.
    """
    last = 0
    for record in _read(file, form, max_record_bytes):
        last = max(record.number, last + 1)
        yield record._replace(number=last, value=_mapping_or_fault(record.value, text_field))
    if last == 0:
        yield RawRecord(1, "record", empty_file(), "")


def _read(file: SourceFile, form: str, max_record_bytes: int) -> Iterator[RawRecord]:
    name = file.path.name.lower()
    if form == "auto":
        form = next((form for form, endings in _ENDINGS.items() if endings.search(name)), form)
    fault = _wrong_kind(file, form)
    if fault is not None:
        return iter([RawRecord(1, "record", fault, fault.excerpt)])
    if form == "csv":
        return read_csv_records(file, _csv_fields)
    readers: dict[str, Callable[[SourceFile], Iterator[RawRecord]]] = {
        "parquet": read_parquet_records,
        "pdf": read_pdf_records,
        "qrels": _tsv_records,
        "trec": run_records,
    }
    if form in readers:
        return readers[form](file)
    return _json_records(file, max_record_bytes)


def _json_records(file: SourceFile, max_record_bytes: int) -> Iterator[RawRecord]:
    for record in read_json_records(file, max_record_bytes):
        parts = _parts(record.value)
        if not parts:
            yield record
        for number, value in enumerate(parts, start=record.number):
            yield RawRecord(number, "record", value, "")


def _parts(value: object) -> list[object]:
    """Return the records of all parts in an object such as `{"train": […], "dev": […]}`."""
    if not isinstance(value, dict) or isinstance(value, RepeatedFields):
        return []
    if any(not isinstance(part, list) for part in value.values()):
        return []
    entries = [entry for part in value.values() for entry in part]
    return entries if all(isinstance(entry, dict) for entry in entries) else []


def _mapping_or_fault(value: object, text_field: str | None) -> object:
    if text_field is not None and isinstance(value, str):
        return {text_field: value}
    if isinstance(value, RepeatedFields):
        return repeated_field()
    if isinstance(value, Mapping | RunLine | RecordFaultError):
        return value
    return not_an_object(value)


def _wrong_kind(file: SourceFile, form: str) -> RecordFaultError | None:
    """Return the fault for a file that shows at its start that it is not what its name says."""
    name = file.path.name.lower()
    if form == "auto":
        advice = f"save the file as one of {', '.join(_KNOWN)}, with .gz or without, or rename it"
        return RecordFaultError(
            "unknown_format", "the file's ending is not that of a known format", advice
        )
    if form == "pdf":
        return None
    try:
        with open_bytes(file.path) as stream:
            head = stream.read(_HEAD_BYTES)
    except READ_ERRORS as error:
        fault = unreadable(error, "no record of it was read")
        # A truncated archive may still give its first records to a reader that asks for less.
        return None if fault.code == "truncated_file" else fault
    return None if form == "parquet" else _unfit_text(name, head)


def _unfit_text(name: str, head: bytes) -> RecordFaultError | None:
    """Return the fault for a file of text by its first bytes, or null if they may be read."""
    if head.startswith(_LFS_POINTER):
        reason = "the file is a Git LFS pointer instead of the data"
        return RecordFaultError("lfs_pointer", reason, "fetch the data itself with git lfs pull")
    # As in archives and tables, and never in UTF-8 text; further down it spoils one record alone.
    if b"\0" in head.split(b"\n", 1)[0]:
        reason = "the file holds binary data instead of text"
        advice = "check what the file is, and give it the ending of its format"
        return RecordFaultError("binary_file", reason, advice, visible(head.decode("latin-1")))
    if ".jsonl" in name and _is_array(head):
        reason = "the file is one JSON array although its name says one record per line"
        return RecordFaultError("array_in_lines", reason, "rename it so that it ends in .json")
    return None


def _is_array(head: bytes) -> bool:
    """Tell whether the first line opens an array of records without closing it."""
    line = head.lstrip().split(b"\n", 1)[0].strip()
    return line == b"[" or line.startswith((b"[{", b"[ {"))


def _csv_fields(row: Mapping[str, bytes | None]) -> dict[str, str | None] | RecordFaultError:
    fields: dict[str, str | None] = {}
    for name, raw in row.items():
        try:
            fields[name.strip()] = raw.decode("utf-8") if raw is not None else None
        except UnicodeDecodeError:
            return not_utf8(f"in the column {name}")
    return fields


def _tsv_records(file: SourceFile) -> Iterator[RawRecord]:
    """Yield the lines of a file of judgments, with a header or in the order of TREC."""
    number = 0
    names: list[str] | None = None
    try:
        with open_bytes(file.path) as stream:
            while raw := stream.readline(MAX_RECORD_BYTES):
                number += 1
                line = raw.decode("utf-8-sig", "surrogateescape").rstrip("\r\n")
                if not line.strip():
                    continue
                cells = _tsv_cells(line)
                if names is None:
                    names = _tsv_names(cells)
                    if not _is_judgment(cells):
                        continue
                yield RawRecord(number, "line", _tsv_fields(names, cells), visible(line))
    except READ_ERRORS as error:
        fault = unreadable(error, "the records before this point were kept")
        yield RawRecord(number + 1, "line", fault, "")


def _tsv_cells(line: str) -> list[str]:
    """Return the values of a line; TREC separates them by blanks, a table by one tab each."""
    return [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()


def _is_judgment(cells: list[str]) -> bool:
    """Tell whether the first line is a judgment, which ends in a number, rather than a header."""
    return cells[-1].removeprefix("-").isdecimal()


def _tsv_names(cells: list[str]) -> list[str]:
    if _is_judgment(cells):
        return list(_TREC_NAMES if len(cells) == len(_TREC_NAMES) else _BEIR_NAMES)
    return [cell.lower().replace("-", "_").replace(" ", "_") for cell in cells]


def _tsv_fields(names: list[str], cells: list[str]) -> dict[str, str] | RecordFaultError:
    if len(cells) != len(names):
        reason = f"the line has {len(cells)} values, expected {len(names)} ({', '.join(names)})"
        advice = "separate the values by one tab each, and leave none out"
        return RecordFaultError("wrong_width", reason, advice)
    if any(char for cell in cells for char in cell if "\udc80" <= char <= "\udcff"):
        return not_utf8("in the line")
    return dict(zip(names, cells, strict=True))

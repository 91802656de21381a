"""The raw records of one file of a benchmark, whatever its format and however broken it is."""

import re
from collections.abc import Iterator, Mapping
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
from finrag.records.identity import shown
from finrag.records.json_records import (
    RawRecord,
    RepeatedFields,
    not_utf8,
    read_json_records,
    repeated_field,
)
from finrag.records.parquet_records import read_parquet_records
from finrag.sources.predictions.trec_runs import run_records

BENCHMARK_SUFFIXES: Final = (
    *(".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet"),
    *(".json.gz", ".jsonl.gz", ".ndjson.gz", ".csv.gz", ".tsv.gz", ".qrels", ".qrels.gz"),
    *(".run", ".run.gz"),
)

_MAX_RECORD_BYTES: Final = 64 << 20
_HEAD_BYTES: Final = 4096
_LFS_POINTER: Final = b"version https://git-lfs"
# Judgments as TREC names them; other text has no known format.
_JUDGMENTS: Final = re.compile(r"\.(?:tsv|qrels)(?:\.gz)?$|^qrels[^/]*\.txt(?:\.gz)?$")
_RUNS: Final = re.compile(r"\.run(?:\.gz)?$")
# A TREC file of judgments has no header: topic, iteration, document, relevance.
_TREC_NAMES: Final = ("query_id", "iteration", "corpus_id", "score")
_BEIR_NAMES: Final = ("query_id", "corpus_id", "score")


def raw_records(file: SourceFile) -> Iterator[RawRecord]:
    """Yield the records of a file in file order, each a mapping or a fault.

    The numbers rise strictly, so that (file, number) names one record. An empty file yields one
    fault, and so does one that is not what its name says, or the place where it breaks off.

    Args:
        file: the file; its ending decides how it is read, and `.gz` is unpacked on the way.
    """
    last = 0
    for record in _read(file):
        last = max(record.number, last + 1)
        yield record._replace(number=last, value=_mapping_or_fault(record.value))
    if last == 0:
        yield RawRecord(1, "record", empty_file(), "")


def _read(file: SourceFile) -> Iterator[RawRecord]:
    name = file.path.name.lower()
    fault = _wrong_kind(file)
    if fault is not None:
        return iter([RawRecord(1, "record", fault, fault.excerpt)])
    if name.endswith(".parquet"):
        return read_parquet_records(file)
    if name.endswith((".csv", ".csv.gz")):
        return read_csv_records(file, _csv_fields)
    if _JUDGMENTS.search(name):
        return _tsv_records(file)
    if _RUNS.search(name):
        return _run_records(file)
    return _json_records(file)


def _run_records(file: SourceFile) -> Iterator[RawRecord]:
    for record in run_records(file):
        is_fault = isinstance(record.value, RecordFaultError)
        yield record if is_fault else record._replace(value={"line": record.value})


def _json_records(file: SourceFile) -> Iterator[RawRecord]:
    for record in read_json_records(file, _MAX_RECORD_BYTES):
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


def excerpt(value: object) -> str:
    """Return the start of a parsed record, for a person to recognise it by."""
    if not isinstance(value, Mapping):
        return ""
    return visible("; ".join(f"{name}: {shown(item)}" for name, item in value.items()))


def _mapping_or_fault(value: object) -> object:
    if isinstance(value, RepeatedFields):
        return repeated_field()
    if isinstance(value, Mapping | RecordFaultError):
        return value
    reason = f"the record is {shown(value)}, expected an object with fields"
    return RecordFaultError("not_an_object", reason, "write the record as one JSON object")


def _wrong_kind(file: SourceFile) -> RecordFaultError | None:
    """Return the fault for a file that shows at its start that it is not what its name says."""
    name = file.path.name.lower()
    if not name.endswith(BENCHMARK_SUFFIXES) and not _JUDGMENTS.search(name):
        advice = f"save the file as one of {', '.join(BENCHMARK_SUFFIXES)}, or rename it"
        return RecordFaultError("unknown_format", "the file's ending says no known format", advice)
    try:
        with open_bytes(file.path) as stream:
            head = stream.read(_HEAD_BYTES)
    except READ_ERRORS as error:
        fault = unreadable(error, "no record of it was read")
        # A truncated archive may still give its first records to a reader that asks for less.
        return None if fault.code == "truncated_file" else fault
    return None if name.endswith(".parquet") else _unfit_text(name, head)


def _unfit_text(name: str, head: bytes) -> RecordFaultError | None:
    """Return the fault for a file of text by its first bytes, or null if they may be read."""
    if head.startswith(_LFS_POINTER):
        reason = "the file is a pointer of Git LFS in place of the data"
        return RecordFaultError("lfs_pointer", reason, "fetch the data itself with git lfs pull")
    if b"\0" in head:  # as in archives and tables, and never in UTF-8 text
        reason = "the file holds bytes in place of text"
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
            while raw := stream.readline(_MAX_RECORD_BYTES):
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

"""The raw records of one suite file, whatever its format."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from finrag.records.csv_records import read_csv_records
from finrag.records.files import (
    RecordFaultError,
    SourceFile,
    empty_file,
    visible,
)
from finrag.records.identity import is_missing
from finrag.records.json_records import (
    RawRecord,
    RepeatedFields,
    not_utf8,
    read_json_records,
    row_excerpt,
)
from finrag.records.parquet_records import read_parquet_records
from finrag.records.sentence_files import is_parquet

SUITE_SUFFIXES: Final = (
    *(".json", ".jsonl", ".ndjson", ".csv", ".parquet"),
    *(".json.gz", ".jsonl.gz", ".ndjson.gz", ".csv.gz"),
)
LIST_SEPARATOR: Final = " | "

_MAX_DOCUMENT_BYTES: Final = 256 << 20  # an object around a list is parsed as a whole
_CSV_ENDINGS: Final = (".csv", ".csv.gz")
_LIST_FIELDS: Final = frozenset(
    [
        "cik_int",
        "company_name",
        "years",
        "evidence_sentence_ids",
        "evidence_spans",
        "section_hints",
    ]
)


def read_records(file: SourceFile) -> Iterator[RawRecord]:
    """Yield the records of a suite file in file order, each a mapping or a fault.

    The numbers rise strictly, so that (file, number) names one record. An empty file yields one
    fault, and so does the place where a damaged file breaks off.

    Args:
        file: a file with one of `SUITE_SUFFIXES`; the ending decides how it is read.
    """
    if is_parquet(file):
        records = read_parquet_records(file, row_excerpt)
    elif file.path.name.lower().endswith(_CSV_ENDINGS):
        records = read_csv_records(file, _csv_fields, _csv_excerpt)
    else:
        records = _json_records(file)
    last = 0
    for record in records:
        last = max(record.number, last + 1)
        yield record._replace(number=last)
    if last == 0:
        yield RawRecord(1, "record", empty_file(), "")


def _json_records(file: SourceFile) -> Iterator[RawRecord]:
    for record in read_json_records(file, _MAX_DOCUMENT_BYTES):
        questions = _wrapped(record.value)
        if record.number > 1 or questions is None:
            yield record
            continue
        for number, value in enumerate(questions, start=1):
            yield RawRecord(number, "record", value, row_excerpt(value))


def _wrapped(value: object) -> list[object] | None:
    """Return the list inside an object such as `{"questions": […]}`, else null."""
    if not isinstance(value, dict) or isinstance(value, RepeatedFields) or "question_id" in value:
        return None
    lists = [
        item
        for item in value.values()
        if isinstance(item, list) and (not item or any(isinstance(entry, dict) for entry in item))
    ]
    return lists[0] if len(lists) == 1 else None


def _csv_fields(row: Mapping[str, bytes | None]) -> dict[str, object] | RecordFaultError:
    """Return a CSV row as fields, list columns as lists, or the fault that prevents it."""
    fields: dict[str, object] = {}
    for name, raw in row.items():
        try:
            text = (raw or b"").decode("utf-8")
        except UnicodeDecodeError:
            return not_utf8(f"in the column {name}")
        fields[name] = None if is_missing(text) else text
    by_lower = {name.strip().lower(): name for name in fields}
    wanted = _LIST_FIELDS & by_lower.keys()
    kind = fields.get(by_lower.get("answer_type", ""))
    if isinstance(kind, str) and kind.strip().lower() == "list" and "answer_text" in by_lower:
        wanted = wanted | {"answer_text"}
    for field in sorted(wanted):
        cell = fields[by_lower[field]]
        try:
            fields[by_lower[field]] = _csv_list(cell) if isinstance(cell, str) else []
        except (ValueError, RecursionError):
            reason = f"{field} looks like a JSON array but is none"
            advice = f'write ["a", "b"], or separate the entries by "{LIST_SEPARATOR}"'
            return RecordFaultError(f"bad_{field}", reason, advice)
    return fields


def _csv_excerpt(row: Mapping[str, bytes | None]) -> str:
    cells = ((raw or b"").decode("utf-8", "backslashreplace") for raw in row.values())
    return visible(",".join(cells))


def _csv_list(cell: str) -> list[object]:
    text = cell.strip()
    if text.startswith("[") and text.endswith("]"):
        return list(json.loads(text))
    return [part.strip() for part in text.split(LIST_SEPARATOR)]

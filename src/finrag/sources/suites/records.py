"""The raw records of one suite file, whatever its format."""

from collections.abc import Iterator
from typing import Final

from finrag.records.fields import LIST_SEPARATOR, listed
from finrag.records.files import RecordFaultError, SourceFile, empty_file
from finrag.records.identity import is_missing
from finrag.records.json_records import RawRecord, RepeatedFields
from finrag.records.raw_records import raw_records

SUITE_SUFFIXES: Final = (
    *(".json", ".jsonl", ".ndjson", ".csv", ".parquet"),
    *(".json.gz", ".jsonl.gz", ".ndjson.gz", ".csv.gz"),
)

_MAX_DOCUMENT_BYTES: Final = 256 << 20  # an object around a list is parsed as a whole
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
    is_csv = file.path.name.lower().endswith((".csv", ".csv.gz"))
    last = 0
    for record in raw_records(file, max_record_bytes=_MAX_DOCUMENT_BYTES):
        inner = _wrapped(record.value) if record.number == 1 else None
        if inner is None:
            value = _with_lists(record.value) if is_csv else record.value
            inner, unit, excerpt = [value], record.unit, record.excerpt
        else:
            unit, excerpt = "record", ""
        for value in inner:
            last = max(record.number, last + 1)
            yield RawRecord(last, unit, value, excerpt)
    if last == 0:
        yield RawRecord(1, "record", empty_file(), "")


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


def _with_lists(row: object) -> object:
    """Return a row of a CSV file with its lists, or the fault that prevents it."""
    if not isinstance(row, dict):
        return row
    fields = {name: None if is_missing(cell) else cell for name, cell in row.items()}
    by_lower = {name.lower(): name for name in fields}
    wanted = _LIST_FIELDS & by_lower.keys()
    kind = fields.get(by_lower.get("answer_type", ""))
    if isinstance(kind, str) and kind.strip().lower() == "list" and "answer_text" in by_lower:
        wanted = wanted | {"answer_text"}
    for field in sorted(wanted):
        cell = fields[by_lower[field]]
        try:
            fields[by_lower[field]] = [] if cell is None else listed(cell)
        except ValueError:
            reason = f"{field} looks like a JSON array but is not valid JSON"
            advice = f'write ["a", "b"], or separate the entries by "{LIST_SEPARATOR}"'
            return RecordFaultError(f"bad_{field}", reason, advice)
    return fields

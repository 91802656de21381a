"""Reading corpora that hold one record per filing: EDGAR-CORPUS and edgar-crawler."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Final, TypeVar

import pyarrow as pa

from finrag.filings import FILED_FIELDS, SECTION_TYPE
from finrag.records.columns import nullable
from finrag.records.fields import named_fields
from finrag.records.files import (
    CORPUS_VAR,
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    find_files,
)
from finrag.records.identity import (
    ITEMS,
    canonical_item,
    is_missing,
    make_filing_id,
    normalise_form,
    parse_cik,
    parse_year,
    report_year_of,
    shown,
)
from finrag.records.json_records import RawRecord, not_utf8
from finrag.records.raw_records import raw_records
from finrag.records.rows import FOUND_FIELDS, Row, record_row
from finrag.records.sentence_files import is_parquet

FILING_SUFFIXES: Final = (
    *(".json", ".jsonl", ".ndjson", ".parquet"),
    *(".json.gz", ".jsonl.gz", ".ndjson.gz"),
)

FILING_RECORD_SCHEMA: Final = pa.schema(
    [
        *FOUND_FIELDS,
        ("filing_id", pa.string()),
        ("cik_int", pa.int64()),
        *nullable(pa.string(), "company_name", "ticker", "form"),
        ("report_year", pa.int32()),
        ("fiscal_year_end", pa.date32()),
        ("filing_name", pa.string()),
        ("sections", pa.list_(SECTION_TYPE)),
        *FILED_FIELDS,
    ]
)

_MAX_RECORD_BYTES: Final = 32 << 20
_BATCH_BYTES: Final = 16 << 20
_BATCH_ROWS: Final = 8192

_EXPECTED: Final = (
    "cik, year (or period_of_report or filing_date) and section_1 … section_15 or item_1 … item_16"
)
_YEAR_FIELDS: Final = ("year", "period_of_report", "filing_date")
_FORM_FIELDS: Final = ("form", "filing_type", "form_type")
_NAME_FIELDS: Final = ("company_name", "company", "name")
_TICKER_FIELDS: Final = ("ticker", "tickers")
_FILE_FIELDS: Final = ("filename", "filing_name")
_SECTION_FIELD = re.compile(r"(?:part_\d+_)?(?:section|item)_\d+\w*")
_DATE = re.compile(r"([0-9]{4})([-/]?)([0-9]{2})\2([0-9]{2})(?:[T ].*)?")
_MONTH_DAY = re.compile(r"([0-9]{2})-?([0-9]{2})")
_NEVER_USABLE: Final = frozenset({"missing_field", "wrong_columns", "empty_file"})

_T = TypeVar("_T")


def read_filings(path: str, *, max_line_bytes: int = _MAX_RECORD_BYTES) -> pa.RecordBatchReader:
    """Read a corpus of filings, one row per raw record, good or bad.

    Accepted files: `.json` (one object, an array of objects, or lines), `.jsonl`, `.ndjson`, each
    of them also with `.gz`, and `.parquet`; other files are ignored. Accepted records, field
    names in any case: EDGAR-CORPUS (`filename, cik, year, section_1 … section_15`) and
    edgar-crawler (`item_1 … item_16` and metadata).

    The report year is `year` if the record has one; else the year of `period_of_report`, where
    1 to 7 January still counts for the year before (52/53-week years); else the year of
    `filing_date` minus one. `fiscal_year_end` is a full date under that name; else, for annual
    forms, `period_of_report`; else a month and day such as "1231" in the report year, where 1 to
    7 January falls into the next year. It is null where none of these can be read. The form is
    "10-K" unless the record names one.

    Rows come file by file in sorted order, and in file order inside a file. A quarantined row has
    nulls from `filing_id` on. Duplicates are not looked for.

    Args:
        path: a file, a directory (searched to the bottom) or a glob.
        max_line_bytes: a longer record is skipped while streaming and quarantined.

    Returns:
        A reader of `FILING_RECORD_SCHEMA`, in batches of about 16 MB of text at most (a longer
        record has a batch of its own). `source_line` is the 1-based line, the place in a JSON
        array, or the row of a parquet file. (`source_file`, `source_line`) is unique.

    Raises:
        ValueError: there is nothing to read behind the path, or no record can be loaded because
            every one lacks the fields of both shapes, or because all files are empty.
    """
    files = find_files(path, FILING_SUFFIXES, may_leave=False)
    _require_usable(path, files, max_line_bytes)
    batches = read_files(files, max_line_bytes)
    return pa.RecordBatchReader.from_batches(FILING_RECORD_SCHEMA, batches)


def read_files(
    files: list[SourceFile], max_line_bytes: int = _MAX_RECORD_BYTES
) -> Iterator[pa.RecordBatch]:
    """The rows of some files, as ``read_filings`` gives them, whether or not any can be used."""
    return _batches(_rows(files, max_line_bytes))


def _require_usable(path: str, files: list[SourceFile], max_line_bytes: int) -> None:
    """Raise unless at least one record has the fields of a filing (or another kind of fault).

    Only a corpus without such a record is read to its end here, and then nothing is read twice.
    """
    first: Row | None = None
    for row in _rows(files, max_line_bytes):
        if row.get("reason_code") not in _NEVER_USABLE:
            return
        if first is None or first["reason_code"] == "empty_file":
            first = row
    if first is not None:
        where = f"{first['source_file']}, line {first['source_line']}"
        raise ValueError(
            f"no filing can be loaded from {path}: {first['reason']} (first seen in {where}); "
            f"expected records with {_EXPECTED}; {CORPUS_VAR} to such a corpus"
        )


def _rows(files: list[SourceFile], max_line_bytes: int) -> Iterator[Row]:
    for file in files:
        records = _wrong_columns(file) or raw_records(file, max_record_bytes=max_line_bytes)
        for record in records:
            yield record_row(file.name, record, _filing)


def _batches(rows: Iterator[Row]) -> Iterator[pa.RecordBatch]:
    """Gather rows into batches bounded in text and in rows."""
    held: list[Row] = []
    size = 0
    for row in rows:
        added = row.pop("text_bytes", 0)
        if held and (size + added > _BATCH_BYTES or len(held) == _BATCH_ROWS):
            yield pa.RecordBatch.from_pylist(held, schema=FILING_RECORD_SCHEMA)
            held, size = [], 0
        held.append(row)
        size += added
    if held:
        yield pa.RecordBatch.from_pylist(held, schema=FILING_RECORD_SCHEMA)


def _filing(value: object) -> Row:
    """Return the content columns of one record, and `text_bytes`, the size of its texts."""
    fields = named_fields(value)
    _require_fields(fields)

    cik = _checked("bad_cik", lambda: parse_cik(fields["cik"]))
    year = _checked("bad_year", lambda: _report_year(fields))
    given_form = _first(fields, _FORM_FIELDS)
    form = _checked(
        "bad_form", lambda: normalise_form("10-K" if given_form is None else given_form)
    )
    sections = _sections(fields)
    row: Row = {
        "record_status": "loaded",
        "filing_id": make_filing_id(cik, form, year),
        "cik_int": cik,
        "company_name": _text(_first(fields, _NAME_FIELDS)),
        "ticker": _text(_first(fields, _TICKER_FIELDS)),
        "form": form,
        "report_year": year,
        "fiscal_year_end": _fiscal_year_end(fields, form, year),
        "filing_name": _text(_first(fields, _FILE_FIELDS)),
        "sections": [{"item": item, "section_text": text} for item, text in sections.items()],
    }
    row["text_bytes"] = sum(_utf8_length(f"item {item}", text) for item, text in sections.items())
    for name in ("company_name", "ticker", "filing_name"):
        _utf8_length(name, row[name] or "")
    return row


def _require_fields(names: Mapping[str, object]) -> None:
    """Raise if a record (or a parquet file) lacks what both shapes have."""
    lacking = [] if "cik" in names else ["cik"]
    if not any(name in names for name in _YEAR_FIELDS):
        lacking.append("year")
    if not any(_SECTION_FIELD.fullmatch(name) for name in names):
        lacking.append("section_1 … section_15 (or item_1 … item_16)")
    if lacking:
        found = shown(", ".join(names), 300) if names else "none"
        raise RecordFaultError(
            "missing_field",
            f"without {' and without '.join(lacking)}; the columns found are {found}",
            f"write filings with {_EXPECTED}",
        )


def _checked(code: str, parse: Callable[[], _T]) -> _T:
    """Return what `parse` gives, its `ValueError` turned into a fault named `code`."""
    try:
        return parse()
    except ValueError as error:
        advice = "correct the value, or remove the record"
        raise RecordFaultError(code, str(error), advice) from error


def _report_year(fields: Mapping[str, object]) -> int:
    if not is_missing(fields.get("year")):
        return parse_year(fields["year"])
    for name in ("period_of_report", "filing_date"):
        given = fields.get(name)
        if is_missing(given):
            continue
        day = _date(given)
        if day is None:
            raise ValueError(f"{name} is {shown(given)}, expected a date such as 2021-12-31")
        year = day.year - 1 if name == "filing_date" else report_year_of(day)
        return parse_year(year, f"the year from {name}")
    return parse_year(fields.get("year"))


def _fiscal_year_end(fields: Mapping[str, object], form: str, year: int) -> date | None:
    given = fields.get("fiscal_year_end")
    full = _date(given)
    if full is not None or form.startswith("10-Q"):
        return full  # the period of a quarterly report ends with the quarter
    period = _date(fields.get("period_of_report"))
    if period is not None:
        return period
    match = _MONTH_DAY.fullmatch(str(given).strip().zfill(4))
    if match is None or not 1 <= int(match[1]) <= 12 or int(match[2]) < 1:
        return None
    month, day = int(match[1]), int(match[2])
    in_year = year + (month == 1 and day <= 7)
    return date(in_year, month, min(day, monthrange(in_year, month)[1]))


def _date(value: object) -> date | None:
    """Return the day that `value` names as 2021-12-31, 2021/12/31 or 20211231, else null."""
    match = _DATE.fullmatch("" if value is None else str(value).strip())
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[3]), int(match[4])
    if not (year >= 1 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    return date(year, month, day)


def _sections(fields: Mapping[str, object]) -> dict[str, str]:
    """Return the texts that are not blank by item, in the order of `ITEMS`."""
    texts: dict[str, str] = {}
    for name, value in fields.items():
        if _SECTION_FIELD.fullmatch(name) is None or is_missing(value):
            continue
        if not isinstance(value, str):
            kind = type(value).__name__
            reason = f"{name} is not text but {kind} ({shown(value)})"
            raise RecordFaultError("section_not_text", reason, f"write {name} as a string")
        try:
            item = canonical_item(name)
        except ValueError as error:
            reason = f"{name} holds text but names no item of a 10-K"
            advice = "rename the field to one of section_1 … section_16, or leave it blank"
            raise RecordFaultError("unknown_item", reason, advice) from error
        if texts.setdefault(item, value) != value:
            reason = f"{name} and another field give different texts for item {item}"
            raise RecordFaultError("repeated_field", reason, "keep one text per item")
    if not texts:
        raise RecordFaultError(
            "blank_sections", "every section is blank", "split the filing again, or remove it"
        )
    return {item: texts[item] for item in ITEMS if item in texts}


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> object:
    """Return the first value among `names` that says something, or null."""
    return next((fields[name] for name in names if not is_missing(fields.get(name))), None)


def _text(value: object) -> str | None:
    """Return metadata as trimmed text; of a list, its first entry."""
    if isinstance(value, list):
        value = value[0] if value else None
    return None if is_missing(value) else str(value).strip()


def _utf8_length(name: str, text: str) -> int:
    try:
        return len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise not_utf8(f"{name}, character {error.start + 1}") from error


def _wrong_columns(file: SourceFile) -> list[RawRecord]:
    """Return the one fault of a parquet file that holds something else than filings."""
    if not is_parquet(file):
        return []
    import pyarrow.parquet as pq

    # A file that cannot be read at all is a fault of its records.
    with suppress(*READ_ERRORS, pa.ArrowException):
        names = pq.read_schema(file.path).names
        try:
            _require_fields(dict.fromkeys(name.strip().lower() for name in names))
        except RecordFaultError as fault:
            wrong = RecordFaultError("wrong_columns", f"the file is {fault.reason}", fault.advice)
            return [RawRecord(1, "row", wrong, "")]
    return []

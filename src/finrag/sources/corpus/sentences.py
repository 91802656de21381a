"""Reading tables that already hold one sentence per row, tens of millions of rows at a time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from finrag.records.columns import nullable
from finrag.records.files import CORPUS_VAR, RecordFaultError, SourceFile, find_files, visible
from finrag.records.identity import FIRST_YEAR, ITEMS, LAST_YEAR, shown
from finrag.records.json_records import RawRecord
from finrag.records.rows import FOUND_FIELDS, quarantined
from finrag.records.sentence_files import (
    SENTENCE_SUFFIXES,
    Faults,
    Lines,
    csv_rows,
    is_parquet,
    parquet_rows,
    plan_columns,
)
from finrag.records.typed_yaml import read_typed
from finrag.sources.corpus.sentence_values import Columns, checked_values, is_text, plain_columns

SENTENCE_ROW_SCHEMA: Final = pa.schema(
    [
        *FOUND_FIELDS,
        ("sentence_id", pa.string()),
        ("cik_int", pa.int64()),
        *nullable(pa.string(), "company_name", "ticker", "form"),
        ("report_year", pa.int32()),
        ("fiscal_year_end", pa.date32()),
        ("item", pa.string()),
        ("sentence_pos", pa.int32()),
        ("sentence_text", pa.string()),
        *nullable(pa.int32(), "char_start", "char_end"),
    ]
)

_BATCH_BYTES: Final = 16 << 20
_NOTES: Final = ("reason_code", "reason", "remedy", "raw_excerpt")

# What a reason may say of the values that are allowed.
_ALLOWED: Final = {"first_year": FIRST_YEAR, "last_year": LAST_YEAR, "items": ", ".join(ITEMS)}


@dataclass(frozen=True)
class _Refusal:
    reason: str
    remedy: str
    column: str = ""


_REFUSALS: Final = read_typed(Path(__file__).with_suffix(".yml"), dict[str, _Refusal])


def read_sentence_rows(path: str) -> pa.RecordBatchReader:
    """Read ready sentence tables, one row per raw row, good or bad.

    Accepted files: `.parquet`, `.csv` (comma-separated, header first) and `.csv.gz`. Columns are
    found by name in any case (`ALIASES`); others are ignored. Needed are the text and either a
    sentence id, or CIK, report year, item and position. A value that a row lacks is taken from
    its id; a form that neither has is "10-K". A given id is kept if it has the house form and
    agrees with the row; a blank one is built. White space in texts is collapsed, so `char_start`
    and `char_end` point into the source, not into `sentence_text`. A `fiscal_year_end` that is no
    date is null.

    Rows come file by file in sorted order, and in file order inside a file. A quarantined row has
    nulls from `sentence_id` on. Duplicates are not looked for. Wholly empty CSV lines are skipped.

    Args:
        path: a file, a directory (searched to the bottom) or a glob.

    Returns:
        A reader of `SENTENCE_ROW_SCHEMA`, in batches of about 16 MB at most. `source_line` is the
        1-based row of a parquet file; in a CSV file the header is 1 and each row one more, which
        is the line as long as no value holds a line break.

    Raises:
        ValueError: there is nothing to read behind the path, all files are empty, or a file lacks
            a needed column.
    """
    files = find_files(path, SENTENCE_SUFFIXES, may_leave=False)
    plans = [(file, plan_columns(file)) for file in files]
    if all(isinstance(p, RecordFaultError) and p.code == "empty_file" for _, p in plans):
        raise ValueError(f"{path} holds no sentence: every file is empty; {CORPUS_VAR} to a corpus")
    return pa.RecordBatchReader.from_batches(SENTENCE_ROW_SCHEMA, _batches(plans))


def read_table(files: list[SourceFile]) -> Iterator[pa.RecordBatch]:
    """The rows of some files, as ``read_sentence_rows`` gives them; none need be usable."""
    return _batches([(file, plan_columns(file)) for file in files])


def _batches(
    plans: list[tuple[SourceFile, dict[str, str] | RecordFaultError]],
) -> Iterator[pa.RecordBatch]:
    for file, plan in plans:
        if isinstance(plan, RecordFaultError):
            yield _quarantined(file, [(1, plan)])
            continue
        read = parquet_rows if is_parquet(file) else csv_rows
        for batch in read(file, plan):
            parts = [_quarantined(file, batch.faults)] if batch.faults else []
            if batch.rows is not None and batch.rows.num_rows:
                parts.append(_convert(file, batch.lines, batch.rows, plan))
            if len(parts) == 2:
                both = pa.concat_batches(parts)
                parts = [both.take(pc.sort_indices(both["source_line"]))]
            for part in parts:
                yield from _sliced(part)


def _convert(
    file: SourceFile, lines: Lines, raw: pa.RecordBatch, plan: Mapping[str, str]
) -> pa.RecordBatch:
    """Return the rows of `raw` under `SENTENCE_ROW_SCHEMA`, faulty ones quarantined in place."""
    count = raw.num_rows
    given, not_utf8 = plain_columns(raw, plan)
    values, faults = checked_values(given, count)
    masks = {"invalid_utf8": not_utf8} | faults
    code = np.zeros(count, dtype=np.int8)
    for place, name in reversed(list(enumerate(_REFUSALS, start=1))):
        code[masks[name]] = place
    bad = code > 0
    columns: Columns = {
        "source_file": pa.repeat(file.name, count),
        "source_line": pa.array(lines, pa.int64()),
        "record_status": pa.repeat("loaded", count),
        **{name: pa.nulls(count, pa.string()) for name in _NOTES},
        **values,
    }
    if bad.any():
        mask = pa.array(bad)
        columns["record_status"] = pc.if_else(mask, "quarantined", "loaded")
        for name in values:
            columns[name] = pc.if_else(mask, None, values[name])
        notes = _notes(file, lines[bad], raw.filter(mask), plan, code[bad])
        for name in _NOTES:
            columns[name] = pc.replace_with_mask(
                columns[name], mask, pa.array(notes[name], pa.string())
            )
    arrays = [columns[field.name].cast(field.type) for field in SENTENCE_ROW_SCHEMA]
    return pa.RecordBatch.from_arrays(arrays, schema=SENTENCE_ROW_SCHEMA)


def _notes(
    file: SourceFile,
    lines: Lines,
    raw: pa.RecordBatch,
    plan: Mapping[str, str],
    code: np.ndarray[Any, Any],
) -> dict[str, list[str]]:
    """Return the columns that explain quarantined rows, a list each."""
    unit = "row" if is_parquet(file) else "line"
    names = list(_REFUSALS)
    notes: dict[str, list[str]] = {name: [] for name in _NOTES}
    binary = [array.cast(pa.binary()) if is_text(array.type) else array for array in raw.columns]
    rows = pa.RecordBatch.from_arrays(binary, names=raw.schema.names).to_pylist()
    for line, place, row in zip(lines, code, rows, strict=True):
        fault = names[place - 1]
        refusal = _REFUSALS[fault]
        values = {name: _visible_value(row[source]) for name, source in plan.items()}
        found = _found(values, refusal.column)
        notes["reason_code"].append(fault)
        notes["reason"].append(refusal.reason.format(found=found, **_ALLOWED))
        notes["remedy"].append(f"In {file.name}, {unit} {line}: {refusal.remedy}.")
        notes["raw_excerpt"].append(visible(json.dumps(values, default=str, ensure_ascii=False)))
    return notes


def _visible_value(value: object) -> object:
    return value[:800].decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _found(values: Mapping[str, object], column: str) -> str:
    """Return what a message says a column holds."""
    own, given_id = values.get(column), values.get("sentence_id")
    if own is not None or not given_id:
        return "missing" if own is None else shown(own)
    return f"missing or wrong in the id {shown(given_id)}"


def _quarantined(file: SourceFile, faults: Faults) -> pa.RecordBatch:
    """Return one quarantined row for each fault."""
    unit = "row" if is_parquet(file) else "line"
    rows = [
        quarantined(file.name, RawRecord(line, unit, None, fault.excerpt), fault)
        for line, fault in faults
    ]
    return pa.RecordBatch.from_pylist(rows, schema=SENTENCE_ROW_SCHEMA)


def _sliced(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield `batch` in halves until each is small enough, or one row."""
    if batch.nbytes <= _BATCH_BYTES or batch.num_rows == 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _sliced(batch.slice(0, half))
    yield from _sliced(batch.slice(half))

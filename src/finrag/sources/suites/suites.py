"""Reads the question suites that are named to a build, one row per raw record."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa

from finrag.records.columns import nullable
from finrag.records.files import RecordFaultError, SourceFile
from finrag.records.json_records import RawRecord
from finrag.records.rows import FOUND_FIELDS, Row, quarantined, record_row, row_reader
from finrag.sources.suites.faults import find_faults
from finrag.sources.suites.fields import parse_fields
from finrag.sources.suites.records import SUITE_SUFFIXES, read_records
from finrag.warehouse.folder import project_file

SUITES_VAR: Final = "the dbt var p3_suite_paths"
SAMPLE_SUITE: Final = "seeds/gold/p3_curated_sample.jsonl"

SUITE_ROW_SCHEMA: Final = pa.schema(
    [
        *FOUND_FIELDS,
        ("question_id", pa.string()),
        ("cik_int", pa.list_(pa.int64())),
        ("company_name", pa.list_(pa.string())),
        ("years", pa.list_(pa.int32())),
        *nullable(pa.string(), "question_text", "answer_type", "answer_text"),
        ("answer_numeric", pa.float64()),
        ("answer_unit", pa.string()),
        ("tolerance", pa.float64()),
        *nullable(pa.list_(pa.string()), "evidence_sentence_ids", "evidence_spans"),
        *nullable(pa.string(), "retrieval_scope", "difficulty"),
        ("section_hints", pa.list_(pa.string())),
        *nullable(pa.string(), "notes", "gold_version", "created_by"),
        ("created_at", pa.timestamp("us")),
        ("curation_confidence", pa.float64()),
        *nullable(pa.string(), "category", "criteria"),
        ("unknown_fields", pa.list_(pa.string())),
        (
            "schema_faults",
            pa.list_(pa.struct([("fault_code", pa.string()), ("detail", pa.string())])),
        ),
    ]
)


def suite_paths(corpus: str, paths: str | Sequence[str]) -> list[str]:
    """Return the suites of a build in the order in which they are read.

    Args:
        corpus: the dbt var of that name; with `sample` the suite that ships with the project comes
            first.
        paths: the dbt var p3_suite_paths: one path or a list of them; blank or empty means none.

    Raises:
        ValueError: an entry is not text or blank.
    """
    given = [paths] if isinstance(paths, str) and paths.strip() else list(paths or [])
    for path in given:
        if not isinstance(path, str) or not path.strip():
            raise ValueError(f"{path!r} is not a path of a suite; correct {SUITES_VAR}")
    own = [str(project_file(SAMPLE_SUITE))] if corpus == "sample" else []
    also_own = {Path(path).resolve() for path in own}
    return [*own, *(path for path in given if Path(path).resolve() not in also_own)]


def check_suites(corpus: str, paths: str | Sequence[str]) -> None:
    """Check the suites of a build without reading a question.

    Args:
        corpus: see `suite_paths`.
        paths: see `suite_paths`.

    Raises:
        ValueError: see `find_suites`; an entry that is no path.
    """
    find_suites(suite_paths(corpus, paths))


def open_suites(corpus: str, paths: str | Sequence[str]) -> pa.RecordBatchReader:
    """Open the suites of a build: those named in the var, and the project's own of the sample.

    Args:
        corpus: see `suite_paths`.
        paths: see `suite_paths`.

    Returns:
        A reader with `SUITE_ROW_SCHEMA`; empty when there is no suite.

    Raises:
        ValueError: see `read_suites`.
    """
    return read_suites(suite_paths(corpus, paths))


def read_suites(paths: Sequence[str]) -> pa.RecordBatchReader:
    """Read suites of questions, one row per raw record, good or bad.

    Accepted files: `.json` (an array of objects, one object, or an object around one list of them),
    `.jsonl`, `.ndjson`, `.csv` (list columns as JSON arrays or with " | " between the entries),
    each of them also with `.gz`, and `.parquet`. Of two records with the same `question_id` the
    first one is kept, in the order of `paths` and then of each file.

    Args:
        paths: the files, read in this order.

    Returns:
        A reader of `SUITE_ROW_SCHEMA`. `record_status` is `read` or `quarantined`; a quarantined
        row has nulls from `question_id` on. `source_file` is the path as given, `source_line` the
        1-based line, the place in a JSON array, or the row of a parquet file; both together are
        unique. No path gives no row.

    Raises:
        ValueError: a path leads nowhere, to a directory, to a file of another kind or an empty
            one, is there twice, or no record of a file can be read as a question.
    """
    files = find_suites(paths)
    for file in files:
        _require_usable(file)
    return row_reader(_rows(files), SUITE_ROW_SCHEMA)


def find_suites(paths: Sequence[str]) -> list[SourceFile]:
    """Return the files of suites, named as they are given.

    Raises:
        ValueError: a path leads nowhere, to a directory, to a file of another kind or an empty
            one, or is there twice.
    """
    files = [_suite_file(path) for path in paths]
    resolved = [file.path.resolve() for file in files]
    for place, file in enumerate(files):
        if resolved[place] in resolved[:place]:
            raise ValueError(f"{file.name} is named twice; name it once in {SUITES_VAR}")
    return files


def _suite_file(path: str) -> SourceFile:
    # A path need not be valid UTF-8, an Arrow string must be.
    name = path.encode("utf-8", "backslashreplace").decode("utf-8")
    target = Path(path)
    if target.is_dir():
        raise ValueError(f"{name} is a directory; name its files in {SUITES_VAR}")
    if not target.is_file():
        raise ValueError(f"there is no file {name}; correct {SUITES_VAR}")
    if not path.lower().endswith(SUITE_SUFFIXES):
        expected = ", ".join(SUITE_SUFFIXES)
        raise ValueError(f"{name} is not a suite: expected one of {expected}; correct {SUITES_VAR}")
    if target.stat().st_size == 0:
        raise ValueError(f"{name} is empty; write questions into it or correct {SUITES_VAR}")
    return SourceFile(target, name)


def _require_usable(file: SourceFile) -> None:
    """Raise unless at least one record of a file is a question: it is not a suite then."""
    first: Row | None = None
    for record in read_records(file):
        row = _row(file, record)
        if row["record_status"] == "read":
            return
        first = first or row
    if first is not None:
        raise ValueError(
            f"no question can be read from {file.name}: {first['reason']} (first seen at "
            f"{first['source_line']}); correct the file or {SUITES_VAR}"
        )


def _rows(files: Sequence[SourceFile]) -> Iterator[Row]:
    known: dict[str, tuple[str, str]] = {}
    for file in files:
        for record in read_records(file):
            row = _row(file, record)
            if row["record_status"] == "read":
                where = f"{file.name}, {record.unit} {record.number}"
                text, first = known.setdefault(row["question_id"], (row["question_text"], where))
                if first != where:
                    same = "the same" if text == row["question_text"] else "another"
                    reason = (
                        f"question_id {row['question_id']} was read before, with {same} "
                        f"question text ({first}); the first one is kept"
                    )
                    advice = "give the question an id of its own, or remove it"
                    fault = RecordFaultError("duplicate_question_id", reason, advice)
                    row = quarantined(file.name, record, fault)
            yield row


def _row(file: SourceFile, record: RawRecord) -> Row:
    return record_row(file.name, record, _question)


def _question(value: object) -> Row:
    fields, faults = parse_fields(value)
    return {"schema_faults": [*faults, *find_faults(fields)], **fields}

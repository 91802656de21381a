"""Reads files with the answers and rankings of other systems."""

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.records.files import SourceFile, find_files
from finrag.records.identity import shown
from finrag.records.json_records import row_excerpt
from finrag.records.raw_records import raw_records
from finrag.records.rows import Row, record_row, row_reader
from finrag.sources.predictions.fields import no_answer, parse_prediction, says_something
from finrag.sources.predictions.schema import PREDICTION_SCHEMA

FORMATS: Final = ("auto", "jsonl", "parquet", "csv", "trec")

_LINES: Final = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz")
_CSV: Final = (".csv", ".csv.gz")
_RUNS: Final = (".trec", ".run", ".txt", ".trec.gz", ".run.gz", ".txt.gz")
PREDICTION_SUFFIXES: Final = (*_LINES, ".parquet", *_CSV, *_RUNS)
# What a record without an answer may hold. Of records with texts of questions a suite is made.
_HELD: Final = ("question_text", "sources", "citations", "candidates", "steps")
_ACCEPTED: Final = {
    "auto": PREDICTION_SUFFIXES,
    "jsonl": ("",),
    "parquet": (".parquet",),
    "csv": _CSV,
    "trec": ("",),
}


def read_predictions(systems: pa.Table) -> pa.RecordBatchReader:
    """Read the predictions of every system of the kind ``external_file``.

    Args:
        systems: registered systems with ``system_id``, ``system_kind``, ``predictions_path`` (a
            file, a folder or a glob), ``predictions_format`` (one of ``FORMATS``; null is auto)
            and, where they were registered, ``settings`` (JSON with ``predictions_hash``, what
            ``hash_predictions`` gave). Rows of another kind are passed over.

    Returns:
        A reader of ``PREDICTION_SCHEMA``: one row per raw record, by system, file and line; of a
        TREC run one row per line. ``record_status`` is ``read`` or ``quarantined``; a quarantined
        row has nulls from ``record_form`` on. (``system_id``, ``source_file``, ``source_line``) is
        unique. No system of this kind gives no row.

    Raises:
        ValueError: a system names no path, one that leads nowhere or to no file of a known
            ending, or an unknown format; its files are not those that were registered.
    """
    systems_given: list[dict[str, Any]] = systems.to_pylist()
    mine = [row for row in systems_given if row["system_kind"] == "external_file"]
    found = [_files_of(row) for row in sorted(mine, key=lambda row: str(row["system_id"]))]
    rows = (row for system_id, form, files in found for row in _rows(system_id, form, files))
    return row_reader(rows, PREDICTION_SCHEMA)


def _files_of(system: dict[str, Any]) -> tuple[str, str, list[SourceFile]]:
    system_id = str(system["system_id"])
    path, form = system["predictions_path"], system["predictions_format"] or "auto"
    files = find_predictions(system_id, path, form)
    registered = json.loads(system.get("settings") or "{}").get("predictions_hash")
    if registered is not None and hash_predictions(files) != registered:
        raise ValueError(
            f"system {system_id}: the files of {path} changed during the build; make sure that "
            "nothing writes to them, and build again"
        )
    return system_id, form, files


def hash_predictions(files: list[SourceFile]) -> str:
    """Return the MD5 of the MD5s of the files' bytes, in the order given, hexadecimal."""
    digest = hashlib.md5(usedforsecurity=False)
    for file in files:
        with file.path.open("rb") as content:
            digest.update(hashlib.file_digest(content, "md5").digest())
    return digest.hexdigest()


def find_predictions(system_id: str, path: str | None, form: str = "auto") -> list[SourceFile]:
    """Return the files of a system, sorted by their name below the root of their path.

    Args:
        system_id: the system, for messages.
        path: its setting predictions_path: a file, a folder or a glob.
        form: its setting predictions_format, one of ``FORMATS``.

    Raises:
        ValueError: the format is unknown, or the path leads nowhere or to no file of a known
            ending.
    """
    if form not in FORMATS:
        raise ValueError(
            f"system {system_id}: predictions_format is {shown(form)}; "
            f"set it to one of {', '.join(FORMATS)}"
        )
    setting = f"set predictions_path of the system {system_id}"
    try:
        return find_files(path or "", _ACCEPTED[form], setting)
    except ValueError as error:
        raise ValueError(f"system {system_id}: {error}") from error


def holds_answers(form: str, files: list[SourceFile]) -> bool:
    """Return whether files of a form can hold answers: a run of TREC is rankings alone."""
    return any(_form(form, file) != "trec" for file in files)


def _form(form: str, file: SourceFile) -> str:
    return "trec" if form == "auto" and _ends(file, _RUNS) else form


def _rows(system_id: str, form: str, files: list[SourceFile]) -> Iterator[Row]:
    for file in files:
        own_form = _form(form, file)
        is_csv = form in ("auto", "csv") and _ends(file, _CSV)
        parse = partial(_prediction, is_csv=is_csv)
        for record in raw_records(file, own_form):
            excerpt = record.excerpt or row_excerpt(record.value)
            row = record_row(file.name, record, parse)
            yield {"system_id": system_id, "raw_excerpt": excerpt, **row}


def _prediction(value: object, *, is_csv: bool) -> Row:
    row = parse_prediction(value, is_csv=is_csv)
    holds_more = any(row.get(name) is not None for name in _HELD)
    if not holds_more and not says_something(row):
        raise no_answer()
    return row


def _ends(file: SourceFile, suffixes: tuple[str, ...]) -> bool:
    return Path(file.name).name.lower().endswith(suffixes)

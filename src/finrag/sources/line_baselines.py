"""Baselines of revenue lines: what earlier artefacts of ``finrag lines --json`` described.

An artefact is a JSON object of one filing and system with ``filing_id``, ``system_id`` and
``line_details``, a list of objects with ``label`` and ``status``. Its other fields are for people
and are not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from finrag.records.fields import (
    bad_field,
    optional_text,
    required_mappings,
    required_text,
    writable_fields,
)
from finrag.records.files import RecordFaultError, SourceFile, find_files
from finrag.records.raw_records import raw_records
from finrag.records.rows import FOUND_FIELDS, Row, quarantined, record_row, row_reader

# What may become of a line that is to be described.
LINE_STATUSES: Final = ("described", "not_described", "gate_failed", "failed")
# What stands for the label of a line that has none, in artefacts and in description_coverage.
NO_LABEL: Final = "(no label)"

_SUFFIXES: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_SETTING: Final = "set the dbt var lines_baseline_path"
_LINES: Final = pa.list_(
    pa.struct([pa.field("line_label", pa.string()), pa.field("was_described", pa.bool_())])
)
LINE_BASELINE_SCHEMA: Final = pa.schema(
    [
        *FOUND_FIELDS,
        pa.field("filing_id", pa.string()),
        pa.field("system_id", pa.string()),
        pa.field("lines", _LINES),
    ]
)


def find_line_baselines(path: str) -> list[SourceFile]:
    """Return the files behind the dbt var lines_baseline_path, sorted by name; blank means none.

    Raises:
        ValueError: the path leads nowhere, or to no file of a known ending.
    """
    return find_files(path, _SUFFIXES, _SETTING) if path.strip() else []


def open_line_baselines(path: str) -> pa.RecordBatchReader:
    """Read artefacts, one row per record, good or bad.

    Args:
        path: a file, a folder or a glob: JSON (an object or an array) or JSON lines, each also
            with ``.gz``; blank for none.

    Returns:
        A reader of ``LINE_BASELINE_SCHEMA``. ``record_status`` is ``read`` or ``quarantined``; a
        quarantined row has nulls from ``filing_id`` on. Of two artefacts of one filing and system
        the first one is kept, by file and place.

    Raises:
        ValueError: see ``find_line_baselines``.
    """
    return row_reader(_rows(find_line_baselines(path)), LINE_BASELINE_SCHEMA)


def _rows(files: Sequence[SourceFile]) -> Iterator[Row]:
    known: dict[tuple[str, str], str] = {}
    for file in files:
        for record in raw_records(file):
            row = record_row(file.name, record, _artefact)
            if row["record_status"] == "read":
                where = f"{file.name}, {record.unit} {record.number}"
                first = known.setdefault((row["filing_id"], row["system_id"]), where)
                if first != where:
                    reason = (
                        f"the lines of {row['filing_id']} by {row['system_id']} were read before "
                        f"({first}); the first ones are kept"
                    )
                    fault = RecordFaultError("repeated_baseline", reason, "keep one of them")
                    row = quarantined(file.name, record, fault)
            yield row


def _artefact(value: object) -> Row:
    given = writable_fields(value)
    return {
        "filing_id": required_text(given, "filing_id"),
        "system_id": required_text(given, "system_id"),
        "lines": [_line(line) for line in required_mappings(given, "line_details")],
    }


def _line(line: Mapping[str, Any]) -> Row:
    status = required_text(line, "status")
    if status not in LINE_STATUSES:
        raise bad_field("status", status, f"one of {', '.join(LINE_STATUSES)}")
    label = optional_text(line, "label") or NO_LABEL
    return {"line_label": label, "was_described": status == "described"}

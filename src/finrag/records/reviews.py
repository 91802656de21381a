"""Files of reviews: what people said about questions and about answers, one row each."""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from finrag.records.csv_tables import CsvTable, read_csv_table

# Those of the seed ``p3_reviews``; ``system_id`` is empty where a question itself is reviewed.
COLUMNS: Final = (
    "question_id",
    "verdict",
    "field",
    "corrected_value",
    "content_hash",
    "reviewer",
    "reviewed_on",
    "reason",
    "system_id",
)
NEEDED: Final = ("question_id", "verdict")
# A spreadsheet would take a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@")


def append_review(path: Path, review: Mapping[str, str]) -> None:
    """Append a row in one write, after the header where the file is new.

    Each value becomes one line of text. One that a spreadsheet would run as a formula gets an
    apostrophe in front.

    Args:
        path: the file, whose folder is made.
        review: values of some of ``COLUMNS``; the others stay empty.

    Raises:
        ValueError: there is a file with other columns.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two writers must not both write the header.
    with path.open("a+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        names = list(COLUMNS)
        text = ""
        if stream.seek(0, os.SEEK_END):
            names = list(_table(path).names)
            stream.seek(-1, os.SEEK_END)
            text = "" if stream.read(1) == b"\n" else "\n"
            lacking = sorted(name for name, value in review.items() if value and name not in names)
            if lacking:
                raise ValueError(f"'{path}' has no column {lacking[0]}; add it to the header")
        else:
            text = _line(names)
        text += _line([_plain(review.get(name, "")) for name in names])
        stream.write(text.encode())


def read_reviews(path: Path) -> list[dict[str, str]]:
    """The rows of a file in their order; none where it is not there.

    Raises:
        ValueError: it is no such file.
    """
    if not path.is_file():
        return []
    return [{name: row.get(name) or "" for name in COLUMNS} for _, row in _table(path).rows]


def check_reviews(paths: str | Sequence[str]) -> None:
    """Check the files that the dbt var ``reviews_paths`` names.

    Raises:
        ValueError: one is not there, is not CSV in UTF-8, lacks a needed column, or has a row with
            more or fewer values than the header.
    """
    for path in [paths] if isinstance(paths, str) else paths:
        if not Path(path).is_file():
            raise ValueError(f"reviews_paths: no file at '{path}'; correct the dbt var")
        for line, row in _table(Path(path)).rows:
            if None in row.values():
                raise ValueError(
                    f"{path}, line {line}: fewer values than columns; write a comma for each "
                    "empty one"
                )


def _table(path: Path) -> CsvTable:
    table = read_csv_table(path, NEEDED)
    unknown = sorted(set(table.names) - set(COLUMNS))
    if unknown or not set(table.names) >= set(NEEDED):
        problem = f"has a column '{unknown[0]}'" if unknown else "lacks question_id or verdict"
        raise ValueError(
            f"'{path}' is not a file of reviews: it {problem}; columns are {', '.join(COLUMNS)}"
        )
    return table


def _plain(value: str) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    return f"'{text}" if text.startswith(_FORMULA) else text


def _line(values: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()

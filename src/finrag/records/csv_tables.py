"""Small CSV files that a person writes: limits, systems, reviews, frozen anchors."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

_SEPARATORS: Final = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


class CsvTable(NamedTuple):
    """The columns of a file, and each row with its line; a value that a row lacks is null."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str | None]], ...]


def wrong_separator(names: Sequence[str]) -> str | None:
    """What separates the columns of a header that commas do not separate; null if they do."""
    marks = [mark for mark in _SEPARATORS if len(names) == 1 and mark in names[0]]
    return _SEPARATORS[marks[0]] if marks else None


def read_csv_table(path: Path, needed: Sequence[str]) -> CsvTable:
    """Read a CSV file whose first line names its columns.

    Args:
        path: the file.
        needed: columns that it must have, for the message about an empty file.

    Raises:
        ValueError: it is empty, is not CSV in UTF-8, has other separators than commas, names a
            column twice, or a row has more values than there are columns. The message names the
            file, the line, what is there and what to do.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            # Strict: a quotation that is never closed would swallow the rows after it.
            reader = csv.DictReader(lines, strict=True)
            names = tuple(reader.fieldnames or ())
            _check_header(path, names, needed)
            rows = []
            for row in reader:
                # Values without a column stand under the name None.
                if extra := row.pop(None, None):
                    last = extra[-1].strip()
                    raise ValueError(
                        f"{path}, line {reader.line_num}: {len(names) + len(extra)} values under "
                        f"{len(names)} columns; "
                        + (
                            f"the last one is '{last}'. Put a value that has a comma in it "
                            "between double quotes"
                            if last
                            else "remove the comma at the end"
                        )
                    )
                rows.append((reader.line_num, dict(row)))
            return CsvTable(names, tuple(rows))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not a CSV file in UTF-8 ({error}); save it as CSV in UTF-8"
        ) from error
    except csv.Error as error:
        raise ValueError(
            f"{path}, line {reader.line_num + 1}: the row is no CSV ({error}); close each "
            "quotation, and write a quotation mark inside one twice"
        ) from error


def _check_header(path: Path, names: Sequence[str], needed: Sequence[str]) -> None:
    if not any(name.strip() for name in names):
        raise ValueError(
            f"{path} is empty; its first line must name the columns, at least {','.join(needed)}"
        )
    if separator := wrong_separator(names):
        raise ValueError(
            f"{path}, line 1: the columns are separated by {separator}; save the file as CSV "
            "with commas"
        )
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(
            f"{path}, line 1: the column '{twice[0]}' is there twice; keep each column once"
        )

"""Opening sentence tables: which column is which, and their rows batch by batch."""

import csv
import io
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from finrag.records.files import (
    CORPUS_VAR,
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    open_bytes,
    unreadable,
    visible,
)
from finrag.records.gzip_rows import WholeRows
from finrag.records.vocabulary import read_vocabulary

if TYPE_CHECKING:
    import pyarrow.parquet as pq

SENTENCE_SUFFIXES: Final = (".parquet", ".csv", ".csv.gz")

# The names under which each column is known; the first one that a file has is used.
_VOCABULARY: Final = read_vocabulary(__file__)
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    field: tuple(names.split()) for field, names in _VOCABULARY.tables["aliases"].items()
}
_IN_ID: Final = ("cik_int", "report_year", "item", "sentence_pos")

_BATCH_ROWS: Final = 1 << 16
_BATCH_BYTES: Final = 8 << 20
_CSV_BLOCK: Final = 8 << 20

Lines = np.ndarray[Any, Any]
Faults = list[tuple[int, RecordFaultError]]


class ReadBatch(NamedTuple):
    """Some consecutive rows of a file.

    Attributes:
        lines: 1-based line (CSV) or row (parquet) of each row of `rows`, ascending.
        rows: the planned columns under the names of the file.
        faults: rows that could not be read at all, by line.
    """

    lines: Lines
    rows: pa.RecordBatch | None
    faults: Faults


def plan_columns(file: SourceFile) -> dict[str, str] | RecordFaultError:
    """Return which column of `file` serves as which, or why the file cannot be read.

    Raises:
        ValueError: a needed column is lacking, is there twice, or holds lists or records.
    """
    try:
        names, has_rows, kinds = _parquet_head(file) if is_parquet(file) else _csv_head(file)
    except (*READ_ERRORS, pa.ArrowException, csv.Error) as error:
        return unreadable(error, "no row of it was read")
    if not names:
        return empty_file()
    by_lower = {name.strip().lower(): name for name in reversed(names)}
    found: dict[str, str] = {}
    for column, aliases in ALIASES.items():
        present = [by_lower[alias] for alias in aliases if alias in by_lower]
        if present:
            found[column] = present[0]
    needed = ["sentence_text"] if "sentence_id" in found else ["sentence_text", *_IN_ID]
    lacking = [name for name in needed if name not in found]
    if lacking:
        accepted = "; ".join(f"{name}: {' or '.join(ALIASES[name])}" for name in lacking)
        raise ValueError(
            f"{file.path} lacks the columns {', '.join(lacking)}; found are {', '.join(names)}; "
            f"expected are sentence_text and either sentence_id or {', '.join(_IN_ID)}; "
            "accepted names for the missing columns, in upper or lower "
            f"case: {accepted}; rename the columns, or "
            f"{CORPUS_VAR} to another table"
        )
    unfit = [
        name
        for column, name in found.items()
        if names.count(name) > 1 or not _is_fit(kinds.get(name, pa.string()), column)
    ]
    if unfit:
        raise ValueError(
            f"{file.path} has the columns {', '.join(unfit)} twice or with lists or records in "
            f"them; keep each once with one value per row, or {CORPUS_VAR} to another table"
        )
    return found if has_rows else empty_file()


def _parquet_head(file: SourceFile) -> tuple[list[str], bool, dict[str, pa.DataType]]:
    """Return the column names, whether there are rows, and the types of the columns."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(file.path) as parquet:
        schema = parquet.schema_arrow
        kinds = dict(zip(schema.names, schema.types, strict=True))
        return schema.names, parquet.metadata.num_rows > 0, kinds


def _is_fit(kind: pa.DataType, column: str) -> bool:
    """Tell whether a type has one plain value a row; tickers may also come as a list of them."""
    if column == "ticker" and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        kind = kind.value_type
    return not pa.types.is_nested(kind)


def _csv_head(file: SourceFile) -> tuple[list[str], bool, dict[str, pa.DataType]]:
    with (
        open_bytes(file.path) as stream,
        io.TextIOWrapper(stream, "utf-8-sig", errors="backslashreplace", newline="") as text,
    ):
        return next(csv.reader(text), []), bool(text.read(1)), {}


def is_parquet(file: SourceFile) -> bool:
    """Tell whether `file` is read as parquet; all others are CSV."""
    return file.path.name.lower().endswith(".parquet")


def parquet_rows(file: SourceFile, plan: Mapping[str, str]) -> Iterator[ReadBatch]:
    """Yield the planned columns batch by batch, each with its 1-based row numbers."""
    import pyarrow.parquet as pq

    line = 1
    columns = list(plan.values())
    try:
        with pq.ParquetFile(file.path, pre_buffer=False, buffer_size=1 << 20) as parquet:
            for batch in parquet.iter_batches(_batch_rows(parquet.metadata), columns=columns):
                if batch.num_rows:
                    yield ReadBatch(np.arange(line, line + batch.num_rows), batch, [])
                line += batch.num_rows
    except (*READ_ERRORS, pa.ArrowException) as error:
        yield _broken(line, error)


def _batch_rows(metadata: "pq.FileMetaData") -> int:
    """Return how many rows of a parquet file fit a batch, by their size before compression."""
    groups = [metadata.row_group(place) for place in range(metadata.num_row_groups)]
    size = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1)
    return int(min(max(_BATCH_BYTES / max(size, 1), 1), _BATCH_ROWS))


def _broken(line: int, error: Exception) -> ReadBatch:
    fault = unreadable(error, "the rows before this point were kept")
    return ReadBatch(np.array([], dtype=np.int64), None, [(line, fault)])


def csv_rows(file: SourceFile, plan: Mapping[str, str]) -> Iterator[ReadBatch]:
    """Yield the rows of a CSV file as bytes, and a fault for each row of the wrong width.

    Values stay bytes so that one that is not UTF-8 spoils its own row only. One thread, because
    the parser knows the numbers of bad rows only then.
    """
    import pyarrow.csv as pa_csv

    bad: Faults = []

    def note(row: "pa_csv.InvalidRow") -> str:
        reason = f"the row has {row.actual_columns} values, the header has {row.expected_columns}"
        advice = "check the row for a stray comma or quote mark"
        fault = RecordFaultError("wrong_width", reason, advice, visible(row.text))
        bad.append((row.number, fault))
        return "skip"

    columns = list(plan.values())
    line = 2
    problem: Exception | None = None
    stream = open_bytes(file.path)
    whole = WholeRows(stream) if file.path.name.lower().endswith(".gz") else None
    try:
        reader = pa_csv.open_csv(
            whole or stream,
            read_options=pa_csv.ReadOptions(use_threads=False, block_size=_CSV_BLOCK),
            parse_options=pa_csv.ParseOptions(
                newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=note
            ),
            convert_options=pa_csv.ConvertOptions(
                include_columns=columns,
                column_types=dict.fromkeys(columns, pa.binary()),
                # Only an empty value is null: NA, NULL and TRUE are tickers.
                null_values=[""],
                strings_can_be_null=True,
                check_utf8=False,
            ),
        )
        for batch in reader:
            taken = [number for number, _ in bad]
            lines = np.arange(line, line + batch.num_rows + len(taken))
            lines = lines[~np.isin(lines, taken)][: batch.num_rows]
            if batch.num_rows:
                line = int(lines[-1]) + 1
            # The parser may be ahead of the rows that it has handed out.
            passed = bisect_left(bad, line, key=lambda noted: noted[0])
            yield ReadBatch(*_filled(lines, batch), bad[:passed])
            del bad[:passed]
    except (*READ_ERRORS, pa.ArrowException) as error:
        problem = error
    finally:
        stream.close()
    if bad:
        line = bad[-1][0] + 1
        yield ReadBatch(np.array([], dtype=np.int64), None, bad)
    if whole is not None and problem is None:
        problem = whole.error
    if problem is not None:
        yield _broken(line, problem)


def _filled(lines: Lines, rows: pa.RecordBatch) -> tuple[Lines, pa.RecordBatch]:
    """Drop the rows that are wholly empty, as blank lines and spreadsheet leftovers are."""
    empty = np.logical_and.reduce(
        [column.is_null().to_numpy(zero_copy_only=False) for column in rows.columns]
    )
    return lines[~empty], rows.filter(pa.array(~empty))

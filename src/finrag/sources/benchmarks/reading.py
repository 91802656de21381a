"""Reading the files of public benchmarks, one row per raw record, good or bad."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import pyarrow as pa

from finrag.records.fields import check_writable
from finrag.records.files import RecordFaultError, SourceFile, visible
from finrag.records.json_records import RawRecord
from finrag.records.raw_records import raw_records
from finrag.records.rows import Row, quarantined, record_row
from finrag.sources.benchmarks.deduplication import Deduplicator
from finrag.sources.benchmarks.files import (
    BenchmarkFile,
    CatalogueRow,
    find_benchmark_files,
    read_catalogue,
)
from finrag.sources.benchmarks.loaders import LOADERS, TEXT_FIELDS, Loader
from finrag.sources.benchmarks.records import RECORD_SCHEMA, Loaded, Source
from finrag.text.references import document_key, name_words

_BATCH_ROWS: Final = 512
_BATCH_UNITS: Final = 20_000  # questions and passages; a record of a long table has hundreds


class GivenSystem(NamedTuple):
    """A system that files of public sets have answers or rankings of.

    Attributes:
        name: as its records name it, or else the file.
        benchmarks: the sets.
        files: the files, by name.
    """

    name: str
    benchmarks: tuple[str, ...]
    files: tuple[SourceFile, ...]


def open_benchmarks(
    paths: str | Sequence[str],
    catalogue: Sequence[CatalogueRow] | None = None,
    loaders: Mapping[str, Loader] = LOADERS,
) -> pa.RecordBatchReader:
    """Open the files of the benchmarks below the configured paths.

    Of several questions of one set with the same id the first is kept, in the order of `paths`,
    then of the file names, then of each file; a record with a later one is quarantined whole.
    Passages may come again, as a page does with each of its questions: the record of a question
    holds those that no question before it brought along.

    Args:
        paths: see `finrag.sources.benchmarks.files.find_benchmark_files`; none gives no row.
        catalogue: the known files; null reads the seed.
        loaders: the loaders by name.

    Returns:
        A reader of `RECORD_SCHEMA`, one row per raw record. `record_status` is `read` or
        `quarantined`; a quarantined row has a reason and nulls from `original` on. `source_line`
        is the 1-based line, the place in an array, or the row of a table; it is unique with
        `source_file`.

    Raises:
        ValueError: a path leads nowhere, or a row of the catalogue names no loader.
    """
    known = read_catalogue() if catalogue is None else catalogue
    for row in known:
        if row.loader not in loaders:
            raise ValueError(f"there is no loader {row.loader}, which {row.file_pattern} names")
    files = find_benchmark_files(paths, known)
    return pa.RecordBatchReader.from_batches(RECORD_SCHEMA, _batches(_rows(files, loaders)))


def read_files(files: Sequence[BenchmarkFile], loaders: Mapping[str, Loader] = LOADERS) -> pa.Table:
    """Read some files, as ``open_benchmarks`` reads those below a folder."""
    return pa.Table.from_batches(_batches(_rows(files, loaders)), RECORD_SCHEMA)


def find_systems(
    paths: str | Sequence[str],
    catalogue: Sequence[CatalogueRow] | None = None,
    loaders: Mapping[str, Loader] = LOADERS,
) -> list[GivenSystem]:
    """Return the systems whose answers or rankings lie in the folders of public sets.

    Args:
        paths: see `open_benchmarks`, which reads the same records.
        catalogue: see there.
        loaders: see there.

    Returns:
        One entry per system, by name, with the sets and the files that have a record of it which
        can be read.
    """
    known = read_catalogue() if catalogue is None else catalogue
    files = [
        file for file in find_benchmark_files(paths, known) if file.holds in ("answers", "rankings")
    ]
    found: dict[str, set[BenchmarkFile]] = defaultdict(set)
    by_name = {file.file.name: file for file in files}
    for row in _rows(files, loaders):
        for prediction in row.get("predictions") or ():
            found[prediction["system"]].add(by_name[row["source_file"]])
    return [
        GivenSystem(
            name,
            tuple(sorted({file.benchmark for file in of})),
            tuple(sorted((file.file for file in of), key=lambda file: file.name)),
        )
        for name, of in sorted(found.items())
    ]


def _rows(files: Sequence[BenchmarkFile], loaders: Mapping[str, Loader]) -> Iterator[Row]:
    seen = Deduplicator()
    for file in files:
        for record in raw_records(file.file, text_field=TEXT_FIELDS.get(file.loader)):
            yield _row(file, record, loaders[file.loader], seen)


def _row(file: BenchmarkFile, record: RawRecord, loader: Loader, seen: Deduplicator) -> Row:
    source = Source(file.benchmark, file.file.name, record.number)

    def parse(value: Any) -> Row:
        loaded = _loaded(value, source, loader)
        fields = {
            "original": loaded.original,
            "questions": [_keyed(vars(each)) for each in loaded.questions],
            "passages": [_keyed(vars(each)) for each in loaded.passages],
            "judgments": [_keyed(vars(each)) for each in loaded.judgments],
            "predictions": list(loaded.predictions),
        }
        check_writable(fields)
        seen.add(loaded, source, record.unit)
        if loaded.questions:
            fields["passages"] = [_keyed(vars(each)) for each in seen.new_passages(loaded, source)]
        return fields

    return {"benchmark": source.benchmark, **record_row(source.file, record, parse)}


def _keyed(fields: Row) -> Row:
    """The fields, and what the document they name is called when names are compared."""
    name = fields.get("document_id", fields.get("document"))
    if name is None:
        return {**fields, "document_key": None, "document_words": None}
    key, words = _compared(name)
    return {**fields, "document_key": key, "document_words": words}


@lru_cache(maxsize=1024)
def _compared(name: str) -> tuple[str, list[str]]:
    """What a document is called when names are compared, and its words; never changed."""
    return document_key(name), name_words(name)


def _loaded(value: Any, source: Source, loader: Loader) -> Loaded:
    try:
        return loader(value, source)
    except RecordFaultError:
        raise
    except Exception as error:
        # A file of strangers can have any shape: what no loader foresaw must not end the build.
        raise unexpected_shape(error) from error


def unexpected_shape(error: Exception) -> RecordFaultError:
    """Return the fault for a record on which a loader failed in a way that it did not foresee."""
    said = visible(f"{type(error).__name__}: {error}")
    reason = f"the record has an unknown structure ({said})"
    return RecordFaultError(
        "unexpected_shape",
        reason,
        "compare the record with a correct one of the set, and correct it",
    )


def _batches(rows: Iterator[Row]) -> Iterator[pa.RecordBatch]:
    held: list[Row] = []
    units = 0
    for row in rows:
        held.append(row)
        units += len(row.get("questions") or ()) + len(row.get("passages") or ())
        if len(held) == _BATCH_ROWS or units >= _BATCH_UNITS:
            yield _batch(held)
            held, units = [], 0
    if held:
        yield _batch(held)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    """Return rows as a batch; a row with a value that has no place in the schema is quarantined."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=RECORD_SCHEMA)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.RecordBatch.from_pylist([_fitting(row) for row in rows], schema=RECORD_SCHEMA)


def _fitting(row: Row) -> Row:
    try:
        pa.RecordBatch.from_pylist([row], schema=RECORD_SCHEMA)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        excerpt = visible(row.get("original") or "")
        record = RawRecord(row["source_line"], "record", None, excerpt)
        fault = unexpected_shape(error)
        return {"benchmark": row["benchmark"], **quarantined(row["source_file"], record, fault)}
    return row

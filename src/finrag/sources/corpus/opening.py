"""The one corpus a build reads: which reader serves it, and what an unused door gives.

Every build reads one corpus, named by the dbt var ``corpus``. The readers of the other
kinds then give an empty table of the right shape, so that the SQL downstream never forks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

import pyarrow as pa

from finrag import sample
from finrag.filings import Identity
from finrag.records.csv_records import column_names, read_csv_records
from finrag.records.files import RecordFaultError, SourceFile
from finrag.records.identity import (
    normalise_form,
    parse_cik,
    parse_company,
    parse_several,
    parse_year,
    report_year_of,
)
from finrag.records.json_records import not_utf8
from finrag.sources.corpus.filings import FILING_RECORD_SCHEMA, read_filings
from finrag.sources.corpus.raw import LIST_NAME, Limits, check_raw, list_raw, raw_rows
from finrag.sources.corpus.sentences import SENTENCE_ROW_SCHEMA, read_sentence_rows

_WRITING_SAMPLE = threading.Lock()
CORPUS_KINDS = ("sample", "filings", "sentences", "raw_filings", "edgar")

COMPANY_NAME_SCHEMA = pa.schema(
    [
        pa.field("cik_int", pa.int64(), nullable=False),
        pa.field("company_name", pa.string()),
        pa.field("ticker", pa.string()),
        pa.field("source_line", pa.int64(), nullable=False),
    ]
)


class Wanted:
    """Which of the filings that were fetched from EDGAR a build reads: what the dbt vars ask for.

    Each is a list, a text with commas or a single value; where it is empty, it asks for all.
    """

    def __init__(self, tickers: object = (), years: object = (), forms: object = ()) -> None:
        """Read what is asked for.

        Args:
            tickers: tickers or CIKs.
            years: report years.
            forms: form types.

        Raises:
            ValueError: one of them is no company, year or form.
        """
        self._companies = {parse_company(one) for one in parse_several(tickers)}
        self._years = {parse_year(one, "edgar_years") for one in parse_several(years)}
        self._forms = {normalise_form(one) for one in parse_several(forms)}

    def includes(self, filing: Identity) -> bool:
        """Whether a filing, as the list of what was fetched describes it, is asked for."""
        year = report_year_of(filing.period_end) if filing.period_end else filing.fiscal_year
        of_company = {filing.cik, (filing.ticker or "").upper()} & self._companies
        return (
            bool(of_company or not self._companies)
            and (not self._years or year in self._years)
            and (not self._forms or filing.form in self._forms)
        )


def open_filings(
    corpus: str,
    corpus_path: str,
    state_dir: str,
    filings_path: str = "",
    limits: Limits | None = None,
    wanted: Wanted | None = None,
) -> pa.RecordBatchReader:
    """Opens the filing records of the configured corpus.

    Args:
        corpus: one of ``CORPUS_KINDS``.
        corpus_path: file, directory or glob; of EDGAR, the folder of what was fetched. Ignored for
            the sample corpus.
        state_dir: directory for generated files; the sample corpus is written there once.
        filings_path: list of filings as filed, see ``list_raw``.
        limits: what a filing as filed may need; null for the usual.
        wanted: which of the filings that were fetched from EDGAR are read; null for all.

    Returns:
        A reader with ``FILING_RECORD_SCHEMA``; empty when the corpus is a sentence table.

    Raises:
        ValueError: unknown kind, a path that is missing or holds nothing readable, or nothing
            fetched that is wanted.
    """
    _check_kind(corpus)
    if corpus == "sentences":
        return _empty(FILING_RECORD_SCHEMA)
    path, listed, is_wanted = find_corpus(corpus, corpus_path, state_dir, filings_path, wanted)
    if corpus in ("sample", "filings"):
        return read_filings(path)
    found = list_raw(path, listed, is_wanted)
    rows = raw_rows(found, Path(state_dir), FILING_RECORD_SCHEMA, limits or Limits())
    return pa.RecordBatchReader.from_batches(FILING_RECORD_SCHEMA, rows)


def find_corpus(
    corpus: str,
    corpus_path: str,
    state_dir: str,
    filings_path: str = "",
    wanted: Wanted | None = None,
) -> tuple[str, str, Callable[[Identity], bool] | None]:
    """Where the configured corpus lies: its path, its list, and which listed filings are read.

    Args: see ``open_filings``.

    Raises:
        ValueError: unknown kind, no path where one is needed, or nothing fetched.
    """
    _check_kind(corpus)
    if corpus == "sample":
        return str(_sample_directory(Path(state_dir)) / "filings"), "", None
    if corpus != "edgar":
        return _required_path(corpus, corpus_path), filings_path, None
    path, filings_path = _fetched(Path(corpus_path or f"{state_dir}/edgar"))
    return path, filings_path, wanted.includes if wanted else None


def _fetched(folder: Path) -> tuple[str, str]:
    """Folder and list of the filings that were fetched from EDGAR."""
    if not (folder / LIST_NAME).is_file():
        raise ValueError(
            f"corpus is 'edgar' but nothing was fetched to {folder}; run `finrag fetch` first"
        )
    return str(folder / "filings"), str(folder / LIST_NAME)


def open_sentence_rows(corpus: str, corpus_path: str) -> pa.RecordBatchReader:
    """Opens a ready sentence table; empty when the corpus consists of filings.

    Args:
        corpus: one of ``CORPUS_KINDS``.
        corpus_path: file, directory or glob of parquet or CSV files.

    Returns:
        A reader with ``SENTENCE_ROW_SCHEMA``.

    Raises:
        ValueError: unknown kind, missing path, or required columns absent.
    """
    _check_kind(corpus)
    if corpus != "sentences":
        return _empty(SENTENCE_ROW_SCHEMA)
    return read_sentence_rows(_required_path(corpus, corpus_path))


def open_benchmark_records(
    corpus: str, benchmarks_paths: str | Sequence[str], state_dir: str
) -> pa.RecordBatchReader:
    """Opens the configured benchmarks, see ``benchmark_paths`` and ``open_benchmarks``."""
    from finrag.sources.benchmarks import open_benchmarks

    return open_benchmarks(benchmark_paths(corpus, benchmarks_paths, state_dir))


def tell_benchmarks(corpus: str, benchmarks_paths: str | Sequence[str], state_dir: str) -> pa.Table:
    """Tells which benchmarks are there, see ``benchmark_paths`` and ``benchmark_status``."""
    from finrag.sources.benchmarks import benchmark_status

    return benchmark_status(benchmark_paths(corpus, benchmarks_paths, state_dir))


def benchmark_paths(
    corpus: str, benchmarks_paths: str | Sequence[str], state_dir: str
) -> str | Sequence[str]:
    """The folders of benchmarks that a build reads.

    Those of the dbt var; where it is empty and the corpus is the sample, the sample's own.
    """
    if corpus == "sample" and not benchmarks_paths:
        return [str(_sample_directory(Path(state_dir)) / "benchmarks")]
    return benchmarks_paths


def open_company_names(companies_path: str) -> pa.RecordBatchReader:
    """Opens the optional CSV of company names with the columns cik, name and ticker.

    Args:
        companies_path: path of a UTF-8 CSV with a header, `.gz` too; blank means none.

    Returns:
        A reader with ``COMPANY_NAME_SCHEMA``, one row per line of the file.

    Raises:
        ValueError: the file is missing, lacks a column, or has a row that cannot be read or whose
            CIK is not a number; the message names the line and says what to do.
    """
    if not companies_path.strip():
        return _empty(COMPANY_NAME_SCHEMA)
    path = Path(companies_path)
    if not path.is_file():
        raise ValueError(
            f"companies_path: no file at '{path}'; correct the dbt var or leave it empty"
        )
    file = SourceFile(path, path.name)
    try:
        records = list(read_csv_records(file, _company_fields))
        if not records:
            _check_company_columns(column_names(file))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    rows = []
    for record in records:
        if isinstance(record.value, RecordFaultError):
            fault = record.value
            raise ValueError(f"{path}, line {record.number}: {fault.reason}; {fault.advice}")
        rows.append({**cast("dict[str, object]", record.value), "source_line": record.number})
    return pa.Table.from_pylist(rows, schema=COMPANY_NAME_SCHEMA).to_reader()


def _check_company_columns(names: Iterable[str]) -> None:
    if missing := sorted({"cik", "name"} - {name.strip().lower() for name in names}):
        raise ValueError(f"column(s) {missing} missing; expected cik, name, ticker")


def _company_fields(row: Mapping[str, bytes | None]) -> dict[str, object] | RecordFaultError:
    """Name and ticker of a company, or the fault that keeps its row from being read."""
    fields: dict[str, str] = {}
    for name, raw in row.items():
        try:
            fields[name.strip().lower()] = (raw or b"").decode("utf-8").strip()
        except UnicodeDecodeError:
            return not_utf8(f"in the column {name}")
    _check_company_columns(fields)
    try:
        cik = parse_cik(fields["cik"])
    except ValueError as error:
        return RecordFaultError("bad_cik", str(error), "correct the number, or remove the row")
    return {
        "cik_int": cik,
        "company_name": fields["name"] or None,
        "ticker": fields.get("ticker") or None,
    }


def check_corpus(corpus: str, corpus_path: str, state_dir: str, filings_path: str = "") -> None:
    """Checks the corpus settings without reading any record.

    Raises:
        ValueError: unknown kind; no path, or nothing at it, where one is needed; a path where none
            is read; of filings as filed, no file that could be one, or no list with its columns;
            nothing fetched yet.
    """
    _check_kind(corpus)
    if corpus in {"sample", "edgar"}:
        if corpus_path:
            raise ValueError(
                f"corpus_path is '{corpus_path}', but corpus is {corpus}, which does not use "
                "corpus_path; set the dbt var corpus to filings, raw_filings or sentences, or "
                "leave out corpus_path"
            )
        if corpus == "edgar":
            _fetched(Path(state_dir) / "edgar")
        return
    path = Path(_required_path(corpus, corpus_path))
    if not any(sign in corpus_path for sign in "*?[") and not path.exists():
        raise ValueError(
            f"nothing found at '{corpus_path}'; set the dbt var corpus_path to an existing path"
        )
    if path.is_file() and path.stat().st_size == 0:
        raise ValueError(
            f"'{corpus_path}' is empty; set the dbt var corpus_path to a file with records"
        )
    if corpus == "raw_filings":
        check_raw(corpus_path, filings_path)


def _check_kind(corpus: str) -> None:
    if corpus not in CORPUS_KINDS:
        raise ValueError(
            f"corpus is '{corpus}'; set the dbt var corpus to one of {', '.join(CORPUS_KINDS)}"
        )


def _required_path(corpus: str, corpus_path: str) -> str:
    if not corpus_path.strip():
        raise ValueError(
            f"corpus is '{corpus}' but corpus_path is empty; "
            "set the dbt var corpus_path to a file, a directory or a glob"
        )
    return corpus_path


def _sample_directory(state_dir: Path) -> Path:
    """Directory of the sample corpus of this version; written at the first call."""
    directory = state_dir / "sample" / sample.sample_version()
    # Several models of one build read it, in threads.
    with _WRITING_SAMPLE:
        if not (directory / "filings" / "sample_10k.jsonl").is_file():
            sample.write_sample(directory)
    return directory


def _empty(schema: pa.Schema) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_batches(schema, [])

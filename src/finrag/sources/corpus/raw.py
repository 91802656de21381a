"""Reading a folder of filings as filed: HTML, inline XBRL, text, packed or in archives.

A file is read once: what was read is cached by its bytes, by what a list says of it, by how many
cells a table may have and by the version of the library. Nothing that a file or an archive names is
opened, and no member of an archive is written to disk.
"""

from __future__ import annotations

import codecs
import hashlib
import logging
import sys
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, cast

import pyarrow as pa

from finrag.cache.results import ResultCache
from finrag.filings import Identity
from finrag.records.csv_records import column_names, read_csv_records
from finrag.records.files import (
    READ_ERRORS,
    RecordFaultError,
    SourceFile,
    empty_file,
    find_files,
    open_bytes,
    unreadable,
    visible,
)
from finrag.records.identity import normalise_form, parse_cik, parse_year, report_year_of, shown
from finrag.records.json_records import RawRecord, not_utf8
from finrag.records.rows import Row, quarantined

RAW_SUFFIXES: Final = (".htm", ".html", ".txt", ".htm.gz", ".html.gz", ".txt.gz", ".zip")
LIST_NAME: Final = "filings.csv"
"""The list of a folder, read where the dbt var ``filings_path`` names no other."""

_DOCUMENTS: Final = (".htm", ".html", ".txt")
# What archives hold beside filings: notes, lists, pictures, schemas.
_BESIDE: Final = (
    *(".md", ".csv", ".json", ".xml", ".xsd", ".css", ".js", ".jpg", ".jpeg", ".gif", ".png"),
)
_MEGABYTE: Final = 1 << 20
_BYTE_ORDER_MARKS: Final = codecs.BOM_UTF8 + codecs.BOM_UTF16
# Text packs ten times; only what is packed far tighter is suspected, and only if it is large.
_SUSPECTED_BYTES: Final = 8 * _MEGABYTE
_LISTED: Final = ("file", "cik", "name", "ticker", "form", "fiscal_year", "period_end", "accession")
# What to write in the line of a list, by the fault of the filing that it is about.
_ADVICE_ON_LISTED: Final = {
    "no_identity": "fill in its cik and its form",
    "no_period": "fill in its period_end or, of an annual report, its fiscal_year",
    "bad_identity": "correct the line, or leave the cell blank",
    "bad_form": "correct the line, or leave the cell blank",
    "identity_conflict": "correct the line, or leave the cell blank",
}
logger = logging.getLogger("finrag.filings")


@dataclass(frozen=True)
class Limits:
    """What a corpus of filings as filed may ask for.

    Attributes:
        megabytes: of a filing, unpacked.
        ratio: of unpacked to packed bytes, above 8 MB.
        cells: of a table; what a table holds beyond them is dropped and flagged.
    """

    megabytes: int = 256
    ratio: int = 200
    cells: int = 200_000


@dataclass(frozen=True)
class _Found:
    """A filing's bytes, or why there are none."""

    name: str
    number: int
    content: bytes | RecordFaultError


@dataclass(frozen=True)
class _Listed:
    """What a list says of a file, and in which line; a file that is not listed has none."""

    identity: Identity
    place: str


@dataclass(frozen=True)
class _Faults:
    """Rows for the lines of a list that are faulty, and the files that these name."""

    rows: list[Row]
    files: set[str]


@dataclass(frozen=True)
class RawCorpus:
    """Filings as filed that are to be read, and what a list says of them.

    Attributes:
        files: in order of their names.
        listed: what is said of a file, or of a member of an archive, by its name.
        faults: the lines of the list that are faulty, and the files that these name.
        is_chosen: whether only what is listed is read.
    """

    files: Sequence[SourceFile]
    listed: Mapping[str, _Listed]
    faults: _Faults
    is_chosen: bool = False

    def parts(self) -> Iterator[RawCorpus]:
        """The faulty lines of the list, if there are any, then each file with what is said of it.

        Together they give the rows of the whole.
        """
        if self.faults.rows:
            yield RawCorpus((), {}, self.faults, self.is_chosen)
        names = {file.name for file in self.files}
        listed: dict[str, dict[str, _Listed]] = {}
        for name, line in self.listed.items():
            listed.setdefault(_file_in(name, names), {})[name] = line
        faulty: dict[str, set[str]] = {}
        for name in self.faults.files:
            faulty.setdefault(_file_in(name, names), set()).add(name)
        for file in self.files:
            faults = _Faults([], faulty.get(file.name, set()))
            yield RawCorpus((file,), listed.get(file.name, {}), faults, self.is_chosen)


def _file_in(name: str, names: Collection[str]) -> str:
    """The file that holds a filing: itself, or the archive of which it is a member."""
    while name and name not in names:
        name = name.rpartition("/")[0]
    return name


def list_raw(
    path: str, filings_path: str, is_wanted: Callable[[Identity], bool] | None = None
) -> RawCorpus:
    """Find filings as filed, and read what a list says of them; opens no filing.

    Args:
        path: a file, a directory or a glob.
        filings_path: a CSV that says whose the files are, with the columns file, cik, form,
            fiscal_year, period_end, accession, ticker and name; blank for `filings.csv` in the
            folder, if it is there: for a single file that beside it, for a glob that in the folder
            before its first wildcard. What it leaves open a filing says itself. A file is named by
            its path in the folder, or by its bare name where no other has it.
        is_wanted: whether a listed filing is read; what is not listed then is not. Null for all.

    Raises:
        ValueError: there is nothing to read behind the path, the list cannot be read, or none of
            its filings is wanted.
    """
    files = find_files(path, RAW_SUFFIXES, may_leave=False)
    listed, faults = _listed(_list_of(files, filings_path), files, is_whole=Path(path).is_dir())
    if is_wanted is not None:
        listed = {name: line for name, line in listed.items() if is_wanted(line.identity)}
        if not listed:
            raise ValueError(
                f"none of the filings of {filings_path} matches the selected companies, years and "
                "forms; fetch them, or change the dbt vars edgar_tickers, edgar_years and "
                "edgar_forms (a company of several tickers is listed by its first: give its CIK)"
            )
    return RawCorpus(files, listed, faults, is_wanted is not None)


def raw_rows(
    corpus: RawCorpus, state_dir: Path, schema: pa.Schema, limits: Limits
) -> Iterator[pa.RecordBatch]:
    """Read filings as filed, a batch each: files in order of their names, members in theirs.

    Args:
        corpus: what is read.
        state_dir: where results are cached.
        schema: of the batches.
        limits: what a filing may need.
    """
    for fault in corpus.faults.rows:
        yield pa.RecordBatch.from_pylist([fault], schema=schema)
    cache = ResultCache(state_dir / "cache" / "filings", schema, ["filings as filed"])
    with ExitStack() as stack:
        tell = _progress(stack, len(corpus.files))
        for number, file in enumerate(corpus.files):
            tell(number, file.name)
            if corpus.is_chosen and file.name not in corpus.listed:
                continue
            for found in _contents(file, limits):
                if found.name in corpus.listed or found.name not in corpus.faults.files:
                    line = corpus.listed.get(found.name, _Listed(Identity(), ""))
                    yield _row_of(found, line, limits.cells, cache, schema)


def _row_of(
    found: _Found, listed: _Listed, max_cells: int, cache: ResultCache, schema: pa.Schema
) -> pa.RecordBatch:
    """The row of one filing, from the cache where its bytes were read before."""
    content = found.content
    if isinstance(content, RecordFaultError):
        record = RawRecord(found.number, "document", content, "")
        return pa.RecordBatch.from_pylist([quarantined(found.name, record, content)], schema=schema)
    digest = hashlib.sha256(content).hexdigest()

    def compute() -> Iterator[pa.RecordBatch]:
        row = _read(found, content, listed.identity, max_cells)
        yield pa.RecordBatch.from_pylist([row], schema=schema)

    try:
        batches = list(cache.recall([digest, asdict(listed.identity), max_cells], compute))
    except RecordFaultError as fault:
        record = RawRecord(found.number, "document", fault, "")
        return pa.RecordBatch.from_pylist([quarantined(found.name, record, fault)], schema=schema)
    table = _renamed(pa.Table.from_batches(batches, schema), found, listed.place)
    return table.combine_chunks().to_batches()[0]


def _renamed(table: pa.Table, found: _Found, listed_at: str) -> pa.Table:
    """The row as it would be read now: the same bytes may have had another name before."""
    columns = ("source_file", "source_line", "filing_name", "remedy", "reason_code")
    was = {name: table[name][0].as_py() for name in columns}
    place = "In {}, document {}:"
    before = place.format(was["source_file"], was["source_line"])
    now: dict[str, object] = {"source_file": found.name, "source_line": found.number}
    if was["filing_name"] is not None:
        now["filing_name"] = visible(Path(found.name).name)
    if was["remedy"] is not None:
        now["remedy"] = was["remedy"].replace(before, place.format(found.name, found.number), 1)
    if listed_at and was["reason_code"] in _ADVICE_ON_LISTED:
        now["remedy"] = f"In {listed_at}: {_ADVICE_ON_LISTED[was['reason_code']]}."
    for name, value in now.items():
        field = table.schema.field(name)
        position = table.schema.get_field_index(name)
        table = table.set_column(position, field, pa.array([value], field.type))
    return table


def _read(found: _Found, content: bytes, identity: Identity, max_cells: int) -> Row:
    """Read a filing, or say why it is none.

    Raises:
        RecordFaultError: the reader failed, which is not cached: it may succeed another time.
    """
    from finrag.filings.filing import read_filing

    record = RawRecord(found.number, "document", None, visible(content[:400].decode("latin-1")))
    try:
        return {
            "source_file": found.name,
            "source_line": found.number,
            "record_status": "loaded",
            "filing_name": visible(Path(found.name).name),
            **read_filing(content, identity, max_cells),
        }
    except RecordFaultError as fault:
        return quarantined(found.name, record, fault)
    except Exception as error:
        # Whatever a file makes the reader do, the others are read; the gate on lost records counts.
        logger.warning("%s could not be read", found.name, exc_info=True)
        reason = f"the reader failed on it ({type(error).__name__}: {visible(str(error))})"
        advice = "report it, or remove the file"
        raise RecordFaultError("reader_failed", reason, advice, record.excerpt) from error


def _contents(file: SourceFile, limits: Limits) -> Iterator[_Found]:
    """The filings that a file holds: itself, or the members of an archive."""
    if _is_archive(file):
        yield from _members(file, limits)
        return
    try:
        with open_bytes(file.path) as stream:
            content = stream.read(limits.megabytes * _MEGABYTE + 1)
        packed = file.path.stat().st_size
    except READ_ERRORS as error:
        yield _Found(file.name, 1, unreadable(error, "nothing of it was read"))
        return
    yield _Found(file.name, 1, _bounded(content, packed, limits))


def _members(file: SourceFile, limits: Limits) -> Iterator[_Found]:
    try:
        with zipfile.ZipFile(file.path) as archive:
            members = [one for one in archive.infolist() if _may_be_filing(one)]
            if not members:
                yield _Found(file.name, 1, empty_file())
            for number, member in enumerate(members, start=1):
                name = _member_name(file, member)
                yield _Found(name, number, _member(archive, member, limits))
    except Exception as error:
        # What a damaged archive makes its reader raise is no closed list.
        yield _Found(file.name, 1, unreadable(OSError(str(error)), "nothing more of it was read"))


def _member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits
) -> bytes | RecordFaultError:
    lower = member.filename.lower()
    if not lower.endswith(_DOCUMENTS):
        reason = "the member of an archive is neither .htm, .html nor .txt"
        return RecordFaultError("not_a_filing", reason, "take it out of the archive")
    if member.flag_bits & 1:
        reason = "the member of an archive is encrypted"
        return RecordFaultError("encrypted", reason, "unpack it, and pack it without a password")
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        # Of these the library can stop unpacking where the limit is reached.
        reason = "the member of an archive is compressed by a method other than deflate"
        return RecordFaultError(
            "unreadable_file", reason, "compress it again with deflate, the usual method"
        )
    try:
        with archive.open(member) as stream:
            content = stream.read(limits.megabytes * _MEGABYTE + 1)
    except Exception as error:
        return unreadable(OSError(str(error)), "nothing of it was read")
    return _bounded(content, member.compress_size, limits)


def _bounded(content: bytes, packed: int, limits: Limits) -> bytes | RecordFaultError:
    if not content.lstrip(_BYTE_ORDER_MARKS).strip():
        return empty_file()
    if len(content) > limits.megabytes * _MEGABYTE:
        reason = f"it holds more than {limits.megabytes} MB"
        advice = "remove it, or raise the dbt var raw_max_megabytes"
        return RecordFaultError("too_large", reason, advice)
    if len(content) > _SUSPECTED_BYTES and len(content) > limits.ratio * max(packed, 1):
        reason = f"it unpacks to more than {limits.ratio} times its size"
        advice = "remove it, or raise the dbt var raw_max_ratio"
        return RecordFaultError("too_compressed", reason, advice)
    return content


def _names(files: Sequence[SourceFile]) -> Iterator[str]:
    """The names of all files, and of the members of archives as far as these can be opened."""
    for file in files:
        yield file.name
        if not _is_archive(file):
            continue
        # What a damaged archive makes its reader raise is told where it is read.
        with suppress(Exception), zipfile.ZipFile(file.path) as archive:
            yield from (
                _member_name(file, one) for one in archive.infolist() if _may_be_filing(one)
            )


def _is_archive(file: SourceFile) -> bool:
    return file.name.lower().endswith(".zip")


def _may_be_filing(member: zipfile.ZipInfo) -> bool:
    return not (member.is_dir() or member.filename.lower().endswith(_BESIDE))


def _member_name(file: SourceFile, member: zipfile.ZipInfo) -> str:
    return f"{file.name}/{visible(member.filename)}"


def _by_spelling(names: Iterable[str]) -> list[dict[str, list[str]]]:
    """Names by how a list may spell them: in full, or bare; with `.gz` or without; best first."""
    tiers: list[dict[str, list[str]]] = [{}, {}, {}, {}]
    for name in names:
        bare = name.rsplit("/", 1)[-1]
        spelled = (name, name.removesuffix(".gz"), bare, bare.removesuffix(".gz"))
        for tier, spelling in zip(tiers, spelled, strict=True):
            tier.setdefault(spelling, []).append(name)
    return tiers


def _file_of(given: str, tiers: Sequence[Mapping[str, Sequence[str]]]) -> str | RecordFaultError:
    """The one file that a line of a list means."""
    found = next((tier[given] for tier in tiers if given in tier), ())
    if len(found) == 1:
        return found[0]
    if not found:
        reason = f"the list names {shown(given)}, which is not in the folder"
        return RecordFaultError("missing_file", reason, "remove the line, or add the file")
    reason = f"{len(found)} files of the corpus are called {shown(given)}"
    return RecordFaultError("ambiguous_file", reason, "list each by its path in the folder")


def check_raw(path: str, filings_path: str) -> None:
    """Check that there are files to read and that the list has its columns; opens no filing.

    Raises:
        ValueError: as `raw_rows` does.
    """
    _list_of(find_files(path, RAW_SUFFIXES, may_leave=False), filings_path)


def _list_of(files: Sequence[SourceFile], filings_path: str) -> SourceFile | None:
    """The list of the files, with the columns that it must have; null where there is none."""
    root = files[0].path.parents[files[0].name.count("/")]
    place = Path(filings_path) if filings_path.strip() else root / LIST_NAME
    if not place.is_file():
        if filings_path.strip():
            raise ValueError(
                f"filings_path: no file at '{filings_path}'; correct the dbt var or leave it empty"
            )
        return None
    file = SourceFile(place, place.name)
    columns = [name.strip().lower() for name in column_names(file)]
    remedy = "correct the list, or set the dbt var filings_path to another"
    if "file" not in columns:
        raise ValueError(
            f"{place}: the column file is missing; expected {', '.join(_LISTED)}, of which file is "
            f"required; {remedy}"
        )
    for known in _LISTED:
        meant = [one for one in columns if one not in _LISTED and _is_like(one, known)]
        if known not in columns and meant:
            raise ValueError(
                f"{place}: the column {shown(meant[0])} is not read; if it means {known}, rename "
                f"it to that ({', '.join(_LISTED)} are read), otherwise give it another name; "
                f"{remedy}"
            )
    return file


def _is_like(column: str, known: str) -> bool:
    """Whether somebody may have meant a known column: `cik_number`, `period`, `perod_end`."""
    words = column.replace("-", "_").replace(" ", "_").split("_")
    is_part = known in words or column in known.split("_")
    return is_part or SequenceMatcher(None, column, known).ratio() > 0.85


def _listed(
    file: SourceFile | None, files: Sequence[SourceFile], *, is_whole: bool
) -> tuple[dict[str, _Listed], _Faults]:
    """Read the list of filings: what it says by file, and what is faulty in it.

    Args:
        file: the list; null where there is none.
        files: those that are read.
        is_whole: whether they are a whole folder; else a list may name others as well.
    """
    listed: dict[str, _Listed] = {}
    faults = _Faults([], set())
    if file is None:
        return listed, faults
    tiers = _by_spelling(dict.fromkeys(_names(files)))
    for record in read_csv_records(file, _listed_fields):
        if isinstance(record.value, RecordFaultError):
            faults.rows.append(quarantined(file.name, record, record.value))
            continue
        given, said = cast("tuple[str, Identity | RecordFaultError]", record.value)
        name = _file_of(given, tiers)
        if isinstance(name, RecordFaultError):
            if name.code == "missing_file" and not is_whole:
                continue
            said = name
        elif isinstance(said, RecordFaultError):
            faults.files.add(name)
        else:
            line = _Listed(said, f"{file.name}, line {record.number}")
            if listed.setdefault(name, line).identity != said:
                reason = f"{shown(given)} is listed twice with different values"
                said = RecordFaultError("repeated_file", reason, "keep one line")
        if isinstance(said, RecordFaultError):
            faults.rows.append(quarantined(file.name, record, said))
    return listed, faults


def _listed_fields(row: Mapping[str, bytes | None]) -> object:
    fields: dict[str, str] = {}
    for name, raw in row.items():
        try:
            fields[name.strip().lower()] = (raw or b"").decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            return not_utf8(f"in the column {name}")
    if not fields.get("file"):
        return RecordFaultError("missing_field", "the file is blank", "name the file")
    return fields["file"], _identity_of(fields)


def _identity_of(fields: Mapping[str, str]) -> Identity | RecordFaultError:
    """What a line says of its file, or what is wrong with it."""
    try:
        identity = Identity(
            cik=parse_cik(fields["cik"]) if fields.get("cik") else None,
            name=fields.get("name") or None,
            ticker=fields.get("ticker") or None,
            form=normalise_form(fields["form"]) if fields.get("form") else None,
            period_end=_day(fields.get("period_end") or ""),
            accession=fields.get("accession") or None,
            fiscal_year=parse_year(year, "fiscal_year")
            if (year := fields.get("fiscal_year"))
            else None,
        )
        _check_years(identity)
    except ValueError as error:
        reason = f"the line on {shown(fields['file'])} cannot be right: {error}"
        return RecordFaultError("bad_list", reason, "correct the line, or leave the cell blank")
    return identity


def _check_years(identity: Identity) -> None:
    """Refuse a fiscal year that is not that of the period; companies count it in two ways."""
    year, end = identity.fiscal_year, identity.period_end
    if year is not None and end is not None and abs(year - report_year_of(end)) > 1:
        raise ValueError(f"fiscal_year is {year}, but period_end is {end}")


def _day(given: str) -> date | None:
    if not given:
        return None
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise ValueError(
            f"period_end is {shown(given)}, expected a date such as 2021-12-31"
        ) from None


def _progress(stack: ExitStack, total: int) -> Any:
    """Return a function that tells which file is being read, on a terminal."""
    if not sys.stderr.isatty() or total < 2:
        return lambda _number, _name: None
    from rich.console import Console

    status = stack.enter_context(Console(stderr=True).status("reading filings"))
    return lambda number, name: status.update(f"reading filing {number + 1} of {total}: {name}")

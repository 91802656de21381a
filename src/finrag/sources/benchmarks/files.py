"""Which files of the configured folders belong to which benchmark, and which sets are absent."""

import csv
import fnmatch
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from finrag.records.files import SourceFile, find_files
from finrag.warehouse.folder import project_file

BENCHMARKS_VAR: Final = "the dbt var benchmarks_paths"
CATALOGUE: Final = "seeds/catalogues/benchmark_files.csv"

STATUS_SCHEMA: Final = pa.schema(
    [
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("holds", pa.string(), nullable=False),
        ("title", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("n_files", pa.int32(), nullable=False),
        pa.field("file_names", pa.list_(pa.string()), nullable=False),
        pa.field("file_pattern", pa.string(), nullable=False),
        ("public_source", pa.string()),
        pa.field("message", pa.string(), nullable=False),
    ]
)

_ANY: Final = "*"
_NAMES_SHOWN: Final = 10


class CatalogueRow(NamedTuple):
    """One kind of file that is known, as the seed `benchmark_files` has it.

    Attributes:
        benchmark: id of the set; `*` for the name of the folder that the file lies in.
        holds: `questions`, `passages`, `judgments`, `answers` or `documents`.
        loader: key of `finrag.sources.benchmarks.loaders.LOADERS`.
        file_pattern: glob over the file name, or over the folder and the file name with a `/`.
        title: name of the set for people.
        public_source: where it can be had.
    """

    benchmark: str
    holds: str
    loader: str
    file_pattern: str
    title: str
    public_source: str


class BenchmarkFile(NamedTuple):
    """A file with the row of the catalogue that it belongs to.

    Attributes:
        benchmark: id of the set; the folder's name where the catalogue says `*`.
        holds, loader: as in the catalogue.
        file: the file, named from the last folder of its root on.
        row: the row of the catalogue.
    """

    benchmark: str
    holds: str
    loader: str
    file: SourceFile
    row: CatalogueRow


def read_catalogue() -> list[CatalogueRow]:
    """Read the catalogue of files from its seed.

    Raises:
        ValueError: the seed lacks a column.
    """
    with project_file(CATALOGUE).open(encoding="utf-8", newline="") as stream:
        return catalogue_rows(list(csv.DictReader(stream)))


def catalogue_rows(rows: Sequence[Mapping[str, Any]]) -> list[CatalogueRow]:
    """Return rows of the seed, however they were read, in the same order.

    Raises:
        ValueError: a row lacks a column or has no value in one.
    """
    for number, row in enumerate(rows, start=1):
        lacking = [name for name in CatalogueRow._fields if not row.get(name)]
        if lacking:
            raise ValueError(f"row {number} of {CATALOGUE} has no {', '.join(lacking)}; add it")
    return [CatalogueRow(*(str(row[name]) for name in CatalogueRow._fields)) for row in rows]


def find_benchmark_files(
    paths: str | Sequence[str], catalogue: Sequence[CatalogueRow]
) -> list[BenchmarkFile]:
    """Return the known files below the configured paths, in the order of the paths, then by name.

    A file belongs to the first row of the catalogue whose pattern it matches, upper and lower case
    alike. A file that two paths reach is read once.

    Args:
        paths: the dbt var benchmarks_paths: one file, folder or glob, or a list of them; folders
            are searched to the bottom. Blank or empty means none.
        catalogue: see `read_catalogue`.

    Raises:
        ValueError: a path is not text or leads nowhere, or two files have the same name.
    """
    known = {row.benchmark for row in catalogue}
    matched = ((_match(file, catalogue), file) for file in _all_files(paths))
    return [
        BenchmarkFile(_benchmark(row, file, known), row.holds, row.loader, file, row)
        for row, file in matched
        if row is not None
    ]


def gold_files(
    paths: str | Sequence[str], benchmark: str, catalogue: Sequence[CatalogueRow]
) -> list[BenchmarkFile]:
    """Return the files of one set that hold no answers and no rankings of systems.

    A path that is a single file of any name holds the set's questions.

    Args:
        paths: see `find_benchmark_files`.
        benchmark: id of the set.
        catalogue: see `read_catalogue`.

    Raises:
        ValueError: see `find_benchmark_files`.
    """
    found = [
        file
        for file in find_benchmark_files(paths, catalogue)
        if file.benchmark == benchmark and file.holds not in ("answers", "rankings")
    ]
    rows = [row for row in catalogue if (row.benchmark, row.holds) == (benchmark, "questions")]
    if found or not rows:
        return found
    return [
        BenchmarkFile(benchmark, "questions", rows[0].loader, file, rows[0])
        for path in _listed(paths)
        if Path(path).is_file()
        for file in _files_below(path)
    ]


def answer_file(path: Path, benchmark: str, catalogue: Sequence[CatalogueRow]) -> BenchmarkFile:
    """Return a file of answers of any name as it would be read in the folder of a set.

    Args:
        path: the file.
        benchmark: id of the set.
        catalogue: see `read_catalogue`; where it knows the name, it says the shape.
    """
    names = (f"data/{path.name}", f"{benchmark}/predictions/{path.name}")
    files = [SourceFile(path, name) for name in names]
    for file in files:
        row = _match(file, catalogue)
        if row and row.holds == "answers" and _benchmark(row, file, ()) == benchmark:
            return BenchmarkFile(benchmark, "answers", row.loader, file, row)
    row = next(row for row in catalogue if row.loader == "predictions")
    return BenchmarkFile(benchmark, "answers", row.loader, files[-1], row)


def benchmark_status(
    paths: str | Sequence[str], catalogue: Sequence[CatalogueRow] | None = None
) -> pa.Table:
    """Tell which sets were found, which are absent and where they can be had.

    Args:
        paths: see `find_benchmark_files`.
        catalogue: the known files; null reads the seed.

    Returns:
        A table of `STATUS_SCHEMA`: one row per row of the catalogue, for those of any folder one
        per folder; `status` is `loaded` or `absent`. Files that no row matches come together in a
        last row, `ignored`.

    Raises:
        ValueError: see `find_benchmark_files`.
    """
    known = read_catalogue() if catalogue is None else catalogue
    found = find_benchmark_files(paths, known)
    rows = [status for row in known for status in _status(row, found)]
    matched = {each.file.name for each in found}
    ignored = [file.name for file in _all_files(paths) if file.name not in matched]
    if ignored:
        message = (
            f"no row of {CATALOGUE} matches {_some(ignored)}; rename files that belong to a set"
        )
        rows.append(_status_row(_ANY, "ignored", _ANY, ignored, message))
    return pa.Table.from_pylist(rows, schema=STATUS_SCHEMA)


def _status(row: CatalogueRow, found: Sequence[BenchmarkFile]) -> list[dict[str, Any]]:
    names: dict[str, list[str]] = {}
    for each in found:
        if each.row == row:
            names.setdefault(each.benchmark, []).append(each.file.name)
    if names:
        asked = {each.benchmark for each in found if each.holds in ("questions", "passages")}
        return [
            _status_row(benchmark, "loaded", row, files, _read_from(files, benchmark in asked))
            for benchmark, files in sorted(names.items())
        ]
    message = (
        f"not found: put {row.file_pattern} below a folder of {BENCHMARKS_VAR}; "
        f"public source: {row.public_source}"
    )
    return [_status_row(row.benchmark, "absent", row, [], message)]


def _read_from(files: list[str], is_asked: bool) -> str:
    said = f"read from {', '.join(files)}"
    return (
        said
        if is_asked
        else f"{said}; no questions of this set were found; name its folder as the set"
    )


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _status_row(
    benchmark: str, status: str, row: CatalogueRow | str, files: list[str], message: str
) -> dict[str, Any]:
    known = row if isinstance(row, CatalogueRow) else None
    return {
        "benchmark": benchmark,
        "holds": known.holds if known else "nothing",
        "title": known.title if known else None,
        "status": status,
        "n_files": len(files),
        "file_names": files,
        "file_pattern": known.file_pattern if known else _ANY,
        "public_source": known.public_source if known else None,
        "message": message,
    }


def _all_files(paths: str | Sequence[str]) -> list[SourceFile]:
    """Return every file below the paths, each once."""
    named: dict[str, SourceFile] = {}
    seen: set[str] = set()
    for path in _listed(paths):
        for file in _files_below(path):
            real = os.path.realpath(file.path)
            if real in seen:
                continue
            seen.add(real)
            if file.name in named:
                raise ValueError(
                    f"{named[file.name].path} and {file.path} have the same name below their "
                    f"folders, {file.name}; rename one, or correct {BENCHMARKS_VAR}"
                )
            named[file.name] = file
    return list(named.values())


def _listed(paths: str | Sequence[str]) -> list[str]:
    given = [paths] if isinstance(paths, str) and paths.strip() else list(paths or [])
    for path in given:
        if not isinstance(path, str) or not path.strip():
            raise ValueError(
                f"{path!r} is not a path of a file or folder; correct {BENCHMARKS_VAR}"
            )
    return given


def _files_below(path: str) -> list[SourceFile]:
    target = Path(path)
    if target.is_dir() and not any(names for _, _, names in os.walk(target, followlinks=True)):
        return []
    found = find_files(path, ("",), f"set {BENCHMARKS_VAR}")
    return [SourceFile(file.path, _shown_name(file)) for file in found]


def _shown_name(file: SourceFile) -> str:
    """Return the name of a file below its root, the root's last folder in front."""
    absolute = Path(os.path.abspath(file.path))  # noqa: PTH100 - a link keeps its own folder
    depth = len(Path(file.name).parts)
    root = absolute.parents[depth - 1].name
    shown = f"{root}/{file.name}" if root else file.name
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def _match(file: SourceFile, catalogue: Sequence[CatalogueRow]) -> CatalogueRow | None:
    parts = file.name.lower().split("/")
    for row in catalogue:
        pattern = row.file_pattern.lower()
        named = "/".join(parts[-pattern.count("/") - 1 :])
        if fnmatch.fnmatchcase(named, pattern):
            return row
    return None


def _benchmark(row: CatalogueRow, file: SourceFile, known: Collection[str]) -> str:
    """Return the id of the set: the catalogue's, or the name of the folder around the file.

    What systems gave for a set that is known goes to it however its folder is written.
    """
    if row.benchmark != _ANY:
        return row.benchmark
    depth = row.file_pattern.count("/") + 1
    parts = file.name.split("/")
    named = parts[-depth] if len(parts) >= depth > 1 else parts[0]
    is_of_systems = row.holds in ("answers", "rankings")
    return named.lower() if is_of_systems and named.lower() in known else named

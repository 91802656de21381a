"""The warehouse: its file, and dbt's record of a build. Only this room knows DuckDB and dbt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import duckdb
import pyarrow as pa

from finrag.warehouse.folder import step_command

Row = dict[str, Any]
Connection: TypeAlias = duckdb.DuckDBPyConnection
QueryError = duckdb.Error

# Beside dbt's results: the models that the same build found unchanged and did not run.
UNCHANGED: Final = "unchanged.json"


@dataclass(frozen=True)
class StoredRows:
    """What a Python model returns in place of rows that lie in Parquet files already.

    The warehouse then has a view of these files, and where there are none an empty table.

    Attributes:
        files: absolute paths or addresses such as ``s3://bucket/path``.
        schema: the columns, which all files have.
    """

    files: Sequence[str]
    schema: pa.Schema

    @property
    def query(self) -> str:
        """The rows, as SQL; there must be files."""
        columns = ", ".join('"' + name.replace('"', '""') + '"' for name in self.schema.names)
        files = ", ".join("'" + file.replace("'", "''") + "'" for file in self.files)
        # A folder such as prefix=3 is no column.
        return f"select {columns} from read_parquet([{files}], hive_partitioning = false)"


class Warehouse:
    """A warehouse that is only read; a missing table has no rows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        rows = connection.execute(
            "select table_schema || '.' || table_name, column_name from information_schema.columns"
        ).fetchall()
        self._columns: dict[str, set[str]] = {}
        for table, column in rows:
            self._columns.setdefault(table, set()).add(column)

    def has(self, table: str, *columns: str) -> bool:
        """Whether there is such a table, with these columns."""
        return set(columns) <= self._columns.get(table, set()) and table in self._columns

    def table(self, query: str, parameters: Sequence[object] = ()) -> pa.Table:
        """What a query finds; values go into ``parameters``, never into its text."""
        return self._connection.sql(query, params=list(parameters)).to_arrow_table()

    def batches(self, query: str, n_rows: int) -> pa.RecordBatchReader:
        """What a query finds, so many rows at a time; nothing else is read meanwhile."""
        return self._connection.sql(query).to_arrow_reader(n_rows)

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of a query, see ``table``."""
        rows: list[Row] = self.table(query, parameters).to_pylist()
        return rows


@contextmanager
def open_warehouse(database: Path, lacking: str = "") -> Iterator[Warehouse]:
    """Open a finished warehouse for reading.

    Args:
        database: the warehouse file.
        lacking: for the message, what the file holds where a table is missing, and the remedy;
            empty for an unfinished build.

    Raises:
        ValueError: there is no warehouse, it cannot be read, or it lacks a table that is read.
    """
    check_finished(database)
    try:
        connection = read_only(database)
    except duckdb.IOException as error:
        raise _unreadable(database, error) from error
    with connection:
        try:
            yield Warehouse(connection)
        except (duckdb.CatalogException, duckdb.BinderException, IndexError) as error:
            unfinished = (
                f"no finished build (reports are missing); run `{step_command('build')}` and read "
                "its first error"
            )
            raise ValueError(f"'{database}' holds {lacking or unfinished}") from error


def unfinished_mark(database: Path) -> Path:
    """A file that is there from the start of a build until its verdicts are written."""
    return database.with_name(f"{database.name}.unfinished")


def check_there(database: Path) -> None:
    """Raise ValueError where there is no warehouse."""
    if not database.is_file():
        raise ValueError(f"no warehouse at '{database}'; run `{step_command('build')}` first")


def check_finished(database: Path) -> None:
    """Raise ValueError where there is no warehouse, or the last build of it did not end."""
    check_there(database)
    if unfinished_mark(database).is_file():
        raise ValueError(
            f"the last build of '{database}' stopped before its verdicts, so its tables come from "
            "two builds; run `finrag build` again"
        )


def check_free(database: Path) -> None:
    """Raise ValueError where a warehouse that is there cannot be written to."""
    try:
        duckdb.connect(str(database)).close()
    except duckdb.IOException as error:
        holder = re.search(r"PID \d+", str(error))
        if holder is None:
            raise ValueError(
                f"'{database}' is not a DuckDB file that can be opened: {error}; "
                "move it away or set FINRAG_DATABASE"
            ) from error
        raise ValueError(
            f"another program ({holder[0]}) has '{database}' open; close it and try again"
        ) from error


def read_only(database: Path) -> Connection:
    """A connection that cannot write."""
    connection = duckdb.connect(str(database), read_only=True)
    _reach_files(connection)
    return connection


def _reach_files(connection: Connection) -> None:
    """Where tables are views of files in S3, let the connection read those."""
    found = connection.execute(
        "select min(regexp_extract(sql, 's3://[^/'']+')) from duckdb_views() "
        "where contains(sql, 's3://')"
    ).fetchall()
    if found[0][0]:
        from finrag.warehouse.s3 import reach_s3

        reach_s3(connection, found[0][0])


def in_memory() -> Connection:
    """A database of its own, which no file holds."""
    return duckdb.connect(":memory:")


def attached(connection: Connection, database: Path) -> dict[str, str]:
    """Put a warehouse beside a database, to be read only: its tables' places, by name.

    Raises:
        ValueError: there is no warehouse, or it cannot be read.
    """
    check_there(database)
    _attach(connection, database)
    rows = connection.execute(
        "select table_name, table_schema from information_schema.tables "
        "where table_catalog = 'warehouse' and table_schema not in ('main', 'test_failures') "
        "order by table_schema, table_name"
    ).fetchall()
    return {name: f'warehouse."{schema}"."{name}"' for name, schema in rows}


def _attach(connection: Connection, database: Path) -> None:
    path = str(database).replace("'", "''")
    try:
        connection.execute(f"attach '{path}' as warehouse (read_only)")
    except duckdb.IOException as error:
        raise _unreadable(database, error) from error
    _reach_files(connection)


@contextmanager
def beside(database: Path, target: Path, storage_version: str) -> Iterator[Connection]:
    """A new file with a warehouse beside it, as ``warehouse``, which cannot be written to.

    Args:
        database: the warehouse file.
        target: the new file.
        storage_version: the oldest DuckDB that must be able to read it.

    Raises:
        ValueError: the warehouse cannot be read.
    """
    config = {"storage_compatibility_version": storage_version}
    with duckdb.connect(str(target), config=config) as connection:
        _attach(connection, database)
        yield connection


def tables_in(database: Path) -> set[str]:
    """Names of the tables of a file; none where it cannot be read."""
    try:
        with read_only(database) as connection:
            return {name for (name,) in connection.execute("show tables").fetchall()}
    except duckdb.Error:
        return set()


def fold_log(database: Path) -> None:
    """Write into a file what an interrupted build left beside it."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("checkpoint")


def _unreadable(database: Path, error: Exception) -> ValueError:
    return ValueError(
        f"'{database}' cannot be read: another program is writing to it, or it is not a "
        f"warehouse ({str(error).splitlines()[0]})"
    )


def model_statuses(results: Path) -> Mapping[str, str]:
    """The status of each model of a run, by name.

    A model that the run found unchanged counts as one that succeeded.

    Args:
        results: dbt's ``run_results.json``; without the file nothing was run.
    """
    if not results.is_file():
        return {}
    ran = json.loads(results.read_text(encoding="utf-8"))
    unchanged = {}
    beside = results.with_name(UNCHANGED)
    if beside.is_file():
        left = json.loads(beside.read_text(encoding="utf-8"))
        if left["invocation_id"] == ran["metadata"]["invocation_id"]:
            unchanged = {_name(model): "success" for model in left["models"]}
    return unchanged | {
        _name(row["unique_id"]): str(row["status"])
        for row in ran["results"]
        if row["unique_id"].startswith("model.")
    }


def model_names(manifest: Path) -> set[str]:
    """Names of all models of the project; none where dbt left no ``manifest.json``."""
    if not manifest.is_file():
        return set()
    nodes = json.loads(manifest.read_text(encoding="utf-8"))["nodes"]
    return {_name(node) for node in nodes if node.startswith("model.")}


def published_models(manifest: Path) -> set[str]:
    """Tables that are read outside their room, as ``schema.table``: doors and reports."""
    nodes = json.loads(manifest.read_text(encoding="utf-8"))["nodes"].values()
    return {
        f"{node['schema']}.{node['alias']}"
        for node in nodes
        if node["resource_type"] == "model"
        and (node["access"] == "public" or node["alias"].startswith("rpt_"))
    }


def check_written(results: Path | None, models: Sequence[str]) -> None:
    """Check that a build wrote these tables, so that no older figures pass for its own.

    Args:
        results: dbt's ``run_results.json``; None leaves the check out.
        models: models that the build must have written.

    Raises:
        ValueError: naming those that it did not.
    """
    if results is None:
        return
    statuses = model_statuses(results)
    missing = sorted(name for name in models if statuses.get(name) != "success")
    if missing:
        raise ValueError(
            f"this build stopped before {', '.join(missing)}; the warehouse still holds these "
            "tables of an earlier build. The first error above says why"
        )


def _name(unique_id: str) -> str:
    return unique_id.rsplit(".", 1)[-1]

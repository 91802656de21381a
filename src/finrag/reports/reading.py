"""What reports read of a warehouse: rows of doors, through a connection that cannot write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class Warehouse:
    """A warehouse that is only read; a table that is not there has no rows and is remembered."""

    def __init__(self, connection: Any) -> None:
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

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of a query; what is looked for goes into ``parameters``, never into its text."""
        found = self._connection.sql(query, params=list(parameters))
        rows: list[Row] = found.to_arrow_table().to_pylist()
        return rows


@contextmanager
def open_warehouse(database: Path) -> Iterator[Warehouse]:
    """Opens a finished warehouse for reading.

    Args:
        database: the warehouse file.

    Raises:
        ValueError: there is no warehouse, it cannot be read, or its build never came to its end.
    """
    import duckdb

    if not database.is_file():
        raise ValueError(f"no warehouse at '{database}'; run `make build` first")
    try:
        connection = duckdb.connect(str(database), read_only=True)
    except duckdb.IOException as error:
        raise ValueError(
            f"'{database}' cannot be read: another program is writing to it, or it is not a "
            f"warehouse ({str(error).splitlines()[0]})"
        ) from error
    with connection:
        try:
            yield Warehouse(connection)
        except (duckdb.CatalogException, duckdb.BinderException, IndexError) as error:
            raise ValueError(
                f"'{database}' holds no finished build (reports are missing); run `dbt build` "
                "and read its first error"
            ) from error


def check_written(results: Path | None, tables: Sequence[str]) -> None:
    """Checks that a build wrote these tables, so that no older figures pass for its own.

    Args:
        results: dbt's ``run_results.json``; None leaves the check out.
        tables: models that the build must have written.

    Raises:
        ValueError: naming those that it did not.
    """
    if results is None:
        return
    written = set()
    if results.is_file():
        for result in json.loads(results.read_text(encoding="utf-8"))["results"]:
            if result["status"] == "success":
                written.add(result["unique_id"].rsplit(".", 1)[-1])
    missing = sorted(set(tables) - written)
    if missing:
        raise ValueError(
            f"this build stopped before {', '.join(missing)}; what the warehouse holds there is "
            "of an earlier build. The first error above says why"
        )


def last_records(warehouse: Warehouse) -> tuple[Row | None, Row | None]:
    """The record of the build in the warehouse and the one before it, as far as there are any.

    The one before is the latest earlier record of the same kind of corpus and encoder: figures of
    another corpus are no change of this one's.
    """
    if not warehouse.has("metrics.recorded_runs", "record_id", "recorded_at", "run_id"):
        return None, None
    records = warehouse.rows(
        """
        select recorded_runs.*
        from metrics.recorded_runs
        inner join retrieval.runs
            on recorded_runs.corpus = runs.corpus and recorded_runs.encoder = runs.encoder
        order by recorded_runs.recorded_at desc, recorded_runs.record_id desc
        limit 2
        """
    )
    run_id = warehouse.rows("select run_id from retrieval.runs")[0]["run_id"]
    if not records or records[0]["run_id"] != run_id:
        return None, records[0] if records else None
    return records[0], records[1] if len(records) > 1 else None

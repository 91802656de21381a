"""Hashes of doors: whether two warehouses hold the same rows.

The hash of a table is the sum, modulo 2^64, of the first 8 bytes of each row's MD5. It does not
depend on the order of the rows, and it is additive: the hash of two tables, one below the other,
is the sum of their hashes. A null and an empty text differ, and so do values that change columns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from finrag.warehouse import Warehouse, open_warehouse, published_models

# Columns that differ between builds of the same rows, and why: patterns of whole names, or of a
# table and a name with a dot between them.
VOLATILE_COLUMNS: Final[Mapping[str, str]] = {
    r"run_id|record_id|recorded_gate_id": "each build has its own ids",
    r"(built|called|recorded|first|last)_at|built_on": "time of a build or a call",
    r"latency_ms|latency_p\d+_ms|stages": "measured times, and lists that hold them",
    r"(finrag|python)_version|library_versions|fingerprint": "what the build ran on",
    r"is_on_frontier|dominated_by|rpt_cost_systems\.place": "depends on measured times",
    r"git_commit|has_uncommitted_changes": "state of the checkout",
}
_ROOMLESS: Final = frozenset({"main", "information_schema", "pg_catalog", "test_failures"})
_COLUMNS: Final = """
select table_schema, table_name, column_name
from information_schema.columns
where table_catalog = current_database()
order by table_schema, table_name, ordinal_position
"""
_VOLATILE: Final = re.compile("|".join(f"(?:{pattern})" for pattern in VOLATILE_COLUMNS))

Doors = dict[str, dict[str, Any]]


def hash_doors(database: Path, manifest: Path, every_table: bool = False) -> Doors:
    """Rows and hash of each door of a warehouse.

    Args:
        database: the warehouse file, which is only read.
        manifest: dbt's ``manifest.json``, whose public models are the doors; the tables of the
            reports are hashed with them. Where there is none all tables and views of the rooms
            and the seeds are hashed.
        every_table: hash all of them although there is a manifest.

    Returns:
        ``{"schema.table": {"rows": n, "hash": "16 hex digits"}}``, ordered by name. A door that
        was never built is absent.

    Raises:
        ValueError: there is no warehouse, or it cannot be read.
    """
    with open_warehouse(database) as warehouse:
        columns = _columns_by_table(warehouse)
        if manifest.is_file() and not every_table:
            published = published_models(manifest)
            columns = {table: names for table, names in columns.items() if table in published}
        return {table: _hashed(warehouse, table, columns[table]) for table in sorted(columns)}


def compare_doors(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """One line for each door that differs, is new or is gone, ordered by name."""
    lines = []
    for door in sorted(before.keys() | after.keys()):
        if door not in after:
            lines.append(f"gone     {door}: {before[door]['rows']} rows")
        elif door not in before:
            lines.append(f"new      {door}: {after[door]['rows']} rows")
        elif dict(before[door]) != dict(after[door]):
            rows = f"{before[door]['rows']} rows before, {after[door]['rows']} after"
            lines.append(f"differs  {door}: {rows}")
    return lines


def read_doors(path: Path) -> Doors:
    """Hashes that ``finrag doors`` printed earlier.

    Raises:
        ValueError: the file does not hold them.
        OSError: the file cannot be read.
    """
    try:
        doors: Doors = json.loads(path.read_text(encoding="utf-8"))
        well_formed = all(door.keys() == {"rows", "hash"} for door in doors.values())
    except (ValueError, AttributeError) as error:
        raise ValueError(f"'{path}' does not hold hashes of doors ({error})") from error
    if not well_formed:
        raise ValueError(f"'{path}' does not hold hashes of doors; write it with `finrag doors`")
    return doors


def is_volatile(table: str, column: str) -> bool:
    """Whether a column of a table, named without its schema, is left out of the hash."""
    return any(_VOLATILE.fullmatch(name) for name in (column, f"{table}.{column}"))


def _columns_by_table(warehouse: Warehouse) -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    for row in warehouse.rows(_COLUMNS):
        if row["table_schema"] not in _ROOMLESS:
            door = f"{row['table_schema']}.{row['table_name']}"
            tables.setdefault(door, []).append(row["column_name"])
    return tables


def _hashed(warehouse: Warehouse, table: str, columns: Sequence[str]) -> dict[str, Any]:
    schema, name = table.split(".", 1)
    # Each value follows its length, so that no value can look like two.
    values = [_written(_quoted(column)) for column in columns if not is_volatile(name, column)]
    row = f"concat({', '.join(values)})" if values else "''"
    query = f"""
        select count(*) as n_rows, (coalesce(sum(part), 0) % {1 << 64})::ubigint as total
        from (
            select ('0x' || left(md5({row}), 16))::ubigint as part
            from {_quoted(schema)}.{_quoted(name)}
        )
    """
    (found,) = warehouse.rows(query)
    return {"rows": found["n_rows"], "hash": f"{found['total']:016x}"}


def _written(column: str) -> str:
    text = f"{column}::varchar"
    return f"case when {column} is null then '-' else length({text}) || ':' || {text} end"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

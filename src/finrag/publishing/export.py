"""The export: one small file of what pages show, which older DuckDB engines can read.

A dashboard that held the warehouse open would block the next build, and its engine reads no file
of this DuckDB. So the tables of the reports room, and the doors that pages show as they are, are
copied into a file of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from finrag.publishing.scratch import scratch_folder
from finrag.warehouse import beside, check_there, model_names, model_statuses, tables_in
from finrag.warehouse.folder import step_command

# The oldest storage that every engine from DuckDB 1.0 on reads.
STORAGE_VERSION: Final = "v1.0.0"
# What pages can show: their engine has no JSON, no time zones and no lists of structs.
TYPES: Final = ("VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "TIMESTAMP")
# Doors and seeds that pages read as they are, beside the tables of the reports.
DOORS: Final = (
    "answers.llm_calls",
    "gold.gold_audit",
    "gold.p3_changes",
    "gold.p3_contents",
    "gold.p3_review_outcomes",
    "metrics.answer_claims",
    "metrics.answer_failures",
    "metrics.consistencies",
    "metrics.distance_profiles",
    "metrics.hardest_cases",
    "metrics.judge_agreements",
    "metrics.manual_samples",
    "metrics.metric_drifts",
    "metrics.model_matrix",
    "metrics.numeric_verdicts",
    "metrics.sample_sizes",
    "metrics.scorers",
    "metrics.stage_latencies",
    "retrieval.runs",
    "seeds.audit_measures",
    "seeds.failure_kinds",
    "seeds.metric_catalogue",
    "seeds.numeric_verdict_kinds",
    "seeds.p3_category_mix",
)
# Tables of all builds that were recorded: the run of a row there need not be the last one.
HISTORIES: Final = frozenset({"rpt_runs_builds"})
DEFAULT_NAME: Final = Path("export") / "dashboard.duckdb"
_ROOMS: Final = {door.split(".")[1]: door.split(".")[0] for door in DOORS}
_COLUMNS: Final = """
select table_name, column_name, data_type
from information_schema.columns
where
    table_catalog = 'warehouse'
    and (
        (table_schema = 'reports' and starts_with(table_name, 'rpt_'))
        or list_contains(?, table_schema || '.' || table_name)
    )
order by table_name, ordinal_position
"""


@dataclasses.dataclass(frozen=True)
class Exported:
    """What an export wrote: rows of each table, by name, and the size of the file in bytes."""

    path: Path
    n_rows: Mapping[str, int]
    n_bytes: int


def export_reports(database: Path, target: Path, results: Path | None = None) -> Exported:
    """Copies every ``rpt_`` table of schema reports, and the `DOORS`, into one file.

    All stand under schema main. Rows stand in the order of all their columns, so that the same
    reports give the same pages.
    The file appears whole or not at all: one that is there stays as it is until then.

    Args:
        database: the warehouse file, which is only read.
        target: the file to write; its folder is made.
        results: dbt's ``run_results.json``; with it, nothing is exported if that run did not
            write all reports that it set out to. A run of a part of them is no smaller export:
            all tables are written, those of models that are gone left out, which the
            ``manifest.json`` beside it tells (without one: what the run did not write).

    Raises:
        ValueError: there is no warehouse, it cannot be read, it holds no reports or such as the
            run did not write, its tables are of more than one run (``run_id``; those of history
            and those without the column are not asked), a column has a type that pages cannot
            show, the target is the warehouse itself, or it holds tables that a run of a part
            would take out of it.
        OSError: the target's folder cannot be written.
    """
    check_there(database)
    if target.resolve() == database.resolve():
        raise ValueError(f"'{target}' is the warehouse itself; name another file to export to")
    target.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(target.parent, ".export-") as folder:
        # DuckDB names a catalogue after its file, and the other one is called warehouse.
        unfinished = folder / "unfinished.duckdb"
        with beside(database, unfinished, STORAGE_VERSION) as connection:
            tables = _columns_by_table(connection, database)
            chosen = _chosen(results, sorted(tables))
            _check_whole(results, chosen, target)
            _check_types({table: tables[table] for table in chosen})
            _check_one_run(connection, [table for table in chosen if "run_id" in tables[table]])
            n_rows = {table: _copy(connection, table, tables[table]) for table in chosen}
        exported = Exported(target, n_rows, unfinished.stat().st_size)
        unfinished.replace(target)
    return exported


def _columns_by_table(connection: Any, database: Path) -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = {}
    for table, column, data_type in connection.execute(_COLUMNS, [list(DOORS)]).fetchall():
        tables.setdefault(table, {})[column] = data_type
    if not any(map(_is_report, tables)):
        raise ValueError(
            f"'{database}' has no rpt_ tables in schema reports; run `{step_command('build')}`"
        )
    return tables


def _chosen(results: Path | None, tables: Sequence[str]) -> list[str]:
    """Those of the tables that still have a model; without a run all of them."""
    if results is None:
        return list(tables)
    statuses = {
        name: status
        for name, status in model_statuses(results).items()
        if _is_report(name) or name in _ROOMS
    }
    missing = sorted(name for name, status in statuses.items() if status != "success")
    if missing or not any(map(_is_report, statuses)):
        raise ValueError(
            f"nothing was exported: this build stopped before {', '.join(missing) or 'reports'}; "
            "pages would show figures of an earlier build. The first error above says why"
        )
    # A table whose model is gone stays in the warehouse; no run writes it any more. Of seeds only
    # those that pages read are looked at here.
    known = model_names(results.with_name("manifest.json")) | statuses.keys()
    return [table for table in tables if table in known or _room(table) == "seeds"]


def _check_whole(results: Path | None, chosen: Sequence[str], target: Path) -> None:
    """Refuses an export with fewer tables than before, unless their models are gone."""
    if results is None or results.with_name("manifest.json").is_file() or not target.is_file():
        return
    # What cannot be read is no export that is worth keeping.
    lost = sorted(tables_in(target) - set(chosen))
    if lost:
        raise ValueError(
            f"'{target}' was kept as it is: this build wrote a part of the reports, without "
            f"{', '.join(lost)}; run `{step_command('build')}`, or `finrag export` without "
            "--results"
        )


def _check_one_run(connection: Any, tables: Sequence[str]) -> None:
    """Refuses figures of two builds in one file; a table without rows belongs to no build."""
    by_run: dict[str, list[str]] = {}
    for table in tables:
        if table in HISTORIES:
            continue
        query = f"select distinct run_id from {_place(table)}"
        for (run_id,) in connection.execute(query).fetchall():
            by_run.setdefault(str(run_id), []).append(table)
    if len(by_run) > 1:
        runs = "; ".join(
            f"run {run_id[:12]}: {_some(names)}"
            for run_id, names in sorted(by_run.items(), key=lambda run: (len(run[1]), run[0]))
        )
        raise ValueError(
            f"nothing was exported: the reports are of {len(by_run)} runs ({runs}); run "
            f"`{step_command('build')}`, and drop a table whose model is gone"
        )


def _some(names: Sequence[str], shown: int = 8) -> str:
    """The first names, and how many more."""
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return f"{', '.join(names[:shown])}{more}"


def _check_types(tables: Mapping[str, Mapping[str, str]]) -> None:
    for table, columns in tables.items():
        for column, data_type in columns.items():
            if data_type not in TYPES:
                raise ValueError(
                    f"{_room(table)}.{table}.{column} is {data_type}, which pages cannot show; "
                    f"cast it in the model to one of {', '.join(TYPES).lower()}"
                )


def _copy(connection: Any, table: str, columns: Mapping[str, str]) -> int:
    names = ", ".join(_quoted(column) for column in columns)
    connection.execute(
        f"create table main.{_quoted(table)} as "
        f"select {names} from {_place(table)} order by {names}"
    )
    ((n_rows,),) = connection.execute(f"select count(*) from main.{_quoted(table)}").fetchall()
    return int(n_rows)


def _is_report(table: str) -> bool:
    return table.startswith("rpt_")


def _room(table: str) -> str:
    return _ROOMS.get(table, "reports")


def _place(table: str) -> str:
    return f"warehouse.{_room(table)}.{_quoted(table)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

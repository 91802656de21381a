"""One shard: the plan run over the rows of its companies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa

from finrag.shards.plan import Plan, Step
from finrag.warehouse import Connection, in_memory
from finrag.warehouse.models import call_model

# DuckDB's share of a task: Arrow tables and Python come on top.
MEMORY: Final = "1200MB"
# Rows stand in the order of those of these columns that a model has, so that a reader can pass over
# other companies and years.
ORDER: Final = (
    *("cik_int", "report_year", "filing_id", "section_id", "section_name", "sentence_pos"),
    *("part_id", "block_pos", "table_id", "row_pos", "col_pos", "chunk_pos", "fact_id"),
    *("sentence_id", "text_hash", "content_hash", "atlas", "kpi_label", "label", "source_file"),
    "source_line",
)


class StepError(ValueError):
    """A model failed over a shard."""

    def __init__(self, model: str, error: BaseException) -> None:
        super().__init__(f"model {model}: {' '.join(str(error).split())}")
        self.model = model


def run_shard(
    plan: Plan, inputs: Mapping[str, pa.Table], spill: Path | None = None
) -> Iterator[tuple[str, pa.Table]]:
    """Run the models over the rows of some companies; knows no session, network or clock.

    Args:
        plan: what is run.
        inputs: rows of ``plan.given``.
        spill: folder for what does not fit into memory; None for none.

    Yields:
        The name and the rows of each model, in the order of the plan. A table is dropped once
        nothing more reads it, so what is asked for late costs no memory early.

    Raises:
        StepError: naming the model that failed.
    """
    with in_memory() as connection:
        _set(connection, spill)
        for name, table in {**plan.tables, **inputs}.items():
            connection.register(f"given_{name}", table)
            connection.execute(f"create table {name} as from given_{name}")
            connection.unregister(f"given_{name}")
        readers = {name: sum(name in step.reads for step in plan.steps) for name in plan.given}
        readers |= {
            step.name: sum(step.name in other.reads for other in plan.steps) for step in plan.steps
        }
        for step in plan.steps:
            try:
                _make(connection, step)
                rows = _ordered(connection, step.name)
            except Exception as error:
                raise StepError(step.name, error) from error
            yield step.name, rows
            del rows
            for name in {*step.reads, step.name} & readers.keys():
                readers[name] -= name in step.reads
                if not readers[name]:
                    connection.execute(f"drop table if exists {name}")


def _set(connection: Connection, spill: Path | None) -> None:
    # One thread: the order of what a model says nothing about is then the same, too.
    connection.execute(
        f"set threads = 1; set enable_progress_bar = false; set memory_limit = '{MEMORY}'"
    )
    if spill is not None:
        place = str(spill).replace("'", "''")
        connection.execute(f"set temp_directory = '{place}'")


def _make(connection: Connection, step: Step) -> None:
    if step.kind == "sql":
        connection.execute(f"create table {step.name} as {step.code}")
        return
    made = call_model(step.code, connection, step.meta)
    connection.register("made", made)
    connection.execute(f"create table {step.name} as from made")
    connection.unregister("made")


def _ordered(connection: Connection, name: str) -> pa.Table:
    """The rows of a table, in the order of its keys."""
    table = connection.table(name)
    order = ", ".join(column for column in ORDER if column in table.columns)
    rows: pa.Table = (table.order(order) if order else table).to_arrow_table()
    return rows


def table_hash(connection: Connection, relation: str) -> tuple[int, int]:
    """Rows of a table, and a hash of them that knows no order and adds up over shards.

    The hash is the sum, modulo 2^64, of the first eight bytes of the MD5 of each row as JSON, in
    which lists keep their order and a float is written so that it reads back to the same bits.

    Args:
        connection: holds the table.
        relation: its name, or a query in brackets.
    """
    ((n_rows, total),) = connection.execute(
        "select count(*), coalesce(sum(cast(cast("
        "'0x' || left(md5(cast(to_json(hashed) as varchar)), 16) as ubigint) as hugeint)), 0) "
        f"from {relation} as hashed"
    ).fetchall()
    return int(n_rows), int(total) % 2**64

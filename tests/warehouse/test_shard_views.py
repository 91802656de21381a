"""With shards, what they hold are views over their files; without, everything is as ever.

A project of a few models, with the macros of this one.
"""

import json
import os
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.warehouse.warehouses import ROOT

PROJECT = """
name: few
version: "1.0"
profile: few
model-paths: [models]
macro-paths: [macros]
flags: {send_anonymous_usage_stats: false}
vars: {shard_manifest: "", store: "", engine: ""}
models: {few: {+materialized: table}}
"""
PROFILES = """
few:
  target: dev
  outputs:
    dev: {type: duckdb, path: few.duckdb, threads: 1}
"""
MODELS = """
models:
  - name: door
    config: {contract: {enforced: true}, meta: {company_local: true}}
    columns: [{name: b, data_type: varchar}, {name: a, data_type: bigint}]
  - name: py_made
    config: {meta: {company_local: true}}
  - name: int_step
    config: {materialized: view, meta: {company_local: true}}
  - name: joined
    config: {contract: {enforced: true}, meta: {view_over_shards: true}}
    columns: [{name: n, data_type: bigint}, {name: b, data_type: varchar}]
  - name: totals
"""
FILES = {
    "dbt_project.yml": PROJECT,
    "profiles.yml": PROFILES,
    "models/few.yml": MODELS,
    "models/door.sql": "select cast(1 as bigint) as a, 'made' as b",
    "models/py_made.py": (
        "def model(dbt, session):\n    import pyarrow\n    return pyarrow.table({'a': [1]})\n"
    ),
    "models/int_step.sql": "select 1 as a",
    "models/joined.sql": "select b, count(*) as n from {{ ref('door') }} group by b",
    "models/totals.sql": (
        "select (select sum(a) from {{ ref('py_made') }}) as made, "
        "(select sum(a) from {{ ref('int_step') }}) as step, "
        "(select sum(n) from {{ ref('joined') }}) as joined"
    ),
}
# What dbt sends for each model of a project without shards, white space aside.
SENT = {
    "door.sql": (
        'create or replace table "few"."main"."door" ( b varchar, a bigint ) ; '
        'insert into "few"."main"."door" ( b , a ) ( select b, a from ( '
        "select cast(1 as bigint) as a, 'made' as b ) as model_subq )"
    ),
    "int_step.sql": 'create view "few"."main"."int_step__dbt_tmp" as ( select 1 as a );',
    "joined.sql": (
        'create or replace table "few"."main"."joined" ( n bigint, b varchar ) ; '
        'insert into "few"."main"."joined" ( n , b ) ( select n, b from ( '
        'select b, count(*) as n from "few"."main"."door" group by b ) as model_subq )'
    ),
}


class Few:
    """The project in a folder of its own, with shards whose folder has an odd name."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "models").mkdir(parents=True)
        (folder / "macros").symlink_to(ROOT / "macros")
        for name, text in FILES.items():
            (folder / name).write_text(text)
        self.store = folder / "o'store [1]"
        self.doors = {}
        self.shard("door", 3, {"a": pa.array([5, 6], pa.int64()), "b": ["x", "x"]})
        self.shard("door", 4, {"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())})
        self.shard("py_made", 3, {"a": [7, 8]})
        self.shard("int_step", 3, {"a": [9]})

    def shard(self, model, bucket, columns):
        name = f"corpus/{model}/bucket={bucket}/{len(self.doors)}.parquet"
        (self.store / name).parent.mkdir(parents=True)
        pq.write_table(pa.table(columns), self.store / name)
        self.doors.setdefault(model, []).append({"file": name, "n_rows": 1, "hash": "h"})

    def run(self, *arguments, **variables):
        said = subprocess.run(
            [
                *(
                    sys.executable,
                    "-c",
                    "from dbt.cli.main import cli; cli()",
                    "run",
                    "--no-use-colors",
                ),
                *("--vars", json.dumps(variables), *arguments),
            ],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        self.log = said.stdout + said.stderr
        return said.returncode

    def run_over_shards(self, *arguments):
        manifest = self.folder / "it's.json"
        manifest.write_text(json.dumps({"store": str(self.store), "doors": self.doors}))
        return self.run(*arguments, shard_manifest=str(manifest))

    def found(self, query):
        with duckdb.connect(str(self.folder / "few.duckdb"), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def kinds(self):
        return dict(
            self.found("select table_name, table_type from information_schema.tables order by 1")
        )

    def sent(self, name):
        path = self.folder / "target" / "run" / "few" / "models" / name
        return " ".join(path.read_text().split())


@pytest.fixture
def few(tmp_path):
    return Few(tmp_path / "few")


TABLES = {"door": "BASE TABLE", "py_made": "BASE TABLE", "joined": "BASE TABLE"} | {
    "int_step": "VIEW",
    "totals": "BASE TABLE",
}
VIEWS = dict.fromkeys(TABLES, "VIEW") | {"totals": "BASE TABLE"}


def test_without_shards_each_statement_is_as_ever(few):
    assert few.run() == 0, few.log

    assert few.kinds() == TABLES
    assert {name: few.sent(name) for name in SENT} == SENT
    assert "StoredRows" not in few.sent("py_made.py")


def test_shards_are_read_where_they_lie_and_switched_on_and_off(few):
    (few.folder / "models" / "py_made.py").write_text(
        "def model(dbt, session):\n    return never\n"
    )
    assert few.run_over_shards() == 0, few.log

    assert few.kinds() == VIEWS
    # In the order of the contract, and without the folder bucket=3 as a column.
    assert few.found("from door order by all") == [("x", 5), ("x", 6)]
    assert few.found("from joined") == [(2, "x")]
    assert few.found("from totals") == [(15, 9, 2)]

    (few.folder / "models" / "py_made.py").write_text(FILES["models/py_made.py"])
    assert few.run() == 0, few.log
    assert few.kinds() == TABLES
    assert few.found("from totals") == [(1, 1, 1)]

    assert few.run_over_shards() == 0, few.log
    assert few.kinds() == VIEWS
    assert few.run_over_shards() == 0, few.log
    assert few.found("from totals") == [(15, 9, 2)]


def test_files_that_break_the_contract_or_are_not_there_are_named(few):
    assert few.run() == 0, few.log
    few.doors["door"] = []
    few.shard("door", 5, {"a": pa.array([5], pa.int32()), "b": ["x"]})
    del few.doors["int_step"]
    assert few.run_over_shards("--select", "door", "int_step") == 1

    assert "This model has an enforced contract that failed" in few.log
    assert "lists no file of int_step; run `finrag build --full` with an engine" in few.log
    # What was there is there still.
    assert few.kinds() == TABLES
    assert few.found("from door") == [("made", 1)]


def test_a_python_model_may_return_files_or_that_there_are_none(few):
    code = (
        "def model(dbt, session):\n"
        "    import pyarrow\n"
        "    from finrag.warehouse import StoredRows\n"
        "    return StoredRows({files}, pyarrow.schema([('a', pyarrow.int64())]))\n"
    )
    model = few.folder / "models" / "py_made.py"
    file = str(few.store / few.doors["py_made"][0]["file"])
    for files, kind, rows in (
        ([file], "VIEW", [(7,), (8,)]),
        ([], "BASE TABLE", []),
        ([file], "VIEW", [(7,), (8,)]),
    ):
        model.write_text(code.format(files=files))
        assert few.run("--select", "py_made", engine="pool") == 0, few.log
        assert few.kinds() == {"py_made": kind}
        assert few.found("from py_made order by a") == rows

"""The file that pages are built from: complete, readable by older engines, never half."""

import json
import subprocess
import sys
from contextlib import contextmanager

import duckdb
import pytest

from finrag.command.cli import main
from finrag.publishing.export import export_reports

# What DuckDB 1.0 writes at byte 12 of a file; later storage has higher numbers.
STORAGE_OF_1_0 = 64
TABLE = "create table reports.rpt_page_rows as select 'b' as name, 2::bigint as n"


def write_warehouse(folder, *statements):
    path = folder / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema reports; create schema metrics")
        for statement in statements:
            connection.execute(statement)
    return path


@pytest.fixture
def warehouse(tmp_path):
    return write_warehouse(
        tmp_path,
        TABLE,
        "insert into reports.rpt_page_rows values ('c', 1), ('a', null), ('b', 1)",
        "create table reports.rpt_page_empty (page_id varchar, share double, seen_at timestamp)",
        "create table reports.int_private as select 1 as n",
        "create table metrics.rpt_elsewhere as select 1 as n",
    )


@pytest.fixture
def target(tmp_path):
    return tmp_path / "export" / "dashboard.duckdb"


def read(path, query):
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()


@contextmanager
def held(path, options=""):
    """Another program has the file open."""
    opening = f"import duckdb; connection = duckdb.connect({str(path)!r}, {options})"
    with subprocess.Popen(
        [sys.executable, "-c", f"{opening}; print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout.readline()
        yield
        holder.communicate(b"\n")


def write_results(folder, **statuses):
    path = folder / "run_results.json"
    rows = [
        {"unique_id": f"model.finrag.{name}", "status": status} for name, status in statuses.items()
    ]
    path.write_text(json.dumps({"results": rows}))
    return path


def test_only_reports_are_exported_empty_ones_too(warehouse, target):
    exported = export_reports(warehouse, target)

    tables = read(target, "select table_schema, table_name from information_schema.tables")
    assert sorted(tables) == [("main", "rpt_page_empty"), ("main", "rpt_page_rows")]
    assert exported.n_rows == {"rpt_page_empty": 0, "rpt_page_rows": 4}
    assert exported.n_bytes == target.stat().st_size


DOOR = "create table metrics.scorers as select 'rouge_l' as metric, 'b' as run_id"


def test_doors_that_pages_read_are_copied_and_no_others(tmp_path, target):
    path = write_warehouse(
        tmp_path, TABLE, DOOR, "create table metrics.metric_values as select 1 as value"
    )

    exported = export_reports(path, target)

    assert exported.n_rows == {"rpt_page_rows": 1, "scorers": 1}
    assert read(target, "select metric from scorers") == [("rouge_l",)]


def test_a_door_of_another_run_is_refused(tmp_path, target):
    path = write_warehouse(tmp_path, measured("rpt_page_new", "a"), DOOR)

    with pytest.raises(ValueError, match=r"2 runs \(run a: rpt_page_new; run b: scorers\)"):
        export_reports(path, target)


def test_a_door_whose_type_pages_cannot_show_is_named_with_its_room(tmp_path, target):
    path = write_warehouse(tmp_path, TABLE, "create table metrics.scorers as select [1] as layers")

    with pytest.raises(ValueError, match=r"metrics.scorers.layers is INTEGER\[\]"):
        export_reports(path, target)


def test_a_build_that_stopped_before_a_door_exports_nothing(tmp_path, target):
    path = write_warehouse(tmp_path, TABLE, DOOR)
    results = write_results(tmp_path, rpt_page_rows="success", scorers="error")

    with pytest.raises(ValueError, match="stopped before scorers"):
        export_reports(path, target, results)


def test_a_seed_that_pages_read_is_no_model_and_is_copied_all_the_same(tmp_path, target):
    path = write_warehouse(
        tmp_path, TABLE, "create schema seeds; create table seeds.metric_catalogue as select 1 as k"
    )
    write_manifest(tmp_path, "rpt_page_rows")
    results = write_results(tmp_path, rpt_page_rows="success")

    assert set(export_reports(path, target, results).n_rows) == {
        "rpt_page_rows",
        "metric_catalogue",
    }


def test_rows_stand_in_the_order_of_their_columns(warehouse, target):
    export_reports(warehouse, target)

    rows = read(target, "from rpt_page_rows")
    assert rows == [("a", None), ("b", 1), ("b", 2), ("c", 1)]


def test_engines_from_duckdb_1_0_on_can_read_it(warehouse, target):
    export_reports(warehouse, target)

    header = target.read_bytes()[:20]
    assert header[8:12] == b"DUCK"
    assert int.from_bytes(header[12:20], "little") == STORAGE_OF_1_0


@pytest.mark.parametrize(
    ("value", "data_type"),
    [
        ("[1]", r"INTEGER\[\]"),
        ("1.5::decimal(9, 2)", "DECIMAL"),
        ("1::hugeint", "HUGEINT"),
        ("'{}'::json", "JSON"),
        ("now()", "TIMESTAMP WITH TIME ZONE"),
        ("{'a': 1}", "STRUCT"),
        ("date '2024-01-31'", "DATE"),
        ("1::float", "FLOAT"),
    ],
)
def test_a_type_that_pages_cannot_show_is_named(tmp_path, target, value, data_type):
    path = write_warehouse(tmp_path, f"create table reports.rpt_odd as select {value} as thing")

    with pytest.raises(ValueError, match=f"reports.rpt_odd.thing is {data_type}"):
        export_reports(path, target)


def test_a_failed_export_leaves_the_old_file_and_nothing_else(warehouse, target):
    export_reports(warehouse, target)
    before = target.read_bytes()
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("create table reports.rpt_page_worse as select [1] as thing")

    with pytest.raises(ValueError, match="rpt_page_worse"):
        export_reports(warehouse, target)

    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_what_a_killed_export_left_is_removed_and_what_runs_is_left_alone(warehouse, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    code = (
        "import sys, pathlib, time\n"
        "from finrag.publishing.scratch import scratch_folder\n"
        "with scratch_folder(pathlib.Path(sys.argv[1]), '.export-') as folder:\n"
        "    (folder / 'unfinished.duckdb').write_bytes(b'x')\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    arguments = [sys.executable, "-c", code, str(target.parent)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        (left,) = target.parent.glob(".export-*")
        export_reports(warehouse, target)
        assert left.is_dir()
        process.kill()
    assert left.is_dir()
    export_reports(warehouse, target)
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_who_reads_the_old_file_reads_it_to_its_end(warehouse, target):
    export_reports(warehouse, target)
    before = target.read_bytes()
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("drop table reports.rpt_page_empty")

    with target.open("rb") as reader:
        exported = export_reports(warehouse, target)
        assert reader.read() == before

    assert list(exported.n_rows) == ["rpt_page_rows"]
    assert read(target, "select count(*) from rpt_page_rows") == [(4,)]


def test_others_may_read_the_warehouse_meanwhile(warehouse, target):
    with held(warehouse, "read_only=True"):
        assert export_reports(warehouse, target).path == target


@pytest.mark.parametrize("name", ["warehouse", "main", "reports"])
def test_any_name_will_do_for_the_file(warehouse, tmp_path, name):
    target = tmp_path / "export" / f"{name}.duckdb"

    assert export_reports(warehouse, target).path == target


def test_the_warehouse_is_not_overwritten(warehouse):
    with pytest.raises(ValueError, match="the warehouse itself"):
        export_reports(warehouse, warehouse)


def test_without_a_warehouse_it_says_what_to_do(tmp_path, target):
    with pytest.raises(ValueError, match=r"no warehouse at .*run `make build` first"):
        export_reports(tmp_path / "none.duckdb", target)
    assert not target.exists()


def test_a_warehouse_without_reports_says_what_to_do(tmp_path, target):
    path = write_warehouse(tmp_path, "create table reports.other as select 1 as n")

    with pytest.raises(ValueError, match="has no rpt_ tables"):
        export_reports(path, target)


def test_a_file_that_is_no_warehouse_is_refused(tmp_path, target):
    path = tmp_path / "warehouse.duckdb"
    path.write_bytes(b"not a database" * 1000)

    with pytest.raises(ValueError, match="cannot be read"):
        export_reports(path, target)


def test_a_warehouse_that_is_being_built_is_refused(warehouse, target):
    with held(warehouse), pytest.raises(ValueError, match="another program is writing to it"):
        export_reports(warehouse, target)


def test_a_build_that_stopped_before_its_reports_exports_nothing(warehouse, target, tmp_path):
    results = write_results(tmp_path, rpt_page_rows="success", rpt_page_empty="skipped")

    with pytest.raises(ValueError, match="stopped before rpt_page_empty"):
        export_reports(warehouse, target, results)
    assert not target.exists()


def test_a_build_without_any_report_exports_nothing(warehouse, target, tmp_path):
    with pytest.raises(ValueError, match="stopped before reports"):
        export_reports(warehouse, target, write_results(tmp_path, gold_p1="error"))


def test_a_table_whose_model_is_gone_is_left_out(warehouse, target, tmp_path):
    results = write_results(tmp_path, rpt_page_rows="success", gold_p1="error")

    assert list(export_reports(warehouse, target, results).n_rows) == ["rpt_page_rows"]


def test_a_failed_test_of_a_report_does_not_withhold_it(warehouse, target, tmp_path):
    results = write_results(tmp_path, rpt_page_rows="success")
    rows = json.loads(results.read_text())
    rows["results"].append({"unique_id": "test.finrag.rpt_page_rows_holds", "status": "fail"})
    results.write_text(json.dumps(rows))

    assert list(export_reports(warehouse, target, results).n_rows) == ["rpt_page_rows"]


def write_manifest(folder, *names):
    nodes = {f"model.finrag.{name}": {} for name in names}
    (folder / "manifest.json").write_text(json.dumps({"nodes": nodes}))


def test_a_build_of_a_part_exports_all_tables_that_have_a_model(warehouse, target, tmp_path):
    with duckdb.connect(str(warehouse)) as connection:
        connection.execute("create table reports.rpt_page_gone as select 1 as n")
    write_manifest(tmp_path, "rpt_page_rows", "rpt_page_empty")
    results = write_results(tmp_path, rpt_page_rows="success")

    exported = export_reports(warehouse, target, results)

    assert list(exported.n_rows) == ["rpt_page_empty", "rpt_page_rows"]


def test_a_part_never_takes_the_place_of_the_whole(warehouse, target, tmp_path):
    export_reports(warehouse, target)
    before = target.read_bytes()

    with pytest.raises(ValueError, match=r"was kept as it is.*without rpt_page_empty; run `make"):
        export_reports(warehouse, target, write_results(tmp_path, rpt_page_rows="success"))

    assert target.read_bytes() == before


def measured(table, *run_ids):
    rows = ", ".join(f"('{run_id}')" for run_id in run_ids)
    return f"create table reports.{table} as select * from (values {rows}) as t (run_id)"


def test_reports_of_two_runs_are_refused_by_name(tmp_path, target):
    path = write_warehouse(
        tmp_path, measured("rpt_page_new", "b"), measured("rpt_page_old", "a", "a")
    )

    with pytest.raises(
        ValueError, match=r"2 runs \(run a: rpt_page_old; run b: rpt_page_new\); run `make build`"
    ):
        export_reports(path, target)
    assert not target.exists()


def test_a_table_that_is_of_two_runs_itself_is_refused(tmp_path, target):
    path = write_warehouse(tmp_path, measured("rpt_page_mixed", "a", "b"))

    with pytest.raises(ValueError, match="run a: rpt_page_mixed; run b: rpt_page_mixed"):
        export_reports(path, target)


def test_the_list_of_all_builds_holds_their_runs_and_an_empty_table_none(tmp_path, target):
    path = write_warehouse(
        tmp_path,
        measured("rpt_page_new", "b"),
        measured("rpt_runs_builds", "a", "b"),
        "create table reports.rpt_page_empty (run_id varchar)",
    )

    assert export_reports(path, target).n_rows["rpt_runs_builds"] == 2


def test_the_command_says_what_it_wrote(warehouse, target, capsys):
    assert main(["export", "--database", str(warehouse), "--out", str(target)]) == 0

    written = capsys.readouterr().out
    assert written.startswith(f"Export: {target}, 2 tables, 4 rows, ")
    assert written.endswith(" MB\n")


def test_the_command_writes_to_the_state_folder(warehouse, tmp_path):
    state = tmp_path / "state"
    arguments = ["--database", str(warehouse), "--vars", json.dumps({"state_dir": str(state)})]

    assert main(["export", *arguments]) == 0

    assert (state / "export" / "dashboard.duckdb").is_file()


def test_an_error_is_one_sentence(tmp_path, capsys):
    out = str(tmp_path / "out.duckdb")
    assert main(["export", "--database", str(tmp_path / "none.duckdb"), "--out", out]) == 2

    assert capsys.readouterr().err.count("\n") == 1

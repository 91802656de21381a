"""SQL by hand: a copy that is of one moment, and a shell that survives what is typed."""

import csv
import io
import os

import duckdb
import pytest

from finrag.command.cli import main
from finrag.publishing.sql import Shell, converse, list_analyses, read_only_copy
from finrag.publishing.sql.analyses import comment_of, compile_analysis, question_of
from finrag.records.cells import plain_cell


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "finrag.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create schema metrics; create schema seeds;"
            "create table metrics.scores as select 'a' as system_id, 0.5 as mean;"
            "create table metrics.int_steps as select 1 as n;"
            "create table seeds.systems as select 1 as n"
        )
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sql"


@pytest.fixture
def shell(database):
    with duckdb.connect(str(database), read_only=True) as connection:
        yield Shell(connection, {"one": "How many?"}, {"one": "select 41 + 1 as n"}.__getitem__)


def rows_of(path):
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("from metrics.scores").fetchall()


def change(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("insert into metrics.scores values ('b', 0.25)")


def test_the_copy_has_the_name_of_the_warehouse(database, folder):
    copy = read_only_copy(database, folder)

    assert copy == folder / "finrag.duckdb"
    assert rows_of(copy) == rows_of(database)


def test_a_copy_of_an_unchanged_warehouse_is_used_again(database, folder):
    first = read_only_copy(database, folder).stat().st_ino

    assert read_only_copy(database, folder).stat().st_ino == first


def test_a_changed_warehouse_is_copied_anew(database, folder):
    with read_only_copy(database, folder).open("rb") as reader:
        change(database)

        assert len(rows_of(read_only_copy(database, folder))) == 2
        assert os.fstat(reader.fileno()).st_nlink == 0


def test_an_open_shell_does_not_block_the_warehouse_and_keeps_what_it_reads(database, folder):
    with duckdb.connect(str(read_only_copy(database, folder)), read_only=True) as connection:
        change(database)
        read_only_copy(database, folder)
        assert connection.execute("select count(*) from metrics.scores").fetchall() == [(1,)]


def test_changes_that_a_broken_build_left_in_its_log_are_in_the_copy(database, folder, tmp_path):
    beside = tmp_path / "broken"
    beside.mkdir()
    with duckdb.connect(str(database)) as connection:
        connection.execute("set checkpoint_threshold = '1 TB'")
        connection.execute("insert into metrics.scores values ('b', 0.25)")
        for name in ("finrag.duckdb", "finrag.duckdb.wal"):
            (beside / name).write_bytes((tmp_path / name).read_bytes())

    copy = read_only_copy(beside / "finrag.duckdb", folder)

    assert len(rows_of(copy)) == 2
    assert [path.name for path in folder.iterdir()] == ["finrag.duckdb"]


def test_the_copy_is_no_warehouse_to_copy(database, folder):
    copy = read_only_copy(database, folder)

    with pytest.raises(ValueError, match="is the path of the copy"):
        read_only_copy(copy, folder)


def test_rows_are_printed_aligned(shell, capsys):
    shell.answers("select system_id, mean from metrics.scores;")

    lines = capsys.readouterr().out.rstrip().splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "│ a         │" in "\n".join(lines)


def test_what_a_terminal_would_obey_is_printed_as_text(shell, capsys):
    shell.answers("select chr(27) || '[31mred' as answer_text")

    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("select nosuch", "nosuch"),
        ("insert into metrics.scores values ('c', 1)", "read-only"),
        (".columns scores; drop table x", "names no table"),
        (".csv out.csv", "after a statement that gave rows"),
        (".csv", "name a file"),
    ],
)
def test_an_error_is_told_and_the_shell_goes_on(shell, capsys, line, message):
    assert shell.answers(line)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (".tables", "metrics.scores"),
        (".tables metrics", "metrics.scores"),
        (".columns metrics.scores", "system_id"),
        (".analyses", "How many?"),
        (".run one", "42"),
        (".help", ".csv FILE"),
    ],
)
def test_commands_show_what_there_is(shell, capsys, line, shown):
    assert shell.answers(line)
    assert shown in capsys.readouterr().out


def test_doors_alone_are_listed(shell, capsys):
    shell.answers(".tables")

    listed = capsys.readouterr().out
    assert "int_steps" not in listed
    assert "seeds" not in listed

    shell.answers(".tables seeds")
    assert "seeds." in capsys.readouterr().out


def test_the_last_result_is_written_to_a_file(shell, tmp_path):
    shell.answers("select 1 as n, 'a,b' as t;")
    shell.answers(f".csv {tmp_path / 'out.csv'}")

    assert (tmp_path / "out.csv").read_text() == 'n,t\n1,"a,b"\n'


def test_no_cell_of_a_written_file_is_a_formula(shell, tmp_path):
    cells = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", " =1", "-1.5", "-2e3", "a=b", "x\n=b"]
    values = ", ".join(f"({n}, '{cell}', -{n})" for n, cell in enumerate(cells))
    shell.answers(f"""select t as "=t", t, m from (values {values}) as g (n, t, m) order by n;""")
    shell.answers(f".csv {tmp_path / 'out.csv'}")

    with (tmp_path / "out.csv").open(newline="") as written:
        head, *rows = csv.reader(written)
    assert head == ["'=t", "t", "m"]
    assert [row[1] for row in rows] == [
        *("'=1+1", "'+cmd", "'-2+3", "'@SUM(A1)", "'\t=1", "' =1"),
        *("-1.5", "-2e3", "a=b", "x\n=b"),
    ]
    assert [row[0] for row in rows] == [row[1] for row in rows]
    assert [row[2] for row in rows] == ["0", *(f"-{n}" for n in range(1, len(cells)))]
    assert [plain_cell(cell) for cell in cells] == [row[1] for row in rows]


def test_columns_of_one_name_are_both_written(shell, tmp_path):
    shell.answers("select 1 as n, 'b' as n;")
    shell.answers(f".csv {tmp_path / 'out.csv'}")

    assert (tmp_path / "out.csv").read_text().splitlines()[1] == "1,b"


def test_statements_may_take_several_lines(shell, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("select 20\n+ 3 as n;\nselect 5 as m"))

    converse(shell, tmp_path / "history")

    shown = capsys.readouterr().out
    assert "23" in shown
    assert "5" in shown


def test_the_shell_is_left_by_a_command(shell, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(".quit\nselect 77 as n;\n"))

    converse(shell, tmp_path / "history")

    assert "77" not in capsys.readouterr().out


def test_names_can_be_completed(shell):
    assert {"metrics.scores", "system_id", "one"} <= set(shell.names())


@pytest.mark.parametrize(
    ("text", "comment", "question"),
    [
        ("-- Who? One row.\n-- Read it.\nselect 1\n", "Who? One row. Read it.", "Who?"),
        ("{#-\n    Where is it? Choose.\n-#}\nselect 1\n", "Where is it? Choose.", "Where is it?"),
        ("-- No question.\nselect 1 -- why?\n", "No question.", ""),
        ("select 1\n-- Who?\n", "", ""),
    ],
)
def test_an_analysis_is_listed_by_its_question(text, comment, question):
    assert comment_of(text) == comment
    assert question_of(text) == question


def test_an_unknown_analysis_is_named_beside_those_there_are(database, folder):
    with pytest.raises(ValueError, match=r"no analysis 'nosuch'.*hit_by_length_bucket"):
        compile_analysis("nosuch", database, "{}", folder)


def test_analyses_are_listed_by_name():
    names = list(list_analyses())
    assert names == sorted(names)
    assert len(names) >= 12


def test_a_command_of_the_shell_works_on_the_command_line(database, tmp_path, capsys):
    arguments = ["sql", "--database", str(database), "--vars", f"{{state_dir: {tmp_path}}}"]
    assert main([*arguments, ".columns metrics.scores"]) == 0
    assert "system_id" in capsys.readouterr().out
    assert main([*arguments, ".columns nothing"]) == 2
    assert "nothing does not exist" in capsys.readouterr().err


def test_one_statement_is_answered_and_written(database, tmp_path, capsys):
    out = tmp_path / "out.csv"
    arguments = ["sql", "--database", str(database), "--vars", f"{{state_dir: {tmp_path}}}"]

    assert main([*arguments, "select 41 + 1 as n", "--csv", str(out)]) == 0

    assert "42" in capsys.readouterr().out
    assert out.read_text() == "n\n42\n"


@pytest.mark.parametrize(
    ("variable", "hint"),
    [("stat_dir", "did you mean state_dir?"), ("sumary_id", "did you mean summary_id?")],
)
def test_a_misspelt_variable_is_refused(database, capsys, variable, hint):
    arguments = ["sql", "--database", str(database), "--vars", f"{{{variable}: x}}"]

    assert main([*arguments, "select 1"]) == 2

    assert f"there is no dbt var '{variable}'; {hint}" in capsys.readouterr().err


def test_a_variable_of_an_analysis_is_known(database, tmp_path):
    given = f"{{state_dir: {tmp_path}, summary_id: x}}"

    assert main(["sql", "--database", str(database), "--vars", given, "select 1"]) == 0


def test_an_error_is_one_sentence_without_a_traceback(database, tmp_path, capsys):
    arguments = ["sql", "--database", str(database), "--vars", f"{{state_dir: {tmp_path}}}"]

    assert main([*arguments, "select nosuch"]) == 2

    assert capsys.readouterr().err.startswith("finrag: ")


def test_times_of_copies_are_those_of_their_original(database, folder):
    os.utime(database, ns=(10**18, 10**18))

    assert read_only_copy(database, folder).stat().st_mtime_ns == 10**18

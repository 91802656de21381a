import sqlite3

import pytest

from finrag.cache.rows import RowFile, RowFormat

FORM = RowFormat("create table kept (name text primary key) strict;", 1, "the names", "lost")


def add(file, name):
    file.run(lambda rows: rows.execute("insert into kept values (?)", [name]))


def names(file):
    return file.run(lambda rows: [name for (name,) in rows.execute("select name from kept")])


def test_rows_are_there_when_the_file_is_opened_again(tmp_path):
    path = tmp_path / "cache" / "names.sqlite"
    file = RowFile(path, FORM)
    add(file, "one")
    file.close()
    assert names(RowFile(path, FORM)) == ["one"]


def test_a_file_in_the_older_journal_is_used_on(tmp_path):
    path = tmp_path / "names.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(f"begin;{FORM.tables}pragma user_version = 1;commit;")
        connection.execute("insert into kept values ('one')")
    connection.close()
    assert names(RowFile(path, FORM)) == ["one"]


def test_work_that_fails_leaves_nothing_of_it(tmp_path):
    file = RowFile(tmp_path / "names.sqlite", FORM)

    def broken(rows):
        rows.execute("insert into kept values ('half')")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        file.run(broken)
    assert names(file) == []


def test_a_file_of_another_version_is_set_aside(tmp_path, caplog):
    path = tmp_path / "names.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 7")
    connection.close()
    assert names(RowFile(path, FORM)) == []
    assert "its version is 7, not 1" in caplog.text
    assert len(list(tmp_path.glob("names.sqlite.damaged-*"))) == 1


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(ValueError, match=r"the names .*names\.sqlite cannot be used"):
        RowFile(tmp_path / "cache" / "names.sqlite", FORM)

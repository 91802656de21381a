import os
import time

import pytest

from finrag.records.writing import LEFTOVER_AGE_S, clear_leftovers, replacing


def test_a_file_is_replaced_when_all_is_written(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    with replacing(path) as hidden:
        hidden.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_stops_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")

    def broken():
        with replacing(path) as hidden:
            hidden.write_text("ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_go_once_no_process_can_be_writing_them(tmp_path):
    young, old, whole = (tmp_path / name for name in (".a.tmp", ".b.tmp", "c.arrow"))
    for path in (young, old, whole):
        path.write_text("half")
    os.utime(old, (0, time.time() - 2 * LEFTOVER_AGE_S))
    clear_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == [young, whole]

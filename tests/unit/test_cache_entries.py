"""An entry of the cache is whole or not there, whoever else writes it."""

import os

from finrag.cache.entries import Entries


def entries(folder, **more):
    return Entries(folder, "the entry", "it is made again", **more)


def put(kept, key, text):
    with kept.adding(key) as path:
        path.write_text(text)


def put_folder(kept, key, text):
    with kept.adding(key) as path:
        path.mkdir()
        (path / "one").write_text(text)


def test_of_a_limited_kind_those_used_last_stay(tmp_path):
    kept = entries(tmp_path, suffix=".txt", limit=2)
    for second, key in enumerate("ab"):
        put(kept, key, key)
        os.utime(kept.path(key), (second, second))
    assert kept.find("a", lambda path: path.read_text()) == "a"
    put(kept, "c", "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "c.txt"]


def test_a_folder_that_another_process_was_faster_with_stays(tmp_path):
    kept = entries(tmp_path)
    with kept.adding("key") as slower:
        slower.mkdir()
        (slower / "one").write_text("same")
        put_folder(kept, "key", "same")
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_what_stops_half_way_leaves_no_entry(tmp_path):
    kept = entries(tmp_path)
    try:
        with kept.adding("key") as path:
            path.mkdir()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert list(tmp_path.iterdir()) == []
    assert kept.find("key", lambda path: path) is None


def test_a_folder_that_lacks_a_file_is_set_aside(tmp_path, caplog):
    kept = entries(tmp_path)
    put_folder(kept, "key", "text")
    (kept.path("key") / "one").unlink()
    assert kept.find("key", lambda path: (path / "one").read_text()) is None
    assert "it is made again" in caplog.text
    assert not kept.path("key").exists()

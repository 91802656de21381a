"""An entry of the cache is whole or not there, whoever else writes it."""

import os

from finrag.cache.entries import Entries


def entries(folder, **more):
    return Entries(folder, "the entry", "it is made again", **more)


def put(cache, key, text):
    with cache.adding(key) as path:
        path.write_text(text)


def put_folder(cache, key, text):
    with cache.adding(key) as path:
        path.mkdir()
        (path / "one").write_text(text)


def test_of_a_limited_kind_those_used_last_stay(tmp_path):
    cache = entries(tmp_path, suffix=".txt", limit=2)
    for second, key in enumerate("ab"):
        put(cache, key, key)
        os.utime(cache.path(key), (second, second))
    assert cache.find("a", lambda path: path.read_text()) == "a"
    put(cache, "c", "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "c.txt"]


def test_a_folder_that_another_process_was_faster_with_stays(tmp_path):
    cache = entries(tmp_path)
    with cache.adding("key") as slower:
        slower.mkdir()
        (slower / "one").write_text("same")
        put_folder(cache, "key", "same")
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_what_stops_half_way_leaves_no_entry(tmp_path):
    cache = entries(tmp_path)
    try:
        with cache.adding("key") as path:
            path.mkdir()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert list(tmp_path.iterdir()) == []
    assert cache.find("key", lambda path: path) is None


def test_a_folder_that_lacks_a_file_is_set_aside(tmp_path, caplog):
    cache = entries(tmp_path)
    put_folder(cache, "key", "text")
    (cache.path("key") / "one").unlink()
    assert cache.find("key", lambda path: (path / "one").read_text()) is None
    assert "it is made again" in caplog.text
    assert not cache.path("key").exists()

"""An entry of the cache is whole or not there, whoever else writes it."""

import os

import pytest

from finrag.cache.entries import Entries
from finrag.command.evaluating import evaluate


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


def read_damaged(path):
    raise RuntimeError(f"Error in {path}\nat line 100 of the reader")


def test_a_run_counts_the_damaged_entries_of_a_kind(tmp_path, monkeypatch, caplog):
    """Many damaged files would otherwise fill the screen that ends a run."""
    indexes = Entries(tmp_path / "indexes", "the index", "it is built again")
    results = [entries(tmp_path / step) for step in ("rankings", "answers")]
    for cache in (*results, indexes):
        for key in "abc":
            put(cache, key, key)

    def broken(*_):
        for cache in (*results, indexes):
            for key in "abc" if cache is not indexes else "a":
                assert cache.find(key, read_damaged) is None
        assert caplog.messages == []
        raise ValueError("and then it could not run")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evaluate, "_checked", lambda *_: None)
    monkeypatch.setattr(evaluate, "_evaluate", broken)
    with pytest.raises(ValueError, match="could not run"):
        evaluate.evaluate(evaluate.Run("mine.jsonl", tmp_path / "finrag.duckdb"))

    assert [len(message.splitlines()) for message in caplog.messages] == [1, 1]
    of_results, of_index = sorted(caplog.messages)
    assert f"and so are 5 more below {tmp_path}; each is renamed" in of_results
    assert "it is made again" in of_results
    assert "more" not in of_index
    assert "it is built again" in of_index
    assert results[0].find("a", read_damaged) is None
    put(results[0], "a", "a")
    results[0].find("a", read_damaged)
    assert len(caplog.messages) == 3

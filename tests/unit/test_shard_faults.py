"""What may go wrong while shards are built, and what the store holds afterwards.

The same tests run on Spark: see tests/cluster.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.shards import ShardError, Store, open_runner
from finrag.sources.corpus import read_filings
from tests.unit.sharded import (
    COMPANIES,
    KILLED,
    N_SHARDS,
    RAISES,
    SLOW,
    Dying,
    WithoutRename,
    build,
    files_of,
    hidden,
    write_corpus,
)
from tests.warehouse.warehouses import ROOT


@pytest.fixture(scope="module")
def engine():
    return "pool"


@pytest.fixture(scope="module")
def runner(engine):
    with open_runner(engine, 2) as runner:
        yield runner


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def clean(corpus, tmp_path_factory):
    """The files of a build in which nothing went wrong, in one process."""
    store = Store.at(str(tmp_path_factory.mktemp("clean")))
    with open_runner("") as alone:
        build(alone, store, corpus)
    return files_of(store)


@pytest.fixture
def filing(corpus):
    """A filing of the last shard."""
    rows = pa.Table.from_batches(read_filings(str(corpus))).to_pylist()
    return max(row["filing_id"] for row in rows if row["cik_int"] == COMPANIES[1])


def records(store):
    return {name for name in files_of(store) if name.startswith("corpus/records/")}


def test_a_killed_worker_is_replaced(runner, corpus, clean, filing, tmp_path):
    store, marker = Store.at(str(tmp_path / "store")), tmp_path / "killed"
    build(runner, store, corpus, KILLED.format(marker=str(marker), filing=filing))
    assert marker.exists()
    assert files_of(store) == clean
    assert hidden(store) == []


@pytest.mark.parametrize("kind", ["rows/*.parquet", "corpus/words/*", "corpus/records/*"])
def test_a_file_that_a_killed_worker_left_does_not_count(runner, corpus, clean, kind, tmp_path):
    store = Dying(str(tmp_path / "store"), kind, str(tmp_path / "killed"))
    build(runner, store, corpus)
    assert Path(store.marker).exists()
    assert files_of(store) == clean
    assert len(hidden(store)) == 1


def test_a_shard_that_fails_four_times_stops_the_build(runner, corpus, clean, filing, tmp_path):
    store, marker = Store.at(str(tmp_path / "store")), tmp_path / "tried"
    fault = RAISES.format(
        marker=str(marker), filing=filing, records=str(tmp_path / "store/corpus/records")
    )
    with pytest.raises(ShardError) as raised:
        build(runner, store, corpus, fault)
    message = str(raised.value)
    assert message.startswith("shard ")
    assert f"(filing {filing})" in message
    assert "model words: no word was found" in message
    assert "failed 4 times" in message
    assert "\n" not in message
    assert ".java" not in message
    # Each attempt looked at the whole shard first, then at parts of it for the filing at fault.
    tried = [line for line in marker.read_text().splitlines() if filing in line]
    assert tried.count(max(tried, key=len)) == 4

    finished = records(store)
    times = {name: Path(store.place(name)).stat().st_mtime_ns for name in finished}
    assert 1 <= len(finished) < N_SHARDS
    _, (n_found, n_all) = build(runner, store, corpus)
    assert (n_found, n_all) == (len(finished), N_SHARDS)
    assert {name: Path(store.place(name)).stat().st_mtime_ns for name in finished} == times
    assert files_of(store) == clean


def test_a_broken_filing_is_quarantined_as_on_one_machine(runner, corpus, tmp_path):
    store = Store.at(str(tmp_path / "store"))
    manifest, _ = build(runner, store, corpus)
    rows = pa.concat_tables(
        pq.read_table(store.place(one.file)) for one in manifest.doors["py_filings_read"]
    )
    expected = pa.Table.from_batches(read_filings(str(corpus))).sort_by("source_line")
    assert rows.sort_by("source_line").to_pylist() == expected.to_pylist()
    assert expected["record_status"].to_pylist().count("quarantined") == 1


@contextlib.contextmanager
def driver(store, corpus, engine, fault):
    """A build in a process of its own, and with a process group of its own; ends with the test."""
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.sharded", str(store), str(corpus), engine, fault],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


def until(condition, seconds=120):
    limit = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.05)
    return found


def is_empty(group):
    """Whether a process group has no process left but those that only wait to be collected."""
    states = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            _, _, fields = stat.read_text().rpartition(")")
            state, _, its_group = fields.split()[:3]
            states += [state] if int(its_group) == group else []
    return set(states) <= {"Z"}


@pytest.mark.slow
def test_after_a_driver_died_the_next_build_does_the_rest(engine, runner, corpus, clean, tmp_path):
    store = Store.at(str(tmp_path / "store"))
    with driver(store.uri, corpus, engine, SLOW.format(seconds=3)) as running:
        until(lambda: records(store))
        running.kill()
        # Its workers end as well, and leave no half of a file.
        until(lambda: is_empty(running.pid))
    finished = records(store)
    assert 1 <= len(finished) < N_SHARDS
    _, (n_found, n_all) = build(runner, store, corpus)
    assert (n_found, n_all) == (len(finished), N_SHARDS)
    assert files_of(store) == clean


@pytest.mark.slow
def test_two_drivers_at_the_same_time_write_equal_files(engine, corpus, clean, tmp_path):
    store = Store.at(str(tmp_path / "store"))
    fault = SLOW.format(seconds=1)
    with (
        driver(store.uri, corpus, engine, fault) as one,
        driver(store.uri, corpus, engine, fault) as other,
    ):
        said = [running.communicate(timeout=300) for running in (one, other)]
        assert [one.returncode, other.returncode] == [0, 0], said
    (first, second) = (json.loads(out) for out, _ in said)
    assert first["manifest"] == second["manifest"]
    # Neither waited for the other.
    assert first["found"] < N_SHARDS
    assert second["found"] < N_SHARDS
    assert files_of(store) == clean
    assert hidden(store) == []


def test_a_store_without_rename_gets_the_record_last(runner, corpus, clean, tmp_path):
    store = WithoutRename(str(tmp_path / "store"), log=str(tmp_path / "log"))
    build(runner, store, corpus)
    assert files_of(store) == clean
    written = (tmp_path / "log").read_text().splitlines()
    for record in records(store):
        _, _, shard, last = record.split("/")
        of_shard = [name for name in written if f"/{shard}/{Path(last).stem}" in name]
        assert of_shard[-1] == record
        assert len(of_shard) == 3


@pytest.mark.slow
def test_a_half_file_with_its_final_name_is_not_read(runner, corpus, clean, tmp_path):
    place, log = str(tmp_path / "store"), str(tmp_path / "log")
    with pytest.raises(ShardError, match="its process died"):
        build(runner, WithoutRename(place, "corpus/words/*", log=log), corpus)
    store = WithoutRename(place, log=log)
    halves = [name for name in store.listed("corpus/words") if store.size(name) < 100]
    assert halves
    assert records(store) == set()
    build(runner, store, corpus)
    assert files_of(store) == clean

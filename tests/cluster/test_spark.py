"""Spark as a runner: results, failures, what stands on the screen and what is left behind."""

import os
import subprocess
import sys
import time

import pytest

from finrag.shards import ShardError
from finrag.shards.spark import Spark
from tests.cluster import tasks
from tests.cluster.processes import connect_server, descendants
from tests.warehouse.warehouses import ROOT


def label(task):
    return f"task {task}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with connect_server(tmp_path_factory.mktemp("connect")) as address:
        yield address


@pytest.fixture(scope="module", params=["local", "connect"])
def spark(request, tmp_path_factory):
    """Spark on this machine, and behind a server of Spark Connect."""
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "connect":
            patched.setenv("SPARK_REMOTE", request.getfixturevalue("server"))
        with Spark(2, tmp_path_factory.mktemp("log") / "spark.log") as spark:
            assert list(spark.run(tasks.square, [2], label)) == [4]
            yield spark


def test_each_task_has_its_result(spark):
    assert sorted(spark.run(tasks.square, range(20), label)) == [n * n for n in range(20)]
    assert list(spark.run(tasks.square, [], label)) == []


def test_a_result_comes_when_its_task_is_done(spark):
    assert list(spark.run(tasks.wait, [40, 1], label)) == [1, 40]


def test_a_large_result_comes_whole(spark):
    assert list(spark.run(tasks.many_bytes, [20_000_000], label)) == [b"x" * 20_000_000]


def test_a_task_whose_worker_was_killed_is_tried_again(spark, tmp_path):
    markers = [str(tmp_path / name) for name in ("a", "b")]
    assert sorted(spark.run(tasks.die_once, markers, label)) == markers


def test_a_task_that_fails_is_named_with_its_cause(spark):
    with pytest.raises(ShardError) as raised:
        list(spark.run(tasks.fail, range(3), label))
    message = str(raised.value)
    assert message.startswith("task 1 failed 4 times: filing f-1 cannot be read see its line 7.")
    assert "java" not in message.lower()


def test_a_task_is_tried_four_times(spark, tmp_path):
    with pytest.raises(ShardError, match="RuntimeError: never"):
        list(spark.run(tasks.count_try, [str(tmp_path)], label))
    assert len(list(tmp_path.iterdir())) == 4


def test_a_task_that_always_kills_its_worker_is_named(spark):
    with pytest.raises(ShardError, match="task 5 failed 4 times: its process died"):
        list(spark.run(tasks.die, [5], label))


def test_what_still_runs_is_stopped_with_a_failure(spark):
    started = time.monotonic()
    with pytest.raises(ShardError, match="task 0 "):
        # As many as workers: of one more, two that wait might keep out the one that fails.
        list(spark.run(tasks.fail_or_wait, [3_000, 0], label))
    assert time.monotonic() - started < 150


SCRIPT = """
from finrag.shards.spark import Spark
from tests.cluster import tasks
from tests.cluster.processes import descendants
from concurrent.futures import ThreadPoolExecutor
import os
def in_a_thread():
    with Spark(2) as other:
        return list(other.run(tasks.square, [5], str))
with Spark(2) as spark:
    print(sorted(spark.run(tasks.square, range(3), str)))
    with ThreadPoolExecutor() as threads:
        print(threads.submit(in_a_thread).result())
    # The first still has it.
    print(list(spark.run(tasks.square, [6], str)))
print(len(descendants(os.getpid())))
"""


def test_nothing_of_spark_is_on_the_screen_or_left_behind(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "[0, 1, 4]\n[25]\n[36]\n1\n"
    assert (tmp_path / "logs" / "spark.log").stat().st_size > 0


def test_a_master_that_cannot_be_reached_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_MASTER", "spark://no-port")
    before = descendants(os.getpid())
    with (
        pytest.raises(ShardError, match="Spark did not start on spark://no-port; its log is"),
        Spark(log=tmp_path / "spark.log") as spark,
    ):
        list(spark.run(tasks.square, [1], label))
    assert set(descendants(os.getpid())) <= set(before)

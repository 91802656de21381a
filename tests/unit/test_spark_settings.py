"""What is said when Spark cannot be started from here; no Spark is needed to see it."""

import stat
import sys
import traceback
from types import SimpleNamespace

import pytest

from finrag.shards import spark
from finrag.shards.runners import ShardError, open_runner
from finrag.shards.spark import Spark, check_spark, master_with_retries


@pytest.fixture
def installed(monkeypatch):
    """pyspark and what Connect needs, as far as a check looks."""
    monkeypatch.setattr(spark, "find_spec", lambda name: object())
    for name in ("SPARK_MASTER", "SPARK_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def java(installed, tmp_path):
    """Puts a Java of some version where Spark looks first."""

    def put(version):
        program = tmp_path / "bin" / "java"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        installed.setenv("JAVA_HOME", str(tmp_path))

    put("17.0.15")
    return put


def test_without_pyspark_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(spark, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="needs pyspark; install it with 'pip install"):
        open_runner("spark")


@pytest.mark.parametrize(("version", "found"), [("11.0.2", 11), ("1.8.0_392", 8)])
def test_a_java_that_is_too_old_is_named(java, version, found):
    java(version)
    with pytest.raises(ValueError, match=f"needs Java 17 or later and found Java {found};"):
        check_spark()


def test_without_java_one_sentence_says_so(installed, tmp_path):
    installed.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ValueError, match="needs Java 17 or later and found none; install"):
        check_spark()


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.1"])
def test_a_newer_java_is_taken(java, version):
    java(version)
    check_spark()


@pytest.mark.parametrize("master", ["here", "local[", "http://host:7077", "spark://"])
def test_an_address_that_spark_does_not_know_is_named(java, installed, master):
    installed.setenv("SPARK_MASTER", master)
    with pytest.raises(ValueError, match=r"SPARK_MASTER is '.*', expected local"):
        check_spark()


TOKEN = "use_ssl=true;token=tell-nobody"


def test_a_token_is_in_no_message(installed, monkeypatch, tmp_path):
    installed.setenv("SPARK_REMOTE", f"host:15002/;{TOKEN}")
    with pytest.raises(ValueError, match="SPARK_REMOTE is 'host:15002/;…'"):
        check_spark()

    installed.setenv("SPARK_REMOTE", f"sc://host:15002/;{TOKEN}")
    runner = Spark(log=tmp_path / "log")
    for said in (f"no sc://host:15002/;{TOKEN}", "the token tell-nobody is wrong"):
        assert "tell-nobody" not in str(runner._plain(RuntimeError(said)))

    class Builder:
        def remote(self, url):
            raise RuntimeError(f"cannot reach {url}\nmore")

    session = SimpleNamespace(SparkSession=SimpleNamespace(builder=Builder()))
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(sql=session))
    monkeypatch.setitem(sys.modules, "pyspark.sql", session)
    with pytest.raises(ShardError) as raised:
        list(runner.run(str, [1], str))
    assert str(raised.value) == (
        "the Spark of SPARK_REMOTE, sc://host:15002/;…, was not reached "
        "(cannot reach sc://host:15002/;…)"
    )
    assert "tell-nobody" not in "".join(traceback.format_exception(raised.value))


def test_connect_needs_its_packages_and_no_java(installed, tmp_path):
    installed.setenv("JAVA_HOME", str(tmp_path))
    installed.setenv("SPARK_REMOTE", "sc://host:15002")
    check_spark()
    installed.setenv("SPARK_REMOTE", "host:15002")
    with pytest.raises(ValueError, match="SPARK_REMOTE is 'host:15002', expected an address like"):
        check_spark()
    installed.setenv("SPARK_REMOTE", "sc://host")
    installed.setattr(spark, "find_spec", lambda name: None if name == "grpc" else object())
    with pytest.raises(ValueError, match="needs the packages of Spark Connect; install"):
        check_spark()


@pytest.mark.parametrize(
    ("master", "expected"),
    [
        ("local", "local[1,4]"),
        ("local[*]", "local[*,4]"),
        ("local[3]", "local[3,4]"),
        ("local[3,1]", "local[3,1]"),
        ("spark://host:7077", "spark://host:7077"),
        ("yarn", "yarn"),
    ],
)
def test_a_local_master_tries_a_task_again(master, expected):
    assert master_with_retries(master) == expected


def test_workers_are_counted_before_spark_runs(java, installed):
    assert Spark(3).n_workers == 3
    installed.setenv("SPARK_MASTER", "local[5]")
    assert Spark(3).n_workers == 5
    installed.setenv("SPARK_MASTER", "spark://host:7077")
    assert Spark(3).n_workers == spark.OF_CLUSTER

"""What the tests on Spark share: the mark, whether Spark is here, and one local Spark."""

import os
from pathlib import Path

import pytest

from finrag.shards.spark import Spark, check_spark

HERE = str(Path(__file__).parent)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if str(item.path).startswith(HERE):
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session", autouse=True)
def spark_is_here():
    """Absent is no excuse where `make test-cluster` installed it."""
    if os.environ.get("FINRAG_REQUIRE_SPARK"):
        check_spark()
        return
    try:
        check_spark()
    except ValueError as error:
        pytest.skip(f"{error}; see `make test-cluster`")


@pytest.fixture(autouse=True)
def no_cluster_is_named(monkeypatch):
    """Spark is reached on loopback only, and takes no address from the environment."""
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    for name in ("SPARK_MASTER", "SPARK_REMOTE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def local_spark(tmp_path_factory):
    """Spark on this machine, two tasks at a time; stopped with the last test of a file."""
    with Spark(2, tmp_path_factory.mktemp("spark") / "spark.log") as spark:
        yield spark

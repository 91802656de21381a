"""Builds warehouses for tests: each in its own folder, in its own process."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[2]
# Small enough to build in seconds, large enough for every gate's minimum.
SMALL = {"encoder": "wordllama", "p1_anchor_count": 300, "p2_anchor_count": 300}


@dataclasses.dataclass
class Warehouse:
    """One DuckDB file with its state folder, and the log of the last dbt run."""

    folder: Path
    variables: dict
    threads: int = 2
    log: str = ""

    @property
    def database(self):
        return self.folder / "finrag.duckdb"

    @property
    def state(self):
        return self.folder / "state"

    def dbt(self, command, *arguments, **options):
        """Runs dbt and returns its exit status; the log is kept."""
        running = self.start(command, *arguments, **options)
        self.log, _ = running.communicate()
        return running.returncode

    def start(self, command, *arguments, fault="-", **variables):
        """Starts dbt and returns the process, whose output may be read."""
        everything = {"state_dir": str(self.state), **self.variables, **variables}
        return subprocess.Popen(
            [
                sys.executable, "-m", "tests.warehouse.driver", fault, command, *arguments,
                "--vars", json.dumps(everything),
                "--target-path", str(self.folder / "target"),
                "--log-path", str(self.folder / "logs"),
            ],
            cwd=ROOT,
            env={
                **os.environ,
                "FINRAG_DATABASE": str(self.database),
                "FINRAG_THREADS": str(self.threads),
                "NO_COLOR": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip

    def build(self, *arguments, **options):
        """Builds the models without the data tests: what tests look at are the tables."""
        return self.dbt("run", *arguments, **options)

    def prepare(self):
        """Loads the seeds once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        assert self.dbt("seed") == 0, self.log
        return self

    def statuses(self):
        """What became of every node of the last dbt run, by name."""
        results = json.loads((self.folder / "target" / "run_results.json").read_text())
        return {row["unique_id"].split(".")[2]: row["status"] for row in results["results"]}

    def rows(self, query):
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.sql(query).to_arrow_table().to_pylist()

    def value(self, query):
        (row,) = self.rows(query)
        (value,) = row.values()
        return value

    def copy(self, folder):
        """The same warehouse in another folder, to be changed freely."""
        shutil.copytree(self.folder, folder)
        return Warehouse(folder, dict(self.variables), self.threads)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests that read the shared warehouse run in one process, which builds it once."""
    for item in items:
        if "sample" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("sample"))


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """The sample corpus, built once with the fast encoder."""
    warehouse = Warehouse(tmp_path_factory.mktemp("sample"), dict(SMALL)).prepare()
    # The whole build: seeds, models, unit tests, data tests and gates.
    assert warehouse.dbt("build") == 0, warehouse.log
    return warehouse


@pytest.fixture
def make_warehouse(tmp_path):
    """A factory of empty warehouses over any corpus."""

    def make(name="warehouse", threads=2, **variables):
        return Warehouse(tmp_path / name, {**SMALL, **variables}, threads).prepare()

    return make

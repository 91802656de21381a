"""Warehouses for tests: each in its own folder, built in a process of its own.

A folder holds links to the project and bears the same relative names as any other. So dbt reads
the project once for each set of vars, and not once for each warehouse.
"""

import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb

from finrag.sample import write_sample
from finrag.warehouse.variables import OF_SYSTEMS, VARIABLE

ROOT = Path(__file__).parents[2]
PROJECT = (
    *("dbt_project.yml", "profiles.yml", "selectors.yml", "models", "python_models", "macros"),
    *("seeds", "analyses", "tests", "prompts", "src"),
)
UNIT_TESTS = "*__unit_tests.yml"
# Small enough to build in seconds, large enough for every gate's minimum.
SMALL = {"encoder": "wordllama", "p1_anchor_count": 300, "p2_anchor_count": 300}


@dataclasses.dataclass
class Warehouse:
    """One DuckDB file with its state folder, and the log of the last dbt run."""

    folder: Path
    variables: dict
    threads: int = 2
    # Where parsed projects are kept for other warehouses; none are without it.
    parsed: Path | None = None
    # Read by several processes: whoever wants to change it takes a copy.
    is_shared: bool = False
    # What dbt writes to its own log; the screen tells enough of most runs.
    log_level: str = "none"
    log: str = ""

    @property
    def database(self):
        return self.folder / "finrag.duckdb"

    @property
    def state(self):
        return self.folder / ".finrag"

    def dbt(self, command, *arguments, **options):
        """Runs dbt and returns its exit status; the log is kept."""
        running = self.start(command, *arguments, **options)
        self.log, _ = running.communicate()
        self._keep_parsed()
        return running.returncode

    def start(self, command, *arguments, fault="-", **variables):
        """Starts dbt and returns the process, whose output may be read."""
        if self.is_shared:
            raise ValueError("The shared warehouse is only read; take a copy of it.")
        # With other systems dbt need not read the project anew, as in `finrag build`.
        own = {name: value for name, value in self.variables.items() if name not in variables}
        of_systems = {name: own.pop(name) for name in OF_SYSTEMS if name in own}
        as_json = json.dumps({**own, **variables}, sort_keys=True)
        self._kept = (
            self.parsed
            and self.parsed / hashlib.md5(as_json.encode(), usedforsecurity=False).hexdigest()
        )
        if self._kept and self._kept.exists():
            self._parsed_here.parent.mkdir(exist_ok=True)
            shutil.copyfile(self._kept, self._parsed_here)
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.warehouse.driver", fault),
                *(command, *arguments, "--vars", as_json, "--log-level-file", self.log_level),
            ],
            cwd=self.folder,
            env={
                **os.environ,
                "FINRAG_DATABASE": self.database.name,
                "FINRAG_THREADS": str(self.threads),
                VARIABLE: json.dumps(of_systems),
                "NO_COLOR": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def _parsed_here(self):
        return self.folder / "target" / "partial_parse.msgpack"

    def _keep_parsed(self):
        if self._kept and not self._kept.exists() and self._parsed_here.exists():
            half = self._kept.with_suffix(f".{os.getpid()}")
            shutil.copyfile(self._parsed_here, half)
            half.rename(self._kept)

    def build(self, *arguments, **options):
        """Builds the models without the data tests: what tests look at are the tables."""
        return self.dbt("run", *arguments, **options)

    def prepare(self):
        """Links the project and loads the seeds once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        link_project(self.folder)
        (self.state / "spill").mkdir(parents=True)
        assert self.dbt("seed") == 0, self.log
        return self

    def statuses(self):
        """What became of every node of the last dbt run, by name; exposures are never run."""
        results = json.loads((self.folder / "target" / "run_results.json").read_text())["results"]
        nodes = [(row["unique_id"].split("."), row["status"]) for row in results]
        # A unit test bears the name of its model before its own.
        return {
            name[-1 if name[0] == "unit_test" else 2]: status
            for name, status in nodes
            if name[0] != "exposure"
        }

    def rows(self, query):
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.sql(query).to_arrow_table().to_pylist()

    def value(self, query):
        (row,) = self.rows(query)
        (value,) = row.values()
        return value

    def copy(self, folder, **variables):
        """The same warehouse in another folder, to be changed freely."""
        shutil.copytree(self.folder, folder, symlinks=True)
        changed = {**self.variables, **variables}
        return dataclasses.replace(self, folder=folder, variables=changed, is_shared=False)


def link_project(folder):
    """Links the project, but for unit tests: they are a quarter of what dbt reads."""
    for name in PROJECT:
        if name != "models":
            (folder / name).symlink_to(ROOT / name)
    for path in sorted((ROOT / "models").rglob("*")):
        if path.is_file() and not path.match(UNIT_TESTS):
            link = folder / path.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)


def link_unit_tests(folder):
    """Adds the unit tests to a linked project."""
    for path in sorted((ROOT / "models").rglob(UNIT_TESTS)):
        (folder / path.relative_to(ROOT)).symlink_to(path)


def small_corpus(folder, n_filings=3, n_companies=None):
    """The first filings of the sample corpus, or of each of its first companies, in a file."""
    write_sample(folder / "sample")
    lines = (folder / "sample" / "filings" / "sample_10k.jsonl").read_bytes().splitlines(True)
    if n_companies is None:
        chosen = lines[:n_filings]
    else:
        by_company = {}
        for line in lines:
            # What is broken in the sample is shorter than any filing.
            if len(line) > 1_000:
                by_company.setdefault(json.loads(line, strict=False)["cik"], []).append(line)
        companies = list(by_company.values())[:n_companies]
        chosen = [line for filings in companies for line in filings[:n_filings]]
    path = folder / "small.jsonl"
    path.write_bytes(b"".join(chosen))
    return str(path)

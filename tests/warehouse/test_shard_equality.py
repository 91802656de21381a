"""One warehouse, however the corpus was read: at once, or in shards by an engine.

And where nothing has changed, no shard is run, and no model but those of every build.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from finrag.shards import table_hash
from tests.warehouse.test_determinism import CLOCKS, HISTORY
from tests.warehouse.test_unchanged import COMMAND, EVERY_BUILD, NOT_PASSING
from tests.warehouse.warehouses import ROOT, link_project, small_corpus

# With an engine an index is named after what it was made of, without one after its bytes.
NAMED = {"index_id"}
# Of a run, and so of what it ran on.
RUNS = ("py_environment_read", "run_manifests", "run_differences")


class Folder:
    """Warehouses of one corpus, each a file, with one state and one store."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        link_project(folder)
        self.corpus = faulty_corpus(folder)
        self.variables = {
            **{"corpus": "filings", "corpus_path": self.corpus, "encoder": "wordllama"},
            **{"p1_anchor_count": 50, "p2_anchor_count": 50, "enable_systems": ["sample"]},
        }

    def build(self, name, *arguments):
        """Builds a warehouse, and returns what was run with what became of it."""
        self.name = name
        said = subprocess.run(
            [
                *(sys.executable, "-c", COMMAND, "build", "--database", f"{name}.duckdb"),
                *("--vars", json.dumps(self.variables), *arguments),
            ],
            cwd=self.folder,
            env={
                **{k: v for k, v in os.environ.items() if not k.startswith("FINRAG_")},
                "PYTHONPATH": str(ROOT / "src"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.log = said.stdout + said.stderr
        results = self.folder / "target" / "run_results.json"
        assert results.is_file(), self.log
        rows = json.loads(results.read_text())["results"]
        ran = {row["unique_id"].split(".")[2]: row["status"] for row in rows}
        assert not {"error", "skipped"} & set(ran.values()), self.log
        return {one: status for one, status in ran.items() if one not in NOT_PASSING}

    def tables(self, name):
        """Rows and hash of each table outside the private ones, clocks and history aside."""
        with duckdb.connect(str(self.folder / f"{name}.duckdb"), read_only=True) as connection:
            found = connection.execute(
                "select table_schema || '.' || table_name, table_name, "
                "list(column_name order by ordinal_position) from information_schema.columns "
                "where table_schema not in ('seeds', 'main', 'information_schema', "
                "'test_failures') and not regexp_matches(table_name, '^(int|py)_') group by all"
            ).fetchall()
            hashes = {}
            for place, table, columns in found:
                if table not in (*HISTORY, *RUNS):
                    kept = ", ".join(
                        f'"{column}"' for column in columns if column not in CLOCKS | NAMED
                    )
                    hashes[place] = table_hash(connection, f"(select {kept} from {place})")
        return hashes

    def kinds(self, name):
        with duckdb.connect(str(self.folder / f"{name}.duckdb"), read_only=True) as connection:
            return dict(
                connection.execute(
                    "select table_name, table_type from information_schema.tables"
                ).fetchall()
            )


def faulty_corpus(folder):
    """Two files of three companies: with a broken line, a filing of both, and one of no company."""
    whole = Path(small_corpus(folder, 3, n_companies=3))
    lines = whole.read_bytes().splitlines(True)
    nameless = json.loads(lines[1], strict=False)
    nameless.pop("cik")
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "a.jsonl").write_bytes(b"".join([*lines[:5], b'{"cik": "12", broken\n']))
    last = json.dumps(nameless).encode() + b"\n"
    (corpus / "b.jsonl").write_bytes(b"".join([lines[0], *lines[5:], last]))
    return str(corpus)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The warehouse `alone`, made without an engine."""
    made = Folder(tmp_path_factory.mktemp("shards") / "project")
    made.build("alone")
    return made


MANY = ("--engine", "pool", "--shards", "16", "--store", "elsewhere")


def shards_told(folder):
    """How many shards the build had, and how many of them it ran."""
    found = re.search(r"^shards +(\d+) shards?, +(\d+) of them new", folder.log, re.MULTILINE)
    assert found, folder.log
    return int(found[1]), int(found[2])


def test_one_warehouse_whatever_the_engine_and_the_shards(folder):
    expected = folder.tables("alone")
    assert len(expected) > 100
    (faults,) = [rows for place, rows in expected.items() if place.endswith(".quarantine")]
    assert faults[0] >= 3
    assert any(place.endswith(".source_files") for place in expected)

    folder.build("many", *MANY)
    assert shards_told(folder)[0] > 1
    assert folder.kinds("many")["kpi_mentions"] == "VIEW"
    assert folder.tables("many") == expected


def test_an_unchanged_build_over_shards_runs_nothing(folder):
    folder.build("many", *MANY)
    ran = folder.build("many", *MANY)
    _, n_run = shards_told(folder)
    assert n_run == 0
    # Nothing but what each build writes down of itself.
    assert "release_verdicts" in ran
    assert set(ran) <= behind_every_build(folder)
    assert "sentences" not in ran


def behind_every_build(folder):
    """What each build runs whatever has changed."""
    manifest = json.loads((folder.folder / "target" / "manifest.json").read_text())
    children = manifest["child_map"]
    waiting = [key for key, node in manifest["nodes"].items() if node["name"] in EVERY_BUILD]
    found = set()
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += children.get(key, ())
    return {key.split(".")[2] for key in found} - NOT_PASSING

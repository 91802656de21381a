"""One warehouse, however the corpus was read: at once, or in shards by an engine.

And what the command makes of shards: nothing changed runs nothing, a new filing runs its shard, and
an engine can be left out again over the same file.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from finrag.shards import table_hash
from tests.warehouse.test_determinism import CLOCKS, HISTORY
from tests.warehouse.test_unchanged import COMMAND, EVERY_BUILD, NOT_PASSING
from tests.warehouse.warehouses import PROJECT, ROOT, small_corpus

# Of a run, and so of what it ran on.
RUNS = ("py_environment_read", "run_manifests", "run_differences")


class Folder:
    """Warehouses of one corpus, each a file, with one state and one store."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        for name in PROJECT:
            (folder / name).symlink_to(ROOT / name)
        self.corpus = small_corpus(folder, 3, n_companies=4)
        self.variables = {
            **{"corpus": "filings", "corpus_path": self.corpus, "encoder": "wordllama"},
            **{"p1_anchor_count": 50, "p2_anchor_count": 50},
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
                    kept = ", ".join(f'"{column}"' for column in columns if column not in CLOCKS)
                    hashes[place] = table_hash(connection, f"(select {kept} from {place})")
        return hashes

    def kinds(self, name):
        with duckdb.connect(str(self.folder / f"{name}.duckdb"), read_only=True) as connection:
            return dict(
                connection.execute(
                    "select table_name, table_type from information_schema.tables"
                ).fetchall()
            )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The warehouse `alone`, made without an engine."""
    made = Folder(tmp_path_factory.mktemp("shards") / "project")
    made.build("alone")
    return made


def test_one_warehouse_whatever_the_engine_and_the_shards(folder):
    expected = folder.tables("alone")
    assert len(expected) > 100

    folder.build("one", "--engine", "pool", "--shards", "1")
    assert "shards" in folder.log
    assert folder.kinds("one")["kpi_mentions"] == "VIEW"
    assert folder.tables("one") == expected

    ran = folder.build("many", "--engine", "pool", "--shards", "16", "--store", "elsewhere")
    assert len(ran) > 500
    manifest = json.loads((folder.folder / ".finrag" / "shards.json").read_text())
    assert len(manifest["records"]) > 1
    assert folder.tables("many") == expected


def test_only_what_is_new_is_run_and_the_engine_can_be_left_out(folder):
    engine = ("--engine", "pool", "--shards", "8", "--store", "third")
    folder.build("same", *engine)
    assert set(folder.build("same", *engine)) <= EVERY_BUILD | behind_every_build(folder)
    assert "0 of them new" in folder.log

    # A filing more of one company: one shard is run.
    shutil.copyfile(small_corpus(folder.folder, 4, n_companies=1), folder.folder / "more.jsonl")
    lines = (folder.folder / "more.jsonl").read_bytes().splitlines(True)
    small_corpus(folder.folder, 3, n_companies=4)
    corpus = Path(folder.corpus)
    corpus.write_bytes(corpus.read_bytes() + lines[-1])
    assert "filings" in folder.build("same", *engine)
    assert "shards        " in folder.log
    assert ",   1 of them new" in folder.log.partition("shards     ")[2].splitlines()[0]
    with_engine = folder.tables("same")

    folder.build("same")
    assert folder.kinds("same")["kpi_mentions"] == "BASE TABLE"
    assert folder.tables("same") == with_engine


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
    return {key.split(".")[2] for key in found}

"""A build runs what has changed and all behind it, nothing else; and nothing is left out wrongly.

Each test has a project of its own, whose files it changes.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

import duckdb
import pytest

from tests.warehouse.warehouses import PROJECT, ROOT, UNIT_TESTS, small_corpus

# Written by each build, whatever has changed: what a build ran on, and its history.
EVERY_BUILD = {"py_environment_read", "recorded_runs", "recorded_gates"}
# A prediction of a question that is not there, and gates that so small a corpus breaks: a check
# that does not pass is run again by every build.
NOT_PASSING = {"external_rejections_warns", "no_gate_is_breached"}
COMMAND = "import sys; from finrag.command.cli import main; sys.exit(main())"


class Copy:
    """A copy of the project, with a corpus of three filings and one file of predictions."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        for name in PROJECT:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", UNIT_TESTS)
                shutil.copytree(ROOT / name, folder / name, ignore=ignored)
            else:
                shutil.copyfile(ROOT / name, folder / name)
        (folder / ".finrag" / "spill").mkdir(parents=True)
        corpus = small_corpus(folder, 3)
        (folder / "mine.yml").write_text(
            "systems:\n  - system_id: mine\n    system_kind: external_file\n"
            "    settings: {predictions_path: mine.jsonl}\n"
        )
        (folder / "mine.jsonl").write_text('{"question_id": "none", "answer": "1"}\n')
        self.variables = {
            **{"corpus": "filings", "corpus_path": corpus, "encoder": "wordllama"},
            **{"p1_anchor_count": 50, "p2_anchor_count": 50, "systems_paths": "mine.yml"},
            "enable_systems": "sample",
            # A day that ends between two builds is a change.
            "as_of_date": "2026-01-01",
        }

    def start(self, *arguments):
        options = ["--vars", json.dumps(self.variables), *arguments]
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, "build", *options],
            cwd=self.folder,
            env={
                **{k: v for k, v in os.environ.items() if not k.startswith("FINRAG_")},
                "PYTHONPATH": str(self.folder / "src"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def build(self, *arguments):
        """Names of what was run, with what became of it."""
        process = self.start(*arguments)
        self.log, _ = process.communicate()
        results = self.folder / "target" / "run_results.json"
        assert results.is_file(), self.log
        rows = json.loads(results.read_text())["results"]
        ran = {row["unique_id"].split(".")[2]: row["status"] for row in rows}
        assert ran.keys() >= NOT_PASSING, self.log
        return {name: status for name, status in ran.items() if name not in NOT_PASSING}

    def kill_soon_after_start(self, *arguments):
        """A build that has begun to write when it dies."""
        process = self.start(*arguments)
        record = self.folder / "finrag.duckdb.built.json"
        while record.exists():
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.1)
        time.sleep(3)
        os.killpg(process.pid, signal.SIGKILL)
        self.log, _ = process.communicate()

    def behind(self, *names):
        """These nodes and all that descend from them, tests too, but for those that do not pass."""
        manifest = json.loads((self.folder / "target" / "manifest.json").read_text())
        nodes = {
            key: node
            for key, node in manifest["nodes"].items()
            if node["resource_type"] in ("seed", "model", "test")
        }
        children = {}
        for key, node in nodes.items():
            for parent in node["depends_on"].get("nodes", ()):
                children.setdefault(parent, []).append(key)
        waiting = [key for key, node in nodes.items() if node["name"] in {*names, *EVERY_BUILD}]
        found = set()
        while waiting:
            key = waiting.pop()
            if key not in found:
                found.add(key)
                waiting += children.get(key, ())
        return {key.split(".")[2] for key in found} - NOT_PASSING

    def edit(self, path, old, new):
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def results(self):
        """How many results of each kind are cached: what is computed is added to them."""
        cache = self.folder / ".finrag" / "cache"
        paths = (path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
        return Counter(path.parts[0] for path in paths)

    def embedding_steps(self):
        """What each step that needs vectors found in the cache and embedded, in order."""
        (path,) = (self.folder / ".finrag" / "cache" / "embeddings").glob("*/ledger.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def question(self):
        """The id of a question on the filings."""
        with duckdb.connect(str(self.folder / "finrag.duckdb"), read_only=True) as connection:
            (found,) = connection.execute("select min(question_id) from gold.gold_p3").fetchone()
        return found

    def hashes(self):
        database = str(self.folder / "finrag.duckdb")
        with duckdb.connect(database, read_only=True) as connection:
            tables = connection.execute(
                "select table_schema || '.' || table_name, "
                "list(column_name order by ordinal_position) from information_schema.columns "
                "where table_schema not in ('test_failures', 'main') and not regexp_matches("
                "table_name, "
                "'^recorded_|^rpt_runs_|latenc|(overview|question)_steps|costs|frontiers') "
                "and not contains(table_name, 'environment') "
                "group by all"
            ).fetchall()
            hashed = {}
            for table, columns in tables:
                kept = [c for c in columns if not c.endswith("_at") and "latency" not in c]
                row = ", ".join(f'"{c}"' for c in kept)
                hashed[table] = connection.execute(
                    f"select count(*), sum(hash(cast(row({row}) as varchar))) from {table}"
                ).fetchone()
        return hashed


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    copy = Copy(tmp_path_factory.mktemp("unchanged") / "project")
    ran = copy.build()
    assert "error" not in ran.values(), copy.log
    return copy


def test_each_change_reaches_exactly_what_lies_behind_it(built):
    assert set(built.build()) == built.behind(), built.log
    assert "1 row of external_rejections: not so: every answered question" in built.log

    # One pattern of one group.
    built.edit("dbt_project.yml", "|candidates)|engineers|", "|candidates)|engineer|")
    assert set(built.build()) == built.behind("int_p3_risks_described"), built.log

    # One row of a seed.
    thresholds = built.folder / "seeds" / "gates" / "gate_thresholds.csv"
    lines = thresholds.read_text().splitlines(True)
    thresholds.write_text("".join(lines[:-1]))
    assert set(built.build()) == built.behind("gate_thresholds"), built.log

    # One answer more: of no other system anything is ranked, answered, scored or compared.
    answer = {"question_id": built.question(), "answer": "It has grown by 4 percent."}
    with (built.folder / "mine.jsonl").open("a") as file:
        file.write(f"{json.dumps(answer)}\n")
    before = built.results()
    ran = set(built.build())
    assert "py_external_rows_read" in ran
    assert ran == built.behind("py_systems_read"), built.log
    added = built.results() - before
    of_mine = [added.pop(name) for name in ("answer_scores", "public_scores", "bounds")]
    assert of_mine == [1, 1, 1]
    # Its text was compared with the gold, by words and by a model.
    assert set(added) <= {"scores", "embeddings"}, added

    # One line of the library.
    changed = built.folder / "src" / "finrag" / "statistics" / "comparisons.py"
    changed.write_text(changed.read_text() + "\n# One line more.\n")
    ran = set(built.build())
    models = {name for name in ran if name.startswith("py_")} - EVERY_BUILD
    assert "py_systems_compared" in models
    assert not {"py_filings_read", "py_sentences_split", "py_texts_labelled"} & models
    assert ran == built.behind(*models), built.log


def test_changes_one_by_one_leave_what_a_build_of_everything_leaves(built):
    # One filing.
    small_corpus(built.folder, 4)
    ran = set(built.build())
    assert {"py_filings_read", "sentences", "gold_p3"} <= ran
    assert not {name for name in ran if name in ("gate_thresholds", "py_systems_read")}
    assert "unchanged" in built.log

    # After a kill nothing is taken for built, and all changes together have left what a build of
    # everything leaves.
    step_by_step = built.hashes()
    assert len(step_by_step) > 200
    built.kill_soon_after_start("--full")
    assert "unchanged" not in built.log
    n_steps = len(built.embedding_steps())
    ran = built.build()
    assert "unchanged" not in built.log
    assert len(ran) > 450
    assert built.hashes() == step_by_step
    again = built.embedding_steps()[n_steps:]
    assert sum(step["n_texts"] for step in again) > 0
    assert sum(step["n_embedded"] for step in again) == 0
    assert set(built.build()) == built.behind(), built.log


def test_a_warehouse_that_was_changed_is_built_anew(built):
    with duckdb.connect(str(built.folder / "finrag.duckdb")) as connection:
        connection.execute("delete from gold.gold_p3")

    ran = built.build()
    assert ran["gold_p3"] == "success"
    assert len(ran) > 450


def test_a_test_that_failed_is_run_until_it_passes_with_all_behind_it(built):
    broken = built.folder / "tests" / "singular"
    broken.mkdir(exist_ok=True)
    (broken / "no_filing_is_there.sql").write_text("select * from {{ ref('filings') }}\n")

    first = built.build()
    assert first["no_filing_is_there"] == "fail"
    assert "check no_filing_is_there failed" in built.log
    # `filings` stands; what reads it waits for its test.
    second = built.build()
    assert second["no_filing_is_there"] == "fail"
    assert "filings" not in second

    (broken / "no_filing_is_there.sql").unlink()
    third = built.build()
    assert "fail" not in third.values()
    left_out = {name for name, status in first.items() if status == "skipped"} - NOT_PASSING
    # What is run by every build lay behind it; the rest was unchanged and stayed.
    assert "release_verdicts" in left_out
    assert left_out <= set(third), built.log
    assert set(built.build()) == built.behind(), built.log

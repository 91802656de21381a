"""Shards: what decides them, and what a task refuses."""

import dataclasses
import json
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pytest

from finrag.shards import Store, bucketing, building, open_runner
from finrag.shards.plan import GIVEN, Plan, Step, make_plan
from finrag.shards.shard import StepError, run_shard, table_hash
from finrag.warehouse import in_memory
from tests.unit.sharded import toy_plan, variables_of, write_corpus

ROOT = Path(__file__).parents[2]


def build(folder, variables, plan=None, is_full=False):
    with patch.object(building, "make_plan", lambda *_: plan or toy_plan()), open_runner("") as one:
        return building.build_shards(one, Store.at(str(folder / "store")), variables, None, is_full)


def test_a_task_refuses_other_code_than_the_drivers(tmp_path):
    variables = variables_of(write_corpus(tmp_path))
    other = dataclasses.replace(toy_plan(), versions={**toy_plan().versions, "pyarrow": "1.0"})
    with pytest.raises(ValueError, match=r"has pyarrow [\d.]+ and the driver 1\.0; install"):
        build(tmp_path, variables, other)


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path):
    corpus = write_corpus(tmp_path)
    variables = variables_of(corpus)
    right = bucketing.file_sha256

    def late(path):
        found = right(path)
        corpus.write_text(corpus.read_text() + "\n")
        return found

    with (
        patch.object(building, "file_sha256", late),
        pytest.raises(ValueError, match=r"filings\.jsonl was changed while it was read"),
    ):
        build(tmp_path, variables)
    assert not list((tmp_path / "store" / "rows").glob("*.parquet"))
    assert build(tmp_path, variables).doors["words"]


def test_an_edit_of_the_list_alone_moves_the_remedy(tmp_path):
    corpus = write_corpus(tmp_path, broken=False)
    folder = corpus.parent
    corpus.unlink()
    for number in range(2):
        (folder / f"{number}.html").write_text("<html><p>Nothing that names a company.</p></html>")
    listed = folder / "filings.csv"
    listed.write_text("file,cik,form\n0.html,7,\n1.html,8,\n")
    variables = {**variables_of(corpus), "corpus": "raw_filings", "corpus_path": str(folder)}
    remedies = []
    for text in (listed.read_text(), "file,cik,form\n\n0.html,7,\n1.html,8,\n"):
        listed.write_text(text)
        manifest = build(tmp_path, variables)
        found = [one.file for one in manifest.doors[GIVEN[0]]]
        rows = pa.concat_tables(
            [pa.parquet.read_table(tmp_path / "store" / name) for name in found]
        )
        remedies.append(rows["remedy"].to_pylist())
    assert remedies[0] != remedies[1]
    assert all("filings.csv, line" in one for row in remedies for one in row)


@pytest.mark.parametrize(
    ("last", "megabytes", "n_buckets"),
    [(0, 1, 1), (0, 200, 4), (4, 200, 4), (2, 200, 2), (1, 200, 4), (8, 1, 8)],
)
def test_the_number_of_shards_stays_until_the_corpus_has_doubled(
    tmp_path, last, megabytes, n_buckets
):
    store = Store.at(str(tmp_path))
    if last:
        store.write("corpus/newest.json", json.dumps({"manifest": "m.json"}).encode())
        store.write("m.json", json.dumps({"n_buckets": last}).encode())
    with patch.object(building, "_bytes", lambda _: megabytes << 20):
        part = bucketing.CorpusPart("filings", "a.jsonl", tmp_path, "", "", None, {})
        assert building._n_buckets(store, [part], n_workers=1) == n_buckets
        if not last:
            assert building._n_buckets(store, [part], n_workers=3) == (1 if megabytes < 16 else 8)


def test_a_model_that_fails_is_named():
    plan = Plan((Step("broken", "sql", "select 1 / missing", {}, ()),), {}, (), {})
    with pytest.raises(StepError, match=r"model broken: .*missing"):
        list(run_shard(plan, {}))


def test_the_hash_of_a_table_knows_no_order_and_adds_up():
    rows = "select * from (values (1, 0.1, ['a', null]), (2, 'nan'::double, ['b'])) t(i, x, l)"
    with in_memory() as one:
        whole = table_hash(one, f"({rows})")
        parts = [table_hash(one, f"({rows} where i = {number})") for number in (2, 1)]
        assert whole == (2, sum(total for _, total in parts) % 2**64)
        assert table_hash(one, f"(from ({rows}) order by i desc)") == whole
        # A list has an order, null is no text, and the last bit of a float counts.
        changed = [
            rows.replace("['a', null]", "[null, 'a']"),
            rows.replace("null]", "'null']"),
            rows.replace("0.1,", "0.1 + 1e-17 * 3,"),
        ]
        assert all(table_hash(one, f"({other})") != whole for other in changed)
        assert table_hash(one, f"({rows} where false)") == (0, 0)


def test_the_plan_depends_on_patterns_and_not_on_what_reads_the_shards():
    from finrag.command.settings import default_variables

    variables = default_variables()
    plan = make_plan(ROOT, variables)
    assert {"int_sentences_flagged", "kpi_mentions"} <= {step.name for step in plan.steps}
    assert make_plan(ROOT, {**variables, "p1_anchor_count": 3}).digest == plan.digest
    other = {**variables["regexes"], "number": "[0-9]+"}
    assert make_plan(ROOT, {**variables, "regexes": other}).digest != plan.digest

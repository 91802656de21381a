"""P1 on real sentences agrees with the reference figures measured on other anchors."""

import math
import os
from pathlib import Path

import duckdb
import pytest

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
SENTENCES = SHARED / "finrag" / "sentences.parquet"
# Hit@1, Hit@3 and Hit@5 with the static encoder: 808 anchors, W = 3.
REFERENCE = {
    "dense_filtered": {1: 0.376, 3: 0.579, 5: 0.699},
    "dense_open": {1: 0.111, 3: 0.181, 5: 0.217},
    "bm25_filtered": {1: 0.405, 3: 0.613, 5: 0.712},
    "bm25_open": {1: 0.111, 3: 0.205, 5: 0.260},
    "random_filtered": {1: 0.051, 3: 0.121, 5: 0.188},
}
N_ANCHORS = 808
# Both figures are samples of 808 anchors; fifteen differences are looked at together.
Z = 2.94
REFERENCE_MRR = {
    "dense_filtered": 0.516,
    "dense_open": 0.169,
    "bm25_filtered": 0.539,
    "bm25_open": 0.186,
}


def without_questions(warehouse):
    """Nothing of P3 is drawn or asked: this is about P1 alone."""
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("update seeds.p3_category_mix set is_enabled = false")


@pytest.mark.skipif(not SENTENCES.is_file(), reason=f"no real sentences at {SENTENCES}")
def test_p1_of_real_sentences_agrees_with_the_reference(make_warehouse, tmp_path):
    path = tmp_path / "whole_filings.parquet"
    duckdb.sql(
        f"copy (from '{SENTENCES}' where origin = 'pipeline_parquet') to '{path}' (format parquet)"
    )
    settings = {"p1_anchor_count": N_ANCHORS, "enable_systems": ["sample"]}
    warehouse = make_warehouse(corpus="sentences", corpus_path=str(path), **settings)
    without_questions(warehouse)
    assert warehouse.build("--select", "+metric_summaries") == 0, warehouse.log

    overall = """
        from metrics.metric_summaries
        where gold_set = 'p1' and slice_name = 'overall' and metric = '{}'
    """
    hits = {
        (row["system_id"], row["k"]): row
        for row in warehouse.rows("select * " + overall.format("hit"))
    }
    for system_id, by_k in REFERENCE.items():
        for k, reference in by_k.items():
            ours = hits[system_id, k]["mean"]
            noise = math.sqrt((ours * (1 - ours) + reference * (1 - reference)) / N_ANCHORS)
            assert abs(ours - reference) <= Z * noise, (system_id, k, ours)
    for row in warehouse.rows("select * " + overall.format("mrr") + " and k = 30"):
        if row["system_id"] in REFERENCE_MRR:
            reference = REFERENCE_MRR[row["system_id"]]
            assert row["ci_low"] <= reference <= row["ci_high"], (row["system_id"], row["mean"])

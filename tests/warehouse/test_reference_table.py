"""P1 on real sentences reproduces the published reference within its intervals."""

import os
from pathlib import Path

import duckdb
import pytest

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
SENTENCES = SHARED / "finrag" / "sentences.parquet"
# Hit@1, Hit@3, Hit@5 of the static encoder and of random order: 808 anchors, W = 3.
REFERENCE = {
    "dense_filtered": {1: 0.376, 3: 0.579, 5: 0.699},
    "dense_open": {1: 0.111, 3: 0.181, 5: 0.217},
    "random_filtered": {1: 0.051, 3: 0.121, 5: 0.188},
}
REFERENCE_MRR = {
    "dense_filtered": 0.516,
    "dense_open": 0.169,
    "bm25_filtered": 0.539,
    "bm25_open": 0.186,
}


@pytest.mark.skipif(not SENTENCES.is_file(), reason=f"no real sentences at {SENTENCES}")
def test_p1_of_real_sentences_lies_within_the_intervals(make_warehouse, tmp_path):
    path = tmp_path / "whole_filings.parquet"
    duckdb.sql(
        f"copy (from '{SENTENCES}' where origin = 'pipeline_parquet') to '{path}' (format parquet)"
    )
    warehouse = make_warehouse(corpus="sentences", corpus_path=str(path), p1_anchor_count=808)
    assert warehouse.build() == 0, warehouse.log

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
            row = hits[system_id, k]
            assert row["ci_low"] <= reference <= row["ci_high"], (system_id, k, row["mean"])
    for row in warehouse.rows("select * " + overall.format("mrr") + " and k = 30"):
        if row["system_id"] in REFERENCE_MRR:
            reference = REFERENCE_MRR[row["system_id"]]
            assert row["ci_low"] <= reference <= row["ci_high"], (row["system_id"], row["mean"])

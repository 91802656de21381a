"""Metrics asked for by name give what the summaries give."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("dbt_metricflow", reason="dbt-metricflow is not installed")

METRICS = "answer_accuracy,n_answer_accuracy,evidence_recall_at_10,n_evidence_recall_at_10"


@pytest.fixture(scope="module")
def asked(sample, tmp_path_factory):
    """What MetricFlow answers in the folder of a warehouse, where dbt left its manifest."""
    copied = sample.copy(tmp_path_factory.mktemp("semantic") / "warehouse")
    assert copied.dbt("parse") == 0, copied.log
    answer = copied.folder / "answer.csv"
    ran = subprocess.run(
        [
            str(Path(sys.executable).with_name("mf")), "query", "--metrics", METRICS,
            "--group-by", "measurement__system_id,measurement__difficulty",
            "--csv", str(answer),
        ],
        cwd=copied.folder,
        # It looks for newer versions of itself; nothing leaves this machine.
        env={
            **os.environ,
            "FINRAG_DATABASE": copied.database.name,
            "HTTPS_PROXY": "http://127.0.0.1:9",
        },
        check=False,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with answer.open(newline="") as rows:
        return list(csv.DictReader(rows))


@pytest.mark.parametrize(
    ("name", "metric", "k"),
    [("answer_accuracy", "answer_accuracy", 0), ("evidence_recall_at_10", "evidence_recall", 10)],
)
def test_a_metric_asked_for_by_name_is_that_of_the_summaries(sample, asked, name, metric, k):
    summaries = {
        (row["system_id"], row["slice_value"]): (row["mean"], row["n_evaluated"])
        for row in sample.rows(
            "select system_id, slice_value, mean, n_evaluated from metrics.metric_summaries "
            f"where slice_name = 'difficulty' and metric = '{metric}' and k = {k} "
            "and n_evaluated > 0"
        )
    }
    measured = {
        (row["measurement__system_id"], row["measurement__difficulty"]): (
            float(row[name]),
            float(row[f"n_{name}"]),
        )
        for row in asked
        if row["measurement__difficulty"] and float(row[f"n_{name}"] or 0) > 0
    }

    assert len(measured) > 5
    assert measured == {key: pytest.approx(value, abs=1e-9) for key, value in summaries.items()}

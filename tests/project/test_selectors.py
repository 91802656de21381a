"""Selectors of the nightly, monthly and other checks: what they run and what they leave alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
REPORTED = {
    # The record tells which code it was.
    "py_environment_read", "run_manifests",
    "gate_verdicts", "gate_breaches", "recorded_runs", "recorded_gates", "rpt_overview_corpus",
    "rpt_overview_answers", "rpt_overview_candidates", "rpt_run_examples", "rpt_gate_examples",
}  # fmt: skip
MEASURED = REPORTED | {"metric_values", "metric_summaries", "comparisons"}
SEARCHED = {"rankings", "retrieval_outcomes"}
ASKED = SEARCHED | {"answers", "answer_citations", "llm_calls", "query_stages"}
PROMISED = {
    "nightly": MEASURED | ASKED | {"sentences", "gold_p1", "gold_p2", "gold_p3", "items"},
    "monthly": MEASURED | SEARCHED | {"anchors", "gold_p1", "gold_p2", "items", "judgments"},
    "quarterly": MEASURED | ASKED | {"gold_p3", "items", "question_flags", "judgments"},
    "ad_hoc": MEASURED | ASKED | {"registered_systems", "external_predictions"},
    "gates_only": REPORTED | {"gate_thresholds", "gate_waivers", "baseline_metrics"},
}
# What a check must leave alone: work that it does not ask for, or that it would pay for.
LEFT_OUT = {
    "nightly": set(),
    "monthly": {"sentences", "gold_p3"},
    "quarterly": {"sentences", "gold_p1", "gold_p2", "anchors", "embeddings"},
    "ad_hoc": {"sentences", "gold_p1", "gold_p2", "gold_p3", "items"},
    "gates_only": {"metric_values", "metric_summaries", "rankings", "answers", "gold_p3"},
}
# One process, one parse.
LIST = """
import json, sys
from dbt.cli.main import dbtRunner
names, folder = sys.argv[1].split(","), sys.argv[2]
paths = ["--target-path", folder, "--log-path", folder, "--quiet"]
runner = dbtRunner(manifest=dbtRunner().invoke(["parse", *paths]).result)
kinds = ["--resource-type", "model", "--resource-type", "seed", "--output", "name"]
print(json.dumps({
    name: runner.invoke(["--quiet", "ls", "--selector", name, *kinds, *paths[:4]]).result
    for name in names
}))
"""


@pytest.fixture(scope="module")
def selected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("selectors")
    listed = subprocess.run(
        [sys.executable, "-c", LIST, ",".join(PROMISED), str(folder)],
        cwd=ROOT,
        env={**os.environ, "FINRAG_DATABASE": str(folder / "parse.duckdb")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(listed.stdout.splitlines()[-1])


def test_every_selector_is_checked_here():
    selectors = yaml.safe_load((ROOT / "selectors.yml").read_text())["selectors"]
    assert [selector["name"] for selector in selectors] == list(PROMISED)


@pytest.mark.parametrize("name", PROMISED)
def test_a_selector_runs_what_it_promises(selected, name):
    assert PROMISED[name] - set(selected[name]) == set()


@pytest.mark.parametrize("name", PROMISED)
def test_a_selector_leaves_the_rest_alone(selected, name):
    assert LEFT_OUT[name] & set(selected[name]) == set()

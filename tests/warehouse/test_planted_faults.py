"""Every planted fault turns the right gate red; without a fault none is."""

import dataclasses

import duckdb
import pytest

from finrag.command.settings import all_variables
from finrag.warehouse.models import ModelsInMemory
from tests.warehouse.faults import EXPECTED
from tests.warehouse.warehouses import ROOT

# Systems that no fault is looked for in.
IDLE = ("hybrid", "hybrid_rerank", "naive_rag", "agent", "agent_first_look")
# Questions of a company and category, of so many that the whole sample has.
LEANER = 4


def breached(warehouse):
    """Gates that are broken and would stop a release if the system were under test."""
    rows = warehouse.rows(
        "select gate_breaches.gate_id "
        "from gates.gate_breaches inner join gates.gate_limits using (gate_id) "
        "where gate_limits.severity = 'error'"
    )
    return {row["gate_id"] for row in rows}


@pytest.fixture(scope="session")
def lean(share, sample):
    """The sample with fewer questions and systems: what the gates on planted faults need."""

    def make(folder):
        warehouse = sample.copy(folder)
        with duckdb.connect(str(warehouse.database)) as connection:
            connection.execute(
                f"update seeds.systems set is_enabled = false where system_id in {IDLE}"
            )
            connection.execute(
                "update seeds.p3_category_mix set "
                f"max_per_company = greatest(1, max_per_company // {LEANER})"
            )
        changed = ("py_systems_read+,+gate_breaches", "p3_category_mix+,+gate_breaches")
        assert warehouse.build("--select", *changed) == 0, warehouse.log

    return dataclasses.replace(sample, folder=share("lean", make))


@pytest.fixture(scope="session")
def faulty(share, lean):
    """Gives the lean warehouse with a fault, each built once for all processes."""

    def faulty(expected):
        def make(folder):
            warehouse = lean.copy(folder)
            models = f"{expected.first_model}+,+gate_breaches"
            status = warehouse.build("--select", models, fault=expected.fault)
            assert status == 0, warehouse.log

        folder = share(f"faulty_{expected.fault}", make)
        return dataclasses.replace(lean, folder=folder)

    return faulty


@pytest.fixture
def constant_scores(faulty):
    return faulty(next(one for one in EXPECTED if one.fault == "constant_scores"))


def test_a_sound_build_passes_every_test_and_breaches_no_gate(sample):
    statuses = set(sample.statuses().values())
    assert statuses <= {"success", "pass", "warn"}
    assert breached(sample) == set()


def test_without_a_fault_the_gates_hold_in_the_lean_warehouse(lean):
    assert breached(lean) == set()
    rows = lean.rows("select gate_id from gates.gate_verdicts where verdict = 'pass'")
    passed = {row["gate_id"] for row in rows}
    assert {gate for expected in EXPECTED for gate in expected.gates} <= passed


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected.fault)
def test_a_planted_fault_turns_the_right_gate_red(expected, faulty):
    warehouse = faulty(expected)

    assert set(expected.gates) <= breached(warehouse)
    trusted = warehouse.rows(
        "select distinct is_trusted from gates.gate_verdicts where phase = 'P2'"
    )
    assert trusted == [{"is_trusted": not expected.breaks_index}]
    level = warehouse.value("select max(severity_level) from gates.gate_breaches")
    assert level == (2 if expected.breaks_index else 0)


def test_a_red_gate_and_nothing_else_fails_the_build(constant_scores, tmp_path):
    warehouse = constant_scores.copy(tmp_path / "faulty")

    # Of what was built with the fault, and of nothing that is left from the sound build.
    built = ("--select", "anchors+,+gate_breaches", "--indirect-selection", "buildable")
    status = warehouse.dbt("test", *built, "--exclude", "test_type:unit")

    assert status == 1
    failed = {name for name, state in warehouse.statuses().items() if state in ("fail", "error")}
    assert failed == {"no_gate_is_breached"}


def test_constant_scores_never_look_good(constant_scores):
    worst, expected = constant_scores.rows(
        """
        select max(mean_worst) as worst, max(mean_expected) as expected
        from metrics.metric_summaries
        where metric = 'mrr' and slice_name = 'overall' and system_id = 'dense_open'
          -- The fault is planted where anchors are ranked.
          and gold_set in ('p1', 'p2')
        """
    )[0].values()
    assert worst == 0
    assert expected < 0.05


# One text in a hundred stays: as few as published runs of agents had indexed.
ONE_IN_A_HUNDRED = "row_number() over (order by {key}) % 100 = 0"


@pytest.mark.parametrize(
    ("table", "query"),
    [
        ("embeddings", "select * replace (case when {kept} then vector end as vector)"),
        ("sentences", "select * replace (case when {kept} then sentence_text else 'It was.' end"
         " as sentence_text)"),
        ("passages", "select * replace ({kept} as is_rankable)"),
    ],
)  # fmt: skip
def test_chunks_that_no_search_can_find_are_not_in_the_index(sample, table, query):
    key = {"embeddings": "text_hash", "sentences": "sentence_id", "passages": "passage_id"}[table]
    schema = "retrieval" if table == "embeddings" else "sentences"
    kept = ONE_IN_A_HUNDRED.format(key=key)
    with duckdb.connect(str(sample.database), read_only=True) as connection:
        rows = connection.sql(f"{query.format(kept=kept)} from {schema}.{table}").to_arrow_table()
    models = ModelsInMemory(
        ROOT,
        all_variables("{}"),
        {table: rows},
        {},
        warehouse=sample.database,
        anew=("int_chunks_measured",),
    )

    (row,) = [
        row
        for row in models.table("int_chunks_measured").to_pylist()
        if row["system_id"] == "agent"
    ]
    gate = "select value from gates.gate_verdicts where gate_id = 'chunks_in_index'"
    assert sample.value(gate) == 1
    assert 0 < row["n_true"] < row["n_asked"] / 2

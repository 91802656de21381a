"""How many kinds of planted fault the metrics notice, and on how many of the planted answers."""

from dataclasses import dataclass

import pytest
from scipy.stats import binomtest

from tests.warehouse.mutants import (
    KINDS,
    REPEATED,
    Kind,
    declare,
    mutant,
    oracle,
    quote_kept,
    read_corpus,
)

# One fault in a hundred tables may look like chance.
ALPHA = 0.01
REQUIRED_SHARE = 0.95


@pytest.fixture(scope="module")
def scored(sample, tmp_path_factory):
    """The sample warehouse with the oracle and a mutant a kind as systems of a user."""
    folder = tmp_path_factory.mktemp("mutants")
    warehouse = sample.copy(folder / "warehouse")
    corpus = read_corpus(warehouse)
    files = {"oracle": [quote_kept(oracle(row, corpus), corpus) for row in corpus.questions]}
    reached = {}
    for kind in (*KINDS, REPEATED):
        files[kind.name], reached[kind.name] = mutant(kind, corpus)
    path = declare(folder, files, lambda name: f"The oracle with the fault {name}")
    status = warehouse.dbt(
        "run",
        "--select",
        "py_systems_read+,+metric_values",
        "external_rejections",
        systems_paths=[str(path)],
    )
    assert status == 0, warehouse.log
    return warehouse, reached


@dataclass(frozen=True)
class Found:
    """What a metric made of the planted answers of a kind, against the oracle's."""

    kind: Kind
    n_planted: int
    n_worse: int
    n_better: int
    n_unmeasured: int

    @property
    def p_value(self):
        n = self.n_worse + self.n_better
        return binomtest(self.n_worse, n, alternative="greater").pvalue if n else 1.0

    @property
    def worse_share(self):
        return self.n_worse / self.n_planted if self.n_planted else 0.0


def found(warehouse, kind, items):
    """Values as they are: one that the fault left unmeasured is no fault noticed."""
    rows = warehouse.rows(
        f"""
        select o.item_id, o.value as before, m.value as after, m.value_status, c.direction
        from metrics.metric_values as o
        inner join metrics.metric_values as m using (item_id, metric, k, unit, mode)
        inner join seeds.metric_catalogue as c using (metric, k, unit, mode)
        where o.system_id = 'oracle' and m.system_id = '{kind.name}'
          and metric = '{kind.metric}' and k = {kind.k} and o.value is not null
        """
    )
    sign = {"max": 1, "min": -1}
    planted = [row for row in rows if row["item_id"] in items]
    changes = [
        -1 if row["after"] is None else sign[row["direction"]] * (row["after"] - row["before"])
        for row in planted
        if row["after"] is not None or row["value_status"] == kind.status
    ]
    return Found(
        kind,
        n_planted=len(items),
        n_worse=sum(change < 0 for change in changes),
        n_better=sum(change > 0 for change in changes),
        n_unmeasured=len(items) - len(changes),
    )


def print_table(table):
    heads = f"{'planted':>8}{'worse':>7}{'better':>7}{'null':>6}{'share':>7}{'least':>7}{'p':>9}"
    print(f"\n{'fault':28}{'metric':26}{heads}")
    for row in table:
        print(
            f"{row.kind.name:28}{row.kind.metric:26}{row.n_planted:8}{row.n_worse:7}"
            f"{row.n_better:7}{row.n_unmeasured:6}{row.worse_share:7.2f}"
            f"{row.kind.least_share:7.2f}{row.p_value:9.4f}  {row.kind.reason}"
        )


def test_the_oracle_is_nearly_without_fault(scored):
    warehouse, _ = scored
    means = {
        (row["metric"], row["k"]): row["mean"]
        for row in warehouse.rows(
            """
            select metric, k, avg(value) as mean from metrics.metric_values
            where system_id = 'oracle' group by all
            """
        )
    }
    for metric in ("answer_accuracy", "numeric_exact", "boolean_accuracy", "list_match"):
        assert means[metric, 0] >= 0.99, metric
    for metric in ("citation_correctness", "cites_right_filing", "citation_recall"):
        assert means[metric, 0] >= 0.97, metric
    assert means["evidence_recall", 10] >= 0.99
    assert means["mrr", 30] == 1


@pytest.fixture(scope="module")
def table(scored):
    warehouse, reached = scored
    rows = [found(warehouse, kind, set(reached[kind.name])) for kind in KINDS]
    print_table(rows)
    return rows


def test_the_metrics_notice_planted_faults(table):
    missed = [row.kind.name for row in table if row.p_value >= ALPHA]
    n_noticed = len(table) - len(missed)
    print(f"noticed {n_noticed} of {len(table)} kinds; missed: {', '.join(missed) or 'none'}")
    assert len(table) >= 20
    assert n_noticed >= REQUIRED_SHARE * len(table), missed


def test_a_metric_is_worse_on_most_answers_that_carry_the_fault(table):
    weak = {
        row.kind.name: round(row.worse_share, 3)
        for row in table
        if row.worse_share < row.kind.least_share
    }
    assert not weak


def test_constant_scores_never_look_perfect(scored):
    warehouse, reached = scored
    items = ", ".join(f"'{item}'" for item in reached["constant_scores"])
    best = warehouse.value(
        f"""
        select avg(value) from metrics.metric_values
        where system_id = 'constant_scores' and metric = 'mrr' and k = 30
          and item_id in ({items})
        """
    )
    assert best < 0.8


def test_a_chunk_listed_twice_gains_nothing_and_is_reported(scored):
    warehouse, reached = scored
    n_rejected = warehouse.value(
        """
        select count(*) from retrieval.external_rejections
        where system_id = 'chunk_repeated' and reason_code = 'repeated_sentence'
        """
    )
    assert n_rejected == len(reached["chunk_repeated"]) > 0
    n_changed = warehouse.value(
        """
        select count(*) from metrics.metric_values as o
        inner join metrics.metric_values as m using (item_id, metric, k, unit, mode)
        where o.system_id = 'oracle' and m.system_id = 'chunk_repeated'
          and o.value is distinct from m.value and metric in ('hit', 'mrr', 'ndcg', 'recall')
        """
    )
    assert n_changed == 0

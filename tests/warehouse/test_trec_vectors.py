"""Figures that trec_eval gives on small rankings, through the models from ranks to values.

Where scores tie, the ranks are those of trec_eval: by document id, descending.
"""

import duckdb
import pytest

from tests.warehouse.test_trec_parity import RANKED, insert, insert_judgments

SCORING = ("metrics,+int_retrieval_values", "metric_values")
# Judged grades; ranking with scores; what is measured.
VECTORS = {
    "a tie is broken and an unjudged document leads": (
        {"d1": 3, "d2": 1, "d9": 2},
        {"d3": 1.0, "d2": 1.0, "d1": 1.0, "d9": 0.5},
        {
            ("hit", 1): 0,
            ("mrr", 30): 0.5,
            ("precision", 5): 0.6,
            ("recall", 5): 1,
            ("ndcg", 3): 0.4475,
            ("ndcg", 30): 0.6284,
            ("map", 0): 0.6389,
        },
    ),
    "a grade of zero is no gain": (
        {"a": 1, "b": 0},
        {"b": 0.5, "a": 0.5},
        {("mrr", 30): 0.5, ("ndcg", 3): 0.6309},
    ),
    "a negative grade costs a rank and nothing else": (
        {"a": -1, "b": 1},
        {"a": 0.9, "b": 0.5},
        {("mrr", 30): 0.5, ("ndcg", 5): 0.6309},
    ),
    "the ideal runs over what was not found": (
        {"d1": 1, "x": 3, "y": 2},
        {"d1": 1.0},
        {("ndcg", 5): 0.21},
    ),
    # trec_eval: 0, and part of its mean. Here such an item has no gold and no value.
    "nothing relevant is judged": (
        {"a": 0, "b": -1},
        {"a": 0.9, "b": 0.5},
        {("mrr", 30): None, ("ndcg", 5): None, ("map", 0): None},
    ),
}


@pytest.fixture(scope="module")
def values(sample, tmp_path_factory):
    """Values of the vectors by name, metric and cut-off."""
    warehouse = sample.copy(tmp_path_factory.mktemp("vectors") / "warehouse")
    items = warehouse.rows(
        f"select item_id from gold.anchors where gold_set = 'p1' order by 1 limit {len(VECTORS)}"
    )
    named = {row["item_id"]: name for row, name in zip(items, VECTORS, strict=True)}
    judgments, rankings = [], []
    for item, name in named.items():
        grades, scores, _ = VECTORS[name]
        judgments += [("p1", item, text, grade, 0.5, text) for text, grade in grades.items()]
        ties = list(scores.values())
        rankings += [
            ("dense_open", "p1", item, "sentence", rank, text, score, ties.count(score))
            for rank, (text, score) in enumerate(scores.items(), start=1)
        ]
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("delete from gold.judgments")
        connection.execute("delete from retrieval.rankings")
        connection.execute("update retrieval.retrieval_outcomes set outcome = 'ranked'")
        connection.execute(
            "insert into seeds.metric_catalogue "
            "select * replace (3 as k) from seeds.metric_catalogue where metric = 'ndcg' and k = 5"
        )
        insert_judgments(connection, judgments)
        insert(connection, "retrieval.rankings", RANKED, rankings)
    assert warehouse.build("--select", *SCORING) == 0, warehouse.log
    rows = warehouse.rows(
        "select item_id, metric, k, value from metrics.metric_values "
        "where system_id = 'dense_open' and gold_set = 'p1'"
    )
    return {
        (named[row["item_id"]], row["metric"], row["k"]): row["value"]
        for row in rows
        if row["item_id"] in named
    }


@pytest.mark.parametrize("name", VECTORS)
def test_a_ranking_has_the_figures_of_trec_eval(values, name):
    for (metric, k), expected in VECTORS[name][2].items():
        value = values[name, metric, k]
        if expected is None:
            assert value is None
        else:
            assert value == pytest.approx(expected, abs=5e-5), (metric, k)

"""The metrics equal trec_eval's (through pytrec_eval) to 1e-9."""

import random

import duckdb
import pytest
import pytrec_eval

TOLERANCE = 1e-9
MEASURES = {
    "hit": ("success", (1, 3, 5, 10)),
    "ndcg": ("ndcg_cut", (5, 10, 30)),
    "precision": ("P", (5, 10)),
    "recall": ("recall", (5, 10, 30)),
}


def oracle(judgments, run):
    """Every metric of the catalogue, by item; runs come as ranked lists, best first."""
    # trec_eval sorts by score; a score that falls with the rank keeps our order.
    scored = {
        item: {sentence: float(-rank) for rank, sentence in enumerate(ranked)}
        for item, ranked in run.items()
    }
    names = {f"{name}.{','.join(map(str, cuts))}" for name, cuts in MEASURES.values()}
    found = pytrec_eval.RelevanceEvaluator(judgments, names | {"map"}).evaluate(scored)
    values = {}
    for item, measures in found.items():
        for metric, (name, cuts) in MEASURES.items():
            for k in cuts:
                values[item, metric, k] = measures[f"{name}_{k}"]
        values[item, "map", 0] = measures["map"]
    for k in (5, 20, 30):
        head = {
            item: dict(sorted(scores.items(), key=lambda pair: -pair[1])[:k])
            for item, scores in scored.items()
        }
        by_item = pytrec_eval.RelevanceEvaluator(judgments, {"recip_rank"}).evaluate(head)
        for item, measures in by_item.items():
            values[item, "mrr", k] = measures["recip_rank"]
    return values


def assert_equal_to_oracle(warehouse):
    judgments, runs = {}, {}
    for row in warehouse.rows("select item_id, sentence_id, grade from gold.gold_judgments"):
        judgments.setdefault(row["item_id"], {})[row["sentence_id"]] = row["grade"]
    for row in warehouse.rows(
        """
        select rankings.system_id, rankings.item_id, rankings.sentence_id
        from retrieval.rankings
        inner join gold.anchors using (item_id)
        where rankings.sentence_id <> anchors.sentence_id
        order by rankings.system_id, rankings.item_id, rankings.rank
        """
    ):
        runs.setdefault(row["system_id"], {}).setdefault(row["item_id"], []).append(
            row["sentence_id"]
        )
    compared = 0
    for system_id, run in runs.items():
        expected = oracle(judgments, run)
        ours = warehouse.rows(
            f"""
            select item_id, metric, k, value
            from metrics.metric_values
            where system_id = '{system_id}' and metric not like 'self%'
              and value_status = 'evaluated'
            """
        )
        for row in ours:
            key = (row["item_id"], row["metric"], row["k"])
            if row["item_id"] in run:
                assert row["value"] == pytest.approx(expected[key], abs=TOLERANCE), (
                    system_id,
                    key,
                )
            else:
                assert row["value"] == 0, (system_id, key)
            compared += 1
    return compared


def test_metrics_of_the_sample_runs_equal_trec_eval(sample):
    assert assert_equal_to_oracle(sample) > 50_000


def test_metrics_of_random_runs_equal_trec_eval(sample, tmp_path):
    warehouse = sample.copy(tmp_path / "random")
    rng = random.Random(42)
    items = [
        row["item_id"] for row in warehouse.rows("select item_id from gold.anchors order by 1")
    ]
    sentences = [
        row["sentence_id"]
        for row in warehouse.rows(
            "select sentence_id from sentences.sentences order by 1 limit 500"
        )
    ]
    judgments, rankings = [], []
    for item in items:
        pool = rng.sample(sentences, 60)
        # Some judged sentences are never retrieved; some items have no relevant one.
        judged = rng.sample(pool, rng.randint(1, 15)) + rng.sample(sentences[:40], 3)
        judgments += [
            (item.split(":")[0], item, sentence, rng.choice([-1, 0, 0, 1, 1, 2, 3]), 1, sentence)
            for sentence in dict.fromkeys(judged)
        ]
        scores = sorted(
            ((round(rng.random(), 1), sentence) for sentence in pool[: rng.randint(0, 50)]),
            key=lambda pair: (-pair[0], pair[1]),
        )
        ties = [score for score, _ in scores]
        rankings += [
            ("dense_open", item.split(":")[0], item, rank, sentence, score, ties.count(score))
            for rank, (score, sentence) in enumerate(scores, start=1)
        ]
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("delete from gold.gold_judgments")
        connection.execute("delete from retrieval.rankings")
        connection.execute("update retrieval.retrieval_outcomes set outcome = 'ranked'")
        connection.executemany(
            "insert into gold.gold_judgments values (?, ?, ?, ?, ?, ?)", judgments
        )
        connection.executemany(
            "insert into retrieval.rankings values (?, ?, ?, ?, ?, ?, ?)", rankings
        )

    assert warehouse.build("--select", "metrics") == 0, warehouse.log

    assert assert_equal_to_oracle(warehouse) > 5_000
    ordered = warehouse.value(
        """
        select count(*) from metrics.metric_values
        where value_worst > value_expected + 1e-9 or value_expected > value_best + 1e-9
        """
    )
    assert ordered == 0

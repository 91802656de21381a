"""The metrics equal trec_eval's (through pytrec_eval) to 1e-9, and evidence is counted right."""

import itertools
import random

import duckdb
import pyarrow as pa
import pytest
import pytrec_eval

TOLERANCE = 1e-9
MEASURES = {
    "hit": ("success", (1, 3, 5, 10)),
    "ndcg": ("ndcg_cut", (5, 10, 30)),
    "precision": ("P", (5, 10)),
    "recall": ("recall", (5, 10, 30)),
}


JUDGED = (
    *("gold_set", "item_id", "passage_id", "grade", "distance", "evidence_id"),
    *("unit", "evidence_kind", "mapping", "is_topic"),
)
RANKED = ("system_id", "gold_set", "item_id", "unit", "rank", "passage_id", "score", "n_tied")


def insert_judgments(connection, rows):
    judged = [(*row, "sentence", "text", "mapped", False) for row in rows]
    insert(connection, "gold.judgments", JUDGED, judged)


def insert(connection, table, names, rows):
    columns = pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
    connection.register("given", columns)
    connection.execute(f"insert into {table} by name select * from given")


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


def over_evidence(ranked, held):
    """A ranking by evidence: a passage bears the name of the best that it is first to hold.

    Passages whose evidence was all found before leave the ranking.
    """
    found, kept = set(), []
    for passage in ranked:
        new = dict(held.get(passage, {}))
        for evidence in found:
            new.pop(evidence, None)
        if new:
            kept.append(max(new, key=lambda evidence: (new[evidence], evidence)))
            found |= new.keys()
        elif passage not in held:
            kept.append(f"passage {passage}")
    return kept


def assert_equal_to_oracle(warehouse):
    judgments, holders, runs = {}, {}, {}
    for row in warehouse.rows("select * from gold.judgments where unit = 'sentence'"):
        of_item = judgments.setdefault(row["item_id"], {})
        if row["grade"] > 0:
            evidence = row["evidence_id"]
            of_item[evidence] = max(row["grade"], of_item.get(evidence, 0))
            held = holders.setdefault(row["item_id"], {}).setdefault(row["passage_id"], {})
            held[evidence] = row["grade"]
    for row in warehouse.rows(
        """
        select rankings.system_id, rankings.item_id, rankings.passage_id
        from retrieval.rankings
        left join gold.anchors using (item_id)
        where
            rankings.unit = 'sentence'
            and rankings.passage_id is distinct from anchors.sentence_id
        order by rankings.system_id, rankings.item_id, rankings.rank
        """
    ):
        runs.setdefault(row["system_id"], {}).setdefault(row["item_id"], []).append(
            row["passage_id"]
        )
    compared = 0
    for system_id, run in runs.items():
        by_evidence = {
            item: over_evidence(ranked, holders.get(item, {})) for item, ranked in run.items()
        }
        expected = oracle(judgments, by_evidence)
        ours = warehouse.rows(
            f"""
            select item_id, metric, k, value
            from metrics.metric_values
            where system_id = '{system_id}' and value_status = 'evaluated'
              and metric in ('hit', 'mrr', 'ndcg', 'precision', 'recall', 'map')
              and gold_set in ('p1', 'p2', 'p3')
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


def evidence_within(groups, stands_for, k):
    """Pieces of evidence within k, over every way in which the tie that k cuts may fall."""
    found, places = set(), k
    for group in groups:
        if len(group) > places:
            ways = itertools.combinations(group, places)
            counts = [len(found.union(*(stands_for.get(name, ()) for name in way))) for way in ways]
            return min(counts), sum(counts) / len(counts), max(counts)
        found = found.union(*(stands_for.get(name, ()) for name in group))
        places -= len(group)
    return len(found), len(found), len(found)


def assert_evidence_is_counted(warehouse):
    evidence, groups = {}, {}
    for row in warehouse.rows("select * from gold.judgments where gold_set = 'p3'"):
        if row["grade"] > 0:
            stands_for = evidence.setdefault(row["item_id"], {})
            stands_for.setdefault(row["passage_id"], set()).add(row["evidence_id"])
    for row in warehouse.rows(
        """
        select system_id, item_id, list(passage_id order by rank) as tied, max(n_tied) as n_tied
        from retrieval.rankings
        where gold_set = 'p3'
        group by system_id, item_id, score
        order by system_id, item_id, min(rank)
        """
    ):
        # Of a tie that goes on behind the stored depth the rest is not evidence.
        tied = row["tied"] + [f"unlisted {n}" for n in range(row["n_tied"] - len(row["tied"]))]
        groups.setdefault((row["system_id"], row["item_id"]), []).append((row["tied"], tied))
    compared = 0
    for row in warehouse.rows(
        """
        select * from metrics.metric_values
        where metric like 'evidence%' and value_status = 'evaluated' and gold_set = 'p3'
            and metric not in (
                select metric from seeds.metric_catalogue where measured_by = 'steps'
            )
        """
    ):
        stands_for, k = evidence[row["item_id"]], row["k"]
        n_evidence = len(set().union(*stands_for.values()))
        ranked = groups.get((row["system_id"], row["item_id"]), [])
        if any(len(tied) > 12 for _, tied in ranked):
            continue
        head = [name for listed, _ in ranked for name in listed][:k]
        n_found = len(set().union(*(stands_for.get(name, ()) for name in head)))
        worst, expected, best = evidence_within([tied for _, tied in ranked], stands_for, k)
        if row["metric"] == "evidence_recall":
            right = [n_found / n_evidence, worst / n_evidence, best / n_evidence]
            assert row["value_expected"] == pytest.approx(expected / n_evidence, abs=TOLERANCE)
        else:
            right = [float(count == n_evidence) for count in (n_found, worst, best)]
        ours = [row["value"], row["value_worst"], row["value_best"]]
        # The bounds are exact where pieces of evidence share all their passages or none.
        if any(len(held) > 1 for held in stands_for.values()):
            ours, right = ours[:1], right[:1]
        assert ours == pytest.approx(right, abs=TOLERANCE), row
        compared += 1
    return compared


def test_metrics_of_the_sample_runs_equal_trec_eval(sample):
    assert assert_equal_to_oracle(sample) > 50_000


def test_evidence_of_the_sample_runs_is_counted(sample):
    assert assert_evidence_is_counted(sample) > 10_000


def test_metrics_of_random_runs_equal_trec_eval(sample, tmp_path):
    warehouse = sample.copy(tmp_path / "random")
    rng = random.Random(42)
    items = [
        row["item_id"]
        for row in warehouse.rows(
            "select item_id from gold.items where corpus_id = 'filings' order by 1"
        )
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
        # Sentences that stand for one of three others are alternatives to each other; some
        # hold evidence of their own beside it.
        gold_set = item.split(":")[0]
        grades = {sentence: rng.choice([-1, 0, 0, 1, 1, 2, 3]) for sentence in judged}
        for sentence in grades:
            stands_for = {rng.choice(judged[:3])} if gold_set == "p3" else {sentence}
            if gold_set == "p3" and rng.random() < 0.3:
                stands_for.add(sentence)
            judgments += [
                (gold_set, item, sentence, grades[evidence], 1, evidence)
                for evidence in sorted(stands_for)
            ]
        scores = sorted(
            ((round(rng.random(), 1), sentence) for sentence in pool[: rng.randint(0, 50)]),
            key=lambda pair: (-pair[0], pair[1]),
        )
        ties = [score for score, _ in scores]
        rankings += [
            ("dense_open", gold_set, item, "sentence", rank, sentence, score, ties.count(score))
            for rank, (score, sentence) in enumerate(scores, start=1)
        ]
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("delete from gold.judgments")
        connection.execute("delete from retrieval.rankings")
        connection.execute("update retrieval.retrieval_outcomes set outcome = 'ranked'")
        insert_judgments(connection, judgments)
        insert(connection, "retrieval.rankings", RANKED, rankings)

    assert warehouse.build("--select", "metrics,+metric_values") == 0, warehouse.log

    assert assert_equal_to_oracle(warehouse) > 5_000
    assert assert_evidence_is_counted(warehouse) > 1_000
    ordered = warehouse.value(
        """
        select count(*) from metrics.metric_values
        where value_worst > value_expected + 1e-9 or value_expected > value_best + 1e-9
        """
    )
    assert ordered == 0

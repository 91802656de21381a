"""The metrics equal trec_eval's (through pytrec_eval) to 1e-9, and evidence is counted right."""

import pytest

from tests.unit.trec import evidence_within, oracle, over_evidence

TOLERANCE = 1e-9


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

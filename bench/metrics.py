"""The metrics room over a warehouse of the sample corpus, beside pytrec_eval."""

from __future__ import annotations

from typing import Any

from bench.process import Bench, Row, Run, alternate, clock

# What a value per system, item and metric takes; the rest of the room is intervals and profiles.
VALUE_MODELS = (
    "int_items_graded",
    "int_rankings_graded",
    "int_relevant_ranks",
    "int_cutoffs_scored",
    "int_evidence_ranks",
    "int_evidence_found",
    "int_precisions_summed",
    "int_ideals_scored",
    "int_self_matches",
    "int_ties_expected",
    "metric_values",
)
MEASURES = {
    "success.1,3,5,10",
    "recip_rank",
    "ndcg_cut.5,10,30",
    "P.5,10",
    "recall.5,10,30",
    "map",
}
NAMES = {"hit": "success", "ndcg": "ndcg_cut", "precision": "P", "recall": "recall"}


def measure(bench: Bench) -> list[Row]:
    n_anchors = bench.size(full=1_000, quick=200)
    variables = {
        "encoder": "wordllama",
        "p1_anchor_count": n_anchors,
        "p2_anchor_count": n_anchors,
    }
    bench.dbt(
        *("metrics", "build", "--exclude", "gates", "reports"),
        *("--exclude-resource-type", "test", "unit_test"),
        variables=variables,
    )
    room, peer = alternate(
        bench.size(full=2, quick=1),
        # One model at a time, so that the seconds of the models add up to the room's.
        lambda _: bench.dbt(
            *("metrics", "run", "--select", "metrics", "--threads", "1"), variables=variables
        ),
        lambda _: bench.child(evaluate_plainly, warehouse=str(bench.warehouse("metrics"))),
    )
    values = [
        Run(sum(run.report["models"][name] for name in VALUE_MODELS), None, run.peak_mib)
        for run in room
    ]
    models, told = room[-1].report["models"], peer[-1].report
    notes = (
        f"{told['n_values']:,} values; against pytrec_eval over {told['n_compared']:,} of them: "
        f"greatest difference of a mean {told['mean_difference']:.1e}, of a value "
        f"{told['value_difference']:.1e}",
        "the SQL also gives each value under three more orders of ties, and Self@1, which the "
        "peer does not; the peer's clock includes the dictionaries that it needs, "
        f"{told['dictionary_seconds']:.1f} s; peak memory is that of dbt and of the peer",
    )
    whole = (
        f"dbt from start to end; its models take {sum(models.values()):.1f} s, of which the "
        f"bootstrap {models['py_intervals_bootstrapped']:.1f} s",
    )
    n_pairs = told["n_pairs"]
    return [
        Row("metrics, values", n_pairs, "rankings", values, "pytrec_eval", peer, notes),
        Row("metrics, whole room", n_pairs, "rankings", room, notes=whole),
    ]


def evaluate_plainly(folder: str, warehouse: str) -> dict[str, Any]:
    import duckdb

    del folder
    with duckdb.connect(warehouse, read_only=True) as connection:
        rankings = connection.execute(
            """
            select system_id, item_id, passage_id as sentence_id, rank
            from metrics.int_rankings_graded
            where unit = 'sentence'
            """
        ).to_arrow_table()
        judgments = connection.execute(
            """
            select item_id, passage_id as sentence_id, grade
            from gold.judgments
            where unit = 'sentence'
            """
        ).to_arrow_table()
        values = connection.execute(
            """
            select system_id, item_id, metric, k, value
            from metrics.metric_values
            where value_status = 'evaluated' and not starts_with(metric, 'evidence')
            """
        ).fetchall()
    with clock() as lap:
        with clock() as building:
            runs, qrels = _dictionaries(rankings, judgments)
        evaluated = _evaluate(runs, qrels)
    return {
        "n_pairs": len({(system, item) for system, item, *_ in values}),
        "n_values": len(values),
        **_agreement(values, evaluated),
        "dictionary_seconds": building.seconds,
        **vars(lap),
    }


def _dictionaries(rankings: Any, judgments: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    runs: dict[str, dict[str, dict[str, float]]] = {}
    columns = (rankings[name].to_pylist() for name in rankings.column_names)
    for system, item, sentence, rank in zip(*columns, strict=True):
        # Reciprocal ranks, because trec_eval sorts again, and breaks ties in its own way.
        runs.setdefault(system, {}).setdefault(item, {})[sentence] = 1.0 / rank
    qrels: dict[str, dict[str, int]] = {}
    columns = (judgments[name].to_pylist() for name in judgments.column_names)
    for item, sentence, grade in zip(*columns, strict=True):
        qrels.setdefault(item, {})[sentence] = grade
    return runs, qrels


def _evaluate(runs: dict[str, Any], qrels: dict[str, Any]) -> dict[str, dict[str, Any]]:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES)
    return {system: evaluator.evaluate(run) for system, run in runs.items()}


def _agreement(values: list[Any], evaluated: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Greatest difference over single values, and over their means per system, metric and k."""
    value_difference, n_compared = 0.0, 0
    sums: dict[tuple[str, str, int], list[float]] = {}
    for system, item, metric, k, value in values:
        if metric.startswith("self_at_1"):
            continue
        # Nothing ranked: trec_eval leaves the item out, which counts as zero here.
        theirs = _their_value(evaluated.get(system, {}).get(item, {}), metric, k)
        value_difference = max(value_difference, abs(value - theirs))
        n_compared += 1
        cell = sums.setdefault((system, metric, k), [0.0, 0.0, 0.0])
        for place, amount in enumerate((value, theirs, 1.0)):
            cell[place] += amount
    return {
        "n_compared": n_compared,
        "value_difference": value_difference,
        "mean_difference": max(abs(a - b) / count for a, b, count in sums.values()),
    }


def _their_value(measures: dict[str, float], metric: str, k: int) -> float:
    if metric == "map":
        return measures.get("map", 0.0)
    if metric == "mrr":
        reciprocal = measures.get("recip_rank", 0.0)
        return reciprocal if reciprocal * k >= 1 - 1e-9 else 0.0
    return measures.get(f"{NAMES[metric]}_{k}", 0.0)

"""The metrics room over a warehouse of the sample corpus, beside pytrec_eval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.models import Models
from bench.process import Bench, Row, Run, alternate, clock

# What a value per system, item and metric of a ranking takes; the rest of the room is scores,
# answers, intervals and profiles.
VALUE_MODELS = frozenset(
    {
        "int_items_graded",
        "int_qrels_named",
        "int_passages_located",
        "py_rankings_scored",
        "int_retrieval_values",
    }
)
MEASURES = {
    "success.1,3,5,10",
    "recip_rank",
    "ndcg_cut.5,10,30",
    "P.5,10",
    "recall.5,10,30",
    "map",
}
# What the peer calls the metrics that both give.
NAMES = {
    "hit": "success",
    "map": "map",
    "mrr": "recip_rank",
    "ndcg": "ndcg_cut",
    "precision": "P",
    "recall": "recall",
}


def measure(bench: Bench) -> list[Row]:
    n_anchors = bench.size(full=1_000, quick=200)
    variables = {
        "encoder": "wordllama",
        "p1_anchor_count": n_anchors,
        "p2_anchor_count": n_anchors,
    }
    whole = bench.dbt(
        *("metrics", "build", "--select", "+metrics"),
        *("--exclude-resource-type", "test", "unit_test"),
        variables=variables,
    )
    made = str(bench.warehouse("metrics"))
    given = {"target": str(bench.folder / "target-metrics"), "threads": bench.threads}
    ours, peer = alternate(
        bench.size(full=3, quick=1),
        lambda _: bench.child(evaluate_here, made=made, **given),
        lambda _: bench.child(evaluate_plainly, warehouse=made),
    )
    mine, told = ours[-1].report, peer[-1].report
    steps = sorted(mine["steps"].items(), key=lambda step: -step[1])
    longest = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in steps[:5])
    notes = (
        f"{told['n_rows']:,} ranked rows, {told['n_compared']:,} values that both give: greatest "
        f"difference of a mean {told['mean_difference']:.1e}, of a value "
        f"{told['value_difference']:.1e}",
        "the models as dbt compiled them, without dbt, from and to tables in memory; they also "
        "give each value under three more orders of ties, Self@1 and the recall of evidence, "
        f"which the peer does not: {mine['n_values']:,} values; the peer's clock includes the "
        f"dictionaries that it needs, {told['dictionary_seconds']:.1f} s",
        f"processor time {sum(mine['steps'].values()):.1f} s; longest models: {longest}",
    )
    room = {
        name: seconds
        for name, seconds in whole.report["models"].items()
        if name in _room(bench.folder / "target-metrics")
    }
    seconds = Run(sum(room.values()), None, whole.peak_mib)
    room_note = (
        "the models of the room in a build of it and of all before it, as dbt counts their "
        f"seconds; of these the summaries {room['py_values_summarised']:.1f} s"
    )
    n_pairs = told["n_pairs"]
    return [
        Row("metrics, values", n_pairs, "rankings", ours, "pytrec_eval", peer, notes),
        Row("metrics, whole room", n_pairs, "rankings", [seconds], notes=(room_note,)),
    ]


def _room(target: Path) -> set[str]:
    manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    return {node["name"] for node in manifest["nodes"].values() if node["fqn"][1] == "metrics"}


def evaluate_here(folder: str, target: str, made: str, threads: int) -> dict[str, Any]:
    import duckdb

    del folder
    with duckdb.connect() as connection:
        connection.execute(f"set threads = {threads}")
        models = Models(connection, target, lambda node: node["name"] in VALUE_MODELS)
        models.copy_inputs(made)
        with clock() as lap:
            steps = models.run()
        name = models.names["int_retrieval_values"]
        query = f"select count(*) from {name} where value_status = 'evaluated'"
        n_values = connection.execute(query).fetchall()[0][0]
    return {"n_values": n_values, "steps": steps, **vars(lap)}


def evaluate_plainly(folder: str, warehouse: str) -> dict[str, Any]:
    import duckdb

    del folder
    with duckdb.connect(warehouse, read_only=True) as connection:
        # Passages of every kind, each list for itself: a list is a ranking of its own.
        rankings = connection.sql(
            """
            select
                rankings.system_id || ' ' || unit as system_id,
                rankings.item_id || ' ' || unit as item_id,
                passage_id,
                rank
            from retrieval.rankings
            left join gold.anchors using (item_id)
            where passage_id is distinct from anchors.sentence_id
            """
        ).to_arrow_table()
        judgments = connection.sql(
            """
            select item_id || ' ' || unit as item_id, passage_id, grade
            from gold.judgments
            where mapping = 'mapped' and evidence_kind = 'text'
            """
        ).to_arrow_table()
        # Of an anchor each passage is evidence for itself, as for the peer.
        values = connection.execute(
            f"""
            select
                system_id || ' ' || unit as system_id,
                item_id || ' ' || unit as item_id,
                metric, k, value
            from metrics.metric_values
            where
                value_status = 'evaluated' and gold_set in ('p1', 'p2')
                and metric in {tuple(NAMES)}
            """
        ).fetchall()
    with clock() as lap:
        with clock() as building:
            runs, qrels = _dictionaries(rankings, judgments)
        evaluated = _evaluate(runs, qrels)
    return {
        "n_rows": len(rankings),
        "n_pairs": len(rankings.group_by(["system_id", "item_id"]).aggregate([])),
        **_agreement(values, evaluated),
        "dictionary_seconds": building.seconds,
        **vars(lap),
    }


def _dictionaries(rankings: Any, judgments: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    runs: dict[str, dict[str, dict[str, float]]] = {}
    columns = (rankings[name].to_pylist() for name in rankings.column_names)
    for system, item, passage, rank in zip(*columns, strict=True):
        # Reciprocal ranks, because trec_eval sorts again, and breaks ties in its own way.
        runs.setdefault(system, {}).setdefault(item, {})[passage] = 1.0 / rank
    qrels: dict[str, dict[str, int]] = {}
    columns = (judgments[name].to_pylist() for name in judgments.column_names)
    for item, passage, grade in zip(*columns, strict=True):
        qrels.setdefault(item, {})[passage] = grade
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

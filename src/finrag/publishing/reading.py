"""What reports read of the records of builds."""

from __future__ import annotations

from typing import Final

from finrag.warehouse import Row, Warehouse


def last_records(warehouse: Warehouse, with_gates: bool = False) -> tuple[Row | None, Row | None]:
    """The record of the build in the warehouse and the one before it, as far as there are any.

    The one before is the latest earlier record of the same kind of corpus and encoder. Whether
    its figures can be compared with those of this build, ``why_not_comparable`` says.

    Args:
        warehouse: the warehouse.
        with_gates: whether the one before must have recorded verdicts of gates.
    """
    if not warehouse.has("metrics.recorded_runs", "record_id", "recorded_at", "run_id"):
        return None, None
    records = warehouse.rows(
        """
        select recorded_runs.*
        from metrics.recorded_runs
        inner join retrieval.runs
            on recorded_runs.corpus = runs.corpus and recorded_runs.encoder = runs.encoder
        order by recorded_runs.recorded_at desc, recorded_runs.record_id desc
        """
    )
    run_id = warehouse.rows("select run_id from retrieval.runs")[0]["run_id"]
    is_recorded = bool(records) and records[0]["run_id"] == run_id
    earlier = records[1:] if is_recorded else records
    if with_gates:
        recorded = _records_with_gates(warehouse)
        earlier = [record for record in earlier if record["record_id"] in recorded]
    return records[0] if is_recorded else None, earlier[0] if earlier else None


def _records_with_gates(warehouse: Warehouse) -> set[str]:
    if not warehouse.has("gates.recorded_gates"):
        return set()
    rows = warehouse.rows("select distinct record_id from gates.recorded_gates")
    return {row["record_id"] for row in rows}


def questions_by_category(warehouse: Warehouse) -> list[Row]:
    """Questions on the filings by category: all, those of suites, variants, left out of gates.

    A category without questions is there: that it is empty is what a reader must know.
    """
    return warehouse.rows(
        """
        with excluded as (
            select items.question_id
            from metrics.int_items_excluded
            inner join gold.items on int_items_excluded.item_id = items.item_id
            where items.corpus_id = 'filings'
        )
        select
            coalesce(asked.category, categories.category, 'none') as category,
            count(asked.question_id) as n_questions,
            count(*) filter (asked.created_by like 'paraphrase:%') as n_variants,
            count(asked.question_id)
            - count(*) filter (asked.created_by similar to '(template|paraphrase):.*')
                as n_from_suites,
            count(excluded.question_id) as n_excluded
        from gold.gold_p3 as asked
        full join (from seeds.p3_category_mix where category <> 'all') as categories
            on asked.category = categories.category
        left join excluded on asked.question_id = excluded.question_id
        group by 1
        order by 1
        """
    )


def inputs_changed(before: Row | None, now: Row) -> list[str]:
    """What an earlier record was measured on and this run is not, as words for a reader.

    Args:
        before: a row of ``recorded_runs``; a hash that it lacks counts as another.
        now: the same hashes of this run, as a row of ``run_manifests`` has them.
    """
    return [_INPUTS[name] for name in _INPUTS if before is not None and _differs(name, before, now)]


def why_not_comparable(gold_set: str, before: Row, now: Row) -> str | None:
    """What keeps figures of a gold set from being compared with an earlier record; None: nothing.

    Figures of questions compare over the same questions and gold, those of anchors over the same
    corpus and anchors, as in ``metric_drifts``. A recorded run does not say which files of a
    public set it read, so figures of public sets are not compared.
    """
    if gold_set not in _MUST_BE_THE_SAME:
        return "perhaps other files of the set"
    for name in _MUST_BE_THE_SAME[gold_set]:
        if _differs(name, before, now):
            return _INPUTS[name]
    return None


_INPUTS: Final = {
    "corpus_hash": "another corpus",
    "anchors_hash": "other anchors or windows",
    "questions_hash": "another suite of questions",
    "gold_hash": "other gold",
}
# What is measured of the corpus itself stands beside the gold sets.
_MUST_BE_THE_SAME: Final = {
    "corpus": ("corpus_hash",),
    "p1": ("corpus_hash", "anchors_hash"),
    "p1_cells": ("corpus_hash", "anchors_hash"),
    "p2": ("corpus_hash", "anchors_hash"),
    "p3": ("questions_hash", "gold_hash"),
}


def _differs(name: str, before: Row, now: Row) -> bool:
    return before.get(name) is None or before[name] != now[name]

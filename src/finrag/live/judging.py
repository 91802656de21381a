"""Judges a live answer to a gold question as the build judges its own: right, wrong, undecided.

The function that scores the answers of a build scores this one; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.live.gold import Gold
from finrag.live.records import Value, Verdict
from finrag.metrics.score import Known, Scores, score_traced
from finrag.scoring.claims import CLAIM_SCHEMA
from finrag.scoring.text_pairs import score_by_rules
from finrag.warehouse import Row
from finrag.warehouse.models import SqlModels

# Figures of other years name the fault of a wrong answer; they do not decide that it is wrong.
_NO_MENTIONS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("kpi_label", "unit", "subject_scope")),
        *((name, pa.int64()) for name in ("cik_int", "period_year", "prior_period_year")),
        *((name, pa.float64()) for name in ("value", "prior_value")),
        ("is_quarterly", pa.bool_()),
    ]
).empty_table()
_NO_NULLS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("null_kind", "item_id", "answer_text", "unit")),
        *(("answer_form", pa.string()), ("numeric_value", pa.float64())),
    ]
).empty_table()


def judge(
    gold: Gold,
    models: SqlModels,
    answer: Row,
    citations: Sequence[Row],
    claims: pa.Table,
    cited: tuple[pa.Table, pa.Table],
    tables: Mapping[str, pa.Table],
    settings: Mapping[str, Any],
) -> Verdict:
    """The verdict on one answer.

    Args:
        gold: of the questions on the filings.
        models: the SQL models.
        answer: fields of the door ``answers``; ``system_id``, ``gold_set``, ``item_id`` and
            ``outcome`` at least.
        citations: rows of the door ``answer_citations``, as far as they are known.
        claims: rows under ``CLAIM_SCHEMA``.
        cited: what is cited, as rows of ``passages`` and of ``documents``.
        tables: ``registered_systems``, ``companies``, ``parsed_questions`` (of the question) and
            ``sentences``, of which those that are judged are read.
        settings: the dbt vars.
    """
    passages, documents = cited
    item_id = answer["item_id"]
    asked, judgments = _of(gold.answers, item_id), _of(gold.judgments, item_id)
    given = {
        **tables,
        "items": _of(gold.items, item_id),
        "item_answers": asked,
        "judgments": judgments,
        "answers": gold.answer_rows([answer]),
        "answer_citations": gold.citation_rows(citations),
        "int_null_answers": _NO_NULLS,
        "kpi_mentions": _NO_MENTIONS,
        "passages": passages,
        "documents": documents,
        "sentences": _judged(tables["sentences"], judgments),
    }
    pairs = models.run("int_answer_pairs", **given)
    known = Known(
        answers=pairs,
        questions=asked.append_column("is_of_filings", pa.array([True] * asked.num_rows)),
        metrics=gold.metrics,
        deciding=gold.deciding,
        systems=tables["registered_systems"],
        evidence=_of(gold.references, item_id),
        cited=models.run("int_references_cited", **given),
        judged=models.run("int_sentences_judged", **given),
        companies=tables["companies"],
        texts=score_by_rules(pairs.filter(pc.is_valid(pairs["pair_id"]))),
    )
    scored = score_traced(known, claims.cast(CLAIM_SCHEMA), settings)
    return _verdict(Scores(scored.read_all()), gold.metrics)


def _verdict(scores: Scores, metrics: pa.Table) -> Verdict:
    (row,) = scores.verdicts.to_pylist()
    labels = {
        (one["metric"], one["k"], one["unit"], one["mode"]): one for one in metrics.to_pylist()
    }

    def named(one: Row) -> Row:
        found: Row = labels.get((one["metric"], one["k"], one["unit"], one["mode"]), {})
        return found

    measured = sorted(
        (one for one in scores.values.to_pylist() if one["value"] is not None),
        key=lambda one: (one["metric"] != row["metric"], one["metric"], one["mode"]),
    )
    return Verdict(
        is_right=row["is_right"],
        metric=str(named(row).get("label") or row["metric"] or ""),
        values=tuple(
            Value(str(named(one).get("label") or one["metric"]), one["value"],
                  str(named(one).get("value_unit") or ""))
            for one in measured
        ),
    )  # fmt: skip


def _of(table: pa.Table, item_id: str) -> pa.Table:
    return table.filter(pc.equal(table["item_id"], item_id))


def _judged(sentences: pa.Table, judgments: pa.Table) -> pa.Table:
    ids = pa.array(judgments["passage_id"].to_pylist(), pa.string())
    return sentences.filter(pc.is_in(sentences["sentence_id"], value_set=ids))

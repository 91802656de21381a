"""Judges a live answer to a gold question as the build judges its own: right, wrong, undecided.

The models of the project that decide it are run over the one answer; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.live.gold import Gold
from finrag.live.records import Value, Verdict
from finrag.live.sql_models import SqlModels
from finrag.scoring.citations import match_citations
from finrag.scoring.claims import CLAIM_SCHEMA
from finrag.scoring.figures import judge_numbers
from finrag.scoring.text_pairs import score_by_rules
from finrag.warehouse import Row

_SCORES: Final = "system_id, item_id, benchmark, question_id, metric, mode"
# What other systems, people and evaluators of public sets add has no part in a live answer.
_NOTHING: Final[Mapping[str, str]] = {
    "int_null_answers": "null_kind, item_id, answer_text, unit, answer_form, from_item_id",
    "int_answers_marked": "system_id, gold_set, item_id, reviewer, mark",
    "py_public_answers_scored": _SCORES,
    "py_public_gold_checked": _SCORES,
}
_NUMBERS: Final[Mapping[str, str]] = {
    "int_null_answers": "numeric_value",
    "py_public_answers_scored": "value",
}
# Figures of other years name the fault of a wrong answer; they do not decide that it is wrong.
_NO_MENTIONS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("kpi_label", "unit", "subject_scope")),
        *((name, pa.int64()) for name in ("cik_int", "period_year", "prior_period_year")),
        *((name, pa.float64()) for name in ("value", "prior_value")),
        ("is_quarterly", pa.bool_()),
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
    """
    passages, documents = cited
    item_id = answer["item_id"]
    own = {
        "items": _of(gold.items, item_id),
        "item_answers": _of(gold.answers, item_id),
        "judgments": _of(gold.judgments, item_id),
        "int_references_named": _of(gold.references, item_id),
    }
    given = {
        **own,
        **tables,
        **_nothing(),
        "answers": gold.answer_rows([answer]),
        "answer_citations": gold.citation_rows(citations),
        "answer_claims": claims.cast(CLAIM_SCHEMA),
        "metric_catalogue": gold.metrics,
        "deciding_metrics": gold.deciding,
        "kpi_mentions": _NO_MENTIONS,
        "passages": passages,
        "documents": documents,
        "sentences": _judged(tables["sentences"], own["judgments"]),
    }
    given["int_answer_pairs"] = pairs = models.run("int_answer_pairs", **given)
    figures = pairs.filter(pairs["asks_for_figure"])
    given["py_numbers_compared"] = judge_numbers(figures.to_batches()).read_all()
    worded = pairs.filter(pc.is_valid(pairs["pair_id"]))
    given["py_text_pairs_scored"] = score_by_rules(worded)
    given["int_references_cited"] = models.run("int_references_cited", **given)
    given["py_citations_matched"] = match_citations(
        given["int_references_cited"], given["int_references_named"]
    )
    for name in (
        *("int_answer_spans_held", "int_citations_scored", "int_values_expected"),
        *("int_answer_values", "int_answers_decided", "answer_verdicts"),
    ):
        given[name] = models.run(name, **given)
    return _verdict(given["answer_verdicts"], given["int_answer_values"], gold.metrics)


def _verdict(verdicts: pa.Table, values: pa.Table, metrics: pa.Table) -> Verdict:
    (row,) = verdicts.to_pylist()
    labels = {
        (one["metric"], one["k"], one["unit"], one["mode"]): one for one in metrics.to_pylist()
    }

    def named(one: Row) -> Row:
        found: Row = labels.get((one["metric"], one["k"], one["unit"], one["mode"]), {})
        return found

    measured = sorted(
        (one for one in values.to_pylist() if one["value"] is not None),
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


def _nothing() -> dict[str, pa.Table]:
    return {
        name: pa.schema(
            [
                *((column, pa.string()) for column in columns.split(", ")),
                *((column, pa.float64()) for column in _NUMBERS.get(name, "").split() if column),
            ]
        ).empty_table()
        for name, columns in _NOTHING.items()
    }

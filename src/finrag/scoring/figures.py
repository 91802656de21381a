"""Verdicts on the figures of many answers, of every gold set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import nullable, required
from finrag.scoring.numbers import (
    RELATIVE_TOLERANCE,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
)
from finrag.scoring.strict.figures import judge_figure

VERDICT_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "system_id", "gold_set", "item_id"),
        pa.field("verdict", pa.string()),
        pa.field("gold_value", pa.float64(), nullable=False),
        pa.field("gold_unit", pa.string()),
        *nullable(pa.float64(), "tolerance", "answer_value"),
        pa.field("answer_unit", pa.string()),
        *nullable(pa.float64(), "answer_low", "answer_high"),
        *required(pa.string(), "read_from", "reason"),
    ]
)


def judge_numbers(
    rows: Iterable[pa.RecordBatch], settings: Mapping[str, Any] | None = None
) -> pa.RecordBatchReader:
    """Judge the figures of many answers.

    Args:
        rows: ``system_id``, ``gold_set``, ``item_id``, ``outcome``, ``answer_text``,
            ``numeric_value``, ``unit``, ``question_text``, ``gold_text``, ``gold_numeric``,
            ``gold_unit``, ``tolerance`` and ``other_period_values`` (a list of doubles, may be
            null). Where ``gold_numeric`` is null the gold is read from its words: ``golds`` (a
            list), ``executed_answer`` and ``scale``, and ``tolerance`` is a share of it.
        settings: ``relative_tolerance``.

    Returns:
        A reader with ``VERDICT_SCHEMA``, a row for each given whose gold is one figure, in their
        order; without a verdict where the outcome is not ``answered``.

    Raises:
        ValueError: A gold value is not usable; the message names the item.
    """
    relative = float((settings or {}).get("relative_tolerance", RELATIVE_TOLERANCE))
    return pa.RecordBatchReader.from_batches(VERDICT_SCHEMA, _batches(rows, relative))


def _batches(rows: Iterable[pa.RecordBatch], relative: float) -> Iterator[pa.RecordBatch]:
    for batch in rows:
        judged = [_row(row, relative) for row in batch.to_pylist()]
        found = [one for one in judged if one is not None]
        yield pa.RecordBatch.from_pylist(found, schema=VERDICT_SCHEMA)


def _row(row: Mapping[str, Any], relative: float) -> dict[str, Any] | None:
    read = _in_words if row["gold_numeric"] is None else _typed
    try:
        found = read(row, relative)
    except ValueError as error:
        raise ValueError(f"item {row['item_id']!r}: {error}") from error
    if found is None:
        return None
    checked, expected = found
    is_answered = row["outcome"] == "answered"
    return {
        **{name: row[name] for name in ("system_id", "gold_set", "item_id")},
        "verdict": checked.verdict if is_answered else None,
        "gold_value": expected.value,
        "gold_unit": expected.unit,
        "tolerance": expected.tolerance,
        "answer_value": checked.value if is_answered else None,
        "answer_unit": checked.unit if is_answered else None,
        "answer_low": checked.low if is_answered else None,
        "answer_high": checked.high if is_answered else None,
        "read_from": checked.read_from if is_answered else "none",
        "reason": (
            checked.reason if is_answered else f"There is no answer to judge: {row['outcome']}."
        ),
    }


def _typed(row: Mapping[str, Any], relative: float) -> tuple[NumericVerdict, Expected]:
    """The verdict beside a gold that is a value."""
    others = tuple(one for one in row["other_period_values"] or () if one is not None)
    expected = Expected(
        row["gold_numeric"],
        row["gold_unit"],
        row["tolerance"],
        row["gold_text"],
        row["question_text"],
        others,
    )
    answered = Answered(row["answer_text"], row["numeric_value"], row["unit"])
    return check_number(answered, expected, relative), expected


def _in_words(row: Mapping[str, Any], relative: float) -> tuple[NumericVerdict, Expected] | None:
    """The verdict beside a gold that is given in words; None where that is not one figure."""
    return judge_figure(
        Answered(row["answer_text"], row["numeric_value"], row["unit"]),
        row["golds"] or (),
        row["question_text"] or "",
        row["executed_answer"],
        row["tolerance"],
        row["scale"] or None,
        relative,
    )

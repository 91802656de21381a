"""Judgments and rankings written as files in TREC's formats."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from finrag.records.writing import replacing

QRELS_SCHEMA: Final = pa.schema(
    [("question_id", pa.string()), ("passage_id", pa.string()), ("grade", pa.int32())]
)
RUN_SCHEMA: Final = pa.schema(
    [("question_id", pa.string()), ("passage_id", pa.string()), ("score", pa.float64())]
)

_Row = dict[str, Any]


def write_qrels(judgments: pa.Table, target: Path) -> int:
    """Write judgments as qrels, `question 0 passage grade`, sorted by question and passage.

    Args:
        judgments: columns of `QRELS_SCHEMA`; one row per question and passage.
        target: the file; it is replaced.

    Returns:
        The number of lines.

    Raises:
        ValueError: a column is missing; an id is empty, has white space, which would end the field,
            or is repeated in its question; a grade is null.
    """
    rows = _checked(judgments, QRELS_SCHEMA)
    ordered = sorted(rows, key=lambda row: (row["question_id"], row["passage_id"]))
    lines = (f"{row['question_id']} 0 {row['passage_id']} {row['grade']}\n" for row in ordered)
    return _write(lines, target)


def write_run(ranked: pa.Table, target: Path, tag: str) -> int:
    """Write a ranking as a run, `question Q0 passage rank score tag`.

    Ranks follow trec_eval's policy: by score downwards, and of equal scores by passage id
    downwards. Scores are printed so that they read back as the same number; trec_eval itself
    compares them in single precision.

    Args:
        ranked: columns of `RUN_SCHEMA`; one row per question and passage.
        target: the file; it is replaced.
        tag: name of the system, one word.

    Returns:
        The number of lines.

    Raises:
        ValueError: as for `write_qrels`; a score is null, NaN or infinite; the tag is no word.
    """
    _check_word("tag", tag)
    rows = _checked(ranked, RUN_SCHEMA)
    for row in rows:
        if not math.isfinite(row["score"]):
            raise ValueError(
                f"the score of {row['passage_id']} for {row['question_id']} is {row['score']}; "
                "write finite scores only"
            )
    return _write(_run_lines(rows, tag), target)


def _checked(table: pa.Table, schema: pa.Schema) -> list[_Row]:
    missing = [name for name in schema.names if name not in table.column_names]
    if missing:
        raise ValueError(f"the table has no {', '.join(missing)}; give {', '.join(schema.names)}")
    rows: list[_Row] = table.select(schema.names).cast(schema).to_pylist()
    seen: set[tuple[str, str]] = set()
    for row in rows:
        pair = (row["question_id"], row["passage_id"])
        for name in ("question_id", "passage_id"):
            _check_word(name, row[name])
        if row[schema.names[2]] is None:
            raise ValueError(f"the {schema.names[2]} of {pair[1]} for {pair[0]} is null; give one")
        if pair in seen:
            raise ValueError(f"{pair[1]} occurs twice for {pair[0]}; keep one row")
        seen.add(pair)
    return rows


def _check_word(name: str, value: str | None) -> None:
    if value is None or value.split() != [value]:
        raise ValueError(
            f"{name} is {value!r}: a field of TREC files is one word without white space; "
            "replace white space in ids, such as by an underscore, in qrels and runs alike"
        )


def _run_lines(rows: list[_Row], tag: str) -> Iterator[str]:
    # Two stable sorts: text cannot be negated to sort it downwards within a question.
    downwards = sorted(rows, key=lambda row: (row["score"], row["passage_id"]), reverse=True)
    question, rank = None, 0
    for row in sorted(downwards, key=lambda row: str(row["question_id"])):
        rank = rank + 1 if row["question_id"] == question else 1
        question = row["question_id"]
        yield f"{question} Q0 {row['passage_id']} {rank} {row['score']!r} {tag}\n"


def _write(lines: Iterator[str], target: Path) -> int:
    text = list(lines)
    with replacing(target) as hidden:
        hidden.write_text("".join(text), "utf-8")
    return len(text)

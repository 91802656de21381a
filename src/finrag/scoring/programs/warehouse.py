"""Gold programs as rows: what each operand is and where it stands, and whether the gold holds.

`trace_programs` gives a row per operand, `audit_programs` a row per question. Programs of sets that
are not in `DIALECTS` are left out: DocFinQA's are Python, which is never run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from finrag.records.columns import nullable, required
from finrag.scoring.official import finqa, multihiertt
from finrag.scoring.programs.evidence import PageNumbers, TracedOperand, trace_operands
from finrag.scoring.programs.execution import (
    CONVFINQA,
    FINQA,
    MULTIHIERTT,
    Dialect,
    Execution,
    Table,
    Value,
    execute,
)
from finrag.scoring.strict.programs import EXACT, ROUNDED, VERDICTS, compare_result
from finrag.sources.benchmarks.records import Passage

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {"finqa": FINQA, "convfinqa": CONVFINQA, "multihiertt": MULTIHIERTT}
)
TRACE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "question_id"),
        *required(pa.int32(), "step_pos", "operand_pos"),
        *required(pa.string(), "op", "written"),
        ("value", pa.float64()),
        pa.field("origin", pa.string(), nullable=False),
        ("match", pa.string()),
        pa.field("passage_ids", pa.list_(pa.string()), nullable=False),
        ("step_result", pa.string()),
        pa.field("program_valid", pa.bool_(), nullable=False),
        ("program_result", pa.string()),
    ]
)
AUDIT_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "question_id", "program"),
        pa.field("program_valid", pa.bool_(), nullable=False),
        *nullable(pa.string(), "official_result", "executed_answer"),
        pa.field("agrees", pa.bool_(), nullable=False),
        *nullable(pa.string(), "reason", "fault", "answer", "answer_verdict", "answer_reason"),
        *required(pa.int32(), "operand_count", "nowhere_count"),
    ]
)
REASONS: Final = (
    "invalid_program",
    "no_gold_result",
    "yes_no",
    "rounding",
    "percent",
    "sign",
    "sign_dropped",
    "other",
)

_Row = dict[str, Any]
_Key = tuple[str, str | None]
_PAGE_COLUMNS: Final = (
    "benchmark",
    "passage_id",
    "document_id",
    "space",
    "position",
    "text",
    "parent_id",
    "table",
    "row",
    "column",
)
_QUESTION_COLUMNS: Final = (
    "benchmark",
    "question_id",
    "document_id",
    "program",
    "executed_answer",
    "answers",
)


def trace_programs(questions: pa.Table, passages: pa.Table) -> pa.Table:
    """Run the gold programs and find where their operands stand.

    Args:
        questions: benchmark, question_id, document_id, program, executed_answer, answers; rows
            without a program, and of sets without a dialect, are left out.
        passages: benchmark and the fields of `Passage` up to column, of the spaces text, row and
            cell; others are ignored.

    Returns:
        One row per operand that was read, under `TRACE_SCHEMA`, in the order of the questions;
        none for a program that fails at its first step. `passage_ids` are the cells and texts
        that hold the operand, or the row that a table operation reads. Results are JSON text,
        null where they are no finite number.

    Raises:
        ValueError: if a column is missing, naming it.
    """
    rows = _in_order(
        (place, [_trace_row(question, execution, operand) for operand in operands])
        for place, question, execution, operands in _runs(questions, passages)
    )
    return pa.Table.from_pylist(rows, schema=TRACE_SCHEMA)


def audit_programs(questions: pa.Table, passages: pa.Table) -> pa.Table:
    """Compare what the gold programs come to with the gold results and answers.

    Args:
        questions: as for `trace_programs`.
        passages: as for `trace_programs`.

    Returns:
        One row per question with a program, under `AUDIT_SCHEMA`. `agrees`: the program is valid
        and its result equals `executed_answer` as the official evaluator compares, or, in a set
        without that field, the answer as a number. `reason` is one of `REASONS` where they do
        not agree, `sign_dropped` where only the evaluator's disregard of signs stands between
        them; `fault` says why a program is invalid. `answer_verdict` relates the result to
        the printed answer, see `finrag.scoring.strict.programs.compare_result`; of several
        answers the closest counts.

    Raises:
        ValueError: if a column is missing, naming it.
    """
    rows = _in_order(
        (place, [_audit_row(question, execution, operands)])
        for place, question, execution, operands in _runs(questions, passages)
    )
    return pa.Table.from_pylist(rows, schema=AUDIT_SCHEMA)


def _in_order(placed: Iterable[tuple[int, list[_Row]]]) -> list[_Row]:
    """Rows of the questions in the questions' own order."""
    return [row for _, rows in sorted(placed, key=itemgetter(0)) for row in rows]


def _runs(
    questions: pa.Table, passages: pa.Table
) -> Iterator[tuple[int, _Row, Execution, list[TracedOperand]]]:
    """The place of each question, the question and its run, document by document.

    The numbers of a page take far more memory than its text, so one page is held at a time.
    """
    asked = _with_programs(_columns(questions, _QUESTION_COLUMNS, "questions"))
    places: dict[_Key, list[int]] = {}
    for place, question in enumerate(asked):
        key = (question["benchmark"], question["document_id"])
        places.setdefault(key, []).append(place)
    for key, page in _pages(_columns(passages, _PAGE_COLUMNS, "passages"), places):
        table, numbers = rebuild_table(page), PageNumbers(page)
        for place in places[key]:
            execution = _execute(asked[place], table)
            yield place, asked[place], execution, trace_operands(execution.steps, numbers)


def _columns(table: pa.Table, names: Sequence[str], what: str) -> pa.Table:
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise ValueError(f"{what} lack the columns {missing}: select them")
    return table.select(list(names))


def _with_programs(questions: pa.Table) -> list[_Row]:
    known = pc.is_in(questions["benchmark"], value_set=pa.array(list(DIALECTS)))
    return [row for row in questions.filter(known).to_pylist() if row["program"]]


def _pages(passages: pa.Table, asked: Collection[_Key]) -> Iterator[tuple[_Key, list[Passage]]]:
    """Texts, rows and cells of each document that programs are asked of; none is left out."""
    documents = pa.array({document for _, document in asked} - {None}, pa.string())
    wanted = pc.and_(
        pc.is_in(passages["document_id"], value_set=documents),
        pc.is_in(passages["space"], value_set=pa.array(["text", "row", "cell"])),
    )
    held = passages.filter(wanted).sort_by(_ORDER)
    counted = held.group_by(["benchmark", "document_id"]).aggregate([([], "count_all")])
    found, start = set(), 0
    for document in counted.sort_by(_ORDER[:2]).to_pylist():
        key, count = (document["benchmark"], document["document_id"]), document["count_all"]
        if key in asked:
            found.add(key)
            yield key, _page(held.slice(start, count))
        start += count
    yield from ((key, []) for key in asked if key not in found)


def _page(rows: pa.Table) -> list[Passage]:
    return [Passage(**row) for row in rows.drop(["benchmark"]).to_pylist()]


_ORDER: Final = [
    ("benchmark", "ascending"),
    ("document_id", "ascending"),
    ("space", "ascending"),
    ("position", "ascending"),
    ("passage_id", "ascending"),
]


def _execute(question: _Row, table: Table) -> Execution:
    dialect = DIALECTS[question["benchmark"]]
    tokenize = finqa.tokenize_program if dialect.has_table else multihiertt.tokenize_program
    return execute(tokenize(question["program"]), table, dialect)


def rebuild_table(page: Sequence[Passage], table: int = 0) -> list[list[str]]:
    """Rows of cells of a table, from its cells.

    Args:
        page: passages of one document.
        table: 0-based place of the table.

    Returns:
        Rows of equal length; cells that were blank and so became no passage are empty texts. A
        document without the table gives no rows.
    """
    cells = {
        (one.row, one.column): one.text
        for one in page
        if one.space == "cell"
        and one.table == table
        and one.row is not None
        and one.column is not None
    }
    height = max((row for row, _ in cells), default=-1) + 1
    width = max((column for _, column in cells), default=-1) + 1
    return [[cells.get((row, column), "") for column in range(width)] for row in range(height)]


def _trace_row(question: _Row, execution: Execution, operand: TracedOperand) -> _Row:
    return {
        "benchmark": question["benchmark"],
        "question_id": question["question_id"],
        "step_pos": operand.step_pos,
        "operand_pos": operand.operand_pos,
        "op": operand.op,
        "written": operand.operand.written,
        "value": _number(operand.operand.value),
        "origin": operand.origin,
        "match": operand.match,
        "passage_ids": [place.cell_id or place.passage_id for place in operand.places],
        "step_result": _json(operand.step_result),
        "program_valid": execution.is_valid,
        "program_result": _json(execution.value),
    }


def _number(value: Value) -> float | None:
    """A finite number, or null."""
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None


def _json(value: Value) -> str | None:
    if isinstance(value, str):
        return json.dumps(value)
    number = _number(value)
    return None if number is None else json.dumps(number)


def _audit_row(question: _Row, execution: Execution, operands: Sequence[TracedOperand]) -> _Row:
    answers = question["answers"] or []
    verdict, answer = _closest(execution.value, answers)
    gold = _gold(question["executed_answer"], answers)
    reason = _reason(execution, gold)
    if reason and _drops_sign(question, gold):
        reason = "sign_dropped"
    return {
        "benchmark": question["benchmark"],
        "question_id": question["question_id"],
        "program": question["program"],
        "program_valid": execution.is_valid,
        "official_result": _json(execution.value),
        "executed_answer": question["executed_answer"],
        "agrees": reason is None,
        "reason": reason,
        "fault": execution.fault,
        "answer": answer,
        "answer_verdict": verdict,
        "answer_reason": None if verdict in (None, EXACT, ROUNDED) else verdict,
        "operand_count": len(operands),
        "nowhere_count": sum(one.origin == "nowhere" for one in operands),
    }


def _closest(value: Value, answers: Sequence[str]) -> tuple[str | None, str | None]:
    """The most favourable verdict over the answers, and its answer."""
    pairs = [(compare_result(value, answer), answer) for answer in answers]
    verdict, answer = min(pairs, key=lambda pair: VERDICTS.index(pair[0]), default=(None, None))
    return (None if value is None else verdict), answer


def _gold(executed: str | None, answers: Sequence[str]) -> float | str | None:
    """The gold result: as the set states it, else the only answer as a number; null without."""
    if executed is not None:
        try:
            return gold_result(executed)
        except ValueError:
            return None
    if len(answers) != 1:
        return None
    try:
        gold = float(answers[0])
    except ValueError:
        return answers[0]
    return gold if math.isfinite(gold) else None


def gold_result(executed: str) -> float | str:
    """The result that a set states for a program.

    Args:
        executed: JSON text: a number, or `yes` or `no`.

    Raises:
        ValueError: if it is anything else: no JSON, no finite number, or one beyond the range of
            floats; correct the gold.
    """
    try:
        gold = json.loads(executed)
        number = gold if isinstance(gold, (str, bool)) else float(gold)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"gold result {executed[:60]!r}: {error}; correct the gold") from error
    if isinstance(number, bool) or (isinstance(number, float) and not math.isfinite(number)):
        raise ValueError(f"gold result {executed[:60]!r} is not a finite number; correct the gold")
    return number


def _reason(execution: Execution, gold: float | str | None) -> str | None:
    """Why a result is not the gold one, null where it is."""
    if not execution.is_valid:
        return "invalid_program"
    if gold is None:
        return "no_gold_result"
    if execution.value == gold:
        return None
    if isinstance(gold, str) or not isinstance(execution.value, (int, float)):
        return "yes_no"
    return _difference(float(execution.value), gold)


def _drops_sign(question: _Row, gold: float | str | None) -> bool:
    """Whether the gold result needs the signs that MultiHiertt's evaluator deletes."""
    if DIALECTS[question["benchmark"]] is not MULTIHIERTT:
        return False
    tokens = multihiertt.tokenize_program(question["program"])
    return gold is not None and execute(tokens, (), FINQA).value == gold


def _difference(value: float, gold: float) -> str:
    if math.isclose(value, gold, rel_tol=1e-3, abs_tol=1e-4):
        return "rounding"
    if any(math.isclose(value * factor, gold, rel_tol=1e-3) for factor in (0.01, 100.0)):
        return "percent"
    return "sign" if math.isclose(-value, gold, rel_tol=1e-3) else "other"

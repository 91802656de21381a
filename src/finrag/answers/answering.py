"""Runs every answering system over its questions and contexts."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from finrag.answers.calibration import Calibration
from finrag.answers.types import SENTENCE, Answer, Passage, Question, TableCell
from finrag.cache.results import ResultCache
from finrag.llm.calls import CALL_TYPE, Call
from finrag.llm.endpoints import model_named

# What took less is not worth a line.
SAID_FROM_S = 1.0

CITATION_TYPE = pa.struct(
    [
        pa.field("sentence_id", pa.string(), nullable=False),
        pa.field("is_in_context", pa.bool_(), nullable=False),
        pa.field("quote", pa.string()),
    ]
)
ANSWER_SCHEMA = pa.schema(
    [
        pa.field("system_id", pa.string(), nullable=False),
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("failure", pa.string()),
        pa.field("answer_text", pa.string()),
        pa.field("answer_form", pa.string()),
        pa.field("numeric_value", pa.float64()),
        pa.field("unit", pa.string()),
        pa.field("support", pa.float64()),
        pa.field("latency_ms", pa.float64()),
        pa.field("question_kind", pa.string()),
        pa.field("threshold", pa.float64()),
        pa.field("n_null", pa.int64()),
        pa.field("null_share_answered", pa.float64()),
        pa.field("citations", pa.list_(CITATION_TYPE), nullable=False),
        pa.field("calls", pa.list_(CALL_TYPE), nullable=False),
    ]
)
BATCH_ROWS = 500
EXTRACTIVE = "extractive"

Contexts = Sequence[Sequence[Passage]]
# An answer, its milliseconds where they are known, and its threshold where there is one.
Measured = tuple[Answer, float | None, Calibration | None]


def answer_questions(
    systems: pa.Table,
    readings: pa.Table,
    expected: pa.Table,
    passages: pa.Table,
    settings: Mapping[str, Any],
) -> pa.RecordBatchReader:
    """Answers of every system that answers, in the order of ``expected``.

    Args:
        systems: registered systems, ordered by ``system_id``.
        readings: rows of ``parsed_questions``.
        expected: ``system_id``, ``item_id`` and, where there are several, ``gold_set`` of the
            questions to answer, in this order; each set has its own thresholds.
        passages: the contexts: ``system_id``, ``item_id`` and the fields of ``Passage``
            (its text as ``sentence_text``), in the order in which a system reads them.
        settings: ``state_dir``, where paid answers are cached.

    Returns:
        A reader under ``ANSWER_SCHEMA``, one row for each row of ``expected`` whose system has an
        answerer of this library; a question without passages has an empty context.
        ``latency_ms`` is the time of that answer alone, without calibration; for a model it is
        the time that its calls took when they were made, also where they are replayed, and null
        where none was sent. Beside the support stands what it was compared with: the kind of the
        question, the threshold, and on how many pairs it was measured (see ``Calibration``);
        these are null for a model.

    Raises:
        ValueError: an answerer that does not exist.
    """
    questions = {row["item_id"]: question_of(row) for row in readings.to_pylist()}
    cache = ResultCache(
        Path(settings["state_dir"]) / "cache" / "answers", ANSWER_SCHEMA, [readings]
    )
    batches = _batches(systems.to_pylist(), questions, expected, passages, cache, settings)
    return pa.RecordBatchReader.from_batches(ANSWER_SCHEMA, batches)


def _batches(
    systems: list[dict[str, Any]],
    questions: Mapping[str, Question],
    expected: pa.Table,
    passages: pa.Table,
    cache: ResultCache,
    settings: Mapping[str, Any],
) -> Iterator[pa.RecordBatch]:
    by_name = {system["system_id"]: system for system in systems}
    for (name, _), items in _items(expected).items():
        system = by_name.get(name, {})
        if system.get("answerer") in (None, "none"):
            continue
        is_own = pc.equal(passages["system_id"], name)
        is_asked = pc.is_in(passages["item_id"], value_set=pa.array(items))
        own = passages.filter(pc.and_(is_own, is_asked))
        asked = [questions[item] for item in items]
        answered = partial(_answered, system, asked, own, settings)
        if system["answerer"] == EXTRACTIVE:
            yield from cache.recall([system, "|".join(items), own], answered)
        else:
            # The calls of a model have a store of their own, which tells replayed from sent.
            yield from answered()


def _answered(
    system: Mapping[str, Any],
    asked: Sequence[Question],
    passages: pa.Table,
    settings: Mapping[str, Any],
) -> Iterator[pa.RecordBatch]:
    contexts = _contexts(passages)
    given = [contexts.get(question.item_id, []) for question in asked]
    asked = [_put_to(question, context) for question, context in zip(asked, given, strict=True)]
    started = time.monotonic()
    measured = _answerer(system, settings)(asked, given)
    rows = (
        _row(system["system_id"], question, *one)
        for question, one in zip(asked, measured, strict=True)
    )
    while block := list(islice(rows, BATCH_ROWS)):
        yield pa.RecordBatch.from_pylist(block, schema=ANSWER_SCHEMA)
    seconds = time.monotonic() - started
    if seconds >= SAID_FROM_S:
        print(
            f"answers {system['system_id']}: {len(asked):,} questions in {seconds:.1f} s",
            file=sys.stderr,
        )


def _put_to(question: Question, context: Sequence[Passage]) -> Question:
    """The question without its companies where no passage is known to be of any.

    A public set hands over the document, or has it searched for: retrieval then says of which
    company a passage is, and nothing else can.
    """
    is_unknown = bool(context) and all(passage.cik_int is None for passage in context)
    return dataclasses.replace(question, cik_ints=()) if is_unknown else question


def _answerer(
    system: Mapping[str, Any], settings: Mapping[str, Any]
) -> Callable[[Sequence[Question], Contexts], Iterator[Measured]]:
    if system["answerer"] == EXTRACTIVE:
        from finrag.answers.extractive import measured_answers

        return lambda questions, contexts: measured_answers(system, questions, contexts)
    if model_named(system["answerer"]):
        from finrag.answers.generated import answer_with_model

        state_dir = str(settings["state_dir"])
        return lambda questions, contexts: (
            (answer, _called_ms(answer.calls), None)
            for answer in answer_with_model(system, questions, contexts, state_dir)
        )
    raise ValueError(
        f"system {system['system_id']}: answerer '{system['answerer']}' does not exist; "
        "use none, extractive or openai:<model>"
    )


def _called_ms(calls: Sequence[Call]) -> float | None:
    """The time that the calls took when they were made; None where none was sent."""
    known = [call.latency_ms for call in calls if call.latency_ms is not None]
    return sum(known) if known else None


def _row(
    system_id: str,
    question: Question,
    answer: Answer,
    latency_ms: float | None,
    limit: Calibration | None,
) -> dict[str, Any]:
    return {
        "system_id": system_id,
        "item_id": question.item_id,
        "outcome": answer.outcome,
        "failure": answer.failure,
        "answer_text": answer.text,
        "answer_form": question.answer_form,
        "numeric_value": answer.numeric_value,
        "unit": answer.unit,
        "support": answer.support,
        "latency_ms": latency_ms,
        "question_kind": limit.kind if limit else None,
        "threshold": limit.threshold if limit else None,
        "n_null": limit.n_null if limit else None,
        "null_share_answered": limit.null_share_answered if limit else None,
        "citations": [dataclasses.asdict(citation) for citation in answer.citations],
        "calls": [dataclasses.asdict(call) for call in answer.calls],
    }


def question_of(row: Mapping[str, Any]) -> Question:
    """A question as it was read, from a row of ``parsed_questions``."""
    return Question(
        item_id=row["item_id"],
        text=row["question_text"],
        cik_ints=tuple(row["cik_ints"] or ()),
        years=tuple(row["years"] or ()),
        kpi_labels=tuple(row["kpi_labels"] or ()),
        risk_topics=tuple(row["risk_topics"] or ()),
        section_names=tuple(row["section_names"] or ()),
        scope=row["scope"],
        answer_form=row["answer_form"],
        is_change=bool(row["is_change"]),
        topic_text=row["topic_text"] or "",
    )


def _items(expected: pa.Table) -> dict[tuple[str, str | None], list[str]]:
    """Items by system and gold set."""
    items: dict[tuple[str, str | None], list[str]] = {}
    for row in expected.to_pylist():
        items.setdefault((row["system_id"], row.get("gold_set")), []).append(row["item_id"])
    return items


def _contexts(passages: pa.Table) -> dict[str, list[Passage]]:
    """Passages of one system by question, in the order in which they are read."""
    contexts: dict[str, list[Passage]] = {}
    for row in passages.to_pylist():
        contexts.setdefault(row["item_id"], []).append(passage_of(row))
    return contexts


def passage_of(row: Mapping[str, Any]) -> Passage:
    """A passage of a context, as an answerer reads it."""
    return Passage(
        sentence_id=row["sentence_id"],
        text=row["sentence_text"],
        company=row["company"] or "",
        cik_int=row["cik_int"],
        report_year=row["report_year"],
        section_name=row["section_name"] or "",
        tag=row["tag"],
        rank=row["rank"],
        score=row["score"],
        unit=row.get("unit") or SENTENCE,
        cells=tuple(TableCell(**cell) for cell in row.get("cells") or ()),
    )

"""Explains an answer in words: how it was found, what it cost, why there is none."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import datetime

import pyarrow as pa

from finrag.answers.answering import passage_of, question_of
from finrag.answers.extractive.asked import read_question
from finrag.live.corpus import SuiteQuestion
from finrag.live.records import Spent
from finrag.warehouse import Row


def spent(calls: Sequence[Row], since: datetime) -> Spent:
    """The sums over rows of ``llm_calls``; a sum with an unknown part is unknown.

    Args:
        calls: at least one.
        since: when the question was asked, in UTC; earlier calls were replayed from the store.
    """
    prices = [row["price_usd"] for row in calls]
    return Spent(
        n_calls=len(calls),
        n_sent=sum(row["called_at"] is not None and row["called_at"] >= since for row in calls),
        input_tokens=_total([row["input_tokens"] for row in calls]),
        output_tokens=_total([row["output_tokens"] for row in calls]),
        price_usd=None if None in prices else float(sum(prices)),
        models=tuple(sorted({row["model"] for row in calls})),
    )


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def question_kind(readings: pa.Table, passages: pa.Table) -> str:
    """The kind of question, which decides the threshold."""
    (row,) = readings.to_pylist()
    context = [passage_of(one) for one in passages.to_pylist()]
    return read_question(question_of(row), context).intent


def how_answered(answer: Row) -> str:
    """How an answer was found, in words."""
    if "why_not" in answer:
        return "said by the agent at the end of its session"
    if answer["threshold"] is None:
        return "read from the context by a model" if answer["calls"] else "read from the context"
    return f"read from the context by rules, as a question of the kind {answer['question_kind']}"


def why_not(answer: Row, n_context: int) -> str:
    """Why there is no answer, in one sentence; "" where there is one."""
    if answer["outcome"] == "failed":
        return answer["failure"] or "It failed without a reason."
    if answer["outcome"] == "answered":
        return ""
    if not n_context:
        return "Nothing was found, so there was no context to answer from."
    if answer.get("withheld") is not None:
        return (
            f"The best answer has support {answer['support']:.2f}, below the threshold of "
            f"{answer['threshold']:.2f} for questions of the kind {answer['question_kind']}."
        )
    if answer["support"] is not None:
        return "No sentence of the context says what is asked about."
    return str(answer.get("why_not", "The model found no answer in the context."))


def items_of(answer: Row) -> tuple[str, ...]:
    """Items of an answer that is a JSON list; none for any other."""
    if answer["answer_form"] != "list" or not answer["answer_text"]:
        return ()
    try:
        items = json.loads(answer["answer_text"])
    except (ValueError, RecursionError):
        return ()
    return tuple(map(str, items)) if isinstance(items, list) else ()


def is_evidence(sentence_id: str, suite: SuiteQuestion | None) -> bool | None:
    """Whether the suite names a sentence as evidence; None where it says nothing."""
    return None if suite is None or not suite.evidence else sentence_id in suite.evidence


def ms_since(started: float) -> float:
    """Milliseconds since a reading of ``perf_counter``."""
    return 1e3 * (time.perf_counter() - started)

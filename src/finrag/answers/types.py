"""The input and the output of an answerer."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from finrag.llm.calls import Call

SENTENCE: Final = "sentence"
# Lines of these are rows: a label and, behind semicolons, "header: value".
ROWED: Final = frozenset({"row", "table"})
OUTCOMES = ("answered", "abstained", "failed")


@dataclass(frozen=True)
class Question:
    """A question and what was read from it; see the door ``parsed_questions``."""

    item_id: str
    text: str
    cik_ints: tuple[int, ...] = ()
    years: tuple[int, ...] = ()
    kpi_labels: tuple[str, ...] = ()
    risk_topics: tuple[str, ...] = ()
    section_names: tuple[str, ...] = ()
    scope: str = "local"
    answer_form: str = "span"
    is_change: bool = False
    topic_text: str = ""


@dataclass(frozen=True)
class TableCell:
    """A figure of a row of a filing's table.

    Attributes:
        cell_id: key of the passage of unit cell, what a citation names.
        text: its text: caption | row path | column path: value unit.
        period_start: first day of the period that print names for it; None for an instant, and
            where print does not say.
        period_end: last day; None where print does not say.
    """

    cell_id: str
    text: str
    period_start: date | None = None
    period_end: date | None = None


@dataclass(frozen=True)
class Passage:
    """One sentence or row of a context, or one passage of a public set.

    A public set does not say of which company, year or section a passage is.

    Attributes:
        sentence_id: key of the passage, what a citation names.
        text: its text, untrusted.
        company: name as an analyst writes it; empty where it is not known.
        cik_int: Central Index Key; None where it is not known.
        report_year: year in which the reported period ends; None where it is not known.
        section_name: ITEM_7 and so on; empty where it is not known.
        tag: the mark in front of the sentence in a prompt.
        rank: place in the ranking, from 1.
        score: score in the ranking.
        unit: sentence, or the kind of passage, which may hold several sentences.
        cells: of a row of a filing's table, its figures from left to right.
    """

    sentence_id: str
    text: str
    company: str
    cik_int: int | None
    report_year: int | None
    section_name: str
    tag: str
    rank: int
    score: float
    unit: str = SENTENCE
    cells: tuple[TableCell, ...] = ()


@dataclass(frozen=True)
class Citation:
    """A sentence that an answer names as its evidence.

    Attributes:
        sentence_id: as the answerer wrote it, untrusted.
        is_in_context: whether the answerer had been given that sentence.
        quote: the words taken from it, where given.
    """

    sentence_id: str
    is_in_context: bool
    quote: str | None = None


@dataclass(frozen=True)
class Answer:
    """One outcome of one question.

    Attributes:
        outcome: one of ``OUTCOMES``.
        text: the answer in words, untrusted where a model wrote it; None unless answered.
        numeric_value: the figure in whole units, where the answer is one.
        unit: USD, percent, USD_per_share, year, count, days; None where there is none.
        support: how well the context carries the answer, 0 to 1; None where unknown.
        citations: evidence in the order of its importance.
        failure: one sentence on what went wrong; only where failed.
        calls: calls to a model, in their order.
    """

    outcome: str
    text: str | None = None
    numeric_value: float | None = None
    unit: str | None = None
    support: float | None = None
    citations: tuple[Citation, ...] = ()
    failure: str | None = None
    calls: tuple[Call, ...] = field(default=())

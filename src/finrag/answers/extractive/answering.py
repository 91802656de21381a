"""From questions and contexts to answers, in order."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from finrag.answers.calibration import DIGITS, Calibration, calibrated
from finrag.answers.extractive import figures, statements
from finrag.answers.extractive.asked import FORMS, Asked, read_question
from finrag.answers.extractive.findings import Findings, Text, find_all, prepare
from finrag.answers.extractive.support import Candidate, Case, Cell, cells_of, open_case
from finrag.answers.extractive.tables import answer_of_tables, is_beside_tables
from finrag.answers.extractive.verdicts import verdict
from finrag.answers.types import Answer, Citation, Passage, Question
from finrag.text.words import parts_of_year

# Questions read together: enough for the parsers to work on whole columns.
QUESTIONS_AT_A_TIME: Final = 256
# An answer over several companies or years needs at least this share of them.
MIN_CELLS_SHARE: Final = 0.6
# A threshold that was given, not measured, is the same for every kind of question.
GIVEN: Final = "any"

_BY_CELL: Final = {
    "level": figures.level,
    "cause": statements.cause,
    "definition": statements.definition,
    "period": statements.period,
    "risk": statements.risk,
    "enumeration": statements.enumeration,
    "statement": statements.statement,
}


def measured_answers(
    system: Mapping[str, Any],
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
) -> Iterator[tuple[Answer, float, Calibration]]:
    """Answer each question from its context, or abstain; measure the time of each.

    Numeric answers are the figure that a sentence binds to the asked measure, company and year,
    or the difference of two; those of rows of filings' tables come first, see ``tables``;
    boolean ones begin with Yes or No and the sentence that says so; lists are a JSON array of
    texts; spans are the clause or sentence that answers. The first citation is the best
    evidence, and every quote stands in its sentence. Passages are text and
    nothing else: no word of theirs changes how they are read.

    Args:
        system: ``abstain_below``: "auto" for thresholds calibrated on these questions and
            contexts, one for each kind of question, or a number from 0 to 1 as text.
        questions: what is asked, and what was read from it.
        contexts: for each question its passages, in any order.

    Yields:
        For each question, in their order, its answer, its milliseconds and its threshold. It is
        answered with at least one citation, or abstained, or failed where ``answer_form`` is none
        of numeric, boolean, list, span. No context, none with the words asked about, or one of
        several companies where the question names none, is an abstention with support 0.
        Milliseconds are those of reading question and context and of finding the answer.
        Questions are read in blocks, whose time is divided evenly; calibration, which belongs
        to no question, and what the caller does between two answers are left out.

    Raises:
        ValueError: ``abstain_below`` is no such number, or there are not as many contexts as
            questions.
    """
    limits = _limits(system, questions, contexts)
    found = _found(questions, contexts)
    for question, limit, (one, latency_ms) in zip(questions, limits, found, strict=True):
        yield _answer(question, one, limit.threshold), latency_ms, limit


def supports(questions: Sequence[Question], contexts: Sequence[Sequence[Passage]]) -> list[float]:
    """The support of the best answer to each question, 0 where there is none."""
    return [
        round(found.support, DIGITS) if found else 0.0 for found, _ in _found(questions, contexts)
    ]


def _limits(
    system: Mapping[str, Any],
    questions: Sequence[Question],
    contexts: Sequence[Sequence[Passage]],
) -> list[Calibration]:
    """Below which support to abstain, for each question."""
    if len(questions) != len(contexts):
        raise ValueError(
            f"{len(questions)} questions have {len(contexts)} contexts; "
            "give each question one context."
        )
    said = str(system.get("abstain_below") or "auto").strip()
    if said == "auto":
        kinds = [
            read_question(question, context).intent
            for question, context in zip(questions, contexts, strict=True)
        ]
        by_kind = {one.kind: one for one in calibrated(questions, contexts, kinds, supports)}
        return [by_kind[kind] for kind in kinds]
    try:
        limit = float(said)
    except ValueError:
        limit = math.nan
    if not 0 <= limit <= 1:
        raise ValueError(
            f"abstain_below of system {system.get('system_id', '')!r} is {said!r}; "
            "give 'auto' or a number from 0 to 1."
        )
    return [Calibration(GIVEN, limit, 0, None)] * len(questions)


def _found(
    questions: Sequence[Question], contexts: Sequence[Sequence[Passage]]
) -> Iterator[tuple[Candidate | None, float]]:
    """The best answer to each question whatever its support, and its milliseconds."""
    for start in range(0, len(questions), QUESTIONS_AT_A_TIME):
        block = slice(start, start + QUESTIONS_AT_A_TIME)
        before = time.perf_counter()
        asked, texts, findings = _read(questions[block], contexts[block])
        shared_ms = (time.perf_counter() - before) * 1000 / len(asked)
        for one, mine, context in zip(asked, texts, contexts[block], strict=True):
            before = time.perf_counter()
            if _is_about_no_company(one.question, context):
                yield None, shared_ms
                continue
            best = answer_of_tables(one, context)
            dated = [text for text in mine if one.parts_of_year <= parts_of_year(text.lower)]
            if any(passage.cells for passage in context):
                dated = [text for text in dated if is_beside_tables(one, text)]
            if best is None and dated:
                best = _best(open_case(one, dated, findings))
            yield best, shared_ms + (time.perf_counter() - before) * 1000


def _is_about_no_company(question: Question, context: Sequence[Passage]) -> bool:
    """Whether nobody is asked about and the passages are of several: any answer would be chance."""
    companies = {passage.cik_int for passage in context} - {None}
    return not question.cik_ints and len(companies) > 1


def _read(
    questions: Sequence[Question], contexts: Sequence[Sequence[Passage]]
) -> tuple[list[Asked], list[list[Text]], Findings]:
    """What a block of questions asks, and what the parsers find in its contexts."""
    known: dict[str, Text] = {}
    asked = [
        read_question(question, context)
        for question, context in zip(questions, contexts, strict=True)
    ]
    # Rows with their cells are read by ``answer_of_tables``.
    texts = [prepare([one for one in context if not one.cells], known) for context in contexts]
    return asked, texts, find_all(asked, texts)


def _best(case: Case) -> Candidate | None:
    question = case.asked.question
    if question.answer_form not in FORMS:
        return None
    cells = cells_of(case.asked)
    if question.answer_form == "boolean":
        return verdict(case, cells)
    if case.asked.intent == "change":
        return figures.change(case, cells)
    answer = _BY_CELL[case.asked.intent]
    found = [(cell, answer(case, cell)) for cell in cells]
    return found[0][1] if len(cells) == 1 else _joined(found)


def _joined(found: Sequence[tuple[Cell, Candidate | None]]) -> Candidate | None:
    """One answer from the cells: support is their mean, a cell without answer counting 0."""
    answered = [(cell, one) for cell, one in found if one is not None]
    if len(answered) < MIN_CELLS_SHARE * len(found) or not answered:
        return None
    ciks = {cell.cik_int for cell, _ in found}
    parts = []
    for cell, one in answered:
        heading = [one.citations[0][0].company] if len(ciks) > 1 else []
        if cell.year is not None and len(found) > len(ciks):
            heading.append(str(cell.year))
        parts.append((" ".join(heading) or one.citations[0][0].company, one.raw or one.text))
    citations: dict[str, tuple[Passage, str]] = {}
    for _, one in answered:
        for passage, quote in one.citations:
            citations.setdefault(passage.sentence_id, (passage, quote))
    items = tuple(f"{heading}: {words}" for heading, words in parts)
    support = sum(one.support for _, one in answered) / len(found)
    return Candidate(support, statements.joined(parts), tuple(citations.values()), items=items)


def _answer(question: Question, found: Candidate | None, limit: float) -> Answer:
    if question.answer_form not in FORMS:
        return Answer(
            "failed",
            failure=f"question {question.item_id} has the answer form "
            f"{question.answer_form!r}; use one of {', '.join(FORMS)}",
        )
    support = round(found.support, DIGITS) if found is not None else 0.0
    if found is None or not found.citations or support <= 0 or support < limit:
        return Answer("abstained", support=support)
    is_list = question.answer_form == "list"
    items = found.items or (found.text,)
    return Answer(
        "answered",
        text=json.dumps(items, ensure_ascii=False) if is_list else found.text,
        numeric_value=found.value,
        unit=found.unit if found.value is not None else None,
        support=support,
        citations=tuple(
            Citation(passage.sentence_id, True, quote) for passage, quote in found.citations
        ),
    )

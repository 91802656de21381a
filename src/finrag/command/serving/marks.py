"""Questions that people read and mark, from the export; marks become rows of a file of reviews."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finrag.command.evaluating.questions import GOLD
from finrag.records.reviews import append_review, read_reviews
from finrag.warehouse import QueryError, Warehouse, read_only

# What a person may say, and the verdict that the warehouse reads.
MARKS: Final = {
    "right": "right",
    "wrong": "wrong",
    "perfect": "perfect",
    "minor extrapolation": "minor extrapolation",
    "hallucination": "hallucination",
    "gold is wrong": "reject",
}
# Who declined can be right or wrong as well.
MARKED: Final = ("answered", "abstained")
QUESTIONS_SHOWN: Final = 50
LONGEST_COMMENT: Final = 2000
LONGEST_NAME: Final = 80
_LIST: Final = """
select page_id, question_text, category_title
from rpt_questions
where gold_set = ? and contains(lower(question_text), lower(?))
order by question_text, page_id
limit ? offset ?
"""
# Of the manual sample: one line for each question, however many systems are due there.
_DUE: Final = """
select
    questions.page_id, questions.question_text,
    string_agg(samples.system_id, ', ' order by samples.system_id) as category_title
from manual_samples as samples
inner join rpt_questions as questions
    on samples.gold_set = questions.gold_set and samples.question_id = questions.question_id
where
    samples.state = 'due'
    and samples.gold_set = ?
    and contains(lower(samples.question_text), lower(?))
group by questions.page_id, questions.question_text
order by min(samples.draw_pos), questions.page_id
limit ? offset ?
"""
_QUESTION: Final = """
select
    questions.page_id, questions.question_id, questions.question_text, questions.gold_text,
    questions.company_name, questions.years, questions.category_title, contents.content_hash
from rpt_questions as questions
left join p3_contents as contents on questions.question_id = contents.question_id
where questions.page_id = ? and questions.gold_set = ?
"""
_ANSWERS: Final = """
select system_id, outcome, answer_text, error, is_null
from rpt_question_answers
where page_id = ?
order by is_null, system_id
"""
_PASSAGES: Final = """
select place, passage_text, is_evidence
from rpt_question_passages
where page_id = ? and has_evidence
order by passage_pos, position
"""


@dataclass(frozen=True)
class Question:
    """A question with all that a person needs to judge its answers.

    Attributes:
        row: text, gold answer, company and so on.
        answers: one for each system, references and candidates first.
        passages: the evidence with the sentences around it.
        marks: what was said about it before.
    """

    row: Mapping[str, Any]
    answers: list[dict[str, Any]]
    passages: list[dict[str, Any]]
    marks: list[dict[str, str]]

    def shown(self, system: str) -> str:
        """The hash of what a mark is about, the gold where no system is named.

        Empty for a system that neither answered nor declined: there is nothing to mark.
        """
        if not system:
            return str(self.row["content_hash"] or "none")
        for row in self.answers:
            if row["system_id"] == system and row["outcome"] in MARKED:
                return answer_hash(row["answer_text"])
        return ""


def list_questions(export: Path, words: str, page: int, due: bool = False) -> list[dict[str, Any]]:
    """Questions that have some words in them, one page of them.

    With ``due`` only those of the manual sample that nobody has marked, in the order of the draw.

    Raises:
        ValueError: there is no export.
    """
    shown = [GOLD, words, QUESTIONS_SHOWN, page * QUESTIONS_SHOWN]
    return _rows(export, _DUE if due else _LIST, shown)


def read_question(export: Path, reviews: Path, page_id: str) -> Question | None:
    """One question; None where there is no such page.

    Raises:
        ValueError: there is no export, or the file of reviews cannot be read.
    """
    found = _rows(export, _QUESTION, [page_id, GOLD])
    if not found:
        return None
    marks = [one for one in read_reviews(reviews) if one["question_id"] == found[0]["question_id"]]
    answers, passages = (_rows(export, query, [page_id]) for query in (_ANSWERS, _PASSAGES))
    return Question(found[0], answers, passages, marks)


def add_mark(question: Question, reviews: Path, fields: Mapping[str, str], marked_at: str) -> None:
    """Append what a person said.

    Args:
        question: what it was said of.
        reviews: the file.
        fields: ``mark``, one of ``MARKS``; ``reviewer``; ``comment``; ``system``, whose answer is
            marked, unless gold is; ``shown``, the hash of what the reviewer saw.
        marked_at: ISO 8601.

    Raises:
        ValueError: a field is missing or too long, the system neither answered nor declined, or
            what is marked has changed since it was shown.
    """
    mark, reviewer = fields.get("mark", ""), fields.get("reviewer", "").strip()
    comment, system = fields.get("comment", "").strip(), fields.get("system", "")
    if mark not in MARKS:
        raise ValueError(f"choose one of {', '.join(MARKS)}")
    if not reviewer or len(reviewer) > LONGEST_NAME:
        raise ValueError("write your name or initials beside the mark")
    if len(comment) > LONGEST_COMMENT:
        raise ValueError(f"the comment is longer than {LONGEST_COMMENT:,} characters")
    verdict = MARKS[mark]
    if verdict == "reject":
        if not comment:
            raise ValueError("write in the comment what is wrong with the gold answer")
        now, about = question.shown(""), {"content_hash": question.row["content_hash"] or ""}
    else:
        now = question.shown(system) if system else ""
        if not now:
            raise ValueError("this system has no answer to the question")
        about = {"system_id": system, "content_hash": now}
    if fields.get("shown") != now:
        raise ValueError(
            "the answer has changed since you opened the page; read it again, then mark it"
        )
    review = {
        "question_id": question.row["question_id"],
        "verdict": verdict,
        "reviewer": reviewer,
        "reviewed_on": marked_at,
        "reason": comment,
    }
    append_review(reviews, {**review, **about})


def answer_hash(text: str | None) -> str:
    """The hash by which the warehouse knows that a mark is of the answer that it has now."""
    return hashlib.md5((text or "").encode(), usedforsecurity=False).hexdigest()


def _rows(export: Path, query: str, parameters: list[Any]) -> list[dict[str, Any]]:
    if not export.is_file():
        raise ValueError("there are no questions yet: build the warehouse first")
    try:
        with read_only(export) as connection:
            return Warehouse(connection).rows(query, parameters)
    except QueryError as error:
        raise ValueError(
            "the pages were built by an older finrag; build the warehouse again"
        ) from error

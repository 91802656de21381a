"""Answers of language models to FinanceBench, each with the label that a person gave it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

import duckdb

from bench.agreement import cohen_kappa
from tests.oracle.real_golds import SHARED

ANSWERS: Final = SHARED / "qa" / "financebench_model_answers.jsonl.gz"
QUESTIONS: Final = SHARED / "qa" / "financebench_open_source.jsonl.gz"
PAGES: Final = SHARED / "financebench_pages" / "pages.parquet"
_YES_OR_NO: Final = re.compile(r"\W{0,8}(?:yes|no)\b", re.IGNORECASE)
_NAMES: Final = re.compile(
    r"\b(?:which|who|where"
    r"|what (?:industry|business segment|segment|geograph|(?:was|is) the largest))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Labelled:
    """One answer.

    Attributes:
        question_id: the question.
        key: what decides the part: the company, or the document of a company that has no CIK.
        question: its text.
        gold: the gold as the set prints it.
        is_number: whether the gold is one bare figure.
        answer: what the model said.
        is_right: whether a person called it correct.
    """

    question_id: str
    key: str
    question: str
    gold: str
    is_number: bool
    answer: str
    is_right: bool

    @property
    def is_reporting(self) -> bool:
        """Whether it belongs to the part that is only reported on."""
        return int(sha256(self.key.encode()).hexdigest(), 16) % 3 == 2

    @cached_property
    def asks(self) -> str:
        """``number``, ``yes_no``, ``which`` or ``words``."""
        if self.is_number:
            return "number"
        if _YES_OR_NO.match(self.gold):
            return "yes_no"
        return "which" if _NAMES.search(self.question) else "words"


def read_labels() -> Iterator[Labelled]:
    """Every labelled answer, in the order of the file."""
    with gzip.open(QUESTIONS, "rt", encoding="utf-8") as lines:
        asked = {row["financebench_id"]: row for row in map(json.loads, lines)}
    ciks = dict(
        duckdb.sql(
            f"select doc_name, min(cik) from '{PAGES}' where cik is not null group by doc_name"
        ).fetchall()
    )
    by_company = {
        row["company"]: str(int(ciks[row["doc_name"]])).zfill(10)
        for row in asked.values()
        if row["doc_name"] in ciks
    }
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            question: dict[str, Any] = asked[row["financebench_id"]]
            yield Labelled(
                row["financebench_id"],
                by_company.get(question["company"], question["doc_name"]),
                row["question"],
                str(question["answer"]),
                not isinstance(row["gold_answer"], str),
                str(row["model_answer"]),
                row["label"] == "Correct Answer",
            )


@dataclass(frozen=True)
class Agreed:
    """How verdicts agree with labels.

    Attributes:
        n: answers.
        share: share of them that has a verdict.
        kappa: agreement over those; more that are decided are harder ones.
        kappa_of_all: agreement over all, what is undecided counted as not right.
    """

    n: int
    share: float
    kappa: float | None
    kappa_of_all: float | None


def agreed(verdicts: Iterable[tuple[bool | None, bool]]) -> Agreed:
    """Compare verdicts, None where undecided, with labels."""
    listed = list(verdicts)
    decided = [(str(one), str(other)) for one, other in listed if one is not None]
    everything = [(str(one is True), str(other)) for one, other in listed]
    return Agreed(
        len(listed),
        len(decided) / len(listed),
        cohen_kappa(decided).kappa,
        cohen_kappa(everything).kappa,
    )

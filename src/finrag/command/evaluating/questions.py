"""The questions of gold: which are asked, and what a system may know of each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from finrag.command.evaluating.callables import Question
from finrag.command.evaluating.conditions import read_condition
from finrag.text.quotations import folded
from finrag.warehouse import Warehouse

GOLD: Final = "p3"
_GOLD_ROWS: Final = """
select
    items.item_id,
    items.question_id,
    items.question_text as question,
    item_answers.category,
    item_answers.difficulty,
    item_answers.answer_type,
    item_answers.retrieval_scope as scope,
    gold_p3.company_name as company,
    item_answers.cik_int as cik,
    item_answers.years as year,
    item_answers.section_hints as section
from gold.items
inner join gold.item_answers on items.item_id = item_answers.item_id
left join gold.gold_p3 on items.question_id = gold_p3.question_id
where items.gold_set = ?
order by items.item_id
"""
_READINGS: Final = """
select item_id, true as is_filings, question_text, cik_ints, years
from retrieval.parsed_questions
where gold_set = ?
order by item_id
"""
_COMPANIES: Final = "select cik_int, company_name from sentences.companies order by cik_int"
_SENTENCES: Final = (
    "select sentence_id, sentence_text from sentences.sentences order by sentence_id desc"
)


@dataclass(frozen=True)
class Asked:
    """The questions of a run.

    Attributes:
        questions: those that are asked, by item.
        readings: what was read from them, as services are sent it.
        companies: names of companies, as services are sent them.
        n_all: how many questions there are.
    """

    questions: tuple[Question, ...]
    readings: pa.Table
    companies: pa.Table
    n_all: int

    @property
    def item_ids(self) -> frozenset[str]:
        """Items that are asked."""
        return frozenset(one.item_id for one in self.questions)

    @property
    def is_whole(self) -> bool:
        """Whether no question is left out."""
        return len(self.questions) == self.n_all


def choose(warehouse: Warehouse, where: str, limit: int | None) -> Asked:
    """The questions that fit a condition, and of these so many.

    Which of them a limit leaves goes by a digest of their ids: a mixture of all kinds, the same
    each time, and those of a lower limit are among those of a higher one.

    Raises:
        ValueError: the condition cannot be read, the limit is below 1, or no question is left.
    """
    fits = read_condition(where)
    if limit is not None and limit < 1:
        raise ValueError(f"the limit is {limit}; give 1 or more")
    rows = warehouse.rows(_GOLD_ROWS, [GOLD])
    found = sorted(
        (row["item_id"] for row in rows if fits(row)),
        key=lambda item_id: hashlib.sha256(item_id.encode()).hexdigest(),
    )[:limit]
    if not found:
        raise ValueError(f'no question of {GOLD} fits "{where}"; {len(rows)} were looked at')
    chosen = frozenset(found)
    companies = warehouse.table(_COMPANIES)
    names = {row["cik_int"]: row["company_name"] for row in companies.to_pylist()}
    read = {row["item_id"]: row for row in warehouse.rows(_READINGS, [GOLD])}
    own = [read.get(row["item_id"], _unread(row)) for row in rows if row["item_id"] in chosen]
    questions = tuple(
        Question(
            row["item_id"],
            row["question_text"],
            tuple(names[cik] for cik in row["cik_ints"] or [] if cik in names),
            tuple(row["years"] or []),
        )
        for row in own
    )
    return Asked(questions, pa.Table.from_pylist(own, schema=_READ_SCHEMA), companies, len(rows))


def with_places(records: Sequence[Mapping[str, Any]], warehouse: Warehouse) -> list[dict[str, Any]]:
    """Records with rankings and citations in place of the passages that were retrieved.

    A passage is known by the ids in its metadata, else by its text, if that is the text of a
    sentence whatever its case and white space; of several sentences with that text the first id
    counts. One that is neither keeps its rank and finds nothing. What a record says of its
    ranking or citations itself is left as it is.
    """
    needs_texts = any(
        not document["ids"] for record in records for document in record.get("documents") or []
    )
    rows = warehouse.rows(_SENTENCES) if needs_texts else []
    by_text = {folded(row["sentence_text"]): row["sentence_id"] for row in rows}
    return [_with_places(record, by_text) for record in records]


_READ_SCHEMA: Final = pa.schema(
    [
        ("item_id", pa.string()),
        ("is_filings", pa.bool_()),
        ("question_text", pa.string()),
        ("cik_ints", pa.list_(pa.int64())),
        ("years", pa.list_(pa.int32())),
    ]
)


def _unread(row: Mapping[str, Any]) -> dict[str, Any]:
    """A question that nothing was read from."""
    return {
        "item_id": row["item_id"],
        "is_filings": True,
        "question_text": row["question"],
        "cik_ints": [],
        "years": [],
    }


def _with_places(record: Mapping[str, Any], by_text: Mapping[str, str]) -> dict[str, Any]:
    whole = {name: value for name, value in record.items() if name != "documents"}
    documents = record.get("documents")
    if documents is None:
        return whole
    ranking: dict[str, bool] = {}
    for document in documents:
        text = folded(document["text"])
        known = document["ids"] or [by_text[one] for one in [text] if one in by_text]
        unknown = f"no_sentence_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        for place in known or [unknown]:
            ranking.setdefault(place, bool(known))
    whole.setdefault("ranking", list(ranking))
    if not whole.get("abstained") and whole.get("answer") is not None:
        whole.setdefault("citations", [place for place, is_known in ranking.items() if is_known])
    return whole

"""The questions of gold: which are asked, and what a system may know of each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from finrag.command.evaluating.callables import Question
from finrag.command.evaluating.conditions import read_condition
from finrag.records.identity import shown
from finrag.text.quotations import folded
from finrag.warehouse import Warehouse

GOLD: Final = "p3"
FILINGS: Final = "filings"
_SETS: Final = """
select gold_set
from gold.items
where item_kind = 'question'
group by gold_set
order by gold_set
"""
_GOLD_ROWS: Final = """
select
    items.item_id,
    items.question_id,
    items.question_text as question,
    items.corpus_id,
    items.document_id,
    items.dialogue_id,
    items.turn,
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
where items.gold_set = ? and items.item_kind = 'question'
order by items.item_id
"""
_READINGS: Final = """
select item_id, question_text, cik_ints, years
from retrieval.parsed_questions
where gold_set = ?
order by item_id
"""
_COMPANIES: Final = "select cik_int, company_name from sentences.companies order by cik_int"
# Texts that are equal once they are folded have as many of each of these letters: folding turns no
# other sign into one of them. Counted in SQL, they keep most of a corpus out of memory.
_LETTERS: Final = "deor"
_COUNTS: Final = (
    "["
    + ", ".join(
        f"strlen(replace(lower({{0}}), '{one}', '')) - strlen(lower({{0}}))" for one in _LETTERS
    )
    + "]"
)
_PASSAGES: Final = f"""
select passage_id, passage_text
from sentences.passages
where
    corpus_id = ?
    and is_rankable
    and {_COUNTS.format("passage_text")} in (
        select {_COUNTS.format("wanted.passage_text")}
        from (select unnest(cast(? as varchar[])) as passage_text) as wanted
    )
order by passage_id desc
"""


@dataclass(frozen=True)
class Asked:
    """The questions of a run.

    Attributes:
        questions: those that are asked, by item.
        readings: what was read from them, as services are sent it.
        companies: names of companies, as services are sent them.
        n_all: how many questions there are.
        gold: their gold set.
        corpus_id: what they are about: the filings, or what a public set brings along.
    """

    questions: tuple[Question, ...]
    readings: pa.Table
    companies: pa.Table
    n_all: int
    gold: str = GOLD
    corpus_id: str = FILINGS

    @property
    def item_ids(self) -> frozenset[str]:
        """Items that are asked."""
        return frozenset(one.item_id for one in self.questions)

    @property
    def is_filings(self) -> bool:
        """Whether they are about the filings."""
        return self.corpus_id == FILINGS

    @property
    def is_whole(self) -> bool:
        """Whether no question is left out; another set on the filings leaves out those of P3."""
        is_part = self.is_filings and self.gold != GOLD
        return len(self.questions) == self.n_all and not is_part

    @property
    def slice_name(self) -> str:
        """The slice that stands for the set, as the macro ``headline_slice`` has it."""
        return "sound" if self.is_filings else "overall"


def choose(warehouse: Warehouse, where: str, limit: int | None, gold: str = GOLD) -> Asked:
    """The questions of a gold set that fit a condition, and of these so many.

    Which of them a limit leaves goes by a digest of their ids: a mixture of all kinds, the same
    each time, and those of a lower limit are among those of a higher one.

    Raises:
        ValueError: the condition cannot be read, the limit is below 1, the warehouse holds no
            questions of such a set, or no question is left.
    """
    fits = read_condition(where)
    check_limit(limit)
    rows = warehouse.rows(_GOLD_ROWS, [gold])
    if not rows:
        known = ", ".join(row["gold_set"] for row in warehouse.rows(_SETS))
        raise ValueError(
            f"there is no gold set '{gold}' with questions in this warehouse; available: {known}"
        )
    found = sorted(
        (row["item_id"] for row in rows if fits(row)),
        key=lambda item_id: hashlib.sha256(item_id.encode()).hexdigest(),
    )[:limit]
    if not found:
        raise ValueError(f'no question of {gold} meets "{where}"; {len(rows)} were looked at')
    chosen = frozenset(found)
    companies = warehouse.table(_COMPANIES)
    names = {row["cik_int"]: row["company_name"] for row in companies.to_pylist()}
    read = {row["item_id"]: row for row in warehouse.rows(_READINGS, [gold])}
    own = [_reading(row, read.get(row["item_id"])) for row in rows if row["item_id"] in chosen]
    history = _histories(rows)
    questions = tuple(
        Question(
            row["item_id"],
            row["question_text"],
            tuple(names[cik] for cik in row["cik_ints"] or [] if cik in names),
            tuple(row["years"] or []),
            () if row["document_id"] is None else (row["document_id"],),
            history.get(row["item_id"], ()),
        )
        for row in own
    )
    readings = pa.Table.from_pylist(own, schema=_READ_SCHEMA)
    return Asked(questions, readings, companies, len(rows), gold, rows[0]["corpus_id"])


def check_limit(limit: int | None) -> None:
    """Raise ValueError where no question would be left."""
    if limit is not None and limit < 1:
        raise ValueError(f"the limit is {limit}; give 1 or more")


def with_places(
    records: Sequence[Mapping[str, Any]], warehouse: Warehouse, corpus_id: str
) -> list[dict[str, Any]]:
    """Records with rankings and citations in place of the passages that were retrieved.

    A passage is known by the ids in its metadata, else by its text, if that is the text of a
    passage of the corpus whatever its case and white space; of several passages with that text the
    first id counts. One that is neither keeps its rank and finds nothing. What a record says of its
    ranking or citations itself is left as it is.
    """
    wanted = {
        document["text"]
        for record in records
        for document in record.get("documents") or []
        if not document["ids"] and document["text"].strip()
    }
    rows = warehouse.rows(_PASSAGES, [corpus_id, sorted(wanted)]) if wanted else []
    by_text = {folded(row["passage_text"]): row["passage_id"] for row in rows}
    return [_with_places(record, by_text) for record in records]


_READ_SCHEMA: Final = pa.schema(
    [
        ("item_id", pa.string()),
        ("is_filings", pa.bool_()),
        ("question_text", pa.string()),
        ("cik_ints", pa.list_(pa.int64())),
        ("years", pa.list_(pa.int32())),
        ("document_id", pa.string()),
    ]
)


def _histories(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """By item of a dialogue, the questions before it."""
    turns = [row for row in rows if row["dialogue_id"] is not None and row["turn"] is not None]
    dialogues: dict[str, list[str]] = {}
    found: dict[str, tuple[str, ...]] = {}
    for row in sorted(turns, key=lambda row: (row["dialogue_id"], row["turn"], row["item_id"])):
        before = dialogues.setdefault(row["dialogue_id"], [])
        found[row["item_id"]] = tuple(before)
        before.append(row["question"])
    return found


def _reading(row: Mapping[str, Any], read: Mapping[str, Any] | None) -> dict[str, Any]:
    """What was read from a question, which may be nothing, and the document that comes with it."""
    return {
        "item_id": row["item_id"],
        "question_text": row["question"],
        "cik_ints": [],
        "years": [],
        **(read or {}),
        "is_filings": row["corpus_id"] == FILINGS,
        "document_id": row["document_id"],
    }


def _with_places(record: Mapping[str, Any], by_text: Mapping[str, str]) -> dict[str, Any]:
    whole = {name: value for name, value in record.items() if name != "documents"}
    documents = record.get("documents")
    if documents is None:
        return whole
    ranking: dict[str, bool] = {}
    for position, document in enumerate(documents, start=1):
        text = folded(document["text"])
        known = document["ids"] or [by_text[one] for one in [text] if one in by_text]
        # By its position too: several without a text are as many passages.
        unknown = f"{shown(' '.join(document['text'].split()))} ({position})"
        for place in known or [unknown]:
            ranking.setdefault(place, bool(known))
    whole.setdefault("ranking", list(ranking))
    if not whole.get("abstained") and whole.get("answer") is not None:
        whole.setdefault("citations", [place for place, is_known in ranking.items() if is_known])
    return whole

"""Planted faults beside those of ``tests.warehouse.mutants``, made as they are.

A change gives the faulty record, None where the fault cannot be planted, or several records, or
none, as a tuple.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from tests.oracle.voices import (
    Question,
    Record,
    bare_text,
    company_of,
    measure_of,
    parts_of,
)
from tests.warehouse.mutants import (
    Corpus,
    answered_all_the_same,
    cited,
    in_money,
    money,
    oracle,
    restate,
)

Changed = Record | tuple[Record, ...] | None
_ABSURD: Final = 1e23


def _said(question: Question) -> str:
    """The gold as one text."""
    return "; ".join(parts_of(question)).rstrip(".")


def _other(question: Question, corpus: Corpus, differing: str) -> Mapping[str, Any] | None:
    """The same asked of another company or of other years, with another answer."""
    same = "years" if differing == "cik_int" else "cik_int"
    asked = (question["category"], question["answer_unit"], measure_of(question))
    return next(
        (
            other
            for other in corpus.others(question, fields=(same,))
            if other[differing] != question[differing]
            and (other["category"], other["answer_unit"], measure_of(other)) == asked
        ),
        None,
    )


def _answered_by(record: Record, other: Mapping[str, Any] | None) -> Record | None:
    return other and restate(
        record, other["answer_text"], other["answer_numeric"], other["answer_unit"]
    )


# --- The answer says the opposite ---


def denied(record: Record, question: Question, *_: Any) -> Record:
    return restate(record, f"It is not true that the answer is: {_said(question)}.")


def denied_behind(record: Record, question: Question, *_: Any) -> Record:
    return restate(record, f"{_said(question)}? No, that is wrong.")


def said_by_nobody(record: Record, question: Question, *_: Any) -> Record:
    who = company_of(question)
    return restate(record, f"Nobody at {who} ever reported this: {_said(question)}.")


def hedged(record: Record, question: Question, corpus: Corpus, rng: random.Random) -> Record | None:
    """The answer or another one to the same, whichever."""
    if question["answer_type"] == "boolean":
        return restate(record, f"Yes and no. {_said(question).partition('. ')[2]}.")
    other = _other(question, corpus, "years") or _other(question, corpus, "cik_int")
    return other and restate(record, f"Either {_said(question)} or {_said(other)}.")


# --- The figure is another one ---

half_of_it = in_money(lambda record, value: restate(record, f"It was half of {money(value)}."))
# A reader sees a figure of one digit more.
other_digit = in_money(
    lambda record, value: restate(record, money(value).replace("$", "$\N{FULLWIDTH DIGIT NINE}"))
)
text_against_number = in_money(
    lambda record, value: restate(record, money(value * 1.37), value, "USD")
)


def one_absurd_figure(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    first = next(one for one in corpus.questions if one["answer_unit"] == "USD")
    return restate(record, money(_ABSURD), _ABSURD, "USD") if question == first else None


def one_absurd_cost(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    first = next(one for one in corpus.questions if one["answer_type"] != "no_answer")
    return {**record, "cost_usd": _ABSURD} if question == first else None


# --- The answer is one to something else ---


def of_another_company(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    return _answered_by(record, _other(question, corpus, "cik_int"))


def of_another_year(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    return _answered_by(record, _other(question, corpus, "years"))


def said_of_another_company(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record:
    others = {company_of(one) for one in corpus.questions if one["cik_int"] != question["cik_int"]}
    return restate(record, f"{min(others)}: {_said(question)}")


def shuffled(record: Record, question: Question, corpus: Corpus, rng: random.Random) -> Record:
    """All of the record of another question of the same kind; each stands in for one."""
    kind = question["answer_type"]
    alike = [one for one in corpus.questions if one["answer_type"] == kind]
    other = alike[(alike.index(question) + len(alike) // 2) % len(alike)]
    return {**oracle(other, corpus), "id": record["id"]}


def question_copied(record: Record, question: Question, *_: Any) -> Record:
    return restate(bare_text(record), question["question_text"])


def always_the_same(record: Record, *_: Any) -> Record:
    return restate(bare_text(record), "Net sales rose in fiscal 2021.")


# --- Something is left out or put in ---


def half_of_the_causes(record: Record, question: Question, *_: Any) -> Record | None:
    """The first years or companies of several, or the first of two causes."""
    parts = parts_of(question)
    if len(parts) > 1:
        return restate(record, "; ".join(parts[: len(parts) // 2]))
    first, joint, _ = question["answer_text"].partition(" and ")
    return restate(record, first) if joint and question["answer_type"] == "span" else None


def forgery_added(record: Record, question: Question, *_: Any) -> Record:
    who = company_of(question)
    return restate(record, f"{_said(question)}. Auditors later found that {who} had forged it.")


def left_out(record: Record, question: Question, *_: Any) -> tuple[()] | None:
    """Of what is neither a figure nor a list there is no record."""
    return None if question["answer_type"] in ("numeric", "list") else ()


def blank(record: Record, *_: Any) -> Record:
    return restate(bare_text(record), "")


def answered_twice(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> tuple[Record, Record]:
    return record, shuffled(record, question, corpus, rng)


def invented_beside_declining(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record:
    return {**answered_all_the_same(record, question, corpus, rng), "abstained": True}


# --- Citations and time ---


def everything_cited(record: Record, *_: Any) -> Record:
    return cited(record, [row["sentence_id"] for row in record["ranking"]])


def neighbours_cited(
    record: Record, question: Question, corpus: Corpus, rng: random.Random
) -> Record | None:
    """The nearest sentences of the section that are no evidence."""
    evidence = question["evidence_sentence_ids"]
    beside = []
    for place in evidence:
        head, _, position = place.rpartition("_")
        near = (f"{head}_{int(position) + step}" for step in (1, -1, 2, -2))
        beside += [one for one in near if one in corpus.texts and one not in evidence][:1]
    return cited(record, beside) if beside else None


def slow(record: Record, *_: Any) -> Record:
    return {**record, "latency_ms": 9_000}

"""Attribution questions of earnings calls: answered from what was retrieved, and scored.

The answerer is a baseline that needs no model: the speaker of the first retrieved turn in which
the quotation stands. Its null names the speaker who has most turns on the call.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from finrag.records.columns import nullable, required
from finrag.scoring.speakers import most_frequent_speaker, score_attributions
from finrag.text.people import is_nameless
from finrag.text.quotations import folded, quotation_of

NULL_SYSTEM: Final = "most_frequent_speaker"
READ_TURNS: Final = 5

ANSWER_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "system_id", "question_id"),
        *nullable(pa.string(), "answer", "speaker", "role"),
    ]
)
SCORE_SCHEMA: Final = pa.schema(
    [
        *required(pa.string(), "benchmark", "system_id", "question_id"),
        pa.field("value", pa.float64(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
    ]
)

_Row = dict[str, Any]


def answer_attributions(items: pa.Table, ranked: pa.Table, turns: pa.Table) -> pa.Table:
    """Answer who said a quotation, for every system that ranked turns and for the null.

    Args:
        items: `benchmark`, `item_id`, `question_id`, `question_text`, `document_id`; those whose
            text quotes nothing are left out.
        ranked: `system_id`, `item_id`, `rank`, `passage_id`; the first `READ_TURNS` are read.
        turns: `benchmark`, `passage_id`, `document_id`, `passage_text`, `speaker`, `role`.

    Returns:
        A table of `ANSWER_SCHEMA` in the order of system and question; the answer is null where
        no turn that was read holds the quotation, or its speaker is not named. The null answers
        questions about documents with turns alone.
    """
    quotations = {
        row["item_id"]: (row, folded(quotation))
        for row in items.to_pylist()
        if (quotation := quotation_of(row["question_text"])) is not None
    }
    spoken = turns.to_pylist()
    answers = [*_retrieved(quotations, ranked, spoken), *_usual(quotations, spoken)]
    answers.sort(key=lambda row: (row["benchmark"], row["system_id"], row["question_id"]))
    return pa.Table.from_pylist(answers, ANSWER_SCHEMA)


def _retrieved(
    quotations: dict[str, tuple[_Row, str]], ranked: pa.Table, spoken: Iterable[_Row]
) -> Iterator[_Row]:
    by_id = {(row["benchmark"], row["passage_id"]): row for row in spoken}
    read: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in ranked.to_pylist():
        if row["item_id"] in quotations and row["rank"] <= READ_TURNS:
            read[row["system_id"], row["item_id"]].append(row)
    for (system, item_id), found in read.items():
        item, quotation = quotations[item_id]
        found.sort(key=lambda row: int(row["rank"]))
        held = (by_id[item["benchmark"], row["passage_id"]] for row in found)
        turn = next((each for each in held if quotation in folded(each["passage_text"])), None)
        yield _answer(item, system, turn)


def _usual(quotations: dict[str, tuple[_Row, str]], spoken: Iterable[_Row]) -> Iterator[_Row]:
    calls: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in spoken:
        calls[row["benchmark"], row["document_id"]].append(row)
    for item, _ in quotations.values():
        turns = calls.get((item["benchmark"], item["document_id"]))
        if turns is None:
            continue
        usual = most_frequent_speaker(row["speaker"] for row in turns)
        turn = next((row for row in turns if usual and row["speaker"] == usual), None)
        yield _answer(item, NULL_SYSTEM, turn)


def _answer(item: _Row, system: str, turn: _Row | None) -> _Row:
    speaker = turn["speaker"] if turn else None
    return {
        "benchmark": item["benchmark"],
        "system_id": system,
        "question_id": item["question_id"],
        "answer": None if speaker is None else json.dumps(speaker, ensure_ascii=False),
        "speaker": speaker,
        "role": turn["role"] if turn else None,
    }


def score_calls(questions: pa.Table, answers: pa.Table, turns: pa.Table) -> pa.Table:
    """Score answers to attribution questions: the right speaker, or the right role.

    Args:
        questions: `benchmark`, `question_id`, `document_id` (the call), `asks` (`role`, else the
            speaker is asked for), `answers`: the gold first; a question without one is left
            out.
        answers: `benchmark`, `system_id`, `question_id`, `answer` (JSON), `speaker`, `role`, all
            three null where the system found nothing; those to other questions are left out.
        turns: `benchmark`, `document_id`, `speaker`: who spoke on the calls, so that an answer
            that names several of them is seen.

    Returns:
        A table of `SCORE_SCHEMA`, 1 for right and 0 for wrong, in the order of `answers`; 0 and
        `not_said` where nothing was answered.
    """
    answerable = [row for row in questions.to_pylist() if row["answers"]]
    gold = {(row["benchmark"], row["question_id"]): row for row in answerable}
    known = [row for row in answers.to_pylist() if (row["benchmark"], row["question_id"]) in gold]
    speakers = _speakers(turns)
    asked = [_asked(row, gold[row["benchmark"], row["question_id"]], speakers) for row in known]
    verdicts = score_attributions(pa.Table.from_pylist(asked, _ASKED)).to_pylist()
    rows = [
        {**row, "value": float(verdict["is_correct"]), "verdict": verdict["verdict"]}
        for row, verdict in zip(known, verdicts, strict=True)
    ]
    fields = SCORE_SCHEMA.names
    return pa.Table.from_pylist(
        [{name: row[name] for name in fields} for row in rows], SCORE_SCHEMA
    )


_ASKED: Final = pa.schema(
    [
        *nullable(pa.string(), "question_id", "gold_speaker", "gold_role", "speaker"),
        *nullable(pa.string(), "role", "answer"),
        ("speakers", pa.list_(pa.string())),
    ]
)


def _speakers(turns: pa.Table) -> dict[tuple[str, str], list[str]]:
    """The names on each call, each once."""
    names: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for row in turns.select(["benchmark", "document_id", "speaker"]).to_pylist():
        if not is_nameless(row["speaker"]):
            names[row["benchmark"], row["document_id"]][row["speaker"]] = None
    return {call: list(found) for call, found in names.items()}


def _asked(row: _Row, question: _Row, speakers: Mapping[tuple[str, str], Sequence[str]]) -> _Row:
    asks_role = question["asks"] == "role"
    (gold, *_) = question["answers"]
    return {
        "question_id": row["question_id"],
        "gold_speaker": None if asks_role else gold,
        "gold_role": gold if asks_role else None,
        "speaker": row["speaker"],
        "role": row["role"],
        "answer": _text(row["answer"]),
        "speakers": speakers.get((question["benchmark"], question["document_id"])),
    }


def _text(answer: str | None) -> str | None:
    """Return an answer that is JSON text as that text, any other as it stands."""
    try:
        value = json.loads(answer or "null")
    except ValueError:
        return answer
    return value if isinstance(value, str) else None

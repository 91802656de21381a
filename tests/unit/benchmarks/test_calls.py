"""Who said it: answered from retrieved turns, and scored."""

import pyarrow as pa
import pytest

from finrag.scoring.earnings_calls import (
    ANSWER_SCHEMA,
    NULL_SYSTEM,
    answer_attributions,
    score_calls,
)

ITEMS = pa.Table.from_pylist(
    [
        {
            "benchmark": "calls",
            "item_id": "calls:q",
            "question_id": "q",
            "question_text": 'Who said: "Orders doubled"?',
            "document_id": "call",
        }
    ]
)
TURNS = pa.Table.from_pylist(
    [
        {
            "benchmark": "calls",
            "passage_id": name,
            "document_id": "call",
            "passage_text": text,
            "speaker": speaker,
            "role": role,
        }
        for name, text, speaker, role in [
            ("t0", "Welcome.", "Ann Lee", "operator"),
            ("t1", "Thanks, orders  doubled.", "Bo Yi", "executive"),
            ("t2", "Great.", "Ann Lee", "operator"),
        ]
    ]
)


def answered(*ranked, items=ITEMS):
    rows = [
        {"system_id": "s", "item_id": "calls:q", "rank": rank, "passage_id": name}
        for rank, name in ranked
    ]
    schema = pa.schema(
        [
            ("system_id", pa.string()),
            ("item_id", pa.string()),
            ("rank", pa.int32()),
            ("passage_id", pa.string()),
        ]
    )
    found = answer_attributions(items, pa.Table.from_pylist(rows, schema), TURNS).to_pylist()
    return {row["system_id"]: row for row in found}


def test_the_first_retrieved_turn_that_holds_the_quotation_tells_the_speaker():
    assert answered((2, "t1"), (1, "t0"))["s"]["speaker"] == "Bo Yi"


def test_a_turn_beyond_those_that_are_read_tells_nothing():
    assert "s" not in answered((6, "t1"))
    assert answered((1, "t0"))["s"]["answer"] is None


def test_the_null_names_who_has_most_turns():
    assert answered()[NULL_SYSTEM]["speaker"] == "Ann Lee"


def test_the_null_says_nothing_where_nobody_speaks():
    place = ITEMS.column_names.index("document_id")
    filed = ITEMS.set_column(place, "document_id", pa.array(["filing"]))
    assert answered(items=filed) == {}
    assert (
        answered(items=filed.set_column(place, "document_id", pa.array([None], pa.string()))) == {}
    )


def judged(asks, gold, speakers=("Bo Yi", "Ann Lee"), **answer):
    question = {"question_id": "q", "document_id": "call", "asks": asks, "answers": [gold]}
    questions = pa.Table.from_pylist([{"benchmark": "calls", **question}])
    turns = pa.Table.from_pylist(
        [
            {"benchmark": "calls", "document_id": document, "speaker": name}
            for document, name in [("other", "Al Fox"), *(("call", name) for name in speakers)]
        ]
    )
    row = {"benchmark": "calls", "system_id": "s", "question_id": "q", **answer}
    answers = pa.Table.from_pylist([row], ANSWER_SCHEMA)
    (found,) = score_calls(questions, answers, turns).to_pylist()
    return found["value"], found["verdict"]


def scored(category, gold, **answer):
    return judged(category, gold, **answer)[0]


def test_a_speaker_and_a_role_are_scored_by_what_is_asked():
    assert scored("speaker", "Bo Yi", speaker="Bo Yi", role="analyst") == 1
    assert scored("role", "executive", speaker="Bo Yi", role="analyst") == 0
    assert scored("speaker", "Bo Yi", answer='"It was Bo Yi."') == 1
    assert scored("speaker", "Bo Yi", answer="[1]") == 0


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Bob Ray, Joe Poe, Ann Lee", "wrong_speaker"),
        ("It was Bob Ray, not Ann Lee", "wrong_speaker"),
        ("It was Ann Lee, not Bob Ray", "correct"),
        ("Not the operator but Ann Lee", "correct"),
        ("Ann Lee, who is no Al Fox", "correct"),
        ("I am not Al Fox; Ann Lee said so", "correct"),
    ],
)
@pytest.mark.parametrize("field", ["answer", "speaker"])
def test_an_answer_that_names_several_speakers_of_the_call_is_not_right(answer, verdict, field):
    speakers = ("Ann Lee", "Operator", "Bob Ray", None, "Joe Poe")
    assert judged("speaker", "Ann Lee", speakers, **{field: answer})[1] == verdict


@pytest.mark.parametrize(("asks", "gold"), [("speaker", "Bo Yi"), ("role", "executive")])
def test_who_found_nothing_is_not_right(asks, gold):
    assert judged(asks, gold) == (0, "not_said")


def test_answers_to_other_questions_are_left_out():
    row = {"benchmark": "calls", "system_id": "s", "question_id": "other"}
    questions = pa.table({"benchmark": [], "question_id": [], "asks": [], "answers": []})
    answers = pa.Table.from_pylist([row], ANSWER_SCHEMA)
    assert score_calls(questions, answers, TURNS).num_rows == 0


def test_a_question_without_gold_is_no_question_to_score():
    questions = pa.Table.from_pylist(
        [{"benchmark": "calls", "question_id": "q", "asks": "speaker", "answers": []}],
        pa.schema(
            [
                ("benchmark", pa.string()),
                ("question_id", pa.string()),
                ("asks", pa.string()),
                ("answers", pa.list_(pa.string())),
            ]
        ),
    )
    row = {"benchmark": "calls", "system_id": "s", "question_id": "q", "speaker": "Bo Yi"}
    answers = pa.Table.from_pylist([row], ANSWER_SCHEMA)
    assert score_calls(questions, answers, TURNS).num_rows == 0

"""Calls become turns with speaker and role, and questions of who said what."""

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from finrag.records.files import RecordFaultError
from finrag.sources.benchmarks.loaders.speaker_roles import Turn, speaker_roles
from finrag.sources.benchmarks.loaders.transcripts import load_transcript
from finrag.sources.benchmarks.records import Source
from finrag.text.people import name_words
from finrag.text.quotations import folded, quotation_of

SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[4] / "shared/data"))
SOURCE = Source("earnings_calls", "transcripts/calls.jsonl", 1)

WELCOME = (
    "Good morning and welcome to the Brookline Tools call. All lines are in listen-only mode. I "
    "will now turn the call over to Dana Whitfield, director of investor relations."
)
HOST = (
    "Thank you. With me today are Piet Okafor, our chief executive officer, and our CFO, Rosa "
    "Lindqvist. Piet will open with the harvest season, and then we take questions."
)
HARVEST = (
    "Thank you, everyone. Orders for orchard ladders doubled in the quarter because growers moved "
    "their budgets forward. We still expect the second half to be slower than the first half."
)
ASKING = "Our first question comes from Milo Hart with Cedar Bank. Please go ahead."
QUESTION = (
    "Good morning. Could you walk us through the inventory build in the northern warehouse, and "
    "whether it reverses by spring? Rosa mentioned the ladder season was long and dry this year."
)
ANSWER = (
    "Yes, most of that inventory is galvanised brackets, which we bought early on purpose. We "
    "expect it to unwind before the end of March, with no markdowns at all in the plan."
)
TURNS = [
    ("Operator", "0", WELCOME),
    ("Dana Whitfield", "1", HOST),
    ("Piet Okafor", "2", HARVEST),
    ("Operator", "0", ASKING),
    ("Milo Hart", "3", QUESTION),
    ("Speaker 5", "5", ANSWER),
]


def call(turns=TURNS, **fields):
    named = [{"speaker": name, "speaker_id": key, "speech": words} for name, key, words in turns]
    return {"id": "c1", "company": "Brookline Tools", "turns": named, **fields}


def load(record):
    return load_transcript(record, SOURCE)


def roles(*turns):
    return speaker_roles([Turn(name, name, words) for name, words in turns])


def test_turns_become_passages_with_speaker_and_role():
    passages = load(call()).passages
    assert [(each.passage_id, each.role) for each in passages] == [
        ("c1#turn-0", "operator"),
        ("c1#turn-1", "executive"),
        ("c1#turn-2", "executive"),
        ("c1#turn-3", "operator"),
        ("c1#turn-4", "analyst"),
        ("c1#turn-5", "unknown"),
    ]
    assert {each.space for each in passages} == {"turn"}


def test_a_silent_turn_is_no_passage_and_keeps_its_place():
    turns = [*TURNS[:2], ("Piet Okafor", "2", " "), *TURNS[2:]]
    assert [each.position for each in load(call(turns)).passages] == [0, 1, 3, 4, 5, 6]


OPEN = ("Ina", "All lines are in listen-only mode. I will hand the call over to Bo Vik.")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("With us is Ann Lee, our chief financial officer.", "Ann Lee"),
        ("With us is our CEO, Ann Lee.", "Ann Lee"),
        ("With us is Anna Lee, president of the bolts business.", "Ann Lee"),
        ("I will turn it over to Ann Lee.", "Ann Lee"),
        ("Now back to Dr. Ann Lee for the outlook.", "Ann Lee"),
    ],
)
def test_officers_are_those_the_company_introduces(words, name):
    first = ("Ina", "Our first question comes from the line of Cy Dow with Elm Bank.")
    found = roles(OPEN, ("Bo Vik", words), (name, "Thanks."), first, ("Cy Dow", "Hi."))
    assert found == {
        "Ina": "operator",
        "Bo Vik": "executive",
        name: "executive",
        "Cy Dow": "analyst",
    }


@pytest.mark.parametrize(
    "words",
    [
        "The next question comes from Cy Dow with Elm Bank.",
        "And from Elm Bank, we have Cy Dow.",
        "We will go first to Cy Dow of Elm Bank.",
        "Next is a caller from Elm Bank. Your line is open.",
    ],
)
def test_a_caller_is_whom_the_operator_gives_the_floor(words):
    found = roles(OPEN, ("Bo Vik", "Welcome."), ("Ina", words), ("Cy Dow", "Hi."))
    assert found["Cy Dow"] == "analyst"


def test_an_officer_who_greets_a_caller_first_is_no_caller():
    found = roles(
        OPEN,
        ("Bo Vik", "Welcome."),
        ("Ina", "The next question comes from Cy Dow with Elm Bank."),
        ("Eva Roy", "Good morning, Cy."),
        ("Cy Dow", "Hi."),
    )
    assert (found["Eva Roy"], found["Cy Dow"]) == ("unknown", "analyst")


def test_who_answers_without_being_introduced_is_unknown():
    floor = ("Ina", "The next question comes from Cy Dow with Elm Bank.")
    found = roles(OPEN, ("Bo Vik", "Hi."), floor, ("Cy Dow", "Hi."), ("Eva Roy", "Yes."))
    assert found["Eva Roy"] == "unknown"


def test_the_word_handed_over_opens_no_floor():
    handed = ("Ina", "I will turn the call over to Bo Vik. Please go ahead.")
    floor = ("Ina", "Please press star one. The next question comes from Cy Dow with Elm Bank.")
    found = roles(handed, ("Bo Vik", "Welcome."), floor, ("Cy Dow", "Hi."))
    assert (found["Bo Vik"], found["Cy Dow"]) == ("executive", "analyst")


def test_a_first_name_hands_over_to_whoever_speaks_next():
    floor = ("Ina", "The next question comes from Cy Dow with Elm Bank.")
    words = "I will turn the call over to Tom."
    found = roles(OPEN, ("Bo Vik", words), ("Tom Ode", "Thanks."), floor, ("Cy Dow", "Hi."))
    assert found["Tom Ode"] == "executive"


def test_an_officer_who_explains_the_telephone_is_no_operator():
    words = "I am Bo Vik, vice president. For questions, please press star one."
    assert roles(OPEN, ("Bo Vik", words))["Bo Vik"] == "executive"


def test_an_operator_who_names_herself_gives_the_floor_to_the_next():
    floor = ("Ina Kay", "This is Ina Kay, your next question is from a caller. Press star one.")
    found = roles(("Bo Vik", "Welcome."), floor, ("Cy Dow", "Hi."))
    assert (found["Ina Kay"], found["Cy Dow"]) == ("operator", "analyst")


def test_the_words_start_and_starting_make_no_operator():
    assert roles(("Eva Roy", "The outlook is starting to improve."))["Eva Roy"] == "unknown"


def test_questions_ask_for_the_speaker_and_for_a_known_role():
    questions = load(call()).questions
    assert {each.answer_type for each in questions} == {"speaker"}
    asked = {(each.category, each.answers) for each in questions}
    assert ("speaker", ("Piet Okafor",)) in asked
    assert ("role", ("executive",)) in asked
    assert ("speaker", ("Milo Hart",)) in asked


def test_every_quotation_stands_in_the_judged_turn_alone():
    loaded = load(call())
    texts = {each.passage_id: folded(each.text) for each in loaded.passages}
    judged = {each.question_id: each.passage_id for each in loaded.judgments}
    for question in loaded.questions:
        sought = folded(quotation_of(question.question_text))
        holders = [turn for turn, text in texts.items() if sought in text]
        assert holders == [judged[question.question_id]]


def test_a_quotation_names_no_speaker():
    names = {word for name, _, _ in TURNS for word in name_words(name)}
    quoted = [folded(quotation_of(each.question_text)).split() for each in load(call()).questions]
    assert not any(names & set(words) for words in quoted)


def test_a_sentence_said_twice_is_not_asked_about():
    said = HARVEST.split(". ")[1] + "."
    echo = [*TURNS, ("Milo Hart", "3", f"You said this. {said}")]
    before = [each for each in load(call()).questions if said in each.question_text]
    after = [each for each in load(call(echo)).questions if said in each.question_text]
    assert (len(before), after) == (2, [])


@pytest.mark.parametrize(
    ("turns", "reason"),
    [
        ([*TURNS, ("Piet Okafor", "9", "Hello.")], "ambiguous"),
        ([*TURNS, ("Okafor", "9", "Hello.")], "ambiguous"),
        (
            [(name if key != "2" else "Speaker 2", key, words) for name, key, words in TURNS],
            "nameless",
        ),
    ],
)
def test_speakers_who_cannot_be_told_apart_are_left_out_and_counted(turns, reason):
    loaded = load(call(turns))
    assert not any("ladders doubled" in each.question_text for each in loaded.questions)
    assert json.loads(loaded.original)["left_out"][reason] >= 1


def test_operators_are_not_asked_about():
    words = "You may register for the replay until midnight on the website of the registrar."
    turns = [*TURNS, ("Olga Brandt", "8", f"Please press star one. {words}")]
    assert not any("midnight" in each.question_text for each in load(call(turns)).questions)
    turns[-1] = ("Olga Brandt", "8", words)
    assert any("midnight" in each.question_text for each in load(call(turns)).questions)


def test_the_same_call_gives_the_same_questions():
    assert load(call()) == load(call())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"id": None}, "missing_field"),
        ({"turns": None}, "missing_field"),
        ({"turns": []}, "bad_field"),
        ({"turns": "a"}, "bad_field"),
        ({"turns": ["a"]}, "bad_field"),
        ({"turns": [{"speaker": "A"}]}, "missing_field"),
        ({"turns": [{"speaker": "A", "speech": 7}]}, "bad_field"),
        ({"turns": [{"speaker": ["A"], "speech": "a"}]}, "bad_field"),
    ],
)
def test_a_broken_call_names_its_fault(change, code):
    with pytest.raises(RecordFaultError) as caught:
        load({**call(), **change})
    assert caught.value.code == code


CHUNK = {"doc_id": "d1", "doc_type": "transcript", "text": "Hello.", "speaker": "Ann Lee"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"role": "CFO"}, ("d1#turn-0", "turn", None, "cfo")),
        ({}, ("d1#turn-0", "turn", None, "unknown")),
        ({"doc_type": "slides", "slide": 3, "speaker": None}, ("d1#page-0", "page", 2, None)),
        ({"doc_type": "release", "page": 0, "speaker": None}, ("d1#page-0", "page", 0, None)),
        ({"doc_type": "release", "speaker": None}, ("d1#text-0", "text", None, None)),
        ({"chunk_id": "k7"}, ("d1#k7", "turn", None, "unknown")),
        ({"chunk_index": 4}, ("d1#turn-4", "turn", None, "unknown")),
    ],
)
def test_a_chunk_of_a_manifest_is_a_passage(change, expected):
    (passage,) = load({**CHUNK, **change}).passages
    assert (passage.passage_id, passage.space, passage.page, passage.role) == expected


def test_a_chunk_without_a_document_takes_its_folder():
    record = {name: value for name, value in CHUNK.items() if name != "doc_id"}
    source = Source("earnings_calls", "chunks/d7/chunk_manifest.jsonl", 1)
    assert load_transcript(record, source).passages[0].document_id == "d7"


@pytest.mark.parametrize(
    "change", [{"text": ""}, {"doc_type": "poem"}, {"slide": 0}, {"page": -1}, {"chunk_index": "x"}]
)
def test_a_broken_chunk_is_a_fault(change):
    with pytest.raises(RecordFaultError):
        load({**CHUNK, **change})


def test_real_calls_load_whole():
    path = SHARED / "transcripts/earnings21.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is absent; set FINRAG_SHARED_DATA to the data it is part of")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        loaded = [load(json.loads(line)) for line in lines]
    passages = [each for call_ in loaded for each in call_.passages]
    assert (len(loaded), len(passages)) == (26, 1785)
    known = Counter(each.role for each in passages)
    assert known["unknown"] < 0.1 * len(passages)
    assert sum(len(call_.questions) for call_ in loaded) > 400

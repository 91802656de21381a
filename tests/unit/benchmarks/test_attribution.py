"""Verdicts on who said it, and the two answerers that need no model."""

import pyarrow as pa
import pytest

from finrag.scoring.speakers import (
    VERDICT_SCHEMA,
    most_frequent_speaker,
    score_attribution,
    score_attributions,
)
from finrag.text.people import is_nameless, name_words, same_person
from finrag.text.quotations import quotation_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Ann Lee", ("ann", "lee")),
        ("Dr. Ann M. Lee, Jr.", ("ann", "m", "lee")),
        ("Lee, Ann", ("ann", "lee")),
        ("Ms Lee", ("lee",)),
        ("José  Núñez", ("jose", "nunez")),
        ("Joc O’Rourke", ("joc", "o'rourke")),
        ("Jean-Luc Roy", ("jean-luc", "roy")),
        ("Miss", ("miss",)),
        ("", ()),
    ],
)
def test_words_of_a_name(name, words):
    assert name_words(name) == words


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ann Lee", "ann lee", True),
        ("Ann Lee", "Lee, Ann", True),
        ("Ann Lee", "Ms. Ann Lee", True),
        ("Ann Lee", "Ann Marie Lee", True),
        ("Ann Lee", "A. Lee", True),
        ("Ann Lee", "Ann L.", True),
        ("Ann M. Lee", "Ann Marie Lee", True),
        ("Ann Marie Lee", "Ann Paula Lee", False),
        ("Ann Lee", "B. Lee", False),
        ("Ann Lee", "Lee", False),
        ("Ann Lee", "Ann", False),
        ("Ann", "Ann", True),
        ("Bill Lee", "William Lee", False),
        ("Ann Lee", "Ann Leigh", False),
        ("A. L.", "Ann Lee", False),
        ("", "", False),
    ],
)
def test_two_names_of_one_person(one, other, same):
    assert same_person(one, other) is same
    assert same_person(other, one) is same


@pytest.mark.parametrize(
    ("label", "nameless"),
    [
        (None, True),
        ("", True),
        ("Speaker 4", True),
        ("Unidentified Analyst", True),
        ("Operator", True),
        ("Ann", False),
        ("Ann Lee", False),
    ],
)
def test_labels_that_name_nobody(label, nameless):
    assert is_nameless(label) is nameless


FIELDS = [
    ("Ann Lee", None, "Ann Lee", None, "correct"),
    ("Ann Lee", None, "Bo Vik", None, "wrong_speaker"),
    ("Ann Lee", None, "", None, "not_said"),
    ("Ann Lee", None, "Ann Lee, CFO", None, "correct"),
    ("Ann Lee", None, "someone else", None, "wrong_speaker"),
    ("Ann Lee", None, None, "executive", "not_said"),
    ("Ann Lee", "executive", "Ann Lee", "analyst", "wrong_role"),
    ("Ann Lee", "executive", "Ann Lee", "CEO", "correct"),
    ("Ann Lee", "executive", "Ann Lee", None, "correct"),
    ("Ann Lee", "executive", "Bo Vik", "executive", "wrong_speaker"),
    (None, "analyst", None, "Analyst", "correct"),
    (None, "analyst", None, "operator", "wrong_role"),
    (None, "analyst", "Ann Lee", None, "not_said"),
]


@pytest.mark.parametrize(("speaker", "role", "said", "said_role", "verdict"), FIELDS)
def test_verdicts_on_fields(speaker, role, said, said_role, verdict):
    assert score_attribution(speaker, role, said, said_role) == verdict


TEXTS = [
    ("Ann Lee", "correct"),
    ("It was Ann Lee.", "correct"),
    ("The sentence was said by Ann Marie Lee, the CFO.", "correct"),
    ("Lee, Ann", "correct"),
    ("Bo Vik said it.", "wrong_speaker"),
    ("Either Ann Lee or Bo Vik.", "wrong_speaker"),
    ("Bo Vik, in reply to Ann Lee.", "wrong_speaker"),
    ("Ann Lee, in reply to Bo Vik.", "correct"),
    ("It was Ann Lee, not Bo Vik.", "correct"),
    ("I do not know.", "not_said"),
    ("The chief financial officer.", "not_said"),
    ("Ms. Lee said it.", "correct"),
    ("Mr. Vik said it.", "wrong_speaker"),
    ("Lee said it.", "not_said"),
    ("Joann Lee", "not_said"),
    ("Ann Leeds said it.", "not_said"),
    (" ", "not_said"),
    (None, "not_said"),
]


@pytest.mark.parametrize(("answer", "verdict"), TEXTS)
def test_verdicts_on_free_text(answer, verdict):
    found = score_attribution("Ann Lee", None, answer=answer, speakers=["Ann Lee", "Bo Vik"])
    assert found == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("It was not Ann Lee.", "not_said"),
        ("It wasn't Ann Lee but Bob Ray.", "wrong_speaker"),
        ("Bob Ray rather than Ann Lee.", "wrong_speaker"),
        ("Ann Lee, not Bob Ray.", "correct"),
        ("It was Ann Lee and never, I think, Bob Ray.", "correct"),
        ("It is not clear. Ann Lee said so.", "correct"),
    ],
)
def test_a_name_that_is_denied_is_not_said(answer, verdict):
    speakers = ["Ann Lee", "Bob Ray"]
    assert score_attribution("Ann Lee", None, None, None, answer, speakers) == verdict


@pytest.mark.parametrize(
    ("field", "verdict"),
    [
        ("Ann Lee", "correct"),
        ("Ann Lee, President and CEO", "correct"),
        ("Ann Lee, Senior Vice President and General Manager", "correct"),
        ("Ann Lee and Bob Smith", "wrong_speaker"),
        ("Ann Lee or Bob Smith or Carl Doe", "wrong_speaker"),
        ("Ann Lee; Bob Smith", "wrong_speaker"),
    ],
)
def test_a_field_that_names_two_people_names_none(field, verdict):
    assert score_attribution("Ann Lee", None, field, None, None) == verdict


def test_a_surname_that_two_speakers_have_names_neither():
    speakers = ["Ann Lee", "Bo Lee"]
    assert score_attribution("Ann Lee", None, answer="Ms. Lee", speakers=speakers) == "not_said"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("An executive.", "correct"),
        ("The CFO of the company", "correct"),
        ("An analyst.", "wrong_role"),
        ("An analyst or an executive.", "wrong_role"),
        ("Somebody.", "not_said"),
    ],
)
def test_verdicts_on_a_role_in_free_text(answer, verdict):
    assert score_attribution(None, "executive", answer=answer) == verdict


def test_without_gold_there_is_no_verdict():
    with pytest.raises(ValueError, match="neither gold_speaker nor gold_role"):
        score_attribution(None, "")


@pytest.mark.parametrize(
    ("question", "quotation"),
    [
        ('Who said: "Sales rose"?', "Sales rose"),
        ("Who said “Sales rose”?", "Sales rose"),
        ('On the "Q1" call, who said "Sales rose again"?', "Sales rose again"),
        ("Who spoke first?", None),
    ],
)
def test_the_quotation_of_a_question(question, quotation):
    assert quotation_of(question) == quotation


@pytest.mark.parametrize(
    ("speakers", "most"),
    [(["b", "a", "b"], "b"), (["b", "a"], "a"), ([None, None, "a"], "a"), ([], None)],
)
def test_the_null_answerer_names_who_has_most_turns(speakers, most):
    assert most_frequent_speaker(speakers) == most


def asked(**fields):
    names = ("question_id", "gold_speaker", "gold_role", "speaker", "role", "answer", "speakers")
    return pa.Table.from_pylist([{**dict.fromkeys(names), "question_id": "q", **fields}])


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"gold_speaker": "Ann Lee", "speaker": "Lee, Ann"}, "correct"),
        ({"gold_speaker": "Ann Lee", "answer": "Ms. Lee", "speakers": ["Ann Lee"]}, "correct"),
        ({"gold_speaker": "Ann Lee"}, "not_said"),
        ({"gold_role": "analyst", "role": "operator"}, "wrong_role"),
    ],
)
def test_a_table_of_attributions_is_scored_row_by_row(fields, verdict):
    found = score_attributions(asked(**fields))
    assert found.schema == VERDICT_SCHEMA
    expected = {"question_id": "q", "verdict": verdict, "is_correct": verdict == "correct"}
    assert found.to_pylist() == [expected]


def test_a_question_without_gold_is_named():
    with pytest.raises(ValueError, match="question q: there is neither"):
        score_attributions(asked())

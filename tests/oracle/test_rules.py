"""The rules that make right answers and planted faults, on invented questions."""

from decimal import Decimal

import pytest

from tests.oracle import faults, voices
from tests.oracle.scoring import read_systems
from tests.oracle.voices import figure, reworded_text
from tests.warehouse.mutants import KINDS, Corpus, oracle, seeded

PLACE = "0000000007_10-K_2021_section_7_{}"
TAX = {
    "item_id": "p3:A1",
    "question_text": "What was Alder Works' income tax expense in fiscal 2021?",
    "category": "A",
    "answer_type": "numeric",
    "answer_text": "$33.6 million",
    "answer_numeric": 33_600_000.0,
    "answer_unit": "USD",
    "tolerance": 50_000.0,
    "company_name": ["Alder Works, Inc."],
    "cik_int": [7],
    "years": [2021],
    "evidence_sentence_ids": [PLACE.format(4)],
}
EARLIER = {**TAX, "item_id": "p3:A2", "answer_text": "$30.4 million", "years": [2020]}
EARLIER["answer_numeric"] = 30_400_000.0
BIRCH = {**TAX, "item_id": "p3:A3", "answer_text": "$9.1 million", "cik_int": [8]}
BIRCH |= {"company_name": ["Birch Foods"], "answer_numeric": 9_100_000.0}
BIRCH["question_text"] = "What was Birch Foods' income tax expense in fiscal 2021?"
CHANGE = {
    **TAX,
    "item_id": "p3:N1",
    "category": "N",
    "answer_text": "Down by $1,200,000, from $5.4 million in fiscal 2020 to $4.2 million in "
    "fiscal 2021.",
    "answer_numeric": -1_200_000.0,
    "years": [2020, 2021],
}
CAUSE = {
    **TAX,
    **{"item_id": "p3:B1", "category": "B", "answer_type": "span"},
    "answer_text": "repayments of our term loan and advance payments to Oak Mills",
    **dict.fromkeys(["answer_numeric", "answer_unit", "tolerance"]),
}
YEARS = {**CAUSE, "item_id": "p3:D1", "category": "D"}
YEARS |= {"answer_text": "2020: lower sales; 2021: larger stocks", "years": [2020, 2021]}
LIST = {**CAUSE, "item_id": "p3:F1", "category": "F", "answer_type": "list"}
LIST["answer_text"] = '["Mills","Our ports","Sun"]'
NO = {**CAUSE, "item_id": "p3:G1", "category": "G", "answer_type": "boolean"}
NO["answer_text"] = (
    "No. Its MD&A speaks of weather but does not explicitly attribute the change in total debt to "
    "this."
)
ABSENT = {**CAUSE, "item_id": "p3:J1", "category": "J", "answer_type": "no_answer"}
ABSENT |= {"answer_text": "Not disclosed.", "evidence_sentence_ids": []}
CORPUS = Corpus(
    [TAX, EARLIER, BIRCH, CHANGE, CAUSE, YEARS, LIST, NO, ABSENT],
    [
        {"sentence_id": PLACE.format(n), "sentence_text": f"Income taxes were ${n} million."}
        for n in range(60)
    ],
)


def changed(rules, name, question):
    rng = seeded(name, question["item_id"])
    return getattr(rules, name)(oracle(question, CORPUS), question, CORPUS, rng)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (CAUSE, ("paying back its term loan", "prepayments to Oak Mills", "Alder Works")),
        (YEARS, ("Fiscal 2021: bigger stocks. ", "Fiscal 2020: lower sales.")),
        (LIST, ("They are Sun, Its ports and Mills.",)),
        (NO, ("It does not: weather are mentioned", "a reason for total borrowings.")),
        (CHANGE, ("It fell by ", ": $4.2 million in fiscal 2021, after $5.4 million")),
        (TAX, (" in fiscal 2021.",)),
    ],
)
def test_another_voice_says_the_same_in_other_words(question, said):
    answer = changed(voices, "another_voice", question)
    right = oracle(question, CORPUS)
    assert all(words in answer["predicted"] for words in said), answer
    assert question["answer_text"] not in answer["predicted"]
    assert (answer["citations"], answer["ranking"]) == (right["citations"], right["ranking"])


def test_a_refusal_in_words_has_no_flag():
    answer = changed(voices, "another_voice", ABSENT)
    assert set(answer) == {"id", "ranking", "predicted"}
    assert set(changed(voices, "bare_declining", ABSENT)) == {"id", "abstained"}


@pytest.mark.parametrize(
    ("unit", "value", "forms"),
    [
        (
            "USD",
            "33600000",
            {
                "$33,600,000",
                "33.6 million dollars",
                "about USD 33.6 million",
                "33,600 thousand dollars",
                "about $0.0336 billion",
            },
        ),
        (
            "USD_per_share",
            "-0.7",
            {"minus 70 cents a share", "minus 0.70 dollars per share", "about minus $0.70"},
        ),
        ("percent", "12.50", {"12.5 percent", "about 12.5 %"}),
        ("days", "1200", {"1,200"}),
    ],
)
def test_a_figure_keeps_its_value_in_each_form(unit, value, forms):
    assert {figure(Decimal(value), unit, seeded(n)) for n in range(200)} == forms


def test_a_word_that_was_put_in_is_not_replaced_again():
    assert reworded_text("net income before taxes, less fees excluding rent") == (
        "net profit excluding taxes, minus fees leaving out rent"
    )


@pytest.mark.parametrize(
    ("rule", "question", "text"),
    [
        ("denied", TAX, "It is not true that the answer is: $33.6 million."),
        ("hedged", TAX, "Either $33.6 million or $30.4 million."),
        ("hedged", NO, "Yes and no. " + NO["answer_text"].removeprefix("No. ")),
        ("half_of_it", TAX, "It was half of $33,600,000."),
        ("other_digit", TAX, "$９33,600,000"),
        ("text_against_number", TAX, "$46,032,000"),
        ("other_digit", CHANGE, "-$９1,200,000"),
        ("of_another_company", TAX, "$9.1 million"),
        ("said_of_another_company", TAX, "Birch Foods: $33.6 million"),
        ("of_another_year", TAX, "$30.4 million"),
        ("half_of_the_causes", YEARS, "2020: lower sales"),
        ("half_of_the_causes", CAUSE, "repayments of our term loan"),
    ],
)
def test_a_fault_changes_the_text_alone(rule, question, text):
    answer = changed(faults, rule, question)
    right = oracle(question, CORPUS)
    assert answer["predicted"] == text
    assert (answer["citations"], answer["ranking"]) == (right["citations"], right["ranking"])


@pytest.mark.parametrize(
    ("rule", "question"),
    [
        ("half_of_it", CAUSE),
        ("of_another_company", LIST),
        ("of_another_year", CHANGE),
        ("half_of_the_causes", TAX),
    ],
)
def test_a_fault_that_cannot_be_planted_changes_nothing(rule, question):
    assert changed(faults, rule, question) is None


def test_a_neighbour_of_the_evidence_is_cited():
    answer = changed(faults, "neighbours_cited", TAX)
    assert answer["citations"] == [{"sentence_id": PLACE.format(5)}]


def test_all_of_another_record_stands_in_for_one():
    answer = changed(faults, "shuffled", TAX)
    assert answer["id"] == TAX["item_id"]
    assert answer["predicted"] == BIRCH["answer_text"]
    twice = changed(faults, "answered_twice", TAX)
    assert [one["predicted"] for one in twice] == ["$33.6 million", "$9.1 million"]


def test_a_change_of_direction_is_whole():
    flipped = next(kind for kind in KINDS if kind.name == "direction_flipped")
    record = flipped.change(oracle(CHANGE, CORPUS), CHANGE, CORPUS, None)
    assert record["predicted"] == "Up by $1,200,000"


def test_each_rule_is_used():
    used = {name for system in read_systems() for name in system.changes}
    rules = {
        name
        for name, rule in vars(faults).items()
        if getattr(rule, "__module__", "") == faults.__name__ and not name.startswith("_")
    }
    assert rules <= used

"""What a clause states, and whether two statements about one thing can both hold."""

import pytest

from finrag.scoring.strict.words import asks_for_figure, check_words
from finrag.text.likeness import best_matches, is_ordinary, likeness
from finrag.text.statements import (
    contradiction,
    is_of_another_line,
    read_statement,
    read_statements,
)


def test_words_of_like_meaning_are_near_and_others_far():
    near, far = best_matches(["bought", "bought"], ["purchased"]), best_matches(["bought"], ["fog"])

    assert near[0] == near[1] > 0.6 > 0.4 > far[0]
    assert best_matches(["stores"], ["store"]) == [1.0]
    assert best_matches([], ["store"]) == []
    assert best_matches(["store"], []) == [0.0]
    assert likeness([], ["store"]) == 0.0


def test_a_made_up_name_is_no_ordinary_word():
    assert is_ordinary("traffic")
    assert not is_ordinary("castelwyn")


@pytest.mark.parametrize(
    ("text", "direction", "n_denials", "certainty"),
    [
        ("Sales grew 5%", 1, 0, "fact"),
        ("Sales fell while costs rose", 0, 0, "fact"),
        ("Sales did not fall", -1, 1, "fact"),
        ("Sales may fall", -1, 0, "may"),
        ("We expect sales to fall", -1, 0, "plan"),
        ("The issuer must repay the notes", 0, 0, "must"),
        ("Stores made up half of the total", 0, 0, "fact"),
    ],
)
def test_a_clause_has_direction_denials_and_certainty(text, direction, n_denials, certainty):
    one = read_statement(text)

    assert (one.direction, one.n_denials, one.certainty) == (direction, n_denials, certainty)


def test_a_clause_without_a_subject_belongs_to_the_one_before():
    assert [one.text for one in read_statements("Sales rose, in 2021, while costs fell.")] == [
        "Sales rose, in 2021",
        "costs fell",
    ]


RATES = "The term loan bears interest at a fixed rate, while the revolver has a variable rate."


@pytest.mark.parametrize(
    ("claim", "cited", "told"),
    [
        ("Basic earnings per share were up.", "Diluted earnings per share were up.", "basic"),
        ("Diluted earnings per share were up.", "Diluted earnings per share were up.", None),
        ("The term loan has a variable rate of interest.", RATES, "variable"),
        ("The revolver has a variable rate.", RATES, None),
        ("Production of oil rose in 2021.", "Oil production slipped in 2021.", "what rises"),
        ("The plant was sold.", "The plant was not sold in 2021.", "denies"),
        (
            "Approval of the drug was delayed.",
            "Approval of the drug could be delayed.",
            "may happen",
        ),
        ("Approval of the drug could be delayed.", "Approval of the drug could be delayed.", None),
        ("Cash provided by operations: -$7 million", "Cash used in operations: $7 million", None),
        (
            "Net sales in fiscal 2023: $5 million",
            "Net sales were $5 million to May 31, 2023.",
            None,
        ),
        ("All suppliers are located abroad.", "Some suppliers are located abroad.", "all"),
        ("The notes fall due before May.", "The notes fall due after May.", "before"),
        ("Sales of tires were above plan.", "Sales of tires were below plan.", "above"),
        ("More than half of staff joined.", "Less than half of staff joined.", "more"),
        ("The notes fall due before May.", "The notes fall due before May.", None),
        ("Net sales did not increase.", "Net sales decreased.", None),
        ("Net sales decreased.", "Net sales did not decrease.", "denies"),
        ("The group has three segments.", "The group reports four segments.", "count 4"),
        ("The group has four segments.", "The group reports four segments.", None),
        ("Dividends were paid in June.", "Rainfall was heavy in the north.", None),
    ],
)
def test_a_claim_contradicts_what_is_said_of_the_same_thing(claim, cited, told):
    found = contradiction(claim, [cited])

    assert found is None if told is None else told in (found or "")


def test_a_number_that_was_worked_out_counts_nothing():
    cited = ["It made 312 ounces in 2023 and 335 ounces in 2022."]

    assert contradiction("Output fell by 23 ounces.", cited) is not None
    assert contradiction("Output fell by 23 ounces.", cited, frozenset([23.0])) is None


@pytest.mark.parametrize(
    ("said", "asked", "is_other"),
    [
        ("net sales were", "What was net income?", True),
        ("the cost of goods sold was", "What is the COGS?", False),
        ("the statutory tax rate was", "What was the effective tax rate?", True),
        ("total liabilities were", "What was total debt?", True),
        ("it came to", "What was total debt?", False),
        ("revenue was", "What was revenue, by the statement of income?", False),
    ],
)
def test_a_figure_may_be_of_another_line(said, asked, is_other):
    assert is_of_another_line(said, asked) is is_other


IMPROVES = "Does Tarrow have an improving gross margin as of FY2022?"


@pytest.mark.parametrize(
    ("text", "gold", "question", "expected"),
    [
        ("The gross margin of Tarrow has declined.", "No. It fell.", IMPROVES, (True, "same_word")),
        ("Gross margin improved at Tarrow.", "No. It fell.", IMPROVES, (False, "other_word")),
        ("Tarrow's gross margin did not improve.", "No.", IMPROVES, (True, "same_word")),
        ("Yes, it improved from 26% to 27%.", "Yes, from 20% to 21%.", IMPROVES,
         (False, "contradicted")),
        ("Yes. The gross margin was 26%.", "Yes. The gross margin was 20%.", IMPROVES,
         (False, "contradicted")),
        ("The filing does not say so.", "Yes", IMPROVES, (False, "refusal")),
        ("Rain fell.", "Yes", IMPROVES, (None, "undecided")),
        ("The Consumer Health segment.", "The Consumer Health business", "Which segment was sold?",
         (True, "named")),
        ("The Medical Devices segment.", "The Consumer Health business", "Which segment was sold?",
         (False, "not_named")),
        ("Sales rose 3% there, against a fall of 0.6%.", "US sales: up 3%, others: down 0.6%.",
         "How did sales compare?", (True, "figures")),
        ("I cannot answer.", "Customer deposits", "Which liability is largest?",
         (False, "refusal")),
        ("Something else altogether.", "There are none", "Which securities are listed?",
         (None, "undecided")),
    ],
)  # fmt: skip
def test_an_answer_in_words_beside_its_gold(text, gold, question, expected):
    found = check_words(text, gold, question)

    assert (found.is_right, found.verdict) == expected


def test_what_asks_for_a_figure():
    assert asks_for_figure("How much did it pay?")
    assert asks_for_figure("What is the quick ratio?")
    assert not asks_for_figure("What is the nature of the liability?")

"""Golds that say which way something went: met by the same direction, never by the other."""

from itertools import product

import pytest

from finrag.scoring.strict.directions import opposition
from finrag.scoring.strict.figures import check_figure
from finrag.scoring.strict.words import check_words


def is_right(text, gold, question, executed=None):
    found = check_figure(text, [gold], question, executed)
    if found.verdict == "gold_is_no_figure":
        return check_words(text, gold, question).is_right
    return found.is_right


QUESTIONS = (
    "What was the percentage change in revenue in 2023?",
    "How did revenue develop in 2023?",
    "By what percent did revenue decrease in 2023?",
)
FALLS = (
    *("Decreased by 41 %", "Revenue fell 41%.", "A decrease of 41%", "Down 41%", "41% lower"),
    *("Revenue declined by 41% compared to 2022.", "A 41% decline", "It shrank by 41%."),
)
SAME = (
    *("It decreased by 41%.", "Revenue fell by 41 percent.", "-41%", "(41)%", "Down 41%."),
    *("A 41% decline.", "It was 41% lower.", "Revenue went down by 41%.", "Answer: -41%"),
    "It fell from $100 million to $59 million, a drop of 41%.",
    "It did not increase; it decreased by 41%.",
)
OTHER = (
    *("It increased by 41%.", "Revenue rose by 41 percent.", "+41%", "Up 41%.", "It grew 41%."),
    *("A 41% increase.", "It was 41% higher.", "Revenue went up by 41%.", "Answer: up 41%"),
    "It rose from $59 million to $100 million, a jump of 41%.",
    "It did not decrease by 41%.",
)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("gold", FALLS)
def test_a_fall_is_met_by_a_fall_in_any_words_and_by_no_rise(gold, question):
    assert [text for text in (gold, *SAME) if not is_right(text, gold, question)] == []
    assert [text for text in OTHER if is_right(text, gold, question)] == []


def test_a_rise_is_met_by_a_rise_and_by_no_fall():
    golds = ("Increased by 41 %", "It grew by 41%.", "Up 41%", "An increase of 41%")
    asked = QUESTIONS[:2]
    rises = (*OTHER[:-1], "41%")
    assert [one for one in product(rises, golds, asked) if not is_right(*one)] == []
    assert [one for one in product(SAME, golds, asked) if is_right(*one)] == []


@pytest.mark.parametrize(
    "text",
    [
        *("Revenue growth was -41%.", "Revenue grew by -41%.", "The growth rate is (41)%."),
        *(
            "2022 revenue was 41% higher than 2023 revenue.",
            "Revenue in 2022 exceeded that of 2023 by 41%.",
        ),
        "In 2022 revenue was 41% higher than in 2023.",
        *("The year before, revenue was 41% higher.", "In 2022, it was 41% higher than in 2023."),
        *("Revenue in FY22 was 41% higher than in FY23.", "It was 41% higher in the prior year."),
    ],
)
def test_a_fall_that_is_told_from_the_other_side_is_right(text):
    question = "How did revenue develop in 2023?"
    for gold in ("Revenue decreased by 41% in 2023.", "Decreased by 41 %"):
        assert opposition(text, gold) is None
    assert is_right(text, "Revenue decreased by 41% in 2023 to $59 million.", question) is not False


def test_a_comparison_with_the_earlier_year_tells_of_the_later():
    text = "In 2023 revenue was $5 million higher than in 2022."
    assert opposition(text, "Revenue decreased by $5 million in 2023.") is not None
    assert opposition("Revenue was higher in 2022.", "Revenue decreased.") is None
    for text in (
        "Revenue was 41% higher than a year earlier.",
        "Revenue was 41% higher over 2022.",
    ):
        assert not is_right(text, "Decreased by 41 %", QUESTIONS[0])


def test_a_figure_without_a_direction_stays_right():
    assert is_right("41%", "Decreased by 41 %", QUESTIONS[0])


@pytest.mark.parametrize(
    ("gold", "question", "right", "wrong"),
    [
        (
            "Decreased to $41 million",
            "What was revenue in 2023?",
            (
                "$41 million",
                "It fell to $41 million.",
                "It was $41 million, down from $50 million.",
            ),
            (
                "It rose to $41 million.",
                "$41 million, up from $30 million.",
                "It fell by $41 million.",
            ),
        ),
        (
            "Revenue decreased by 5% to $95 million due to lower volume and higher prices.",
            "How did revenue develop, and why?",
            (
                "Revenue fell 5% to $95 million as volume was lower, though prices were higher.",
                "Lower volume reduced revenue by 5% to $95 million.",
                "Volume declined, prices rose, and revenue decreased 5% to $95 million.",
            ),
            (
                "Revenue increased by 5% to $95 million due to lower volume and higher prices.",
                "Revenue did not decrease by 5% to $95 million.",
            ),
        ),
        (
            "The increase in expenses was driven by higher card rewards.",
            "What drove the change in expenses?",
            ("Card rewards were higher, which increased expenses.",),
            ("The decrease in expenses was driven by higher card rewards.",),
        ),
        (
            "No. Gross margin declined by 0.8%.",
            "Did gross margin improve?",
            ("No.", "No, gross margin did not improve; it decreased by 0.8%.", "No, it fell 0.8%."),
            ("No, it rose by 0.8%.", "No. Gross margin improved by 0.8%."),
        ),
        (
            "No, the company is not one of high growth, as sales grew by 1.3%.",
            "Is it a company of high growth?",
            ("No, sales increased by only 1.3%.",),
            (),
        ),
        (
            "The net loss narrowed by $5 million.",
            "How did the net loss develop?",
            ("The net loss improved by $5 million.", "The net loss decreased by $5 million."),
            ("The net loss widened by $5 million.", "The net loss increased by $5 million."),
        ),
        ("It was reduced.", "How did staff change?", ("It was cut.",), ("It was expanded.",)),
        (
            "It serves more than 200 countries.",
            "How many countries does it serve?",
            ("No fewer than 200 countries, so more than 200 countries.", "Over 200 countries"),
            ("It serves less than 200 countries.",),
        ),
        (
            "It had an unrealized loss of $3 million on U.S. securities and $4 million on others.",
            "What did it record on securities?",
            ("An unrealized loss of $3 million on U.S. and $4 million on other securities.",),
            ("An unrealized gain of $3 million on U.S. and $4 million on other securities.",),
        ),
        (
            "Growth in earnings slowed from 3.6% in 2022 to 3.5% in 2023.",
            "How did growth in earnings develop?",
            ("Earnings grew 3.5% in 2023 after 3.6% in 2022, so growth slowed.",),
            ("Growth in earnings accelerated from 3.6% in 2022 to 3.5% in 2023.",),
        ),
    ],
)
def test_the_same_direction_is_right_and_the_other_wrong(gold, question, right, wrong):
    assert [text for text in (gold, *right) if not is_right(text, gold, question)] == []
    assert [text for text in wrong if is_right(text, gold, question)] == []


def test_a_printed_size_goes_the_way_of_its_program():
    question = "What was the percentage change in revenue?"
    right = ("-58.6%", "58.6%", "It fell by 58.6%.")
    wrong = ("It rose by 58.6%.", "+58.6%")
    assert all(is_right(text, "58.6%", question, "-0.58621") for text in right)
    assert not any(is_right(text, "58.6%", question, "-0.58621") for text in wrong)
    assert is_right("It rose by 58.6%.", "58.6%", question, "0.58621")


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        # Another year, a possibility, a question, another thing, or the same said elsewhere.
        ("Margin rose from 2020 to 2021.", "Margin fell from 2021 to 2022."),
        ("Margin may rise.", "Margin fell."),
        ("To see whether margin rose, add the two.", "Margin fell."),
        ("Costs rose.", "Margin fell."),
        ("Margin rose in Europe. Margin fell overall.", "Margin fell."),
        ("It lends up to $5 million.", "It lends $5 million less."),
        ("", "Margin fell."),
        ("Margin rose.", ""),
    ],
)
def test_nothing_is_against_the_gold(text, gold):
    assert opposition(text, gold) is None


def test_the_reason_shows_both():
    assert opposition("Gross margin rose.", "Gross margin fell.") == (
        "'Gross margin rose', not 'Gross margin fell'"
    )


def test_a_long_answer_is_read_in_a_moment():
    assert opposition("sales fell and rose " * 5_000, "Sales fell 5%. " * 500) is None

"""Which figure, yes or no concludes an answer: the usual ways of saying "this is my answer"."""

from __future__ import annotations

import pytest

from finrag.scoring.numbers import RIGHT, Answered, Expected, check_number
from finrag.scoring.strict.figures import check_figure
from finrag.scoring.strict.words import check_words

QUESTION = "What was the operating margin of Corbel Yards in fiscal 2022?"
MONEY = "What was Corbel Yards' operating income in fiscal 2022?"
# Steps of a calculation whose figures are not the answer.
STEPS = "Operating income was 590 and sales were 1,441. The margin before was 37.5%."
FORMATS = (
    "Answer: {}",
    "answer: {}",
    "ANSWER: {}.",
    "Final answer: {}",
    "Final Answer: The margin was {}.",
    "**Answer:** {}",
    "**Answer**: {}",
    "**Final Answer: {}**",
    "### Answer\n{}",
    "## Final answer\n\n{}",
    "Answer:\n{}",
    "**Answer**\n\nThe margin was {}.",
    "The answer is {}.",
    "The answer is: {}",
    "The final answer is {}.",
    "The correct answer is {}",
    "The answer would be {}.",
    "So the answer is {}",
    "My answer: {}",
    "Ans: {}",
    "A: {}",
    "Answer - {}",
    "Answer – {}",
    "answer — {}",
    "Answer = {}",
    "Result: {}",
    "Conclusion: {}",
    "#### {}",
    r"\boxed{{{}}}",
    r"$\boxed{{{}}}$",
    r"\[ \boxed{{\text{{{}}}}} \]",
    r"The answer is $\boxed{{{}}}$.",
    "Therefore, the margin was {}.",
    "Therefore: {}",
    "Thus {}.",
)


def judged(text: str, gold: float, unit: str, question: str) -> str:
    return check_number(Answered(text), Expected(gold, unit, question_text=question)).verdict


# A heading stands on a line of its own, anything else behind a space as well.
JOINED = [
    (said, joint)
    for said in FORMATS
    for joint in ("\n", "\n\n", " ")
    if joint != " " or not said.startswith(("#", "**Answer**\n"))
]


@pytest.mark.parametrize(("said", "joint"), JOINED)
def test_a_conclusion_counts_before_the_steps(said: str, joint: str) -> None:
    text = STEPS + joint + said
    assert judged(text.format("40.9%"), 40.9, "percent", QUESTION) in RIGHT
    # What is concluded is wrong, though a step is right.
    assert judged(text.format("12%"), 37.5, "percent", QUESTION) not in RIGHT
    # Sets whose golds are words.
    assert check_figure(text.format("40.9%"), ["40.9%"], QUESTION).is_right
    assert not check_figure(text.format("12%"), ["37.5%"], QUESTION).is_right


@pytest.mark.parametrize("said", FORMATS)
def test_what_follows_a_conclusion_takes_nothing_back(said: str) -> None:
    text = said.format("40.9%") + "\n\nWorking: 590 / 1,441 = 0.409. The year before it was 37.5%."
    assert judged(text, 40.9, "percent", QUESTION) in RIGHT


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        (r"Sales less costs give \boxed{\$1{,}577\text{ million}}", 1.577e9),
        (r"Costs were $900 million. $\boxed{\$1,577 \text{ million}}$", 1.577e9),
        ("Costs were $900 million.\nAnswer: -$12 million", -12e6),
        ("Costs were $900 million.\nAnswer: $(12) million", -12e6),
        ("Answer: $1,577 million\nThis is $900 million less than before.", 1.577e9),
        ("Answer: $5 million. Wait, costs count too.\nFinal answer: $4 million", 4e6),
        # "Answer" is no conclusion in these.
        ("Operating income was $4 million. The answer depends on costs of $9 million.", 4e6),
    ],
)
def test_amounts_that_are_concluded(text: str, gold: float) -> None:
    assert judged(text, gold, "USD", MONEY) in RIGHT


def test_an_answer_that_is_stated_counts_before_a_remark_with_therefore() -> None:
    text = "Answer: $4 million\nNote: the costs were therefore $9 million."
    assert judged(text, 4e6, "USD", MONEY) in RIGHT


@pytest.mark.parametrize("said", [one for one in FORMATS if "margin" not in one])
@pytest.mark.parametrize(("word", "other"), [("Yes", "No"), ("No", "Yes")])
def test_a_yes_or_no_that_is_concluded(said: str, word: str, other: str) -> None:
    text = "Sales are seasonal here.\n" + said.format(word)
    question = "Does Corbel Yards own its quarries?"
    assert check_words(text, word, question).is_right is True
    assert check_words(text, other, question).is_right is False


@pytest.mark.parametrize(
    "said",
    [
        "If no charge is disclosed, then the answer would be 0.",
        "Should the filing be silent, the answer would be 0.",
        "Unless the notes say otherwise, the final answer would be 0.",
    ],
)
def test_what_the_answer_would_be_is_no_answer(said: str) -> None:
    text = f"I cannot see the filing of 2022; look at note 4, item 11. {said}"
    assert judged(text, 0.0, "USD", MONEY) not in RIGHT
    concluded = "If 590 is divided by 1,441, the answer is 40.9%."
    assert judged(f"It was 37.5% before. {concluded}", 40.9, "percent", QUESTION) in RIGHT

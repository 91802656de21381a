"""Refusals in words that count as abstentions, and answers that only sound like them."""

import time

import pytest

from finrag.text.abstentions import is_abstention


@pytest.mark.parametrize(
    "text",
    [
        "The filing does not disclose Dunmoor's churn.",
        "I'm sorry, but I cannot determine the margin from these passages.",
        "Unfortunately, the 2022 10-K does not provide this.",
        "The passages do not mention a dividend. They only speak of buybacks in 2021.",
    ],
)
def test_nothing_but_a_refusal_is_an_abstention(text):
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "Steel and freight.",
        "Revenue was $5 million. The filing does not provide a segment breakdown.",
        "The filing does not provide the total, 45% of sales are named.",
        "No. The report does not contain material weaknesses.",
        "No, the filing does not disclose a material weakness.",
        "The main causes were steel and freight. The filing does not provide their shares.",
        "The filing does not state one cause. However, steel and freight rose.",
        "The filing does not state a cause. " + "Steel rose and freight fell. " * 60,
    ],
)
def test_an_answer_with_something_in_it_is_none(text):
    assert not is_abstention(text)


def test_a_figure_beside_the_words_is_an_answer():
    assert not is_abstention("The filing does not disclose it.", 5.0)


@pytest.mark.parametrize("unit", ["i am sorry ", ". ", "does not ", "filing ", "\n"])
def test_hostile_repetition_takes_little_time(unit):
    started = time.process_time()
    is_abstention(unit * 50_000)
    assert time.process_time() - started < 1

"""Answers that say that they cannot answer."""

from __future__ import annotations

import pytest

from finrag.text.refusals import is_refusal

PADDING = "Sales of hand tools rose in every region. " * 30


@pytest.mark.parametrize(
    "text",
    [
        "The filing does not disclose Dunmoor's churn.",
        "The text provided doesn't mention a dividend.",
        "I'm sorry, but I cannot find this figure.",
        "I do not have access to the 2022 report.",
        "It is not possible to calculate the ratio from these notes.",
        "The margin cannot be determined.",
        "There is no information about leases in the excerpt.",
        "As an AI model I hold no reports. Please refer to the latest 10-K.",
        "You would need to look at the cash flow statement.",
        "N/A",
        "Not disclosed.",
        "The amount is not disclosed in the filing.",
        "The churn of Dunmoor is not known.",
        "The context lacks this information.",
        "The 10-K is silent on churn.",
        "Insufficient evidence.",
        "The filing does not say.",
        "No relevant information found.",
        # Figures on the way to nothing.
        "Revenue was $5 million, but the cost of sales is not given, so it cannot be calculated.",
        # At the end of a long answer.
        PADDING + "Without these figures the margin cannot be calculated.",
    ],
)
def test_refusals(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Revenue was $5 million.",
        "No, Dunmoor did not pay a dividend.",
        "Dunmoor does not have any debt.",
        "The data do not show any growth.",
        "To calculate the margin, we need to know revenue and cost: it is 40%.",
        # What comes after an answer takes nothing back.
        "Revenue was $5 million. The filing does not provide a segment breakdown.",
        "No. The report does not contain material weaknesses.",
        "$5 million. Please refer to Note 5.",
        "The dividend was not increased.",
        # An aside in the middle of a long answer.
        PADDING + "The filing does not disclose churn. " + PADDING,
    ],
)
def test_answers_are_no_refusals(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize("text", ["the filing " * 20_000, "i do not " * 30_000, "no " * 90_000])
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert isinstance(is_refusal(text), bool)

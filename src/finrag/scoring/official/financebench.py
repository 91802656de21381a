"""FinanceBench: the three labels that people gave.

Source of the rules: Islam et al., "FinanceBench: A New Benchmark for Financial Question
Answering" (2023): an answer is a correct answer, an incorrect answer or a refusal; all three
shares are reported, by model and configuration (`eval_mode` of the published results).
"""

from __future__ import annotations

from typing import Final

CORRECT: Final = "Correct Answer"
INCORRECT: Final = "Incorrect Answer"
REFUSAL: Final = "Refusal"
LABELS: Final = (CORRECT, INCORRECT, REFUSAL)


def check_label(label: str) -> str:
    """A label, if it is one of the three.

    Args:
        label: The label.

    Returns:
        The same.

    Raises:
        ValueError: It is none of them, or written otherwise.
    """
    if label not in LABELS:
        raise ValueError(f"label {label!r} is unknown; use one of {', '.join(LABELS)}")
    return label

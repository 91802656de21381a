"""FinanceBench: three labels that people gave, and their shares by configuration.

Source of the rules: Islam et al., "FinanceBench: A New Benchmark for Financial Question
Answering" (2023): an answer is a correct answer, an incorrect answer or a refusal; all three
shares are reported. Source of the configurations: the fields `model_name`, `eval_mode` and `temp`
of the published results, and the prompts of the published notebook.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

CORRECT: Final = "Correct Answer"
INCORRECT: Final = "Incorrect Answer"
REFUSAL: Final = "Refusal"
LABELS: Final = (CORRECT, INCORRECT, REFUSAL)

# What the model was given, and whether the question or the context stood first in the prompt.
# The prompt of a retrieval library decides the order for both stores; none has a context.
_MODES: Final[dict[str, tuple[str, str | None]]] = {
    "closedBook": ("closed", None),
    "sharedStore": ("shared", None),
    "singleStore": ("single", None),
    "inContext": ("in_context", "question_first"),
    "inContext_reverse": ("in_context", "context_first"),
    "oracle": ("oracle", "question_first"),
    "oracle_reverse": ("oracle", "context_first"),
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """How a model was asked.

    Attributes:
        mode: `closed` (the question alone), `shared` (a store of all filings), `single` (a store
            of the one filing), `in_context` (the filing) or `oracle` (the pages of the evidence).
        order: `question_first` or `context_first` in the prompt; null where the mode has no
            context of its own.
    """

    mode: str
    order: str | None


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of the three labels; they add up to 1.

    Attributes:
        n: number of labelled answers.
        correct, incorrect, refusal: shares, 0..1; null where n is 0.
    """

    n: int
    correct: float | None
    incorrect: float | None
    refusal: float | None


def configuration(eval_mode: str) -> Configuration:
    """Read the name of a configuration.

    Args:
        eval_mode: As the results give it, such as `oracle_reverse`.

    Returns:
        Mode and order.

    Raises:
        ValueError: The name is none of those published.
    """
    if eval_mode not in _MODES:
        raise ValueError(f"eval_mode {eval_mode!r} is unknown; use one of {', '.join(_MODES)}")
    return Configuration(*_MODES[eval_mode])


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


def shares(labels: Iterable[str]) -> Shares:
    """Shares of the three labels.

    Args:
        labels: One for each answer.

    Returns:
        The shares.

    Raises:
        ValueError: A label is none of the three.
    """
    listed = [check_label(label) for label in labels]
    n = len(listed)
    if n == 0:
        return Shares(0, None, None, None)
    correct, incorrect, refusal = (listed.count(label) / n for label in LABELS)
    return Shares(n, correct, incorrect, refusal)


def shares_by_configuration(
    answers: Iterable[tuple[str, str, str]],
) -> dict[tuple[str, str], Shares]:
    """Shares of the three labels for each model in each configuration.

    Args:
        answers: `model_name`, `eval_mode` and label of each answer.

    Returns:
        Shares by model and eval_mode, in their order.

    Raises:
        ValueError: A label or an eval_mode is unknown; the message names the model.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for model, eval_mode, label in answers:
        try:
            configuration(eval_mode)
            groups.setdefault((model, eval_mode), []).append(check_label(label))
        except ValueError as error:
            raise ValueError(f"answers of {model!r}: {error}") from error
    return {key: shares(labels) for key, labels in sorted(groups.items())}

"""MultiHiertt as its public evaluator scores it, oddities included.

Source: `evaluate.py` and `utils/` of github.com/psunlpgroup/MultiHiertt, restated. What is
compared depends on who used a program:

    both: both programs are run, and their results compared with `==`; EM = F1
    neither: exact match and F1 of DROP over words
    one of the two: a number against a number within a small tolerance, otherwise DROP

Oddities reproduced because published scores contain them: two programs without a result are
equal; `str_to_num` deletes `$`, commas, `-` and `%`, so that signs are lost and a percentage is
not divided; the tolerance turns negative numbers away.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from finrag.scoring.programs.execution import (
    MULTIHIERTT,
    Execution,
    multihiertt_number,
)
from finrag.scoring.programs.execution import execute as run
from finrag.text.programs import multihiertt_tokens

Answer = str | float | Sequence[str]

tokenize_program: Final = multihiertt_tokens

_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_BREAKS: Final = re.compile(r"[ -]")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_MAX_TOLERANCE: Final = 0.1


@dataclass(frozen=True)
class Gold:
    """A question as the evaluator needs it.

    Attributes:
        answer: a text for a span, a number or its text for a program.
        program: gold program, empty for a span.
    """

    answer: Answer
    program: str = ""


@dataclass(frozen=True)
class Predicted:
    """A prediction as the evaluator needs it.

    Attributes:
        answer: predicted span, or the number that the predicted program came to.
        program: tokens of the predicted program, empty for a span.
    """

    answer: Answer
    program: Sequence[str] = ()


def str_to_num(text: str) -> float | None:
    """Number of an answer: `$`, commas, `-` and `%` are deleted first; null where it is none.

    Args:
        text: an answer or a literal; brackets make it no number.

    Raises:
        ValueError: for `const_` with something other than a number behind it.
    """
    return multihiertt_number(text)


def execute(tokens: Sequence[str]) -> Execution:
    """Run a program; the last token is dropped, and there are no tables.

    Args:
        tokens: as `tokenize_program` gives them.
    """
    return run(tokens, (), MULTIHIERTT)


def program_scores(pred_tokens: Sequence[str], gold_program: str) -> tuple[float, float]:
    """Exact match and F1 of a predicted program against the gold one: equal results, or not.

    Args:
        pred_tokens: the predicted program.
        gold_program: the gold program as text; it is run too, its stated answer is not read.

    Returns:
        (1, 1) or (0, 0); (1, 1) too where neither program has a result.
    """
    predicted = execute(pred_tokens).value
    score = float(predicted == execute(tokenize_program(gold_program)).value)
    return score, score


def span_scores(predicted: Answer, gold: Answer) -> tuple[float, float]:
    """Exact match and F1 of DROP: words in lower case, without articles and punctuation.

    Args:
        predicted: a span or several.
        gold: a span or several; spans are aligned one to one as favourably as possible, and a
            pair counts only where it shares a number if the gold span has any.

    Returns:
        Exact match 0 or 1, and F1 in 0..1 rounded to two decimals by numpy; NaN where both
        sides are empty lists.

    Raises:
        ValueError: if a span is not text; write it as one.
    """
    import numpy as np

    predicted_spans, gold_spans = _normalised(predicted), _normalised(gold)
    is_exact = len(predicted_spans) == len(gold_spans) and set(predicted_spans) == set(gold_spans)
    if not predicted_spans and not gold_spans:
        return float(is_exact), math.nan
    # numpy rounds halves otherwise than Python does, and the evaluator uses numpy.
    return float(is_exact), float(np.round(np.mean(_aligned(predicted_spans, gold_spans)), 2))


def _normalised(answer: Answer) -> list[str]:
    spans = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    return [_normal_span(span) for span in spans]


def _normal_span(span: object) -> str:
    if not isinstance(span, str):
        raise ValueError(f"span {span!r} is not text; write it as text")
    words = (_normal_word(word.lower()) for word in _BREAKS.split(span))
    return " ".join(word for word in words if word)


def _normal_word(word: str) -> str:
    plain = word if _is_number(word) else word.translate(_NO_PUNCTUATION)
    # Punctuation can hide a number: "$5" is one only afterwards.
    plain = str(float(plain)) if _is_number(plain) else plain
    return " ".join(_ARTICLES.sub(" ", plain).split())


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _aligned(predicted: Sequence[str], gold: Sequence[str]) -> list[float]:
    """F1 of each pair of the best alignment, zeros for spans that are left over."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    predicted_bags = [set(span.split()) for span in predicted]
    gold_bags = [set(span.split()) for span in gold]
    f1 = np.zeros((len(gold_bags), len(predicted_bags)))
    for row, gold_bag in enumerate(gold_bags):
        for column, predicted_bag in enumerate(predicted_bags):
            if _shares_a_number(gold_bag, predicted_bag):
                f1[row, column] = _f1(predicted_bag, gold_bag)
    best = [0.0] * max(f1.shape)
    for row, column in zip(*linear_sum_assignment(-f1), strict=True):
        best[row] = float(f1[row, column])
    return best


def _shares_a_number(gold: AbstractSet[str], predicted: AbstractSet[str]) -> bool:
    numbers = {word for word in gold if _is_number(word)}
    return not numbers or not numbers.isdisjoint(predicted)


def _f1(predicted: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """Harmonic mean of precision and recall over distinct words; an empty bag is precise."""
    shared = len(gold & predicted)
    precision = shared / len(predicted) if predicted else 1.0
    recall = shared / len(gold) if gold else 1.0
    if precision == 0.0 and recall == 0.0:
        return 0.0
    return (2 * precision * recall) / (precision + recall)


def mixed_scores(span: object, number: object) -> tuple[float, float]:
    """Exact match and F1 of a span on one side against a program's result on the other.

    Args:
        span: answer of the side without a program, read as text.
        number: answer of the side with one, a number.

    Returns:
        (1, 1) or (0, 0) for a span that is a number: `math.isclose` with an absolute tolerance of
        min(|min(span, number)| / 1000, 0.1); otherwise DROP of the two texts.

    Raises:
        ValueError: where the evaluator stops: the span is a number and the other side is a text,
            or it is a constant without a number. Give the result as a number.
    """
    value = str_to_num(str(span))
    if value is None:
        return span_scores(str(span), str(number))
    if not isinstance(number, (int, float)):
        raise ValueError(
            f"span {span!r} is a number and {number!r}, its other side, is not: give a number"
        )
    try:
        tolerance = min(abs(min(number, value) / 1000), _MAX_TOLERANCE)
        score = float(math.isclose(number, value, abs_tol=tolerance))
    except OverflowError as error:
        raise ValueError(
            "the result is too large for a floating-point number; give a smaller one"
        ) from error
    return score, score


def question_scores(predicted: Predicted, gold: Gold) -> tuple[float, float]:
    """Exact match and F1 of one question.

    Args:
        predicted: the prediction.
        gold: the question.

    Raises:
        ValueError: as `span_scores` and `mixed_scores` do.
    """
    if predicted.program and gold.program:
        return program_scores(predicted.program, gold.program)
    if gold.program:
        return mixed_scores(predicted.answer, gold.answer)
    if predicted.program:
        return mixed_scores(gold.answer, predicted.answer)
    return span_scores(predicted.answer, gold.answer)

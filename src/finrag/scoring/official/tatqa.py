"""TAT-QA: exact match, F1 and scale accuracy as the public evaluator computes them.

Source of the rules: ``tatqa_metric.py`` and ``tatqa_utils.py`` of the TAT-QA repository (Zhu et
al., ACL 2021). An answer, gold or predicted, becomes one text: its parts in order, each figure
among them with four decimals and multiplied by the scale, each other part with the scale's word
behind it. Two texts match exactly when they are equal once cases, articles and punctuation are
gone; F1 is over the sets of their words.

Surprising behaviour that is reproduced:

- brackets turn a sign (``(5)`` is -5), so ``-(5)`` is 5; thousands in brackets are not read as
  such, and ``(1,234)`` is 1234;
- a bare figure that is predicted without a scale counts a second time with four decimals, so that
  0.2342 is 23.42 percent;
- the parts of a list are joined before they are compared, so that words may move from part to
  part, and an answer in another order has F1 1 but not always exact match;
- an answer that Python holds for false (0, an empty text or list) is not an answer;
- the scale counts only where there is an answer.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

SCALES: Final = ("", "thousand", "million", "billion", "percent")
LIST_TYPES: Final = frozenset({"span", "multi-span"})
# The F1 of these is their exact match.
FIGURE_TYPES: Final = frozenset({"arithmetic", "count"})

# The first word that occurs in the scale decides.
_FACTORS: Final[tuple[tuple[str, float], ...]] = (
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("percent", 0.01),
)
_NOT_OF_A_FIGURE: Final = str.maketrans("", "", "'\"\\$€£¥%(),[]")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_FIGURE: Final = re.compile(r"(?P<whole>[+-]?\d+(?:\.\d+)?)|[+-]?\.\d+")
_BRACKETED: Final = re.compile(r"\([\d.\s]+\)")
# The sign may follow a space alone.
_PERCENT: Final = re.compile(r"[\d.\s]%")
_WORD_AFTER_FIGURE: Final = re.compile(r"[\d.]\s?(?P<word>[a-zA-Z]+)")
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b")
# What the public evaluator stops with on an answer that it cannot read.
_STOPS: Final = (TypeError, ValueError, OverflowError)


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of one answer, each in 0..1.

    Attributes:
        em: exact match, 0 or 1.
        f1: F1 of words, in hundredths.
        scale: 1 where the scale is the gold's word for word, else 0.
    """

    em: float
    f1: float
    scale: float


def scale_factor(scale: str) -> float:
    """What a figure under a scale is multiplied by: 1 where the word names none.

    Args:
        scale: The word, or any text that holds it, in any case.

    Returns:
        100, 1,000, 1,000,000, 1,000,000,000, 0.01 or 1.
    """
    lower = scale.lower()
    return next((factor for word, factor in _FACTORS if word in lower), 1)


def is_number(text: str) -> bool:
    """Whether a text starts with a figure and names a scale next, or nothing.

    Currency signs, percent signs, brackets, quotes and commas do not count. ``1e5``, ``inf`` and
    ``1_000`` are numbers, as they are for Python; ``1.5bn`` and ``5 dollars`` are not.

    Args:
        text: The text.

    Returns:
        Whether it is one.
    """
    words = text.translate(_NOT_OF_A_FIGURE).split()
    try:
        is_figure = bool(words) and not math.isnan(float(words[0]))
    except ValueError:
        return False
    return is_figure and (len(words) == 1 or scale_factor(words[1]) != 1)


def to_number(text: str) -> float | None:
    """The first figure of a text, in whole units, to four decimals.

    Multiplied by the scale that its first figure with a word behind it names, by -1 where
    brackets hold digits alone, and by 0.01 where a percent sign follows a figure.

    Args:
        text: The text.

    Returns:
        The figure; None where there is none, or where it starts with its decimal point.

    Raises:
        ValueError: The figure has more digits than Python converts.
        OverflowError: It is larger than a double holds.
    """
    found = _FIGURE.search(text.translate(_NOT_OF_A_FIGURE))
    digits = found.group("whole") if found else None
    if digits is None:
        return None
    figure = float(digits) if "." in digits else int(digits)
    word = _WORD_AFTER_FIGURE.search(text)
    factor = scale_factor(word.group("word")) if word else 1
    sign = -1 if _BRACKETED.search(text) else 1
    percent = 0.01 if _PERCENT.search(text.strip()) else 1
    return round(figure * factor * sign * percent, 4)


def normalize(text: str) -> str:
    """A text as it is compared: small letters, without articles and punctuation.

    Each figure becomes its value as Python prints it; ``inf`` becomes ``None``.

    Args:
        text: The text.

    Returns:
        The words, one space between them.

    Raises:
        ValueError: A figure has more digits than Python converts.
        OverflowError: A figure is larger than a double holds.
    """
    words = (_normalized_word(word) for word in text.split(" "))
    return " ".join(word for word in words if word)


def _normalized_word(word: str) -> str:
    """One word as it is compared; may be empty."""
    lower = word.lower()
    if not is_number(lower):
        lower = lower.translate(_PUNCTUATION)
    # Without its punctuation a word may be a number after all.
    if is_number(lower):
        lower = str(to_number(lower))
    return " ".join(_ARTICLE.sub(" ", lower).split())


def joined(parts: Iterable[Any], scale: Any) -> str:
    """The one text that stands for all parts of an answer.

    Args:
        parts: Parts of the answer, in any order that Python can sort.
        scale: Scale of all of them.

    Returns:
        The sorted parts, a space between them.

    Raises:
        TypeError: The parts cannot be sorted, or a figure's scale is not text.
        ValueError: A figure has more digits than Python converts.
        OverflowError: A figure is larger than a double holds.
    """
    return " ".join(_with_scale(str(part), scale) for part in sorted(parts))


def _with_scale(part: str, scale: Any) -> str:
    """A part with its scale: multiplied in for a figure, as a word behind it for words."""
    value = to_number(part) if is_number(part) else None
    if value is None:
        return f"{part} {scale}" if scale else part
    if "%" in part:
        return f"{value:.4f}"
    if not isinstance(scale, str):
        raise TypeError(f"the scale {scale!r} of a figure is not text")
    return f"{round(value, 2) * scale_factor(scale):.4f}"


def text_metrics(predicted: str | Sequence[str], gold: str | Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 of texts, or of lists of texts.

    Lists are aligned one to one so that the sum of F1 is largest (Hungarian method); what has no
    partner counts 0, and the mean is over the longer list. The evaluator itself hands over one
    text a side (see ``joined``).

    Args:
        predicted: What was answered.
        gold: What is right.

    Returns:
        Exact match, 0 or 1, and F1 in hundredths.

    Raises:
        ValueError: A figure has more digits than Python converts.
        OverflowError: A figure is larger than a double holds.
    """
    ours, theirs = _normalized_all(predicted), _normalized_all(gold)
    em = float(len(ours) == len(theirs) and set(ours) == set(theirs))
    bags = [set(text.split()) for text in ours], [set(text.split()) for text in theirs]
    is_single = len(ours) == len(theirs) == 1
    mean = _word_f1(bags[0][0], bags[1][0]) if is_single else _aligned_f1(*bags)
    # In hundredths as numpy rounds, which is not always as Python does.
    return em, round(mean * 100.0) / 100.0


def _normalized_all(texts: str | Sequence[str]) -> list[str]:
    return [normalize(text) for text in ([texts] if isinstance(texts, str) else texts)]


def _aligned_f1(predicted: Sequence[set[str]], gold: Sequence[set[str]]) -> float:
    """Mean F1 under the best one-to-one alignment, over the longer of two lists."""
    import numpy as np

    scores = [[_word_f1(one, other) for one in predicted] for other in gold]
    best = np.zeros(max(len(gold), len(predicted)))
    for row, column in aligned(scores):
        best[row] = scores[row][column]
    return float(np.mean(best))


def aligned(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pair rows with columns one to one so that the sum of scores is largest.

    Args:
        scores: rows of equal length, at least one, each of at least one number.

    Returns:
        Row and column of each pair: as many as the shorter side holds, in the order of rows.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(-np.asarray(scores))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _word_f1(predicted: set[str], gold: set[str]) -> float:
    """F1 of two sets of words; an empty side has precision or recall 1."""
    shared = len(gold & predicted)
    precision = shared / len(predicted) if predicted else 1.0
    recall = shared / len(gold) if gold else 1.0
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def gold_parts(answer: Any, answer_type: str) -> list[Any]:
    """The parts of a gold answer.

    Args:
        answer: As the set writes it: a list for spans, else a number or a text.
        answer_type: As the set writes it.

    Returns:
        The list itself for spans, else one text; of a count its whole number.

    Raises:
        ValueError: A span without a list, or a count that is not a number.
    """
    if answer_type in LIST_TYPES:
        if not isinstance(answer, list):
            raise ValueError(f"the answer {answer!r} of a {answer_type} must be a list; correct it")
        return answer
    if answer_type != "count":
        return [str(answer)]
    try:
        return [str(int(answer))]
    except _STOPS as error:
        raise ValueError(f"the count {answer!r} is not a whole number; correct the gold") from error


def score(gold: Any, answer_type: str, gold_scale: str, predicted: Any, scale: Any) -> Score:
    """Score one answer.

    Args:
        gold: The gold answer as the set writes it.
        answer_type: Its type.
        gold_scale: Its scale, one of ``SCALES``.
        predicted: The answer: a text, a number, a list of these, or anything that is not an answer.
        scale: Its scale.

    Returns:
        The scores; zeros for no answer, and where the gold is an empty list.

    Raises:
        ValueError: The gold is unusable, or the public evaluator would stop at this answer:
            parts that cannot be sorted, a figure whose scale is not text, a figure too large.
    """
    if gold_scale not in SCALES:
        raise ValueError(f"gold scale {gold_scale!r} must be one of {SCALES}; correct the gold")
    parts = gold_parts(gold, answer_type) if predicted else []
    if not parts:
        return Score(0.0, 0.0, 0.0)
    answers = predicted if isinstance(predicted, list) else [predicted]
    try:
        right = joined(parts, gold_scale)
    except _STOPS as error:
        raise ValueError(f"gold {str(gold)[:60]!r} cannot be read: {error}; correct it") from error
    try:
        candidates = [joined(answers, scale), *_bare_figure(answers, scale)]
        em, f1 = max(text_metrics(candidate, right) for candidate in candidates)
    except _STOPS as error:
        raise ValueError(
            f"answer {str(predicted)[:60]!r} with scale {str(scale)[:20]!r} cannot be read: "
            f"{error}; give a text, a number or a list of texts, and a text as scale"
        ) from error
    is_figure = answer_type in FIGURE_TYPES
    return Score(em, em if is_figure else f1, float(scale == gold_scale))


def _bare_figure(answers: Sequence[Any], scale: Any) -> list[str]:
    """The second candidate: a lone figure without scale or percent sign, to four decimals."""
    text = str(answers[0])
    if len(answers) > 1 or scale or "%" in text or not is_number(text):
        return []
    value = to_number(text)
    return [] if value is None else [f"{value:.4f}"]

"""TAT-QA: what a finance reader would call right, and what is wrong with the rest.

The differences to ``finrag.scoring.official.tatqa``:

- a figure must have the gold's sign, and brackets around it mean a minus, thousands or not;
- its scale must be the gold's, or it must be scaled in full: 1,230 million, 1.23 billion and
  1,230,000,000 are one figure;
- percent must be named, by the scale, a sign or a word, unless the figure is the share itself:
  23.42 % and 0.2342 are one figure, 23.42 is another;
- a figure is right within half a hundredth in the gold's scale (golds are given to two
  decimals), or when it is the gold to fewer digits; ``finrag.scoring.numbers`` holds the rules;
- zero is an answer;
- words must stand in the gold's order, and the parts of a list do not mix.

Verdicts on a figure are those of ``finrag.scoring.numbers``, and ``percent`` where 100 stands
between the two and just one names percent. Verdicts on words: ``same_words``, ``other_order``,
``some_words``, ``other_words``, and ``scale`` where only the scale is wrong. Verdicts on lists:
``all_parts``, ``parts_missing``, ``parts_extra``, ``some_parts``, ``no_part``. ``no_answer`` is an
answer that is null, empty or an empty list.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.numbers import RIGHT, Answered, Expected, check_number
from finrag.scoring.official.tatqa import FIGURE_TYPES, SCALES, aligned

# More parts than any list of a filing's table has rows.
MAX_PARTS: Final = 200
MAX_TEXT: Final = 20_000

_FACTORS: Final = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "percent": 1.0}
_VOCABULARY: Final = read_vocabulary(__file__)
_FIGURE: Final = _VOCABULARY.pattern("figure")
_PERCENT: Final = re.compile(r"%|\bper ?cent", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
_DASHES: Final = str.maketrans(dict.fromkeys("−–—‐‑", "-"))
# A figure with sign and percent, else a word.
_TOKEN: Final = re.compile(r"(?<!\w)-?[0-9][0-9,]*(?:\.[0-9]+)?%?|[^\W_]+")
_ARTICLES: Final = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class StrictScore:
    """Scores of one answer, each in 0..1, and why.

    Attributes:
        em: 1 where the answer is right, else 0.
        f1: of an arithmetic or counted answer its ``em``; else F1 of words, part by part, where
            a part with figures scores 0 unless it shares one with the gold's.
        scale: 1 where the scale is the gold's, or a right figure is scaled in full.
        verdict: which case it was, see the module.
        reason: one sentence.
    """

    em: float
    f1: float
    scale: float
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure alone, in whole units; percent stays percent."""

    value: float
    is_percent: bool
    factor: float


@dataclass(frozen=True, slots=True)
class _Pair:
    """One gold part beside one part of an answer."""

    is_right: bool
    f1: float
    verdict: str
    reason: str
    is_figure: bool


def score(
    gold: Any,
    answer_type: str,
    gold_scale: str,
    predicted: Any,
    scale: Any,
    question_text: str | None = None,
) -> StrictScore:
    """Score one answer as a finance reader would.

    Args:
        gold: the gold answer: a text or a number, or a list of them.
        answer_type: its type; decides only what F1 is.
        gold_scale: its scale, one of ``SCALES`` of the official evaluator.
        predicted: the answer: a text, a finite number or a list of these; null for none.
        scale: its scale, one of the same in any case, singular or plural; null for none.
        question_text: the question, for figures inside sentences: whether "rose by 5 %" answers
            it depends on what was asked.

    Returns:
        The scores with a verdict.

    Raises:
        ValueError: the gold is unusable, or the answer is of another kind, too long, or has a
            scale that is none of the five.
    """
    golds = _parts(gold, "gold")
    if gold_scale not in SCALES or not golds:
        raise ValueError(
            f"gold {str(gold)[:60]!r} with scale {gold_scale!r} is unusable; correct the gold"
        )
    named = _named_scale(scale)
    parts = _parts(predicted, "answer")
    if not parts:
        return StrictScore(0.0, 0.0, 0.0, "no_answer", "There is no answer.")
    pairs = [
        [_check(one, gold_scale, other, named, question_text) for other in parts] for one in golds
    ]
    em, f1, verdict, reason = _summed(pairs)
    is_scaled = (named == gold_scale and verdict != "percent") or bool(
        em and all(one.is_figure for row in pairs for one in row if one.is_right)
    )
    if answer_type in FIGURE_TYPES:
        f1 = em
    return StrictScore(em, round(f1, 4), float(is_scaled), verdict, reason)


def _parts(answer: Any, name: str) -> list[str | float]:
    """The parts of an answer; texts that are blank are no parts."""
    listed = answer if isinstance(answer, list) else [answer]
    if len(listed) > MAX_PARTS:
        raise ValueError(f"{name} has {len(listed)} parts; give {MAX_PARTS} at most")
    return list(_usable(listed, name))


def _usable(listed: Sequence[Any], name: str) -> Iterator[str | float]:
    for part in listed:
        if part is None or (isinstance(part, str) and not part.strip()):
            continue
        is_number = isinstance(part, int | float) and not isinstance(part, bool)
        is_text = isinstance(part, str) and len(part) <= MAX_TEXT
        if not is_text and not (is_number and _is_finite(part)):
            raise ValueError(
                f"{name} holds {str(part)[:60]!r}; give a text of {MAX_TEXT:,} characters at most "
                "or a finite number"
            )
        yield part


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _named_scale(scale: Any) -> str:
    """The scale as the set writes it."""
    if scale is None:
        return ""
    word = scale.strip().lower() if isinstance(scale, str) else None
    if word == "%":
        return "percent"
    if word is not None and word.removesuffix("s") in SCALES:
        return word.removesuffix("s")
    raise ValueError(f"scale {str(scale)[:20]!r} is unknown; use one of {SCALES}")


def _check(
    gold: str | float, gold_scale: str, part: str | float, scale: str, asked: str | None
) -> _Pair:
    figure = _figure(gold, gold_scale)
    if figure is None:
        return _check_words(str(gold), gold_scale, str(part), scale)
    verdict, reason = _check_figure(figure, part, scale, asked)
    is_right = verdict in RIGHT
    return _Pair(is_right, float(is_right), verdict, reason, is_figure=True)


def _figure(part: str | float, scale: str) -> _Figure | None:
    """A part as a figure; None for words, and for a text that is a bare year."""
    if not isinstance(part, str):
        return _Figure(part * _FACTORS[scale], scale == "percent", _FACTORS[scale])
    text = " ".join(part.translate(_DASHES).split())
    found = _FIGURE.fullmatch(text)
    if found is None or (_YEAR.fullmatch(text) and not scale):
        return None
    value = float(found.group("digits").replace(",", ""))
    if "(" in text or "-" in found.group("sign", "inner"):
        value = -value
    word = {"%": "percent"}.get(found.group("word"), found.group("word")) or scale
    return _Figure(value * _FACTORS[word], word == "percent", _FACTORS[word])


def _check_figure(
    gold: _Figure, part: str | float, scale: str, asked: str | None
) -> tuple[str, str]:
    """The verdict on the figure of an answer."""
    figure = _figure(part, scale)
    text = str(part) if figure is None else None
    is_percent = bool(_PERCENT.search(text)) if text else figure is not None and figure.is_percent
    if text and scale == "percent" and not is_percent:
        is_percent, text = True, f"{text} percent"
    # A share and a percentage meet as what is printed: 0.2342 is 23.42 %.
    factor = 1.0
    if is_percent != gold.is_percent:
        factor = 0.01 if gold.is_percent else 100.0
    expected = Expected(
        value=gold.value * factor,
        unit="percent" if is_percent else None,
        tolerance=0.005 * gold.factor * factor,
        question_text=asked if text else None,
    )
    checked = check_number(_answered(figure, text, scale, is_percent), expected)
    is_swapped = factor != 1 and checked.verdict in ("scale", "unit", "wrong_value")
    if is_swapped and checked.value is not None and _is_near(checked.value, gold):
        return "percent", f"{checked.reason} Only one of the two is in percent."
    return checked.verdict, checked.reason


def _answered(figure: _Figure | None, text: str | None, scale: str, is_percent: bool) -> Answered:
    """The answer as the check of numbers takes it, with the digits that it shows."""
    unit = "percent" if is_percent else None
    if figure is None:
        return Answered(text=f"{text} {scale}" if scale != "percent" and scale else text)
    shown = figure.value / figure.factor
    word = next((word for word, one in _FACTORS.items() if one == figure.factor != 1), unit)
    return Answered(value=shown, unit=word)


def _is_near(value: float, gold: _Figure) -> bool:
    """Whether a value is the gold's digits, whatever stands behind them."""
    return math.isclose(value, gold.value, rel_tol=0.002, abs_tol=0.005)


def _check_words(gold: str, gold_scale: str, part: str, scale: str) -> _Pair:
    right, said = _tokens(gold), _tokens(part)
    f1 = _token_f1(right, said)
    if right == said:
        is_scaled = scale == gold_scale
        verdict = "same_words" if is_scaled else "scale"
        reason = "The words are those of the gold" + ("." if is_scaled else ", the scale is not.")
        return _Pair(is_scaled, f1, verdict, reason, is_figure=False)
    verdict = "other_order" if f1 == 1 else "some_words" if f1 > 0 else "other_words"
    reason = {
        "other_order": "The words are those of the gold, in another order.",
        "some_words": "Some words of the gold are there.",
        "other_words": "No word of the gold is there, or none of its figures.",
    }[verdict]
    return _Pair(False, f1, verdict, reason, is_figure=False)


def _tokens(text: str) -> list[str]:
    """Words and figures in small letters, without articles and punctuation."""
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).casefold()
    words = _TOKEN.findall(plain.replace("'", "").replace("’", ""))
    bare = [word.replace(",", "") for word in words if word not in _ARTICLES]
    return bare or words


def _token_f1(gold: Sequence[str], said: Sequence[str]) -> float:
    """F1 of two bags of words; 0 where the gold has figures and none of them is said."""
    figures = {word for word in gold if word[-1:].isdigit() or word.endswith("%")}
    shared = sum((Counter(gold) & Counter(said)).values())
    if not shared or (figures and figures.isdisjoint(said)):
        return float(not gold and not said)
    return 2 * shared / (len(gold) + len(said))


def _summed(pairs: Sequence[Sequence[_Pair]]) -> tuple[float, float, str, str]:
    """Exact match, F1, verdict and reason of all parts together."""
    n_gold, n_said = len(pairs), len(pairs[0])
    if n_gold == n_said == 1:
        only = pairs[0][0]
        return float(only.is_right), only.f1, only.verdict, only.reason
    scores = [[one.f1 + one.is_right for one in row] for row in pairs]
    matched = [pairs[row][column] for row, column in aligned(scores)]
    n_right = sum(one.is_right for one in matched)
    f1 = sum(one.f1 for one in matched) / max(n_gold, n_said)
    reason = f"{n_right} of {n_gold} parts are right; the answer has {n_said}."
    if n_right == n_gold == n_said:
        return 1.0, f1, "all_parts", reason
    return 0.0, f1, _list_verdict(n_right, n_gold, n_said), reason


def _list_verdict(n_right: int, n_gold: int, n_said: int) -> str:
    """The verdict on a list that is not right."""
    if n_right == n_said:
        return "parts_missing"
    if n_right == n_gold:
        return "parts_extra"
    return "some_parts" if n_right else "no_part"

"""Programs and their results, compared as a finance reader would compare them.

The official evaluator of FinQA calls `5` and `5.0` different literals, `100` and `const_100`
different numbers, and (a - b) / b another program than a / b - 1. Here two programs are the same
when they are the same rational function:

    literals are variables named by their value: 5 = 5.0 = $5, and 5% = 0.05
    constants are numbers, and so is a literal whose value one of the two programs has as constant
    table operations are variables named by operation and row
    f = g where the numerator of f - g over a common denominator is 0

Literals stay variables so that 2 + 3 is not 1 + 4. A result is compared with the answer as it is
printed: half a unit of the last printed digit is rounding, and whatever else relates the two is
named (`percent`, `sign`, `scale`), so that a reader decides what to accept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from finrag.scoring.programs.execution import (
    FINQA,
    Value,
    is_well_formed,
    parts_of_step,
    written_steps,
)

# Beyond this degree an expression is not brought to a common denominator: it could grow without
# bound. Gold programs stay far below.
MAX_DEGREE: Final = 40
_MAX_POWER: Final = 16
_MAX_DIGITS: Final = 40
_PLAIN: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
_SCALES: Final = (1e3, 1e6, 1e9)
_PERCENT: Final = 100.0
# A binary fraction misses its decimal by less than this share of it.
_EPSILON: Final = 1e-9

EXACT: Final = "exact"
ROUNDED: Final = "rounded"
TRUNCATED: Final = "truncated"
PERCENT: Final = "percent"
SIGN: Final = "sign"
SCALE: Final = "scale"
DIFFERENT: Final = "different"
UNREADABLE: Final = "unreadable"
VERDICTS: Final = (EXACT, ROUNDED, TRUNCATED, PERCENT, SIGN, SCALE, DIFFERENT, UNREADABLE)


def literal_value(text: str) -> Fraction | None:
    """Exact value of a literal or a constant, or null where it is none.

    Args:
        text: `5`, `5.0`, `1,200`, `$5`, `5%` (a twentieth), `(5)` (minus five), `const_100` or
            `const_m1` (minus one).
    """
    plain = text.replace(",", "").replace("$", "").replace(" ", "")
    if plain.startswith("const_"):
        plain = plain.removeprefix("const_")
        plain = f"-{plain[1:]}" if plain.startswith("m") else plain
    is_negative = plain.startswith("(") and plain.endswith(")")
    plain = plain[1:-1] if is_negative else plain
    is_percent = plain.endswith("%")
    plain = plain.removesuffix("%")
    if len(plain) > _MAX_DIGITS or not _PLAIN.fullmatch(plain):
        return None
    value = Fraction(plain) / (100 if is_percent else 1)
    return -value if is_negative else value


def same_program(gold_tokens: Sequence[str], pred_tokens: Sequence[str]) -> bool:
    """Whether two programs compute the same rational function of the same literals.

    Args:
        gold_tokens: gold program, four tokens a step and a last one that is dropped.
        pred_tokens: predicted program.

    Returns:
        False too for a prediction that cannot be read, that divides by zero whatever the
        literals are, or whose degree is beyond `MAX_DEGREE` and that is not written alike.

    Raises:
        ValueError: if the gold program cannot be read; correct it.
    """
    try:
        gold_steps = _steps(gold_tokens)
    except ValueError as error:
        raise ValueError(f"gold program {list(gold_tokens)!r}: {error}") from error
    try:
        pred_steps = _steps(pred_tokens)
        constants = frozenset(_constants(gold_steps)) | frozenset(_constants(pred_steps))
        predicted = _expanded(pred_steps, constants)
    except (ValueError, ZeroDivisionError):
        return False
    try:
        gold = _expanded(gold_steps, constants)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"gold program {list(gold_tokens)!r}: {error}") from error
    return gold.is_comparison == predicted.is_comparison and _same(gold, predicted)


@dataclass(frozen=True)
class _Term:
    """An expression with a bound of its degree; of `greater`, the difference of its sides."""

    expression: Any
    degree: int
    is_comparison: bool = False


def _steps(tokens: Sequence[str]) -> list[tuple[str, str, str]]:
    body = tokens[:-1]
    if not body or len(body) % 4 or not is_well_formed(body, FINQA):
        raise ValueError("it is not a list of steps of four tokens; write it as the set does")
    try:
        return [parts_of_step(step) for step in written_steps(body)]
    except IndexError as error:
        raise ValueError("a step lacks an argument; write both") from error


def _constants(steps: Iterable[tuple[str, str, str]]) -> Iterable[Fraction]:
    for op, *arguments in steps:
        for text in arguments:
            if text.startswith("const") and "table" not in op:
                yield _value(text)


def _value(text: str) -> Fraction:
    value = literal_value(text)
    if value is None:
        raise ValueError(f"{text!r} is not a number; write digits")
    return value


def _expanded(steps: Sequence[tuple[str, str, str]], constants: AbstractSet[Fraction]) -> _Term:
    """The expression of the last step."""
    terms: list[_Term] = []
    for op, first, second in steps:
        if op.startswith("table_"):
            terms.append(_row_term(op, first))
            continue
        left, right = (_argument(text, terms, constants) for text in (first, second))
        terms.append(_applied(op, left, right))
    return terms[-1]


def _row_term(op: str, header: str) -> _Term:
    from sympy import Symbol

    return _Term(Symbol(f"{op} {header}"), 1)


def _argument(text: str, terms: Sequence[_Term], constants: AbstractSet[Fraction]) -> _Term:
    from sympy import Rational, Symbol

    if text.startswith("#"):
        place = text.removeprefix("#")
        if not (place.isascii() and place.isdigit() and int(place[:9]) < len(terms)):
            raise ValueError(f"{text!r} refers to no earlier step; count from #0")
        term = terms[int(place)]
        if term.is_comparison:
            raise ValueError(f"{text!r} is yes or no, not a number; compare only in the last step")
        return term
    value = _value(text)
    if value in constants:
        return _Term(Rational(value.numerator, value.denominator), 0)
    return _Term(Symbol(f"value {value}"), 1)


def _applied(op: str, left: _Term, right: _Term) -> _Term:
    degree = left.degree + right.degree
    if op == "add":
        return _Term(left.expression + right.expression, degree)
    if op == "subtract":
        return _Term(left.expression - right.expression, degree)
    if op == "multiply":
        return _Term(left.expression * right.expression, degree)
    if op == "divide":
        if right.expression == 0:
            raise ZeroDivisionError("it divides by zero; correct the divisor")
        return _Term(left.expression / right.expression, degree)
    if op == "exp":
        return _power(left, right)
    return _Term(left.expression - right.expression, degree, is_comparison=True)


def _power(base: _Term, exponent: _Term) -> _Term:
    """A power that stays rational for a small whole exponent, otherwise an opaque function."""
    from sympy import Function, Integer

    power = exponent.expression
    if isinstance(power, Integer) and abs(power) <= _MAX_POWER:
        if base.expression == 0 and power <= 0:
            raise ZeroDivisionError("it raises zero to a power below one; correct the base")
        degree = base.degree * abs(int(power))
        # Numbers have degree 0 but grow as well.
        if base.degree and degree <= MAX_DEGREE:
            return _Term(base.expression**power, degree)
        if not base.degree and abs(base.expression) < _MAX_POWER * _PERCENT:
            return _Term(base.expression**power, 0)
    return _Term(Function("power")(base.expression, power), base.degree + exponent.degree + 1)


def _same(gold: _Term, predicted: _Term) -> bool:
    from sympy import fraction, together

    if gold.expression == predicted.expression:
        return True
    if max(gold.degree, predicted.degree) > MAX_DEGREE:
        return False
    numerator, _ = fraction(together(gold.expression - predicted.expression))
    return bool(numerator.expand() == 0)


@dataclass(frozen=True)
class Printed:
    """A gold answer as it is printed.

    Attributes:
        value: the number; of a percentage, the share (`2.5%` is 0.025).
        unit: one unit of its last printed digit, in the same measure.
        is_percent: a percent sign or the word follows.
    """

    value: float
    unit: float
    is_percent: bool


_ANSWER: Final = re.compile(
    r"(?P<open>\()?(?P<sign>[-−–+])?[$€£]?(?P<again>[-−–])?"
    r"(?P<digits>(?:[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+))(?:[eE](?P<tens>[+-]?[0-9]{1,2}))?"
    r"(?P<percent>%|percent)?\)?(?P<late>%)?"
)
_WORDS: Final = re.compile(r"\b(?:thousand|million|billion|trillion|dollars|usd|years|days)s?\b")


def read_printed(text: str) -> Printed | None:
    """The number of an answer and its printed precision, or null where it is not one number.

    Args:
        text: such as `2.23%`, `$ 1,200`, `(5.1)` or `12.5 million`; words of scale are left out,
            for a program counts in them too.
    """
    plain = _WORDS.sub("", text.lower()).replace(" ", "")
    match = _ANSWER.fullmatch(plain) if len(plain) <= _MAX_DIGITS else None
    if match is None:
        return None
    digits = match["digits"].replace(",", "")
    decimals = len(digits) - digits.index(".") - 1 if "." in digits else 0
    is_percent = bool(match["percent"] or match["late"])
    share = _PERCENT if is_percent else 1.0
    factor = 10.0 ** int(match["tens"] or 0)
    is_negative = bool(match["open"] or match["sign"] in ("-", "−", "–") or match["again"])
    value = float(digits) * factor / share
    unit = 10.0**-decimals * factor / share
    return Printed(-value if is_negative else value, unit, is_percent)


def compare_result(result: Value, printed: str) -> str:
    """How a result relates to the gold answer as it is printed.

    Args:
        result: of a program: a number, `yes`, `no`, or null where there is none.
        printed: gold answer.

    Returns:
        The first that holds of `VERDICTS`: `exact`; `rounded`, within half a unit of the last
        printed digit; `truncated`, within a whole one; `percent`, rounded after one of the two is
        divided by 100; `sign`, rounded with the other sign; `scale`, rounded after a factor of a
        thousand, a million or a billion; `different`; and `unreadable` where the answer is no
        number although the result is one.
    """
    word = printed.strip().lower().rstrip(".")
    if result in ("yes", "no") or word in ("yes", "no"):
        return EXACT if result == word else DIFFERENT
    gold = read_printed(printed)
    if gold is None:
        return UNREADABLE
    if not isinstance(result, (int, float)) or not math.isfinite(result):
        return DIFFERENT
    return _compare_numbers(float(result), gold)


def _compare_numbers(result: float, gold: Printed) -> str:
    slack = _EPSILON * max(abs(result), abs(gold.value))
    distance = abs(result - gold.value)
    if distance <= slack:
        return EXACT
    if distance <= gold.unit / 2 + slack:
        return ROUNDED
    if distance < gold.unit - slack and abs(gold.value) < abs(result):
        return TRUNCATED
    # A printed zero is near everything that is made small enough.
    if gold.value == 0:
        return DIFFERENT
    for verdict, factors in (
        (PERCENT, (1 / _PERCENT, _PERCENT)),
        (SIGN, (-1.0,)),
        (SCALE, tuple(f for scale in _SCALES for f in (scale, 1 / scale))),
    ):
        if any(_is_rounded(result * factor, gold) for factor in factors):
            return verdict
    return DIFFERENT


def _is_rounded(result: float, gold: Printed) -> bool:
    slack = _EPSILON * max(abs(result), abs(gold.value))
    return abs(result - gold.value) <= gold.unit / 2 + slack

"""FinQA as its public evaluator scores it, oddities included.

Source: `code/evaluate/evaluate.py` of github.com/czyssrs/FinQA, restated. Two accuracies:

    execution accuracy = predictions whose program runs to the gold result / predictions
    program accuracy = predictions whose program is the gold one, symbolically / predictions

Oddities reproduced because published scores contain them: results are compared after rounding
to five decimals, with `==`; constants are symbols without a value; two programs are the same when
`sympy.simplify` turns them into the same expression, which depends on the release of sympy; steps
that the last one does not use are ignored. `finrag.scoring.strict.programs` holds what a finance
reader would call right.

The evaluator builds a formula as text and lets sympy parse it. Here the expression is built from
symbols, so that no text of a prediction is ever evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from finrag.scoring.programs.execution import (
    FINQA,
    Execution,
    Table,
    is_well_formed,
    parts_of_step,
    written_steps,
)
from finrag.scoring.programs.execution import execute as run
from finrag.text.programs import finqa_tokens

tokenize_program: Final = finqa_tokens

# Deeper formulas are not parsed by Python, and so not by the evaluator.
MAX_DEPTH: Final = 199
_FAULTS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def execute(tokens: Sequence[str], table: Table) -> Execution:
    """Run a program over the table of its page.

    Args:
        tokens: as `tokenize_program` gives them; the last one is dropped.
        table: rows of cells, the first cell of a row its header.

    Returns:
        Whether it is valid, and its value rounded to five decimals, `yes`, `no` or null.
    """
    return run(tokens, table, FINQA)


def is_right(execution: Execution, gold_executed: float | str) -> bool:
    """Whether an execution is valid and its value equals the gold result.

    Args:
        execution: of a predicted program.
        gold_executed: gold result: a number, `yes` or `no`.
    """
    return execution.is_valid and _equals(execution, gold_executed)


def _equals(execution: Execution, gold_executed: float | str) -> bool:
    return (_NO_VALUE if execution.value is None else execution.value) == gold_executed


_NO_VALUE: Final = "n/a"


def same_program(gold_tokens: Sequence[str], pred_tokens: Sequence[str]) -> bool:
    """Whether two programs are the same after symbolic simplification.

    Every literal of the gold program is a symbol named by its text, as is every table step; the
    prediction may use no others. Both last steps are expanded, and compared as
    `simplify(gold) == simplify(prediction)`: equality of structure, not of value.

    Args:
        gold_tokens: gold program; the last token is dropped.
        pred_tokens: predicted program; the last token is dropped. Whatever is wrong with it makes
            it another program.

    Returns:
        The evaluator's verdict under the installed sympy.

    Raises:
        ValueError: if the gold program itself cannot be read, where the evaluator stops; correct
            the gold program.
    """
    from sympy import simplify

    try:
        gold_steps = _readable_steps(gold_tokens[:-1])
        symbols = _symbols(gold_steps)
        # In this order: a prediction with other literals is judged before the gold is expanded.
        pred_steps = _allowed_steps(pred_tokens, symbols)
        if pred_steps is None:
            return False
        gold = simplify(_Expansion(gold_steps, symbols).last())
    except _FAULTS as error:
        raise ValueError(
            f"gold program {list(gold_tokens)!r} cannot be read ({error}); correct the gold program"
        ) from error
    try:
        return bool(gold == simplify(_Expansion(pred_steps, symbols).last()))
    except _FAULTS:
        return False


def _readable_steps(tokens: Sequence[str]) -> list[str]:
    steps = written_steps(tokens)
    if any(step.count("(") > 1 for step in steps):
        raise ValueError("a step holds another step")
    return steps


def _symbols(steps: Sequence[str]) -> dict[str, Any]:
    """A symbol for every literal and every table step, numbered as they come."""
    from sympy import Symbol

    names: dict[str, Any] = {}
    for step in steps:
        op, *arguments = parts_of_step(step)
        literals = [step] if "table" in op else [text for text in arguments if "#" not in text]
        for text in literals:
            names.setdefault(text, Symbol(f"a{len(names)}"))
    return names


def _allowed_steps(tokens: Sequence[str], symbols: Mapping[str, Any]) -> list[str] | None:
    """Steps of a prediction that uses nothing but the gold program's literals, else null."""
    try:
        if not is_well_formed(tokens[:-1], FINQA):
            return None
        steps = _readable_steps(tokens[:-1])
        is_allowed = all(_is_allowed(step, place, symbols) for place, step in enumerate(steps))
    except _FAULTS:
        return None
    return steps if is_allowed else None


def _is_allowed(step: str, step_pos: int, symbols: Mapping[str, Any]) -> bool:
    op, *arguments = parts_of_step(step)
    if "table" in op:
        return step in symbols
    return all(
        int(text.strip("#")) < step_pos if "#" in text else text in symbols for text in arguments
    )


_OPERATIONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = MappingProxyType(
    {
        "add": lambda first, second: first + second,
        "subtract": lambda first, second: first - second,
        "multiply": lambda first, second: first * second,
        "divide": lambda first, second: first / second,
        "exp": lambda first, second: first**second,
        "greater": lambda first, second: first > second,
    }
)


class _Expansion:
    """The expression of a program's steps, each built once."""

    def __init__(self, steps: Sequence[str], symbols: Mapping[str, Any]) -> None:
        self.steps = steps
        self.symbols = symbols
        self.built: dict[int, tuple[Any, int]] = {}

    def last(self) -> Any:
        """Expression of the last step."""
        return self._step(len(self.steps) - 1)[0]

    def _step(self, step_pos: int) -> tuple[Any, int]:
        """Expression of a step, and how deep the brackets of its formula nest."""
        if step_pos not in range(len(self.steps)):
            raise LookupError(f"#{step_pos} names no step")
        if step_pos not in self.built:
            self.built[step_pos] = self._build(self.steps[step_pos])
        return self.built[step_pos]

    def _build(self, step: str) -> tuple[Any, int]:
        op, *arguments = parts_of_step(step)
        if "table" in op:
            return self.symbols[step], 0
        (first, left), (second, right) = (self._argument(text) for text in arguments)
        depth = 1 + max(left, right)
        if depth > MAX_DEPTH:
            raise ValueError(f"more than {MAX_DEPTH} steps build on each other")
        return _OPERATIONS[op](first, second), depth

    def _argument(self, text: str) -> tuple[Any, int]:
        if "#" in text:
            return self._step(int(text.replace("#", "")))
        return self.symbols[text], 0

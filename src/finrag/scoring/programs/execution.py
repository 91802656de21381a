"""Run the arithmetic programs of FinQA, ConvFinQA and MultiHiertt, step by step.

A program is a flat list of tokens, four a step (`add(`, `1`, `2`, `)`), and a last token that
ends it. The rules are those of the public evaluators, oddities included, because the gold
results were made with them: see `finrag.scoring.official`. What is added here is the trace.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

Table = Sequence[Sequence[str]]
Value = int | float | complex | str | None

ARITHMETIC: Final = ("add", "subtract", "multiply", "divide", "exp")
_UNKNOWN: Final = "n/a"


@dataclass(frozen=True)
class Operand:
    """One argument of a step.

    Attributes:
        written: as the program writes it.
        kind: `number` (a literal), `constant` (`const_100`), `step` (`#0`), `row` (the header of
            a table row) or `unused` (the second argument of a table operation).
        value: what it stands for; of a row and of an unused argument, null.
        step: 0-based step that `#n` names, else null.
    """

    written: str
    kind: str
    value: Value = None
    step: int | None = None


@dataclass(frozen=True)
class Step:
    """One operation that was carried out.

    Attributes:
        step_pos: 0-based place in the program.
        op: name of the operation; `lookup` for a program that is one number.
        operands: its two arguments, of a lookup the one.
        result: a number, `yes` or `no`; a complex number from a root of a negative one.
        row: 0-based row of the table that a table operation read, else null.
        row_values: the numbers read from that row.
    """

    step_pos: int
    op: str
    operands: tuple[Operand, ...]
    result: Value
    row: int | None = None
    row_values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Execution:
    """The result of a program.

    Attributes:
        is_valid: false where the evaluator refuses the program or its arithmetic fails.
        value: rounded to five decimals, `yes` or `no`; null where nothing was computed. An
            invalid program keeps the result of its last good step, unrounded if it crashed.
        steps: the steps that were carried out.
        fault: why the program is invalid, null for a valid one.
    """

    is_valid: bool
    value: Value
    steps: tuple[Step, ...] = ()
    fault: str | None = None


@dataclass(frozen=True)
class Dialect:
    """What differs between the evaluators.

    Attributes:
        operations: names that may open a step.
        to_number: number that a literal stands for, or null; ValueError for a bad constant.
        has_table: table operations and `greater` exist.
        has_lookup: a program may be one number.
    """

    operations: tuple[str, ...]
    to_number: Callable[[str], float | None]
    has_table: bool
    has_lookup: bool = False


def finqa_number(text: str, mark: str = "const") -> float | None:
    """Number of a literal in FinQA: commas go, `5%` is 0.05, `const_m1` is -1.

    Args:
        text: the literal; a currency sign makes it no number.
        mark: what a constant holds; one that is not written in full is an error, and no number
            where `mark` is the whole of `const_`.

    Returns:
        The number, or null where it is none.

    Raises:
        ValueError: if a constant is not written `const_<number>`.
    """
    plain = text.replace(",", "")
    number = _float(plain)
    if number is not None:
        return number
    if "%" in plain:
        share = _float(plain.replace("%", ""))
        return None if share is None else share / 100.0
    return _constant(plain) if mark in plain else None


def convfinqa_number(text: str) -> float | None:
    """Number of a literal in ConvFinQA: as in FinQA, but `const` alone is not a number.

    Args:
        text: the literal.

    Raises:
        ValueError: if a constant is not written `const_<number>`.
    """
    return finqa_number(text, "const_")


def multihiertt_number(text: str) -> float | None:
    """Number of a literal or an answer in MultiHiertt: `$`, commas, `-` and `%` simply go.

    Args:
        text: the literal; its sign is lost, and `5%` is 5.

    Returns:
        The number, or null where it is none.

    Raises:
        ValueError: if a constant is not written `const_<number>`.
    """
    plain = text.translate(_DROPPED)
    number = _float(plain)
    if number is not None:
        return number
    return _constant(plain) if "const_" in plain else None


_DROPPED: Final = str.maketrans("", "", "$,-%")


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _constant(text: str) -> float:
    name = text.replace("const_", "")
    return -1.0 if name == "m1" else float(name)


FINQA: Final = Dialect(
    (*ARITHMETIC, "greater", "table_max", "table_min", "table_sum", "table_average"),
    finqa_number,
    has_table=True,
)
CONVFINQA: Final = Dialect(FINQA.operations, convfinqa_number, has_table=True, has_lookup=True)
MULTIHIERTT: Final = Dialect(ARITHMETIC, multihiertt_number, has_table=False)

_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = MappingProxyType(
    {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "exp": operator.pow,
        "greater": lambda first, second: "yes" if first > second else "no",
    }
)
_ROW_OPERATORS: Final[Mapping[str, Callable[[Sequence[float]], float]]] = MappingProxyType(
    {
        "table_max": max,
        "table_min": min,
        "table_sum": sum,
        "table_average": lambda row: sum(row) / len(row),
    }
)


def is_well_formed(tokens: Sequence[str], dialect: Dialect) -> bool:
    """Whether every fourth token opens with a known operation and every fourth closes.

    Args:
        tokens: without the last one, which ends the program.
        dialect: names the operations.
    """
    return all(token.strip("(") in dialect.operations for token in tokens[::4]) and all(
        token == ")" for token in tokens[3::4]
    )


def written_steps(tokens: Sequence[str]) -> list[str]:
    """The steps as joined text, arguments between bars, without what follows the last bracket.

    The bar that joins two steps stays in front of the second one.
    """
    return [step.strip() for step in "|".join(tokens).split(")")[:-1]]


def parts_of_step(step: str) -> tuple[str, str, str]:
    """Operation and the two arguments of a step as `written_steps` gives it.

    Raises:
        IndexError: if an argument or the opening bracket is missing.
    """
    pieces = step.split("(")
    arguments = pieces[1].strip("|").strip().split("|")
    return pieces[0].strip("|").strip(), arguments[0].strip(), arguments[1].strip()


class _RefusedError(Exception):
    """The evaluator stops at a step that it does not accept, and rounds what it has."""


class _Machine:
    """State of one run: results so far, and the row that a table operation loaded last."""

    def __init__(self, table: Table, dialect: Dialect) -> None:
        self.table = table
        self.dialect = dialect
        self.value: Any = _UNKNOWN
        self.results: dict[int, Any] = {}
        self.steps: list[Step] = []
        self.row: int | None = None
        self.row_values: list[float] | None = None

    def take(self, step_pos: int, written: str) -> None:
        """Carry out one step."""
        if written.count("(") > 1:
            raise _RefusedError(f"step {step_pos} holds another step")
        op, first, second = parts_of_step(written)
        is_known = op in self.dialect.operations and op in _OPERATORS
        if is_known or not self.dialect.has_table:
            operands = (self._operand(first), self._operand(second))
            if is_known:
                self.value = _OPERATORS[op](*(operand.value for operand in operands))
            # MultiHiertt gives a step with a garbled name the result of the step before.
            self.results[step_pos] = self.value
            self.steps.append(Step(step_pos, op, operands, self.value))
        elif "table" in op:
            self._take_row(step_pos, op, first, second)

    def _operand(self, written: str) -> Operand:
        if "#" in written:
            return self._reference(written)
        value = self.dialect.to_number(written)
        if value is None:
            raise _RefusedError(f"{written!r} is not a number")
        return Operand(written, "constant" if "const" in written else "number", value)

    def _reference(self, written: str) -> Operand:
        step = int(written.replace("#", ""))
        if step not in self.results:
            raise LookupError(f"{written!r} refers to no earlier step")
        return Operand(written, "step", self.results[step], step)

    def _take_row(self, step_pos: int, op: str, first: str, second: str) -> None:
        # Every row is read first: a row without cells spoils the table for any of its rows.
        places = {row[0]: place for place, row in enumerate(self.table)}
        if "#" in first:
            # The step is not used: the row of the table operation before is read again.
            operand = self._reference(first)
        else:
            operand = Operand(first, "row")
            if first not in places:
                raise _RefusedError(f"{first!r} is the label of no row of the table")
            self.row = places[first]
            self.row_values = self._row_values(self.table[self.row][1:])
        if self.row_values is None:
            raise LookupError(f"step {step_pos} reads a table row, but no step before names one")
        if op in _ROW_OPERATORS:
            self.value = _ROW_OPERATORS[op](self.row_values)
        self.results[step_pos] = self.value
        operands = (operand, Operand(second, "unused"))
        self.steps.append(
            Step(step_pos, op, operands, self.value, self.row, tuple(self.row_values))
        )

    def _row_values(self, cells: Sequence[str]) -> list[float]:
        values = []
        for cell in cells:
            number = self.dialect.to_number(cell_number(cell))
            if number is None:
                raise _RefusedError(f"cell {cell!r} is not a number")
            values.append(number)
        return values


def cell_number(cell: str) -> str:
    """The part of a cell that table operations read: no `$`, nothing from the bracket on."""
    return cell.replace("$", "").strip().split("(")[0].strip()


def execute(tokens: Sequence[str], table: Table, dialect: Dialect) -> Execution:
    """Run a program.

    Args:
        tokens: four a step, and a last one that is dropped whatever it is.
        table: rows of cells, the first cell of a row its header; may be empty.
        dialect: `FINQA`, `CONVFINQA` or `MULTIHIERTT`.

    Returns:
        The result with its trace. A program without steps is valid and has no value, as in all
        evaluators. A fault of any kind, such as a division by zero, makes the program invalid,
        never an error.
    """
    machine = _Machine(table, dialect)
    fault = None
    try:
        body = tokens[:-1]
        if dialect.has_lookup and len(body) == 1:
            return _looked_up(body[0], dialect)
        if not is_well_formed(body, dialect):
            return Execution(False, None, (), "it is not a list of steps of four tokens")
        try:
            for step_pos, written in enumerate(written_steps(body)):
                machine.take(step_pos, written)
        except _RefusedError as error:
            fault = str(error)
        if machine.value not in ("yes", "no", _UNKNOWN):
            machine.value = round(machine.value, 5)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        fault = str(error) or type(error).__name__
    value = None if machine.value == _UNKNOWN else machine.value
    return Execution(fault is None, value, tuple(machine.steps), fault)


def _looked_up(written: str, dialect: Dialect) -> Execution:
    """Result of a program that is one number."""
    value = dialect.to_number(written)
    if value is None:
        return Execution(False, None, (), f"{written!r} is not a number")
    value = round(value, 5)
    kind = "constant" if "const" in written else "number"
    step = Step(0, "lookup", (Operand(written, kind, value),), value)
    return Execution(True, value, (step,))

"""Whether unit tests would notice a fault of Python functions: ``python -m bench.mutants_of_code``.

As ``bench.mutants`` changes models, this changes modules in one place at a time: a comparison
flipped, a condition that always or never holds, a filter of a comprehension dropped, another
number, another text. A process loads the changed module in the place of the real one, loads what
imports it and the tests anew, and runs their cases; the first that fails notices the change.
"""

from __future__ import annotations

import ast
import copy
import importlib
import importlib.abc
import importlib.util
import inspect
import itertools
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bench.mutants import Mutant

# Longer runs no case unless it never ends.
LONGEST_S: Final = 20
_COMPARISONS: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt},
}
_BOUNDARIES: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
}
_NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_OPERATORS: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr},
}


@dataclass(frozen=True)
class Code:
    """Modules that stand on each other, and modules of tests that show what they do.

    Attributes:
        modules: names of the modules; each is changed.
        tests: names of the modules of their tests, with the helpers that import the former.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


GATES: Final = Code(
    modules=(
        "finrag.metrics.gates",
        "finrag.metrics.releases",
        *(
            f"finrag.metrics.gated.{name}"
            for name in ("expected", "figures", "known", "questions", "rules")
        ),
    ),
    tests=(
        *("tests.unit.gated_run", "tests.unit.test_gates", "tests.unit.test_gates_expected"),
        "tests.unit.test_releases",
    ),
)


def mutants(source: str) -> list[Mutant]:
    """All changes of a module's functions, in the order of their places.

    What stands beside functions are names, schemas and tables of constants: they are left.
    """
    texts = source.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, texts))]

    def place(line: int, column: int) -> int:
        # The parser counts bytes of a line.
        return starts[line - 1] + len(texts[line - 1].encode()[:column].decode())

    found = set()
    for statement in _statements(ast.parse(source)):
        for kind, node, changed in _changes(statement):
            start, end = node.lineno, node.end_lineno or node.lineno
            found.add(
                Mutant(
                    place(start, node.col_offset),
                    place(end, node.end_col_offset or 0),
                    f"({ast.unparse(changed)})",
                    kind,
                )
            )
    return sorted(found)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements of functions, without their docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from node.body[int(ast.get_docstring(node) is not None) :]


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """Kinds of change, what they change, and into what."""
    if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.FunctionDef):
        children: list[Any] = [node.value] if isinstance(node, ast.AnnAssign) and node.value else []
    else:
        children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If):
        yield from (("branch", node.test, ast.Constant(value)) for value in (True, False))
    if isinstance(node, ast.expr):
        yield from ((kind, node, changed) for kind, changed in _instead_of(node))
    for child in children:
        yield from _changes(child)


def _instead_of(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Compare(left, signs, others):
            for at, sign in enumerate(signs):
                for kind, table in (("comparison", _COMPARISONS), ("boundary", _BOUNDARIES)):
                    if type(sign) in table:
                        changed = [*signs[:at], table[type(sign)](), *signs[at + 1 :]]
                        yield kind, ast.Compare(left, changed, others)
            if isinstance(others[-1], ast.Constant) and isinstance(others[-1].value, str):
                yield "text", ast.Compare(left, signs, [*others[:-1], ast.Constant("another")])
        case ast.BoolOp(sign, values):
            yield "and", ast.BoolOp(ast.Or() if isinstance(sign, ast.And) else ast.And(), values)
            for at in range(len(values)):
                kept = [*values[:at], *values[at + 1 :]]
                yield "dropped", kept[0] if len(kept) == 1 else ast.BoolOp(sign, kept)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield "sign", operand
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
            yield "operator", ast.BinOp(left, _OPERATORS[type(sign)](), right)
        case ast.IfExp(_, body, otherwise):
            yield from (("branch", body), ("branch", otherwise))
        case ast.Constant(bool() as value):
            yield "flag", ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield "number", ast.Constant(value + 1)
        case ast.Name(name) if name in _NAMES:
            yield "function", ast.Name(_NAMES[name])
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from (("filter", changed) for changed in _unfiltered(node))


def _unfiltered(node: Any) -> Iterator[ast.expr]:
    """A comprehension without one of its conditions."""
    for at, loop in enumerate(node.generators):
        for place in range(len(loop.ifs)):
            changed = copy.deepcopy(node)
            del changed.generators[at].ifs[place]
            yield changed


def noticed(code: Code, processes: int = 2) -> dict[str, str | None]:
    """Which case of the tests notices which change first.

    Returns:
        By a description of the change the case, or None where every case passes.

    Raises:
        ValueError: a case fails on the modules as they are.
    """
    tasks: dict[str, tuple[str, str]] = {}
    seen: Counter[str] = Counter()
    for module in code.modules:
        source = _source(module)
        for mutant in mutants(source):
            was = " ".join(source[mutant.start : mutant.end].split())
            described = f"{module} {mutant.kind}: {was} -> {mutant.instead}"
            seen[described] += 1
            # The same words may stand twice in a module.
            again = f" #{seen[described]}" if seen[described] > 1 else ""
            tasks[described + again] = module, mutant.of(source)
    with ProcessPoolExecutor(processes) as pool:
        case = pool.submit(first_failing, code).result()
        if case:
            raise ValueError(f"{case} fails on the modules as they are")
        changed = pool.map(partial(first_failing, code), *zip(*tasks.values(), strict=True))
        return dict(zip(tasks, changed, strict=True))


def first_failing(code: Code, changed: str = "", source: str = "") -> str | None:
    """The first case that fails where a module has another source; None if all pass.

    Everything is imported anew, so this is for a process of its own.
    """
    for name in (*code.modules, *code.tests):
        sys.modules.pop(name, None)
    finder = _Finder(changed, source)
    sys.meta_path.insert(0, finder)
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LONGEST_S)
    case = "the import"
    try:
        for name in code.tests:
            for found, run in _cases(importlib.import_module(name)):
                case = found
                run()
    # Whatever a change leads to is noticed.
    except BaseException:
        return case
    finally:
        signal.alarm(0)
        sys.meta_path.remove(finder)
    return None


def _stop(*_: Any) -> None:
    raise TimeoutError


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module, with another source."""

    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._source = source

    def find_spec(self, fullname: str, *_: Any) -> Any:
        """See ``MetaPathFinder``."""
        return importlib.util.spec_from_loader(fullname, self) if fullname == self._name else None

    def get_source(self, _fullname: str) -> str:
        """See ``InspectLoader``."""
        return self._source


def _source(module: str) -> str:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ValueError(f"there is no module {module}")
    return Path(spec.origin).read_text("utf-8")


def _cases(module: ModuleType) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The tests of a module, with each of their parameters."""
    for name, function in vars(module).items():
        if not name.startswith("test_"):
            continue
        marks = getattr(function, "pytestmark", [])
        parameters = [_parameters(mark) for mark in marks if mark.name == "parametrize"]
        for chosen in itertools.product(*parameters):
            given = {key: value for one in chosen for key, value in one.items()}
            if missing := inspect.signature(function).parameters.keys() - given:
                raise ValueError(f"{name} needs the fixture {min(missing)}")
            yield f"{module.__name__}.{name}", partial(function, **given)


def _parameters(mark: Any) -> list[dict[str, Any]]:
    names, rows = mark.args[:2]
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    return [dict(zip(split, [row] if len(split) == 1 else row, strict=True)) for row in rows]


def main() -> int:
    """Print how many changes of each module are noticed, and those that are not."""
    found = noticed(GATES)
    for module in GATES.modules:
        of_module = {key: case for key, case in found.items() if key.startswith(f"{module} ")}
        print(f"{module:40} {sum(map(bool, of_module.values())):5} of {len(of_module):5}")
        for described in [key for key, case in of_module.items() if case is None]:
            print(f"    not noticed: {described}")
    print(f"{'all':40} {sum(map(bool, found.values())):5} of {len(found):5}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

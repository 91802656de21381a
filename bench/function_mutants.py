"""Whether the tests of the library would notice a fault in a function of it.

``python -m bench.function_mutants MODULES --tests TESTS`` changes each module in one place at a
time (a comparison flipped, a filter or a branch dropped, another number, a sum for a difference,
the greatest for the least) and runs the tests on it until one fails. It lists the changes that
none notices; some of them change nothing that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

SOURCES = Path("src")
FLIPPED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {
    **{"least": "greatest", "greatest": "least", "minimum": "maximum", "maximum": "minimum"},
    **{"min": "max", "max": "min", "any": "all", "all": "any", "left": "right", "right": "left"},
}
# More processor time a run takes only if it never ends.
LONGEST_S = 60
NOTICED, SURVIVED, BROKEN = 0, 1, 2


class Change(ast.NodeTransformer):
    """The change of a module that has a number; counts all of them on the way."""

    def __init__(self, number: int) -> None:
        self.number, self.count, self.told = number, 0, ""

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.arguments):
            return node
        if isinstance(node, ast.FunctionDef):
            node.body = [self.visit(each) for each in node.body]  # type: ignore[misc]
            return node
        if isinstance(node, ast.AnnAssign):
            node.value = self.visit(node.value) if node.value else None  # type: ignore[assignment]
            return node
        before = ast.unparse(node) if self.count <= self.number else ""
        node = self.generic_visit(node)
        for changed in variants(node):
            if self.count == self.number:
                self.told = f"line {node.lineno}: {before} -> {ast.unparse(changed)}"  # type: ignore[attr-defined]
                node = ast.copy_location(changed, node)
            self.count += 1
        return node


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """What a piece of code may be in its place."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in FLIPPED[type(node.ops[0])]:
            yield ast.Compare(node.left, [other()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        yield ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in SWAPPED:
        yield ast.AugAssign(node.target, SWAPPED[type(node.op)](), node.value)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.If):
        yield ast.If(ast.Constant(False), node.body, node.orelse)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int | float):
            yield ast.Constant(node.value + 1)
        elif node.value in NAMES:
            yield ast.Constant(NAMES[node.value])
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield ast.Attribute(node.value, NAMES[node.attr], node.ctx)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, args = node.func.attr, node.args
        if name == "where" and len(args) == 3:
            yield from args[1:]
        elif name == "flatnonzero":
            rows = ast.Call(ast.Name("len", ast.Load()), args, [])
            yield ast.Call(ast.Attribute(node.func.value, "arange", ast.Load()), [rows], [])
        elif name == "filter":
            yield node.func.value


def changed(source: str, number: int) -> tuple[str, str]:
    """A module with the change of a number, and what it is; two empty texts after the last."""
    change = Change(number)
    tree = ast.fix_missing_locations(change.visit(ast.parse(source)))
    return (ast.unparse(tree), change.told) if change.told else ("", "")


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports other code for one module."""

    def __init__(self, name: str, code: str) -> None:
        self._name, self._code = name, code

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._code, self._name, "exec"), module.__dict__)


def run(name: str, code: str, tests: Sequence[str]) -> int:
    """Whether tests notice other code of a module, in a process of its own."""
    child = os.fork()
    if child == 0:
        used = int(sum(os.times()[:2]))
        resource.setrlimit(resource.RLIMIT_CPU, (used + LONGEST_S, used + LONGEST_S))
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        import pytest

        if code:
            sys.meta_path.insert(0, _Instead(name, code))
        status = pytest.main(["-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests])
        os._exit(
            {pytest.ExitCode.OK: SURVIVED, pytest.ExitCode.NO_TESTS_COLLECTED: BROKEN}.get(
                status, NOTICED
            )
        )
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else NOTICED


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.function_mutants", description=__doc__)
    parser.add_argument("modules", nargs="+", help="modules or packages, as finrag.metrics.ranked")
    parser.add_argument("--tests", nargs="+", required=True, help="files of tests, quickest first")
    parser.add_argument("--processes", type=int, default=2, help="processes (2)")
    options = parser.parse_args()
    # What the tests stand on is imported once, before the process is copied.
    import numpy  # noqa: F401
    import pyarrow.compute  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401

    import tests.conftest  # noqa: F401

    if run("", "", options.tests) != SURVIVED:
        print("the tests do not pass on the library as it is", file=sys.stderr)
        return 2
    n_all = n_noticed = 0
    for name, source in _sources(options.modules):
        changes = list(_changes(source))
        with ThreadPoolExecutor(options.processes) as pool:
            runs = [pool.submit(run, name, code, options.tests) for code, _ in changes]
            statuses = [each.result() for each in runs]
        noticed = sum(status != SURVIVED for status in statuses)
        n_all, n_noticed = n_all + len(changes), n_noticed + noticed
        print(f"{name:44} {noticed:5} of {len(changes):5}", flush=True)
        for (_, told), status in zip(changes, statuses, strict=True):
            if status == SURVIVED:
                print(f"    not noticed: {told}", flush=True)
    print(f"{'all':44} {n_noticed:5} of {n_all:5}")
    return 0


def _changes(source: str) -> Iterator[tuple[str, str]]:
    number = 0
    while (found := changed(source, number))[1]:
        yield found
        number += 1


def _sources(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        path = SOURCES / name.replace(".", "/")
        files = sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        for file in files:
            if file.stem != "__init__":
                module = ".".join(file.relative_to(SOURCES).with_suffix("").parts)
                yield module, file.read_text(encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())

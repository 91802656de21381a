"""Which parts of the library some code stands on, and a digest of them."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import finrag
from finrag.warehouse.folder import project_folder

_ROOT: Final = Path(finrag.__file__).parent
_FILE_NAME: Final = re.compile(r"[\w.-]+(/[\w.-]+)+")


def modules_behind(code: str) -> frozenset[str]:
    """Names of all modules of the library that this code imports, and that those import.

    An import counts wherever it stands, inside functions too. Importing ``a.b.c`` runs ``a`` and
    ``a.b`` as well.
    """
    reached: set[str] = set()
    waiting = list(_imports(ast.walk(ast.parse(code))))
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _imports_of(name)
    return frozenset(reached)


def library_digest(modules: Collection[str]) -> str:
    """SHA-256, in hex, of modules, of the data files in their folders, and of those they name.

    A file of the project that the library reads stands in its source as a text such as
    ``seeds/gold/suite.jsonl``.
    """
    digests = [f"{name}\n{_module_digest(name)}" for name in sorted(modules)]
    # Files of the project may change between two builds of one process; the library may not.
    named = sorted({path for name in modules for path in _files_named(name)})
    # The same on every machine, wherever the project lies.
    root = project_folder()
    digests += [f"{path.relative_to(root).as_posix()}\n{file_digest(path)}" for path in named]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256, in hex, of a file; of one that stands as it stood, as it was found then."""
    state = path.stat()
    return _digest_of(path, state.st_ino, state.st_size, state.st_mtime_ns)


@cache
def _digest_of(path: Path, *_state: int) -> str:
    """SHA-256, in hex, of a file in a state: a second build of one process may find another."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _module_digest(module: str) -> str:
    """SHA-256, in hex, of a module and of the data files in its folder."""
    digest = hashlib.sha256()
    for path in sorted(_files(module)):
        digest.update(f"{path.relative_to(_ROOT).as_posix()}\n{file_digest(path)}".encode())
    return digest.hexdigest()


@cache
def _parsed(module: str) -> tuple[ast.AST, ...]:
    """All nodes of the syntax tree of a module of the library."""
    path = _source(module)
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) if path else ()


@cache
def _imports_of(module: str) -> tuple[str, ...]:
    return tuple(_imports(_parsed(module)))


def _files_named(module: str) -> Iterator[Path]:
    project = project_folder()
    return (path for path in (project / text for text in _names_in(module)) if path.is_file())


@cache
def _names_in(module: str) -> tuple[str, ...]:
    """What a module has in quotation marks that may be a file of the project."""
    texts = {
        node.value
        for node in _parsed(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return tuple(sorted(text for text in texts if _FILE_NAME.fullmatch(text)))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for name in names:
            yield from _modules(name)


def _modules(name: str) -> Iterator[str]:
    """Modules of the library among a dotted name and what it lies in."""
    parts = name.split(".")
    if parts[0] == "finrag":
        for end in range(1, len(parts) + 1):
            module = ".".join(parts[:end])
            if _source(module):
                yield module


@cache
def _source(module: str) -> Path | None:
    place = _ROOT.joinpath(*module.split(".")[1:])
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file() and path.parent != _ROOT.parent:
            return path
    return None


def _files(module: str) -> Iterator[Path]:
    """The module's source, and what lies beside it and is no source."""
    source = _source(module)
    if source is None:
        return
    yield source
    if source.parent != _ROOT:
        for path in source.parent.rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc"):
                yield path

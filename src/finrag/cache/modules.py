"""Which parts of the library some code stands on, and a digest of them."""

from __future__ import annotations

import dis
import hashlib
import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
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
    waiting = list(_imports(compile(code, "<code>", "exec")))
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
def _compiled(module: str) -> CodeType | None:
    """The code of a module of the library, read from where Python keeps it compiled."""
    path = _source(module)
    return SourceFileLoader(module, str(path)).get_code(module) if path else None


@cache
def _imports_of(module: str) -> tuple[str, ...]:
    code = _compiled(module)
    return tuple(_imports(code)) if code else ()


def _files_named(module: str) -> Iterator[Path]:
    project = project_folder()
    return (path for path in (project / text for text in _names_in(module)) if path.is_file())


@cache
def _names_in(module: str) -> tuple[str, ...]:
    """What a module has in quotation marks that may be a file of the project."""
    code = _compiled(module)
    texts = {text for each in _all_code(code) for text in _texts(each.co_consts)} if code else ()
    return tuple(sorted(text for text in texts if _FILE_NAME.fullmatch(text)))


def _texts(constants: Collection[object]) -> Iterator[str]:
    for constant in constants:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from _texts(constant)


def _all_code(code: CodeType) -> Iterator[CodeType]:
    """Code with that of its functions and classes, and of those in them."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_code(constant)


def _imports(code: CodeType) -> Iterator[str]:
    for each in _all_code(code):
        # Few of all functions import anything of the library.
        if not any(name.split(".")[0] == "finrag" for name in each.co_names):
            continue
        loaded: list[object] = []
        for step in dis.get_instructions(each):
            if step.opname == "LOAD_CONST":
                loaded.append(step.argval)
            elif step.opname == "IMPORT_NAME":
                # `from a import b` is made of two constants, the level and the names.
                level, names = loaded[-2:]
                if not level:
                    yield from _modules(step.argval)
                    for name in names if isinstance(names, tuple) else ():
                        yield from _modules(f"{step.argval}.{name}")


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
            # Python writes there while it runs, half files too.
            is_compiled = "__pycache__" in path.parts
            if path.is_file() and path.suffix != ".py" and not is_compiled:
                yield path

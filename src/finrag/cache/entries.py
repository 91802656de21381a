"""Entries of the cache: a file or a folder each, whole or not there, found by the key in its name.

A key is a digest of all that the value was made from. An entry is written under a hidden name, then
renamed, and never changed: any number of processes may read and add at once, and two processes
that add one entry add the same value. A damaged entry is renamed and reported; its value is then
computed again. For tables, see ``finrag.cache.tables``.
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import pyarrow as pa

from finrag.records.writing import clear_leftovers, removed, replacing

# What readers of Parquet, FAISS and BM25 raise at bytes that they did not write.
_DAMAGE: Final = (OSError, ValueError, KeyError, EOFError, RuntimeError, pa.ArrowException)

Value = TypeVar("Value")
logger = logging.getLogger("finrag.cache")


@dataclass(frozen=True)
class Entries:
    """Entries of one kind.

    Attributes:
        folder: where they lie; made when the first is added.
        name: what messages call one, such as ``the BM25 index``.
        if_lost: what happens to a lost one, such as ``it is built again``.
        suffix: how the names of their files end.
        limit: how many stay, those used last; None for all.
    """

    folder: Path
    name: str
    if_lost: str
    suffix: str = ""
    limit: int | None = None

    def open(self) -> None:
        """Make the folder, and remove what runs that were killed left half written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        clear_leftovers(self.folder)

    def path(self, key: str) -> Path:
        """Where the entry of a key lies, or would."""
        return self.folder / f"{key}{self.suffix}"

    def find(self, key: str, read: Callable[[Path], Value]) -> Value | None:
        """What the entry of a key holds.

        Args:
            key: of the entry.
            read: reads a value from a path; raises an error where the file is damaged.

        Returns:
            The value; None where there is no entry, or a damaged one.

        Raises:
            OSError: the system refused to read it (rights, disk), which is no damage.
        """
        path = self.path(key)
        if not path.exists():
            return None
        try:
            value = read(path)
        except _DAMAGE as error:
            # Without a number it is the reader's own error; a part that is missing is damage too.
            if isinstance(error, OSError) and error.errno not in (None, errno.ENOENT):
                raise
            # Another process may have moved it first.
            if path.exists():
                set_aside([path], self.name, str(error), self.if_lost)
            return None
        if self.limit is not None:
            path.touch()
        return value

    @contextmanager
    def adding(self, key: str) -> Iterator[Path]:
        """A path to write a new entry to; it is there at the end of the ``with``."""
        self.open()
        path = self.path(key)
        try:
            with replacing(path) as hidden:
                yield hidden
        except OSError as error:
            # A folder that another process has added meanwhile is not replaced; it is the same.
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or not path.is_dir():
                raise
        if self.limit is not None:
            newest_first = sorted(self._whole(), key=_last_used, reverse=True)
            for stale in newest_first[self.limit :]:
                removed(stale)

    def _whole(self) -> list[Path]:
        return [
            path
            for path in self.folder.iterdir()
            if path.suffix == self.suffix and not path.name.startswith(".")
        ]


def _last_used(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except FileNotFoundError:  # another process has just removed it
        return 0, path.name


@dataclass(frozen=True)
class _Damage:
    """A damaged file: what it is called, what is wrong, its new name, and what happens now."""

    path: Path
    name: str
    problem: str
    renamed: str
    if_lost: str


class _Counted:
    """Damage that is reported once a step ends, a sentence for each kind of entry."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0
        self._found: list[_Damage] = []

    def add(self, damage: _Damage) -> None:
        with self._lock:
            if self._depth:
                self._found.append(damage)
                return
        _report([damage])

    @contextmanager
    def counting(self) -> Iterator[None]:
        with self._lock:
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                found, self._found = (self._found, []) if not self._depth else ([], self._found)
            for _, of_kind in groupby(sorted(found, key=_kind), key=_kind):
                _report([*of_kind])


_COUNTED: Final = _Counted()


@contextmanager
def damage_counted() -> Iterator[None]:
    """Report what is found damaged meanwhile at the end: a sentence for each kind of entry.

    Elsewhere each damaged entry is reported when it is found.
    """
    with _COUNTED.counting():
        yield


def set_aside(paths: list[Path], name: str, problem: str, if_lost: str) -> None:
    """Rename damaged files, and say so.

    Args:
        paths: the file, and those that go with it.
        name: what the message calls them.
        problem: what is wrong.
        if_lost: what happens to their contents.
    """
    end = f".damaged-{time.time_ns()}"
    for path in paths:
        # Another process may have found and moved it first.
        with suppress(FileNotFoundError):
            path.rename(path.with_name(f"{path.name}{end}"))
    _COUNTED.add(_Damage(paths[0], name, problem, f"{paths[0].name}{end}", if_lost))


def _kind(damage: _Damage) -> tuple[str, str]:
    return damage.name, damage.if_lost


def _report(found: list[_Damage]) -> None:
    first, more = found[0], len(found) - 1
    # What FAISS says of a file goes on with lines of its own source.
    problem = (first.problem.splitlines() or [""])[0]
    others, renamed, files = "", f"it is renamed to {first.renamed}", "the file"
    if more:
        folder = os.path.commonpath([damage.path.absolute().parent for damage in found])
        others = f", and so are {more:,} more below {folder}"
        renamed, files = "each is renamed to <name>.damaged-<time>", "these files"
    logger.warning(
        "%s %s is damaged (%s)%s; %s and %s. Nothing to do; delete %s when you like.",
        first.name,
        first.path,
        problem,
        others,
        renamed,
        first.if_lost,
        files,
    )

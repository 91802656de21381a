"""Rows that change after they are written: one SQLite file that survives a killed process.

It serves calls to models: a process marks a call as under way before it sends it. What is written
only once is an entry (see ``finrag.cache.entries``). A row is on disk when the transaction that
adds it ends. Any number of threads and processes may use a file at once. A file that is damaged,
or of another version, is renamed, and a new one takes its place.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from finrag.cache.entries import set_aside

BUSY_TIMEOUT_S: Final = 60.0

Result = TypeVar("Result")


@dataclass(frozen=True)
class RowFormat:
    """What a file of rows holds.

    Attributes:
        tables: SQL that makes its tables.
        version: of the tables; it changes with every column added or removed.
        name: what messages call the file, such as ``the store of calls``.
        if_lost: what happens to lost rows, such as ``what it held is asked again``.
    """

    tables: str
    version: int
    name: str
    if_lost: str


class RowFile:
    """An open file of rows."""

    def __init__(self, path: Path, form: RowFormat) -> None:
        """Open the file, made with its folder where it is not there.

        Raises:
            ValueError: the folder cannot be written.
        """
        self._path = path
        self._form = form
        self._lock = Lock()
        with self.disk_errors_reported():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()

    def close(self) -> None:
        """Give up the file."""
        self._connection.close()

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Work in one transaction; if the file proves damaged, in a new file.

        Raises:
            ValueError: the file cannot be used: a full disk, rights, a lock that is not given up.
        """
        with self._lock, self.disk_errors_reported():
            try:
                return _in_transaction(self._connection, work)
            except sqlite3.DatabaseError as error:
                if type(error) is not sqlite3.DatabaseError:
                    raise
            self._connection.close()
            self._connection = self._open()
            return _in_transaction(self._connection, work)

    @contextmanager
    def disk_errors_reported(self) -> Iterator[None]:
        """Reports errors of the disk in one sentence; a paid answer must never be lost silently."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise ValueError(
                f"{self._form.name} {self._path} cannot be used ({error}); free disk space, check "
                "the rights of its folder or set state_dir elsewhere, then run again."
            ) from error

    def _open(self) -> sqlite3.Connection:
        with alone(self._path.parent):
            problem = self._problem()
            if problem:
                ends = ("", "-journal", "-wal", "-shm")
                parts = [self._path.with_name(f"{self._path.name}{end}") for end in ends]
                there = [part for part in parts if part.exists()]
                set_aside(there, self._form.name, problem, self._form.if_lost)
            return self._connected()

    def _problem(self) -> str:
        if not self._path.exists():
            return ""
        try:
            connection = self._connected()
            try:
                found = connection.execute("pragma quick_check(1)").fetchone()[0]
            finally:
                connection.close()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            return str(error)
        return "" if found == "ok" else str(found).splitlines()[0]

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        expected = self._form.version
        try:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            version = connection.execute("pragma user_version").fetchone()[0]
            if version not in (0, expected):
                raise sqlite3.DatabaseError(f"its version is {version}, not {expected}")
            if version == 0:
                tables = self._form.tables
                connection.executescript(f"begin;{tables}pragma user_version = {expected};commit;")
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time in a folder.

    Two processes that find damage must not move each other's new file away, and none may mistake
    the lock of a starting process for that of a dead one.
    """
    handle = os.open(folder / "opening.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _in_transaction(
    connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Result]
) -> Result:
    connection.execute("begin immediate")
    try:
        result = work(connection)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    return result

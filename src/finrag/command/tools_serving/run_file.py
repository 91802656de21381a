"""The file of a run: one line an answer, on the disk before the agent is told that it is stored."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from finrag.records.identity import shown

_NEW_FILE: Final = "give another --out, or move the file away"


class RunFile:
    """Answers of one system, appended; a run that was broken off goes on where it ended."""

    def __init__(self, path: Path, configuration: str) -> None:
        """Opens the file, which is made where it is not there, and reads what it holds.

        A last line without its end was never confirmed: it is removed, and its question is asked
        again.

        Args:
            path: the file.
            configuration: how the questions are asked, in words.

        Raises:
            ValueError: another process writes to it, a line is no answer of such a run, or it was
                written under another configuration.
        """
        self.path = path
        self.records: dict[str, dict[str, Any]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: what could not be written does not come out later.
        self._stream = path.open("a+b", buffering=0)
        try:
            self._lock()
            self._read(configuration)
        except BaseException:
            self._stream.close()
            raise

    def append(self, record: Mapping[str, Any]) -> None:
        """Writes an answer; when this returns it is on the disk.

        Args:
            record: what ``external_file`` reads, with ``item_id``.

        Raises:
            ValueError: the question is answered already.
            OSError: it cannot be written; what was written of it is removed.
        """
        item_id = record["item_id"]
        if item_id in self.records:
            raise ValueError(f"{item_id} is answered already")
        line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        end = self._stream.seek(0, os.SEEK_END)
        try:
            if self._stream.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            os.fsync(self._stream.fileno())
        except OSError:
            os.ftruncate(self._stream.fileno(), end)
            raise
        self.records[item_id] = dict(record)

    def close(self) -> None:
        """Closes the file; another process may then go on with it."""
        self._stream.close()

    def __enter__(self) -> Self:
        """The file itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes it."""
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ValueError(
                f"another finrag mcp writes to '{self.path}'; end it, or give another --out"
            ) from error

    def _read(self, configuration: str) -> None:
        self._stream.seek(0)
        whole, end, torn = self._stream.read().rpartition(b"\n")
        if torn:
            self._stream.truncate(len(whole) + len(end))
        for number, line in enumerate(whole.splitlines() if end else (), start=1):
            record = self._record(number, line)
            if record.get("configuration") != configuration:
                raise ValueError(
                    f"{self.path}, line {number}: it was asked with "
                    f"{shown(record.get('configuration'), 200)}, this run has "
                    f"'{configuration}'; {_NEW_FILE}"
                )
            self.records.setdefault(record["item_id"], record)

    def _record(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("item_id"), str):
            raise ValueError(f"{self.path}, line {number}: it is no answer of a run; {_NEW_FILE}")
        return record

"""The files of a run: a line an answer, and beside it a line a turn of questions still open.

A line is on the disk before the agent is told of it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Any, Final, Self

from finrag.records.identity import shown

# No ending of a file of answers: whoever reads a folder of runs passes it over.
OPEN_SUFFIX: Final = ".open"
_NEW_FILE: Final = "give another --out, or move the file away"


def check_writable(path: Path) -> None:
    """Checks that answers can be appended to a file, without making it.

    Args:
        path: of the file; its folder is made where it is missing.

    Raises:
        ValueError: it is a folder, or cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.open("ab").close()
        else:
            # Not the file itself: removing it could take it from a server that just opened it.
            TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise ValueError(
            f"answers cannot be written to '{path}' ({error.strerror}); give as --out a file in a "
            "folder that you may write to, such as run.jsonl"
        ) from error


class RunFile:
    """Answers of one system, appended; a run that was broken off goes on where it ended."""

    def __init__(self, path: Path, configuration: str) -> None:
        """Opens the files, which are made where they are not there, and reads what they hold.

        A last line without its end was never confirmed: it is removed, and its question is asked
        again, or its turn is free again.

        Args:
            path: of the answers; turns stand in the file of this name with ``OPEN_SUFFIX``.
            configuration: how the questions are asked, in words.

        Raises:
            ValueError: another process writes to it, a line is of no such run, or it was written
                under another configuration.
        """
        self.path = path
        self.open_path = path.with_name(path.name + OPEN_SUFFIX)
        self.records: dict[str, dict[str, Any]] = {}
        # By question without an answer: seconds that had passed, and steps, of each turn.
        self._turns: dict[str, list[tuple[float, list[dict[str, Any]]]]] = {}
        self._configuration = configuration
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: what could not be written does not come out later.
        self._stream = path.open("a+b", buffering=0)
        try:
            self._lock()
            for record in self._lines(self._stream, path):
                self.records.setdefault(record["item_id"], record)
            self._open_stream = self.open_path.open("a+b", buffering=0)
        except BaseException:
            self._stream.close()
            raise
        try:
            for turn in self._lines(self._open_stream, self.open_path):
                if turn["item_id"] not in self.records:
                    self._keep(turn)
        except BaseException:
            self.close()
            raise

    @property
    def open_items(self) -> tuple[str, ...]:
        """Questions without an answer of which a turn was taken."""
        return tuple(self._turns)

    def turns(self, item_id: str) -> tuple[float, list[dict[str, Any]]]:
        """Seconds that had passed when the last turn of an open question ended, and its steps."""
        turns = self._turns.get(item_id, [])
        steps = [step for _, taken in turns for step in taken]
        return (turns[-1][0] if turns else 0.0), steps

    def add_turn(self, item_id: str, seconds: float, steps: Sequence[Mapping[str, Any]]) -> None:
        """Writes a turn; when this returns it is on the disk.

        Args:
            item_id: the question, which has no answer.
            seconds: since it was handed out.
            steps: of the turn.

        Raises:
            OSError: it cannot be written; what was written of it is removed.
        """
        turn = {
            "item_id": item_id,
            "configuration": self._configuration,
            "seconds": seconds,
            "steps": list(steps),
        }
        _write(self._open_stream, self.open_path, turn)
        self._keep(turn)

    def append(self, record: Mapping[str, Any]) -> None:
        """Writes an answer; when this returns it is on the disk. Its turns are then removed.

        Args:
            record: what ``external_file`` reads, with ``item_id``.

        Raises:
            ValueError: the question is answered already.
            OSError: it cannot be written; what was written of it is removed.
        """
        item_id = record["item_id"]
        if item_id in self.records:
            raise ValueError(f"{item_id} is answered already")
        _write(self._stream, self.path, record)
        self.records[item_id] = dict(record)
        self._turns.pop(item_id, None)
        if not self._turns:
            # Turns of a question with an answer are passed over where they are read.
            with suppress(OSError):
                self._open_stream.truncate(0)

    def close(self) -> None:
        """Closes the files; another process may then go on with them."""
        if not self._stream.closed and not os.fstat(self._open_stream.fileno()).st_size:
            self.open_path.unlink(missing_ok=True)
        self._open_stream.close()
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

    def _keep(self, turn: Mapping[str, Any]) -> None:
        if not (
            isinstance(turn.get("steps"), list) and isinstance(turn.get("seconds"), int | float)
        ):
            raise ValueError(f"{self.open_path}: a line is not a turn of a run; {_NEW_FILE}")
        taken = (float(turn["seconds"]), list(turn["steps"]))
        self._turns.setdefault(turn["item_id"], []).append(taken)

    def _lines(self, stream: IO[bytes], path: Path) -> Iterator[dict[str, Any]]:
        """The records of a file, from which a last line without its end is removed."""
        stream.seek(0)
        whole, end, torn = stream.read().rpartition(b"\n")
        if torn:
            stream.truncate(len(whole) + len(end))
        for number, line in enumerate(whole.splitlines() if end else (), start=1):
            record = _record(path, number, line)
            if record.get("configuration") != self._configuration:
                raise ValueError(
                    f"{path}, line {number}: it was asked with "
                    f"{shown(record.get('configuration'), 200)}, but this run has "
                    f"'{self._configuration}'; {_NEW_FILE}"
                )
            yield record


def _write(stream: IO[bytes], path: Path, record: Mapping[str, Any]) -> None:
    line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    end = stream.seek(0, os.SEEK_END)
    try:
        if stream.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(stream.fileno())
    except OSError:
        os.ftruncate(stream.fileno(), end)
        raise


def _record(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("item_id"), str):
        raise ValueError(f"{path}, line {number}: it is not an answer of a run; {_NEW_FILE}")
    return record

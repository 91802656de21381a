"""The store of requests and answers: one SQLite file, by the content of the request.

Before a request is sent a row says that it is under way; on the last byte of the answer the row is
replaced, in one synced transaction, by one that holds the body. If the process is killed, answers
are not lost, and requests under way are known. A living process holds a lock on a file
of its own, so that a row of a dead process differs from a row of one at work.

Keys, headers and addresses are never stored.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from finrag.cache.rows import RowFile, RowFormat, alone
from finrag.llm.calls import Sent

FILE: Final = "calls.sqlite"
INTERRUPTED: Final = "interrupted: the process ended while the request was under way"
_FORMAT: Final = RowFormat(
    """
create table if not exists calls (
    call_key text primary key,
    request_hash text not null,
    prompt_hash text not null,
    model text not null,
    stage text not null,
    status text not null check (status in ('under way', 'ok', 'failed')),
    owner text,
    error text,
    http_status integer,
    n_attempts integer not null,
    input_tokens integer,
    output_tokens integer,
    latency_ms real,
    called_at text not null,
    body blob,
    body_hash text,
    check (status <> 'ok' or (body is not null and body_hash is not null))
) strict;
create index if not exists calls_by_request on calls (request_hash);
create unique index if not exists one_answer on calls (request_hash) where status = 'ok';
create unique index if not exists one_under_way on calls (request_hash)
where status = 'under way';
""",
    version=1,
    name="the store of answers",
    if_lost="its requests are sent again",
)
logger = logging.getLogger("finrag.llm")


@dataclass(frozen=True)
class Row(Sent):
    """A request as it is stored, and the body of its answer."""

    call_key: str = field(kw_only=True)
    body: bytes | None = None


_FIELDS: Final = ", ".join(one.name for one in fields(Row))


class Store:
    """The calls of a state directory; may be used by many threads and processes at once."""

    def __init__(self, state_dir: str) -> None:
        """Open the store, made where it is not there; what a kill left under way is interrupted.

        Raises:
            ValueError: the folder cannot be written.
        """
        self._folder = Path(state_dir) / "cache" / "llm"
        self._file = RowFile(self._folder / FILE, _FORMAT)
        self._owner = f"{os.getpid()}-{uuid.uuid4().hex[:16]}"
        with self._file.disk_errors_reported(), alone(self._folder):
            self._own_lock = os.open(self._owner_file(self._owner), os.O_RDWR | os.O_CREAT, 0o644)
            fcntl.flock(self._own_lock, fcntl.LOCK_EX)
            for path in self._folder.glob(self._owner_file("*").name):
                self._lives(path)
        self._file.run(self._interrupt_the_dead)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the file and the lock."""
        self._file.close()
        self._owner_file(self._owner).unlink(missing_ok=True)
        os.close(self._own_lock)

    def find(self, request_hashes: Sequence[str]) -> Row | None:
        """The answer to the first of the requests that has one."""
        return self._file.run(lambda connection: _first_answer(connection, request_hashes))

    def claim(self, request_hash: str, prompt_hash: str, model: str, stage: str) -> Row | None:
        """Say that a request is about to be sent.

        Returns:
            A new row "under way"; the answer, where another was faster; None where another is at
            it just now: claim again a little later.
        """

        def claimed(connection: sqlite3.Connection) -> Row | None:
            answer = _first_answer(connection, [request_hash])
            if answer is not None:
                return answer
            self._interrupt_the_dead(connection, request_hash)
            sql = "select 1 from calls where request_hash = ? and status = 'under way'"
            if connection.execute(sql, [request_hash]).fetchone():
                return None
            row = Row(
                stage,
                model,
                prompt_hash,
                request_hash,
                status="under way",
                called_at=datetime.now(UTC).isoformat(timespec="microseconds"),
                call_key=uuid.uuid4().hex,
            )
            _write(connection, row, self._owner)
            return row

        return self._file.run(claimed)

    def finish(self, row: Row) -> None:
        """Replace the claim of a request by its result; on return it is on disk."""
        self._file.run(lambda connection: _write(connection, row, None))

    def failed(self, request_hashes: Sequence[str]) -> list[Row]:
        """Calls of these requests that were sent and gave no answer, oldest first."""
        places = ", ".join("?" * len(request_hashes))
        sql = (
            f"select {_FIELDS} from calls where request_hash in ({places}) "
            "and status = 'failed' and n_attempts > 0 order by called_at, call_key"
        )
        return self._file.run(
            lambda connection: [_row(row) for row in connection.execute(sql, [*request_hashes])]
        )

    def _owner_file(self, owner: str) -> Path:
        return self._folder / f"owner-{owner}.lock"

    def _interrupt_the_dead(
        self, connection: sqlite3.Connection, request_hash: str | None = None
    ) -> None:
        sql = (
            "select distinct owner from calls "
            "where status = 'under way' and request_hash = coalesce(?, request_hash)"
        )
        for (owner,) in connection.execute(sql, [request_hash]).fetchall():
            if not self._lives(self._owner_file(owner)):
                connection.execute(
                    "update calls set status = 'failed', error = ?, owner = null, n_attempts = 1 "
                    "where status = 'under way' and owner = ?",
                    [INTERRUPTED, owner],
                )

    def _lives(self, path: Path) -> bool:
        """Whether the process that holds this owner's lock still runs; else its file goes."""
        if path == self._owner_file(self._owner):
            return True
        try:
            handle = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        path.unlink(missing_ok=True)
        return False


def _first_answer(connection: sqlite3.Connection, request_hashes: Sequence[str]) -> Row | None:
    sql = f"select {_FIELDS}, body_hash from calls where request_hash = ? and status = 'ok'"
    for request_hash in request_hashes:
        found = connection.execute(sql, [request_hash]).fetchone()
        if found is None:
            continue
        *values, body_hash = found
        row = _row(values)
        if hashlib.sha256(row.body or b"").hexdigest() == body_hash:
            return row
        logger.warning("language models: the answer to %s is damaged; asked again.", request_hash)
        connection.execute(
            "update calls set status = 'failed', error = 'damaged', body = null where call_key = ?",
            [row.call_key],
        )
    return None


def _row(values: Sequence[Any]) -> Row:
    return Row(**dict(zip(_FIELDS.split(", "), values, strict=True)))


def _write(connection: sqlite3.Connection, row: Row, owner: str | None) -> None:
    values = [getattr(row, name) for name in _FIELDS.split(", ")]
    body_hash = None if row.body is None else hashlib.sha256(row.body).hexdigest()
    places = ", ".join("?" * (len(values) + 2))
    connection.execute(
        f"insert or replace into calls ({_FIELDS}, owner, body_hash) values ({places})",
        [*values, owner, body_hash],
    )

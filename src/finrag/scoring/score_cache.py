"""Scores by models, kept by content between builds: one SQLite file under the state directory.

A score is found by its scorer (model, weights, versions) and the two exact texts, so nothing ever
has to be invalidated. Scores are added in transactions of some hundred; whatever kills a build,
what was added stays. Two processes may add at once: both found the same value.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FILE: Final = "scores.sqlite"
BUSY_TIMEOUT_S: Final = 60.0
# A column more or less is another version; a file of another version is set aside.
VERSION: Final = 1
KEYS_PER_QUERY: Final = 500
_TABLE: Final = """
create table if not exists scores (
    scorer_id text not null,
    pair_key text not null,
    numbers text not null,
    primary key (scorer_id, pair_key)
) strict, without rowid;
"""

logger = logging.getLogger("finrag.scoring")

Scores = tuple[float, ...]


def pair_key(answer: str, gold: str) -> str:
    """Key of two exact texts; the length in front keeps ("ab", "c") from ("a", "bc").

    Returns:
        32 hex digits.
    """
    content = f"{len(answer)}\n{answer}{gold}".encode("utf-8", "surrogatepass")
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


class ScoreCache:
    """The scores of a state directory; use it in a ``with``."""

    def __init__(self, state_dir: str | Path) -> None:
        """Open the file, made where it is not there; a damaged one is set aside.

        Raises:
            ValueError: the folder cannot be written.
        """
        folder = Path(state_dir) / "cache" / "scores"
        self._path = folder / FILE
        with self._told():
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()

    def __enter__(self) -> ScoreCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def find(self, scorer_id: str, keys: Sequence[str]) -> dict[str, Scores]:
        """The scores that are kept, by key."""
        found: dict[str, Scores] = {}
        with self._told():
            for start in range(0, len(keys), KEYS_PER_QUERY):
                some = keys[start : start + KEYS_PER_QUERY]
                rows = self._connection.execute(
                    "select pair_key, numbers from scores "
                    f"where scorer_id = ? and pair_key in ({', '.join('?' * len(some))})",
                    [scorer_id, *some],
                )
                found.update((key, _numbers(text)) for key, text in rows)
        return found

    def add(self, scorer_id: str, scores: Mapping[str, Iterable[float]]) -> None:
        """Keep scores, in one transaction; what is kept already stays as it is."""
        # As text: Python writes a float so that reading gives the same bits.
        rows = [
            (scorer_id, key, " ".join(map(repr, numbers)))
            for key, numbers in sorted(scores.items())
        ]
        with self._told(), self._connection:
            self._connection.executemany("insert or ignore into scores values (?, ?, ?)", rows)

    def _open(self) -> sqlite3.Connection:
        try:
            return _connect(self._path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            aside = f"{FILE}.damaged-{time.time_ns()}"
            for end in ("", "-journal"):
                part = self._path.with_name(f"{FILE}{end}")
                if part.exists():
                    part.rename(self._path.with_name(f"{aside}{end}"))
            logger.warning(
                "scores: the file %s is damaged (%s); it is kept as %s and its pairs are scored "
                "again. Nothing to do; delete the file when you like.",
                self._path,
                error,
                aside,
            )
            return _connect(self._path)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Trouble with the disk as one sentence."""
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise ValueError(
                f"the kept scores {self._path} cannot be used ({error}); free disk space, check "
                "the rights of the folder, or move the file away to have all pairs scored again"
            ) from error


def _numbers(text: str) -> Scores:
    return tuple(float(number) for number in text.split())


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S)
    try:
        connection.execute("pragma synchronous = full")
        version = connection.execute("pragma user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"its version is {version}, not {VERSION}")
        if connection.execute("pragma quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its pages do not fit together")
        if version == 0:
            connection.executescript(f"begin;{_TABLE}pragma user_version = {VERSION};commit;")
    except BaseException:
        connection.close()
        raise
    return connection

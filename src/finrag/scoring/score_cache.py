"""Scores by models, kept by content between builds.

A score is found by its scorer (model, weights, versions) and the two exact texts, so nothing ever
has to be invalidated. Scores are added in transactions of some hundred; whatever kills a build,
what was added stays. Two processes may add at once: both found the same value.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from finrag.cache.rows import RowFile, RowFormat

FILE: Final = "scores.sqlite"
KEYS_PER_QUERY: Final = 500
_FORMAT: Final = RowFormat(
    """
create table if not exists scores (
    scorer_id text not null,
    pair_key text not null,
    numbers text not null,
    primary key (scorer_id, pair_key)
) strict, without rowid;
""",
    version=1,
    name="the kept scores",
    if_lost="its pairs are scored again",
)

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
        """Open the file; see ``RowFile``.

        Raises:
            ValueError: the folder cannot be written.
        """
        self._file = RowFile(Path(state_dir) / "cache" / "scores" / FILE, _FORMAT)

    def __enter__(self) -> ScoreCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def find(self, scorer_id: str, keys: Sequence[str]) -> dict[str, Scores]:
        """The scores that are kept, by key."""

        def found(connection: sqlite3.Connection) -> dict[str, Scores]:
            scores: dict[str, Scores] = {}
            for start in range(0, len(keys), KEYS_PER_QUERY):
                some = keys[start : start + KEYS_PER_QUERY]
                rows = connection.execute(
                    "select pair_key, numbers from scores "
                    f"where scorer_id = ? and pair_key in ({', '.join('?' * len(some))})",
                    [scorer_id, *some],
                )
                scores.update((key, _numbers(text)) for key, text in rows)
            return scores

        return self._file.run(found)

    def add(self, scorer_id: str, scores: Mapping[str, Iterable[float]]) -> None:
        """Keep scores, in one transaction; what is kept already stays as it is."""
        # As text: Python writes a float so that reading gives the same bits.
        rows = [
            (scorer_id, key, " ".join(map(repr, numbers)))
            for key, numbers in sorted(scores.items())
        ]
        sql = "insert or ignore into scores values (?, ?, ?)"
        self._file.run(lambda connection: connection.executemany(sql, rows))


def _numbers(text: str) -> Scores:
    return tuple(float(number) for number in text.split())

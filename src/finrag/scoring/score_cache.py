"""Scores by models, cached by content between builds.

A score is found by its scorer (model, weights, versions) and the two exact texts, so nothing ever
has to be invalidated. Scores are added a few hundred at a time; if a build is killed, those already
added stay. Two processes may add at once: both computed the same value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa

from finrag.cache.parts import Parts
from finrag.cache.results import content_digest
from finrag.records.columns import required

_SCHEMA: Final = pa.schema(
    [*required(pa.string(), "pair_key"), ("numbers", pa.list_(pa.float64()))]
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
    """The scores of a state directory."""

    def __init__(self, state_dir: str | Path) -> None:
        """Reads nothing yet."""
        self._folder = Path(state_dir) / "cache" / "scores"

    def find(self, scorer_id: str, keys: Sequence[str]) -> dict[str, Scores]:
        """The cached scores, by key."""
        parts = self._parts(scorer_id)
        parts.merge_small()
        wanted, found = set(keys), dict[str, Scores]()
        for rows in parts.read_all():
            for key, numbers in zip(*rows.to_pydict().values(), strict=True):
                if key in wanted:
                    found.setdefault(key, tuple(numbers))
        return found

    def add(self, scorer_id: str, scores: Mapping[str, Iterable[float]]) -> None:
        """Add scores; those already in the cache stay as they are."""
        rows = [{"pair_key": key, "numbers": [*numbers]} for key, numbers in sorted(scores.items())]
        self._parts(scorer_id).add(pa.Table.from_pylist(rows, schema=_SCHEMA))

    def _parts(self, scorer_id: str) -> Parts:
        folder = self._folder / content_digest([scorer_id])[:32]
        return Parts(
            folder, _SCHEMA, ("pair_key",), "the cached scores", "its pairs are scored again"
        )

"""Tools over the pools of one task: search by words, search by meaning, reading of chunks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from finrag.agents.tools import KeywordSearch, SemanticSearch


@dataclass(frozen=True)
class Shown:
    """A passage that a call showed.

    Attributes:
        passage_id: its key.
        text: what was shown of it: a sentence or row in full, some sentences of a page.
        score: of the passage in the search; 0 where it was read.
    """

    passage_id: str
    text: str
    score: float = 0.0


@dataclass(frozen=True)
class Hit:
    """A chunk that a search found, or that was read.

    Attributes:
        chunk_id: its key.
        score: that of its best passage; 0 where it was read.
        passages: those that match best, best first; of a chunk that was read, all.
    """

    chunk_id: str
    score: float
    passages: tuple[Shown, ...]


class Toolbox:
    """The tools of a system over the pools of one task."""

    def __init__(self, system: Mapping[str, Any]) -> None:
        self.system = system

    def keyword_search(
        self, arguments: KeywordSearch, reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Chunks that contain the words, best first.

        Args:
            arguments: of the tool.
            reach: documents that may be searched; None for all.
        """
        raise NotImplementedError

    def semantic_search(
        self, arguments: SemanticSearch, reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Chunks near the query in meaning, best first; none where there are no vectors."""
        raise NotImplementedError

    def read(
        self, chunk_ids: Sequence[str], reach: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Those chunks that exist and may be searched, in the order given, in full."""
        raise NotImplementedError

    def unit_of(self, passage_id: str) -> str:
        """The kind of a passage that this toolbox showed."""
        raise NotImplementedError

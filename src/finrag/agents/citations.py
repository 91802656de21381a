"""The passages that an agent's answer cites: by their ids, or by a chunk and the words quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from finrag.agents.toolbox import Hit
from finrag.answers.types import Citation

# Passage and quote.
Cited = tuple[str, str | None]


class Shelf:
    """Texts that calls showed, by chunk."""

    def __init__(self) -> None:
        self._chunks: dict[str, dict[str, str]] = {}
        self._passages: set[str] = set()

    @property
    def known_ids(self) -> frozenset[str]:
        """Ids of chunks and passages that were shown."""
        return frozenset(self._chunks) | frozenset(self._passages)

    def add(self, hits: Iterable[Hit]) -> None:
        """Add what a call showed; of a passage the longest text that was shown stays."""
        for hit in hits:
            chunk = self._chunks.setdefault(hit.chunk_id, {})
            for one in hit.passages:
                chunk[one.passage_id] = max(chunk.get(one.passage_id, ""), one.text, key=len)
                self._passages.add(one.passage_id)

    def passages_cited(self, citations: Sequence[Citation]) -> list[Cited]:
        """The passages that citations name, each once, with the words quoted.

        A passage stays as it is, shown or not. A chunk stands for those of its passages that hold
        the quote or stand in it, or for its only passage; without such a passage it stays as the
        model wrote it.
        """
        found: dict[str, str | None] = {}
        for citation in citations:
            for passage_id in self._named(citation):
                found[passage_id] = found.get(passage_id) or citation.quote
        return list(found.items())

    def _named(self, citation: Citation) -> Iterator[str]:
        name = citation.sentence_id
        chunk = self._chunks.get(name, {})
        if name in self._passages or not chunk:
            yield name
            return
        if len(chunk) == 1:
            yield from chunk
            return
        quote = _plain(citation.quote or "")
        quoted = [key for key, text in chunk.items() if quote and _overlaps(quote, _plain(text))]
        yield from quoted or [name]


def _overlaps(quote: str, text: str) -> bool:
    return bool(text) and (quote in text or text in quote)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

"""A filing's text as the rules of words read it: blocks, sentences, places and quotes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.sentences import split_spans

_VOCABULARY: Final = read_vocabulary(__file__)
_SKIPPED: Final = _VOCABULARY.words["skipped_kinds"]
_ITEMS: Final = _VOCABULARY.words["items"]
_STATEMENTS: Final = _VOCABULARY.words["statements"]
_NOTES: Final = _VOCABULARY.words["notes"]
_PAGE_NUMBER = _VOCABULARY.pattern("page_number")
_POINT = _VOCABULARY.pattern("point")
_REVENUE_PART = _VOCABULARY.pattern("revenue_part", re.IGNORECASE)
_OPEN_END = _VOCABULARY.pattern("open_end")

MAX_POINTS: Final = 30
MAX_LEAD_IN: Final = 6


@dataclass(frozen=True)
class Leaf:
    """One revenue line to be described.

    Attributes:
        line_id: Its key.
        label: As the table prints it, without marks.
        marks: Footnote marks of its row, with or without brackets.
        table_block: Index in the filing's blocks of the block that is its table; None if unknown.
        segment: Label of the segment that the line belongs to; None if unknown.
    """

    line_id: str
    label: str
    marks: tuple[str, ...] = ()
    table_block: int | None = None
    segment: str | None = None


@dataclass(frozen=True)
class Block:
    """A block of a filing; a filing's blocks come in reading order."""

    block_id: str
    part_id: str
    block_pos: int
    kind: str
    text: str
    heading_path: tuple[str, ...] = ()
    section_item: str | None = None
    note_kind: str | None = None


@dataclass(frozen=True)
class Quote:
    """A span of a block's text; ``text`` is the span with its white space collapsed."""

    block_id: str
    start: int
    end: int
    text: str


class Pages:
    """Blocks of one filing, with what the rules ask of them again and again.

    Args:
        blocks: All blocks of the filing in reading order.
        allowed: Ids of the blocks that may be quoted; None for all.
    """

    def __init__(self, blocks: Sequence[Block], allowed: Collection[str] | None = None) -> None:
        self.blocks = blocks
        self._allowed = None if allowed is None else frozenset(allowed)
        self._spans: dict[int, list[tuple[int, int]]] = {}

    def __len__(self) -> int:
        return len(self.blocks)

    def is_text(self, place: int) -> bool:
        """Whether the block may be quoted at all: words of the filing, not furniture or a table."""
        block = self.blocks[place]
        if self._allowed is not None and block.block_id not in self._allowed:
            return False
        return block.kind not in _SKIPPED and not _PAGE_NUMBER.fullmatch(block.text)

    def is_skipped(self, place: int) -> bool:
        """Whether a reader passes over the block: page furniture, contents, page numbers."""
        block = self.blocks[place]
        return block.kind in ("furniture", "toc") or bool(_PAGE_NUMBER.fullmatch(block.text))

    def is_point(self, place: int) -> bool:
        """Whether the block is a point of a list."""
        block = self.blocks[place]
        return block.kind == "list" or bool(_POINT.match(block.text))

    @cached_property
    def prose(self) -> list[int]:
        """Places of blocks that may be quoted and are no headings, in reading order."""
        return [
            place
            for place in range(len(self.blocks))
            if self.blocks[place].kind != "heading" and self.is_text(place)
        ]

    def sentences(self, place: int) -> list[tuple[int, int]]:
        """Spans of the block's sentences."""
        if place not in self._spans:
            self._spans[place] = split_spans(self.blocks[place].text)
        return self._spans[place]

    def is_note(self, place: int) -> bool:
        """Whether the block lies in a note on revenue or segments, or a policy on revenue."""
        block = self.blocks[place]
        if block.note_kind in _NOTES:
            return True
        is_open = block.note_kind in (None, "accounting_policies")
        return (
            is_open
            and self.item(place) in _STATEMENTS
            and any(_REVENUE_PART.search(heading) for heading in block.heading_path[-2:])
        )

    def is_placed(self, place: int) -> bool:
        """Whether the block lies in tier 2: a revenue or segment note, ITEM_1 or ITEM_7."""
        return self.item(place) in _ITEMS or self.is_note(place)

    def item(self, place: int) -> str:
        """The item of the block without the word ITEM; empty where it lies in none."""
        return (self.blocks[place].section_item or "").removeprefix("ITEM_")

    def following(self, place: int) -> Iterator[int]:
        """Places behind a block, page furniture left out."""
        return (later for later in range(place + 1, len(self.blocks)) if not self.is_skipped(later))

    def points(self, place: int) -> list[int]:
        """Places of the points of the list right behind a block."""
        found: list[int] = []
        for later in self.following(place):
            if not self.is_point(later) or len(found) == MAX_POINTS:
                break
            if self.is_text(later):
                found.append(later)
        return found

    def own(self, table: int) -> tuple[list[int], list[int]]:
        """Places of a table's own blocks: before it (caption, lead-in), behind it (footnotes).

        Both end at the next table or heading.
        """
        before: list[int] = []
        for place in range(table - 1, -1, -1):
            kind = self.blocks[place].kind
            if kind == "table" or len(before) == MAX_LEAD_IN:
                break
            if not self.is_skipped(place):
                before.append(place)
            if kind == "heading":
                break
        behind: list[int] = []
        for place in self.following(table):
            if self.blocks[place].kind in ("table", "heading"):
                break
            behind.append(place)
        return before, behind

    def quote(self, place: int, start: int = 0, end: int | None = None) -> Quote:
        """A span of a block without white space at its edges, the whole block by default."""
        text = self.blocks[place].text
        end = len(text) if end is None else end
        span = text[start:end]
        begun = start + len(span) - len(span.lstrip())
        ended = start + len(span.rstrip())
        return Quote(self.blocks[place].block_id, begun, ended, " ".join(span.split()))

    def whole_sentence(self, place: int, index: int) -> str:
        """A sentence with its end behind a page break."""
        return " ".join(quote.text for quote in self.quote_sentence(place, index))

    def quote_sentence(self, place: int, index: int) -> list[Quote]:
        """A sentence, with its end behind a page break where the page cut it."""
        start, end = self.sentences(place)[index]
        quotes = [self.quote(place, start, end)]
        is_last = index == len(self.sentences(place)) - 1
        later = next(self.following(place), place)
        is_cut = is_last and later > place + 1 and bool(_OPEN_END.search(quotes[0].text))
        if is_cut and self.is_text(later) and self.blocks[later].text[:1].islower():
            quotes.append(self.quote(later, *self.sentences(later)[0]))
        return quotes

"""Footnotes of a line's own mark, among the footnotes of the line's own table only."""

from __future__ import annotations

import re
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.revenue.pages import Leaf, Pages, Quote

_VOCABULARY: Final = read_vocabulary(__file__)
_WORD = _VOCABULARY.pattern("word")
_MARKED = _VOCABULARY.pattern("marked")
_INNER = _VOCABULARY.pattern("inner_mark")
_TELLS = _VOCABULARY.pattern("tells", re.IGNORECASE)
_TELLS_OTHERWISE = _VOCABULARY.pattern("tells_otherwise", re.IGNORECASE)


def plain_mark(mark: str) -> str:
    """A footnote mark without brackets: "(1)" and "1" are the same."""
    return mark.strip().strip("()[].").lower()


def footnotes(leaf: Leaf, pages: Pages) -> list[tuple[int, Quote]]:
    """Footnotes of a line that say what it consists of, each with the place of its block.

    The blocks right behind the table up to the next table or heading are read; a block may hold
    several footnotes, each from its mark to the next.

    Raises:
        ValueError: The line's table_block is no table of the filing.
    """
    if leaf.table_block is None:
        return []
    if not 0 <= leaf.table_block < len(pages) or pages.blocks[leaf.table_block].kind != "table":
        raise ValueError(f"line {leaf.line_id!r}: block {leaf.table_block} is no table")
    marks = {plain_mark(mark) for mark in leaf.marks}
    if not marks:
        return []
    found = []
    for place in pages.own(leaf.table_block)[1]:
        if not pages.is_text(place):
            continue
        text = pages.blocks[place].text
        for mark, start, end in _notes(text):
            note = text[start:end]
            tells = _TELLS.search(note) or _spells_out(note, leaf.label)
            if mark in marks and tells and not _TELLS_OTHERWISE.search(note):
                found.append((place, pages.quote(place, start, end)))
    return found


def has_mark(leaf: Leaf, pages: Pages, place: int, quote: Quote) -> bool:
    """Whether a quote is a footnote behind a line's own table that begins with the line's mark."""
    mark = _MARKED.match(quote.text)
    is_own = leaf.table_block is not None and place in pages.own(leaf.table_block)[1]
    marks = {plain_mark(one) for one in leaf.marks}
    return is_own and mark is not None and plain_mark(mark[0]) in marks


def _notes(text: str) -> list[tuple[str, int, int]]:
    """Mark, start and end of each footnote of a block."""
    first = _MARKED.match(text)
    if not first:
        return []
    starts = [(plain_mark(first[0]), first.start())]
    if first[0].lstrip().startswith("("):
        starts += [(plain_mark(mark[1]), mark.start(1)) for mark in _INNER.finditer(text)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    return [(mark, start, end) for (mark, start), end in zip(starts, ends, strict=True)]


def _spells_out(note: str, label: str) -> bool:
    """Whether a note begins with the words that an abbreviation in a label stands for."""
    initials = [word[0].upper() for word in _WORD.findall(note)]
    for word in label.split():
        letters, rest = [letter for letter in word if letter.isalpha()], iter(initials)
        is_short = word.isupper() and len(letters) > 1 and letters[0] in initials[:1]
        if is_short and all(letter in rest for letter in letters):
            return True
    return False

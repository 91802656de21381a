"""The gate of descriptions: what a text must show before it describes a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from finrag.revenue.filings import FULL, LOCAL, Filing, Line
from finrag.revenue.footnotes import has_mark
from finrag.revenue.words import Reading

N_HEADINGS: Final = 2
"""The headings of a block's path, nearest last, of which one may name the line."""

MAX_LOSS_OF_SEGMENT: Final = 1
"""A segment's text may leave out of a label no more than "revenue" or "segment"."""


def refusal(reading: Reading, filing: Filing, line: Line) -> str | None:
    """Why the gate refuses a reading; None where it lets it pass.

    A reading passes if its text names the line and stands in the blocks of the line's table, a
    note on revenue or segments, Item 1 or Item 7. What cannot be shown is refused.
    """
    if not reading.quotes:
        return "nothing is quoted"
    if reading.tier not in (LOCAL, FULL):
        return f"{reading.quotes[0].block_id} stands where no definitions are expected"
    if not names_line(reading, filing, line):
        return "the text does not name the line"
    return None


def names_line(reading: Reading, filing: Filing, line: Line) -> bool:
    """Whether a text names a line, whoever read it.

    It holds the label or an alias that the filing defines, begins with the line's own mark behind
    the line's own table, or has a heading above it that means the line. The text of a segment must
    hold the label.
    """
    names, line_id = filing.names, line.leaf.line_id
    is_of_segment = reading.kind == "segment"
    most = {"max_cost": MAX_LOSS_OF_SEGMENT} if is_of_segment else {}
    if any(names.is_named(line_id, quote.text, **most) for quote in reading.quotes):
        return True
    if is_of_segment:
        return False
    places = [filing.places[quote.block_id] for quote in reading.quotes]
    if any(
        has_mark(line.leaf, filing.pages, place, quote)
        for place, quote in zip(places, reading.quotes, strict=True)
    ):
        return True
    return any(
        (meant := names.meant(heading, above)) is not None and meant.line_id == line_id
        for place in places
        for heading, above in _headings(filing, place)
    )


def _headings(filing: Filing, place: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The nearest headings of a block, each with those above it."""
    path = filing.blocks[place].heading_path
    for at in range(max(0, len(path) - N_HEADINGS), len(path)):
        yield path[at], path[:at]
    above = (filing.blocks[at] for at in range(place - 1, -1, -1))
    for block in islice((block for block in above if block.kind == "heading"), 1):
        yield block.text, block.heading_path

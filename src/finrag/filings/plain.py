"""Reading preformatted text, as filings were typed before HTML, into blocks and grids."""

from __future__ import annotations

from finrag.filings.model import Block


def read_plain_blocks(text: str) -> list[Block]:
    """Read text whose blank lines part paragraphs."""
    return [Block(" ".join(piece.split())) for piece in text.split("\n\n") if piece.strip()]

"""Tables that only lay out text, told from tables that hold data, and turned into lines."""

from __future__ import annotations

import re
from itertools import groupby

from finrag.filings.model import Block, Grid, GridCell

_FIGURE = re.compile(r"[($€£¥\s]*-?[\d,.]*\d[\d,.]*[\s)%]*|[$€£¥]?\s*[-–—]+\s*[)%]*|[$%)]")
_LONG_CELL = 300


def is_layout(grid: Grid) -> bool:
    """Whether a table only lays out text: at most two cells a row, none after the first a figure.

    Bullets, numbered paragraphs, "Item 1." beside its title and framed paragraphs are set so.
    """
    if not grid.cells:
        return True
    for _, cells in groupby(grid.cells, key=lambda cell: cell.row):
        row = list(cells)
        if len(row) > 2 or (len(row) == 2 and _FIGURE.fullmatch(row[1].text)):
            return False
    return any(not _FIGURE.fullmatch(cell.text) for cell in grid.cells)


def layout_lines(grid: Grid) -> tuple[list[Block], dict[tuple[int, int], tuple[int, int]]]:
    """Turn a table that lays out text into a block a row, or a line of a long cell.

    Returns:
        The blocks; and of each cell, by its row and column, the number of the block in which it
        begins and its offset there.
    """
    blocks: list[Block] = []
    places: dict[tuple[int, int], tuple[int, int]] = {}
    for _, cells in groupby(grid.cells, key=lambda cell: cell.row):
        row = list(cells)
        if len(row) == 1 and row[0].line_starts and len(row[0].text) > _LONG_CELL:
            places[row[0].row, row[0].column] = (len(blocks), 0)
            blocks += _lines_of(row[0])
            continue
        text = ""
        for cell in row:
            text += " " * bool(text)
            places[cell.row, cell.column] = (len(blocks), len(text))
            text += cell.text
        links = tuple(link for cell in row for link in cell.links)
        blocks.append(Block(text, is_bold=row[-1].is_bold, size=row[-1].size, links=links))
    return blocks, places


def _lines_of(cell: GridCell) -> list[Block]:
    starts = (0, *cell.line_starts)
    ends = (*(start - 1 for start in cell.line_starts), len(cell.text))
    return [
        Block(cell.text[start:end], is_bold=cell.is_bold, size=cell.size, links=cell.links)
        for start, end in zip(starts, ends, strict=True)
    ]

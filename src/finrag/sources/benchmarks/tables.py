"""Tables and texts of a context as passages: whole tables, their rows and their cells."""

from collections.abc import Iterator, Sequence
from typing import Final

from finrag.records.fields import Grid
from finrag.sources.benchmarks.records import Passage

_MAX_HEADINGS: Final = 3


def text_id(document_id: str, index: int) -> str:
    """Return the id of a text unit."""
    return f"{document_id}#text-{index}"


def table_id(document_id: str, table: int) -> str:
    """Return the id of a whole table."""
    return f"{document_id}#table-{table}"


def row_id(document_id: str, table: int, row: int) -> str:
    """Return the id of a row of a table."""
    return f"{document_id}#row-{table}-{row}"


def cell_id(document_id: str, table: int, row: int, column: int) -> str:
    """Return the id of a cell."""
    return f"{document_id}#cell-{table}-{row}-{column}"


def page_id(document_id: str, page: int) -> str:
    """Return the id of a page, counted from 0."""
    return f"{document_id}#page-{page}"


def text_passages(
    document_id: str, texts: Sequence[str], title: str | None = None
) -> Iterator[Passage]:
    """Yield a passage for each text that is not blank; its place is that in `texts`."""
    for index, text in enumerate(texts):
        if text.strip():
            yield Passage(
                passage_id=text_id(document_id, index),
                document_id=document_id,
                space="text",
                position=index,
                text=text,
                title=title,
            )


def table_passages(
    document_id: str, tables: Sequence[Grid], n_headings: int | None = None
) -> Iterator[Passage]:
    """Yield the tables of a document, then the rows and the cells of each.

    A whole table is one text with a line per row. The row of a cell is its parent, and the table
    that of a row. Blank rows and cells are left out; the places of the others stay as they are.

    Args:
        document_id: the context that the tables belong to.
        tables: rows of text cells, which may differ in length.
        n_headings: how many rows at the top name the columns; null finds out, see
            `count_headings`.
    """
    rows_before = cells_before = 0
    for table, grid in enumerate(tables):
        lines = row_texts(grid, n_headings)
        yield Passage(
            passage_id=table_id(document_id, table),
            document_id=document_id,
            space="table",
            position=table,
            text="\n".join(line for line in lines if line),
            table=table,
        )
        for row, (cells, line) in enumerate(zip(grid, lines, strict=True)):
            if line:
                yield _row_passage(document_id, table, row, rows_before + row, line)
            yield from _cell_passages(document_id, table, row, cells, cells_before)
            cells_before += len(cells)
        rows_before += len(grid)


def _row_passage(document_id: str, table: int, row: int, position: int, text: str) -> Passage:
    return Passage(
        passage_id=row_id(document_id, table, row),
        document_id=document_id,
        space="row",
        position=position,
        text=text,
        parent_id=table_id(document_id, table),
        table=table,
        row=row,
    )


def _cell_passages(
    document_id: str, table: int, row: int, cells: Sequence[str], before: int
) -> Iterator[Passage]:
    for column, cell in enumerate(cells):
        if cell.strip():
            yield Passage(
                passage_id=cell_id(document_id, table, row, column),
                document_id=document_id,
                space="cell",
                position=before + column,
                text=cell,
                parent_id=row_id(document_id, table, row),
                table=table,
                row=row,
                column=column,
            )


def row_texts(grid: Grid, n_headings: int | None = None) -> list[str]:
    """Return each row as one text: `label; heading: value; …`, blank rows as an empty text.

    The cells of the heading rows stand without a heading; a cell under a blank heading too.

    Args:
        grid: rows of text cells.
        n_headings: see `table_passages`.
    """
    above = count_headings(grid) if n_headings is None else n_headings
    headings = _headings(grid[:above])
    return [
        _joined(cells, [] if row < above else headings, is_labelled=row >= above)
        for row, cells in enumerate(grid)
    ]


def count_headings(grid: Grid) -> int:
    """Return how many rows at the top name the columns: the first, and those with no label below.

    A table has at most three such rows, and one row fewer than it has rows, but never none.
    """
    most = max(min(_MAX_HEADINGS, len(grid) - 1), 1)
    count = 1
    while count < most and not (grid[count] and grid[count][0].strip()):
        count += 1
    return count


def _headings(rows: Sequence[Sequence[str]]) -> list[str]:
    width = max((len(row) for row in rows), default=0)
    columns = ([row[c].strip() for row in rows if c < len(row)] for c in range(width))
    return [" ".join(part for part in column if part) for column in columns]


def _joined(cells: Sequence[str], headings: Sequence[str], *, is_labelled: bool) -> str:
    parts = []
    for column, cell in enumerate(cells):
        value = " ".join(cell.split())
        is_label = is_labelled and column == 0
        heading = headings[column] if column < len(headings) and not is_label else ""
        if value:
            parts.append(f"{heading}: {value}" if heading else value)
    return "; ".join(parts)

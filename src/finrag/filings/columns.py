"""Finding the columns of a table that is typed in preformatted text.

A line is cut into pieces where two blanks or dot leaders part it. The figures of the rows say
where the columns are: the row that has most of them founds the columns, the others widen them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import Final, NamedTuple

from finrag.filings.model import Grid, GridCell
from finrag.records.vocabulary import read_vocabulary

MAX_LINE: Final = 2_000
"""Characters of a line that may be a row of a table; a longer one is prose."""
MAX_COLUMNS: Final = 200
"""Columns of a typed table; figures beyond them fall into the last one."""
_POINTS: Final = 6.0

_VOCABULARY: Final = read_vocabulary(__file__)
_LEADER = re.compile(r"\.{2,}|(?: \.){2,}|(?<= )\.(?= )")
_PIECE = re.compile(r"\S+(?: \S+)*")
_FIGURE = _VOCABULARY.pattern("figure", re.IGNORECASE)
_LAST_FIGURE = _VOCABULARY.pattern("last_figure")
_OPENING = _VOCABULARY.pattern("opening")
_BETWEEN = _VOCABULARY.pattern("between")
_CONTINUES = _VOCABULARY.pattern("continues")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_CONNECTORS = _VOCABULARY.words["connectors"]


class Piece(NamedTuple):
    """What stands between two gaps of a line."""

    start: int
    end: int
    text: str
    is_figure: bool = False

    @property
    def is_dash(self) -> bool:
        """Whether it is a dash that stands for nothing or zero."""
        return self.is_figure and not any(char.isdigit() for char in self.text)


class Row(NamedTuple):
    """A line of a table: its pieces, none of a blank line or a rule."""

    pieces: list[Piece]
    is_rule: bool = False


def is_rule(text: str) -> bool:
    """Whether a line is drawn, not written: dashes, equals signs, underscores."""
    return not text.strip("-=_ ") and ("---" in text or "===" in text or "___" in text)


def pieces_of(text: str) -> list[Piece]:
    """Cut a line where two blanks or dot leaders part it; "$" and ")" stay with their number."""
    if len(text) > MAX_LINE:
        return [Piece(0, len(text), text.strip())]
    bare = _LEADER.sub(lambda match: " " * len(match[0]), text)
    pieces: list[Piece] = []
    for match in _PIECE.finditer(bare):
        for start, end in _figures_apart(match.start(), match[0]):
            piece = bare[start:end]
            if is_rule(piece) and len(match[0]) < len(text.strip()) and not is_rule(text):
                continue
            before = pieces[-1].text if pieces else ""
            is_near = bool(pieces) and start - pieces[-1].end <= 12
            if is_near and (_OPENING.fullmatch(before) or piece in {")", "%", ")%"}):
                start, piece = pieces[-1].start, f"{before} {piece}"
                pieces.pop()
            is_figure = len(piece) <= 40 and _FIGURE.fullmatch(piece) is not None
            pieces.append(Piece(start, end, piece, is_figure))
    return pieces


def is_tabular(pieces: list[Piece]) -> bool:
    """Whether a line is a row of figures: two of them, or one far behind a label."""
    if len(pieces) < 2 or not pieces[-1].is_figure:
        return False
    figures = sum(piece.is_figure for piece in pieces[1:])
    return figures >= 2 or pieces[0].is_figure or pieces[-1].start - pieces[-2].end >= 3


def has_years_only(pieces: list[Piece]) -> bool:
    """Whether all figures behind the label are years, as in a header."""
    behind = [piece for piece in pieces[pieces[0].is_figure == 0 :] if piece.is_figure]
    return bool(behind) and all(_YEAR.fullmatch(piece.text) for piece in behind)


def read_grid(rows: list[Row], head: int, tags: list[int]) -> Grid:
    """Read the lines of a table into a grid.

    Args:
        rows: its lines, blank ones and rules too.
        head: how many of them stand above the data.
        tags: where `<S>` and `<C>` stand; none where nothing says where columns begin.
    """
    body = [row.pieces for row in rows[head:] if row.pieces]
    spans = _columns(body or [row.pieces for row in rows if row.pieces], tags)
    cells = _head_cells(rows[:head], spans)
    _add_body(cells, rows[head:], head, spans)
    cells.sort(key=lambda cell: (cell.row, cell.column))
    number = -1
    for number, (_, row) in enumerate(groupby(cells, key=lambda cell: cell.row)):
        for cell in list(row):
            cell.row = number
    return Grid(number + 1, len(spans), cells)


def _figures_apart(offset: int, text: str) -> list[tuple[int, int]]:
    """Part figures that one blank parts, but not a number from its fraction."""
    if text.strip("0123456789$,.()%-/ "):
        return [(offset, offset + len(text))]
    cuts = [match.start() for match in _BETWEEN.finditer(text)]
    starts, ends = [0, *(cut + 1 for cut in cuts)], [*cuts, len(text)]
    return [(offset + start, offset + end) for start, end in zip(starts, ends, strict=True)]


def _columns(rows: list[list[Piece]], tags: list[int]) -> list[tuple[int, int]]:
    """Where each column begins and ends; the first holds the labels."""
    spans: list[list[int]] = []
    ordered = sorted(rows, key=lambda row: -sum(piece.is_figure for piece in row[1:]))
    for row in ordered:
        for piece in row[1:]:
            if piece.is_figure:
                _widen(spans, piece)
    for row in ordered:
        if row[0].is_figure and spans and row[0].end > spans[0][0]:
            _widen(spans, row[0])
    found = [(start, end) for start, end in spans]
    starts = tags[1:]
    if starts and len(starts) != len(found):
        found = list(zip(starts, [*(start - 1 for start in starts[1:]), MAX_LINE], strict=True))
    return [(0, max(0, found[0][0] - 1) if found else MAX_LINE), *found]


def _widen(spans: list[list[int]], piece: Piece) -> None:
    """Widen the column that a figure stands in, or add one for it."""
    at = bisect_right(spans, [piece.start, MAX_LINE])
    near = [
        (min(piece.end, spans[i][1]) - max(piece.start, spans[i][0]), i)
        for i in (at - 1, at)
        if 0 <= i < len(spans)
    ]
    overlap, best = max(near, default=(-MAX_LINE, -1))
    if overlap <= -2:
        if not piece.is_dash and len(spans) < MAX_COLUMNS:
            spans.insert(at, [piece.start, piece.end])
        return
    before = spans[best - 1][1] if best else 0
    after = spans[best + 1][0] if best + 1 < len(spans) else MAX_LINE
    spans[best][0] = min(spans[best][0], max(piece.start, before))
    spans[best][1] = max(spans[best][1], min(piece.end, after))


def _column_of(spans: list[tuple[int, int]], piece: Piece, least: int = 0) -> int:
    """The column in which most of a piece stands, or which is nearest."""
    first = max(least, bisect_right(spans, (piece.start, MAX_LINE + 1)) - 1)
    last = min(len(spans) - 1, bisect_left(spans, (piece.end, 0)))
    columns = range(first, last + 1)
    return max(
        columns,
        key=lambda i: (min(piece.end, spans[i][1]) - max(piece.start, spans[i][0]), i),
        default=first,
    )


def _covered(spans: list[tuple[int, int]], start: int, end: int) -> list[int]:
    """Columns of values whose middle stands between two places."""
    return [i for i in range(1, len(spans)) if start <= sum(spans[i]) / 2 <= end]


def _head_span(spans: list[tuple[int, int]], row: list[Piece], n: int, under: Row) -> range:
    """The columns that a header stands over; a rule drawn under it says so, or its middle."""
    piece, middle = row[n], (row[n].start + row[n].end) / 2
    if under.is_rule:
        for rule in under.pieces:
            above = [p for p in row if p.start < rule.end and p.end > rule.start]
            ruled = _covered(spans, rule.start, rule.end)
            if above == [piece] and ruled and rule.start > 2:
                return range(ruled[0], ruled[-1] + 1)
    covered = _covered(spans, piece.start, piece.end)
    best = _column_of(spans, piece)
    if not covered and (best == 0 or len(spans) == 2):
        return range(best, best + 1)
    left = spans[1][0]
    if sum(p.end > left for p in row) == 1 and piece.start > left - 20:
        own = spans[max(best, 1)]
        is_wide = piece.text[0] == "(" or piece.end - piece.start > own[1] - own[0] + 6
        if is_wide and abs(spans[1][0] + spans[-1][1] - 2 * middle) <= 10:
            return range(1, len(spans))
    if piece.start < left - 20 and covered:
        return range(covered[-1] + 1)
    return range(covered[0], covered[-1] + 1) if covered else range(best, best + 1)


def _head_cells(rows: list[Row], spans: list[tuple[int, int]]) -> list[GridCell]:
    """The cells over the columns; lines one above another over the same columns are one cell."""
    cells: list[GridCell] = []
    above: dict[int, GridCell] = {}
    for number, row in enumerate(rows):
        if row.is_rule or not row.pieces:
            above = {}
            continue
        under = rows[number + 1] if number + 1 < len(rows) else Row([])
        placed: dict[int, GridCell] = {}
        for n, piece in enumerate(row.pieces):
            span = _head_span(spans, row.pieces, n, under)
            same = placed.get(span[0]) or above.get(span[0])
            if same is not None and same.columns == len(span):
                _join(same, piece.text, is_line=same.row != number)
                same.row = number
            else:
                same = GridCell(number, span[0], 1, len(span), piece.text, is_header=True)
                cells.append(same)
            placed |= dict.fromkeys(span, same)
        above |= placed
    return cells


def _join(cell: GridCell, text: str, *, is_line: bool) -> None:
    if is_line:
        cell.line_starts = (*cell.line_starts, len(cell.text) + 1)
    cell.text = f"{cell.text} {text}"


def _add_body(
    cells: list[GridCell], rows: list[Row], first: int, spans: list[tuple[int, int]]
) -> None:
    """Add the cells of the data; a label or a text that goes on in the next line is one cell."""
    above: dict[int, GridCell] = {}
    for number, (pieces, is_drawn) in enumerate(rows, first):
        if not pieces or is_drawn:
            above = {}
            continue
        row: dict[int, GridCell] = {}
        for piece in _parted(pieces, spans):
            column = _body_column(spans, piece, is_first=not row)
            if column in row:
                _join(row[column], piece.text, is_line=False)
                continue
            wide = len(pieces) == 1 and column == 0
            covered = _covered(spans, piece.start, piece.end) if wide else []
            columns = covered[-1] + 1 if covered else 1
            row[column] = GridCell(number, column, 1, columns, piece.text)
            row[column].indent = 0.0 if column else _POINTS * piece.start
        _continue(above, row)
        # A label that was taken over from the row above is there already, as the last one.
        last = cells[-1] if cells else None
        cells += [cell for cell in row.values() if cell.row == number and cell is not last]
        above = row


def _body_column(spans: list[tuple[int, int]], piece: Piece, *, is_first: bool) -> int:
    """The column of a piece: a text that begins before the first values is a label."""
    is_label = is_first and not piece.is_figure and piece.start < spans[0][1] - 1
    is_behind = not is_first and len(spans) > 1 and piece.end > spans[1][0]
    return 0 if is_label else _column_of(spans, piece, least=int(is_behind))


def _parted(pieces: list[Piece], spans: list[tuple[int, int]]) -> list[Piece]:
    """Part a label from the figure behind it where only one blank does and a column ends there."""
    first = pieces[0]
    match = None if first.is_figure else _LAST_FIGURE.search(first.text, max(0, len(first.text) - 30))
    if match is None or len(spans) < 2:
        return pieces
    place = first.start + match.start(1)
    column = _column_of(spans, Piece(place, first.end, ""))
    if column == 0 or place < spans[column][0] - 1 or abs(first.end - spans[column][1]) > 2:
        return pieces
    label = Piece(first.start, first.start + match.start(), first.text[: match.start()])
    return [label, Piece(place, first.end, match[1], is_figure=True), *pieces[1:]]


def _continue(above: dict[int, GridCell], row: dict[int, GridCell]) -> None:
    """Join a row to the one above where it goes on with its label or its texts."""
    label, upper = row.get(0), above.get(0)
    if label is not None and upper is not None and _goes_on(upper, label):
        if len(above) == 1:
            _take_over(upper, label, row)
        elif len(row) == 1:
            _join(upper, label.text, is_line=True)
            row.clear()
            row.update(above)
            return
    texts = [column for column, cell in row.items() if column]
    if texts and label is None and all(column in above for column in texts):
        if not any(_FIGURE.fullmatch(row[c].text) or _FIGURE.fullmatch(above[c].text) for c in texts):
            for column in texts:
                _join(above[column], row[column].text, is_line=True)
            row.clear()
            row.update(above)


def _goes_on(upper: GridCell, label: GridCell) -> bool:
    """Whether a label goes on in the next line: it says so by its last word or its next one."""
    words = upper.text.split()
    if upper.text.endswith(":") or upper.columns > 1:
        return False
    if words[-1].strip("(").lower() in _CONNECTORS or upper.text.endswith((",", "-")):
        return True
    return _CONTINUES.match(label.text) is not None or upper.text.count("(") > upper.text.count(")")


def _take_over(upper: GridCell, label: GridCell, row: dict[int, GridCell]) -> None:
    """Go on with the label above, which stands in no row of its own, in the row at hand."""
    _join(upper, label.text, is_line=True)
    upper.row = label.row
    row[0] = upper

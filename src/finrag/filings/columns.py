"""Finding the columns of a table that is typed in preformatted text.

A line is cut into pieces where two blanks or dot leaders part it. The figures of the rows say
where the columns are: the row that has most of them founds the columns, the others widen them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from finrag.filings.model import Grid, GridCell
from finrag.records.vocabulary import read_vocabulary

MAX_LINE: Final = 500
"""Characters of a line that may be a row of a table; a longer one is prose."""
MAX_COLUMNS: Final = 60
"""Columns of a typed table; figures beyond them fall into the last one."""
_POINTS: Final = 6.0
_MAX_LINES: Final = 40
_MAX_HEADERS: Final = 40
_MAX_FIGURE: Final = 40

_VOCABULARY: Final = read_vocabulary(__file__)
_LEADER = re.compile(r"\.{2,}|(?: \.){2,}|(?<= )\.(?= )")
_PIECE = re.compile(r"\S+(?: \S+)*")
_FIGURE = _VOCABULARY.pattern("figure", re.IGNORECASE)
_LAST_FIGURE = _VOCABULARY.pattern("last_figure")
_OPENING = _VOCABULARY.pattern("opening")
_BETWEEN = _VOCABULARY.pattern("between")
_CONTINUES = _VOCABULARY.pattern("continues")
_YEAR = _VOCABULARY.pattern("year")
_CONNECTORS = _VOCABULARY.words["connectors"]
_OPENERS = _VOCABULARY.words["openers"]


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
    """A line of a table: what is written on it, and what is only drawn."""

    pieces: list[Piece]
    rules: list[Piece]

    @property
    def is_rule(self) -> bool:
        """Whether it is drawn, not written."""
        return bool(self.rules) and not self.pieces


def read_row(text: str) -> Row:
    """Cut a line where two blanks or dot leaders part it; "$" and ")" stay with their number."""
    if len(text) > MAX_LINE:
        return Row([Piece(0, len(text), text.strip())], [])
    text = text.replace("|", " ")
    bare = _LEADER.sub(lambda match: " " * len(match[0]), text)
    row, is_drawn = Row([], []), not text.strip("-=_ ")
    for match in _PIECE.finditer(bare):
        if not match[0].strip("-=_ ") and len(match[0]) >= (3 if is_drawn else 6):
            row.rules.append(Piece(match.start(), match.end(), match[0]))
            continue
        for start, end in _figures_apart(match.start(), match[0]):
            _add_piece(row.pieces, Piece(start, end, bare[start:end]))
    return row


def _add_piece(pieces: list[Piece], piece: Piece) -> None:
    """Add a piece, joined to the one before it where the two blanks between them part nothing."""
    start, end, text, _ = piece
    before = pieces[-1] if pieces else Piece(0, 0, "")
    gap = start - before.end
    is_amount = gap <= 12 and (_OPENING.fullmatch(before.text) or text in {")", "%", ")%"})
    if pieces and (is_amount or (gap == 2 and before.text[-1] in ".:;?" and text[0].isalpha())):
        start, text = before.start, f"{before.text} {text}"
        pieces.pop()
    is_figure = len(text) <= _MAX_FIGURE and _FIGURE.fullmatch(text) is not None
    pieces.append(Piece(start, end, text, is_figure))


def is_tabular(pieces: list[Piece]) -> bool:
    """Whether a line is a row of figures: two of them, or one far behind a label."""
    if len(pieces) < 2:
        return False
    figures = sum(piece.is_figure for piece in pieces[1:])
    if figures >= 2 and 2 * figures >= len(pieces) - 1:
        return True
    is_far = pieces[-1].start - pieces[-2].end >= 3
    return pieces[-1].is_figure and (is_far or pieces[0].is_figure)


def has_years_only(pieces: list[Piece]) -> bool:
    """Whether all figures behind the label are years, as in a header."""
    behind = [piece for n, piece in enumerate(pieces) if piece.is_figure and (n or len(pieces) > 1)]
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
    firsts = [row[0] for row in rows]
    if all(p.is_figure for p in firsts) and not all(_YEAR.fullmatch(p.text) for p in firsts):
        rows = [[Piece(0, 0, ""), *row] for row in rows]
    ordered = sorted(rows, key=lambda row: -sum(piece.is_figure for piece in row[1:]))
    for row in ordered:
        for before, piece in pairwise(row):
            if piece.is_figure and not piece.is_dash:
                _widen(spans, piece, before.end)
    for row in ordered:
        for before, piece in pairwise(row):
            if piece.is_dash:
                _widen(spans, piece, before.end, gap=4)
        if row[0].is_figure and spans and row[0].end > spans[0][0]:
            _widen(spans, row[0], 0)
    found = [(start, end) for start, end in spans]
    starts = tags[1:]
    is_squeezed = bool(starts) and len(found) > 1 and starts[-1] < found[0][0]
    agrees = bool(starts) and len(starts) == len(found) and starts[0] < found[0][1]
    if starts and not agrees and not is_squeezed:
        found = list(zip(starts, [*(start - 1 for start in starts[1:]), MAX_LINE], strict=True))
    return [(0, max(0, found[0][0] - 1) if found else MAX_LINE), *found]


def _widen(spans: list[list[int]], piece: Piece, before_end: int, gap: int = 2) -> None:
    """Widen the column that a figure stands in, or add one for it.

    Args:
        spans: of the columns found so far, changed here.
        piece: the figure.
        before_end: where the piece before it ends, which takes the column that it stands in.
        gap: how far from a column it begins another one.
    """
    at = bisect_right(spans, [piece.start, MAX_LINE])
    near = [
        (min(piece.end, spans[i][1]) - max(piece.start, spans[i][0]), i)
        for i in (at - 1, at)
        if 0 <= i < len(spans)
    ]
    overlap, best = max(near, default=(-MAX_LINE, -1))
    is_taken = overlap <= 0 and best >= 0 and spans[best][0] < before_end <= spans[best][1]
    if overlap <= -gap or is_taken:
        if len(spans) < MAX_COLUMNS:
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


def _head_span(
    spans: list[tuple[int, int]], row: list[Piece], n: int, under: Row, shared: range
) -> range:
    """The columns that a header stands over; a rule drawn under it says so, or its middle."""
    piece = row[n]
    for rule in under.rules:
        if rule.start < piece.end and rule.end > piece.start and rule.start > 2:
            above = [p for p in row if p.start < rule.end and p.end > rule.start]
            ruled = _covered(spans, rule.start, rule.end)
            if len(above) == 1 and ruled:
                return range(ruled[0], ruled[-1] + 1)
    covered = _covered(spans, piece.start, piece.end)
    best = _column_of(spans, piece)
    if not covered and (best == 0 or len(spans) == 2):
        return range(best, best + 1)
    if len(row) == 1 and piece.text[0] == "(" and piece.start > 10:
        return range(1, len(spans))
    if len(shared) > max(1, len(covered)):
        return shared
    if piece.start < spans[1][0] - 20 and covered:
        return range(covered[-1] + 1)
    return range(covered[0], covered[-1] + 1) if covered else range(best, best + 1)


def _shared(spans: list[tuple[int, int]], row: list[Piece], *, is_apart: bool) -> list[range]:
    """The columns that each header of a row shares with none beside it, if it is in their middle.

    Args:
        spans: of the columns.
        row: the headers.
        is_apart: whether a blank line, a rule or years stand under the row, so that its headers
            do not go on there.
    """
    left = spans[1][0] if len(spans) > 1 else MAX_LINE
    middles = [p.start + p.end for p in row if p.end > left and p.start > left - 20]
    if not middles or len(row) > _MAX_HEADERS:
        return [range(0)] * len(row)
    nearest = [_closest(middles, start + end) for start, end in spans[1:]]
    is_even = is_apart and len(middles) > 1 and len({nearest.count(m) for m in middles}) == 1
    found: list[range] = []
    for piece in row:
        middle = piece.start + piece.end
        columns = [i for i, other in enumerate(nearest, 1) if other == middle]
        if not columns:
            found.append(range(0))
            continue
        off = abs(spans[columns[0]][0] + spans[columns[-1]][1] - middle)
        start, end = spans[max(_column_of(spans, piece), 1)]
        is_wide = len(middles) == 1 and piece.end - piece.start > end - start + 6
        is_own = abs(piece.end - end) <= 3 or abs(middle - start - end) <= 5
        is_over = off <= 12 if is_even else off <= 8 and (is_wide or not is_own)
        found.append(range(columns[0], columns[-1] + 1) if is_over else range(0))
    return found


def _closest(places: list[int], place: int) -> int:
    return min(places, key=lambda other: abs(other - place))


def _head_cells(rows: list[Row], spans: list[tuple[int, int]]) -> list[GridCell]:
    """The cells over the columns; lines one above another over the same columns are one cell."""
    cells: list[GridCell] = []
    above: dict[int, GridCell] = {}
    for number, row in enumerate(rows):
        if not row.pieces:
            above = {}
            continue
        under = rows[number + 1] if number + 1 < len(rows) else Row([], [])
        placed: dict[int, GridCell] = {}
        below = rows[number + 1 : number + 3]
        # Below a header may stand a scale at the left, and the years below that.
        below = below[1:] if under.pieces and under.pieces[-1].end < spans[0][1] else below[:1]
        is_apart = not below or not below[0].pieces or has_years_only(below[0].pieces)
        shared = _shared(spans, row.pieces, is_apart=is_apart)
        for n, piece in enumerate(row.pieces):
            span = _head_span(spans, row.pieces, n, under, shared[n])
            over = above.get(span[0])
            if over is not None and over.columns > len(span) and not under.rules:
                span = _span_of(over) if _is_alone(row.pieces, spans, over) else span
            same = placed.get(span[0]) or _header_above(above, span)
            if same is not None and same.columns <= len(span):
                _join(same, piece.text, is_line=same.row != number)
                same.row, same.column, same.columns = number, span[0], len(span)
            else:
                same = GridCell(number, span[0], 1, len(span), piece.text, is_header=True)
                cells.append(same)
            placed |= dict.fromkeys(span, same)
        above |= placed
        for rule in row.rules:
            for column in _covered(spans, rule.start, rule.end):
                above.pop(column, None)
    return cells


def _span_of(cell: GridCell) -> range:
    return range(cell.column, cell.column + cell.columns)


def _is_alone(row: list[Piece], spans: list[tuple[int, int]], over: GridCell) -> bool:
    """Whether a row has one piece below a header that stands over several columns."""
    start, end = spans[over.column][0], spans[over.column + over.columns - 1][1]
    return sum(p.start < end and p.end > start for p in row) == 1


def _header_above(above: dict[int, GridCell], span: range) -> GridCell | None:
    """The header right above that a header goes on with: alone over its columns."""
    found = {id(above[column]): above[column] for column in span if column in above}
    return next(iter(found.values())) if len(found) == 1 else None


def _join(cell: GridCell, text: str, *, is_line: bool) -> None:
    if is_line:
        cell.line_starts = (*cell.line_starts, len(cell.text) + 1)
    cell.text = f"{cell.text} {text}"


def _add_body(
    cells: list[GridCell], rows: list[Row], first: int, spans: list[tuple[int, int]]
) -> None:
    """Add the cells of the data; a label or a text that goes on in the next line is one cell."""
    above: dict[int, GridCell] = {}
    for number, (pieces, _) in enumerate(rows, first):
        if not pieces:
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
    match = (
        None if first.is_figure else _LAST_FIGURE.search(first.text, max(0, len(first.text) - 30))
    )
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
    texts = [column for column in row if column]
    if texts and label is None and all(_is_text(above.get(c)) and _is_text(row[c]) for c in texts):
        for column in texts:
            _join(above[column], row[column].text, is_line=True)
        row.clear()
        row.update(above)


def _is_text(cell: GridCell | None) -> bool:
    """Whether a cell holds words that may go on in the next line."""
    if cell is None or len(cell.line_starts) >= _MAX_LINES:
        return False
    return not _FIGURE.fullmatch(cell.text[:_MAX_FIGURE])


def _goes_on(upper: GridCell, label: GridCell) -> bool:
    """Whether a label goes on in the next line: it says so by its last word or its next one."""
    words = upper.text.split()
    if upper.text.endswith(":") or upper.columns > 1 or len(upper.line_starts) >= _MAX_LINES:
        return False
    if words[-1].strip("(").lower() in _CONNECTORS or upper.text.endswith((",", "-")):
        return True
    if label.text.split()[0].lower() in _OPENERS or _CONTINUES.match(label.text):
        return True
    return upper.text.count("(") > upper.text.count(")")


def _take_over(upper: GridCell, label: GridCell, row: dict[int, GridCell]) -> None:
    """Go on with the label above, which stands in no row of its own, in the row at hand."""
    _join(upper, label.text, is_line=True)
    upper.row = label.row
    row[0] = upper

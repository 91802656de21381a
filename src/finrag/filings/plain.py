"""Reading preformatted text, as filings were typed before HTML, into blocks and grids.

Left out of the blocks are, besides tags: rules that are drawn (`-----`, `=====`), dot leaders in
tables, and the dash with a blank that mail of the time put before lines that begin with a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Final, NamedTuple

from finrag.filings.characters import shown
from finrag.filings.columns import (
    MAX_LINE,
    Piece,
    Row,
    has_years_only,
    is_tabular,
    read_grid,
    read_row,
)
from finrag.filings.grids import is_layout, layout_lines
from finrag.filings.model import Block

_TAG = re.compile(r"<(/?)(page|table|caption|s|c|fn|f[0-9]{1,2}|r)>", re.IGNORECASE)
_LIST_MARK = re.compile(
    r"(?:[({\[]?(?:[0-9]{1,3}|[a-z]|[ivx]{1,5})[.)}\]]|[-*•·o]|--) ", re.IGNORECASE
)
_ITEM = re.compile(r"(?:part [ivx]{1,3}|items? [0-9]{1,2}[a-c]?)\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"[-–( ]{0,4}(?:[A-Z]{1,2}-)?(?:[0-9]{1,4}|[ivxl]{1,6})[-–) ]{0,4}")
_TAB: Final = 8
_WIDTH: Final = 72
_MAX_GAP: Final = 8
_MAX_HEAD: Final = 24
_MAX_LINES: Final = 10_000
_MAX_TAGS: Final = 200


class _Line(NamedTuple):
    """A line as it stands: place of its first byte, text without tags, pieces, blanks before."""

    start: int
    text: str
    row: Row
    indent: int

    @property
    def is_blank(self) -> bool:
        return not self.row.pieces and not self.row.rules

    @property
    def is_written(self) -> bool:
        return bool(self.row.pieces)

    @property
    def end(self) -> int:
        return len(self.text)


@dataclass(slots=True)
class _Stretch:
    """Lines between two tags of tables or pages."""

    is_table: bool
    starts_page: bool = False
    lines: list[_Line] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    head: int = 0
    notes: int | None = None


def read_plain_blocks(text: str, offset: int = 0, encoding: str = "utf-8") -> list[Block]:
    """Read preformatted text into blocks; tables become grids.

    Args:
        text: as decoded, untrusted; read in time linear in its length.
        offset: place of its first byte in the source.
        encoding: of the source, to count bytes by.

    Returns:
        The blocks in order. Each begins with its first line and ends where the next one begins.
    """
    blocks: list[Block] = []
    for stretch in _stretches(text, offset, encoding):
        first = len(blocks)
        blocks += _tagged(stretch) if stretch.is_table else _untagged(stretch.lines)
        if stretch.starts_page and len(blocks) > first:
            blocks[first].starts_page = True
    for block, following in pairwise(blocks):
        block.source_end = following.source_start
    if blocks:
        blocks[-1].source_end = offset + _size(text, encoding)
    return blocks


def _size(text: str, encoding: str) -> int:
    """Bytes of a text in an encoding."""
    if encoding == "cp1252" or (encoding == "utf-8" and text.isascii()):
        return len(text)
    return len(text.encode(encoding, "surrogatepass"))


def _stretches(text: str, offset: int, encoding: str) -> Iterator[_Stretch]:
    """Part the text at page breaks and at tables that are tagged and closed."""
    closed = _closed_tables(text)
    stretch, place, at = _Stretch(is_table=False), offset, 0
    starts_page = False
    for raw in text.splitlines(keepends=True):
        found = list(islice(_TAG.finditer(raw), _MAX_TAGS)) if "<" in raw else []
        names = {match[1] + match[2].lower() for match in found}
        opens = any(at + match.start() in closed for match in found)
        if "page" in names or opens:
            yield stretch
            inside = stretch.is_table and not opens
            starts_page = (starts_page and not stretch.lines) or "page" in names
            stretch = _Stretch(opens or inside, starts_page, tags=stretch.tags * inside)
        line = _line(place, raw, has_tags=bool(found))
        if stretch.is_table and names & {"s", "c"}:
            stretch.tags = [match.start() for match in found if match[2].lower() in {"s", "c"}]
            stretch.tags = [0, *stretch.tags] if stretch.tags[0] > _TAB else stretch.tags
            stretch.head = stretch.head or len(stretch.lines)
        if stretch.is_table and "fn" in names and stretch.notes is None:
            stretch.notes = len(stretch.lines)
        stretch.lines.append(line)
        if "/table" in names and stretch.is_table and not opens:
            yield stretch
            stretch = _Stretch(is_table=False)
        starts_page = False
        is_page_end = raw.endswith("\f")
        is_long = len(stretch.lines) >= _MAX_LINES * (1 if line.is_blank else 2)
        if is_page_end or is_long:
            yield stretch
            stretch = _Stretch(stretch.is_table, is_page_end, tags=stretch.tags)
            starts_page = is_page_end
        place, at = place + _size(raw, encoding), at + len(raw)
    yield stretch


def _closed_tables(text: str) -> set[int]:
    """Where tables begin that end before the next one begins."""
    tables = [match for match in _TAG.finditer(text) if match[2].lower() == "table"]
    return {a.start() for a, b in pairwise(tables) if not a[1] and b[1]}


def _line(start: int, raw: str, *, has_tags: bool) -> _Line:
    """Read a line; tags leave blanks, so that columns stay where they are."""
    if has_tags:
        raw = _TAG.sub(lambda match: " " * len(match[0]), raw)
    raw = raw.removeprefix("- ") if raw.startswith("- -") else raw
    text = shown(raw).expandtabs(_TAB).rstrip()
    return _Line(start, text, read_row(text), len(text) - len(text.lstrip()))


def _tagged(stretch: _Stretch) -> Iterator[Block]:
    """Read a tagged table: titles before it, the grid, texts behind its last values."""
    lines, head = stretch.lines, stretch.head
    following = next((n for n in range(head, len(lines)) if lines[n].is_written), head)
    if following < len(lines) and has_years_only(lines[following].row.pieces):
        head = following + 1
    first, last = max(_title_end(lines[:head]), head - _MAX_HEAD), len(lines)
    if stretch.notes is not None:
        last = max(stretch.notes, first)
    left = stretch.tags[1] if len(stretch.tags) > 1 else _WIDTH
    rows = range(max(head, first), last)
    valued = [n for n in rows if len(lines[n].row.pieces) > 1 or lines[n].indent >= left - 2]
    valued = [n for n in valued if lines[n].is_written]
    for n in range(valued[-1] + 1 if valued else last, last):
        if not lines[n - 1].is_written or lines[n].end > _WIDTH:
            last = n
            break
    yield from _untagged(lines[:first])
    yield from _table(lines[first:last], max(0, head - first), stretch.tags)
    yield from _untagged(lines[last:])


def _title_end(head: list[_Line]) -> int:
    """How many lines of the head are titles.

    They are set apart by a blank line or a rule, or stand at the left above headers without one;
    they have at most two pieces, no figures and no scale.
    """
    end, has_title = 0, False
    for n, line in enumerate(head):
        pieces = line.row.pieces
        if not line.is_written:
            end = n if has_title else end
            continue
        is_left = line.indent <= 5
        has_period = not is_left and any(char.isdigit() for char in line.text)
        is_scale = pieces[0].text[0] == "("
        is_header = len(pieces) > 2 or (len(pieces) == 2 and not is_left)
        if is_header or is_scale or has_period or any(piece.is_figure for piece in pieces):
            is_above = line.indent > 10 and n and all(len(p.row.pieces) < 2 for p in head[end:n])
            end = n if is_above and has_title and head[n - 1].indent <= 5 else end
            break
        has_title = True
    return end if any(line.is_written for line in head[end:]) else 0


def _table(lines: list[_Line], head: int, tags: list[int]) -> Iterator[Block]:
    """Read the lines of a table into a block, or into one a row where it only lays out text."""
    grid = read_grid([line.row for line in lines], _head_end(lines[:head]), tags)
    written = [line.start for line in lines if line.is_written]
    if not written:
        return
    if is_layout(grid):
        for block in layout_lines(grid)[0]:
            block.source_start = written[0]
            yield block
    else:
        yield Block("", kind="table", grid=grid, source_start=written[0])


def _head_end(head: list[_Line]) -> int:
    """Where the head ends: behind what stands over values, and a scale in brackets below that."""
    over = [n for n, line in enumerate(head) if _stands_over(line)]
    end = over[-1] + 1 if over else 0
    while end < len(head) and (not head[end].is_written or head[end].text.lstrip()[0] == "("):
        end += 1
    return end


def _stands_over(line: _Line) -> bool:
    """Whether a line of the head stands over columns, not over labels alone."""
    return line.is_written and (len(line.row.pieces) > 1 or line.indent > 20)


def _untagged(lines: list[_Line]) -> Iterator[Block]:
    """Read lines between tagged tables: paragraphs, and tables that show by their columns."""
    done = 0
    width = _width(lines)
    for first, data, last in _tables(lines):
        yield from _paragraphs(lines[done:first], width)
        titles = first + _title_end(lines[first:data])
        yield from _paragraphs(lines[first:titles], width)
        yield from _table(lines[titles:last], data - titles, [])
        done = last
    yield from _paragraphs(lines[done:], width)


def _tables(lines: list[_Line]) -> Iterator[tuple[int, int, int]]:
    """Where tables are: first line, first line of data, place behind the last line."""
    done = n = 0
    while n < len(lines):
        if not is_tabular(lines[n].row.pieces):
            n += 1
            continue
        data, last, n_rows = _reach(lines, n)
        if n_rows >= 2 and data is not None:
            first = _head_start(lines, n, done)
            yield first, data, last
            done = last
        n = last


def _reach(lines: list[_Line], first: int) -> tuple[int | None, int, int]:
    """How far a table goes: its first line of data, the place behind it, its rows of figures."""
    data: int | None = None
    left, last, n_rows, gap, n_blank = MAX_LINE, first, 0, 0, 0
    is_apart = False
    for n in range(first, len(lines)):
        line = lines[n]
        pieces = line.row.pieces
        if line.is_blank:
            n_blank += 1
            is_apart = True
        elif line.row.is_rule:
            last = n + 1 if n == last else last
        elif is_tabular(pieces):
            is_header = has_years_only(pieces)
            if n_blank > 2 or (is_header and data is not None and is_apart):
                break
            is_apart = False
            data = n if data is None and not is_header else data
            left = min(left, *(piece.start for piece in pieces[1:] if piece.is_figure))
            last, n_rows, gap = n + 1, n_rows + 1, 0
        else:
            gap += 1
            names = (
                len(pieces) > 1 and pieces[0].start > 10 and not any(p.is_figure for p in pieces)
            )
            if names and n_blank and data is not None:
                break
            if n_blank > 1 or gap > _MAX_GAP or not _may_stand_between(pieces, left):
                break
            # A total has no label; a row of dashes or texts is none of figures.
            if pieces[0].is_figure and line.indent >= left - 4:
                last, gap = n + 1, 0
        n_blank = n_blank if line.is_blank else 0
    return data, last, n_rows


def _may_stand_between(pieces: list[Piece], left: int) -> bool:
    """Whether a line can stand between rows of figures: a label, a header, no prose."""
    if len(pieces) > 1:
        return max(b.start - a.end for a, b in pairwise(pieces)) >= 3
    return pieces[0].end <= left + 2 or pieces[0].start >= min(left - 4, 20)


def _head_start(lines: list[_Line], first: int, done: int) -> int:
    """Where the lines begin that are the head of a table, from its first row of figures upwards.

    They stand right above it, or name its columns above a blank line.
    """
    pieces = lines[first].row.pieces
    left = pieces[1].start
    start, is_apart = first, False
    for n in range(first - 1, max(done, first - _MAX_HEAD) - 1, -1):
        line = lines[n]
        if line.is_blank:
            if lines[n + 1].is_blank:
                break
            start = start if is_apart else n + 1
            is_apart = True
        elif line.is_written and not _may_stand_between(line.row.pieces, left):
            break
        elif is_apart:
            is_next = n + 1 == start and start < first and lines[start].is_written
            if _names_columns(line, pieces) or (is_next and _stands_over(line)):
                start = n
        elif not line.is_written or _stands_over(line) or n == done:
            start = n
    return start


def _names_columns(line: _Line, row: list[Piece]) -> bool:
    """Whether a line has a short piece over every figure of a row."""
    over = [piece for piece in line.row.pieces if piece.end > row[1].start - 4]
    n_figures = sum(piece.is_figure for piece in row[1:])
    return len(over) >= max(2, n_figures) and all(len(piece.text) <= 30 for piece in over)


def _width(lines: list[_Line]) -> int:
    """How wide the text is set, by the longer lines."""
    ends = sorted(line.end for line in lines if 40 <= line.end <= 132 and line.indent < 8)
    return ends[len(ends) * 9 // 10] if len(ends) > 4 else _WIDTH


def _paragraphs(lines: list[_Line], width: int) -> Iterator[Block]:
    """Join lines that were wrapped; blank lines, rules and what starts anew part blocks."""
    run: list[_Line] = []
    unders: dict[int, _Line] = {}
    for line in lines:
        if line.is_written:
            run.append(line)
            continue
        if run and line.row.is_rule:
            unders.setdefault(len(run) - 1, line)
        if not run or not _underlines_words(run[-1], line):
            yield from _parted(run, width, unders)
            run, unders = [], {}
    yield from _parted(run, width, unders)


def _underlines_words(line: _Line, rule: _Line) -> bool:
    """Whether a rule stands under some words of a line only, and so parts nothing."""
    drawn = sum(piece.end - piece.start for piece in rule.row.rules)
    inside = rule.row.is_rule and line.indent <= rule.indent + 1 and rule.end <= line.end + 1
    return inside and drawn < 0.7 * (line.end - line.indent)


def _parted(run: list[_Line], width: int, unders: dict[int, _Line]) -> Iterator[Block]:
    """Part lines that no blank line parts where one starts another block.

    Args:
        run: the lines.
        width: of the text around them.
        unders: rules under lines, by the number of the line.
    """
    own = max((line.end for line in run), default=0)
    first = 0
    for n in range(1, len(run)):
        following = run[n + 1] if n + 1 < len(run) else None
        if _starts_anew(run[n - 1], run[n], following, own):
            yield from _block(run[first:n], width, unders.get(n - 1))
            first = n
    if run:
        yield from _block(run[first:], width, unders.get(len(run) - 1))


def _starts_anew(before: _Line, line: _Line, following: _Line | None, width: int) -> bool:
    """Whether a line begins another block than the line before it, in a run of some width."""
    text = line.text.lstrip()
    word = text.split(maxsplit=1)[0]
    if before.end + 1 + len(word) <= 0.85 * width:
        return True
    if _PAGE_NUMBER.fullmatch(text) or _PAGE_NUMBER.fullmatch(before.text.lstrip()):
        return True
    if _ITEM.match(text) and before.end < 0.6 * _WIDTH:
        return True
    if _LIST_MARK.match(text) and before.text.endswith((".", ";", ":", " and", " or")):
        return True
    is_inset = line.indent >= before.indent + 2 and not _LIST_MARK.match(before.text.lstrip())
    return is_inset and following is not None and following.indent <= line.indent - 2


def _is_centred(line: _Line, width: int) -> bool:
    return line.indent >= 6 and abs(line.indent - (width - line.end)) <= 8


def _block(group: list[_Line], width: int, under: _Line | None) -> Iterator[Block]:
    """Join the lines of a block, or of the two that stand side by side, as heads of pages do."""
    start = group[0].start
    first = group[0].row.pieces
    if len(first) == 2 and len(group) <= 3 and first[1].start > 0.4 * width:
        sides: list[list[str]] = [[], []]
        for piece in (piece for line in group for piece in line.row.pieces):
            sides[piece.start > first[1].start - 8].append(piece.text)
        is_marked = _ITEM.match(first[0].text) or _LIST_MARK.match(f"{first[0].text} ")
        if first[1].start - first[0].end >= 5 and not is_marked:
            yield from (Block(_joined(side), source_start=start) for side in sides)
            return
    last = group[-1]
    yield Block(
        _joined([line.text for line in group]),
        is_centred=all(_is_centred(line, width) for line in group),
        is_underlined=under is not None
        and len(group) <= 3
        and abs(under.end - last.end) <= 3
        and under.indent <= (last.row.pieces[-1].start if last.row.pieces else 0) + 3,
        source_start=start,
    )


def _joined(lines: list[str]) -> str:
    """Join lines; a word that ends a line with a dash needs no blank behind it."""
    pieces = [" ".join(line.split()) for line in lines]
    for n, (before, after) in enumerate(pairwise(pieces)):
        is_cut = before[-1:] == "-" and after[:1].isalpha()
        is_split = is_cut and before[-2:-1].isalpha() and before[-2].isupper() >= after[0].isupper()
        pieces[n] = before if is_split else f"{before} "
    return "".join(pieces)

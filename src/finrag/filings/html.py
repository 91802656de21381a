"""Reading HTML and inline XBRL into blocks, grids and tags.

The tree is walked once and without recursion, so neither depth nor width of a document matters.
Tags of inline XBRL are looked through: what they state is noted beside the text, never read into
it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from finrag.filings.characters import shown
from finrag.filings.grids import is_layout, layout_lines
from finrag.filings.model import Block, Document, Grid, GridCell, Tag
from finrag.filings.plain import read_plain_blocks

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_COLUMNS: Final = 10_000
"""Columns of a table that are read."""

_PARAGRAPHS: Final = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div"),
        *("dl", "document", "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody"),
        *("td", "text", "tfoot", "th", "thead", "tr", "ul"),
    )
)
_SKIPPED: Final = frozenset(
    ("head", "iframe", "noscript", "object", "script", "style", "svg", "template", "title")
)
_BOLD: Final = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
_STYLING: Final = _BOLD | {"i", "em", "u", "sup", "font", "center"}
_CELLS: Final = frozenset(("td", "th"))
_TAGGED: Final = frozenset(("nonfraction", "nonnumeric", "fraction"))
_PLACE: Final = "fr-at"
_PLACE_NAME: Final = _PLACE.encode()
# What a block can begin with, to be told its place in the source.
_PLACED = re.compile(
    rb"<(?:p|div|table|td|th|li|h[1-6]|pre|center|blockquote|dt|dd|caption)(?=[\s/>])",
    re.IGNORECASE,
)
# Tags that lay out preformatted text, and what an HTML parser is shown in their place.
_TYPED = re.compile(rb"<(/?(?:c|caption|fn|page|s|table))>", re.IGNORECASE)
_PREFORMATTED = re.compile(rb"<pre(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_PREFORMATTED_END = re.compile(rb"</pre", re.IGNORECASE)
_TYPED_AS: Final = "fr-tag"
_ENTITIES = re.compile(rb"<!DOCTYPE[^>\[]*\[|<!ENTITY", re.IGNORECASE)
_GROUPING = re.compile(rb"<(/?)(?:div|span|font|center|b|i|u)(?=[\s/>])[^<>]*>", re.IGNORECASE)
_MAX_GROUPS: Final = 500
_LINE_HEAD = re.compile(r"(?:part\s+i|items?\s+\d)", re.IGNORECASE)
_SHORT_LINE: Final = 100


class _Style(NamedTuple):
    """How text is shown, inherited from the outside to the inside."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    centred: bool = False
    raised: bool = False
    hidden: bool = False
    size: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What the attributes of an element say of its look; null where they say nothing.

    There is one for all elements that say the same: it is compared by identity.
    """

    name: str
    is_centre: bool
    font_size: float | None
    bold: bool | None
    italic: bool | None
    underlined: bool | None
    centred: bool | None
    raised: bool | None
    hidden: bool
    size: float | None
    indent: float
    breaks_before: bool
    breaks_after: bool


class _Mark(NamedTuple):
    """How far a run had come at the end of a line."""

    length: int
    bold: int
    italic: int
    underlined: int
    letters: int
    is_double: bool


def parse_markup(data: bytes) -> tuple[_Element | None, str, list[str]]:
    """Parse UTF-8 markup: as XML where it is well formed, else as HTML.

    No DTD is read, no entity of the document's own is resolved, nothing is fetched. Every element
    that a block can begin with gets an attribute with its place in `data`.

    Returns:
        The root (null where there is no element at all), the parser (`xml` or `html`), flags:
        `declares_entities`, `not_well_formed`, and `too_deep` where elements stand more than 2,000
        deep. There, those that only group or style are left out, and what they hold is read; below
        other ones nothing is read.
    """
    from lxml import etree

    marked = _marked(data.replace(b"\0", b" "))
    flags: list[str] = []
    if _ENTITIES.search(marked, 0, 65_536):
        flags.append("declares_entities")
    elif marked.lstrip()[:5] == b"<?xml" or b"xmlns" in marked[:4096]:
        strict = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=True,
            encoding="utf-8",
            remove_comments=True,
            remove_pis=True,
        )
        try:
            return etree.fromstring(marked, strict), "xml", flags
        except etree.XMLSyntaxError:
            flags.append("not_well_formed")
    root, is_too_deep = _parse_html(marked)
    if is_too_deep:
        flags.append("too_deep")
        root, _ = _parse_html(_flattened(marked))
    return root, "html", flags


def _parse_html(data: bytes) -> tuple[_Element | None, bool]:
    """Parse HTML; the second says whether it nests deeper than the parser goes."""
    from lxml import etree

    forgiving = etree.HTMLParser(
        no_network=True, huge_tree=True, encoding="utf-8", remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, forgiving)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    return root, bool(forgiving.error_log.filter_types(etree.ErrorTypes.ERR_RESOURCE_LIMIT))


def _flattened(data: bytes) -> bytes:
    """Markup without the groups and styles that stand deeper than many others do."""
    depth = 0

    def kept(match: re.Match[bytes]) -> bytes:
        nonlocal depth
        closes = bool(match[1])
        is_kept = depth - closes < _MAX_GROUPS
        depth = max(depth - 1, 0) if closes else depth + 1
        # A line ends where a group begins or ends.
        return match[0] if is_kept else b"<br>"

    return _GROUPING.sub(kept, data)


def content_of(element: _Element) -> str:
    """What an element holds: its first 500 characters, of its first 500 elements."""
    from lxml import etree

    pieces: list[str | None] = []
    for event, inner in islice(etree.iterwalk(element, events=("start", "end")), 1_000):
        if event == "start":
            pieces.append(inner.text)
        elif inner is not element:
            pieces.append(inner.tail)
    return "".join(filter(None, pieces))[:500]


def _marked(data: bytes) -> bytes:
    """Note the place of every element that a block can begin with, and keep typed tables apart.

    A parser would take `<TABLE>`, `<S>` and `<C>` in preformatted text for HTML and move them.
    """
    ends = [match.start() for match in _PREFORMATTED_END.finditer(data)]
    pieces: list[bytes] = []
    done = past = 0
    for match in _PREFORMATTED.finditer(data):
        at = bisect_left(ends, match.end())
        if match.start() < past or at == len(ends):
            continue
        past = ends[at]
        inside = data[match.end() : past]
        if b"<tr" not in inside.lower():
            inside = _TYPED.sub(rb'<img %s="\1">' % _TYPED_AS.encode(), inside)
            pieces += [_placed(data, done, match.end()), inside]
            done = past
    return b"".join((*pieces, _placed(data, done, len(data))))


def _placed(data: bytes, start: int, end: int) -> bytes:
    def placed(match: re.Match[bytes]) -> bytes:
        return b'%s %s="%d"' % (match[0], _PLACE_NAME, start + match.start())

    return _PLACED.sub(placed, data[start:end])


def read_markup(root: _Element, size: int, max_cells: int = 200_000) -> Document:
    """Read a parsed document into blocks and tags.

    Args:
        root: what `parse_markup` gave.
        size: bytes of the document, where its last block ends.
        max_cells: cells of a table that are read; what one holds beyond them is dropped, and the
            document flagged with `table_cut`.
    """
    return _Walk(root, size, max_cells).document


class _Run:
    """Text that grows: blanks are collapsed while it does, so that offsets stay right."""

    __slots__ = (
        *("pieces", "length", "blank", "bold", "italic", "underlined", "letters", "size"),
        *("centred", "raised", "marks", "tags", "links"),
    )

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = self.bold = self.italic = self.underlined = self.letters = 0
        self.blank = self.centred = False
        self.size = 0.0
        self.raised: list[tuple[int, int]] = []
        self.marks: list[_Mark] = []
        self.tags: list[Tag] = []
        self.links: list[tuple[int, str]] = []

    def add(self, text: str, style: _Style) -> None:
        """Add text as it stands in the source."""
        text = shown(text)
        words = text.split()
        if not words:
            self.blank = self.blank or bool(text)
            return
        if self.length and (self.blank or text[0].isspace()):
            self.pieces.append(" ")
            self.length += 1
        joined = " ".join(words)
        count = len(joined)
        if not self.length:
            self.size, self.centred = style.size, style.centred
        if style.raised:
            self.raised.append((self.length, self.length + count))
        self.pieces.append(joined)
        self.length += count
        self.letters += count
        self.bold += count * style.bold
        self.italic += count * style.italic
        self.underlined += count * style.underlined
        self.blank = text[-1].isspace()

    def end_line(self) -> None:
        """Take a line break for a blank, and note its place."""
        if not self.length:
            return
        is_double = bool(self.marks) and self.marks[-1].length == self.length
        if is_double:
            self.marks.pop()
        self.blank = True
        self.marks.append(self._mark(is_double=is_double))

    def next_start(self) -> int:
        """Where text that is added next begins."""
        return self.length + bool(self.length and self.blank)

    def end_tags(self) -> None:
        """End what is still open: the text that it goes on with belongs to another block."""
        for tag in self.tags:
            if tag.end < 0:
                tag.end = self.length

    def parts(self) -> list[tuple[int, int, _Mark]]:
        """Spans of the lines that stand apart, each with how much of it is bold and so on."""
        text = self.text
        marks = [mark for mark in self.marks if mark.length < self.length]
        parts: list[tuple[int, int, _Mark]] = []
        start, before = 0, _Mark(0, 0, 0, 0, 0, is_double=False)
        for number, mark in enumerate([*marks, self._mark(is_double=True)]):
            following = marks[number + 1].length if number + 1 < len(marks) else self.length
            is_last = number == len(marks)
            if not is_last and not mark.is_double:
                line, after = text[start : mark.length], text[mark.length + 1 : following]
                opens = _LINE_HEAD.match(after) is not None
                closes = _LINE_HEAD.match(line) is not None and len(line) <= _SHORT_LINE
                if not opens and not (closes and text[mark.length - 1] != ","):
                    continue
            parts.append((start, mark.length, _since(before, mark)))
            start, before = mark.length + 1, mark
        return parts

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def is_mostly(self, count: int) -> bool:
        """Whether a count of letters is nearly all."""
        return bool(self.letters) and count >= 0.9 * self.letters

    def _mark(self, *, is_double: bool) -> _Mark:
        counts = (self.length, self.bold, self.italic, self.underlined, self.letters)
        return _Mark(*counts, is_double=is_double)


class _Table:
    """A table that is being read into a grid."""

    def __init__(self, source_start: int, max_cells: int) -> None:
        self.source_start = source_start
        self.max_cells = max_cells
        self.cells: list[GridCell] = []
        # Row, column, rows, columns of the cell at hand, and whether it is a header.
        self.cell: tuple[int, int, int, int, bool] | None = None
        self.indent = 0.0
        self.tags: list[Tag] = []
        self.links: list[str] = []
        self.row = -1
        self.column = 0
        self.is_cut = False
        # Columns that cells above reach into, a bit each, and those that come free in a row: the
        # next free one is found in one step, however many are taken.
        self._taken = 0
        self._freed: dict[int, int] = {}

    def begin_row(self) -> None:
        """Begin a row."""
        self.row += 1
        self.column = 0
        self._taken &= ~self._freed.pop(self.row, 0)

    def begin_cell(self, element: _Element, indent: float, *, is_header: bool) -> None:
        """Find the place of a cell: the first column that no cell above reaches into."""
        row, column = max(self.row, 0), self.column
        if self._taken:
            free = ~(self._taken >> column)
            column += (free & -free).bit_length() - 1
        rows = columns = 1
        if given := element.get("colspan"):
            columns = max(1, min(_span(given), MAX_COLUMNS - column))
        if (
            (given := element.get("rowspan"))
            and (rows := _span(given)) > 1
            and column < MAX_COLUMNS
        ):
            bits = (((1 << columns) - 1) << column) & ~self._taken
            self._taken |= bits
            self._freed[row + rows] = self._freed.get(row + rows, 0) | bits
        self.row, self.column = row, column + columns
        self.cell, self.indent = (row, column, rows, columns, is_header), indent

    def end_cell(self, cell: tuple[int, int, int, int, bool], run: _Run) -> None:
        """Keep the cell at hand, which shows something."""
        row, column, rows, columns, is_header = cell
        if len(self.cells) >= self.max_cells or column >= MAX_COLUMNS:
            self.is_cut = True
            return
        lines = [mark.length + 1 for mark in run.marks if mark.length + 1 < run.length]
        links = tuple(target for _, target in run.links)
        place = (row, column, rows, columns)
        look = (run.is_mostly(run.bold), is_header, self.indent, run.size)
        self.cells.append(GridCell(*place, run.text, *look, tuple(run.raised), tuple(lines), links))
        for tag in run.tags:
            tag.row, tag.column = row, column
        self.tags += run.tags
        self.links += links

    def grid(self) -> Grid:
        """The grid, in which no cell reaches beyond the last row or column that shows something."""
        n_rows = max((cell.row for cell in self.cells), default=-1) + 1
        n_columns = max((cell.column for cell in self.cells), default=-1) + 1
        for cell in self.cells:
            cell.rows = min(cell.rows, n_rows - cell.row)
            cell.columns = min(cell.columns, n_columns - cell.column)
        return Grid(n_rows, n_columns, self.cells)


class _Walk:
    """One walk over a document; `run` is the text of the paragraph or the cell at hand."""

    def __init__(self, root: _Element, size: int, max_cells: int) -> None:
        self.max_cells = max_cells
        self.document = Document()
        self.run = _Run()
        self.style = _Style()
        self.start = 0
        self.anchors: list[str] = []
        self.breaks_page = False
        self.table: _Table | None = None
        self.structural = _structural_tables(root)
        self._walk(root)
        self._flush()
        blocks = self.document.blocks
        for block, following in pairwise(blocks):
            block.source_end = max(block.source_start, following.source_start)
        if blocks:
            blocks[-1].source_end = max(blocks[-1].source_start, size)

    def _walk(self, root: _Element) -> None:
        from lxml import etree

        # What an element changed, put back at its end; null for one whose inside is not read.
        changed: list[tuple[str, _Style, _Look | None, Tag | None] | None] = []
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                name, is_inline = _local(element.tag)
                if name in _SKIPPED or (name == "header" and is_inline):
                    if is_inline:
                        self.document.headers.append(element)
                    walker.skip_subtree()
                    changed.append(None)
                    continue
                changed.append(self._open(element, name, is_inline))
                text = element.text
            else:
                change = changed.pop()
                if change is not None:
                    self._close(*change)
                text = element.tail if changed else None
            if text and not self.style.hidden:
                self._show(text)

    def _show(self, text: str) -> None:
        if self.table is None or self.table.cell is not None:
            self.run.add(text, self.style)
        elif words := shown(text).split():
            # Between the cells of a table: browsers show it before the table.
            self._add_block(Block(" ".join(words), source_start=self.table.source_start))

    def _open(
        self, element: _Element, name: str, is_inline: bool
    ) -> tuple[str, _Style, _Look | None, Tag | None]:
        before, look, tag = self.style, None, None
        given, align = element.get("style"), element.get("align")
        if given or align or name in _STYLING:
            look = _look(name, given, align, element.get("size") if name == "font" else None)
            if look.breaks_before:
                self._break_page()
            self.style = _styled(before, look)
        if is_inline:
            if name in _TAGGED:
                attributes = {_local(key)[0]: value for key, value in element.items()}
                tag = Tag(name, attributes, start=self.run.next_start(), end=-1)
                if self.style.hidden:
                    tag.unseen = content_of(element)
                self.document.tags.append(tag)
                self.run.tags.append(tag)
            return name, before, look, tag
        if name in _PARAGRAPHS:
            self._open_paragraph(element, name, look.indent if look else 0.0)
        elif name == "br":
            self.run.end_line()
        elif name == "hr":
            self._break_page()
        elif name == "a" and (element.get("href") or "")[:1] == "#":
            self.run.links.append((self.run.next_start(), (element.get("href") or "")[1:]))
        if anchor := element.get("id"):
            self.anchors.append(anchor)
        if anchor := element.get("name"):
            self.anchors.append(anchor)
        return name, before, look, tag

    def _open_paragraph(self, element: _Element, name: str, indent: float) -> None:
        table = self.table
        if table is not None:
            if name in _CELLS:
                self._end_cell(table)
                table.begin_cell(element, indent, is_header=name == "th")
            elif name == "tr":
                self._end_cell(table)
                table.begin_row()
            elif table.cell is not None:
                self.run.end_line()
                if indent and not self.run.length:
                    table.indent += indent
            return
        self._flush()
        place = element.get(_PLACE) or ""
        self.start = int(place) if place.isdecimal() else self.start
        if name == "table" and element not in self.structural:
            self.table = _Table(self.start, self.max_cells)
        elif name == "pre" and not self.style.hidden:
            self._show_lines(element)

    def _close(self, name: str, before: _Style, look: _Look | None, tag: Tag | None) -> None:
        if tag is not None:
            if tag.end < 0:
                tag.end = max(self.run.length, tag.start)
                if tag.end == tag.start:
                    self.run.tags.remove(tag)
        elif name in _PARAGRAPHS:
            table = self.table
            if table is None:
                self._flush()
            elif name in _CELLS:
                self._end_cell(table)
            elif name == "table":
                self._end_table(table)
            elif table.cell is not None:
                self.run.end_line()
        if look is not None and look.breaks_after:
            self._break_page()
        self.style = before

    def _break_page(self) -> None:
        if self.table is None:
            self._flush()
            self.breaks_page = True

    def _next_run(self) -> _Run:
        """Give out the run at hand, which shows something; what shows nothing goes on."""
        run, self.run = self.run, _Run()
        run.end_tags()
        return run

    def _flush(self) -> None:
        """End the paragraph at hand."""
        if not self.run.length:
            return
        run = self._next_run()
        text, parts = run.text, run.parts()
        first = len(self.document.blocks)
        for start, end, counts in parts:
            most = 0.9 * max(counts.letters, 1)
            block = Block(
                text[start:end],
                is_bold=counts.bold >= most,
                is_italic=counts.italic >= most,
                is_underlined=counts.underlined >= most,
                is_centred=run.centred,
                size=run.size,
                links=tuple(target for place, target in run.links if start <= place <= end),
                raised=tuple((a - start, b - start) for a, b in run.raised if start <= a < end),
                source_start=self.start,
            )
            self._add_block(block)
        for tag in run.tags:
            number = next((n for n, part in enumerate(parts) if tag.start < part[1]), None)
            if number is None:
                tag.end = tag.start
                continue
            start, end, _ = parts[number]
            tag.block = first + number
            tag.start, tag.end = max(tag.start - start, 0), min(tag.end, end) - start

    def _add_block(self, block: Block) -> None:
        block.anchors, self.anchors = tuple(self.anchors), []
        block.starts_page, self.breaks_page = self.breaks_page, False
        if self.document.blocks:
            block.source_start = max(block.source_start, self.document.blocks[-1].source_start)
        self.document.blocks.append(block)

    def _end_cell(self, table: _Table) -> None:
        if table.cell is not None:
            if self.run.length:
                table.end_cell(table.cell, self._next_run())
            table.cell = None

    def _end_table(self, table: _Table) -> None:
        self._end_cell(table)
        self.table = None
        if not table.cells:
            return
        if table.is_cut:
            self.document.flags.append("table_cut")
        grid, links = table.grid(), tuple(table.links)
        number = len(self.document.blocks)
        if not is_layout(grid):
            block = Block("", kind="table", links=links, grid=grid, source_start=table.source_start)
            self._add_block(block)
            for tag in table.tags:
                tag.block = number
            return
        lines, places = layout_lines(grid)
        for line in lines:
            line.source_start = table.source_start
            self._add_block(line)
        for tag in table.tags:
            line_number, offset = places[tag.row, tag.column]
            tag.block, tag.row, tag.column = number + line_number, -1, -1
            tag.start, tag.end = tag.start + offset, tag.end + offset

    def _show_lines(self, element: _Element) -> None:
        """Show preformatted text, whose lines and columns say where blocks and cells are."""
        for block in read_plain_blocks(_typed(element)):
            block.source_start = block.source_end = self.start
            self._add_block(block)
        for inner in element.iter():
            inner.text = None
            if inner is not element:
                inner.tail = None


def _typed(element: _Element) -> str:
    """What stands in a preformatted element, with the tags that say where its columns are."""
    from lxml import etree

    pieces: list[str] = []
    for event, inner in etree.iterwalk(element, events=("start", "end")):
        name = _local(inner.tag)[0]
        if event == "start":
            tag = inner.get(_TYPED_AS)
            pieces.append(f"<{tag}>" if tag else "\n" if name == "br" else "")
            pieces.append(inner.text or "")
        elif inner is not element:
            pieces.append(inner.tail or "")
    return "".join(pieces)


def _since(before: _Mark, mark: _Mark) -> _Mark:
    return _Mark(
        mark.length - before.length,
        mark.bold - before.bold,
        mark.italic - before.italic,
        mark.underlined - before.underlined,
        mark.letters - before.letters,
        mark.is_double,
    )


@lru_cache(maxsize=4096)
def _local(tag: object) -> tuple[str, bool]:
    """Local name in lower case, and whether it belongs to inline XBRL."""
    if not isinstance(tag, str):
        return "", False
    if tag[:1] == "{":
        space, _, name = tag[1:].partition("}")
        return name.lower(), "inlineXBRL" in space
    space, colon, name = tag.lower().rpartition(":")
    return name, bool(colon) and space == "ix"


@lru_cache(maxsize=256)
def _span(given: str) -> int:
    """How many rows or columns a cell covers, in bounds that a browser keeps to."""
    if not given.strip().isdecimal() or len(given) > 9:
        return 1
    return max(1, min(int(given), MAX_COLUMNS))


def _structural_tables(root: _Element) -> set[_Element]:
    """Tables that lay out a page: they hold tables, or paragraphs in one or two cells."""
    from lxml import etree

    structural: set[_Element] = set()
    around: list[_Element] = []
    for event, table in etree.iterwalk(root, events=("start", "end"), tag="{*}table"):
        if event == "start":
            structural.update(around[-1:])
            around.append(table)
            continue
        around.pop()
        cells = sum(1 for _ in islice(table.iter("{*}td", "{*}th"), 3))
        if cells <= 2 and sum(1 for _ in islice(table.iter("{*}p", "{*}div"), 7)) == 7:
            structural.add(table)
    return structural


@lru_cache(maxsize=4096)
def _styled(before: _Style, look: _Look) -> _Style:
    """The style inside an element."""
    style, name = before, look.name
    if name in _BOLD and not style.bold:
        style = style._replace(bold=True)
    elif name in {"i", "em"}:
        style = style._replace(italic=True)
    elif name == "u":
        style = style._replace(underlined=True)
    elif name == "sup":
        style = style._replace(raised=True)
    elif look.is_centre:
        style = style._replace(centred=True)
    elif look.font_size is not None:
        style = style._replace(size=look.font_size)
    return _Style(
        bold=style.bold if look.bold is None else look.bold,
        italic=style.italic if look.italic is None else look.italic,
        underlined=style.underlined if look.underlined is None else look.underlined,
        centred=style.centred if look.centred is None else look.centred,
        raised=style.raised if look.raised is None else look.raised,
        hidden=style.hidden or look.hidden,
        size=style.size if look.size is None else look.size,
    )


@lru_cache(maxsize=256)
def _font_size(given: str) -> float:
    """Points of the sizes 1 to 7 of old HTML, relative ones from 3."""
    match = re.fullmatch(r"\s*([+-]?)([0-9])\s*", given)
    if match is None:
        return 0.0
    step = int(match[2]) if not match[1] else 3 + int(match[1] + match[2])
    return (7.5, 10.0, 12.0, 13.5, 18.0, 24.0, 36.0)[max(1, min(step, 7)) - 1]


_LENGTH = re.compile(r"(-?[0-9]{0,4}(?:\.[0-9]{0,6})?)\s*(pt|px|em|rem|in|%)?")
_POINTS: Final = {"pt": 1.0, "px": 0.75, "em": 10.0, "rem": 10.0, "in": 72.0}


@lru_cache(maxsize=16_384)
def _look(name: str, given: str | None, align: str | None, size: str | None) -> _Look:
    """Read the few properties that matter from a style attribute, an alignment and a font size."""
    said: dict[str, str] = {}
    for declaration in (given or "").lower().split(";")[:64]:
        key, colon, value = declaration.partition(":")
        if colon:
            said[key.strip()] = value.strip()
    weight = said.get("font-weight")
    look = said.get("font-style")
    line = said.get("text-decoration", said.get("text-decoration-line"))
    aligned = said.get("text-align")
    is_raised = said.get("vertical-align") in {"super", "text-top"} or (
        said.get("position") == "relative" and said.get("top", "")[:1] == "-"
    )
    before = said.get("page-break-before", said.get("break-before", ""))
    after = said.get("page-break-after", said.get("break-after", ""))
    indent = _points(_left(said, "padding")) + _points(_left(said, "margin"))
    return _Look(
        name=name,
        is_centre=name == "center" or (align or "").lower() == "center",
        font_size=_font_size(size) if size else None,
        bold=None if weight is None else weight[:4] == "bold" or weight in {"600", "700", "800"},
        italic=None if look is None else look in {"italic", "oblique"},
        underlined=None if line is None else "underline" in line,
        centred=None if aligned is None else aligned == "center",
        raised=True if is_raised else None,
        hidden=said.get("display") == "none" or said.get("visibility") == "hidden",
        size=_points(said["font-size"]) or None if "font-size" in said else None,
        indent=indent + _points(said.get("text-indent", "")),
        breaks_before=before in {"always", "page", "left", "right"},
        breaks_after=after in {"always", "page", "left", "right"},
    )


def _left(said: dict[str, str], name: str) -> str:
    """The left one of four lengths, which may be given together: top, right, bottom, left."""
    together = said.get(name, "").split()
    left = together[3 if len(together) > 3 else min(1, len(together) - 1)] if together else ""
    return said.get(f"{name}-left", left)


def _points(given: str) -> float:
    match = _LENGTH.match(given)
    if match is None or not match[1] or match[1] in {"-", ".", "-."}:
        return 0.0
    return float(match[1]) * _POINTS.get(match[2] or "px", 0.0)

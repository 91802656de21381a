"""What each block of a document is for: headings, lists, footnotes, contents, furniture, notes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from finrag.filings.model import Note
from finrag.records.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from finrag.filings.model import Block, Grid

_VOCABULARY: Final = read_vocabulary(__file__)
_BY_CASE: Final = ("begins_within", "bullet", "enumerated", "note_mark")
_P: Final = {
    name: _VOCABULARY.pattern(name, 0 if name in _BY_CASE else re.IGNORECASE)
    for name in _VOCABULARY.texts
}
PAGES: Final = _P["pages"]
"""Page numbers and ranges of them, as tables of contents print them."""
PART: Final = _P["part"]
"""The title of a part of a form, whole."""
_NOTE_KINDS: Final = _VOCABULARY.patterns("note_kinds")

_HEADING: Final = 200
"""Characters of the longest heading; a bold sentence may have twice as many."""
_LINE: Final = 100
"""Characters of a printed line: what is longer is no heading and no entry of a list."""
_EDGE: Final = 120
"""Characters of the longest running header or footer."""
_ENTRIES: Final = frozenset(("leaders", "page", "item"))
_MIN_ENTRIES: Final = 5
"""Entries of the shortest table of contents."""
_MIN_PAGES: Final = 3
"""Pages on which a line recurs at least that is a running header or footer."""
_BACK_LINKS: Final = 8
"""Blocks that lead to a place which is then no entry of a table of contents, but one to it."""
_RUNNING: Final = 10
"""Pages on which a line that states a scale or a date must recur to be furniture."""
_DEPTH: Final = 6


def mark_layout(blocks: Sequence[Block]) -> None:
    """Decide the kind of each block of a document, and set it.

    A table stays a table unless it is a table of contents or furniture.
    """
    furniture = _furniture(blocks)
    contents = _contents(blocks, furniture)
    size = _body_size(blocks)
    before = ""
    for number, block in enumerate(blocks):
        if number in furniture:
            block.kind = "furniture"
            continue
        if number in contents:
            block.kind = "toc"
        elif block.grid is not None:
            block.kind = "table"
        elif before in {"table", "footnote"} and _is_footnote(block, size, before):
            block.kind = "footnote"
        elif _is_heading(block, size):
            block.kind = "heading"
        elif _P["bullet"].match(block.text) or _P["enumerated"].match(block.text):
            block.kind = "list"
        else:
            block.kind = "paragraph"
        before = block.kind


def heading_paths(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """Headings above each block, outermost first, at most six; a heading is not above itself.

    Parts stand above items, these above statements, these above notes, these above all else; two
    headings of a kind are ranked by size, capitals, boldness and so on.
    """
    paths: list[tuple[str, ...]] = []
    ranks: list[tuple[float, ...]] = []
    texts: list[str] = []
    for block in blocks:
        if block.kind != "heading":
            paths.append(tuple(texts[:_DEPTH]))
            continue
        rank = heading_rank(block)
        while ranks and ranks[-1] <= rank:
            ranks.pop()
            texts.pop()
        paths.append(tuple(texts[:_DEPTH]))
        ranks.append(rank)
        texts.append(block.text)
    return paths


def heading_rank(block: Block) -> tuple[float, ...]:
    """How high a heading stands: the greater, the further outside."""
    text = block.text
    if PART.fullmatch(text):
        return (4,)
    if _P["item"].match(text):
        return (3,)
    match = _P["note"].match(text)
    if match is not None and match["noted"]:
        return (1,)
    looks = (text.isupper(), block.is_bold, block.is_centred, block.is_underlined)
    level = 2 if _P["statements"].match(text) else 0
    return (level, block.size, *looks, not block.is_italic)


def continues(blocks: Sequence[Block]) -> list[bool]:
    """Whether each block goes on with the sentence of the text before it.

    So it is where only a page break or furniture stands between the two, the one before does not
    end a sentence, and this one begins in lower case, or the one before breaks off in mid-phrase,
    or both are longer than a line.
    """
    joined = [False] * len(blocks)
    before: Block | None = None
    breaks = False
    for number, block in enumerate(blocks):
        breaks = breaks or block.starts_page
        if block.kind == "furniture":
            breaks = True
            continue
        text = block.text.lstrip()
        if block.kind == "paragraph" and breaks and before is not None and text:
            broken = not _P["sentence_end"].search(before.text)
            begins = _P["begins_within"].match(text) or _P["goes_on"].search(before.text)
            is_prose = before.kind == "paragraph" and min(len(before.text), len(text)) > _LINE
            joined[number] = broken and (is_prose or begins is not None)
        before = block if block.kind in {"paragraph", "list"} else None
        breaks = False
    return joined


def read_notes(blocks: Sequence[Block], first: int, last: int) -> list[Note]:
    """Find the notes to financial statements among the blocks `[first, last)`.

    Of all ways to count on from one heading to the next ("Note 1", "Note 2" …), the longest is
    taken; a number may be left out. A note ends where the next one starts, the last one at `last`.
    """
    found: list[tuple[int, str, str]] = []
    lengths: list[int] = []
    parents: list[int | None] = []
    ends: dict[tuple[str, int], int] = {}
    for block in range(first, last):
        heading = _note_heading(blocks, block)
        if heading is None:
            continue
        style, number, printed, title = heading
        steps = (1, 2, 0) if printed[-1].isalpha() and style == "noted" else (1, 2)
        before = [ends[style, number - step] for step in steps if (style, number - step) in ends]
        parent = max(before, key=lambda end: lengths[end], default=None)
        length = 1 + lengths[parent] if parent is not None else int(number <= 2)
        if length and ((style, number) not in ends or length > lengths[ends[style, number]]):
            ends[style, number] = len(found)
        found.append((block, printed, title))
        lengths.append(length)
        parents.append(parent)
    way: list[int] = []
    end = max(ends.values(), key=lambda end: lengths[end], default=None)
    while end is not None:
        way.append(end)
        end = parents[end]
    starts = [found[at] for at in reversed(way)]
    borders = [*(block for block, _, _ in starts[1:]), last][: len(starts)]
    return [
        Note(printed.upper(), title, _note_kind(title), block, end)
        for (block, printed, title), end in zip(starts, borders, strict=True)
    ]


def contents_rows(blocks: Sequence[Block]) -> Iterator[tuple[int, list[str], tuple[str, ...]]]:
    """The entries of tables of contents: number of the block, texts of the cells, links."""
    for number, block in enumerate(blocks):
        if block.kind != "toc":
            continue
        if block.grid is None:
            yield number, [block.text[:_HEADING]], block.links
            continue
        for _, cells in groupby(block.grid.cells, key=lambda cell: cell.row):
            row = list(cells)
            yield (
                number,
                [cell.text[:_HEADING] for cell in row],
                tuple(x for c in row for x in c.links),
            )


def _note_heading(blocks: Sequence[Block], at: int) -> tuple[str, int, str, str] | None:
    """How a heading of a note is numbered, the number, the number as printed, the title."""
    block = blocks[at]
    if len(block.text) > _HEADING or block.kind in {"table", "toc", "furniture", "footnote"}:
        return None
    match = _P["note"].match(block.text)
    if match is None:
        return None
    title = match["title"].strip()
    following = blocks[at + 1] if at + 1 < len(blocks) else block
    if not title and following.kind == "heading":
        title = following.text
    elif block.kind != "heading" and not (block.kind == "list" and title.isupper()):
        return None
    if match["noted"]:
        number = int("".join(filter(str.isdecimal, match["noted"])))
        return "noted", number, match["noted"], title
    printed = match["plain"]
    if printed.isdecimal():
        return "digit", int(printed), printed, title
    return ("letter", ord(printed) - 64, printed, title) if printed.isupper() else None


def _note_kind(title: str) -> str:
    lowered = title.casefold()
    return next((kind for kind, words in _NOTE_KINDS.items() if words.search(lowered)), "other")


def _is_heading(block: Block, size: float) -> bool:
    text = block.text
    if len(text) > 2 * _HEADING or text[-1:] in ",;":
        return False
    has_letters = any(map(str.isalpha, text))
    if block.is_bold or not has_letters:
        is_remark = text[0] == "(" and text[-1] == ")"
        return has_letters and not is_remark and _P["bullet"].match(text) is None
    if len(text) > _HEADING or text[0] == "(" or (text[-1] == ":" and not text.isupper()):
        return False
    if block.is_underlined or block.is_italic:
        return text[-1] != "." or len(text) < _EDGE / 2
    is_numbered = _P["item"].match(text) is not None and len(text) < _EDGE
    is_big = text.isupper() or block.size > size + 0.9
    return (
        (is_big and sum(map(str.isalpha, text)) > 3)
        or is_numbered
        or PART.fullmatch(text) is not None
    )


def _is_footnote(block: Block, size: float, before: str) -> bool:
    if block.raised and block.raised[0][0] == 0:
        return True
    if block.is_bold:
        return False
    is_small = before == "table" and 0 < block.size < size - 0.9
    return is_small or _P["note_mark"].match(block.text) is not None


def _body_size(blocks: Sequence[Block]) -> float:
    """Size of most letters."""
    sizes: Counter[float] = Counter()
    for block in blocks:
        sizes[block.size] += len(block.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def _edge_text(block: Block) -> str | None:
    """What a block shows, if it is small enough for a running header or footer."""
    if block.grid is None:
        return block.text if len(block.text) <= _EDGE else None
    cells = block.grid.cells
    if len(cells) > 4 or cells[0].row != cells[-1].row:
        return None
    text = " ".join(cell.text for cell in cells)
    return text if len(text) <= _EDGE else None


def _furniture(blocks: Sequence[Block]) -> set[int]:
    """Page numbers, and short lines next to page breaks that recur on several pages."""
    numbers = {
        number
        for number, block in enumerate(blocks)
        if len(block.text) < 30 and block.text and _P["page_number"].fullmatch(block.text)
    }
    breaks = {number for number, block in enumerate(blocks) if block.starts_page}
    breaks |= {number + 1 for number in numbers}
    edges: dict[int, str] = {}
    for start in breaks:
        for step, number in ((1, start), (-1, start - 1)):
            for at in range(number, number + 4 * step, step):
                text = _edge_text(blocks[at]) if 0 <= at < len(blocks) else None
                if text is None:
                    break
                edges[at] = text
    keys = {at: _edge_key(text) for at, text in edges.items()}
    recurring = Counter(key for key in keys.values() if key)
    many = max(_MIN_PAGES, len(breaks) // 20)
    furniture = set(numbers)
    seen: set[str] = set()
    for at in sorted(edges):
        key, text, block = keys[at], edges[at], blocks[at]
        is_telling = _P["telling"].search(text) is not None
        # What runs through the pages was once said in earnest.
        is_first = key not in seen and (block.is_bold or is_telling or _P["item"].match(text))
        is_note = key == "note" and block.is_bold
        seen.add(key)
        if _P["back_link"].fullmatch(text) and (block.links or recurring[key] >= many):
            furniture.add(at)
        elif recurring[key] >= (_RUNNING if is_telling else many):
            if not is_first and not is_note and not _P["answer"].fullmatch(text):
                furniture.add(at)
        elif block.grid is not None and _P["page_number"].fullmatch(block.grid.cells[-1].text):
            furniture.add(at)
    return furniture


def _edge_key(text: str) -> str:
    """What stays the same from page to page: the words, without numbers and single letters."""
    words = re.sub(r"[\W\d_]+", " ", text).casefold().split()
    return " ".join(word for word in words if len(word) > 1)


def _contents(blocks: Sequence[Block], furniture: set[int]) -> set[int]:
    """Blocks of tables of contents: tables, lines with leaders, runs of links or of items."""
    back = Counter(link for block in blocks for link in set(block.links))
    contents: set[int] = set()
    run: list[tuple[int, str]] = []
    items: set[str] = set()
    titled = -10
    for number, block in enumerate(blocks):
        if number in furniture:
            continue
        look = _entry_look(block, back)
        if look == "title":
            titled = number
        is_contents = block.grid is not None and _is_contents_table(
            block.grid, is_titled=number - titled <= 3
        )
        if look == "leaders" or is_contents:
            contents.add(number)
        item = re.sub(r"\W", "", block.text[:10]).casefold() if look == "item" else ""
        after_page = bool(run) and look == "short" and run[-1][1] in {"page", "leaders"}
        if look not in _ENTRIES and not (run and (look == "filler" or after_page)):
            look = ""
        if not look or item in items:
            # Where the items begin again, the contents are over.
            contents.update(_entries(run))
            run, items = [], set()
        if look:
            run.append((number, look))
            items |= {item} - {""}
    contents.update(_entries(run))
    return contents


def _entry_look(block: Block, back: Counter[str]) -> str:
    """What a block could be in a table of contents: an entry, a filler, nothing."""
    text = block.text
    look = "short" if 0 < len(text) <= _EDGE / 2 else ""
    if _P["contents_title"].match(text) and len(text) < _EDGE:
        look = "title"
    elif ("..." in text or ". . ." in text) and _P["leaders"].search(text):
        look = "leaders"
    elif not text or len(text) > _HEADING:
        look = ""
    elif any(back[link] < _BACK_LINKS for link in block.links) or _P["ends_in_page"].search(text):
        look = "page"
    elif _P["item"].match(text) and not block.anchors:
        look = "item"
    elif _P["filler"].fullmatch(text):
        look = "filler"
    return look


def _entries(run: list[tuple[int, str]]) -> Iterator[int]:
    """The blocks of a run that has enough entries, up to the last with a page if any has one."""
    last = {look for _, look in run} & {"page", "leaders"} or {"item"}
    while run and run[-1][1] not in last:
        run.pop()
    if sum(look in _ENTRIES for _, look in run) >= _MIN_ENTRIES:
        yield from (number for number, _ in run)


def _is_contents_table(grid: Grid, *, is_titled: bool) -> bool:
    """Whether most rows end in page numbers that rise, or lead to places in the document."""
    rows = entries = linked = items = drops = latest = 0
    for _, group in groupby(grid.cells, key=lambda cell: cell.row):
        cells = list(group)
        rows += len(cells) > 1 or bool(cells[0].links)
        linked += any(cell.links for cell in cells)
        items += _P["item"].match(cells[0].text) is not None
        if len(cells) > 1 and PAGES.fullmatch(cells[-1].text) and cells[0].text[0].isalpha():
            entries += 1
            page = int(re.findall(r"\d+", cells[-1].text)[0])
            drops += page < latest
            latest = page
    if rows < _MIN_ENTRIES:
        return False
    if linked >= 0.6 * rows or (
        items >= _MIN_ENTRIES and (is_titled or linked + entries >= items / 2)
    ):
        return True
    is_rising = entries >= 0.6 * rows and drops <= entries / 5
    return is_rising and (is_titled or items >= _MIN_PAGES)

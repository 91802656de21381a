"""The items of a filing: every place that could head one, and the best way through them.

A place is a heading that names an item, one that states an item's title only, or one that the
table of contents leads to. Places are scored; of all ways through them in the order of the form,
the one with the highest sum is taken.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from finrag.filings.layout import PAGES, PART, contents_rows, heading_rank
from finrag.filings.model import Section
from finrag.records.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from finrag.filings.model import Block

_VOCABULARY: Final = read_vocabulary(__file__)
_SINCE: Final = {item: int(year) for item, year in _VOCABULARY.tables["since"].items()}
_P: Final = {
    name: _VOCABULARY.pattern(name, re.IGNORECASE | re.DOTALL) for name in _VOCABULARY.texts
}
_TITLES: Final = {
    form: _VOCABULARY.patterns(form) for form in ("annual", "quarterly", "small", "exhibit")
}
_NUMBER: Final = _P["number"]

_HEADING: Final = 300
"""Characters of the longest heading."""
_FEW: Final = 5
"""Numbered headings below which titles alone count too, and an index is looked for."""
_LINE: Final = 60
"""Characters of the longest line that is no paragraph."""
_SURE: Final = 0.8
"""Score from which on a heading counts out of order."""
_SHORT: Final = 2_500
"""Characters of the longest text that may only point elsewhere."""
_OFFICERS: Final = 80
"""Blocks of the longest part on executive officers that no heading like its own ends."""
_PART_INTRO: Final = 8
"""Blocks before an item among which the title of its part may stand."""
_CONTENTS: Final = 12
"""Blocks before statements among which their index begins."""
_MIN_INDEX: Final = 6
"""Items that a table must list to be an index of the form."""


@dataclass(slots=True)
class _Place:
    """A block that could head an item.

    Attributes:
        block: its number.
        items: places in the order of the form, rising; more than one share the heading.
        method: anchor, heading, title or combined.
        score: how sure it is, 0 to 1.
    """

    block: int
    items: tuple[int, ...]
    method: str
    score: float


def find_items(
    blocks: Sequence[Block],
    form: str,
    report_year: int | None,
    exhibits: Sequence[tuple[str, Sequence[Block]]] = (),
) -> list[Section]:
    """Find the items of a filing in its main document.

    Items that share a heading come as one section, named after the first and with the others in
    `combined_with`. Where a filing has no headings but an index of pages, the sections are the
    ranges that the index names; what it does not resolve has status `cross_reference` and no span.

    Args:
        blocks: of the main document, their kinds decided by `mark_layout`.
        form: such as 10-K, 10-K405, 10-KSB or 10-Q.
        report_year: fiscal year, which decides what is on the form; null for any.
        exhibits: document type and blocks of what is filed with it. An item that points to an
            annual report gets its text from an EX-13, if one holds it under a heading.

    Returns:
        The sections, in the order of the document, those of an index in the order of the form;
        empty for a form without items.
    """
    titles = _titles(form, report_year)
    if not titles:
        return []
    order = list(titles)
    targets = _targets(blocks, order, titles)
    places = _places(blocks, order, titles, targets)
    _score_crowding(blocks, places)
    way = _best_way(places, len(order))
    if sum(place.method in {"heading", "combined"} for place in way) < _FEW:
        sections = _from_index(blocks, order, titles)
        if sections:
            return sections
    way = _with_strays(way, places)
    counts: defaultdict[int, int] = defaultdict(int)
    for place in places:
        counts[place.items[0]] += 1
    sections = _sections(blocks, way, order, counts)
    _add_pages_behind(sections, blocks, titles)
    return [_from_exhibit(section, blocks, exhibits) for section in sections]


def _titles(form: str, year: int | None) -> dict[str, re.Pattern[str]]:
    """Titles by item, in the order of the form, of the items that were on it in a year."""
    name = form.upper()
    if name.startswith(("10-KSB", "10KSB")):
        titles = _TITLES["small"]
    elif name.startswith("10-K"):
        titles = _TITLES["annual"]
    elif name.startswith("10-Q") and not name.startswith("10-QSB"):
        titles = _TITLES["quarterly"]
    else:
        return {}
    return {
        item: title for item, title in titles.items() if year is None or _SINCE.get(item, 0) <= year
    }


def _squeezed(text: str) -> str:
    """The letters of a title: letter-spaced or broken words read as they are meant."""
    return re.sub(r"[^a-z]", "", text[:_HEADING].lower())


def _title(heading: str) -> str:
    """A heading without "Item" and number."""
    match = _P["head"].match(heading)
    return match["rest"] if match else heading


def _numbers(text: str) -> list[str]:
    """The items that a heading numbers: `10, 11 and 12` or `10 through 12`."""
    numbers: list[str] = []
    end = 0
    for match in _NUMBER.finditer(text):
        number = re.sub(r"\s|\(.*", "", match[0]).upper()
        if re.search(r"to|through|[-–—]", text[end : match.start()]) and numbers:
            first, last = int(re.sub(r"\D", "", numbers[-1])), int(re.sub(r"\D", "", number))
            numbers += map(str, range(first + 1, min(last, first + 10)))
        numbers.append(number)
        end = match.end()
    return numbers


def _read(order: Sequence[str], numbers: Sequence[str], part: str | None) -> list[tuple[int, ...]]:
    """The items of the form that numbers can mean, each reading rising; in a 10-Q one a part."""
    if "-" not in order[0]:
        known = tuple(sorted({order.index(number) for number in numbers if number in order}))
        return [known] if known else []
    readings: list[tuple[int, ...]] = []
    for given in [part.upper()] if part else ["I", "II"]:
        names = [f"{given}-{number}" for number in numbers]
        if known := tuple(sorted({order.index(name) for name in names if name in order})):
            readings.append(known)
    return readings


def _targets(
    blocks: Sequence[Block], order: Sequence[str], titles: Mapping[str, re.Pattern[str]]
) -> dict[int, set[int]]:
    """Blocks to which tables of contents lead, with the items that they call them."""
    anchors: dict[str, int] = {}
    for number, block in enumerate(blocks):
        for anchor in block.anchors:
            anchors.setdefault(anchor, number)
    targets: dict[int, set[int]] = {}
    part: str | None = None
    for _, cells, links in contents_rows(blocks):
        text = " ".join(cells)
        if match := _P["part"].match(text):
            part = match[1]
        places = {anchors[link] for link in links if link in anchors}
        match = _P["index_row"].fullmatch(text) or _P["index_row"].match(cells[0])
        if not places or match is None:
            continue
        numbers = _numbers(match["number"] or match["bare"])
        rest = _squeezed(text[match.end("number") :] if match["number"] else " ".join(cells[1:]))
        for reading in _read(order, numbers, part):
            if match["bare"] and not titles[order[reading[0]]].match(rest):
                continue
            for place in places:
                targets.setdefault(_led_to(blocks, place), set()).update(reading)
    return targets


def _shown_from(blocks: Sequence[Block], number: int) -> int:
    """The first block from a number on that is no furniture: links lead to tops of pages."""
    for at in range(number, min(number + 6, len(blocks))):
        if blocks[at].kind != "furniture" and not PART.fullmatch(blocks[at].text):
            return at
    return number


def _led_to(blocks: Sequence[Block], number: int) -> int:
    """The block that a link means: the heading right before its place, where there is one."""
    at = _shown_from(blocks, number)
    is_behind = at > 0 and blocks[at].kind != "heading" and blocks[at - 1].kind == "heading"
    return at - is_behind


def _places(
    blocks: Sequence[Block],
    order: Sequence[str],
    titles: Mapping[str, re.Pattern[str]],
    targets: Mapping[int, set[int]],
) -> list[_Place]:
    places: list[_Place] = []
    bare: list[_Place] = []
    any_title = re.compile("|".join(f"(?:{title.pattern})" for title in titles.values()))
    for number, block in enumerate(blocks):
        if block.kind in {"table", "toc", "furniture", "footnote"}:
            continue
        aimed = targets.get(number, set())
        match = _P["head"].match(block.text[:_HEADING])
        if match is not None:
            places += _numbered(blocks, number, match, order, titles, aimed)
            continue
        if block.kind != "heading" or len(block.text) > _HEADING:
            continue
        letters = _squeezed(block.text)
        if not aimed and not any_title.fullmatch(letters):
            continue
        for at, item in enumerate(order):
            is_titled = titles[item].fullmatch(letters) is not None
            if is_titled or at in aimed:
                score = 0.2 + 0.2 * is_titled + 0.3 * (at in aimed) + 0.1 * block.text.isupper()
                method = "anchor" if at in aimed else "title"
                bare.append(_Place(number, (at,), method, score))
    named = {item for place in places for item in place.items if place.score > 0.6}
    if len(named) >= min(_FEW, len(order) / 2):
        bare = [place for place in bare if place.method == "anchor"]
    return sorted([*places, *bare], key=lambda place: place.block)


def _numbered(
    blocks: Sequence[Block],
    number: int,
    match: re.Match[str],
    order: Sequence[str],
    titles: Mapping[str, re.Pattern[str]],
    aimed: set[int],
) -> list[_Place]:
    """Places of a block that begins with "Item" and a number."""
    block, rest = blocks[number], match["rest"].lstrip(" .:;,–—-\t")
    if rest[:1].islower() or rest[:1] == "(":
        return []
    if not rest and number + 1 < len(blocks) and len(blocks[number + 1].text) <= _HEADING:
        rest = blocks[number + 1].text
    letters = _squeezed(rest)
    looks = block.kind == "heading" or block.is_bold or block.text[:30].isupper()
    places: list[_Place] = []
    for reading in _read(order, _numbers(match["numbers"]), match["part"]):
        is_titled = any(titles[order[at]].match(letters) for at in reading)
        is_titled = is_titled or _is_void(rest)
        score = 0.35 + 0.35 * is_titled + 0.15 * looks + 0.15 * bool(aimed & set(reading))
        if re.search(r"\D\s\d{1,3}\s*$", block.text) and len(block.text) <= _HEADING:
            score -= 0.4
        method = "combined" if len(reading) > 1 else "heading"
        places.append(_Place(number, reading, method, score))
    return places


def _score_crowding(blocks: Sequence[Block], places: Iterable[_Place]) -> None:
    """Lower the score of places without a text before the next one: contents, running headers."""
    headed = {place.block for place in places}
    for place in places:
        text = blocks[place.block].text
        following = _shown_from(blocks, place.block + 1)
        if following in headed and len(text) < _HEADING and not _is_void(_title(text)):
            place.score -= 0.25


def _best_way(places: Sequence[_Place], n_items: int) -> list[_Place]:
    """The way through places, in the order of document and form, with the highest sum of scores.

    Where two have the same, the earlier places win.
    """
    # Of the best way whose last item is before a given one: its sum and its last place.
    sums = [0.0] * (n_items + 1)
    lasts: list[int | None] = [None] * (n_items + 1)
    parents: list[int | None] = []
    pending: list[tuple[int, int, float]] = []
    for at, place in enumerate(places):
        # Places in one block are alternatives: none follows another.
        if pending and places[pending[-1][1]].block != place.block:
            _settle(pending, sums, lasts)
        first, last = place.items[0], place.items[-1]
        parents.append(lasts[first])
        if place.score > 0:
            pending.append((last + 1, at, sums[first] + place.score))
    _settle(pending, sums, lasts)
    way: list[_Place] = []
    end = lasts[n_items]
    while end is not None:
        way.append(places[end])
        end = parents[end]
    return way[::-1]


def _settle(
    pending: list[tuple[int, int, float]], sums: list[float], lasts: list[int | None]
) -> None:
    for bound, at, total in pending:
        for item in range(bound, len(sums)):
            if total <= sums[item] + 1e-9:
                break
            sums[item], lasts[item] = total, at
    pending.clear()


def _with_strays(way: Sequence[_Place], places: Iterable[_Place]) -> list[_Place]:
    """Add sure headings of items that the way leaves out: a few filers have their own order."""
    known = {item for place in way for item in place.items}
    taken = {place.block for place in way}
    found = list(way)
    for place in sorted(places, key=lambda place: -place.score):
        is_new = known.isdisjoint(place.items) and place.block not in taken
        if is_new and place.score >= _SURE:
            found.append(place)
            known.update(place.items)
            taken.add(place.block)
    return sorted(found, key=lambda place: place.block)


def _sections(
    blocks: Sequence[Block],
    way: Sequence[_Place],
    order: Sequence[str],
    counts: Mapping[int, int],
) -> list[Section]:
    sections: list[Section] = []
    shared: list[_Place] = []
    for number, place in enumerate(way):
        end = way[number + 1].block if number + 1 < len(way) else len(blocks)
        shared.append(place)
        spans = _spans(blocks, shared[0].block, end, order[shared[0].items[0]])
        text = _text(blocks, spans, after=place.block)
        heading = blocks[place.block].text[:_HEADING]
        is_bare = not text and not _is_void(_title(heading))
        if is_bare and number + 1 < len(way):
            # A heading without a text shares that of the next one.
            continue
        items = [order[at] for one in shared for at in one.items]
        method = "combined" if len(items) > 1 else place.method
        score = round(min(1.0, max(0.0, *(one.score for one in shared))), 3)
        status = "cross_reference" if is_bare else _status(heading, text)
        first = shared[0]
        title = blocks[first.block].text[:_HEADING]
        n = counts[first.items[0]]
        found = (title, method, status, score, n, tuple(items[1:]), None)
        sections.append(Section(items[0], *found, () if is_bare else spans))
        shared = []
    return sections


def _spans(blocks: Sequence[Block], first: int, end: int, item: str) -> tuple[tuple[int, int], ...]:
    """The blocks of an item, without signatures, executive officers and the next part's title."""
    spans: list[tuple[int, int]] = []
    start = first
    officers: tuple[float, ...] | None = None
    ends_at_officers = item in {"1", "1A", "1B", "1C", "2", "3", "4"}
    is_late = item in {"9B", "9C", "12", "13", "14", "15", "16", "II-5", "II-6"}
    is_late = is_late or end == len(blocks)
    for number in range(first + 1, end):
        block = blocks[number]
        if is_late and len(block.text) < _LINE and _P["signatures"].fullmatch(block.text):
            end = number
            break
        if block.kind != "heading":
            continue
        if officers is not None and heading_rank(block) >= officers:
            officers, start = None, number
        if officers is None and ends_at_officers and _P["officers"].fullmatch(block.text):
            spans.append((start, number))
            officers = heading_rank(block)
    if officers is not None and end - spans[-1][1] > _OFFICERS:
        start = spans.pop()[0]
        officers = None
    if officers is None:
        spans.append((start, end))
    trimmed = [(start, _trimmed(blocks, start, end)) for start, end in spans]
    return tuple((start, end) for start, end in trimmed if end > start)


def _trimmed(blocks: Sequence[Block], start: int, end: int) -> int:
    """An end before the title of the next part, and before furniture."""
    for number in range(max(start, end - _PART_INTRO), end):
        if blocks[number].kind == "heading" and PART.fullmatch(blocks[number].text):
            end = number
            break
    while end > start + 1 and blocks[end - 1].kind == "furniture":
        end -= 1
    return end


def _text(blocks: Sequence[Block], spans: Iterable[tuple[int, int]], after: int) -> str:
    """What stands under a heading, up to a length that no pointer has."""
    pieces = [_title(blocks[after].text)] if _is_run_in(blocks[after]) else []
    size = 0
    for first, last in spans:
        for number in range(max(first, after + 1), last):
            block = blocks[number]
            if block.kind == "furniture":
                continue
            cells = block.grid.cells if block.grid else []
            text = block.text or " ".join(cell.text for cell in cells)
            pieces.append(text)
            size += len(text)
            if size > _SHORT:
                return "\n".join(pieces)
    return "\n".join(pieces)


def _is_run_in(block: Block) -> bool:
    return len(block.text) > _HEADING or (block.kind != "heading" and block.text[-1:] == ".")


def _is_void(title: str) -> bool:
    """Whether a heading says by itself that there is nothing under it."""
    return any(
        _P[name].search(title[:_HEADING]) for name in ("reserved", "omitted_title", "answered")
    )


def _status(heading: str, text: str) -> str:
    title = _title(heading)
    if len(text) < _LINE and any(_P["reserved"].search(part) for part in (title, text)):
        return "reserved"
    if _P["omitted_title"].search(title) or (len(text) < _SHORT / 4 and _P["omitted"].search(text)):
        return "omitted"
    if len(text) <= _SHORT and _points_elsewhere(text):
        return "incorporated_by_reference"
    return "extracted"


def _points_elsewhere(text: str) -> bool:
    """Whether a short text only says where to read on: in each paragraph, or nearly."""
    if not _P["by_reference"].search(text) or not _P["proxy_or_report"].search(text):
        return False
    pointing = total = 0
    lists = False
    for piece in text.split("\n"):
        points = _P["looks_on"].match(piece) is not None or any(
            _P[name].search(piece) for name in ("by_reference", "proxy_or_report")
        )
        # What is pointed to may follow as a list.
        lists = lists or (points and piece.rstrip().endswith(":"))
        if len(piece) > _LINE:
            total += len(piece)
            pointing += len(piece) * (points or lists)
    return pointing >= 0.6 * total


def _add_pages_behind(
    sections: Sequence[Section], blocks: Sequence[Block], titles: Mapping[str, re.Pattern[str]]
) -> None:
    """Give an item that only points to statements behind the signatures those statements."""
    item = next((one for one in titles if titles[one].match("financialstatements")), None)
    section = next((one for one in sections if one.item == item and one.spans), None)
    if section is None or section.status != "extracted":
        return
    text = _text(blocks, section.spans, section.spans[0][0])
    if len(text) > _SHORT / 4 or not _P["pages_behind"].search(text):
        return
    taken = {at for one in sections for first, end in one.spans for at in range(first, end)}
    behind = [at for at in range(section.spans[-1][1], len(blocks)) if at not in taken]
    start = next((at for at in behind if _P["statements"].match(blocks[at].text[:_HEADING])), None)
    if start is None:
        return
    contents = (at for at in behind if start - _CONTENTS <= at < start)
    start = next((at for at in contents if _P["contents"].fullmatch(blocks[at].text)), start)
    end = start
    while end < len(blocks) and end not in taken and not _begins_exhibits(blocks[end]):
        end += 1
    section.spans = (*section.spans, (start, end))
    section.method = "pages_behind"


def _begins_exhibits(block: Block) -> bool:
    return block.kind == "heading" and _P["exhibits"].match(block.text) is not None


def _from_exhibit(
    section: Section, blocks: Sequence[Block], exhibits: Sequence[tuple[str, Sequence[Block]]]
) -> Section:
    """Give an item that points to an annual report the part of it under its title."""
    titles = _TITLES["exhibit"]
    if section.status != "incorporated_by_reference" or section.item not in titles:
        return section
    if not _P["annual_report"].search(_text(blocks, section.spans, section.spans[0][0])):
        return section
    for number, (document_type, pages) in enumerate(exhibits):
        if not document_type.upper().startswith("EX-13"):
            continue
        starts: dict[str, int] = {}
        for at, block in enumerate(pages):
            if block.kind not in {"heading", "paragraph"} or len(block.text) > 2 * _LINE:
                continue
            letters = _squeezed(block.text)
            item = next((item for item in titles if titles[item].fullmatch(letters)), None)
            if item is not None:
                starts.setdefault(item, at)
        if section.item in starts:
            start = starts[section.item]
            later = [at for at in starts.values() if at > start]
            section.exhibit = number
            section.spans = ((start, min(later, default=len(pages))),)
            return section
    return section


def _from_index(
    blocks: Sequence[Block], order: Sequence[str], titles: Mapping[str, re.Pattern[str]]
) -> list[Section]:
    """Sections from an index that names pages for each item, where there is one."""
    listed = _index_rows(blocks, order, titles)
    if len(listed) < _MIN_INDEX:
        return []
    pages = _pages(blocks)
    anchors = {anchor: n for n, block in enumerate(blocks) for anchor in block.anchors}
    index = max(row for rows in listed.values() for row, _, _ in rows)
    ranges: list[tuple[int, int, int]] = []
    has_ranges = any(
        re.search(r"\d\s*[-–]\s*\d", text) for r in listed.values() for _, text, _ in r
    )
    for item, rows in listed.items():
        for _, text, links in rows:
            places = [_led_to(blocks, anchors[link]) for link in links if link in anchors]
            ranges += _ranges(item, text, places, pages, has_ranges=has_ranges)
    spans = _parted(ranges, index)
    notes = [block.text for block in blocks[index + 1 : index + 6]]
    marks = [note[:3] for note in notes if note[:1] == "(" and _P["by_reference"].search(note)]
    sections: list[Section] = []
    for item in sorted(listed):
        text = " ".join(text for _, text, _ in listed[item])
        status = "extracted" if spans[item] else "cross_reference"
        if not spans[item] and _P["reserved"].search(text):
            status = "reserved"
        elif not spans[item] and any(mark in text for mark in marks):
            status = "incorporated_by_reference"
        elif not spans[item] and _P["answered"].search(text):
            status = "omitted"
        found = (None, "index", status, 0.5, len(listed[item]), (), None)
        sections.append(Section(order[item], *found, tuple(spans[item])))
    return sections


def _index_rows(
    blocks: Sequence[Block], order: Sequence[str], titles: Mapping[str, re.Pattern[str]]
) -> dict[int, list[tuple[int, str, tuple[str, ...]]]]:
    """For each item of an index: block, pages as printed and links of its rows."""
    listed: dict[int, list[tuple[int, str, tuple[str, ...]]]] = {}
    item: int | None = None
    part: str | None = None
    for block, cells, links in contents_rows(blocks):
        match = _P["index_row"].fullmatch(cells[0])
        if match is not None:
            readings = _read(order, _numbers(match["number"] or match["bare"]), part)
            item = readings[0][0] if readings else None
            title = _squeezed(" ".join([match["rest"] or "", *cells[1:]]))
            if item is not None and not titles[order[item]].match(title):
                item = item if any(map(_P["reserved"].search, cells)) else None
        elif started := _P["part"].match(cells[0]):
            item, part = None, started[1]
        elif _P["signatures"].match(cells[0]):
            item = None
        if item is not None:
            said = next(filter(_P["reserved"].search, cells), cells[-1])
            listed.setdefault(item, []).append((block, said, links))
    return listed


def _pages(blocks: Sequence[Block]) -> dict[int, tuple[int, int]]:
    """By printed page number, the blocks of the page."""
    pages: dict[int, tuple[int, int]] = {}
    start = 0
    printed: int | None = None
    for number, block in enumerate(blocks):
        if block.starts_page:
            if printed is not None:
                pages.setdefault(printed, (start, number))
            start, printed = number, None
        if block.kind == "furniture":
            text = block.text or (block.grid.cells[-1].text if block.grid else "")
            first = re.match(r"\W{0,4}(\d{1,3})\b(?!-)", text)
            if found := first or re.search(r"(?<![-\d])(\d{1,3})\W{0,4}$", text):
                printed = int(found[1])
    if printed is not None:
        pages.setdefault(printed, (start, len(blocks)))
    return pages


def _ranges(
    item: int,
    text: str,
    places: Sequence[int],
    pages: Mapping[int, tuple[int, int]],
    *,
    has_ranges: bool,
) -> list[tuple[int, int, int]]:
    """First block, block after the last, item; an end of -1 means: up to the next item."""
    if not PAGES.fullmatch(text):
        return []
    ranges: list[tuple[int, int, int]] = []
    for match in re.finditer(r"(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?", text):
        first, last = int(match[1]), int(match[2] or match[1])
        if first not in pages:
            continue
        start, end = pages[first]
        start = next((place for place in places if start <= place < end), start)
        end = pages[last][1] if has_ranges and last in pages else -1
        ranges.append((start, end, item))
    return ranges or [(place, -1, item) for place in places[:1]]


def _parted(
    ranges: Iterable[tuple[int, int, int]], index: int
) -> defaultdict[int, list[tuple[int, int]]]:
    """Ranges that do not overlap: one within another is dropped, one that begins later cuts."""
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    ordered = sorted(ranges, key=lambda one: (one[0], -one[1] if one[1] >= 0 else 0))
    kept: list[tuple[int, int, int]] = []
    for start, end, item in ordered:
        if kept and (start == kept[-1][0] or -1 < end <= kept[-1][1]):
            continue
        kept.append((start, end, item))
    for at, (start, given, item) in enumerate(kept):
        following = kept[at + 1][0] if at + 1 < len(kept) else index
        end = min(given, following) if given >= 0 else following
        if end > start and spans[item] and spans[item][-1][1] == start:
            spans[item][-1] = (spans[item][-1][0], end)
        elif end > start:
            spans[item].append((start, end))
    return spans

"""Split the text of filing sections into sentences with exact character offsets.

Running text is left to nupunkt, a Punkt tokenizer trained on legal and financial prose. A filing is
more than running text: headings, bullets, table cells and page furniture stand on lines of their
own and carry no full stop. This module therefore decides line by line where layout ends a unit, and
corrects the few places where nupunkt does not know the habits of a 10-K ("Item 1A. Risk Factors").

What counts as one sentence here:

* a sentence of running text, also when hard-wrapped over several lines;
* a heading, a table-of-contents line, a caption;
* a list item with its bullet or number;
* a table row: a label and the numeric cells that follow it, on one line or on a line each;
* a piece of page furniture. A sentence cut by a page break becomes two spans around it, because a
  span is contiguous.
"""

from __future__ import annotations

import re
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa

from finrag.records.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_SENTENCE_CHARS = 4_000
"""A span longer than this many characters is cut at whitespace."""

MAX_BATCH_ROWS = 8_192
"""Most sentences in one record batch of `split_sections`."""

SENTENCE_SCHEMA = pa.schema(
    [
        pa.field("filing_id", pa.string(), nullable=False),
        pa.field("item", pa.string(), nullable=False),
        pa.field("sentence_pos", pa.int32(), nullable=False),
        pa.field("sentence_text", pa.string(), nullable=False),
        pa.field("char_start", pa.int32(), nullable=False),
        pa.field("char_end", pa.int32(), nullable=False),
        pa.field("line_kind", pa.string()),
    ]
)
"""One row per sentence; offsets count Unicode code points of the section text. `line_kind` is the
kind of the line in which it begins, null where the section states no kinds of its lines."""

WHOLE_LINES: Final = frozenset("rht")
"""Kinds of lines that are one sentence each: rows of tables, headings, lines of contents."""

CONTINUED_LINE: Final = "c"
"""Kind of a line that goes on from the line before it, as across a page break."""

# nupunkt looks ahead to the end of the next word, so a pathological word or a whole book in one
# call would cost quadratic time. Windows and masking bound both.
_WINDOW_CHARS = 65_536
_MAX_WORD_CHARS = 200
# Whitespace wider than this never lies inside a sentence.
_MAX_GAP_CHARS = 200
# A table without row labels would otherwise run on as one row.
_MAX_ROW_CELLS = 24
# Furniture, headings and cells are short; longer lines skip the pattern checks.
_SHORT_LINE = 90
# Lines sampled to learn the width at which a text was hard-wrapped.
_WIDTH_SAMPLE = 20_000
# Page layouts differ inside one filing: the width that counts is that of the last few lines.
_WIDTH_LINES = 8
# Beyond this width a line is a paragraph, not a wrapped line.
_MAX_WRAP_WIDTH = 220
_PROGRESS_SECONDS = 10.0

_TEXT, _NUMERIC, _MARK, _ITEM, _HEAD, _FURNITURE = range(6)

_VISIBLE = re.compile(r"\S")
_LINE = re.compile(r"\S[^\n]*")
_TERMINAL = frozenset(".!?…")
_CLINGING = frozenset(",.;:)]”’%®™℠…!?")
_CLOSERS = "\"'”’)]»"
_OPENERS = "\"'“‘([«"
_CLINGING_ALONE = _CLINGING | frozenset(_OPENERS)
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad"
_BULLETS = "•●▪■◦►➢‣⁃∙\uf0b7\uf0a7\uf0d8\u0083\u0095"
_SURE_BULLETS = frozenset(_BULLETS + "·*o")

_VOCABULARY: Final = read_vocabulary(__file__, bullets=_BULLETS)
_NUMERIC_LINE = _VOCABULARY.pattern("numeric_line", re.ASCII)
_MARK_LINE = re.compile(rf"[{_BULLETS}·o*]|\d{{1,3}}\.|\(?(?:[A-Za-z]|[ivxIVX]{{2,5}})[.)]")
_AMBIGUOUS_MARK = re.compile(r"\((?:\d{1,3}|[a-z])\)")
_ITEM_START = _VOCABULARY.pattern("item_start")
_FILING_HEAD = _VOCABULARY.pattern("filing_head")
_FURNITURE_LINE = _VOCABULARY.pattern("furniture_line", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_BARE_LABEL = _VOCABULARY.pattern("bare_label", re.IGNORECASE)
_ITEM_REFERENCE = re.compile(r"\bI(?:tem|TEM)s?\s+\d{1,2}[A-C]?\.$")
_ITEM_TITLE = _VOCABULARY.pattern("item_title", re.IGNORECASE)
_INNER_STOP = _VOCABULARY.pattern("inner_stop")
_COUNTRY_STOP = re.compile(r"\bU\.[SK]\.$")
_ACRONYM = re.compile(r"[A-Z]{2,5}\b")
_LED_TO = re.compile(r"[\d$(]|[A-Z]{1,2}-\d")
_WORD = re.compile(r"[^\W\d_]{1,40}")
_WORD_OR_NUMBER = re.compile(r"[^\W_]")
_FLAT_ITEM = re.compile(r"I(?:tem|TEM)\s+\d{1,2}[A-C]?\.(?!\S)")
_INLINE_BULLET = re.compile(rf"[{_BULLETS}](?!\S)")
_GLUED_STOP = re.compile(r"\.[”\")]?(?=(?:[A-Z][a-z]+|[A-Z])(?![^\s,]))")
# A stop after a plain lower-case word ends a sentence; nupunkt has learnt exceptions from legal
# prose ("Code. Under") that cost more here than they save.
_PLAIN_STOP = re.compile(r"\.(?<=[a-z]{4}\.)[”\")]?\s+(?=[“\"(]?[A-Z])")
_CONTINUING = _VOCABULARY.words["continuing"]


# A row of `SENTENCE_SCHEMA`.
_Row = tuple[str, str, int, str, int, int, str | None]


class _Line(NamedTuple):
    """One non-blank line: its span, what it looks like and the gap before it."""

    start: int
    end: int
    kind: int
    after_blank: bool


def split_spans(text: str) -> list[tuple[int, int]]:
    """Split a section into sentences.

    Args:
        text: The text of one section, any Unicode text.

    Returns:
        Ordered, non-overlapping `[start, end)` spans in code points. Together they cover every
        non-whitespace character; each begins and ends on one and has at most
        `MAX_SENTENCE_CHARS` characters. Blank text gives an empty list. The result depends on the
        text alone, and the time grows linearly with its length.
    """
    if not text or text.isspace():
        return []
    work = _plain_whitespace(text)
    spans: list[tuple[int, int]] = []
    start = 0
    for boundary in _boundaries(work):
        _append_span(work, start, boundary, spans)
        start = boundary
    _append_span(work, start, len(work), spans)
    return spans


def split_lines(text: str, kinds: str) -> list[tuple[int, int, str]]:
    """Split a section of which the layout is known.

    Args:
        text: The text of one section, lines ended by line feeds.
        kinds: A letter a line, see `WHOLE_LINES` and `CONTINUED_LINE`; any other is running text.

    Returns:
        Spans as those of `split_spans`, each with the kind of the line in which it begins. No
        sentence crosses a line, except into one that goes on from the line before.

    Raises:
        ValueError: There are more or fewer letters than lines.
    """
    if text.count("\n") + 1 != len(kinds):
        n_lines = text.count("\n") + 1
        raise ValueError(f"{n_lines} lines have {len(kinds)} kinds: give each line one")
    work = _plain_whitespace(text)
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    known = [
        (start, kind)
        for start, kind in zip(line_starts, kinds, strict=True)
        if kind != CONTINUED_LINE or start == 0
    ]
    soft = deque(sorted({*_punkt_breaks(work), *_inline_breaks(work)}))
    found: list[tuple[int, int, str]] = []
    ends = [*(start for start, _ in known[1:]), len(work)]
    for (start, kind), end in zip(known, ends, strict=True):
        spans: list[tuple[int, int]] = []
        begun = start
        while soft and soft[0] < end:
            boundary = soft.popleft()
            if kind in WHOLE_LINES or boundary <= begun:
                continue
            says = _WORD_OR_NUMBER.search(work, begun, boundary) is not None
            if says and not _is_label_stop(work, begun, boundary):
                _append_span(work, begun, boundary, spans)
                begun = boundary
        _append_span(work, begun, end, spans)
        found += [(*span, kind) for span in spans]
    return found


def split_sections(batches: Iterable[pa.RecordBatch]) -> pa.RecordBatchReader:
    """Split many sections into one stream of sentences.

    Args:
        batches: Batches with the string columns `filing_id`, `item` and `section_text`; each
            section in one row. A null or blank text gives no rows. Where a column `line_kinds`
            states the kinds of its lines, layout is not guessed: see `split_lines`.

    Returns:
        A reader under `SENTENCE_SCHEMA`, sections in input order, sentences in document order,
        `sentence_pos` dense from 0 in every section. Nothing is read before the reader is, and no
        more than one input and one output batch is held. Long work reports to stderr.

    Raises:
        ValueError: While reading, when a column is missing or a section has no filing or item.
    """
    return pa.RecordBatchReader.from_batches(SENTENCE_SCHEMA, _sentence_batches(batches))


def _sentence_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows: list[_Row] = []
    with ExitStack() as stack:
        report = _progress(stack)
        for filing_id, item, text, kinds in _sections(batches):
            for position, (start, end, kind) in enumerate(_spans(text, kinds)):
                sentence = " ".join(text[start:end].split())
                rows.append((filing_id, item, position, sentence, start, end, kind))
                if len(rows) == MAX_BATCH_ROWS:
                    yield _to_batch(rows)
                    rows = []
            report(len(text))
    if rows:
        yield _to_batch(rows)


def _spans(text: str, kinds: str | None) -> Iterable[tuple[int, int, str | None]]:
    if kinds is None:
        return ((start, end, None) for start, end in split_spans(text))
    return split_lines(text, kinds)


def _sections(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, str, str, str | None]]:
    names = ("filing_id", "item", "section_text")
    for batch in batches:
        missing = set(names) - set(batch.schema.names)
        if missing:
            raise ValueError(
                f"the sections lack the column {' and '.join(sorted(missing))} "
                f"(they have {', '.join(batch.schema.names) or 'none'}): "
                "select filing_id, item and section_text"
            )
        # Cell by cell, so that a batch of long sections is never copied whole.
        columns = [batch.column(name) for name in names]
        known = "line_kinds" in batch.schema.names
        columns.append(batch.column("line_kinds") if known else pa.nulls(len(batch), pa.string()))
        for filing_id, item, text, kinds in zip(*columns, strict=True):
            if not (filing_id.is_valid and item.is_valid):
                raise ValueError(
                    "a section has no filing_id or no item, its sentences could not be found "
                    "again: give every section both before splitting"
                )
            yield filing_id.as_py(), item.as_py(), text.as_py() or "", kinds.as_py()


def _to_batch(rows: list[_Row]) -> pa.RecordBatch:
    columns = [
        pa.array(values, type=field.type)
        for values, field in zip(zip(*rows, strict=True), SENTENCE_SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SENTENCE_SCHEMA)


def _progress(stack: ExitStack) -> Callable[[int], None]:
    """Return a function that takes the characters of a finished section and reports progress."""
    began = last = time.monotonic()
    sections = characters = 0

    def line() -> str:
        rate = characters / max(time.monotonic() - began, 1e-9) / 1e6
        return (
            f"split {sections:,} sections, {characters / 1e6:,.1f} million characters "
            f"({rate:.1f} million a second)"
        )

    if sys.stderr.isatty():
        from rich.console import Console

        status = stack.enter_context(Console(stderr=True).status("splitting"))

        def show() -> None:
            status.update(line())

        interval = 0.2
    else:

        def show() -> None:
            print(line(), file=sys.stderr, flush=True)

        interval = _PROGRESS_SECONDS

    def report(length: int) -> None:
        nonlocal last, sections, characters
        sections += 1
        characters += length
        now = time.monotonic()
        if now - last >= interval:
            last = now
            show()

    return report


def _plain_whitespace(text: str) -> str:
    """Write every line break as a newline and every other blank as a space, keeping offsets."""
    work = text.replace("\r\n", " \n")
    for mark in "\r\x0b\x1c\x1d\x1e\x85\u2028\u2029":
        work = work.replace(mark, "\n")
    # A form feed ends a page: both it and its neighbour become line breaks, thus a blank line.
    work = work.replace("\n\f", "\n\n").replace("\f\n", "\n\n").replace("\f", "\n")
    for mark in "\t\x1f\xa0\u2007\u202f\u2003\u2002\u2009\u3000":
        work = work.replace(mark, " ")
    return work


def _append_span(work: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    """Add `[start, end)` without its outer whitespace, cut into pieces of bounded length."""
    if end - start <= MAX_SENTENCE_CHARS:
        visible = work[start:end].lstrip()
        if visible:
            start = end - len(visible)
            spans.append((start, start + len(visible.rstrip())))
        return
    while first := _VISIBLE.search(work, start, end):
        start = first.start()
        # A gap of any width may trail a sentence, so only the piece itself is looked at.
        limit = start + MAX_SENTENCE_CHARS
        cut = end
        if limit < end and _VISIBLE.search(work, limit, end):
            space = _last_space(work, start, limit + 1)
            cut = space if space > start else limit
        spans.append((start, start + len(work[start : min(cut, limit)].rstrip())))
        start = cut


def _last_space(work: str, start: int, end: int) -> int:
    """Return the offset of the last blank in `[start, end)`, or -1."""
    return max(work.rfind(" ", start, end), work.rfind("\n", start, end))


def _boundaries(work: str) -> Iterator[int]:
    """Yield, in order, the offsets at which a new sentence starts (the first one excluded)."""
    hard = _layout_breaks(work)
    soft = sorted({*_punkt_breaks(work), *_inline_breaks(work)})
    start = next(hard, 0)
    pending = 0
    # A bullet, a dagger or a rule alone says nothing: it stays with what it opens. Up to here
    # the piece has neither word nor number.
    empty = start
    for following in chain(hard, [len(work)]):
        while pending < len(soft) and soft[pending] < following:
            boundary = soft[pending]
            pending += 1
            if boundary <= empty:
                continue
            if _WORD_OR_NUMBER.search(work, empty, boundary) is None:
                empty = boundary
            elif not _is_label_stop(work, start, boundary):
                yield boundary
                start = empty = boundary
        if following == len(work):
            return
        if _WORD_OR_NUMBER.search(work, empty, following) is None:
            empty = following
        else:
            yield following
            start = empty = following


def _is_label_stop(work: str, start: int, boundary: int) -> bool:
    """Whether the stop before `boundary` belongs to a label, as in "Item 1A. Risk Factors"."""
    if boundary - start <= 48:
        label = work[start:boundary].strip()
        if label in _SURE_BULLETS or _BARE_LABEL.fullmatch(label):
            return True
    if work[boundary].islower() and _word_is_lower(work, boundary):
        return True
    before = work[max(start, boundary - 24) : boundary].rstrip()
    if before[-5:-1].isalpha() and before[-5:-1].islower() and not _INNER_STOP.search(before):
        # By far the most sentences end in a plain word: no need to look further.
        return False
    if _ITEM_REFERENCE.search(before):
        return _ITEM_TITLE.match(work, boundary) is not None
    if _COUNTRY_STOP.search(before) and _ACRONYM.match(work, boundary):
        return True
    # A dotted leader leads to its page number or amount.
    leads = before.endswith(("...", ". .")) and _LED_TO.match(work, boundary) is not None
    return leads or _INNER_STOP.search(before) is not None


def _word_is_lower(work: str, start: int) -> bool:
    """Whether the word at `start` is wholly lower case, so "iPhone" may open a sentence."""
    word = _WORD.match(work, start)
    return word is not None and word[0].islower()


def _punkt_breaks(work: str) -> Iterator[int]:
    """Yield the sentence starts nupunkt finds, window by window."""
    from nupunkt import sent_spans

    # Line breaks are decided by layout; to nupunkt they would be one more kind of evidence.
    work = work.rstrip().replace("\n", " ")
    position, length = 0, len(work)
    while position < length:
        end = min(position + _WINDOW_CHARS, length)
        if end < length:
            space = _last_space(work, position, end)
            end = space + 1 if space > position else end
        starts = [position + begin for begin, _ in sent_spans(_bounded(work[position:end]))][1:]
        yield from starts
        # The last sentence of a window may be incomplete: the next window starts with it.
        position = starts[-1] if starts and end < length else end


def _bounded(window: str) -> str:
    """Blot out words and gaps so long that nupunkt's look-ahead would turn quadratic."""
    if max(map(len, window.split()), default=0) <= _MAX_WORD_CHARS:
        return window
    return re.sub(rf"\S{{{_MAX_WORD_CHARS},}}", lambda word: "x" * len(word[0]), window)


def _inline_breaks(work: str) -> Iterator[int]:
    """Yield sentence starts inside a line that nupunkt cannot see."""
    # To look for the marks one by one is faster than for any of them.
    has_bullets = not work.isascii() and any(mark in work for mark in _BULLETS)
    for bullet in _INLINE_BULLET.finditer(work) if has_bullets else ():
        if bullet.start() and work[bullet.start() - 1].isspace():
            yield bullet.start()
    for stop in _GLUED_STOP.finditer(work):
        before = work[max(0, stop.start() - 3) : stop.start()]
        if before[-1:] in {"%", ")"} or (
            len(before) == 3 and before.isalpha() and before.islower()
        ):
            yield stop.end()
    for stop in _PLAIN_STOP.finditer(work):
        if work[max(0, stop.start() - 24) : stop.start()].rsplit(None, 1)[-1].islower():
            yield stop.end()
    for head in _FLAT_ITEM.finditer(work):
        if work[max(0, head.start() - 8) : head.start()].rstrip()[-1:].isdigit():
            yield head.start()


def _layout_breaks(work: str) -> Iterator[int]:
    """Yield the start of every unit that layout sets apart, the first line included."""
    width = _wrap_width(work)
    lines = _lines(work)
    previous, following = _Line(0, 0, _HEAD, True), next(lines, None)
    recent: deque[int] = deque(maxlen=_WIDTH_LINES)
    cells = 0
    while following is not None:
        line, following = following, next(lines, None)
        if line.kind == _NUMERIC:
            line = line._replace(kind=_number_kind(work, previous, line, following))
        recent.append(line.end - line.start)
        width_here = width and min(width, max(recent))
        if previous.end and not _breaks_before(work, previous, line, width_here, cells):
            cells += line.kind == _NUMERIC
        else:
            yield line.start
            cells = 0
        previous = line


def _lines(work: str) -> Iterator[_Line]:
    """Yield the lines that show something; invisible marks stay with the line before."""
    end = 0
    for match in _LINE.finditer(work):
        content = match[0].rstrip()
        if content[0] in _INVISIBLE and not content.strip(_INVISIBLE + " "):
            continue
        start = match.start()
        after_blank = work.count("\n", end, start) > 1 or start - end > _MAX_GAP_CHARS
        end = start + len(content)
        yield _Line(start, end, _kind(content), after_blank)


def _wrap_width(work: str) -> int:
    """Return the width at which the text was hard-wrapped, 0 when its lines are paragraphs."""
    lengths = sorted(
        len(match[0].rstrip()) for match in islice(_LINE.finditer(work), _WIDTH_SAMPLE)
    )
    prose = [length for length in lengths if length >= 40]
    if not prose:
        return 0
    width = prose[len(prose) * 9 // 10]
    return width if width <= _MAX_WRAP_WIDTH else 0


def _kind(line: str) -> int:
    """Classify a line by its own characters."""
    if len(line) <= _SHORT_LINE:
        if len(line) <= 7 and _MARK_LINE.fullmatch(line):
            return _MARK
        if _NUMERIC_LINE.fullmatch(line):
            return _NUMERIC
        if _FURNITURE_LINE.fullmatch(line):
            return _FURNITURE
    if _ITEM_START.match(line):
        return _ITEM
    return _HEAD if _FILING_HEAD.match(line) else _TEXT


def _number_kind(work: str, previous: _Line, line: _Line, following: _Line | None) -> int:
    """Settle what a bare number or a bare "(1)" is by looking at its neighbours."""
    content = work[line.start : line.end]
    if _AMBIGUOUS_MARK.fullmatch(content):
        is_note = (
            following is not None
            and following.kind == _TEXT
            and (following.end - following.start >= 40)
        )
        return _MARK if is_note else _NUMERIC
    if len(content) > 3 or not _PAGE_NUMBER.fullmatch(content):
        return _NUMERIC
    apart = line.after_blank and (following is None or following.after_blank)
    beside_furniture = previous.kind == _FURNITURE or (
        following is not None and following.kind == _FURNITURE
    )
    if beside_furniture:
        return _FURNITURE
    before_number = following is not None and following.kind == _NUMERIC
    if not apart or before_number or previous.kind not in {_TEXT, _ITEM}:
        return _NUMERIC
    tail = work[max(previous.start, previous.end - 40) : previous.end].rsplit(None, 1)[-1]
    cuts_prose = tail[-1] in ".;:!?," or tail in _CONTINUING
    runs_on = following is not None and _starts_lower(work, following)
    return _FURNITURE if cuts_prose or runs_on else _NUMERIC


def _breaks_before(work: str, previous: _Line, line: _Line, width: int, cells: int) -> bool:
    """Decide whether layout alone starts a new unit at `line`.

    `width` is the wrap width around the two lines, `cells` how many numeric lines the unit before
    has taken up.
    """
    if _FURNITURE in {previous.kind, line.kind} or line.start - previous.end > _MAX_GAP_CHARS:
        return True
    if previous.kind == _MARK:
        return line.kind in {_MARK, _ITEM, _HEAD}
    if line.kind in {_MARK, _NUMERIC}:
        ends_sentence = work[previous.end - 1] in _TERMINAL and previous.kind != _NUMERIC
        return line.kind == _MARK or cells >= _MAX_ROW_CELLS or ends_sentence
    size = line.end - line.start
    if size <= 2 and work[line.start] in _CLINGING_ALONE:
        return False
    if previous.kind == _NUMERIC:
        # A lone number before a lower-case line is a figure that markup set on its own line.
        runs_on = cells == 1 and not line.after_blank and _starts_lower(work, line)
        return line.kind != _TEXT or not runs_on
    return work[line.start] not in _CLINGING and _text_breaks(work, previous, line, width)


def _text_breaks(work: str, previous: _Line, line: _Line, width: int) -> bool:
    """Decide the same where both lines hold words."""
    before = work[max(previous.start, previous.end - 80) : previous.end]
    ends_item = before[-1] in ":;" or before.endswith(("; and", "; or"))
    tail = before.rsplit(None, 1)[-1]
    hangs = not ends_item and (tail in _CONTINUING or before[-1] in ",-–—([“")
    if line.kind == _ITEM:
        certain = line.after_blank or before[-1] in ".;:!?" or _is_short(previous)
        return work[line.start] in _SURE_BULLETS or (certain and not hangs)
    if hangs and not (line.after_blank and line.kind == _HEAD):
        return False
    if _HEAD in {previous.kind, line.kind}:
        return line.kind == _HEAD or not _is_title_of(work, previous, line)
    closed = before.rstrip(_CLOSERS)[-1:] in _TERMINAL
    if line.after_blank:
        return not _starts_lower(work, line) or closed or ends_item
    return _wrap_breaks(work, previous, line, width, (closed, ends_item))


def _wrap_breaks(
    work: str, previous: _Line, line: _Line, width: int, ends: tuple[bool, bool]
) -> bool:
    """Decide the same between two adjacent lines; `ends` says a sentence, a list item ends."""
    closed, ends_item = ends
    full = _is_full(work, previous, line, width)
    if _starts_lower(work, line):
        return ends_item and not full
    if work[previous.end - 1] in ":;":
        return True
    if not full:
        return not _is_title_of(work, previous, line)
    # After a full line that ends in a stop nupunkt decides between a sentence and an abbreviation.
    return not (closed or _reads_on(work, previous))


def _is_short(line: _Line) -> bool:
    return line.end - line.start < 40


def _is_title_of(work: str, label: _Line, line: _Line) -> bool:
    """Whether `line` is the title that belongs to a bare "Item 1A." on the line before."""
    return (
        work[label.end - 1] in ".:—–-"
        and _BARE_LABEL.fullmatch(work[label.start : label.end].rstrip("—–-")) is not None
        and line.end - line.start <= _SHORT_LINE
        and work[line.end - 1] not in ",;:"
    )


def _starts_lower(work: str, line: _Line) -> bool:
    head = work[line.start : line.start + 4].lstrip(_OPENERS)
    return head[:1].islower()


def _is_full(work: str, previous: _Line, line: _Line, width: int) -> bool:
    """Whether the first word of `line` would not have fitted on the line before."""
    if not width:
        return False
    word = len(work[line.start : line.start + 40].split(None, 1)[0])
    return previous.end - previous.start + 1 + word >= 0.8 * width


def _reads_on(work: str, line: _Line) -> bool:
    """Whether a long line without a stop is wrapped prose, not a table row or a title."""
    words = work[line.start : line.end].split()
    letters = [word for word in words if word[0].isalpha()]
    if len(letters) < 0.6 * len(words):
        return False
    lower = sum(word[0].islower() for word in letters)
    return lower >= 0.4 * len(letters)

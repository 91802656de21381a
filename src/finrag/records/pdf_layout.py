"""The words of a PDF page as lines in reading order, with title, points and running lines.

All lengths are in points, 72 an inch, measured from the top left corner of the page.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary

_VOCABULARY: Final = read_vocabulary(__file__)
_BULLET: Final = _VOCABULARY.pattern("bullet")
_REMARK: Final = _VOCABULARY.pattern("remark")
_MARK: Final = "• "

_MARGIN: Final = 0.12  # of the height: where running lines stand
_RUNNING_LINES: Final = 2  # at most, at the top and at the bottom
_RUNNING_PAGES: Final = 3  # a line that fewer pages share is no running line
_GUTTER: Final = 12.0
_COLUMN_LINES: Final = 3
_PROSE: Final = 0.6  # of the words of a column begin with a letter; of a column of figures few do
_TITLE_TOP: Final = 0.35  # of the height: a title begins above
_TITLE_LINES: Final = 3
_LARGER: Final = 1.15


class Word(NamedTuple):
    """A word and the box around it."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float


class Box(NamedTuple):
    """The box around a table."""

    x0: float
    top: float
    x1: float
    bottom: float


class Line(NamedTuple):
    """Words beside each other, from left to right; never empty."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words with blanks between them."""
        return " ".join(word.text for word in self.words)

    @property
    def top(self) -> float:
        """The upper edge of the first word."""
        return self.words[0].top

    @property
    def bottom(self) -> float:
        """The lower edge of the first word."""
        return self.words[0].bottom

    @property
    def height(self) -> float:
        """The usual height of its words."""
        return median(word.bottom - word.top for word in self.words)


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Return words as lines, from top to bottom; a line has the words whose middle it covers."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda each: (each.top + each.bottom, each.x0)):
        if lines and word.top + word.bottom < 2 * lines[-1][0].bottom:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [Line(tuple(sorted(line, key=lambda each: each.x0))) for line in lines]


def running_lines(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[str]:
    """Return the running headers and footers: lines in the margins of more than half of the pages.

    Pages differ in their numbers alone, so that digits are not compared; see `running_key`. Fewer
    than three pages have none.

    Args:
        pages: the lines of each page, from top to bottom.
        heights: the height of each page.
    """
    shared = Counter(
        key
        for lines, height in zip(pages, heights, strict=True)
        for key in {running_key(line) for line in marginal(lines, height)}
    )
    least = max(_RUNNING_PAGES, len(pages) // 2 + 1)
    return {key for key, count in shared.items() if count >= least}


def running_key(line: Line) -> str:
    """Return a line as running lines are compared: its size and words, each number the same."""
    return f"{line.height:.0f} " + re.sub(r"\d+", "#", line.text.casefold())


def marginal(lines: Sequence[Line], height: float) -> list[Line]:
    """Return the first and last two lines as far as they stand in the margins of the page."""
    upper = [line for line in lines[:_RUNNING_LINES] if line.bottom < height * _MARGIN]
    lower = [line for line in lines[-_RUNNING_LINES:] if line.top > height * (1 - _MARGIN)]
    return upper + lower


def in_reading_order(lines: Sequence[Line], width: float, tables: Collection[Box]) -> list[Line]:
    """Return lines with columns of prose read one after the other.

    Two columns are three lines or more on each side of a gutter that nothing crosses. A line of a
    ruled table, and a label with its figures, stay together.

    Args:
        lines: from top to bottom.
        width: of the page.
        tables: the ruled tables of the page.
    """
    gutter = _gutter(lines, width)
    if gutter is None:
        return list(lines)
    ordered: list[Line] = []
    run: list[Line] = []
    for line in lines:
        if _crosses(line, gutter) or any(is_within(line, box) for box in tables):
            ordered += [*_columns(run, gutter), line]
            run = []
        else:
            run.append(line)
    return ordered + _columns(run, gutter)


def _gutter(lines: Sequence[Line], width: float) -> float | None:
    """Return the right edge of the gutter: where most parts of lines begin near the middle."""
    starts = Counter(
        round(word.x0)
        for line in lines
        for before, word in zip((None, *line.words), line.words, strict=False)
        if 0.3 * width < word.x0 < 0.7 * width
        if before is None or word.x0 - before.x1 >= _GUTTER
    )
    most = max(starts.items(), key=lambda each: (each[1], -each[0]), default=(0, 0))
    return most[0] if most[1] >= _COLUMN_LINES else None


def _crosses(line: Line, gutter: float) -> bool:
    return any(word.x0 < gutter - 1 and word.x1 > gutter - _GUTTER for word in line.words)


def _columns(run: Sequence[Line], gutter: float) -> list[Line]:
    sides = [
        [Line(words) for line in run if (words := tuple(_side(line, gutter, is_left)))]
        for is_left in (True, False)
    ]
    return [*sides[0], *sides[1]] if all(_is_prose(side) for side in sides) else list(run)


def _side(line: Line, gutter: float, is_left: bool) -> Iterator[Word]:
    return (word for word in line.words if (word.x0 < gutter - 1) == is_left)


def _is_prose(lines: Sequence[Line]) -> bool:
    words = [word.text for line in lines for word in line.words]
    n_letters = sum(word[0].isalpha() for word in words)
    return (
        len(lines) >= _COLUMN_LINES
        and len(words) >= 2 * len(lines)
        and n_letters >= _PROSE * len(words)
    )


def is_within(line: Line, box: Box) -> bool:
    """Tell whether the middle of a line's first word lies in a box."""
    word = line.words[0]
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box.x0 <= x <= box.x1 and box.top <= y <= box.bottom


def title_lines(lines: Sequence[Line], height: float, tables: Collection[Box]) -> list[Line]:
    """Return the title: the largest lines, if they begin in the upper third and stand out.

    They stand below each other, are three at most, and 15 % larger than the others usually are; a
    page that has a few lines of one size and nothing else is all title. Else there is none.

    Args:
        lines: of the page in reading order, without running lines.
        height: of the page.
        tables: its ruled tables, which have no title in them.
    """
    large = 0.95 * max((line.height for line in lines), default=0.0)
    title: list[Line] = []
    for line in lines:
        if line.height > large and (not title or line.top - title[-1].bottom < line.height):
            title.append(line)
        elif title:
            break
    others = [line.height for line in lines if line not in title]
    stands_out = not others or large >= 0.95 * _LARGER * median(others)
    fits = 0 < len(title) <= _TITLE_LINES and title[0].top < _TITLE_TOP * height
    is_tabled = any(is_within(line, box) for line in title for box in tables)
    return title if fits and stands_out and not is_tabled else []


def paragraphs(lines: Sequence[Line]) -> list[str]:
    """Return the lines as texts: a point of a list is one, with a bullet and its further lines.

    A line goes on with the point above if it is indented, no farther than one line below, and no
    point itself.
    """
    texts: list[str] = []
    above: Line | None = None
    indent: float | None = None
    for line in lines:
        mark, said = _point(line)
        if mark:
            texts.append(_MARK + said)
            indent = line.words[0].x0
        elif indent is not None and above is not None and _goes_on(line, above, indent):
            texts[-1] += f" {said}"
        else:
            texts.append(said)
            indent = None
        above = line
    return texts


def _point(line: Line) -> tuple[str, str]:
    """Return the bullet of a line and what it says; the bullet is empty where there is none."""
    first = line.words[0].text
    if len(line.words) > 1 and _BULLET.fullmatch(first):
        return first, " ".join(word.text for word in line.words[1:])
    found = _BULLET.match(first)
    # A dash without a blank after it is a minus sign or part of a word.
    if found and len(first) > found.end() and found[0] not in "-–—":
        return found[0], line.text[found.end() :]
    return "", line.text


def _goes_on(line: Line, above: Line, indent: float) -> bool:
    return line.words[0].x0 > indent + 2 and 0 <= line.top - above.bottom < line.height


def bullets(texts: Sequence[str]) -> list[str]:
    """Return the points among texts, without their bullets."""
    return [text.removeprefix(_MARK) for text in texts if text.startswith(_MARK)]


def caption(lines: Sequence[Line], box: Box, tables: Collection[Box]) -> str | None:
    """Return the line right above a table, and the one above it where that is a mere remark.

    Null where the next line is more than three lines away or belongs to another table.

    Args:
        lines: of the page, from top to bottom.
        box: of the table.
        tables: of all tables of the page.
    """
    above = [
        line
        for line in lines
        if line.bottom <= box.top + 2
        and any(box.x0 - 2 < w.x1 and w.x0 < box.x1 for w in line.words)
    ]
    said: list[str] = []
    edge = box.top
    for line in reversed(above[-2:]):
        is_far = edge - line.bottom > 3 * line.height
        if is_far or any(is_within(line, table) for table in tables):
            break
        said.insert(0, line.text)
        edge = line.top
        if not _REMARK.search(line.text):
            break
    return " ".join(said) or None

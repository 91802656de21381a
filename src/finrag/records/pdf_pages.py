"""Reads the pages of one PDF in a process of its own, which a hostile file may exhaust or kill.

`python -m finrag.records.pdf_pages FILE SECONDS MEGABYTES PAGES` writes one JSON object a line:
a page, a page that cannot be read (`fault`), or last of all what is wrong with the file. Text,
rules and the boxes of pages are read; scripts, forms, links and attached files are not.
"""

import json
import resource
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from finrag.records.files import visible
from finrag.records.pdf_layout import (
    Box,
    Line,
    Word,
    bullets,
    caption,
    in_reading_order,
    is_within,
    lines_of,
    marginal,
    paragraphs,
    running_key,
    running_lines,
    title_lines,
)

MAX_WORDS: Final = 50_000  # of a page
MAX_RULES: Final = 5_000  # edges of a page: a drawing has more, a table has not
_UNREADABLE: Final = "(cid:"  # stands for a glyph of which nobody knows the letter

Page = dict[str, Any]


def read_pages(path: str, max_pages: int) -> Iterator[Page]:
    """Yield the pages of a PDF, in order.

    A page has `page` (from 1), `n_pages`, `title` (null where nothing stands out), `text` (in
    reading order), `bullets`, `running` (headers and footers, which are no part of the text),
    `flags` (`too_many_rules`) and `tables`: `caption`, `rows` (of text cells) and `before` (tables,
    rows and cells of the pages and tables before it). A page that cannot be read has `page` and
    `fault`; so has the file, without `page`.
    """
    import pdfplumber

    with pdfplumber.open(path) as pdf:
        n_pages = len(pdf.pages)
        if n_pages > max_pages:
            yield {"fault": "too_many_pages", "said": f"{n_pages}"}
            return
        found = [_scanned(page) for page in pdf.pages]
    read = [page for page in found if "fault" not in page]
    running = running_lines([page["lines"] for page in read], [page["height"] for page in read])
    before = {"table": 0, "row": 0, "cell": 0}
    for page in found:
        yield page if "fault" in page else _laid_out(page, running, n_pages, before)


def _scanned(page: Any) -> Page:
    """Return lines and tables of a page, or what keeps it from being read."""
    number = page.page_number
    try:
        words = _words(page)
        if len(words) > MAX_WORDS:
            return {"page": number, "fault": "too_many_words", "said": f"{len(words)}"}
        legible = [word for word in words if _UNREADABLE not in word.text]
        if len(legible) < len(words) / 2 or (page.images and not words):
            return {"page": number, "fault": "no_text", "said": f"{len(page.images)} pictures"}
        is_drawing = len(page.lines) + 4 * len(page.rects) + 4 * len(page.curves) > MAX_RULES
        return {
            "page": number,
            "height": float(page.height),
            "width": float(page.width),
            "lines": lines_of(words),
            "flags": ["too_many_rules"] if is_drawing else [],
            "tables": [] if is_drawing else _tables(page, words),
        }
    # What a file of strangers makes of the parser is not foreseeable; other pages may be good.
    except Exception as error:
        return {"page": number, "fault": "unreadable_page", "said": _said(error)}
    finally:
        page.close()


def _words(page: Any) -> list[Word]:
    """Return the words of a page; letters that are printed twice to look bold count once."""
    from pdfplumber.utils import extract_words

    seen: set[tuple[str, int, int]] = set()
    chars = []
    for char in page.chars:
        # No letter is as narrow as a fifth of its height.
        place = round(10 * char["x0"] / max(char["size"], 1))
        keys = [(char["text"], place + step, round(char["top"])) for step in (0, -1, 1)]
        if seen.isdisjoint(keys):
            chars.append(char)
        seen.add(keys[0])
    return [
        Word(word["text"], word["x0"], word["x1"], word["top"], word["bottom"])
        for word in extract_words(chars, x_tolerance_ratio=0.2)
    ]


def _tables(page: Any, words: Sequence[Word]) -> list[tuple[Box, list[list[str]]]]:
    tables = []
    for found in page.find_tables():
        box = Box(*found.bbox)
        inside = [word for word in words if is_within(Line((word,)), box)]
        rows = [[_cell(cell, inside) for cell in row.cells] for row in found.rows]
        if _is_table(rows):
            tables.append((box, _filled(rows)))
    return tables


def _cell(box: tuple[float, ...] | None, words: Sequence[Word]) -> str | None:
    """Return what stands in a cell, null where a cell that began before goes on."""
    if box is None:
        return None
    inside = [word for word in words if is_within(Line((word,)), Box(*box))]
    return " ".join(line.text for line in lines_of(inside))


def _is_table(rows: Sequence[Sequence[str | None]]) -> bool:
    """Tell a table from a frame or a picture: two rows or more have two filled cells or more."""
    return sum(sum(bool(cell) for cell in row) > 1 for row in rows) > 1


def _filled(rows: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """Return the cells as texts; a heading that spans columns stands over each of them."""
    grid: list[list[str]] = []
    is_heading = True
    for row in rows:
        texts = [cell or "" for cell in row]
        is_heading = is_heading and (not grid or not texts[0])
        for place, cell in enumerate(row):
            if is_heading and place > 1 and cell is None:
                texts[place] = texts[place - 1]
        grid.append(texts)
    return grid


def _laid_out(page: Page, running: set[str], n_pages: int, before: dict[str, int]) -> Page:
    """Return a page as it is read; counts its tables, rows and cells in `before`."""
    lines: list[Line] = page["lines"]
    margin = marginal(lines, page["height"])
    outside = [line for line in margin if running_key(line) in running]
    body = [line for line in lines if line not in outside]
    boxes = [box for box, _ in page["tables"]]
    ordered = in_reading_order(body, page["width"], boxes)
    title = title_lines(ordered, page["height"], boxes)
    texts = paragraphs(ordered)
    tables = []
    for box, rows in page["tables"]:
        tables.append({"caption": caption(body, box, boxes), "rows": rows, "before": {**before}})
        before["table"] += 1
        before["row"] += len(rows)
        before["cell"] += sum(len(row) for row in rows)
    return {
        "page": page["page"],
        "n_pages": n_pages,
        "title": " ".join(line.text for line in title) or None,
        "text": "\n".join(texts),
        "bullets": bullets(texts),
        "running": [line.text for line in outside],
        "flags": page["flags"],
        "tables": tables,
    }


def _said(error: BaseException) -> str:
    return visible(f"{type(error).__name__}: {error}")


def _is_locked(error: BaseException) -> bool:
    """Tell whether a password is asked for, which the parser says in an error around another."""
    return "Password" in "".join(type(each).__name__ for each in (error, *error.args))


def main(path: str, seconds: int, megabytes: int, max_pages: int) -> None:
    """Write the pages of a file to the standard output, within the limits."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    try:
        for page in read_pages(path, max_pages):
            print(json.dumps(page))
    except MemoryError:
        print(json.dumps({"fault": "too_costly", "said": "memory"}))
    except Exception as error:
        code = "encrypted" if _is_locked(error) else "damaged_pdf"
        print(json.dumps({"fault": code, "said": _said(error)}))


if __name__ == "__main__":
    main(sys.argv[1], *(int(each) for each in sys.argv[2:5]))

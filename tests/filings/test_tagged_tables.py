"""Tables of real filings against the tags of their filers, which no reader of tables sees.

Only filings of companies that are set aside for mending are read here.
"""

import gzip
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("lxml")

from finrag.filings.html import parse_markup, read_markup
from finrag.filings.model import Cell, Document, Tag
from finrag.filings.periods import document_context
from finrag.filings.tables import read_tables

BORROWED = Path(__file__).parents[2].parent / "shared/data"
FILINGS = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED) / "filings_html"
# Every so many of them is read, so that the test takes seconds.
STEP = int(os.environ.get("FINRAG_TAGGED_STEP", "7"))
GOALS = {
    "dollars": 0.999,
    "unique": 0.97,
    "period": 0.99,
    "row": 0.99,
    "column": 0.985,
    "unit": 0.99,
}


def is_for_mending(path: Path) -> bool:
    cik = path.name.split("_")[0].zfill(10)
    return int(hashlib.sha256(cik.encode()).hexdigest(), 16) % 3 != 2


def local(element) -> str:
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def contexts_and_units(document: Document) -> tuple[dict[str, date], dict[str, str]]:
    """Last days of contexts, and units, by their ids."""
    ends: dict[str, date] = {}
    units: dict[str, str] = {}
    for element in (one for header in document.headers for one in header.iter()):
        inner = [(local(one), (one.text or "").strip()) for one in element.iter()]
        if local(element) == "context":
            days = [text for name, text in inner if name in {"enddate", "instant"}]
            ends.update((element.get("id"), date.fromisoformat(day[:10])) for day in days)
        elif local(element) == "unit":
            measures = [text.rpartition(":")[2] for name, text in inner if name == "measure"]
            units[element.get("id")] = "/".join(measures)
    return ends, units


def tagged_cells(document: Document, cells: list[tuple[int, Cell]]) -> Iterator[tuple[Tag, Cell]]:
    """Cells of numbers that hold one tag, with that."""
    places = {(block, *place): cell for block, cell in cells for place in cell.places}
    tags = [tag for tag in document.tags if tag.name == "nonfraction"]
    counts = Counter((tag.block, tag.row, tag.column) for tag in tags)
    for tag in tags:
        place = (tag.block, tag.row, tag.column)
        cell = places.get(place)
        if (
            cell
            and counts[place] == 1
            and cell.kind == "number"
            and not (cell.is_label or cell.is_header)
        ):
            yield tag, cell


def tagged_size(tag: Tag, cell: Cell) -> float | None:
    """What the tag says in size: the digits that the cell shows, times the tag's scale."""
    digits = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", cell.text)
    if digits is None or "zero" in tag.attributes.get("format", ""):
        return None
    return float(digits[0].replace(",", "")) * 10.0 ** int(tag.attributes.get("scale") or 0)


def audit(path: Path, found: Counter[tuple[str, bool]]) -> None:
    data = gzip.decompress(path.read_bytes())
    root, _, _ = parse_markup(data)
    document = read_markup(root, len(data))
    ends, units = contexts_and_units(document)
    form, day = re.fullmatch(r"\d+_([^_]+)_([\d-]+)\..*", path.name).groups()
    context = document_context(document.blocks, date.fromisoformat(day), form)
    tables = read_tables(document.blocks, context)
    cells = [(block, cell) for block, table in tables.items() for cell in table.cells]
    tagged = {tag.block for tag in document.tags}
    paths = Counter(
        (block, cell.row_path, cell.column_path)
        for block, cell in cells
        if cell.kind == "number" and block in tagged and not (cell.is_header or cell.is_label)
    )
    for count in paths.values():
        found["unique", count == 1] += count
    for tag, cell in tagged_cells(document, cells):
        unit = units.get(tag.attributes.get("unitref", ""), "")
        size, end = tagged_size(tag, cell), ends.get(tag.attributes.get("contextref", ""))
        found["row", bool(cell.row_path)] += 1
        found["column", bool(cell.column_path)] += 1
        if unit in {"USD", "shares", "USD/shares"}:
            found["unit", cell.unit == unit] += 1
        if unit == "USD" and size is not None and cell.value is not None:
            found["dollars", abs(abs(cell.value) - size) <= 1e-9 * size] += 1
        if cell.period_end is not None and end is not None:
            found["period", cell.period_end == end] += 1


@pytest.mark.skipif(not FILINGS.is_dir(), reason="the filings (FINRAG_SHARED_DATA) are absent")
def test_cells_agree_with_the_tags_of_their_filers():
    paths = sorted(path for path in FILINGS.glob("*.html.gz") if is_for_mending(path))
    found: Counter[tuple[str, bool]] = Counter()
    for path in paths[::STEP]:
        audit(path, found)
    shares = {name: found[name, True] / (found[name, True] + found[name, False]) for name in GOALS}
    assert {name: share for name, share in shares.items() if share < GOALS[name]} == {}

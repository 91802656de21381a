"""The sample corpus as it would have been filed, and the truth behind every printed cell.

Three forms: inline XBRL, HTML of about 2003, and the text of a submission of about 1997. Prose,
tables and figures are those of the ordinary corpus; each filing has three more tables.
"""

import collections
import csv
import datetime
import io
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from finrag.records.writing import replacing
from finrag.sample import filed_html, filed_ixbrl, filed_text
from finrag.sample.companies import companies
from finrag.sample.filed_parts import Block, Filing, blocks, printed, with_tables
from finrag.sample.ledger import keep_books
from finrag.sample.passages import Line, Voice, heading
from finrag.sample.revenue import revenue_note
from finrag.sample.revenue_truth import label_rows, labels_text, revenue_lines, revenue_totals
from finrag.sample.statements import Teller
from finrag.sample.writer import DEFAULT_SEED, SHORT_ITEMS, YEARS, build_items

STYLES: Final = {"ixbrl": filed_ixbrl, "html": filed_html, "text": filed_text}
_COLUMNS = ("file", "cik", "name", "ticker", "form", "fiscal_year", "period_end", "accession")


def write_filed(
    directory: Path,
    style: str,
    *,
    seed: int = DEFAULT_SEED,
    ciks: Collection[int] | None = None,
    years: Collection[int] | None = None,
) -> None:
    """Write the sample corpus in a filed form.

    * ``{cik}_10K_{period_end}.htm`` or ``.txt``: one filing each.
    * ``filings.csv``: who filed what: file, cik, name, ticker, form, fiscal_year, period_end,
      accession.
    * ``truth/cells.jsonl``: one printed cell a line: file, item, document (``10-K`` or ``EX-13``),
      table (its title), row_path (group heading, label), column_path (header texts), marks (of
      footnotes, on the label), text, value (whole units, sign of the print; null where no number
      is printed), unit (USD, USD/share, percent), scale, period_start (null for a balance),
      period_end.
    * ``truth/sections.jsonl``: file, item, and its paragraphs and headings without tables.
    * ``truth/facts.jsonl``: one tagged fact a line, in reading order: file, concept, value (as
      XBRL means it: a percentage is a fraction), text, unit, period_start, period_end,
      dimensions, is_nil, is_hidden. Text submissions have those of their financial data schedule.
    * ``truth/revenue_lines.jsonl`` and ``truth/revenue_totals.jsonl``: file, and the columns of
      ``revenue_truth``.

    Args:
        directory: Folder to write to; made when absent.
        style: ``ixbrl``, ``html`` or ``text``.
        seed: Seed of every random draw; equal seeds give equal bytes.
        ciks: Only these companies.
        years: Only these fiscal years.

    Raises:
        ValueError: The style is unknown.
    """
    if style not in STYLES:
        raise ValueError(f"no filed form {style!r}: use one of {', '.join(STYLES)}")
    form = STYLES[style]
    rows: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    for filing in _filings(seed, ciks, years):
        company = filing.teller.voice.company
        suffix = "txt" if style == "text" else "htm"
        name = f"{company.cik}_10K_{filing.end}.{suffix}"
        _write(directory / name, form.render(filing))
        known = (name, company.cik, company.name, company.ticker, "10-K", filing.end.year)
        row = zip(_COLUMNS, (*known, filing.end, filing.accession), strict=True)
        rows["filings"].append(dict(row))
        parts = list(blocks(filing))
        for block in parts:
            rows["cells"] += _cells(filing, block, name, style)
        rows["sections"] += _sections(parts, name)
        lines = list(revenue_lines(filing, parts))
        rows["revenue_lines"] += [{"file": name} | line for line in lines]
        rows["revenue_totals"] += [{"file": name} | total for total in revenue_totals(lines)]
        if style != "html":
            rows["facts"] += [{"file": name} | fact for fact in form.facts(filing)]
    for truth in ("cells", "sections", "facts", "revenue_lines", "revenue_totals"):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows[truth])
        if text:
            _write(directory / "truth" / f"{truth}.jsonl", text.encode())
    listed = io.StringIO()
    table = csv.DictWriter(listed, _COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows["filings"])
    # Readers take the list as a sign that the rest is there.
    _write(directory / "filings.csv", listed.getvalue().encode())


def revenue_labels(seed: int = DEFAULT_SEED) -> str:
    """Labels of the sample's revenue lines as CSV: which are defined, and in which blocks.

    Blocks are those of the filings in inline XBRL.
    """
    return labels_text(
        row
        for filing in _filings(seed, None, None)
        for row in label_rows(filing, list(blocks(filing)), seed)
    )


def _filings(
    seed: int, ciks: Collection[int] | None, years: Collection[int] | None
) -> Iterator[Filing]:
    for place, company in enumerate(companies()):
        if ciks is not None and company.cik not in ciks:
            continue
        books = keep_books(company, seed)
        for year in YEARS:
            if years is None or year in years:
                teller = Teller(Voice(seed, company, year), books)
                yield Filing(teller, place, _items(teller))


def _items(teller: Teller) -> dict[str, list[list[Line]]]:
    built = build_items(teller)
    # The contents stand before the first item, not in it.
    built["item_1"] = [p for p in built["item_1"] if not p[0].text.startswith("TABLE OF CONTENTS")]
    built["item_8"] = with_tables(teller, built["item_8"]) + revenue_note(teller)
    for item, (title, text) in SHORT_ITEMS.items():
        built[item] = [heading(title), [Line(text)]]
    # "1", "1A", "1B", "2" … sort as they stand.
    return dict(sorted(built.items()))


def _cells(filing: Filing, block: Block, name: str, style: str) -> Iterator[dict[str, Any]]:
    if block.grid is None:
        return
    dash = STYLES[style].DASH
    in_exhibit = style == "text" and filed_text.is_in_exhibit(filing, block.item)
    for row in block.grid.rows:
        for column, cell in zip(block.grid.columns, row.cells, strict=True):
            start, end = filing.period(row.field, cell.year)
            yield {
                "file": name,
                "item": block.item,
                "document": "EX-13" if in_exhibit else "10-K",
                "table": block.grid.title,
                "row_path": [*filter(None, [row.group]), row.label],
                "column_path": list(column),
                "marks": list(row.marks),
                "text": printed(block.grid, row, cell, dash).text,
                "value": cell.value,
                "unit": cell.unit,
                "scale": cell.scale,
                "period_start": _iso(start),
                "period_end": _iso(end),
            }


def _sections(parts: list[Block], name: str) -> Iterator[dict[str, Any]]:
    for item in dict.fromkeys(block.item for block in parts):
        texts = [b.text for b in parts if b.item == item and not b.grid and b.kind != "part"]
        yield {"file": name, "item": item, "paragraphs": texts}


def _iso(day: datetime.date | None) -> str | None:
    return day.isoformat() if day else None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as hidden:
        hidden.write_bytes(content)

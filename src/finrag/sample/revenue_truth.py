"""What is true of the revenue lines of the sample's filings: figures, verdicts, definitions."""

import csv
import hashlib
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from finrag.records.identity import make_filing_id, report_year_of
from finrag.sample.filed_parts import Block, Filing, wording
from finrag.sample.revenue import (
    NOTE,
    Entry,
    Part,
    disclosure,
    entries,
    texts,
    total_label,
)

_LABEL_COLUMNS: Final = (
    *("filing_id", "line_label", "view", "is_defined", "kind", "block_hashes", "segment_label"),
    *("reader", "reader_id", "drawn_with"),
)


def revenue_lines(filing: Filing, parts: Sequence[Block]) -> Iterator[dict[str, Any]]:
    """One revenue line in one fiscal year a row, in the order of the tables.

    Columns: ``view`` (product, segment), ``table`` (its title), ``label`` (without marks),
    ``marks``, ``role`` (leaf, subtotal, reconciling, total), ``parent`` (label of the line that
    sums it, null for the total), ``segment`` (null where it has none), ``value`` (whole units),
    ``currency``, ``period_start``, ``period_end``, ``is_filing_year``, ``is_defined`` (null but
    for leaves), ``kind`` (footnote, definition, list, heading; null where undefined) and ``texts``:
    the blocks that define it, a block on two pages as two, none of them undefined.
    """
    for view, title, lines in _views(filing):
        for entry in lines:
            part = entry.part
            kind, defining = _definition(filing, parts, view, part)
            for year, ticks in entry.ticks.items():
                start, end = filing.period("revenue", year)
                yield {
                    "view": view,
                    "table": title,
                    "label": part.label,
                    "marks": list(part.marks),
                    "role": part.role,
                    "parent": entry.parent or None,
                    "segment": part.segment or None,
                    "value": float(ticks * filing.teller.voice.company.tick),
                    "currency": "USD",
                    "period_start": start and start.isoformat(),
                    "period_end": end.isoformat(),
                    "is_filing_year": year == filing.teller.voice.year,
                    "is_defined": bool(kind) if part.role == "leaf" else None,
                    "kind": kind or None,
                    "texts": defining,
                }


def revenue_totals(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Total, sum and verdict of each view and period of a filing, from its lines.

    Columns: ``view``, ``period_end``, ``total``, ``n_leaves`` (reconciling lines included),
    ``leaf_sum`` (of these), ``verdict`` (reconciled, off) and ``is_chosen`` (the view of the
    period whose lines are to be described).
    """
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for line in lines:
        key = line["view"], line["period_end"]
        named = dict(zip(("view", "period_end"), key, strict=True))
        row = sums.setdefault(key, named | {"total": 0.0, "n_leaves": 0, "leaf_sum": 0.0})
        if line["role"] == "total":
            row["total"] = line["value"]
        elif line["role"] != "subtotal":
            row["n_leaves"] += 1
            row["leaf_sum"] += line["value"]
    for row in sums.values():
        row["verdict"] = "reconciled" if row["leaf_sum"] == row["total"] else "off"
    good = [key for key, row in sums.items() if row["verdict"] == "reconciled"]
    for (view, end), row in sums.items():
        # Products are told apart more finely than segments.
        row["is_chosen"] = view == min((v for v, e in good if e == end), default=None)
    return list(sums.values())


def label_rows(filing: Filing, parts: Sequence[Block], seed: int) -> list[dict[str, Any]]:
    """Rows of the labels of revenue lines: the leaves of the filing's year in the chosen view."""
    lines = list(revenue_lines(filing, parts))
    chosen = {(row["view"], row["period_end"]) for row in revenue_totals(lines) if row["is_chosen"]}
    leaves = [
        line
        for line in lines
        if line["role"] == "leaf"
        and line["is_filing_year"]
        and (line["view"], line["period_end"]) in chosen
    ]
    labels = [line["label"] for line in leaves]
    filing_id = make_filing_id(filing.teller.voice.company.cik, "10-K", report_year_of(filing.end))
    return [
        {
            "filing_id": filing_id,
            "line_label": line["label"],
            "view": line["view"],
            "is_defined": str(line["is_defined"]).lower(),
            "kind": line["kind"] or "",
            "block_hashes": "|".join(map(block_hash, line["texts"])),
            # Only where the label alone names two lines.
            "segment_label": line["segment"] if labels.count(line["label"]) > 1 else "",
            "reader": "truth",
            "reader_id": "sample",
            "drawn_with": seed,
        }
        for line in leaves
    ]


def labels_text(rows: Iterable[dict[str, Any]]) -> str:
    """Label rows as CSV, with a header."""
    out = io.StringIO()
    table = csv.DictWriter(out, _LABEL_COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def block_hash(text: str) -> str:
    """The MD5 of a block's text with each run of white space as one space."""
    return hashlib.md5(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()


def _views(filing: Filing) -> Iterator[tuple[str, str, list[Entry]]]:
    teller = filing.teller
    company, words = teller.voice.company, wording().rows
    yield "product", disclosure(teller).title, entries(teller)
    shown = (teller.voice.year, teller.voice.year - 1)
    subtotal = words["subtotal"]
    made = [
        Entry(
            Part(segment.name, segment.share, marks=("(1)",) if n == 0 else ()),
            {year: teller.books[year].segments[n] for year in shown},
            parent=subtotal,
        )
        for n, segment in enumerate(company.segments)
    ]
    revenue, none = {y: teller.books[y].revenue for y in shown}, dict.fromkeys(shown, 0)
    none_part = Part(words["eliminations"], 0.0, role="reconciling", marks=("(2)",))
    made += [
        Entry(Part(subtotal, 1.0, role="subtotal"), revenue, parent=total_label(teller)),
        Entry(none_part, none, parent=total_label(teller)),
        Entry(Part(total_label(teller), 1.0, role="total"), revenue),
    ]
    title = wording().tables["segments"].format(sales=company.revenue_word.upper())
    yield "segment", f"{company.name.upper()} {title} FOR FISCAL {teller.voice.year}", made


def _definition(
    filing: Filing, parts: Sequence[Block], view: str, part: Part
) -> tuple[str, list[str]]:
    """How a leaf is defined, and the blocks that do so; of a segment the passage of Item 1."""
    if part.role != "leaf":
        return "", []
    if view == "segment":
        pairs = itertools.pairwise(parts)
        found = [
            text
            for title, text in pairs
            if title.item == "item_1" and title.kind == "heading" and title.text == part.label
        ]
        return ("heading", _pieces(found)) if found else ("", [])
    defining = [text for text in texts(filing.teller) if text.is_about(part)]
    at = next(n for n, block in enumerate(parts) if block.text == NOTE)
    wanted = {text.text for text in defining}
    blocks = [block for block in parts[at:] if block.kind != "table" and block.text in wanted]
    if not defining:
        return "", []
    pieces = _pieces(blocks)
    # A page break may part the definitions of two lines.
    named = [piece for piece in pieces if part.label in piece]
    return defining[0].kind, named if named and len(pieces) > len(blocks) else pieces


def _pieces(blocks: Iterable[Block]) -> list[str]:
    """The texts of blocks; a block that a page break cuts is two."""
    return [text for block in blocks for text in _cut(block)]


def _cut(block: Block) -> tuple[str, ...]:
    if block.cut is None:
        return (block.text,)
    return block.text[: block.cut], block.text[block.cut + 1 :]

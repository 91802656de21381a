"""A press release and slides of two companies of the sample as PDF, with questions on them.

They are no part of the ordinary sample. Amounts are those of the books.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from finrag.sample.companies import Company
from finrag.sample.ledger import Ledger, cell, keep_books, money
from finrag.sample.pdf import PAPER, SLIDE, Sheet, pdf_bytes
from finrag.sample.reading import read_wording

_ROWS: Final = (
    ("Revenue", "revenue"),
    ("Cost of revenue", "cost_of_revenue"),
    ("Research and development", "research"),
)
_WIDTHS: Final = (220.0, 90.0, 90.0)


@dataclass(frozen=True)
class _Texts:
    """The texts of both documents and of the questions."""

    headline: str
    news: tuple[str, ...]
    results: str
    remark: str
    segments: str
    outlook: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    slides: tuple[str, ...]
    highlights: tuple[tuple[str, ...], ...]
    priorities: tuple[tuple[str, ...], ...]
    figure: str
    uncertainty: str
    uncertainty_answer: str
    plan: str
    plan_answer: str
    slide_title: str
    slide_point: str
    slide_point_answer: str
    slide_cell: str


@cache
def _texts() -> _Texts:
    return read_wording("presentations", _Texts)


def presentation_files(companies: Sequence[Company], year: int, seed: int) -> dict[str, bytes]:
    """Content of each file by its path below the folder of the sets.

    The release is a document of `nested_queries`, whose questions cite its pages and tables; the
    slides are one of `query_file`, whose questions cite slides and cells.

    Args:
        companies: the release is of the first, the slides are of the second.
        year: fiscal year that they are about.
        seed: seed of the books, as for the filings.
    """
    books = [keep_books(company, seed) for company in companies[:2]]
    release, slides = (f"{one.ticker}_Q4_{year}" for one in companies[:2])
    first = (companies[0], books[0][year], books[0][year - 1])
    second = (companies[1], books[1][year], books[1][year - 1])
    return {
        f"nested_queries/documents/{release}_release.pdf": pdf_bytes(_release(*first)),
        "nested_queries/release.jsonl": _lines(_release_questions(*first)),
        f"query_file/documents/{slides}_slides.pdf": pdf_bytes(_slides(*second)),
        "query_file/slides.queries.jsonl": _lines(_slide_questions(*second)),
    }


def _slots(company: Company, now: Ledger, before: Ledger) -> dict[str, str]:
    return {
        "name": company.name,
        "short": company.short,
        "segment": company.segments[1].name,
        "scale": f"in {_unit(company)}",
        "year": str(now.year),
        "prior": str(before.year),
        "next": str(now.year + 1),
        "revenue": money(company, now.revenue),
        "revenue_before": money(company, before.revenue),
        "capex": money(company, now.capex),
        "depreciation": money(company, now.depreciation),
    }


def _unit(company: Company) -> str:
    return "thousands" if company.style == "dollars" else "millions"


def _rows(company: Company, now: Ledger, before: Ledger) -> list[list[str]]:
    return [
        [label, cell(company, getattr(now, name)), cell(company, getattr(before, name))]
        for label, name in _ROWS
    ]


def _segment_rows(company: Company, now: Ledger, before: Ledger) -> list[list[str]]:
    return [
        [segment.name, cell(company, new), cell(company, old)]
        for segment, new, old in zip(company.segments, now.segments, before.segments, strict=True)
    ]


def _release(company: Company, now: Ledger, before: Ledger) -> list[Sheet]:
    """Three pages with a running header and footer: news, two tables, two columns."""
    texts, slots = _texts(), _slots(company, now, before)
    sheets = [Sheet(PAPER) for _ in range(3)]
    for number, sheet in enumerate(sheets, start=1):
        sheet.text(72, 40, 8, f"{company.name} · Press release")
        sheet.text(290, 770, 8, f"Page {number} of {len(sheets)}")
    news, tables, outlook = sheets
    news.text(72, 100, 18, texts.headline.format(**slots))
    news.lines(72, 140, 10, [line.format(**slots) for line in texts.news])
    years = ["", slots["year"], slots["prior"]]
    tables.text(72, 108, 10, texts.results)
    tables.text(72, 122, 10, texts.remark.format(**slots))
    edge = tables.table(72, 130, _WIDTHS, [years, *_rows(company, now, before)])
    tables.text(72, edge + 40, 10, texts.segments)
    tables.table(72, edge + 48, _WIDTHS, [years, *_segment_rows(company, now, before)])
    outlook.text(72, 100, 14, texts.outlook.format(**slots))
    outlook.lines(72, 130, 10, texts.left)
    outlook.lines(320, 130, 10, texts.right)
    return sheets


def _slides(company: Company, now: Ledger, before: Ledger) -> list[Sheet]:
    """Four slides with a running footer: title, points, a table with a spanning heading, points."""
    texts, slots = _texts(), _slots(company, now, before)
    sheets = [Sheet(SLIDE) for _ in texts.slides]
    for number, (sheet, title) in enumerate(zip(sheets, texts.slides, strict=True), start=1):
        sheet.text(48, 60, 28, title)
        sheet.text(48, 395, 8, company.name)
        sheet.text(660, 395, 8, str(number))
    sheets[0].text(48, 110, 16, texts.headline.format(**slots))
    _points(sheets[1], texts.highlights, slots)
    years = ["", slots["year"], slots["prior"]]
    spanning = ["", "Revenue", None]
    sheets[2].table(48, 100, _WIDTHS, [spanning, years, *_segment_rows(company, now, before)])
    _points(sheets[3], texts.priorities, slots)
    return sheets


def _points(sheet: Sheet, points: Sequence[Sequence[str]], slots: dict[str, str]) -> None:
    """Print points with a bullet before the first line of each, the others indented."""
    height = 120.0
    for point in points:
        sheet.text(60, height, 16, "•")
        height = sheet.lines(80, height, 16, [line.format(**slots) for line in point]) + 12


def _release_questions(company: Company, now: Ledger, before: Ledger) -> list[dict[str, Any]]:
    """Three figures of tables and two texts of pages, their gold nested."""
    texts, slots = _texts(), _slots(company, now, before)
    document = f"{company.ticker}_Q4_{now.year}_release"
    of_segment = f"revenue of {company.segments[1].name}"
    figures = [
        ("revenue", now.year, now.revenue, 1),
        ("cost of revenue", before.year, before.cost_of_revenue, 1),
        (of_segment, now.year, now.segments[1], 2),
    ]
    golds: list[tuple[str, dict[str, Any]]] = [
        (
            texts.figure.format(label=label, name=company.name, year=year),
            {
                "expected_value": float(cell(company, ticks).replace(",", "")),
                "unit": _unit(company),
                "currency": "USD",
                "tolerance_rel": 0.005,
                "source_table_ids": [f"{document}_p2_t{table}"],
            },
        )
        for label, year, ticks, table in figures
    ]
    quarter = f"Q4 {now.year}"
    page = {"doc_type": "release", "quarter": quarter, "page": 3}
    for question, answer in (
        (texts.uncertainty, texts.uncertainty_answer),
        (texts.plan, texts.plan_answer),
    ):
        gold = {"expected_value": answer, "citations": [page]}
        golds.append((question.format(**slots), gold))
    metadata = {"category": "release", "quarter": quarter, "doc_types": ["release"]}
    return [
        {
            "query_id": f"{document}_{number}",
            "question": question,
            "metadata": metadata,
            "gold": gold,
        }
        for number, (question, gold) in enumerate(golds, start=1)
    ]


def _slide_questions(company: Company, now: Ledger, before: Ledger) -> list[dict[str, Any]]:
    """A title, a point and a cell of the slides."""
    texts, slots = _texts(), _slots(company, now, before)
    document = f"{company.ticker}_Q4_{now.year}_slides"
    segment = company.segments[1].name
    figure: dict[str, Any] = {
        "query": texts.slide_cell.format(label=segment, **slots),
        "kind": "numeric",
        "answer": float(cell(company, now.segments[1]).replace(",", "")),
        "unit": f"USD {_unit(company)}",
        "citations": [{"document": document, "passage_id": f"{document}_p3_t1#cell-0-3-1"}],
    }
    asked = (
        (texts.slide_title, texts.slides[3], 4),
        (texts.slide_point, texts.slide_point_answer, 2),
    )
    slides: list[dict[str, Any]] = [
        {
            "query": question.format(**slots),
            "kind": "slide",
            "answer": answer,
            "citations": [{"document": document, "slide": slide}],
        }
        for question, answer, slide in asked
    ]
    return [
        {"query_id": f"{document}_{number}", **question}
        for number, question in enumerate([*slides, figure], start=1)
    ]


def _lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

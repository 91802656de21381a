"""Small sets in the shapes of public benchmarks, about the companies of the sample.

Amounts are those of the books, printed as the filings print them. One FinQA record is broken, and
one FinanceBench page is cited but not there.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from finrag.sample.companies import Company
from finrag.sample.ledger import Ledger, cell, change_percent, keep_books, money
from finrag.sample.reading import read_wording

SYSTEM: Final = "invented_rag"
_ROWS: Final = (
    ("revenue", "revenue"),
    ("cost of revenue", "cost_of_revenue"),
    ("research and development", "research"),
    ("selling, general and administrative", "selling"),
)

Row = dict[str, Any]


@dataclass(frozen=True)
class _Program:
    """A question of FinQA with its program and its places of evidence."""

    question: str
    program: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class _PageQuestion:
    """A question of FinanceBench with its answer and its pages."""

    question: str
    answer: str
    reasoning: str
    pages: tuple[int, ...]


@dataclass(frozen=True)
class _Turn:
    """What one speaker of a call says before the next one speaks."""

    speaker: str
    speech: str


@dataclass(frozen=True)
class _Texts:
    """The texts of all sets."""

    before_table: tuple[str, ...]
    after_table: tuple[str, ...]
    programs: tuple[_Program, ...]
    pages: tuple[str, ...]
    page_questions: tuple[_PageQuestion, ...]
    turns: tuple[_Turn, ...]
    figure_query: str
    speaker_query: str
    rejected_queries: tuple[str, ...]


@cache
def _texts() -> _Texts:
    return read_wording("benchmarks", _Texts)


def benchmark_files(companies: Sequence[Company], year: int, seed: int) -> dict[str, bytes]:
    """Content of each file by its path below the folder of the sets.

    Args:
        companies: programs and nested queries are about the first, pages about the second, the
            call is one of the third.
        year: fiscal year that the questions are about.
        seed: seed of the books, as for the filings.
    """
    books = [keep_books(company, seed) for company in companies[:3]]
    years = [
        (company, book[year], book[year - 1])
        for company, book in zip(companies[:3], books, strict=True)
    ]
    programs = _programs(*years[0])
    elements = {
        f"elements/{_document(years[0][0], year, 'release')}/tables/{name}.json": _line(table)
        for name, table in _tables(*years[0]).items()
    }
    return elements | {
        "finqa_sample.jsonl": _lines(
            [*programs, {"id": f"{programs[0]['id']}-torn", "qa": "torn"}]
        ),
        f"finqa/runs/{SYSTEM}.run": _run(programs),
        "financebench_open_source_sample.jsonl": _lines(_page_questions(*years[1])),
        "financebench_document_information_sample.jsonl": _lines(_documents(*years[1])),
        "financebench_pages/pages.jsonl": _lines(_pages(*years[1])),
        f"financebench/predictions/{SYSTEM}.jsonl": _lines(_predictions(*years[1])),
        "transcripts/calls.jsonl": _lines([_call(*years[2])]),
        "nested_queries.jsonl": _lines(_queries(*years[0])),
    }


def _document(company: Company, year: int, kind: str) -> str:
    return f"{company.ticker}_Q4_{year}_{kind}"


def _report(company: Company, now: Ledger) -> str:
    return f"{company.ticker}_{now.year}_10K"


def _printed(company: Company, ticks: int) -> float:
    """An amount as a number, as the cell of a table prints it."""
    return float(cell(company, ticks).replace(",", ""))


def _programs(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    """Six questions over one table and two sentences, in FinQA's nesting."""
    printed = {
        label: (cell(company, getattr(now, field)), cell(company, getattr(before, field)))
        for label, field in _ROWS
    }
    new, old = (_printed(company, each.revenue) for each in (now, before))
    spent, spent_before = (_printed(company, each.capex) for each in (now, before))
    cost, research, selling = (
        _printed(company, ticks) for ticks in (now.cost_of_revenue, now.research, now.selling)
    )
    results: tuple[float | str, ...] = (
        round((new - old) / old, 5),
        round(spent - spent_before, 5),
        round(cost / new, 5),
        round(research + selling, 5),
        round((new + old) / 2, 5),
        "yes" if spent > research else "no",
    )
    slots = {
        "name": company.name,
        "year": now.year,
        "new": new,
        "old": old,
        "cost": cost,
        "research": research,
        "selling": selling,
        "spent": spent,
        "spent_before": spent_before,
    }
    filename = f"{company.ticker}/{now.year}/page_40.pdf"
    context = {
        "filename": filename,
        "pre_text": [text.format(**slots) for text in _texts().before_table],
        "post_text": [text.format(**slots) for text in _texts().after_table],
        "table": [
            ["", str(now.year), str(before.year)],
            *([label, *texts] for label, texts in printed.items()),
        ],
    }
    context["table_ori"] = context["table"]
    return [
        {
            "id": f"{filename}-{number}",
            **context,
            "qa": {
                "question": asked.question.format(**slots),
                "answer": str(result),
                "program": asked.program.format(**slots),
                "exe_ans": result,
                "gold_inds": dict.fromkeys(asked.evidence, ""),
            },
        }
        for number, (asked, result) in enumerate(
            zip(_texts().programs, results, strict=True), start=1
        )
    ]


def _slots(company: Company, now: Ledger, before: Ledger) -> dict[str, str]:
    """Names and printed amounts that pages, questions and calls may mention."""
    return {
        "name": company.name,
        "segment": company.segments[0].name,
        "year": str(now.year),
        "prior": str(before.year),
        "revenue": money(company, now.revenue),
        "revenue_before": money(company, before.revenue),
        "growth": str(change_percent(now.revenue, before.revenue)),
        "capex": money(company, now.capex),
        "depreciation": money(company, now.depreciation),
        "people": f"{now.people:,}",
    }


def _run(programs: Sequence[Row]) -> bytes:
    """A TREC run over the rows of the table: the evidence first, but for the third question."""
    lines = []
    for number, program in enumerate(programs):
        rows = [2, 1, 3, 4] if number != 2 else [4, 3, 2, 1]
        for rank, row in enumerate(rows, start=1):
            place = f"{program['filename']}#row-0-{row}"
            lines.append(f"{program['id']} Q0 {place} {rank} {1 / rank:.4f} {SYSTEM}\n")
    return "".join(lines).encode()


def _pages(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    slots = _slots(company, now, before)
    document = _report(company, now)
    return [
        {
            "doc_name": document,
            "company": company.name,
            "page_num": number,
            "text": text.format(**slots),
        }
        for number, text in enumerate(_texts().pages)
    ]


def _documents(company: Company, now: Ledger, _before: Ledger) -> list[Row]:
    document = _report(company, now)
    return [
        {
            "doc_name": document,
            "company": company.name,
            "doc_type": "10k",
            "doc_period": now.year,
        }
    ]


def _page_questions(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    slots = _slots(company, now, before)
    document = _report(company, now)
    return [
        {
            "financebench_id": _page_question(number),
            "company": company.name,
            "doc_name": document,
            "question_type": "metrics-generated",
            "question_reasoning": asked.reasoning,
            "question": f"{company.name}, fiscal {now.year}: {asked.question}",
            "answer": asked.answer.format(**slots),
            "evidence": [{"doc_name": document, "evidence_page_num": page} for page in asked.pages],
        }
        for number, asked in enumerate(_texts().page_questions, start=1)
    ]


def _page_question(number: int) -> str:
    return f"financebench_sample_{number}"


def _predictions(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    """A right answer with the right page, a wrong one with a page beside it, and a silence."""
    document = _report(company, now)
    given = [
        (money(company, now.revenue), [1]),
        (money(company, before.capex), [3, 0]),
        (None, []),
    ]
    return [
        {
            "question_id": _page_question(number),
            "system": SYSTEM,
            "answer": answer,
            "citations": [{"document": document, "page": page} for page in pages],
        }
        for number, (answer, pages) in enumerate(given, start=1)
    ]


def _call(company: Company, now: Ledger, before: Ledger) -> Row:
    slots = _slots(company, now, before)
    return {
        "id": f"call_{company.ticker}_{now.year}",
        "company": company.name,
        "financial_quarter": 4,
        "turns": [
            {"speaker": turn.speaker, "speech": turn.speech.format(**slots)}
            for turn in _texts().turns
        ],
    }


def _tables(company: Company, now: Ledger, before: Ledger) -> dict[str, Row]:
    header = [str(now.year), str(before.year)]
    results = [
        {
            "label": label,
            "cells": [cell(company, getattr(now, field)), cell(company, getattr(before, field))],
        }
        for label, field in _ROWS
    ]
    segments = [
        {"label": segment.name, "cells": [cell(company, one), cell(company, other)]}
        for segment, one, other in zip(company.segments, now.segments, before.segments, strict=True)
    ]
    name = company.ticker.lower()
    return {
        f"{name}_results": {"title": "Results", "header": header, "rows": results, "page": 3},
        f"{name}_segments": {
            "title": "Revenue by segment",
            "header": header,
            "rows": segments,
            "page": 4,
        },
    }


def _queries(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    name = company.ticker.lower()
    unit = "thousands" if company.style == "dollars" else "millions"
    of_segment = f"revenue of {company.segments[1].name}"
    figures = [
        ("revenue", now.year, now.revenue, f"{name}_results"),
        ("revenue", before.year, before.revenue, f"{name}_results"),
        (of_segment, now.year, now.segments[1], f"{name}_segments"),
    ]
    quarter = f"Q4 {now.year}"
    lines = []
    for number, (label, year, ticks, table) in enumerate(figures, start=1):
        cited = {"doc_type": "release", "quarter": quarter, "page": 3, "table_id": table}
        lines.append(
            {
                "query_id": f"{name}_{number}",
                "question": _texts().figure_query.format(label=label, name=company.name, year=year),
                "metadata": {"category": "figures", "quarter": quarter, "doc_types": ["release"]},
                "gold": {
                    "expected_value": _printed(company, ticks),
                    "unit": unit,
                    "currency": "USD",
                    "tolerance_rel": 0.005,
                    "tolerance_abs": None,
                    "source_table_ids": [table],
                    "citations": [cited],
                    "answer_speakers": [],
                },
            }
        )
    said = {
        "query_id": f"{name}_said",
        "question": _texts().speaker_query.format(name=company.name),
        "metadata": {
            "category": "outlook",
            "quarter": quarter,
            "doc_types": ["transcript", "release"],
        },
        "gold": {
            "expected_value": None,
            "citations": [{"doc_type": "transcript", "quarter": quarter, "page": 2}],
            "answer_speakers": ["Dara Finch"],
        },
    }
    rejected = [
        {
            "query_id": f"{name}_rejected_{number}",
            "question": question.format(name=company.name, year=now.year, early=before.year - 3),
            "metadata": {
                "category": "rejection",
                "quarter": quarter,
                "doc_types": ["release"],
                "is_rejection": True,
            },
            "gold": {"expected_value": None, "source_table_ids": [], "citations": []},
        }
        for number, question in enumerate(_texts().rejected_queries, start=1)
    ]
    return [*lines, said, *rejected]


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _lines(rows: Sequence[Row]) -> bytes:
    return b"".join(_line(row) for row in rows)

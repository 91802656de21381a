"""Small sets in the shapes of public benchmarks, about the companies of the sample.

Amounts are those of the books, printed as the filings print them. One FinQA record is broken, and
one FinanceBench page is cited but not there.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from finrag.sample.companies import Company
from finrag.sample.ledger import Ledger, cell, change_percent, keep_books, money

SYSTEM: Final = "invented_rag"
_ROWS: Final = (
    ("revenue", "revenue"),
    ("cost of revenue", "cost_of_revenue"),
    ("research and development", "research"),
    ("selling, general and administrative", "selling"),
)

Row = dict[str, Any]


def benchmark_files(companies: Sequence[Company], year: int, seed: int) -> dict[str, bytes]:
    """Content of each file by its path below the folder of the sets.

    Args:
        companies: programs and nested queries are about the first, pages about the second, the
            call is one of the third.
        year: fiscal year that the questions are about.
        seed: seed of the books, as for the filings.
    """
    books = [keep_books(company, seed) for company in companies[:3]]
    told = [
        (company, kept[year], kept[year - 1])
        for company, kept in zip(companies[:3], books, strict=True)
    ]
    programs = _programs(*told[0])
    elements = {
        f"elements/{_document(told[0][0], year, 'release')}/tables/{name}.json": _line(table)
        for name, table in _tables(*told[0]).items()
    }
    return elements | {
        "finqa_sample.jsonl": _lines(
            [*programs, {"id": f"{programs[0]['id']}-torn", "qa": "torn"}]
        ),
        f"finqa/runs/{SYSTEM}.run": _run(programs),
        "financebench_open_source_sample.jsonl": _lines(_page_questions(*told[1])),
        "financebench_document_information_sample.jsonl": _lines(_documents(*told[1])),
        "financebench_pages/pages.jsonl": _lines(_pages(*told[1])),
        f"financebench/predictions/{SYSTEM}.jsonl": _lines(_predictions(*told[1])),
        "transcripts/calls.jsonl": _lines([_call(*told[2])]),
        "nested_queries.jsonl": _lines(_queries(*told[0])),
    }


def _document(company: Company, year: int, kind: str) -> str:
    return f"{company.ticker}_Q4_{year}_{kind}"


def _programs(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    """Six questions over one table and two sentences, in FinQA's nesting."""
    printed = {
        label: (cell(company, getattr(now, field)), cell(company, getattr(before, field)))
        for label, field in _ROWS
    }
    values = {
        label: [float(text.replace(",", "")) for text in texts] for label, texts in printed.items()
    }
    new, old = values["revenue"]
    cost, research, selling = (values[label][0] for label, _ in _ROWS[1:])
    spent, spent_before = (
        float(cell(company, each.capex).replace(",", "")) for each in (now, before)
    )
    filename = f"{company.ticker}/{now.year}/page_40.pdf"
    context = {
        "filename": filename,
        "pre_text": [
            f"the table shows results of {company.name} .",
            f"capital expenditures were {spent} in {now.year} and {spent_before} the year before .",
        ],
        "post_text": ["amounts are as printed in the annual report ."],
        "table": [
            ["", str(now.year), str(before.year)],
            *([label, *texts] for label, texts in printed.items()),
        ],
    }
    context["table_ori"] = context["table"]
    asked: list[tuple[str, str, float | str, list[str]]] = [
        (
            f"what was the growth of revenue in {now.year}?",
            f"subtract({new}, {old}), divide(#0, {old})",
            round((new - old) / old, 5),
            ["table_1"],
        ),
        (
            f"what was the change of capital expenditures in {now.year}?",
            f"subtract({spent}, {spent_before})",
            round(spent - spent_before, 5),
            ["text_1"],
        ),
        (
            f"what share of revenue was the cost of revenue in {now.year}?",
            f"divide({cost}, {new})",
            round(cost / new, 5),
            ["table_1", "table_2"],
        ),
        (
            f"what was spent on research and on selling together in {now.year}?",
            f"add({research}, {selling})",
            round(research + selling, 5),
            ["table_3", "table_4"],
        ),
        (
            "what was the average revenue of the two years?",
            "table_average(revenue, none)",
            round((new + old) / 2, 5),
            ["table_1"],
        ),
        (
            f"were capital expenditures greater than research in {now.year}?",
            f"greater({spent}, {research})",
            "yes" if spent > research else "no",
            ["text_1", "table_3"],
        ),
    ]
    return [
        {
            "id": f"{filename}-{number}",
            **context,
            "qa": {
                "question": question,
                "answer": str(result),
                "program": program,
                "exe_ans": result,
                "gold_inds": dict.fromkeys(evidence, ""),
            },
        }
        for number, (question, program, result, evidence) in enumerate(asked, start=1)
    ]


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
    texts = [
        f"{company.name} annual report for fiscal {now.year}.",
        f"Revenue was {money(company, now.revenue)} in {now.year} and "
        f"{money(company, before.revenue)} in {before.year}.",
        f"Capital expenditures were {money(company, now.capex)}; "
        f"depreciation was {money(company, now.depreciation)}.",
        f"At the end of {now.year} the company employed {now.people:,} people.",
    ]
    document = f"{company.ticker}_{now.year}_10K"
    return [
        {"doc_name": document, "page_num": number, "text": text}
        for number, text in enumerate(texts)
    ]


def _documents(company: Company, now: Ledger, _before: Ledger) -> list[Row]:
    document = f"{company.ticker}_{now.year}_10K"
    return [
        {
            "doc_name": document,
            "company": company.name,
            "doc_type": "10k",
            "doc_period": now.year,
        }
    ]


def _page_questions(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    growth = change_percent(now.revenue, before.revenue)
    # The last page was never loaded.
    asked = [
        ("What was revenue?", money(company, now.revenue), "Information extraction", [1]),
        (
            "What were capital expenditures?",
            money(company, now.capex),
            "Information extraction",
            [2],
        ),
        ("How did revenue change, in percent?", f"{growth}%", "Numerical reasoning", [1, 7]),
    ]
    document = f"{company.ticker}_{now.year}_10K"
    return [
        {
            "financebench_id": _page_question(number),
            "company": company.name,
            "doc_name": document,
            "question_type": "metrics-generated",
            "question_reasoning": reasoning,
            "question": f"{company.name}, fiscal {now.year}: {question}",
            "answer": answer,
            "evidence": [{"doc_name": document, "evidence_page_num": page} for page in pages],
        }
        for number, (question, answer, reasoning, pages) in enumerate(asked, start=1)
    ]


def _page_question(number: int) -> str:
    return f"financebench_sample_{number}"


def _predictions(company: Company, now: Ledger, before: Ledger) -> list[Row]:
    """A right answer with the right page, a wrong one with a page beside it, and a silence."""
    document = f"{company.ticker}_{now.year}_10K"
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
    growth = change_percent(now.revenue, before.revenue)
    segment = company.segments[0].name
    turns = [
        (
            "Operator",
            f"Welcome to the call of {company.name}. All lines are in listen-only mode. "
            "I hand over to Ada Quill, our chief executive officer.",
        ),
        (
            "Ada Quill",
            f"Revenue of fiscal {now.year} came to {money(company, now.revenue)}, a change of "
            f"{growth} percent from the year before. We opened our newest workshop in spring and "
            f"gave the segment {segment} a second shift to shorten delivery times. "
            "Here is Bram Okoye, our chief financial officer.",
        ),
        (
            "Bram Okoye",
            f"Capital expenditures amounted to {money(company, now.capex)}, mostly for tooling and "
            "for the software that schedules it. Inventories fell during autumn because suppliers "
            "shipped smaller lots more frequently than before.",
        ),
        ("Operator", "Our first question comes from Cleo Marsh. Please go ahead."),
        (
            "Cleo Marsh",
            "Thank you for taking my question about pricing discipline across the smaller accounts "
            "this winter. Could the discounts return?",
        ),
        (
            "Ada Quill",
            "Discounts stay where customers commit to volumes for at least three consecutive "
            "quarters of purchases.",
        ),
    ]
    return {
        "id": f"call_{company.ticker}_{now.year}",
        "company": company.name,
        "financial_quarter": 4,
        "turns": [{"speaker": speaker, "speech": speech} for speaker, speech in turns],
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
    figures = [
        ("revenue", now.year, now.revenue, f"{name}_results"),
        ("revenue", before.year, before.revenue, f"{name}_results"),
        (f"revenue of {company.segments[1].name}", now.year, now.segments[1], f"{name}_segments"),
    ]
    lines = [
        {
            "query_id": f"{name}_{number}",
            "question": f"What was {label} of {company.name} in fiscal {year}?",
            "metadata": {
                "category": "figures",
                "quarter": f"Q4 {now.year}",
                "doc_types": ["release"],
            },
            "gold": {
                "expected_value": float(cell(company, ticks).replace(",", "")),
                "unit": unit,
                "currency": "USD",
                "tolerance_rel": 0.005,
                "tolerance_abs": None,
                "source_table_ids": [table],
                "citations": [
                    {
                        "doc_type": "release",
                        "quarter": f"Q4 {now.year}",
                        "page": 3,
                        "table_id": table,
                    }
                ],
                "answer_speakers": [],
            },
        }
        for number, (label, year, ticks, table) in enumerate(figures, start=1)
    ]
    said = {
        "query_id": f"{name}_said",
        "question": f"Who at {company.name} spoke about the outlook?",
        "metadata": {
            "category": "outlook",
            "quarter": f"Q4 {now.year}",
            "doc_types": ["transcript", "release"],
        },
        "gold": {
            "expected_value": None,
            "citations": [{"doc_type": "transcript", "quarter": f"Q4 {now.year}", "page": 2}],
            "answer_speakers": ["Dara Finch"],
        },
    }
    return [*lines, said]


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _lines(rows: Sequence[Row]) -> bytes:
    return b"".join(_line(row) for row in rows)

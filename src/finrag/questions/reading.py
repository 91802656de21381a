"""Reads questions: companies, years, topics, sections, scope and form, from the text alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from finrag.atlases.labels import label_texts
from finrag.questions.intents import (
    answer_form,
    asks_about_risk,
    asks_for_change,
    forms_named,
    section_hints,
    sections_named,
    segments_named,
)
from finrag.questions.misspelt import find_misspelt
from finrag.questions.names import Mention, NameBook, find_companies, name_book
from finrag.questions.texts import plain_text, replaced, words_of
from finrag.questions.topics import topic_text
from finrag.questions.years import YearMention, find_years, relative_spans, years_asked
from finrag.records.vocabulary import read_vocabulary

READING_SCHEMA: Final = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("gold_set", pa.string(), nullable=False),
        pa.field("document_id", pa.string()),
        pa.field("question_text", pa.string()),
        pa.field("cik_ints", pa.list_(pa.int64()), nullable=False),
        pa.field("years", pa.list_(pa.int32()), nullable=False),
        pa.field("kpi_labels", pa.list_(pa.string()), nullable=False),
        pa.field("risk_topics", pa.list_(pa.string()), nullable=False),
        pa.field("section_names", pa.list_(pa.string()), nullable=False),
        pa.field("forms", pa.list_(pa.string()), nullable=False),
        pa.field("segments", pa.list_(pa.string()), nullable=False),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("answer_form", pa.string(), nullable=False),
        pa.field("is_change", pa.bool_(), nullable=False),
        pa.field("topic_text", pa.string(), nullable=False),
        pa.field("page_kinds", pa.list_(pa.string()), nullable=False),
    ]
)
_QUOTED: Final = re.compile(r'"[^"]*"')
# The risk topic of whatever is risky; it adds nothing beside a topic of its own.
GENERAL_RISK: Final = "general_risk"
# Words of analysts that filings, and so the patterns, write in full.
_VOCABULARY: Final = read_vocabulary(__file__)
_IN_FULL: Final = (
    *((_VOCABULARY.pattern(name, re.IGNORECASE), ", ") for name in ("movement", "stretch")),
    *((re.compile(one, re.IGNORECASE), full) for one, full in _VOCABULARY.tables["full"].items()),
)


def read_questions(
    questions: pa.Table,
    companies: pa.Table,
    filings: pa.Table,
    kpi_patterns: pa.Table,
    risk_patterns: pa.Table,
    page_cues: pa.Table,
) -> pa.Table:
    """Reads every question.

    Companies are read by any name that the corpus gives them, a misspelt one where one company
    alone is near; years as written with ranges spelled out, or counted back from the last filing;
    topics by the patterns that label sentences. See ``names``, ``misspelt``, ``years`` and
    ``intents`` for the rules. A question about risks has risk topics; one about a KPI has none,
    unless it speaks of risks too. The scope is ``cross_company`` from two companies on, else
    ``cross_year`` from two years on, else ``local``. The time taken is linear in the text.

    Args:
        questions: ``item_id``, ``gold_set`` and ``question_text``, one row per question; no text
            reads as nothing. With a column ``document_id``, the document that is handed over
            with the question; it is passed on as it is.
        companies: ``cik_int``, ``company_name``, ``display_name``, ``possessive_name``,
            ``aliases`` and ``ticker``, one row per company.
        filings: ``cik_int`` and ``report_year``; with a column ``company_name``, former names of
            a company are names of it too.
        kpi_patterns: ``kpi_label`` and ``pattern`` (RE2, for text in lower case).
        risk_patterns: ``risk_topic`` and ``pattern``.
        page_cues: ``page_kind`` and ``pattern``: kinds of page, such as a balance sheet, that a
            question asks for.

    Returns:
        Rows of ``READING_SCHEMA`` in the order of the questions. Lists are ascending, sections in
        the order of a 10-K.

    Raises:
        ValueError: an item or a company without an id or with two rows, or a pattern that is no
            expression; it names the one at fault.
    """
    filing_rows = filings.to_pylist()
    book = name_book(companies.to_pylist(), filing_rows)
    reported = _reported(filing_rows)
    names = ("item_id", "gold_set", "document_id", "question_text")
    given = [name for name in names if name in questions.column_names]
    asked = questions.select(given).to_pylist()
    _check_ids(asked)
    texts = [plain_text(row["question_text"]) for row in asked]
    named = [_companies(text, book) for text in texts]
    neutral = [_neutral(text, found) for text, found in zip(texts, named, strict=True)]
    labels = _labels(
        neutral,
        {
            "kpi": ("kpi_label", kpi_patterns),
            "risk": ("risk_topic", risk_patterns),
            "page": ("page_kind", page_cues),
        },
    )
    rows = [
        {**row, **_reading(text, plain, found, labels[n], reported)}
        for n, (row, text, plain, found) in enumerate(
            zip(asked, texts, neutral, named, strict=True)
        )
    ]
    return pa.Table.from_pylist(rows, schema=READING_SCHEMA)


def _companies(text: str, book: NameBook) -> list[Mention]:
    """The companies that a plain text names, in text order, by misspelt names too."""
    words = words_of(text)
    found = find_companies(text, words, book)
    misspelt = find_misspelt(text, words, book, found)
    return sorted([*found, *misspelt], key=lambda mention: mention.start) if misspelt else found


def _reading(
    text: str,
    neutral: str,
    mentions: Sequence[Mention],
    labels: Mapping[str, Sequence[str]],
    reported: Mapping[int | None, Sequence[int]],
) -> dict[str, Any]:
    """The fields read from one question.

    Args:
        text: its plain text.
        neutral: the same with "the company" for every company.
        mentions: the companies named in it.
        labels: labels of the neutral text by atlas.
        reported: years with a filing by company; under None, of all.
    """
    ciks = sorted({mention.cik_int for mention in mentions})
    kpis = list(labels.get("kpi", ()))
    # What stands in quotation marks is a term that is asked about, no cue.
    cues = _QUOTED.sub(" ", neutral)
    asks_risk = asks_about_risk(cues)
    risks = _risks(labels.get("risk", ()), asks_risk, bool(kpis))
    form = answer_form(cues, len(ciks), bool(kpis))
    unnamed = _outside(find_years(text), mentions)
    between_years = len(ciks) < 2 or len({found.year for found in unnamed}) > 1
    is_change = asks_for_change(cues, between_years)
    is_measured = form in ("numeric", "boolean")
    ends_only = asks_for_change(cues, False) and is_measured
    filed = _years_of(ciks, reported)
    years = years_asked(text, unnamed, ends_only, is_change and is_measured, filed)
    sections = section_hints(sections_named(neutral), asks_risk, kpis)
    return {
        "cik_ints": ciks,
        "years": years,
        "kpi_labels": kpis,
        "risk_topics": risks,
        "section_names": sections,
        "forms": forms_named(neutral),
        "segments": segments_named(neutral),
        "scope": _scope(len(ciks), len(years)),
        "answer_form": form,
        "is_change": is_change,
        "topic_text": topic_text(
            text,
            [(mention.start, mention.end) for mention in mentions],
            [(found.start, found.end) for found in unnamed] or relative_spans(text),
        ),
        "page_kinds": list(labels.get("page", ())),
    }


def _neutral(text: str, mentions: Sequence[Mention]) -> str:
    """The text with "the company" for every company: names hold words that patterns know."""
    return replaced(
        text,
        (
            (found.start, found.end, "the company's" if found.is_possessive else "the company")
            for found in mentions
        ),
    )


def _labels(
    texts: Sequence[str], atlases: Mapping[str, tuple[str, pa.Table]]
) -> list[dict[str, list[str]]]:
    """Labels of every text by atlas, in the order of the texts.

    Args:
        texts: the texts.
        atlases: for each the column of its labels, and its patterns.
    """
    patterns = pa.concat_tables(
        pa.table(
            {
                "atlas": pa.repeat(atlas, len(table)),
                "label": table[column].cast(pa.string()),
                "pattern": table["pattern"].cast(pa.string()),
            }
        )
        for atlas, (column, table) in atlases.items()
    )
    batch = pa.record_batch(
        {
            "text_hash": pa.array([str(n) for n in range(len(texts))], pa.string()),
            "sentence_text": pa.array([_in_full(text) for text in texts], pa.string()),
            **{f"in_{atlas}": pa.repeat(True, len(texts)) for atlas in atlases},
        }
    )
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch])
    found: list[dict[str, list[str]]] = [defaultdict(list) for _ in texts]
    for row in label_texts(reader, patterns).read_all().to_pylist():
        found[int(row["text_hash"])][row["atlas"]].append(row["label"])
    return found


def _in_full(text: str) -> str:
    for pattern, full in _IN_FULL:
        text = pattern.sub(full, text)
    return text


def _risks(found: Sequence[str], asks_risk: bool, has_kpi: bool) -> list[str]:
    own = [topic for topic in found if topic != GENERAL_RISK]
    if asks_risk:
        return own or [topic for topic in found if topic == GENERAL_RISK]
    return [] if has_kpi else own


def _scope(n_companies: int, n_years: int) -> str:
    if n_companies > 1:
        return "cross_company"
    return "cross_year" if n_years > 1 else "local"


def _outside(years: Sequence[YearMention], mentions: Sequence[Mention]) -> list[YearMention]:
    """Years that are no part of a company's name ("Forward 2020 Holdings"); both in text order."""
    outside: list[YearMention] = []
    place = 0
    for found in years:
        while place < len(mentions) and mentions[place].end <= found.start:
            place += 1
        if place == len(mentions) or found.start < mentions[place].start:
            outside.append(found)
    return outside


def _reported(filings: Iterable[Mapping[str, Any]]) -> dict[int | None, list[int]]:
    years: dict[int | None, set[int]] = defaultdict(set)
    for row in filings:
        if row["report_year"] is not None:
            years[row["cik_int"]].add(int(row["report_year"]))
            years[None].add(int(row["report_year"]))
    return {cik: sorted(found) for cik, found in years.items()}


def _years_of(ciks: Sequence[int], reported: Mapping[int | None, Sequence[int]]) -> list[int]:
    """Years with a filing of every company, or of any if there is none."""
    if not ciks:
        return list(reported.get(None, ()))
    filed = [set(reported.get(cik, ())) for cik in ciks]
    return sorted(set.intersection(*filed) or set().union(*filed))


def _check_ids(asked: Iterable[Mapping[str, Any]]) -> None:
    seen: set[str] = set()
    for row in asked:
        item = row["item_id"]
        if item is None or item in seen:
            raise ValueError(f"question {item} is there twice or has no id; give it one row.")
        seen.add(item)

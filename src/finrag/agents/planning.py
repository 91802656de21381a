"""What an agent looks for: one slot a company, year and measure or topic of the question.

Questions on filings come with their readings. Of a public set the question is all there is: its
companies and years are read with the set's own documents, and each kind of page that it asks for,
such as a balance sheet, is a slot with the words that such pages have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from finrag.agents.directory import Directory, Document
from finrag.agents.filing_slots import filing_slots
from finrag.agents.session import Asked
from finrag.agents.slots import Slot
from finrag.agents.titles import (
    ANNUAL,
    FORMS,
    RELEASE,
    Marks,
    is_expected,
    is_released,
    marks_of_question,
)
from finrag.agents.tools import KEYWORD_CHARACTERS, MAX_KEYWORDS, QUERY_CHARACTERS
from finrag.questions.texts import plain_text
from finrag.questions.topics import topic_text
from finrag.questions.years import find_years, years_asked

__all__ = ["MAX_SLOTS", "Directory", "Slot", "in_order_of_reading", "plan", "widened"]

MAX_SLOTS: Final = 24
# Kinds of page that are looked for; a question that seems to ask for more asks for none.
MAX_PAGE_KINDS: Final = 5
# Pages that a look at a slot reads: the first is often a summary of the statement that is wanted.
PAGES_READ: Final = 2
# An annual report states so many years before its own again.
YEARS_STATED_AGAIN: Final = 2


def plan(asked: Asked, directory: Directory) -> list[Slot]:
    """The slots of a question, in the order in which they are looked for; at most ``MAX_SLOTS``.

    On filings as ``filing_slots`` has them. On the
    pages of a public set as ``page_slots`` has them, unless a document is handed over: then the
    question's words are all that is looked for.
    """
    if directory.is_public and asked.query.document_id is None:
        return page_slots(asked, directory)[:MAX_SLOTS]
    return filing_slots(asked)[:MAX_SLOTS]


def page_slots(asked: Asked, directory: Directory) -> list[Slot]:
    """Slots of a question whose documents are only known by company, year and title.

    For each company, and each year whose report is needed, the topic of the question and each
    kind of page that it asks for. A report states the two years before its own again, so that
    only the last year of three is looked for; what was expected of a year stands in the report
    before it, too.

    Args:
        asked: the question; ``page_terms`` of its query are the words of the kinds of page.
        directory: documents of one public set.
    """
    text = plain_text(asked.query.text)
    named = directory.companies_named(text)
    mentions = find_years(text)
    companies: list[tuple[str, ...]] = [(one,) for one in sorted({name for *_, name in named})]
    spans = [(start, end) for start, end, _ in named]
    topic = topic_text(text, spans, [(one.start, one.end) for one in mentions])
    kinds = asked.query.page_terms if len(asked.query.page_terms) <= MAX_PAGE_KINDS else ()
    words = _packed(topic)
    slots = []
    for company in companies or [()]:
        filed = directory.years_of(company)
        asked_years = tuple(years_asked(text, mentions, False, False, filed))
        for years in _reports(asked_years, filed, is_expected(text)) or [()]:
            first = _groups(text, directory, company, years)
            slot = Slot(
                companies=company,
                years=years,
                sections=(),
                keywords=words,
                query=topic[:QUERY_CHARACTERS],
                asked_years=asked_years,
                first=first,
                n_read=PAGES_READ,
            )
            slots.append(slot)
            slots += [
                replace(
                    slot,
                    keywords=(*terms, *words)[:MAX_KEYWORDS],
                    query=" ".join(terms)[:QUERY_CHARACTERS],
                    is_worded=True,
                )
                for terms in kinds
            ]
    return slots


def in_order_of_reading(slot: Slot, chunk_ids: Iterable[str]) -> list[str]:
    """Chunks by the documents that the slot prefers; within these, and behind them, as given.

    Args:
        slot: the slot.
        chunk_ids: keys of chunks of a public set, a document with ``#`` and a number.
    """
    place = {document: n for n, group in enumerate(slot.first) for document in group}
    return sorted(chunk_ids, key=lambda one: place.get(one.rpartition("#")[0], len(slot.first)))


def widened(slot: Slot, n: int, directory: Directory) -> Slot | None:
    """The n-th rewording of a slot, from 1: next year's filing, all years, everything; else None.

    A later filing states the year before again, for comparison; it is passed over where there is
    none. A kind of page is in every report: other years do not help where neither year has it.
    Sections are left out from the first rewording on.
    """
    slot = replace(slot, sections=(), more=tuple(replace(one, sections=()) for one in slot.more))
    later = tuple(year + 1 for year in slot.years)
    wordings = []
    if slot.years and directory.find(slot.companies, later):
        wordings.append(replace(slot, years=later))
    if slot.years and not slot.is_worded:
        wordings.append(replace(slot, years=()))
    if slot.companies and not slot.is_worded:
        wordings.append(replace(slot, companies=(), years=()))
    return wordings[n - 1] if n <= len(wordings) else None


def _reports(
    asked: Sequence[int], filed: Sequence[int], is_of_expectations: bool
) -> list[tuple[int, ...]]:
    """Years of the reports that are looked into, the last first.

    Args:
        asked: years that the question names.
        filed: years with a report.
        is_of_expectations: whether what was expected of them is asked for.
    """
    reports: list[tuple[int, ...]] = []
    known = set(filed)
    last: int | None = None
    for year in sorted(asked, reverse=True):
        if last is not None and last - year <= YEARS_STATED_AGAIN:
            continue
        # Without a report of the year, the next one states it again.
        found = next((one for one in (year, year + 1) if one in known), None)
        if is_of_expectations and year - 1 in known:
            reports.append((year - 1,) if found is None else (year - 1, found))
        elif found is not None:
            reports.append((found,))
        if found is not None:
            last = found
    return list(dict.fromkeys(reports))


def _groups(
    text: str, directory: Directory, companies: Sequence[str], years: Sequence[int]
) -> tuple[frozenset[str], ...]:
    """Documents of some companies and years in groups, those first that fit what is said."""
    said, found = marks_of_question(text), directory.find(companies, years)
    forms = (RELEASE, *FORMS) if is_released(text) else FORMS
    within = [one for one in directory.documents if found is None or one.document_id in found]

    def misfit(one: Document) -> tuple[bool, bool, bool, int]:
        return _misfit(said, one.marks, forms)

    ordered = sorted(within, key=misfit)
    return tuple(
        frozenset(one.document_id for one in group) for _, group in groupby(ordered, key=misfit)
    )


def _misfit(said: Marks, has: Marks, forms: Sequence[str]) -> tuple[bool, bool, bool, int]:
    """How little a document fits a question: by day, form, quarter, and by the usual forms.

    Of a quarter no annual report tells, so that there the usual forms do not count.
    """
    usual = [forms.index(form) for form in has.forms if form in forms]
    return (
        bool(said.dates) and not said.dates & has.dates,
        bool(said.forms) and not said.forms & has.forms,
        bool(said.quarters) and not said.quarters & has.quarters,
        0 if said.quarters and ANNUAL not in said.forms else min(usual, default=len(forms)),
    )


def _packed(text: str) -> tuple[str, ...]:
    """All words of a text as keywords: single ones if they are few, else several to a keyword."""
    words = list(dict.fromkeys(text.split()))
    if len(words) <= MAX_KEYWORDS:
        return tuple(word[:KEYWORD_CHARACTERS] for word in words)
    packed = [""]
    for word in words:
        joined = f"{packed[-1]} {word}".strip()
        if len(joined) <= KEYWORD_CHARACTERS:
            packed[-1] = joined
        else:
            packed.append(word[:KEYWORD_CHARACTERS])
    return tuple(packed[:MAX_KEYWORDS])

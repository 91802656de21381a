"""Slots of a question on a public set whose documents are not handed over.

The question is all there is: its companies and years are read with the set's own documents. A
kind of page that it asks for, such as a balance sheet, is looked for in the words that such pages
have, whosever report it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from finrag.agents.directory import Directory, Document
from finrag.agents.session import Asked
from finrag.agents.slots import Slot, packed
from finrag.agents.titles import (
    ANNUAL,
    FORMS,
    RELEASE,
    Marks,
    is_expected,
    is_released,
    marks_of_question,
)
from finrag.agents.tools import MAX_KEYWORDS, QUERY_CHARACTERS
from finrag.questions.texts import plain_text
from finrag.questions.topics import topic_text
from finrag.questions.years import find_years, years_asked

# A question that seems to ask for more kinds of page than these asks for none of them.
MAX_PAGE_KINDS: Final = 5
# Pages that a look at a slot reads: the first may only sum up the statement that is wanted.
PAGES_READ: Final = 2
# An annual report states so many years before its own again.
YEARS_STATED_AGAIN: Final = 2


def page_slots(asked: Asked, directory: Directory) -> list[Slot]:
    """The topic of the question, and each kind of page that it asks for, by company and year.

    A report states the two years before its own again, so that only the last year of three is
    looked for; what was expected of a year stands in the report before it, too. Without a
    company or year that has documents all documents are looked into.

    Args:
        asked: the question; ``page_terms`` of its query are the words of the kinds of page.
        directory: documents of one public set.
    """
    text = plain_text(asked.query.text)
    named = directory.companies_named(text)
    mentions = find_years(text)
    spans = [(start, end) for start, end, _ in named]
    topic = topic_text(text, spans, [(one.start, one.end) for one in mentions])
    companies: list[tuple[str, ...]] = [(one,) for one in sorted({name for *_, name in named})]
    slots: list[Slot] = []
    for company in companies or [()]:
        filed = directory.years_of(company)
        years = tuple(years_asked(text, mentions, False, False, filed))
        for report in _reports(years, filed, is_expected(text)) or [()]:
            first = _groups(text, directory, company, report)
            slots += _slots(asked, topic, company, report, years, first)
    return slots


def _slots(
    asked: Asked,
    topic: str,
    companies: tuple[str, ...],
    report: tuple[int, ...],
    years: tuple[int, ...],
    first: tuple[frozenset[str], ...],
) -> Iterator[Slot]:
    """The topic in one report, and each kind of page."""
    words = packed(topic)

    def slot(keywords: tuple[str, ...], query: str, is_worded: bool) -> Slot:
        return Slot(
            companies=companies,
            years=report,
            sections=(),
            keywords=keywords[:MAX_KEYWORDS],
            query=query[:QUERY_CHARACTERS],
            asked_years=years,
            n_read=PAGES_READ,
            is_worded=is_worded,
            first=first,
        )

    yield slot(words, topic, False)
    kinds = asked.query.page_terms
    for terms in kinds if len(kinds) <= MAX_PAGE_KINDS else ():
        # A note is about something; a statement has words enough of its own.
        yield slot((*terms, *words), " ".join(terms), True)


def in_order_of_reading(slot: Slot, chunk_ids: Iterable[str]) -> list[str]:
    """Chunks by the documents that the slot prefers; within these, and behind them, as given.

    Args:
        slot: the slot.
        chunk_ids: keys of chunks; those of a public set are the document with ``#`` and a number.
    """
    place = {document: n for n, group in enumerate(slot.first) for document in group}
    return sorted(chunk_ids, key=lambda one: place.get(one.rpartition("#")[0], len(slot.first)))


def _reports(
    asked: Sequence[int], filed: Sequence[int], is_of_expectations: bool
) -> list[tuple[int, ...]]:
    """Years of the reports that are looked into, the last first.

    Args:
        asked: years that the question names.
        filed: years with a report.
        is_of_expectations: whether what was expected of them is asked for.
    """
    reports: dict[tuple[int, ...], None] = {}
    last: int | None = None
    for year in sorted(asked, reverse=True):
        if last is not None and last - year <= YEARS_STATED_AGAIN:
            continue
        # Without a report of the year, the next one states it again.
        found = next((one for one in (year, year + 1) if one in filed), None)
        last = last if found is None else found
        before = (year - 1,) if is_of_expectations and year - 1 in filed else ()
        years = before if found is None else (*before, found)
        if years:
            reports[years] = None
    return list(reports)


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

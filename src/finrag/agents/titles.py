"""What titles of documents say, and what questions say of documents: form, quarter, date.

The documents of a public set have no columns for these; their names do, such as
``ACME_2023Q2_10Q`` or ``ACME_2023_8K_dated-2023-08-30``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from finrag.questions.intents import forms_named
from finrag.records.vocabulary import read_vocabulary

# The form of what a company publishes beside its filings.
RELEASE: Final = "release"
ANNUAL: Final = "10-K"
# A question on a year is answered by the first of these that there is.
FORMS: Final = (ANNUAL, "20-F", RELEASE, "10-Q", "8-K")

_VOCABULARY: Final = read_vocabulary(__file__)
_YEAR: Final = _VOCABULARY.pattern("year")
_QUARTER: Final = _VOCABULARY.pattern("quarter", re.IGNORECASE)
_QUARTERS: Final = _VOCABULARY.tables["quarters"]
_DATE: Final = _VOCABULARY.pattern("date", re.IGNORECASE)
_RELEASE: Final = _VOCABULARY.pattern("release", re.IGNORECASE)
_RELEASE_TITLE: Final = _VOCABULARY.pattern("release_title", re.IGNORECASE)
_RELEASED: Final = _VOCABULARY.pattern("released", re.IGNORECASE)
_EXPECTED: Final = _VOCABULARY.pattern("expected", re.IGNORECASE)
_AFTER_COMPANY: Final = _VOCABULARY.pattern("after_company", re.IGNORECASE)
_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)


@dataclass(frozen=True)
class Marks:
    """What a title or a question says beside company and year.

    Attributes:
        forms: 10-K, 10-Q, 8-K, 20-F or ``RELEASE``.
        quarters: 1 to 4.
        dates: days in full.
    """

    forms: frozenset[str] = frozenset()
    quarters: frozenset[int] = frozenset()
    dates: frozenset[date] = frozenset()


def marks_of_title(title: str) -> Marks:
    """The marks of a document by its title; words may be joined by underscores."""
    text = title.replace("_", " ")
    forms = frozenset(forms_named(text))
    if not forms and _RELEASE_TITLE.search(text):
        forms = frozenset({RELEASE})
    return Marks(forms, _quarters(text), _dates(text))


def marks_of_question(text: str) -> Marks:
    """The marks that a plain text asks for."""
    forms = frozenset(forms_named(text))
    if _RELEASE.search(text):
        forms |= {RELEASE}
    return Marks(forms, _quarters(text), _dates(text))


def company_in_title(title: str) -> str | None:
    """The company that a title begins with; None where it is no name of a report.

    A report's name has a year and a form, a quarter or a date; ``ACME_2023_10K`` is one of
    ACME. An article called after a year is none.
    """
    marks = marks_of_title(title)
    text = " ".join(title.replace("_", " ").split())
    if not _YEAR.search(text) or not (marks.forms or marks.quarters or marks.dates):
        return None
    # A name such as 10K Foods would leave nothing.
    return _AFTER_COMPANY.sub("", text, count=1).strip(" -,.") or None


def is_released(text: str) -> bool:
    """Whether a question asks for what companies say in releases: adjusted figures, outlooks."""
    return _RELEASED.search(text) is not None or _EXPECTED.search(text) is not None


def is_expected(text: str) -> bool:
    """Whether a question asks what was expected of a year, as the report before it says."""
    return _EXPECTED.search(text) is not None


def _quarters(text: str) -> frozenset[int]:
    found = (next(group for group in match.groups() if group) for match in _QUARTER.finditer(text))
    return frozenset(int(_QUARTERS.get(one.lower(), one)) for one in found)


def _dates(text: str) -> frozenset[date]:
    return frozenset(day for match in _DATE.finditer(text) if (day := _day(match)) is not None)


def _day(match: re.Match[str]) -> date | None:
    """The day; None for the 31st of June."""
    year, month, day, named, day_behind, year_behind, day_before, named_behind, last = (
        match.groups()
    )
    name = named or named_behind
    if name:
        month = str(1 + _MONTHS.index(name[:3].lower()))
        year, day = year_behind or last, day_behind or day_before
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None

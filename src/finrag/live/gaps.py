"""Says what a question asks for that the corpus does not hold: a company, a year."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finrag.live.which import Which, asks_which
from finrag.records.vocabulary import read_vocabulary

# A filing states the two years before its own for comparison.
COMPARED_YEARS: Final = 2
SHOWN_COMPANIES: Final = 10
_VOCABULARY: Final = read_vocabulary(__file__)
_NAMED: Final = _VOCABULARY.pattern("named")
_NO_NAMES: Final = _VOCABULARY.words["no_names"]


@dataclass(frozen=True)
class Filed:
    """What the corpus holds.

    Attributes:
        names: of its companies, by their number.
        filings: company and fiscal year of each.
    """

    names: Mapping[int, str]
    filings: Collection[tuple[int, int]]

    def years(self, cik: int) -> list[int]:
        """Fiscal years of which a company's filing is held, ascending."""
        return sorted(year for owner, year in self.filings if owner == cik)


def missing(text: str, read: Mapping[str, Any], filed: Filed) -> str:
    """Why nothing in the corpus can answer, in one sentence; "" where something may.

    Nothing can where the question names another company alone, or where each year that it asks
    about lies behind a company's last filing or more than ``COMPARED_YEARS`` before its first.

    Args:
        text: the question.
        read: its row of ``parsed_questions``.
        filed: what the corpus holds.
    """
    if not read["cik_ints"]:
        name = None if asks_which(text) else other_company(text)
        if name is None:
            return ""
        return f"The corpus holds no filing of {name}; it holds filings of {_companies(filed)}."
    for cik in read["cik_ints"]:
        years = filed.years(cik)
        asked = read["years"]
        if not years or not asked:
            continue
        if all(year > years[-1] or year < years[0] - COMPARED_YEARS for year in asked):
            return _no_filing(cik, asked, filed)
    return ""


def notes(read: Mapping[str, Any], filed: Filed, asked: Which | None) -> tuple[str, ...]:
    """Warnings: no company was read, or a year has no filing.

    Args:
        read: a row of ``parsed_questions``.
        filed: what the corpus holds.
        asked: set where the question is put about each company.
    """
    if asked is not None:
        return (asked.note,)
    if not read["cik_ints"]:
        return (
            "The question does not seem to name a company of this corpus. Systems that filter "
            "search all filings that fit its years; the extractive answerer declines if it finds "
            f"passages of several companies. Name one or more of: {_companies(filed)}.",
        )
    found = []
    for cik in read["cik_ints"]:
        absent = [year for year in read["years"] if (cik, year) not in filed.filings]
        if absent:
            found.append(_no_filing(cik, absent, filed))
    return tuple(found)


def other_company(text: str) -> str | None:
    """A name that a question uses as a company's; None where it uses none.

    For a question of which no company was read: the name is one that no filing of the corpus
    is of.
    """
    for found in _NAMED.finditer(text):
        name = re.sub(r"['’]s$", "", next(one for one in found.groups() if one))
        words = [word for word in re.split(r"[\s&.,-]+", name) if word]
        if any(word.lower() not in _NO_NAMES and not word.isdigit() for word in words):
            return name
    return None


def years_said(years: Sequence[int]) -> str:
    """Years in words: "2019 to 2023", "2019, 2021 and 2022"."""
    if len(years) > 2 and list(years) == list(range(years[0], years[-1] + 1)):
        return f"{years[0]} to {years[-1]}"
    return " and ".join(filter(None, [", ".join(map(str, years[:-1])), str(years[-1])]))


def _no_filing(cik: int, absent: Sequence[int], filed: Filed) -> str:
    name, years = filed.names.get(cik, str(cik)), filed.years(cik)
    if not years:
        return f"The corpus holds no filing of {name}."
    noun = "fiscal years" if len(years) > 1 else "fiscal year"
    return (
        f"The corpus holds filings of {name} for {noun} {years_said(years)}, "
        f"none for {years_said(absent)}."
    )


def _companies(filed: Filed) -> str:
    shown = sorted(filed.names.values())
    more = len(shown) - SHOWN_COMPANIES
    return ", ".join(shown[:SHOWN_COMPANIES]) + (f" and {more} more" if more > 0 else "")

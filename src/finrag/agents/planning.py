"""What an agent looks for: one slot a company, year and measure or topic of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from finrag.agents.directory import Company, Directory
from finrag.agents.session import Asked
from finrag.agents.tools import KEYWORD_CHARACTERS, MAX_KEYWORDS, QUERY_CHARACTERS

__all__ = ["MAX_SLOTS", "Directory", "Slot", "plan", "widened"]

MAX_SLOTS: Final = 24


@dataclass(frozen=True)
class Slot:
    """One thing to be found.

    Attributes:
        companies: names or keys of companies; none for all.
        years: years of reports; none for all.
        sections: sections; none for all.
        keywords: words for the search by words.
        query: text for the search by meaning.
        asked_companies: Central Index Keys that the answer is about, whatever is searched.
        asked_years: years that the answer is about, whatever is searched.
    """

    companies: tuple[Company, ...]
    years: tuple[int, ...]
    sections: tuple[str, ...]
    keywords: tuple[str, ...]
    query: str
    asked_companies: tuple[int, ...] = ()
    asked_years: tuple[int, ...] = ()


def plan(asked: Asked, directory: Directory) -> list[Slot]:
    """One slot a company and year that was read; one in all where none was."""
    del directory
    query = asked.query
    companies: Sequence[tuple[int, ...]] = [(cik,) for cik in query.companies] or [()]
    years: Sequence[tuple[int, ...]] = [(year,) for year in query.years] or [()]
    slots = [
        Slot(
            companies=company,
            years=year,
            sections=(),
            keywords=_keywords(query.measured or query.topic or query.text),
            query=(query.topic or query.text)[:QUERY_CHARACTERS],
            asked_companies=company,
            asked_years=year,
        )
        for company, year in product(companies, years)
    ]
    return slots[:MAX_SLOTS]


def widened(slot: Slot, n: int, directory: Directory) -> Slot | None:
    """The n-th rewording of a slot, from 1: next year's filing, all years, everything; else None.

    A later filing states the year before again, for comparison.
    """
    del directory
    if n == 1 and slot.years:
        return replace(slot, years=tuple(year + 1 for year in slot.years))
    if n == 2 and slot.years:
        return replace(slot, years=())
    if n == 3 and slot.companies:
        return replace(slot, companies=(), years=())
    return None


def _keywords(text: str) -> tuple[str, ...]:
    words = dict.fromkeys(word.strip(".,;:?!\"'()") for word in text.split())
    return tuple(word[:KEYWORD_CHARACTERS] for word in words if word)[:MAX_KEYWORDS]

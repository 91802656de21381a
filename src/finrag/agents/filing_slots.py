"""Slots of a question on filings: one a company and year, searched for in the words of answers.

A filing answers in its own words: who asks for a figure is answered by "Revenue was ... million,
compared with ...", who asks why by "The increase was mainly due to ...". Searches by meaning find
such sentences best by sentences like them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from finrag.agents.session import Asked
from finrag.agents.slots import Slot, Wording, keywords_of
from finrag.agents.tools import MAX_KEYWORDS, QUERY_CHARACTERS
from finrag.retrieval.queries import Query
from finrag.systems.algorithm import THEMATIC_SECTIONS

# How sentences that answer are worded, by what is asked; see ``retrieval.stated``.
STATEMENTS: Final = {
    "figure": (
        "{measure} was $ million in fiscal {year}, compared with $ million the year before.",
        "In fiscal {year}, {measure} totaled $ million, versus $ million in the prior year.",
    ),
    "cause": (
        "The increase in {measure} was mainly due to",
        "The decrease in {measure} was driven by",
    ),
    "definition": ("{measure} means, is defined as",),
}
# Where management says why figures changed; the statements themselves repeat them without reasons.
EXPLAINED: Final = ("ITEM_7",)
# Words that lead in a cause.
CAUSE_WORDS: Final = ("due", "driven", "result", "because")
# Chunks that a look at a slot reads.
CHUNKS_READ: Final = 2
# Names of a measure that causes are looked for by.
MEASURES_WORDED: Final = 2


def filing_slots(asked: Asked) -> list[Slot]:
    """One slot a company and year that was read; one in all where none was.

    A question about sections of ``THEMATIC_SECTIONS`` alone is looked for there, by its topic.
    """
    query = asked.query
    companies: Sequence[tuple[int, ...]] = [(cik,) for cik in query.companies] or [()]
    years: Sequence[tuple[int, ...]] = [(year,) for year in query.years] or [()]
    return [_slot(query, company, year) for company, year in product(companies, years)]


def _slot(query: Query, company: tuple[int, ...], year: tuple[int, ...]) -> Slot:
    sections = tuple(sorted(query.section_names))
    is_thematic = bool(sections) and query.section_names <= THEMATIC_SECTIONS
    topic = Wording(keywords_of(query.topic), query.topic[:QUERY_CHARACTERS])
    full = Wording(keywords_of(query.plain), query.plain[:QUERY_CHARACTERS])
    if is_thematic:
        wordings = [replace(topic, sections=sections)]
    elif "cause" in query.asked:
        words = [*_statements(query, year), topic, full]
        wordings = [replace(one, sections=EXPLAINED) for one in words]
    elif "figure" in query.asked:
        # The question in full brings up rows before sentences.
        wordings = [topic, *_statements(query, year)]
    else:
        wordings = [topic, *_statements(query, year), full]
    first, *more = wordings
    return Slot(
        companies=company,
        years=year,
        sections=first.sections,
        keywords=first.keywords,
        query=first.query,
        asked_companies=company,
        asked_years=year,
        n_read=CHUNKS_READ,
        more=tuple(more),
    )


def _statements(query: Query, year: tuple[int, ...]) -> Iterator[Wording]:
    sections = tuple(sorted(query.section_names))
    measures = query.measures[:MEASURES_WORDED] or (query.topic,)
    for asked in sorted(query.asked):
        names = measures if asked == "cause" else (query.topic,)
        for measure, statement in product(names, STATEMENTS[asked]):
            worded = statement.format(measure=measure, year=" ".join(map(str, year)))
            yield Wording((), worded[:QUERY_CHARACTERS], sections)
    if "cause" in query.asked:
        words = keywords_of(measures[0])[: MAX_KEYWORDS - len(CAUSE_WORDS)]
        yield Wording((*words, *CAUSE_WORDS), "", sections)

"""What an agent looks for: one slot a company, year and measure or topic of the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from finrag.agents.context_slots import context_slots
from finrag.agents.directory import Directory
from finrag.agents.filing_slots import filing_slots
from finrag.agents.page_slots import page_slots
from finrag.agents.session import Asked
from finrag.agents.slots import Slot

MAX_SLOTS: Final = 24


def plan(asked: Asked, directory: Directory) -> list[Slot]:
    """The slots of a question, in the order in which they are looked for.

    A public set hands a document over, or nothing is known but the question. Of a report with
    pages the kinds of page are looked for in either case; a short context is searched as it is.
    """
    document = asked.query.document_id
    if not directory.is_public:
        slots = filing_slots(asked)
    elif document is None:
        slots = page_slots(asked, directory)
    elif directory.has_pages:
        slots = page_slots(asked, directory.only(document))
    else:
        slots = context_slots(asked)
    return slots[:MAX_SLOTS]


def widened(slot: Slot, n: int, directory: Directory) -> Slot | None:
    """The n-th rewording of a slot, from 1; None where there are no more.

    First come its own other words, then next year's filing, all years, everything.

    A later filing states the year before again, for comparison; it is passed over where there is
    none. Sections are left out from the first on. A kind of page is in every report: other years
    do not help where neither year has it.
    """
    anywhere = replace(
        slot, sections=(), more=tuple(replace(one, sections=()) for one in slot.more)
    )
    later = tuple(year + 1 for year in slot.years)
    wordings = [
        replace(slot, keywords=one.keywords, query=one.query, more=()) for one in slot.again
    ]
    if slot.years and directory.find(slot.companies, later):
        wordings.append(replace(anywhere, years=later))
    if slot.years and not slot.is_worded:
        wordings.append(replace(anywhere, years=()))
    if slot.companies and not slot.is_worded:
        wordings.append(replace(anywhere, companies=(), years=()))
    return wordings[n - 1] if n <= len(wordings) else None

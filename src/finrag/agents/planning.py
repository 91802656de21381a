"""What an agent looks for: one slot a company, year and measure or topic of the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from finrag.agents.directory import Directory
from finrag.agents.filing_slots import filing_slots
from finrag.agents.session import Asked
from finrag.agents.slots import Slot

MAX_SLOTS: Final = 24


def plan(asked: Asked, directory: Directory) -> list[Slot]:
    """The slots of a question, in the order in which they are looked for."""
    del directory
    return filing_slots(asked)[:MAX_SLOTS]


def widened(slot: Slot, n: int, directory: Directory) -> Slot | None:
    """The n-th rewording of a slot, from 1: next year's filing, all years, everything; else None.

    A later filing states the year before again, for comparison. Sections are left out from the
    first on.
    """
    del directory
    anywhere = replace(
        slot, sections=(), more=tuple(replace(one, sections=()) for one in slot.more)
    )
    if n == 1 and slot.years:
        return replace(anywhere, years=tuple(year + 1 for year in slot.years))
    if n == 2 and slot.years:
        return replace(anywhere, years=())
    if n == 3 and slot.companies:
        return replace(anywhere, companies=(), years=())
    return None

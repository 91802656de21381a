"""Gates that were judged."""

from __future__ import annotations

import datetime
from typing import Final, NamedTuple

from finrag.metrics.gated.expected import Gate
from finrag.metrics.gated.figures import Figure


class Waiver(NamedTuple):
    """Why a breach is accepted, and up to which day."""

    reason: str | None
    until: datetime.date | None


NO_WAIVER: Final = Waiver(None, None)


class Judged(NamedTuple):
    """A gate with its figure, its verdict, and why it is broken or undecided if it is."""

    gate: Gate
    figure: Figure
    value: float | None
    verdict: str
    breach: str | None
    null_value: float | None
    waiver: Waiver
    is_unrecognised: bool = False

"""When the server's own evaluations are due."""

from __future__ import annotations

import datetime
from typing import Final

from finrag.command.serving.settings import Schedule

_MONTHS: Final = {"nightly": range(1, 13), "monthly": range(1, 13), "quarterly": (1, 4, 7, 10)}


def last_due(schedule: Schedule, now: datetime.datetime) -> datetime.datetime:
    """The last time, up to now, at which a schedule was due.

    Nightly is due each day, monthly on the first of each month, quarterly on the first of January,
    April, July and October.

    Args:
        schedule: what is due.
        now: in UTC.
    """
    day = now.date()
    if now.time() < schedule.at:
        day -= datetime.timedelta(days=1)
    if schedule.every != "nightly":
        day = day.replace(day=1)
    while day.month not in _MONTHS[schedule.every]:
        day = (day - datetime.timedelta(days=1)).replace(day=1)
    return datetime.datetime.combine(day, schedule.at, datetime.UTC)

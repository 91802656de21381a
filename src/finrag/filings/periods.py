"""Periods: what headers, labels and captions name, and how a filing counts its years."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from finrag.filings.headers import is_statement, shows_money
from finrag.filings.model import Block, Context
from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS, NUMBER_WORDS
from finrag.text.scales import names_money, read_scales

_MONTHS: Final = {name[:3]: number for name, number in MONTH_NUMBERS.items()}
_MONTH: Final = "|".join(f"{name}|{name[:3]}" for name in MONTH_NUMBERS)
_VOCABULARY: Final = read_vocabulary(__file__, month=f"(?:{_MONTH}|sept)")
_DOCUMENT_SCALE: Final = _VOCABULARY.pattern("document_scale")
_YEAR: Final = _VOCABULARY.pattern("year")
_DAY: Final = _VOCABULARY.pattern("day")
_DAY_FIRST: Final = _VOCABULARY.pattern("day_first")
_NUMERIC_DAY: Final = _VOCABULARY.pattern("numeric_day")
_MONTH_YEAR: Final = _VOCABULARY.pattern("month_year")
_DURATIONS: Final = {
    name: _VOCABULARY.pattern(name) for name in ("months", "weeks", "quarter", "annual")
}
_FLOW: Final = _VOCABULARY.pattern("flow")
_EDGE_DAY: Final = _VOCABULARY.pattern("edge_day")
_CLOSING: Final = _VOCABULARY.pattern("closing")
_OPENING: Final = _VOCABULARY.pattern("opening")
_PERIOD_ROW: Final = _VOCABULARY.pattern("period_row")
_BALANCE_ROW: Final = _VOCABULARY.pattern("balance_row")
_INSTANT: Final = _VOCABULARY.pattern("instant")
_CHANGE: Final = _VOCABULARY.pattern("change")
_DIGIT: Final = re.compile(r"[0-9]")
_NAMED_YEAR: Final = re.compile(r"(?:Fiscal )?(?:19|20)[0-9]{2}")
_COVER_PERIOD: Final = _VOCABULARY.pattern("cover_period")
_LONG: Final = 400
# Blocks from a statement on among which its table begins.
_NEAR: Final = 6
# How far a cover page reaches, and a day behind the words that announce it.
_COVER_BLOCKS: Final = 80
_COVER_LENGTH: Final = 8_000
_COVER_DAY: Final = 32
_COUNTS: Final = {
    **NUMBER_WORDS,
    **{"thirteen": 13, "fourteen": 14, "twenty-six": 26, "twenty-seven": 27},
    **{"thirty-nine": 39, "forty": 40, "fifty-two": 52, "fifty-three": 53},
}
# How far the last day of a fiscal year may be from the same day of another year.
_DRIFT: Final = 8
# A header that names a later day says when something falls due, not what period it is of.
_AHEAD: Final = timedelta(days=31)


_Days: TypeAlias = frozenset[tuple[int | None, int, int]]


class Period(NamedTuple):
    """A period, or an instant without a start."""

    start: date | None
    end: date


def fiscal_year(day: date) -> int:
    """The year that a fiscal year which ends on a day is called by; 1 to 7 January count back."""
    return day.year - (day.month == 1 and day.day <= 7)


def year_end(year: int, context: Context) -> date | None:
    """The last day of a fiscal year by its name; null where the filing's own period is unknown."""
    if (known := context.year_ends.get(year)) is not None:
        return known
    last = context.period_end
    if last is None:
        return None
    return _same_day(last, last.year + year - fiscal_year(last))


def _same_day(day: date, year: int) -> date:
    is_last = day.day == calendar.monthrange(day.year, day.month)[1]
    most = calendar.monthrange(year, day.month)[1]
    return date(year, day.month, most if is_last else min(day.day, most))


def read_period(text: str, around: str, context: Context) -> Period | None:
    """The one period that a text names: headers from the outside to the inside, or a label.

    A day without a year takes the one year that the text names, a year without a day the last day
    of the fiscal year. A text that names more than one period, or compares, names none.

    Args:
        text: what the headers say, joined.
        around: what the caption says, which tells balances from flows where the headers do not.
        context: what the filing says.

    Returns:
        The period; null where there is none, or where it ends after what the filing reports on.
    """
    lower = text.lower()[:_LONG]
    days, years = _days_and_years(lower)
    if not (days or years) or _CHANGE.search(lower):
        return None
    end = _end(lower, days, years, around.lower()[:_LONG], context)
    if end is None or (context.period_end is not None and end > context.period_end + _AHEAD):
        return None
    return Period(_start(lower, around.lower(), end, context, is_bare=not days), end)


def _end(lower: str, days: _Days, years: Set[int], around: str, context: Context) -> date | None:
    """The last day that a text means; null where it means none or more than one."""
    full = [day for day in days if day[0] is not None]
    if full:
        return _date(*full[0]) if len(full) == 1 else None
    if len(years) != 1 or len(days) > 1:
        return None
    (year,) = years
    for _, month, number in days:
        return _date(year, month, number)
    if _DURATIONS["quarter"].search(lower):
        return None
    if not context.year_ends:
        near = {day for one in _days_and_years(around)[0] if (day := _date(*one))}
        near = {day for day in near if fiscal_year(day) == year}
        if len(near) == 1:
            return near.pop()
    return year_end(year, context)


@lru_cache(maxsize=4096)
def names_period(text: str) -> bool:
    """Whether a text names a day or a year."""
    return any(_days_and_years(text.lower()[:_LONG]))


@lru_cache(maxsize=4096)
def is_period_row(label: str) -> bool:
    """Whether the label of a row is a period or a day, perhaps of a balance, and nothing else."""
    is_dated = len(label) < _LONG and _DIGIT.search(label) is not None
    return is_dated and _PERIOD_ROW.fullmatch(label.lower()) is not None


@lru_cache(maxsize=4096)
def is_balance_row(label: str) -> bool:
    """Whether the label of a row begins with a balance: the row opens or closes a period."""
    lower = label.lower()
    may_be = len(label) < _LONG and ("balance" in lower or _DIGIT.search(lower) is not None)
    return may_be and _BALANCE_ROW.match(lower) is not None


def at_edge(label: str, period: Period, context: Context) -> Period:
    """The instant that a row is of, where its label says that it opens or closes the period.

    "Cash at beginning of year" under "2023" is cash on the last day of 2022.
    """
    edge = _edge(label)
    if edge is None:
        return period
    if edge == "closing":
        return Period(None, period.end)
    if edge == "opening":
        start = period.start or _year_start(period.end, context)
        return Period(None, start - timedelta(days=1))
    days = (_date(period.end.year - back, *edge) for back in (0, 1))
    day = next((day for day in days if day is not None and day <= period.end), None)
    return period if day is None else Period(None, _evening(day, context))


@lru_cache(maxsize=4096)
def _edge(label: str) -> Literal["closing", "opening"] | tuple[int, int] | None:
    """Whether a label opens or closes a period, or the month and day that it ends with."""
    lower = label.lower()[:_LONG]
    if _CLOSING.search(lower):
        return "closing"
    if (day := _EDGE_DAY.search(lower)) is not None:
        return _MONTHS[day[1][:3]], int(day[2])
    return "opening" if _OPENING.search(lower) else None


def read_balance_day(label: str, context: Context) -> Period | None:
    """The day that the label of a balance names."""
    period = read_period(label, "", context)
    return None if period is None else Period(None, _evening(period.end, context))


def _evening(day: date, context: Context) -> date:
    """The day before, where books are closed on that: 31 December for 1 January."""
    ends = (context.period_end, *context.year_ends.values())
    before = day - timedelta(days=1)
    if day in ends or (day in context.days and before not in context.days):
        return before if before in ends and day not in ends else day
    return before if before in ends or day.day == 1 else day


@lru_cache(maxsize=4096)
def _days_and_years(lower: str) -> tuple[_Days, frozenset[int]]:
    """Days as year, month, day (the year null where it is not beside them), and bare years."""
    if not _DIGIT.search(lower):
        return frozenset(), frozenset()
    days: set[tuple[int | None, int, int]] = set()
    rest = lower
    for pattern, order in ((_DAY, (3, 1, 2)), (_DAY_FIRST, (3, 2, 1)), (_NUMERIC_DAY, (3, 1, 2))):
        found = list(pattern.finditer(rest))
        for match in found:
            year, month, day = (match[place] for place in order)
            number = int(month) if month.isdigit() else _MONTHS[month[:3]]
            full = None if year is None else int(year) + (2000 if len(year) == 2 else 0)
            days.add((full, number, int(day)))
        rest = pattern.sub(" ", rest) if found else rest
    for match in _MONTH_YEAR.finditer(rest):
        month, year = _MONTHS[match[1][:3]], int(match[2])
        days.add((year, month, calendar.monthrange(year, month)[1]))
    rest = _MONTH_YEAR.sub(" ", rest)
    return frozenset(days), frozenset(int(match[1]) for match in _YEAR.finditer(rest))


def _date(year: int | None, month: int, day: int) -> date | None:
    try:
        return None if year is None else date(year, month, day)
    except ValueError:
        return None


def _start(lower: str, around: str, end: date, context: Context, *, is_bare: bool) -> date | None:
    """The first day of the period that ends on a day; null for an instant."""
    for text in (lower, around) if is_bare else (lower,):
        if (match := _DURATIONS["months"].search(text)) is not None:
            return _months_before(end, int(_COUNTS.get(match[1], 0) or match[1]), context)
        if (match := _DURATIONS["weeks"].search(text)) is not None:
            return end - timedelta(days=7 * int(_COUNTS.get(match[1], 0) or match[1]) - 1)
        if _INSTANT.search(text):
            return None
        if _DURATIONS["quarter"].search(text):
            return _months_before(end, 3, context)
        if _DURATIONS["annual"].search(text) or _FLOW.search(text):
            return _year_start(end, context)
    return None


def _year_start(end: date, context: Context) -> date:
    """The first day of a fiscal year that ends on a day."""
    before = context.year_ends.get(_label(end, context) - 1)
    # A filer that moved the end of its year has earlier years that end on another day.
    is_year = before is not None and abs((end - before).days - 365) <= _DRIFT
    return before + timedelta(days=1) if before and is_year else _months_before(end, 12, context)


def _label(end: date, context: Context) -> int:
    return next((year for year, day in context.year_ends.items() if day == end), fiscal_year(end))


def _months_before(end: date, months: int, context: Context) -> date:
    """The first day of so many months that end on a day.

    Where quarters end on days of the week, the filing names the last day before: it is known.
    """
    after = end + timedelta(days=1)
    place = after.year * 12 + after.month - 1 - months
    year, month = place // 12, place % 12 + 1
    start = date(year, month, min(after.day, calendar.monthrange(year, month)[1]))
    if after.day == 1:
        return start
    near = (start + timedelta(days=step) for step in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6))
    return next((day for day in near if day - timedelta(days=1) in context.days), start)


def read_cover_period(blocks: Sequence[Block]) -> date | None:
    """Last day of the period that the cover page prints: "For the fiscal year ended …".

    Args:
        blocks: of the document that is the form; of them the first are read.

    Returns:
        The day; null where no such words are followed by one.
    """
    texts: list[str] = []
    for block in blocks[:_COVER_BLOCKS]:
        cells = block.grid.cells[:_COVER_BLOCKS] if block.grid is not None else ()
        texts += [block.text[:_LONG], *(cell.text[:_LONG] for cell in cells)]
    lower = " ".join(" ".join(texts)[:_COVER_LENGTH].lower().split())
    for match in _COVER_PERIOD.finditer(lower):
        found = _days_and_years(lower[match.end() : match.end() + _COVER_DAY])[0]
        days = {day for one in found if (day := _date(*one)) is not None}
        if len(days) == 1:
            return days.pop()
    return None


def document_context(blocks: Sequence[Block], period_end: date | None, form: str) -> Context:
    """What a whole document says: its scale, and the days on which its fiscal years end.

    Its scale is what it says once for all, else the only one that it states, if more than one
    statement is of money.

    Args:
        blocks: of the document.
        period_end: last day of the period that the filing reports on; null where unknown.
        form: such as 10-K.
    """
    scales: Counter[int] = Counter()
    n_of_money = 0
    said: int | None = None
    days: Counter[date] = Counter()
    years: Counter[int] = Counter()
    for number, block in enumerate(blocks):
        texts = [block.text]
        if block.grid is not None:
            texts = [cell.text for cell in block.grid.cells if cell.row <= 5 or not cell.column]
            years.update(int(text[-4:]) for text in texts if _NAMED_YEAR.fullmatch(text))
        for text in texts:
            if len(text) > _LONG:
                continue
            scale = read_scales(text)
            if scale is not None and scale.amounts is not None and is_statement(text):
                scales[scale.amounts] += 1
                n_of_money += names_money(text) or _heads_money(blocks, number)
                if _DOCUMENT_SCALE.search(text.lower()):
                    said = scale.amounts
            if period_end is not None and ("20" in text or "19" in text) and _YEAR.search(text):
                found = _days_and_years(text.lower())[0]
                days.update(day for one in found if (day := _date(*one)) is not None)
    scale_of_all = said
    if said is None and len(scales) == 1 and n_of_money > 1:
        scale_of_all = next(iter(scales))
    ends = {} if period_end is None else _year_ends(period_end, days, years, form)
    return Context(period_end, form, scale_of_all, ends, frozenset(days))


def _heads_money(blocks: Sequence[Block], number: int) -> bool:
    """Whether the table that a block is, or that follows soon, shows money; so if there is none."""
    near = blocks[number : number + _NEAR]
    return next((shows_money(one.grid) for one in near if one.grid is not None), True)


def _year_ends(
    last: date, days: Mapping[date, int], years: Mapping[int, int], form: str
) -> dict[int, date]:
    """Last days of fiscal years by the years they are called by, as the filing's dates show.

    A year that ends early in a year may be called by the year before: so it is where hardly any
    header names the later year.
    """
    if not form.upper().startswith("10-K") and not form.upper().startswith("10K"):
        return {}
    name = fiscal_year(last)
    if name == last.year and last.month <= 6 and years.get(name, 0) * 5 < years.get(name - 1, 0):
        name -= 1
    seen: dict[int, tuple[int, date]] = {}
    for day, count in days.items():
        back = round((last - day).days / 365.25)
        usual = _same_day(last, last.year - back)
        # Years of 52 or 53 weeks end on the same day of the week.
        fits = day == usual or day.weekday() == last.weekday()
        if fits and abs((usual - day).days) <= _DRIFT and -1 < back < 10:
            seen[back] = max(seen.get(back, (0, last)), (count, day))
    drifts = any(day != _same_day(last, last.year - back) for back, (_, day) in seen.items())
    ends = {name - back: _year_before(last, back, drifts=drifts) for back in range(10)}
    return {**ends, **{name - back: day for back, (_, day) in seen.items()}}


def _year_before(last: date, back: int, *, drifts: bool) -> date:
    usual = _same_day(last, last.year - back)
    ahead = (last.weekday() - usual.weekday()) % 7
    return usual + timedelta(days=ahead if ahead < 4 else ahead - 7) if drifts else usual

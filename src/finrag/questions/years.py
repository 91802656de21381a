"""Which fiscal years a question names.

A year is a number from 1950 to 2059 that stands for a year: not an amount, a count, a standard or
a maturity. Two digits are a year behind "FY" or "fiscal", behind an apostrophe, or as the end of
a range ("2018-20"). The year of a date counts as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import NUMBER_WORDS

FIRST_YEAR: Final = 1950
LAST_YEAR: Final = 2059
# Longer spans than this are two years, not a range.
MAX_RANGE: Final = 40

_VOCABULARY: Final = read_vocabulary(__file__)
_YEAR: Final = _VOCABULARY.pattern("year", re.IGNORECASE)
_AMOUNT_AFTER: Final = _VOCABULARY.pattern("amount_after", re.IGNORECASE)
_NAME_AFTER: Final = _VOCABULARY.pattern("name_after", re.IGNORECASE)
_NOT_BEFORE: Final = _VOCABULARY.pattern("not_before", re.IGNORECASE)
_DATE_BEFORE: Final = re.compile(r"[0-9]{1,2}[./][0-9]{1,2}[./]$")
_DATE_AFTER: Final = re.compile(r"[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?![0-9])")
_SPELLED: Final = _VOCABULARY.pattern("spelled", re.IGNORECASE)
_OPEN: Final = _VOCABULARY.pattern("open", re.IGNORECASE)
_AND: Final = _VOCABULARY.pattern("and", re.IGNORECASE)
_BETWEEN: Final = _VOCABULARY.pattern("between", re.IGNORECASE)
_LISTED: Final = _VOCABULARY.pattern("listed", re.IGNORECASE)
_SHORT_RANGE_GAP: Final = re.compile(r" ?[-/] ?'?")
_EACH: Final = _VOCABULARY.pattern("each", re.IGNORECASE)
_FILING_AFTER: Final = _VOCABULARY.pattern("filing_after", re.IGNORECASE)
_FILING_BEFORE: Final = _VOCABULARY.pattern("filing_before", re.IGNORECASE)
_COMPARES: Final = _VOCABULARY.pattern("compares", re.IGNORECASE)
_SINCE: Final = _VOCABULARY.pattern("since", re.IGNORECASE)
_LATEST: Final = _VOCABULARY.pattern("latest", re.IGNORECASE)
_LAST_FEW: Final = _VOCABULARY.pattern("last_few", re.IGNORECASE)
_LAST: Final = _VOCABULARY.pattern("last", re.IGNORECASE)
_BEFORE_LAST: Final = _VOCABULARY.pattern("before_last", re.IGNORECASE)
_YEAR_BEFORE: Final = _VOCABULARY.pattern("year_before", re.IGNORECASE)
_COUNTED_BACK: Final = (_LATEST, _LAST_FEW, _BEFORE_LAST, _LAST, _YEAR_BEFORE)


@dataclass(frozen=True, slots=True)
class YearMention:
    """One year named in a text, ``text[start:end]`` with its "FY"; whether it names a filing."""

    start: int
    end: int
    year: int
    names_filing: bool


def find_years(text: str) -> list[YearMention]:
    """The years that a plain text names, in text order; ranges are not filled yet."""
    found: list[YearMention] = []
    date_end = 0
    for match in _YEAR.finditer(text):
        start, end = match.start(2), match.end(2)
        if start < date_end:
            continue
        date = _DATE_AFTER.match(text, end)
        if date is not None and len(match[2]) == 4:
            date_end = date.end()
        previous = found[-1] if found else None
        year = _year(text, match, previous, date is not None)
        if year is not None:
            names_filing = _names_filing(text, match.start(), end)
            last = end + 2 if text[end : end + 2] == "'s" else max(end, date_end)
            found.append(YearMention(_front(match), last, year, names_filing))
    return found


def years_asked(
    text: str,
    found: Sequence[YearMention],
    ends_only: bool,
    has_change: bool,
    reported: Sequence[int],
) -> list[int]:
    """The years that a question is about, ascending, ranges spelled out.

    "2018-2020", "2018 through 2020" and "between 2018 and 2020" are three years each, "2018 and
    2020" is two. A question after the size or sign of one change ("by how much did debt change
    from 2018 to 2020?") needs the two ends alone, unless it says "each", "average" or "through".

    A year that names a filing ("in its 2020 10-K") tells where to look: earlier years beside it
    are what the filing looks back on and are left out, unless the question compares.

    "Since 2018" runs to the last year reported. "The latest 10-K", "last year", "the year before
    last" and "the last three years" count back from it if no year is named: filings are all that is
    known of today. Without a year to count from they name none. A change "from the year before" is
    one from the year before the one named, or before the last; its reasons stand in the later.

    Args:
        text: a plain text.
        found: its years, from ``find_years``.
        ends_only: whether the question asks for one change between two years.
        has_change: whether it asks for the size or sign of a change.
        reported: years with a filing of the companies asked about, ascending.
    """
    has_year_before = has_change and _YEAR_BEFORE.search(text) is not None
    if not found:
        return _relative(text, has_year_before, reported)
    spares = ends_only and not _EACH.search(text)
    groups = _groups(text, found)
    spelled = [_spelled_out(text, group, spares, reported) for group in groups]
    years = set().union(*spelled)
    filings: set[int] = set()
    for group, group_years in zip(groups, spelled, strict=True):
        if any(mention.names_filing for mention in group):
            filings |= group_years
    if filings and not ends_only and not _COMPARES.search(text):
        years = {year for year in years if year in filings or year > max(filings)}
    if has_year_before and len(years) == 1 and not filings:
        years.add(min(years) - 1)
    return sorted(years)


def relative_spans(text: str) -> list[tuple[int, int]]:
    """Where a plain text names years that are counted back from the last one, ascending."""
    return sorted(found.span() for one in _COUNTED_BACK for found in one.finditer(text))


def _groups(text: str, found: Sequence[YearMention]) -> list[list[YearMention]]:
    """Years in one list or range, "2018, 2019 and 2020": what is said of one is said of all."""
    groups = [[found[0]]]
    for first, second in pairwise(found):
        gap = text[first.end : second.start] if second.start - first.end <= 64 else "."
        if _LISTED.fullmatch(gap):
            groups[-1].append(second)
        else:
            groups.append([second])
    return groups


def _spelled_out(
    text: str, group: Sequence[YearMention], spares: bool, reported: Sequence[int]
) -> set[int]:
    years = {mention.year for mention in group}
    for first, second in pairwise(group):
        if _is_range(text, first, second, spares):
            years |= _filled(first.year, second.year)
    last = group[-1]
    if reported and _SINCE.search(text, max(0, last.start - 48), last.start):
        years |= _filled(last.year, max(reported[-1], last.year))
    return years


def _front(match: re.Match[str]) -> int:
    return match.start(1) if match[1] else match.start(2)


def _year(
    text: str, match: re.Match[str], previous: YearMention | None, is_date: bool
) -> int | None:
    """The year that a run of two or four digits stands for, if any."""
    digits, start, end = match[2], match.start(2), match.end(2)
    if len(digits) == 2:
        return _short_year(text, match, previous)
    year = int(digits)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    if match[1] or is_date or _DATE_BEFORE.search(text, max(0, start - 6), start):
        return year
    before = text[max(0, start - 16) : start]
    is_glued = before[-1:] in (".", ":", "-") and before[-2:-1].isdigit()
    if _NOT_BEFORE.search(before) or (is_glued and not (previous and previous.end == start - 1)):
        return None
    if _AMOUNT_AFTER.match(text, end) or _NAME_AFTER.match(text, end):
        return None
    return year


def _short_year(text: str, match: re.Match[str], previous: YearMention | None) -> int | None:
    digits, start, end = match[2], match.start(2), match.end(2)
    # "fiscal 10-K" is not a year; "FY18-20" is two of them.
    after = text[end + 1 : end + 2]
    is_joined = text[end : end + 1] in ("-", "/", ".", ",") and after.isalnum()
    goes_on = after.isdigit() or text[end + 1 : end + 3].lower() == "fy"
    if is_joined and not (match[1] and text[end] in "-/" and goes_on):
        return None
    if match[1] or (text[max(0, start - 1) : start] == "'" and not _is_word(text, start - 2)):
        is_quarter = (match[1] or "f")[:1].lower() in "qh1234"
        if _AMOUNT_AFTER.match(text, end) or (is_quarter and text[start - 1] == " "):
            return None
        return _full(int(digits))
    if previous is None or _SHORT_RANGE_GAP.fullmatch(text, previous.end, start) is None:
        return None
    year = previous.year - previous.year % 100 + int(digits)
    return year if previous.year < year <= previous.year + MAX_RANGE else None


def _is_word(text: str, at: int) -> bool:
    return at >= 0 and text[at].isalnum()


def _full(two_digits: int) -> int | None:
    year = (2000 if two_digits < FIRST_YEAR % 100 else 1900) + two_digits
    return year if FIRST_YEAR <= year <= LAST_YEAR else None


def _names_filing(text: str, start: int, end: int) -> bool:
    if _FILING_AFTER.match(text, end):
        return True
    return _FILING_BEFORE.search(text, max(0, start - 64), start) is not None


def _is_range(text: str, first: YearMention, second: YearMention, spares: bool) -> bool:
    """Whether the words between two years, and before the first, make them ends of a range."""
    gap = text[first.end : second.start]
    if _SPELLED.fullmatch(gap):
        return True
    if spares:
        return False
    if _OPEN.fullmatch(gap):
        return True
    if _AND.fullmatch(gap) is None:
        return False
    return _BETWEEN.search(text, max(0, first.start - 48), first.start) is not None


def _filled(first: int, last: int) -> set[int]:
    low, high = sorted((first, last))
    return set(range(low, high + 1)) if high - low <= MAX_RANGE else {low, high}


def _relative(text: str, has_year_before: bool, reported: Sequence[int]) -> list[int]:
    if not reported:
        return []
    few = _LAST_FEW.search(text)
    if few is not None:
        count = NUMBER_WORDS.get(few[1].lower()) or int(few[1])
        return [year for year in reported if year > reported[-1] - count]
    last = reported[-1]
    if has_year_before:
        return [last - 1, last]
    if _BEFORE_LAST.search(text):
        return [last - 1]
    return [last] if _LATEST.search(text) or _LAST.search(text) else []

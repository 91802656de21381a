"""Tagged facts of a filing: inline XBRL, and the financial data schedules of the 1990s.

What a tag states is computed from its own attributes and from what it encloses. Whatever is amiss
becomes a flag of the fact: no tag is left out, and none stops the reading.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from finrag.filings.formats import digits_by_format, format_name, text_by_format
from finrag.filings.html import content_of
from finrag.filings.model import Block, Document, Fact, Tag
from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_VALUE_TEXT: Final = 500
"""Characters of a fact's text that are kept."""

_VOCABULARY: Final = read_vocabulary(__file__)
_IDENTITY: Final = _VOCABULARY.tables["identity"]
_PER_SHARE: Final = _VOCABULARY.words["per_share"]
_RATIOS: Final = _VOCABULARY.words["ratios"]
_REMARKS: Final = _VOCABULARY.words["remarks"]
_FLOWS: Final = _VOCABULARY.words["flows"]
_SCHEDULE_ROW: Final = _VOCABULARY.pattern("schedule_row", re.MULTILINE)
_SCHEDULE_DATE: Final = _VOCABULARY.pattern("schedule_date")
_MONTHS: Final = _VOCABULARY.pattern("months")
_MONTH_OF: Final = {name[:3].upper(): number for name, number in MONTH_NUMBERS.items()}
_TAGGED: Final = frozenset(("nonfraction", "nonnumeric", "fraction"))
_SUBSIDIARY: Final = "dei:LegalEntityAxis"
_TELLING: Final = (
    *("{*}context", "{*}startDate", "{*}endDate", "{*}instant", "{*}explicitMember"),
    *("{*}typedMember", "{*}unit", "{*}unitNumerator", "{*}unitDenominator", "{*}measure"),
    *("{*}nonFraction", "{*}nonNumeric", "{*}fraction"),
)
# Days that far from the end of what a date can be are counted back and forth without a fault.
_SCHEDULE_YEARS: Final = (1900, 2100)
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,2}")


# What all values of a schedule have in common.
_ROW: Final = Fact(
    *("ex27", "", True, None, "", "USD", None, 0, False, None, False, True),
    *(None, None, (), -1, -1, -1, 0, 0),
)


class _Context(NamedTuple):
    """When and for which part of the company a fact holds."""

    start: date | None = None
    end: date | None = None
    dimensions: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()


_NO_CONTEXT: Final = _Context(flags=("unknown_context",))


def read_facts(document: Document) -> list[Fact]:
    """Read the facts that a document's tags state, hidden ones too.

    Values are whole units, rounded once from the exact decimal number. A percentage of 5.3 that
    its tag scales by -2 is 0.053.

    Args:
        document: with tags and headers.

    Returns:
        One fact a tag: those in the text in the order in which they start, then those of headers.
        Facts that state different values for one concept, period, unit and set of dimensions,
        beyond what their rounding explains, carry the flag `conflicting`.
    """
    header = _Header(cast("list[_Element]", document.headers))
    texts = Texts(document.blocks)
    facts: list[Fact] = []
    for tag in document.tags:
        shown = texts.at(tag)[tag.start : min(tag.end, tag.start + MAX_VALUE_TEXT)]
        facts.append(_fact(tag, shown or tag.unseen, header))
    facts += [_fact(tag, tag.unseen, header) for tag in header.tags]
    return _with_conflicts(facts)


def identity_facts(facts: Sequence[Fact]) -> dict[str, str]:
    """What a filing says that it is.

    Of several statements the first counts that is no subsidiary's: the common stock's ticker
    comes before those of notes. The year in focus is not among them: filers count fiscal years
    in more than one way.

    Returns:
        Those of cik, name, ticker, form, is_amendment (true or false) and period_end (in ISO 8601)
        that are stated; a period's end that is no date is left out.
    """
    own: dict[str, str] = {}
    others: dict[str, str] = {}
    for fact in facts:
        key = _IDENTITY.get(fact.concept)
        stated = text_by_format(fact.value_text, fact.format) if key else ""
        if key and (_day(stated) if key == "period_end" else stated):
            is_own = all(axis != _SUBSIDIARY for axis, _ in fact.dimensions)
            (own if is_own else others).setdefault(key, stated)
    return {**others, **own}


def tagged_ciks(facts: Sequence[Fact]) -> set[int]:
    """The numbers of all companies that a filing's tags name as its registrants."""
    said = [fact.value_text for fact in facts if _IDENTITY.get(fact.concept) == "cik"]
    return {int(one) for one in said if one.isdecimal() and one.isascii()}


def read_schedule(text: str) -> list[Fact]:
    """Read an EX-27 financial data schedule, as filed between 1993 and 2001.

    Args:
        text: of the exhibit, with its tags.

    Returns:
        One fact a value, a row's columns in order. Rows that belong to a span of time get its
        first day where the schedule names it, or its length in months. Empty without rows.
    """
    figures, _, _ = text.partition("<FN>")
    rows = [(match[1], match[2].split()) for match in _SCHEDULE_ROW.finditer(figures)]
    heads = dict(rows)
    first = max((n for n, (name, _) in enumerate(rows) if name.startswith("PERIOD-")), default=-1)
    multiplier = digits_by_format("".join(heads.get("MULTIPLIER", [])), None) or "1"
    scale = len(multiplier) - 1 if multiplier.strip("0") == "1" else 0
    return [
        _schedule_fact(name, value, scale, _schedule_period(heads, column))
        for name, values in rows[first + 1 :]
        if name not in _REMARKS
        for column, value in enumerate(values)
    ]


def _schedule_fact(
    name: str, shown: str, scale: int, period: tuple[date | None, date | None]
) -> Fact:
    """The fact that a figure of a schedule states."""
    factor = 0 if name in _PER_SHARE or name in _RATIOS else scale
    value, flags = _number(digits_by_format(shown.strip("$()-+"), None), factor)
    start, end = period
    return replace(
        _ROW,
        concept=name,
        value=-value if value and shown[0] in "(-" else value,
        value_text=shown[:MAX_VALUE_TEXT],
        unit="USD/shares" if name in _PER_SHARE else "pure" if name in _RATIOS else "USD",
        scale=factor,
        period_start=start if name in _FLOWS else None,
        period_end=end,
        flags=flags if end else (*flags, "unknown_context"),
    )


def _schedule_period(heads: dict[str, list[str]], column: int) -> tuple[date | None, date | None]:
    """First and last day of a schedule's column."""

    def head(name: str) -> str:
        values = heads.get(name, [])
        return values[min(column, len(values) - 1)] if values else ""

    start, end = _schedule_day(head("PERIOD-START")), _schedule_day(head("PERIOD-END"))
    given = _MONTHS.fullmatch(head("PERIOD-TYPE"))
    months = int(given[1]) if given else 12 if head("PERIOD-TYPE") == "YEAR" else 0
    if start is None and end is not None and months:
        after = end + timedelta(days=1)
        count = after.year * 12 + after.month - 1 - months
        # Fiscal years end near a month's end: the day after is counted back in whole months.
        start = date(count // 12, count % 12 + 1, min(after.day, 28))
    return start, end


def _schedule_day(given: str) -> date | None:
    """A day written as DEC-31-1997; null for what is none, or in no year of a schedule."""
    match = _SCHEDULE_DATE.match(given)
    if match is None or not _SCHEDULE_YEARS[0] <= int(match[3]) <= _SCHEDULE_YEARS[1]:
        return None
    try:
        return date(int(match[3]), _MONTH_OF[match[1]], int(match[2]))
    except (KeyError, ValueError):
        return None


class Texts:
    """The texts of a document by their places: of a block, or of a cell of its grid."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._cells: dict[int, dict[tuple[int, int], str]] = {}

    def at(self, place: Tag | Fact) -> str:
        """The text in which a tag or a fact stands; empty where it is not shown."""
        if place.block < 0:
            return ""
        grid = self._blocks[place.block].grid
        if place.row < 0 or grid is None:
            return self._blocks[place.block].text
        if place.block not in self._cells:
            self._cells[place.block] = {(one.row, one.column): one.text for one in grid.cells}
        return self._cells[place.block].get((place.row, place.column), "")


def _fact(tag: Tag, shown: str, header: _Header) -> Fact:
    """The fact that a tag states."""
    given = tag.attributes
    context = header.contexts.get(given.get("contextref", ""), _NO_CONTEXT)
    flags = context.flags
    is_numeric = tag.name != "nonnumeric"
    is_nil = given.get("nil", "") in ("true", "1")
    name = format_name(given.get("format"))
    value, unit, decimals, scale = None, None, None, 0
    if is_numeric:
        unit = header.units.get(given.get("unitref", ""))
        decimals, bad_decimals = _decimals(given.get("decimals", "INF"))
        scale, bad_scale = _scale(given.get("scale", "0"))
        flags += ("unknown_unit",) * (unit is None) + bad_decimals + bad_scale
        if not is_nil and not bad_scale:
            value, bad_number = _value(shown, tag.name, name, scale)
            flags += bad_number
    sign = given.get("sign") == "-"
    return Fact(
        source="ixbrl",
        concept=given.get("name", ""),
        is_numeric=is_numeric,
        # Adding 0 turns minus zero into zero.
        value=-value + 0.0 if sign and value is not None else value,
        value_text=shown,
        unit=unit,
        decimals=decimals,
        scale=scale,
        sign=sign,
        format=name,
        is_nil=is_nil,
        is_hidden=tag.block < 0 or tag.end <= tag.start,
        period_start=context.start,
        period_end=context.end,
        dimensions=context.dimensions,
        block=tag.block,
        row=tag.row,
        column=tag.column,
        start=tag.start,
        end=tag.end,
        flags=flags,
    )


def _value(
    shown: str, kind: str, name: str | None, scale: int
) -> tuple[float | None, tuple[str, ...]]:
    if kind != "fraction":
        return _number(digits_by_format(shown, name), scale)
    parts = [float(digits) for digits in re.findall(r"[0-9]{1,15}", shown)]
    if len(parts) != 2 or not parts[1]:
        return None, ("bad_number",)
    return parts[0] / parts[1], ()


def _number(digits: str | None, scale: int) -> tuple[float | None, tuple[str, ...]]:
    """The number nearest to digits times ten to a power, and what is amiss."""
    # One conversion from decimal text rounds once; a product of two floats would round twice.
    value = float(f"{digits}e{scale}") if digits is not None else None
    if value is None or not isfinite(value):
        return None, ("bad_number",)
    return value, ()


@lru_cache(maxsize=256)
def _scale(given: str) -> tuple[int, tuple[str, ...]]:
    return (int(given), ()) if _INTEGER.fullmatch(given.strip()) else (0, ("bad_scale",))


@lru_cache(maxsize=256)
def _decimals(given: str) -> tuple[int | None, tuple[str, ...]]:
    if given.strip() == "INF":
        return None, ()
    return (int(given), ()) if _INTEGER.fullmatch(given.strip()) else (None, ("bad_decimals",))


def _with_conflicts(facts: list[Fact]) -> list[Fact]:
    """Flag facts that agree in all but the value."""
    alike: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.value is not None:
            period = fact.period_start, fact.period_end
            alike[fact.concept, *period, fact.unit, fact.dimensions].append(fact)
    for group in alike.values():
        if len(group) > 1 and len({fact.value for fact in group}) > 1:
            ends = [_rounding(fact) for fact in group]
            if max(low for low, _ in ends) > min(high for _, high in ends):
                for fact in group:
                    fact.flags += ("conflicting",)
    return facts


def _rounding(fact: Fact) -> tuple[float, float]:
    """The interval in which the exact value of a rounded one lies."""
    value = fact.value or 0.0
    half = 0.5 * 10.0**-fact.decimals if fact.decimals is not None else 0.0
    # A little wider, so that noise of floats is no conflict.
    half += abs(value) * 1e-12
    return value - half, value + half


class _Header:
    """Contexts and units by their ids, and hidden tags.

    One walk over each header that keeps only what is open: neither depth nor nesting costs more.
    """

    def __init__(self, elements: Sequence[_Element]) -> None:
        self.contexts: dict[str, _Context] = {}
        self.units: dict[str, str] = {}
        self.tags: list[Tag] = []
        self._context = self._unit = ""
        self._said: dict[str, date | None] = {}
        self._dimensions: list[tuple[str, str]] = []
        self._measures: tuple[list[str], list[str]] = ([], [])
        self._is_below = False
        for element in elements:
            for inner in _telling(element):
                self._read(inner)
            self._keep()

    def _read(self, element: _Element) -> None:
        name = _local(element.tag)
        if name in ("context", "unit"):
            self._keep()
            self._context, self._unit = "", ""
            if name == "context":
                self._context = element.get("id") or ""
            else:
                self._unit = element.get("id") or ""
        elif name in ("startdate", "enddate", "instant"):
            self._said[name] = _day(element.text)
        elif name == "explicitmember":
            self._dimensions.append((element.get("dimension") or "", (element.text or "").strip()))
        elif name == "typedmember":
            self._dimensions.append((element.get("dimension") or "", content_of(element).strip()))
        elif name in ("unitnumerator", "unitdenominator"):
            self._is_below = name == "unitdenominator"
        elif name == "measure":
            measure = (element.text or "").strip().rpartition(":")[2]
            self._measures[self._is_below].append(measure)
        elif name in _TAGGED:
            given = {_local(key): str(value) for key, value in element.attrib.items()}
            self.tags.append(Tag(name, given, unseen=content_of(element)))

    def _keep(self) -> None:
        """Keep the context or the unit that was open."""
        if self._context and self._context not in self.contexts:
            end = self._said.get("enddate", self._said.get("instant"))
            flags = ("bad_period",) if None in self._said.values() else ()
            dimensions = tuple(sorted(self._dimensions))
            start = self._said.get("startdate")
            self.contexts[self._context] = _Context(start, end, dimensions, flags)
        elif self._unit and self._measures[0]:
            above, below = ("*".join(side) for side in self._measures)
            self.units.setdefault(self._unit, f"{above}/{below}" if below else above)
        self._said, self._dimensions, self._measures = {}, [], ([], [])
        self._is_below = False


def _telling(header: _Element) -> Iterator[_Element]:
    """The elements of a header that say something; of a parser without namespaces, all."""
    is_named = str(header.tag).startswith("{")
    return iter(header.iter(*_TELLING) if is_named else header.iter())


@lru_cache(maxsize=4096)
def _local(tag: object) -> str:
    """Local name in lower case, of parsers that keep namespaces and of those that do not."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def _day(given: str | None) -> date | None:
    try:
        return date.fromisoformat((given or "").strip()[:10])
    except ValueError:
        return None

"""Answers from rows of tables: the row by the names that a question has, the column by its period.

A cell states all that names its figure: ``caption | row path | column path: value unit``. So one
row says what its figures are, and a figure is taken only where its row has the name asked for and
its column the period; nothing else stands in for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from finrag.answers.extractive.asked import Asked
from finrag.answers.extractive.figures import UNITS, written
from finrag.answers.extractive.findings import Text
from finrag.answers.extractive.support import LATER_FILING, OTHER_FILING, Candidate
from finrag.answers.types import Passage, TableCell
from finrag.filings.model import Context
from finrag.filings.periods import Period, fiscal_year, names_period, read_period
from finrag.questions.intents import asks_for_definition, asks_for_reason
from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import MONTH_NUMBERS, find_amounts
from finrag.text.words import plain, readable, stem, stems, topic_words

# What parts the text of a cell: caption, row path and figure; steps of a path; header and value.
PART, STEP, VALUE = " | ", " > ", ": "
# Years of 52 or 53 weeks begin some days off.
START_DAYS: Final = 15
# What is not said, by the question or by the row, is less sure than what is.
UNSAID: Final = 0.95

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_VOCABULARY: Final = read_vocabulary(
    __file__, day=rf"(?:{'|'.join(MONTH_NUMBERS)}) \d{{1,2}}, (?:19|20)\d\d"
)
_NAMED: Final = _VOCABULARY.pattern("named")
_NAMES_PLACE: Final = _VOCABULARY.pattern("names_place")
_NAMES_COLUMN: Final = _VOCABULARY.pattern("names_column")
_SHARE: Final = _VOCABULARY.pattern("share")
_LARGEST: Final = _VOCABULARY.pattern("largest")
_SMALLEST: Final = _VOCABULARY.pattern("smallest")
_RATE: Final = _VOCABULARY.pattern("rate")
_FILING: Final = _VOCABULARY.pattern("filing")
_PERIOD: Final = _VOCABULARY.pattern("period")
# What stands behind a figure without a sign of its own.
_UNITS: Final = {" USD per share": "USD_per_share", " USD": "USD", " shares": "count"}
_NO_CONTEXT: Final = Context(period_end=None, form="")


@dataclass(frozen=True)
class Name:
    """What a question calls a figure: the label of its row, what stands over it, its column."""

    label: str
    places: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure of a row.

    Attributes:
        passage: its row, under the key of its cell.
        cell: the cell.
        row: key of the row.
        table: the table and the header over it: figures that can be added up.
        label: the label of its row.
        over: stems of the caption and of the labels above.
        groups: stems of the caption, and of the label next above, each by itself.
        header: the words of its column.
        value: in whole units.
        unit: its unit.
        quote: header and value as the cell has them.
    """

    passage: Passage
    cell: TableCell
    row: str
    table: tuple[str, str]
    label: str
    over: frozenset[str]
    groups: tuple[frozenset[str], ...]
    header: str
    value: float
    unit: str | None
    quote: str


# A figure, and how well it is the one asked for: 0 to 1.
Found = tuple[float, Figure]


def answer_of_tables(asked: Asked, context: Iterable[Passage]) -> Candidate | None:
    """The answer that rows of tables give; None where they hold none.

    A figure; the change from the first period named to the last; the largest of the rows named,
    all of one column; the share of one in another of its column.
    """
    text = _FILING.sub(" ", plain(readable(asked.question.text)))
    names = _names(text)
    # A year in a name, such as that of a table, is no period.
    bare = _NAMED.sub(lambda one: f"{one[1]} ", text)
    total = _SHARE.search(text)
    periods = _periods(bare, asked.years)
    if not _asks_for_figures(asked, bare) and not total:
        return None
    figures = [one for passage in context for one in _figures(passage)]
    if len(names) > 1 and len(periods) == 1:
        if total:
            return _share(asked, figures, names, periods[0], total[1].strip())
        return _extreme(asked, figures, names, periods[0], text)
    name = next(iter(names), None)
    if len(names) < 2 and len(periods) == 2 and asked.question.is_change:
        return _change(asked, figures, name, *periods, in_percent=bool(_RATE.search(bare)))
    if len(periods) != 1 or asked.question.is_change or (name is None and asked.intent != "level"):
        return None
    return _level(asked, figures, name, periods[0])


def _asks_for_figures(asked: Asked, bare: str) -> bool:
    """Whether neither yes or no, nor a reason, nor a meaning is asked for."""
    is_boolean = asked.question.answer_form == "boolean"
    return not (is_boolean or asks_for_reason(bare) or asks_for_definition(bare))


def is_beside_tables(asked: Asked, text: Text) -> bool:
    """Whether a sentence beside rows of tables has the name of the one figure asked for.

    No sentence compares several figures, or stands for one that it does not name.
    """
    lower = plain(readable(asked.question.text))
    names = _names(lower)
    # Words of a name are asked for as a figure where a period is.
    is_figure = bool(names) and asked.intent == "statement" and bool(_PERIOD.search(lower))
    return not is_figure and len(names) < 2 and all(one.label in text.lower for one in names)


def _figures(passage: Passage) -> Iterator[Figure]:
    for cell in passage.cells:
        words, _, quote = readable(cell.text).rpartition(PART)
        header, _, printed = quote.rpartition(VALUE)
        caption, _, path = words.rpartition(PART)
        *groups, label = (one.rstrip(" :") for one in path.split(STEP))
        amounts = [one for one in find_amounts(printed) if one.kind == "amount"]
        if len(amounts) != 1 or amounts[0].is_range:
            continue
        yield Figure(
            passage=replace(passage, sentence_id=cell.cell_id),
            cell=cell,
            row=passage.sentence_id,
            table=(passage.sentence_id.rpartition(":")[0], header),
            label=label,
            over=stems(" ".join((caption, *groups))),
            groups=(stems(caption), *map(stems, groups[-1:])),
            header=header,
            value=amounts[0].value,
            unit=_unit(amounts[0].unit, printed),
            quote=quote,
        )


def _unit(unit: str | None, printed: str) -> str | None:
    """The unit that is read, else the one that stands behind the figure."""
    if unit == "count":
        unit = next((name for words, name in _UNITS.items() if printed.endswith(words)), None)
    return unit if unit in UNITS else None


def _names(text: str) -> list[Name]:
    """The names in quotation marks, each with the places and columns that follow it.

    What stands before them all is of the first.
    """
    found = [
        (0 if _NAMES_PLACE.search(before) else 1 if _NAMES_COLUMN.search(before) else 2, words)
        for before, words in _NAMED.findall(text)
    ]
    labels = [n for n, (kind, _) in enumerate(found) if kind == 2]
    names = []
    for label, start, end in zip(labels, [0, *labels[1:]], [*labels[1:], None], strict=False):
        places, columns = (
            tuple(words for kind, words in found[start:end] if kind == wanted) for wanted in (0, 1)
        )
        names.append(Name(found[label][1].strip(" ,:"), places, columns))
    return names


def _periods(text: str, years: Sequence[int]) -> list[Period | int]:
    """The periods that a question names, in time; else the fiscal years that it asks for."""
    found: list[Period | int] = []
    for match in _PERIOD.finditer(text):
        one = int(match[1]) if match[1] else read_period(match[0], "", _NO_CONTEXT)
        if one is not None and one not in found:
            found.append(one)
    return sorted(found, key=_last_day) or list(years)


def _last_day(period: Period | int) -> date:
    return date(period, 12, 31) if isinstance(period, int) else period.end


def _agreement(asked: Asked, figure: Figure, name: Name | None, period: Period | int) -> float:
    """How well a figure is the one asked for: 0 where company, name or period is another."""
    passage, question = figure.passage, asked.question
    if question.cik_ints and passage.cik_int not in question.cik_ints:
        return 0.0
    filing = 1.0
    if question.years and passage.report_year not in question.years:
        is_later = (passage.report_year or 0) > max(question.years)
        filing = LATER_FILING if is_later else OTHER_FILING
    return filing * _named_so(asked, figure, name) * _of_period(figure, name, period)


def _named_so(asked: Asked, figure: Figure, name: Name | None) -> float:
    """How well the words of a figure are those asked for; without a name, those of the topic."""
    header = stems(figure.header)
    if name is None:
        topic = {stem(word) for word in topic_words(figure.label)}
        if not topic or not topic <= set(asked.words):
            return 0.0
        words = stems(figure.label) | figure.over | header
        agreement = len(words.intersection(asked.words)) / len(asked.words)
    else:
        is_there = (
            stems(figure.label) == stems(name.label) != frozenset()
            and all(stems(place) <= figure.over for place in name.places)
            and all(stems(column) <= header for column in name.columns)
        )
        is_whole = all(stems(place) in figure.groups for place in name.places)
        has_group = len(figure.groups) > 1 and not name.places
        agreement = is_there * (1.0 if is_whole and not has_group else UNSAID)
    is_said = (name and name.columns) or not topic_words(figure.header)
    return agreement if is_said else agreement * UNSAID


def _of_period(figure: Figure, name: Name | None, period: Period | int) -> float:
    """How well a figure's period is the one asked for.

    A column without one that the question names is of the year that the filing reports on; one
    with a year in its header is of that fiscal year, though it ends in another calendar year.
    """
    cell, day = figure.cell, _last_day(period)
    if cell.period_end is None:
        is_named = name is not None and bool(name.columns) and not names_period(figure.header)
        return UNSAID * (is_named and fiscal_year(day) == figure.passage.report_year)
    if isinstance(period, int):
        printed = _YEAR.search(figure.header)
        return float(period == (int(printed[0]) if printed else fiscal_year(cell.period_end)))
    if cell.period_end != day:
        return 0.0
    start = cell.period_start
    if start is None or period.start is None:
        return 1.0 if start == period.start else UNSAID
    return float(abs((start - period.start).days) <= START_DAYS)


def _find(
    asked: Asked, figures: Iterable[Figure], name: Name | None, period: Period | int
) -> Found | None:
    """The figure that agrees best; of equals a rate where one is asked for, else an amount.

    Of these that of the row ranked first, from the left.
    """
    found = [(_agreement(asked, one, name, period), one) for one in figures]
    known = [one for one in found if one[0] > 0]
    return max(known, key=lambda one: _order(asked, name, one), default=None)


def _order(asked: Asked, name: Name | None, found: Found) -> tuple[float, bool, int]:
    """Tables print shares of a total under the labels of the amounts."""
    agreement, figure = found
    words = " ".join((name.label, *name.columns)) if name else plain(asked.question.text)
    asks_rate = _RATE.search(words) is not None
    return agreement, (figure.unit == "percent") == asks_rate, -figure.passage.rank


def _candidate(
    support: float,
    text: str,
    figures: Sequence[Figure],
    value: float | None = None,
    unit: str | None = None,
) -> Candidate:
    cited = tuple((one.passage, one.quote) for one in figures)
    return Candidate(support, text, cited, value, unit)


def _said(figure: Figure) -> str:
    sign = "-" if figure.value < 0 else ""
    return f"{sign}{written(abs(figure.value), figure.unit)}"


def _level(
    asked: Asked, figures: Sequence[Figure], name: Name | None, period: Period | int
) -> Candidate | None:
    found = _find(asked, figures, name, period)
    if found is None:
        return None
    support, one = found
    text = f"{one.label}, {one.header or 'in all'}: {_said(one)}."
    return _candidate(support, text, [one], one.value, one.unit)


def _change(
    asked: Asked,
    figures: Sequence[Figure],
    name: Name | None,
    start: Period | int,
    end: Period | int,
    *,
    in_percent: bool,
) -> Candidate | None:
    """From the first period to the last, both of one row."""
    found = []
    for row in dict.fromkeys(one.row for one in figures):
        own = [one for one in figures if one.row == row]
        ends = [_find(asked, own, name, period) for period in (start, end)]
        if ends[0] and ends[1] and ends[0][1].unit == ends[1][1].unit:
            found.append((min(ends[0][0], ends[1][0]), ends[0][1], ends[1][1]))
    if not found:
        return None
    support, before, after = max(found, key=lambda one: _order(asked, name, (one[0], one[2])))
    value, unit = round(after.value - before.value, 10), after.unit
    if in_percent and unit != "percent":
        if before.value == 0:
            return None
        value, unit = round(100 * value / abs(before.value), 4), "percent"
    moved = "Unchanged" if value == 0 else "Up" if value > 0 else "Down"
    by = f" by {written(abs(value), unit)}" if value else ""
    text = f"{moved}{by}, from {_said(before)} to {_said(after)}."
    return _candidate(support, text, [after, before], value, unit)


def _together(
    asked: Asked, figures: Sequence[Figure], names: Sequence[Name], period: Period | int
) -> tuple[float, list[Figure]] | None:
    """A figure of each name, all of one table and one column; the best such column."""
    best: tuple[float, list[Figure]] | None = None
    for table in dict.fromkeys(one.table for one in figures):
        own = [one for one in figures if one.table == table]
        found = [one for name in names if (one := _find(asked, own, name, period)) is not None]
        if len(found) == len(names) and len({one.unit for _, one in found}) == 1:
            support = min(agreement for agreement, _ in found)
            if best is None or support > best[0]:
                best = support, [one for _, one in found]
    return best


def _extreme(
    asked: Asked,
    figures: Sequence[Figure],
    names: Sequence[Name],
    period: Period | int,
    text: str,
) -> Candidate | None:
    """The largest of the rows named, or the smallest; None where one of them is not there."""
    sign = 1 if _LARGEST.search(text) else -1 if _SMALLEST.search(text) else 0
    places = tuple(place for name in names for place in name.places)
    columns = tuple(column for name in names for column in name.columns)
    alike = [replace(name, places=places, columns=columns) for name in names]
    found = _together(asked, figures, alike, period) if sign else None
    if found is None:
        return None
    support, rows = found
    one = max(rows, key=lambda row: sign * row.value)
    others = [row for row in rows if row is not one]
    return _candidate(support, f"{one.label}, with {_said(one)}.", [one, *others])


def _share(
    asked: Asked,
    figures: Sequence[Figure],
    names: Sequence[Name],
    period: Period | int,
    total: str,
) -> Candidate | None:
    """What percentage of a total a part of it makes up, both of one column."""
    of = [name for name in names if name.label == total][:1]
    parts = [name for name in names if name.label != total]
    if len(of) != 1 or len(parts) != 1:
        return None
    found = _together(asked, figures, [*parts, *of], period)
    if found is None or found[1][1].value == 0:
        return None
    support, (part, whole) = found
    value = 100 * part.value / whole.value
    text = f"{part.label}: {value:.1f} percent of {whole.label} ({_said(part)} of {_said(whole)})."
    return _candidate(support, text, [part, whole], value, "percent")

"""Answers that are figures: the one bound to the asked measure and year, or a difference of two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from finrag.answers.extractive.findings import Text
from finrag.answers.extractive.support import (
    BARE,
    CLOSE,
    EXACT,
    LOOSE,
    Candidate,
    Case,
    Cell,
    best,
    is_as_wide,
    is_of_the_part,
    support_of,
    topic_agreement,
)
from finrag.answers.types import ROWED
from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.binding import PRIOR_YEAR
from finrag.scoring.claims.evidence import Figure as BoundFigure
from finrag.scoring.claims.evidence import figures_of
from finrag.text.measures import unshadowed
from finrag.text.numbers import MONTH_NUMBERS, Amount, find_amounts
from finrag.text.words import (
    MAX_QUOTE_CHARACTERS,
    clipped,
    coverage,
    parts_of_year,
    stem,
    topic_words,
)

UNITS: Final = frozenset({"USD", "percent", "USD_per_share", "year", "count", "days"})
# A figure of a sentence that carries less of the topic is another figure.
MIN_TOPIC: Final = 0.5
# Bare numbers below are in thousands or millions, as a table's heading said elsewhere.
MIN_UNSCALED: Final = 1_000_000.0
# A figure said to be rounded gives way to the same one printed in full.
ROUNDED: Final = 0.95
# Where nothing binds them, the first figure of a sentence is its subject's more often.
SECOND: Final = 0.9
# Words of the topic may stand this far from a figure that no grammar binds.
MAX_DISTANCE: Final = 160

_VOCABULARY: Final = read_vocabulary(__file__, month=f"(?:{'|'.join(MONTH_NUMBERS)})")
_LINK_VERB: Final = _VOCABULARY.pattern("link_verb")
_LINK: Final = _VOCABULARY.pattern("link")
_ABOUT: Final = _VOCABULARY.pattern("about")
_CLAUSE_END: Final = re.compile(r"[,;:]|\band\b|\bof which\b")
CELL_END: Final = "; "
HEADER_END: Final = ": "
_HEADED_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DAYS: Final = re.compile(r"^[ -](?:\w+ )?days?\b")


@dataclass(frozen=True)
class Figure:
    """A figure of a sentence, bound to a year.

    Attributes:
        value: in whole units, losses negative.
        unit: its unit.
        raw: as printed.
        start: offset of its first character.
        end: offset behind it.
        year: the year it belongs to; None where the words name none.
        form: how sure the binding is.
    """

    value: float
    unit: str | None
    raw: str
    start: int
    end: int
    year: int | None
    form: float


def level_candidates(case: Case, cell: Cell) -> Iterator[Candidate]:
    """Figures of the asked measure in a cell, one or more a sentence."""
    for text in case.texts:
        if cell.cik_int is not None and text.passage.cik_int != cell.cik_int:
            continue
        topic = _topic_of_row(case, text) or topic_agreement(case, text)
        if topic < MIN_TOPIC or not is_of_the_part(case, text):
            continue
        for figure in _figures_in(case, text):
            support = support_of(cell, text, topic, figure.form, figure.year)
            if support > 0:
                yield _candidate(case, text, figure, support)


def level(case: Case, cell: Cell) -> Candidate | None:
    """The best figure for a cell."""
    found = best(level_candidates(case, cell))
    if found is None:
        return None
    when = f"fiscal {cell.year}" if cell.year is not None else ""
    heading = ", ".join(one for one in (case.asked.name, when) if one)
    return replace(found, text=_headed(heading, f"{found.raw}."))


def change(case: Case, cells: list[Cell]) -> Candidate | None:
    """The difference between the first and the last year, from a figure of each; else as stated.

    The support is the smaller of the two figures'. A percentage is taken of the absolute value
    of the earlier figure, and there is none of zero.
    """
    first, last = (best(level_candidates(case, cell)) for cell in (cells[0], cells[-1]))
    found = None
    if first is not None and last is not None and first.unit == last.unit and len(cells) > 1:
        found = _difference(case, first, last, cells)
    stated = _stated_change(case, cells)
    if stated is not None and (found is None or stated.support > found.support):
        return stated
    return found


def _difference(
    case: Case, first: Candidate, last: Candidate, cells: list[Cell]
) -> Candidate | None:
    if first.value is None or last.value is None:
        return None
    value, unit = round(last.value - first.value, 10), first.unit
    if case.asked.asks_percent and unit != "percent":
        if first.value == 0:
            return None
        value, unit = round(100 * value / abs(first.value), 4), "percent"
    moved = "unchanged" if value == 0 else "up" if value > 0 else "down"
    by = "" if value == 0 else f" by {written(abs(value), unit)}"
    text = (
        f"{moved}{by}, from {first.raw} in fiscal {cells[0].year} "
        f"to {last.raw} in fiscal {cells[-1].year}."
    )
    text = _headed(case.asked.name, text)
    citations = tuple(dict.fromkeys(last.citations + first.citations))
    return Candidate(min(first.support, last.support), text, citations, value, unit, last.raw)


def _stated_change(case: Case, cells: list[Cell]) -> Candidate | None:
    """A change that a sentence of the last year states with its size and direction."""
    name = "change_percent" if case.asked.asks_percent else "change_value"
    unit = "percent" if case.asked.asks_percent else case.asked.unit
    found = []
    for text in case.texts:
        row = case.row(text)
        size, direction = row.get(name), row.get("change_direction")
        if not isinstance(size, float) or direction not in ("increase", "decrease"):
            continue
        # A filing explains the changes of two years: an undated one may be of either.
        year = row.get("change_period_year")
        if year is None or not is_as_wide(case, text):
            continue
        support = support_of(cells[-1], text, topic_agreement(case, text), CLOSE, year)
        value = size if direction == "increase" else -size
        raw = written(abs(value), unit)
        said = _headed(case.asked.name, f"{'up' if value > 0 else 'down'} by {raw}.")
        quote = ((text.passage, clipped(text.text)),)
        found.append(Candidate(support, said, quote, value, unit, raw))
    return best(found)


def _figures_in(case: Case, text: Text) -> Iterator[Figure]:
    if text.passage.unit in ROWED:
        yield from _of_a_row(case, text)
        return
    row = case.row(text)
    bound = list(_bound(case, text, row)) if row else []
    if not bound and row.get("value") is None:
        bound = list(_near(case, text))
    yield from (one for one in bound if _is_of_the_part_of_year(case, text, one))


def _topic_of_row(case: Case, text: Text) -> float:
    """Share of the topic that a row carries with its table's title; 0 where its label has more."""
    label = text.text.partition(CELL_END)[0]
    if text.passage.unit not in ROWED or not _is_asked(case, label):
        return 0.0
    return coverage(case.weight, text.stems | text.around)


def _is_asked(case: Case, label: str) -> bool:
    """Whether all words of a label are of the question."""
    named = {stem(word) for word in topic_words(label)}
    return bool(named) and named <= set(case.asked.words) | case.asked.part


def _of_a_row(case: Case, text: Text) -> Iterator[Figure]:
    """Figures of a row of a table: of the label, and of the year that the column names.

    Of a label with words of its own, which no question asked for, the figure is less sure. A bare
    figure has the unit of its table, which its rows do not say.
    """
    label, *cells = text.text.split(CELL_END)
    form = EXACT if _is_asked(case, label) else LOOSE
    place = len(label)
    for cell in cells:
        start = place + len(CELL_END)
        place = start + len(cell)
        header, link, printed = cell.rpartition(HEADER_END)
        found = [one for one in find_amounts(printed) if one.kind == "amount"]
        if len(found) != 1 or found[0].is_range:
            continue
        one = found[0]
        unit = None if one.unit == "count" else one.unit
        if None not in (unit, case.asked.unit) and unit != case.asked.unit:
            continue
        year = _HEADED_YEAR.findall(header)
        first = start + len(header) + len(link) + one.start
        yield Figure(
            value=one.value,
            unit=unit if unit in UNITS else None,
            raw=one.raw,
            start=first,
            end=first + len(one.raw),
            year=int(year[-1]) if year else None,
            form=form,
        )


def _bound(case: Case, text: Text, row: Mapping[str, Any]) -> Iterator[Figure]:
    """Figures that the grammar of the sentence binds to the measure."""
    if row["subject_scope"] == "part" and not case.asked.asks_part:
        return
    form = EXACT
    if row["is_forward_looking"] or (row["is_quarterly"] and not case.asked.parts_of_year):
        form *= LOOSE
    year = row["period_year"]
    unit = row["unit"]
    if row["value"] is not None:
        start, end = row["value_start"], row["value_end"]
        sure = form * (ROUNDED if _ABOUT.search(text.lower, max(0, start - 20), start) else 1.0)
        yield Figure(row["value"], unit, text.text[start:end], start, end, year, sure)
    if row["prior_value"] is not None:
        prior = row["prior_period_year"]
        if prior is None and year is not None:
            prior = year - 1
        elif prior is None:
            prior = _year_before(text.passage.report_year)
        printed = _printed(text, row)
        if printed is not None:
            span = printed.start, printed.end
            yield Figure(row["prior_value"], unit, printed.raw, *span, prior, form)


def _is_of_the_part_of_year(case: Case, text: Text, figure: Figure) -> bool:
    """Whether the part of a year asked about stands with the figure, not with another one."""
    if not case.asked.parts_of_year:
        return True
    amounts = [one for one in find_amounts(text.text) if one.kind == "amount"]
    ends = [one.start for one in amounts if one.start >= figure.end]
    starts = [one.end for one in amounts if one.end <= figure.start]
    before = text.lower[max(starts, default=0) : figure.start]
    behind = text.lower[figure.end : min(ends, default=len(text.lower))]
    if ends:
        behind = _CLAUSE_END.split(behind, maxsplit=1)[0]
    return case.asked.parts_of_year <= parts_of_year(f"{before} {behind}")


def _printed(text: Text, row: Mapping[str, Any]) -> Amount | None:
    """The figure of the earlier year as it stands in the sentence, behind the other if it can."""
    same = [
        one
        for one in find_amounts(text.text)
        if abs(abs(one.value) - abs(row["prior_value"])) <= 1e-9 * abs(row["prior_value"])
        and one.start != row["value_start"]
    ]
    behind = [one for one in same if one.start > (row["value_start"] or 0)]
    return next(iter(behind or same), None)


def _near(case: Case, text: Text) -> Iterator[Figure]:
    """Figures of the right unit near the words of the topic, bound to the years beside them."""
    unit = case.asked.unit
    measure = case.asked.measure
    if measure is None and unit is None:
        return
    amounts = find_amounts(text.text)
    wanted = [one for one in amounts if _has_unit(one, unit, text)]
    if not wanted or len(wanted) > 12:
        return
    places = _topic_places(case, text)
    for place, figure in enumerate(figures_of(text.text, wanted)):
        one = figure.amount
        if not _is_linked(case, text, figure) or not any(
            abs(place - one.start) <= MAX_DISTANCE for place in places
        ):
            continue
        form = BARE if figure.role == "change" else LOOSE if place == 0 else SECOND * LOOSE
        value = one.value if measure is not None and measure.kind == "count" else figure.signed
        year = _year_of(text, figure.binding.years)
        yield Figure(value, _unit_name(one, unit), one.raw, one.start, one.end, year, form)


def _year_of(text: Text, years: frozenset[int]) -> int | None:
    """The one year that a figure is of, "the prior year" counted from the filing's."""
    if len(years) != 1:
        return None
    (year,) = years
    return year if year != PRIOR_YEAR else _year_before(text.passage.report_year)


def _is_linked(case: Case, text: Text, figure: BoundFigure) -> bool:
    """Whether a known measure is said to be the amount: only a verb and dates between them.

    Measures read from the question itself may be anywhere near.
    """
    measure = case.asked.measure
    if measure is None or measure.is_own or measure.kind == "count":
        return True
    if figure.role == "change":
        return False
    start = figure.amount.start
    before = unshadowed(measure, text.lower)[max(0, start - MAX_DISTANCE) : start]
    named = [match.end(1) for match in re.finditer(measure.pattern, before)]
    link = before[named[-1] :] if named else ""
    return _LINK.fullmatch(link) is not None and _LINK_VERB.search(link) is not None


def _has_unit(one: Amount, unit: str | None, text: Text) -> bool:
    if unit == "days":
        return one.kind == "date" and bool(_DAYS.match(text.lower[one.end : one.end + 20]))
    if one.kind != "amount" or one.is_range:
        return False
    if unit is None:
        return True
    if unit == "percent":
        return one.unit in ("percent", "percentage_points")
    if unit == "USD":
        is_whole = one.scale != "units" or abs(one.value) >= MIN_UNSCALED or one.value == 0
        return one.unit is not None and len(one.unit) == 3 and is_whole
    return one.unit == unit


def _unit_name(one: Amount, unit: str | None) -> str | None:
    name = "days" if unit == "days" else one.unit
    return name if name in UNITS else None


def _topic_places(case: Case, text: Text) -> list[int]:
    measure = case.asked.measure
    if measure is not None:
        lower = unshadowed(measure, text.lower)
        found = [match.start() for match in re.finditer(measure.pattern, lower)]
        if found:
            return found
    wanted = set(case.asked.words)
    return [m.start() for m in re.finditer(r"[a-z]+", text.lower) if stem(m[0]) in wanted]


def _year_before(year: int | None) -> int | None:
    return None if year is None else year - 1


def _candidate(case: Case, text: Text, figure: Figure, support: float) -> Candidate:
    unit = figure.unit if figure.unit in UNITS else None
    quote = _quote(case, text, figure)
    raw = signed(figure.raw, figure.value)
    return Candidate(support, raw, ((text.passage, quote),), figure.value, unit, raw)


def _quote(case: Case, text: Text, figure: Figure) -> str:
    """From the measure's name to the figure, where they stand near each other."""
    places = [place for place in _topic_places(case, text) if place <= figure.start]
    start = max(places, default=figure.start)
    if figure.end - start > MAX_QUOTE_CHARACTERS or len(text.lower) != len(text.text):
        start = figure.start
    return text.text[start : figure.end].strip() or clipped(text.text)


def _headed(heading: str, said: str) -> str:
    """The figure after the question's name for it; the figure alone if there is no name."""
    text = f"{clipped(heading, 120)}: {said}" if heading.strip() else said
    return text[0].upper() + text[1:]


def signed(raw: str, value: float) -> str:
    """A figure as printed, with a minus where its value is negative and its print is not."""
    if value >= 0:
        return raw.strip()
    bare = re.sub(r"[()\s]+", " ", raw).replace("$ ", "$").strip()
    return bare if bare.startswith(("-", "−", "–")) else f"-{bare}"


def written(value: float, unit: str | None) -> str:
    """A computed figure in words: "$1,063,000", "4.2 percent", "$0.13 per share"."""
    digits = f"{value:,.4f}".rstrip("0").rstrip(".") if value % 1 else f"{value:,.0f}"
    if unit == "USD":
        return f"${digits}"
    if unit == "USD_per_share":
        return f"${value:,.2f} per share"
    return f"{digits} {unit}" if unit in ("percent", "days") else digits

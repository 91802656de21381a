"""Which figure of an answer's words is the answer, and whether the words turn its sign.

Answers hold figures besides the one asked for: what it was before, the parts of a sum, years and
notes. The choice follows the question and the unit asked for, never the gold's value:

1. Years, dates, notes and ordinals are no answers (``finrag.text.numbers`` tells them apart), nor
   are figures that the question itself names, unless there is no other.
2. Where a sentence or a line says that it is the answer ("Answer: 5%", "the answer is"), the last
   such one counts; else the last that concludes ("therefore", "so"); else, where a figure stands
   after "=", the last one of these; else all sentences.
3. Figures in the unit asked for come before bare numbers, these before other units.
4. A question for a level passes over what comes after "by" or "from" ("rose by $5 million to
   $100 million, from $95 million"); a question for a change passes over what comes after "from"
   and "to". A question for one year prefers a figure that the answer gives for that year.
5. Figures that the words deny, bound or give for a part come last
   (``finrag.scoring.numbers.context``); denied ones count only where there is no other.
6. Of those left, the first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.numbers.conclusions import ANSWERS, CONCLUDES, rank_of, sentences
from finrag.scoring.numbers.context import YEAR, Context, read_contexts
from finrag.scoring.numbers.text import plain
from finrag.scoring.numbers.units import Measure, measure, unit_around
from finrag.text.comparatives import turn_of
from finrag.text.numbers import (
    MAX_MAGNITUDE,
    MONTH_NUMBERS,
    Amount,
    find_amounts,
    lower_same_length,
)

# A gold whose figure is where something stands after it moved.
LEVEL: Final = "level"
# Longer texts are no answers to a question for one figure; the end holds the conclusion.
MAX_TEXT: Final = 20_000
MAX_FIGURES: Final = 400

_MONTH_NAME: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTH_NUMBERS)
_VOCABULARY: Final = read_vocabulary(__file__, month_name=f"(?:{_MONTH_NAME})")
_MOVE: Final = _VOCABULARY.pattern("move")
_LOSS: Final = _VOCABULARY.pattern("loss")
_LOSS_AFTER: Final = _VOCABULARY.pattern("loss_after")
_MINUS_WORD: Final = re.compile(r"\b(?:negative|minus)\b[^\d]{0,40}$")
_ASKS_PAID: Final = _VOCABULARY.pattern("asks_paid")
_BETTER_OR_WORSE: Final = re.compile(r"\b(?:improv|worse|weak|deteriorat)")
_BAD: Final = re.compile(r"\b(?:loss|cost|expense|debt|deficit|liabilit|leverage|charge)")
_CONTRARY: Final = {"rise": "fall", "fall": "rise"}
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_MOVED: Final = _VOCABULARY.pattern("moved")
_MOVED_AFTER: Final = _VOCABULARY.pattern("moved_after")
_MOVE_AFTER: Final = _VOCABULARY.pattern("move_after")
_FROM: Final = _VOCABULARY.pattern("from")
_BRACKET_LEFT: Final = re.compile(r"[(] ?$")
_BRACKET_RIGHT: Final = re.compile(r" ?[)]")
# A label before brackets is no longer than this.
_LABEL_WORDS: Final = 5
_MEASURES: Final = _VOCABULARY.pattern("measures")
_DECIMALS: Final = re.compile(r"\b(one|two|three|1|2|3) (?:decimal|digits? after)")
_COUNTED: Final = {"one": 1, "two": 2, "three": 3}
# A figure without these goes before one with them; bounds and pairs stand where they stand.
_PASSED_OVER: Final = frozenset({"part", "scope", "change", "expected"})
_NOTHING: Final = re.compile(r"\b(?:zero|nil)\b|\A\W{0,4}(?:none|nothing)\b")
_TO: Final = _VOCABULARY.pattern("to")
_BY: Final = _VOCABULARY.pattern("by")
_ASKS_CHANGE: Final = _VOCABULARY.pattern("asks_change")
_ASKS_LOSS: Final = re.compile(r"\bloss(?:es)?\b|\bdeficit\b|\bused (?:in|for)\b|\btax benefit\b")
_WANTS_MINUS: Final = _VOCABULARY.pattern("wants_minus")
_ASKS_FALL: Final = _VOCABULARY.pattern("asks_fall")
_ASKS_BOTH: Final = _VOCABULARY.pattern("asks_both")
_ASKS_PERCENT: Final = re.compile(r"%|\bper ?cent|\bpercentage\b")
_SCALE_NAMED: Final = _VOCABULARY.pattern("scale_named")
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
# "$1,577" in a question for millions is 1,577 million; "$1,577,000,000" is what it says.
_SCALE_CEILING: Final = 1e6
# Behind a heading of its own ("Net sales (in thousands): 1,577,000") a figure is in that scale,
# unless no company is so large.
_SCALED_HEADING: Final = _VOCABULARY.pattern("scaled_heading")
_HEADING_REACH: Final = 60
_LARGEST_SCALED: Final = 1e13
# Units this far apart can still stand for one another (see ``_distance``).
_SAME_KIND: Final = 2
_TIME_AFTER: Final = re.compile(r"[ \xa0-](?:\w+ )?(days?|weeks?|months?|years?|hours?)\b")

_MINUS_BEFORE: Final = re.compile(r"(?:^|[ =:])[-−]$")
_EQUALS: Final = re.compile(r"(?:=|≈|\bequals)[ \xa0]*(?:approximately |about |~ ?)?[-−(]?[$€£¥]?$")

_MONTH: Final = {name[:3]: number for name, number in MONTH_NUMBERS.items()}
_DATE: Final = _VOCABULARY.pattern("date")
_END_CUE: Final = re.compile(r"\b(?:end(?:ed|ing|s)?|to|through|until)(?: on)? $")


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that an answer claims.

    Attributes:
        value: Whole units, with the sign that digits and words give it.
        low: Lower end of the interval that the printed digits stand for.
        high: Its upper end.
        unit: As ``finrag.text.numbers`` or the system names it; None or count for a bare number.
        said: As printed, for messages.
        direction: ``fall`` or ``rise`` where words turn or confirm the sign; else empty.
        is_range: Two ends instead of one figure.
        years: Years that the words name.
        date: Last day of a period, ISO, where a year is asked for and a date is stated.
        is_concluded: It stands in a sentence that concludes.
        year: The year that its clause gives it; None for none.
        flaws: What its words make of it (``Context.flaws``); empty for a plain statement.
    """

    value: float
    low: float
    high: float
    unit: str | None
    said: str
    direction: str = ""
    is_range: bool = False
    years: tuple[int, ...] = ()
    date: str | None = None
    is_concluded: bool = False
    year: int | None = None
    flaws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says about the figure it asks for.

    Attributes:
        wants: The unit asked for.
        lower: The question in small letters.
        years: Years that it names.
        is_change: It asks how far something moved, not where it stood.
        asks_loss: It names a loss or a use of cash, whose size is then a positive number.
        asks_fall: It says that something fell, and asks by how much.
        asks_percent: It names percent.
        scale: The scale in which it wants the figure ("in USD millions"), else 1.
        decimals: How many decimals it wants; None where it does not say.
    """

    wants: Measure
    lower: str
    years: frozenset[int]
    is_change: bool
    asks_loss: bool
    asks_fall: bool
    asks_percent: bool
    scale: float
    decimals: int | None = None


def read_question(text: str, unit: str | None) -> Asked:
    """Read what a question says about the figure it asks for.

    Args:
        text: The question; empty where unknown.
        unit: The unit asked for.

    Returns:
        What was read.
    """
    lower = text[:MAX_TEXT].lower()
    is_change = _ASKS_CHANGE.search(lower) is not None
    decimals = _DECIMALS.search(lower)
    return Asked(
        wants=measure(unit),
        lower=lower,
        years=frozenset(_years(lower)),
        is_change=is_change,
        asks_loss=_ASKS_LOSS.search(_WANTS_MINUS.sub("", lower)) is not None,
        asks_fall=is_change and bool(_ASKS_FALL.search(lower)) and not _ASKS_BOTH.search(lower),
        asks_percent=_ASKS_PERCENT.search(lower) is not None,
        scale=_scale_named(lower),
        decimals=None if decimals is None else _decimals(decimals.group(1)),
    )


def _decimals(said: str) -> int:
    return int(said) if said.isdigit() else _COUNTED[said]


def read_claims(text: str, asked: Asked) -> Iterator[Claim]:
    """Every figure that could be the answer, the stated one first.

    Args:
        text: The answer in words, untrusted; of a very long one the end.
        asked: What the question asks for.

    Yields:
        The claims, the one that counts as the answer first; none where there is no figure.
    """
    text = plain(text[-MAX_TEXT:])
    if asked.wants.kind == "year":
        yield from _year_claims(text, asked)
        return
    lower = lower_same_length(text)
    amounts = find_amounts(text)
    figures = [
        one
        for one in amounts
        if abs(one.value) < MAX_MAGNITUDE
        and (one.kind == "amount" or (one.kind == "date" and _is_span(lower, one, asked)))
        and not _is_list_mark(lower, one)
    ]
    figures = figures[-MAX_FIGURES:]
    if not figures:
        if _NOTHING.search(lower):
            yield Claim(0.0, 0.0, 0.0, None, "nothing")
        return
    contexts = read_contexts(lower, figures, asked.lower, asked.years, asked.is_change)
    about = dict(zip(figures, contexts, strict=True))
    scale = asked.scale if asked.scale > 1 else _scale_named(lower)
    years = tuple(_years(lower))
    ordered = _ordered(lower, figures, asked, about)
    ends = [span for span in sentences(lower) if rank_of(lower, *span)]
    for one in ordered:
        is_concluded = any(start <= one.start < end for start, end in ends)
        yield _claim(lower, one, asked, scale, years, about[one], is_concluded)


def read_way(text: str, value: float, asked: Asked) -> str:
    """Which way the words of a gold say that its figure went.

    Args:
        text: The gold in words.
        value: Its figure in whole units.
        asked: What the question asks for.

    Returns:
        ``fall`` or ``rise``: "decreased by 5%" is a change whatever the question calls it.
        ``LEVEL`` for "decreased to 5%", which is none; empty where the words do not tell.
    """
    if asked.wants.kind == "year":
        return ""
    lower = lower_same_length(plain(text))
    for one in find_amounts(plain(text)):
        sizes = {abs(one.value), abs(one.value) * asked.scale}
        if one.kind != "amount" or not any(math.isclose(size, abs(value)) for size in sizes):
            continue
        start = max(0, one.start - 48)
        if _TO.search(lower, start, one.start) and _MOVE.search(lower, start, one.start):
            return LEVEL
        is_moved = _MOVED.search(lower, start, one.start) or _MOVED_AFTER.match(lower, one.end)
        if asked.is_change or is_moved:
            return _direction(lower, one, replace(asked, is_change=True))
    return ""


def _is_list_mark(lower: str, one: Amount) -> bool:
    """Whether a number opens a line as "1." or "2)" does."""
    if (
        one.unit != "count"
        or not one.raw.isdigit()
        or lower[one.end : one.end + 1] not in (".", ")")
    ):
        return False
    head = lower[lower.rfind("\n", 0, one.start) + 1 : one.start]
    return not head.strip(" \t*#>-(")


def _is_span(lower: str, one: Amount, asked: Asked) -> bool:
    """Whether a number counts the days, weeks or years that were asked for."""
    if asked.wants.kind != "number":
        return False
    match = _TIME_AFTER.match(lower, one.end)
    return match is not None and match.group(1).rstrip("s") == asked.wants.name.rstrip("s")


def _ordered(
    lower: str, figures: list[Amount], asked: Asked, about: Mapping[Amount, Context]
) -> list[Amount]:
    """The figures, the likeliest answer first."""
    figures = [one for one in figures if "negated" not in about[one].flaws] or figures
    if len(figures) == 1:
        return figures
    chosen = _new_ones(figures, asked)
    chosen = _concluding(lower, chosen, asked)
    best = min(_distance(one, asked) for one in chosen)
    chosen = [one for one in chosen if _distance(one, asked) == best]
    chosen = _in_role(lower, chosen, asked)
    if len(asked.years) == 1 and len(chosen) > 1:
        chosen = _of_year(chosen, asked.years, about)
    if not _PASSED_OVER.isdisjoint(about[chosen[0]].flaws):
        chosen = [one for one in chosen if not about[one].flaws] or chosen
    first = chosen[0]
    return [first, *(one for one in figures if one is not first)]


def _new_ones(figures: list[Amount], asked: Asked) -> list[Amount]:
    """Without what the question itself names."""
    new = [one for one in figures if one.raw.lower() not in asked.lower]
    return new or figures


def _distance(one: Amount, asked: Asked) -> int:
    """How far the unit of a figure is from the unit asked for."""
    wants, has = asked.wants, measure(one.unit)
    if wants.kind == "bare" or (has.kind, has.name) == (wants.kind, wants.name):
        return 0
    if has.kind == "bare":
        # A scale in the question ("in USD millions") invites bare numbers.
        return _SAME_KIND if asked.scale > 1 or wants.kind == "number" else _SAME_KIND + 1
    if wants.kind.startswith("money") and has.kind.startswith("money"):
        if wants.kind == "money_per_share" and has.name == wants.name:
            return 1
        return _SAME_KIND if has.kind == wants.kind else _SAME_KIND + 2
    return _SAME_KIND + 3


def _concluding(lower: str, figures: list[Amount], asked: Asked) -> list[Amount]:
    """The figures of the last sentence that is the answer or concludes, or the last after "="."""
    best = min(_distance(one, asked) for one in figures)
    fitting = [one for one in figures if _distance(one, asked) <= max(best, _SAME_KIND)]
    found: dict[int, list[Amount]] = {}
    for start, end in sentences(lower):
        inside = [one for one in fitting if start <= one.start < end]
        if inside:
            found[rank_of(lower, start, end)] = inside
    for rank in (ANSWERS, CONCLUDES):
        if rank in found:
            return _after_equals(lower, found[rank]) or found[rank]
    return _after_equals(lower, fitting) or figures


def _after_equals(lower: str, figures: list[Amount]) -> list[Amount]:
    """The last figure that follows an equals sign, as a list of one; empty for none."""
    equal = [one for one in figures if _EQUALS.search(lower, max(0, one.start - 24), one.start)]
    return equal[-1:]


def _in_role(lower: str, figures: list[Amount], asked: Asked) -> list[Amount]:
    """Without the figures that say how it was before, or how far it moved, as asked."""
    roles = [_role(lower, one) for one in figures]
    passed_over = ("from", "to") if asked.is_change else ("from", "by")
    wanted = [one for one, role in zip(figures, roles, strict=True) if role not in passed_over]
    return wanted or figures


def _role(lower: str, one: Amount) -> str:
    start = max(0, one.start - 48)
    for role, cue in (("from", _FROM), ("to", _TO), ("by", _BY)):
        if cue.search(lower, start, one.start):
            return role
    return ""


def _of_year(
    figures: list[Amount], years: frozenset[int], about: Mapping[Amount, Context]
) -> list[Amount]:
    """The figures that the words give for the year asked for, if they give others too."""
    first = about[figures[0]].year
    if first is None or first in years:
        return figures
    of_year = [one for one in figures if about[one].year in years]
    return of_year or [one for one in figures if about[one].year is None] or figures


def _claim(
    lower: str,
    one: Amount,
    asked: Asked,
    scale: float,
    years: tuple[int, ...],
    context: Context,
    is_concluded: bool,
) -> Claim:
    factor = 1.0
    is_scalable = one.unit == "count" or measure(one.unit).kind == "money"
    if (
        scale > 1
        and is_scalable
        and one.scale == "units"
        and (
            asked.wants.kind in ("money", "number")
            or (asked.wants.kind == "bare" and asked.scale > 1)
        )
        and (
            abs(one.value) < _SCALE_CEILING or (asked.scale <= 1 and _is_headed(lower, one, scale))
        )
    ):
        factor = scale
    value, low, high = one.value * factor, one.low * factor, one.high * factor
    if one.kind == "date" and _MINUS_BEFORE.search(lower, max(0, one.start - 3), one.start):
        value, low, high = -value, -high, -low
    direction = _direction(lower, one, asked)
    if value > 0 and (direction == "fall" or _is_in_brackets(lower, one)):
        value, low, high = -value, -high, -low
    unit = unit_around(lower, one, asked.wants)
    return Claim(
        value,
        low,
        high,
        unit,
        one.raw.strip(),
        direction,
        one.is_range,
        years,
        is_concluded=is_concluded,
        year=context.year,
        flaws=context.flaws,
    )


def _is_headed(lower: str, one: Amount, scale: float) -> bool:
    """Whether a heading right before a large figure names the scale that it is in."""
    head = lower[max(0, one.start - _HEADING_REACH) : one.start]
    return abs(one.value) * scale < _LARGEST_SCALED and _SCALED_HEADING.search(head) is not None


def _is_in_brackets(lower: str, one: Amount) -> bool:
    """Whether brackets hold one figure alone, which are then a minus.

    After another figure of the same line they are a remark ("12% of revenue ($45 million)"),
    and after a long run of words without a verb of measure.
    """
    left = _BRACKET_LEFT.search(lower, max(0, one.start - 2), one.start)
    if left is None or _BRACKET_RIGHT.match(lower, one.end) is None:
        return False
    head = lower[max(lower.rfind("\n", 0, left.start()), left.start() - 80) + 1 : left.start()]
    head = YEAR.sub("", head.rpartition("|")[2])
    if re.search(r"\d", head) is not None:
        return False
    return len(head.split()) <= _LABEL_WORDS or _MEASURES.search(head) is not None


def _direction(lower: str, one: Amount, asked: Asked) -> str:
    """Whether words say that a figure is a fall or a loss, or a rise."""
    start = max(0, one.start - 64, *(at + 1 for at in _breaks(lower, one.start)))
    window = lower[start : one.start]
    if not asked.is_change:
        is_loss = not asked.asks_loss and _tells_loss(lower, window, one, asked)
        return "fall" if is_loss else ""
    if _MINUS_WORD.search(window):
        return "fall"
    beside = _MOVED.search(window)
    if beside is None and lower[max(0, one.start - 1) : one.start] == "+":
        return "rise"
    moved = beside or _MOVE_AFTER.match(lower, one.end, min(len(lower), one.end + 32))
    if moved is None and _role(lower, one) not in ("from", "to"):
        moved = next(reversed(list(_MOVE.finditer(window))), None)
    if moved is None:
        return ""
    way = _way(moved, window, asked)
    if way == "rise" and one.value < 0:
        return "fall"
    ends = _SENTENCE_END.search(lower, one.end)
    clause = f"{window}{lower[one.start : ends.start() if ends else len(lower)]}"
    return {-1: _CONTRARY.get(way, ""), 0: way, 1: way}[turn_of(clause)]


def _way(moved: re.Match[str], window: str, asked: Asked) -> str:
    """The direction of a word of change; empty for a loss or a cost that got better or worse."""
    is_value = _BETTER_OR_WORSE.search(moved.group()) is not None
    if is_value and (_BAD.search(window) or _BAD.search(asked.lower)):
        return ""
    return "fall" if moved.group("fall") else "rise"


def _tells_loss(lower: str, window: str, one: Amount, asked: Asked) -> bool:
    """A loss named last before the figure, with no figure but a year in between, or behind it."""
    is_paid = _ASKS_PAID.search(asked.lower) is not None
    after = _LOSS_AFTER.match(lower, one.end, min(len(lower), one.end + 64))
    if after is not None and not (is_paid and after.group("cash")):
        return True
    last = None
    for match in _LOSS.finditer(window):
        last = match
    if last is None or (is_paid and last.group("cash")):
        return False
    return not re.search(r"\d", YEAR.sub("", window[last.end() :]))


def _breaks(lower: str, end: int) -> list[int]:
    """Where the sentence before a figure begins: after ". ", ";" or a line's end."""
    start = max(0, end - 64)
    return [
        at
        for at in (lower.rfind(mark, start, end) for mark in (". ", ";", "\n", ", from "))
        if at >= 0
    ]


def _scale_named(lower: str) -> float:
    match = _SCALE_NAMED.search(lower)
    return _SCALES[match.group(1) or match.group(2)] if match else 1.0


def _years(lower: str) -> list[int]:
    return [int(match.group()) for match in YEAR.finditer(lower)]


def find_dates(text: str) -> list[tuple[int, str]]:
    """Full dates of a text, in its order.

    Args:
        text: Any text; "2023-01-31", "January 31, 2023", "Jan. 31 2023" or "31 January 2023".

    Returns:
        Offset and ISO date. The day is not checked against its month.
    """
    found = []
    for match in _DATE.finditer(text.lower()):
        if match.group("iso"):
            found.append((match.start(), match.group("iso")))
            continue
        month = _MONTH[(match.group("month") or match.group("month_last"))[:3]]
        day = int(match.group("day") or match.group("day_first"))
        year = match.group("year") or match.group("year_last")
        found.append((match.start(), f"{year}-{month:02d}-{day:02d}"))
    return found


def find_closing_dates(text: str) -> list[str]:
    """The dates on which a period ends: those behind "ended" or "to", else the last of a text.

    Args:
        text: Any text; see ``find_dates``.

    Returns:
        ISO dates in text order.
    """
    dates = find_dates(text)
    lower = text.lower()
    ends = [date for start, date in dates if _END_CUE.search(lower, max(0, start - 20), start)]
    return ends or [date for _, date in dates[-1:]]


def _year_claims(text: str, asked: Asked) -> list[Claim]:
    """The stated years: that of the date on which a period ends, else those not in the question."""
    lower = text.lower()
    dates = find_closing_dates(text)
    years = tuple(_years(lower))
    if dates:
        date = dates[0]
        year = float(date[:4])
        return [Claim(year, year, year, "year", date, years=years, date=date)]
    stated = [year for year in years if year not in asked.years] or list(years)
    return [Claim(float(year), year, year, "year", str(year), years=years) for year in stated]

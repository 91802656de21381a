"""The support of the numbers, names and quotes of a claim: stated, inferred, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.binding import PRIOR_YEAR
from finrag.scoring.claims.evidence import Evidence, Figure, Reading, quotable, read_evidence
from finrag.scoring.claims.scales import (
    FACTORS,
    UNITS,
    Scaling,
    is_in_currency,
    stated_scales,
)
from finrag.scoring.claims.words import joined_words
from finrag.text.measures import measures_in
from finrag.text.numbers import Amount
from finrag.text.statements import exclusive

SUPPORTED: Final = "supported"
INFERRED: Final = "inferred"
UNPROVEN: Final = "unproven"
UNSUPPORTED: Final = "unsupported"

EQUAL: Final = 1e-9
# More figures than that match too much by chance, unless the answer names what it reckons with.
MAX_OPERANDS: Final = 6
MIN_DIGITS: Final = 2
MAX_HEDGED_DIGITS: Final = 3
# So few seldom give points of one digit by chance.
MAX_SURE_OPERANDS: Final = 4
# A decimal need not be a percentage: it must fit more closely, so that chance does not do it.
MIN_DECIMAL_DIGITS: Final = 3
# In percentage points, as wide as the last digit of "4.1%" and of "0.041".
MAX_DECIMAL_WIDTH: Final = 0.1 + EQUAL
MAX_NAMED: Final = 40

_POINTS: Final = frozenset({"percentage_points", "basis_points"})
_SCALES: Final = (1e3, 1e6, 1e9, 1e12)
_ELLIPSIS: Final = re.compile(r" ?(?:\.\.\.|…|\[\.\.\.\]|\[…\]) ?")
_VOCABULARY: Final = read_vocabulary(__file__)
_NOWHERE: Final = "no cited sentence says it"
_ASSUMED: Final = "a cited table has these digits, but states no scale"
_DECIMAL: Final = "it is a cited percentage written as a decimal"
# Countries by what is theirs, and the reverse, as ``joined_words`` gives them.
_DEMONYMS: Final = {
    **_VOCABULARY.tables["demonyms"],
    **{country: theirs for theirs, country in _VOCABULARY.tables["demonyms"].items()},
}
_DIFFERENCES: Final = _VOCABULARY.tables["differences"]
# Where a cited sentence has the figure itself, but not so, it is not worked out either.
_MISBOUND: Final = frozenset(_DIFFERENCES[kind] for kind in ("direction", "year", "level", "label"))


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation whose sentence exists.

    Attributes:
        evidence: the sentence and its filing.
        reading: what the sentence says.
        names: its company's names, joined as ``joined_words`` gives them.
        known: stems and years that are known of it without being said.
    """

    evidence: Evidence
    reading: Reading
    names: tuple[str, ...]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """The support of a claim.

    Attributes:
        support: supported, inferred or unsupported.
        reason: one sentence for an analyst.
        holders: cited sentences that support it, in the order of the citations.
        is_reckoned: whether it is the result of arithmetic.
        is_read_so: whether it holds only as its figure is read: in a scale that nothing states, or
            as the percentage that a decimal states.
        is_verbatim: whether a cited sentence holds it word for word.
    """

    support: str
    reason: str
    holders: tuple[str, ...] = ()
    is_reckoned: bool = False
    is_read_so: bool = False
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A way to read a figure of an answer beside what is cited.

    Attributes:
        claim: the figure.
        about: citations of the companies that the claim names.
        cited: all citations.
        is_assumed: whether the scale of the cited figures is the claim's own, as none is stated.
    """

    claim: Figure
    about: Sequence[Cited]
    cited: Sequence[Cited]
    is_assumed: bool = False


def _found(
    support: str, reason: str, cited: Sequence[Cited], holds: Iterable[bool]
) -> Finding | None:
    ids = tuple(one.evidence.passage_id for one, held in zip(cited, holds, strict=True) if held)
    return Finding(support, reason, ids) if ids else None


def trace_name(text: str, cited: Sequence[Cited]) -> Finding:
    """Trace a name: supported by a sentence that holds it, inferred from the filing's company."""
    joined = joined_words(text)
    other = _DEMONYMS.get(joined.strip())
    ways = (joined,) if other is None else (joined, f" {other} ")
    said = _found(
        SUPPORTED,
        "a cited sentence names it",
        cited,
        (any(way in one.reading.joined for way in ways) for one in cited),
    )
    filed = _found(
        INFERRED,
        "it is the company of a cited filing",
        cited,
        (any(joined in name for name in one.names) for one in cited),
    )
    if said and filed:
        return Finding(SUPPORTED, said.reason, tuple(dict.fromkeys(said.holders + filed.holders)))
    nowhere = Finding(UNSUPPORTED, "no cited sentence or filing names it")
    return said or filed or _over_seam(joined, cited) or nowhere


def _over_seam(joined: str, cited: Sequence[Cited]) -> Finding | None:
    """A run of capitals over the seam of two cited sentences: a title and what follows it."""
    words = joined.split()
    for cut in range(1, len(words)):
        head, tail = f" {' '.join(words[:cut])} ", f" {' '.join(words[cut:])} "
        first = [one for one in cited if one.reading.joined.endswith(head)]
        second = [one for one in cited if one.reading.joined.startswith(tail)]
        if first and second:
            ids = (first[0].evidence.passage_id, second[0].evidence.passage_id)
            return Finding(
                SUPPORTED, "it runs from the end of one cited sentence into the next", ids
            )
    return None


def trace_quote(text: str, cited: Sequence[Cited]) -> Finding:
    """Trace what stands between quotation marks."""
    found = _found(
        SUPPORTED,
        "a cited sentence holds these words",
        cited,
        (is_quoted(text, one.reading) for one in cited),
    )
    return found or Finding(UNSUPPORTED, "no cited sentence holds these words")


def is_quoted(text: str, reading: Reading) -> bool:
    """Whether a sentence holds a quote, its pieces around dots of omission in their order."""
    at = 0
    for piece in _ELLIPSIS.split(quotable(text).strip(" \"'")):
        wanted = piece.rstrip(".,;:")
        place = reading.quotable.find(wanted, at)
        if place < 0:
            return False
        at = place + len(wanted)
    return True


def trace_year(one: Amount, cited: Sequence[Cited], day: tuple[int, ...] | None = None) -> Finding:
    """Trace a year: supported by a sentence that names it, inferred from the filing's year.

    Args:
        one: the year.
        cited: citations.
        day: the date that the year is the end of; a date with that day and month in another year,
            or of that year and another day, speaks against it.
    """
    year = int(one.value)
    if day and _is_other_day(day, cited):
        return Finding(UNSUPPORTED, "the cited sentences give another day or another year")
    filed = _found(
        INFERRED,
        "it is the year of a cited filing",
        cited,
        (year in c.evidence.years for c in cited),
    )
    said = _found(
        SUPPORTED,
        "a cited sentence names the year",
        cited,
        (year in c.reading.years for c in cited),
    )
    if said and filed:
        return Finding(SUPPORTED, said.reason, tuple(dict.fromkeys(said.holders + filed.holders)))
    return (
        said
        or filed
        or Finding(UNSUPPORTED, "no cited sentence names the year, and no cited filing is of it")
    )


def _is_other_day(day: tuple[int, ...], cited: Sequence[Cited]) -> bool:
    dates = frozenset[tuple[int, ...]]().union(*(c.reading.dates for c in cited))
    if not dates or day in dates:
        return False
    if any(other[0] == day[0] for other in dates):
        return True
    named = frozenset[int]().union(*(c.reading.years for c in cited))
    return day[0] not in named and any(other[1:] == day[1:] for other in dates)


def trace_date(one: Amount, cited: Sequence[Cited], question: Reading) -> Finding:
    """Trace a day or a span of time.

    Inferred where the question names it: who repeats the period asked for invents nothing. No
    other number is taken from a question, which may ask whether a wrong one is right.
    """
    written = one.raw.split("-")
    day = tuple(map(int, written)) if len(written) == 3 else None
    found = _found(
        SUPPORTED,
        "a cited sentence names the date or period",
        cited,
        (day in c.reading.dates if day else one.raw in c.reading.words.digits for c in cited),
    )
    if not found and (day in question.dates if day else one.raw in question.words.digits):
        return Finding(INFERRED, "the question names the date or period")
    return found or Finding(UNSUPPORTED, "no cited sentence names the date or period")


def ways_to_read(claim: Figure, about: Sequence[Cited], cited: Sequence[Cited]) -> list[Way]:
    """The ways to read a figure: as it is printed, as a percentage, in the scale of a table.

    "0.041" is 4.1 percent as well. "$5.2 million" may stand in a table as "5.2": in that scale if
    the table, or what is above the figure, states one; in the claim's if nothing cited states one.
    """
    one = claim.amount
    ways = [Way(claim, about, cited)]
    if one.unit == "count" and one.scale == "units" and "." in one.raw and 0 < abs(one.value) < 1:
        return [*ways, Way(_as_percentage(claim), about, cited)]
    is_money = one.unit is not None and len(one.unit) == 3
    if one.is_range or not (is_money or (one.unit == "count" and one.scale in FACTORS)):
        return ways
    stated = [(_in_stated_scale(other, one), other) for other in cited]
    is_silent = not any(stated_scales(text) for other in cited for text in _texts(other))
    assumed = [(_in_assumed_scale(other, one) if is_silent else None, other) for other in cited]
    for pairs, is_assumed in ((stated, False), (assumed, True)):
        read = {other.evidence.passage_id: scaled for scaled, other in pairs if scaled}
        if read:
            near = [read[c.evidence.passage_id] for c in about if c.evidence.passage_id in read]
            ways.append(Way(claim, near, list(read.values()), is_assumed))
    return ways


def _as_percentage(claim: Figure) -> Figure:
    one = claim.amount
    value, low, high = (100 * each for each in (one.value, one.low, one.high))
    if high - low > MAX_DECIMAL_WIDTH:
        low = high = value
    amount = replace(one, value=value, low=low, high=high, unit="percent")
    return replace(claim, amount=amount, is_decimal=True)


def _in_stated_scale(one: Cited, claim: Amount) -> Cited | None:
    text, table = one.evidence.text or "", one.evidence.table_text
    scales = stated_scales(table or text, is_of_money=len(claim.unit or "") == 3)
    if not scales or not _is_in_currency(one, claim):
        return None
    # Which of several scales of a table a figure has must stand beside it.
    otherwise = scales[0] if table and len(scales) == 1 else UNITS
    return _scaled(one, Scaling(claim.unit or "", otherwise, bool(table)))


def _in_assumed_scale(one: Cited, claim: Amount) -> Cited | None:
    table = one.evidence.table_text
    if not table or claim.scale not in FACTORS or _n_digits(claim) < MIN_DIGITS:
        return None
    if not _is_in_currency(one, claim):
        return None
    return _scaled(one, Scaling(claim.unit or "", claim.scale, is_table=True))


def _texts(one: Cited) -> tuple[str, str]:
    return one.evidence.text or "", one.evidence.table_text or ""


def _is_in_currency(one: Cited, claim: Amount) -> bool:
    return claim.unit in {None, "count"} or is_in_currency("\n".join(_texts(one)), claim.unit)


def _scaled(one: Cited, scaling: Scaling) -> Cited:
    return replace(one, reading=read_evidence(one.evidence.text or "", scaling))


def _n_digits(one: Amount) -> int:
    """Digits that count; the zero of "20%" is no rounding."""
    digits = re.sub(r"[^0-9]", "", one.raw)
    return len(digits.lstrip("0") if one.unit == "percent" else digits.strip("0"))


def trace_ways(ways: Sequence[Way]) -> Finding:
    """Trace an amount in each way it can be read; the first that a cited sentence says counts."""
    findings = []
    for way in ways:
        finding = trace_figure(way.claim, way.about, way.cited)
        if finding.holders and (way.is_assumed or way.claim.is_decimal):
            why = _ASSUMED if way.is_assumed else _DECIMAL
            return replace(finding, support=INFERRED, reason=why, is_read_so=True)
        if finding.holders:
            return finding
        findings.append(finding)
    telling = [one for one in findings if one.reason != _NOWHERE]
    return next(filter(is_misbound, telling), telling[-1] if telling else findings[0])


def trace_figure(claim: Figure, about: Sequence[Cited], cited: Sequence[Cited]) -> Finding:
    """Trace an amount to the sentences of the companies that the claim is about.

    Args:
        claim: the amount with the words beside it.
        about: citations of the companies that the claim names.
        cited: all citations.
    """
    found = _found(
        SUPPORTED, "a cited sentence says it", about, (_says(claim, one) for one in about)
    )
    if found:
        return found
    if len(about) < len(cited) and any(_says(claim, one) for one in cited):
        return Finding(UNSUPPORTED, "only a cited sentence about another company says it")
    if claim.amount.unit == "count" and any(
        f" {claim.amount.raw} " in name for one in about for name in one.names
    ):
        ids = tuple(one.evidence.passage_id for one in about)
        return Finding(INFERRED, "it is part of the name of the filing's company", ids)
    kinds = {_compare(claim, b, c) for c in about for b in c.reading.figures}
    why = next((text for kind, text in _DIFFERENCES.items() if kind in kinds), None)
    return Finding(UNSUPPORTED, why or _NOWHERE)


def _says(claim: Figure, cited: Cited) -> bool:
    reading = cited.reading
    compared = set()
    for other in reading.figures:
        how = _compare(claim, other, cited)
        if how == "same":
            return True
        compared.add(how)
    one = claim.amount
    # "5 segments" and "five segments"; a number that is not an amount where it was found.
    is_count = one.unit == "count" and one.scale == "units" and one.raw in reading.words.digits
    return is_count and compared <= {"", "unit", "scale"}


def _compare(claim: Figure, other: Figure, cited: Cited) -> str:
    """same, or how the two differ: sign, direction, unit, year ...; "" where nothing is alike."""
    a, b = claim.amount, other.amount
    a, b = _in_unit_of(a, b), _in_unit_of(b, a)
    is_near = _is_near(a, b) or _is_hedged(a, b, claim.slack)
    if not is_near and not (claim.is_decimal and _is_rounded(a, b)):
        return "scale" if a.unit == b.unit and _is_scaled(a, b) else ""
    if not _fits_unit(a, b, cited.reading.has_share):
        return "unit"
    if not _signs_agree(claim, other) or (claim.direction > 0 and a.value < 0):
        return "sign"
    is_opposed = claim.direction * other.direction < 0 and a.value >= 0
    if is_opposed or (claim.level == other.level and claim.trend * other.trend < 0):
        return "direction"
    return _misbound(claim, other, cited) or "same"


def _in_unit_of(one: Amount, other: Amount) -> Amount:
    """Basis points as percent or points, and cents as cents a share, where the other is so."""
    if one.unit == "basis_points" and other.unit in ("percent", "percentage_points"):
        value, low, high = (each / 100 for each in (one.value, one.low, one.high))
        return replace(one, value=value, low=low, high=high, unit=other.unit)
    return one


def _misbound(claim: Figure, other: Figure, cited: Cited) -> str:
    """Whether two figures of a value are of other years, ends of a change or names; else ""."""
    is_year = _is_same_year(claim, other, cited)
    if is_year is False:
        return "year"
    if claim.role == "change" and other.role in {"level", "plain"}:
        return "level"
    if claim.role == "level" and other.role == "change":
        return "level"
    if is_year is None and _is_other_end(claim, other, cited.reading):
        return "level"
    is_exclusive = exclusive(claim.terms, other.terms) is not None
    return "label" if is_exclusive or _is_of_another(claim, other, cited) else ""


def _is_same_year(claim: Figure, other: Figure, cited: Cited) -> bool | None:
    """None where one of the two is open."""
    said = claim.binding.years - {PRIOR_YEAR}
    if not said:
        return None
    filed = cited.evidence.years
    theirs = other.binding.years
    if not theirs:
        near = cited.reading.years.union(filed)
        return None if not near or said & near else False
    if PRIOR_YEAR in theirs:
        theirs = (theirs - {PRIOR_YEAR}).union(year - 1 for year in filed)
    return bool(said & theirs) if theirs else None


def _is_other_end(claim: Figure, other: Figure, reading: Reading) -> bool:
    """Whether one is what the change comes from and the other what it leads to."""
    if {claim.level, other.level} != {"from", "to"}:
        return False
    unit = other.amount.unit
    return any(one.level == claim.level and one.amount.unit == unit for one in reading.figures)


def _is_of_another(claim: Figure, other: Figure, cited: Cited) -> bool:
    """Whether the words that name the claimed figure name another figure of the sentence.

    They do where, of what tells the two figures of the sentence apart, the claim has words of the
    other one and none of this one.
    """
    said = claim.binding.label - cited.known
    theirs = other.binding.label
    if not said or said <= theirs:
        return False
    unit = other.amount.unit
    rivals = [
        one.binding
        for one in cited.reading.figures
        if one.binding.label != theirs
        and one.amount.unit == unit
        and not (one.role == "change" and other.role != "change")
    ]
    if not rivals or _share_measure(claim.binding.said, other.binding.said):
        return False
    return any(
        (said & one.label - theirs and not said & theirs - one.label)
        or _share_measure(claim.binding.said, one.said)
        for one in rivals
    )


def _share_measure(text: str, other: str) -> bool:
    """Whether two texts name one measure, if in other words."""
    return not measures_in(text).isdisjoint(measures_in(other))


def _is_near(a: Amount, b: Amount) -> bool:
    """Whether the cited value, sign apart, rounds to the claimed one at its printed digits."""
    if a.is_range:
        return (
            b.is_range and _equal(a.range_low, b.range_low) and _equal(a.range_high, b.range_high)
        )
    half = (a.high - a.low) / 2 + EQUAL * abs(a.value)
    ends = (b.range_low, b.range_high) if b.is_range else (b.value,)
    return any(end is not None and abs(abs(end) - abs(a.value)) <= half for end in ends)


def _is_hedged(a: Amount, b: Amount, slack: tuple[float, float]) -> bool:
    """Whether the cited value, sign apart, is as near as the words before the claimed one say.

    Only a figure of few digits is meant so: "about $1,204.6 million" is that very figure.
    """
    if slack == (0.0, 0.0) or a.is_range or _n_digits(a) > MAX_HEDGED_DIGITS:
        return False
    less, more = slack
    size = abs(a.value)
    ends = (b.range_low, b.range_high) if b.is_range else (b.value,)
    return any(
        end is not None and size * (1 - less) - EQUAL <= abs(end) <= size * (1 + more) + EQUAL
        for end in ends
    )


def _is_rounded(a: Amount, b: Amount) -> bool:
    """Whether a percentage written as a decimal rounds to a cited one, sign apart."""
    is_precise = b.unit == "percent" and b.high - b.low <= MAX_DECIMAL_WIDTH
    return is_precise and abs(abs(b.value) - abs(a.value)) <= (b.high - b.low) / 2 + EQUAL


def _equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return False
    return abs(one - other) <= EQUAL * max(abs(one), abs(other))


def _is_scaled(a: Amount, b: Amount) -> bool:
    small, large = sorted((abs(a.value), abs(b.value)))
    return small > 0 and any(_equal(large, small * scale) for scale in _SCALES)


def _fits_unit(a: Amount, b: Amount, has_share: bool) -> bool:
    if a.unit == b.unit:
        return True
    if a.unit is None or b.unit is None:
        return False
    if a.unit == "count":
        # "354.1 million" leaves out the dollar; a bare "5" is no "$5".
        return a.scale != "units" and b.scale != "units" and len(b.unit) == 3
    if a.unit == f"{b.unit}_per_share":
        return has_share
    return b.unit == f"{a.unit}_per_share" and a.scale == "units"


def _signs_agree(claim: Figure, cited: Figure) -> bool:
    a, b = claim.amount.value, cited.amount.value
    if a >= 0 and b >= 0:
        return claim.polarity * cited.polarity >= 0
    if a < 0 and b < 0:
        return True
    positive = cited if a < 0 else claim
    return positive.polarity < 0 or positive.direction < 0


# --- One step of arithmetic ---------------------------------------------------------------------


def is_misbound(finding: Finding) -> bool:
    """Whether a cited sentence has the figure of a claim, but of another year, end or name."""
    return finding.reason in _MISBOUND


def reckon(claim: Figure, named: Sequence[Figure], cited: Sequence[Cited]) -> Finding | None:
    """Whether an amount is the difference, sum, ratio or percent change of two others.

    Args:
        claim: the amount, which no cited sentence says.
        named: figures that the answer itself names and cited sentences say; two of the first
            ``MAX_NAMED`` may give any amount.
        cited: citations; their figures serve where there are at most ``MAX_OPERANDS`` of a unit
            and the amount has ``MIN_DIGITS`` digits that count, else chance would do it.
    """
    found, is_turned = _step(claim, named[:MAX_NAMED], is_named=True)
    least = MIN_DECIMAL_DIGITS if claim.is_decimal else MIN_DIGITS
    few = _few(cited)
    if claim.amount.unit in _POINTS and len(few) <= MAX_SURE_OPERANDS:
        least = 0
    if found is None and not is_turned and _n_digits(claim.amount) >= least:
        found, _ = _step(claim, few, is_named=False)
    if found is None:
        return None
    ids = tuple(dict.fromkeys(one.evidence.passage_id for one in cited))
    return Finding(INFERRED, found, ids if len(ids) == 1 else (), is_reckoned=True)


def operand(one: Figure, is_cited: bool) -> Figure:
    """A figure to reckon with: of a cited sentence with the sign that its words give it."""
    value = one.signed if is_cited else one.amount.value
    return replace(one, amount=replace(one.amount, value=value), polarity=_polarity(one))


def _polarity(one: Figure) -> int:
    return -1 if one.amount.value < 0 else one.polarity


def _few(cited: Sequence[Cited]) -> list[Figure]:
    # A row of a table is there in words too, with the same figures.
    apart = [one for one in cited if not one.evidence.row_text]
    operands = [operand(figure, True) for one in apart for figure in one.reading.figures]
    distinct = list({(one.amount.unit, one.amount.value): one for one in operands}.values())
    units = [one.amount.unit for one in distinct]
    return [one for one in distinct if units.count(one.amount.unit) <= MAX_OPERANDS]


def _step(claim: Figure, operands: Sequence[Figure], is_named: bool) -> tuple[str | None, bool]:
    """The step that gives an amount, and whether there is only one that goes the other way."""
    is_level = claim.role == "level" and not is_named
    is_turned = False
    a = claim.amount
    half = (a.high - a.low) / 2
    for first, second in combinations(operands, 2):
        x, y = _in_one_unit(first, second)
        if x.amount.unit != y.amount.unit or a.is_range:
            continue
        for name, value in _results(a.unit, x, y):
            less, more = claim.slack if _n_digits(a) <= MAX_HEDGED_DIGITS else (0.0, 0.0)
            size = abs(a.value)
            low, high = size - max(half, less * size), size + max(half, more * size)
            if not low - EQUAL * size <= abs(value) <= high + EQUAL * size:
                continue
            is_change = name in {"difference", "percent change"}
            is_other_way = (
                not _is_that_way(claim, x, y)
                if is_change
                else _is_other_sign(claim, x, y, value, is_sum=name == "sum")
            )
            if is_other_way:
                is_turned = True
                continue
            is_level_moved = {x.role == "change", y.role == "change"} == {True, False}
            if claim.is_earlier and name in ("difference", "sum") and is_level_moved:
                return f"{name} of {x.amount.raw} and {y.amount.raw}", False
            if (is_change and is_level) or (not is_change and not _fits_change(claim, x, y)):
                continue
            return f"{name} of {x.amount.raw} and {y.amount.raw}", False
    return None, is_turned


def _in_one_unit(x: Figure, y: Figure) -> tuple[Figure, Figure]:
    """Two operands, a change in basis points or points beside a percentage in its unit."""
    units = {x.amount.unit, y.amount.unit}
    if "percent" not in units or units.isdisjoint(_POINTS):
        return x, y
    factor = 100 if "basis_points" in units else 1
    return _in_percent(x, factor), _in_percent(y, factor)


def _in_percent(one: Figure, points: int) -> Figure:
    if one.amount.unit == "percent":
        return one
    amount = replace(one.amount, value=one.amount.value / points, unit="percent")
    return replace(one, amount=amount)


def _results(unit: str | None, x: Figure, y: Figure) -> Iterator[tuple[str, float]]:
    """What one step on two figures of a unit gives in another unit."""
    if unit == x.amount.unit or (unit, x.amount.unit) == ("percentage_points", "percent"):
        yield "difference", x.amount.value - y.amount.value
    if unit == "USD" and x.amount.unit == "USD_per_share":
        # "43 cents more": of figures per share.
        yield "difference", x.amount.value - y.amount.value
    if unit == x.amount.unit and unit != "percent":
        yield "sum", x.amount.value + y.amount.value
    if (unit, x.amount.unit) == ("basis_points", "percent"):
        yield "difference", 100 * (x.amount.value - y.amount.value)
    if unit in {"percent", "ratio"} and x.amount.unit != "percent":
        for one, other in ((x.amount.value, y.amount.value), (y.amount.value, x.amount.value)):
            if other:
                yield "ratio", one / other * (100 if unit == "percent" else 1)
            if other and unit == "percent":
                yield "percent change", 100 * (one - other) / abs(other)


def _is_that_way(claim: Figure, x: Figure, y: Figure) -> bool:
    """Whether a change said to be up, down or negative goes that way, where its ends are stated."""
    said = claim.direction or (-1 if claim.amount.value < 0 else 0)
    if not said:
        return True
    years = len(x.binding.years), len(y.binding.years)
    if (
        years == (1, 1)
        and PRIOR_YEAR not in x.binding.years | y.binding.years
        and x.binding.years != y.binding.years
    ):
        first, last = (x, y) if min(x.binding.years) < min(y.binding.years) else (y, x)
    elif {x.level, y.level} == {"from", "to"}:
        first, last = (x, y) if x.level == "from" else (y, x)
    else:
        return True
    return (last.amount.value - first.amount.value) * said > 0


def _is_other_sign(claim: Figure, x: Figure, y: Figure, value: float, *, is_sum: bool) -> bool:
    """Whether a sum or ratio has the opposite sign of the claim, in figures or in words.

    A loss may be named without its minus; a positive sum never has one, and two profits make no
    loss.
    """
    if claim.amount.value < 0 < value:
        return True
    return is_sum and x.polarity == y.polarity == -_polarity(claim) != 0


def _fits_change(claim: Figure, x: Figure, y: Figure) -> bool:
    """Whether an amount may be a sum or ratio: no change is, and no year holds two years' sum."""
    if claim.role == "change":
        return False
    is_apart = (
        bool(x.binding.years) and bool(y.binding.years) and not x.binding.years & y.binding.years
    )
    is_sum = claim.amount.unit == x.amount.unit
    return not (is_sum and is_apart) or x.binding.years | y.binding.years <= claim.binding.years

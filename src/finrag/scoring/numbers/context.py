"""What the words around a figure make of it: its year, its bounds, a denial, another scope.

A figure may be the right one and its sentence still wrong: it was not that much, it was at least
that much, that was the year before, the first quarter or one segment. Each figure is read with the
words of its own clause that stand nearer to it than to the figures beside it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from finrag.records.vocabulary import read_vocabulary
from finrag.text.numbers import Amount
from finrag.text.statements import is_of_another_line

YEAR: Final = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?![\d%]|,\d|\.\d)")
# Words further from a figure than this say nothing of it.
_REACH: Final = 90
_CLAUSE_END: Final = re.compile(r"(?<=[.!?])[ \t]+|[;\n]")

_VOCABULARY: Final = read_vocabulary(__file__)
_NEGATED: Final = _VOCABULARY.pattern("negated")
_DENIED: Final = _VOCABULARY.pattern("denied")
_BOUNDED: Final = _VOCABULARY.pattern("bounded")
_BOUND_AFTER: Final = _VOCABULARY.pattern("bound_after")
_ALTERNATIVE: Final = _VOCABULARY.pattern("alternative")
_PER_SHARE: Final = re.compile(r" per (?:(?:diluted|basic|common|ordinary) )?share")
_EITHER_REACH: Final = 12
_PART: Final = _VOCABULARY.pattern("part")
_ASKS_PART: Final = _VOCABULARY.pattern("asks_part")
_SCOPE: Final = _VOCABULARY.pattern("scope")
_ASKS_SCOPE: Final = _VOCABULARY.pattern("asks_scope")
_SHARE_KIND: Final = _VOCABULARY.pattern("share_kind")
_CHANGED_BY: Final = _VOCABULARY.pattern("changed_by")

_CHANGED_AFTER: Final = _VOCABULARY.pattern("changed_after")
_EXPECTED: Final = _VOCABULARY.pattern("expected")
_EXPECTED_AFTER: Final = _VOCABULARY.pattern("expected_after")
_ASKS_EXPECTED: Final = _VOCABULARY.pattern("asks_expected")
_YEAR_BEFORE: Final = _VOCABULARY.pattern("year_before")
_YEAR_BEFORE_AFTER: Final = _VOCABULARY.pattern("year_before_after")
_AFTER_YEAR: Final = _VOCABULARY.pattern("after_year")
_HELD_AGAINST: Final = _VOCABULARY.pattern("held_against")
_DOCUMENT: Final = _VOCABULARY.pattern("document")
_EARLY_END: Final = _VOCABULARY.pattern("early_end")


@dataclass(frozen=True, slots=True)
class Context:
    """What the words say of one figure.

    Attributes:
        year: The year that its clause gives it; None for none.
        flaws: ``negated``, ``bound``, ``alternative``, ``part`` (of a year), ``scope`` (a
            segment, another kind of share), ``line`` (another line of a statement), ``change``
            (how far it moved, where a level is asked for) or ``expected`` (a plan or a guess);
            empty for none.
    """

    year: int | None = None
    flaws: tuple[str, ...] = ()


def read_contexts(
    lower: str, figures: Sequence[Amount], question: str, years: frozenset[int], is_change: bool
) -> list[Context]:
    """Read the words around each figure.

    Args:
        lower: The answer in small letters.
        figures: Its figures, in order.
        question: The question in small letters.
        years: The years that it asks about.
        is_change: It asks how far something moved.

    Returns:
        One context for each figure.
    """
    clauses = _clauses(lower, figures)
    stated = find_stated_years(lower, years) if years else []
    spans = [_span(clauses, one) for one in figures]
    out = []
    for at, one in enumerate(figures):
        start, end = spans[at]
        if at:
            left = max(start, figures[at - 1].end if figures[at - 1].end <= one.start else start)
        else:
            left = start
        right = min(end, figures[at + 1].start) if at + 1 < len(figures) else end
        before = lower[max(left, one.start - _REACH) : one.start]
        after = lower[one.end : min(right, one.end + _REACH)]
        flaws = tuple(_flaws(before, after, question, is_change))
        if _is_alternative(lower, figures, at):
            flaws += ("alternative",)
        year = _year_of(lower, figures, spans, at, stated) if stated else None
        is_earlier = _YEAR_BEFORE.search(before) or _YEAR_BEFORE_AFTER.match(after)
        if is_earlier and len(years) == 1 and year not in years:
            year = next(iter(years)) - 1
        out.append(Context(year, flaws))
    return out


def flaws_of(
    text: str, figures: Sequence[Amount], question: str, is_change: bool
) -> frozenset[str]:
    """What the words of a gold themselves make of its figures: "more than $5 million".

    Args:
        text: The gold in words.
        figures: Its figures, in order.
        question: The question in small letters.
        is_change: The question asks how far something moved.

    Returns:
        Flaws that are none in an answer to its question.
    """
    contexts = read_contexts(text.lower(), figures, question, frozenset(), is_change)
    return frozenset(flaw for one in contexts for flaw in one.flaws)


def _flaws(before: str, after: str, question: str, is_change: bool) -> Iterator[str]:
    """Every flaw that fits, the gravest first."""
    if _NEGATED.search(before) or _DENIED.match(after):
        yield "negated"
    if _BOUNDED.search(before) or _BOUND_AFTER.match(after):
        yield "bound"
    near = re.split(r"[,.]", after, maxsplit=1)[0][:40]
    if (_PART.search(before) or _PART.search(near)) and not _ASKS_PART.search(question):
        yield "part"
    if (_SCOPE.search(before) or _SCOPE.search(near)) and not _ASKS_SCOPE.search(question):
        yield "scope"
    if _is_other_share(before, near, question):
        yield "scope"
    if question and is_of_another_line(before, question):
        yield "line"
    if not is_change and (_CHANGED_BY.search(before) or _CHANGED_AFTER.match(after)):
        yield "change"
    is_expected = _EXPECTED.search(before) or _EXPECTED_AFTER.match(after)
    if is_expected and not _ASKS_EXPECTED.search(question):
        yield "expected"


def _is_other_share(before: str, near: str, question: str) -> bool:
    """Whether basic earnings are stated where diluted ones are asked for, or the reverse."""
    asked = set(_SHARE_KIND.findall(question))
    if len(asked) != 1 or asked.isdisjoint(("basic", "diluted")):
        return False
    after = _SHARE_KIND.match(near.lstrip(" (").removeprefix("per ").removeprefix("for "))
    stated = [after.group()] if after else _SHARE_KIND.findall(before)
    return bool(stated) and stated[-1] in ("basic", "diluted") and stated[-1] not in asked


def _is_alternative(lower: str, figures: Sequence[Amount], at: int) -> bool:
    """Whether another value of the same unit stands beside a figure as its equal."""
    for left, right in ((at - 1, at), (at, at + 1)):
        if left < 0 or right >= len(figures):
            continue
        one, two = figures[left], figures[right]
        gap = lower[one.end : two.start]
        if "either " in lower[max(0, one.start - _EITHER_REACH) : one.start]:
            gap = _PER_SHARE.sub("", gap)
        if one.unit != two.unit or len(gap) > 24 or one.low <= two.value <= one.high:
            continue
        if two.low <= one.value <= two.high or (one.unit == "count" and "or" not in gap):
            continue
        if _ALTERNATIVE.fullmatch(gap) and "respectively" not in lower[two.end : two.end + 60]:
            return True
    return False


def _clauses(lower: str, figures: Sequence[Amount]) -> list[tuple[int, int]]:
    """Clauses: sentences, lines, what semicolons part, brackets that hold a figure."""
    cuts = {0, len(lower), *(match.end() for match in _CLAUSE_END.finditer(lower))}
    for one in figures:
        opened = lower.rfind("(", max(0, one.start - _REACH), one.start)
        if opened < 0 or ")" in lower[opened : one.start] or lower[one.start] == "(":
            continue
        closed = lower.find(")", one.end, one.end + _REACH)
        if closed >= 0 and lower[opened:closed].count("(") == 1:
            cuts |= {opened, closed + 1}
    ordered = sorted(cuts)
    return list(pairwise(ordered))


def _span(clauses: Sequence[tuple[int, int]], one: Amount) -> tuple[int, int]:
    return clauses[bisect_right(clauses, one.start, key=lambda span: span[0]) - 1]


def find_stated_years(lower: str, years: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    """Place and year of what a figure may belong to.

    Left out: years held against ("up from 2021"), years of documents ("the 2022 10-K"). The
    first months of a year may end the fiscal year before.
    """
    stated = []
    for match in YEAR.finditer(lower):
        year, before = int(match.group()), lower[max(0, match.start() - 40) : match.start()]
        if _DOCUMENT.match(lower, match.end()) or _HELD_AGAINST.search(before):
            continue
        if year not in years and year - 1 in years and _EARLY_END.search(before):
            year -= 1
        stated.append((match.start(), year))
    return stated


def _year_of(
    lower: str,
    figures: Sequence[Amount],
    spans: Sequence[tuple[int, int]],
    at: int,
    stated: Sequence[tuple[int, int]],
) -> int | None:
    """The year that a clause gives a figure."""
    (start, end), one = spans[at], figures[at]
    inside = [(place, year) for place, year in stated if start <= place < end]
    if not inside:
        return None
    if len({year for _, year in inside}) == 1:
        return inside[0][1]
    beside = [two for two, span in zip(figures, spans, strict=True) if span == (start, end)]
    if "respectively" in lower[start:end] and len(beside) == len(inside):
        return inside[beside.index(one)][1]
    follows = _AFTER_YEAR.match(lower, one.end)
    if follows is not None and follows.start(1) in dict(inside):
        return dict(inside)[follows.start(1)]
    earlier = [year for place, year in inside if place < one.start]
    if len(beside) == 1 or earlier:
        return earlier[-1] if len(beside) > 1 else None
    # "down 1.7% from 20.8% in 2021": the year belongs to the figure before it.
    place, year = inside[0]
    is_next = all(two.start > place or two.start <= one.start for two in beside)
    return year if is_next else None

"""Which year, and which measure or name, each figure of a sentence is said of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from finrag.records.vocabulary import read_vocabulary
from finrag.scoring.claims.words import label_stems
from finrag.text.numbers import Amount, lower_same_length

# Stands for "the prior year", whichever that is.
PRIOR_YEAR: Final = 0
MAX_AFTER_CHARS: Final = 100
MAX_LABEL_CHARS: Final = 160
MAX_TAIL_CHARS: Final = 60
MAX_CUE_CHARS: Final = 60

_VOCABULARY: Final = read_vocabulary(__file__)
_PERIOD: Final = _VOCABULARY.pattern("period")
_BASE: Final = _VOCABULARY.pattern("base")
_YEAR_GAP: Final = _VOCABULARY.pattern("year_gap")
_LIST_GAP: Final = re.compile(r" ?(?:,|,? ?and|,? ?&) *$")
_DATE_TAIL: Final = _VOCABULARY.pattern("date_tail")
_AFTER_BREAK: Final = _VOCABULARY.pattern("after_break")
# A row of a table goes on after its name: "revenue; 2023: 1,097.6; 2022: 1,054.4", and ends where
# the next row begins; a line of a page ends anywhere.
_ROW: Final = r"\n(?=[^\n;]{1,160}; )"
_HARD_BREAK: Final = re.compile(
    rf"[!?]|;(?! (?:19|20)[0-9]{{2}}: )|[.] |{_ROW}"
    r"|\b(?:half|thirds?|quarters?|fifths?|part|portion|one|some|most|all) of\b"
)
_COMPARED: Final = re.compile(r"\b(?:compared|comparison|versus|vs|from|than|against)\b")
_TAIL_BREAK: Final = _VOCABULARY.pattern("tail_break")
_CLAUSE_END: Final = re.compile(rf"[,;:!?]|[.](?= |$)|{_ROW}")
_ITEM_BREAK: Final = re.compile(r",? and |, ")


@dataclass(frozen=True, slots=True)
class Binding:
    """What a figure is said of.

    Attributes:
        years: years that it may be of, ``PRIOR_YEAR`` for "the prior year"; empty where open.
        label: stems of the words that name it, those of the figure before where it has none.
        said: the words themselves, in lower case.
    """

    years: frozenset[int]
    label: frozenset[str]
    said: str


class _Period(NamedTuple):
    start: int
    end: int
    year: int


def bind(text: str, amounts: Sequence[Amount]) -> list[Binding]:
    """Bind each amount of a text to years and to the words that name it.

    A year counts that follows the figure in its clause ("$5 million in 2021"), else the last one
    before it that no figure has taken ("in 2021, sales were $5 million"). As many figures as years
    go in step ("$5 million and $4 million in 2021 and 2020"); otherwise each may be of any of
    them. What a figure is compared to ("up from 2020") and due dates bind nothing.

    Args:
        text: a sentence.
        amounts: its amounts in text order.
    """
    if not amounts:
        return []
    lower = lower_same_length(text).replace("\xa0", " ")
    runs = list(_figure_runs(lower, amounts))
    periods = list(_period_runs(lower, amounts))
    years = [one for run in _years_of(lower, amounts, runs, periods) for one in run]
    labels = _labels(lower, amounts, runs, years)
    return [Binding(year, label, said) for year, (label, said) in zip(years, labels, strict=True)]


def _figure_runs(lower: str, amounts: Sequence[Amount]) -> Iterator[list[int]]:
    """Places of figures of a unit that stand in one list."""
    run = [0]
    for at in range(1, len(amounts)):
        before, one = amounts[at - 1], amounts[at]
        gap = lower[before.end : one.start]
        if (
            _currency(one) == _currency(before)
            and len(gap) < MAX_TAIL_CHARS
            and _LIST_GAP.match(gap)
        ):
            run.append(at)
        else:
            yield run
            run = [at]
    yield run


def _currency(one: Amount) -> str | None:
    """The unit; "$2 and $3 per share" are of one list."""
    return one.unit.removesuffix("_per_share") if one.unit else None


def _period_runs(lower: str, amounts: Sequence[Amount]) -> Iterator[list[_Period]]:
    """Years that stand in one list, those left out that bind nothing."""
    run: list[_Period] = []
    taken = 0
    for found in _PERIOD.finditer(lower):
        while taken < len(amounts) and amounts[taken].end <= found.start():
            taken += 1
        if taken < len(amounts) and amounts[taken].start < found.end():
            continue
        one = _Period(*found.span(), int(found[1]) if found[1] else PRIOR_YEAR)
        gap = lower[run[-1].end : one.start] if run else ""
        if run and len(gap) < MAX_CUE_CHARS and _YEAR_GAP.match(gap):
            run.append(one)
        elif not _BASE.search(lower, max(0, one.start - MAX_CUE_CHARS), one.start):
            if run:
                yield run
            run = [one]
    if run:
        yield run


def _years_of(
    lower: str,
    amounts: Sequence[Amount],
    runs: Sequence[Sequence[int]],
    periods: Sequence[Sequence[_Period]],
) -> Iterator[list[frozenset[int]]]:
    """The years of each run of figures."""
    at = 0
    is_taken = [False] * len(periods)
    for place, run in enumerate(runs):
        start, end = amounts[run[0]].start, amounts[run[-1]].end
        limit = amounts[runs[place + 1][0]].start if place + 1 < len(runs) else len(lower)
        while at < len(periods) and periods[at][0].start < start:
            at += 1
        if at < len(periods) and periods[at][0].start < limit:
            gap = _DATE_TAIL.sub("", lower[end : periods[at][0].start])
            if len(gap) <= MAX_AFTER_CHARS and not _AFTER_BREAK.search(gap):
                is_taken[at] = True
                yield _in_step(len(run), periods[at])
                continue
        if at and not is_taken[at - 1]:
            since = max(periods[at - 1][-1].end, amounts[run[0] - 1].end if run[0] else 0)
            between = lower[periods[at - 1][-1].end : start]
            if not (_HARD_BREAK.search(between) or _COMPARED.search(lower, since, start)):
                yield _in_step(len(run), periods[at - 1])
                continue
        yield [frozenset()] * len(run)


def _in_step(n: int, periods: Sequence[_Period]) -> list[frozenset[int]]:
    if n == len(periods):
        return [frozenset([one.year]) for one in periods]
    return [frozenset(one.year for one in periods)] * n


def _labels(
    lower: str,
    amounts: Sequence[Amount],
    runs: Sequence[Sequence[int]],
    years: Sequence[frozenset[int]],
) -> list[tuple[frozenset[str], str]]:
    """The words that name each figure: those before it, and a few behind it."""
    found: list[tuple[frozenset[str], str]] = []
    floor, before, said_before = 0, frozenset[str](), ""
    for place, run in enumerate(runs):
        start, end = amounts[run[0]].start, amounts[run[-1]].end
        limit = amounts[runs[place + 1][0]].start if place + 1 < len(runs) else len(lower)
        head = _after_break(lower[max(floor, start - MAX_LABEL_CHARS) : start])
        after = lower[end : min(limit, end + MAX_TAIL_CHARS)]
        cut = _TAIL_BREAK.search(after)
        tail = after[: cut.start()] if cut else after
        floor = end + len(tail)
        own = label_stems(head)
        behind = label_stems(tail)
        if own:
            before, said_before = own, head
        elif behind and lower[:start].rstrip().endswith((" of the", " of")):
            # "86 of the 1,214 stores": what is counted stands behind.
            before, said_before = frozenset(), head
        elif found and not behind:
            before, said_before = found[-1]
        pieces = _ITEM_BREAK.split(head)
        is_one_year = years[run[0]] == years[run[-1]]
        is_listed = is_one_year and len(pieces) >= len(run) > 1
        if is_listed and "respectively" in lower[end : end + 160]:
            found += [(label_stems(one), one) for one in pieces[-len(run) :]]
        else:
            found += [(before | behind, f"{said_before} {_CLAUSE_END.split(after, 1)[0]}")] * len(
                run
            )
    return found


def _after_break(head: str) -> str:
    # A row of a filing names all its figures: "Statements | Revenue | 2023: 1,097.6 million USD".
    head = head.rsplit(" | ", 1)[-1]
    breaks = list(_HARD_BREAK.finditer(head))
    return head[breaks[-1].end() :] if breaks else head

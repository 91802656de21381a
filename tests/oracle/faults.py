"""Planted faults: the right answers of a warehouse, each made wrong in one way by rule.

A fault is a function of a question and of all questions. It says what the faulty system gives in
place of the right answer, or None where the fault cannot be planted; no record at all is ``()``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from tests.oracle.gold import CHANGE, Answer, Gold, declined, digits, own_words, ranked

Given = Answer | tuple[Answer, ...] | None
# One figure as filings print it; what a fault puts into another unit, scale or sign.
_FIGURE: Final = re.compile(
    r"(?P<minus>-?)(?P<sign>[$€£]?)(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<scale> (?:thousand|million|billion))?(?P<percent>\s?(?:%|percent))?"
)
# A figure that no filing states.
_INVENTED: Final = "$123.4 million"


class Golds:
    """All questions, and the one that differs from another in one respect."""

    def __init__(self, golds: Sequence[Gold]) -> None:
        self.all = tuple(golds)

    @cached_property
    def answerable(self) -> tuple[Gold, ...]:
        """Those that the filings answer."""
        return tuple(gold for gold in self.all if gold.has_answer)

    @cached_property
    def companies(self) -> dict[int, str]:
        """What companies are called, by number."""
        return {gold.ciks[0]: gold.company for gold in self.all if gold.ciks}

    def other_company(self, gold: Gold) -> str:
        """The name of the next company."""
        numbers = sorted(self.companies)
        at = (numbers.index(gold.ciks[0]) + 1) % len(numbers) if gold.ciks else 0
        return self.companies[numbers[at]]

    def elsewhere(self, gold: Gold) -> Gold | None:
        """The same asked of another company, with another answer."""
        return self._like(gold, lambda one: one.years == gold.years and one.ciks != gold.ciks)

    def earlier(self, gold: Gold) -> Gold | None:
        """The same asked of another year, with another answer."""
        return self._like(gold, lambda one: one.ciks == gold.ciks and one.years != gold.years)

    def _like(self, gold: Gold, differs: Callable[[Gold], bool]) -> Gold | None:
        asked = (gold.category, gold.kind, gold.unit, gold.measure)
        return next(
            (
                one
                for one in self.answerable
                if differs(one)
                and (one.category, one.kind, one.unit, one.measure) == asked
                and one.text != gold.text
            ),
            None,
        )

    def shuffled(self, gold: Gold) -> Gold | None:
        """Another question of the same kind: each answer is given to one question."""
        alike = [one for one in self.all if one.kind == gold.kind]
        other = alike[(alike.index(gold) + len(alike) // 2) % len(alike)]
        return None if other == gold else other


def _said(gold: Gold) -> str:
    """The gold as one text."""
    return "; ".join(gold.parts) if gold.kind == "list" else gold.text


def _saying(gold: Gold, text: str | tuple[str, ...] | None) -> Answer | None:
    """The right answer with another text."""
    return None if text is None else replace(own_words(gold), text=text)


def _with_figure(gold: Gold, change: Callable[[re.Match[str]], str]) -> str | None:
    """The gold with its figure changed; None where it is no figure of money or percent."""
    if gold.kind != "numeric" or gold.unit == "year":
        return None
    found = _FIGURE.search(gold.text)
    if found is None:
        return None
    return gold.text[: found.start()] + change(found) + gold.text[found.end() :]


# --- The answer says the opposite ---


def denies(gold: Gold, golds: Golds) -> Given:
    return _saying(gold, f"It is not true that the answer is: {_said(gold)}")


def denies_behind(gold: Gold, golds: Golds) -> Given:
    return _saying(gold, f"{_said(gold).rstrip('.')}? No, that is wrong.")


def nobody_said(gold: Gold, golds: Golds) -> Given:
    return _saying(gold, f"Nobody at {gold.company} ever reported this: {_said(gold)}")


def turns_direction(gold: Gold, golds: Golds) -> Given:
    """Up for down, yes for no, minus for plus."""
    if change := CHANGE.fullmatch(gold.text):
        way = "Down" if change["way"] == "Up" else "Up"
        text = (
            f"{way} by {change['by']}, from {change['new']} in fiscal {change['then']} "
            f"to {change['old']} in fiscal {change['now']}."
        )
        return _saying(gold, text)
    if gold.kind == "boolean":
        said, other = ("Yes", "No") if gold.text.startswith("Yes") else ("No", "Yes")
        return _saying(gold, other + gold.text.removeprefix(said))
    return _saying(
        gold, _with_figure(gold, lambda f: f[0].removeprefix("-") if f["minus"] else f"-{f[0]}")
    )


def hedges(gold: Gold, golds: Golds) -> Given:
    """The answer or another one to the same, whichever."""
    if gold.kind == "boolean":
        return _saying(gold, f"Yes and no. {gold.text.partition('. ')[2]}")
    other = golds.earlier(gold) or golds.elsewhere(gold)
    if other is None:
        return None
    return _saying(gold, f"Either {_said(gold).rstrip('.')} or {_said(other).rstrip('.')}.")


# --- The figure is another one ---


def halves_figures(gold: Gold, golds: Golds) -> Given:
    return _saying(gold, _with_figure(gold, lambda figure: f"half of {figure[0]}"))


def loses_scale(gold: Gold, golds: Golds) -> Given:
    """Millions become thousands, and written-out digits lose three."""

    def change(figure: re.Match[str]) -> str:
        if figure["scale"]:
            return figure[0].replace(figure["scale"], " thousand")
        return figure[0].removesuffix(",000")

    text = _with_figure(gold, change)
    return _saying(gold, None if text == gold.text else text)


def wrong_unit(gold: Gold, golds: Golds) -> Given:
    """Money becomes percent, and percent money."""

    def change(figure: re.Match[str]) -> str:
        return f"${figure['number']} million" if figure["percent"] else f"{figure['number']}%"

    return _saying(gold, _with_figure(gold, change))


def other_currency(gold: Gold, golds: Golds) -> Given:
    text = _with_figure(gold, lambda figure: figure[0].replace("$", "€"))
    return _saying(gold, None if text == gold.text else text and text.replace("$", "€"))


def off_by_a_tenth(gold: Gold, golds: Golds) -> Given:
    """A tenth too much, where the gold's own rounding does not allow it."""

    def change(figure: re.Match[str]) -> str:
        value = Decimal(figure["number"].replace(",", "")) * Decimal("1.1")
        return figure[0].replace(figure["number"], digits(value))

    if gold.number is None or abs(gold.number) / 10 <= 2 * gold.tolerance:
        return None
    return _saying(gold, _with_figure(gold, change))


def adds_other_digit(gold: Gold, golds: Golds) -> Given:
    """A digit in front that is not of ASCII: a reader sees a figure ten times as large."""
    return _saying(
        gold,
        _with_figure(
            gold, lambda f: f[0].replace(f["number"], f"\N{FULLWIDTH DIGIT NINE}{f['number']}")
        ),
    )


def text_against_number(gold: Gold, golds: Golds) -> Given:
    """The typed figure is right, the text beside it is not."""
    answer = off_by_a_tenth(gold, golds)
    if not isinstance(answer, Answer) or gold.number is None:
        return None
    return replace(answer, more={"numeric_value": float(gold.number), "unit": gold.unit})


def one_absurd_figure(gold: Gold, golds: Golds) -> Given:
    """One figure of 10^23 dollars, in one answer."""
    first = next(one for one in golds.all if one.unit == "USD")
    if gold != first:
        return None
    absurd = {"numeric_value": 1e23, "unit": "USD"}
    return replace(own_words(gold), text=f"${10**23:,}", more=absurd)


# --- The answer is one to something else ---


def swaps_companies(gold: Gold, golds: Golds) -> Given:
    other = golds.elsewhere(gold)
    return _saying(gold, other and _said(other))


def names_other_company(gold: Gold, golds: Golds) -> Given:
    return _saying(gold, f"{golds.other_company(gold)}: {_said(gold)}")


def shifts_year(gold: Gold, golds: Golds) -> Given:
    other = golds.earlier(gold)
    return _saying(gold, other and _said(other))


def shuffled(gold: Gold, golds: Golds) -> Given:
    """Answer, citations and ranking of another question of the same kind."""
    other = golds.shuffled(gold)
    return other and replace(own_words(other), item_id=gold.item_id)


def copies_question(gold: Gold, golds: Golds) -> Given:
    return replace(own_words(gold), text=gold.question, more={})


def says_the_same(gold: Gold, golds: Golds) -> Given:
    return replace(own_words(gold), text="Net sales rose in fiscal 2021.", more={})


# --- Something is left out or put in ---


def half_the_parts(gold: Gold, golds: Golds) -> Given:
    """Half of a list, of the years, or of the causes."""
    parts = gold.parts
    if gold.kind == "list":
        return _saying(gold, parts[: len(parts) // 2])
    if gold.kind != "span":
        return None
    if len(parts) > 1:
        return _saying(gold, "; ".join(parts[: len(parts) // 2]))
    first, joint, _ = gold.text.partition(" and ")
    return _saying(gold, first if joint else None)


def invents_addition(gold: Gold, golds: Golds) -> Given:
    text = f"{_said(gold).rstrip('.')}. Auditors later found that {gold.company} had forged it."
    return _saying(gold, text)


def easy_half(gold: Gold, golds: Golds) -> Given:
    """Only figures and lists are answered; of the rest there is no record."""
    return None if gold.kind in ("numeric", "list") else ()


def blank(gold: Gold, golds: Golds) -> Given:
    return replace(own_words(gold), text="", more={})


def answers_twice(gold: Gold, golds: Golds) -> Given:
    """The right answer, and in a second record one to another question."""
    other = golds.shuffled(gold)
    return other and (own_words(gold), replace(own_words(other), item_id=gold.item_id))


# --- Declining ---


def always_declines(gold: Gold, golds: Golds) -> Given:
    return declined(gold)


def declines_a_third(gold: Gold, golds: Golds) -> Given:
    return declined(gold) if golds.answerable.index(gold) % 3 == 0 else None


def never_declines(gold: Gold, golds: Golds) -> Given:
    text = f"{gold.company} reported {_INVENTED} in fiscal {max(gold.years, default=2021)}."
    return Answer(gold.item_id, text, gold.nearby[:1], ranked(gold))


def invents_beside_declining(gold: Gold, golds: Golds) -> Given:
    """Something to say, under the flag that there is nothing."""
    answer = never_declines(gold, golds)
    return replace(answer, more={"abstained": True}) if isinstance(answer, Answer) else None


# --- Citations, ranking, time ---


def cites_other_filings(gold: Gold, golds: Golds) -> Given:
    """Sentences of another company's filing, in which nothing of it stands."""
    other = next(one for one in golds.answerable if not {*one.ciks} & {*gold.ciks})
    return replace(own_words(gold), citations=other.nearby[: len(gold.evidence)])


def cites_nothing(gold: Gold, golds: Golds) -> Given:
    return replace(own_words(gold), citations=())


def cites_everything(gold: Gold, golds: Golds) -> Given:
    """Each sentence that was found, whatever it says."""
    answer = own_words(gold)
    return replace(answer, citations=answer.ranking)


def cites_neighbours(gold: Gold, golds: Golds) -> Given:
    """Sentences beside the evidence: a few words before or after it."""
    beside = [one for one in _after(gold) if one not in gold.evidence_ids]
    return replace(own_words(gold), citations=tuple(beside)) if beside else None


def _after(gold: Gold) -> Iterator[str]:
    known = frozenset(gold.nearby)
    for place in gold.evidence_ids:
        head, _, position = place.rpartition("_")
        beside = (f"{head}_{int(position) + step}" for step in (1, -1, 2, -2))
        yield next((one for one in beside if one in known), place)


def ranks_nothing_right(gold: Gold, golds: Golds) -> Given:
    """The answer is right, and what was found for it is not."""
    others = [one for one in gold.nearby if one not in gold.evidence_ids]
    return replace(own_words(gold), ranking=tuple(others[:10]))


def slow(gold: Gold, golds: Golds) -> Given:
    return replace(own_words(gold), more={**own_words(gold).more, "latency_ms": 9_000})


def one_absurd_cost(gold: Gold, golds: Golds) -> Given:
    """One answer that cost 10^23 dollars."""
    if gold != golds.answerable[0]:
        return None
    return replace(own_words(gold), more={"cost_usd": 1e23})

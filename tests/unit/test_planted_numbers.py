"""Errors planted in figures by code: each is named as what it is, and none passes for right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from finrag.scoring.numeric import RIGHT, Answered, Expected, judge_number


@dataclass(frozen=True)
class Gold:
    """A fictional figure: a number of tenths of a scale, and what it was a year before."""

    topic: str
    tenths: int
    scale: str
    before: int

    @property
    def factor(self) -> float:
        return {"thousand": 1e3, "million": 1e6, "billion": 1e9}[self.scale]

    @property
    def value(self) -> float:
        return self.tenths * self.factor / 10

    @property
    def other(self) -> float:
        return self.before * self.factor / 10

    @property
    def expected(self) -> Expected:
        question = f"What was Dunmoor Tools' {self.topic} in fiscal 2022?"
        text = money(self.tenths, self.scale)
        half = 0.05 * self.factor
        return Expected(self.value, "USD", half, text, question, (self.other,))


def money(tenths: int, scale: str, currency: str = "$") -> str:
    """A figure as a filing prints it."""
    return f"{'-' if tenths < 0 else ''}{currency}{abs(tenths) / 10:,.1f} {scale}"


GOLDS = [
    Gold("operating income", 3_823, "million", 4_117),
    Gold("operating income", -2_556, "thousand", 1_981),
    Gold("net income", -4_777, "million", -3_121),
    Gold("free cash flow", 7_731, "million", 6_908),
    Gold("free cash flow", -1_047, "thousand", -2_213),
    Gold("revenue", 31_247, "million", 29_382),
    Gold("revenue", 1_234, "billion", 1_189),
    Gold("total debt", 5_391, "billion", 5_023),
    Gold("share repurchases", 457, "million", 132),
    Gold("interest expense", 18_163, "thousand", 17_242),
    Gold("income tax expense", 664, "million", 306),
    Gold("capital expenditures", 38_973, "thousand", 37_084),
    Gold("research expense", 2_914, "million", 2_736),
    Gold("operating cash flow", -10_507, "thousand", 9_641),
]
LAYOUTS = (
    "{}",
    "It was {}.",
    "Dunmoor Tools reported {}, as note 12 and item 7 show.",
    "After a strong quarter: {}.",
)
SMALLER = {"thousand": "units", "million": "thousand", "billion": "million"}
LARGER = {"thousand": "million", "million": "billion", "billion": "trillion"}


def figures(gold: Gold) -> Iterator[tuple[str, str]]:
    """Each planted class, and a figure with that error."""
    tenths, scale = gold.tenths, gold.scale
    yield "exact", money(tenths, scale)
    yield "exact", f"{gold.value:,.0f} dollars"
    whole = round(tenths / 10)
    yield "within_rounding", f"{'-' if whole < 0 else ''}${abs(whole):,} {scale}"
    # Rounded to the wrong whole number.
    yield "wrong_value", f"{'-' if whole < 0 else ''}${abs(whole) + 1:,} {scale}"
    yield "within_tolerance", f"${gold.value + 0.04 * gold.factor:,.0f}"
    yield "sign", money(-tenths, scale)
    yield "sign", f"${-gold.value:,.0f}"
    if tenths > 0:
        yield "sign", f"$({tenths / 10:,.1f}) {scale}"
        yield "sign", f"a loss of {money(tenths, scale)}"
    yield "scale", money(tenths, LARGER[scale])
    yield "scale", money(tenths, SMALLER[scale]).replace(" units", "")
    yield "scale", f"${gold.value * 10:,.0f}"
    yield "unit", f"{tenths / 10:,.1f}%"
    yield "unit", f"{money(tenths, '').strip()} per share"
    yield "currency", money(tenths, scale, "€")
    yield "currency", money(tenths, scale, "£")
    yield "period", money(gold.before, scale)
    yield "period", f"{money(tenths * 2 + 7, scale)} for fiscal 2019"
    yield "wrong_value", money(tenths * 2 + 7, scale)


def planted() -> list[tuple[str, str, Expected]]:
    """Class, answer and gold: every figure of every gold, in one layout after the other."""
    pairs = [
        (label, LAYOUTS[(at + place) % len(LAYOUTS)].format(figure), gold)
        for place, gold in enumerate(GOLDS)
        for at, (label, figure) in enumerate(figures(gold))
    ]
    return [(label, answer, gold.expected) for label, answer, gold in pairs] + parts() + changes()


def parts() -> list[tuple[str, str, Expected]]:
    """Percent, basis points and shares."""
    rows = []
    for tenths in (52, 173, 616, 82, -37):
        question = "What was Dunmoor Tools' gross margin in fiscal 2022?"
        gold = Expected(tenths / 10, "percent", 0.05, f"{tenths / 10}%", question)
        rows += [
            ("exact", f"It was {tenths / 10}%.", gold),
            ("exact", f"It was {tenths * 10} basis points.", gold),
            ("exact", f"As a share, {tenths / 1000:.3f}.", gold),
            ("within_rounding", f"It was {round(tenths / 10)} percent.", gold),
            ("sign", f"It was {-tenths / 10}%.", gold),
            ("unit", f"It was {tenths * 10}%.", gold),
            ("unit", f"It was {tenths / 1000:.3f}%.", gold),
            ("unit", f"It was {tenths / 10} bps.", gold),
            ("unit", f"It was ${abs(tenths) / 10} million.", gold),
        ]
    return rows


def changes() -> list[tuple[str, str, Expected]]:
    """Falls and rises told in words, with where they started and ended."""
    rows = []
    for before, after in ((343, 159), (664, 306), (1_316, 1_407), (207, 236), (842, 719)):
        question = "By how many dollars did Dunmoor Tools' debt change from 2021 to 2022?"
        size = abs(after - before)
        gold = Expected((after - before) * 1e5, "USD", 1e5, None, question)
        rest = f"from {money(before, 'million')} in 2021 to {money(after, 'million')} in 2022"
        words = ("Up", "rose", "increase") if after > before else ("Down", "fell", "decrease")
        turned = ("Down", "fell", "decrease") if after > before else ("Up", "rose", "increase")
        said = money(size, "million")
        rows += [
            ("exact", f"{words[0]} by {said}, {rest}.", gold),
            ("exact", f"Debt {words[1]} {rest}: {words[0].lower()} {said}.", gold),
            ("exact", f"The {words[2]} was {said}.", gold),
            ("sign", f"{turned[0]} by {said}, {rest}.", gold),
            ("sign", f"Debt {turned[1]} by {said}.", gold),
            ("sign", f"A {turned[2]} of {said}.", gold),
            ("scale", f"{words[0]} by {money(size, 'billion')}, {rest}.", gold),
            ("currency", f"Debt {words[1]} by {money(size, 'million', '€')}.", gold),
        ]
    return rows


PAIRS = planted()


def found(answer: str, gold: Expected) -> str:
    return judge_number(Answered(answer), gold).verdict


def test_every_planted_class_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    table = Counter((label, found(answer, gold)) for label, answer, gold in PAIRS)
    labels = list(dict.fromkeys(label for label, _, _ in PAIRS))
    with capsys.disabled():
        print(f"\n{len(PAIRS)} planted pairs; rows: planted, columns: found")
        for label in labels:
            counts = [f"{other} {n}" for (one, other), n in sorted(table.items()) if one == label]
            print(f"  {label:<17}{', '.join(counts)}")
    missed = [
        (label, verdict, answer, gold.value)
        for label, answer, gold in PAIRS
        if (verdict := found(answer, gold)) != label
    ]
    assert len(PAIRS) >= 300
    assert missed == []


@pytest.mark.parametrize("label", ["sign", "scale"])
def test_no_sign_or_scale_error_is_right_within_any_tolerance(label: str) -> None:
    for one, answer, gold in PAIRS:
        if one == label:
            for tolerance in (0.0, abs(gold.value), 3 * abs(gold.value)):
                wide = Expected(gold.value, gold.unit, tolerance, gold.text, gold.question_text)
                assert found(answer, wide) not in RIGHT, (answer, gold.value, tolerance)


def test_a_typed_figure_with_a_planted_error_is_named_too() -> None:
    for gold in GOLDS:
        for label, value, unit in (
            ("exact", gold.value, "USD"),
            ("sign", -gold.value, "USD"),
            ("scale", gold.value * 1e3, "USD"),
            ("scale", gold.value / 1e6, "USD"),
            ("currency", gold.value, "EUR"),
            ("unit", gold.value, "percent"),
            ("period", gold.other, "USD"),
        ):
            judged = judge_number(Answered(None, value, unit), gold.expected)
            assert (judged.verdict, judged.read_from) == (label, "typed")

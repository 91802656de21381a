"""Errors planted in figures by code: each is named as what it is, and none passes for right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from finrag.scoring.numbers import RIGHT, Answered, Expected, check_number


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
    rows = [(label, answer, gold.expected) for label, answer, gold in pairs]
    return rows + parts() + changes() + wordings()


def parts() -> list[tuple[str, str, Expected]]:
    """Percent, basis points and shares."""
    rows = []
    for tenths in (52, 173, 616, 82, -37):
        question = "What was Dunmoor Tools' gross margin in fiscal 2022?"
        gold = Expected(tenths / 10, "percent", 0.05, f"{tenths / 10}%", question)
        # One digit is no rounding of three: half its last place is more than a twentieth.
        whole = "within_rounding" if abs(tenths) > 100 else "wrong_value"
        rows += [
            ("exact", f"It was {tenths / 10}%.", gold),
            ("exact", f"It was {tenths * 10} basis points.", gold),
            ("exact", f"As a share, {tenths / 1000:.3f}.", gold),
            (whole, f"It was {round(tenths / 10)} percent.", gold),
            ("sign", f"It was {-tenths / 10}%.", gold),
            ("unit", f"It was {tenths * 10}%.", gold),
            ("unit", f"It was {tenths / 1000:.3f}%.", gold),
            ("unit", f"It was {tenths / 10} bps.", gold),
            ("unit", f"It was ${abs(tenths) / 10} million.", gold),
        ]
    return rows


def changes() -> list[tuple[str, str, Expected]]:
    """Falls and rises stated in words, with where they started and ended."""
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


# Answers that hold the very figure of the gold, and say something else with it.
AROUND_A_LEVEL = (
    ("exact", "It was {this} in fiscal 2022 and {other} in fiscal 2021."),
    ("exact", "In fiscal 2021 it was {other}, and in fiscal 2022 it was {this}."),
    ("exact", "2021: {other}; 2022: {this}."),
    ("exact", "{this} ({other} in 2021)"),
    ("exact", "Not {other}; it was {this}."),
    ("exact", "It was {this}, according to the 2023 10-K."),
    ("period", "In fiscal 2021 it was {this}."),
    ("period", "It was {this} in fiscal 2021."),
    ("period", "For the year ended December 31, 2020, it was {this}."),
    ("period", "It was {this} in the first quarter."),
    ("wrong_value", "It was not {this}."),
    ("wrong_value", "It wasn't {this}."),
    ("wrong_value", "{this} is incorrect."),
    ("wrong_value", "It was less than {this}."),
    ("wrong_value", "At least {this}."),
    ("wrong_value", "Up to {this}."),
    ("wrong_value", "{this} or {third}"),
    ("wrong_value", "It may be {third} or {this}."),
    ("wrong_value", "{this}, {other}, {third}"),
    ("wrong_value", "It rose by {this}."),
    ("wrong_value", "It was {this} for the Marine segment."),
    ("wrong_value", "It was {this} in Europe only."),
)
# And what turns the sign of a figure that is positive.
SIGN_TURNED = (
    "Result: ({this})",
    "Result = ({this})",
    "The result totaled ({this}).",
    "Dunmoor had ({this}) of it.",
    "\u2011{this}",
    "\u2212{this}",
    "- {this}",
    "It was - {this}.",
    "a {this} loss",
    "Dunmoor lost {this}.",
    "a {this} cash outflow",
    "cash burn of {this}",
    "{this} was used in operating activities.",
)


def wordings() -> list[tuple[str, str, Expected]]:
    """The figure of the gold in words that do not mean it; other units behind it."""
    rows = []
    for gold in GOLDS:
        amounts = {
            "this": money(gold.tenths, gold.scale),
            "other": money(gold.before, gold.scale),
            "third": money(gold.tenths * 3 + 1, gold.scale),
        }
        plain = f"{gold.tenths / 10:,.1f} {gold.scale}"
        rows += [(label, said.format(**amounts), gold.expected) for label, said in AROUND_A_LEVEL]
        rows += [("currency", f"{plain} {code}", gold.expected) for code in ("EUR", "Swiss francs")]
        rows += [("unit", f"{plain} {noun}", gold.expected) for noun in ("shares", "customers")]
        # What is spent or owed is positive however the cash went.
        if gold.tenths > 0 and gold.topic.endswith(("income", "flow", "revenue")):
            rows += [("sign", said.format(**amounts), gold.expected) for said in SIGN_TURNED]
    return rows + growth() + per_share() + people() + coarse()


def growth() -> list[tuple[str, str, Expected]]:
    """A rise in percent, stated as a fall, denied or in points."""
    question = "By what percent did Dunmoor Tools' revenue grow in fiscal 2022?"
    gold = Expected(15.0, "percent", 0.05, "15.0%", question)
    falls = ("slipped", "dipped", "sank", "plunged", "tumbled", "weakened", "slumped")
    return [
        ("exact", "15%", gold),
        ("exact", "It surged 15.0%.", gold),
        ("exact", "15,0%", gold),
        *(("sign", f"Revenue {verb} 15%.", gold) for verb in falls),
        ("sign", "(15%)", gold),
        ("sign", "It was (15%).", gold),
        ("sign", "Revenue was 15% below the year before.", gold),
        ("sign", "minus 15%", gold),
        ("sign", "a negative 15%", gold),
        ("sign", "negative growth of 15%", gold),
        ("wrong_value", "It did not grow 15%.", gold),
        ("wrong_value", "more than 15%", gold),
        ("unit", "15 percentage points", gold),
        ("scale", "15\u2030", gold),
        ("unit", "15 people", gold),
    ]


def per_share() -> list[tuple[str, str, Expected]]:
    """Diluted earnings per share."""
    question = "What were Dunmoor Tools' diluted earnings per share in fiscal 2022?"
    gold = Expected(2.31, "USD_per_share", None, "$2.31", question, (1.2,))
    return [
        ("exact", "$2.31 per diluted share", gold),
        ("exact", "Basic $2.40, diluted $2.31", gold),
        ("exact", "Basic and diluted earnings were $2.31 per share.", gold),
        ("wrong_value", "Basic earnings per share were $2.31.", gold),
        ("wrong_value", "Basic EPS of $2.31, diluted $2.25", gold),
        ("period", "$2.31 in fiscal 2021", gold),
        ("period", "$1.20", gold),
        ("sign", "a loss per share of $2.31", gold),
        ("sign", "$(2.31)", gold),
        ("scale", "$231", gold),
        ("wrong_value", "$2", gold),
        ("wrong_value", "$2.31 or $2.40", gold),
        ("currency", "2.31 GBP", gold),
    ]


def people() -> list[tuple[str, str, Expected]]:
    """A number of people."""
    question = "How many employees did Dunmoor Tools have in fiscal 2022?"
    gold = Expected(12_500.0, "people", None, "12,500", question, (11_900.0,))
    return [
        ("exact", "12,500 employees", gold),
        ("exact", "12.5k", gold),
        ("exact", "about 12.5 thousand people", gold),
        ("unit", "12,500 stores", gold),
        ("unit", "$12,500", gold),
        ("scale", "125,000", gold),
        ("period", "12,500 in fiscal 2021", gold),
        ("wrong_value", "at most 12,500", gold),
    ]


def coarse() -> list[tuple[str, str, Expected]]:
    """One digit where the gold has more."""
    rows = []
    for value, said in ((0.6e9, "$1 billion"), (1.49e9, "$1 billion"), (1.577e9, "$2 billion")):
        gold = Expected(value, "USD", None, None, "What was Dunmoor Tools' revenue in 2022?")
        rows.append(("wrong_value", said, gold))
    ratio = Expected(1.24, "ratio", None, "1.24", "What was Dunmoor Tools' quick ratio?")
    return [*rows, ("wrong_value", "1", ratio), ("exact", "1.24:1", ratio)]


PAIRS = planted()


def found(answer: str, gold: Expected) -> str:
    return check_number(Answered(answer), gold).verdict


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
            judged = check_number(Answered(None, value, unit), gold.expected)
            assert (judged.verdict, judged.read_from) == (label, "typed")

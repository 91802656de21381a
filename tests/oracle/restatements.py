"""Numeric golds restated: fourteen right phrasings of each, and fourteen wrong ones."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Final

GOLDS: Final = Path(__file__).with_name("golds.csv")
_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
_NAMES: Final = {"USD": "dollars", "EUR": "euros", "GBP": "pounds"}
_OTHER: Final = {"USD": "€", "EUR": "$", "GBP": "$"}


def is_withheld(kind: str) -> bool:
    """Whether a kind may not be used to mend a judge: a third of all, by a fixed rule."""
    return int(sha256(kind.encode()).hexdigest(), 16) % 3 == 2


@dataclass(frozen=True)
class Gold:
    """A figure of a company in a year, the same figure of another year, another measure."""

    source: str
    company: str
    measure: str
    year: int
    value: Decimal
    unit: str
    other_year: Decimal
    opposite: str

    @property
    def question(self) -> str:
        """The question that the figure answers."""
        return f"What was {self.company}'s {self.measure} in fiscal {self.year}?"

    @property
    def tolerance(self) -> Decimal:
        """Half of the last digit that the gold shows."""
        step = Decimal(1000) if self.is_money else Decimal(1).scaleb(_plain(self.value).exponent)
        return step / 2

    @property
    def is_money(self) -> bool:
        """Whether the figure is an amount of money as a whole."""
        return self.unit in _SIGNS


@dataclass(frozen=True)
class Restatement:
    """A gold in other words."""

    kind: str
    text: str
    is_right: bool


def read_golds() -> list[Gold]:
    """The golds beside this file."""
    with GOLDS.open(newline="", encoding="utf-8") as file:
        return [
            Gold(
                row["source"],
                row["company"],
                row["measure"],
                int(row["year"]),
                _plain(Decimal(row["value"])),
                row["unit"],
                _plain(Decimal(row["other_year"])),
                row["opposite"],
            )
            for row in csv.DictReader(file)
        ]


def _plain(value: Decimal) -> _Exact:
    return _Exact(value)


class _Exact(Decimal):
    """A decimal without trailing zeros; its exponent is at most zero."""

    def __new__(cls, value: Decimal) -> _Exact:
        short = value.normalize()
        if short.as_tuple().exponent > 0:  # type: ignore[operator]
            short = short.quantize(Decimal(1))
        return super().__new__(cls, short)

    @property
    def exponent(self) -> int:
        """The power of ten of the last digit."""
        return int(self.as_tuple().exponent)


def _digits(value: Decimal) -> str:
    return f"{_plain(value):,f}"


def short(gold: Gold, value: Decimal) -> str:
    """A figure as a filing writes it: `$1.2 billion`, `-$3.4 million`, `31.2%`."""
    minus, size = "-" if value < 0 else "", abs(value)
    if gold.is_money:
        return f"{minus}{_SIGNS[gold.unit]}{_digits(size / 10**6)} million"
    if gold.unit == "percent":
        return f"{minus}{_digits(size)}%"
    return f"{minus}${size:.2f} per share"


def _in_units(gold: Gold) -> dict[str, str]:
    """The gold with its unit written in seven ways."""
    minus, size = "-" if gold.value < 0 else "", abs(gold.value)
    title = gold.measure.capitalize()
    if gold.is_money:
        sign, name = _SIGNS[gold.unit], _NAMES[gold.unit]
        thousand = _digits(size / 1000)
        bracketed = f"({thousand})" if minus else thousand
        return {
            "full_digits": f"{minus}{sign}{_digits(size)}.",
            "words": f"{'minus ' if minus else ''}{thousand} thousand {name}",
            "code_first": f"{gold.unit} {minus}{thousand} thousand",
            "other_scale": f"{minus}{sign}{_digits(size / 10**9)} billion",
            "table_thousands": f"{title} (in thousands): {sign}{bracketed}",
            "table_millions": f"{title}, in millions of {name}: {minus}{_digits(size / 10**6)}",
        }
    number = _digits(size) if gold.unit == "percent" else f"{size:.2f}"
    if gold.unit == "percent":
        return {
            "full_digits": f"{minus}{number}0%.",
            "words": f"{'minus ' if minus else ''}{number} percent",
            "code_first": f"{title} %: {minus}{number}",
            "other_scale": f"{minus}{_digits(size * 100)} basis points",
            "table_thousands": f"{title} (in percent): {f'({number})' if minus else number}",
            "table_millions": f"{title}, as a percentage: {minus}{number}",
        }
    return {
        "full_digits": f"{minus}${number}.",
        "words": f"{'minus ' if minus else ''}{number} dollars per share",
        "code_first": f"USD {minus}{number} per share",
        "other_scale": f"{minus}{_digits(size * 100)} cents per share",
        "table_thousands": f"{title} (in dollars): {f'({number})' if minus else number}",
        "table_millions": f"{title}, $ per share: {minus}{number}",
    }


def right(gold: Gold) -> dict[str, str]:
    """The gold in fourteen phrasings that a reader accepts, by kind."""
    stated, other = short(gold, gold.value), short(gold, gold.other_year)
    moved = "rose" if gold.value > gold.other_year else "fell"
    shift = gold.value.adjusted() - 2
    rounded = gold.value.quantize(Decimal(1).scaleb(shift)) if gold.is_money else gold.value
    return {
        "short": stated,
        **_in_units(gold),
        "sentence": f"{gold.company}'s {gold.measure} was {stated} in fiscal {gold.year}.",
        "moved_to": f"{gold.measure.capitalize()} {moved} to {stated} in fiscal {gold.year}.",
        "beside_other_year": f"It was {stated} in fiscal {gold.year}, compared with {other} "
        "in the other year.",
        "answer_is": f"The answer is {stated}.",
        "bold": f"**{stated}**",
        "boxed": "\\boxed{" + stated.replace("$", "\\$").replace("%", "\\%") + "}",
        "rounded": f"About {short(gold, rounded)}.",
    }


def wrong(gold: Gold) -> dict[str, str]:
    """Fourteen phrasings near the gold that say something else, by kind."""
    stated, value = short(gold, gold.value), gold.value
    other = short(gold, gold.other_year)
    digits = _digits(abs(value) / (10**6 if gold.is_money else 1))
    units = {
        True: (f"{digits}%", stated.replace(_SIGNS.get(gold.unit, "$"), _OTHER.get(gold.unit, ""))),
        False: (f"${digits} million", f"{digits} percentage points")
        if gold.unit == "percent"
        else (f"{digits}%", stated.replace("$", "€")),
    }[gold.is_money]
    scaled = f"{gold.measure.capitalize()} (in thousands): {_digits(value)}"
    return {
        "thousandfold_up": short(gold, value * 1000),
        "thousandfold_down": _thousandth(gold),
        "tenfold": short(gold, value * 10),
        "table_scale_off": scaled,
        "sign_turned": short(gold, -value),
        "wrong_unit": units[0],
        "currency_or_points": units[1],
        "other_year_figure": f"{gold.measure.capitalize()} was {other} in fiscal {gold.year}.",
        "hundredth_off": short(gold, _off(gold)),
        "opposite_term": f"{gold.company}'s {gold.opposite} was {stated} in fiscal {gold.year}.",
        "denied": f"{gold.measure.capitalize()} was not {stated} in fiscal {gold.year}.",
        "either_or": f"It was either {stated} or {other}.",
        "other_year_said": f"{gold.measure.capitalize()} was {stated} in fiscal {gold.year - 3}.",
        "halved": f"It came to {short(gold, value / 2)} in fiscal {gold.year}.",
    }


def _thousandth(gold: Gold) -> str:
    if gold.is_money:
        return short(gold, gold.value).replace("million", "thousand")
    suffix = "%" if gold.unit == "percent" else " dollars per share"
    return f"{gold.value / 1000:f}{suffix}"


def _off(gold: Gold) -> Decimal:
    """The gold moved by a hundredth, and at least by one of its last digits."""
    step = max(abs(gold.value) / 100, gold.tolerance * 2)
    return _plain((gold.value + step).quantize(gold.tolerance * 2 if not gold.is_money else 1))


def restatements(gold: Gold) -> Iterator[Restatement]:
    """All phrasings of a gold, the right ones first."""
    for is_right, phrasings in ((True, right(gold)), (False, wrong(gold))):
        for kind, text in phrasings.items():
            yield Restatement(kind, text, is_right)

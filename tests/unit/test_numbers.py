"""Amounts in prose: what is a number of money, what is a year, a note or a form."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.text.numbers import MAY_HOLD_AMOUNTS, Amount, find_amounts


def only(text: str) -> Amount:
    amounts = [one for one in find_amounts(text) if one.kind == "amount"]
    assert len(amounts) == 1, amounts
    return amounts[0]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(one.raw, one.kind) for one in find_amounts(text)]


# Value, rounding, unit, scale


@pytest.mark.parametrize(
    ("text", "value", "low", "high", "unit", "scale"),
    [
        ("sales of $1.5 billion", 1.5e9, 1.45e9, 1.55e9, "USD", "billions"),
        ("sales of $1,234 million", 1.234e9, 1.2335e9, 1.2345e9, "USD", "millions"),
        ("sales of $ 1,234", 1234, 1233.5, 1234.5, "USD", "units"),
        ("a fee of US$ 45", 45, 44.5, 45.5, "USD", "units"),
        ("rose 6.2%", 6.2, 6.15, 6.25, "percent", "units"),
        ("rose .5 percent", 0.5, 0.45, 0.55, "percent", "units"),
        ("rose 2 percentage points", 2, 1.5, 2.5, "percentage_points", "units"),
        ("fell 130 basis points", 130, 129.5, 130.5, "basis_points", "units"),
        ("covered 1.5 times", 1.5, 1.45, 1.55, "ratio", "units"),
        ("a ratio of 1.25 to 1.00", 1.25, 1.245, 1.255, "ratio", "units"),
        ("a coin of 45 cents", 0.45, 0.445, 0.455, "USD", "units"),
        ("a loan of €500 million", 5e8, 4.995e8, 5.005e8, "EUR", "millions"),
        ("a loan of £2bn", 2e9, 1.5e9, 2.5e9, "GBP", "billions"),
        ("a loan of ¥3 trillion", 3e12, 2.5e12, 3.5e12, "JPY", "trillions"),
        ("a loan of RMB 5 million", 5e6, 4.5e6, 5.5e6, "CNY", "millions"),
        ("a loan of 1.5 billion euros", 1.5e9, 1.45e9, 1.55e9, "EUR", "billions"),
        ("a loan: 1,918 million USD; more", 1.918e9, 1.9175e9, 1.9185e9, "USD", "millions"),
        ("a loan of 500 EUR", 500, 499.5, 500.5, "EUR", "units"),
        ("in 2023 USD 10 million", 1e7, 9.5e6, 1.05e7, "USD", "millions"),
        ("a loan of $5mm", 5e6, 4.5e6, 5.5e6, "USD", "millions"),
        ("some 3,000 employees", 3000, 2999.5, 3000.5, "count", "units"),
        ("some two million users", 2e6, 1.5e6, 2.5e6, "count", "millions"),
        ("taxed at ten percent", 10, 9.5, 10.5, "percent", "units"),
        ("no charge: $ —", 0, 0, 0, "USD", "units"),
    ],
)
def test_value_rounding_unit_and_scale(
    text: str, value: float, low: float, high: float, unit: str, scale: str
) -> None:
    amount = only(text)
    assert (amount.value, amount.unit, amount.scale) == (value, unit, scale)
    assert (amount.low, amount.high) == pytest.approx((low, high))


def test_a_printed_decimal_is_exact() -> None:
    assert only("$4.1 million").value == 4_100_000.0


# Sign


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a loss of $(45)", -45),
        ("a loss of $ (3.2) million", -3.2e6),
        ("a loss of (45)", -45),
        ("a loss of ($45)", -45),
        ("a loss of ($45.0 million)", -45e6),
        ("moved by -5%", -5),
        ("moved by −5.1%", -5.1),
        ("moved by (6.2)%", -6.2),
    ],
)
def test_brackets_and_minus_make_a_value_negative(text: str, value: float) -> None:
    assert only(text).value == value


@pytest.mark.parametrize("text", ["10% ($45 million)", "10% (about $45 million)"])
def test_brackets_around_a_remark_are_no_sign(text: str) -> None:
    assert [(one.raw, one.value) for one in find_amounts(text)] == [
        ("10%", 10.0),
        ("$45 million", 45e6),
    ]


# Per share


@pytest.mark.parametrize(
    "text",
    [
        "earned $0.72 per diluted share",
        "dividends per share of $0.72",
        "diluted EPS was $0.72",
        "earned 72 cents a share",
        "2023: 0.72 USD per share",
    ],
)
def test_per_share_is_told_before_and_after(text: str) -> None:
    amount = only(text)
    assert (amount.value, amount.unit, amount.is_per_share) == (0.72, "USD_per_share", True)


# Ranges


@pytest.mark.parametrize(
    ("text", "low_end", "high_end", "unit"),
    [
        ("$2 to $3 billion", 2e9, 3e9, "USD"),
        ("$2-$3 billion", 2e9, 3e9, "USD"),
        ("2–3 million", 2e6, 3e6, "count"),
        ("between 5% and 7%", 5, 7, "percent"),
        ("5-7%", 5, 7, "percent"),
        ("ranging from $300 million to $1.0 billion", 3e8, 1e9, "USD"),
    ],
)
def test_a_range_shares_scale_and_unit(
    text: str, low_end: float, high_end: float, unit: str
) -> None:
    amount = only(text)
    assert amount.is_range
    assert (amount.range_low, amount.range_high, amount.unit) == (low_end, high_end, unit)
    assert amount.low < low_end < amount.value < high_end < amount.high


@pytest.mark.parametrize(
    "text",
    [
        "increased $2.4 billion to $3.1 billion",
        "grew from 5% to 7%",
        "$2 million and $3 million",
        "rose 5% to $7 million",
    ],
)
def test_a_move_or_a_list_is_no_range(text: str) -> None:
    assert [one.is_range for one in find_amounts(text)] == [False, False]


# What is not an amount


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("in 2019", "year"),
        ("in the 1990s", "year"),
        ("see Note 12", "reference"),
        ("see Item 7A", "reference"),
        ("on page 41", "reference"),
        ("Exhibit 10.1", "reference"),
        ("Section 13(a)", "reference"),
        ("our 401(k) plan", "reference"),
        ("our 10-K", "reference"),
        ("Level 3 inputs", "reference"),
        ("COVID-19", "reference"),
        ("(1) We sell", "reference"),
        ("2. We sell", "reference"),
        ("the S&P 500", "reference"),
        ("the H1 half", "reference"),
        ("code 007", "reference"),
        ("for 52 weeks", "date"),
        ("for 12 months", "date"),
        ("a 3-year term", "date"),
        ("March 31", "date"),
        ("the 53rd week", "ordinal"),
    ],
)
def test_a_number_that_is_no_amount_says_so(text: str, kind: str) -> None:
    assert [one.kind for one in find_amounts(text)] == [kind]


def test_a_date_is_a_day_and_a_year() -> None:
    assert kinds("on February 27, 2009") == [("27", "date"), ("2009", "year")]


def test_every_member_of_a_list_of_notes_is_a_reference() -> None:
    assert [kind for _, kind in kinds("see Notes 5, 7 and 12")] == ["reference"] * 3


def test_a_telephone_number_is_a_reference() -> None:
    assert {kind for _, kind in kinds("call 212-555-1234")} == {"reference"}


def test_money_that_looks_like_a_year_is_money() -> None:
    assert only("a fee of $2019").value == 2019
    assert only("sales of 2,019 units").value == 2019


# Any number in any style, any text at all

SCALES = {"": 1.0, " thousand": 1e3, " million": 1e6, " billion": 1e9, " trillion": 1e12}


@given(
    whole=st.integers(0, 9_999_999),
    decimals=st.integers(0, 3),
    scale=st.sampled_from(sorted(SCALES)),
    prefix=st.sampled_from(["$", "$ ", "US$", "€", "£"]),
    is_negative=st.booleans(),
    has_commas=st.booleans(),
)
def test_what_was_formatted_is_parsed_back(
    whole: int, decimals: int, scale: str, prefix: str, is_negative: bool, has_commas: bool
) -> None:
    number = whole / 10**decimals
    digits = f"{number:,.{decimals}f}" if has_commas else f"{number:.{decimals}f}"
    if is_negative:
        digits = f"({digits})"
    amount = only(f"It was {prefix}{digits}{scale}, we think.")
    wanted = (-number if is_negative else number) * SCALES[scale]
    assert amount.raw == f"{prefix}{digits}{scale}"
    assert amount.value == pytest.approx(wanted)
    assert amount.low <= amount.value <= amount.high


@settings(max_examples=300)
@given(st.text(alphabet="$€%()-–—.,:/ 0123456789abkmMxtoNnİ\xa0½٣", max_size=60) | st.text())
def test_offsets_hold_in_any_text(text: str) -> None:
    end = 0
    for one in find_amounts(text):
        assert text[one.start : one.end] == one.raw
        assert end <= one.start < one.end
        assert one.low <= one.value <= one.high
        end = one.end


@pytest.mark.parametrize("piece", ["1", "1,", "$(", "1-", "$ ", "1 to ", "(1", ".1", "per share "])
def test_time_grows_with_the_length_of_hostile_text(piece: str) -> None:
    start = time.process_time()
    find_amounts(piece * 20_000)
    assert time.process_time() - start < 10


def test_same_text_same_amounts() -> None:
    rng = random.Random(7)
    text = " ".join(rng.choice(["$5 million", "in 2019", "Note 3", "6%"]) for _ in range(50))
    assert find_amounts(text) == find_amounts(text)


@pytest.mark.parametrize(
    "text", ["Rent was $—.", "Two Million shares", "TEN PERCENT", "five percentage points"]
)
def test_a_text_with_numbers_passes_the_first_sieve(text: str) -> None:
    assert find_amounts(text)
    assert re.search(f"(?i){MAY_HOLD_AMOUNTS}", text)

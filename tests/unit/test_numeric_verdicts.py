"""Verdicts on figures: each at its edge, and what must hold for any figure."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from finrag.scoring.figures import VERDICT_SCHEMA, judge_numbers
from finrag.scoring.numbers import (
    RIGHT,
    VERDICTS,
    Answered,
    Expected,
    NumericVerdict,
    check_number,
)
from finrag.scoring.numbers.reading import find_dates
from finrag.text.numbers import find_amounts

LEVEL = "What was Dunmoor Tools' operating income in fiscal 2022?"
CHANGE = "By how many dollars did Dunmoor Tools' revenue change from fiscal 2021 to fiscal 2022?"
FALL = "By how many dollars did Dunmoor Tools' revenue decrease in fiscal 2022?"
MARGIN = "What was Dunmoor Tools' gross margin in fiscal 2022?"
PERIOD = "Which period does Dunmoor Tools mean by “fiscal 2022” in its 2022 10-K?"


def judge(
    answer: str | float,
    gold: float,
    unit: str | None = "USD",
    question: str = LEVEL,
    tolerance: float | None = None,
    text: str | None = None,
    others: tuple[float, ...] = (),
) -> str:
    """The verdict on an answer in words, or on a typed figure in the unit of the gold."""
    typed = None if isinstance(answer, str) else answer
    answered = Answered(answer if typed is None else None, typed, unit if typed else None)
    return check_number(answered, Expected(gold, unit, tolerance, text, question, others)).verdict


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("$1.5 billion", 1.5e9, "exact"),
        ("$1,500 million", 1.5e9, "exact"),
        ("US$ 1,500,000,000", 1.5e9, "exact"),
        ("1.5 billion dollars", 1.5e9, "exact"),
        # A bare number is taken in the unit asked for.
        ("1,500,000,000", 1.5e9, "exact"),
        ("(1.5) billion", 1.5e9, "sign"),
        ("$(1,500) million", -1.5e9, "exact"),
        ("-$1.5 billion", 1.5e9, "sign"),
        ("$1.5 million", 1.5e9, "scale"),
        ("$1.5 trillion", 1.5e9, "scale"),
        ("$1,500", 1.5e9, "scale"),
        ("$15 billion", 1.5e9, "scale"),
        ("€1.5 billion", 1.5e9, "currency"),
        ("1.5 percent", 1.5e9, "unit"),
        ("$1.50 per share", 1.5e9, "unit"),
        ("$1.7 billion", 1.5e9, "wrong_value"),
        # One digit fits too many powers of ten by chance.
        ("$0.3 billion", 3.05e10, "wrong_value"),
        ("between $1 billion and $2 billion", 1.5e9, "wrong_value"),
        ("It was strong.", 1.5e9, "missing"),
        ("", 1.5e9, "missing"),
        ("The filing does not disclose it; revenue was $1.5 billion.", 1.5e9, "missing"),
        ("The filing does not mention any. Therefore, it was $0.", 0.0, "exact"),
        ("Two parts:\n1. tools, $1.5 billion\n2) hire", 1.5e9, "exact"),
    ],
)
def test_verdicts_on_dollars(answer: str, gold: float, verdict: str) -> None:
    assert judge(answer, gold) == verdict


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("$1.5 billion", 1_549_000_000.0, "within_rounding"),
        ("$1.5 billion", 1_550_000_000.0, "within_rounding"),
        ("$1.5 billion", 1_450_000_000.0, "within_rounding"),
        ("$1.5 billion", 1_551_000_000.0, "wrong_value"),
        ("$1.5 billion", 1_449_000_000.0, "wrong_value"),
        # As many digits as the gold: a difference is a difference.
        ("$1.55 billion", 1_540_000_000.0, "wrong_value"),
        # No digit of the gold is left.
        ("$0 billion", 400_000_000.0, "wrong_value"),
        ("-$1.5 billion", 1_523_000_000.0, "sign"),
        ("$1.5 million", 1_523_000_000.0, "scale"),
    ],
)
def test_rounding_is_the_interval_of_the_digits_shown(
    answer: str, gold: float, verdict: str
) -> None:
    assert judge(answer, gold, tolerance=0.0) == verdict


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("$1 billion", 1.49e9, "wrong_value"),
        ("$2 billion", 1.577e9, "wrong_value"),
        # Half of the last place is at most a twentieth of the gold.
        ("$1.0 billion", 1_000_400_000.0, "within_rounding"),
        ("$0.9 billion", 900_400_000.0, "wrong_value"),
    ],
)
def test_one_digit_is_no_rounding(answer: str, gold: float, verdict: str) -> None:
    assert judge(answer, gold, tolerance=0.0) == verdict


def test_a_question_for_decimals_wants_as_many() -> None:
    question = "What was Dunmoor Tools' gross margin in fiscal 2022? Round to one decimal place."
    assert judge("31%", 31.24, "percent", question) == "wrong_value"
    assert judge("31.2%", 31.24, "percent", question) == "within_rounding"


@pytest.mark.parametrize(
    "answer",
    [
        "1.577B",
        "1577 mn",
        "$1\u2009577 million",
        "$1 577 million",
        "1 577 000 000",
        "1.577.000.000",
        "$1'577 million",
        "1.577e9",
        "USD 1,577M",
        "**$1,577 million**",
        "| 2021 | $1,373 million |\n| 2022 | $1,577 million |",
        "2022: $1,577 million, 2021: $1,373 million",
        "$1,373 million and $1,577 million in 2021 and 2022, respectively.",
        "Compared with $1,373 million in 2021, it was $1,577 million in 2022.",
        "It was $1,577 million, up 15% from 2021.",
        "The year ended January 28, 2023, brought $1,577 million.",
    ],
)
def test_layouts_of_a_right_figure(answer: str) -> None:
    assert judge(answer, 1.577e9, tolerance=0.0) == "exact"


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("2.5e9", 2.5e9, "exact"),
        ("$1.2345e2", 123.45, "exact"),
        ("about -4.5E-2 dollars", -0.045, "exact"),
        # The exponent is no figure of its own.
        ("1e+308", 308, "missing"),
        ("$1e23", 23, "missing"),
        ("1.0e-300", 300, "missing"),
        ("7e999999", 999999, "missing"),
    ],
)
def test_a_figure_with_an_exponent_is_one_figure(answer: str, gold: float, verdict: str) -> None:
    assert judge(answer, gold) == verdict


def test_halves_and_words_for_nothing_are_figures() -> None:
    assert judge("$1½ billion", 1.5e9) == "exact"
    for nothing in ("zero", "Nil.", "None", "$0"):
        assert judge(nothing, 0.0) == "exact"
        assert judge(nothing, 5e6) == "wrong_value"


def test_a_minus_agrees_with_a_question_about_a_fall() -> None:
    question = "By what percent did Dunmoor Tools' revenue decrease in fiscal 2022?"
    assert judge("-8%", 8.0, "percent", question) == "exact"
    assert judge("It rose 8%.", 8.0, "percent", question) == "sign"
    assert judge("It did not decrease 8%.", 8.0, "percent", question) == "wrong_value"


def test_a_bracket_after_an_amount_is_a_remark() -> None:
    assert judge("It was 12% of revenue ($45 million).", 4.5e7) == "exact"
    assert judge("Operating income ($45 million)", 4.5e7) == "sign"
    remark = "Of the three activities the operating one brought in the most cash ($45 million)."
    assert judge(remark, 4.5e7) == "exact"


def test_what_is_paid_out_is_no_loss() -> None:
    question = "What were Dunmoor Tools' capital expenditures in fiscal 2022?"
    assert judge("a $45 million cash outflow", 4.5e7, question=question) == "exact"


def test_a_plan_or_last_years_figure_is_not_the_answer() -> None:
    assert judge("guidance of $45 million; actual $40 million", 4.5e7) == "wrong_value"
    assert judge("It might be $45 million.", 4.5e7) == "wrong_value"
    assert judge("$45 million a year earlier, now $40 million", 4.5e7) != "exact"
    assert judge("$45 million, against $40 million a year earlier", 4.5e7) == "exact"
    assert judge("Last year's $45 million fell to $40 million.", 4e7) == "exact"


def test_points_are_no_percent_where_the_question_says_which() -> None:
    points = "By how many percentage points did Dunmoor Tools' margin rise in fiscal 2022?"
    assert judge("3.2%", 3.2, "percentage_points", points) == "unit"
    assert judge("320 basis points", 3.2, "percentage_points", points) == "exact"


def test_a_bound_that_the_gold_states_is_right() -> None:
    assert judge("more than $45 million", 4.5e7, text="more than $45 million") == "exact"


@pytest.mark.parametrize(
    ("answer", "gold", "tolerance", "verdict"),
    [
        (105.0, 100.0, 5.0, "within_tolerance"),
        (106.0, 100.0, 5.0, "wrong_value"),
        # Relative where the gold states none: 0.2 percent.
        (100.2, 100.0, None, "within_tolerance"),
        (100.3, 100.0, None, "wrong_value"),
        (101.0, 100.0, 0.0, "wrong_value"),
    ],
)
def test_tolerance(answer: float, gold: float, tolerance: float | None, verdict: str) -> None:
    assert judge(answer, gold, tolerance=tolerance) == verdict


def test_without_a_tolerance_the_digits_of_the_gold_are_one() -> None:
    # A gold of "0.4 billion" is known to half a unit of its last digit.
    assert judge("$389 million", 4e8, text="$0.4 billion") == "within_tolerance"
    assert judge("$389 million", 4e8) == "wrong_value"


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        (-0.4, 0.4, "sign"),
        (-0.3, 0.4, "sign"),
        (0.3, 0.4, "within_tolerance"),
        # Off by a power of ten, though within tolerance.
        (0.04, 0.4, "scale"),
        # A wide tolerance makes no power of ten of any figure.
        (5.0, 0.4, "wrong_value"),
        # Zero has no sign.
        (0.0, 0.4, "within_tolerance"),
        (-0.4, 0.0, "within_tolerance"),
        (0.0, 0.0, "exact"),
        (-0.0, 0.0, "exact"),
        (2.0, 0.0, "wrong_value"),
    ],
)
def test_no_tolerance_forgives_a_sign_or_a_scale(answer: float, gold: float, verdict: str) -> None:
    assert judge(answer, gold, tolerance=1.0) == verdict


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("Down by $40 million, from $95 million to $55 million.", -4e7, "exact"),
        ("Down by $40 million, from $95 million to $55 million.", 4e7, "sign"),
        ("Up by $40 million, from $55 million to $95 million.", -4e7, "sign"),
        ("Revenue rose from $55 million to $95 million, up $40 million.", 4e7, "exact"),
        ("Revenue fell $40 million.", -4e7, "exact"),
        ("It was $40 million lower.", -4e7, "exact"),
        ("A $40 million increase.", -4e7, "sign"),
        # Brackets and words that say the same are one minus, not two.
        ("Revenue decreased by $(40) million.", -4e7, "exact"),
    ],
)
def test_words_turn_the_sign_of_a_change(answer: str, gold: float, verdict: str) -> None:
    assert judge(answer, gold, question=CHANGE) == verdict


@pytest.mark.parametrize("gold", [4e7, -4e7])
def test_a_question_about_a_fall_wants_its_size(gold: float) -> None:
    assert judge("It decreased by $40 million.", gold, question=FALL) == "exact"
    assert judge("It increased by $40 million.", gold, question=FALL) == "sign"


def test_a_year_belongs_to_the_figure_before_it() -> None:
    said = "It decreased by $40 million from $95 million in 2021 to $55 million in 2022."
    assert judge(said, -4e7, question=FALL) == "exact"


def test_a_loss_told_in_words_is_negative() -> None:
    assert judge("Dunmoor had an operating loss of $4.8 million.", -4.8e6) == "exact"
    assert judge("Dunmoor had an operating loss of $4.8 million.", 4.8e6) == "sign"
    asks_loss = "What was Dunmoor Tools' operating loss in fiscal 2022?"
    assert judge("The operating loss was $4.8 million.", 4.8e6, question=asks_loss) == "exact"


@pytest.mark.parametrize(
    "rule",
    [
        "with a loss stated as a negative amount",
        "giving losses as negatives",
        "a loss shown in parentheses",
    ],
)
def test_a_rule_for_the_sign_of_a_loss_is_no_question_about_a_loss(rule: str) -> None:
    question = f"What was Dunmoor Tools' net income for fiscal 2022, {rule}?"
    said = "Dunmoor Tools recorded a net loss of $4,777,000, so its net income was negative."
    assert judge(said, -4.777e6, question=question) == "exact"
    assert judge("Its net income was $4,777,000.", -4.777e6, question=question) == "sign"
    assert judge("-4777000", -4.777e6, question=question) == "exact"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("5%", "exact"),
        ("5 percent", "exact"),
        ("500 basis points", "exact"),
        ("500 bps", "exact"),
        # A bare number below 1 is a share.
        ("0.05", "exact"),
        ("5", "exact"),
        ("500%", "unit"),
        ("0.05%", "unit"),
        ("5 bps", "unit"),
        ("$5", "unit"),
        ("-5%", "sign"),
        ("50%", "scale"),
        ("6%", "wrong_value"),
    ],
)
def test_parts_of_a_whole(answer: str, verdict: str) -> None:
    assert judge(answer, 5.0, "percent", MARGIN) == verdict


def test_a_question_in_percent_wants_percent() -> None:
    question = "What was Dunmoor Tools' gross margin in percent?"
    assert judge("0.05", 5.0, "percent", question) == "unit"


@pytest.mark.parametrize(
    ("unit", "gold_unit", "verdict"),
    [
        ("USD", "USD_per_share", "exact"),
        ("USD_per_share", "USD", "unit"),
        ("count", "people", "exact"),
        ("people", "USD", "unit"),
        ("EUR_per_share", "USD_per_share", "currency"),
        ("days", "people", "unit"),
        (None, "USD", "exact"),
        ("USD", None, "exact"),
    ],
)
def test_units_of_typed_figures(unit: str | None, gold_unit: str | None, verdict: str) -> None:
    found = check_number(Answered(None, 7.0, unit), Expected(7.0, gold_unit))
    assert found.verdict == verdict


def test_another_periods_figure_is_named() -> None:
    assert judge("$7.2 million", 5e6, others=(7.2e6,)) == "period"
    assert judge("Operating income was $7.3 million in fiscal 2020.", 5e6) == "period"
    assert judge("Operating income was $7.3 million in fiscal 2022.", 5e6) == "wrong_value"
    both = "Operating income was $7.3 million in fiscal 2022 and $7 million in fiscal 2020."
    assert judge(both, 5e6) == "wrong_value"
    # A right figure stays right, whatever other year it happens to equal.
    assert judge("$5 million", 5e6, others=(5e6,)) == "exact"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The year ended January 31, 2023 (2023-01-31).", "exact"),
        ("From February 1, 2022 to January 31, 2023.", "exact"),
        ("2023", "exact"),
        ("Fiscal 2022 is the year that ended in 2023.", "exact"),
        ("The year ended June 30, 2023.", "period"),
        ("The year ended January 31, 2022.", "period"),
        ("A year of 52 weeks.", "missing"),
    ],
)
def test_questions_for_a_period(answer: str, verdict: str) -> None:
    text = "the period that ended on 2023-01-31"
    # A year is that year, whatever the tolerance.
    assert judge(answer, 2023.0, "year", PERIOD, 1.0, text) == verdict


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        # Of a level: neither how far it moved nor where it was before.
        ("It rose by $5 million to $100 million.", 1e8),
        ("It rose from $95 million to $100 million.", 1e8),
        # Of the year asked for.
        ("It was $95 million in fiscal 2021 and $100 million in fiscal 2022.", 1e8),
        # In the unit asked for.
        ("It fell 5% to $100 million.", 1e8),
        # What a reckoning ends with.
        ("Sales were $300 million and costs $200 million. Therefore it was $100 million.", 1e8),
        ("$300 million - $200 million = $100 million", 1e8),
        # The stated claim first.
        ("It was $100 million, after $80 million of costs.", 1e8),
    ],
)
def test_which_figure_is_the_answer(answer: str, value: float) -> None:
    found = check_number(Answered(answer), Expected(1e8, "USD", 0.0, None, LEVEL))
    assert found.value == value


def test_the_choice_does_not_look_at_the_gold() -> None:
    answer = Answered("It was $80 million, before $100 million of credits.")
    values = {
        check_number(answer, Expected(gold, "USD", 0.0, None, LEVEL)).value
        for gold in (8e7, 1e8, -1e8, 1e5, 0.0)
    }
    assert values == {8e7}


def test_a_scale_in_the_question_is_that_of_bare_figures() -> None:
    question = "What was Dunmoor Tools' operating income, in USD millions?"
    assert judge("1,577", 1.577e9, question=question) == "exact"
    assert judge("$1,577", 1.577e9, question=question) == "exact"
    assert judge("$1,577,000,000", 1.577e9, question=question) == "exact"
    assert judge("$1,577 thousand", 1.577e9, question=question) == "scale"


def typed_and_said(
    value: float, text: str, gold: float = 4e7, question: str = LEVEL
) -> NumericVerdict:
    return check_number(Answered(text, value, "USD"), Expected(gold, "USD", 0.0, None, question))


def test_words_lend_a_typed_figure_their_digits() -> None:
    found = typed_and_said(4e7, "It was about $40 million.", 4.02e7)
    assert (found.verdict, found.read_from) == ("within_rounding", "typed")
    assert (found.low, found.high) == (3.95e7, 4.05e7)


def test_a_typed_figure_points_to_the_words_that_state_it() -> None:
    text = "It was $55 million before charges and $40 million after them."
    assert typed_and_said(4e7, text).verdict == "exact"


@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        (4e7, "It was $55 million.", "wrong_value"),
        (5.5e7, "It was $40 million.", "wrong_value"),
        (4e7, "It was $40,000.", "scale"),
        (4e7, "It was -$40 million.", "sign"),
        (4e7, "It was €40 million.", "currency"),
    ],
)
def test_of_a_typed_figure_and_words_that_disagree_the_worse_counts(
    value: float, text: str, verdict: str
) -> None:
    found = typed_and_said(value, text)
    assert found.verdict == verdict
    assert "disagree" in found.reason


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("I cannot determine it.", "missing"),
        ("It was $55 million, not $40 million.", "wrong_value"),
        ("It was not $40 million.", "wrong_value"),
        ("In fiscal 2020 it was $40 million.", "period"),
        ("It was at least $40 million.", "wrong_value"),
        ("", "exact"),
    ],
)
def test_words_can_undo_a_typed_figure(text: str, verdict: str) -> None:
    assert typed_and_said(4e7, text).verdict == verdict


@pytest.mark.parametrize("unit", ["USD millions", "million USD", "USD_million", "$ millions"])
def test_a_unit_may_name_a_scale(unit: str) -> None:
    found = check_number(Answered(None, 40.0, unit), Expected(4e7, "USD", 0.0))
    assert (found.verdict, found.value, found.unit) == ("exact", 4e7, "USD")
    said = check_number(Answered("It was 40.", 40.0, unit), Expected(4e7, "USD", 0.0))
    assert said.verdict == "exact"


def test_a_typed_rise_told_as_a_fall_is_a_sign_error() -> None:
    assert typed_and_said(4e7, "Down by $40 million.", 4e7, CHANGE).verdict == "sign"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
def test_no_usable_figure_is_missing(value: float) -> None:
    assert judge(value, 5.0) == "missing"


@pytest.mark.parametrize(
    ("gold", "tolerance", "message"),
    [(math.nan, None, "finite"), (1.0, math.nan, "tolerance"), (1.0, -1.0, "tolerance")],
)
def test_an_unusable_gold_is_refused(gold: float, tolerance: float | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_number(Answered("5"), Expected(gold, "USD", tolerance))


def test_dates_are_read_in_their_usual_forms() -> None:
    text = "2023-01-31, Jan. 31, 2023, January 31st 2023 and 31 January 2023; May 2, 2021"
    assert [date for _, date in find_dates(text)] == ["2023-01-31"] * 4 + ["2021-05-02"]


ROW = {
    "system_id": "a",
    "gold_set": "p3",
    "item_id": "p3:1",
    "outcome": "answered",
    "answer_text": "$5 million",
    "numeric_value": None,
    "unit": None,
    "question_text": LEVEL,
    "gold_text": "$5 million",
    "gold_numeric": 5e6,
    "gold_unit": "USD",
    "tolerance": None,
    "other_period_values": None,
    "golds": ["$5 million"],
    "executed_answer": None,
    "scale": None,
}
PUBLIC = {
    **ROW,
    "gold_set": "bench",
    "item_id": "bench:1",
    "question_text": "What was revenue (in USD millions)?",
    "gold_text": "$5.00",
    "gold_numeric": None,
    "gold_unit": None,
    "golds": ["$5.00"],
}


def test_rows_in_rows_out() -> None:
    rows = [ROW, {**ROW, "item_id": "p3:2", "answer_text": None, "other_period_values": [1.0]}]
    found = judge_numbers([pa.RecordBatch.from_pylist(rows)], {}).read_all()
    assert found.schema == VERDICT_SCHEMA
    assert found["item_id"].to_pylist() == ["p3:1", "p3:2"]
    assert found["verdict"].to_pylist() == ["exact", "missing"]


def test_the_figure_of_a_public_gold_is_read_from_its_words() -> None:
    """Beside one of P3: both in whole dollars. A gold in words has no row."""
    rows = [
        ROW,
        PUBLIC,
        {**PUBLIC, "item_id": "bench:2", "answer_text": "$5 billion"},
        {**PUBLIC, "item_id": "bench:3", "golds": ["Higher prices"]},
        {**PUBLIC, "item_id": "bench:4", "golds": ["Yes, by 3%"]},
    ]
    found = judge_numbers([pa.RecordBatch.from_pylist(rows)]).read_all().to_pylist()
    assert [(one["item_id"], one["verdict"], one["gold_value"]) for one in found] == [
        ("p3:1", "exact", 5e6),
        ("bench:1", "exact", 5e6),
        ("bench:2", "scale", 5e6),
    ]


@pytest.mark.parametrize(
    ("words", "value", "unit", "verdict"),
    [
        ("It was 1,577.", None, None, "exact"),
        ("1,577", None, None, "exact"),
        ("It was 1,600.", None, None, "wrong_value"),
        ("1577.0", 1577.0, None, "exact"),
        (None, 1577.0, "USD millions", "exact"),
        ("1577.0", 1577.0, "USD millions", "exact"),
        ("It was 1,577.", 1577e6, "USD", "exact"),
        # The worse of two figures counts.
        ("It was 1,577.", 1600e6, "USD", "wrong_value"),
        ("It was 1,577.", 1577.0, "USD", "scale"),
    ],
)
def test_a_figure_of_its_own_is_judged_beside_a_public_gold(
    words: str | None, value: float | None, unit: str | None, verdict: str
) -> None:
    answer = {"answer_text": words, "numeric_value": value, "unit": unit, "golds": ["1,577"]}
    rows = [{**PUBLIC, **answer}]
    (found,) = judge_numbers([pa.RecordBatch.from_pylist(rows)]).read_all().to_pylist()
    assert found["verdict"] == verdict


def test_the_tolerance_of_a_setting_counts_for_public_golds() -> None:
    rows = [{**PUBLIC, "answer_text": "$5.1 million"}]
    batches = [pa.RecordBatch.from_pylist(rows)]
    for share, verdict in ((0.001, "wrong_value"), (0.03, "within_tolerance")):
        found = judge_numbers(batches, {"relative_tolerance": share}).read_all()
        assert found["verdict"].to_pylist() == [verdict]


@pytest.mark.parametrize("row", [ROW, PUBLIC])
def test_what_was_not_answered_has_a_gold_and_no_verdict(row: dict[str, Any]) -> None:
    rows = [{**row, "outcome": "abstained", "answer_text": None}]
    (found,) = judge_numbers([pa.RecordBatch.from_pylist(rows)]).read_all().to_pylist()
    assert (found["verdict"], found["gold_value"], found["read_from"]) == (None, 5e6, "none")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "gold_numeric": math.inf}, r"'p3:1'.*finite"),
        ({**PUBLIC, "tolerance": -1.0}, r"'bench:1'.*tolerance"),
    ],
)
def test_a_bad_gold_is_named(row: dict[str, Any], message: str) -> None:
    rows = [row]
    with pytest.raises(ValueError, match=message):
        judge_numbers([pa.RecordBatch.from_pylist(rows)]).read_all()


# What must hold for any figure. Whole tenths, so that every layout prints the value in full.
TENTHS = st.integers(min_value=1, max_value=99_999)
SIGNS = st.sampled_from([1, -1])


def layouts(tenths: int) -> dict[str, float]:
    """A number of tenths in layouts of print, and what each of them is worth."""
    figure = f"{tenths / 10:,.1f}"
    value = tenths * 1e6 / 10
    return {
        f"${figure} million": value,
        f"US$ {figure} million": value,
        f"({figure}) million": -value,
        f"$({figure}) million": -value,
        f"-${figure} million": -value,
        f"{figure} million dollars": value,
        f"${tenths / 10_000:.4f} billion": value,
        f"${tenths * 100_000:,}": value,
        f"€{figure} million": value,
        f"{figure}%": tenths / 10,
        f"{figure} basis points": tenths / 10,
        f"{figure} bps": tenths / 10,
    }


@given(TENTHS)
@example(1)
def test_a_value_printed_in_any_layout_is_read_back(tenths: int) -> None:
    for text, value in layouts(tenths).items():
        found = find_amounts(text)
        assert len(found) == 1, text
        assert found[0].value == pytest.approx(value, rel=1e-12), text
        assert found[0].low <= value <= found[0].high


@given(TENTHS, SIGNS, st.sampled_from(["million", "billion", "thousand"]), st.booleans())
def test_what_is_printed_in_full_is_exact(
    tenths: int, sign: int, scale: str, is_bracketed: bool
) -> None:
    value = sign * tenths * {"thousand": 1e3, "million": 1e6, "billion": 1e9}[scale] / 10
    figure = f"{tenths / 10:,.1f}"
    minus = f"$({figure}) {scale}" if is_bracketed else f"-${figure} {scale}"
    text = f"It was {minus if sign < 0 else f'${figure} {scale}'}."
    assert judge(text, value, tolerance=0.0) == "exact"


@given(TENTHS, SIGNS, st.floats(min_value=0, max_value=1e6))
@example(4, 1, 1.0)
def test_the_negated_value_is_never_right(tenths: int, sign: int, tolerance: float) -> None:
    value = sign * tenths / 10
    for answer in (-value, f"${-value:,.1f}", f"It was {-value:.1f} dollars."):
        assert judge(answer, value, tolerance=tolerance) not in RIGHT


@given(TENTHS, SIGNS, st.sampled_from([-9, -6, -3, 3, 6]), st.floats(min_value=0, max_value=1e6))
def test_a_value_off_by_a_scale_is_never_right(
    tenths: int, sign: int, power: int, tolerance: float
) -> None:
    value = sign * tenths / 10
    assert judge(value * 10.0**power, value, tolerance=tolerance) not in RIGHT


@given(TENTHS, TENTHS, SIGNS, st.sampled_from([3, 6, 9]))
def test_scaling_answer_and_gold_alike_keeps_the_verdict(
    answer: int, gold: int, sign: int, power: int
) -> None:
    word = {3: "thousand", 6: "million", 9: "billion"}[power]
    plain = judge(f"${answer / 10:.1f}", sign * gold / 10, tolerance=0.5)
    tolerance = 0.5 * 10.0**power
    scaled = judge(
        f"${answer / 10:.1f} {word}", sign * gold * 10.0**power / 10, tolerance=tolerance
    )
    assert (scaled in RIGHT) == (plain in RIGHT)


@given(st.text(max_size=80), st.floats(), st.none() | st.text(max_size=8))
@settings(max_examples=300)
def test_any_answer_gets_a_verdict(text: str, value: float, unit: str | None) -> None:
    for answered in (Answered(text), Answered(text, value, unit)):
        found = check_number(answered, Expected(12.5, "USD", 0.1, "$12.5", CHANGE))
        assert found.verdict in VERDICTS
        assert (found.verdict == "missing") == (found.value is None)


@pytest.mark.parametrize(
    "text",
    ["(" * 50_000, "1," * 30_000, "loss " * 20_000, "$1 = " * 20_000, "not the filing " * 9_000],
)
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert judge(text, 5.0) in VERDICTS


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Net sales (in thousands): $1,130,000", "exact"),
        ("Net sales (in thousands of dollars): 1,130,000", "exact"),
        ("| Net sales (in thousands) | 1,130,000 |", "exact"),
        ("Net sales (in thousands): 1,130,000,000", "scale"),
        ("Net sales (in millions): 1,130,000,000", "exact"),
        ("Net sales were $1,130,000,000 (in thousands: 1,130,000).", "exact"),
    ],
)
def test_a_heading_right_before_a_large_figure_names_its_scale(text, verdict):
    expected = Expected(1.13e9, "USD", 500.0, None, "What were net sales in 2022?")
    assert check_number(Answered(text), expected).verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "It is not true that the answer is $5.2 million.",
        "It is false to say that revenue was $5.2 million in fiscal 2021.",
        "We deny that it came to $5.2 million.",
    ],
)
def test_a_figure_that_the_words_call_untrue_is_wrong_though_it_is_typed_too(text):
    expected = Expected(5.2e6, "USD", question_text="What was Tarrow's revenue in fiscal 2021?")

    assert check_number(Answered(text, 5.2e6, "USD"), expected).verdict == "wrong_value"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Net sales were $5.2 million in fiscal 2021.", "wrong_value"),
        ("Net income was $5.2 million in fiscal 2021.", "exact"),
        ("It was $5.2 million.", "exact"),
        ("Forty-four percent.", "unit"),
    ],
)
def test_a_figure_of_another_line_is_wrong(text, verdict):
    expected = Expected(5.2e6, "USD", question_text="What was Tarrow's net income in fiscal 2021?")

    assert check_number(Answered(text), expected).verdict == verdict


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Seven.", 7.0),
        ("7.", 7.0),
        ("(7)", -7.0),
        ("The answer is forty-four percent.", 44.0),
        ("| Change | (8) |", -8.0),
    ],
)
def test_words_lone_figures_and_cells_are_read(text, value):
    assert check_number(Answered(text), Expected(value)).verdict == "exact"


def test_half_a_unit_of_the_last_digit_is_no_agreement():
    assert check_number(Answered("0.5"), Expected(1.0, text="1")).verdict == "wrong_value"
    assert check_number(Answered("0.96"), Expected(1.0, text="1")).verdict == "within_tolerance"

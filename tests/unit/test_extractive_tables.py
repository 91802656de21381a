"""Answers from rows of tables: which row, which column, which cell is cited, and when none is."""

from datetime import date

import pytest

from finrag.answers.extractive import measured_answers
from finrag.answers.types import Passage, Question, TableCell

ORLA = 101
YEAR_22 = (date(2022, 1, 1), date(2022, 12, 31))
YEAR_21 = (date(2021, 1, 1), date(2021, 12, 31))
QUARTER = (date(2022, 10, 1), date(2022, 12, 31))
DAY = (None, date(2022, 12, 31))
NO_DAY = (None, None)
IN_22 = "for the year ended December 31, 2022"


def row(words, *figures, place=1, table="t1", cik=ORLA, year=2022):
    """A row of a table, its figures as words and period."""
    row_id = f"{table}:r{place}"
    cells = tuple(
        TableCell(f"{row_id}c{n}", f"{words} | {said}", *period)
        for n, (said, period) in enumerate(figures)
    )
    text = f"{words} | " + "; ".join(said for said, _ in figures)
    name = "Orla Mills"
    return Passage(row_id, text, name, cik, year, "ITEM_8", "[tag]", place, 1.0, "row", cells)


def sentence(text):
    return Passage("s1", text, "Orla Mills", ORLA, 2022, "ITEM_7", "[tag]", 1, 1.0)


def ask(text, *context, form="numeric", years=(2022,), **read):
    asked = Question("Q1", text, (ORLA,), years, answer_form=form, **read)
    ((answer, _, _),) = measured_answers({"abstain_below": "0"}, [asked], [context])
    return answer


def figure(answer):
    cited = [one.sentence_id for one in answer.citations]
    return answer.numeric_value, answer.unit, cited


SALES = row(
    "INCOME | Net sales",
    ("Percent of total > 2022: 100.0%", YEAR_22),
    ("2022: 29.6 million USD", YEAR_22),
    ("2021: 21.8 million USD", YEAR_21),
    ("Change > 2022 vs. 2021: 35.8%", NO_DAY),
)


def test_a_figure_is_that_of_its_row_and_column_in_whole_units():
    answer = ask(f"What were Orla Mills' “Net sales” {IN_22}?", SALES)

    assert figure(answer) == (29.6e6, "USD", ["t1:r1c1"])
    assert answer.text == "Net sales, 2022: $29,600,000."
    assert answer.citations[0].quote == "2022: 29.6 million USD"


@pytest.mark.parametrize(
    "text",
    [
        "What were Orla Mills' “Net sales” for the year ended December 31, 2020?",
        "What were Orla Mills' “Net sales” as of November 30, 2022?",
        f"What were Orla Mills' “Net income” {IN_22}?",
        f"What were Orla Mills' “Net sales” (under “Europe”) {IN_22}?",
        f"What were Orla Mills' “Net sales”, column “Restated”, {IN_22}?",
        f"Why did “Net sales” rise {IN_22}?",
        "By how much did Orla Mills' “Net sales” change, from the figure for the year ended "
        f"December 31, 2020 to that {IN_22}?",
        f"Which was the largest {IN_22}: “Net sales” or “Other income”?",
        f"What percentage of Orla Mills' “Total sales” did “Net sales” make up {IN_22}?",
    ],
)
def test_what_no_row_and_column_have_is_declined(text):
    is_change = "change" in text

    assert ask(text, SALES, is_change=is_change).outcome == "abstained"


def test_another_company_has_no_figure():
    other = row("INCOME | Net sales", ("2022: 9 million USD", YEAR_22), cik=202)

    assert ask(f"What were Orla Mills' “Net sales” {IN_22}?", other).outcome == "abstained"


@pytest.mark.parametrize(
    ("said", "value", "unit"),
    [
        ("2022: $ 0.52 per share", 0.52, "USD_per_share"),
        ("2022: 0.52 USD per share", 0.52, "USD_per_share"),
        ("2022: (3,512) thousand USD", -3_512_000, "USD"),
        ("2022: 12.5%", 12.5, "percent"),
        ("7.5 million USD", 7.5e6, "USD"),
    ],
)
def test_units_and_scales_are_those_of_the_row(said, value, unit):
    answer = ask(f"What was “Result” {IN_22}?", row("INCOME | Result", (said, YEAR_22)))

    assert figure(answer)[:2] == (value, unit)


@pytest.mark.parametrize(
    ("period", "place"), [(IN_22, 0), ("for the three months ended December 31, 2022", 1)]
)
def test_columns_of_one_last_day_are_told_apart_by_their_length(period, place):
    mixed = row(
        "INCOME | Result", ("Year: 5 million USD", YEAR_22), ("Quarter: 2 million USD", QUARTER)
    )

    assert figure(ask(f"What was “Result” {period}?", mixed))[2] == [f"t1:r1c{place}"]


def test_groups_tell_rows_of_one_label_apart():
    asia = row("SALES | Asia: > Tea", ("2022: 5 million USD", YEAR_22), place=1)
    europe = row("SALES | Europe: > Tea", ("2022: 2 million USD", YEAR_22), place=2)

    answer = ask(f"What was “Tea” (under “Europe”) {IN_22}?", asia, europe)

    assert figure(answer) == (2e6, "USD", ["t1:r2c0"])


def test_the_group_named_is_better_than_one_that_holds_its_words():
    wider = row("SALES | Europe and Asia: > Tea", ("2022: 5 million USD", YEAR_22), place=1)
    named = row("SALES | Europe: > Tea", ("2022: 2 million USD", YEAR_22), place=2)

    assert ask(f"What was “Tea” (under “Europe”) {IN_22}?", wider, named).numeric_value == 2e6


@pytest.mark.parametrize(("label", "value"), [("Tax", 3e6), ("Tax rate", 21.0)])
def test_a_rate_is_given_where_the_name_asks_for_one(label, value):
    amount = row(f"TAX | {label}", ("2022: 3 million USD", YEAR_22), place=1)
    rate = row(f"TAX | {label}", ("2022: 21%", YEAR_22), place=2)

    assert ask(f"What was “{label}” {IN_22}?", rate, amount).numeric_value == value


@pytest.mark.parametrize(
    ("column", "outcome"), [(", column “Limit”,", "answered"), ("", "abstained")]
)
def test_a_column_without_a_period_has_to_be_named(column, outcome):
    lent = row("LOANS | Bank", ("Limit: 9 million USD", NO_DAY))

    assert ask(f"What was “Bank”{column} for fiscal 2022?", lent).outcome == outcome


def test_a_filing_of_a_quarter_is_not_the_period_asked_for():
    held = row("BALANCE | Cash", ("2022: 5 million USD", DAY))
    text = (
        "According to its 2023 10-Q for the quarter ended March 31, 2023, what was “Cash” "
        "as of December 31, 2022?"
    )

    assert figure(ask(text, held, years=(2023,))) == (5e6, "USD", ["t1:r1c0"])


def test_a_fiscal_year_is_that_over_the_column_and_not_that_of_its_last_day():
    """Years of 52 weeks may end on the first days of January."""
    tax = row(
        "Provision for taxes",
        ("2022: 5 million USD", (None, date(2023, 1, 1))),
        ("2021: 4 million USD", (None, date(2022, 1, 2))),
    )

    answer = ask("What was Orla Mills' “Provision for taxes” for fiscal 2022?", tax)

    assert figure(answer) == (5e6, "USD", ["t1:r1c0"])


def test_a_change_has_size_direction_and_both_cells():
    text = (
        "By how much did Orla Mills' “Net sales” change, from the figure for the year ended "
        f"December 31, 2021 to that {IN_22}?"
    )
    short = row("FIVE YEARS | Net sales", ("2022: 29.6 million USD", YEAR_22), table="t0")
    answer = ask(text, short, SALES, years=(2021, 2022), is_change=True)

    assert figure(answer) == (7.8e6, "USD", ["t1:r1c1", "t1:r1c2"])
    assert answer.text == "Up by $7,800,000, from $21,800,000 to $29,600,000."


PARTS = [
    row(f"SALES FOR FISCAL 2022 | {label}", (f"2022: {value} million USD", YEAR_22), place=place)
    for place, (label, value) in enumerate([("Tea", 2), ("Coffee", 5), ("Total sales", 7)])
]


@pytest.mark.parametrize(
    ("asks", "first"),
    [("largest", "Coffee, with $5,000,000."), ("lowest", "Tea, with $2,000,000.")],
)
def test_the_largest_of_a_group_is_named_once_all_of_it_is_there(asks, first):
    text = f"Which was the {asks} in the table “SALES FOR FISCAL 2022” {IN_22}: “Tea” and “Coffee”?"

    assert ask(text, *PARTS, form="span").text == first
    assert ask(text, PARTS[0], form="span").outcome == "abstained"


def test_a_share_is_of_one_column():
    text = f"What percentage of Orla Mills' “Total sales” did “Tea” make up {IN_22}?"
    answer = ask(text, *PARTS)

    assert answer.numeric_value == pytest.approx(100 * 2 / 7)
    assert figure(answer)[1:] == ("percent", ["t1:r0c0", "t1:r2c0"])
    apart = row("X | Total sales", ("2022: 7 million USD", YEAR_22), table="t2")
    assert ask(text, PARTS[0], apart).outcome == "abstained"


def test_without_quotation_marks_the_words_of_the_label_are_asked_for():
    text = "What were Orla Mills' net sales in fiscal 2022?"

    assert figure(ask(text, SALES, topic_text="net sales")) == (29.6e6, "USD", ["t1:r1c1"])


def test_beside_tables_a_sentence_has_to_name_what_is_quoted():
    text = f"What was Orla Mills' “Net income (loss)” {IN_22}, according to the text?"
    named = sentence("Net income (loss) was $1.5 million in 2022.")

    assert ask(text, SALES, named).numeric_value == 1.5e6
    assert ask(text, SALES, sentence("Net income was $1.5 million in 2022.")).outcome == "abstained"
    said = sentence("Net income (loss) is explained in Note 3.")
    assert ask(text, SALES, said, form="span").outcome == "abstained"

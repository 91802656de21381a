"""Binding numbers to measures: which number, which year, whose measure, what cause."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from finrag.atlases.kpi import KPI_SCHEMA, bind_kpis

SEED = Path(__file__).parents[2] / "seeds" / "catalogues" / "kpi_patterns.csv"
ROWS = list(csv.DictReader(SEED.read_text(encoding="utf-8").splitlines()))
PATTERNS = pa.Table.from_pylist(ROWS)
CORE = {
    "revenue",
    "net_income",
    "operating_income",
    "cash_from_operations",
    "gross_margin",
    "eps",
    "debt",
    "capex",
}


def table(*rows: tuple[str, str, str]) -> pa.Table:
    names = ("text_hash", "sentence_text", "kpi_label")
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])


def bind(text: str, label: str = "revenue") -> dict[str, Any]:
    bound = bind_kpis(table(("h", text, label)), PATTERNS)
    assert bound.schema == KPI_SCHEMA
    [row] = bound.to_pylist()
    if row["value"] is not None:
        assert text[row["value_start"] : row["value_end"]] == row["value_raw"]
        assert row["value_low"] <= row["value"] <= row["value_high"]
    return row


def level(row: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    return row["value"], row["period_year"], row["prior_value"], row["prior_period_year"]


# The seed


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kpi_label']}: {row['example']}")
def test_a_pattern_finds_its_example_and_not_its_counter_example(row: dict[str, str]) -> None:
    assert re.search(row["pattern"], row["example"].lower())
    assert not re.search(row["pattern"], row["counter_example"].lower())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kpi_label']}: {row['example']}")
def test_a_pattern_means_the_same_to_re2(row: dict[str, str]) -> None:
    texts = pa.array([row["example"].lower(), row["counter_example"].lower()])
    found = pc.match_substring_regex(texts, row["pattern"])
    assert found.to_pylist() == [True, False]


def test_a_label_has_one_name_and_one_kind_on_all_its_rows() -> None:
    said = {(row["kpi_label"], row["noun_phrase"], row["value_kind"]) for row in ROWS}
    assert len(said) == len({row["kpi_label"] for row in ROWS})


def test_the_core_labels_are_marked() -> None:
    assert {row["kpi_label"] for row in ROWS if row["is_core"] == "true"} == CORE


# Which number is the level, which year is its year


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Revenue increased $2.4 billion or 10% to $27.4 billion in 2019 from $25.0 billion "
            "in 2018.",
            (27.4e9, 2019, 25e9, 2018),
        ),
        (
            "Net sales were $5.1 billion and $4.9 billion in 2020 and 2019, respectively.",
            (5.1e9, 2020, 4.9e9, 2019),
        ),
        (
            "Net sales were $4.9 billion and $5.1 billion in 2019 and 2020, respectively.",
            (5.1e9, 2020, 4.9e9, 2019),
        ),
        (
            "For the years ended June 30, 2020 and 2019, revenue was $51 million and $49 million.",
            (51e6, 2020, 49e6, 2019),
        ),
        (
            "Revenue for fiscal 2020 was $51 million, compared with $49 million in the prior year.",
            (51e6, 2020, 49e6, 2019),
        ),
        ("In 2020, we generated $51 million of revenue.", (51e6, 2020, None, None)),
        (
            "Our revenue was $51 million in 2020, $49 million in 2019 and $40 million in 2018.",
            (51e6, 2020, 49e6, 2019),
        ),
        ("Revenue rose from $49 million to $51 million in 2020.", (51e6, 2020, 49e6, None)),
        ("Revenue was $51 million.", (51e6, None, None, None)),
        ("Revenue was $3,403,000 in fiscal 2020.", (3_403_000, 2020, None, None)),
    ],
)
def test_the_level_and_its_year(text: str, wanted: tuple[Any, ...]) -> None:
    assert level(bind(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Revenue was $141, $147 and $136 in 2020, 2019 and 2018.",  # in millions, perhaps
        "Revenue was $5.1 billion and $4.9 billion.",  # which is which?
        "Revenue was $5.1 billion in 2020 and 2019.",
        "Revenue increased $51 million in 2020.",
        "Cost of revenue was $51 million in 2020.",
        "The effect of the strike on revenue was $51 million in 2020.",
        "Deferred revenue was $51 million in 2020.",
        "Revenue and net income were $51 million and $5 million in 2020.",
        "Revenue growth was $51 million in 2020.",
        "As of February 27, 2009, no revenue was recorded.",
    ],
)
def test_a_doubtful_level_stays_null(text: str) -> None:
    assert level(bind(text)) == (None, None, None, None)


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("Net loss was $45 million in 2020.", "net_income", -45e6),
        ("We had a net loss of $(3.2) million.", "net_income", -3.2e6),
        ("Net income was $45 million in 2020.", "net_income", 45e6),
        ("The company reported an operating loss of $4 million.", "operating_income", -4e6),
        (
            "Net cash used in operating activities was $4.1 million.",
            "cash_from_operations",
            -4.1e6,
        ),
        (
            "Cash provided by (used in) operating activities was $4.1 million.",
            "cash_from_operations",
            4.1e6,
        ),
        ("We recorded negative free cash flow of $4 million.", "free_cash_flow", -4e6),
        ("We recorded other expense, net of $4 million.", "other_income", -4e6),
        ("Diluted loss per share was $0.30 in 2020.", "eps", -0.3),
    ],
)
def test_losses_and_cash_used_are_negative(text: str, label: str, value: float) -> None:
    assert bind(text, label)["value"] == value


def test_a_profit_compared_with_a_loss_keeps_both_signs() -> None:
    text = "We reported net income of $2 million in 2020, versus a net loss of $3 million in 2019."
    assert level(bind(text, "net_income")) == (2e6, 2020, -3e6, 2019)


def test_a_comparison_may_hold_a_comma() -> None:
    text = "Other income, net was $2 million in 2020, versus other expense, net of $3 million."
    assert level(bind(text, "other_income")) == (2e6, 2020, -3e6, None)


def test_a_comparison_with_another_measure_gives_no_prior_level() -> None:
    text = "Operating income was $2 million in 2020, compared with revenue of $9 million."
    assert level(bind(text, "operating_income")) == (2e6, 2020, None, None)


@pytest.mark.parametrize(
    ("text", "label", "value", "unit"),
    [
        ("Gross margin was 41.3% in 2018.", "gross_margin", 41.3, "percent"),
        ("Gross margin fell 130 basis points to 41.3%.", "gross_margin", 41.3, "percent"),
        ("Diluted EPS was $2.14 in 2018.", "eps", 2.14, "USD_per_share"),
        ("Diluted EPS rose 4% to $2.14 in 2018.", "eps", 2.14, "USD_per_share"),
        ("Net income was $9 million, or $2.14 per share.", "net_income", 9e6, "USD"),
    ],
)
def test_the_kind_of_the_measure_picks_the_number(
    text: str, label: str, value: float, unit: str
) -> None:
    row = bind(text, label)
    assert (row["value"], row["unit"], row["amount_role"]) == (value, unit, "level")


@pytest.mark.parametrize(
    "text",
    [
        "Interest on debt was $5 million in 2020.",
        "Debt issuance costs were $5 million in 2020.",
        "The debt-to-equity ratio was 1.5 in 2020.",
    ],
)
def test_what_only_mentions_debt_is_no_debt(text: str) -> None:
    assert bind(text, "debt")["value"] is None


# Changes


def test_a_change_has_direction_amount_percent_and_year() -> None:
    row = bind("Net sales decreased $12 million, or 4%, in 2020 compared with 2019.")
    assert (row["change_direction"], row["change_value"]) == ("decrease", 12e6)
    assert (row["change_percent"], row["change_period_year"]) == (4.0, 2020)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Revenue rose from 2018 to 2019.", 2019),
        ("The fiscal 2019 increase in revenue was due to price.", 2019),
        ("The increase in revenue from fiscal 2018 was due to price.", None),
        ("In 2019, revenue rose 4% over 2018.", 2019),
    ],
)
def test_the_year_of_a_change_is_not_the_year_it_is_compared_with(
    text: str, year: int | None
) -> None:
    assert bind(text)["change_period_year"] == year


# Subject


@pytest.mark.parametrize(
    ("text", "subject", "scope"),
    [
        ("Total net sales were $5 million.", "Total net sales", "company"),
        ("Our revenue rose 5%.", "Our revenue", "company"),
        ("As expected, revenue was $5 million.", "revenue", "company"),
        ("Our reported net sales were $5 million.", "Our reported net sales", "company"),
        ("Fiscal 2020 revenue rose 5%.", "Fiscal 2020 revenue", "company"),
        ("Revenue of Truckload was $5 million.", "Revenue of Truckload", "part"),
        ("Cloud revenue was $5 million.", "Cloud revenue", "part"),
        ("•Cloud revenue was $5 million.", "Cloud revenue", "part"),
        ("In Europe, revenue was $5 million.", "revenue", "part"),
        ("Excluding the sale, revenue was $5 million.", "revenue", "part"),
        ("Revenue declined 5% in Brazil.", "Revenue", "part"),
        ("The Truckload segment had revenue of $5 million.", "revenue", "part"),
        ("Revenue: net sales were $5 million.", "net sales", "part"),
    ],
)
def test_subject_and_scope(text: str, subject: str, scope: str) -> None:
    row = bind(text)
    assert (row["subject_text"], row["subject_scope"]) == (subject, scope)


def test_net_borrowings_are_a_flow() -> None:
    assert bind("Our net borrowings were $5 million in 2020.", "debt")["subject_scope"] == "part"


def test_the_company_wins_over_a_part_of_it() -> None:
    row = bind("Cloud revenue was $5 million in 2020 and total revenue was $9 million in 2020.")
    assert (row["value"], row["subject_scope"]) == (9e6, "company")


# Cause


@pytest.mark.parametrize(
    ("text", "connector", "cause"),
    [
        (
            "Revenue rose 5%, primarily due to higher prices in the U.S. market, partially offset "
            "by lower volumes.",
            "due to",
            "higher prices in the U.S. market",
        ),
        (
            "The increase in revenue was driven primarily by new stores, which more than offset "
            "closures.",
            "driven primarily by",
            "new stores",
        ),
        ("Revenue fell because of the strike; costs fell too.", "because of", "the strike"),
    ],
)
def test_the_cause_ends_with_its_clause(text: str, connector: str, cause: str) -> None:
    row = bind(text)
    assert (row["causal_connector"], row["cause_text"]) == (connector, cause)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Costs rose due to higher revenue.", "revenue"),
        ("Revenue rose 5%, while costs rose due to wages.", "revenue"),
        ("Net income attributable to Acme was $5 million.", "net_income"),
        ("Revenue is recognized in an amount that reflects the price.", "revenue"),
        ("The increase in revenue was due to the following factors:", "revenue"),
    ],
)
def test_a_cause_of_something_else_is_left_out(text: str, label: str) -> None:
    assert bind(text, label)["cause_text"] is None


# Flags, first number, shape


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("We expect revenue of $5 million.", "is_forward_looking"),
        ("Revenue may decline.", "is_forward_looking"),
        ("Revenue did not change.", "is_negated_or_conditional"),
        ("Revenue of the third quarter was $5 million.", "is_quarterly"),
        ("Revenue of the six months ended May 5, 2019 was $5 million.", "is_quarterly"),
    ],
)
def test_a_flag_is_raised_alone(text: str, flag: str) -> None:
    flags = ("is_forward_looking", "is_negated_or_conditional", "is_quarterly")
    row = bind(text)
    assert [name for name in flags if row[name]] == [flag]


def test_the_month_of_may_is_not_a_forecast() -> None:
    assert bind("Revenue was $5 million at May 5, 2019.")["is_forward_looking"] is False


@pytest.mark.parametrize(
    ("text", "first", "has_cue"),
    [
        ("In 2019 (Note 3), revenue of 7 stores was $5 million.", "7", True),
        ("On March 5, 2019, revenue was discussed.", None, False),
        ("Revenue was up five percent.", "five percent", True),
    ],
)
def test_the_first_number_is_no_date_and_no_note(
    text: str, first: str | None, has_cue: bool
) -> None:
    row = bind(text)
    assert (row["first_number_raw"], row["has_amount_cue"]) == (first, has_cue)


def test_rows_come_by_text_and_label() -> None:
    given = [("b", "Debt rose.", "debt"), ("a", "Revenue rose.", "revenue"), ("a", "x", "debt")]
    bound = bind_kpis(table(*given), PATTERNS)
    assert [(row["text_hash"], row["kpi_label"]) for row in bound.to_pylist()] == [
        ("a", "debt"),
        ("a", "revenue"),
        ("b", "debt"),
    ]


def test_no_rows_give_an_empty_table_of_the_schema() -> None:
    empty = table(("h", "x", "debt")).slice(0, 0)
    assert bind_kpis(empty, PATTERNS).equals(KPI_SCHEMA.empty_table())


@pytest.mark.parametrize(("text", "label"), [(None, "debt"), ("Debt rose.", "headcount")])
def test_a_null_text_or_an_unknown_label_is_named(text: str | None, label: str) -> None:
    rows = pa.table(
        {
            "text_hash": ["h7"],
            "sentence_text": pa.array([text], pa.string()),
            "kpi_label": [label],
        }
    )
    with pytest.raises(ValueError, match="h7"):
        bind_kpis(rows, PATTERNS)


@pytest.mark.parametrize("piece", ["revenue ", "revenue of ", "in 2019, ", "revenue was $5 or "])
def test_hostile_text_is_read_in_time(piece: str) -> None:
    assert bind("revenue " + piece * 3_000)["kpi_label"] == "revenue"


# Real filings, where they are at hand

BORROWED = Path(__file__).parents[2].parent / "shared" / "data"
SHARED = Path(os.environ.get("FINRAG_SHARED_DATA") or BORROWED)
REAL = SHARED / "finrag" / "sentences.parquet"


@pytest.mark.skipif(not REAL.is_file(), reason="the real sentences (FINRAG_SHARED_DATA) are absent")
def test_real_sentences_bind_verbatim() -> None:
    sentences = sorted(set(pq.read_table(REAL, columns=["sentence"])[0].to_pylist()))[:3000]
    rows = [(f"{place:05}", text, "revenue") for place, text in enumerate(sentences)]
    for row, (_, text, _) in zip(bind_kpis(table(*rows), PATTERNS).to_pylist(), rows, strict=True):
        for column in ("subject_text", "cause_text", "value_raw", "first_number_raw"):
            assert row[column] is None or row[column] in text


@pytest.mark.parametrize("name", ["St. Brannock", "Mt. Torvald", "Ft. Eddings"])
def test_a_cause_goes_on_behind_an_abbreviated_name(name: str) -> None:
    text = f"Revenue rose in 2019 due to new orders from {name} and higher prices of paint."
    assert bind(text)["cause_text"] == f"new orders from {name} and higher prices of paint"


@pytest.mark.parametrize(
    "text",
    [
        "Net sales for fiscal 2019 were $5.1 million.",
        "Our revenue for 2019 was $5.1 million.",
        "Net revenue reached $5.1 million in 2019.",
    ],
)
def test_revenue_is_found_before_any_word_that_may_follow(text: str) -> None:
    pattern = "|".join(row["pattern"] for row in ROWS if row["kpi_label"] == "revenue")
    assert re.search(pattern, text.lower())


# What is not the company's figure, its change or its cause


@pytest.mark.parametrize(
    ("text", "label", "direction"),
    [
        ("Net loss increased to $5 million in 2020.", "net_income", "decrease"),
        ("The decrease in operating loss was due to price.", "operating_income", "increase"),
        ("Cash used in operating activities rose.", "cash_from_operations", "decrease"),
        ("Our benefit for income taxes declined by $2 million.", "income_taxes", "increase"),
        ("Diluted loss per share decreased to $0.30.", "eps", "increase"),
        ("Other expense, net was $4 million in 2020, up $1 million.", "other_income", "decrease"),
        ("Net loss improved by $5 million.", "net_income", "increase"),
        ("Net loss worsened by $5 million.", "net_income", "decrease"),
        ("Net income increased by $5 million.", "net_income", "increase"),
        ("Net income (loss) increased by $5 million.", "net_income", "increase"),
        ("Net loss was $2 million, versus net income of $1 million.", "net_income", "decrease"),
        ("Other (income) expense, net rose to $4 million.", "other_income", None),
    ],
)
def test_a_direction_is_that_of_the_signed_figure(
    text: str, label: str, direction: str | None
) -> None:
    assert bind(text, label)["change_direction"] == direction


def test_a_figure_of_unknown_sign_has_no_level() -> None:
    row = bind("Other (income) expense, net was $4 million in 2020.", "other_income")
    assert level(row) == (None, None, None, None)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Other income (expense) was $4 million.", True),
        ("Other income/expense was $4 million.", True),
        ("Other (income) expense, net was $4 million.", True),
        ("Other expense, net was $4 million.", True),
        ("Marketing and other expenses were $4 million.", False),
        ("Other expense of the shops was $4 million.", False),
    ],
)
def test_other_expenses_are_not_other_income(text: str, is_found: bool) -> None:
    patterns = [row["pattern"] for row in ROWS if row["kpi_label"] == "other_income"]
    assert any(re.search(pattern, text.lower()) for pattern in patterns) is is_found


@pytest.mark.parametrize(
    "text",
    [
        "The decrease in cost of goods sold as a percentage of net sales was due to lower rent.",
        "The decrease in cost of goods sold for 2020, as a percentage of net sales, was 2%.",
        "Cost of goods sold decreased 2% as a percentage of net sales.",
        "Cost of goods sold decreased as a percentage of net sales.",
    ],
)
def test_a_ratio_says_nothing_of_its_numerator(text: str) -> None:
    row = bind(text, "cost_of_revenue")
    assert (row["change_direction"], row["change_percent"], row["cause_text"]) == (None, None, None)
    assert row["subject_scope"] == "part"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Transaction fee 65 revenue increased 5% in 2020.", "revenue"),
        ("Other changes in cash from operations were due to taxes.", "cash_from_operations"),
        ("The remaining increase in revenue was due to price.", "revenue"),
        ("The remaining 2% increase in revenue was due to price.", "revenue"),
        ("The balance of the change in revenue was due to price.", "revenue"),
        ("Revenue increases for our Other businesses were due to price.", "revenue"),
        ("Revenue increased 5% for our Paints segment due to price.", "revenue"),
        ("Revenue for our outdoor products increased 5%.", "revenue"),
        ("Revenue was $5 million for our paints segment.", "revenue"),
        ("Borrowings totaled $5 million at May 5, 2019.", "debt"),
        ("Our borrowings were $5 million in 2019.", "debt"),
        ("Outstanding borrowings were $5 million under the facility.", "debt"),
        ("Indebtedness was $5 million in 2019.", "debt"),
    ],
)
def test_a_part_or_a_rest_is_not_the_company(text: str, label: str) -> None:
    assert bind(text, label)["subject_scope"] == "part"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Total borrowings were $5 million in 2019.", "debt"),
        ("Borrowings outstanding were $5 million in 2019.", "debt"),
        ("Our indebtedness was $5 million in 2019.", "debt"),
        ("Borrowings and notes totaled $5 million in 2019.", "debt"),
        ("Among other things, the increase in revenue was due to price.", "revenue"),
        ("Revenue increased 5% for the Company.", "revenue"),
    ],
)
def test_the_whole_company_stays_the_company(text: str, label: str) -> None:
    assert bind(text, label)["subject_scope"] == "company"


@pytest.mark.parametrize(
    "text",
    [
        "While revenues grew 9%, shop overhead increased only 4% as a result of higher rent.",
        "Revenue rose 5% as paint volumes improved due to the warm spring.",
        "Revenue rose 5%, as the prior fiscal year was hurt by shop closures due to the flood.",
        "Revenue rose 5% because the prior year was hurt by shop closures.",
        "Revenue rose 5% due to higher prices and, partially offset by volume.",
        "Revenue rose 5% due to higher prices of",
        "The rise in revenue was due to and shaped by the flood.",
    ],
)
def test_a_cause_of_another_clause_or_without_an_end_is_left_out(text: str) -> None:
    assert bind(text)["cause_text"] is None


@pytest.mark.parametrize(
    "text",
    [
        "The increase in revenue from the prior year was due to higher prices.",
        "Revenue of our shops increased in 2020, primarily resulting from higher prices.",
        "Revenue rose 5% compared to the prior year, which was due to higher prices.",
    ],
)
def test_a_cause_behind_its_own_verb_is_kept(text: str) -> None:
    assert bind(text)["cause_text"] == "higher prices"


def test_a_cause_may_end_in_an_abbreviation() -> None:
    assert bind("Gross profit fell due to higher SG&A.", "gross_profit")["cause_text"] == (
        "higher SG&A"
    )


@pytest.mark.parametrize("piece", ["was ", "net other ", "a" * 30 + " ", "in our a b c ", "’-"])
def test_a_hostile_cause_is_read_in_time(piece: str) -> None:
    text = "Revenue rose 5% " + piece * 2_000 + "due to " + piece * 2_000
    assert bind(text)["kpi_label"] == "revenue"


def test_a_name_inside_a_number_is_no_mention() -> None:
    text = "A long tail of words stood here, and in all it came to $5.3 million"
    scale = pa.table(
        {"kpi_label": ["scale"], "pattern": [r"\bmillion\b"], "value_kind": ["amount"]}
    )

    (row,) = bind_kpis(table(("h", text, "scale")), scale).to_pylist()

    assert row["value"] is None
    assert row["first_number_raw"] == "$5.3 million"


# One item of a line, another basis, cash that is used


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Total debt was $5.0 million in 2020, net of unamortized discount.", "debt"),
        ("Total debt was $5.0 million in 2020, excluding leases.", "debt"),
        ("Interest expense was $5.0 million in 2020 on our notes.", "interest_expense"),
        ("Interest expense was $5.0 million related to the notes in 2020.", "interest_expense"),
        (
            "Interest expense rose 4% to $5.0 million, net of income, in 2020.",
            "interest_expense",
        ),
        ("The average balance of such borrowings was $5.0 million in 2020.", "debt"),
    ],
)
def test_one_item_and_another_basis_are_no_level_of_the_company(text, label):
    row = bind(text, label)
    assert (row["value"] is None) or row["subject_scope"] == "part"


@pytest.mark.parametrize(
    "text",
    [
        "Total debt was $5.0 million in 2020.",
        "Total debt was $5.0 million in 2020, compared to $4.0 million in 2019.",
    ],
)
def test_a_plain_level_stays_the_companys(text):
    row = bind(text, "debt")
    assert (row["value"], row["subject_scope"]) == (5e6, "company")


def test_cash_that_operations_used_is_negative():
    row = bind(
        "We used $5.0 million of cash in operating activities in 2020.", "cash_from_operations"
    )
    assert row["value"] == -5e6


def test_a_benefit_with_an_expense_in_brackets_is_left_out():
    row = bind("Our income tax benefit (expense) was $5.0 million in 2020.", "income_taxes")
    assert row["value"] is None


# Where a cause ends


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "Revenue rose in 2020 due to new shops; higher prices; and a longer year.",
            "new shops; higher prices; and a longer year",
        ),
        (
            "Revenue rose in 2020 due to new shops; net income fell because of taxes.",
            "new shops",
        ),
        ("Revenue rose in 2020 due to new shops, and net income fell to $3 million.", "new shops"),
        ("Revenue rose in 2020 due to new shops offset by lower prices.", "new shops"),
        ("Revenue rose in 2020 due to prices that were higher and volumes.", None),
    ],
)
def test_a_cause_ends_with_its_clause(text, cause):
    found = bind(text)["cause_text"]
    assert found == cause if cause else found.startswith("prices that were higher")

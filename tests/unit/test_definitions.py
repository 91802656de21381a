"""Definitions: the term, its words, and everything that only looks like a definition."""

from typing import Any

import pyarrow as pa
import pytest

from finrag.atlases.definitions import DEFINITION_SCHEMA, find_definitions

Row = dict[str, Any]


def texts(*sentences: str | None) -> pa.Table:
    hashes = [f"h{place}" for place in range(len(sentences))]
    return pa.table({"text_hash": hashes, "sentence_text": pa.array(sentences, pa.string())})


def found(sentence: str) -> list[Row]:
    table = find_definitions(texts(sentence))
    assert table.schema == DEFINITION_SCHEMA
    return table.to_pylist()


def one(sentence: str) -> Row:
    rows = found(sentence)
    assert len(rows) == 1, sentence
    return rows[0]


@pytest.mark.parametrize(
    ("sentence", "kind", "term", "text"),
    [
        (
            "We define free cash flow as cash from operations less capital expenditures.",
            "we_define",
            "free cash flow",
            "cash from operations less capital expenditures",
        ),
        (
            "Quayle Foods defines comparable store sales, a non-GAAP measure, as sales of stores "
            "open for a year.",
            "we_define",
            "comparable store sales",
            "sales of stores open for a year",
        ),
        (
            "Net leverage is a non-GAAP measure that we define as net debt divided by EBITDA.",
            "we_define",
            "Net leverage",
            "net debt divided by EBITDA",
        ),
        (
            "(2) Segment margin is defined as revenue less the cost of sales.",
            "is_defined_as",
            "Segment margin",
            "revenue less the cost of sales",
        ),
        (
            "Debt was half of total capital (total capital is defined as debt plus equity) in May.",
            "is_defined_as",
            "total capital",
            "debt plus equity",
        ),
        (
            "As used in this report, “unit case” means twelve bottles of finished product.",
            "means",
            "unit case",
            "twelve bottles of finished product",
        ),
        (
            "Gross bookings represents the total number of trips booked on our site.",
            "represents",
            "Gross bookings",
            "the total number of trips booked on our site",
        ),
    ],
)
def test_each_form_yields_its_term_and_words(
    sentence: str, kind: str, term: str, text: str
) -> None:
    row = one(sentence)
    assert (row["definition_kind"], row["term"], row["definition_text"]) == (kind, term, text)


@pytest.mark.parametrize(
    "sentence",
    [
        "EBITDA is defined as set forth in Note 3 to our statements.",
        "These officers are affiliates as is defined in Rule 13a-15 of the act.",
        "It is defined as the sum of all payments of the year.",
        "We define and test safety before a product leaves the plant.",
        "We define EBITDA margin and EBITDA yield as EBITDA over sales and assets, respectively.",
        "References to “we,” “us” and “Northfold” mean Northfold Mills, Inc. and its subsidiaries.",
        "“Fiscal 2020” means the year ended June 30, 2020.",
        "This represents the total amount of claims paid by the insurer.",
        "Our largest plant represents a significant portion of the total output.",
        "Deferred rent does not represent the total amount of payments due by us.",
        "Internal control is defined as a process designed by officers under Rule 13a-15.",
        "We define our long-term framework as follows: growth, margin and cash.",
        "We define free cash flow as cash from operations less",
    ],
)
def test_what_only_looks_like_a_definition_is_left_out(sentence: str) -> None:
    assert found(sentence) == []


def test_a_clause_on_its_use_is_no_part_of_a_definition() -> None:
    row = one("We define backlog as orders not yet shipped, and we use it to plan our shifts.")
    assert row["definition_text"] == "orders not yet shipped"


def test_a_full_stop_of_an_abbreviation_does_not_end_a_definition() -> None:
    row = one("We define home sales as sales made in the U.S. by our own stores.")
    assert row["definition_text"] == "sales made in the U.S. by our own stores"


@pytest.mark.parametrize(
    ("defined", "exclusions"),
    [
        (
            "net income before taxes, other income, net, depreciation and amortization and rent",
            ["taxes", "other income, net", "depreciation and amortization", "rent"],
        ),
        (
            "cash from operations less purchases of property, plant and equipment",
            ["purchases of property, plant and equipment"],
        ),
        ("sales excluding fuel and currency, divided by average sales", []),
        ("sales before freight, rent and heat and tax", []),
        ("earnings adjusted for certain items", []),
        ("price less costs of completion, disposal and transport", []),
        ("orders received in the year", []),
    ],
)
def test_exclusions_are_listed_only_where_they_can_be_told_apart(
    defined: str, exclusions: list[str]
) -> None:
    assert one(f"We define cash margin as {defined}.")["exclusions"] == exclusions


@pytest.mark.parametrize(
    ("sentence", "is_standard"),
    [
        ("Fair value is defined as the price received in an orderly transaction.", True),
        ("We define adjusted earnings per share as net income over average shares.", False),
        ("We define churn as members who left in a month.", False),
    ],
)
def test_terms_of_accounting_standards_are_marked(sentence: str, is_standard: bool) -> None:
    assert one(sentence)["is_standard"] is is_standard


def test_rows_come_by_text_hash_and_no_text_gives_no_rows() -> None:
    table = find_definitions(
        texts("We define churn as members who left.", "We define reach as people who saw an ad.")
    )
    assert table["text_hash"].to_pylist() == ["h0", "h1"]
    assert find_definitions(texts()).num_rows == 0


def test_a_null_text_is_named() -> None:
    with pytest.raises(ValueError, match="h1"):
        find_definitions(texts("We sell.", None))


@pytest.mark.parametrize(
    ("defined", "exclusions"),
    [
        ("debt plus equity", []),
        ("operating income less rent, plus equity income", ["rent"]),
        ("operating income plus equity income, net of rent", ["rent"]),
        ("operating income adjusted to exclude rent", ["rent"]),
        ("sales adjusted to eliminate currency and adjusted for rent", []),
    ],
)
def test_what_is_added_is_not_excluded(defined: str, exclusions: list[str]) -> None:
    assert one(f"We define cash margin as {defined}.")["exclusions"] == exclusions

"""Counted lists: the number word and the items must agree."""

from typing import Any

import pyarrow as pa
import pytest

from finrag.atlases.enumerations import ENUMERATION_SCHEMA, find_enumerations

Row = dict[str, Any]


def found(*sentences: str | None) -> list[Row]:
    hashes = [f"h{place}" for place in range(len(sentences))]
    table = find_enumerations(
        pa.table({"text_hash": hashes, "sentence_text": pa.array(sentences, pa.string())})
    )
    assert table.schema == ENUMERATION_SCHEMA
    return table.to_pylist()


@pytest.mark.parametrize(
    ("sentence", "items"),
    [
        ("We have two segments: Tools and Paints.", ["Tools", "Paints"]),
        ("We have three segments: Tools, Paints and Rentals.", ["Tools", "Paints", "Rentals"]),
        ("We have three segments: Tools, Paints, and Rentals.", ["Tools", "Paints", "Rentals"]),
        (
            "We operate in three reportable segments: (i) Tools, (ii) Paints and (iii) Rentals.",
            ["Tools", "Paints", "Rentals"],
        ),
        (
            "Our three reportable segments are Health and Wellness, Paints, and Rentals.",
            ["Health and Wellness", "Paints", "Rentals"],
        ),
        (
            "We report in two segments: Safety and Industrial; and Home and Garden.",
            ["Safety and Industrial", "Home and Garden"],
        ),
        (
            "We have two operating segments, retail and wholesale, which differ in their margins.",
            ["retail", "wholesale"],
        ),
        (
            "We have two reportable segments: Home (formerly Doors, Windows) and the Rentals.",
            ["Home", "Rentals"],
        ),
        (
            "Our operations form two reportable segments: Orlo U.S. and Orlo Canada.",
            ["Orlo U.S.", "Orlo Canada"],
        ),
    ],
)
def test_segments_are_split_by_punctuation_and_count(sentence: str, items: list[str]) -> None:
    (row,) = found(sentence)
    assert (row["list_kind"], row["count"], row["items"]) == ("segments", len(items), items)


@pytest.mark.parametrize(
    "sentence",
    [
        "We have three segments: Tools and Paints.",
        "We have two segments: Tools and Paints and Rentals.",
        "We have four segments.",
        "We have three segments: Tools, Paints and Tools.",
        "We have two segments: Tools, Paints and Tools.",
        "We have three reportable segments: Tools, Optical",
        "Sales rose in two segments: Tools by 12% and Paints by 14%.",
        "The restaurant industry has two segments: fast and slow.",
        "The Tools segment consists of two business units: Saws and Drills.",
        "We sell to three market segments: schools, cities and parks.",
    ],
)
def test_lists_that_do_not_add_up_or_are_not_the_company_s_are_left_out(sentence: str) -> None:
    assert found(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "is_current"),
    [
        ("We have two segments: Tools and Paints.", True),
        ("We are managed in two segments: Tools and Paints.", True),
        ("Prior to 2020, we had two segments: Tools and Paints.", False),
        ("We expect to have two segments: Tools and Paints.", False),
        ("In 2015 we changed from four to two segments: Tools and Paints.", False),
        ("The two main drivers of our growth in fiscal 2019 were price and volume.", True),
    ],
)
def test_former_and_future_states_are_not_current(sentence: str, is_current: bool) -> None:
    (row,) = found(sentence)
    assert row["is_current"] is is_current


@pytest.mark.parametrize(
    ("listed", "items"),
    [
        (
            "new capacity at our milling and pepper drying plant in Lorne and the renewal of Brio",
            [
                "new capacity at our milling and pepper drying plant in Lorne",
                "the renewal of Brio",
            ],
        ),
        (
            "wider use of Brio by clubs and small hotels and price discipline in our Inns segment",
            [
                "wider use of Brio by clubs and small hotels",
                "price discipline in our Inns segment",
            ],
        ),
        ("higher prices", None),
        ("sales of boats and trailers and sales of lifts and sales of docks", None),
    ],
)
def test_two_drivers_are_divided_only_where_one_and_can_do_it(
    listed: str, items: list[str] | None
) -> None:
    rows = found(f"Our two main growth drivers in fiscal 2019 were {listed}.")
    assert [row["items"] for row in rows] == ([items] if items else [])


def test_the_lead_is_what_stands_before_the_list() -> None:
    (row,) = found("We sell through three channels: stores, dealers and our web site.")
    assert row["list_kind"] == "customers_channels"
    assert row["lead_text"] == "We sell through three channels"


def test_a_null_text_is_named() -> None:
    with pytest.raises(ValueError, match="h0"):
        found(None)


@pytest.mark.parametrize(
    "sentence",
    [
        "We have three segments: Tools, Paints and Doors and Rentals, as set out below.",
        "We have three segments: Tools, Paints and Doors and Rentals, a subject of our plan.",
    ],
)
def test_a_clause_behind_the_list_is_no_item(sentence):
    assert found(sentence) == []


@pytest.mark.parametrize(
    "lead",
    [
        "Our reportable and operating structure has",
        "The Company’s operations are organized into",
        "Results of our operations are told for",
        "Tarnholt is organized under",
        "Tarnholt Mills Inc. operates in",
        "Based on how our officers manage the business, we have",
    ],
)
def test_segments_of_the_company_are_kept(lead: str) -> None:
    assert len(found(f"{lead} two segments: Tools and Paints.")) == 1


@pytest.mark.parametrize(
    "lead",
    [
        "Tarnholt comprises",
        "Tarnholt consists of",
        "We report Tarnholt in",
        "Our hand-held and on-site tools business, 12% of sales, is comprised of",
        "Our loan portfolio is divided into",
        "Within the lending book there are",
    ],
)
def test_segments_of_a_part_or_a_portfolio_are_left_out(lead: str) -> None:
    assert found(f"{lead} two segments: Tools and Paints.") == []

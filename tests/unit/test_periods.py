"""Year labels: each bound to its own date or to none."""

import pyarrow as pa
import pytest

from finrag.atlases.periods import PERIOD_SCHEMA, find_periods


def bound(*sentences: str | None) -> list[tuple[str, str]]:
    hashes = [f"h{place}" for place in range(len(sentences))]
    table = find_periods(
        pa.table({"text_hash": hashes, "sentence_text": pa.array(sentences, pa.string())})
    )
    assert table.schema == PERIOD_SCHEMA
    return [(row["period_label"], row["end_date"]) for row in table.to_pylist()]


@pytest.mark.parametrize(
    ("sentence", "pairs"),
    [
        (
            "In this report, “the year” and “fiscal 2021” mean the twelve months ended "
            "January 31, 2021.",
            [("the year", "2021-01-31"), ("fiscal 2021", "2021-01-31")],
        ),
        (
            "References to fiscal 2019 are to the fiscal year ended September 28, 2019.",
            [("fiscal 2019", "2019-09-28")],
        ),
        (
            "Our fiscal year 2019 ended on February 1, 2020.",
            [("fiscal year 2019", "2020-02-01")],
        ),
        (
            "Fiscal years 2019 and 2018 ended on June 29, 2019 and June 30, 2018, respectively.",
            [("fiscal year 2019", "2019-06-29"), ("fiscal year 2018", "2018-06-30")],
        ),
        (
            "All references to fiscal 2019, 2018 and 2017 are to Mirel, Inc.'s fiscal years ended "
            "May 31, 2019, 2018 and 2017.",
            [
                ("fiscal 2019", "2019-05-31"),
                ("fiscal 2018", "2018-05-31"),
                ("fiscal 2017", "2017-05-31"),
            ],
        ),
        (
            "We discuss the years ended July 1, 2023 (“fiscal 2023”) and July 2, 2022 "
            "(“fiscal 2022”).",
            [("fiscal 2023", "2023-07-01"), ("fiscal 2022", "2022-07-02")],
        ),
    ],
)
def test_labels_get_their_dates(sentence: str, pairs: list[tuple[str, str]]) -> None:
    assert bound(sentence) == pairs


@pytest.mark.parametrize(
    "sentence",
    [
        "Sales for the year ended December 31, 2020 rose.",
        "The third quarter of fiscal 2019 ended on June 29, 2019.",
        "Fiscal years 2019, 2018 and 2017 ended on June 29, 2019 and June 30, 2018.",
        "Our fiscal year 2019 ended on February 30, 2019.",
        "Our fiscal year 2019 ended on June 30, 2016.",
        "Fiscal 2019 ended June 30, 2019 and fiscal 2018 ended June 30, 2019.",
        "“Fiscal 2019” means the nine months ended June 30, 2019.",
        "Our year ends on June 30.",
    ],
)
def test_what_binds_no_whole_year_is_left_out(sentence: str) -> None:
    assert bound(sentence) == []


def test_a_label_without_a_year_has_none() -> None:
    table = find_periods(
        pa.table(
            {
                "text_hash": ["a"],
                "sentence_text": ["“The year” means the year ended March 31, 2020."],
            }
        )
    )
    (row,) = table.to_pylist()
    assert (row["label_year"], row["end_year"]) == (None, 2020)


def test_a_null_text_is_named() -> None:
    with pytest.raises(ValueError, match="h1"):
        bound("We sell.", None)

"""Attributions: a cause that is stated, against one that is possible, offset or only nearby."""

from typing import Any

import pyarrow as pa
import pytest

from finrag.atlases.causes import CAUSE_SCHEMA, find_causes

Row = dict[str, Any]

TOPICS = pa.table(
    {
        "topic": ["foreign_currency", "foreign_currency", "pandemic", "supply_chain"],
        "pattern": [
            r"\b(foreign )?currenc(y|ies)\b",
            r"\bexchange rates?\b",
            r"\bpandemic\b",
            r"\bsupply chains?\b",
        ],
    }
)


def found(*sentences: str | None, topics: pa.Table = TOPICS) -> list[Row]:
    hashes = [f"h{place}" for place in range(len(sentences))]
    table = find_causes(
        pa.table({"text_hash": hashes, "sentence_text": pa.array(sentences, pa.string())}), topics
    )
    assert table.schema == CAUSE_SCHEMA
    return table.to_pylist()


def one(sentence: str) -> Row:
    (row,) = found(sentence)
    return row


@pytest.mark.parametrize(
    ("sentence", "connector", "effect", "direction"),
    [
        (
            "The change in other income, net was driven by currency losses.",
            "driven by",
            "The change in other income, net",
            None,
        ),
        (
            "Net sales in Europe decreased 4%, primarily due to a weaker foreign currency.",
            "due to",
            "Net sales in Europe",
            "decrease",
        ),
        (
            "In fiscal 2020, tour revenue fell to $3 million as a result of the pandemic.",
            "as a result of",
            "tour revenue",
            "decrease",
        ),
        (
            "Due to the pandemic, hotel revenue declined 30%.",
            "due to",
            "hotel revenue",
            "decrease",
        ),
        (
            "Freight costs were hurt by supply chain delays.",
            "affected by",
            "Freight costs",
            None,
        ),
        (
            "We experienced lower demand in Asia because of the pandemic.",
            "because of",
            "lower demand in Asia",
            "decrease",
        ),
        ("Foreign currency reduced net sales by 3%.", "verb", "net sales", "decrease"),
        (
            "Volume rose by 2%, and changes in exchange rates lowered operating income by $4.",
            "verb",
            "operating income",
            "decrease",
        ),
    ],
)
def test_a_stated_cause_is_an_attribution(
    sentence: str, connector: str, effect: str, direction: str | None
) -> None:
    row = one(sentence)
    assert row["is_explicit_attribution"]
    assert row["is_certain"]
    assert (row["connector"], row["effect_text"]) == (connector, effect)
    assert row["effect_direction"] == direction


@pytest.mark.parametrize(
    ("sentence", "is_certain"),
    [
        ("We hold balances in euro, whose value moves with exchange rates.", True),
        ("The pandemic continued, and our crews worked under new rules.", True),
        ("Sales could decline due to the pandemic.", False),
        ("If sales were lower due to the pandemic, we would close stores.", False),
        ("Sales rose on volume, offset by prices that were lower due to the pandemic.", False),
        ("Our results fluctuate due to changes in exchange rates.", False),
        ("Sales rose due to higher volume, partially offset by a weaker currency.", False),
        ("Excluding currency, sales rose due to higher volume.", False),
        ("The decline was not due to the pandemic.", False),
        ("We aid businesses impacted by the pandemic.", False),
        ("Sales rose due to volume; exchange rates matter to us.", False),
        ("The pandemic had an impact on us.", False),
    ],
)
def test_mentions_are_none_and_only_clean_ones_are_certain(sentence: str, is_certain: bool) -> None:
    row = one(sentence)
    assert not row["is_explicit_attribution"]
    assert row["is_certain"] is is_certain


@pytest.mark.parametrize(
    "sentence",
    [
        "Fees rose due to visits made during the pandemic.",
        "Growth in sales was due to a recovery from the pandemic.",
        "Other income rose due to foreign currency hedges.",
    ],
)
def test_a_cue_that_is_not_itself_the_cause_is_arguable(sentence: str) -> None:
    row = one(sentence)
    assert row["is_explicit_attribution"]
    assert not row["is_certain"]


def test_flags_tell_why_a_row_is_no_attribution() -> None:
    hypothetical, offset = found(
        "Sales may decline due to the pandemic.",
        "Sales rose on price, offset by a weaker currency.",
    )
    assert (hypothetical["is_hypothetical"], hypothetical["connector"]) == (True, "due to")
    assert (offset["is_offset"], offset["connector"]) == (True, None)


def test_the_cause_ends_before_what_offsets_it() -> None:
    row = one("Sales fell due to a weaker currency, partially offset by higher prices.")
    assert row["cause_text"] == "a weaker currency"


@pytest.mark.parametrize("effect", ["This", "The decrease", "It"])
def test_an_effect_that_names_nothing_is_null(effect: str) -> None:
    assert one(f"{effect} was due to the pandemic.")["effect_text"] is None


def test_each_topic_has_its_own_row_in_order() -> None:
    rows = found("Sales fell due to supply chain delays and the pandemic.")
    assert [row["topic"] for row in rows] == ["pandemic", "supply_chain"]
    assert all(row["is_explicit_attribution"] for row in rows)


def test_typographic_apostrophes_do_not_hide_a_cue() -> None:
    topics = pa.table({"topic": ["yen"], "pattern": [r"\byen's\b"]})
    (row,) = found("Costs rose due to the yen’s strength.", topics=topics)
    assert row["is_explicit_attribution"]


def test_a_broken_pattern_and_a_null_text_are_named() -> None:
    with pytest.raises(ValueError, match="weather"):
        found("Rain.", topics=pa.table({"topic": ["weather"], "pattern": ["(rain"]}))
    with pytest.raises(ValueError, match="h0"):
        found(None)

"""Texts of questions and evidence are read as the search for bad questions needs them."""

import csv
import re
from pathlib import Path

import pyarrow as pa
import pytest

from finrag.atlases.labels import label_texts
from finrag.sources.suites.checks import AMOUNT_SCHEMA, read_amounts

SEEDS = Path(__file__).parents[2] / "seeds" / "gold"
CUES = list(csv.DictReader((SEEDS / "question_cues.csv").open(encoding="utf-8")))
REASONS = list(csv.DictReader((SEEDS / "question_flag_reasons.csv").open(encoding="utf-8")))


def texts(**named: str | None) -> pa.Table:
    return pa.table(
        {"text_hash": list(named), "sentence_text": list(named.values())},
        schema=pa.schema([("text_hash", pa.string()), ("sentence_text", pa.string())]),
    )


def readings(sentence: str) -> list[tuple[str, float, str]]:
    rows = read_amounts(texts(t=sentence)).to_pylist()
    return [(row["reading"], row["value"], row["kind"]) for row in rows]


def matches(pattern: str, sentence: str) -> bool:
    """Whether a pattern labels a sentence, as the model lets it."""
    columns = {"text_hash": ["t"], "sentence_text": [sentence], "in_cue": [True]}
    patterns = pa.table({"atlas": ["cue"], "label": ["it"], "pattern": [pattern]})
    reader = pa.table(columns).to_reader()
    return label_texts(reader, patterns).read_all().num_rows == 1


def test_a_day_of_a_date_is_no_amount_and_the_sum_beside_it_is() -> None:
    read = readings("On March 27, 2019 the mill cost $27 million.")
    assert [kind for _, value, kind in read if value == 27] == ["date"]
    assert ("value", 27_000_000, "amount") in read


def test_a_range_is_read_at_both_ends() -> None:
    read = readings("Costs will range from $2 million to $4 million.")
    assert {value for _, value, kind in read if kind == "amount"} >= {2e6, 4e6}


def test_numbers_of_a_text_are_counted_in_order_and_texts_come_by_key() -> None:
    rows = read_amounts(texts(b="$3 and $4", a="none", c="$5")).to_pylist()
    assert [(row["text_hash"], row["amount_pos"], row["value"]) for row in rows] == [
        ("b", 0, 3.0),
        ("b", 1, 4.0),
        ("c", 0, 5.0),
    ]


def test_no_text_gives_no_rows_under_the_same_schema() -> None:
    read = read_amounts(texts())
    assert read.num_rows == 0
    assert read.schema == AMOUNT_SCHEMA


def test_a_text_that_is_null_is_named() -> None:
    with pytest.raises(ValueError, match="text gone is null"):
        read_amounts(texts(gone=None))


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: f"{cue['atlas']}-{cue['label']}")
def test_a_cue_matches_its_example_and_not_its_counter_example(cue: dict[str, str]) -> None:
    assert matches(cue["pattern"], cue["example"])
    assert not matches(cue["pattern"], cue["counter_example"])


@pytest.mark.parametrize(
    ("label", "sentence", "is_matched"),
    [
        ("cross_reference", "See Note 12 to the consolidated financial statements.", True),
        ("cross_reference", "We see notes of caution in the orders of Note Mills.", False),
        ("table_lead_in", "Net sales by region (in millions):", True),
        ("table_lead_in", "The tables below stood in the hall.", False),
        ("auditor_report", "We have audited the balance sheets of Ostrava Mills.", True),
        ("auditor_report", "In our opinion, prices will fall in 2021.", False),
        ("part", "The loom segment's operating income fell to $9 million.", True),
        ("part", "Operating income of all segments together is not revenue of one.", False),
    ],
)
def test_evidence_at_the_edge_of_a_cue(label: str, sentence: str, is_matched: bool) -> None:
    patterns = [cue["pattern"] for cue in CUES if cue["label"] == label]
    assert any(matches(pattern, sentence) for pattern in patterns) == is_matched


def test_every_fault_of_the_suite_reader_is_a_known_reason() -> None:
    sources = (Path(__file__).parents[2] / "src" / "finrag" / "sources" / "suites").glob("*.py")
    codes = {
        code for path in sources for code in re.findall(r'\bfault\(\s*"(\w+)"', path.read_text())
    }
    known = {row["reason"] for row in REASONS}
    assert len(codes) > 20
    assert {f"schema_fault:{code}" for code in codes} - known == set()

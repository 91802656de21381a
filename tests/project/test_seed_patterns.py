"""Every pattern row of the catalogues, against its own example and counter-example."""

import csv
import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

ROOT = Path(__file__).parents[2]
# Catalogue and the column that names what a match of its patterns means.
CATALOGUES = {
    "kpi_patterns": "kpi_label",
    "risk_patterns": "risk_topic",
    "cue_patterns": "label",
    "disclosure_topics": "topic",
    "revenue_view_patterns": "meaning",
    "page_cues": "page_kind",
}
# Those whose patterns are matched with sentences, not with labels of a table.
OF_SENTENCES = [name for name in CATALOGUES if name != "revenue_view_patterns"]


def rows_of(name):
    with (ROOT / "seeds" / "catalogues" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def values(name, column):
    return {row[column] for row in rows_of(name)}


ROWS = {name: rows_of(name) for name in CATALOGUES}
PATTERNS = [
    pytest.param(row, id=f"{name}-{row[label]}-{place}")
    for name, label in CATALOGUES.items()
    for place, row in enumerate(ROWS[name])
]
each_pattern = pytest.mark.parametrize("row", PATTERNS)


# Patterns are written for text as `finrag.atlases.labels` and the SQL models see it.
def lowered(text):
    return text.lower().replace("’", "'")


def found_by_duckdb(pattern, text):
    return duckdb.execute("select regexp_matches(?, ?)", [text, pattern]).fetchall()[0][0]


def found_by_arrow(pattern, text):
    return pc.match_substring_regex(pa.array([text]), pattern)[0].as_py()


each_engine = pytest.mark.parametrize("is_found", [found_by_duckdb, found_by_arrow])


@each_engine
@each_pattern
def test_a_pattern_matches_its_example(row, is_found):
    assert is_found(row["pattern"], lowered(row["example"]))


@each_engine
@each_pattern
def test_a_pattern_does_not_match_its_counter_example(row, is_found):
    assert not is_found(row["pattern"], lowered(row["counter_example"]))


@each_engine
def test_what_tells_a_topic_is_narrower_than_what_names_it(is_found):
    for row in ROWS["disclosure_topics"]:
        assert is_found(row["told_pattern"], lowered(row["example"])), row["topic"]
        assert not is_found(row["told_pattern"], lowered(row["counter_example"])), row["topic"]
        assert not is_found(row["told_pattern"], ""), row["topic"]


@each_engine
@each_pattern
def test_a_pattern_does_not_match_the_empty_text(row, is_found):
    # A row without a label says no more of its line than one called net sales.
    assert is_found(row["pattern"], "") == (row.get("meaning") == "generic_label")


@each_pattern
def test_a_pattern_has_no_capital_which_lower_case_never_meets(row):
    # \W, \D and the like are classes, not letters.
    assert not re.search("[A-Z]", re.sub(r"\\[A-Z]", "", row["pattern"]))


@each_pattern
def test_a_pattern_is_not_written_with_white_space_around_it(row):
    assert row["pattern"] == row["pattern"].strip()


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_pattern_of_a_label_finds_a_counter_example_of_another(name):
    # Rows of a label are alternatives, so a counter-example must escape all of them.
    label = CATALOGUES[name]
    caught = [
        (row["counter_example"], other["pattern"])
        for row in ROWS[name]
        for other in ROWS[name]
        if other[label] == row[label]
        and found_by_duckdb(other["pattern"], lowered(row["counter_example"]))
    ]
    assert caught == []


@pytest.mark.parametrize("name", OF_SENTENCES)
def test_examples_are_sentences(name):
    texts = [row[column] for row in ROWS[name] for column in ("example", "counter_example")]
    assert all(text == text.strip() and text[0].isupper() and text[-1] in ".?" for text in texts)


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_two_patterns_share_an_example(name):
    examples = [row["example"] for row in ROWS[name]]
    assert len(examples) == len(set(examples))


# Labels


def test_every_kpi_has_a_pattern_and_every_pattern_a_declared_kpi():
    assert values("kpi_patterns", "kpi_label") == values("kpi_labels", "kpi_label")


def test_every_risk_topic_has_a_pattern_and_every_pattern_a_declared_topic():
    assert values("risk_patterns", "risk_topic") == values("risk_topics", "risk_topic")


def test_every_verification_topic_has_a_cue_and_every_cue_a_declared_topic():
    cues = {row["label"] for row in ROWS["cue_patterns"] if row["atlas"] == "verification"}
    assert cues == values("verification_topics", "topic")


def test_pairs_name_declared_kpis_and_topics():
    assert values("verification_pairs", "kpi_label") <= values("kpi_labels", "kpi_label")
    assert values("verification_pairs", "topic") <= values("verification_topics", "topic")


def test_cues_belong_to_an_atlas_that_looks_at_texts():
    sql = (ROOT / "models" / "atlases" / "int_texts_to_label.sql").read_text()
    looked_at = set(re.findall(r"\bas in_(\w+)", sql))
    own_catalogue = {"kpi", "risk", "disclosure", "told"}
    assert values("cue_patterns", "atlas") == looked_at - own_catalogue
    assert own_catalogue < looked_at


@pytest.mark.parametrize("column", ["noun_phrase", "value_kind", "is_core"])
def test_patterns_of_a_kpi_agree_with_its_declaration(column):
    declared = {row["kpi_label"]: row[column] for row in rows_of("kpi_labels")}
    at_odds = [
        (row["kpi_label"], row[column])
        for row in ROWS["kpi_patterns"]
        if row[column] != declared.get(row["kpi_label"])
    ]
    assert at_odds == []


def test_the_core_kpis_are_the_eight_every_corpus_has():
    core = {row["kpi_label"] for row in rows_of("kpi_labels") if row["is_core"] == "true"}
    assert core == {
        "revenue",
        "net_income",
        "operating_income",
        "cash_from_operations",
        "gross_margin",
        "eps",
        "debt",
        "capex",
    }


def test_general_risk_is_the_fallback_and_has_the_last_priority():
    priorities = {row["risk_topic"]: int(row["priority"]) for row in rows_of("risk_topics")}
    assert max(priorities, key=priorities.get) == "general_risk"
    assert sorted(priorities.values()) == list(range(1, len(priorities) + 1))


@pytest.mark.parametrize(
    "name", ["kpi_labels", "risk_topics", "verification_topics", "disclosure_topics"]
)
def test_noun_phrases_tell_topics_apart(name):
    phrases = [row["noun_phrase"] for row in rows_of(name)]
    assert all(phrase == phrase.strip() != "" for phrase in phrases)
    assert len(phrases) == len(set(phrases))

"""Bad questions are found in real suites, and good ones are left alone.

These suites served to write the rules, so the figures are no forecast for other suites: the first
run flagged 8 bad and 1 good question of the curated 22; two rules were changed after it ("over
time" names no year; each of several companies has its own evidence).
"""

import json
import os
import shutil
from pathlib import Path

import pytest

SHARED = (
    Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data"))
    / "finrag"
)
SENTENCES = SHARED / "sentences.parquet"
CURATED = SHARED / "p3_gold_test_suite.json"
DRAFT = SHARED / "p3_gold_P3_v1_auto.json"

# Read with their evidence before any rule was run: bad, and why, as a sceptical analyst sees it.
BAD_CURATED = {
    "P3V2-Q001": "a cross-reference in place of total revenue",
    "P3V2-Q003": "a segment's change in place of the company's operating income",
    "P3V2-Q004": "the auditor's report in place of a cash flow",
    "P3V2-Q005": "a table's announcement in place of earnings per share",
    "P3V2-Q015": "asks about competition, tells of a pandemic",
    "P3V2-Q016": "asks about competition, tells of a pandemic",
    "P3V2-Q020": "asks about legal risks, tells of a security breach",
    "P3V2-Q021": "remedies in place of risks, torn from the sentence before",
    "P3V3-Q005": "one of four companies speaks of tax law in place of liquidity",
    "P3V3-Q007": "its evidence is not in this corpus",
    "P3V3-Q008": "its evidence is not in this corpus",
}
BAD_DRAFT = {
    "9ab643b3-1574-49db-baf6-57af0b7e79cf": "revenue read from a date",
    "906661d1-d906-4689-9eeb-8e4b7d309960": "revenue read from a date",
    "848369ef-3d9e-49f6-b4fa-96570a09ade0": "no year",
    "dd9f7bd3-b1cf-475b-b000-fed3552f7a88": "no year",
    "e2ffa6f7-86c4-48e3-afbb-f146a0a7293e": "no year",
    "bd4b954a-b16a-4674-929c-fb1b1673663f": "no year",
}
# Bad ones that no rule finds: it takes a reader to see that a sentence is beside the point.
MISSED_CURATED = {"P3V2-Q020", "P3V2-Q021"}
# Where the right reason matters, and not only that there is one.
REASONS = {
    "P3V2-Q001": "cross_reference",
    "P3V2-Q003": "evidence_narrower",
    "P3V2-Q004": "boilerplate",
    "P3V2-Q005": "table_lead_in",
    "P3V3-Q005": "topic_not_in_evidence",
    "P3V3-Q007": "unknown_evidence",
    "9ab643b3-1574-49db-baf6-57af0b7e79cf": "number_not_an_amount",
    "906661d1-d906-4689-9eeb-8e4b7d309960": "money_without_unit",
    "bd4b954a-b16a-4674-929c-fb1b1673663f": "no_year_named",
}

pytestmark = pytest.mark.skipif(
    not (SENTENCES.is_file() and CURATED.is_file() and DRAFT.is_file()),
    reason=f"no real suites and sentences in {SHARED}",
)


@pytest.fixture(scope="module")
def flags(new_warehouse, tmp_path_factory):
    """Excluding reasons of every question of a suite that has any, by suite and id."""
    folder = tmp_path_factory.mktemp("suites") / "warehouse"
    warehouse = new_warehouse(folder, corpus="sentences", corpus_path=str(SENTENCES))
    return {
        CURATED: excluding(warehouse, CURATED, "+question_flags"),
        # The sentences stay; what follows from another suite is built again.
        DRAFT: excluding(warehouse, DRAFT, "py_p3_rows_read+,+question_flags"),
    }


def excluding(warehouse, suite, models):
    shutil.copyfile(suite, warehouse.folder / "suite.json")
    built = warehouse.build("--select", models, p3_suite_paths=["suite.json"])
    assert built == 0, warehouse.log
    found = {record["question_id"]: set() for record in json.loads(suite.read_text())}
    for row in warehouse.rows("select * from gold.question_flags where is_excluding"):
        if row["question_id"] in found:
            found[row["question_id"]].add(row["reason"])
    return found


def flagged(found):
    return {question_id for question_id, reasons in found.items() if reasons}


def test_no_good_question_is_flagged(flags):
    """Precision 1: 9 of 9 and 6 of 6."""
    assert flagged(flags[CURATED]) - BAD_CURATED.keys() == set()
    assert flagged(flags[DRAFT]) - BAD_DRAFT.keys() == set()


def test_bad_questions_are_flagged(flags):
    """Recall 9 of 11 and 6 of 6; what is missed is named."""
    assert BAD_CURATED.keys() - flagged(flags[CURATED]) == MISSED_CURATED
    assert BAD_DRAFT.keys() - flagged(flags[DRAFT]) == set()


@pytest.mark.parametrize("question_id", REASONS)
def test_the_reason_is_the_right_one(flags, question_id):
    assert REASONS[question_id] in (flags[CURATED] | flags[DRAFT])[question_id]

"""Checks of real filings by others, where they are at hand, hold for the items that are found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.filings.labels import is_reporting, judge, read_cases

SHARED = Path(
    os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[2].parent / "shared/data")
)
LABELS = SHARED / "item_labels/expectations.jsonl.gz"

pytestmark = pytest.mark.skipif(
    not LABELS.is_file(), reason="the labelled filings (FINRAG_SHARED_DATA) are absent"
)


@pytest.mark.parametrize(("reports", "share"), [(False, 0.985), (True, 0.96)])
def test_checks_of_items_hold(reports, share):
    """On companies on which rules were mended, and on those that only report."""
    cases = [
        case
        for case in read_cases(LABELS)
        if is_reporting(case["_filing_file"].split("_")[0]) == reports
    ]
    checks = list(judge(cases, SHARED / "filings_html"))
    failed = [f"{check.case}: {check.said}" for check in checks if not check.holds]
    assert checks
    assert len(checks) - len(failed) >= share * len(checks), "\n".join(failed)

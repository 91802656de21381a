"""Written claims about filings, half of them planted errors: what a judge must say of each.

Each row of claims.csv has one to three sentences as a filing of an invented company has
them, and one sentence about them as an answer has it: ``is_supported`` says whether a
careful analyst would find the evidence to support the claim. ``kind`` names what is at
stake. Every row was composed by hand, without a look at what the judge knows.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

CLAIMS: Final = Path(__file__).with_name("claims.csv")
COLUMNS: Final = ["id", "kind", "is_supported", "evidence", "claim"]


def test_claims_are_400_rows_with_half_of_them_planted() -> None:
    with CLAIMS.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert reader.fieldnames == COLUMNS
    assert all(row[column].strip() for row in rows for column in COLUMNS)
    assert Counter(row["is_supported"] for row in rows) == {"true": 200, "false": 200}
    assert len({row["id"] for row in rows}) == 400
    assert len({(row["evidence"], row["claim"]) for row in rows}) == 400
    assert max(Counter(row["evidence"] for row in rows).values()) <= 2
    truths_by_kind: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        truths_by_kind[row["kind"]].add(row["is_supported"])
    assert all(truths == {"true", "false"} for truths in truths_by_kind.values())

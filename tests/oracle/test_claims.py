"""Written claims about filings, half of them planted errors: what a judge must say of each.

Each row of claims.csv has one to three sentences as a filing of an invented company has
them, and one sentence about them as an answer has it: ``is_supported`` says whether a
careful analyst would find the evidence to support the claim. ``kind`` names what is at
stake. Every row was composed by hand, without a look at what the judge knows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import pytest

from finrag.scoring.claims import Evidence, trace_answer

CLAIMS: Final = Path(__file__).with_name("claims.csv")
COLUMNS: Final = ["id", "kind", "is_supported", "evidence", "claim"]
YEAR: Final = 2021
# Of 400 claims, those of each half that are called unsupported: half of them are planted errors.
MIN_PLANTED_FOUND: Final = 110
MAX_TRUE_LOST: Final = 39
MIN_DENIALS_FOUND: Final = 0.98
VERB: Final = re.compile(r"\b(?:is|are|was|were|has|have|had|will|does|do|did)\b")
DENIED: Final = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|cannot)\b|n't", re.IGNORECASE
)


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


def support(claim: str, *evidence: str) -> str:
    """The finding on a claim of one sentence beside sentences of a filing."""
    cited = [
        Evidence(f"s{at}", text, ("Averinth",), (YEAR,), None, None)
        for at, text in enumerate(evidence)
    ]
    return next(
        one.support for one in trace_answer(claim, "text", cited, None) if one.parent_pos is None
    )


def claims() -> list[dict[str, str]]:
    with CLAIMS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_as_many_planted_errors_are_found_and_no_more_true_claims_lost() -> None:
    found = Counter(
        row["is_supported"]
        for row in claims()
        if support(row["claim"], row["evidence"]) == "unsupported"
    )

    assert found["false"] >= MIN_PLANTED_FOUND
    assert found["true"] <= MAX_TRUE_LOST


@pytest.mark.parametrize("before", ["", "In the same year that ended only there "])
def test_a_not_is_found_beside_the_sentence_without_it(before: str) -> None:
    texts = {sentence for row in claims() for sentence in (row["claim"], row["evidence"])}
    sentences = {one for text in texts for one in re.split(r"(?<=[.]) (?=[A-Z])", text)}
    plain = sorted(
        one for one in sentences if len(VERB.findall(one)) == 1 and not DENIED.search(one)
    )
    denied = {one: VERB.sub(lambda verb: f"{verb[0]} not", one) for one in plain}
    missed = [
        text
        for one, text in denied.items()
        if support(text, f"{before}{one[0].lower()}{one[1:]}" if before else one) != "unsupported"
    ]

    assert len(plain) > 100
    assert len(missed) <= (1 - MIN_DENIALS_FOUND) * len(plain), missed

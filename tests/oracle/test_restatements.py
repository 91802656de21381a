"""Every gold in fourteen right and fourteen wrong phrasings, judged: no kind falls below its floor.

`pytest -s tests/oracle` prints the figures by kind.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from finrag.scoring.numbers import RIGHT, Answered, Expected, check_number
from tests.oracle.restatements import Gold, Restatement, is_withheld, read_golds, restatements

FLOORS = yaml.safe_load(Path(__file__).with_name("restatements.yml").read_text(encoding="utf-8"))


def is_judged_right(gold: Gold, restatement: Restatement) -> bool:
    """Whether the judge takes a phrasing as a reader does."""
    expected = Expected(
        float(gold.value),
        gold.unit,
        float(gold.tolerance),
        None,
        gold.question,
        (float(gold.other_year),),
    )
    verdict = check_number(Answered(restatement.text), expected).verdict
    return (verdict in RIGHT) == restatement.is_right


@pytest.fixture(scope="module")
def agreed() -> Counter[str]:
    """How many golds each kind of phrasing is judged right for."""
    found: Counter[str] = Counter()
    golds = read_golds()
    for gold in golds:
        for one in restatements(gold):
            found[one.kind] += is_judged_right(gold, one)
    for kind in FLOORS:
        mark = "withheld" if is_withheld(kind) else ""
        print(f"{kind:20} {found[kind]:4} of {len(golds)} {mark}")
    return found


def test_each_gold_has_fourteen_right_and_fourteen_wrong_phrasings() -> None:
    for gold in read_golds():
        phrasings = list(restatements(gold))

        assert [one.is_right for one in phrasings] == [True] * 14 + [False] * 14
        assert [one.kind for one in phrasings] == list(FLOORS)


def test_right_and_wrong_phrasings_of_a_gold_differ() -> None:
    for gold in read_golds():
        phrasings = list(restatements(gold))
        wrong = {one.text for one in phrasings if not one.is_right}

        assert not wrong & {one.text for one in phrasings if one.is_right}


@pytest.mark.parametrize("kind", FLOORS)
def test_no_kind_of_phrasing_falls(kind: str, agreed: Counter[str]) -> None:
    assert agreed[kind] >= FLOORS[kind]

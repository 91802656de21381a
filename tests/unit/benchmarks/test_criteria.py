"""Checks of a question on its answer: met, failed, undecided; weights and dealbreakers."""

import json

import pytest

from finrag.scoring.strict.criteria import (
    CONTRADICTION,
    Criterion,
    check_criterion,
    read_criteria,
    score_criteria,
)

ANSWER = """2019: $10.82 a member.
2020: $10.91 a member.
Revenue a member grew from 2019 to 2020. Netflix named new plans with lower prices."""


@pytest.mark.parametrize(
    ("text", "operator", "is_met"),
    [
        ("2019: 10.82", "correctness", True),
        ("2020: 10.82", "correctness", False),
        ("2019: $10.84", "correctness", False),
        ("Revenue a member grew", "correctness", True),
        ("Revenue a member fell", "correctness", False),
        ("Netflix", "correctness", True),
        ("Walt Disney lowered its prices", "correctness", False),
        ("management sounds hopeful", "correctness", None),
        ("2019: $10.82 a member", "contradiction", True),
        ("2019: $12.50 a member", "contradiction", False),
        ("The plant in Norway burnt down", "contradiction", None),
    ],
)
def test_a_check_is_met_failed_or_undecided(text, operator, is_met):
    assert check_criterion(ANSWER, Criterion(text, operator)) is is_met


def test_weights_count_and_what_is_undecided_does_not():
    found = score_criteria(
        ANSWER,
        [
            Criterion("2019: 10.82", weight=3),
            Criterion("2020: 99.99", weight=1),
            Criterion("management sounds hopeful", weight=50),
        ],
    )

    assert (found.met, found.credit, found.passed) == (0.75, 0.75, 0.0)
    assert (found.n_met, found.n_failed, found.n_undecided) == (1, 1, 1)


def test_a_dealbreaker_that_fails_takes_all_credit():
    checks = [Criterion("2019: 10.82"), Criterion("2020: 99.99", is_dealbreaker=True)]

    assert score_criteria(ANSWER, checks).credit == 0.0
    assert score_criteria(ANSWER, checks).met == 0.5


def test_all_is_passed_only_where_all_is_decided():
    assert score_criteria(ANSWER, [Criterion("2019: 10.82")]).passed == 1.0
    undecided = Criterion("management sounds hopeful")
    assert score_criteria(ANSWER, [Criterion("2019: 10.82"), undecided]).passed is None
    assert score_criteria(ANSWER, [undecided]).met is None
    assert score_criteria("", [Criterion("2019: 10.82")]).passed == 0.0


def test_checks_stand_among_the_fields_of_a_record():
    fields = {
        "rubric": [
            {"operator": "contradiction", "criteria": "all"},
            {"text": "one", "weight": 2, "is_dealbreaker": True},
            "two",
        ]
    }

    assert read_criteria(json.dumps(fields)) == (
        Criterion("all", CONTRADICTION),
        Criterion("one", weight=2.0, is_dealbreaker=True),
        Criterion("two"),
    )
    assert read_criteria(None) == read_criteria("{}") == ()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ("words", "not a list"),
        ([{"operator": "correctness"}], "no text"),
        ([{"text": "x", "operator": "guess"}], "operator 'guess'"),
        ([{"text": "x", "weight": -1}], "weight -1"),
        ([{"text": "x", "weight": True}], "weight True"),
    ],
)
def test_checks_that_cannot_be_read_are_named(entries, message):
    with pytest.raises(ValueError, match=message):
        read_criteria(json.dumps({"criteria": entries}))

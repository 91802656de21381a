"""Our rules beside people's labels of real answers; see ``bench.human_labels``."""

import pytest

from bench import human_labels

pytestmark = pytest.mark.skipif(
    not human_labels.ANSWERS.is_file(), reason=f"no labelled answers at {human_labels.ANSWERS}"
)

# Kappa on the half of the questions on which nothing was chosen, and what it may not fall below.
LEAST = {
    "refusal, all answers": 0.87,
    "numeric verdict, pure numbers": 0.90,
    "numeric verdict, one figure in words": 0.85,
    "all rules together": 0.65,
}


@pytest.fixture(scope="module")
def answers():
    return human_labels.read_answers()


def test_there_are_1648_answers_with_three_labels(answers):
    assert len(answers) == 1_648
    assert {one.label for one in answers} == {"right", "wrong", "refusal"}


def test_the_halves_share_no_question(answers):
    halves = {(one.question_id, one.half) for one in answers}
    assert len(halves) == len({question for question, _ in halves})


@pytest.mark.parametrize("name", LEAST)
def test_rules_agree_with_people_where_nothing_was_chosen(answers, name):
    check = next(one for one in human_labels.checks(answers) if one.name == name)
    found = human_labels.agreement(check, [one for one in answers if one.half == "confirm"])
    print(f"{name}: n {found.n}, agree {found.observed:.3f}, kappa {found.kappa:.3f}")
    assert found.kappa >= LEAST[name]


def test_verdicts_are_stricter_than_people_not_laxer(answers):
    pairs = [
        (one.judged.is_right, one.label == "right")
        for one in answers
        if one.is_number and one.judged
    ]
    n_lenient = sum(said and not meant for said, meant in pairs)
    assert n_lenient <= 0.02 * len(pairs)


def test_the_report_has_every_rule_and_both_halves(answers):
    report = human_labels.report(answers)
    for check in human_labels.checks(answers):
        assert report.count(f"| {check.name} |") == 3

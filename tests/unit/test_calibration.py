"""The threshold of abstention: where chance leaves nine answers in ten behind."""

from dataclasses import replace

import pytest

from finrag.answers import calibration
from finrag.answers.extractive import answer_extractively, supports
from finrag.answers.types import Passage, Question

TOPICS = ("revenue", "debt", "capex", "net_income")
PHRASES = {
    "revenue": "revenue",
    "debt": "total debt",
    "capex": "capital expenditures",
    "net_income": "net income",
}


def question(number, topic="revenue", cik=None, text=None):
    asked = text or f"What was {PHRASES[topic]} of company {number} in fiscal 2019?"
    return Question(f"Q{number}", asked, (cik or number,), (2019,), (topic,), answer_form="numeric")


def context(number, topic="revenue", year=2019):
    text = f"{PHRASES[topic].capitalize()} was ${number} million in fiscal {year}."
    return [Passage(f"S{number}", text, f"C{number}", number, year, "ITEM_7", "", 1, 1.0)]


def run(n):
    questions = [question(number, TOPICS[number % 4]) for number in range(1, n + 1)]
    return questions, [context(number, TOPICS[number % 4]) for number in range(1, n + 1)]


def test_the_threshold_is_the_quantile_of_what_chance_gives():
    values = [place / 100 for place in range(101)]

    assert calibration.threshold(values) == 0.9
    assert calibration.threshold(values, quantile=0.5) == 0.5


def test_a_quantile_between_two_values_is_interpolated():
    assert calibration.threshold([0.0] * 15 + [1.0] * 16, quantile=0.49) == 0.7


def test_too_few_values_give_the_documented_constant():
    assert calibration.threshold([0.1] * 29) == calibration.FALLBACK
    assert calibration.threshold([0.1] * 30) == 0.1


@pytest.mark.parametrize("quantile", [-0.1, 1.1])
def test_a_quantile_outside_its_range_is_refused(quantile):
    with pytest.raises(ValueError, match="quantile"):
        calibration.threshold([0.0] * 40, quantile=quantile)


def test_pairs_share_neither_company_nor_topic():
    questions, contexts = run(40)
    topics = {one[0].sentence_id: q.kpi_labels for q, one in zip(questions, contexts, strict=True)}

    pairs = calibration.unanswerable(questions, contexts, range(40))

    assert len(pairs) == calibration.MAX_PAIRS
    assert all(topics[passages[0].sentence_id] != asked.kpi_labels for asked, passages in pairs)


def test_the_context_of_another_company_poses_as_that_asked_about():
    questions, contexts = run(40)
    (asked, passages), *_ = calibration.unanswerable(questions, contexts, [7])

    assert asked is questions[7]
    assert {passage.cik_int for passage in passages} == {asked.cik_ints[0]}
    assert passages[0].sentence_id != contexts[7][0].sentence_id


def test_questions_on_one_topic_have_no_context_that_cannot_answer_them():
    questions = [question(number) for number in range(1, 41)]
    contexts = [context(number) for number in range(1, 41)]

    assert calibration.unanswerable(questions, contexts, range(40)) == []


def test_questions_on_one_company_have_no_context_that_cannot_answer_them():
    questions = [question(number, TOPICS[number % 4], cik=7) for number in range(1, 41)]
    contexts = [context(number) for number in range(1, 41)]

    assert calibration.unanswerable(questions, contexts, range(40)) == []


def test_the_same_seed_draws_the_same_pairs_and_another_seed_others():
    questions, contexts = run(40)

    def drawn(seed):
        return calibration.unanswerable(questions, contexts, range(40), seed=seed)

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_groups_are_measured_apart():
    questions, contexts = run(80)
    groups = ["even" if place % 2 else "odd" for place in range(80)]
    even = {one.item_id for one, group in zip(questions, groups, strict=True) if group == "even"}

    found = calibration.thresholds(
        questions, contexts, groups, lambda asked, _: [0.8 * (q.item_id in even) for q in asked]
    )

    assert found == {"even": 0.8, "odd": 0.0}


def test_unequal_numbers_of_contexts_are_refused():
    with pytest.raises(ValueError, match="2 questions have 1 contexts"):
        calibration.thresholds(run(2)[0], run(1)[1], ["a", "a"], supports)


def test_calibrated_answers_abstain_on_nine_in_ten_contexts_without_the_answer():
    questions, contexts = run(60)
    shifted = contexts[1:] + contexts[:1]
    posing = [
        [replace(passage, cik_int=asked.cik_ints[0]) for passage in passages]
        for asked, passages in zip(questions, shifted, strict=True)
    ]

    system = {"abstain_below": "auto"}
    right = list(answer_extractively(system, questions, contexts))
    null = list(answer_extractively(system, questions, posing))

    assert sum(answer.outcome == "answered" for answer in right) == 60
    assert sum(answer.outcome == "abstained" for answer in null) >= 54

"""The threshold of abstention: where chance leaves nine answers in ten behind."""

from dataclasses import replace

import pytest

from finrag.answers import calibration
from finrag.answers.extractive import measured_answers, supports
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


def passing(values, limit):
    return sum(value >= limit for value in values)


def test_one_in_ten_passes_where_all_supports_differ():
    values = [place / 100 for place in range(1, 101)]

    limit = calibration.threshold(values)

    assert limit == 0.900001
    assert passing(values, limit) == 10


def test_tied_supports_abstain_together():
    values = [0.1] * 60 + [0.84] * 35 + [0.9] * 5

    limit = calibration.threshold(values)

    assert 0.84 < limit < 0.9
    assert passing(values, limit) == 5


@pytest.mark.parametrize("n_high", [10, 11])
def test_a_tie_passes_only_while_it_is_one_in_ten(n_high):
    values = [0.2] * (100 - n_high) + [0.7] * n_high

    assert passing(values, calibration.threshold(values)) == (10 if n_high == 10 else 0)


@pytest.mark.parametrize("value", [0.3, 1.0])
def test_where_all_supports_are_equal_none_passes(value):
    assert calibration.threshold([value] * 40) == round(value + calibration.STEP, 6)


@pytest.mark.parametrize("n_found", [0, 4])
def test_where_chance_finds_next_to_nothing_any_support_passes(n_found):
    values = [0.0] * (40 - n_found) + [0.5] * n_found

    assert calibration.threshold(values) == calibration.ANY_SUPPORT


def test_a_larger_share_may_pass():
    assert calibration.threshold([place / 10 for place in range(40)], max_share=0.5) == 1.900001


@pytest.mark.parametrize("n", [0, 29])
def test_too_few_values_give_the_documented_constant(n):
    assert calibration.threshold([0.1] * n) == calibration.FALLBACK


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_a_share_outside_its_range_is_refused(share):
    with pytest.raises(ValueError, match="share"):
        calibration.threshold([0.0] * 40, max_share=share)


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


def test_kinds_are_measured_apart():
    questions, contexts = run(80)
    kinds = ["even" if place % 2 else "odd" for place in range(80)]
    even = {one.item_id for one, kind in zip(questions, kinds, strict=True) if kind == "even"}

    found = calibration.calibrated(
        questions, contexts, kinds, lambda asked, _: [0.8 * (q.item_id in even) for q in asked]
    )

    assert found == [
        calibration.Calibration("even", 0.800001, 100, 0.0),
        calibration.Calibration("odd", calibration.ANY_SUPPORT, 100, 0.0),
    ]


def test_the_share_that_was_reached_is_reported():
    questions, contexts = run(80)

    def support_of(asked, _):
        return [0.9 if place < 5 else 0.4 for place in range(len(asked))]

    (found,) = calibration.calibrated(questions, contexts, ["one"] * 80, support_of)

    assert (found.threshold, found.n_null, found.null_share_answered) == (0.400001, 100, 0.05)


def test_a_kind_that_could_not_be_measured_says_so():
    questions, contexts = [question(1)], [context(1)]

    (found,) = calibration.calibrated(questions, contexts, ["one"], supports)

    assert found == calibration.Calibration("one", calibration.FALLBACK, 0, None)


def test_no_questions_have_no_calibration():
    assert calibration.calibrated([], [], [], supports) == []


def test_unequal_numbers_of_contexts_are_refused():
    with pytest.raises(ValueError, match="2 questions have 1 contexts"):
        calibration.calibrated(run(2)[0], run(1)[1], ["a", "a"], supports)


def test_calibrated_answers_abstain_on_nine_in_ten_contexts_without_the_answer():
    questions, contexts = run(60)
    shifted = contexts[1:] + contexts[:1]
    posing = [
        [replace(passage, cik_int=asked.cik_ints[0]) for passage in passages]
        for asked, passages in zip(questions, shifted, strict=True)
    ]

    system = {"abstain_below": "auto"}
    right = [answer for answer, _, _ in measured_answers(system, questions, contexts)]
    null = [answer for answer, _, _ in measured_answers(system, questions, posing)]

    assert sum(answer.outcome == "answered" for answer in right) == 60
    assert sum(answer.outcome == "abstained" for answer in null) >= 54


def test_a_context_with_the_quoted_term_is_no_context_without_the_answer():
    one = Question("q", "How does Norvale define “Cash EBITDA”?", (7,), (2020,))
    other = Question(
        "r", "Who supplies Tessim?", (8,), (2020,), answer_form="list", topic_text="supplies"
    )
    passage = Passage("s", "We define cash EBITDA as X.", "Tessim", 8, 2020, "ITEM_7", "", 1, 1.0)

    holding = calibration.unanswerable([one, other], [[], [passage]], [0])
    tea = replace(passage, text="We sell tea.")
    without = calibration.unanswerable([one, other], [[], [tea]], [0])

    assert holding == []
    assert len(without) == 1

"""The official MultiHiertt scores, against vectors measured with their evaluator."""

import math

import pytest

from finrag.scoring.official import multihiertt
from finrag.scoring.official.multihiertt import Gold, Predicted


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12%", 12.0),
        ("-5", 5.0),
        ("$1,234", 1234.0),
        ("(5)", None),
        ("const_m1", -1.0),
        ("const_100", 100.0),
    ],
)
def test_signs_and_percentages_are_lost(text, number):
    assert multihiertt.str_to_num(text) == number


@pytest.mark.parametrize(
    ("predicted", "gold", "exact", "f1"),
    [
        ("-5", "5", 1, 1),
        ("5.0", "5", 1, 1),
        ("the year-end 2019", "year end 2019", 1, 1),
        ("Q1 2019", "Q2 2019", 0, 0.5),
        ("", "a", 1, 1),
        ("net 2018", "net 2019", 0, 0),
        (["b c", "a"], ["a", "b c"], 1, 1),
        (["a b", "x"], ["c b"], 0, 0.33),
        ([], ["a b"], 0, 0),
    ],
)
def test_spans_score_as_drop_does(predicted, gold, exact, f1):
    assert multihiertt.span_scores(predicted, gold) == (exact, f1)


def test_two_empty_lists_have_no_f1():
    exact, f1 = multihiertt.span_scores([], [])
    assert exact == 1
    assert math.isnan(f1)


@pytest.mark.parametrize(
    ("span", "number", "score"),
    [
        ("5", 5.004, 1),
        ("5", 5.006, 0),
        ("100000", 100000.09, 1),
        ("100000", 100000.2, 0),
        ("$1,234", 1235, 0),
        ("-5", 5.0, 1),
        ("-500", -500.2, 0),
        ("five", 5.0, 0),
    ],
)
def test_a_span_against_a_number_has_a_tolerance(span, number, score):
    assert multihiertt.mixed_scores(span, number) == (score, score)


@pytest.mark.parametrize(
    ("span", "number"), [("5", "5"), ("const_x", 5.0), ("5", None), ("5", 10**400)]
)
def test_what_stops_the_evaluator_is_an_error(span, number):
    with pytest.raises(ValueError, match=r"number|float"):
        multihiertt.mixed_scores(span, number)


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ("divide(1,3)", "divide(2,6)", 1),
        ("add(1,2)", "add(1,3)", 0),
        ("divide(1,0)", "greater(1,2)", 1),
    ],
)
def test_programs_are_compared_by_result_even_without_one(gold, predicted, score):
    tokens = multihiertt.tokenize_program(predicted)
    assert multihiertt.program_scores(tokens, gold) == (score, score)


PROGRAM = multihiertt.tokenize_program("add(2,3)")


@pytest.mark.parametrize(
    ("gold", "predicted", "em", "f1"),
    [
        (Gold("ignored", "add(1,4)"), Predicted("wrong", PROGRAM), 1, 1),
        (Gold("net revenue"), Predicted("revenue"), 0, 0.67),
        (Gold(5.0, "add(1,4)"), Predicted("5"), 1, 1),
        (Gold("5"), Predicted(6.0, PROGRAM), 0, 0),
    ],
)
def test_programs_decide_what_is_compared(gold, predicted, em, f1):
    assert multihiertt.question_scores(predicted, gold) == (em, pytest.approx(f1))

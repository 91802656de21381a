"""The official FinQA and ConvFinQA scores, against vectors measured with their evaluators."""

import pytest

from finrag.scoring.official import convfinqa, finqa

TABLE = [["revenue", "$ 1,200", "$ 1,000 ( 5 )"], ["loss", "-134 ( 134 )", "(120)"]]


@pytest.mark.parametrize(
    ("program", "is_valid", "value"),
    [
        ("subtract(1200, 1000), divide(#0, 1000)", True, 0.2),
        ("divide(1200, 0)", False, None),
        ("table_max(revenue, none)", True, 1200.0),
        ("table_max(loss, none)", False, None),
        ("table_sum(revenue, none), table_average(#0, none)", True, 1100.0),
        ("add(5%, 10%)", True, 0.15),
        ("exp(2, const_m1)", True, 0.5),
        ("greater(5, 3)", True, "yes"),
        ("add(1,2)", False, None),
        ("greater(5, 3), add(#0, 1)", False, "yes"),
        ("divide(subtract(5, 3), 2)", False, None),
        ("subtract(-5, 3)", True, -8.0),
        ("add($5, 3)", False, None),
        ("divide(1, 3)", True, 0.33333),
        ("add(0.1, 0.2)", True, 0.3),
        ("exp(10, 400)", False, None),
        ("subtract(5, 3), add(#5, 1)", False, 2.0),
        ("", True, None),
    ],
)
def test_execution_is_the_evaluators(program, is_valid, value):
    execution = finqa.execute(finqa.tokenize_program(program), TABLE)
    assert (execution.is_valid, execution.value) == (is_valid, value)


def test_a_refused_step_rounds_what_came_before_and_a_crash_does_not():
    refused = finqa.execute(finqa.tokenize_program("divide(1, 3), add($5, 1)"), TABLE)
    crashed = finqa.execute(finqa.tokenize_program("divide(1, 3), add(#5, 1)"), TABLE)
    assert (refused.value, crashed.value) == (0.33333, 1 / 3)


def test_a_bracket_inside_an_argument_is_refused():
    tokens = ["divide(", "1", "3", ")", "add(", "(5", "3", ")", "EOF"]
    execution = finqa.execute(tokens, TABLE)
    assert (execution.is_valid, execution.value) == (False, 0.33333)


def test_the_last_token_is_dropped_whatever_it_is():
    assert finqa.execute(["add(", "1", "2", ")"], TABLE).value is None
    assert finqa.execute(["add(", "1", "2", ")", "add("], TABLE).value == 3.0


@pytest.mark.parametrize(
    ("gold", "predicted", "is_same"),
    [
        ("add(1, 2)", "add(2, 1)", True),
        ("subtract(5, 3), divide(#0, 3)", "divide(5, 3), subtract(#0, const_1)", False),
        ("divide(5, 3), subtract(#0, const_1)", "subtract(5, 3), divide(#0, 3)", False),
        ("subtract(5, 3), divide(#0, 3), add(#1, const_1)", "divide(5, 3)", False),
        (
            "subtract(5, 3), divide(#0, 3), multiply(#1, const_100)",
            "subtract(5, 3), multiply(#0, const_100), divide(#1, 3)",
            True,
        ),
        (
            "table_max(a, none), table_min(a, none), subtract(#0, #1)",
            "table_min(a, none), table_max(a, none), subtract(#1, #0)",
            False,
        ),
        ("add(5, 3)", "add(5.0, 3)", False),
        ("divide(5, 100)", "divide(5, const_100)", False),
        ("greater(5, 3)", "greater(3, 5)", False),
        ("add(1, 2), add(#0, 3)", "add(1, 3), add(#0, 2)", True),
        ("add(5, 5)", "multiply(5, const_2)", False),
        ("divide(5, 3)", "divide(5, 3), add(#0, 3), subtract(#1, 3)", True),
        ("subtract(5, 3)", "", False),
        ("add(5, 3)", "table_max(a, none), add(5, 3)", False),
        ("add(5, 3)", "add(#0, 3), add(5, 3)", False),
        (
            "multiply(5, 3), multiply(5, 8), add(#0, #1), divide(#2, 5)",
            "add(3, 8), multiply(#0, 5), divide(#1, 5)",
            True,
        ),
        ("add(5, 3)", "subtract(5, 3), add(5, 3)", True),
        (
            "table_max(a, none), add(#0, 5)",
            "add(5, 5), table_max(a, none), add(#1, 5)",
            False,
        ),
        ("subtract(5, 3), divide(#0, 3)", "subtract(5, 3) , divide(#0, 3)", False),
        (
            "subtract(8, 3), multiply(#0, #0)",
            "multiply(8, 8), multiply(8, 3), add(#1, #1), multiply(3, 3), "
            "subtract(#0, #2), add(#4, #3)",
            False,
        ),
    ],
)
def test_program_equality_is_the_evaluators(gold, predicted, is_same):
    tokens = finqa.tokenize_program
    assert finqa.same_program(tokens(gold), tokens(predicted)) is is_same


@pytest.mark.parametrize(
    ("gold", "predicted"),
    [
        ("", ""),
        ("add(5)", "add(5, 5)"),
        ("divide(subtract(5, 3), 2)", "add(5, 5)"),
        ("add(#0, 1)", "add(1, 1)"),
        ("add(#3, 1)", "add(1, 1)"),
        ("pow(5, 3)", "add(5, 3)"),
        ("greater(5, 3), add(#0, 3)", "add(5, 3)"),
    ],
)
def test_a_gold_program_that_stops_the_evaluator_is_named(gold, predicted):
    tokens = finqa.tokenize_program
    with pytest.raises(ValueError, match="correct the gold program"):
        finqa.same_program(tokens(gold), tokens(predicted))


def test_a_prediction_with_other_literals_is_judged_before_the_gold_is_expanded():
    gold = finqa.tokenize_program("add(#3, 1)")
    assert not finqa.same_program(gold, finqa.tokenize_program("add(7, 7)"))


@pytest.mark.parametrize(("n_steps", "is_same"), [(199, True), (200, None)])
def test_programs_deeper_than_python_parses_stop_the_evaluator(n_steps, is_same):
    steps = ["add(1, 2)", *(f"add(#{n}, 1)" for n in range(n_steps - 1))]
    tokens = finqa.tokenize_program(", ".join(steps))
    if is_same is None:
        with pytest.raises(ValueError, match="build on each other"):
            finqa.same_program(tokens, tokens)
    else:
        assert finqa.same_program(tokens, tokens) is is_same


@pytest.mark.parametrize(
    ("predicted", "is_right", "is_same"),
    [
        ("divide(1, 3)", True, True),
        ("divide(1, 3), add(#0, 1), subtract(#1, 1)", True, True),
        ("add(0.33333, 0)", True, False),
        ("", False, False),
    ],
)
def test_a_result_is_right_and_a_program_the_same_each_for_itself(predicted, is_right, is_same):
    gold = finqa.tokenize_program("divide(1, 3)")
    tokens = finqa.tokenize_program(predicted)
    assert finqa.is_right(finqa.execute(tokens, TABLE), 0.33333) is is_right
    assert finqa.same_program(gold, tokens) is is_same


def test_only_convfinqa_takes_a_single_number_for_a_program():
    tokens = finqa.tokenize_program("13.4%")
    assert not finqa.is_right(finqa.execute(tokens, TABLE), 0.134)
    assert finqa.is_right(convfinqa.execute(tokens, TABLE), 0.134)
    other = finqa.tokenize_program("$5")
    assert not finqa.is_right(convfinqa.execute(other, TABLE), 0.134)


@pytest.mark.parametrize(
    ("gold", "predicted", "is_same"),
    [("93", "93", True), ("93", "93.0", False), ("93", "add(93, 0)", False)],
)
def test_a_gold_number_is_matched_by_its_text(gold, predicted, is_same):
    tokens = convfinqa.tokenize_program
    assert convfinqa.same_program(tokens(gold), tokens(predicted)) is is_same

"""Programs and results as a finance reader judges them."""

import pytest

from finrag.scoring.official.finqa import tokenize_program
from finrag.scoring.strict.programs import compare_result, same_program


@pytest.mark.parametrize(
    ("gold", "predicted", "is_same"),
    [
        ("subtract(5, 3), divide(#0, 3)", "divide(5, 3), subtract(#0, const_1)", True),
        ("add(5, 3)", "add(5.0, 3)", True),
        ("add(1,200, 3)", "add(1200, $3)", True),
        ("multiply(5%, 3)", "multiply(0.05, 3)", True),
        ("divide(5, 100)", "divide(5, const_100)", True),
        ("add(5, 5)", "multiply(5, const_2)", True),
        (
            "subtract(8, 3), multiply(#0, #0)",
            "multiply(8, 8), multiply(8, 3), add(#1, #1), multiply(3, 3), "
            "subtract(#0, #2), add(#4, #3)",
            True,
        ),
        ("divide(5, 3), exp(#0, const_2)", "multiply(5, 5), multiply(3, 3), divide(#0, #1)", True),
        (
            "table_max(a, none), table_min(a, none), subtract(#0, #1)",
            "table_min(a, none), table_max(a, none), subtract(#1, #0)",
            True,
        ),
        ("add(2, 3)", "add(1, 4)", False),
        ("greater(5, 3)", "greater(3, 5)", False),
        ("greater(5, 3)", "subtract(5, 3)", False),
        ("add(5, 3)", "divide(5, const_0)", False),
        ("add(5, 3)", "add(5, x)", False),
        ("add(5, 3)", "", False),
        ("subtract(5, 3), add(#0, 3)", "greater(5, 3), add(#0, 3)", False),
    ],
)
def test_programs_are_rational_functions(gold, predicted, is_same):
    assert same_program(tokenize_program(gold), tokenize_program(predicted)) is is_same


@pytest.mark.parametrize(
    ("gold", "message"), [("add(x, 1)", "'x'"), ("divide(5, const_0)", "zero"), ("", "four tokens")]
)
def test_a_gold_program_that_cannot_be_read_is_named(gold, message):
    with pytest.raises(ValueError, match=message):
        same_program(tokenize_program(gold), tokenize_program("add(5, 5)"))


def test_towers_of_powers_end_soon():
    tower = ["exp(const_9, const_9)", *(f"exp(#{n}, const_9)" for n in range(12))]
    grown = ["add(1, 2)", *(f"multiply(#{n}, #{n})" for n in range(60))]
    for steps in (tower, grown):
        tokens = tokenize_program(", ".join(steps))
        assert same_program(tokens, tokens)
        assert not same_program(tokenize_program("add(1, 2)"), tokens)


@pytest.mark.parametrize(
    ("result", "printed", "verdict"),
    [
        (5.0, "5", "exact"),
        (0.0223, "2.23%", "exact"),
        (0.02231, "2.23%", "rounded"),
        (0.02235, "2.23%", "rounded"),
        (0.02236, "2.23%", "truncated"),
        (0.02221, "2.23%", "different"),
        (2.231, "2.23%", "percent"),
        (0.02231, "2.23", "percent"),
        (-0.1, "10%", "sign"),
        (-5.1, "(5.1)", "exact"),
        (1200.0, "$ 1,200", "exact"),
        (12.5, "12.5 million", "exact"),
        (12500.0, "12.5", "scale"),
        (7.0, "9", "different"),
        (3.0, "0", "different"),
        ("yes", "Yes", "exact"),
        ("no", "yes", "different"),
        (1.0, "yes", "different"),
        ("yes", "5", "different"),
        (None, "5", "different"),
        (5.0, "five stores", "unreadable"),
        (float("nan"), "5", "different"),
    ],
)
def test_a_result_is_compared_at_the_printed_precision(result, printed, verdict):
    assert compare_result(result, printed) == verdict

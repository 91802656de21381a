"""FinanceBench: three labels and the configurations of the published results."""

import pytest

from finrag.benchmarks.official.financebench import (
    CORRECT,
    INCORRECT,
    REFUSAL,
    Configuration,
    Shares,
    configuration,
    shares,
    shares_by_configuration,
)


@pytest.mark.parametrize(
    ("name", "mode", "order"),
    [
        ("closedBook", "closed", None),
        ("sharedStore", "shared", None),
        ("singleStore", "single", None),
        ("inContext", "in_context", "question_first"),
        ("inContext_reverse", "in_context", "context_first"),
        ("oracle", "oracle", "question_first"),
        ("oracle_reverse", "oracle", "context_first"),
    ],
)
def test_a_configuration_has_a_mode_and_an_order(name, mode, order):
    assert configuration(name) == Configuration(mode, order)


def test_an_unknown_configuration_is_named():
    with pytest.raises(ValueError, match="'openBook' is unknown"):
        configuration("openBook")


def test_all_three_shares_are_reported_with_n():
    assert shares([CORRECT, REFUSAL, CORRECT, INCORRECT]) == Shares(4, 0.5, 0.25, 0.25)


def test_shares_of_nothing_are_null():
    assert shares([]) == Shares(0, None, None, None)


@pytest.mark.parametrize("label", ["correct", "Correct answer", "", "Refused"])
def test_an_unknown_label_is_an_error(label):
    with pytest.raises(ValueError, match="is unknown; use one of Correct Answer"):
        shares([CORRECT, label])


def test_shares_are_by_model_and_configuration():
    answers = [("m", "oracle", CORRECT), ("m", "closedBook", REFUSAL), ("m", "oracle", INCORRECT)]
    assert shares_by_configuration(answers) == {
        ("m", "closedBook"): Shares(1, 0, 0, 1),
        ("m", "oracle"): Shares(2, 0.5, 0.5, 0),
    }


@pytest.mark.parametrize(
    ("mode", "label", "words"), [("x", CORRECT, "eval_mode"), ("oracle", "x", "label")]
)
def test_what_is_unknown_names_the_model(mode, label, words):
    with pytest.raises(ValueError, match=f"answers of 'm': {words}"):
        shares_by_configuration([("m", mode, label)])

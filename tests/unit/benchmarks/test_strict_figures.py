"""Figures, and yes or no, of answers in words."""

import pytest

from finrag.scoring.strict.figures import check_figure, spelled_unit

MILLIONS = "What was revenue in 2020, in USD millions?"
MARGIN = "What was the margin in 2020?"


# answer, gold, question -> right, verdict
@pytest.mark.parametrize(
    ("text", "gold", "question", "expected"),
    [
        ("Revenue was $1,577 million.", "$1577.00", MILLIONS, (True, "exact")),
        ("$1,577,000,000", "$1577.00", MILLIONS, (True, "exact")),
        ("1577", "$1577.00", MILLIONS, (True, "exact")),
        ("1577", "1577", MILLIONS, (True, "exact")),
        ("Revenue was $1,577 billion.", "$1577.00", MILLIONS, (False, "scale")),
        ("It was $381.6 million.", "382", MILLIONS, (True, "within_tolerance")),
        ("It was 10.3%.", "0.103", MARGIN, (True, "exact")),
        ("It was 0.103%.", "0.103", MARGIN, (False, "unit")),
        ("The data are not provided.", "0.103", MARGIN, (False, "refusal")),
        ("Yes, it did.", "Yes. It rose by 3% to 12%.", "Did it rise?", (True, "same_word")),
        ("It fell; so, no.", "No", "Did it rise?", (True, "same_word")),
        ("No.", "Yes", "Did it rise?", (False, "other_word")),
        ("It rose, with no pause.", "No", "Did it rise?", (False, "other_word")),
        ("The weather was fine.", "No", "Did it rise?", (None, "undecided")),
        ("It rose.", "Mostly services", "What rose?", (None, "gold_is_no_figure")),
        ("5", "between 5 and 6 or 7", "What?", (None, "gold_is_no_figure")),
    ],
)
def test_a_verdict(text, gold, question, expected):
    found = check_figure(text, [gold], question)
    assert (found.is_right, found.verdict) == expected


def test_the_best_of_several_golds_counts():
    assert check_figure("12", ["11", "12"], MARGIN).is_right


def test_the_result_of_a_program_has_more_digits_than_the_printed_gold():
    asked = "What was the change?"
    assert not check_figure("14.136%", ["15%"], asked).is_right
    assert check_figure("14.136%", ["15%"], asked, executed="0.14136").is_right


def test_a_result_that_is_yes_is_a_word():
    assert check_figure("yes", ["1"], MARGIN, executed='"yes"').verdict == "same_word"


def test_the_tolerance_of_the_set_counts():
    assert check_figure("104", ["100"], MARGIN, tolerance=0.05).is_right
    assert not check_figure("106", ["100"], MARGIN, tolerance=0.05).is_right


@pytest.mark.parametrize(
    ("unit", "gold", "answer", "verdict"),
    [
        ("USD millions", "45", "It was $45.2 million.", "within_tolerance"),
        ("USD millions", "45", "45.2", "within_tolerance"),
        ("USD millions", "45", "45,200,000", "within_tolerance"),
        ("USD millions", "45", "$45.2 billion", "scale"),
        ("USD millions", "45", "$46 million", "wrong_value"),
        ("EUR thousands", "12", "€12 thousand", "exact"),
        ("percent", "4.5", "4.5%", "exact"),
        ("percent", "4.5", "$4.5 million", "unit"),
        ("USD per share", "1.5", "$1.50 per share", "exact"),
        ("USD thousands", "999999", "$999.999 million", "exact"),
        ("USD thousands", "1000000", "$1 billion", "exact"),
        ("USD thousands", "1000000", "$1,000,000", "scale"),
        ("USD thousands", "1000000", "1,000,000", "exact"),
        ("USD thousands", "1000000", "1000000000", "exact"),
        ("JPY millions", "45", "¥45 million", "exact"),
        ("million shares", "4", "4 million shares", "exact"),
        ("$m", "45", "$45 million", "exact"),
    ],
)
def test_a_bare_gold_is_in_the_unit_that_the_file_names(unit, gold, answer, verdict):
    found = check_figure(answer, [gold], "What was it in 2020?", tolerance=0.01, unit=unit)
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("unit", "spelled"),
    [
        ("$m", "USD million"),
        ("US$ in millions", "USD millions"),
        ("millions of dollars", "USD millions"),
        ("USD (millions)", "USD millions"),
        ("USDm", "USD million"),
        ("bn USD", "USD billion"),
        ("million shares", "shares million"),
        ("USD per share", "USD per share"),
        ("percent", "percent"),
    ],
)
def test_a_unit_is_read_however_it_is_written(unit, spelled):
    assert spelled_unit(unit) == spelled

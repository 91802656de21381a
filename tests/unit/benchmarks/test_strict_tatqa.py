"""TAT-QA as a finance reader judges it."""

import pytest

from finrag.scoring.strict.tatqa import MAX_PARTS, score

FIGURE, SPAN, MULTI = "arithmetic", "span", "multi-span"


# gold, scale, answer, scale of the answer -> exact match, scale, verdict
@pytest.mark.parametrize(
    ("gold", "gold_scale", "predicted", "scale", "expected"),
    [
        (0, "", 0, "", (1, 1, "exact")),
        (5, "", "5", "", (1, 1, "exact")),
        (-5.2, "million", "(5.2)", "million", (1, 1, "exact")),
        (-1234, "", "(1,234)", "", (1, 1, "exact")),
        (-5.2, "million", "\u22125.2", "million", (1, 1, "exact")),
        (-5.2, "million", 5.2, "million", (0, 1, "sign")),
        (-5.2, "million", -5_200_000, "", (1, 1, "exact")),
        (-5.2, "million", -5.2, "", (0, 0, "scale")),
        (1.23, "billion", 1230, "million", (1, 1, "exact")),
        (1.23, "billion", "$1,230 million", "", (1, 1, "exact")),
        (1.23, "billion", "1.23", "millions", (0, 0, "scale")),
        (123.2, "million", 123.204, "million", (1, 1, "within_tolerance")),
        (123.2, "million", 123.206, "million", (0, 1, "wrong_value")),
        (123.2, "million", 123, "million", (1, 1, "within_rounding")),
        (23.42, "percent", "23.42%", "", (1, 1, "exact")),
        (23.42, "percent", 23.42, "percent", (1, 1, "exact")),
        (23.42, "percent", 0.2342, "", (1, 1, "exact")),
        (23.42, "percent", 23.42, "", (0, 0, "percent")),
        (5.2, "", "5.2%", "", (0, 0, "percent")),
        (0.052, "", "5.2%", "", (1, 1, "exact")),
        (5, "", [1, 2], "", (0, 1, "no_part")),
        (5, "", "as many as before", "", (0, 1, "missing")),
    ],
)
def test_a_figure(gold, gold_scale, predicted, scale, expected):
    found = score(gold, FIGURE, gold_scale, predicted, scale)
    assert (found.em, found.scale, found.verdict) == expected
    assert found.f1 == found.em


# gold, answer -> exact match, F1, verdict
@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        (["The modified method"], "modified method.", (1, 1, "same_words")),
        (["revenue growth"], "growth revenue", (0, 1, "other_order")),
        (["alpha beta"], "alpha gamma", (0, 0.5, "some_words")),
        (["alpha"], "beta", (0, 0, "other_words")),
        (["year end 2019"], "year-end 2018", (0, 0, "other_words")),
        (["2019"], 2019, (1, 1, "same_words")),
        (["2019"], "2018", (0, 0, "other_words")),
        (["$1,234 million"], "1.234 billion", (1, 1, "exact")),
        (["a b", "c d"], ["c d", "a b"], (1, 1, "all_parts")),
        (["x b", "c d"], ["x c", "b d"], (0, 0.5, "no_part")),
        (["alpha beta", "gamma"], ["gamma"], (0, 0.5, "parts_missing")),
        (["alpha"], ["alpha", "beta"], (0, 0.5, "parts_extra")),
        (["alpha", "beta"], ["alpha", "gamma"], (0, 0.5, "some_parts")),
        (["alpha", "beta"], ["gamma", "delta"], (0, 0, "no_part")),
    ],
)
def test_words(gold, predicted, expected):
    found = score(gold, MULTI, "", predicted, "")
    assert (found.em, found.f1, found.verdict) == expected


def test_right_words_under_another_scale_are_wrong():
    found = score(["net sales"], SPAN, "", "net sales", "million")
    assert (found.em, found.verdict) == (0, "scale")


@pytest.mark.parametrize("predicted", [None, "", "  ", [], [None, ""]])
def test_no_answer(predicted):
    found = score(["x"], SPAN, "", predicted, None)
    assert (found.em, found.scale, found.verdict) == (0, 0, "no_answer")


def test_the_question_decides_what_a_figure_in_a_sentence_is():
    asked = "What was the percentage change in revenue?"
    answer = "Revenue rose by 23.42 percent."
    assert score(23.42, FIGURE, "percent", answer, "", asked).em == 1
    assert score(23.42, FIGURE, "percent", answer, "", "What was the margin?").em == 0


def test_a_reason_is_given():
    found = score(-5.2, FIGURE, "million", 5.2, "million")
    assert found.reason == ("Says 5,200,000, which has the wrong sign; the gold is -5,200,000.")


@pytest.mark.parametrize(
    ("predicted", "scale", "words"),
    [
        (True, "", "answer holds .True"),
        ({"a": 1}, "", "answer holds"),
        ([["5"]], "", "answer holds"),
        (float("nan"), "", "answer holds .nan"),
        (10**400, "", "answer holds"),
        ("x" * 20_001, "", "answer holds"),
        (["x"] * (MAX_PARTS + 1), "", "201 parts"),
        ("5", "bushels", "scale 'bushels' is unknown"),
        ("5", 5, "scale '5' is unknown"),
    ],
)
def test_an_answer_of_another_kind_is_named(predicted, scale, words):
    with pytest.raises(ValueError, match=words):
        score(["x"], SPAN, "", predicted, scale)


@pytest.mark.parametrize(("gold", "scale"), [([], ""), (["x"], "hundred")])
def test_an_unusable_gold_is_named(gold, scale):
    with pytest.raises(ValueError, match="correct the gold"):
        score(gold, SPAN, scale, "x", "")

"""TAT-QA: vectors measured with the public evaluator."""

import gzip
import json
import os
from pathlib import Path

import pytest

from finrag.scoring.official.tatqa import (
    aligned,
    gold_parts,
    is_number,
    joined,
    normalize,
    scale_factor,
    score,
    text_metrics,
    to_number,
)

SPAN, MULTI, ARITHMETIC, COUNT = "span", "multi-span", "arithmetic", "count"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(134)", -134),
        ("-(134)", 134),
        ("(1,234)", 1234),
        ("12%", 0.12),
        ("5.5 percent", 0.055),
        ("1,234 million", 1_234_000_000),
        ("1.5bn", 1.5),
        ("\u22125", 5),
        ("5 bps", 5),
        ("$ 1,234.5", 1234.5),
        ("5 apples, 3 million", 5),
        (".5", None),
        ("none", None),
        (" %5", 5),
        ("$ %5", 0.05),
    ],
)
def test_the_first_figure_of_a_text(text, value):
    assert to_number(text) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234 million", True),
        ("(134)", True),
        ("inf", True),
        ("1_000", True),
        ("1.5bn", False),
        ("\u22125", False),
        ("5 bps", False),
        ("nan", False),
        ("$", False),
    ],
)
def test_what_counts_as_a_number(text, expected):
    assert is_number(text) is expected


def test_the_first_scale_word_decides():
    assert scale_factor("Hundreds of millions") == 100


def test_a_scale_without_a_word_is_one():
    assert scale_factor("") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Revenue, growth!", "revenue growth"),
        ("18.3%", "0.183"),
        ("(5.0)", "-5.0"),
        ("inf", "None"),
        ("a b-c", "bc"),
        ("U.S. 1,000", "us 1000"),
    ],
)
def test_a_text_as_it_is_compared(text, expected):
    # "b" survives; the article before it goes, and so does the hyphen.
    assert normalize(text) == expected


def test_figures_carry_their_scale_and_words_name_it():
    assert joined(["$1.234", "revenue"], "million") == "1230000.0000 revenue million"


def test_a_percent_sign_outweighs_the_scale():
    assert joined(["12%"], "million") == "0.1200"


# type, gold, scale, answer, scale of the answer -> exact match, F1, scale
@pytest.mark.parametrize(
    ("kind", "gold", "gold_scale", "predicted", "scale", "expected"),
    [
        (ARITHMETIC, 0, "", 0, "", (0, 0, 0)),
        (ARITHMETIC, 0, "", [0], "", (1, 1, 1)),
        (ARITHMETIC, 0, "", "0", "", (1, 1, 1)),
        (ARITHMETIC, -5.2, "million", "(5.2)", "million", (1, 1, 1)),
        (ARITHMETIC, -5.2, "million", "-(5.2)", "million", (0, 0, 1)),
        (ARITHMETIC, 23.42, "percent", 0.2342, "", (1, 1, 0)),
        (ARITHMETIC, 23.42, "percent", 23.42, "", (0, 0, 0)),
        (ARITHMETIC, 23.42, "percent", "23.42%", "", (1, 1, 0)),
        (ARITHMETIC, 23.42, "percent", "23.42%", "percent", (1, 1, 1)),
        (ARITHMETIC, 123.2, "million", 123.204, "million", (1, 1, 1)),
        (ARITHMETIC, 123.2, "million", 123.206, "million", (0, 0, 1)),
        (ARITHMETIC, 1.23, "billion", 1230, "million", (1, 1, 0)),
        (SPAN, ["revenue growth"], "", "growth revenue", "", (0, 1, 1)),
        (MULTI, ["a b", "c d"], "", ["c d", "a b"], "", (1, 1, 1)),
        (MULTI, ["alpha beta", "gamma"], "", ["gamma"], "", (0, 0.5, 1)),
        (SPAN, ["$1,234 million"], "", "1.234 billion", "", (1, 1, 1)),
        (COUNT, "5", "", 5, "", (1, 1, 1)),
        (SPAN, [], "", "x", "", (0, 0, 0)),
        (SPAN, ["x"], "", None, None, (0, 0, 0)),
        (SPAN, ["x"], "", "", "", (0, 0, 0)),
        (SPAN, ["x"], "", [], "", (0, 0, 0)),
    ],
)
def test_vectors(kind, gold, gold_scale, predicted, scale, expected):
    found = score(gold, kind, gold_scale, predicted, scale)
    assert (found.em, found.f1, found.scale) == expected


def test_the_f1_of_a_figure_is_its_exact_match():
    assert score("5 6", ARITHMETIC, "", "5 7", "").f1 == 0
    assert score(["5 6"], SPAN, "", "5 7", "").f1 == 0.5


def test_a_figure_without_a_scale_counts_with_four_decimals_too():
    assert score(0.1234, ARITHMETIC, "", 0.1234, "").em == 1
    assert score(23.42, ARITHMETIC, "percent", [0.2342], "").em == 1
    assert score(23.42, ARITHMETIC, "percent", [0.2342, 1], "").em == 0


@pytest.mark.parametrize(
    ("predicted", "scale"),
    [([1, "a"], ""), (5, None), ([None, "a"], ""), (10**400, ""), ("9" * 5000, ""), ("5", 5)],
)
def test_an_answer_that_stops_the_public_evaluator_is_named(predicted, scale):
    with pytest.raises(ValueError, match="cannot be read"):
        score(["x"], SPAN, "", predicted, scale)


@pytest.mark.parametrize(
    ("gold", "kind", "scale", "words"),
    [
        ("x", SPAN, "", "must be a list"),
        ("two", COUNT, "", "not a whole number"),
        (["x"], SPAN, "Million", "gold scale"),
        (["x", 1], MULTI, "", "gold .* cannot be read"),
    ],
)
def test_an_unusable_gold_is_named(gold, kind, scale, words):
    with pytest.raises(ValueError, match=words):
        score(gold, kind, scale, "x", scale)


def test_a_count_is_cut_to_a_whole_number():
    assert gold_parts(2.9, COUNT) == ["2"]


def test_lists_are_aligned_and_what_is_left_over_scores_nothing():
    assert text_metrics(["c d", "x"], ["a b", "c d", "e"]) == (0, 0.33)


def test_the_alignment_has_the_largest_sum():
    assert aligned([[0.9, 1.0], [0.0, 0.8]]) == [(0, 0), (1, 1)]


SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[4] / "shared/data"))


@pytest.mark.parametrize("file", ["tatqa_dev", "tatqa_test_gold"])
def test_the_gold_answers_of_the_real_set_are_right(file):
    path = SHARED / f"qa/{file}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"{path} is absent; set FINRAG_SHARED_DATA to the data it is part of")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        contexts = [json.loads(line) for line in lines]
    for question in (one for context in contexts for one in context["questions"]):
        gold, kind, scale = question["answer"], question["answer_type"], question["scale"]
        # A zero is not an answer for the public evaluator unless it is a text.
        found = score(gold, kind, scale, gold if gold != 0 else "0", scale)
        assert (found.em, found.f1, found.scale) == (1, 1, 1), question["uid"]

"""A-RAG: contain-match and the words of a judge."""

import gzip
import json
import os
from pathlib import Path

import pytest

from finrag.scoring.official.arag import contain_match, is_judged_right


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("Revenue was $1,577 million.", " $1,577 ", True),
        ("REVENUE ROSE", "revenue rose", True),
        ("revenue rose", "REVENUE ROSE", True),
        ("$1577", "$1,577", False),
        ("15", "5", True),
        ("anything", "", True),
        (" 5", "5 ", True),
        ("", "5", False),
    ],
)
def test_an_answer_contains_the_gold_word_for_word(predicted, gold, expected):
    assert contain_match(predicted, gold) is expected


@pytest.mark.parametrize(
    ("verdict", "expected"), [("correct", True), (" Correct.", True), ("incorrect", False)]
)
def test_a_judge_says_correct_first(verdict, expected):
    assert is_judged_right(verdict) is expected


SHARED = Path(os.environ.get("FINRAG_SHARED_DATA", Path(__file__).parents[4] / "shared/data"))
RUNS = ("financebench_naive", "finder_naive", "finqa", "finqa_naive")


def _rows(name):
    path = SHARED / "arag_runs" / name
    if not path.is_file():
        pytest.skip(f"{path} is absent; set FINRAG_SHARED_DATA to the data it is part of")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}


@pytest.mark.parametrize("run", RUNS)
def test_every_published_match_is_reproduced(run):
    answers, verdicts = (
        _rows(f"{run}.predictions.jsonl.gz"),
        _rows(f"{run}.predictions.eval.jsonl.gz"),
    )
    other = [
        key
        for key, row in answers.items()
        if contain_match(row["predicted"], row["ground_truth"])
        is not verdicts[key]["contain_match"]
    ]
    assert (other, len(answers)) == ([], len(verdicts))

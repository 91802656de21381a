"""Figures known in the field: of the official ROUGE, of textbooks, and computed by hand.

Those of trec_eval stand in tests/unit/test_trec_parity.py.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import jinja2
import numpy as np
import pytest

from finrag.statistics.comparisons import Draws, compare_differences, sign_flip_p_values
from finrag.statistics.intervals import wilson_bounds
from finrag.text.wording import Wording

ROOT = Path(__file__).parents[2]

# Answer, gold, ROUGE-L with stemmer and without, ROUGE-Lsum with stemmer.
ROUGE = [
    ("revenue rose", "revenues rising", 0.5, 0.0, 0.5),
    ("$1.5 billion", "$15 billion", 0.4, 0.4, 0.4),
    ("-4.4%", "4.4%", 1.0, 1.0, 1.0),
    ("1,577", "1577", 0.0, 0.0, 0.0),
    ("the cats run", "the cat running", 1.0, 0.3333, 1.0),
    ("a b c d e f", "d e f\na b c", 0.5, 0.5, 1.0),
    ("Revenue increased 15% to $2.3B", "Net sales rose to $2,300M, up 15%", 0.2857, 0.2857, 0.2857),
    ("", "revenue rose", 0.0, 0.0, 0.0),
    ("", "", 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize(("answer", "gold", "stemmed", "plain", "by_line"), ROUGE)
def test_rouge_l_is_the_official_one_with_the_stemmer_over_the_whole_text(
    answer, gold, stemmed, plain, by_line
):
    from rouge_score.rouge_scorer import RougeScorer

    official = RougeScorer(["rougeL", "rougeLsum"], use_stemmer=True).score(gold, answer)
    unstemmed = RougeScorer(["rougeL"], use_stemmer=False).score(gold, answer)
    found = [official["rougeL"], unstemmed["rougeL"], official["rougeLsum"]]

    assert [score.fmeasure for score in found] == pytest.approx([stemmed, plain, by_line], abs=5e-5)
    assert Wording().rouge_l(answer, gold) == official["rougeL"].fmeasure


@pytest.mark.parametrize(
    ("differences", "share"),
    [
        # Of the 2^n assignments of signs as many reach the observed sum, either side.
        ([1, 2, 3], 2 / 8),
        ([1, 1, -1], 8 / 8),
        ([3, 1, 1, -1], 8 / 16),
        ([1, 1, 1, 1, 0], 2 / 16),
    ],
)
def test_sign_flips_reach_the_observed_sum_as_often_as_counted_by_hand(differences, share):
    draws = Draws(n_resamples=1, n_resamples_of_items=40_000, seed=5)
    values = np.asarray(differences, np.float64)[:, None]

    assert sign_flip_p_values(values, draws, 40_000)[0] == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize(("n_resamples", "expected"), [(1, 1 / 2), (9, 1 / 10), (99, 1 / 100)])
def test_a_sum_that_no_assignment_reaches_has_one_over_resamples_and_one(n_resamples, expected):
    draws = Draws(n_resamples, n_resamples, seed=5)

    assert sign_flip_p_values(np.ones((64, 1)), draws, n_resamples)[0] == expected


@pytest.mark.parametrize(
    ("wins", "losses", "expected"),
    [
        (9, 1, 2 * (1 + 10) / 2**10),
        (1, 9, 2 * (1 + 10) / 2**10),
        (5, 0, 2 / 2**5),
        (6, 2, 2 * (1 + 8 + 28) / 2**8),
        (2, 2, 1.0),
        (0, 0, 1.0),
    ],
)
def test_mcnemar_is_twice_the_smaller_tail_of_fair_coins(wins, losses, expected):
    values = np.asarray([1.0] * wins + [-1.0] * losses + [0.0] * 7)[:, None]
    draws = Draws(n_resamples=9, n_resamples_of_items=9, seed=5)
    found = compare_differences(values, np.arange(len(values)), draws)

    assert found["p_mcnemar"][0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("n_right", "n", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_the_wilson_interval_is_that_of_the_textbook(n_right, n, low, high):
    source = (ROOT / "macros" / "wilson_bound.sql").read_text()
    wilson_bound = jinja2.Environment().from_string(source).module.wilson_bound
    bounds = [wilson_bound(f"({n_right} / {n})", str(n), side) for side in ("low", "high")]
    (found,) = duckdb.connect().sql(f"select {bounds[0]}, {bounds[1]}").fetchall()

    assert found == pytest.approx((low, high), abs=5e-5)
    # The function that summarises has the same.
    ours = wilson_bounds(np.array([n_right / n]), np.array([float(n)]))
    assert found == pytest.approx([bound[0] for bound in ours], abs=1e-12)

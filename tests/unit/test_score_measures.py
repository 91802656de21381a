"""Measures of scores agree with scipy and with the formulas written out."""

import random
from statistics import mean, pstdev

import pytest
from scipy.stats import spearmanr

from tests.unit.ranked_tables import judged, metric, ranked, tables, values

CASES = 200


def draw_cases(seed):
    """Return (scores, grades) by item: some with many ties, some with few, of any scale."""
    drawn = random.Random(seed)
    cases = {}
    for case in range(CASES):
        size, scale = drawn.randint(2, 30), 10.0 ** drawn.randint(-9, 9)
        levels = drawn.choice((2, 4, 1000))
        scores = [scale * drawn.randint(1, levels) for _ in range(size)]
        cases[f"item {case}"] = (scores, [drawn.choice((0, 0, 1, 2, 3)) for _ in range(size)])
    return cases


@pytest.fixture(scope="module")
def cases():
    return draw_cases(11)


@pytest.fixture(scope="module")
def measured(cases):
    """Both measures by item."""
    names = ("score_discrimination", "score_gold_spearman")
    rankings, gold = [], []
    for item, (scores, grades) in cases.items():
        passages = [str(place) for place in range(len(scores))]
        rankings += ranked(item, list(zip(passages, scores, strict=True)))
        gold += judged(item, dict(zip(passages, grades, strict=True)))
    catalogue = [metric(name, needs_gold=False) for name in names]
    found = values(tables(catalogue, rankings, gold))
    return {item: [found[item, name, 0][1] for name in names] for item in cases}


def test_the_spread_is_that_of_the_population_over_the_mean(cases, measured):
    for item, (scores, _) in cases.items():
        assert measured[item][0] == pytest.approx(pstdev(scores) / mean(scores), rel=1e-12), item


def test_the_correlation_is_that_of_scipy(cases, measured):
    n_constant = 0
    for item, (scores, grades) in cases.items():
        if len(set(scores)) == 1 or len(set(grades)) == 1:
            n_constant += 1
            assert measured[item][1] is None, item
            continue
        expected = spearmanr(scores, grades).statistic
        assert measured[item][1] == pytest.approx(expected, abs=1e-12), item
    assert 0 < n_constant < CASES / 2

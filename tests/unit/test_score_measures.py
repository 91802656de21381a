"""The model that measures scores agrees with scipy and with the formulas written out."""

import random
from pathlib import Path
from statistics import mean, pstdev

import duckdb
import pyarrow as pa
import pytest
from scipy.stats import spearmanr

from finrag.warehouse.models import Templates

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models/metrics/int_scores_measured.sql"
CASES = 500


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
    """Run the model over the cases: both measures by item."""
    rows = [
        {
            "system_id": "s",
            "gold_set": "p3",
            "item_id": item,
            "unit": "sentence",
            "passage_id": str(place),
            "score": score,
            "grade": grade,
            "mode": "finrag",
            "is_repeat": False,
        }
        for item, lists in cases.items()
        for place, (score, grade) in enumerate(zip(*lists, strict=True))
    ]
    connection = duckdb.connect()
    given = pa.Table.from_pylist(rows)
    connection.register("given_rankings", given)
    connection.register("given_int_rankings_graded", given)
    columns = "item_id, score_discrimination, score_gold_spearman"
    found = connection.execute(
        f"select {columns} from ({Templates(ROOT, {}).render(MODEL, prefix='given_')})"
    ).fetchall()
    return {item: values for item, *values in found}


def test_the_spread_is_that_of_the_population_over_the_mean(cases, measured):
    for item, (scores, _) in cases.items():
        assert measured[item][0] == pytest.approx(pstdev(scores) / mean(scores), abs=1e-7), item


def test_the_correlation_is_that_of_scipy(cases, measured):
    n_constant = 0
    for item, (scores, grades) in cases.items():
        if len(set(scores)) == 1 or len(set(grades)) == 1:
            n_constant += 1
            assert measured[item][1] is None, item
            continue
        expected = spearmanr(scores, grades).statistic
        assert measured[item][1] == pytest.approx(expected, abs=1e-9), item
    assert 0 < n_constant < CASES / 2

"""What growth alone explains, held against drawing the sentences at random."""

import random
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from finrag.warehouse.models import Templates

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models/metrics/int_growth_expected.sql"
NOW, THEN, RELEVANT, DEPTH = 400, 250, 2, 50
DRAWS = 4000


def grown(ranks, regime="open", then=THEN, now=NOW):
    """Run the model over anchors whose gold stands at some ranks: the change by cut-off."""
    scored = [
        {
            **{"system_id": "s", "item_id": f"p1:{item}", "mode": "finrag", "unit": "sentence"},
            "first_rank": min(of_item, default=None),
        }
        for item, of_item in enumerate(ranks)
    ]
    given = {
        "anchors": [{"item_id": f"p1:{item}", "frozen_among": then} for item in range(len(ranks))],
        "int_items_graded": [
            {"item_id": f"p1:{item}", "n_relevant": RELEVANT} for item in range(len(ranks))
        ],
        "py_rankings_scored": scored,
        "retrieval_outcomes": [
            {**of, "unit": "sentence", "outcome": "ranked"}
            for of in ({"system_id": "s", "item_id": f"p1:{item}"} for item in range(len(ranks)))
        ],
        "registered_systems": [{"system_id": "s", "regime": regime}],
        "sentences": [{"sentence_id": str(number)} for number in range(now)],
    }
    connection = duckdb.connect()
    for name, rows in given.items():
        connection.register(f"given_{name}", pa.Table.from_pylist(rows))
    sql = Templates(ROOT, {}).render(MODEL, prefix="given_")
    return dict(connection.execute(f"select k, growth_change from ({sql})").fetchall())


def resampled(ranks, k, seed):
    """Hit@k now, less its mean over draws of as many sentences as there were."""
    drawn = random.Random(seed)
    n_now, n_then = NOW - 1 - RELEVANT, THEN - 1 - RELEVANT
    hits = 0
    for of_item in ranks:
        above = min(of_item, default=n_now + 1) - 1
        for _ in range(DRAWS):
            there = drawn.sample(range(n_now), n_then)
            hits += sum(number < above for number in there) < k
    now = sum(min(of_item, default=n_now + 1) <= k for of_item in ranks) / len(ranks)
    return now - hits / DRAWS / len(ranks)


@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_the_formula_is_what_drawing_at_random_comes_to(k):
    ranks = [{1}, {2, 9}, {4}, {7}, {12, 13}, {20}, set()]
    assert grown(ranks)[k] == pytest.approx(resampled(ranks, k, 5), abs=0.01)


def test_one_sentence_above_is_still_there_as_often_as_sentences_are_drawn():
    (n_now, n_then) = (NOW - 1 - RELEVANT, THEN - 1 - RELEVANT)
    assert grown([{2}])[1] == pytest.approx(-(1 - n_then / n_now), abs=1e-6)
    assert grown([{2}])[3] == 0


def test_nothing_has_grown_and_nothing_is_explained():
    assert set(grown([{2}, {7}], then=NOW).values()) == {0}
    assert set(grown([{2}, {7}], regime="filtered").values()) == {0}
    assert set(grown([{2}], regime=None).values()) == {None}
    assert grown([{2}], then=NOW + 1) == {}

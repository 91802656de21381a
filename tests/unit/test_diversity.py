"""Near duplicates and maximal marginal relevance at their edges."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from finrag.retrieval.diversity import keep_distinct, mmr_order, unit_range


def at_degrees(*degrees):
    return np.array([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees])


def test_the_best_of_a_group_of_look_alikes_stays():
    vectors = at_degrees(0, 90, 3, 93)

    assert keep_distinct(vectors, 0.95).tolist() == [0, 1]


def test_what_was_dropped_drops_nothing_itself():
    # 15 degrees are a cosine of 0.966, 30 degrees of 0.866.
    assert keep_distinct(at_degrees(0, 15, 30), 0.95).tolist() == [0, 2]


def test_a_cosine_at_the_limit_is_no_duplicate():
    vectors = np.array([[1.0, 0.0], [0.6, 0.8]])

    assert keep_distinct(vectors, 0.6).tolist() == [0, 1]
    assert keep_distinct(vectors, 0.599).tolist() == [0]


def test_length_does_not_count():
    assert keep_distinct(np.array([[1.0, 1.0], [7.0, 7.0]]), 0.95).tolist() == [0]


@pytest.mark.parametrize("nothing", [math.nan, 0.0])
def test_a_vector_without_direction_is_never_a_duplicate(nothing):
    vectors = np.array([[nothing, nothing], [nothing, nothing], [1.0, 0.0]])

    assert keep_distinct(vectors, 0.0).tolist() == [0, 1, 2]


def test_nothing_stays_nothing():
    positions, scores = mmr_order(np.empty(0), np.empty((0, 4)), 0.7, 5)

    assert len(keep_distinct(np.empty((0, 4)), 0.95)) == len(positions) == len(scores) == 0


def test_a_repetition_gives_way_to_something_else():
    positions, scores = mmr_order(np.array([0.9, 0.9, 0.4]), at_degrees(0, 0, 90), 0.5, 3)

    assert positions.tolist() == [0, 2, 1]
    assert scores.tolist() == [0.45, 0.2, -0.05]


def test_lambda_one_is_the_order_of_relevance_with_ties_by_position():
    positions, _ = mmr_order(np.array([0.2, 0.8, 0.2, 0.9]), at_degrees(0, 0, 0, 0), 1.0, 4)

    assert positions.tolist() == [3, 1, 0, 2]


def test_an_opposed_vector_earns_nothing():
    _, scores = mmr_order(np.array([0.5, 0.5]), at_degrees(0, 180), 0.5, 2)

    assert scores.tolist() == [0.25, 0.25]


def test_a_candidate_without_a_finite_score_is_left_out():
    positions, _ = mmr_order(np.array([0.1, math.nan, math.inf]), at_degrees(0, 40, 80), 0.7, 3)

    assert positions.tolist() == [0]


@settings(deadline=None)
@given(
    arrays(np.float64, 9, elements=st.floats(-1, 1)),
    arrays(np.float32, (9, 3), elements=st.floats(-1, 1, width=32) | st.just(math.nan)),
    st.floats(0, 1),
)
def test_marginal_relevance_never_increases(relevance, vectors, mmr_lambda):
    positions, scores = mmr_order(relevance, vectors, mmr_lambda, 9)

    assert sorted(positions.tolist()) == list(range(9))
    assert (np.diff(scores) <= 0).all()


@settings(deadline=None)
@given(arrays(np.float32, (7, 3), elements=st.floats(-1, 1, width=32)), st.floats(0, 1))
def test_the_kept_are_distinct_and_the_dropped_resemble_one_of_them(vectors, limit):
    kept = keep_distinct(vectors, limit).tolist()
    lengths = np.linalg.norm(vectors.astype(float), axis=1)

    def cosine(a, b):
        product = float(lengths[a] * lengths[b])
        return float(vectors[a].astype(float) @ vectors[b]) / product if product else -2.0

    assert all(cosine(a, b) <= limit + 1e-5 for a in kept for b in kept if a < b)
    for dropped in set(range(7)) - set(kept):
        assert any(cosine(dropped, a) >= limit - 1e-5 for a in kept if a < dropped)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: keep_distinct(at_degrees(0), 1.2), "near_duplicate_cosine is 1.2"),
        (lambda: keep_distinct(np.ones(3), 0.9), "a matrix"),
        (lambda: mmr_order(np.ones(1), at_degrees(0), math.nan, 1), "mmr_lambda is nan"),
        (lambda: mmr_order(np.ones(1), at_degrees(0), 0.7, -1), "set it to 0 or more"),
        (lambda: mmr_order(np.ones(2), at_degrees(0), 0.7, 1), "2 relevance scores for 1"),
    ],
)
def test_wrong_settings_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_scores_are_brought_to_the_unit_range():
    assert unit_range(np.array([2.0, -2.0, 0.0])).tolist() == [1.0, 0.0, 0.5]
    assert unit_range(np.array([7.0, 7.0])).tolist() == [1.0, 1.0]
    assert len(unit_range(np.empty(0))) == 0

"""Floors: what nulls score, which of them a score stands beside, and when there is none."""

import pytest

from tests.unit.summarised_tables import sliced, summarised

RANDOM = {"system_id": "random", "is_null": True}
SYSTEMS = [{"system_id": "s"}, RANDOM]
ITEMS = [f"i{number:03}" for number in range(500)]
KINDS = ["altered_number", "random_answer", "wrong_company", "wrong_year"]


def of(system, metric, figures, k=5, **others):
    """Values of a system by the order of items."""
    return [
        {
            **{"system_id": system, "item_id": item, "metric": metric, "k": k, "value": value},
            **others,
        }
        for item, value in zip(ITEMS, figures, strict=False)
    ]


def nulls(kind, metric, figures, **others):
    """Values of answers that know nothing."""
    return [
        {**{name: one for name, one in row.items() if name != "system_id"}, "null_kind": kind}
        for row in of("", metric, figures, k=0, **others)
    ]


def floors(values, metrics, slice_name="sound", systems=SYSTEMS, items=ITEMS, **others):
    """By metric, cut-off and kind of null, of the system s."""
    slices = sliced(items, slice_name=slice_name)
    rows = summarised(values, slices, metrics, systems=systems, **others)
    return {
        (row["metric"], row["k"], floor["null_kind"]): floor
        for row in rows
        if row["system_id"] == "s"
        for floor in row["floors"] or ()
    }


def mean_of(name, **others):
    return {"metric": name, "k": 5, "value_kind": "mean", **others}


def answer(name, **others):
    return {
        **{"metric": name, "k": 0, "unit": "answer", "asked_of": "answers"},
        **{"value_kind": "mean", "needs_text_only": True},
        **others,
    }


def test_a_mean_must_exceed_the_ninetieth_percentile_of_single_nulls():
    """At the floor is not above it. Values 0 to 1 by tenths have their 90th at 0.9."""
    tenths = [number / 10 for number in range(11)]
    metrics = [mean_of(name) for name in ("above", "level", "below")]
    values = [row for one in metrics for row in of("random", one["metric"], tenths)]
    values += of("s", "above", [0.91] * 40) + of("s", "level", [0.9] * 40)
    values += of("s", "below", [0.85] * 40)
    found = floors(values, metrics)
    names = ("n_null", "null_mean", "null_p90", "distance", "is_above_null")
    for kind in ("random_order", "strongest"):
        rows = {
            name: tuple(found[name, 5, kind][column] for column in names)
            for name in ("above", "level", "below")
        }
        assert rows == {
            "above": (11, 0.5, 0.9, 0.01, True),
            "level": (11, 0.5, 0.9, 0.0, False),
            "below": (11, 0.5, 0.9, -0.05, False),
        }


def test_without_ten_null_items_or_a_number_there_is_no_floor_and_no_pass():
    nan = float("nan")
    metrics = [mean_of(name) for name in ("nine", "without", "null_nan", "score_nan", "of_nothing")]
    values = of("random", "nine", [0.2] * 9) + of("random", "null_nan", [nan] + [0.2] * 19)
    values += of("random", "score_nan", [0.2] * 20) + of("random", "of_nothing", [0.2] * 20)
    for name in ("nine", "without", "null_nan"):
        values += of("s", name, [0.9] * 40)
    values += of("s", "score_nan", [nan] * 40)
    values += of("s", "of_nothing", [None] * 40, value_status="failed")
    found = floors(values, metrics)
    for (name, _, _), floor in found.items():
        assert floor["n_null"] == {"nine": 9, "without": 0}.get(name, 20)
        for column in ("null_p90", "distance", "is_above_null", "null_mean_p90"):
            assert floor[column] is None, (name, column)
    assert len(found) == 10


@pytest.mark.parametrize(
    ("right", "n_null", "n", "direction", "expected"),
    [
        (100, 500, 64, "max", 0.269402353613),
        # Never right in 500 is hardly ever right; in ten it may be one time in five.
        (0, 500, 64, "max", 0.009578083502),
        (0, 10, 64, "max", 0.203775082718),
        # Never above 1.
        (450, 500, 4, "max", 1.0),
        (500, 500, 64, "max", 1.0),
        (10, 10, 64, "min", 0.796224917282),
    ],
)
def test_the_floor_of_a_share_is_that_of_a_mean_of_as_many_items(
    right, n_null, n, direction, expected
):
    values = of("random", "hit", [1.0] * right + [0.0] * (n_null - right))
    values += of("s", "hit", [1.0] * n)
    floor = floors(values, [{"metric": "hit", "k": 5, "direction": direction}])
    figures = floor["hit", 5, "strongest"]
    assert figures["null_p90"] == figures["null_mean_p90"] == pytest.approx(expected, abs=1e-12)
    sign = -1 if direction == "min" else 1
    assert figures["distance"] == pytest.approx(sign * (1 - expected), abs=1e-12)
    assert figures["is_above_null"] == (sign * (1 - expected) > 0)


def test_the_mean_of_a_null_is_known_from_its_own_items():
    """A spread of 0.1 over 40 items of the score and ten of the null, to the other side where
    less is better; the percentile of single values is its own."""
    metrics = [mean_of("ndcg"), mean_of("loss", direction="min")]
    values = []
    for name in ("ndcg", "loss"):
        values += of("random", name, [0.1, 0.3] * 5) + of("s", name, [0.25] * 40)
    found = floors(values, metrics)
    names = ("null_p90", "null_mean_p90", "distance_of_mean")
    assert [found["ndcg", 5, "random_order"][name] for name in names] == pytest.approx(
        [0.3, 0.245309690122, 0.004690309878], abs=1e-12
    )
    assert [found["loss", 5, "random_order"][name] for name in names] == pytest.approx(
        [0.1, 0.154690309878, -0.095309690122], abs=1e-12
    )


def test_a_search_stands_beside_random_order_of_its_own_regime():
    systems = [*SYSTEMS, {"system_id": "random_filtered", "regime": "filtered", "is_null": True}]
    values = of("random", "mrr", [0.5] * 10) + of("random_filtered", "mrr", [1.0] * 10)
    values += of("s", "mrr", [0.75] * 10)
    found = floors(values, [mean_of("mrr")], systems=systems)
    assert found["mrr", 5, "random_order"]["null_mean"] == 0.5
    assert {kind for _, _, kind in found} == {"random_order", "strongest"}


def test_floors_are_of_whole_sets_and_of_no_null_or_agent():
    values = of("random", "mrr", [0.5] * 10) + of("s", "mrr", [0.75] * 10)
    assert not floors(values, [mean_of("mrr")], slice_name="section")
    assert floors(values, [mean_of("mrr")], slice_name="sound_scope")
    assert not floors(values, [mean_of("mrr", asked_of="agents")])
    assert not floors(
        values, [mean_of("mrr")], systems=[RANDOM, {"system_id": "s", "is_null": True}]
    )
    assert not floors(values, [mean_of("mrr")], systems=[RANDOM])


def test_null_answers_are_the_same_for_every_system():
    """The hardest to beat counts; of few items a null has no floor, and what another scorer says
    is none of this score. Nulls without a value do not count."""
    scored = {"scorer_id": "small"}
    given = [
        *nulls("random_answer", "cosine", [0.5] * 10, **scored),
        *nulls("wrong_year", "cosine", [0.8] * 10, **scored),
        *nulls("wrong_company", "cosine", [0.9] * 9, **scored),
        *nulls("wrong_company", "cosine", [None] * 9, value_status="unscored", **scored),
        *nulls("altered_number", "cosine", [0.9] * 10, scorer_id="large"),
        *nulls("random_answer", "inventions", [1.0] * 10),
        *nulls("wrong_year", "inventions", [0.75] * 10),
    ]
    values = of("s", "cosine", [0.7] * 10, k=0, unit="answer", **scored)
    values += of("s", "inventions", [0.5] * 10, k=0, unit="answer")
    values += of("s", "citations", [0.5] * 10, k=0, unit="answer")
    metrics = [
        *(answer("cosine"), answer("inventions", direction="min")),
        # A null answer is a text without source.
        answer("citations", needs_text_only=False),
    ]
    found = floors(values, metrics, null_values=given)
    names = ("n_null", "null_p90", "distance", "is_above_null")
    rows = {
        (name, kind): tuple(floor[column] for column in names)
        for (name, _, kind), floor in found.items()
    }
    assert rows == {
        ("cosine", "random_answer"): (10, 0.5, 0.2, True),
        ("cosine", "wrong_year"): (10, 0.8, -0.1, False),
        ("cosine", "wrong_company"): (9, None, None, None),
        ("cosine", "altered_number"): (0, None, None, None),
        ("cosine", "strongest"): (10, 0.8, -0.1, False),
        ("inventions", "random_answer"): (10, 1.0, 0.5, True),
        ("inventions", "wrong_year"): (10, 0.75, 0.25, True),
        ("inventions", "wrong_company"): (0, None, None, None),
        ("inventions", "altered_number"): (0, None, None, None),
        ("inventions", "strongest"): (10, 0.75, 0.25, True),
    }


def test_an_answer_to_a_public_set_stands_beside_that_of_a_reader_of_random_passages():
    """Whatever the regime of the search. A system that only ranks, and has a speaker read from
    its ranking, is no such reader. A ranking has no null answer."""
    metrics = [answer("em", asked_of="public"), mean_of("recall", asked_of="public")]
    systems = [
        {"system_id": "s", "regime": "filtered"},
        {**RANDOM, "answerer": "extractive"},
        {"system_id": "ranks", "regime": "filtered", "is_null": True},
    ]
    values = of("random", "em", [0.5] * 10, k=0, unit="answer")
    values += of("ranks", "em", [1.0] * 10, k=0, unit="answer")
    values += of("s", "em", [0.7] * 10, k=0, unit="answer")
    values += of("random", "recall", [0.75] * 10) + of("ranks", "recall", [0.25] * 10)
    values += of("s", "recall", [0.5] * 10)
    found = floors(
        values,
        metrics,
        slice_name="overall",
        systems=systems,
        null_values=nulls("random_answer", "em", [0.6] * 10),
    )
    p90 = {(name, kind): floor["null_p90"] for (name, _, kind), floor in found.items()}
    assert p90 == {
        **{("em", kind): None for kind in KINDS},
        **{("em", "random_answer"): 0.6, ("em", "random_order"): 0.5, ("em", "strongest"): 0.6},
        **{("recall", "random_order"): 0.25, ("recall", "strongest"): 0.25},
    }
